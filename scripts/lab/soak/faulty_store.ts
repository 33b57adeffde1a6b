/**
 * A store whose operations are sometimes slow, or fail before or after the database has done them.
 *
 * @module
 */

import { deadlineIn, withTimeout } from "../../../src/core/wait.ts";
import type { SaveOptions, Store, StoredValue } from "../../../src/stores/store.ts";
import type { SimulatedClock } from "./clock.ts";
import type { Trouble } from "./ledger.ts";
import type { Random } from "./random.ts";

/** The fates of an operation, with their weights. */
export const storeFates = {
  works: 9000,
  slow: 800,
  "very slow": 60,
  "slower than its time limit": 8,
  "fails before": 25,
  "fails after": 25,
} as const;
export type StoreFate = keyof typeof storeFates;

/** The weights without trouble. */
export const calmStore: Record<StoreFate, number> = {
  works: 1,
  slow: 0,
  "very slow": 0,
  "slower than its time limit": 0,
  "fails before": 0,
  "fails after": 0,
};

/** The time that an operation waits, in simulated milliseconds. */
const waits: Readonly<Partial<Record<StoreFate, readonly [number, number]>>> = {
  slow: [20, 300],
  "very slow": [1000, 6000],
  "slower than its time limit": [11_000, 13_000],
};

/** The time after the last operation in which another may follow: after a failure, a new token is saved once more within it. */
const quietTime = { usual: 500, afterFailure: 4000 };

/**
 * The time after which an operation counts as lost, in milliseconds: the client of `postgres` may never settle a query whose connection
 * was cut. The library has given up long before.
 */
const lostAfter = 60_000;

/** A request that is being answered. */
export interface RequestContext {
  /** The id of the person; empty if nobody's. */
  readonly person: string;
  /** True once an operation of the request has failed. */
  hasStoreFailed: boolean;
}

/** Wraps a store. */
export class FaultyStore implements Store {
  weights: Readonly<Record<StoreFate, number>> = calmStore;
  readonly #store: Store;
  readonly #clock: SimulatedClock;
  readonly #random: Random;
  readonly #context: () => RequestContext | undefined;
  #troubles: Trouble[] = [];
  /** The operations under way. */
  #pending = 0;
  #lastEnd = 0;
  #lastFailure = 0;

  /** @param context Returns the context of the request that is being answered. */
  constructor(
    store: Store,
    clock: SimulatedClock,
    random: Random,
    context: () => RequestContext | undefined,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#random = random;
    this.#context = context;
  }

  load(key: string): Promise<StoredValue | null> {
    return this.#run(() => this.#store.load(key));
  }

  save(key: string, value: unknown, options: SaveOptions): Promise<string | null> {
    return this.#run(() => this.#store.save(key, value, options));
  }

  delete(key: string): Promise<void> {
    return this.#run(() => this.#store.delete(key));
  }

  /** Returns the troubles since the last call. */
  takeTroubles(): readonly Trouble[] {
    const troubles = this.#troubles;
    this.#troubles = [];
    return troubles;
  }

  /** True if no operation is under way, and none will follow. */
  get isIdle(): boolean {
    const now = this.#clock.now();
    const hasFailed = this.#lastFailure > now - 15_000;
    const enough = hasFailed ? quietTime.afterFailure : quietTime.usual;
    return this.#pending === 0 && now - this.#lastEnd > enough;
  }

  async #run<Result>(operation: () => Promise<Result>): Promise<Result> {
    this.#pending++;
    try {
      return await this.#runWithTrouble(operation);
    } catch (error) {
      this.#lastFailure = this.#clock.now();
      this.#noteFailure();
      throw error;
    } finally {
      this.#pending--;
      this.#lastEnd = this.#clock.now();
    }
  }

  async #runWithTrouble<Result>(operation: () => Promise<Result>): Promise<Result> {
    const fate = this.#random.weighted(this.weights);
    // A save that fails is soon repeated. One that takes seconds may last longer than the lease.
    if (fate === "very slow" || fate === "slower than its time limit") {
      this.#lastFailure = this.#clock.now();
      this.#noteTrouble(this.#clock.now());
    }
    if (fate === "slower than its time limit") this.#noteFailure();
    const [low, high] = waits[fate] ?? [0, 0];
    if (high > 0) await this.#clock.sleep(this.#random.between(low, high));
    if (fate === "fails before") throw new Error("The store is down");
    const begin = this.#clock.now();
    const result = await withTimeout(operation(), deadlineIn(lostAfter), () => {
      this.#noteTrouble(begin);
      return new Error("The client has lost the operation");
    });
    if (fate === "fails after") throw new Error("The store is down");
    return result;
  }

  #noteTrouble(at: number): void {
    this.#troubles.push({ by: "the store", person: this.#context()?.person ?? "", at });
  }

  #noteFailure(): void {
    const context = this.#context();
    if (context) context.hasStoreFailed = true;
  }
}
