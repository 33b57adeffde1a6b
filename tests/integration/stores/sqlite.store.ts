import { sql as drizzleSql } from "drizzle-orm";
import { createClient } from "@libsql/client";
import { Database as TursoDatabase } from "@tursodatabase/database/compat";
import { drizzle as drizzleLibsql } from "drizzle-orm/libsql";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { Kysely, sql as kyselySql, SqliteDialect } from "kysely";
import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync, type DatabaseSyncOptions, type SQLInputValue } from "node:sqlite";
import { tmpdir } from "node:os";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { sqliteStore, sqliteTable } from "../../../src/stores/sqlite.ts";
import { checkStore } from "../../../src/testing/mod.ts";
import { openStore } from "./support/open_store.ts";
import { typeErrors } from "./support/type_errors.ts";
import { serveTurso } from "./support/turso_server.ts";

const folder = await mkdtemp(`${tmpdir()}/guildpass-sqlite-`);
const open = () => new DatabaseSync(`${folder}/guildpass.db`, { timeout: 5000 });
const databases = [open(), open()] as const;
afterAll(async () => {
  for (const database of databases) database.close();
  await rm(folder, { recursive: true });
});
await sqliteStore(databases[0]).createTable();

test("The store in SQLite keeps the contract of a store", async () => {
  await checkStore(sqliteStore(databases[0]));
});

/** Opens a database of its own for a test. */
function openInMemory(options: DatabaseSyncOptions = {}): DatabaseSync {
  const database = new DatabaseSync(":memory:", options);
  onTestFinished(() => database.close());
  database.exec(sqliteTable());
  return database;
}

test.each([
  ["rows as arrays", { returnArrays: true }],
  ["numbers as bigints", { readBigInts: true }],
])("The store in SQLite takes a connection that has %s", async (_what, options) => {
  await checkStore(sqliteStore(openInMemory(options)));
});

test("The store in SQLite shares its connection with drizzle", async () => {
  const database = openInMemory();
  const db = drizzle((text, parameters, method) => {
    const statement = database.prepare(text);
    statement.setReturnArrays(true);
    if (method === "run") statement.run(...parameters);
    return Promise.resolve({ rows: method === "run" ? [] : statement.all(...parameters) });
  });
  const readOne = () => db.values(drizzleSql`select 1`);
  expect(await readOne()).toEqual([[1]]);
  await checkStore(sqliteStore(database));
  expect(await readOne()).toEqual([[1]]);
});

test("The store in SQLite shares its connection with kysely", async () => {
  const database = openInMemory();
  const db = new Kysely({
    dialect: new SqliteDialect({
      database: {
        close: () => {},
        prepare(text) {
          const statement = database.prepare(text);
          const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
          return {
            reader: statement.columns().length > 0,
            all: (parameters) => statement.all(...values(parameters)),
            run: (parameters) => statement.run(...values(parameters)),
            iterate: (parameters) => statement.iterate(...values(parameters)),
          };
        },
      },
    }),
  });
  const readOne = async () => (await kyselySql`select 1 as one`.execute(db)).rows;
  expect(await readOne()).toEqual([{ one: 1 }]);
  await checkStore(sqliteStore(database));
  expect(await readOne()).toEqual([{ one: 1 }]);
});

test("Two connections to one file share its values, and only one of them creates a key", async () => {
  const [one, other] = databases.map((database) => sqliteStore(database));
  const versions = await Promise.all(
    [one, other].map((store) => store?.save("key", { at: 1 }, { version: null })),
  );
  expect(versions.filter((version) => version !== null)).toHaveLength(1);
  expect((await other?.load("key"))?.value).toEqual({ at: 1 });
});

test("The store in SQLite takes a client of libSQL, and shares it with drizzle", async () => {
  const client = createClient({ url: `file:${folder}/libsql.db` });
  onTestFinished(() => client.close());
  const db = drizzleLibsql(client);
  const readOne = () => db.all(drizzleSql`select 1 as one`);
  expect(await readOne()).toEqual([{ one: 1 }]);
  const store = sqliteStore(client);
  await store.createTable();
  await checkStore(store);
  expect(await readOne()).toEqual([{ one: 1 }]);
});

test("The store in SQLite takes a database of @tursodatabase/database/compat", async () => {
  const database = new TursoDatabase(`${folder}/turso-embedded.db`);
  onTestFinished(() => database.close());
  const store = sqliteStore(database);
  await store.createTable();
  await checkStore(store);
});

test.each(["turso", "turso serverless"] as const)(
  "The store in SQLite takes the client %s, in front of a server that speaks Turso's protocol",
  async (client) => {
    await using server = await serveTurso(`${folder}/turso.db`);
    await using open = await openStore({ client, url: server.origin });
    await open.store.createTable?.();
    await checkStore(open.store);
  },
);

test("SQLite confirms a save by default when it is on the disk, as docs/stores.md says", () => {
  const full = 2;
  expect(databases[0].prepare("pragma synchronous").get()).toEqual({ synchronous: full });
});

test("The store in SQLite compiles with the types of bun:sqlite", () => {
  expect(typeErrors("bun_client.ts", "bun-types")).toEqual([]);
});
