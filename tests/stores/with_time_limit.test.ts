import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MemoryStore, type Store, StoreTimeoutError } from "../../mod.ts";
import { checkLoaded, withTimeLimit } from "../../src/stores/with_time_limit.ts";
import { thrownBy } from "../support/responders.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  // Before the real timers, since a spy keeps the ones that it replaced.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("A store with a time limit", () => {
  const never = () => new Promise<never>(() => {});
  const hanging = withTimeLimit({ load: never, save: never, delete: never }, 2000);

  test.each<[string, () => Promise<unknown>]>([
    ["load", () => hanging.load("k3y")],
    ["save", () => hanging.save("k3y", "v4lue", { version: null })],
    ["delete", () => hanging.delete("k3y")],
  ])("names the operation that took too long: %s", async (operation, call) => {
    let thrown: unknown = "nothing yet";
    const caught = thrownBy(call).then((error) => thrown = error);
    await vi.advanceTimersByTimeAsync(1999);
    expect(thrown).toBe("nothing yet");
    await vi.advanceTimersByTimeAsync(1);
    await caught;
    expect(thrown).toBeInstanceOf(StoreTimeoutError);
    expect(thrown).toMatchObject({
      name: "StoreTimeoutError",
      code: "store_timeout",
      message: `The store did not ${operation} a value within 2000 ms`,
      hint: expect.stringContaining("Check the database and try again"),
    });
    // Keys may say who somebody is, and values may be tokens.
    expect(`${thrown}${(thrown as Error).stack}`).not.toMatch(/k3y|v4lue/);
  });

  test("returns the results of the store, and leaves no timer behind", async () => {
    const store = withTimeLimit(new MemoryStore(), 2000);
    const version = await store.save("key", [1], { version: null });
    expect(await store.load("key")).toEqual({ value: [1], version });
    expect(await store.save("key", [2], { version: "another" })).toBeNull();
    await store.delete("key");
    expect(await store.load("key")).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("sets no timer for a store that responds at once, such as one in memory", async () => {
    const setTimer = vi.spyOn(globalThis, "setTimeout");
    const store = withTimeLimit(new MemoryStore(), 2000);
    const version = await store.save("key", [1], { version: null });
    expect(await store.load("key")).toEqual({ value: [1], version });
    await store.delete("key");
    expect(setTimer).not.toHaveBeenCalled();
  });

  test.each([["undefined", undefined], ["number", 7]])(
    "rejects with a TypeError if save() gives %s",
    async (received, result) => {
      const store = { ...new MemoryStore(), save: () => Promise.resolve(result) };
      const limited = withTimeLimit(store as unknown as Store, 2000);
      const error = await thrownBy(() => limited.save("k3y", "v4lue", { version: null }));
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toContain(`received ${received}. Test it with checkStore()`);
      expect(String(error)).not.toMatch(/k3y|v4lue/);
    },
  );

  test("rejects with a TypeError if load() gives a value without a version", async () => {
    const store = { ...new MemoryStore(), load: () => Promise.resolve({ value: "v4lue" }) };
    const limited = withTimeLimit(store as unknown as Store, 2000);
    const error = await thrownBy(() => limited.load("k3y"));
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain("store.load() must return an object with value and version");
  });

  test("throws the errors of the store, also if it throws them without a promise", async () => {
    const broken = (): never => {
      throw new Error("disk full");
    };
    const store = withTimeLimit({ load: broken, save: broken, delete: broken } as Store, 2000);
    expect(await thrownBy(() => store.load("key"))).toMatchObject({ message: "disk full" });
    const rejecting = withTimeLimit(
      { ...store, load: () => Promise.reject(new Error("down")) },
      2000,
    );
    expect(await thrownBy(() => rejecting.load("key"))).toMatchObject({ message: "down" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("accepts a store that returns no promise", async () => {
    const store = withTimeLimit(
      { ...new MemoryStore(), load: () => null } as unknown as Store,
      2000,
    );
    expect(await store.load("key")).toBeNull();
  });
});

test.each([
  [{ value: "t0ken", version: "1" }],
  [{ value: "text with {braces}", version: "1" }],
  [{ value: null, version: "" }],
  [null],
])(
  "A value with its version, or null, is returned as it is: %j",
  (found) => {
    expect(checkLoaded(found)).toBe(found);
  },
);

test("A store that returns undefined has no value", () => {
  expect(checkLoaded(undefined)).toBeNull();
});

test.each<[unknown, string]>([
  ["t0ken", "received string"],
  [{ token: "t0ken" }, "received an object with value: undefined, version: undefined"],
  [{ value: "t0ken", version: 7 }, "received an object with value: string, version: number"],
  [{ version: "7" }, "received an object with value: undefined, version: string"],
])("A result without value and version is refused, and not shown: %j", (found, received) => {
  const message =
    `store.load() must return an object with value and version, or null, ${received}. Test it with checkStore() from ` +
    "@guildpass/sdk/testing";
  expect(() => checkLoaded(found)).toThrow(new TypeError(message));
});

test.each(['"t0ken"', '{"token":"t0ken"}', '["t0ken"]'])(
  "A value that is still JSON text is refused: %s",
  (value) => {
    const message = "store.load() must return the value that was saved, received its JSON text: " +
      "parse it. Test it with checkStore() from @guildpass/sdk/testing";
    expect(() => checkLoaded({ value, version: "1" })).toThrow(new TypeError(message));
  },
);
