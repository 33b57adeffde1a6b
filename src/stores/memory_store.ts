/**
 * A store in the memory of one process.
 *
 * @module
 */

import { jsonText } from "./json_text.ts";
import type { SaveOptions, Store, StoredValue } from "./store.ts";

/** The number of saves between two removals of expired values, which would fill the memory otherwise. */
const savesBetweenCleanings = 1000;

interface Entry {
  /** The value as text: it can't be changed from outside, and comes back as from every other store. */
  readonly json: string;
  readonly version: string;
  readonly expiresAt: number;
}

/**
 * Keeps values in memory: for tests, scripts and a server that is a single process. Everything is gone when the process ends,
 * and another process sees none of it, nor does another copy of the module that makes it: Next loads one for pages and one for routes.
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

  /** The number of values, with expired ones that are not removed yet. */
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
