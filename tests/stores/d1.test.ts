import { describe, expect, test } from "vitest";
import { type D1Client, d1Store, d1Table } from "../../src/stores/d1.ts";
import { checkStore } from "../../src/testing/mod.ts";
import { openSqlite, runStatement, type TestDatabase } from "../support/sqlite.ts";

// D1 itself is tested in workerd, in tests/integration/stores.

function d1(database: TestDatabase): D1Client {
  return {
    prepare: (text) => ({
      bind: (...values) => ({
        ...d1(database).prepare(text),
        raw: () =>
          Promise.resolve(runStatement(database, text, values).rows.map((row) => [...row])),
        run: () =>
          Promise.resolve({ meta: { changes: runStatement(database, text, values).count } }),
      }),
      raw: () => Promise.reject(new Error("without values")),
      run: () => Promise.reject(new Error("without values")),
    }),
  };
}

describe("d1Store", () => {
  test("keeps the contract of a store", async () => {
    const store = d1Store(d1(await openSqlite()));
    await store.createTable();
    await checkStore(store);
  });

  test("works with the table of a migration", async () => {
    const database = await openSqlite();
    database.exec(d1Table({ table: "sessions" }));
    await checkStore(d1Store(d1(database), { table: "sessions" }));
  });

  test.each([undefined, null, {}])("throws for %o in place of a binding", (client) => {
    expect(() => d1Store(client as never))
      .toThrow(/^client must be the binding of a D1 database, like env\.DB, received /);
  });
});
