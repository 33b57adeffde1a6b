import { describe, expect, test } from "vitest";
import type { Store } from "../../src/stores/store.ts";

/** Tests the contract that every store keeps. */
export function testStoreContract(name: string, create: () => Promise<Store>): void {
  describe(`${name} keeps the contract of a store:`, () => {
    const key = () => `contract:${crypto.randomUUID()}`;

    test("a key that was never saved has no value", async () => {
      expect(await (await create()).load(key())).toBeNull();
    });

    test.each([
      null,
      0,
      1e21,
      "",
      "text",
      "\u0000 and half a \ud83d",
      [1, [2]],
      { a: { b: null, c: "é\u{1f600}" } },
      { $type: "x", "a.b": 1, "'; drop table": '"\\' },
    ])(
      "%j comes back as it was saved",
      async (value) => {
        const [store, name] = [await create(), key()];
        const version = await store.save(name, value, { version: null });
        expect(version).toEqual(expect.any(String));
        expect(await store.load(name)).toEqual({ value, version });
      },
    );

    test("a save with the current version changes the value and the version", async () => {
      const [store, name] = [await create(), key()];
      const first = await store.save(name, 1, { version: null });
      const second = await store.save(name, 2, { version: first });
      expect(second).toEqual(expect.any(String));
      expect(second).not.toBe(first);
      expect(await store.load(name)).toEqual({ value: 2, version: second });
    });

    test("a save with an old version, or with none, changes nothing", async () => {
      const [store, name] = [await create(), key()];
      const first = await store.save(name, 1, { version: null });
      const second = await store.save(name, 2, { version: first });
      expect(await store.save(name, 3, { version: first })).toBeNull();
      expect(await store.save(name, 3, { version: null })).toBeNull();
      expect(await store.load(name)).toEqual({ value: 2, version: second });
    });

    test("a save with a version of a key that is gone changes nothing", async () => {
      const [store, name] = [await create(), key()];
      const version = await store.save(name, 1, { version: null });
      await store.delete(name);
      expect(await store.save(name, 2, { version })).toBeNull();
      expect(await store.load(name)).toBeNull();
    });

    test("a version does not come back after a delete", async () => {
      const [store, name] = [await create(), key()];
      const old = await store.save(name, 1, { version: null });
      await store.delete(name);
      await store.save(name, 2, { version: null });
      expect(await store.save(name, 3, { version: old })).toBeNull();
    });

    test("a delete of a key that is not there has no effect", async () => {
      await (await create()).delete(key());
    });

    test("exactly one of many simultaneous saves succeeds", async () => {
      const [store, name] = [await create(), key()];
      const start = await store.save(name, "start", { version: null });
      const saves = Array.from({ length: 20 }, (_, i) => store.save(name, i, { version: start }));
      expect((await Promise.all(saves)).filter((version) => version !== null)).toHaveLength(1);
    });

    test("exactly one of many simultaneous first saves succeeds", async () => {
      const [store, name] = [await create(), key()];
      const saves = Array.from({ length: 20 }, (_, i) => store.save(name, i, { version: null }));
      expect((await Promise.all(saves)).filter((version) => version !== null)).toHaveLength(1);
    });

    test("a value that has expired is gone, and its key is free again", async () => {
      const [store, name] = [await create(), key()];
      await store.save(name, 1, { version: null, expiresAt: Date.now() - 1000 });
      expect(await store.load(name)).toBeNull();
      expect(await store.save(name, 2, { version: null })).toEqual(expect.any(String));
    });

    test("a save with a time in the past replaces the value", async () => {
      const [store, name] = [await create(), key()];
      const version = await store.save(name, 1, { version: null });
      expect(await store.save(name, 2, { version, expiresAt: Date.now() })).toEqual(
        expect.any(String),
      );
      await expect.poll(() => store.load(name)).toBeNull();
      expect(await store.save(name, 3, { version: null })).toEqual(expect.any(String));
      expect(await store.load(name)).toMatchObject({ value: 3 });
    });

    test.each([null, undefined])(
      "a value without an end (%s) stays, although the one before it had an end",
      async (expiresAt) => {
        const [store, name, other] = [await create(), key(), key()];
        const soon = { version: null, expiresAt: Date.now() + 400 };
        const version = await store.save(name, 1, soon);
        await store.save(other, 1, soon);
        expect(await store.save(name, 2, { version, expiresAt })).toEqual(expect.any(String));
        await expect.poll(() => store.load(other)).toBeNull();
        expect(await store.load(name)).toMatchObject({ value: 2 });
      },
    );

    test("a value that has expired since can't be saved by its version", async () => {
      const [store, name] = [await create(), key()];
      const version = await store.save(name, 1, { version: null, expiresAt: Date.now() + 400 });
      await expect.poll(() => store.load(name)).toBeNull();
      expect(await store.save(name, 2, { version })).toBeNull();
      expect(await store.save(name, 3, { version: null })).toEqual(expect.any(String));
      expect(await store.load(name)).toMatchObject({ value: 3 });
    });

    test.each(["with spaces", "a/b\\c:d*?[e]{f}", "'\"`;--", "é\u{1f600}", "x".repeat(400)])(
      "a key may be %j",
      async (text) => {
        const [store, name] = [await create(), key() + text];
        const version = await store.save(name, 1, { version: null });
        expect(await store.save(name, 2, { version })).toEqual(expect.any(String));
        expect(await store.load(name)).toMatchObject({ value: 2 });
        await store.delete(name);
        expect(await store.load(name)).toBeNull();
      },
    );

    test("a value may have 50,000 characters", async () => {
      const [store, name] = [await create(), key()];
      const value = 'é"'.repeat(12_500) + "x".repeat(12_500);
      await store.save(name, value, { version: null });
      expect(await store.load(name)).toMatchObject({ value });
    });

    test("keys do not affect each other", async () => {
      const [store, one, other] = [await create(), key(), key()];
      await store.save(one, 1, { version: null });
      await store.save(other, 2, { version: null });
      await store.delete(one);
      expect(await store.load(one)).toBeNull();
      expect((await store.load(other))?.value).toBe(2);
    });
  });
}
