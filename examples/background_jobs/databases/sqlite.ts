/** SQLite, for processes on one machine. @module */

// deno-lint-ignore-file require-await -- The interface is asynchronous, and node:sqlite is not.

import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "@guildpass/sdk/stores/sqlite";
import type { Database } from "../database.ts";

export function open(url: string): Database {
  const sqlite = new DatabaseSync(new URL(url), { timeout: 5000 });
  const store = sqliteStore(sqlite);
  return {
    store,
    async createTables() {
      sqlite.exec("pragma journal_mode = wal"); // readers do not wait for a writer; the file keeps this
      await store.createTable();
      sqlite.exec(`create table if not exists people (
        id text primary key, servers integer, counted_at integer not null default 0
      )`);
    },
    async addPerson(id) {
      sqlite.prepare(
        "insert into people (id) values (?) on conflict do nothing",
      ).run(id);
    },
    async listPeople() {
      return sqlite.prepare("select id from people order by counted_at").all()
        .map(({ id }) => String(id));
    },
    async saveServerCount(id, count) {
      sqlite.prepare(
        "update people set servers = ?, counted_at = ? where id = ?",
      )
        .run(count, Date.now(), id);
    },
    async loadServerCount(id) {
      const servers = sqlite.prepare("select servers from people where id = ?")
        .get(id)?.servers;
      return typeof servers === "number" ? servers : null;
    },
    async removePerson(id) {
      sqlite.prepare("delete from people where id = ?").run(id);
    },
    removeExpired: () => store.removeExpired(),
    close: async () => sqlite.close(),
  };
}
