/**
 * Measures the cost of calls that wait for a rate limit, and of calls that are aborted while they wait, when few and when many wait.
 *
 * @module
 */

import process from "node:process";
import { User } from "../../../../mod.ts";
import { median } from "./compare.ts";
import type { Measurement } from "./measurements.ts";

/** A limit, which makes all calls but the first 100 wait. */
const limited = { limit: 100, windowMs: 50 };

/** A limit that no call reaches. */
const unlimited = { limit: 1_000_000, windowMs: 600_000 };

const rounds = 5;

/** The rounds that only warm up. */
const warmUps = 2;

/**
 * Returns the processor time of each call. Ratios are relative to the first row. Calls that do not wait show the work of the garbage
 * collection, which grows with the number of pending calls.
 */
export async function waitingCalls(): Promise<Record<string, Measurement[]>> {
  const counts = [1000, 2000, 4000];
  return {
    "calls that wait, each": await growth(counts, (count) => timeOfCalls(count, limited)),
    "calls that do not wait, each": await growth(counts, (count) => timeOfCalls(count, unlimited)),
    "calls that are aborted while they wait, each": await growth([500, 2000, 8000], timeOfAborting),
  };
}

async function growth(
  counts: readonly number[],
  measure: (count: number) => Promise<number>,
): Promise<Measurement[]> {
  const times: number[][] = [];
  for (let round = 0; round < warmUps + rounds; round++) {
    const measured = [];
    for (const count of counts) measured.push(await measure(count));
    if (round >= warmUps) times.push(measured);
  }
  return counts.map((count, index) => ({
    name: `${count.toLocaleString("en-US")} at once`,
    time: median(times.map((round) => round[index] ?? NaN)),
    bytes: null,
    ratio: median(times.map((round) => (round[index] ?? NaN) / (round[0] ?? NaN))),
  }));
}

/** Returns the processor time of each of many calls to one route, in nanoseconds. */
async function timeOfCalls(count: number, limit: Limit): Promise<number> {
  const user = new User("t0ken", { fetch: limitedPlatform(limit), timeout: 600_000 });
  return await timeOf(count, async () => {
    await Promise.all(Array.from({ length: count }, (_, number) => read(user, number)));
  });
}

/** Returns the processor time of aborting each of many calls that wait for the next window, in nanoseconds. */
async function timeOfAborting(count: number): Promise<number> {
  const fetch = limitedPlatform({ limit: 1, windowMs: 600_000 });
  const user = new User("t0ken", { fetch, timeout: 2_000_000_000 });
  await read(user, 0);
  const controllers = Array.from({ length: count }, () => new AbortController());
  const calls = controllers.map(({ signal }, number) =>
    read(user, number + 1, signal).catch(() => {})
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  return await timeOf(count, async () => {
    for (const controller of controllers) controller.abort();
    await Promise.all(calls);
  });
}

async function timeOf(count: number, run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1000 / count;
}

async function read(user: User, number: number, signal: AbortSignal | null = null): Promise<void> {
  await user.getUserGuilds({ after: String(1024000000000000000n + BigInt(number)), signal });
}

interface Limit {
  /** The number of requests in a window. */
  readonly limit: number;
  readonly windowMs: number;
}

/** Returns a `fetch` that answers the requests within a limit, and fails for the others. */
function limitedPlatform({ limit, windowMs }: Limit): () => Promise<Response> {
  let window = { endsAt: -Infinity, used: 0 };
  return () => {
    const now = performance.now();
    if (now >= window.endsAt) window = { endsAt: now + windowMs, used: 0 };
    if (window.used >= limit) return Promise.reject(new Error("The limit is exceeded"));
    window.used += 1;
    const headers = {
      "x-ratelimit-bucket": "b",
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(limit - window.used),
      "x-ratelimit-reset-after": String((window.endsAt - now) / 1000),
    };
    return Promise.resolve(Response.json([], { headers }));
  };
}
