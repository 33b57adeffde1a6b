/**
 * A store in Cloudflare D1. It needs this table:
 *
 *     create table guildpass_store (
 *       key text primary key,
 *       value text not null,
 *       version text not null,
 *       expires_at integer
 *     );
 *
 * The store does not load expired rows. Remove them now and then, for example in a scheduled Worker:
 * `delete from guildpass_store where expires_at < unixepoch() * 1000`.
 *
 *     const store = d1Store(env.DB);
 *
 * @module
 */

import type { Store } from "@guildpass/sdk";

/** Creates a store with one row for each value. */
export function d1Store(db: D1Database): Store {
  return {
    async load(key) {
      const row = await db
        .prepare(
          `select value, version from guildpass_store
           where key = ?1 and (expires_at is null or expires_at > ?2)`,
        )
        .bind(key, Date.now())
        .first<{ value: string; version: string }>();
      return row && { value: JSON.parse(row.value), version: row.version };
    },
    async save(key, value, { version, expiresAt }) {
      const newVersion = crypto.randomUUID();
      const row = [key, JSON.stringify(value), newVersion, expiresAt ?? null, Date.now()];
      const statement = version === null
        ? db.prepare(
          `insert into guildpass_store (key, value, version, expires_at) values (?1, ?2, ?3, ?4)
           on conflict (key) do update
           set value = excluded.value, version = excluded.version, expires_at = excluded.expires_at
           where guildpass_store.expires_at <= ?5`,
        ).bind(...row)
        : db.prepare(
          `update guildpass_store set value = ?2, version = ?3, expires_at = ?4
           where key = ?1 and (expires_at is null or expires_at > ?5) and version = ?6`,
        ).bind(...row, version);
      const { meta } = await statement.run();
      return meta.changes === 1 ? newVersion : null;
    },
    async delete(key) {
      await db.prepare("delete from guildpass_store where key = ?1").bind(key).run();
    },
  };
}
