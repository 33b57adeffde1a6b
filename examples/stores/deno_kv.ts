/**
 * A store in Deno KV. Run with `--unstable-kv`, or with `"unstable": ["kv"]` in `deno.json`. A value in Deno KV has at most
 * 64 KiB.
 *
 *     const store = denoKvStore(await Deno.openKv());
 *
 * @module
 */

import type { Store } from "@guildpass/sdk";

interface Saved {
  readonly json: string;
  readonly expiresAt: number;
}

/** Creates a store with the keys `["guildpass", key]`. The version of a value is Deno KV's own. */
export function denoKvStore(kv: Deno.Kv): Store {
  /** Finds an entry. `saved` is `null` if it has expired, since Deno KV may remove expired values late. */
  async function find(key: string) {
    const entry = await kv.get<Saved>(["guildpass", key]);
    const saved = entry.value && entry.value.expiresAt > Date.now() ? entry.value : null;
    return { entry, saved, version: saved && entry.versionstamp };
  }
  return {
    async load(key) {
      const { saved, version } = await find(key);
      return saved && version ? { value: JSON.parse(saved.json), version } : null;
    },
    async save(key, value, { version, expiresAt }) {
      const found = await find(key);
      if (found.version !== version) return null;
      const saved: Saved = { json: JSON.stringify(value), expiresAt: expiresAt ?? Infinity };
      const options = expiresAt == null ? {} : { expireIn: Math.max(1, expiresAt - Date.now()) };
      const result = await kv.atomic()
        .check(found.entry)
        .set(found.entry.key, saved, options)
        .commit();
      return result.ok ? result.versionstamp : null;
    },
    async delete(key) {
      await kv.delete(["guildpass", key]);
    },
  };
}
