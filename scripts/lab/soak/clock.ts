/**
 * The simulated time. It runs several times as fast as real time, and jumps over the hours in which nothing happens.
 *
 * @module
 */

const realNow = performance.now.bind(performance);
const realSetTimeout = globalThis.setTimeout;
const realSetInterval = globalThis.setInterval;

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** A clock that only goes forward. */
export class SimulatedClock {
  readonly speed: number;
  #begin: number;
  #realBegin = realNow();

  /**
   * @param speed The simulated milliseconds in a real one.
   * @param now The simulated time now, in milliseconds since the epoch.
   */
  constructor(speed: number, now: number) {
    this.speed = speed;
    this.#begin = now;
  }

  now(): number {
    return this.#begin + (realNow() - this.#realBegin) * this.speed;
  }

  /** Jumps to a later time. An earlier one changes nothing. */
  jumpTo(time: number): void {
    this.#begin = Math.max(time, this.now());
    this.#realBegin = realNow();
  }

  /** Waits for a simulated time, in milliseconds. */
  async sleep(milliseconds: number): Promise<void> {
    await new Promise((resolve) => realSetTimeout(resolve, milliseconds / this.speed));
  }
}

/** The clocks of a process. */
export interface ProcessClocks {
  /** Jumps with all clocks of the process, and sets the difference of `Date` from the simulated time, in milliseconds. */
  set(time: number, skew: number): void;
}

/** Replaces `Date.now`, `performance.now` and the timers of this process. */
export function simulateTime(clock: SimulatedClock, skew: number): ProcessClocks {
  const begin = clock.now();
  let difference = skew;
  Date.now = () => Math.floor(clock.now() + difference);
  performance.now = () => clock.now() - begin;
  const timers = { setTimeout: realSetTimeout, setInterval: realSetInterval };
  for (const [name, start] of Object.entries(timers)) {
    const fast = (callback: () => void, milliseconds = 0, ...args: []) =>
      start(callback, milliseconds / clock.speed, ...args);
    Object.assign(globalThis, { [name]: fast });
  }
  return {
    set(time, newSkew) {
      clock.jumpTo(time);
      difference = newSkew;
    },
  };
}

/** Notices when the process stands still, by a real timer. */
export class StandstillMeter {
  readonly #clock: SimulatedClock;
  readonly #interval = 20;
  #last = realNow();
  #longest = 0;
  #ends: number[] = [];

  constructor(clock: SimulatedClock) {
    this.#clock = clock;
    realSetInterval(() => this.#measure(), this.#interval);
  }

  /** Returns the standstills since the last call. */
  take(): Standstills {
    const taken = { longest: this.#longest, ends: this.#ends };
    this.#longest = 0;
    this.#ends = [];
    return taken;
  }

  #measure(): void {
    const now = realNow();
    const duration = now - this.#last - this.#interval;
    this.#last = now;
    this.#longest = Math.max(this.#longest, duration);
    if (duration * this.#clock.speed > longStandstill) this.#ends.push(this.#clock.now());
  }
}

/** The standstills of a process. */
export interface Standstills {
  /** The longest one, in real milliseconds. */
  readonly longest: number;
  /** The simulated ends of those that a lease may not survive. */
  readonly ends: readonly number[];
}

/** The standstill that a lease may not survive, in simulated milliseconds: it has ten seconds for the work around its request. */
const longStandstill = 4 * second;
