/**
 * A store that counts its operations.
 *
 * @module
 */

import type { SaveOptions, Store, StoredValue } from "../../../../mod.ts";

/** The numbers of operations. */
export interface StoreCounts {
  readonly loads: number;
  readonly saves: number;
  readonly deletes: number;
}

/** Counts the operations of another store. */
export class CountingStore implements Store {
  readonly #store: Store;
  #counts = { loads: 0, saves: 0, deletes: 0 };

  constructor(store: Store) {
    this.#store = store;
  }

  /** See {@link Store.load}. */
  load(key: string): Promise<StoredValue | null> {
    this.#counts.loads++;
    return this.#store.load(key);
  }

  /** See {@link Store.save}. */
  save(key: string, value: unknown, options: SaveOptions): Promise<string | null> {
    this.#counts.saves++;
    return this.#store.save(key, value, options);
  }

  /** See {@link Store.delete}. */
  delete(key: string): Promise<void> {
    this.#counts.deletes++;
    return this.#store.delete(key);
  }

  /** Returns the counts since the last call. */
  takeCounts(): StoreCounts {
    const counts = this.#counts;
    this.#counts = { loads: 0, saves: 0, deletes: 0 };
    return counts;
  }
}
