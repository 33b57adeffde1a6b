/**
 * A store that is not waited for without end.
 *
 * @module
 */

import { StoreTimeoutError } from "../core/errors.ts";
import { withTimeout } from "../core/wait.ts";
import type { Store } from "./store.ts";

/**
 * The same store, but each operation rejects with a {@link StoreTimeoutError} when it takes too long. The operation itself can't be
 * stopped: what it saves or removes may take effect later.
 */
export function withTimeLimit(store: Store, milliseconds: number): Store {
  const inTime = async <Value>(what: string, operation: () => Promise<Value>): Promise<Value> => {
    const giveUp = () => storeTimeoutError(what, milliseconds);
    // A store that does not return a promise works too.
    return await withTimeout(Promise.resolve(operation()), milliseconds, giveUp);
  };
  return {
    load: (key) => inTime("load a value", () => store.load(key)),
    save: (key, value, options) => inTime("save a value", () => store.save(key, value, options)),
    delete: (key) => inTime("delete a value", () => store.delete(key)),
  };
}

/** Creates the error for an operation that took too long, as in `load a value`. */
export function storeTimeoutError(operation: string, milliseconds: number): StoreTimeoutError {
  return new StoreTimeoutError(
    `The store did not ${operation} within ${milliseconds} ms`,
    "Check that its database can be reached and is not overloaded, and try again; how long it may take is the option timeout",
  );
}
