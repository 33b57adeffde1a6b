/**
 * The databases of the soak: each is started, opened by the processes of the application, troubled, and examined.
 *
 * @module
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { denoKvStore } from "../../../src/stores/deno_kv.ts";
import { mysqlStore } from "../../../src/stores/mysql.ts";
import { postgresStore } from "../../../src/stores/postgres.ts";
import { redisStore } from "../../../src/stores/redis.ts";
import { sqliteStore } from "../../../src/stores/sqlite.ts";
import type { Store } from "../../../src/stores/store.ts";
import {
  startMariaDb,
  startPostgres,
  startRedis,
} from "../../../tests/integration/stores/support/databases.ts";
import {
  startTcpProxy,
  type TcpProxy,
} from "../../../tests/integration/stores/support/tcp_proxy.ts";
import type { DebianPackage } from "../../debian_packages.ts";

/** The kind of a database, and its address for the processes of the application. */
export interface DatabaseAddress {
  readonly kind: DatabaseKind;
  /** The URL, or the path of a file. */
  readonly url: string;
}

/** A running database. */
export interface SoakDatabase extends AsyncDisposable {
  readonly address: DatabaseAddress;
  /** The name with the version, as in `Redis 7.0.15`. */
  readonly name: string;
  /** Lets it respond to nobody for a time, in real milliseconds; `null` if it can't do that. */
  readonly pause: ((milliseconds: number) => Promise<void>) | null;
  /** Cuts all connections of the application; `null` if it has none. */
  readonly cut: (() => void) | null;
  /**
   * Deletes the values whose end has passed in the simulated time, and returns their number. Redis and Deno KV delete them by the real
   * time, which is behind; the others never do.
   */
  deleteEnded(now: number): Promise<number>;
  keys(): Promise<readonly string[]>;
}

/** A running database without its address. */
type Examined = Omit<SoakDatabase, "address"> & { readonly url: string };

interface Kind {
  /** Its source. */
  readonly store: string;
  /** The packages with its server. */
  readonly packages: readonly DebianPackage[];
  readonly start: () => Promise<Examined>;
  /** Opens its store in a process of the application. */
  readonly open: (url: string) => Promise<Store>;
}

/** Starts a database with an empty store. */
export async function startDatabase(kind: DatabaseKind): Promise<SoakDatabase> {
  const { url, ...database } = await databaseKinds[kind].start();
  return { ...database, address: { kind, url } };
}

/** Opens the store in a process of the application. */
export async function openStore({ kind, url }: DatabaseAddress): Promise<Store> {
  return await databaseKinds[kind].open(url);
}

export const databaseKinds = {
  redis: {
    store: "redis.ts",
    packages: [{ name: "redis-server", program: "/usr/bin/redis-server" }],
    start: startSoakRedis,
    async open(url) {
      const { createClient } = await import("redis");
      // Connections that are cut are part of the soak, and the client connects again.
      return redisStore(await createClient({ url }).on("error", () => {}).connect());
    },
  },
  postgres: {
    store: "postgres.ts",
    packages: [{ name: "postgresql", program: "/usr/bin/pg_ctlcluster" }],
    start: startSoakPostgres,
    async open(url) {
      const { default: postgres } = await import("postgres");
      return postgresStore(postgres(url, { fetch_types: false }));
    },
  },
  mariadb: {
    store: "mysql.ts",
    packages: [{ name: "mariadb-server", program: "/usr/sbin/mariadbd" }],
    start: startSoakMariaDb,
    async open(url) {
      const { createPool } = await import("mysql2/promise");
      return mysqlStore(createPool(url));
    },
  },
  sqlite: {
    store: "sqlite.ts",
    packages: [],
    start: startSoakSqlite,
    async open(url) {
      const { DatabaseSync } = await import("node:sqlite");
      return sqliteStore(new DatabaseSync(url, { timeout: 5000 }));
    },
  },
  "deno-kv": {
    store: "deno_kv.ts",
    packages: [],
    start: startSoakDenoKv,
    open: async (url) => denoKvStore(await Deno.openKv(url)),
  },
} satisfies Record<string, Kind>;

export type DatabaseKind = keyof typeof databaseKinds;

async function startSoakRedis(): Promise<Examined> {
  await using opened = new AsyncDisposableStack();
  const { url } = opened.use(await startRedis());
  const proxy = opened.use(await startTcpProxy(url));
  const { createClient } = await import("redis");
  const redis = await createClient({ url }).on("error", () => {}).connect();
  opened.defer(() => redis.destroy());
  const script = `
    local deleted = 0
    for _, key in ipairs(redis.call("KEYS", "*")) do
      local ends = redis.call("PEXPIRETIME", key)
      if ends > 0 and ends <= tonumber(ARGV[1]) then deleted = deleted + redis.call("DEL", key) end
    end
    return deleted`;
  const version = /redis_version:(\S+)/.exec(String(await redis.info("server")))?.[1];
  return {
    ...troubles(proxy),
    name: `Redis ${version}`,
    deleteEnded: async (now) => Number(await redis.eval(script, { arguments: [whole(now)] })),
    keys: () => redis.keys("*"),
    ...closing(opened),
  };
}

async function startSoakPostgres(): Promise<Examined> {
  await using opened = new AsyncDisposableStack();
  const { url } = opened.use(await startPostgres());
  const proxy = opened.use(await startTcpProxy(url));
  const { default: postgres } = await import("postgres");
  const sql = postgres(url);
  opened.defer(() => sql.end({ timeout: 0 }));
  await postgresStore(sql).createTable();
  const [row] = await sql`show server_version`;
  return {
    ...troubles(proxy),
    name: `PostgreSQL ${String(row?.server_version).split(" ")[0]}`,
    deleteEnded: async (now) =>
      (await sql`delete from guildpass_store where expires_at <= ${whole(now)}`).count,
    keys: async () => (await sql`select key from guildpass_store`).map(({ key }) => String(key)),
    ...closing(opened),
  };
}

async function startSoakMariaDb(): Promise<Examined> {
  await using opened = new AsyncDisposableStack();
  const { url } = opened.use(await startMariaDb());
  const proxy = opened.use(await startTcpProxy(url));
  const { createPool } = await import("mysql2/promise");
  const pool = createPool({ uri: url, rowsAsArray: true });
  opened.defer(() => pool.end());
  await mysqlStore(pool).createTable();
  const read = async (sql: string) => {
    const [rows] = await pool.query(sql);
    return (rows as unknown[][]).map(([first]) => String(first));
  };
  return {
    ...troubles(proxy),
    name: `MariaDB ${(await read("select version()"))[0]?.split("-")[0]}`,
    async deleteEnded(now) {
      const sql = "delete from guildpass_store where expires_at <= ?";
      const [result] = await pool.execute(sql, [whole(now)]);
      return Number(Object(result).affectedRows);
    },
    keys: () => read("select `key` from guildpass_store"),
    ...closing(opened),
  };
}

async function startSoakSqlite(): Promise<Examined> {
  await using opened = new AsyncDisposableStack();
  const url = `${await newFolder(opened)}/soak.sqlite`;
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(url, { timeout: 30_000 });
  opened.defer(() => database.close());
  await sqliteStore(database).createTable();
  const remove = database.prepare("delete from guildpass_store where expires_at <= ?");
  const version = database.prepare("select sqlite_version() as version").get()?.version;
  return {
    url,
    name: `SQLite ${version}`,
    // Another program has locked the file.
    async pause(milliseconds) {
      database.exec("begin immediate");
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      database.exec("rollback");
    },
    cut: null,
    deleteEnded: (now) => Promise.resolve(Number(remove.run(now).changes)),
    keys: () => {
      const rows = database.prepare("select key from guildpass_store").all();
      return Promise.resolve(rows.map(({ key }) => String(key)));
    },
    ...closing(opened),
  };
}

async function startSoakDenoKv(): Promise<Examined> {
  await using opened = new AsyncDisposableStack();
  const url = `${await newFolder(opened)}/soak.sqlite`;
  const kv = await Deno.openKv(url);
  opened.defer(() => kv.close());
  const entries = () => Array.fromAsync(kv.list<{ expiresAt: number }>({ prefix: ["guildpass"] }));
  return {
    url,
    name: `Deno KV of Deno ${Deno.version.deno}`,
    pause: null,
    cut: null,
    async deleteEnded(now) {
      const ended = (await entries()).filter(({ value }) => value.expiresAt <= now);
      for (const { key } of ended) await kv.delete(key);
      return ended.length;
    },
    keys: async () => (await entries()).map(({ key }) => String(key[1])),
    ...closing(opened),
  };
}

/** Returns the troubles that a proxy makes. */
function troubles(proxy: TcpProxy): Pick<Examined, "url" | "pause" | "cut"> {
  return {
    url: proxy.url,
    async pause(milliseconds) {
      const release = proxy.hold();
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      release();
    },
    cut: () => proxy.breakAll(),
  };
}

/** Returns what closes everything that was opened. */
function closing(opened: AsyncDisposableStack): AsyncDisposable {
  const all = opened.move();
  return { [Symbol.asyncDispose]: () => all.disposeAsync() };
}

async function newFolder(opened: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(`${tmpdir()}/guildpass-soak-`);
  opened.defer(() => rm(folder, { recursive: true }));
  return folder;
}

/** Returns a time in whole milliseconds, as text. */
function whole(now: number): string {
  return String(Math.floor(now));
}
