/**
 * Limits the size of a map: removes ended and old entries.
 *
 * @module
 */

/** The maximum number of entries. It limits the memory of a long-running server. */
const maxEntries = 100_000;

/** Ended and excess entries are removed after this many calls of `set`. */
const setsBetweenCleanings = 1000;

/** A map that regularly removes its ended entries, and its oldest entries if it has more than 100,000. */
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
