/**
 * Ends a wait when a signal fires.
 *
 * @module
 */

/** Rejects as soon as the signal fires, even when what is waited for does not listen to it. */
export function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | null | undefined,
): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
