import { describe, expect, test } from "vitest";
import { type DenoKvClient, type DenoKvOperation, denoKvStore } from "../../src/stores/deno_kv.ts";
import { checkStore } from "../../src/testing/mod.ts";

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
        commit: () =>
          Promise.resolve(
            steps.every((step) => step()) ? { ok: true, versionstamp } : { ok: false },
          ),
      };
      return operation;
    },
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

  test("begins each key with the prefix", async () => {
    const kv = createKv();
    await denoKvStore(kv).save("key", 1, { version: null });
    await denoKvStore(kv, { prefix: "app" }).save("key", 1, { version: null });
    expect([...kv.values.keys()]).toEqual(["guildpass,key", "app,key"]);
    expect(() => denoKvStore(kv, { prefx: "" } as never)).toThrow("did you mean prefix?");
  });

  test.each([undefined, null, {}])("throws for %o in place of a database", (client) => {
    expect(() => denoKvStore(client as never))
      .toThrow(/^client must be a database of Deno\.openKv\(\), received /);
  });
});
