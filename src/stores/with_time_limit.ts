/**
 * Limits the time of each operation of a store, and checks its results.
 *
 * @module
 */

import { StoreTimeoutError } from "../core/errors.ts";
import { type Deadline, deadlineIn, withTimeout } from "../core/wait.ts";
import type { Store, StoredValue } from "./store.ts";

/**
 * Returns a store whose operations reject with a {@link StoreTimeoutError} if they take too long. The operation itself
 * can't be stopped: it may still take effect later. `save` and `load` reject with a `TypeError` if the store returns a wrong result:
 * `save` must return a version or `null`, and `load` a value with a version or `null`.
 */
export function withTimeLimit(store: Store, timeout: number): Store {
  const limit = async <Value>(what: string, operation: Promise<Value>): Promise<Value> => {
    // A store with synchronous methods works too.
    const result = Promise.resolve(operation);
    // A store in memory is done by the next microtask, and a timer would cost more than its work.
    if (await hasSettled(result)) return await result;
    const deadline = deadlineIn(timeout);
    return await withTimeout(result, deadline, () => storeTimeoutError(what, deadline));
  };
  return {
    load: async (key) => checkLoaded(await limit("load a value", store.load(key))),
    save: async (key, value, options) =>
      checkVersion(await limit("save a value", store.save(key, value, options))),
    delete: async (key) => await limit("delete a value", store.delete(key)),
  };
}

/** Returns true if a promise has settled already. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const settle = () => void (isSettled = true);
  promise.then(settle, settle);
  await null;
  return isSettled;
}

/** Checks the result of `save`. Without this check, a missing `return` would look as if another process had saved first. */
function checkVersion(version: unknown): string | null {
  if (version === null || typeof version === "string") return version;
  const expected = "the new version as a string, or null if the version has changed";
  throw wrongStoreError("save", expected, typeof version);
}

/** Creates the error for an operation that took too long, as in `load a value`. */
export function storeTimeoutError(operation: string, { timeout }: Deadline): StoreTimeoutError {
  return new StoreTimeoutError(`The store did not ${operation} within ${timeout} ms`, {
    hint: "Check the database and try again; the option timeout sets the limit",
  });
}

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
    `store.${method}() must return ${expected}, received ${received}. Test it with checkStore() from @guildpass/sdk/testing`,
  );
}

/** Describes a wrong result without its content, which may be a token. */
function describe(found: unknown): string {
  if (typeof found !== "object") return typeof found;
  const { value, version } = Object(found);
  return `an object with value: ${typeof value}, version: ${typeof version}`;
}
