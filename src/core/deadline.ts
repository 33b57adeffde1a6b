/**
 * The deadline of a call. It is made once, and everything that waits in the call takes it.
 *
 * @module
 */

/** The time at which a call ends. */
export interface Deadline {
  /** The time, as of `performance.now()`. */
  readonly at: number;
  /** The time limit of the whole call in milliseconds, for errors. */
  readonly timeout: number;
}

/** Returns the deadline of a call that begins now. */
export function deadlineIn(timeout: number): Deadline {
  return { at: performance.now() + timeout, timeout };
}

/** Returns the milliseconds until a deadline. They are not positive after it. */
export function timeLeft({ at }: Deadline): number {
  return at - performance.now();
}
