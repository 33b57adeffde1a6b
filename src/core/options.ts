/**
 * Checks the names of options.
 *
 * @module
 */

import { misspelledName } from "./did_you_mean.ts";

/**
 * Checks that every option has a known name, whatever its value is.
 *
 * @param argument The name of the argument, as in `options` or `options.rateLimits`.
 * @throws {TypeError} When a name is unknown. The message has the known name that was probably meant.
 */
export function checkOptionNames(
  argument: string,
  options: object | null | undefined,
  known: readonly string[],
): void {
  const unknown = Object.keys(options ?? {}).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  // Other names are not repeated: they may be values in the wrong place, even secrets.
  const shown = /^[a-z_]{1,24}$/i.test(unknown)
    ? `${argument}.${unknown} is unknown`
    : `${argument} has an unknown name of ${unknown.length} characters`;
  const meant = misspelledName(unknown, known);
  throw new TypeError(
    `${shown}: ${meant ? `did you mean ${meant}?` : `known are ${known.join(", ")}`}`,
  );
}
