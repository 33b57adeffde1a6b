/**
 * Replaces Node's module in a page, whose only visitor sends one request after the other.
 *
 * @module
 */

/** Keeps a value while an action runs. */
export class AsyncLocalStorage<Value> {
  #value: Value | undefined;

  getStore(): Value | undefined {
    return this.#value;
  }

  async run<Result>(value: Value, action: () => Promise<Result>): Promise<Result> {
    this.#value = value;
    try {
      return await action();
    } finally {
      this.#value = undefined;
    }
  }
}
