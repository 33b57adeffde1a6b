/**
 * A map that does not grow for good.
 *
 * @module
 */

/** The most entries. The platform forgets older ones, so that a server that runs for long does not fill its memory. */
const maxEntries = 100_000;

/** The number of entries that are set between two removals. */
const setsBetweenCleanings = 1000;

/** A map that forgets the entries that have ended, from time to time, and the oldest ones if there are more than 100,000. */
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
