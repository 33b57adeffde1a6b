/** MySQL or MariaDB, with the package `mysql2`. @module */

import { mysqlStore } from "@guildpass/sdk/stores/mysql";
import { createPool, type RowDataPacket } from "mysql2/promise";
import type { Database } from "../database.ts";

export function open(url: string): Database {
  const pool = createPool({ uri: url, connectTimeout: 5000 });
  const store = mysqlStore(pool);
  const read = async (statement: string, values: string[] = []) =>
    (await pool.execute<RowDataPacket[]>(statement, values))[0];
  return {
    store,
    async createTables() {
      await store.createTable();
      await pool.query(`create table if not exists people (
        id varchar(20) primary key, servers integer, counted_at bigint not null default 0
      )`);
    },
    async addPerson(id) {
      await pool.execute("insert ignore into people (id) values (?)", [id]);
    },
    async listPeople() {
      return (await read("select id from people order by counted_at")).map((
        { id },
      ) => id);
    },
    async saveServerCount(id, count) {
      const statement = "update people set servers = ?, counted_at = ? where id = ?";
      await pool.execute(statement, [count, Date.now(), id]);
    },
    async loadServerCount(id) {
      const [row] = await read("select servers from people where id = ?", [id]);
      return row?.servers ?? null;
    },
    async removePerson(id) {
      await pool.execute("delete from people where id = ?", [id]);
    },
    removeExpired: () => store.removeExpired(),
    close: () => pool.end(),
  };
}
