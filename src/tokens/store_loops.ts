/**
 * The loops over a store that several processes share: one reads until another process has done its work, and one changes a value by
 * compare-and-set.
 *
 * @module
 */

import { StoreTimeoutError } from "../core/errors.ts";
import { type Deadline, sleep, timeLeft } from "../core/wait.ts";
import {
  firstChangeRetryMs,
  firstStorePollMs,
  maxChangeMs,
  maxChangeRetryMs,
  maxStorePollMs,
} from "../http/waits.ts";

/**
 * Looks into the store until there is a result, and returns it. The delays between two looks grow.
 *
 * @param look Reads the store. Returns `null` if the store has no result yet.
 * @param createError Creates the error for the case that there is no result at the deadline.
 */
export async function pollStore<Result>(
  look: () => Promise<Result | null>,
  deadline: Deadline,
  createError: () => Error,
): Promise<Result> {
  for (let delayMs = firstStorePollMs;; delayMs = Math.min(2 * delayMs, maxStorePollMs)) {
    const result = await look();
    if (result !== null) return result;
    const leftMs = timeLeft(deadline);
    if (leftMs <= 0) throw createError();
    // A random factor, so that processes which began to wait together do not look together.
    await sleep(Math.min(delayMs * (1 + Math.random()), leftMs));
  }
}

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
        `${failure}: another request changed the value in each of ${tries} attempts`,
        { hint: "Try again" },
      );
    }
    await sleep(pauseMs * Math.random());
    pauseMs = Math.min(2 * pauseMs, maxChangeRetryMs);
  }
}
