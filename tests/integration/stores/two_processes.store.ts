/**
 * One person, whose token two processes with 100 callers each need at once: real processes, a real Redis, and a platform that
 * answers late, in part, or not at all.
 *
 * @module
 */

import { createClient } from "redis";
import { afterAll, describe, expect, test, vi } from "vitest";
import { redisStore } from "../../../examples/stores/redis.ts";
import { TokenSource } from "../../../mod.ts";
import type { Failure } from "../../../src/testing/mod.ts";
import { type LineProcess, startLineProcess } from "../../support/line_process.ts";
import type { Outcome, Settings } from "./support/callers.ts";
import { startRedis } from "./support/databases.ts";
import { type ServedPlatform, servePlatform } from "./support/served_platform.ts";

const database = await startRedis();
const redis = await createClient({ url: database.url }).connect();
afterAll(async () => {
  redis.destroy();
  await database[Symbol.asyncDispose]();
});

const program = new URL("support/callers.ts", import.meta.url);

type CallerProcess = LineProcess<number, Outcome[]>;

const callers = 100;

/**
 * How long a request may take, in milliseconds. Some of these tests wait for a lease to run out, so it is not long; but many
 * processes share the machine.
 */
const timeout = 8000;

vi.setConfig({ testTimeout: 120_000 });

/** How long a lease lasts, in milliseconds: the documentation of `TokenSource` says so. */
const lease = timeout + 10_000;

/** What a machine may add to a wait that has many other things to do, in milliseconds. */
const slowMachine = 5000;

const soon = 240;
const over = -1;

interface Case {
  readonly secondsLeft: number;
  /** By how much the clock of the second process is ahead, in milliseconds. */
  readonly clockShift?: number;
  readonly failure?: Failure;
}

describe.concurrent("Two processes", () => {
  const refresh = { path: "/oauth2/token" };

  test.each<[string, Case]>([
    ["when the access token has ended", { secondsLeft: over }],
    ["when it ends soon", { secondsLeft: soon }],
    ["when the platform begins late to refresh", {
      secondsLeft: over,
      failure: { ...refresh, delay: 1500 },
    }],
    ["when its answer comes slowly", { secondsLeft: over, failure: { ...refresh, slow: 100 } }],
    ["when one clock is a minute ahead", { secondsLeft: over, clockShift: 60_000 }],
    ["when one clock is a minute behind", { secondsLeft: over, clockShift: -60_000 }],
    ["when one clock is a minute ahead and the token ends soon", {
      secondsLeft: soon,
      clockShift: 60_000,
    }],
  ])("refresh once, and all callers get a token that works, %s", async (_when, options) => {
    await using run = await start(options);
    const { platform, processes } = run;
    const outcomes = (await Promise.all(processes.map((one) => one.call(callers)))).flat();
    expect(tallyOf(outcomes)).toEqual({ 200: 2 * callers });
    expect(platform.refreshes).toHaveLength(1);
    expectShortWaits(outcomes);

    const later = (await Promise.all(processes.map((one) => one.call(callers)))).flat();
    expect(tallyOf(later)).toEqual({ 200: 2 * callers });
    expect(platform.refreshes).toHaveLength(1);
  });

  test("use the old token to its end when the new one was lost on its way", async () => {
    await using run = await start({
      secondsLeft: soon,
      failure: { ...refresh, cut: "body" },
    });
    const { platform, processes } = run;
    for (let round = 0; round < 2; round++) {
      const outcomes = (await Promise.all(processes.map((one) => one.call(callers)))).flat();
      expect(tallyOf(outcomes)).toEqual({ 200: 2 * callers });
      expectShortWaits(outcomes);
    }
    expect(platform.refreshes).toHaveLength(1);
  });

  test("refresh again when the request was lost, but not before it is certain", async () => {
    await using run = await start({
      secondsLeft: over,
      failure: { ...refresh, cut: "before" },
    });
    const { platform, processes } = run;
    const outcomes = await Promise.all(processes.map((one) => one.call(callers)));
    // Those whose own process sent the request hear of it at once; the others wait.
    expect(outcomes.map(tallyOf)).toContainEqual({ NetworkError: callers });
    expect(outcomes.map(tallyOf)).toContainEqual({ 200: callers });
    expectShortWaits(outcomes.flat());
    expectSecondTry(platform);

    const later = (await Promise.all(processes.map((one) => one.call(callers)))).flat();
    expect(tallyOf(later)).toEqual({ 200: 2 * callers });
    expect(platform.refreshes).toHaveLength(2);
  });

  test("say that the person must log in when the only new token was lost on its way", async () => {
    await using run = await start({
      secondsLeft: over,
      failure: { ...refresh, cut: "body" },
    });
    const { platform, processes } = run;
    const outcomes = await Promise.all(processes.map((one) => one.call(callers)));
    expect(outcomes.map(tallyOf)).toContainEqual({ NetworkError: callers });
    expect(outcomes.map(tallyOf)).toContainEqual({ LoginRequiredError: callers });
    expectShortWaits(outcomes.flat());
    expectSecondTry(platform);

    const later = (await Promise.all(processes.map((one) => one.call(callers)))).flat();
    expect(tallyOf(later)).toEqual({ LoginRequiredError: 2 * callers });
    expect(platform.refreshes).toHaveLength(2);
  });
});

describe.concurrent("When a process is killed while it refreshes, the other one", () => {
  test.each([0, 60_000, -60_000])(
    "refreshes as soon as that is safe, and all its callers get a token (clock %i ms ahead)",
    async (clockShift) => {
      await using run = await start({
        secondsLeft: over,
        clockShift,
        failure: { path: "/oauth2/token", hang: true },
      });
      const outcomes = await callAfterCrash(run);
      expect(tallyOf(outcomes)).toEqual({ 200: callers });
      expectShortWaits(outcomes);
      expectSecondTry(run.platform);
    },
  );

  test("uses the old token as long as it works", async () => {
    await using run = await start({
      secondsLeft: soon,
      failure: { path: "/oauth2/token", slow: 1000 },
    });
    const outcomes = await callAfterCrash(run);
    expect(tallyOf(outcomes)).toEqual({ 200: callers });
    expectShortWaits(outcomes);
    expect(run.platform.refreshes).toHaveLength(1);
  });

  test("says that the person must log in when the only new token was lost with it", async () => {
    await using run = await start({
      secondsLeft: over,
      failure: { path: "/oauth2/token", slow: 1000 },
    });
    const outcomes = await callAfterCrash(run);
    expect(tallyOf(outcomes)).toEqual({ LoginRequiredError: callers });
    expectShortWaits(outcomes);
    expectSecondTry(run.platform);
  });
});

/** A platform where somebody has logged in, and two processes that share the token. */
interface Run extends AsyncDisposable {
  readonly platform: ServedPlatform;
  readonly processes: readonly [CallerProcess, CallerProcess];
}

async function start({ secondsLeft, clockShift = 0, failure }: Case): Promise<Run> {
  await using opened = new AsyncDisposableStack();
  const platform = opened.use(await servePlatform());
  const key = `discord:${crypto.randomUUID()}`;
  const startOne = async (clockShift: number): Promise<CallerProcess> => {
    const { origin: platformOrigin } = platform;
    const settings: Settings = {
      redisUrl: database.url,
      platformOrigin,
      key,
      timeout,
      clockShift,
    };
    return opened.use(await startLineProcess(program, settings));
  };
  const processes = await Promise.all([startOne(0), startOne(clockShift)]);
  const token = await platform.logIn(secondsLeft);
  await new TokenSource(platform.api, redisStore(redis), key).save(token);
  if (failure) platform.fake.failNext(failure);
  const all = opened.move();
  return { platform, processes, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Kills the first process as soon as its refresh has reached the platform; gives what callers of the second one get then. */
async function callAfterCrash({ platform, processes: [first, second] }: Run): Promise<Outcome[]> {
  const lost = first.call(callers).catch(() => {});
  await expect.poll(() => platform.refreshes).toHaveLength(1);
  await first.crash();
  await lost;
  return await second.call(callers);
}

/** How many callers got what. */
function tallyOf(outcomes: readonly Outcome[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(outcomes, ({ result }) => result)].map(([result, { length }]) => [
      result,
      length,
    ]),
  );
}

function expectShortWaits(outcomes: readonly Outcome[]): void {
  const longest = Math.max(...outcomes.map(({ waited }) => waited));
  expect(longest).toBeLessThan(lease + timeout + slowMachine);
}

/** The refresh token may be sent again only when nobody can still be waiting for the first answer. */
function expectSecondTry({ refreshes }: ServedPlatform): void {
  const [first, second, ...more] = refreshes;
  expect(more).toEqual([]);
  expect(second?.token).toBe(first?.token);
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(timeout);
}
