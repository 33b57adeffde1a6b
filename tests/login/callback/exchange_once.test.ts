import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  ApiError,
  MemoryStore,
  NetworkError,
  RateLimitError,
  type Store,
  TimeoutError,
  type TokenObj,
} from "../../../mod.ts";
import type { PendingLogin } from "../../../src/login/base/pending_login.ts";
import { type Progress, ProgressRecord } from "../../../src/login/sessions/login_progress.ts";
import { withTimeLimit } from "../../../src/stores/with_time_limit.ts";
import * as once from "../../../src/login/callback/exchange_once.ts";
import { digestOf } from "../../../src/stores/names.ts";
import { refusedNewTokenError } from "../../../src/login/base/login_error.ts";
import { createPendingLogin } from "../create_pending_login.ts";
import { finishWith, type Steps } from "../exchange_steps.ts";

/** Virtual milliseconds. Web Crypto takes real ones, so virtual time passes slowly enough for it on a busy machine. */
const STEP_TIMEOUT = 10_000;

const token = { access_token: "t0ken" } as TokenObj;

/** Completes a login whose record is in a store. */
async function exchangeOnce<Outcome>(
  store: Store,
  pending: PendingLogin,
  stepTimeout: number,
  steps: Steps<Outcome>,
): Promise<Outcome> {
  return await finishWith(withTimeLimit(store, STEP_TIMEOUT), pending, stepTimeout, steps);
}

async function canRetryCallback(store: Store, pending: PendingLogin): Promise<boolean> {
  const limited = withTimeLimit(store, STEP_TIMEOUT);
  return await once.canRetryCallback(new ProgressRecord(limited, pending, "c0de"));
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Steps that count how often they ran. */
function countingSteps() {
  const counts = { exchange: 0, createSession: 0 };
  const steps = {
    exchange() {
      counts.exchange++;
      return Promise.resolve(token);
    },
    createSession({ access_token }: TokenObj) {
      counts.createSession++;
      return Promise.resolve({ welcome: access_token });
    },
    progressAfter: ({ welcome }: { welcome: string }): Progress => ({
      status: "done",
      outcome: [welcome],
    }),
    restore: (serialized: unknown) => ({ welcome: (serialized as string[]).join() }),
  };
  return { counts, steps };
}

/** Returns the record of a login in a store. */
async function recordOf(store: Store, { state }: PendingLogin): Promise<unknown> {
  return await store.load(`guildpass:progress:${await digestOf(state)}`);
}

const codeDigest = await digestOf("c0de");

const realSetTimeout = setTimeout;

/** Lets virtual time pass, until something is over. */
async function passTime(milliseconds: number, isOver = () => false): Promise<void> {
  for (let passed = 0; passed < milliseconds && !isOver(); passed += 100) {
    await new Promise((resolve) => realSetTimeout(resolve, 2));
    await vi.advanceTimersByTimeAsync(100);
  }
}

/** Returns the value or the error of a promise while virtual time passes. */
async function settled<Value>(promise: Promise<Value>): Promise<Value | Error> {
  let isOver = false;
  const result = promise.catch((error: Error) => error).finally(() => {
    isOver = true;
  });
  await passTime(10 * STEP_TIMEOUT, () => isOver);
  return await result;
}

describe("exchangeOnce()", () => {
  test("runs the steps once, and returns the outcome to all requests", async () => {
    const store = new MemoryStore();
    const pending = createPendingLogin();
    const { counts, steps } = countingSteps();
    const all = Array.from({ length: 10 }, () => exchangeOnce(store, pending, STEP_TIMEOUT, steps));
    expect(await settled(Promise.all(all))).toEqual(all.map(() => ({ welcome: "t0ken" })));
    expect(await settled(exchangeOnce(store, pending, STEP_TIMEOUT, steps))).toEqual({
      welcome: "t0ken",
    });
    expect(counts).toEqual({ exchange: 1, createSession: 1 });
  });

  test("does not repeat a failed exchange", async () => {
    const store = new MemoryStore();
    const pending = createPendingLogin();
    const { counts, steps } = countingSteps();
    const failing = { ...steps, exchange: () => Promise.reject(new Error("refused")) };
    expect(await settled(exchangeOnce(store, pending, STEP_TIMEOUT, failing))).toMatchObject({
      message: "refused",
    });
    expect(await settled(exchangeOnce(store, pending, STEP_TIMEOUT, steps))).toMatchObject({
      name: "LoginError",
      reason: "used",
      message: "The callback was opened before, and that login failed",
      hint: "Start a new login",
    });
    expect(counts.exchange).toBe(0);
  });

  test("does not repeat the exchange of a process that died", async () => {
    const store = new MemoryStore();
    const pending = createPendingLogin();
    const { counts, steps } = countingSteps();
    exchangeOnce(store, pending, STEP_TIMEOUT, {
      ...steps,
      exchange: () => new Promise<never>(() => {}),
    });
    await passTime(1000);
    const waiting = settled(exchangeOnce(store, pending, STEP_TIMEOUT, steps));
    expect(await waiting).toMatchObject({ name: "LoginError", reason: "used" });
    expect(counts.exchange).toBe(0);
  });

  test("sends no code for progress that another version has written in another format", async () => {
    const store = new MemoryStore();
    const pending = createPendingLogin();
    const { counts, steps } = countingSteps();
    const key = `guildpass:progress:${await digestOf(pending.state)}`;
    await store.save(key, { format: 1, status: "postponed", until: 0 }, { version: null });
    const completed = exchangeOnce(store, pending, STEP_TIMEOUT, steps);
    await expect(completed).rejects.toMatchObject({ reason: "used" });
    expect(counts.exchange).toBe(0);
    expect(await canRetryCallback(store, pending)).toBe(false);
  });

  test("continues with the token when a later step has failed or its process has died", async () => {
    for (
      const createSession of [
        () => Promise.reject(new Error("down")),
        () => new Promise<never>(() => {}),
      ]
    ) {
      const store = new MemoryStore();
      const pending = createPendingLogin();
      const { counts, steps } = countingSteps();
      exchangeOnce(store, pending, STEP_TIMEOUT, { ...steps, createSession }).catch(() => {});
      await passTime(STEP_TIMEOUT / 2);
      const both = [steps, steps].map((steps) => exchangeOnce(store, pending, STEP_TIMEOUT, steps));
      const outcome = { welcome: "t0ken" };
      expect(await settled(Promise.all(both))).toEqual([outcome, outcome]);
      expect(counts).toEqual({ exchange: 1, createSession: 1 });
    }
  });

  test("continues with the token however many processes have died with it", async () => {
    const store = new MemoryStore();
    const pending = createPendingLogin();
    const { counts, steps } = countingSteps();
    const dying = { ...steps, createSession: () => new Promise<never>(() => {}) };
    for (let process = 0; process < 3; process++) {
      void exchangeOnce(store, pending, STEP_TIMEOUT, dying);
      await passTime(STEP_TIMEOUT + 2000);
    }
    expect(await settled(exchangeOnce(store, pending, STEP_TIMEOUT, steps))).toEqual({
      welcome: "t0ken",
    });
    expect(counts).toEqual({ exchange: 1, createSession: 1 });
  });

  test("waits for another request, for twice the time of a step at most", async () => {
    const memory = new MemoryStore();
    const pending = createPendingLogin();
    const { steps } = countingSteps();
    exchangeOnce(memory, pending, STEP_TIMEOUT, {
      ...steps,
      exchange: () => new Promise<never>(() => {}),
    });
    await passTime(1000);
    // A clock that goes backwards, so that the time of the other one never comes.
    const looks: number[] = [];
    const store = {
      load: async (key: string) => {
        looks.push(Date.now());
        const found = await memory.load(key);
        return found && { ...found, value: { ...Object(found.value), until: Infinity } };
      },
      save: () => Promise.resolve(null),
      delete: () => Promise.resolve(),
    };
    expect(await settled(exchangeOnce(store, pending, STEP_TIMEOUT, steps))).toMatchObject({
      code: "timeout",
      message: "Another request with the same callback did not finish",
    });
    expect(vi.getTimerCount()).toBe(0);
    const [first = 0] = looks;
    // The last pause is cut, so that the last look comes at the end.
    expect((looks.at(-1) ?? 0) - first).toBe(20_000);
  });

  test("leaves the token to a request that was faster", async () => {
    const store = new MemoryStore();
    const pending = createPendingLogin();
    const { counts, steps } = countingSteps();
    const failing = { ...steps, createSession: () => Promise.reject(new Error("down")) };
    await settled(exchangeOnce(store, pending, STEP_TIMEOUT, failing));
    const save = store.save.bind(store);
    const versions: (string | null)[] = [];
    store.save = (key, value, options) => {
      versions.push(options.version);
      return versions.length === 2 ? Promise.resolve(null) : save(key, value, options);
    };
    expect(await settled(exchangeOnce(store, pending, STEP_TIMEOUT, steps))).toEqual({
      welcome: "t0ken",
    });
    expect(counts).toEqual({ exchange: 1, createSession: 1 });
    const version = expect.any(String);
    expect(versions).toEqual([null, version, version, version]);
  });

  test.each([
    new Error("The connection is lost"),
    // The error of `fetch`, for a store that is reached by HTTP.
    new TypeError("fetch failed"),
  ])("goes on when the store has saved its progress, and could not say so: %s", async (failure) => {
    const memory = new MemoryStore();
    const { counts, steps } = countingSteps();
    let isFirst = true;
    const store: Store = {
      load: (key) => memory.load(key),
      delete: (key) => memory.delete(key),
      async save(...args) {
        const version = await memory.save(...args);
        if (!isFirst) return version;
        isFirst = false;
        throw failure;
      },
    };
    const startedAt = Date.now();
    expect(await settled(exchangeOnce(store, createPendingLogin(), STEP_TIMEOUT, steps))).toEqual({
      welcome: "t0ken",
    });
    expect(counts).toEqual({ exchange: 1, createSession: 1 });
    expect(Date.now() - startedAt).toBeLessThan(STEP_TIMEOUT);
  });

  test.each([
    ["was not saved", null],
    ["is that of another request", {
      status: "exchanging",
      until: 2,
      firstSentAt: 1,
      sender: "c2",
      code: codeDigest,
    }],
    ["can't be looked up", new Error("The store is down")],
  ])("sends nothing after an error of the store if its progress %s", async (_, found) => {
    const { counts, steps } = countingSteps();
    const store: Store = {
      load() {
        if (found instanceof Error) return Promise.reject(found);
        return Promise.resolve(found && { value: { format: 3, ...found }, version: "1" });
      },
      save: () => Promise.reject(new Error("The connection is lost")),
      delete: () => Promise.resolve(),
    };
    const result = await settled(exchangeOnce(store, createPendingLogin(), STEP_TIMEOUT, steps));
    expect(String(result)).toBe("Error: The connection is lost");
    expect(counts.exchange).toBe(0);
  });

  test.each<Progress>([
    { status: "exchanging", until: 2, firstSentAt: 1, sender: "c1" },
    { status: "postponed", until: 2, firstSentAt: 1, blockedByEdge: true },
    { status: "exchanged", until: 2, token },
    { status: "done", outcome: ["t0ken"] },
    { status: "failed", reason: "no_response" },
  ])(
    "throws for another code of the same login when the first one is $status",
    async (progress) => {
      const store = new MemoryStore();
      const pending = createPendingLogin();
      await new ProgressRecord(store, pending, "c0de").save(progress, null);
      const { counts, steps } = countingSteps();
      const before = await recordOf(store, pending);
      await expect(finishWith(store, pending, STEP_TIMEOUT, steps, "an0ther")).rejects
        .toMatchObject({
          reason: "used",
        });
      expect(counts).toEqual({ exchange: 0, createSession: 0 });
      expect(await recordOf(store, pending)).toEqual(before);
      expect(await once.canRetryCallback(new ProgressRecord(store, pending, "an0ther"))).toBe(
        false,
      );
    },
  );

  test("looks again when another request was faster to begin", async () => {
    const memory = new MemoryStore();
    const pending = createPendingLogin();
    const { counts, steps } = countingSteps();
    let isFirst = true;
    const store = {
      load: (key: string) => memory.load(key),
      delete: (key: string) => memory.delete(key),
      async save(...args: Parameters<MemoryStore["save"]>) {
        if (!isFirst) return await memory.save(...args);
        isFirst = false;
        return null;
      },
    };
    expect(await settled(exchangeOnce(store, pending, STEP_TIMEOUT, steps))).toEqual({
      welcome: "t0ken",
    });
    expect(counts.exchange).toBe(1);
  });

  test("loads nothing and saves three times, unless the callback was opened before", async () => {
    const store = new MemoryStore();
    const counts = { loads: 0, saves: 0 };
    const counting: Store = {
      load(key) {
        counts.loads++;
        return store.load(key);
      },
      save(key, value, options) {
        counts.saves++;
        return store.save(key, value, options);
      },
      delete: () => Promise.reject(new Error("Nothing is deleted")),
    };
    const { steps } = countingSteps();
    const countsOf = async (pending: PendingLogin, asked = steps) => {
      Object.assign(counts, { loads: 0, saves: 0 });
      await settled(exchangeOnce(counting, pending, STEP_TIMEOUT, asked));
      return { ...counts };
    };
    const pending = createPendingLogin();
    expect(await countsOf(pending)).toEqual({ loads: 0, saves: 3 });
    expect(await countsOf(pending)).toEqual({ loads: 1, saves: 1 });

    // Without the second save, the token would be lost when the process dies before the last one.
    const interrupted = createPendingLogin();
    const failing = { ...steps, createSession: () => Promise.reject(new Error("down")) };
    expect(await countsOf(interrupted, failing)).toEqual({ loads: 0, saves: 3 });
    expect(await countsOf(interrupted)).toEqual({ loads: 1, saves: 3 });

    const lost = createPendingLogin();
    const refused = { ...steps, exchange: () => Promise.reject(new Error("down")) };
    expect(await countsOf(lost, refused)).toEqual({ loads: 0, saves: 2 });
    expect(await countsOf(lost)).toEqual({ loads: 1, saves: 1 });
  });

  test("runs the last step for each request when no outcome is kept", async () => {
    const store = new MemoryStore();
    const pending = createPendingLogin();
    const { counts, steps } = countingSteps();
    const again: Progress = { status: "exchanged", token, until: 0 };
    const uncached = { ...steps, progressAfter: () => again };
    const all = Array.from(
      { length: 3 },
      () => exchangeOnce(store, pending, STEP_TIMEOUT, uncached),
    );
    expect(await settled(Promise.all(all))).toEqual(all.map(() => ({ welcome: "t0ken" })));
    expect(await settled(exchangeOnce(store, pending, STEP_TIMEOUT, uncached))).toEqual({
      welcome: "t0ken",
    });
    expect(counts).toEqual({ exchange: 1, createSession: 4 });
  });

  test("continues with a token that prints without its secrets", async () => {
    const store = new MemoryStore();
    const pending = createPendingLogin();
    const withWebhook = { ...token, webhook: { id: "1", token: "w3bhook" } } as TokenObj;
    const failing = {
      ...countingSteps().steps,
      exchange: () => Promise.resolve(withWebhook),
      createSession: () => Promise.reject(new Error("down")),
    };
    await settled(exchangeOnce(store, pending, STEP_TIMEOUT, failing));
    const seen: TokenObj[] = [];
    await settled(exchangeOnce(store, pending, STEP_TIMEOUT, {
      ...countingSteps().steps,
      createSession(token) {
        seen.push(token);
        return Promise.resolve({ welcome: "" });
      },
    }));
    expect(seen).toEqual([withWebhook]);
    expect(inspect(seen, { depth: 5 })).not.toMatch(/t0ken|w3bhook/);
    expect(Object.isFrozen(seen[0])).toBe(true);
  });

  test("succeeds when the store fails after the code was sent", async () => {
    const outcome = { welcome: "t0ken" };
    for (
      const { fails, again } of [
        { fails: [2], again: outcome },
        { fails: [3], again: outcome },
        { fails: [2, 3], again: { reason: "used" } },
      ]
    ) {
      const store = new MemoryStore();
      const pending = createPendingLogin();
      const { counts, steps } = countingSteps();
      const save = store.save.bind(store);
      let saves = 0;
      store.save = (key, value, options) =>
        fails.includes(++saves)
          ? Promise.reject(new Error("disk full"))
          : save(key, value, options);
      expect(await settled(exchangeOnce(store, pending, STEP_TIMEOUT, steps))).toEqual(outcome);
      expect(saves).toBe(3);
      // The code is not sent again, whatever the store knows.
      expect(await settled(exchangeOnce(store, pending, STEP_TIMEOUT, steps))).toMatchObject(again);
      expect(counts.exchange).toBe(1);
    }
  });

  test("throws the error of the step, and not that of a store that fails too", async () => {
    for (const step of ["exchange", "createSession"]) {
      const store = new MemoryStore();
      const save = store.save.bind(store);
      store.save = (key, value, options) =>
        options.version === null
          ? save(key, value, options)
          : Promise.reject(new Error("disk full"));
      const failing = {
        ...countingSteps().steps,
        [step]: () => Promise.reject(new Error("the reason")),
      };
      expect(await settled(exchangeOnce(store, createPendingLogin(), STEP_TIMEOUT, failing)))
        .toMatchObject({ message: "the reason" });
    }
  });

  test("sends no code when the store can't save the progress", async () => {
    const { counts, steps } = countingSteps();
    const store = new MemoryStore();
    store.save = () => Promise.reject(new Error("disk full"));
    expect(await settled(exchangeOnce(store, createPendingLogin(), STEP_TIMEOUT, steps)))
      .toMatchObject({ message: "disk full" });
    expect(counts.exchange).toBe(0);
  });

  test("stores nothing in clear", async () => {
    const store = new MemoryStore();
    const pending = createPendingLogin();
    const values: string[] = [];
    const save = store.save.bind(store);
    store.save = (key, value, options) => {
      values.push(key, JSON.stringify(value));
      return save(key, value, options);
    };
    await settled(exchangeOnce(store, pending, STEP_TIMEOUT, countingSteps().steps));
    expect(values.length).toBe(6);
    for (const secret of [pending.state, pending.codeVerifier, "t0ken"]) {
      expect(values.join()).not.toContain(secret);
    }
  });
});

test("While another request completes a login, exchangeOnce() looks less and less often", async () => {
  const store = new MemoryStore();
  const pending = createPendingLogin();
  const { steps } = countingSteps();
  await new Promise<void>((resolve) => {
    const exchange = () => {
      resolve();
      return new Promise<never>(() => {});
    };
    exchangeOnce(store, pending, 2 * STEP_TIMEOUT, { ...steps, exchange });
  });
  const times: number[] = [];
  const load = store.load.bind(store);
  store.load = (key) => {
    times.push(Date.now());
    return load(key);
  };
  await settled(exchangeOnce(store, pending, 2 * STEP_TIMEOUT, steps));
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  for (const [index, least] of [20, 40, 80, 160, 320, 400, 400].entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(least);
    expect(pauses[index]).toBeLessThanOrEqual(2 * least + 1);
  }
  // The 20 seconds that the other request may take had 200 looks when all pauses were alike.
  expect(times.length).toBeLessThan(55);
});

describe("A login whose new token is refused", () => {
  test("ends: neither the code nor the token is sent again", async () => {
    const store = new MemoryStore();
    const pending = createPendingLogin();
    const { counts, steps } = countingSteps();
    const refusing = { ...steps, createSession: () => Promise.reject(refusedNewTokenError()) };
    const refused = { name: "LoginError", reason: "refused_token", hint: expect.any(String) };
    expect(await settled(exchangeOnce(store, pending, STEP_TIMEOUT, refusing)))
      .toMatchObject(refused);
    expect(await canRetryCallback(store, pending)).toBe(false);
    expect(await settled(exchangeOnce(store, pending, STEP_TIMEOUT, steps))).toMatchObject(refused);
    expect(counts).toEqual({ exchange: 1, createSession: 0 });
  });
});

describe("After a block by the edge,", () => {
  test.each<[string, ApiError, number]>([
    [
      "with 403",
      new ApiError("blocked", { httpStatus: 403, blockedByEdge: true, retryAfter: 45 }),
      45_000,
    ],
    [
      "with 429",
      new RateLimitError("blocked", { httpStatus: 429, retryAfter: 30, blockedByEdge: true }),
      30_000,
    ],
  ])("the code is sent again after a pause: %s", async (_what, error, pause) => {
    const store = new MemoryStore();
    const pending = createPendingLogin();
    const { counts, steps } = countingSteps();
    vi.setSystemTime(1_000_000);
    const blocked = { ...steps, exchange: () => Promise.reject(error) };
    await expect(exchangeOnce(store, pending, STEP_TIMEOUT, blocked)).rejects.toBe(error);
    expect(await canRetryCallback(store, pending)).toBe(true);
    vi.setSystemTime(1_000_000 + pause - 1);
    await expect(exchangeOnce(store, pending, STEP_TIMEOUT, steps)).rejects.toMatchObject({
      name: "RateLimitError",
      message: expect.stringContaining("the edge"),
      hint: "Open the callback again after that. Wait 1 s before the next request",
      blockedByEdge: true,
      retryAfter: 0.001,
    });
    expect(counts.exchange).toBe(0);
    vi.setSystemTime(1_000_000 + pause);
    expect(await exchangeOnce(store, pending, STEP_TIMEOUT, steps)).toEqual({ welcome: "t0ken" });
    expect(counts.exchange).toBe(1);
  });
});

describe("After a 429,", () => {
  const busy = (retryAfter: number | null) =>
    new RateLimitError("busy", { httpStatus: 429, retryAfter });

  test("the code is sent once for each wait, however many requests come", async () => {
    const store = new MemoryStore();
    const pending = createPendingLogin();
    const { counts, steps } = countingSteps();
    const refusing = {
      ...steps,
      exchange: () => {
        counts.exchange++;
        return Promise.reject(busy(30));
      },
    };
    const ask = (asked: typeof steps) =>
      settled(Promise.allSettled(
        Array.from({ length: 5 }, () => exchangeOnce(store, pending, STEP_TIMEOUT, asked)),
      ));
    const isBusy = { status: "rejected", reason: { name: "RateLimitError", httpStatus: 429 } };
    const allBusy = Array.from({ length: 5 }, () => isBusy);
    expect(await ask(refusing)).toMatchObject(allBusy);
    expect(counts.exchange).toBe(1);
    // No request sends it before the end of the wait, and every error has the rest of the wait.
    vi.setSystemTime(Date.now() + 20_000);
    expect(await ask(steps)).toMatchObject(allBusy);
    const tooEarly = await settled(
      exchangeOnce(store, pending, STEP_TIMEOUT, steps),
    ) as RateLimitError;
    expect(tooEarly.retryAfter).toBeGreaterThan(5);
    expect(tooEarly.retryAfter).toBeLessThanOrEqual(10);
    expect(counts.exchange).toBe(1);
    vi.setSystemTime(Date.now() + 10_000);
    expect(await ask(refusing)).toMatchObject(allBusy);
    expect(counts.exchange).toBe(2);
    vi.setSystemTime(Date.now() + 30_000);
    const value = { welcome: "t0ken" };
    expect(await ask(steps)).toMatchObject(Array.from({ length: 5 }, () => ({ value })));
    expect(counts).toEqual({ exchange: 3, createSession: 1 });
  });

  test.each([
    [null, 5000],
    [2.5, 2500],
    [60, 60_000],
  ])(
    "with a wait of %s s, the code is not sent again for %i ms",
    async (retryAfter, wait) => {
      const store = new MemoryStore();
      const pending = createPendingLogin();
      const { counts, steps } = countingSteps();
      const refusing = { ...steps, exchange: () => Promise.reject(busy(retryAfter)) };
      // No time passes by itself: the test does not wait, and the clock shows to the millisecond when the code is sent.
      vi.setSystemTime(1_000_000);
      await expect(exchangeOnce(store, pending, STEP_TIMEOUT, refusing)).rejects.toMatchObject({
        retryAfter,
      });
      vi.setSystemTime(1_000_000 + wait - 1);
      await expect(exchangeOnce(store, pending, STEP_TIMEOUT, steps)).rejects.toMatchObject({
        name: "RateLimitError",
        message: expect.stringContaining("asked to wait"),
        blockedByEdge: false,
        retryAfter: 0.001,
      });
      vi.setSystemTime(1_000_000 + wait);
      expect(await exchangeOnce(store, pending, STEP_TIMEOUT, steps)).toEqual({ welcome: "t0ken" });
      expect(counts.exchange).toBe(1);
    },
  );

  test("the callback can be retried for as long as the code works", async () => {
    for (const [retryAfter, goesOn] of [[60, true], [99, true], [101, false], [3600, false]]) {
      const store = new MemoryStore();
      const pending = createPendingLogin();
      const steps = {
        ...countingSteps().steps,
        exchange: () => Promise.reject(busy(retryAfter as number)),
      };
      await settled(exchangeOnce(store, pending, STEP_TIMEOUT, steps));
      expect(await canRetryCallback(store, pending)).toBe(goesOn);
    }
    // The second wait counts from the first try.
    const store = new MemoryStore();
    const pending = createPendingLogin();
    const steps = { ...countingSteps().steps, exchange: () => Promise.reject(busy(60)) };
    await settled(exchangeOnce(store, pending, STEP_TIMEOUT, steps));
    vi.setSystemTime(Date.now() + 60_000);
    await settled(exchangeOnce(store, pending, STEP_TIMEOUT, steps));
    expect(await canRetryCallback(store, pending)).toBe(false);
  });
});

describe("Without a connection,", () => {
  const refused = new NetworkError("refused", { mayHaveArrived: false });

  test("the code is sent as soon as there is one, by one request after the other", async () => {
    const store = new MemoryStore();
    const pending = createPendingLogin();
    const { counts, steps } = countingSteps();
    const offline = { ...steps, exchange: () => Promise.reject(refused) };
    expect(await settled(exchangeOnce(store, pending, STEP_TIMEOUT, offline))).toBe(refused);
    expect(await canRetryCallback(store, pending)).toBe(true);
    const all = [offline, steps, steps].map((asked) =>
      exchangeOnce(store, pending, STEP_TIMEOUT, asked)
    );
    const results = await settled(Promise.allSettled(all)) as PromiseSettledResult<unknown>[];
    expect(results.slice(1)).toMatchObject([
      { value: { welcome: "t0ken" } },
      { value: { welcome: "t0ken" } },
    ]);
    expect(counts).toEqual({ exchange: 1, createSession: 1 });
  });

  test("the code is sent once by two requests that look at the same moment", async () => {
    const memory = new MemoryStore();
    const pending = createPendingLogin();
    const { counts, steps } = countingSteps();
    const offline = { ...steps, exchange: () => Promise.reject(refused) };
    expect(await settled(exchangeOnce(memory, pending, STEP_TIMEOUT, offline))).toBe(refused);
    const haveLooked = Promise.withResolvers<void>();
    let looks = 0;
    const store: Store = {
      async load(key) {
        const found = await memory.load(key);
        if (++looks === 2) haveLooked.resolve();
        await haveLooked.promise;
        return found;
      },
      save: (key, value, options) => memory.save(key, value, options),
      delete: (key) => memory.delete(key),
    };
    const both = [steps, steps].map((steps) => exchangeOnce(store, pending, STEP_TIMEOUT, steps));
    const outcome = { welcome: "t0ken" };
    expect(await settled(Promise.all(both))).toEqual([outcome, outcome]);
    expect(counts).toEqual({ exchange: 1, createSession: 1 });
  });
});

test.each([
  ["without a response", new NetworkError("lost")],
  ["without a response in time", new TimeoutError("late")],
  ["with a response 500", new ApiError("broken", { httpStatus: 500 })],
])("A code whose request was %s is not sent again, and the error says so", async (_what, error) => {
  const store = new MemoryStore();
  const pending = createPendingLogin();
  const { counts, steps } = countingSteps();
  const failing = { ...steps, exchange: () => Promise.reject(error) };
  expect(await settled(exchangeOnce(store, pending, STEP_TIMEOUT, failing))).toBe(error);
  expect(await canRetryCallback(store, pending)).toBe(false);
  const again = await settled(exchangeOnce(store, pending, STEP_TIMEOUT, steps));
  expect(again).toBeInstanceOf(NetworkError);
  expect(again).toMatchObject({
    message:
      "The code was not sent again: the platform did not respond when the callback was first opened",
    hint: "The code may be used up; start a new login",
    mayHaveArrived: true,
    isTemporary: false,
  });
  expect(counts.exchange).toBe(0);
});

test("canRetryCallback() is true with a token, for an unknown login, and when the store fails", async () => {
  const store = new MemoryStore();
  const pending = createPendingLogin();
  expect(await canRetryCallback(store, pending)).toBe(true);
  const { steps } = countingSteps();
  const failing = { ...steps, createSession: () => Promise.reject(new Error("down")) };
  await settled(exchangeOnce(store, pending, STEP_TIMEOUT, failing));
  expect(await canRetryCallback(store, pending)).toBe(true);
  await settled(exchangeOnce(store, pending, STEP_TIMEOUT, steps));
  expect(await canRetryCallback(store, pending)).toBe(false);
  store.load = () => Promise.reject(new Error("disk full"));
  expect(await canRetryCallback(store, pending)).toBe(true);
});
