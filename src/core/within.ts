/**
 * Waits for something no longer than it may take.
 *
 * @module
 */

/** Gives what a promise gives, unless the time is over or the signal fires before; the promise goes on for others. */
export function within<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  giveUp: () => Error,
  signal?: AbortSignal | null,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(giveUp()), milliseconds);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    });
  });
}
