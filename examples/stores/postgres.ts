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

/**
 * Creates a store with one row for each value. The value is `text`, because `jsonb` refuses some texts that JSON allows. The
 * client may have settings for dates and names of columns, also those of drizzle: the store sends texts and reads by position.
 */
export function postgresStore(sql: Sql): Store {
  return {
    async load(key) {
      const [[text, version] = []] = await sql<{ value: string; version: string }[]>`
        select value, version from guildpass_store
        where key = ${key} and (expires_at is null or expires_at > now())`.values();
      return text && version ? { value: JSON.parse(text), version } : null;
    },
    async save(key, value, { version, expiresAt }) {
      const newVersion = crypto.randomUUID();
      const text = JSON.stringify(value);
      const end = expiresAt == null ? null : new Date(expiresAt).toISOString();
      const { count } = version === null
        ? await sql`
          insert into guildpass_store as old (key, value, version, expires_at)
          values (${key}, ${text}, ${newVersion}, ${end}::text::timestamptz)
          on conflict (key) do update
          set value = excluded.value, version = excluded.version, expires_at = excluded.expires_at
          where old.expires_at <= now()`
        : await sql`
          update guildpass_store
          set value = ${text}, version = ${newVersion}, expires_at = ${end}::text::timestamptz
          where key = ${key} and version = ${version}
          and (expires_at is null or expires_at > now())`;
      return count === 1 ? newVersion : null;
    },
    async delete(key) {
      await sql`delete from guildpass_store where key = ${key}`;
    },
  };
}
