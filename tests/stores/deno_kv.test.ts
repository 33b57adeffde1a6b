import { describe, expect, test } from "vitest";
import { type DenoKvClient, type DenoKvOperation, denoKvStore } from "../../src/stores/deno_kv.ts";
import { checkStore } from "../../src/testing/mod.ts";
import { untilDone, useVirtualTime } from "../support/virtual_time.ts";

// Deno KV itself is tested in tests/integration/stores.

interface FakeKv extends DenoKvClient {
  readonly values: ReadonlyMap<string, { value: unknown; versionstamp: string }>;
  /** The option `expireIn` of each value that was set. */
  readonly lifetimes: readonly (number | undefined)[];
}

/** Creates a database in memory, which never removes expired values. */
function createKv(): FakeKv {
  const values = new Map<string, { value: unknown; versionstamp: string }>();
  const lifetimes: (number | undefined)[] = [];
  let versions = 0;
  return {
    values,
    lifetimes,
    get: (key) => Promise.resolve(values.get(key.join()) ?? { value: null, versionstamp: null }),
    delete(key) {
      values.delete(key.join());
      return Promise.resolve();
    },
    atomic() {
      const versionstamp = String(++versions);
      const steps: (() => boolean)[] = [];
      const operation: DenoKvOperation = {
        check(entry) {
          const version = () => values.get(entry.key.join())?.versionstamp ?? null;
          steps.push(() => version() === entry.versionstamp);
          return operation;
        },
        set(key, value, { expireIn }) {
          lifetimes.push(expireIn);
          steps.push(() => Boolean(values.set(key.join(), { value, versionstamp })));
          return operation;
        },
        commit: () => Promise.resolve({ ok: steps.every((step) => step()) }),
      };
      return operation;
    },
  };
}

type Commit = DenoKvOperation["commit"];

/** Returns a database with another `commit`. */
function withCommit(
  kv: DenoKvClient,
  commit: (original: Commit) => ReturnType<Commit>,
): DenoKvClient {
  return {
    ...kv,
    atomic() {
      const operation = kv.atomic();
      const original = operation.commit;
      operation.commit = () => commit(original);
      return operation;
    },
  };
}

/** Returns a database whose file is locked at the first tries of each operation. */
function lockedFor(tries: number, kv: DenoKvClient): DenoKvClient {
  let left = tries;
  const whenOpen = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (left-- > 0) throw new TypeError("database is locked");
    left = tries;
    return await run();
  };
  return {
    ...withCommit(kv, whenOpen),
    get: (key) => whenOpen(() => kv.get(key)),
    delete: (key) => whenOpen(() => kv.delete(key)),
  };
}

describe("denoKvStore", () => {
  test("keeps the contract of a store", async () => {
    await checkStore(denoKvStore(createKv()));
  });

  test("does not load an expired value that Deno KV has not removed yet", async () => {
    const kv = createKv();
    const store = denoKvStore(kv);
    await store.save("key", 1, { version: null, expiresAt: Date.now() - 1 });
    expect(kv.values.size).toBe(1);
    expect(await store.load("key")).toBeNull();
    expect(await store.save("key", 2, { version: null })).not.toBeNull();
    expect((await store.load("key"))?.value).toBe(2);
  });

  test("gives Deno KV the lifetime of a value, at least a millisecond", async () => {
    const kv = createKv();
    const store = denoKvStore(kv);
    await store.save("ended", 1, { version: null, expiresAt: Date.now() - 1000 });
    await store.save("open", 1, { version: null, expiresAt: Date.now() + 60_000 });
    await store.save("endless", 1, { version: null });
    const [ended, open, endless] = kv.lifetimes;
    expect(ended).toBe(1);
    expect(open).toBeGreaterThan(0);
    expect(open).toBeLessThanOrEqual(60_000);
    expect(endless).toBeUndefined();
  });

  test("returns the version of a save whose commit Deno has sent again", async () => {
    const store = denoKvStore(withCommit(createKv(), async (commit) => {
      await commit();
      return await commit();
    }));
    const version = await store.save("key", 1, { version: null });
    expect(await store.load("key")).toEqual({ value: 1, version });
    const next = await store.save("key", 2, { version });
    expect(await store.load("key")).toEqual({ value: 2, version: next });
  });

  test("returns null for a save that another one has replaced before its commit was sent again", async () => {
    const kv = createKv();
    const other = denoKvStore(kv);
    const store = denoKvStore(withCommit(kv, async (commit) => {
      await commit();
      const found = await other.load("key");
      await other.save("key", "other", { version: found?.version ?? null });
      return await commit();
    }));
    expect(await store.save("key", 1, { version: null })).toBeNull();
    expect((await other.load("key"))?.value).toBe("other");
  });

  test("waits for other processes that have locked the file", async () => {
    const store = denoKvStore(lockedFor(3, createKv()));
    const version = await store.save("key", 1, { version: null });
    expect(await store.load("key")).toEqual({ value: 1, version });
    await store.delete("key");
    expect(await store.load("key")).toBeNull();
  });

  test("stops to wait for a locked file after five seconds", async () => {
    useVirtualTime();
    const store = denoKvStore(lockedFor(Infinity, createKv()));
    const start = Date.now();
    await expect(untilDone(store.load("key"))).rejects.toThrow("database is locked");
    expect(Date.now() - start).toBeGreaterThanOrEqual(5000);
    expect(Date.now() - start).toBeLessThan(5100);
  });

  test("passes on another error at once", async () => {
    const kv = createKv();
    let calls = 0;
    const get = () => {
      calls++;
      return Promise.reject(new Error("The database is closed"));
    };
    await expect(denoKvStore({ ...kv, get }).load("key")).rejects.toThrow("closed");
    expect(calls).toBe(1);
  });

  test("begins each key with the prefix", async () => {
    const kv = createKv();
    await denoKvStore(kv).save("key", 1, { version: null });
    await denoKvStore(kv, { prefix: "app" }).save("key", 1, { version: null });
    expect([...kv.values.keys()]).toEqual(["guildpass,key", "app,key"]);
    expect(() => denoKvStore(kv, { prefx: "" } as never)).toThrow("did you mean prefix?");
  });

  test.each([undefined, null, {}])("throws for %o in place of a database", (client) => {
    expect(() => denoKvStore(client as never))
      .toThrow(/^client must be a database from Deno\.openKv\(\), received /);
  });
});
