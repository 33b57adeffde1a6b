/**
 * From names, numbers, lists and dictionaries to the value of a permission set, and back to names.
 *
 * In a file of its own, so that a page which only builds authorization links does not ship the presets and methods of the class.
 *
 * @module
 */

import { checkBoolean, refuse } from "../core/arguments.ts";
import { bitNamed, type FormerPermissionName, nearestName, type PermissionName } from "./names.ts";

/**
 * A name that is understood: as the platform documents it in lower or upper case, or another one in use, such as
 * `manage_emojis_and_stickers`. In plain JavaScript `SendMessages` is understood too.
 */
export type PermissionWord =
  | PermissionName
  | Uppercase<PermissionName>
  | FormerPermissionName;

/**
 * One permission or one value: a name (`"manage_guild"`), or a permission *value* as a decimal string, a bigint or a safe
 * integer (`8` is `administrator`, not bit 8).
 */
export type PermissionLike = PermissionWord | `${bigint}` | bigint | number;

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
  | readonly PermissionLike[] // also an Iterable; listed so that the compiler's message names a misspelt permission
  | Iterable<PermissionLike>
  | Partial<Record<PermissionWord | `${bigint}`, boolean>>
  | ReadonlyMap<PermissionLike, boolean>;

/**
 * The value that an input stands for. A dictionary or a `Map` changes only what it names in `value`.
 *
 * @throws {TypeError} When the input is not a {@link PermissionInput}.
 */
export function permissionValue(input: PermissionInput, value = 0n): bigint {
  if (typeof input !== "object" || input === null) return bitsOf(input);
  // By shape, not by `instanceof`: a set made by another copy of this module counts too.
  if ("value" in input) return bitsOf(input.value);
  const isMap = input instanceof Map;
  let bits = 0n;
  if (Symbol.iterator in input && !isMap) {
    for (const permission of input) bits |= bitsOf(permission);
    return bits;
  }
  // What keeps its content elsewhere than in entries, such as a promise, would read as a dictionary that names nothing.
  if (!isMap && !isPlainObject(input)) return bitsOf(input);
  for (const [permission, enabled] of isMap ? input : Object.entries(input)) {
    const named = bitsOf(permission);
    checkBoolean("permissions", enabled);
    if (enabled) value |= named;
    else bits |= named;
  }
  return value & ~bits;
}

/** Whether an object was written as `{}`, or has no prototype; in another frame too, whose `Object` is another one. */
function isPlainObject(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The bits of one name or value. */
function bitsOf(permission: unknown): bigint {
  // Objects are rejected even if they stringify to a value, as the list ["8"] does.
  const text = typeof permission === "object" ? "" : String(permission);
  // Not longer, since the time to read digits grows with the square of their number.
  if (/^\d{1,9999}$/.test(text) && (typeof permission !== "number" || permission < 2 ** 53)) {
    return BigInt(text);
  }
  return bitNamed(text) ??
    refuse("permissions", `names like "${nearestName(text)}" or safe integers`, permission);
}
