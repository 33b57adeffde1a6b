import { describe, expect, test } from "vitest";
import { MemoryStore } from "../../src/stores/memory_store.ts";
import { checkStore, type SaveOptions, type Store } from "../../src/testing/mod.ts";
import { untilDone, useVirtualTime } from "../support/virtual_time.ts";

/** Checks a store without real waits. Returns the findings. */
async function findingsOf(store: Store): Promise<string[]> {
  useVirtualTime();
  const result = checkStore(store).then(() => "", (error: Error) => error.message);
  const [first, ...findings] = (await untilDone(result)).split("\n- ");
  expect(first).toBe(findings.length === 0 ? "" : "The store breaks the contract of Store:");
  return findings;
}

/** Returns a `MemoryStore` with other methods. */
function storeWith(change: (below: MemoryStore) => Partial<Store>): Store {
  const below = new MemoryStore();
  return {
    load: (key) => below.load(key),
    save: (key, value, options) => below.save(key, value, options),
    delete: (key) => below.delete(key),
    ...change(below),
  };
}

interface Entry {
  value: unknown;
  version: string;
  expiresAt: number;
}

/** A store in a map. Broken stores replace parts of it. */
class MapStore implements Store {
  readonly entries = new Map<string, Entry>();
  saves = 0;

  find(key: string): Entry | undefined {
    const entry = this.entries.get(this.nameOf(key));
    return entry && entry.expiresAt > Date.now() ? entry : undefined;
  }

  nameOf(key: string): string {
    return key;
  }

  endOf(_key: string, { expiresAt }: SaveOptions): number {
    return expiresAt ?? Infinity;
  }

  nextVersion(_key: string, _value: unknown): string {
    return `v${++this.saves}`;
  }

  isAllowed(key: string, { version }: SaveOptions): boolean {
    return (this.find(key)?.version ?? null) === version;
  }

  load(key: string): Promise<{ value: unknown; version: string } | null> {
    const entry = this.find(key);
    return Promise.resolve(
      entry ? { value: structuredClone(entry.value), version: entry.version } : null,
    );
  }

  save(key: string, value: unknown, options: SaveOptions): Promise<string | null> {
    if (!this.isAllowed(key, options)) return Promise.resolve(null);
    return Promise.resolve(this.put(key, value, options));
  }

  put(key: string, value: unknown, options: SaveOptions): string {
    const version = this.nextVersion(key, value);
    const expiresAt = this.endOf(key, options);
    this.entries.set(this.nameOf(key), { value: structuredClone(value), version, expiresAt });
    return version;
  }

  delete(key: string): Promise<void> {
    this.entries.delete(this.nameOf(key));
    return Promise.resolve();
  }
}

describe("checkStore()", () => {
  test.each([
    ["a MemoryStore", new MemoryStore()],
    ["a store in a map", new MapStore()],
  ])("resolves for %s", async (_, store) => {
    expect(await findingsOf(store)).toEqual([]);
  });

  test("deletes all its values", async () => {
    const store = new MemoryStore();
    expect(await findingsOf(store)).toEqual([]);
    expect(store.size).toBe(0);
  });

  test("rejects with an Error that lists every finding", async () => {
    const store = storeWith((below) => ({
      load: async (key) => await below.load(key) ?? undefined as never,
      delete: () => Promise.resolve(),
    }));
    useVirtualTime();
    const result = untilDone(checkStore(store));
    await expect(result).rejects.toThrow(Error);
    await expect(result).rejects.toThrow(
      "The store breaks the contract of Store:\n" +
        "- load() returned neither null nor an object with a value and a version\n" +
        "- save() with the version of a deleted value saved instead of returning null\n" +
        "- delete() left the value",
    );
  });

  describe("names the defect of a store", () => {
    test("that returns `undefined` for a key without a value", async () => {
      const store = storeWith((below) => ({
        load: async (key) => await below.load(key) ?? undefined as never,
      }));
      expect(await findingsOf(store)).toEqual([
        "load() returned neither null nor an object with a value and a version",
      ]);
    });

    test("that has a value for every key", async () => {
      const store = storeWith((below) => ({
        load: async (key) => await below.load(key) ?? { value: null, version: "0" },
      }));
      expect(await findingsOf(store)).toContain(
        "load() returned a value for a key without a value",
      );
    });

    test.each([true, undefined, 7, ""])("whose save() returns %j", async (version) => {
      const store = storeWith((below) => ({
        save: async (...args) => await below.save(...args) && version as never,
      }));
      expect(await findingsOf(store)).toContain(
        "save() returned neither null nor a version, which is a non-empty string",
      );
    });

    test("whose delete() rejects for a key without a value", async () => {
      const store = storeWith((below) => ({
        delete: async (key) => {
          if (await below.load(key) === null) throw new RangeError("no such row");
          await below.delete(key);
        },
      }));
      expect(await findingsOf(store)).toEqual(["delete() rejected: RangeError: no such row"]);
    });

    test("whose delete() removes nothing", async () => {
      const store = storeWith(() => ({ delete: () => Promise.resolve() }));
      expect(await findingsOf(store)).toContain("delete() left the value");
    });

    test("whose delete() removes everything", async () => {
      class Clearing extends MapStore {
        override delete(): Promise<void> {
          this.entries.clear();
          return Promise.resolve();
        }
      }
      expect(await findingsOf(new Clearing())).toEqual([
        "delete() removed the value of another key",
      ]);
    });

    test("that can't create a value", async () => {
      const store = storeWith(() => ({ save: () => Promise.resolve(null) }));
      expect(await findingsOf(store)).toContain(
        "save() with `version: null` returned null for a key that has no value",
      );
    });

    test("that replaces a value with `version: null`", async () => {
      class Upserting extends MapStore {
        override isAllowed(key: string, options: SaveOptions): boolean {
          return options.version === null || super.isAllowed(key, options);
        }
      }
      expect(await findingsOf(new Upserting())).toEqual([
        "save() with `version: null` returned a version although the key has a value",
        "10 of 10 simultaneous save() with `version: null` succeeded instead of one: " +
        "compare and write in one step of the database",
        "10 of 10 simultaneous save() with `version: null` after an expired value succeeded instead of one: " +
        "compare and write in one step of the database",
      ]);
    });

    test("that ignores the version of a value", async () => {
      class Careless extends MapStore {
        override isAllowed(key: string, options: SaveOptions): boolean {
          return options.version !== null || super.isAllowed(key, options);
        }
      }
      expect(await findingsOf(new Careless())).toEqual([
        "save() with another version returned a version instead of null",
        "save() with the version of a deleted value saved instead of returning null",
        "10 of 10 simultaneous save() with the same version succeeded instead of one: " +
        "compare and write in one step of the database",
        "save() with the version of an expired value saved instead of returning null",
      ]);
    });

    test("that refuses every version", async () => {
      const store = storeWith((below) => ({
        save: async (key, value, options) =>
          options.version === null ? await below.save(key, value, options) : null,
      }));
      expect(await findingsOf(store)).toContain("save() with the current version returned null");
    });

    test.each([
      ["always", 1],
      ["for one load in twenty", 20],
    ])("that reads from a late replica, %s", async (_when, every) => {
      let loads = 0;
      const store = storeWith((below) => {
        const replica = new Map<string, unknown>();
        const copyLater = async (key: string) => {
          const found = await below.load(key);
          setTimeout(() => replica.set(key, found), 50);
        };
        return {
          async load(key) {
            const isStale = ++loads % every === 0;
            return await (isStale ? replica.get(key) ?? null : below.load(key)) as never;
          },
          async save(key, ...rest) {
            const version = await below.save(key, ...rest);
            await copyLater(key);
            return version;
          },
          async delete(key) {
            await below.delete(key);
            await copyLater(key);
          },
        };
      });
      expect((await findingsOf(store))[0]).toBe(
        "load() returned an older value than the latest save(): does it read from a replica?",
      );
    });

    test("that loses a value, and not as a replica", async () => {
      const store = storeWith(() => ({ load: () => Promise.resolve(null) }));
      expect(await findingsOf(store)).toContain("load() returned null for a value that was saved");
      expect((await findingsOf(store)).join()).not.toContain("replica");
    });

    test("that compares and writes in two steps", async () => {
      class Racing extends MapStore {
        override async save(key: string, value: unknown, options: SaveOptions) {
          if (!this.isAllowed(key, options)) return null;
          await Promise.resolve();
          return this.put(key, value, options);
        }
      }
      expect(await findingsOf(new Racing())).toEqual([
        "10 of 10 simultaneous save() with the same version succeeded instead of one: " +
        "compare and write in one step of the database",
        "10 of 10 simultaneous save() with `version: null` succeeded instead of one: " +
        "compare and write in one step of the database",
        "10 of 10 simultaneous save() with `version: null` after an expired value succeeded instead of one: " +
        "compare and write in one step of the database",
      ]);
    });

    test("that writes but returns null", async () => {
      class Writing extends MapStore {
        override save(key: string, value: unknown, options: SaveOptions) {
          const isAllowed = this.isAllowed(key, options);
          const entry = this.find(key);
          if (isAllowed || entry === undefined) return super.save(key, value, options);
          entry.value = value;
          return Promise.resolve(null);
        }
      }
      expect(await findingsOf(new Writing())).toEqual([
        "save() with `version: null` replaced the value, although it returned null",
        "save() with another version replaced the value, although it returned null",
        "of simultaneous save() with the same version, one that returned null left its value",
        "of simultaneous save() with `version: null`, one that returned null left its value",
        "of simultaneous save() with `version: null` after an expired value, one that returned null left its value",
      ]);
    });

    test("whose load() returns another version than save()", async () => {
      const store = storeWith((below) => ({
        load: async (key) => {
          const found = await below.load(key);
          return found && { ...found, version: `"${found.version}"` };
        },
      }));
      expect(await findingsOf(store)).toEqual(["load() and save() returned different versions"]);
    });

    test("that counts the versions of each key from 1", async () => {
      class Counting extends MapStore {
        override nextVersion(key: string): string {
          return String(Number(this.entries.get(key)?.version ?? 0) + 1);
        }
      }
      expect(await findingsOf(new Counting())).toEqual([
        "save() returned a version that the value had before delete()",
      ]);
    });

    test("whose version is derived from the value", async () => {
      class Hashing extends MapStore {
        override nextVersion(_: string, value: unknown): string {
          return JSON.stringify(value).slice(0, 9);
        }
      }
      expect(await findingsOf(new Hashing())).toEqual([
        "save() of an equal value did not change the version",
      ]);
    });

    test("whose version is one of two", async () => {
      class Alternating extends MapStore {
        override nextVersion(key: string): string {
          return this.entries.get(key)?.version === "a" ? "b" : "a";
        }
      }
      expect(await findingsOf(new Alternating())).toContain(
        "save() returned the version of an older value",
      );
    });

    test("whose versions begin again after the expiry of a value", async () => {
      class Restarting extends MapStore {
        readonly counts = new Map<string, number>();
        override nextVersion(key: string): string {
          const old = this.entries.get(key);
          const count = old && old.expiresAt <= Date.now() ? 0 : this.counts.get(key) ?? 0;
          this.counts.set(key, count + 1);
          return `${key} ${count}`;
        }
      }
      expect(await findingsOf(new Restarting())).toEqual([
        "save() returned a version that the value had before it expired",
      ]);
    });

    test("that ends a value but returns null", async () => {
      class Ending extends MapStore {
        override save(key: string, value: unknown, options: SaveOptions) {
          const entry = this.entries.get(key);
          if (entry && options.expiresAt != null) entry.expiresAt = options.expiresAt;
          return super.save(key, value, options);
        }
      }
      expect(await findingsOf(new Ending())).toContain(
        "save() with another version expired the value, although it returned null",
      );
    });

    test("that replaces an expired value in two steps", async () => {
      class Replacing extends MapStore {
        override async save(key: string, value: unknown, options: SaveOptions) {
          if (!this.isAllowed(key, options)) return null;
          if (this.entries.has(key) && !this.find(key)) await Promise.resolve();
          return this.put(key, value, options);
        }
      }
      expect(await findingsOf(new Replacing())).toEqual([
        "10 of 10 simultaneous save() with `version: null` after an expired value succeeded instead of one: " +
        "compare and write in one step of the database",
      ]);
    });

    test.each([
      [
        "writes accents in one way",
        (key: string) => key.normalize(),
        "…\u00e9 for the key …e\u0301",
      ],
      ["decodes keys", (key: string) => key.replace("%41", "A"), "…%41 for the key …A"],
      ["trims keys", (key: string) => key.trimEnd(), "… with spaces for the key … with spaces "],
      [
        "cuts keys",
        (key: string) => key.slice(0, 255),
        `…${"x".repeat(400)} for the key …${"x".repeat(399)}`,
      ],
    ])("that %s", async (_, nameOf, keys) => {
      class Renaming extends MapStore {
        override nameOf(key: string): string {
          return nameOf(key);
        }
      }
      expect(await findingsOf(new Renaming())).toEqual([
        `load() returned the value of the key ${keys}`,
      ]);
    });

    test("that refuses more than 64 kB", async () => {
      const store = storeWith((below) => ({
        save: async (key, value, options) => {
          const { byteLength } = new TextEncoder().encode(JSON.stringify(value));
          if (byteLength > 64_000) throw new RangeError("value too long");
          return await below.save(key, value, options);
        },
      }));
      expect(await findingsOf(store)).toEqual(["save() rejected: RangeError: value too long"]);
    });

    test("that keeps expired values", async () => {
      class Eternal extends MapStore {
        override endOf(): number {
          return Infinity;
        }
      }
      expect(await findingsOf(new Eternal())).toEqual([
        "load() returned a value after its `expiresAt`",
        "load() returned a value several seconds after its `expiresAt`",
      ]);
    });

    test.each([
      ["", (_: SaveOptions) => true],
      [" without `expiresAt`", ({ expiresAt }: SaveOptions) => expiresAt == null],
    ])("that loses values%s", async (_, isLost) => {
      const lost = new Set<string>();
      const store = storeWith((below) => ({
        load: async (key) => lost.has(key) ? null : await below.load(key),
        save: async (key, value, options) => {
          if (isLost(options)) lost.add(key);
          else lost.delete(key);
          return await below.save(key, value, options);
        },
      }));
      const findings = await findingsOf(store);
      expect(findings).toContain("load() returned null for a value that was saved");
      expect(findings.filter((finding) => /delete|kept the `expiresAt`/.test(finding))).toEqual([]);
    });

    test("that refuses past times", async () => {
      const store = storeWith((below) => ({
        save: async (key, value, options) =>
          (options.expiresAt ?? Infinity) < Date.now()
            ? null
            : await below.save(key, value, options),
      }));
      expect(await findingsOf(store)).toEqual([
        "save() with an `expiresAt` in the past returned null",
      ]);
    });

    test("that leaves the key of an expired value occupied", async () => {
      class Occupied extends MapStore {
        override isAllowed(key: string, { version }: SaveOptions): boolean {
          return (this.entries.get(key)?.version ?? null) === version;
        }
      }
      expect(await findingsOf(new Occupied())).toEqual([
        "save() with the version of an expired value saved instead of returning null",
        "save() with `version: null` returned null for a key whose value has expired",
      ]);
    });

    test("that loses the value after an expired one", async () => {
      class Losing extends MapStore {
        override endOf(key: string, options: SaveOptions): number {
          const old = this.entries.get(key);
          return old && old.expiresAt <= Date.now() ? old.expiresAt : super.endOf(key, options);
        }
      }
      expect(await findingsOf(new Losing())).toEqual([
        "10 of 10 simultaneous save() with `version: null` after an expired value succeeded instead of one: " +
        "compare and write in one step of the database",
        "load() returned null for a value that was saved",
      ]);
    });

    test("that reads `expiresAt` as seconds from now", async () => {
      class Seconds extends MapStore {
        override endOf(_: string, { expiresAt }: SaveOptions): number {
          return expiresAt == null ? Infinity : Math.floor(expiresAt / 1000);
        }
      }
      expect(await findingsOf(new Seconds())).toEqual([
        "a value was gone before its `expiresAt`, in milliseconds since the epoch",
      ]);
    });

    test("that keeps the `expiresAt` of the value before", async () => {
      class Keeping extends MapStore {
        override endOf(key: string, options: SaveOptions): number {
          return options.expiresAt ?? this.find(key)?.expiresAt ?? Infinity;
        }
      }
      expect(await findingsOf(new Keeping())).toEqual([
        "save() without `expiresAt` kept the old `expiresAt`",
      ]);
    });

    test("that changes values", async () => {
      const store = storeWith((below) => ({
        save: (key, value, options) =>
          below.save(key, Array.isArray(value) ? { ...value } : value, options),
      }));
      expect(await findingsOf(store)).toEqual([
        "load() returned a value other than the saved [1,[2],{}]",
      ]);
    });

    test("that returns texts in place of values", async () => {
      const store = storeWith((below) => ({
        save: (key, value, options) => below.save(key, JSON.stringify(value), options),
      }));
      expect(await findingsOf(store)).toContain(
        "load() returned the JSON text of a value instead of the value: parse it",
      );
      expect(await findingsOf(store)).toContain(
        "load() returned a value other than the saved null",
      );
    });

    test("that shares its objects with the caller", async () => {
      class Sharing extends MapStore {
        override put(key: string, value: unknown, options: SaveOptions): string {
          const version = super.put(key, value, options);
          Object.assign(this.entries.get(key) ?? {}, { value });
          return version;
        }
      }
      class Lending extends MapStore {
        override load(key: string) {
          return Promise.resolve(this.find(key) ?? null);
        }
      }
      expect(await findingsOf(new Sharing())).toEqual([
        "a change of the caller's object after save() changed the stored value",
      ]);
      expect(await findingsOf(new Lending())).toEqual([
        "a change of an object that load() returned changed the stored value",
      ]);
    });

    test("that cuts long values", async () => {
      const store = storeWith((below) => ({
        save: (key, value, options) =>
          below.save(key, typeof value === "string" ? value.slice(0, 255) : value, options),
      }));
      expect(await findingsOf(store)).toEqual([
        "load() returned a value other than the saved one of 50,000 characters",
      ]);
    });

    test("that ignores the case of keys", async () => {
      class Lower extends MapStore {
        override nameOf(key: string): string {
          return key.toLowerCase();
        }
      }
      expect(await findingsOf(new Lower())).toEqual([
        "load() returned the value of the key …:abcd-_ for the key …:ABCD-_",
      ]);
    });

    test("that never returns", async () => {
      const never = () => new Promise<never>(() => {});
      expect(await findingsOf({ load: never, save: never, delete: never })).toEqual([
        "save() rejected: Error: no result within 10 seconds",
        "load() rejected: Error: no result within 10 seconds",
      ]);
    });

    test("that has no connection", async () => {
      const fail = () => {
        throw new Error("connection refused");
      };
      expect(await findingsOf({ load: fail, save: fail, delete: fail })).toEqual([
        "save() rejected: Error: connection refused",
        "load() rejected: Error: connection refused",
      ]);
    });
  });
});
