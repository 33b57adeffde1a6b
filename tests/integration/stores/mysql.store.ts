import { drizzle } from "drizzle-orm/mysql2";
import { sql as drizzleSql } from "drizzle-orm";
import { Kysely, MysqlDialect, sql as kyselySql } from "kysely";
import {
  createConnection as createCallbackConnection,
  createPool as createCallbackPool,
} from "mysql2";
import { createConnection, createPool, type PoolOptions } from "mysql2/promise";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { mysqlStore } from "../../../src/stores/mysql.ts";
import { checkStore } from "../../../src/testing/mod.ts";
import { startMariaDb } from "./support/databases.ts";

const database = await startMariaDb();
const { url: uri } = database;
afterAll(() => database[Symbol.asyncDispose]());

/** Opens a pool for one test. */
function open(options: PoolOptions = {}) {
  const pool = createPool({ uri, ...options });
  onTestFinished(() => pool.end());
  return pool;
}

test("createTable() of the store in MariaDB creates the table once, from several processes", async () => {
  const store = mysqlStore(open());
  await Promise.all(Array.from({ length: 10 }, () => store.createTable()));
  await checkStore(store);
});

test("The store in MariaDB takes a connection", async () => {
  const connection = await createConnection(uri);
  onTestFinished(() => connection.end());
  const store = mysqlStore(connection, { table: "of_connection" });
  await store.createTable();
  await checkStore(store);
});

test.each([["pool", createCallbackPool], ["connection", createCallbackConnection]])(
  "The store in MariaDB takes a %s with callbacks",
  async (_what, create) => {
    const client = create(uri);
    onTestFinished(() => client.end(() => {}));
    const store = mysqlStore(client);
    await store.createTable();
    await checkStore(store);
  },
);

test.each<[string, PoolOptions]>([
  ["numbers as texts", { supportBigNumbers: true, bigNumberStrings: true }],
  ["rows as arrays", { rowsAsArray: true }],
  ["names in place of positions", { namedPlaceholders: true }],
  ["rows by table", { nestTables: true }],
  ["a conversion of its own", { typeCast: () => "converted" }],
  ["only changed rows counted", { flags: ["-FOUND_ROWS"] }],
  ["another character set", { charset: "latin1" }],
])("The store in MariaDB takes a client that has %s", async (_what, options) => {
  const store = mysqlStore(open(options));
  await store.createTable();
  await checkStore(store);
});

test.each(["NO_BACKSLASH_ESCAPES", "ANSI_QUOTES,STRICT_ALL_TABLES"])(
  "The store in MariaDB works in the mode %s",
  async (mode) => {
    const pool = open({ connectionLimit: 1 });
    await pool.query(`set session sql_mode = '${mode}'`);
    const store = mysqlStore(pool);
    await store.createTable();
    await checkStore(store);
  },
);

test("The store in MariaDB shares its client with drizzle and kysely", async () => {
  const pool = createCallbackPool(uri);
  onTestFinished(() => pool.end(() => {}));
  const db = drizzle({ client: pool });
  const kysely = new Kysely({ dialect: new MysqlDialect({ pool }) });
  const expectOwnTypes = async () => {
    const [rows] = await db.execute(drizzleSql`select now() as time`);
    expect(rows).toEqual([{ time: expect.any(String) }]);
    const result = await kyselySql`select now() as time`.execute(kysely);
    expect(result.rows).toEqual([{ time: expect.any(Date) }]);
  };
  await expectOwnTypes();
  const store = mysqlStore(pool);
  await store.createTable();
  await checkStore(store);
  await expectOwnTypes();
});

test("Of many saves at once, one creates a key, also after the old value has expired", async () => {
  const store = mysqlStore(open());
  await store.createTable();
  // Longer than twenty saves take on a busy machine, so that the first value has not expired before the last save.
  const lifetime = 3000;
  const create = () =>
    store.save("key", { at: 1 }, { version: null, expiresAt: Date.now() + lifetime });
  for (let round = 0; round < 3; round++) {
    const versions = await Promise.all(Array.from({ length: 20 }, create));
    expect(versions.filter((version) => version !== null)).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, lifetime + 100));
  }
  expect(await store.removeExpired()).toBe(1);
});

test("A version in MariaDB differs from one with a space at its end, and from one in capitals", async () => {
  const store = mysqlStore(open());
  await store.createTable();
  const version = await store.save("versions", 1, { version: null }) ?? "";
  for (const other of [`${version} `, version.toUpperCase(), version.slice(0, -1)]) {
    expect(await store.save("versions", 2, { version: other })).toBeNull();
  }
  expect(await store.load("versions")).toEqual({ value: 1, version });
  expect(await store.save("versions", 2, { version })).not.toBeNull();
});

test("MariaDB confirms a save by default when it is on the disk, as docs/stores.md says", async () => {
  const [rows] = await open().query("select @@innodb_flush_log_at_trx_commit as flush");
  expect(rows).toEqual([{ flush: 1 }]);
});
