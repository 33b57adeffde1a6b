/**
 * Changes a shared value by compare-and-set.
 *
 * @module
 */

import { sleep } from "../core/wait.ts";
import { firstChangeRetryMs, maxChangeRetryMs } from "../http/waits.ts";

/** The maximum number of attempts to save a change. An attempt fails if another request has changed the value in the meantime. */
const maxTries = 20;

/**
 * Repeats a change until it is saved, and returns its result.
 *
 * @param failure The start of the error message, as in "The list was not changed".
 * @param tryToSave Reads the value, and saves the changed value. Returns `null` if another request has changed the value in the meantime.
 */
export async function untilSaved<Result>(
  failure: string,
  tryToSave: () => Promise<Result | null>,
): Promise<Result> {
  let pauseMs = firstChangeRetryMs;
  for (let tries = 0; tries < maxTries; tries++) {
    const result = await tryToSave();
    if (result !== null) return result;
    await sleep(pauseMs * Math.random());
    pauseMs = Math.min(2 * pauseMs, maxChangeRetryMs);
  }
  throw new Error(
    `${failure}: in ${maxTries} attempts, another request changed the value each time. Try again`,
  );
}
