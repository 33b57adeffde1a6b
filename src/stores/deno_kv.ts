/**
 * A store in Deno KV.
 *
 * @module
 */

import { throwBadObject } from "../core/arguments.ts";
import { checkOptionNames } from "../core/options.ts";
import type { Store } from "./store.ts";
import { loadedText, savedText } from "./store_text.ts";

/** An entry of a {@link DenoKvClient}. */
export interface DenoKvEntry {
  /** The value, or `null` if the entry is missing. */
  readonly value: unknown;
  /** The version of the value, or `null`. */
  readonly versionstamp: string | null;
}

/** An atomic operation of a {@link DenoKvClient}. */
export interface DenoKvOperation {
  /** Makes the operation depend on the version of an entry. */
  check(entry: { key: string[]; versionstamp: string | null }): DenoKvOperation;
  /** Sets a value. */
  set(key: string[], value: unknown, options: { expireIn?: number }): DenoKvOperation;
  /** Runs the operation. */
  commit(): Promise<{ readonly ok: boolean; readonly versionstamp?: string }>;
}

/** A database that `Deno.openKv()` opens. */
export interface DenoKvClient {
  /** Reads an entry. */
  get(key: string[]): Promise<DenoKvEntry>;
  /** Deletes an entry. */
  delete(key: string[]): Promise<void>;
  /** Begins an atomic operation. */
  atomic(): DenoKvOperation;
}

/** Options of {@link denoKvStore}. */
export interface DenoKvStoreOptions {
  /** The first part of each key. @default {"guildpass"} */
  readonly prefix?: string | null | undefined;
}

/** A value in the database. */
interface Saved {
  readonly json: string;
  readonly expiresAt: number;
}

/**
 * Returns a store in Deno KV, with one entry for each value. Deno KV removes expired values. A value has at most 64 KiB. Run Deno with
 * `--unstable-kv`, or with `"unstable": ["kv"]` in `deno.json`.
 *
 * @param client A database of `Deno.openKv()`.
 * @throws {TypeError} If the client or an option is wrong.
 *
 * @example
 * ```ts ignore
 * import { denoKvStore } from "@guildpass/sdk/stores/deno-kv";
 *
 * const store = denoKvStore(await Deno.openKv());
 * ```
 */
export function denoKvStore(client: DenoKvClient, options?: DenoKvStoreOptions | null): Store {
  if (typeof client?.atomic !== "function") {
    throwBadObject("client", "a database of Deno.openKv()", client);
  }
  checkOptionNames("options", options, ["prefix"]);
  const keyOf = (key: string) => [options?.prefix ?? "guildpass", key];

  /** Finds an entry. `saved` is `null` if it has expired, since Deno KV may remove expired values late. */
  async function find(key: string) {
    const { value, versionstamp } = await client.get(keyOf(key));
    const found = value as Saved | null;
    const saved = found && found.expiresAt > Date.now() ? found : null;
    return { saved, versionstamp, version: saved && versionstamp };
  }
  return {
    async load(key) {
      const { saved, version } = await find(key);
      return saved && loadedText(saved.json, version);
    },
    async save(key, value, options) {
      const { versionstamp, version } = await find(key);
      if (version !== options.version) return null;
      const { text, expiresAt } = savedText(value, options);
      const end = expiresAt === null ? Infinity : Number(expiresAt);
      const saved: Saved = { json: text, expiresAt: end };
      const result = await client.atomic()
        .check({ key: keyOf(key), versionstamp })
        .set(
          keyOf(key),
          saved,
          expiresAt === null ? {} : { expireIn: Math.max(1, end - Date.now()) },
        )
        .commit();
      // Without a version, another save came first.
      return result.versionstamp ?? null;
    },
    delete: (key) => client.delete(keyOf(key)),
  };
}
