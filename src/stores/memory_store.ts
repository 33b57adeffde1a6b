/**
 * A store in the memory of one process.
 *
 * @module
 */

import { jsonText } from "./json_text.ts";
import type { SaveOptions, Store, StoredValue } from "./store.ts";

/** The number of saves between two removals of expired values, so that these do not fill the memory. */
const savesBetweenCleanings = 1000;

interface Entry {
  /** The value as text, so that callers can't change it, and that it is loaded as from any other store. */
  readonly json: string;
  readonly version: string;
  readonly expiresAt: number;
}

/**
 * Keeps values in memory: for tests, scripts and a server that is a single process. The values are lost when the process ends.
 * Other processes do not see them, nor do other copies of your module: Next loads one copy for pages and another for routes.
 *
 * @example
 * ```ts
 * import { MemoryStore } from "@guildpass/sdk";
 *
 * const store = new MemoryStore();
 * const version = await store.save("greeting", { text: "hello" }, { version: null });
 * (await store.load("greeting"))?.value; // { text: "hello" }
 * await store.save("greeting", { text: "too late" }, { version: null }); // null
 * ```
 */
export class MemoryStore implements Store {
  readonly #entries = new Map<string, Entry>();
  #saves = 0;

  /** The number of values, including expired values that are not removed yet. */
  get size(): number {
    return this.#entries.size;
  }

  /** See {@link Store.load}. */
  // deno-lint-ignore require-await -- asynchronous by contract, as every store is
  async load(key: string): Promise<StoredValue | null> {
    const entry = this.#find(key);
    return entry ? { value: JSON.parse(entry.json), version: entry.version } : null;
  }

  /** See {@link Store.save}. */
  // deno-lint-ignore require-await -- asynchronous by contract, as every store is
  async save(
    key: string,
    value: unknown,
    { version, expiresAt }: SaveOptions,
  ): Promise<string | null> {
    const json = jsonText(value);
    if ((this.#find(key)?.version ?? null) !== version) return null;
    const saved = String(++this.#saves);
    if (this.#saves % savesBetweenCleanings === 0) this.#removeExpired();
    this.#entries.set(key, { json, version: saved, expiresAt: expiresAt ?? Infinity });
    // A value that has expired already is removed at once.
    this.#find(key);
    return saved;
  }

  /** See {@link Store.delete}. */
  // deno-lint-ignore require-await -- asynchronous by contract, as every store is
  async delete(key: string): Promise<void> {
    this.#entries.delete(key);
  }

  #removeExpired(): void {
    for (const key of this.#entries.keys()) this.#find(key);
  }

  #find(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry && entry.expiresAt <= Date.now()) {
      this.#entries.delete(key);
      return undefined;
    }
    return entry;
  }
}
