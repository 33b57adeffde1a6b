/**
 * Compiles only if the stores take the clients that no test here runs.
 *
 * @module
 */

import type { Client as NeonClient, NeonQueryFunction, Pool } from "@neondatabase/serverless";
import type { Database } from "better-sqlite3";
import { postgresStore } from "../../../../src/stores/postgres.ts";
import { sqliteStore } from "../../../../src/stores/sqlite.ts";
import type { Store } from "../../../../src/stores/store.ts";

/** The clients. */
export interface Clients {
  readonly neon: NeonQueryFunction<false, false> | NeonQueryFunction<true, true>;
  readonly neonPool: Pool | NeonClient;
  readonly betterSqlite3: Database;
}

/** Creates a store for each client. */
export function storesOf({ neon, neonPool, betterSqlite3 }: Clients): readonly Store[] {
  return [postgresStore(neon), postgresStore(neonPool), sqliteStore(betterSqlite3)];
}
