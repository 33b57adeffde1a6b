import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MemoryStore } from "../../mod.ts";
import { loadPause, type PauseStore, savePause } from "../../src/http/shared_pause.ts";

const key = "guildpass:token-endpoint:1:discord.com/api/v10";
const pause = { leftMs: 5000, gapMs: 2000, status: 429 };

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("A shared pause", () => {
  test("is plain data without a secret", async () => {
    const store = new MemoryStore();
    await savePause(store, key, pause, null);
    const value = { format: 1, until: Date.now() + 5000, duration: 5000, gap: 2000, status: 429 };
    expect((await store.load(key))?.value).toEqual(value);
  });

  test("is read with the rest of its time, and with the version that replaces it", async () => {
    const store = new MemoryStore();
    expect(await loadPause(store, key)).toEqual({ pause: null, version: null });
    await savePause(store, key, pause, null);
    await vi.advanceTimersByTimeAsync(1500);
    const found = await loadPause(store, key);
    expect(found.pause).toEqual({ ...pause, leftMs: 3500 });
    await savePause(store, key, { ...pause, status: 503 }, found.version);
    expect((await loadPause(store, key)).pause?.status).toBe(503);
  });

  test("does not replace the pause that another process has saved since", async () => {
    const store = new MemoryStore();
    await savePause(store, key, pause, null);
    await savePause(store, key, { ...pause, gapMs: 1 }, null);
    expect((await loadPause(store, key)).pause).toEqual(pause);
  });

  test("is gone ten minutes after it was saved", async () => {
    const store = new MemoryStore();
    await savePause(store, key, pause, null);
    await vi.advanceTimersByTimeAsync(599_999);
    expect((await loadPause(store, key)).pause).not.toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect((await loadPause(store, key)).pause).toBeNull();
  });

  test.each<[string, Record<string, number>, Record<string, number>]>([
    ["a clock that is a minute behind", { until: 65_000 }, { leftMs: 5000 }],
    ["a clock that is a minute ahead", { until: -55_000 }, { leftMs: -55_000 }],
    ["a year", { until: 3e10, duration: 3e10 }, { leftMs: 60_000 }],
    ["a gap of a year", { gap: 3e10 }, { gapMs: 60_000 }],
  ])("is believed up to bounds: %s", async (_what, { until = 5000, ...changes }, expected) => {
    const store = new MemoryStore();
    const value = { duration: 5000, gap: 2000, status: 429, ...changes };
    await store.save(key, { ...value, until: Date.now() + until }, { version: null });
    expect((await loadPause(store, key)).pause).toEqual({ ...pause, ...expected });
  });

  test.each([
    null,
    "soon",
    {},
    { until: "soon", duration: 1, gap: 1, status: 1 },
    { until: 1, duration: null, gap: 1, status: 1 },
    { until: 1, duration: 1, gap: 1e999, status: 1 },
    { until: 1, duration: 1, gap: 1 },
    { until: 1, duration: 1, gap: 1, status: 200 },
    { until: 1, duration: 1, gap: 1, status: 5e9 },
  ])("that can't be read is none, and can be replaced: %j", async (value) => {
    const load = () => Promise.resolve({ value, version: "7" });
    const store: PauseStore = { load, save: () => Promise.resolve("8") };
    expect(await loadPause(store, key)).toEqual({ pause: null, version: "7" });
  });
});

describe("A store that fails", () => {
  const hang = () => new Promise<never>(() => {});
  const fail = () => Promise.reject(new Error("down"));
  const throws = () => {
    throw new Error("down");
  };

  test.each([["rejects", fail, 0], ["throws", throws, 0], ["hangs", hang, 1000]])(
    "and %s costs a second at most",
    async (_how, operation, milliseconds) => {
      const store: PauseStore = { load: operation, save: operation };
      const begin = Date.now();
      const done = Promise.all([loadPause(store, key), savePause(store, key, pause, null)]);
      await vi.advanceTimersByTimeAsync(milliseconds);
      expect(await done).toEqual([{ pause: null, version: null }, undefined]);
      expect(Date.now() - begin).toBe(milliseconds);
      expect(vi.getTimerCount()).toBe(0);
    },
  );
});
