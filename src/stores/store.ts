/**
 * What the library asks of a place that keeps values: nothing but compare-and-set, which every database has.
 *
 * @module
 */

/** A value, and the version that it has in the store. */
export interface StoredValue {
  /** What was saved: a JSON value. */
  readonly value: unknown;
  /** Changes with every save of this key. */
  readonly version: string;
}

/** Options of {@link Store.save}. */
export interface SaveOptions {
  /** Save only if the store still has this version; `null` means only if it has no value under this key. */
  readonly version: string | null;
  /** When the store may forget the value, in milliseconds since the epoch. Without it the value is kept. */
  readonly expiresAt?: number | null | undefined;
}

/**
 * JSON values by key, with compare-and-set. {@link MemoryStore} is one for a single process; the documentation has complete
 * ones for databases.
 */
export interface Store {
  /** The value under a key, or `null` when there is none or it has expired. */
  load(key: string): Promise<StoredValue | null>;
  /** Saves a value if the version still is the given one. Gives the new version, or `null` when somebody was faster. */
  save(key: string, value: unknown, options: SaveOptions): Promise<string | null>;
  /** Removes the value under a key; no effect when there is none. */
  delete(key: string): Promise<void>;
}
