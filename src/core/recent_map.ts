/**
 * A map of limited size.
 *
 * @module
 */

/** A map of limited size. It removes the least recently used entry when it is full. */
export class RecentMap<Value> {
  readonly #size: number;
  readonly #entries = new Map<string, Value>();
  /**
   * Yields the least recently used key each time, since an entry that is used moves to the end. A new iterator would have to search for
   * that key.
   */
  readonly #oldest = this.#entries.keys();
  /** The most recently used entry. It need not be moved when it is used again. */
  #last: { readonly key: string; readonly value: Value } | null = null;

  /** @param size The maximum number of entries. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Returns the value of a key, and creates a missing value. */
  get(key: string, create: () => Value): Value {
    if (this.#last?.key === key) return this.#last.value;
    const value = this.#entries.get(key) ?? create();
    this.set(key, value);
    return value;
  }

  /** Sets the value of a key. */
  set(key: string, value: Value): void {
    this.#last = { key, value };
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#size) return;
    const { value: oldest = "" } = this.#oldest.next();
    this.#entries.delete(oldest);
  }
}
