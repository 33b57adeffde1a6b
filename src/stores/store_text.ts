/**
 * The values of a store as texts, which every database can keep.
 *
 * @module
 */

import { throwBadArgument, throwBadObject } from "../core/arguments.ts";
import type { SaveOptions, StoredValue } from "./store.ts";

/** A value to save. */
export interface SavedText {
  /** The value as JSON. */
  readonly text: string;
  /** The new version, which is random, so that it never repeats. */
  readonly version: string;
  /** The expiry in whole milliseconds since the epoch, as digits. `null` means never. */
  readonly expiresAt: string | null;
}

/** The latest time of a `Date`. A script of Redis fails with a later time than 2 ** 63, after it has replaced the value. */
const latestTime = 8.64e15;

/**
 * Returns a value as a database keeps it. An expiry after the latest time means never.
 *
 * @throws {TypeError} If the value is not a JSON value, or the options have no version.
 */
export function savedText(value: unknown, options: SaveOptions): SavedText {
  const { expiresAt } = checkedSaveOptions(options);
  const isEndless = expiresAt == null || expiresAt > latestTime;
  return {
    text: jsonText(value),
    version: crypto.randomUUID(),
    expiresAt: isEndless ? null : BigInt(Math.ceil(expiresAt)).toString(),
  };
}

/**
 * Returns the options of `save`. Without a version, a store would never save.
 *
 * @throws {TypeError} If there is no version.
 */
export function checkedSaveOptions(options: SaveOptions): SaveOptions {
  if (options?.version !== undefined) return options;
  const expected = "an object with the version from load(), or with version: null for a new value";
  throwBadObject("options", expected, options);
}

/**
 * Returns a key, which must be well-formed text. A client would send each half of a surrogate pair as U+FFFD, so different keys would
 * become the same.
 *
 * @throws {TypeError} If the key is not text, or has half of a surrogate pair.
 */
export function checkedKey(key: string): string {
  if (typeof key !== "string") throwBadArgument("key", "a string", key);
  if (!/[\ud800-\udfff]/u.test(key)) return key;
  throw new TypeError("key must be well-formed text, received half of a surrogate pair");
}

/** Returns a value as `load` returns it. */
export function loadedText(text: unknown, version: unknown): StoredValue {
  return { value: JSON.parse(String(text)), version: String(version) };
}

/**
 * Writes a value as JSON.
 *
 * @throws {TypeError} If the value is not a JSON value, such as `undefined` or a function. A store could not load it again.
 */
export function jsonText(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) {
    throw new TypeError(`value must be a JSON value, received ${typeof value}`);
  }
  return text;
}
