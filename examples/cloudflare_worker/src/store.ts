/**
 * A store in Cloudflare Durable Objects, one for each key. Copy it as it is, export `StoredEntry`, and name it in
 * `wrangler.jsonc`:
 *
 *     "durable_objects": { "bindings": [{ "name": "ENTRIES", "class_name": "StoredEntry" }] },
 *     "migrations": [{ "tag": "v1", "new_sqlite_classes": ["StoredEntry"] }],
 *
 *     const store = durableObjectStore(env.ENTRIES);
 *
 * @module
 */

import { DurableObject } from "cloudflare:workers";
import type { Store } from "@guildpass/sdk";

interface Entry {
  readonly json: string;
  readonly version: string;
  readonly expiresAt: number | null;
}

/** Stores one value. An object handles one call at a time, so that no other save comes between `find` and `put`. */
export class StoredEntry extends DurableObject {
  find(): Entry | null {
    const entry = this.ctx.storage.kv.get<Entry>("entry");
    return entry && (entry.expiresAt ?? Infinity) > Date.now() ? entry : null;
  }

  async save(entry: Entry, version: string | null): Promise<boolean> {
    if ((this.find()?.version ?? null) !== version) return false;
    this.ctx.storage.kv.put("entry", entry);
    if (entry.expiresAt !== null) await this.ctx.storage.setAlarm(entry.expiresAt);
    return true;
  }

  async remove(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  /** Removes the value if it has expired. A later save may have given it more time. */
  override async alarm(): Promise<void> {
    if (!this.find()) await this.remove();
  }
}

/** Creates a store with one Durable Object for each value. */
export function durableObjectStore(entries: DurableObjectNamespace<StoredEntry>): Store {
  return {
    async load(key) {
      const entry = await entries.getByName(key).find();
      return entry && { value: JSON.parse(entry.json), version: entry.version };
    },
    async save(key, value, { version, expiresAt = null }) {
      const entry = { json: JSON.stringify(value), version: crypto.randomUUID(), expiresAt };
      return await entries.getByName(key).save(entry, version) ? entry.version : null;
    },
    delete: (key) => entries.getByName(key).remove(),
  };
}
