/**
 * From names, numbers, lists and dictionaries to the value of a permission set, and back to names.
 *
 * Apart from the class, so that a page which only builds authorization links does not ship its presets and methods.
 *
 * @module
 */

import { checkBoolean, refuse } from "../arguments.ts";
import { flags, namesOf, type PermissionName } from "./names.ts";

/**
 * One permission or one value: a name (`"manage_guild"`; `"use_external_stickers"` is understood too), or a
 * permission *value* as a decimal string, a bigint or a safe integer (`8` is `administrator`, not bit 8).
 */
export type PermissionLike =
  | PermissionName
  | "use_external_stickers"
  | `${bigint}`
  | bigint
  | number;

/** Whatever has the value of a permission set: a `Permissions`, also one that another copy of this library made. */
export interface PermissionSet {
  /** The set as a number. */
  readonly value: bigint;
}

/**
 * Everything that can be read as a permission set:
 *
 * - one {@link PermissionLike}, or an iterable of them (their bits together);
 * - a dictionary or a `Map` from names or values to `true` (on) or `false` (off; off wins where both name a bit);
 * - another permission set.
 */
export type PermissionInput =
  | PermissionLike
  | PermissionSet
  | readonly PermissionLike[] // an Iterable too, but told apart, the type check names a misspelt permission
  | Iterable<PermissionLike>
  | Partial<Record<PermissionName | "use_external_stickers" | `${bigint}`, boolean>>
  | ReadonlyMap<PermissionLike, boolean>;

/**
 * The value that an input stands for. A dictionary or a `Map` changes only what it names in `value`.
 *
 * @throws {TypeError} When the input is not a {@link PermissionInput}.
 */
export function permissionValue(input: PermissionInput, value = 0n): bigint {
  if (typeof input !== "object" || !input) return bits(input);
  // By shape, not by `instanceof`: a set made by another copy of this module is one too.
  if ("value" in input) return bits(input.value);
  let entries = input as Iterable<readonly [PermissionLike, unknown]>;
  let off = 0n;
  if (!(input instanceof Map)) {
    if (Symbol.iterator in input) {
      for (const permission of input) off |= bits(permission);
      return off;
    }
    // A promise or a date has no entries, and would read as a dictionary that changes nothing.
    if ({}.toString.call(input) !== "[object Object]") return bits(input);
    entries = Object.entries(input) as [PermissionName, unknown][];
  }
  for (const [permission, enabled] of entries) {
    checkBoolean(permission, enabled);
    if (enabled) value |= bits(permission);
    else off |= bits(permission);
  }
  return value & ~off;
}

/** The bits of one name or value. */
function bits(permission: unknown): bigint {
  const text = String(permission);
  // An object is none, even if its text is: that of the list ["8"] is "8".
  if (typeof permission !== "object") {
    // Not longer: the time that reading digits takes grows with their square.
    if (/^\d{1,9999}$/.test(text) && (typeof permission !== "number" || permission < 2 ** 53)) {
      return BigInt(text);
    }
    const name = text === "use_external_stickers" ? "use_external_sticker" : text;
    const bit = flags[name as PermissionName];
    if (bit) return bit;
  }
  refuse("permissions", `names like "${nearest(text.toLowerCase())}" or safe integers`, permission);
}

/** The known name that shares most pairs of letters with a misspelt one. */
function nearest(misspelt: string): string | undefined {
  // No more letters than a name has: what was received may be a whole book.
  const likeness = (name: string) =>
    misspelt.split("", 40).filter((letter, i) => name.includes(letter + misspelt[i + 1])).length;
  return namesOf(-1n).sort((a, b) => likeness(b) - likeness(a))[0];
}
