/**
 * A store in Deno KV.
 *
 * @module
 */

import { throwBadObject } from "../core/arguments.ts";
import { checkOptionNames } from "../core/options.ts";
import { sleep } from "../core/wait.ts";
import type { Store } from "./store.ts";
import { checkedKey, loadedText, savedText } from "./store_text.ts";

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
  commit(): Promise<{ readonly ok: boolean }>;
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
  readonly version: string;
  readonly expiresAt: number;
}

/** The time for which an operation waits for other processes, in milliseconds. */
const maxLockedMs = 5000;

/** The maximum time until the next try, in milliseconds. */
const maxTryIntervalMs = 20;

/**
 * Returns a store in Deno KV, with one entry for each value. Deno KV removes expired values. A value has at most 64 KiB. Several
 * processes can share a file: an operation waits up to 5 seconds for the others. Run Deno with `--unstable-kv`, or with
 * `"unstable": ["kv"]` in `deno.json`.
 *
 * @param client A database of `Deno.openKv()`.
 * @param options The first part of the keys, by default `guildpass`.
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
    throwBadObject("client", "a database from Deno.openKv()", client);
  }
  checkOptionNames("options", options, ["prefix"]);
  const keyOf = (key: string) => [options?.prefix ?? "guildpass", checkedKey(key)];

  /** Finds an entry. `saved` is `null` if it has expired, since Deno KV may remove expired values late. */
  async function find(key: string) {
    const { value, versionstamp } = await whileLocked(() => client.get(keyOf(key)));
    const found = value as Saved | null;
    return { found, saved: found && found.expiresAt > Date.now() ? found : null, versionstamp };
  }
  return {
    async load(key) {
      const { saved } = await find(key);
      return saved && loadedText(saved.json, saved.version);
    },
    async save(key, value, options) {
      const { text, version, expiresAt } = savedText(value, options);
      const { saved, versionstamp } = await find(key);
      if ((saved?.version ?? null) !== options.version) return null;
      const end = expiresAt === null ? Infinity : Number(expiresAt);
      const entry: Saved = { json: text, version, expiresAt: end };
      const lifetime = expiresAt === null ? {} : { expireIn: Math.max(1, end - Date.now()) };
      const { ok } = await whileLocked(() =>
        client.atomic()
          .check({ key: keyOf(key), versionstamp })
          .set(keyOf(key), entry, lifetime)
          .commit()
      );
      if (ok) return version;
      // After a lost connection to a remote database, Deno commits again: then the first commit has changed the versionstamp.
      return (await find(key)).found?.version === version ? version : null;
    },
    delete: (key) => whileLocked(() => client.delete(keyOf(key))),
  };
}

/** Runs an operation again while another process has locked the file of the database. A locked file has not been changed. */
async function whileLocked<Result>(run: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + maxLockedMs;
  while (true) {
    try {
      return await run();
    } catch (error) {
      if (Object(error).message !== "database is locked" || performance.now() > end) throw error;
      await sleep(Math.random() * maxTryIntervalMs);
    }
  }
}
