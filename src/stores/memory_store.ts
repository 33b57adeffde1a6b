/**
 * A store in the memory of one process.
 *
 * @module
 */

import { throwBadArgument } from "../core/arguments.ts";
import { checkedSaveOptions, jsonText } from "./store_text.ts";
import type { SaveOptions, Store, StoredValue } from "./store.ts";

/** The number of values that each save examines, to remove expired ones. With two, values are removed faster than they are saved. */
const examinedPerSave = 2;

/** The number of maps. A map with 100,000 entries stops the process for several milliseconds when it grows. */
const mapCount = 64;

interface Entry {
  /** The value as text, so that callers can't change it. */
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
 * const version = await store.save("greeting", { text: "hello" }, {
 *   version: null,
 * });
 * (await store.load("greeting"))?.value; // { text: "hello" }
 * await store.save("greeting", { text: "no" }, { version: null }); // null
 * ```
 */
export class MemoryStore implements Store {
  /** The values, spread over several maps by their keys. */
  readonly #maps = Array.from({ length: mapCount }, () => new Map<string, Entry>());
  /** The keys that are not examined yet. */
  #unexamined = this.#keys();
  #saves = 0;

  /** The number of values, including expired values that are not removed yet. */
  get size(): number {
    return this.#maps.reduce((size, map) => size + map.size, 0);
  }

  /** Returns the value of a key and its version, or `null`. See {@link Store.load}. */
  // deno-lint-ignore require-await -- asynchronous by contract, as every store is
  async load(key: string): Promise<StoredValue | null> {
    const entry = this.#find(key);
    return entry ? { value: JSON.parse(entry.json), version: entry.version } : null;
  }

  /** Saves a value, see {@link Store.save}. Returns the new version, or `null` if the version has changed. */
  // deno-lint-ignore require-await -- asynchronous by contract, as every store is
  async save(
    key: string,
    value: unknown,
    options: SaveOptions,
  ): Promise<string | null> {
    const { version, expiresAt } = checkedSaveOptions(options);
    const json = jsonText(value);
    if ((this.#find(key)?.version ?? null) !== version) return null;
    const saved = String(++this.#saves);
    this.#removeSomeExpired();
    this.#mapOf(key).set(key, { json, version: saved, expiresAt: expiresAt ?? Infinity });
    // A value that has expired already is removed at once.
    this.#find(key);
    return saved;
  }

  /** Removes the value of a key. See {@link Store.delete}. */
  // deno-lint-ignore require-await -- asynchronous by contract, as every store is
  async delete(key: string): Promise<void> {
    this.#mapOf(key).delete(key);
  }

  /** Returns the map of a key. The last characters of a key differ most. */
  #mapOf(key: string): Map<string, Entry> {
    if (typeof key !== "string") throwBadArgument("key", "a string", key);
    const number = (31 * key.charCodeAt(key.length - 2) + key.charCodeAt(key.length - 1)) | 0;
    return this.#maps[number % mapCount] as Map<string, Entry>;
  }

  *#keys(): Generator<string, void> {
    for (const map of this.#maps) yield* map.keys();
  }

  /** Removes a few expired values at each save, so that no save takes long. */
  #removeSomeExpired(): void {
    for (let count = 0; count < examinedPerSave; count++) {
      const { value: key, done } = this.#unexamined.next();
      if (done) this.#unexamined = this.#keys();
      else this.#find(key);
    }
  }

  #find(key: string): Entry | undefined {
    const entries = this.#mapOf(key);
    const entry = entries.get(key);
    if (entry && entry.expiresAt <= Date.now()) {
      entries.delete(key);
      return undefined;
    }
    return entry;
  }
}
