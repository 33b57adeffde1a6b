import { sql as drizzleSql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import { Kysely, sql as kyselySql } from "kysely";
import { PostgresJSDialect } from "kysely-postgres-js";
import postgres from "postgres";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { postgresStore } from "../../../examples/stores/postgres.ts";
import { checkStore } from "../../../src/testing/mod.ts";
import { startPostgres } from "./support/databases.ts";
import { createTableStatement } from "./support/header.ts";

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
  await sql.unsafe(createTableStatement("postgres.ts"));
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
