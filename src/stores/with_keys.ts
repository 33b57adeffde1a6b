/**
 * Changes the keys of a store.
 *
 * @module
 */

import type { Store } from "./store.ts";

/** Returns a store that saves its values under other keys in the given store. */
export function withKeys(store: Store, keyOf: (key: string) => Promise<string>): Store {
  return {
    load: async (key) => await store.load(await keyOf(key)),
    save: async (key, value, options) => await store.save(await keyOf(key), value, options),
    delete: async (key) => await store.delete(await keyOf(key)),
  };
}
