import { describe, expect, test } from "vitest";
import {
  type NeonClient,
  type PgClient,
  type PostgresClient,
  type PostgresJsClient,
  postgresStore,
  postgresTable,
} from "../../src/stores/postgres.ts";
import { checkStore } from "../../src/testing/mod.ts";
import { openSqlite, runStatement, type TestDatabase, type Values } from "../support/sqlite.ts";

// The real clients and Postgres itself are tested in tests/integration/stores. Here, SQLite has the same statements.

/** Runs a statement of Postgres. */
function run(database: TestDatabase, statement: string, values: Values) {
  expect(statement).not.toContain("?");
  return runStatement(database, statement.replaceAll(/\$\d/g, "?"), values);
}

function postgresJs(database: TestDatabase): PostgresJsClient {
  return {
    unsafe(statement, values, { prepare }) {
      expect(prepare).toBe(true);
      const { rows, count } = run(database, statement, values);
      // A statement that defines a table has no count.
      const result = Promise.resolve({ count: count || null });
      return Object.assign(result, { values: () => Promise.resolve(rows) });
    },
  };
}

function pg(database: TestDatabase): PgClient {
  return {
    query({ text, values, rowMode, types }) {
      expect(rowMode).toBe("array");
      const { rows, count } = run(database, text, values);
      const parse = types.getTypeParser();
      const parsed = rows.map((row) => row.map((column) => parse(String(column))));
      return Promise.resolve({ rows: parsed, rowCount: count || null });
    },
  };
}

function neon(database: TestDatabase): NeonClient {
  return Object.assign(() => {}, {
    query(text: string, values: Values, options: { arrayMode: true; fullResults: true }) {
      expect(options).toEqual({ arrayMode: true, fullResults: true });
      const { rows, count } = run(database, text, values);
      return Promise.resolve({ rows, rowCount: count });
    },
  });
}

describe("postgresStore", () => {
  test.each<[string, (database: TestDatabase) => PostgresClient]>([
    ["postgres", postgresJs],
    ["pg", pg],
    ["Neon", neon],
  ])("keeps the contract of a store in a client of %s", async (_package, create) => {
    const store = postgresStore(create(await openSqlite()));
    await store.createTable();
    await checkStore(store);
    await store.save("key", 1, { version: null, expiresAt: Date.now() - 1 });
    expect(await store.removeExpired()).toBe(1);
    expect(await store.removeExpired()).toBe(0);
  });

  test.each([undefined, null, {}, () => {}, "postgres://localhost"])(
    "throws for %o in place of a client",
    (client) => {
      expect(() => postgresStore(client as never)).toThrow(
        /^client must be a client of postgres, pg or @neondatabase\/serverless, received /,
      );
    },
  );

  test("never shows a connection string in an error", () => {
    expect(() => postgresStore("postgres://user:hunter2@localhost" as never))
      .toThrow(expect.not.stringContaining("hunter2"));
  });

  test.each(["40001", "40P01", "23505", "42P07", "42710"])(
    "repeats a statement that the database has cancelled with the code %s",
    async (code) => {
      const database = await openSqlite();
      database.exec(postgresTable());
      let failures = 4;
      const client: PgClient = {
        query: async (query) => {
          if (failures-- > 0) throw Object.assign(new Error("cancelled"), { code });
          return await pg(database).query(query);
        },
      };
      const store = postgresStore(client);
      const version = await store.save("key", 1, { version: null });
      expect(version).not.toBeNull();
      failures = 4;
      expect(await store.load("key")).toEqual({ value: 1, version });
    },
  );

  test("gives up after eight tries", async () => {
    let tries = 0;
    const error = Object.assign(new Error("cancelled"), { code: "40001" });
    const store = postgresStore({
      query() {
        tries++;
        return Promise.reject(error);
      },
    });
    await expect(store.load("key")).rejects.toBe(error);
    expect(tries).toBe(8);
  });

  test("tries once if the connection is lost, because the value may have been saved", async () => {
    let tries = 0;
    const error = new Error("Connection terminated");
    const store = postgresStore({
      query() {
        tries++;
        return Promise.reject(error);
      },
    });
    await expect(store.save("key", 1, { version: null })).rejects.toBe(error);
    expect(tries).toBe(1);
  });
});

test("postgresTable() returns the definition for a migration", () => {
  expect(postgresTable()).toMatchInlineSnapshot(`
    "create table if not exists guildpass_store (
      key text primary key,
      value text not null,
      version text not null,
      expires_at bigint
    );
    create index if not exists guildpass_store_expires_at on guildpass_store (expires_at);
    "
  `);
  expect(() => postgresTable({ table: "a b" })).toThrow("options.table");
});
