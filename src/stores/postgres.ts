/**
 * A store in Postgres.
 *
 * @module
 */

import { throwBadObject } from "../core/arguments.ts";
import {
  type SqlClient,
  type SqlStore,
  sqlStore,
  type SqlStoreOptions,
  tableDefinition,
} from "./sql_store.ts";

export type { SqlStore, SqlStoreOptions } from "./sql_store.ts";

/** A client of the package `postgres`. */
export interface PostgresJsClient {
  /** Runs a statement with values. */
  unsafe(
    statement: string,
    values: (string | null)[],
    options: { prepare: true },
  ): Promise<{ readonly count: number | null }> & {
    values(): Promise<readonly (readonly unknown[])[]>;
  };
}

/** A pool or client of the package `pg`, or of a package with the same methods, such as the `Pool` of `@neondatabase/serverless`. */
export interface PgClient {
  /** Runs a statement with values. */
  query(
    statement: {
      text: string;
      values: (string | null)[];
      rowMode: "array";
      types: { getTypeParser(): (text: string) => unknown };
    },
  ): Promise<{ readonly rows: readonly (readonly unknown[])[]; readonly rowCount: number | null }>;
}

/** The function that `neon()` of the package `@neondatabase/serverless` returns. It sends each statement by HTTP. */
export interface NeonClient {
  (...args: never): unknown;
  /** Runs a statement with values. */
  query(
    statement: string,
    values: (string | null)[],
    options: { arrayMode: true; fullResults: true },
  ): Promise<{ readonly rows: readonly (readonly unknown[])[]; readonly rowCount: number | null }>;
}

/** A client of one of the packages `postgres`, `pg` and `@neondatabase/serverless`. */
export type PostgresClient = PostgresJsClient | PgClient | NeonClient;

/**
 * Returns a store in Postgres, with one row for each value. Create the table first, with `createTable()` or {@link postgresTable}.
 *
 * @param client A client of `postgres`, a pool or client of `pg`, or the function `neon()` or the pool of `@neondatabase/serverless`.
 * It may have settings for dates, numbers and column names, such as those of drizzle or kysely. Prefer a pool to a single `pg` client,
 * which does not reconnect. Set the option `fetch_types: false` of `postgres`: without it, a connection that breaks while it opens ends
 * the process.
 * @param options The name of the `table`.
 * @throws {TypeError} If the client or an option is wrong.
 *
 * @example
 * ```ts ignore
 * import { postgresStore } from "@guildpass/sdk/stores/postgres";
 * import postgres from "postgres";
 *
 * const sql = postgres("postgres://user:password@localhost/database", {
 *   fetch_types: false,
 * });
 * const store = postgresStore(sql);
 * await store.createTable();
 * ```
 */
export function postgresStore(client: PostgresClient, options?: SqlStoreOptions | null): SqlStore {
  return sqlStore(postgresClient(client), options);
}

/**
 * Returns the definition of the table, for a migration.
 *
 * @param options The name of the `table`.
 * @throws {TypeError} If an option is wrong.
 */
export function postgresTable(options?: SqlStoreOptions | null): string {
  return tableDefinition(options);
}

/** The form of rows, whatever the settings of the client are. */
const rowForm = { rowMode: "array", types: { getTypeParser: () => String } } as const;

function postgresClient(client: PostgresClient): SqlClient {
  if (typeof client === "function" && "query" in client) {
    return ofResults((text, values) =>
      client.query(text, values, { arrayMode: true, fullResults: true })
    );
  }
  if ("unsafe" in Object(client)) return ofPostgresJs(client as PostgresJsClient);
  const { query } = Object(client) as Partial<PgClient>;
  if (typeof query !== "function") {
    throwBadObject("client", "a client of postgres, pg or @neondatabase/serverless", client);
  }
  return ofResults((text, values) => query.call(client, { text, values, ...rowForm }));
}

function ofPostgresJs(client: PostgresJsClient): SqlClient {
  // The server parses each statement once for a connection, unless the client has turned that off.
  const run = (statement: string, values: readonly (string | null)[]) =>
    client.unsafe(withNumbers(statement), [...values], { prepare: true });
  return {
    // A list of columns has no names, which the client may change.
    readRow: async (statement, values) => (await run(statement, values).values())[0] ?? null,
    write: async (statement, values) => (await run(statement, values)).count ?? 0,
  };
}

function ofResults(
  query: (text: string, values: (string | null)[]) => ReturnType<PgClient["query"]>,
): SqlClient {
  const run = (statement: string, values: readonly (string | null)[]) =>
    query(withNumbers(statement), [...values]);
  return {
    readRow: async (statement, values) => (await run(statement, values)).rows[0] ?? null,
    write: async (statement, values) => (await run(statement, values)).rowCount ?? 0,
  };
}

/** Replaces each `?` of a statement by `$1`, `$2` and so on. */
function withNumbers(statement: string): string {
  let count = 0;
  return statement.replaceAll("?", () => `$${++count}`);
}
