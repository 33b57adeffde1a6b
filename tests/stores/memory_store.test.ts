import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MemoryStore } from "../../src/stores/memory_store.ts";
import { checkStore } from "../../src/testing/mod.ts";

test("A MemoryStore keeps the contract of a store", async () => {
  await checkStore(new MemoryStore());
});

describe("A MemoryStore", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("loads the saved value, even if the caller changes it or a loaded one", async () => {
    const store = new MemoryStore();
    const value = { list: [1] };
    await store.save("a", value, { version: null });
    value.list.push(2);
    const loaded = (await store.load("a"))?.value as typeof value;
    loaded.list.push(3);
    expect((await store.load("a"))?.value).toEqual({ list: [1] });
  });

  test("keeps the values of any keys apart, also of empty and similar ones", async () => {
    const keys = fc.uniqueArray(fc.oneof(fc.string(), fc.string({ unit: "binary" })), {
      minLength: 1,
    });
    await fc.assert(fc.asyncProperty(keys, async (keys) => {
      const store = new MemoryStore();
      for (const key of keys) await store.save(key, `value of ${key}`, { version: null });
      expect(store.size).toBe(keys.length);
      for (const key of keys) {
        expect((await store.load(key))?.value).toBe(`value of ${key}`);
        await store.delete(key);
        expect(await store.load(key)).toBeNull();
      }
      expect(store.size).toBe(0);
    }));
  });

  test("removes two expired values in each save, so that no save takes longer than others", async () => {
    const store = new MemoryStore();
    const expiresAt = Date.now() + 1000;
    for (let i = 0; i < 1000; i++) await store.save(`short ${i}`, i, { version: null, expiresAt });
    vi.advanceTimersByTime(1000);
    expect(store.size).toBe(1000);
    let version: string | null = null;
    const sizes: number[] = [];
    for (let i = 0; i < 700; i++) {
      version = await store.save("long", i, { version });
      sizes.push(store.size);
    }
    for (let i = 1; i < 700; i++) {
      expect(Number(sizes[i - 1]) - Number(sizes[i])).toBeLessThanOrEqual(2);
    }
    expect(store.size).toBe(1);
  });

  test("forgets expired values, also without another load", async () => {
    const store = new MemoryStore();
    await store.save("a", 1, { version: null, expiresAt: Date.now() + 1000 });
    vi.advanceTimersByTime(999);
    expect(await store.load("a")).toMatchObject({ value: 1 });
    vi.advanceTimersByTime(1);
    expect(await store.load("a")).toBeNull();

    for (let i = 0; i < 5000; i++) {
      await store.save(`short ${i}`, i, { version: null, expiresAt: Date.now() + 10 });
      vi.advanceTimersByTime(1);
    }
    expect(store.size).toBeLessThan(2100);
  });

  test("does not keep a value that has expired already", async () => {
    const store = new MemoryStore();
    await store.save("a", 1, { version: null, expiresAt: Date.now() });
    expect(store.size).toBe(0);
  });

  test.each([undefined, () => 1, Symbol("s")])(
    "refuses %s, which is not a JSON value",
    async (value) => {
      await expect(new MemoryStore().save("a", value, { version: null })).rejects.toThrow(
        /value must be a JSON value, received (undefined|function|symbol)/,
      );
    },
  );
});
