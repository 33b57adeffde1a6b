/** Postgres, with the package `postgres`. @module */

import { postgresStore } from "@guildpass/sdk/stores/postgres";
import postgres from "postgres";
import type { Database } from "../database.ts";

export function open(url: string): Database {
  const sql = postgres(url, {
    // With it, a connection that breaks while it opens would end the process.
    fetch_types: false,
    connect_timeout: 5,
    connection: { statement_timeout: 5000 },
  });
  const store = postgresStore(sql);
  return {
    store,
    async createTables() {
      await store.createTable();
      await sql`create table if not exists people (
        id text primary key, servers integer, counted_at bigint not null default 0
      )`;
    },
    async addPerson(id) {
      await sql`insert into people (id) values (${id}) on conflict do nothing`;
    },
    async listPeople() {
      return (await sql<
        { id: string }[]
      >`select id from people order by counted_at`)
        .map(({ id }) => id);
    },
    async saveServerCount(id, count) {
      await sql`update people set servers = ${count}, counted_at = ${Date.now()} where id = ${id}`;
    },
    async loadServerCount(id) {
      const [row] = await sql`select servers from people where id = ${id}`;
      return row?.servers ?? null;
    },
    async removePerson(id) {
      await sql`delete from people where id = ${id}`;
    },
    removeExpired: () => store.removeExpired(),
    close: () => sql.end(),
  };
}
