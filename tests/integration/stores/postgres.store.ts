import { sql as drizzleSql } from "drizzle-orm";
import { drizzle as drizzlePg } from "drizzle-orm/node-postgres";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { Kysely, PostgresDialect, sql as kyselySql } from "kysely";
import { PostgresJSDialect } from "kysely-postgres-js";
import { neon } from "@neondatabase/serverless";
import pg from "pg";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import postgres from "postgres";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { postgresStore, postgresTable } from "../../../src/stores/postgres.ts";
import { checkStore } from "../../../src/testing/mod.ts";
import { startPostgres } from "./support/databases.ts";
import { serveNeon } from "./support/neon_server.ts";
import { openStore } from "./support/open_store.ts";

const database = await startPostgres();
afterAll(() => database[Symbol.asyncDispose]());

/** Opens a client for one test. */
function open<Types extends Record<string, postgres.PostgresType>>(
  options?: postgres.Options<Types>,
) {
  const sql = postgres(database.url, options);
  onTestFinished(() => sql.end());
  return sql;
}

beforeAll(async () => {
  const sql = postgres(database.url);
  const store = postgresStore(sql);
  // Several processes may start at once.
  await Promise.all(Array.from({ length: 10 }, () => store.createTable()));
  await sql.end();
});

test("The store in Postgres keeps the contract of a store", async () => {
  await checkStore(postgresStore(open()));
});

test("The store in Postgres shares its client with drizzle", async () => {
  const sql = open();
  const db = drizzle(sql);
  await db.execute(drizzleSql`select now()`);
  await checkStore(postgresStore(sql));
  const [row] = await db.execute(drizzleSql`select now() as time`);
  expect(row?.time).toEqual(expect.any(String));
});

test("The store in Postgres takes the table of a migration of drizzle", async () => {
  const folder = await mkdtemp(`${tmpdir()}/guildpass-migrations-`);
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(`${folder}/meta`);
  const entry = { idx: 0, version: "7", when: 1, tag: "0000_guildpass_store", breakpoints: true };
  const journal = { version: "7", dialect: "postgresql", entries: [entry] };
  await writeFile(`${folder}/meta/_journal.json`, JSON.stringify(journal));
  const table = "of_migration";
  await writeFile(`${folder}/${entry.tag}.sql`, postgresTable({ table }));
  const sql = open({ onnotice: () => {} });
  await migrate(drizzle(sql), { migrationsFolder: folder });
  await checkStore(postgresStore(sql, { table }));
});

test("The store in Postgres shares its client with kysely", async () => {
  const sql = open();
  const db = new Kysely({ dialect: new PostgresJSDialect({ postgres: sql }) });
  const readTime = async () => (await kyselySql`select now() as time`.execute(db)).rows;
  expect(await readTime()).toEqual([{ time: expect.any(Date) }]);
  await checkStore(postgresStore(sql));
  expect(await readTime()).toEqual([{ time: expect.any(Date) }]);
});

test.each<[string, postgres.Options<Record<string, postgres.PostgresType>>]>([
  ["camel case", { transform: postgres.camel }],
  ["Pascal case", { transform: postgres.pascal }],
  ["upper case", { transform: { column: { from: (name) => name.toUpperCase() } } }],
  ["prepared statements off", { prepare: false }],
  [
    "dates of its own",
    {
      types: {
        date: {
          to: 1184,
          from: [1082, 1114, 1184],
          serialize: (date: Date) => date.toJSON(),
          parse: (text: string) => new Date(text),
        },
      },
    },
  ],
  ["large numbers as bigints", { types: { bigint: postgres.BigInt } }],
])("The store in Postgres takes a client that has %s", async (_what, options) => {
  await checkStore(postgresStore(open(options)));
});

test.each([
  ["no settings", {}],
  ["dates and numbers of its own", {
    types: { getTypeParser: () => (text: unknown) => `converted ${text}` },
  }],
])("The store in Postgres takes a pool of pg that has %s", async (_what, options) => {
  const pool = new pg.Pool({ connectionString: database.url, ...options });
  onTestFinished(() => pool.end());
  await checkStore(postgresStore(pool));
});

test("The store in Postgres takes a client of pg", async () => {
  const client = new pg.Client(database.url);
  await client.connect();
  onTestFinished(() => client.end());
  await checkStore(postgresStore(client));
});

test("The store in Postgres shares a pool of pg with drizzle and kysely", async () => {
  const pool = new pg.Pool({ connectionString: database.url });
  onTestFinished(() => pool.end());
  const db = drizzlePg(pool);
  const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) });
  const expectOwnTypes = async () => {
    const { rows } = await db.execute(drizzleSql`select now() as time`);
    expect(rows).toEqual([{ time: expect.any(String) }]);
    const result = await kyselySql`select now() as time`.execute(kysely);
    expect(result.rows).toEqual([{ time: expect.any(Date) }]);
  };
  await expectOwnTypes();
  await checkStore(postgresStore(pool));
  await expectOwnTypes();
});

test.each(["neon", "neon pool"] as const)(
  "The store in Postgres takes the client %s, in front of a server that speaks Neon's protocol",
  async (client) => {
    await using server = serveNeon(database.url);
    await using open = await openStore({ client, url: server.url });
    await open.store.createTable?.();
    await checkStore(open.store);
  },
);

test.each([
  ["rows as lists", { arrayMode: true }],
  ["whole results", { fullResults: true }],
  ["values of its own", { types: { getTypeParser: () => (text: unknown) => `converted ${text}` } }],
])("The store in Postgres takes neon() with the setting %s", async (_what, options) => {
  await using server = serveNeon(database.url);
  // This sets the address of the server.
  await using _open = await openStore({ client: "neon", url: server.url });
  await checkStore(postgresStore(neon(server.url, options)));
});

test("The store in Postgres works in transactions that are serializable", async () => {
  const sql = open({ connection: { default_transaction_isolation: "serializable" } });
  const store = postgresStore(sql);
  await checkStore(store);
  const version = await store.save("counted", 0, { version: null });
  const saves = Array.from({ length: 20 }, () => store.save("counted", 1, { version }));
  const versions = await Promise.all(saves);
  expect(versions.filter((one) => one !== null)).toHaveLength(1);
});

test("removeExpired() of the store in Postgres deletes expired rows", async () => {
  const store = postgresStore(open(), { table: "to_clean" });
  await store.createTable();
  await store.save("ended", 1, { version: null, expiresAt: Date.now() - 1 });
  await store.save("open", 1, { version: null, expiresAt: Date.now() + 60_000 });
  await store.save("endless", 1, { version: null });
  expect(await store.removeExpired()).toBe(1);
  expect(await store.removeExpired()).toBe(0);
  expect(await store.load("open")).not.toBeNull();
  expect(await store.load("endless")).not.toBeNull();
});

test("Postgres confirms a save by default when it is on the disk, as docs/stores.md says", async () => {
  const settings = await open()`select name, setting from pg_settings
    where name in ('fsync', 'synchronous_commit') order by name`;
  expect([...settings]).toEqual([
    { name: "fsync", setting: "on" },
    { name: "synchronous_commit", setting: "on" },
  ]);
});
