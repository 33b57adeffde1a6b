/**
 * Checks that each option has a known name, so that a misspelled option is not ignored.
 *
 * @module
 */

import { throwBadArgument } from "./arguments.ts";
import { misspelledName } from "./did_you_mean.ts";

/** The symbol for an object's list of own names that are accepted too. A fake platform has this list, so `...fake` works as options. */
const ownNames = Symbol.for("@guildpass/sdk names");

/**
 * Checks the names of options. It does not check the values.
 *
 * @param argument The name of the argument, as in `options` or `options.rateLimits`.
 * @param hint A text after the list of known names, if no known name is similar.
 * @throws {TypeError} If the options are not an object, or a name is unknown. The message suggests a similar name.
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
  // The error does not show other names: they may be misplaced values, even secrets.
  const shown = /^[a-z_]{1,24}$/i.test(unknown)
    ? `${argument}.${unknown} is unknown`
    : `${argument} has an unknown name of ${unknown.length} characters`;
  const meant = misspelledName(unknown, known);
  throw new TypeError(
    `${shown}: ${meant ? `did you mean ${meant}?` : `known are ${known.join(", ")}${hint}`}`,
  );
}
