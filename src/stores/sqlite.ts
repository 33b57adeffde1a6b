/**
 * A store in SQLite.
 *
 * @module
 */

import { throwBadObject } from "../core/arguments.ts";
import {
  type SqlClient,
  type SqlStore,
  sqlStore,
  type SqlStoreOptions,
  type SqlValue,
  tableDefinition,
} from "./sql_store.ts";

export type { SqlStore, SqlStoreOptions } from "./sql_store.ts";

/** A statement of a {@link SyncSqliteClient}. */
export interface SqliteStatement {
  /** Returns the first row. */
  get(...values: (string | null)[]): unknown;
  /** Runs the statement. */
  run(...values: (string | null)[]): { readonly changes: number | bigint };
}

/** A database of `node:sqlite`, `better-sqlite3`, `bun:sqlite` or `@tursodatabase/database/compat`. */
export interface SyncSqliteClient {
  /** Prepares a statement. */
  prepare(statement: string): SqliteStatement;
}

/** A client of `@libsql/client` or `@tursodatabase/serverless/compat`, also for a database of Turso. */
export interface LibsqlClient {
  /** Runs a statement with values. */
  execute(statement: { sql: string; args: (string | null)[] }): Promise<{
    readonly rows: readonly { readonly [column: number]: unknown }[];
    readonly rowsAffected: number;
  }>;
}

/** A database of one of the packages `node:sqlite`, `better-sqlite3`, `bun:sqlite` and `@libsql/client`. */
export type SqliteClient = SyncSqliteClient | LibsqlClient;

/**
 * Returns a store in SQLite 3.24 or later, with one row for each value. Create the table first, with `createTable()` or
 * {@link sqliteTable}.
 *
 * @param client A database of `node:sqlite`, `better-sqlite3` or `bun:sqlite`, or a client of `@libsql/client`. If your code awaits
 * something within a transaction of this connection, as kysely does, give the store its own connection: a rollback would undo its
 * saves. With several processes, set a `timeout`, so that a save waits for another process's lock.
 * @param options The name of the `table`.
 * @throws {TypeError} If the client or an option is wrong.
 *
 * @example
 * ```ts
 * import { sqliteStore } from "@guildpass/sdk/stores/sqlite";
 * import { DatabaseSync } from "node:sqlite";
 *
 * const store = sqliteStore(
 *   new DatabaseSync(":memory:", { timeout: 5000 }),
 * ); // or the path of a file
 * await store.createTable();
 * ```
 */
export function sqliteStore(client: SqliteClient, options?: SqlStoreOptions | null): SqlStore {
  return sqlStore(sqliteClient(client), options);
}

/**
 * Returns the definition of the table, for a migration.
 *
 * @param options The name of the `table`.
 * @throws {TypeError} If an option is wrong.
 */
export function sqliteTable(options?: SqlStoreOptions | null): string {
  return tableDefinition(options);
}

function sqliteClient(client: SqliteClient): SqlClient {
  if ("execute" in Object(client)) return ofLibsql(client as LibsqlClient);
  if (!("prepare" in Object(client))) {
    throwBadObject(
      "client",
      "a database of node:sqlite, better-sqlite3, bun:sqlite or libSQL",
      client,
    );
  }
  return ofSyncClient(client as SyncSqliteClient);
}

function ofLibsql(client: LibsqlClient): SqlClient {
  const run = (sql: string, values: readonly SqlValue[]) =>
    client.execute({ sql, args: [...values] });
  return {
    async readRow(statement, values) {
      const [row] = (await run(statement, values)).rows;
      return row ? [row[0], row[1]] : null;
    },
    write: async (statement, values) => (await run(statement, values)).rowsAffected,
  };
}

function ofSyncClient(client: SyncSqliteClient): SqlClient {
  const prepared = new Map<string, SqliteStatement>();
  const prepare = (text: string) => {
    const statement = prepared.get(text) ?? client.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
  return {
    // deno-lint-ignore require-await -- an error must reject
    async readRow(statement, values) {
      const row = prepare(statement).get(...values);
      // A row is an object or, if the connection has `returnArrays`, an array.
      return row ? Object.values(row) : null;
    },
    // deno-lint-ignore require-await -- an error must reject
    write: async (statement, values) => Number(prepare(statement).run(...values).changes),
  };
}
