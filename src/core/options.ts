/**
 * Checks the names of options.
 *
 * @module
 */

import { throwBadArgument } from "./arguments.ts";
import { misspelledName } from "./did_you_mean.ts";

/** An object may list names of its own under this symbol. A fake platform does, because `...fake` passes all of it as options. */
const ownNames = Symbol.for("@guildpass/sdk names");

/**
 * Checks that every option has a known name. It does not check the values.
 *
 * @param argument The name of the argument, as in `options` or `options.rateLimits`.
 * @param hint Follows the known names if none of them was probably meant.
 * @throws {TypeError} If the options are not an object, or a name is unknown. The message has the known name that was probably meant.
 */
export function checkOptionNames(
  argument: string,
  options: object | null | undefined,
  known: readonly string[],
  hint = "",
): void {
  if (options != null && typeof options !== "object") {
    throwBadArgument(argument, "an object", options);
  }
  const given: { readonly [ownNames]?: readonly string[] } = { ...options };
  const accepted = [...known, ...given[ownNames] ?? []];
  const unknown = Object.keys(given).find((name) => !accepted.includes(name));
  if (unknown === undefined) return;
  // Other names are not repeated: they may be values in the wrong place, even secrets.
  const shown = /^[a-z_]{1,24}$/i.test(unknown)
    ? `${argument}.${unknown} is unknown`
    : `${argument} has an unknown name of ${unknown.length} characters`;
  const meant = misspelledName(unknown, known);
  throw new TypeError(
    `${shown}: ${meant ? `did you mean ${meant}?` : `known are ${known.join(", ")}${hint}`}`,
  );
}
