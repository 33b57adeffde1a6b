/**
 * Compiles only if the stores take the clients that no test here runs.
 *
 * @module
 */

import type { Client as NeonClient } from "@neondatabase/serverless";
import type { Redis as CloudflareUpstash } from "@upstash/redis/cloudflare";
import type { Redis as FastlyUpstash } from "@upstash/redis/fastly";
import type { Database } from "better-sqlite3";
import type { Client as WebLibsql } from "@libsql/client/web";
import type { PoolConnection as CallbackPoolConnection } from "mysql2";
import type { PoolConnection } from "mysql2/promise";
import type { PoolClient } from "pg";
import type { createSentinel } from "redis";
import { mysqlStore } from "../../../../src/stores/mysql.ts";
import { postgresStore } from "../../../../src/stores/postgres.ts";
import { redisStore } from "../../../../src/stores/redis.ts";
import { sqliteStore } from "../../../../src/stores/sqlite.ts";
import type { Store } from "../../../../src/stores/store.ts";

/** The clients. */
export interface Clients {
  readonly neonClient: NeonClient;
  readonly betterSqlite3: Database;
  readonly upstash: CloudflareUpstash | FastlyUpstash;
  readonly sentinel: ReturnType<typeof createSentinel>;
  readonly pgClient: PoolClient;
  readonly mysqlConnection: PoolConnection | CallbackPoolConnection;
  readonly webLibsql: WebLibsql;
}

/** Creates a store for each client. */
export function storesOf(clients: Clients): readonly Store[] {
  return [
    redisStore(clients.upstash),
    redisStore(clients.sentinel),
    postgresStore(clients.neonClient),
    postgresStore(clients.pgClient),
    mysqlStore(clients.mysqlConnection),
    sqliteStore(clients.betterSqlite3),
    sqliteStore(clients.webLibsql),
  ];
}
