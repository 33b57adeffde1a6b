/**
 * Reads names, numbers, lists and dictionaries as the value of a permission set.
 *
 * A page that only builds authorization links loads this file without the class `Permissions`.
 *
 * @module
 */

import { checkBoolean, nameOrKind, throwBadValue } from "../core/arguments.ts";
import { differenceOf, mostSimilarName } from "../core/did_you_mean.ts";
import { bitOfName, flags, type FormerPermissionName, type PermissionName } from "./names.ts";

/**
 * One permission or one value:
 *
 * - a name as Discord documents it, in lower or upper case (`"manage_guild"`), or another name such as
 *   `manage_emojis_and_stickers`. At run time `SendMessages` works too;
 * - a permission *value* as a decimal string, a bigint or a safe integer (`8` is `administrator`, not bit 8).
 */
export type PermissionLike =
  | PermissionName
  | Uppercase<PermissionName>
  | FormerPermissionName
  | Uppercase<FormerPermissionName>
  | `${bigint}`
  | bigint
  | number;

/** A dictionary of permissions: `true` switches one on, `false` off. The compiler names it if a permission is misspelled. */
export interface PermissionSwitches
  extends Partial<Record<Extract<PermissionLike, string>, boolean>> {}

/**
 * A value that can be read as a permission set:
 *
 * - one {@link PermissionLike}, or an iterable of several, whose bits are combined;
 * - a dictionary or a `Map` from names or values to `true` (on) or `false` (off). Off wins if two entries name the same bit;
 * - a permission set: an object with a `value`, such as `Permissions`, even from another copy of this library.
 *
 * @example
 * ```ts
 * import { Permissions } from "@guildpass/sdk/permissions";
 *
 * new Permissions("send_messages").value; // 2048n
 * new Permissions(["send_messages", "speak"]).value; // 2099200n
 * new Permissions("2048").toArray(); // ["send_messages"]
 * const set = new Permissions({ send_messages: true, speak: false });
 * set.update({ speak: true }).has("send_messages"); // true
 * set.add(8).has("administrator"); // true
 * ```
 */
export type PermissionInput =
  | PermissionLike
  | Readonly<Record<"value", bigint>>
  | readonly PermissionLike[] // an Iterable too, but listed so that the compiler's message names a misspelled permission
  | Iterable<PermissionLike>
  | PermissionSwitches
  | ReadonlyMap<PermissionLike, boolean>;

/**
 * Returns the value of an input. A dictionary or a `Map` changes only the named bits of `value`.
 *
 * @throws {TypeError} If the input is not a {@link PermissionInput}.
 */
export function permissionValue(input: PermissionInput | string, value = 0n): bigint {
  if (typeof input !== "object" || input === null) return valueOfOne(input);
  // By shape, not by `instanceof`: the set may come from another copy of this module.
  if ("value" in input) return valueOfOne(input.value);
  if (input instanceof Map) return switchBits(value, input);
  if (Symbol.iterator in input) return valueOfAll(input);
  if (isPlainObject(input)) return switchBits(value, Object.entries(input));
  // An object without entries, such as a promise, would look like an empty dictionary.
  return valueOfOne(input);
}

/** Returns the combined bits of all permissions. */
function valueOfAll(permissions: Iterable<unknown>): bigint {
  let value = 0n;
  for (const permission of permissions) value |= valueOfOne(permission);
  return value;
}

/** Switches bits of a value on and off. Off wins if two entries name the same bit. */
function switchBits(value: bigint, entries: Iterable<readonly [unknown, unknown]>): bigint {
  let off = 0n;
  for (const [permission, enabled] of entries) {
    const bits = valueOfOne(permission);
    checkBoolean(`permissions.${permission}`, enabled);
    if (enabled) value |= bits;
    else off |= bits;
  }
  return value & ~off;
}

/** Returns true for a plain object or an object without a prototype, even from another frame. */
function isPlainObject(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return !prototype || !Object.getPrototypeOf(prototype);
}

/** Returns the value of one name or number. */
function valueOfOne(permission: unknown): bigint {
  // Rejects objects even if their text is a value, such as the list ["8"].
  const text = typeof permission === "object" ? "" : String(permission);
  // Limits the digits, since parsing takes quadratic time.
  if (/^\d{1,9999}$/.test(text) && (typeof permission !== "number" || permission < 2 ** 53)) {
    return BigInt(text);
  }
  const bit = bitOfName(text);
  if (bit !== undefined) return bit;
  // Names in Discord's settings that differ from those of its API: "Manage Server", "Timeout Members", "Use Voice Activity".
  const word = text.toLowerCase().replace("server", "guild").replace("timeout", "moderate")
    .replace(/voice.activity/, "vad");
  const similar = mostSimilarName(word, Object.keys(flags()));
  // A text that is not a name may be a misplaced secret.
  const received = differenceOf(word, similar) < 3
    ? `"${text}", did you mean "${similar}"?`
    : typeof permission === "number"
    ? text
    : nameOrKind(permission);
  throwBadValue("permissions", `names like "${similar}" or safe integers`, received);
}
