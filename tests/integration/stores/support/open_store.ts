/**
 * Opens stores by name, each with a client of its own. A process loads only the packages that it uses.
 *
 * @module
 */

import type { SqlStore } from "../../../../src/stores/sql_store.ts";
import type { Store } from "../../../../src/stores/store.ts";

/** An open store. */
export interface OpenStore extends AsyncDisposable {
  readonly store: Store & Partial<SqlStore>;
}

/** A client and the address of its database. */
export interface StoreAddress {
  readonly client: ClientName;
  /** The URL of the database, or the path of its file. */
  readonly url: string;
}

/** Opens a store. */
export async function openStore({ client, url }: StoreAddress): Promise<OpenStore> {
  const [store, close] = await clients[client](url);
  return {
    store,
    [Symbol.asyncDispose]: async () => {
      await close();
    },
  };
}

/** The name of a client. */
export type ClientName = keyof typeof clients;

const clients = {
  async redis(url: string) {
    const { createClient } = await import("redis");
    const { redisStore } = await import("../../../../src/stores/redis.ts");
    const client = await createClient({ url }).on("error", () => {}).connect();
    return [redisStore(client), () => client.destroy()];
  },
  async ioredis(url: string) {
    const { Redis } = await import("ioredis");
    const { redisStore } = await import("../../../../src/stores/redis.ts");
    const client = new Redis(url).on("error", () => {});
    return [redisStore(client), () => client.disconnect()];
  },
  async "redis cluster"(url: string) {
    const { createCluster } = await import("redis");
    const { redisStore } = await import("../../../../src/stores/redis.ts");
    const { hostname: host, port } = new URL(url);
    // The node states its own address, which is not that of a proxy.
    const nodeAddressMap = () => ({ host, port: Number(port) });
    const cluster = createCluster({ rootNodes: [{ url }], nodeAddressMap }).on("error", () => {});
    await cluster.connect();
    return [redisStore(cluster), () => cluster.destroy()];
  },
  async "ioredis cluster"(url: string) {
    const { Cluster } = await import("ioredis");
    const { redisStore } = await import("../../../../src/stores/redis.ts");
    const { hostname: host, port } = new URL(url);
    const cluster = new Cluster([url], { natMap: () => ({ host, port: Number(port) }) })
      .on("error", () => {});
    return [redisStore(cluster), () => cluster.disconnect()];
  },
  async upstash(url: string) {
    const { Redis } = await import("@upstash/redis");
    const { redisStore } = await import("../../../../src/stores/redis.ts");
    return [redisStore(new Redis({ url, token: "token" })), () => {}];
  },
  async postgres(url: string) {
    const { default: postgres } = await import("postgres");
    const { postgresStore } = await import("../../../../src/stores/postgres.ts");
    const sql = postgres(url, { onnotice: () => {}, fetch_types: false });
    return [postgresStore(sql), () => sql.end({ timeout: 0 })];
  },
  async pg(url: string) {
    const { default: pg } = await import("pg");
    const { postgresStore } = await import("../../../../src/stores/postgres.ts");
    const pool = new pg.Pool({ connectionString: url }).on("error", () => {});
    return [postgresStore(pool), () => pool.end()];
  },
  async neon(url: string) {
    const { neon, neonConfig } = await import("@neondatabase/serverless");
    const { postgresStore } = await import("../../../../src/stores/postgres.ts");
    neonConfig.fetchEndpoint = (host, port) => `http://${host}:${port}/sql`;
    return [postgresStore(neon(url)), () => {}];
  },
  async "neon pool"(url: string) {
    const { neonConfig, Pool } = await import("@neondatabase/serverless");
    const { postgresStore } = await import("../../../../src/stores/postgres.ts");
    neonConfig.wsProxy = (host, port) => `${host}:${port}/v2`;
    neonConfig.useSecureWebSocket = false;
    neonConfig.pipelineConnect = false; // the Postgres of the tests asks for no password
    const pool = new Pool({ connectionString: url }).on("error", () => {});
    return [postgresStore(pool), () => pool.end()];
  },
  async mysql2(url: string) {
    const { createPool } = await import("mysql2/promise");
    const { mysqlStore } = await import("../../../../src/stores/mysql.ts");
    const pool = createPool(url);
    return [mysqlStore(pool), () => pool.end()];
  },
  async "node:sqlite"(path: string) {
    const { DatabaseSync } = await import("node:sqlite");
    const { sqliteStore } = await import("../../../../src/stores/sqlite.ts");
    const database = new DatabaseSync(path, { timeout: 30_000 });
    return [sqliteStore(database), () => database.close()];
  },
  async libsql(path: string) {
    const { createClient } = await import("@libsql/client");
    const { sqliteStore } = await import("../../../../src/stores/sqlite.ts");
    const client = createClient({ url: `file:${path}`, timeout: 30_000 });
    return [sqliteStore(client), () => client.close()];
  },
  async turso(url: string) {
    const { createClient } = await import("@libsql/client");
    const { sqliteStore } = await import("../../../../src/stores/sqlite.ts");
    const client = createClient({ url, authToken: "token" });
    return [sqliteStore(client), () => client.close()];
  },
  async "turso serverless"(url: string) {
    const { createClient } = await import("@tursodatabase/serverless/compat");
    const { sqliteStore } = await import("../../../../src/stores/sqlite.ts");
    const client = createClient({ url, authToken: "token" });
    return [sqliteStore(client), () => client.close()];
  },
  async "deno kv"(path: string) {
    const { denoKvStore } = await import("../../../../src/stores/deno_kv.ts");
    const kv = await Deno.openKv(path);
    return [denoKvStore(kv), () => kv.close()];
  },
  async d1(url: string) {
    const { workerStore } = await import("./worker_client.ts");
    return [workerStore(url, "d1"), () => {}];
  },
  async "durable object"(url: string) {
    const { workerStore } = await import("./worker_client.ts");
    return [workerStore(url, "durable object"), () => {}];
  },
  /** A store that breaks the contract, to test the tests: it compares and writes in two steps. */
  async "two steps"(url: string) {
    const { createClient } = await import("redis");
    const client = await createClient({ url }).connect();
    const load = async (key: string) => JSON.parse(await client.get(key) ?? "null");
    const store: Store = {
      load,
      async save(key, value, options) {
        if (((await load(key))?.version ?? null) !== options.version) return null;
        const version = crypto.randomUUID();
        await client.set(key, JSON.stringify({ value, version }));
        return version;
      },
      async delete(key) {
        await client.del(key);
      },
    };
    return [store, () => client.destroy()];
  },
} satisfies Record<string, (url: string) => Promise<[Store, () => unknown]>>;
