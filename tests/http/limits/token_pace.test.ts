import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NetworkError, RateLimitError } from "../../../mod.ts";
import { deadlineIn } from "../../../src/core/wait.ts";
import type { Limit } from "../../../src/http/limits/call.ts";
import { newTokenPace } from "../../../src/http/limits/platform_state.ts";
import { recordInPace, takeSlot, waitForPace } from "../../../src/http/limits/token_pace.ts";
import { noResponse, type Rejection, type Result } from "../../../src/http/response.ts";
import { callOf, sendWithin } from "../../support/limited_call.ts";
import { responseOf } from "../../support/response_of.ts";

const success = responseOf({ status: 200, text: "{}" });
const down = responseOf({ status: 503, text: "{}" });
const cut: Result = noResponse;
const requestLine = "POST https://discord.com/api/v10/oauth2/token";

function tooMany(seconds: number): Result {
  return responseOf({ status: 429, text: JSON.stringify({ retry_after: seconds }) });
}

/** The options of a simulated token request. */
interface RequestOptions {
  readonly grant?: "refresh_token" | "authorization_code";
  readonly token?: string;
  readonly timeout?: number;
  readonly controller?: AbortController;
  readonly isLate?: boolean;
  /** The time until the result, in milliseconds. */
  readonly takes?: number;
}

/** A process that sends token requests, with the times at which it sent them. */
function createProcess() {
  const pace = newTokenPace();
  const sent: number[] = [];
  let tokens = 0;
  const request = async (
    result: Result | (() => Result),
    options: RequestOptions = {},
  ): Promise<Result> => {
    const { grant = "refresh_token", token = `token${++tokens}` } = options;
    const { timeout = 10_000, takes = 100, controller = new AbortController() } = options;
    const { isLate = false } = options;
    const form = { grant_type: grant, [grant === "refresh_token" ? grant : "code"]: token };
    const call = callOf({ path: "/oauth2/token", form }, {
      requestLine,
      deadline: deadlineIn(timeout),
      signal: controller.signal,
      isLate,
    });
    const limit: Limit = {
      wait: (given) => waitForPace(pace, given),
      learn: (given, received, next) => recordInPace(pace, given, received, next),
    };
    return await sendWithin(limit, call, async () => {
      sent.push(Math.round(performance.now() - begin));
      await new Promise((resolve) => setTimeout(resolve, takes));
      return typeof result === "function" ? result() : result;
    });
  };
  return { request, sent, pace };
}

/** Awaits a promise while virtual time goes on. */
async function soon<Value>(promise: Promise<Value>, milliseconds = 100): Promise<Value> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  return await promise;
}

function errorOf(result: Result): Error {
  expect(result.kind).toBe("rejection");
  return (result as Rejection).error as Error;
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

describe("The slots of refreshes", () => {
  test("let two be in flight, and the next one go as soon as one has ended", async () => {
    const { request, sent } = createProcess();
    const results = Array.from({ length: 6 }, () => request(success));
    expect(await soon(Promise.all(results), 1000)).toEqual(Array(6).fill(success));
    expect(sent.slice(0, 2)).toEqual([0, 0]);
    expect(sent.filter((at) => at >= 100 && at <= 110)).toHaveLength(2);
    expect(sent.filter((at) => at >= 200 && at <= 220)).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("serve a hundred callers of a fast platform within their time limit", async () => {
    const { request } = createProcess();
    const results = Array.from({ length: 80 }, () => request(success));
    expect(await soon(Promise.all(results), 5000)).toEqual(Array(80).fill(success));
  });

  test("do not hold up an exchange", async () => {
    const { request, sent } = createProcess();
    const refreshes = [request(success, { takes: 3000 }), request(success, { takes: 3000 })];
    await vi.advanceTimersByTimeAsync(50);
    expect(await soon(request(success, { grant: "authorization_code" }))).toBe(success);
    expect(sent).toEqual([0, 0, 50]);
    await soon(Promise.all(refreshes), 3000);
  });

  test("are awaited for half of the time of a call, which is then not sent", async () => {
    const { request, sent } = createProcess();
    const slow = [request(success, { takes: 4900 }), request(success, { takes: 4900 })];
    let took = NaN;
    const waiting = request(success, { timeout: 4000 })
      .finally(() => took = performance.now() - begin);
    await vi.advanceTimersByTimeAsync(5000);
    const error = errorOf(await waiting);
    expect(took).toBe(2000);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({
      message: `${requestLine} was not sent: 2 other refreshes are in progress in this process`,
      mayHaveArrived: false,
      isTemporary: true,
    });
    expect(sent).toEqual([0, 0]);
    await Promise.all(slow);
  });

  test("end after five seconds, since a Worker's request may just stop", async () => {
    const { request, sent, pace } = createProcess();
    for (const token of ["a", "b"]) {
      await takeSlot(pace, token, { requestLine, signal: null }, begin);
    }
    const waiting = request(success, { timeout: 20_000 });
    await vi.advanceTimersByTimeAsync(4999);
    expect(sent).toEqual([]);
    await soon(waiting, 200);
    expect(sent[0]).toBeLessThanOrEqual(5050);
  });

  test("end after five seconds too if the refresh takes longer, which then leaves the others alone", async () => {
    const { request, sent, pace } = createProcess();
    const slow = [request(success, { takes: 6000 }), request(success, { takes: 6000 })];
    await vi.advanceTimersByTimeAsync(5500);
    const later = [request(success, { takes: 1000 }), request(success, { takes: 1000 })];
    await vi.advanceTimersByTimeAsync(600);
    await Promise.all(slow);
    expect(sent).toEqual([0, 0, 5500, 5500]);
    expect(pace.slots.size).toBe(2);
    await soon(Promise.all(later), 1000);
  });

  test("are not taken twice for one token", async () => {
    const { request, sent, pace } = createProcess();
    const take = () => takeSlot(pace, "a", { requestLine, signal: null }, begin);
    expect(await take()).toEqual({ heldUntil: begin + 5000 });
    expect(await take()).toBe(null);
    await soon(Promise.all([request(success, { token: "a" }), request(success, { token: "b" })]));
    expect(sent).toEqual([0, 0]);
    expect(await take()).not.toBe(null);
  });

  test("are not awaited after the latest time", async () => {
    const { pace, request } = createProcess();
    const slow = [request(success), request(success)];
    await expect(takeSlot(pace, "c", { requestLine, signal: null }, begin)).rejects.toThrow();
    await soon(Promise.all(slow));
  });

  test("are awaited until the call is aborted", async () => {
    const { request, sent } = createProcess();
    const controller = new AbortController();
    const slow = [request(success), request(success)];
    const waiting = request(success, { controller });
    await vi.advanceTimersByTimeAsync(20);
    controller.abort("enough");
    expect(await soon(waiting, 0)).toMatchObject({ kind: "rejection" });
    await soon(Promise.all(slow));
    expect(sent).toEqual([0, 0]);
  });

  test("are free again after a refresh that was not sent for another reason", async () => {
    const { request, sent } = createProcess();
    const rejection: Result = { kind: "rejection", error: new Error("blocked") };
    for (let at = 0; at < 3; at++) await soon(request(rejection, { takes: 1 }), 1);
    await soon(request(success));
    expect(sent).toHaveLength(4);
  });
});

describe("After a 429", () => {
  test("refreshes wait for the stated time and a random one, and exchanges for the stated one", async () => {
    const { request, sent } = createProcess();
    await soon(request(tooMany(2)));
    const error = errorOf(await request(success));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({
      message: `${requestLine} was not sent: the platform has limited token requests (429)`,
      retryAfter: 4,
    });
    await vi.advanceTimersByTimeAsync(2000);
    expect(errorOf(await request(success))).toMatchObject({ retryAfter: 2 });
    expect(await soon(request(success, { grant: "authorization_code" }))).toBe(success);
    expect(await soon(request(success), 1899)).toMatchObject({ kind: "rejection" });
    await vi.advanceTimersByTimeAsync(1);
    expect(await soon(request(success))).toBe(success);
    expect(sent).toEqual([0, 2100, 4100]);
  });

  test("to an exchange, refreshes wait for the stated time", async () => {
    const { request } = createProcess();
    await soon(request(tooMany(2), { grant: "authorization_code" }));
    expect(errorOf(await request(success))).toMatchObject({ retryAfter: 2 });
    await vi.advanceTimersByTimeAsync(2000);
    expect(await soon(request(success))).toBe(success);
  });

  test("the random time doubles up to a minute, and the whole wait is not longer either", async () => {
    const { request } = createProcess();
    const waits: unknown[] = [];
    for (let at = 0; at < 8; at++) {
      await soon(request(tooMany(1)));
      const { retryAfter } = errorOf(await request(success)) as RateLimitError;
      waits.push(retryAfter);
      await vi.advanceTimersByTimeAsync(1000 * Number(retryAfter));
    }
    expect(waits).toEqual([3, 5, 9, 17, 31, 31, 31, 31]);
    await soon(request(tooMany(50)));
    expect(errorOf(await request(success))).toMatchObject({ retryAfter: 60 });
  });

  test("a stated wait of more than a minute is in the error, and is cut to a minute", async () => {
    const { request } = createProcess();
    await soon(request(tooMany(600)));
    expect(errorOf(await request(success))).toMatchObject({ retryAfter: 600 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await soon(request(success))).toBe(success);
  });

  test("four successes halve the next random time", async () => {
    const { request } = createProcess();
    for (let at = 0; at < 3; at++) {
      await soon(request(tooMany(1)));
      await vi.advanceTimersByTimeAsync(20_000);
    }
    for (let at = 0; at < 4; at++) await soon(request(success));
    await soon(request(tooMany(1)));
    expect(errorOf(await request(success))).toMatchObject({ retryAfter: 9 });
  });

  test("a success that was sent before does not end the pause", async () => {
    const { request } = createProcess();
    await soon(Promise.all([request(tooMany(2)), request(success, { takes: 200 })]), 200);
    expect(errorOf(await request(success, { grant: "authorization_code" })))
      .toBeInstanceOf(RateLimitError);
  });

  test("a success that was sent after the pause ends it for all", async () => {
    const { request, pace } = createProcess();
    await soon(request(tooMany(1)));
    await vi.advanceTimersByTimeAsync(3000);
    expect(pace.pause.until).not.toBe(null);
    await soon(request(success));
    expect(pace.pause.until).toBe(null);
  });

  test("thirty processes of ten callers share 5 refreshes a second, with few 429s", async () => {
    vi.mocked(Math.random).mockRestore();
    const counts = { limited: 0, ok: 0, inWindow: 0, window: -1 };
    const respond = () => {
      const window = Math.floor((performance.now() - begin) / 1000);
      if (window !== counts.window) Object.assign(counts, { window, inWindow: 0 });
      const isOk = ++counts.inWindow <= 5;
      counts[isOk ? "ok" : "limited"] += 1;
      return isOk ? success : tooMany(1);
    };
    const callers = Array.from({ length: 30 }, () => createProcess()).flatMap(({ request }) =>
      Array.from({ length: 10 }, async () => {
        while (true) {
          const result = await request(respond);
          if (result === success) return;
          const { retryAfter } = result.kind === "rejection"
            ? errorOf(result) as RateLimitError
            : { retryAfter: 1 };
          await new Promise((resolve) => setTimeout(resolve, (retryAfter ?? 1) * 1000));
        }
      })
    );
    await soon(Promise.all(callers), 600_000);
    expect(counts.ok).toBe(300);
    expect(counts.limited).toBeLessThan(300);
  });
});

describe("After failures of the platform", () => {
  test.each([["503", down], ["no response", cut]])(
    "%s: the third one begins a wait, which is random, doubles, and is no longer than a minute",
    async (_what, result) => {
      const { request } = createProcess();
      for (let at = 0; at < 2; at++) await soon(request(result));
      const waits: unknown[] = [];
      for (let at = 0; at < 8; at++) {
        expect(await soon(request(result))).toBe(result);
        const error = errorOf(await request(success));
        expect(error).toBeInstanceOf(NetworkError);
        expect(error).toMatchObject({
          message: `${requestLine} was not sent: the latest refreshes failed on the platform`,
          mayHaveArrived: false,
          isTemporary: true,
        });
        const { retryAfter } = error as NetworkError;
        waits.push(retryAfter);
        await vi.advanceTimersByTimeAsync(1000 * Number(retryAfter));
      }
      expect(waits).toEqual([2, 4, 8, 16, 30, 30, 30, 30]);
    },
  );

  test("refreshes wait for the stated time, and not longer than a minute", async () => {
    for (const [stated, waited] of [[7, 7], [600, 60]]) {
      const { request } = createProcess();
      const busy = responseOf({ status: 503, text: "{}", headers: { "retry-after": `${stated}` } });
      for (let at = 0; at < 3; at++) await soon(request(busy));
      expect(errorOf(await request(success))).toMatchObject({ retryAfter: waited });
    }
  });

  test("exchanges are sent", async () => {
    const { request } = createProcess();
    for (let at = 0; at < 3; at++) await soon(request(down));
    expect(await soon(request(success, { grant: "authorization_code" }))).toBe(success);
  });

  test("a success, or a refusal of the platform, makes the next failure the first one", async () => {
    for (const response of [success, responseOf({ status: 400, text: "{}" })]) {
      const { request } = createProcess();
      for (let at = 0; at < 2; at++) await soon(request(down));
      await soon(request(response));
      for (let at = 0; at < 2; at++) await soon(request(down));
      expect(await soon(request(success))).toBe(success);
    }
  });

  test("a request that its caller has aborted, and a block by the edge, do not count", async () => {
    const { request } = createProcess();
    const controller = new AbortController();
    const aborted = Array.from({ length: 2 }, () => request(cut, { controller }));
    controller.abort();
    await soon(Promise.all(aborted));
    await soon(request(cut));
    const block = responseOf({ status: 403, text: "<html>" });
    for (let at = 0; at < 3; at++) await soon(request(block));
    expect(await soon(request(success))).toBe(success);
  });

  test("a request that has timed out counts", async () => {
    const { request } = createProcess();
    const controller = new AbortController();
    controller.abort();
    const isLate = true;
    for (let at = 0; at < 3; at++) await soon(request(cut, { controller, isLate }));
    expect(errorOf(await request(success))).toBeInstanceOf(NetworkError);
  });
});
