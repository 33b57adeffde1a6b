/**
 * Changes a shared value by compare-and-set.
 *
 * @module
 */

import { sleep } from "../core/wait.ts";
import { firstChangeRetryMs, maxChangeRetryMs } from "../http/waits.ts";

/** The maximum number of tries of a change, because other requests may change the same meanwhile. */
const maxTries = 20;

/**
 * Repeats a change until it is saved, and returns its result.
 *
 * @param failure The start of the error, as in "The list was not changed".
 * @param tryToSave Reads the value, and saves another one. Returns `null` if the store had a newer version by then.
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
    `${failure}: in ${maxTries} tries, something else changed the store each time. Try again`,
  );
}
