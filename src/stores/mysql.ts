/**
 * A store in MySQL or MariaDB.
 *
 * @module
 */

import { throwBadObject } from "../core/arguments.ts";
import {
  rowsPerRemoval,
  type SqlClient,
  type SqlDialect,
  type SqlStore,
  sqlStore,
  type SqlStoreOptions,
  tableDefinition,
} from "./sql_store.ts";

export type { SqlStore, SqlStoreOptions } from "./sql_store.ts";

/** A pool or connection of the package `mysql2/promise`. */
export interface MysqlPromiseClient {
  /** Runs a statement with values. */
  execute(
    statement: {
      sql: string;
      values: (string | null)[];
      rowsAsArray: true;
      nestTables: false;
      typeCast: true;
    },
  ): Promise<readonly [unknown, unknown]>;
}

/** A pool or connection of the package `mysql2`, with callbacks. */
export interface MysqlCallbackClient {
  /** Returns the same client with promises. */
  promise(): MysqlPromiseClient;
}

/** A pool or connection of the package `mysql2`. */
export type MysqlClient = MysqlPromiseClient | MysqlCallbackClient;

/** The maximum length of a key, in bytes. A server that is not in strict mode would cut a longer one. */
const maxKeyBytes = 512;

/** The form of rows, whatever the settings of the client are. */
const rowForm = { rowsAsArray: true, nestTables: false, typeCast: true } as const;

const mysqlDialect: SqlDialect = {
  // Keys and versions are compared byte by byte. As texts, they could differ in case or trailing spaces and still be equal.
  definition: (table) => [
    `create table if not exists ${table} (
  \`key\` varbinary(${maxKeyBytes}) primary key,
  value longtext character set utf8mb4 not null,
  version varbinary(36) not null,
  expires_at bigint,
  index (expires_at)
)`,
  ],
  key: "`key`",
  keyText,
  // JSON in ASCII, since a connection may have a character set that lacks some characters.
  valueText: (json) => json.replaceAll(/[\u007f-\uffff]/g, (character) => `\\u${hex(character)}`),
  number: "cast(? as signed)",
  limitRemoval: () => ` order by expires_at limit ${rowsPerRemoval}`,
  replaceExpired: () => "",
  isDuplicate: (error) => Object(error).code === "ER_DUP_ENTRY",
};

/**
 * Returns a store in MySQL or MariaDB, with one row for each value. Create the table first, with `createTable()` or {@link mysqlTable}. A
 * key may have 512 bytes. The tests of this store run with MariaDB 10.11.
 *
 * @param client A pool or connection of `mysql2` or `mysql2/promise`. Prefer a pool, since a single connection does not reconnect.
 * @param options The name of the `table`.
 * @throws {TypeError} If the client or an option is wrong.
 *
 * @example
 * ```ts ignore
 * import { mysqlStore } from "@guildpass/sdk/stores/mysql";
 * import { createPool } from "mysql2/promise";
 *
 * const store = mysqlStore(
 *   createPool("mysql://user:password@localhost/database"),
 * );
 * await store.createTable();
 * ```
 */
export function mysqlStore(client: MysqlClient, options?: SqlStoreOptions | null): SqlStore {
  return sqlStore(mysqlClient(client), options, mysqlDialect);
}

/**
 * Returns the definition of the table, for a migration.
 *
 * @param options The name of the `table`.
 * @throws {TypeError} If an option is wrong.
 */
export function mysqlTable(options?: SqlStoreOptions | null): string {
  return tableDefinition(options, mysqlDialect);
}

/** Returns a key in ASCII. */
function keyText(key: string): string {
  const text = key.replaceAll(/[%\u007f-\uffff]/g, (character) => `%${hex(character)}`);
  if (text.length <= maxKeyBytes) return text;
  throw new TypeError(
    `key must have at most ${maxKeyBytes} bytes in MySQL, received ${text.length}`,
  );
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0");
}

function mysqlClient(given: MysqlClient): SqlClient {
  const client = "promise" in Object(given) ? (given as MysqlCallbackClient).promise() : given;
  const { execute } = Object(client) as Partial<MysqlPromiseClient>;
  if (typeof execute !== "function") {
    throwBadObject("client", "a pool or connection of mysql2", given);
  }
  // A prepared statement, since `query` writes values into the text, which is not safe in every mode of the server.
  const run = async (sql: string, values: readonly (string | null)[]) =>
    (await execute.call(client, { sql, values: [...values], ...rowForm }))[0];
  return {
    async readRow(statement, values) {
      const rows = await run(statement, values);
      return Array.isArray(rows) ? rows[0] ?? null : null;
    },
    write: async (statement, values) => Number(Object(await run(statement, values)).affectedRows),
  };
}
