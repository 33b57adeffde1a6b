import postgres from "postgres";
import { afterAll } from "vitest";
import { postgresStore } from "../../../examples/stores/postgres.ts";
import { testStoreContract } from "../../stores/store_contract.ts";
import { startPostgres } from "./support/databases.ts";
import { createTableStatement } from "./support/header.ts";

const database = await startPostgres();
const sql = postgres(database.url);
afterAll(async () => {
  await sql.end();
  await database[Symbol.asyncDispose]();
});
await sql.unsafe(createTableStatement("postgres.ts"));

testStoreContract("The store in Postgres", () => Promise.resolve(postgresStore(sql)));
