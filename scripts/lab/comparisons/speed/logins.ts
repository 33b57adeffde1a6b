/**
 * Measures whole logins in workerd: the processor time of each, and the memory of the process after many.
 *
 * A login is three requests over HTTP: the start, the callback with the exchange of the code and the read of the user, and the first
 * page with the session. The platform is a small Worker in a process of its own.
 *
 * @module
 */

import { median } from "./compare.ts";
import { HttpConnection } from "./http_connection.ts";
import { Visitor } from "./visitor.ts";
import { prepareWorker, startPlatform } from "./workerd.ts";

/** The measurement of a Worker. */
export interface LoginMeasurement {
  readonly name: string;
  /** The processor time of one login, in nanoseconds. */
  readonly time: number;
  /** The processor time divided by that of the first Worker. */
  readonly ratio: number;
  /** The same, after the time of an empty Worker was taken from both. */
  readonly netRatio: number;
  /** The memory of the process after all logins, in bytes. */
  readonly memory: number;
}

/** The number of logins of each Worker. */
export const loginCount = 14_000;

const turns = 28;
const turnLength = loginCount / turns;

/** The first turns warm up, and do not count. */
const warmUps = 4;

/** The logins that one Worker serves at the same time. */
const concurrency = 4;

/** The Workers, by the modules in `workers/`. Ratios are relative to the first one, and the last one does no work. */
const workers = [
  { name: "written by hand", module: "hand_written", logIn },
  { name: "written by hand, with ky", module: "hand_written_with_ky", logIn },
  { name: "@guildpass/sdk, Login", module: "login", logIn },
  { name: "@guildpass/sdk, PlatformApi and User", module: "parts", logIn },
  { name: "arctic", module: "arctic", logIn },
  { name: "no login, three empty answers", module: "empty", logIn: visit },
];

/** Logs people in at every Worker, in turns. */
export async function measureLogins(): Promise<LoginMeasurement[]> {
  await using stack = new AsyncDisposableStack();
  const platform = stack.use(await startPlatform());
  const contenders = [];
  for (const { module, ...contender } of workers) {
    const start = await prepareWorker(module, platform);
    const times: number[] = [];
    contenders.push({ ...contender, worker: stack.use(await start()), times });
  }
  for (let turn = 0; turn < turns; turn++) {
    for (const { worker, logIn, times } of contenders) {
      const before = worker.cpuTime();
      await logManyIn(worker.port, turn * turnLength, logIn);
      times.push((worker.cpuTime() - before) / turnLength);
    }
  }
  const [first, last] = [contenders[0]?.times ?? [], contenders.at(-1)?.times ?? []];
  const netRatio = (time: number, turn: number) =>
    (time - (last[turn] ?? NaN)) / ((first[turn] ?? NaN) - (last[turn] ?? NaN));
  return contenders.map(({ name, worker, times }) => ({
    name,
    time: median(times.slice(warmUps)) * 1e6,
    ratio: median(times.map((time, turn) => time / (first[turn] ?? NaN)).slice(warmUps)),
    netRatio: median(times.map(netRatio).slice(warmUps)),
    memory: worker.residentMemory(),
  }));
}

/** Logs one turn of people in. */
async function logManyIn(
  port: number,
  firstNumber: number,
  logIn: (connection: HttpConnection, number: number) => Promise<void>,
): Promise<void> {
  let next = firstNumber;
  const logInNext = async () => {
    using connection = await HttpConnection.open(port);
    while (next < firstNumber + turnLength) {
      const number = next++;
      // The platform may close an idle connection just when the Worker uses it after the turns of the others.
      await logIn(connection, number).catch(() => logIn(connection, number));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, logInNext));
}

async function logIn(connection: HttpConnection, number: number): Promise<void> {
  await new Visitor(connection, number).logInAndVisit();
}

/** Sends three requests whose answers are not looked at. */
async function visit(connection: HttpConnection): Promise<void> {
  for (const path of ["/login", "/callback", "/"]) await connection.get(path, "");
}
