/**
 * A map of limited size.
 *
 * @module
 */

/** The maximum number of entries. It limits the memory of a long-running server. */
const maxEntries = 100_000;

/** The number of set entries between two removals. */
const setsBetweenCleanings = 1000;

/** A map that regularly removes ended entries, and the oldest entries above 100,000. */
export class ForgetfulMap<Value> extends Map<string, Value> {
  readonly #hasEnded: (value: Value) => boolean;
  #sets = 0;

  constructor(hasEnded: (value: Value) => boolean) {
    super();
    this.#hasEnded = hasEnded;
  }

  override set(key: string, value: Value): this {
    super.set(key, value);
    if (++this.#sets % setsBetweenCleanings === 0) this.#clean();
    return this;
  }

  #clean(): void {
    for (const [key, value] of this) {
      if (this.size > maxEntries || this.#hasEnded(value)) this.delete(key);
    }
  }
}
