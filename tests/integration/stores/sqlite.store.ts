import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { afterAll, expect, test } from "vitest";
import { sqliteStore } from "../../../examples/stores/sqlite.ts";
import { checkStore } from "../../../src/testing/mod.ts";
import { createTableStatement } from "./support/header.ts";

const folder = await mkdtemp(`${tmpdir()}/guildpass-sqlite-`);
const open = () => new DatabaseSync(`${folder}/guildpass.db`, { timeout: 5000 });
const databases = [open(), open()] as const;
afterAll(async () => {
  for (const database of databases) database.close();
  await rm(folder, { recursive: true });
});
databases[0].exec(createTableStatement("sqlite.ts"));

test("The store in SQLite keeps the contract of a store", async () => {
  await checkStore(sqliteStore(databases[0]));
});

test("Two connections to one file share its values, and only one of them creates a key", async () => {
  const [one, other] = databases.map(sqliteStore);
  const versions = await Promise.all(
    [one, other].map((store) => store?.save("key", { at: 1 }, { version: null })),
  );
  expect(versions.filter((version) => version !== null)).toHaveLength(1);
  expect((await other?.load("key"))?.value).toEqual({ at: 1 });
});
