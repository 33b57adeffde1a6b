/**
 * Checks the option `refreshBefore` of a `TokenSource` and of a `Login`.
 *
 * @module
 */

import { throwBadNumber } from "../core/arguments.ts";
import { clockDifferenceMs } from "../http/waits.ts";

/**
 * Checks the option `refreshBefore`, and returns it in milliseconds, or `null` without one.
 *
 * @throws {TypeError} If the option is not a number of seconds.
 */
export function checkRefreshBefore(given: number | null | undefined): number | null {
  if (given == null) return null;
  if (!(Number.isFinite(given) && given >= 0)) {
    throwBadNumber("refreshBefore", "a number of seconds", given);
  }
  return Math.max(given * 1000, clockDifferenceMs);
}
