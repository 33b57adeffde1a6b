import { describe, expect, test, vi } from "vitest";
import { type LibsqlClient, sqliteStore, sqliteTable } from "../../src/stores/sqlite.ts";
import { checkStore } from "../../src/testing/mod.ts";
import { openSqlite, runStatement } from "../support/sqlite.ts";

describe("sqliteStore", () => {
  test("keeps the contract of a store in a synchronous database", async () => {
    const store = sqliteStore(await openSqlite());
    await store.createTable();
    await checkStore(store);
  });

  test("keeps the contract of a store with rows as arrays", async () => {
    const database = await openSqlite();
    const store = sqliteStore({
      prepare(text) {
        const statement = database.prepare(text);
        const get = (...values: (string | null)[]) => {
          const row = statement.get(...values);
          return row ? Object.values(row) : row;
        };
        return { get, run: (...values) => statement.run(...values) };
      },
    });
    await store.createTable();
    await checkStore(store);
  });

  test("keeps the contract of a store in a client of libSQL", async () => {
    const database = await openSqlite();
    const client: LibsqlClient = {
      execute({ sql, args }) {
        const { rows, count } = runStatement(database, sql, args);
        return Promise.resolve({ rows: rows.map((row) => ({ ...row })), rowsAffected: count });
      },
    };
    const store = sqliteStore(client);
    await store.createTable();
    await checkStore(store);
  });

  test("prepares each statement once", async () => {
    const database = await openSqlite();
    database.exec(sqliteTable());
    const prepare = vi.spyOn(database, "prepare");
    const store = sqliteStore(database);
    for (const key of ["a", "b"]) {
      await store.save(key, 1, { version: null });
      await store.load(key);
    }
    expect(prepare).toHaveBeenCalledTimes(2);
  });

  test("rejects if the table is missing", async () => {
    const store = sqliteStore(await openSqlite());
    await expect(store.load("key")).rejects.toThrow("no such table: guildpass_store");
    await expect(store.save("key", 1, { version: null })).rejects.toThrow("guildpass_store");
  });

  test.each([undefined, null, {}, () => {}])("throws for %o in place of a database", (client) => {
    expect(() => sqliteStore(client as never)).toThrow(
      /^client must be a database of node:sqlite, better-sqlite3, bun:sqlite or libSQL, received /,
    );
  });
});

describe("The table", () => {
  test("has the name of the option", async () => {
    const database = await openSqlite();
    const [one, other] = [sqliteStore(database), sqliteStore(database, { table: "other_store" })];
    await one.createTable();
    await other.createTable();
    await one.save("key", "one", { version: null });
    expect(await other.load("key")).toBeNull();
    expect(database.prepare("select count(*) as rows from other_store").get()).toEqual({ rows: 0 });
  });

  test.each(["", "1st", "a-b", "a b", "a;drop", 'a"', "é", "a".repeat(64), 5])(
    "refuses the name %j",
    async (table) => {
      const database = await openSqlite();
      const message = /^options\.table must be a name of letters, digits and _, like my_store/;
      expect(() => sqliteStore(database, { table: table as never })).toThrow(message);
      expect(() => sqliteTable({ table: table as never })).toThrow(message);
    },
  );

  test("takes a name of 63 characters, with an index of its own", async () => {
    const database = await openSqlite();
    const table = `_${"a".repeat(62)}`;
    const store = sqliteStore(database, { table });
    await store.createTable();
    await checkStore(store);
    expect(
      database.prepare("select name from sqlite_master where type = 'index' and sql is not null")
        .get(),
    )
      .toEqual({ name: `_${"a".repeat(51)}_expires_at` });
  });

  test("is created once, and keeps its rows", async () => {
    const store = sqliteStore(await openSqlite());
    await store.createTable();
    await store.save("key", 1, { version: null });
    await store.createTable();
    expect(await store.load("key")).toMatchObject({ value: 1 });
  });

  test("is the definition for a migration", async () => {
    const database = await openSqlite();
    database.exec(sqliteTable());
    await checkStore(sqliteStore(database));
    expect(sqliteTable({ table: "other" })).toMatchInlineSnapshot(`
      "create table if not exists other (
        key text primary key,
        value text not null,
        version text not null,
        expires_at bigint
      );
      create index if not exists other_expires_at on other (expires_at);
      "
    `);
  });

  test("knows no other option", async () => {
    const database = await openSqlite();
    expect(() => sqliteStore(database, { tabel: "x" } as never)).toThrow("did you mean table?");
  });
});

describe("removeExpired", () => {
  test("deletes expired rows, and returns their number", async () => {
    const database = await openSqlite();
    const store = sqliteStore(database);
    await store.createTable();
    const expiresAt = Date.now() + 60_000;
    await store.save("a", 1, { version: null, expiresAt: Date.now() });
    await store.save("b", 1, { version: null, expiresAt: Date.now() - 1 });
    await store.save("open", 1, { version: null, expiresAt });
    await store.save("endless", 1, { version: null });
    expect(await store.removeExpired()).toBe(2);
    expect(await store.removeExpired()).toBe(0);
    expect(database.prepare("select count(*) as rows from guildpass_store").get()).toEqual({
      rows: 2,
    });
  });

  test("deletes at most 1,000 rows at once, and lets other work go on in between", async () => {
    const database = await openSqlite();
    const store = sqliteStore(database);
    await store.createTable();
    database.exec(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2000)
      insert into guildpass_store select 'key' || n, '1', 'version' || n, n from numbers`,
    );
    const rows = () =>
      Object(database.prepare("select count(*) as rows from guildpass_store").get());
    const seen: unknown[] = [];
    setTimeout(() => seen.push(rows()));
    expect(await store.removeExpired()).toBe(2000);
    expect(seen).toEqual([{ rows: 1000 }]);
    expect(rows()).toEqual({ rows: 0 });
  });
});
