/**
 * Waits for another process, by looking at its record in the store.
 *
 * @module
 */

import { sleep } from "../core/wait.ts";
import { firstStorePollMs, maxStorePollMs } from "../http/waits.ts";

/**
 * Returns a function that waits until the next look at a record of another process. The delays grow, and end with an error after the
 * maximum wait.
 *
 * @param createError Creates that error.
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
