/**
 * Checks that each option has a known name, so that a misspelled option is not ignored.
 *
 * @module
 */

import { isName, throwBadArgument } from "./arguments.ts";
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
  if (options == null) return;
  if (typeof options !== "object" || Array.isArray(options)) {
    throwBadArgument(argument, `an object like { ${known[0]} }`, options);
  }
  const { [ownNames]: alsoKnown }: { readonly [ownNames]?: readonly string[] } = options;
  for (const name of Object.keys(options)) {
    if (!known.includes(name) && !alsoKnown?.includes(name)) {
      throw unknownNameError(argument, name, known, hint);
    }
  }
}

function unknownNameError(
  argument: string,
  name: string,
  known: readonly string[],
  hint: string,
): TypeError {
  const shown = isName(name)
    ? `${argument}.${name} is unknown`
    : `${argument} has an unknown name of length ${name.length}`;
  // Passport's name.
  const meant = misspelledName(name.replace(/^callbackUrl$/i, "redirectUri"), known);
  return new TypeError(
    `${shown}: ${meant ? `did you mean ${meant}?` : `known names: ${known.join(", ")}${hint}`}`,
  );
}
