import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { d1Store } from "../../src/stores/d1.ts";
import { denoKvStore } from "../../src/stores/deno_kv.ts";
import { durableObjectStore } from "../../src/stores/durable_object.ts";
import { mysqlStore } from "../../src/stores/mysql.ts";
import { postgresStore } from "../../src/stores/postgres.ts";
import { redisStore } from "../../src/stores/redis.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { checkedKey, loadedText, savedText } from "../../src/stores/store_text.ts";

describe("savedText", () => {
  test("loads as the same JSON value", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      const { text, version } = savedText(value, { version: null });
      expect(loadedText(text, version)).toEqual({
        value: JSON.parse(JSON.stringify(value)),
        version,
      });
    }));
  });

  test("has a new version each time", () => {
    const versions = Array.from({ length: 100 }, () => savedText(1, { version: null }).version);
    expect(new Set(versions).size).toBe(100);
  });

  test.each([
    [null, null],
    [undefined, null],
    [Infinity, null],
    [0, "0"],
    [1.2, "2"],
    [8.64e15, "8640000000000000"],
    [8.64e15 + 1, null],
    [1e300, null],
  ])("writes the expiry %s as %s", (expiresAt, text) => {
    expect(savedText(1, { version: null, expiresAt }).expiresAt).toBe(text);
  });

  test("refuses a value that is not JSON", () => {
    expect(() => savedText(undefined, { version: null })).toThrow("value must be a JSON value");
  });
});

test("loadedText() reads buffers", () => {
  const buffer = { toString: () => "[1]" };
  expect(loadedText(buffer, { toString: () => "v1" })).toEqual({ value: [1], version: "v1" });
});

test.each([undefined, null, 5, {}])("A key that is not text is refused: %j", (key) => {
  expect(() => checkedKey(key as never)).toThrow("key must be a string, received ");
});

describe("A key with half of a surrogate pair", () => {
  const client = vi.fn();
  const refusal = new TypeError("key must be well-formed text, received half of a surrogate pair");

  test.each(["\ud83d", "a\ude00b", "\ude00\ud83d"])("is refused: %j", (key) => {
    expect(() => checkedKey(key)).toThrow(refusal);
  });

  test.each(["", "a", "\u{1f600}", "\ufffd"])("differs from the key %j, which is not", (key) => {
    expect(checkedKey(key)).toBe(key);
  });

  test.each([
    ["D1", d1Store({ prepare: client })],
    ["Deno KV", denoKvStore({ get: client, delete: client, atomic: client })],
    ["Durable Objects", durableObjectStore({ getByName: client })],
    ["MySQL", mysqlStore({ execute: client })],
    ["Postgres", postgresStore({ query: client })],
    ["Redis", redisStore({ eval: client })],
    ["SQLite", sqliteStore({ prepare: client })],
  ])("never reaches %s, which would take it for another key", async (_name, store) => {
    await expect(store.load("\ud83d")).rejects.toThrow(refusal);
    await expect(store.save("\ud83d", 1, { version: null })).rejects.toThrow(refusal);
    await expect(store.delete("\ud83d")).rejects.toThrow(refusal);
    expect(client).not.toHaveBeenCalled();
  });
});
