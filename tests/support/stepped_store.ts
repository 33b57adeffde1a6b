/**
 * Runs simultaneous operations on a store, in every order of their steps.
 *
 * An operation stops before each access to the store, and before each request that changes data at the platform. A scheduler decides
 * the next step. The search visits each state once: the content of the store, and the reads of every operation.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHash, hkdfSync } from "node:crypto";
import { setImmediate } from "node:timers";
import { onTestFinished, vi } from "vitest";
import type { SaveOptions, Store, StoredValue } from "../../src/stores/store.ts";
import { MemoryStore } from "../../mod.ts";

/** The turns of the event loop until all operations stand still. */
const quietTurns = 2;

/** The same after a request: reading a body takes a few turns. */
const quietTurnsAfterRequest = 8;

/** The time between two steps. No operation sleeps longer between two tries. */
const timeBetweenStepsMs = 500;

/** The longest step of time in {@link withTime}. */
const maxStepMs = 100;

/** The number of steps that counts as endless. */
const maxSteps = 400;

/** The number of equal reads after which one more counts as waiting. */
const differentLooks = 3;

/** The store and the `fetch` of an operation. They wait for their turn. */
export interface Access {
  readonly store: Store;
  readonly fetch: typeof fetch;
}

/** Waits for a turn, for example to begin an operation. */
export type TakeTurn = (what: string) => Promise<void>;

/** Operations that begin at the same moment, and the laws for their end. */
export interface Race {
  readonly store: RecordingStore;
  readonly fetch: typeof fetch;
  /** The forms of the stepped requests. @default {none} */
  readonly steps?: RegExp;
  /** True if several operations finish the same login, so that its progress has steps too. @default {false} */
  readonly hasSteppedProgress?: boolean;
  readonly operations: Readonly<
    Record<string, (access: Access, turn: TakeTurn) => Promise<unknown>>
  >;
  /** Asserts the laws for every order. */
  check(): Promise<void>;
}

/** The number of complete runs, and of different states. */
export interface Search {
  readonly endings: number;
  readonly states: number;
}

/** A store in memory with a list of its keys. */
export class RecordingStore implements Store {
  readonly #memory = new MemoryStore();
  readonly #keys = new Set<string>();

  load(key: string): Promise<StoredValue | null> {
    return this.#memory.load(key);
  }

  save(key: string, value: unknown, options: SaveOptions): Promise<string | null> {
    this.#keys.add(key);
    return this.#memory.save(key, value, options);
  }

  delete(key: string): Promise<void> {
    return this.#memory.delete(key);
  }

  /** Returns the keys with values and with this prefix. */
  async keys(start: string): Promise<string[]> {
    const keys = [...this.#keys].filter((key) => key.startsWith(start));
    const found = await Promise.all(keys.map((key) => this.load(key)));
    return keys.filter((_, at) => found[at] !== null);
  }
}

/** Prepares the running test: time passes only between steps, and pauses have no random part. */
export function useSteps(): void {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"] });
  vi.spyOn(Math, "random").mockReturnValue(0);
  useImmediateCryptography();
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
}

/** Runs operations in all orders, except orders into a known state. */
export async function runInAllOrders(createRace: () => Promise<Race>): Promise<Search> {
  const seen = new Set<string>();
  const open: number[][] = [[]];
  let endings = 0;
  for (let choices = open.pop(); choices; choices = open.pop()) {
    const known = choices.length;
    const isAtEnd = await run(createRace, choices, (names, state) => {
      if (seen.has(state)) return null;
      seen.add(state);
      for (let other = 1; other < names.length; other++) open.push([...choices ?? [], other]);
      return 0;
    }, known);
    if (isAtEnd) endings++;
  }
  return { endings, states: seen.size };
}

/**
 * Runs operations in random orders. Half of the time, the operation of the last step goes on: many steps of one operation come
 * between two steps of another.
 */
export async function runInSomeOrders(
  createRace: () => Promise<Race>,
  seeds: readonly number[],
): Promise<void> {
  for (const seed of seeds) {
    let last = seed;
    const random = () => {
      // A linear congruential generator. Its high bits are the random ones.
      last = (last * 1_664_525 + 1_013_904_223) % 2 ** 32;
      return last / 2 ** 32;
    };
    let running = "";
    await run(createRace, [], (names) => {
      const goesOn = names.findIndex((name) => operationOf(name) === running);
      const choice = goesOn !== -1 && random() < 0.5 ? goesOn : Math.floor(random() * names.length);
      running = operationOf(names[choice]);
      return choice;
    }, 0);
  }
}

/**
 * Runs operations once.
 *
 * @param choices The first choices. Further ones are added.
 * @param choose Chooses one of the waiting steps by their names, or ends the run with `null`.
 * @returns True if all operations have settled, and the laws hold.
 */
async function run(
  createRace: () => Promise<Race>,
  choices: number[],
  choose: (names: readonly string[], state: string) => number | null,
  known: number,
): Promise<boolean> {
  vi.clearAllTimers();
  const race = await withTime(createRace());
  const schedule = new Schedule(race);
  await schedule.labelOldSessions();
  let isSettled = false;
  const results = Promise.all(
    Object.entries(race.operations).map(async ([name, operation]) =>
      await operation(schedule.accessOf(name), (what) => schedule.turnOf(name, what))
    ),
  );
  const settle = () => void (isSettled = true);
  results.then(settle, settle);
  let taken = 0;
  for (let tries = 0; tries < maxSteps; tries++) {
    await untilQuiet();
    const names = schedule.waiting.map(({ name }) => name);
    // An operation may sleep longer.
    if (names.length === 0 && !isSettled) continue;
    if (isSettled) {
      try {
        await withTime(results);
        await withTime(race.check());
      } catch (error) {
        throw new Error(`In this order:\n${schedule.steps.join("\n")}`, { cause: error });
      }
      return true;
    }
    const choice = taken < known ? choices[taken] ?? 0 : choose(names, schedule.state());
    if (choice === null) return false;
    if (taken >= known) choices.push(choice);
    schedule.step(choice);
    taken++;
  }
  throw new Error(`The operations do not end:\n${schedule.steps.slice(-30).join("\n")}`);
}

/** A waiting step of an operation. */
interface Waiting {
  readonly name: string;
  run(): void;
}

/** The steps of one run. */
class Schedule {
  readonly #race: Race;
  readonly #waiting: Waiting[] = [];
  /** The steps so far, in their order. */
  readonly steps: string[] = [];
  /** The number of steps with the same name. */
  readonly #counts = new Map<string, number>();
  /** The steps that wrote the present values, by name. */
  readonly #writers = new Map<string, string>();
  /** Names of keys and digests, the same in every run. */
  readonly #labels = new Map<string, string>();

  constructor(race: Race) {
    this.#race = race;
  }

  /** Names the sessions at the start. */
  async labelOldSessions(): Promise<void> {
    const { store } = this.#race;
    for (const key of await store.keys("guildpass:sessions-of:")) {
      const { sessions } = Object((await store.load(key))?.value);
      for (const [at, { digest }] of sessions.entries()) this.#labels.set(digest, `old ${at}`);
    }
  }

  /** The waiting steps, in the same order in every run. */
  get waiting(): readonly Waiting[] {
    return this.#waiting.sort((a, b) => a.name < b.name ? -1 : 1);
  }

  accessOf(operation: string): Access {
    const { store, fetch, steps, hasSteppedProgress = false } = this.#race;
    const isPrivate = (key: string) => !hasSteppedProgress && key.startsWith("guildpass:progress:");
    // Nothing else reads the progress of a login.
    const step = <Value>(
      what: string,
      work: () => Promise<Value>,
      describe: (value: Value, name: string) => string,
    ) => this.#take(`${operation}: ${what}`, work, describe);
    return {
      store: {
        load: (key) =>
          isPrivate(key) ? store.load(key) : step(
            `load ${this.#label(key, operation)}`,
            () => store.load(key),
            (found) => found ? this.#writers.get(key) ?? "before" : "nothing",
          ),
        save: (key, value, options) => {
          if (isPrivate(key)) return store.save(key, value, options);
          this.#labelSessions(value, operation);
          return step(
            `save ${this.#label(key, operation)}`,
            () => store.save(key, value, options),
            (version, name) => {
              if (version !== null) this.#writers.set(key, name);
              return version === null ? "refused" : "saved";
            },
          );
        },
        delete: (key) =>
          step(`delete ${this.#label(key, operation)}`, () => store.delete(key), () => {
            this.#writers.set(key, "deleted");
            return "deleted";
          }),
      },
      fetch: async (url, init) => {
        hasRequested = true;
        const form = steps ? await new Response(init?.body ?? null).text() : "";
        if (!steps?.test(form)) return await fetch(url, init);
        return await step("ask the platform", () => fetch(url, init), ({ status }, name) => {
          this.#writers.set("platform", name);
          return String(status);
        });
      },
    };
  }

  /** Waits for a turn of an operation. */
  turnOf(operation: string, what: string): Promise<void> {
    return this.#take(`${operation}: ${what}`, () => Promise.resolve(), () => "done");
  }

  /** Continues a waiting step. */
  step(at: number): void {
    const [waiting] = this.#waiting.splice(at, 1);
    waiting?.run();
  }

  /** Returns the state. Operations continue in the same way from equal states. */
  state(): string {
    const writers = [...this.#writers].map(([key, name]) => `${this.#labels.get(key)}=${name}`);
    // A waiting operation may read any number of times.
    const looks = new Map<string, number>();
    const seen = this.steps.filter((step) => {
      const look = /: load /.test(step) ? step.replace(/ #\d+:/, "") : step;
      const count = (looks.get(look) ?? 0) + 1;
      looks.set(look, count);
      return count <= differentLooks;
    });
    return [
      ...writers.sort(),
      ...seen.map((step) => step.replace(/(: load .*) #\d+:/, "$1")).sort(),
    ]
      .join("\n");
  }

  #take<Value>(
    what: string,
    work: () => Promise<Value>,
    describe: (value: Value, name: string) => string,
  ): Promise<Value> {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    const name = `${what} #${count}`;
    return new Promise((resolve, reject) => {
      const run = () => {
        const at = this.steps.push(name) - 1;
        work().then((value) => {
          this.steps[at] = `${name}: ${describe(value, name)}`;
          resolve(value);
        }, reject);
      };
      this.#waiting.push({ name, run });
    });
  }

  /** The random part of a key is named after its first operation. */
  #label(key: string, operation: string): string {
    const [, kind = "", digest = ""] = key.split(":");
    const known = this.#labels.get(digest) ?? `${operation}'s`;
    const label = `${kind} ${kind === "sessions-of" ? "" : known}`.trim();
    if (!this.#labels.has(key)) this.#labels.set(key, label);
    return label;
  }

  #labelSessions(value: unknown, operation: string): void {
    const { sessions } = Object(value) as { readonly sessions?: readonly { digest: string }[] };
    for (const { digest } of sessions ?? []) {
      if (!this.#labels.has(digest)) this.#labels.set(digest, `of ${operation}`);
    }
  }
}

/** Returns the operation of a step. */
function operationOf(name = ""): string {
  return name.slice(0, name.indexOf(":"));
}

/** The bytes of a key, in place of a `CryptoKey`. */
interface KeyBytes {
  readonly bytes: Uint8Array;
}

/**
 * Replaces Web Crypto by the same algorithms of Node, with immediate results. Otherwise the search would mostly wait for threads.
 */
function useImmediateCryptography(): void {
  const algorithms = {
    digest: (name: string, data: Uint8Array) =>
      arrayBuffer(createHash(name.replace("-", "")).update(data).digest()),
    importKey: (_format: "raw", bytes: Uint8Array): KeyBytes => ({ bytes: bytes.slice() }),
    deriveBits: ({ salt, info }: HkdfParams, { bytes }: KeyBytes, length: number) =>
      hkdfSync("sha256", bytes, salt as Uint8Array, info as Uint8Array, length / 8),
    encrypt: ({ iv, additionalData }: AesGcmParams, { bytes }: KeyBytes, data: Uint8Array) => {
      const cipher = createCipheriv("aes-256-gcm", bytes, iv as Uint8Array);
      cipher.setAAD(additionalData as Uint8Array);
      return arrayBuffer(cipher.update(data), cipher.final(), cipher.getAuthTag());
    },
    decrypt: ({ iv, additionalData }: AesGcmParams, { bytes }: KeyBytes, data: Uint8Array) => {
      const decipher = createDecipheriv("aes-256-gcm", bytes, iv as Uint8Array);
      decipher.setAAD(additionalData as Uint8Array);
      decipher.setAuthTag(data.subarray(-16));
      return arrayBuffer(decipher.update(data.subarray(0, -16)), decipher.final());
    },
  };
  for (const name of Object.keys(algorithms) as (keyof typeof algorithms)[]) {
    const work = algorithms[name] as (...given: unknown[]) => unknown;
    vi.spyOn(crypto.subtle, name).mockImplementation(
      async (...given: unknown[]) => await work(...given) as never,
    );
  }
}

function arrayBuffer(...parts: readonly Uint8Array[]): ArrayBuffer {
  return new Uint8Array(Buffer.concat(parts)).buffer;
}

/** True if an operation has sent a request since the last standstill. */
let hasRequested = false;

/** Waits until every operation has settled or waits for its turn. */
async function untilQuiet(): Promise<void> {
  await turns();
  const timers = vi.getTimerCount();
  vi.advanceTimersByTime(timeBetweenStepsMs);
  const hasFired = vi.getTimerCount() < timers;
  if (hasFired) await turns();
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < (hasRequested ? quietTurnsAfterRequest : quietTurns); turn++) {
    await nextTurn();
  }
  hasRequested = false;
}

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** Lets time pass until a promise has settled. */
export async function withTime<Result>(promise: Promise<Result>): Promise<Result> {
  let isSettled = false;
  const settle = () => void (isSettled = true);
  promise.then(settle, settle);
  // The steps grow, since a call may wait for two minutes.
  let stepMs = 20;
  for (let turn = 1; !isSettled; turn++) {
    await nextTurn();
    if (turn % quietTurnsAfterRequest !== 0) continue;
    vi.advanceTimersByTime(stepMs);
    stepMs = Math.min(stepMs * 1.25, maxStepMs);
  }
  return await promise;
}
