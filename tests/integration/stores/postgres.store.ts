import postgres from "postgres";
import { afterAll, test } from "vitest";
import { postgresStore } from "../../../examples/stores/postgres.ts";
import { checkStore } from "../../../src/testing/mod.ts";
import { startPostgres } from "./support/databases.ts";
import { createTableStatement } from "./support/header.ts";

const database = await startPostgres();
const sql = postgres(database.url);
afterAll(async () => {
  await sql.end();
  await database[Symbol.asyncDispose]();
});
await sql.unsafe(createTableStatement("postgres.ts"));

test("The store in Postgres keeps the contract of a store", async () => {
  await checkStore(postgresStore(sql));
});
