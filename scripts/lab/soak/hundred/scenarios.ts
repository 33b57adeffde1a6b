/**
 * The situations in which many processes refresh tokens at once.
 *
 * @module
 */

import { GuildpassError, type PlatformApi, TokenSource } from "../../../../mod.ts";
import { hour, minute, second } from "../clock.ts";
import { Random } from "../random.ts";
import { type Operations, Platform, type PlatformModel, SharedStore } from "./model.ts";
import { VirtualClock } from "./virtual_clock.ts";

/** The simulated application with its platform. */
interface World {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly platform: Platform;
  readonly store: SharedStore;
  readonly processes: readonly PlatformApi[];
  readonly people: readonly string[];
}

/** The result of a scenario. */
export interface ScenarioResult extends Operations {
  /** The requests to the token endpoint. */
  readonly requests: number;
  /** The responses 200. */
  readonly refreshed: number;
  /** The responses 429. */
  readonly limited: number;
  /** The maximum number of 429s in ten minutes. */
  readonly mostLimited: number;
  /** The responses 400: a refresh token that was sent twice. */
  readonly refused: number;
  /** In seconds of virtual time. */
  readonly duration: number;
}

/** The calls of a part of the outage. */
export interface OutageCalls {
  readonly calls: number;
  readonly failed: number;
  /** The 50th, 95th and 100th percentile of the time of a failed call, in milliseconds. */
  readonly failedMs: readonly [median: number, p95: number, max: number];
  /** The reads of the store for one call. */
  readonly loads: number;
}

const week = 7 * 24 * hour;

/** The begin of all simulations. */
const begin = Date.UTC(2026, 10, 25);

/**
 * Refreshes tokens that have ended, with jobs that wait as the errors say, and try again until each token is refreshed.
 *
 * @param callers The number of callers of each process.
 */
export function runHerd(processes: number, callers: number, seed: number): Promise<ScenarioResult> {
  const people = 2000;
  return inWorld({ limit: 20, retryAfter: 1 }, { processes, people, seed }, async (world) => {
    await prepareTokens(world, () => week + minute);
    await runJobs(world, callers, 0);
  });
}

/**
 * Runs jobs for 100,000 people at two full hours. All people logged in within the same hour, and the first tokens are due at the first
 * full hour. A job uses each token for a request, or goes on with the next person if there is none.
 */
export function runFullHour(seed: number): Promise<ScenarioResult> {
  const given = { processes: 100, people: 100_000, seed };
  return inWorld({ limit: 50, retryAfter: 1 }, given, async (world) => {
    await prepareTokens(world, (random) => 0.75 * week - hour + random.between(0, hour));
    for (const _ of [1, 2]) {
      await world.clock.sleep(hour);
      await runJobs(world, 20, 100);
    }
  });
}

/** Refreshes the tokens of a few people one after the other, as on a quiet day. */
export function runQuietDay(seed: number): Promise<ScenarioResult> {
  const given = { processes: 2, people: 200, seed };
  return inWorld({ limit: 50, retryAfter: 1 }, given, async (world) => {
    await prepareTokens(world, () => week + minute);
    for (const [index, person] of world.people.entries()) {
      await sourceOf(world, index, person).token();
      await world.clock.sleep(minute);
    }
  });
}

/**
 * Visits pages during an hour of 503. Each visit asks three processes for the token of a person at the same moment, as a page with its
 * requests does. All tokens end within 75 minutes.
 *
 * @returns The result, and the calls in the second half hour.
 */
export async function runOutage(
  seed: number,
): Promise<{ readonly result: ScenarioResult; readonly calls: OutageCalls }> {
  const given = { processes: 100, people: 20_000, seed };
  const model = { limit: 50, retryAfter: 1, outageUntil: hour };
  const visitsPerSecond = 20;
  const failedMs: number[] = [];
  let calls = 0;
  let loads = 0;
  const result = await inWorld(model, given, async (world) => {
    const { clock, random, people, store } = world;
    await prepareTokens(world, (random) => week - random.between(0, 75 * minute));
    const ask = async (person: string, index: number) => {
      const at = clock.now;
      const isMeasured = at >= 30 * minute && at < hour;
      const isFailed = await sourceOf(world, index, person).token().then(() => false, () => true);
      if (isMeasured) calls += 1;
      if (isMeasured && isFailed) failedMs.push(clock.now - at);
    };
    const running: Promise<void>[] = [];
    while (clock.now < 80 * minute) {
      if (clock.now === 30 * minute) loads -= store.operations.loads;
      if (clock.now === hour) loads += store.operations.loads;
      const person = people[Math.floor(random.next() * people.length)] ?? "";
      const first = Math.floor(random.next() * given.processes);
      for (const offset of [0, 33, 66]) running.push(ask(person, first + offset));
      await clock.sleep(second / visitsPerSecond);
    }
    await Promise.all(running);
  });
  failedMs.sort((one, other) => one - other);
  const percentile = (part: number) => failedMs[Math.ceil(failedMs.length * part) - 1] ?? 0;
  const percentiles = [percentile(0.5), percentile(0.95), percentile(1)] as const;
  return {
    result,
    calls: { calls, failed: failedMs.length, failedMs: percentiles, loads: loads / calls },
  };
}

/** Runs a scenario in a new world. */
async function inWorld(
  model: Partial<PlatformModel> & Pick<PlatformModel, "limit" | "retryAfter">,
  given: { readonly processes: number; readonly people: number; readonly seed: number },
  run: (world: World) => Promise<void>,
): Promise<ScenarioResult> {
  const random = new Random(given.seed);
  const { random: mathRandom } = Math;
  const own = random.fork();
  Math.random = () => own.next();
  const clock = new VirtualClock(begin);
  const platform = new Platform(
    { lifetime: week / second, outageUntil: 0, ...model },
    clock,
    random.fork(),
  );
  const store = new SharedStore(clock, random.fork());
  const processes = Array.from({ length: given.processes }, () => platform.createProcess());
  const people = Array.from({ length: given.people }, (_, index) => `person${index}`);
  const world = { clock, random, platform, store, processes, people };
  try {
    await clock.run(() => run(world));
  } finally {
    Math.random = mathRandom;
  }
  return {
    ...store.operations,
    requests: platform.requests,
    refreshed: platform.count(200),
    limited: platform.count(429),
    mostLimited: platform.mostLimited,
    refused: platform.count(400),
    duration: clock.now / second,
  };
}

/** Saves a token of each person. */
async function prepareTokens(
  { platform, store, processes: [api], people, random }: World,
  ageOf: (random: Random) => number,
): Promise<void> {
  if (!api) throw new Error("There is no process");
  for (const person of people) {
    await store.prepare(api, person, platform.issue(person, ageOf(random)));
  }
}

/** Creates the source of a person's token in a process, as a server does for each request. */
function sourceOf({ processes, store }: World, index: number, person: string): TokenSource {
  const api = processes[index % processes.length];
  if (!api) throw new Error("There is no process");
  return new TokenSource(api, store, person);
}

/** Runs a job in each process, with its share of the people. */
async function runJobs(world: World, callers: number, requestMs: number): Promise<void> {
  const { processes, people } = world;
  await Promise.all(processes.map(async (_, index) => {
    const share = people.filter((_, person) => person % processes.length === index);
    await Promise.all(Array.from({ length: callers }, async () => {
      for (let person = share.shift(); person; person = share.shift()) {
        await askUntilGiven(world, index, person);
        if (requestMs > 0) await world.clock.sleep(requestMs);
      }
    }));
  }));
}

/** Asks for a token until there is one, and waits as the errors say. */
async function askUntilGiven(world: World, index: number, person: string): Promise<void> {
  while (true) {
    const failure = await sourceOf(world, index, person).token().then(() => null, (error) => error);
    if (failure === null) return;
    if (!(failure instanceof GuildpassError) || !failure.isTemporary) throw failure;
    await world.clock.sleep((failure.retryAfter ?? 1) * second);
  }
}
