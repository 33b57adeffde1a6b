/**
 * Two processes with 100 callers each need the token of one person at once. The processes and the databases are real, and the platform
 * responds late, in part, or not at all.
 *
 * @module
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { afterAll, describe, expect, test, vi } from "vitest";
import { TokenSource } from "../../../mod.ts";
import type { Failure } from "../../../src/testing/mod.ts";
import { type LineProcess, startLineProcess } from "../../support/line_process.ts";
import type { CallerResult, Settings } from "./support/callers.ts";
import { startMariaDb, startPostgres, startRedis } from "./support/databases.ts";
import { serveNeon } from "./support/neon_server.ts";
import { openStore, type StoreAddress } from "./support/open_store.ts";
import { type ServedPlatform, servePlatform } from "./support/served_platform.ts";
import { serveTurso } from "./support/turso_server.ts";
import { serveUpstash } from "./support/upstash_server.ts";

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());

const folder = await mkdtemp(`${tmpdir()}/guildpass-two-processes-`);
opened.defer(() => rm(folder, { recursive: true }));
const [redisUrl, postgresUrl, mariaDbUrl] = await Promise.all(
  [startRedis, startPostgres, startMariaDb].map(async (start) => opened.use(await start()).url),
);
const redis: StoreAddress = { client: "redis", url: redisUrl ?? "" };

const program = new URL("support/callers.ts", import.meta.url);

type CallerProcess = LineProcess<number, CallerResult[]>;

const callers = 100;

/**
 * The time limit of a request, in milliseconds. It is short, because some tests wait for the end of a lease, but not too
 * short for a machine with many processes.
 */
const timeout = 8000;

/** The delay that a busy machine may add to a call, in milliseconds. */
const busyMachineDelay = 15_000;

/** The results of a call that has reached its time limit, and can be repeated. */
const timeouts = ["TimeoutError", "StoreTimeoutError"];

const soon = 240;
const over = -1;

interface Case {
  /** @default {Redis} */
  readonly store?: StoreAddress;
  readonly secondsLeft: number;
  /** The time by which the clock of the second process is ahead, in milliseconds. */
  readonly clockShift?: number;
  readonly failure?: Failure;
}

describe.concurrent("Two processes", () => {
  const refresh = { path: "/oauth2/token" };

  test.each<[string, Case]>([
    ["after the end of the access token", { secondsLeft: over }],
    ["shortly before its end", { secondsLeft: soon }],
    ["if the platform starts the refresh late", {
      secondsLeft: over,
      failure: { ...refresh, delay: 1500 },
    }],
    ["if its response is slow", { secondsLeft: over, failure: { ...refresh, slow: 100 } }],
    ["if one clock is a minute ahead", { secondsLeft: over, clockShift: 60_000 }],
    ["if one clock is a minute behind", { secondsLeft: over, clockShift: -60_000 }],
    ["if one clock is a minute ahead and the token ends soon", {
      secondsLeft: soon,
      clockShift: 60_000,
    }],
  ])("refresh once, and give all callers a token that works, %s", async (_when, options) => {
    await using run = await start(options);
    const { platform, processes } = run;
    const results = (await Promise.all(processes.map((one) => one.call(callers)))).flat();
    expect(countResults(results)).toEqual({ 200: 2 * callers });
    expect(platform.refreshes).toHaveLength(1);
    expectShortWaits(results);

    const later = (await Promise.all(processes.map((one) => one.call(callers)))).flat();
    expect(countResults(later)).toEqual({ 200: 2 * callers });
    expect(platform.refreshes).toHaveLength(1);
  });

  test("use the old token to its end if the new one was lost", async () => {
    await using run = await start({
      secondsLeft: soon,
      failure: { ...refresh, cut: "body" },
    });
    const { platform, processes } = run;
    for (let round = 0; round < 2; round++) {
      const results = (await Promise.all(processes.map((one) => one.call(callers)))).flat();
      expect(countResults(results)).toEqual({ 200: 2 * callers });
      expectShortWaits(results);
    }
    expect(platform.refreshes).toHaveLength(1);
  });

  test("refresh again at once after a lost request, because no token works any more", async () => {
    await using run = await start({
      secondsLeft: over,
      failure: { ...refresh, cut: "before" },
    });
    const { platform, processes } = run;
    const results = await Promise.all(processes.map((one) => one.call(callers)));
    // The callers of the process that sent the request get the error; the others send the second one.
    expect(results.map(countResults)).toContainEqual({ NetworkError: callers });
    expect(results.map(countResults)).toContainEqual({ 200: callers });
    expectShortWaits(results.flat());
    expectSecondTry(platform, 0);

    const later = (await Promise.all(processes.map((one) => one.call(callers)))).flat();
    expect(countResults(later)).toEqual({ 200: 2 * callers });
    expect(platform.refreshes).toHaveLength(2);
  });

  test("require a new login if the only new token was lost", async () => {
    await using run = await start({
      secondsLeft: over,
      failure: { ...refresh, cut: "body" },
    });
    const { platform, processes } = run;
    const results = await Promise.all(processes.map((one) => one.call(callers)));
    expect(results.map(countResults)).toContainEqual({ NetworkError: callers });
    expect(results.map(countResults)).toContainEqual({ LoginRequiredError: callers });
    expectShortWaits(results.flat());
    expectSecondTry(platform, 0);

    const later = (await Promise.all(processes.map((one) => one.call(callers)))).flat();
    expect(countResults(later)).toEqual({ LoginRequiredError: 2 * callers });
    expect(platform.refreshes).toHaveLength(2);
  });
});

test.each<StoreAddress>([
  { client: "postgres", url: postgresUrl ?? "" },
  { client: "mysql2", url: mariaDbUrl ?? "" },
  { client: "node:sqlite", url: `${folder}/node.sqlite` },
  { client: "upstash", url: opened.use(await serveUpstash(redis.url)).origin },
  { client: "neon", url: opened.use(serveNeon(postgresUrl ?? "")).url },
  { client: "turso", url: opened.use(await serveTurso(`${folder}/turso.sqlite`)).origin },
])(
  "Two processes with the client $client refresh once, and give all callers a token that works",
  async (store) => {
    await using run = await start({ store, secondsLeft: over });
    const { platform, processes } = run;
    const results = (await Promise.all(processes.map((one) => one.call(callers)))).flat();
    expect(countResults(results)).toEqual({ 200: 2 * callers });
    expect(platform.refreshes).toHaveLength(1);
  },
);

describe.concurrent("If a process is killed during a refresh, the other one", () => {
  test.each([0, 60_000, -60_000])(
    "refreshes as soon as that is safe, and gives all its callers a token (clock %i ms ahead)",
    async (clockShift) => {
      await using run = await start({
        secondsLeft: over,
        clockShift,
        failure: { path: "/oauth2/token", hang: true },
      });
      const results = await callAfterCrash(run);
      expect(countResults(results)).toEqual({ 200: callers });
      expectShortWaits(results);
      expectSecondTry(run.platform);
    },
  );

  test("uses the old token as long as it works", async () => {
    await using run = await start({
      secondsLeft: soon,
      failure: { path: "/oauth2/token", slow: 1000 },
    });
    const results = await callAfterCrash(run);
    expect(countResults(results)).toEqual({ 200: callers });
    expectShortWaits(results);
    expect(run.platform.refreshes).toHaveLength(1);
  });

  test("requires a new login if the only new token was lost with it", async () => {
    await using run = await start({
      secondsLeft: over,
      failure: { path: "/oauth2/token", slow: 1000 },
    });
    const results = await callAfterCrash(run);
    expect(countResults(results)).toEqual({ LoginRequiredError: callers });
    expectShortWaits(results);
    expectSecondTry(run.platform);
  });
});

/** A platform with a logged-in person, and two processes that share the token. */
interface Run extends AsyncDisposable {
  readonly platform: ServedPlatform;
  readonly processes: readonly [CallerProcess, CallerProcess];
}

async function start(
  { store: address = redis, secondsLeft, clockShift = 0, failure }: Case,
): Promise<Run> {
  await using opened = new AsyncDisposableStack();
  const platform = opened.use(await servePlatform());
  const key = `discord:${crypto.randomUUID()}`;
  const startOne = async (clockShift: number): Promise<CallerProcess> => {
    const { origin: platformOrigin } = platform;
    const settings: Settings = {
      store: address,
      platformOrigin,
      key,
      timeout,
      clockShift,
    };
    return opened.use(await startLineProcess(program, settings));
  };
  const processes = await Promise.all([startOne(0), startOne(clockShift)]);
  const token = await platform.logIn(secondsLeft);
  const { store } = opened.use(await openStore(address));
  await store.createTable?.();
  await new TokenSource(platform.api, store, key).save(token);
  if (failure) platform.fake.failNext(failure);
  const all = opened.move();
  return { platform, processes, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/**
 * Kills the first process as soon as its refresh has reached the platform. Returns the results of the second one, which repeats its calls
 * until the lease of the first one has ended.
 */
async function callAfterCrash(
  { platform, processes: [first, second] }: Run,
): Promise<CallerResult[]> {
  const lost = first.call(callers).catch(() => {});
  await vi.waitFor(() => expect(platform.refreshes).toHaveLength(1), { timeout: 30_000 });
  await first.crash();
  await lost;
  while (true) {
    const results = await second.call(callers);
    expectShortWaits(results);
    if (!results.some(({ result }) => timeouts.includes(String(result)))) return results;
  }
}

/** Counts the callers with each result. */
function countResults(results: readonly CallerResult[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(results, ({ result }) => result)].map(([result, { length }]) => [
      result,
      length,
    ]),
  );
}

function expectShortWaits(results: readonly CallerResult[]): void {
  const longest = Math.max(...results.map(({ waited }) => waited));
  expect(longest).toBeLessThan(timeout + busyMachineDelay);
}

/** Expects a second refresh with the same token, after a wait that ends when the first one is certainly over. */
function expectSecondTry({ refreshes }: ServedPlatform, wait = timeout): void {
  const [first, second, ...more] = refreshes;
  expect(more).toEqual([]);
  expect(second?.token).toBe(first?.token);
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(wait);
}
