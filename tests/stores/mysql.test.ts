import { describe, expect, test, vi } from "vitest";
import { type MysqlPromiseClient, mysqlStore, mysqlTable } from "../../src/stores/mysql.ts";
import { checkStore } from "../../src/testing/mod.ts";
import { openSqlite, runStatement } from "../support/sqlite.ts";

// The real client and MariaDB itself are tested in tests/integration/stores. Here, SQLite has the same statements.

interface Failure {
  code?: string;
}

/** A client in front of SQLite, whose table has the same columns. */
async function createClient(failure: Failure = {}): Promise<MysqlPromiseClient> {
  const database = await openSqlite();
  return {
    execute({ sql, values, ...form }) {
      expect(form).toEqual({ rowsAsArray: true, nestTables: false, typeCast: true });
      const { code } = failure;
      delete failure.code;
      if (code) return Promise.reject(Object.assign(new Error("failed"), { code }));
      const statement = sql.startsWith("create")
        ? "create table if not exists guildpass_store (`key` blob primary key, value, version, expires_at)"
        : sql;
      try {
        const { rows, count } = runStatement(database, statement, values);
        const result = sql.startsWith("select") ? rows : { affectedRows: count };
        return Promise.resolve([result, undefined]);
      } catch (error) {
        if (!/UNIQUE constraint/.test(String(error))) throw error;
        return Promise.reject(Object.assign(new Error("Duplicate"), { code: "ER_DUP_ENTRY" }));
      }
    },
  };
}

describe("mysqlStore", () => {
  test("keeps the contract of a store in a client with promises", async () => {
    const store = mysqlStore(await createClient());
    await store.createTable();
    await checkStore(store);
  });

  test("keeps the contract of a store in a client with callbacks", async () => {
    const client = await createClient();
    const store = mysqlStore({ promise: () => client });
    await store.createTable();
    await checkStore(store);
  });

  test("distinguishes keys beyond ASCII", async () => {
    const store = mysqlStore(await createClient());
    await store.createTable();
    const keys = ["é", "ö", "日", "%00e9", "%", "é".normalize("NFD")];
    for (const key of keys) expect(await store.save(key, key, { version: null })).not.toBeNull();
    for (const key of keys) expect((await store.load(key))?.value).toBe(key);
    for (const key of keys) {
      await store.delete(key);
      expect(await store.load(key)).toBeNull();
    }
  });

  test("sends values in ASCII", async () => {
    const client = await createClient();
    const sent = vi.spyOn(client, "execute");
    const store = mysqlStore(client);
    await store.createTable();
    await store.save("key", "é 😀 \u007f", { version: null });
    expect(sent.mock.lastCall?.[0].values[1]).toBe('"\\u00e9 \\ud83d\\ude00 \\u007f"');
    expect((await store.load("key"))?.value).toBe("é 😀 \u007f");
  });

  test("refuses a key that the column would cut", async () => {
    const store = mysqlStore(await createClient());
    await store.createTable();
    await store.save("k".repeat(512), 1, { version: null });
    await expect(store.save("k".repeat(513), 1, { version: null }))
      .rejects.toThrow(new TypeError("key must have at most 512 bytes in MySQL, received 513"));
    await expect(store.load("é".repeat(103))).rejects.toThrow("received 515");
  });

  test("replaces an expired row", async () => {
    const store = mysqlStore(await createClient());
    await store.createTable();
    await store.save("key", "old", { version: null, expiresAt: Date.now() - 1 });
    expect(await store.save("key", "new", { version: null })).not.toBeNull();
    expect(await store.save("key", "newer", { version: null })).toBeNull();
    expect((await store.load("key"))?.value).toBe("new");
  });

  test("repeats a statement after a deadlock", async () => {
    const failure: Failure = {};
    const store = mysqlStore(await createClient(failure));
    await store.createTable();
    failure.code = "ER_LOCK_DEADLOCK";
    expect(await store.save("key", 1, { version: null })).not.toBeNull();
  });

  test("rejects with every other error of an insert", async () => {
    const failure: Failure = {};
    const store = mysqlStore(await createClient(failure));
    await store.createTable();
    failure.code = "PROTOCOL_CONNECTION_LOST";
    await expect(store.save("key", 1, { version: null })).rejects.toThrow("failed");
  });

  test("deletes at most 1,000 expired rows at once, the oldest first", async () => {
    const counts = [1000, 1000, 7];
    const execute = vi.fn<MysqlPromiseClient["execute"]>(() =>
      Promise.resolve([{ affectedRows: counts.shift() }, undefined])
    );
    expect(await mysqlStore({ execute }).removeExpired()).toBe(2007);
    expect(execute).toHaveBeenCalledTimes(3);
    expect(execute).toHaveBeenLastCalledWith(expect.objectContaining({
      sql: "delete from guildpass_store where expires_at <= cast(? as signed) " +
        "order by expires_at limit 1000",
      values: [expect.stringMatching(/^\d{13}$/)],
    }));
  });

  test("finds nothing if the response to a read has no rows", async () => {
    const store = mysqlStore({ execute: () => Promise.resolve([{ affectedRows: 0 }, undefined]) });
    expect(await store.load("key")).toBeNull();
  });

  test.each([undefined, null, {}, { promise: () => ({}) }])(
    "throws for %o in place of a client",
    (client) => {
      expect(() => mysqlStore(client as never))
        .toThrow(/^client must be a pool or connection of mysql2, received /);
    },
  );
});

test("mysqlTable() returns the definition for a migration", () => {
  expect(mysqlTable({ table: "other" })).toMatchInlineSnapshot(`
    "create table if not exists other (
      \`key\` varbinary(512) primary key,
      value longtext character set utf8mb4 not null,
      version varbinary(36) not null,
      expires_at bigint,
      index (expires_at)
    );
    "
  `);
});
