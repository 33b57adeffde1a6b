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
  /** The expected version in the store; `null` if the key must not have a value. */
  readonly version: string | null;
  /**
   * The expiry of the value, in milliseconds since the epoch: from then on, `load` returns `null`, and the store may delete the value.
   * A value with a time in the past expires at once.
   *
   * @default {never}
   */
  readonly expiresAt?: number | null | undefined;
}

/**
 * A database for sessions and tokens: JSON values by key, with compare-and-set. Import one such as `@guildpass/sdk/stores/postgres`, or use
 * {@link MemoryStore} for a single process. To write your own, implement these three methods, and test them with `checkStore` of
 * `@guildpass/sdk/testing`. A key is well-formed text, without half of a surrogate pair.
 */
export interface Store {
  /**
   * Returns the value of a key, or `null` if the value is missing or has expired. The result includes every earlier `save` and
   * `delete` of all processes.
   *
   * @param key The key.
   */
  load(key: string): Promise<StoredValue | null>;
  /**
   * Saves a value if the store still has the given version. Returns the new version, or `null` if the version has changed or the
   * value is gone. A key never gets the same version again, even after `delete` or expiry.
   *
   * @param key The key.
   * @param value The value, as JSON.
   * @param options The expected version, and the expiry in milliseconds since the epoch, by default never.
   */
  save(key: string, value: unknown, options: SaveOptions): Promise<string | null>;
  /**
   * Removes the value of a key. A missing value is not an error.
   *
   * @param key The key.
   */
  delete(key: string): Promise<void>;
}
