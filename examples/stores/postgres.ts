/**
 * A store in Postgres, with the package `postgres`. It needs this table:
 *
 *     create table guildpass_store (
 *       key text primary key,
 *       value text not null,
 *       version text not null,
 *       expires_at timestamptz
 *     );
 *
 * The store does not load expired rows. Remove them now and then: `delete from guildpass_store where expires_at < now()`.
 *
 *     const store = postgresStore(postgres("postgres://user:password@localhost/database"));
 *
 * @module
 */

import type { Store } from "@guildpass/sdk";
import type { Sql } from "postgres";

/** Creates a store with one row for each value. The value is `text`, because `jsonb` refuses some texts that JSON allows. */
export function postgresStore(sql: Sql): Store {
  return {
    async load(key) {
      const [row] = await sql<{ value: string; version: string }[]>`
        select value, version from guildpass_store
        where key = ${key} and (expires_at is null or expires_at > now())`;
      return row ? { value: JSON.parse(row.value), version: row.version } : null;
    },
    async save(key, value, { version, expiresAt }) {
      const newVersion = crypto.randomUUID();
      const text = JSON.stringify(value);
      const end = expiresAt == null ? null : new Date(expiresAt);
      const { count } = version === null
        ? await sql`
          insert into guildpass_store as old (key, value, version, expires_at)
          values (${key}, ${text}, ${newVersion}, ${end})
          on conflict (key) do update
          set value = excluded.value, version = excluded.version, expires_at = excluded.expires_at
          where old.expires_at <= now()`
        : await sql`
          update guildpass_store
          set value = ${text}, version = ${newVersion}, expires_at = ${end}
          where key = ${key} and version = ${version}
          and (expires_at is null or expires_at > now())`;
      return count === 1 ? newVersion : null;
    },
    async delete(key) {
      await sql`delete from guildpass_store where key = ${key}`;
    },
  };
}
