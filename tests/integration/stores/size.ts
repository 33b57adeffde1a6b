/**
 * Measures the size of a million people in each database, each with one session and a token of `backgroundTokens`: saves the records of
 * some thousand people, and counts the bytes of the database.
 *
 * ```sh
 * npx -y deno@2.9.6 task --cwd tests/integration/stores size
 * ```
 *
 * @module
 */

import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createConnection } from "mysql2/promise";
import postgres from "postgres";
import { createClient } from "redis";
import { Login, MemoryStore, type SaveOptions, type Store } from "../../../mod.ts";
import { createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";
import { setup } from "./support/install.ts";
import { startMariaDb, startPostgres, startRedis } from "./support/databases.ts";
import { type ClientName, openStore } from "./support/open_store.ts";

const people = 10_000;
const million = 1_000_000;

/** The number of saves at the same time. */
const lanes = 8;

/** A record of a person. */
interface PersonRecord {
  readonly key: string;
  readonly value: unknown;
  readonly options: SaveOptions;
}

function gigabytes(bytesOfPerson: number): number {
  return Math.round(bytesOfPerson * million / 1e8) / 10;
}

/** Logs a person in, and returns their records that outlive the login. */
async function recordsOfLogin(): Promise<readonly PersonRecord[]> {
  const memory = new MemoryStore();
  const saved = new Map<string, PersonRecord>();
  const store: Store = {
    load: (key) => memory.load(key),
    save(key, value, options) {
      saved.set(key, { key, value, options });
      return memory.save(key, value, options);
    },
    delete: (key) => memory.delete(key),
  };
  const fake = createFakePlatform();
  const { id: clientId, secret: clientSecret } = sampleApplication;
  const login = new Login({
    clientId,
    clientSecret,
    secret: crypto.randomUUID(),
    scope: ["identify", "guilds"],
    store,
    backgroundTokens: true,
    ...fake,
  });
  await fake.login(async (request) => await login.handle(request), { as: "ada" });
  const hour = Date.now() + 3_600_000;
  return [...saved.values()].filter(({ options }) => (options.expiresAt ?? Infinity) > hour);
}

/** Saves the records of all people, each with other random characters of the same number, since the values are encrypted. */
async function fill(client: ClientName, url: string, records: readonly PersonRecord[]) {
  await using open = await openStore({ client, url });
  const { store } = open;
  await store.createTable?.();
  let next = 0;
  await Promise.all(Array.from({ length: lanes }, async () => {
    while (next++ < people) {
      for (const { key, value, options } of records) {
        await store.save(randomized(key), JSON.parse(randomized(JSON.stringify(value))), options);
      }
    }
  }));
}

/** Replaces each long base64url text by a random one. */
function randomized(text: string): string {
  return text.replaceAll(/[\w-]{16,}/g, ({ length }) => {
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    return bytes.toBase64({ alphabet: "base64url" }).slice(0, length);
  });
}

const databases: Record<string, (records: readonly PersonRecord[]) => Promise<number>> = {
  async Redis(records) {
    await using database = await startRedis();
    const redis = await createClient({ url: database.url }).connect();
    const usedMemory = async () =>
      Number(/^used_memory:(\d+)/m.exec(await redis.info("memory"))?.[1]);
    const before = await usedMemory();
    await fill("redis", database.url, records);
    const bytes = await usedMemory() - before;
    redis.destroy();
    return bytes;
  },
  async Postgres(records) {
    await using database = await startPostgres();
    const sql = postgres(database.url);
    await sql`alter database postgres set synchronous_commit = off`; // only faster
    await fill("postgres", database.url, records);
    const [row] = await sql`select pg_total_relation_size('guildpass_store') as bytes`;
    await sql.end();
    return Number(row?.bytes);
  },
  async MariaDB(records) {
    await using database = await startMariaDb();
    const connection = await createConnection(database.url);
    await connection.query("set global innodb_flush_log_at_trx_commit = 0"); // only faster
    await fill("mysql2", database.url, records);
    await connection.query("analyze table guildpass_store");
    const [rows] = await connection.query(
      "select data_length + index_length as bytes from information_schema.tables where table_name = 'guildpass_store'",
    );
    await connection.end();
    return Number(Object(rows)[0].bytes);
  },
  SQLite: (records) => ofFile("node:sqlite", records),
  "Deno KV": (records) => ofFile("deno kv", records),
};

async function ofFile(client: ClientName, records: readonly PersonRecord[]): Promise<number> {
  const folder = await mkdtemp(`${tmpdir()}/guildpass-size-`);
  try {
    await fill(client, `${folder}/store.db`, records);
    return (await stat(`${folder}/store.db`)).size;
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) {
  setup();
  const records = await recordsOfLogin();
  const textBytes = records.reduce(
    (sum, { key, value }) => sum + key.length + JSON.stringify(value).length,
    0,
  );
  const rows = [{ database: "keys and values alone", gigabytes: gigabytes(textBytes) }];
  for (const [database, measure] of Object.entries(databases)) {
    rows.push({ database, gigabytes: gigabytes(await measure(records) / people) });
  }
  console.log(`${records.length} records for each person, measured with ${people} people`);
  console.table(rows);
}
