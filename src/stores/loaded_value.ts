/**
 * Checks the result of a store's `load`.
 *
 * @module
 */

import type { StoredValue } from "./store.ts";

/**
 * Returns the result of `load`, with `null` for `undefined`.
 *
 * A store that returns something else would look as if it had lost the value: the person would log in again and again, without an error.
 *
 * @throws {TypeError} If it is not a value with a version, or the value is still JSON text. The library saves no text of that
 * form.
 */
export function checkLoaded(found: unknown): StoredValue | null {
  if (found === null || found === undefined) return null;
  const { value, version } = Object(found);
  if (value === undefined || typeof version !== "string") {
    throw wrongLoadError(`an object with value and version, or null, received ${describe(found)}`);
  }
  if (typeof value === "string" && /^["{[]/.test(value)) {
    throw wrongLoadError("the value that was saved, received its JSON text: parse it");
  }
  return found as StoredValue;
}

/** Creates the error for a store whose `load` returns something else than expected. */
export function wrongLoadError(expected: string): TypeError {
  return new TypeError(
    `store.load() must return ${expected}. Test it with checkStore() of @guildpass/sdk/testing`,
  );
}

/** Describes a wrong result without its content, which may be a token. */
function describe(found: unknown): string {
  if (typeof found !== "object") return typeof found;
  const { value, version } = Object(found);
  return `an object with value: ${typeof value}, version: ${typeof version}`;
}
