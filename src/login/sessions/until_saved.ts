/**
 * Changes a shared value by compare-and-set.
 *
 * @module
 */

import { StoreTimeoutError } from "../../core/errors.ts";
import { sleep } from "../../core/wait.ts";
import { firstChangeRetryMs, maxChangeMs, maxChangeRetryMs } from "../../http/waits.ts";

/** The minimum number of attempts before a change fails. An attempt fails if another request has changed the value in the meantime. */
const minTries = 20;

/**
 * Repeats a change until it is saved, and returns its result.
 *
 * @param failure The start of the error message, as in "The list was not changed".
 * @param tryToSave Reads the value, and saves the changed value. Returns `null` if another request has changed the value in the meantime.
 * @throws {StoreTimeoutError} If no attempt succeeds within 30 seconds and 20 attempts.
 */
export async function untilSaved<Result>(
  failure: string,
  tryToSave: () => Promise<Result | null>,
): Promise<Result> {
  const deadline = performance.now() + maxChangeMs;
  let pauseMs = firstChangeRetryMs;
  for (let tries = 1;; tries++) {
    const result = await tryToSave();
    if (result !== null) return result;
    if (tries >= minTries && performance.now() >= deadline) {
      throw new StoreTimeoutError(
        `${failure}: in ${tries} attempts, another request changed the value each time`,
        { hint: "Try again" },
      );
    }
    await sleep(pauseMs * Math.random());
    pauseMs = Math.min(2 * pauseMs, maxChangeRetryMs);
  }
}
