/**
 * Rejects options with unknown names.
 *
 * @module
 */

import { throwBadArgument } from "../core/arguments.ts";
import { checkOptionNames } from "../core/options.ts";
import type { ClientOptions } from "./options.ts";

/** The names of options, in a table that `satisfies` can compare with their type. */
export type OptionNames = Readonly<Record<string, true>>;

/** The options of every client. */
export const clientOptions = {
  fetch: true,
  timeout: true,
  maxBytes: true,
  platform: true,
  userAgent: true,
  onUnexpected: true,
} satisfies Record<keyof ClientOptions, true>;

/**
 * Checks that the options of a client have known names.
 *
 * @param ownNames The names of the client's own options, besides {@link ClientOptions}.
 * @throws {TypeError} If a name is unknown.
 */
export function checkClientOptionNames(
  options: object | null | undefined,
  ownNames: OptionNames = {},
): void {
  checkOptionNames("options", options, Object.keys({ ...clientOptions, ...ownNames }));
}

/**
 * Checks the options of one call.
 *
 * @param names The names of the call's options, without `signal`.
 * @param ignoredNames The names of options that the call accepts and ignores.
 * @throws {TypeError} If the options are not an object, or a name is unknown.
 */
export function checkCallOptions(
  options: unknown,
  names: OptionNames = {},
  ignoredNames: readonly string[] = [],
): void {
  if (options == null) return;
  const known = [...Object.keys(names), "signal"];
  if (typeof options !== "object") {
    throwBadArgument("options", `an object, as in { ${known.join(", ")} }`, options);
  }
  checkOptionNames("options", options, [...known, ...ignoredNames]);
}
