/**
 * A map of limited size.
 *
 * @module
 */

/** A map that creates its values, and forgets the entry that was used least recently when it has too many. */
export class RecentMap<Value> {
  readonly #size: number;
  readonly #create: () => Value;
  readonly #entries = new Map<string, Value>();
  /** The entry that was used last. It is used again most often, and need not be moved. */
  #last: { readonly key: string; readonly value: Value } | null = null;

  /**
   * @param size The maximum number of entries.
   * @param create Creates a value.
   */
  constructor(size: number, create: () => Value) {
    this.#size = size;
    this.#create = create;
  }

  /** Returns the value of a key, and creates it if there is none. */
  get(key: string, create: () => Value = this.#create): Value {
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
    const [oldest = ""] = this.#entries.keys();
    this.#entries.delete(oldest);
  }
}
