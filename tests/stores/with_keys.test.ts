import { expect, test } from "vitest";
import { MemoryStore } from "../../mod.ts";
import { withKeys } from "../../src/stores/with_keys.ts";

test("withKeys() loads, saves and deletes under the other keys", async () => {
  const memory = new MemoryStore();
  const store = withKeys(memory, (key) => Promise.resolve(`of:${key}`));
  const version = await store.save("ada", 1, { version: null });
  expect(await memory.load("of:ada")).toEqual({ value: 1, version });
  expect(await store.load("ada")).toEqual({ value: 1, version });
  expect(await store.save("ada", 2, { version: "another" })).toBeNull();
  await store.delete("ada");
  expect(memory.size).toBe(0);
});
