/**
 * The interface of a store: values by key, with compare-and-set, which every database has.
 *
 * @module
 */

/** A value with its version. */
export interface StoredValue {
  /** The saved JSON value. */
  readonly value: unknown;
  /** The version, which changes with every save of the key. */
  readonly version: string;
}

/** Options of {@link Store.save}. */
export interface SaveOptions {
  /** The version that the store must still have; `null` if it must have no value under the key. */
  readonly version: string | null;
  /**
   * The end of the value, in milliseconds since the epoch: from then on, `load` returns `null`, and the store may delete the value.
   * With a time that is over, the value ends at once.
   *
   * @default {never}
   */
  readonly expiresAt?: number | null | undefined;
}

/**
 * JSON values by key, with compare-and-set. {@link MemoryStore} is one for a single process; the documentation has complete
 * ones for databases.
 */
export interface Store {
  /**
   * Returns the value under a key, or `null` if there is none or it has expired. It sees every `save` and `delete` that has ended
   * before, in whatever process.
   */
  load(key: string): Promise<StoredValue | null>;
  /**
   * Saves a value if the store still has the given version. Returns the new version, or `null` if it has another one, also if the value
   * is gone. A version never comes back under its key, also not after `delete` or expiry.
   */
  save(key: string, value: unknown, options: SaveOptions): Promise<string | null>;
  /** Removes the value under a key. Has no effect if there is none. */
  delete(key: string): Promise<void>;
}
