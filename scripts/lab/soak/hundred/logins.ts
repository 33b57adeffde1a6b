/**
 * Many logins of one person at once, in several processes with one store.
 *
 * @module
 */

import { MemoryStore, type Store } from "../../../../mod.ts";
import { Login } from "../../../../src/login/mod.ts";
import {
  CookieJar,
  createFakePlatform,
  type FakePlatform,
  sampleApplication,
} from "../../../../src/testing/mod.ts";
import { minute } from "../clock.ts";
import { Random } from "../random.ts";
import { VirtualClock } from "./virtual_clock.ts";

/** The result of many logins. */
export interface LoginsResult {
  /** The callbacks that ended in an error. */
  readonly failed: number;
  /** The callbacks that ended without a session. */
  readonly withoutSession: number;
  /** The time until the last login was complete, in milliseconds of virtual time. */
  readonly lastMs: number;
  /** The operations of the store. */
  readonly operations: number;
}

/** The numbers of records of a person. */
export interface RecordsResult {
  readonly afterwards: number;
  /** A quarter of an hour later, when the codes of the logins have ended. */
  readonly later: number;
}

const site = "https://app.example";
const begin = Date.UTC(2026, 10, 25);

/** The delay of an operation of the store, in milliseconds. */
const storeMs = [8, 12] as const;

/** Opens the callbacks of one person's logins at once, spread over processes with a `Login` each. */
export async function runLogins(
  processes: number,
  count: number,
  seed: number,
): Promise<LoginsResult> {
  const clock = new VirtualClock(begin);
  return await withRealCryptography(clock, () =>
    clock.run(async () => {
      const store = new SlowStore(clock, new Random(seed));
      const logins = createLogins(processes, store);
      const callbacks = [];
      for (let at = 0; at < count; at++) callbacks.push(await beginLogin(logins.of(at)));
      const start = clock.now;
      store.operations = 0;
      const results = await Promise.all(callbacks.map(async ({ login, request }) => {
        const { status, headers } = await login.handle(request) ?? new Response();
        return { status, hasSession: /session=[^;]/.test(headers.getSetCookie().join()) };
      }));
      const ended = results.filter(({ status }) => status === 302);
      return {
        failed: count - ended.length,
        withoutSession: ended.filter(({ hasSession }) => !hasSession).length,
        lastMs: clock.now - start,
        operations: store.operations,
      };
    }));
}

/** Logs one person in again and again, with a new browser each time. */
export async function countRecords(count: number, seed: number): Promise<RecordsResult> {
  const clock = new VirtualClock(begin);
  return await withRealCryptography(clock, () =>
    clock.run(async () => {
      const store = new SlowStore(clock, new Random(seed));
      const logins = createLogins(1, store);
      for (let at = 0; at < count; at++) {
        const { login, request } = await beginLogin(logins.of(at));
        await login.handle(request);
      }
      const afterwards = await store.countRecords();
      await clock.sleep(15 * minute);
      return { afterwards, later: await store.countRecords() };
    }));
}

/** A store that is shared by all processes, and remembers its keys. */
class SlowStore implements Store {
  operations = 0;
  readonly #memory = new MemoryStore();
  readonly #keys = new Set<string>();
  readonly #clock: VirtualClock;
  readonly #random: Random;

  constructor(clock: VirtualClock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  load(key: string): ReturnType<Store["load"]> {
    return this.#slowly(() => this.#memory.load(key));
  }

  save(...args: Parameters<Store["save"]>): ReturnType<Store["save"]> {
    this.#keys.add(args[0]);
    return this.#slowly(() => this.#memory.save(...args));
  }

  delete(key: string): Promise<void> {
    return this.#slowly(() => this.#memory.delete(key));
  }

  /** Returns the number of records that have not expired. */
  async countRecords(): Promise<number> {
    const found = await Promise.all([...this.#keys].map((key) => this.#memory.load(key)));
    return found.filter((record) => record !== null).length;
  }

  async #slowly<Value>(operation: () => Promise<Value>): Promise<Value> {
    this.operations++;
    const [least, most] = storeMs;
    const delay = least + (most - least) * this.#random.next();
    await this.#clock.sleep(delay / 2);
    const value = await operation();
    await this.#clock.sleep(delay / 2);
    return value;
  }
}

/** Runs work during which virtual time stands still while Web Crypto works, since that takes real time. */
async function withRealCryptography<Result>(
  clock: VirtualClock,
  work: () => Promise<Result>,
): Promise<Result> {
  const names = ["decrypt", "deriveBits", "digest", "encrypt", "importKey"] as const;
  const subtle = crypto.subtle as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const name of names) {
    const run = crypto.subtle[name].bind(crypto.subtle) as (
      ...given: unknown[]
    ) => Promise<unknown>;
    subtle[name] = (...given) => clock.real(run(...given)).finally(() => clock.settle());
  }
  try {
    return await work();
  } finally {
    for (const name of names) delete subtle[name];
  }
}

type AnyLogin = Pick<Login, "handle">;

function createLogins(processes: number, store: Store) {
  const fake = createFakePlatform();
  const logins: readonly AnyLogin[] = Array.from({ length: processes }, () =>
    new Login({
      clientId: sampleApplication.id,
      clientSecret: sampleApplication.secret,
      scope: ["identify"],
      secret: "a secret of this simulation, long enough for it",
      store,
      platform: fake.platform,
      fetch: fake.fetch,
    }));
  return { of: (at: number) => ({ login: logins[at % processes] as AnyLogin, fake }) };
}

/** Begins a login in a new browser, and returns the request of its callback. */
async function beginLogin(
  { login, fake }: { readonly login: AnyLogin; readonly fake: FakePlatform },
): Promise<{ readonly login: AnyLogin; readonly request: Request }> {
  const jar = new CookieJar();
  const start = await login.handle(jar.request(`${site}/login`));
  if (!start) throw new Error("The login has no path /login");
  jar.store(start, site);
  const callback = await fake.authorize(start.headers.get("location") ?? "");
  return { login, request: jar.request(callback) };
}
