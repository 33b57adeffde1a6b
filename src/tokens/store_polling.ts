/**
 * Polls the store for changes by another process.
 *
 * @module
 */

import { sleep } from "../core/wait.ts";
import { firstStorePollMs, maxStorePollMs } from "../http/waits.ts";

/**
 * Returns a function that waits until it is time to load a record from the store again. The delays grow. After the maximum wait, the
 * function throws an error.
 *
 * @param createError Creates the error after the maximum wait.
 */
export function startStorePolling(
  maxWaitMs: number,
  createError: () => Error,
): () => Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  let delayMs = firstStorePollMs;
  return async () => {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) throw createError();
    // A random factor, so that processes which began to wait together do not look together.
    await sleep(Math.min(delayMs * (1 + Math.random()), leftMs));
    delayMs = Math.min(2 * delayMs, maxStorePollMs);
  };
}
