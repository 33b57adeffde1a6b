/**
 * The deadline of a call, and waits for a time, a promise or a signal.
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

/** Returns the milliseconds until a deadline. After the deadline, the result is 0 or negative. */
export function timeLeft({ at }: Deadline): number {
  return at - performance.now();
}

/** The maximum delay of a timer, in milliseconds. A timer with a longer delay fires at once. */
export const maxTimerMs = 2 ** 31 - 1;

/**
 * Returns a promise's result, or rejects with the signal's reason when the signal fires. The signal does not stop the work of the
 * promise.
 */
export function unlessAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | null | undefined,
): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Returns a promise's result, or rejects at the deadline or when the signal fires. The work of the promise continues. */
export function withTimeout<Value>(
  promise: Promise<Value>,
  deadline: Deadline,
  makeError: () => Error,
  signal?: AbortSignal | null,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    // Rounded up, since timers cut off fractions of a millisecond.
    const timer = setTimeout(() => reject(makeError()), Math.ceil(timeLeft(deadline)));
    unlessAborted(promise, signal).then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Resolves when a promise has settled, or after a time. */
export async function settledWithin(
  promise: Promise<unknown>,
  milliseconds: number,
): Promise<void> {
  const createError = () => new Error("The time is over");
  await withTimeout(promise, deadlineIn(milliseconds), createError).catch(() => {});
}

/** Resolves after a time, or rejects with the signal's reason when the signal fires. It clears its timer in both cases. */
export async function sleep(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeIsOver = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, maxTimerMs));
  });
  await unlessAborted(timeIsOver, signal).finally(() => clearTimeout(timer));
}
