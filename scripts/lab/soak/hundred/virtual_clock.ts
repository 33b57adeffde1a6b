/**
 * Virtual time: replaces the clocks and timers of this process. Time advances only from timer to timer, as fast as the machine works.
 *
 * The timers are in a heap. `@sinonjs/fake-timers`, which the tests use, searches all timers for the next one, and here thousands wait.
 *
 * @module
 */

import { setImmediate } from "node:timers";

/** A timer. */
interface Timer {
  readonly at: number;
  /** Timers of the same moment fire in their order. */
  readonly number: number;
  readonly callback: (...args: unknown[]) => void;
  readonly args: readonly unknown[];
}

/** The turns of the event loop that a response needs to reach its caller, with a reserve: seven in Deno 2.9. */
const settlingTurns = 12;

const { setTimeout, clearTimeout } = globalThis;
const dateNow = Date.now;
const performanceNow = performance.now;

/** The clock of all simulated processes. */
export class VirtualClock {
  /** Milliseconds since the begin. */
  now = 0;
  readonly #begin: number;
  readonly #heap: Timer[] = [];
  readonly #cleared = new Set<number>();
  #count = 0;
  /** The number of operations under way that take real time, during which virtual time stands still. */
  #realOperations = 0;
  /** The turns of the real event loop before the next timer. */
  #turns = 0;

  /** @param begin The time at the begin, in milliseconds since the epoch. */
  constructor(begin: number) {
    this.#begin = begin;
  }

  /** Runs work in virtual time, until it has settled. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    Object.assign(globalThis, {
      setTimeout: (callback: Timer["callback"], delay = 0, ...args: unknown[]) =>
        this.#add(callback, delay, args),
      clearTimeout: (number: number) => void this.#cleared.add(number),
    });
    Date.now = () => Math.floor(this.#begin + this.now);
    performance.now = () => this.now;
    try {
      let isSettled = false;
      const result = work().finally(() => isSettled = true);
      result.catch(() => {});
      while (await nextTurn(), !isSettled) {
        if (this.#turns > 0) this.#turns -= 1;
        else if (this.#realOperations === 0) this.#fireNext();
      }
      return await result;
    } finally {
      Object.assign(globalThis, { setTimeout, clearTimeout });
      Date.now = dateNow;
      performance.now = performanceNow;
    }
  }

  /** Resolves after a time, in milliseconds. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.#add(() => resolve(), milliseconds, []));
  }

  /** Awaits an operation that takes real time, such as reading a body. It takes no virtual time. */
  async real<Value>(operation: Promise<Value>): Promise<Value> {
    this.#realOperations += 1;
    return await operation.finally(() => this.#realOperations -= 1);
  }

  /** Lets the real event loop turn a few times before time goes on, as after a response: ky and its streams need them. */
  settle(): void {
    this.#turns = settlingTurns;
  }

  #add(callback: Timer["callback"], delay: number, args: readonly unknown[]): number {
    const number = ++this.#count;
    // As in Node and browsers, a timer has whole milliseconds, and at least one.
    const at = this.now + Math.max(1, Math.floor(delay));
    const heap = this.#heap;
    let index = heap.push({ at, number, callback, args }) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!swapIfEarlier(heap, index, parent)) break;
      index = parent;
    }
    return number;
  }

  /** Fires all timers of the next moment. */
  #fireNext(): void {
    const [first] = this.#heap;
    if (!first) throw new Error("All simulated processes wait, and there is no timer");
    this.now = first.at;
    while (this.#heap[0]?.at === this.now) {
      const { callback, args, number } = this.#takeFirst();
      if (!this.#cleared.delete(number)) callback(...args);
    }
  }

  #takeFirst(): Timer {
    const heap = this.#heap;
    const last = heap.pop();
    const first = heap[0] ?? last;
    if (!first || !last) throw new Error("There is no timer");
    if (first === last) return first;
    heap[0] = last;
    for (let index = 0;;) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      const child = isEarlier(heap[right], heap[left]) ? right : left;
      if (!swapIfEarlier(heap, child, index)) return first;
      index = child;
    }
  }
}

function isEarlier(one: Timer | undefined, other: Timer | undefined): boolean {
  if (!one || !other) return false;
  return one.at < other.at || one.at === other.at && one.number < other.number;
}

function swapIfEarlier(heap: Timer[], lower: number, upper: number): boolean {
  const [one, other] = [heap[lower], heap[upper]];
  if (!one || !other || !isEarlier(one, other)) return false;
  heap[lower] = other;
  heap[upper] = one;
  return true;
}

/** Lets everything run that does not wait for a timer. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
