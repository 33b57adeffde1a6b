/**
 * A store in SQLite, with `node:sqlite` of Node 22.13 and later, and of Deno. It needs this table:
 *
 *     create table guildpass_store (
 *       key text primary key,
 *       value text not null,
 *       version text not null,
 *       expires_at integer
 *     );
 *
 * The store does not load expired rows. Remove them now and then: `delete from guildpass_store where expires_at < unixepoch() * 1000`.
 * If your code awaits something within a transaction, as kysely does, give the store a file of its own: a rollback undoes its saves.
 *
 *     const store = sqliteStore(new DatabaseSync("guildpass.db", { timeout: 5000 }));
 *
 * @module
 */

import type { DatabaseSync } from "node:sqlite";
import type { Store } from "@guildpass/sdk";

/** Creates a store with one row for each value. */
export function sqliteStore(database: DatabaseSync): Store {
  const select = database.prepare(
    `select value, version from guildpass_store
     where key = ? and (expires_at is null or expires_at > ?)`,
  );
  const insert = database.prepare(
    `insert into guildpass_store (key, value, version, expires_at) values (?, ?, ?, ?)
     on conflict (key) do update
     set value = excluded.value, version = excluded.version, expires_at = excluded.expires_at
     where expires_at <= ?`,
  );
  const update = database.prepare(
    `update guildpass_store set value = ?, version = ?, expires_at = ?
     where key = ? and version = ? and (expires_at is null or expires_at > ?)`,
  );
  const remove = database.prepare("delete from guildpass_store where key = ?");
  return {
    load(key) {
      // A row is an object or, if the connection has `returnArrays`, an array.
      const [text, version] = Object.values(select.get(key, Date.now()) ?? {}).map(String);
      return Promise.resolve(text && version ? { value: JSON.parse(text), version } : null);
    },
    save(key, value, { version, expiresAt }) {
      const newVersion = crypto.randomUUID();
      const text = JSON.stringify(value);
      const end = expiresAt ?? null;
      const { changes } = version === null
        ? insert.run(key, text, newVersion, end, Date.now())
        : update.run(text, newVersion, end, key, version, Date.now());
      return Promise.resolve(Number(changes) === 1 ? newVersion : null);
    },
    delete(key) {
      remove.run(key);
      return Promise.resolve();
    },
  };
}
