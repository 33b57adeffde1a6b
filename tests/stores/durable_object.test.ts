import { describe, expect, test } from "vitest";
import {
  durableObjectStore,
  StoredEntry,
  type StoredEntryNamespace,
  type StoredEntryState,
} from "../../src/stores/durable_object.ts";
import { checkStore } from "../../src/testing/mod.ts";

// Durable Objects themselves are tested in workerd, in tests/integration/stores.

interface FakeObject {
  readonly entry: StoredEntry;
  readonly values: ReadonlyMap<string, unknown>;
  readonly alarms: readonly number[];
}

/** Creates the objects of a namespace. */
function createNamespace(): StoredEntryNamespace & { readonly objects: Map<string, FakeObject> } {
  const objects = new Map<string, FakeObject>();
  return {
    objects,
    getByName(name) {
      const found = objects.get(name) ?? createObject();
      objects.set(name, found);
      return { fetch: (url, init) => found.entry.fetch(new Request(url, init)) };
    },
  };
}

function createObject(): FakeObject {
  const values = new Map<string, unknown>();
  const alarms: number[] = [];
  const storage: StoredEntryState["storage"] = {
    kv: {
      get: (key) => values.get(key),
      put: (key, value) => void values.set(key, value),
    },
    deleteAll: () => Promise.resolve(values.clear()),
    setAlarm: (time) => Promise.resolve(void alarms.push(time)),
  };
  return { entry: new StoredEntry({ storage }), values, alarms };
}

describe("durableObjectStore", () => {
  test("keeps the contract of a store", async () => {
    await checkStore(durableObjectStore(createNamespace()));
  });

  test("sets an alarm for the end of a value, which removes it", async () => {
    const namespace = createNamespace();
    const store = durableObjectStore(namespace);
    const expiresAt = Date.now() - 1;
    await store.save("key", 1, { version: null, expiresAt });
    const object = namespace.objects.get("key");
    expect(object?.alarms).toEqual([expiresAt]);
    expect(object?.values.size).toBe(1);
    await object?.entry.alarm();
    expect(object?.values.size).toBe(0);
  });

  test("keeps a value that has more time when the alarm of an earlier save rings", async () => {
    const namespace = createNamespace();
    const store = durableObjectStore(namespace);
    await store.save("key", 1, { version: null, expiresAt: Date.now() + 60_000 });
    await store.save("endless", 1, { version: null });
    for (const { entry } of namespace.objects.values()) await entry.alarm();
    expect((await store.load("key"))?.value).toBe(1);
    expect((await store.load("endless"))?.value).toBe(1);
    expect(namespace.objects.get("endless")?.alarms).toEqual([]);
  });

  test("sets no alarm at 0 or earlier, which the runtime refuses", async () => {
    const namespace = createNamespace();
    const store = durableObjectStore(namespace);
    const version = await store.save("key", 1, { version: null, expiresAt: 0 });
    expect(version).not.toBeNull();
    expect(await store.load("key")).toBeNull();
    expect(namespace.objects.get("key")?.alarms).toEqual([1]);
  });

  test("begins each name with the prefix", async () => {
    const namespace = createNamespace();
    await durableObjectStore(namespace, { prefix: "app:" }).save("key", 1, { version: null });
    expect([...namespace.objects.keys()]).toEqual(["app:key"]);
    expect(() => durableObjectStore(namespace, { prefx: "" } as never))
      .toThrow("did you mean prefix?");
  });

  test.each([undefined, null, {}])("throws for %o in place of a binding", (namespace) => {
    expect(() => durableObjectStore(namespace as never))
      .toThrow(/^namespace must be a Durable Object binding, like env\.ENTRIES, received /);
  });
});
