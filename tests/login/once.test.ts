import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { generateCodeVerifier, generateState, MemoryStore, type TokenObj } from "../../mod.ts";
import type { Attempt } from "../../src/login/attempts.ts";
import { once } from "../../src/login/once.ts";

/** Virtual milliseconds. Web Crypto takes real ones, so virtual time passes slowly enough for it on a busy machine. */
const PATIENCE = 10_000;

function createAttempt(): Attempt {
  return {
    state: generateState(),
    codeVerifier: generateCodeVerifier(),
    nonce: generateState(),
    returnTo: "/",
    data: null,
    renews: null,
    startedAt: Date.now(),
  };
}

const token = { access_token: "t0ken" } as TokenObj;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Steps that count how often they ran. */
function counting() {
  const counts = { exchange: 0, complete: 0 };
  const steps = {
    exchange() {
      counts.exchange++;
      return Promise.resolve(token);
    },
    complete({ access_token }: TokenObj) {
      counts.complete++;
      return Promise.resolve({ welcome: access_token });
    },
    keep: ({ welcome }: { welcome: string }) => [welcome],
    restore: (kept: unknown) => ({ welcome: (kept as string[]).join() }),
  };
  return { counts, steps };
}

const realSetTimeout = setTimeout;

/** Lets virtual time pass. */
async function pass(milliseconds: number, isOver = () => false): Promise<void> {
  for (let passed = 0; passed < milliseconds && !isOver(); passed += 100) {
    await new Promise((resolve) => realSetTimeout(resolve, 2));
    await vi.advanceTimersByTimeAsync(100);
  }
}

/** What comes of a promise while time passes. */
async function after<Value>(promise: Promise<Value>): Promise<Value | Error> {
  let isOver = false;
  const result = promise.catch((error: Error) => error).finally(() => {
    isOver = true;
  });
  await pass(10 * PATIENCE, () => isOver);
  return await result;
}

describe("Ending an attempt", () => {
  test("happens once, and everybody who asks has its outcome", async () => {
    const store = new MemoryStore();
    const attempt = createAttempt();
    const { counts, steps } = counting();
    const all = Array.from({ length: 10 }, () => once(store, attempt, PATIENCE, steps));
    expect(await after(Promise.all(all))).toEqual(all.map(() => ({ welcome: "t0ken" })));
    expect(await after(once(store, attempt, PATIENCE, steps))).toEqual({ welcome: "t0ken" });
    expect(counts).toEqual({ exchange: 1, complete: 1 });
  });

  test("is not tried again when the exchange has failed", async () => {
    const store = new MemoryStore();
    const attempt = createAttempt();
    const { counts, steps } = counting();
    const failing = { ...steps, exchange: () => Promise.reject(new Error("refused")) };
    expect(await after(once(store, attempt, PATIENCE, failing))).toMatchObject({
      message: "refused",
    });
    expect(await after(once(store, attempt, PATIENCE, steps))).toMatchObject({
      name: "LoginError",
      reason: "used",
    });
    expect(counts.exchange).toBe(0);
  });

  test("is not tried again when the process has died that sent the code", async () => {
    const store = new MemoryStore();
    const attempt = createAttempt();
    const { counts, steps } = counting();
    once(store, attempt, PATIENCE, { ...steps, exchange: () => new Promise<never>(() => {}) });
    await pass(1000);
    const waiting = after(once(store, attempt, PATIENCE, steps));
    expect(await waiting).toMatchObject({ name: "LoginError", reason: "used" });
    expect(counts.exchange).toBe(0);
  });

  test("goes on with the token when what comes after the exchange has failed, or its process has died", async () => {
    for (
      const complete of [
        () => Promise.reject(new Error("down")),
        () => new Promise<never>(() => {}),
      ]
    ) {
      const store = new MemoryStore();
      const attempt = createAttempt();
      const { counts, steps } = counting();
      once(store, attempt, PATIENCE, { ...steps, complete }).catch(() => {});
      await pass(PATIENCE / 2);
      const both = [steps, steps].map((steps) => once(store, attempt, PATIENCE, steps));
      const outcome = { welcome: "t0ken" };
      expect(await after(Promise.all(both))).toEqual([outcome, outcome]);
      expect(counts).toEqual({ exchange: 1, complete: 1 });
    }
  });

  test("is waited for, but not for ever", async () => {
    const memory = new MemoryStore();
    const attempt = createAttempt();
    const { steps } = counting();
    once(memory, attempt, PATIENCE, { ...steps, exchange: () => new Promise<never>(() => {}) });
    await pass(1000);
    // A clock that goes backwards, so that the time of the other one never comes.
    const store = {
      load: async (key: string) => {
        const found = await memory.load(key);
        return found && { ...found, value: { ...Object(found.value), until: Infinity } };
      },
      save: () => Promise.resolve(null),
      delete: () => Promise.resolve(),
    };
    expect(await after(once(store, attempt, PATIENCE, steps))).toMatchObject({ code: "timeout" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is left to another request that was faster to go on with the token", async () => {
    const store = new MemoryStore();
    const attempt = createAttempt();
    const { counts, steps } = counting();
    const failing = { ...steps, complete: () => Promise.reject(new Error("down")) };
    await after(once(store, attempt, PATIENCE, failing));
    const save = store.save.bind(store);
    store.save = () => {
      store.save = save;
      return Promise.resolve(null);
    };
    expect(await after(once(store, attempt, PATIENCE, steps))).toEqual({ welcome: "t0ken" });
    expect(counts).toEqual({ exchange: 1, complete: 1 });
  });

  test("is tried again when another request was faster to say that it begins", async () => {
    const memory = new MemoryStore();
    const attempt = createAttempt();
    const { counts, steps } = counting();
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
    expect(await after(once(store, attempt, PATIENCE, steps))).toEqual({ welcome: "t0ken" });
    expect(counts.exchange).toBe(1);
  });

  test("is completed anew for each when nothing is kept of the outcome", async () => {
    const store = new MemoryStore();
    const attempt = createAttempt();
    const { counts, steps } = counting();
    const own = { ...steps, keep: () => null };
    const all = Array.from({ length: 3 }, () => once(store, attempt, PATIENCE, own));
    expect(await after(Promise.all(all))).toEqual(all.map(() => ({ welcome: "t0ken" })));
    expect(await after(once(store, attempt, PATIENCE, own))).toEqual({ welcome: "t0ken" });
    expect(counts).toEqual({ exchange: 1, complete: 4 });
  });

  test("goes on with a token that prints without its secrets, as the first one did", async () => {
    const store = new MemoryStore();
    const attempt = createAttempt();
    const withWebhook = { ...token, webhook: { id: "1", token: "w3bhook" } } as TokenObj;
    const failing = {
      ...counting().steps,
      exchange: () => Promise.resolve(withWebhook),
      complete: () => Promise.reject(new Error("down")),
    };
    await after(once(store, attempt, PATIENCE, failing));
    const seen: TokenObj[] = [];
    await after(once(store, attempt, PATIENCE, {
      ...counting().steps,
      complete(token) {
        seen.push(token);
        return Promise.resolve({ welcome: "" });
      },
    }));
    expect(seen).toEqual([withWebhook]);
    expect(inspect(seen, { depth: 5 })).not.toMatch(/t0ken|w3bhook/);
    expect(Object.isFrozen(seen[0])).toBe(true);
  });

  test("ends as it would have, when the store fails after the code was sent", async () => {
    for (const fails of [[2], [3], [2, 3]]) {
      const store = new MemoryStore();
      const attempt = createAttempt();
      const { counts, steps } = counting();
      const save = store.save.bind(store);
      let saves = 0;
      store.save = (key, value, options) =>
        fails.includes(++saves)
          ? Promise.reject(new Error("disk full"))
          : save(key, value, options);
      expect(await after(once(store, attempt, PATIENCE, steps))).toEqual({ welcome: "t0ken" });
      expect(saves).toBe(3);
      // The code is not sent again, whatever the store knows.
      await after(once(store, attempt, PATIENCE, steps));
      expect(counts.exchange).toBe(1);
    }
  });

  test("has the error that ended it, and not that of a store that fails too", async () => {
    for (const step of ["exchange", "complete"]) {
      const store = new MemoryStore();
      const save = store.save.bind(store);
      store.save = (key, value, options) =>
        options.version === null
          ? save(key, value, options)
          : Promise.reject(new Error("disk full"));
      const failing = {
        ...counting().steps,
        [step]: () => Promise.reject(new Error("the reason")),
      };
      expect(await after(once(store, createAttempt(), PATIENCE, failing)))
        .toMatchObject({ message: "the reason" });
    }
  });

  test("does not begin when the store can't be told", async () => {
    const { counts, steps } = counting();
    const store = new MemoryStore();
    store.save = () => Promise.reject(new Error("disk full"));
    expect(await after(once(store, createAttempt(), PATIENCE, steps)))
      .toMatchObject({ message: "disk full" });
    expect(counts.exchange).toBe(0);
  });

  test("keeps nothing in clear", async () => {
    const store = new MemoryStore();
    const attempt = createAttempt();
    const values: string[] = [];
    const save = store.save.bind(store);
    store.save = (key, value, options) => {
      values.push(key, JSON.stringify(value));
      return save(key, value, options);
    };
    await after(once(store, attempt, PATIENCE, counting().steps));
    expect(values.length).toBe(6);
    for (const secret of [attempt.state, attempt.codeVerifier, "t0ken"]) {
      expect(values.join()).not.toContain(secret);
    }
  });
});
