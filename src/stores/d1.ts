/**
 * A store in Cloudflare D1.
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

/** A statement of a {@link D1Client}. */
export interface D1Statement {
  /** Sets the values. */
  bind(...values: (string | null)[]): D1Statement;
  /** Returns the rows as lists of columns. */
  raw(): Promise<unknown[][]>;
  /** Runs the statement. */
  run(): Promise<{ readonly meta: { readonly changes: number } }>;
}

/** The binding of a D1 database. */
export interface D1Client {
  /** Prepares a statement. */
  prepare(statement: string): D1Statement;
}

/**
 * Returns a store in Cloudflare D1, with one row for each value. Create the table in a migration, with {@link d1Table}.
 *
 * @param client The binding of the database, as in `env.DB`. Do not pass a session of `withSession`, which may read from a replica.
 * @param options The name of the `table`.
 * @throws {TypeError} If the client or an option is wrong.
 *
 * @example
 * ```ts ignore
 * import { d1Store } from "@guildpass/sdk/stores/d1";
 *
 * const store = d1Store(env.DB);
 * ```
 */
export function d1Store(client: D1Client, options?: SqlStoreOptions | null): SqlStore {
  return sqlStore(d1Client(client), options);
}

/**
 * Returns the definition of the table, for a migration.
 *
 * @param options The name of the `table`.
 * @throws {TypeError} If an option is wrong.
 */
export function d1Table(options?: SqlStoreOptions | null): string {
  return tableDefinition(options);
}

function d1Client(client: D1Client): SqlClient {
  if (typeof client?.prepare !== "function") {
    throwBadObject("client", "the binding of a D1 database, like env.DB", client);
  }
  const bind = (statement: string, values: readonly SqlValue[]) =>
    client.prepare(statement).bind(...values);
  return {
    readRow: async (statement, values) => (await bind(statement, values).raw())[0] ?? null,
    write: async (statement, values) => (await bind(statement, values).run()).meta.changes,
  };
}
