import { describe, expect, test, vi } from "vitest";
import { MemoryStore } from "../../../mod.ts";
import { PersonIndex } from "../../../src/login/sessions/person_index.ts";
import { thrownBy } from "../../support/responders.ts";

const KEY = "sessions-of";
const LATER = Date.now() + 3_600_000;

function createIndex(store = new MemoryStore()) {
  const deleted: string[] = [];
  const index = new PersonIndex(store, KEY, async ({ digest }) => {
    deleted.push(digest);
    await store.delete(digest);
  });
  const saved = async () => Object((await store.load(KEY))?.value).sessions;
  return { index, deleted, store, saved };
}

const entry = (digest: string, startedAt = 0, endsAt = LATER) => ({
  digest,
  startedAt,
  endsAt,
  progress: [],
});

describe("The list of a person's sessions", () => {
  test("has the digest, the start and the end of each, and the number of its format", async () => {
    const { index, store } = createIndex();
    await index.add(entry("a", 1));
    await index.add(entry("b", 2));
    expect((await store.load(KEY))?.value).toEqual({
      format: 3,
      sessions: [entry("b", 2), entry("a", 1)],
    });
    expect(await index.has("a")).toBe(true);
    expect(await index.has("c")).toBe(false);
  });

  test("names the newest session except one", async () => {
    const { index } = createIndex();
    for (const [digest, startedAt] of [["a", 1], ["c", 3], ["b", 2]] as const) {
      await index.add(entry(digest, startedAt));
    }
    expect(await index.newestExcept("a")).toEqual(entry("c", 3));
    expect(await index.newestExcept("c")).toEqual(entry("b", 2));
    for (const digest of ["b", "c"]) await index.remove(digest);
    expect(await index.newestExcept("a")).toBeNull();
  });

  test("has at most 50, and the oldest one ends first", async () => {
    const { index, deleted, saved } = createIndex();
    for (let at = 1; at <= 50; at++) await index.add(entry(String(at), at));
    expect(deleted).toEqual([]);
    await index.add(entry("new", 1000));
    expect([...new Set(deleted)]).toEqual(["1"]);
    expect(await saved()).toHaveLength(50);
    expect(await index.has("new")).toBe(true);
  });

  test("keeps a new session also when its clock is behind, and ends the oldest one", async () => {
    const { index, deleted } = createIndex();
    for (let at = 1; at <= 50; at++) await index.add(entry(String(at), at));
    await index.add(entry("new", 0));
    expect(new Set(deleted)).toEqual(new Set(["1"]));
    await index.add(entry("newer", 0));
    expect(new Set(deleted)).toEqual(new Set(["1", "2"]));
    expect(await index.has("new")).toBe(true);
  });

  test("changes a session, and ends none for it", async () => {
    const { index, deleted, saved } = createIndex();
    for (let at = 1; at <= 50; at++) await index.add(entry(String(at), at));
    expect(await index.update("1", (old) => ({ ...old, startedAt: 100 }))).toBe(true);
    expect((await saved()).at(-1)).toEqual(entry("1", 100));
    expect(await saved()).toHaveLength(50);
    expect(deleted).toEqual([]);
  });

  test("has no session that has ended, also when it is to be changed", async () => {
    const { index, saved } = createIndex();
    await index.add(entry("a"));
    await index.remove("a");
    expect(await index.update("a", (old) => ({ ...old, startedAt: 1 }))).toBe(false);
    expect(await saved()).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ["a number in its place", 5],
    ["its text", "[]"],
    ["an object in its place", {}],
    ["null as a session", [null]],
    ["a number as a session", [5]],
    ["a session without fields", [{}]],
    ["a session without a digest", [{ ...entry("a"), digest: undefined }]],
    ["a session without a start", [{ ...entry("a"), startedAt: undefined }]],
    ["a session without an end", [{ ...entry("a"), endsAt: undefined }]],
    ["a session without its progress", [{ ...entry("a"), progress: undefined }]],
    ["a session whose end is text", [{ ...entry("a"), endsAt: String(LATER) }]],
  ])("ends every call in a clear TypeError if the store loads %s", async (_what, sessions) => {
    const { index, store } = createIndex();
    await store.save(KEY, { format: 3, sessions }, { version: null });
    const error = new TypeError(
      "store.load() must return the value that was saved, received one with other fields. Test it with checkStore() from " +
        "@guildpass/sdk/testing",
    );
    for (
      const call of [
        () => index.add(entry("b")),
        () => index.has("a"),
        () => index.end(() => true),
        () => index.remove("a"),
      ]
    ) await expect(call()).rejects.toThrow(error);
  });

  test("forgets sessions whose time is over", async () => {
    vi.useFakeTimers();
    const { index, deleted, saved } = createIndex();
    await index.add(entry("a", 0, Date.now() + 1000));
    vi.setSystemTime(Date.now() + 1001);
    await index.add(entry("b", 0, Date.now() + 1000));
    expect(await saved()).toEqual([entry("b", 0, Date.now() + 1000)]);
    expect(deleted).toEqual([]);
    vi.useRealTimers();
  });

  test("forgets a session whose time is over before that of another one", async () => {
    vi.useFakeTimers();
    const { index, saved } = createIndex();
    await index.add(entry("long", 1));
    await index.add(entry("short", 2, Date.now() + 1000));
    vi.setSystemTime(Date.now() + 1000);
    expect(await index.has("short")).toBe(false);
    await index.add(entry("new", 3));
    expect(await saved()).toEqual([entry("new", 3), entry("long", 1)]);
    vi.useRealTimers();
  });

  test("says so when the store never saves it", async () => {
    const { index, store } = createIndex();
    vi.spyOn(store, "save").mockResolvedValue(null);
    vi.spyOn(performance, "now").mockReturnValueOnce(performance.now() - 30_000);
    const error = await thrownBy(() => index.add(entry("a")));
    expect(String(error)).toMatch(
      /^StoreTimeoutError: The sessions of the user were not changed: /,
    );
  });

  test("deletes the records before and after it removes a session, and is empty without one", async () => {
    const { index, deleted, store } = createIndex();
    await index.add(entry("a", 1));
    await index.add(entry("b", 2));
    const order: string[] = [];
    const deletes = vi.spyOn(store, "delete").mockImplementation((key) => {
      order.push(`delete ${key}`);
      return Promise.resolve();
    });
    const saves = vi.spyOn(store, "save");
    await index.end(({ startedAt }) => startedAt < 2);
    // Again after it: a login that found itself in the list may have saved them meanwhile.
    expect(order).toEqual(["delete a", "delete a"]);
    const [first = 0, second] = deletes.mock.invocationCallOrder;
    const [saved = 0] = saves.mock.invocationCallOrder;
    expect(first).toBeLessThan(saved);
    expect(second).toBeGreaterThan(saved);
    expect(await index.has("b")).toBe(true);
    await index.end(() => true);
    expect(deleted).toEqual(["a", "a", "b", "b"]);
    expect(await store.load(KEY)).toBeNull();
  });

  test("lets a session go whose records are deleted already, deletes nothing, and names the others", async () => {
    const { index, deleted, saved } = createIndex();
    for (const digest of ["a", "b", "c"]) await index.add(entry(digest));
    expect(await index.remove("b")).toEqual({ others: ["c", "a"], removed: ["b"] });
    expect(await saved()).toEqual([entry("c"), entry("a")]);
    expect(await index.remove("b")).toEqual({ others: ["c", "a"], removed: [] });
    expect(deleted).toEqual([]);
  });

  test("is not saved when nothing changes", async () => {
    const { index, store } = createIndex();
    await index.add(entry("a"));
    const save = vi.spyOn(store, "save");
    await index.end(() => false);
    await index.remove("b");
    expect(save).not.toHaveBeenCalled();
  });

  test("loses nothing when many requests change it at the same moment", async () => {
    const { index } = createIndex();
    const names = Array.from({ length: 15 }, (_, at) => String(at));
    await Promise.all(names.map((name) => index.add(entry(name))));
    for (const name of names) expect(await index.has(name)).toBe(true);
  });

  test("is empty when its content has another format", async () => {
    const { index, store } = createIndex();
    await store.save(KEY, { format: 1, sessions: [entry("a")] }, { version: null });
    expect(await index.has("a")).toBe(false);
    await index.add(entry("b"));
    expect(await index.has("b")).toBe(true);
  });
});
