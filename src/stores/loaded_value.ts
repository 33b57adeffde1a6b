/**
 * Checks the result of a store's `load`.
 *
 * @module
 */

import type { StoredValue } from "./store.ts";

/**
 * Returns the result of `load`, with `null` for `undefined`.
 *
 * Without this check, a wrong result would look like a lost value: users would have to log in again and again, without an error.
 *
 * @throws {TypeError} If the result is not a value with a version, or the value is still JSON text. The library never saves a string
 * that begins with `"`, `{` or `[`.
 */
export function checkLoaded(found: unknown): StoredValue | null {
  if (found === null || found === undefined) return null;
  const { value, version } = Object(found);
  if (value === undefined || typeof version !== "string") {
    throw wrongStoreError("load", "an object with value and version, or null", describe(found));
  }
  if (typeof value === "string" && /^["{[]/.test(value)) {
    throw wrongStoreError("load", "the value that was saved", "its JSON text: parse it");
  }
  return found as StoredValue;
}

/** Creates the error for a store with a wrong result. */
export function wrongStoreError(
  method: "load" | "save",
  expected: string,
  received: string,
): TypeError {
  return new TypeError(
    `store.${method}() must return ${expected}, received ${received}. Test it with checkStore() of @guildpass/sdk/testing`,
  );
}

/** Describes a wrong result without its content, which may be a token. */
function describe(found: unknown): string {
  if (typeof found !== "object") return typeof found;
  const { value, version } = Object(found);
  return `an object with value: ${typeof value}, version: ${typeof version}`;
}
