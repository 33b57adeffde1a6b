/**
 * Measures whole logins in workerd: the processor time of each, and the memory of the process after many.
 *
 * A login is three requests over HTTP: the start, the callback with the exchange of the code and the read of the user, and the first
 * page with the session. The platform is a small Worker in the same process, and costs all of them the same.
 *
 * @module
 */

import { median } from "./compare.ts";
import { HttpConnection } from "./http_connection.ts";
import { prepareWorker } from "./workerd.ts";

/** The measurement of a Worker. */
export interface LoginMeasurement {
  readonly name: string;
  /** The processor time of one login, in nanoseconds. */
  readonly time: number;
  /** The processor time divided by that of the first Worker. */
  readonly ratio: number;
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

/** The Workers, by the modules in `workers/`. Ratios are relative to the first one. */
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
  const contenders = [];
  for (const { module, ...contender } of workers) {
    const start = await prepareWorker(module);
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
  const [first] = contenders;
  return contenders.map(({ name, worker, times }) => ({
    name,
    time: median(times.slice(warmUps)) * 1e6,
    ratio: median(times.map((time, turn) => time / (first?.times[turn] ?? NaN)).slice(warmUps)),
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
    while (next < firstNumber + turnLength) await logIn(connection, next++);
  };
  await Promise.all(Array.from({ length: concurrency }, logInNext));
}

/**
 * Logs a person in as a browser does, and decides on the consent page.
 *
 * @throws {Error} If the page at the end does not greet that person.
 */
async function logIn(connection: HttpConnection, number: number): Promise<void> {
  const cookies = new Map<string, string>();
  const consent = new URL(await redirectOf(connection, "/login?returnTo=/shop", cookies));
  const state = consent.searchParams.get("state");
  const callback = `/callback?code=code-${number}&state=${state}`;
  const page = await redirectOf(connection, callback, cookies);
  const { body } = await connection.get("/shop", headerOf(cookies));
  if (page !== "https://app.example/shop" || body !== `Hello, person_${number}`) {
    throw new Error(`The login of person ${number} ended at ${page} with ${body}`);
  }
}

/** Opens a page, keeps its cookies, and returns the address that it redirects to. */
async function redirectOf(
  connection: HttpConnection,
  path: string,
  cookies: Map<string, string>,
): Promise<string> {
  const { status, headers, body } = await connection.get(path, headerOf(cookies));
  for (const header of headers.get("set-cookie") ?? []) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
    if (value === "") cookies.delete(name);
    else cookies.set(name, value);
  }
  const [location] = headers.get("location") ?? [];
  if (location === undefined) throw new Error(`${path} was answered with ${status}: ${body}`);
  return location;
}

function headerOf(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** Sends three requests whose answers are not looked at. */
async function visit(connection: HttpConnection): Promise<void> {
  for (const path of ["/login", "/callback", "/"]) await connection.get(path, "");
}
