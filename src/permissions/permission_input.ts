/**
 * Reads names, numbers, lists and dictionaries as the value of a permission set.
 *
 * A page that only builds authorization links ships this file without the class `Permissions`.
 *
 * @module
 */

import { checkBoolean, throwBadArgument } from "../core/arguments.ts";
import { mostSimilarName } from "../core/did_you_mean.ts";
import { bitOfName, flags, type FormerPermissionName, type PermissionName } from "./names.ts";

/**
 * One permission or one value:
 *
 * - a name as the platform documents it, in lower or upper case (`"manage_guild"`), or a former name such as
 *   `manage_emojis_and_stickers`. At run time `SendMessages` works too;
 * - a permission *value* as a decimal string, a bigint or a safe integer (`8` is `administrator`, not bit 8).
 */
export type PermissionLike =
  | PermissionName
  | Uppercase<PermissionName>
  | FormerPermissionName
  | `${bigint}`
  | bigint
  | number;

/**
 * A value that can be read as a permission set:
 *
 * - one {@link PermissionLike}, or an iterable of them (their bits together);
 * - a dictionary or a `Map` from names or values to `true` (on) or `false` (off, which wins if both name a bit);
 * - another permission set: an object with a `value`, such as a `Permissions`, also of another copy of this library.
 */
export type PermissionInput =
  | PermissionLike
  | { readonly value: bigint }
  | readonly PermissionLike[] // an Iterable too, but listed so that the compiler's message names a misspelled permission
  | Iterable<PermissionLike>
  | Partial<Record<Extract<PermissionLike, string>, boolean>>
  | ReadonlyMap<PermissionLike, boolean>;

/**
 * Returns the value of an input. A dictionary or a `Map` changes only what it names in `value`.
 *
 * @throws {TypeError} If the input is not a {@link PermissionInput}.
 */
export function permissionValue(input: PermissionInput | string, value = 0n): bigint {
  if (typeof input !== "object" || input === null) return valueOfOne(input);
  // By shape, not by `instanceof`: a set made by another copy of this module counts too.
  if ("value" in input) return valueOfOne(input.value);
  if (input instanceof Map) return switchBits(value, input);
  if (Symbol.iterator in input) return valueOfAll(input);
  if (isPlainObject(input)) return switchBits(value, Object.entries(input));
  // An object that keeps its content elsewhere than in entries, such as a promise, would read as a dictionary that names nothing.
  return valueOfOne(input);
}

/** Returns the bits of all the permissions together. */
function valueOfAll(permissions: Iterable<unknown>): bigint {
  let value = 0n;
  for (const permission of permissions) value |= valueOfOne(permission);
  return value;
}

/** Switches bits of a value on and off. Off wins where two entries name the same bit. */
function switchBits(value: bigint, entries: Iterable<readonly [unknown, unknown]>): bigint {
  let off = 0n;
  for (const [permission, enabled] of entries) {
    const bits = valueOfOne(permission);
    checkBoolean("permissions", enabled);
    if (enabled) value |= bits;
    else off |= bits;
  }
  return value & ~off;
}

/** Returns true for an object that was written as `{}` or has no prototype, also if it comes from another frame. */
function isPlainObject(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return !prototype || !Object.getPrototypeOf(prototype);
}

/** Returns the value of one name or number. */
function valueOfOne(permission: unknown): bigint {
  // Objects are refused even if they stringify to a value, as the list ["8"] does.
  const text = typeof permission === "object" ? "" : String(permission);
  // No more digits, since the time to read them grows with the square of their number.
  if (/^\d{1,9999}$/.test(text) && (typeof permission !== "number" || permission < 2 ** 53)) {
    return BigInt(text);
  }
  return bitOfName(text) ??
    throwBadArgument(
      "permissions",
      `names like "${mostSimilarName(text, Object.keys(flags))}" or safe integers`,
      permission,
    );
}
