import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, MemoryStore, NetworkError, RateLimitError } from "../../mod.ts";
import type { AttemptResult, Rejection } from "../../src/http/attempt.ts";
import { notSent } from "../../src/http/limits/rejections.ts";
import { newPause } from "../../src/http/limits/pause.ts";
import { attemptInTurn, newRefreshPace } from "../../src/http/refresh_pace.ts";
import type { PauseStore } from "../../src/http/shared_pause.ts";
import { responseOf } from "../support/response_of.ts";

const key = "guildpass:token-endpoint:1:discord.com/api/v10";
const success = responseOf({ status: 200, text: "{}" });
const down = responseOf({ status: 503, text: "{}" });
const cut: AttemptResult = { kind: "failure", hasBegun: false, reason: null };

function tooMany(seconds: number): AttemptResult {
  return responseOf({ status: 429, text: JSON.stringify({ retry_after: seconds }) });
}

/** The store of several processes, which counts its operations. */
class CountingStore implements PauseStore {
  readonly memory = new MemoryStore();
  loads = 0;
  saves = 0;

  load(name: string) {
    this.loads += 1;
    return this.memory.load(name);
  }

  save(name: string, value: unknown, options: { version: string | null; expiresAt: number }) {
    this.saves += 1;
    return this.memory.save(name, value, options);
  }
}

/** The options of a simulated refresh. */
interface RefreshOptions {
  readonly store?: PauseStore | null;
  readonly isUrgent?: boolean;
  readonly timeout?: number;
  readonly controller?: AbortController;
  /** The time until the result, in milliseconds. */
  readonly takes?: number;
}

/** A process that refreshes tokens, with the times at which its requests were sent. */
function createProcess(store: PauseStore | null = null) {
  const pace = newRefreshPace(newPause(false));
  const sent: number[] = [];
  const refresh = (
    result: AttemptResult | (() => AttemptResult),
    options: RefreshOptions = {},
  ): Promise<AttemptResult> => {
    const { isUrgent = true, timeout = 10_000, takes = 100 } = options;
    const { controller = new AbortController() } = options;
    const turnStore = options.store === undefined ? store : options.store;
    const turn = turnStore && { isUrgent, store: turnStore, take: () => Promise.resolve(true) };
    const form = { grant_type: "refresh_token" };
    const call = {
      request: { path: "/oauth2/token", form, turn },
      requestLine: "POST https://discord.com/api/v10/oauth2/token",
      deadline: performance.now() + timeout,
      signal: controller.signal,
    };
    return attemptInTurn(pace, key, call, async () => {
      sent.push(Math.round(performance.now() - begin));
      await new Promise((resolve) => setTimeout(resolve, takes));
      return typeof result === "function" ? result() : result;
    });
  };
  return { refresh, sent, pace };
}

/** Awaits a promise while virtual time goes on. */
async function soon<Value>(promise: Promise<Value>, milliseconds = 10_000): Promise<Value> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  return await promise;
}

function errorOf(result: AttemptResult): Error {
  expect(result.kind).toBe("rejection");
  return (result as Rejection).error;
}

let begin = 0;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
  begin = performance.now();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("A process that has sent no refresh for a while", () => {
  test("sends the first refresh at once, and the others faster with each success", async () => {
    const { refresh, sent } = createProcess();
    await soon(Promise.all(Array.from({ length: 20 }, () => refresh(success))));
    expect(sent[0]).toBe(0);
    expect(sent[1]).toBeGreaterThan(100);
    expect(sent[1]).toBeLessThanOrEqual(150);
    expect(sent.at(-1)).toBeLessThanOrEqual(700);
  });

  test("begins slowly again after ten seconds, and not earlier", async () => {
    const { refresh, sent } = createProcess();
    await soon(Promise.all(Array.from({ length: 20 }, () => refresh(success))), 9000);
    await soon(Promise.all([refresh(success), refresh(success)]), 11_000);
    expect(sent.slice(-2)).toEqual([9000, 9000]);
    await soon(Promise.all([refresh(success), refresh(success)]));
    expect(sent.slice(-2)).toEqual([20_000, 20_125]);
  });

  test("delays no refresh for longer than a second, and rejects none, if the platform is slow", async () => {
    const { refresh, sent } = createProcess();
    const results = Array.from({ length: 20 }, () => refresh(success, { takes: 5000 }));
    expect(await soon(Promise.all(results))).toEqual(Array(20).fill(success));
    expect(sent.slice(0, 5)).toEqual([0, 250, 500, 750, 1000]);
    expect(sent.at(-1)).toBe(1000);
  });

  test("delays no refresh for longer than half of its time", async () => {
    const { refresh, sent } = createProcess();
    const results = [1, 2].map(() => refresh(success, { takes: 150, timeout: 200 }));
    await soon(Promise.all(results));
    expect(sent).toEqual([0, 100]);
  });

  test("does not send a refresh that is not urgent until it is its turn", async () => {
    const { refresh, sent } = createProcess(new MemoryStore());
    const [first, second] = [1, 2].map(() => refresh(success, { isUrgent: false }));
    expect(errorOf(await soon(second ?? first as never))).not.toBeInstanceOf(RateLimitError);
    expect(await first).toBe(success);
    expect(sent).toEqual([0]);
  });

  test("stops a wait at once when its call is aborted", async () => {
    const { refresh, sent } = createProcess();
    const controller = new AbortController();
    const results = [refresh(success), refresh(success, { controller })];
    await vi.advanceTimersByTimeAsync(20);
    controller.abort();
    expect(errorOf(await soon(results[1] ?? Promise.resolve(success), 0))).toBeInstanceOf(Error);
    await soon(Promise.all(results));
    expect(sent).toEqual([0]);
  });
});

describe("After a 429", () => {
  test("all refreshes wait for its end, and begin up to a gap later", async () => {
    const { refresh, sent, pace } = createProcess();
    expect(await soon(refresh(tooMany(2)), 600)).toMatchObject({ status: 429 });
    expect(pace.gapMs).toBe(325);
    const result = refresh(success);
    await soon(result, 3000);
    // The response came after 100 ms, the pause lasts for 2 s, and the random number is 0.5; calls look every 50 ms.
    expect(sent[1]).toBeGreaterThanOrEqual(2262);
    expect(sent[1]).toBeLessThan(2320);
  });

  test("a refresh that would wait for more than two seconds is rejected at once, with the wait", async () => {
    const { refresh } = createProcess();
    await soon(refresh(tooMany(30)), 100);
    const error = errorOf(await refresh(success));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ isTemporary: true, httpStatus: 429, retryAfter: 30.163 });
    await vi.advanceTimersByTimeAsync(28_000);
    expect(errorOf(await refresh(success))).toMatchObject({ retryAfter: 2.163 });
  });

  test("a pause lasts for a minute at most, and the error has the stated wait", async () => {
    const { refresh } = createProcess();
    await soon(refresh(tooMany(600)), 100);
    expect(errorOf(await refresh(success))).toMatchObject({ retryAfter: 600 });
    await vi.advanceTimersByTimeAsync(60_163);
    expect(await soon(refresh(success), 100)).toBe(success);
  });

  test("the gap grows with each further 429, and shrinks by a quarter at most once in a second and in a gap", async () => {
    const { refresh, pace } = createProcess();
    await soon(refresh(tooMany(1)), 2000);
    await soon(refresh(tooMany(1)), 2000);
    expect(pace.gapMs).toBeCloseTo(325 * 1.3);
    await soon(refresh(success), 500);
    expect(pace.gapMs).toBeCloseTo(325 * 1.3 * 0.75);
    await soon(refresh(success), 400);
    expect(pace.gapMs).toBeCloseTo(325 * 1.3 * 0.75);
    await soon(refresh(success), 1000);
    expect(pace.gapMs).toBeCloseTo(325 * 1.3 * 0.75);
    await soon(refresh(success), 1000);
    expect(pace.gapMs).toBeCloseTo(325 * 1.3 * 0.75 ** 2);
  });

  test("a response to an earlier request changes nothing", async () => {
    const { refresh, pace } = createProcess();
    const late = refresh(success, { takes: 5000 });
    await vi.advanceTimersByTimeAsync(250);
    await soon(refresh(tooMany(20)), 5000);
    await late;
    expect(pace.gapMs).toBe(325);
    expect(errorOf(await refresh(success))).toBeInstanceOf(RateLimitError);
  });

  test("a block by the edge is not a success, and begins no pause of its own here", async () => {
    const { refresh, pace } = createProcess();
    await soon(refresh(responseOf({ status: 429, text: "blocked" })), 300);
    expect(pace.gapMs).toBe(250);
    await soon(refresh(responseOf({ status: 403, text: "<html>" })), 300);
    expect(pace.gapMs).toBe(250);
    await soon(refresh(success), 300);
    expect(pace.gapMs).toBe(125);
  });

  test("a refresh that is not sent leaves its turn to another one", async () => {
    const { refresh, sent, pace } = createProcess();
    await soon(refresh(tooMany(1)), 1600);
    await soon(refresh(notSent(), { takes: 1 }), 1);
    expect(pace.nextAt).toBeLessThanOrEqual(performance.now());
    await soon(refresh(success), 100);
    expect(sent.slice(1)).toEqual([1600, 1601]);
  });

  test("a refresh that is not sent does not end the pause that has begun meanwhile", async () => {
    const { refresh } = createProcess();
    const first = refresh(notSent(), { takes: 600 });
    await soon(refresh(tooMany(30)), 500);
    await soon(first, 200);
    expect(errorOf(await refresh(success))).toBeInstanceOf(RateLimitError);
  });

  test("a 429 to a request from before the pause does not shorten it", async () => {
    const { refresh, pace } = createProcess();
    const late = refresh(tooMany(1), { takes: 600 });
    await soon(refresh(tooMany(30)), 500);
    await soon(late, 200);
    expect(pace.gapMs).toBe(325);
    expect(errorOf(await refresh(success))).toMatchObject({ retryAfter: expect.closeTo(29.8, 0) });
  });
});

describe("After three failures of the platform in a row", () => {
  async function inOutage(failure: AttemptResult = down) {
    const process = createProcess();
    for (const _ of [1, 2]) await soon(process.refresh(failure), 300);
    expect(process.pace.outageUntil).toBe(-Infinity);
    await soon(process.refresh(failure), 100);
    return process;
  }

  test.each<[AttemptResult, Error]>([
    [down, new ApiError("", { httpStatus: 503 })],
    [responseOf({ status: 502, text: "" }), new ApiError("", { httpStatus: 503 })],
    [cut, new NetworkError("", { mayHaveArrived: false })],
  ])("refreshes fail at once, with the wait: %j", async (failure, { name }) => {
    const { refresh } = await inOutage(failure);
    for (let tries = 0; tries < 2; tries++) {
      await vi.advanceTimersByTimeAsync(3000);
      await soon(refresh(failure), 100);
    }
    const error = errorOf(await soon(refresh(success), 0));
    expect(error).toMatchObject({ name, isTemporary: true });
    expect(error).toMatchObject({ retryAfter: expect.closeTo(4.25, 1) });
    // Both say that the refresh token is not used up.
    const isUnused = name === "NetworkError" ? { mayHaveArrived: false } : { httpStatus: 503 };
    expect(error).toMatchObject(isUnused);
  });

  test("the pauses last 1, 2, 4 … and 30 seconds", async () => {
    const { refresh, pace } = await inOutage();
    const pauses = [pace.outageMs];
    while (pauses.length < 7) {
      await vi.advanceTimersByTimeAsync(40_000);
      await soon(refresh(down), 100);
      pauses.push(pace.outageMs);
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    await vi.advanceTimersByTimeAsync(40_000);
    await soon(refresh(success), 100);
    expect(pace).toMatchObject({ outageMs: 0, failures: 0 });
    expect(pace.gapMs).toBeCloseTo(3750 * 0.75);
  });

  test("a stated wait counts", async () => {
    const stated = responseOf({ status: 503, headers: { "retry-after": "7" } });
    const { pace } = await inOutage(stated);
    expect(pace.outageMs).toBe(7000);
  });

  test("a success in between begins anew", async () => {
    const { refresh, pace } = createProcess();
    for (const result of [down, down, success, down, down]) await soon(refresh(result), 300);
    expect(pace.outageUntil).toBe(-Infinity);
  });

  test("a request without a response by its deadline is a failure, and an aborted one is not", async () => {
    const { refresh, pace } = createProcess();
    const controller = new AbortController();
    controller.abort();
    for (const _ of [1, 2, 3]) await soon(refresh(cut, { controller }), 300);
    expect(pace.failures).toBe(0);
    for (const _ of [1, 2, 3]) await soon(refresh(cut, { controller, timeout: 100 }), 300);
    expect(pace.failures).toBe(3);
  });
});

describe("Processes with a store", () => {
  test("learn of a pause before their first refresh", async () => {
    const store = new CountingStore();
    await soon(createProcess(store).refresh(tooMany(20)), 100);
    expect([store.loads, store.saves]).toEqual([2, 1]);
    const other = createProcess(store);
    expect(errorOf(await soon(other.refresh(success), 0))).toMatchObject({
      name: "RateLimitError",
      retryAfter: expect.closeTo(20.16, 1),
    });
    expect(other.sent).toEqual([]);
    expect([store.loads, store.saves]).toEqual([3, 1]);
  });

  test("take over a gap once, also if the store fails meanwhile", async () => {
    const store = new CountingStore();
    const value = { until: Date.now() - 9000, duration: 1000, gap: 8000, status: 429 };
    await store.memory.save(key, value, { version: null });
    const { refresh, pace } = createProcess(store);
    const failing: PauseStore = {
      load: () => Promise.reject(new Error("The store is down")),
      save: () => Promise.resolve(null),
    };
    const gaps: number[] = [];
    for (const next of [store, store, failing, store]) {
      await soon(refresh(success, { store: next }));
      gaps.push(pace.gapMs);
    }
    expect(gaps).toEqual([8000, 6000, 4500, 3375]);
  });

  test("return a 429 in time, also if the store hangs", async () => {
    const hang = () => new Promise<never>(() => {});
    const { refresh } = createProcess();
    const store = { load: hang, save: hang };
    const startedAt = performance.now();
    const result = refresh(tooMany(20), { store, takes: 100, timeout: 1500 });
    const arrival = result.then(() => performance.now() - startedAt);
    expect(await soon(result)).toMatchObject({ status: 429 });
    // The store costs a second before the request, and half of the rest after it.
    expect(await arrival).toBeLessThan(1500);
  });

  test("learn of an outage before their first refresh", async () => {
    const store = new CountingStore();
    const first = createProcess(store);
    for (const _ of [1, 2, 3]) await soon(first.refresh(down), 300);
    for (const _ of [1, 2]) {
      await vi.advanceTimersByTimeAsync(3000);
      await soon(first.refresh(down), 100);
    }
    const other = createProcess(store);
    expect(errorOf(await soon(other.refresh(success), 0))).toMatchObject({
      name: "ApiError",
      httpStatus: 503,
    });
    expect(other.pace).toMatchObject({ outageMs: 4000, failures: 3 });
  });

  test("read the store once while nothing is wrong, and save nothing", async () => {
    const store = new CountingStore();
    const { refresh } = createProcess(store);
    for (let refreshes = 0; refreshes < 5; refreshes++) await soon(refresh(success));
    expect([store.loads, store.saves]).toEqual([1, 0]);
  });

  test("read the store before each refresh in the ten minutes after a 429", async () => {
    const store = new CountingStore();
    const { refresh } = createProcess(store);
    await soon(refresh(tooMany(1)), 10_000);
    store.loads = 0;
    for (const _ of [1, 2, 3]) await soon(refresh(success));
    expect(store.loads).toBe(3);
    await vi.advanceTimersByTimeAsync(600_000);
    await soon(refresh(success));
    expect(store.loads).toBe(3);
  });

  test("save a pause once, however many calls got a 429 in it", async () => {
    const store = new CountingStore();
    const processes = [1, 2, 3].map(() => createProcess(store));
    await soon(Promise.all(processes.map(({ refresh }) => refresh(tooMany(5)))), 120);
    expect((await store.memory.load(key))?.value).toMatchObject({ gap: 325, status: 429 });
    // All three look at the same moment, and one is first.
    expect(store.saves).toBeLessThanOrEqual(3);
    store.saves = 0;
    await soon(createProcess(null).refresh(tooMany(5)));
    expect(store.saves).toBe(0);
  });

  test("take over a longer gap, and send at once if their time in it has passed", async () => {
    const store = new CountingStore();
    const value = { until: Date.now() - 8000, duration: 1000, gap: 8000, status: 429 };
    await store.memory.save(key, value, { version: null });
    const late = createProcess(store);
    await soon(late.refresh(success), 100);
    expect(late.sent).toEqual([0]);
    expect(late.pace.gapMs).toBe(8000);
    vi.mocked(Math.random).mockReturnValue(1.5);
    const early = createProcess(store);
    expect(errorOf(await soon(early.refresh(success), 0))).toBeInstanceOf(Error);
  });

  test("share 5 refreshes a second, with few 429s: 30 processes of 10 callers", async () => {
    vi.mocked(Math.random).mockRestore();
    const store = new CountingStore();
    const counts = { limited: 0, ok: 0, inWindow: 0, window: -1 };
    const respond = () => {
      const window = Math.floor((performance.now() - begin) / 1000);
      if (window !== counts.window) Object.assign(counts, { window, inWindow: 0 });
      const isOk = ++counts.inWindow <= 5;
      counts[isOk ? "ok" : "limited"] += 1;
      return isOk ? success : tooMany(1);
    };
    const callers = Array.from({ length: 30 }, () => createProcess(store)).flatMap((process) =>
      Array.from({ length: 10 }, async () => {
        while (true) {
          const result = await process.refresh(respond);
          if (result === success) return;
          const wait = result.kind === "rejection" ? (errorOf(result) as RateLimitError) : null;
          await new Promise((resolve) => setTimeout(resolve, (wait?.retryAfter ?? 1) * 1000));
        }
      })
    );
    await soon(Promise.all(callers), 600_000);
    expect(counts.ok).toBe(300);
    // As many as processes before any of them knows, and a few for each step that finds the limit.
    expect(counts.limited).toBeLessThan(150);
    expect(store.saves).toBeLessThan(100);
  });
});
