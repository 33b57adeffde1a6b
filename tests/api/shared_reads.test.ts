import { describe, expect, test, vi } from "vitest";
import { deadlineIn, sleep } from "../../src/core/wait.ts";
import { ApiError, NetworkError, PayloadError, RateLimitError } from "../../mod.ts";
import { type CheckedOptions, checkOptions } from "../../src/http/options.ts";
import { platformState } from "../../src/http/limits/platform_state.ts";
import { SharedReads } from "../../src/api/shared_reads.ts";
import { leaksOf } from "../support/leaks.ts";
import { thrownBy } from "../support/responders.ts";
import { untilDone, useVirtualTime } from "../support/virtual_time.ts";

interface Details {
  readonly token?: string;
  readonly key?: string;
  readonly fresh?: boolean;
  readonly maxAgeMs?: number;
  readonly signal?: AbortSignal;
  readonly options?: CheckedOptions;
}

const defaults = checkOptions({});

/** Shared reads that repeat every result for a minute. */
function sharedReads() {
  const reads = new SharedReads();
  const read = <Model>(
    ask: (signal: AbortSignal | null) => Promise<Model> | Model,
    { token = "t0ken", key = "it", fresh = false, maxAgeMs = 60_000, signal, options = defaults }:
      Details = {},
  ): Promise<Model> => {
    const requestLine = "GET https://discord.com/api/v10/it";
    const authorization = `Bearer ${token}`;
    const request = {
      authorization,
      key,
      maxAgeMs,
      fresh,
      requestLine,
      deadline: deadlineIn(options.timeout),
      signal,
    };
    // deno-lint-ignore require-await -- turns an error that is thrown into a rejection
    return reads.read(platformState(options), request, async (...within) => ask(...within));
  };
  /** Returns true if a read needs no request, and leaves a result if it does. */
  const isKept = async (model: unknown, details?: Details) => {
    let asked = false;
    await read(() => {
      asked = true;
      return model;
    }, details);
    return !asked;
  };
  return { reads, read, isKept };
}

function after<Model>(milliseconds: number, model: Model): () => Promise<Model> {
  return () => new Promise((resolve) => setTimeout(resolve, milliseconds, model));
}

function failAfter(milliseconds: number, error: Error): () => Promise<never> {
  return () => new Promise((_, reject) => setTimeout(reject, milliseconds, error));
}

/** A read that ends after a time, or with its signal. It has the signal of the latest request. */
function abortable<Model>(milliseconds: number, model: Model) {
  const begun = {
    count: 0,
    signal: undefined as AbortSignal | null | undefined,
    ask: (signal: AbortSignal | null): Promise<Model> => {
      begun.count += 1;
      begun.signal = signal;
      return sleep(milliseconds, signal).then(() => model);
    },
  };
  return begun;
}

function neverAsk(): never {
  throw new Error("This read asked");
}

describe("The memory", () => {
  test("keeps the results of a thousand people, and forgets the least recent ones", async () => {
    const { isKept } = sharedReads();
    for (let person = 0; person < 1000; person++) {
      expect(await isKept("user", { token: `${person}`, key: "user" })).toBe(false);
      expect(await isKept("guilds", { token: `${person}`, key: "guilds" })).toBe(false);
    }
    for (const key of ["user", "guilds"]) {
      for (let person = 0; person < 1000; person++) {
        expect(await isKept(key, { token: `${person}`, key })).toBe(true);
      }
    }
    expect(await isKept("user", { token: "1000", key: "user" })).toBe(false);
    expect(await isKept("user", { token: "1", key: "user" })).toBe(true);
    expect(await isKept("user", { token: "0", key: "user" })).toBe(false);
  });

  test("keeps no more than that after one visit of 100,000 people", async () => {
    const { isKept } = sharedReads();
    const people = 100_000;
    for (let person = 0; person < people; person++) await isKept("user", { token: `${person}` });
    let kept = 0;
    for (let person = people - 1; person >= people - 3000; person--) {
      if (await isKept("user", { token: `${person}` })) kept += 1;
    }
    expect(kept).toBe(1000);
  });

  test.each<[string, unknown, number]>([
    ["a text", "x".repeat(100_000), 100_000],
    ["200 guilds", Array.from({ length: 200 }, (_, n) => guild(n)), 100_000],
    ["ten thousand numbers", Array.from({ length: 10_000 }, (_, n) => n), 80_000],
  ])("keeps 16 MB of results with %s", async (_what, model, bytes) => {
    const { isKept } = sharedReads();
    for (let person = 0; person < 400; person++) await isKept(model, { token: `${person}` });
    let kept = 0;
    while (await isKept(model, { token: `${399 - kept}` })) kept += 1;
    expect(kept * bytes).toBeLessThanOrEqual(16_000_000);
    expect(kept * bytes).toBeGreaterThan(0.6 * 16_000_000);
  });

  test("keeps a megabyte for each person, and no result that takes more than half of it", async () => {
    const { isKept } = sharedReads();
    await isKept("other", { token: "other" });
    const model = "x".repeat(90_000);
    for (let n = 0; n < 20; n++) expect(await isKept(model, { key: `${n}` })).toBe(false);
    let kept = 0;
    while (await isKept(model, { key: `${19 - kept}` })) kept += 1;
    expect(kept).toBe(10);
    expect(await isKept("small", { key: "small" })).toBe(false);
    expect(await isKept("x".repeat(499_000), { key: "large" })).toBe(false);
    expect(await isKept("x".repeat(499_000), { key: "large" })).toBe(true);
    expect(await isKept("x".repeat(500_000), { key: "large", fresh: true })).toBe(false);
    expect(await isKept("x", { key: "large" })).toBe(false);
    expect(await isKept("small", { key: "small" })).toBe(true);
    expect(await isKept("other", { token: "other" })).toBe(true);
  });

  test("forgets the least recently used results of a person", async () => {
    const { isKept } = sharedReads();
    const model = "x".repeat(300_000);
    for (const key of ["a", "b", "c"]) await isKept(model, { key });
    expect(await isKept(model, { key: "a" })).toBe(true);
    expect(await isKept(model, { key: "d" })).toBe(false);
    expect(await isKept(model, { key: "a" })).toBe(true);
    expect(await isKept(model, { key: "b" })).toBe(false);
  });

  test("has room again for what it forgot", async () => {
    const { reads, read, isKept } = sharedReads();
    const model = "x".repeat(400_000);
    for (let round = 0; round < 100; round++) {
      await isKept(model, { token: `${round}` });
      const forget = () => reads.forget(platformState(defaults), `Bearer ${round}`);
      forget();
      await read(() => (forget(), model), { token: `${round}` });
      expect(await isKept("small", { token: `${round}` })).toBe(false);
      forget();
    }
    for (let person = 0; person < 39; person++) await isKept(model, { token: `${person}` });
    for (let person = 0; person < 39; person++) {
      expect(await isKept(model, { token: `${person}` })).toBe(true);
    }
  });

  test("takes a result that is nested deeper than the stack", async () => {
    const { isKept } = sharedReads();
    let nested: unknown = null;
    for (let depth = 0; depth < 5000; depth++) nested = [nested];
    await isKept(nested);
    expect(await isKept(nested)).toBe(true);
    for (let depth = 0; depth < 100_000; depth++) nested = [nested];
    expect(await isKept(nested, { key: "large" })).toBe(false);
  });

  test("keeps no result of a read with a maximum age of 0", async () => {
    useVirtualTime();
    const { read, isKept } = sharedReads();
    const details = { maxAgeMs: 0 };
    const both = Promise.all([read(after(100, "it"), details), read(neverAsk, details)]);
    expect(await untilDone(both)).toEqual(["it", "it"]);
    expect(await isKept("later")).toBe(false);
  });

  test("is printed without its tokens", async () => {
    const { reads, isKept } = sharedReads();
    await isKept("it", { token: "s3cret-t0ken" });
    expect(leaksOf(reads, ["s3cret-t0ken"])).toEqual([]);
  });
});

describe("A read under way", () => {
  test("is awaited with timers of the waiting calls alone, and never for a twentieth longer than it takes", async () => {
    useVirtualTime();
    const { read } = sharedReads();
    const begin = performance.now();
    const model = { is: "it" };
    const first = read(after(2000, model));
    const times = [1, 2, 3].map(async () => {
      expect(await read(neverAsk)).toBe(model);
      return performance.now() - begin;
    });
    await vi.advanceTimersByTimeAsync(1000);
    // One of the request, one for its signs of life, and one of each that waits.
    expect(vi.getTimerCount()).toBe(5);
    for (const time of await untilDone(Promise.all(times))) {
      expect(time).toBeGreaterThanOrEqual(2000);
      expect(time).toBeLessThan(2100);
    }
    expect(await first).toBe(model);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("gives its result to the waiting calls even if it is not kept", async () => {
    useVirtualTime();
    const { reads, read, isKept } = sharedReads();
    const large = "x".repeat(1_000_000);
    const [first, second] = [read(after(100, large)), read(neverAsk)];
    expect(await untilDone(first)).toBe(large);
    expect(await untilDone(second)).toBe(large);
    expect(await isKept("x")).toBe(false);
    const [third, fourth] = [read(after(100, "it"), { key: "a" }), read(neverAsk, { key: "a" })];
    reads.forget(platformState(defaults), "Bearer t0ken");
    expect(await untilDone(Promise.all([third, fourth]))).toEqual(["it", "it"]);
    expect(await isKept("x", { key: "a" })).toBe(false);
  });

  test("that vanishes is carried out by one of the waiting calls, half a second later", async () => {
    useVirtualTime();
    const { read } = sharedReads();
    const begin = performance.now();
    void read(after(300, "lost"));
    await vi.advanceTimersByTimeAsync(250);
    // On Workers, all timers of a request end with it.
    vi.clearAllTimers();
    let asked = 0;
    const waiting = [1, 2, 3].map(() =>
      read(() => {
        asked += 1;
        return after(100, "it")();
      })
    );
    expect(await untilDone(Promise.all(waiting))).toEqual(["it", "it", "it"]);
    expect(performance.now() - begin).toBeLessThan(850);
    expect(asked).toBe(1);
  });

  test("is believed as long as it works, however long that takes", async () => {
    useVirtualTime();
    const { read } = sharedReads();
    const first = read(after(9000, "it"));
    await vi.advanceTimersByTimeAsync(6000);
    const begin = performance.now();
    expect(await untilDone(read(neverAsk))).toBe("it");
    expect(performance.now() - begin).toBeLessThanOrEqual(3050);
    expect(await first).toBe("it");
  });

  test.each<[string, Error]>([
    ["network error", new NetworkError("lost")],
    ["rate limit", new RateLimitError("slow", { httpStatus: 429, retryAfter: 1 })],
    ["5xx", new ApiError("down", { httpStatus: 500 })],
    ["any other error", new Error("stopped")],
  ])("that ends with a %s is carried out by one of the waiting calls", async (_what, error) => {
    useVirtualTime();
    const { read } = sharedReads();
    const failing = thrownBy(() => read(failAfter(100, error)));
    let asks = 0;
    const waiting = [1, 2, 3].map(() =>
      read(() => {
        asks += 1;
        return after(100, "it")();
      })
    );
    expect(await untilDone(Promise.all(waiting))).toEqual(["it", "it", "it"]);
    expect(await failing).toBe(error);
    expect(asks).toBe(1);
  });

  test.each<[string, Error]>([
    ["refusal", new ApiError("no", { httpStatus: 403 })],
    ["response that can't be read", new PayloadError("odd", { issues: [] })],
  ])(
    "that ends with a %s ends so for the waiting calls, and not for others",
    async (_what, error) => {
      useVirtualTime();
      const { read, isKept } = sharedReads();
      const failing = thrownBy(() => read(failAfter(100, error)));
      const waiting = thrownBy(() => read(neverAsk));
      expect(await untilDone(failing)).toBe(error);
      expect(await untilDone(waiting)).toBe(error);
      expect(await isKept("it")).toBe(false);
    },
  );

  test("is awaited no longer than the timeout of the call", async () => {
    useVirtualTime();
    const { read } = sharedReads();
    const first = read(after(5000, "it"));
    const begin = performance.now();
    const error = await untilDone(
      thrownBy(() => read(neverAsk, { options: { ...defaults, timeout: 3000 } })),
    );
    expect(performance.now() - begin).toBe(3000);
    expect(String(error)).toBe(
      "TimeoutError: GET https://discord.com/api/v10/it got no response within 3000 ms in an identical call",
    );
    await untilDone(first);
  });

  test("is no longer awaited by a call that is aborted", async () => {
    useVirtualTime();
    const { read } = sharedReads();
    const first = read(after(5000, "it"));
    const controller = new AbortController();
    const aborted = thrownBy(() => read(neverAsk, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(1000);
    controller.abort("enough");
    expect(await aborted).toBe("enough");
    expect(vi.getTimerCount()).toBe(2);
    await untilDone(first);
  });

  test("goes on for the waiting calls after its first call is aborted", async () => {
    useVirtualTime();
    const { read } = sharedReads();
    const begun = abortable(1000, "it");
    const controller = new AbortController();
    const aborted = thrownBy(() => read(begun.ask, { signal: controller.signal }));
    const waiting = [1, 2].map(() => read(neverAsk));
    await vi.advanceTimersByTimeAsync(500);
    controller.abort("enough");
    expect(await aborted).toBe("enough");
    expect(await untilDone(Promise.all(waiting))).toEqual(["it", "it"]);
    expect(begun.signal?.aborted).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is stopped when its last caller is aborted, and the next call begins another", async () => {
    useVirtualTime();
    const { read } = sharedReads();
    const begun = abortable(1000, "it");
    const controllers = [1, 2, 3].map(() => new AbortController());
    const [first, ...others] = controllers.map(({ signal }) =>
      thrownBy(() => read(begun.ask, { signal }))
    );
    await vi.advanceTimersByTimeAsync(200);
    controllers.forEach((controller, index) => controller.abort(index));
    expect(await first).toBe(0);
    expect(await Promise.all(others)).toEqual([1, 2]);
    // The beat of the read notices that the last call has left.
    await vi.advanceTimersByTimeAsync(100);
    expect(begun.count).toBe(1);
    expect(begun.signal).toMatchObject({ aborted: true, reason: 0 });
    expect(vi.getTimerCount()).toBe(0);
    expect(await untilDone(read(after(100, "next")))).toBe("next");
  });

  test("is stopped at once when its only caller is aborted", async () => {
    useVirtualTime();
    const { read } = sharedReads();
    const begun = abortable(1000, "it");
    const controller = new AbortController();
    const aborted = thrownBy(() => read(begun.ask, { signal: controller.signal }));
    controller.abort("enough");
    expect(await aborted).toBe("enough");
    expect(begun.signal).toMatchObject({ aborted: true, reason: "enough" });
    const next = [read(after(100, "next")), read(neverAsk)];
    expect(await untilDone(Promise.all(next))).toEqual(["next", "next"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is not stopped if the call that began it has no signal", async () => {
    useVirtualTime();
    const { read } = sharedReads();
    const begun = abortable(1000, "it");
    const first = read(begun.ask);
    const controller = new AbortController();
    const aborted = thrownBy(() => read(neverAsk, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(200);
    controller.abort("enough");
    expect(await aborted).toBe("enough");
    expect(await untilDone(first)).toBe("it");
    expect(begun.signal).toBeNull();
  });

  test("is not begun by a call that is aborted before", async () => {
    const { read } = sharedReads();
    const signal = AbortSignal.abort("before");
    expect(await thrownBy(() => read(neverAsk, { signal }))).toBe("before");
  });

  test("that began before another one does not replace its result", async () => {
    useVirtualTime();
    const { read } = sharedReads();
    const early = read(after(300, "early"));
    await vi.advanceTimersByTimeAsync(100);
    const late = read(after(100, "late"), { fresh: true });
    expect(await untilDone(Promise.all([late, read(neverAsk)]))).toEqual(["late", "late"]);
    expect(await untilDone(early)).toBe("early");
    expect(await read(neverAsk)).toBe("late");
  });

  test("that began before another one leaves the later one in place when it fails", async () => {
    useVirtualTime();
    const { read } = sharedReads();
    const early = thrownBy(() => read(failAfter(300, new NetworkError("lost"))));
    const late = read(after(600, "late"), { fresh: true });
    expect(await untilDone(early)).toBeInstanceOf(NetworkError);
    expect(await untilDone(read(neverAsk))).toBe("late");
    expect(await late).toBe("late");
  });
});

function guild(number: number) {
  return {
    id: `12000000000000000${number}`,
    name: `The guild with the number ${number}`,
    icon: "a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4",
    icon_url: `https://cdn.discordapp.com/icons/1/${number}.png`,
    owner: false,
    permissions: "2248473465835073",
    features: ["COMMUNITY", "NEWS"],
  };
}
