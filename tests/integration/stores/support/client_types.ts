/**
 * Compiles only if the stores take the clients that no test here runs.
 *
 * @module
 */

import type { Client as NeonClient } from "@neondatabase/serverless";
import type { Database } from "better-sqlite3";
import { postgresStore } from "../../../../src/stores/postgres.ts";
import { sqliteStore } from "../../../../src/stores/sqlite.ts";
import type { Store } from "../../../../src/stores/store.ts";

/** The clients. */
export interface Clients {
  readonly neonClient: NeonClient;
  readonly betterSqlite3: Database;
}

/** Creates a store for each client. */
export function storesOf({ neonClient, betterSqlite3 }: Clients): readonly Store[] {
  return [postgresStore(neonClient), sqliteStore(betterSqlite3)];
}
