/**
 * Measures single requests in workerd: the first one of a new process, and one of a process that is warm. The figure is the processor
 * time of the whole process for that request, without its start.
 *
 * The cookies of a request to a new process come from another process with the same Worker and secret.
 *
 * @module
 */

import { median } from "./compare.ts";
import { type Answer, HttpConnection } from "./http_connection.ts";
import { locationOf, type PreparedRequest, startPath, Visitor } from "./visitor.ts";
import { prepareWorker, type RunningWorker, startPlatform } from "./workerd.ts";

/** The processor time of a request, in milliseconds, and as a ratio to that of the Worker by hand. */
export interface RequestCost {
  readonly name: string;
  readonly goals: Goals;
  readonly coldMs: number;
  readonly coldRatio: number;
  readonly warmMs: number;
  readonly warmRatio: number;
}

/** The ratios that a request should not exceed; `null` without a goal. */
interface Goals {
  readonly cold: number | null;
  readonly warm: number | null;
}

const rounds = 21;

/** The requests of a warm process in each round. Their mean counts. */
const warmRequests = 60;

/** The rounds that only warm up. */
const warmUps = 8;

/** A request to a Worker. */
interface Contender {
  readonly name: string;
  readonly goals?: Goals;
  /** The module in `workers/`. */
  readonly module: string;
  /** Prepares the request of the person with a number. */
  prepare(connection: HttpConnection, number: number): Promise<PreparedRequest>;
  /** Throws if the answer is not the expected one. */
  check(request: PreparedRequest, answer: Answer): void;
}

const callback = {
  prepare: (connection: HttpConnection, number: number) => new Visitor(connection, number).begin(),
  check: expectLocation("https://app.example/shop"),
};

/** Ratios are relative to the first one. */
const contenders: readonly Contender[] = [
  {
    name: "by hand: two fetches, HKDF, AES",
    module: "bare",
    prepare: (_connection, number) =>
      Promise.resolve({ path: `/callback?code=code-${number}&state=none`, cookie: "" }),
    check: expectLocation("https://app.example/shop"),
  },
  { name: "callback, by hand with the checks of `Login`", module: "hand_written", ...callback },
  { name: "the same, with ky", module: "hand_written_with_ky", ...callback },
  { name: "callback, `Login`", module: "login", goals: { cold: 3, warm: 2.5 }, ...callback },
  {
    name: "`start`, `Login`",
    module: "login",
    goals: { cold: 1.5, warm: null },
    prepare: () => Promise.resolve({ path: startPath, cookie: "" }),
    check: expectLocation("https://discord.com/oauth2/authorize?"),
  },
  {
    name: "`session`, `Login`",
    module: "login",
    goals: { cold: 1.5, warm: null },
    prepare: (connection, number) => new Visitor(connection, number).logIn(),
    check: expectBody("Hello, person_"),
  },
  {
    name: "an empty Worker",
    module: "empty",
    prepare: () => Promise.resolve({ path: "/", cookie: "" }),
    check: expectBody("Welcome"),
  },
];

const noGoals: Goals = { cold: null, warm: null };

/** Sends each request to a new process and to a warm one, in turns. */
export async function measureRequests(): Promise<RequestCost[]> {
  await using stack = new AsyncDisposableStack();
  const platform = stack.use(await startPlatform());
  const runs = [];
  for (const contender of contenders) {
    const start = await prepareWorker(contender.module, platform);
    const warm = stack.use(await start());
    runs.push({ contender, start, warm, coldTimes: [] as number[], warmTimes: [] as number[] });
  }
  let number = 0;
  for (let round = 0; round < warmUps + rounds; round++) {
    for (const { contender, start, warm, coldTimes, warmTimes } of runs) {
      const requests = await prepareRequests(warm, contender, number += warmRequests);
      warmTimes.push(await timeOf(warm, contender, requests));
      if (round < warmUps) continue;
      await using cold = await start();
      coldTimes.push(await timeOf(cold, contender, requests.slice(0, 1)));
    }
    number += 1000;
  }
  const [first] = runs;
  return runs.map(({ contender: { name, goals = noGoals }, coldTimes, warmTimes }) => {
    const warm = warmTimes.slice(warmUps);
    const firstWarm = first?.warmTimes.slice(warmUps) ?? [];
    return {
      name,
      goals,
      coldMs: median(coldTimes),
      coldRatio: medianRatio(coldTimes, first?.coldTimes ?? []),
      warmMs: median(warm),
      warmRatio: medianRatio(warm, firstWarm),
    };
  });
}

function medianRatio(times: readonly number[], others: readonly number[]): number {
  return median(times.map((time, round) => time / (others[round] ?? NaN)));
}

async function prepareRequests(
  worker: RunningWorker,
  { prepare }: Contender,
  firstNumber: number,
): Promise<PreparedRequest[]> {
  using connection = await HttpConnection.open(worker.port);
  const requests = [];
  for (let index = 0; index < warmRequests; index++) {
    requests.push(await prepare(connection, firstNumber + index));
  }
  return requests;
}

/** Returns the processor time of a process for each of some requests, in milliseconds. */
async function timeOf(
  worker: RunningWorker,
  { check }: Contender,
  requests: readonly PreparedRequest[],
): Promise<number> {
  using connection = await HttpConnection.open(worker.port);
  await untilIdle(worker);
  const before = worker.cpuTime();
  for (const request of requests) {
    check(request, await connection.get(request.path, request.cookie));
  }
  await untilIdle(worker);
  return (worker.cpuTime() - before) / requests.length;
}

/** Waits until the threads of a process have finished what they began, as the compilation and the garbage collection. */
async function untilIdle(worker: RunningWorker): Promise<void> {
  for (let idle = 0, last = worker.cpuTime(); idle < 3;) {
    await new Promise((resolve) => setTimeout(resolve, 8));
    const now = worker.cpuTime();
    idle = now === last ? idle + 1 : 0;
    last = now;
  }
}

function expectLocation(start: string): Contender["check"] {
  return ({ path }, answer) => {
    const location = locationOf(path, answer);
    if (!location.startsWith(start)) throw new Error(`${path} led to ${location}`);
  };
}

function expectBody(start: string): Contender["check"] {
  return ({ path }, { body }) => {
    if (!body.startsWith(start)) throw new Error(`${path} says ${body}`);
  };
}
