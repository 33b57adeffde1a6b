import { describe, expect, test, vi } from "vitest";
import { deadlineIn } from "../../../src/core/wait.ts";
import type { Limit } from "../../../src/http/limits/call.ts";
import { learn, untilOver } from "../../../src/http/limits/pause.ts";
import { newPause } from "../../../src/http/limits/platform_state.ts";
import { limitedError } from "../../../src/http/limits/token_pace.ts";
import { type HttpResponse, noResponse, type Result } from "../../../src/http/response.ts";
import { callOf, sendWithin } from "../../support/limited_call.ts";
import { responseOf } from "../../support/response_of.ts";
import { untilDone, useVirtualTime } from "../../support/virtual_time.ts";

/** A response that asks for a pause of some milliseconds. */
function response(milliseconds: number): HttpResponse {
  const status = milliseconds > 0 ? 429 : 200;
  return responseOf({ status, headers: { "retry-after": `${milliseconds / 1000}` } });
}

/** Requests behind one pause, with the log of those that were sent. */
function paused() {
  const pause = newPause();
  const sent: string[] = [];
  const call = (
    name: string,
    send: () => Promise<Result>,
    { timeout = 10_000, signal = new AbortController().signal, isAlone = false } = {},
  ): Promise<Result> => {
    const limit: Limit = {
      wait: (given) => untilOver(pause, given, limitedError, isAlone),
      learn(given, result, next) {
        if (!isAlone) learn(pause, given, result, next, "token_requests");
      },
    };
    const given = callOf({ path: "/it", form: {} }, { deadline: deadlineIn(timeout), signal });
    return sendWithin(limit, given, () => {
      sent.push(name);
      return send();
    });
  };
  return { call, sent };
}

const after = (milliseconds: number, result: Result) => (): Promise<Result> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds, result));

const rejected = (wait: number) => ({ kind: "rejection", error: { retryAfter: wait / 1000 } });

describe("In a pause", () => {
  test("nothing is sent, and each call learns the rest of it", async () => {
    useVirtualTime();
    const { call, sent } = paused();
    expect(await untilDone(call("first", after(10, response(2000))))).toEqual(response(2000));
    await vi.advanceTimersByTimeAsync(500);
    expect(await untilDone(call("second", after(10, response(0))))).toMatchObject(rejected(1500));
    expect(sent).toEqual(["first"]);
  });

  test("a response to an earlier request neither ends nor shortens it", async () => {
    useVirtualTime();
    const { call, sent } = paused();
    await untilDone(Promise.all([
      call("late success", after(20, response(0))),
      call("short pause", after(30, response(100))),
      call("long pause", after(10, response(2000))),
    ]));
    await vi.advanceTimersByTimeAsync(1900);
    expect(await untilDone(call("next", after(10, response(0)))))
      .toMatchObject({ kind: "rejection" });
    expect(sent).toHaveLength(3);
  });
});

test("A pause is shorter than a wait of more than its maximum, and each call learns the rest of the wait", async () => {
  useVirtualTime();
  const { call, sent } = paused();
  await untilDone(call("first", after(0, response(600_000))));
  await vi.advanceTimersByTimeAsync(59_000);
  expect(await call("early", after(0, response(0)))).toMatchObject(rejected(541_000));
  await vi.advanceTimersByTimeAsync(1000);
  await untilDone(call("trial", after(0, response(0))));
  await untilDone(call("next", after(0, response(1000))));
  // The wait has ended with the pause.
  expect(await call("early", after(0, response(0)))).toMatchObject(rejected(1000));
  expect(sent).toEqual(["first", "trial", "next"]);
});

describe("A request whose outcome says nothing about others", () => {
  const alone = { isAlone: true };

  test("begins no pause, is not sent in one, and does not end it", async () => {
    useVirtualTime();
    const { call, sent } = paused();
    await untilDone(call("alone", after(10, response(2000)), alone));
    await untilDone(call("first", after(10, response(2000))));
    await vi.advanceTimersByTimeAsync(1500);
    expect(await untilDone(call("early", after(10, response(0)), alone))).toMatchObject(
      rejected(500),
    );
    await vi.advanceTimersByTimeAsync(500);
    await untilDone(call("alone", after(10, response(0)), alone));
    // The pause still has a trial, so that the second one waits for it.
    await untilDone(Promise.all([
      call("trial", after(100, response(0))),
      call("alone", after(10, response(2000)), alone),
      call("second", after(10, response(0))),
    ]));
    expect(sent).toEqual(["alone", "first", "alone", "trial", "alone", "second"]);
  });
});

describe("After a pause", () => {
  /** Requests after a pause of a second. */
  async function afterPause() {
    useVirtualTime();
    const { call, sent } = paused();
    await untilDone(call("before", after(0, response(1000))));
    await vi.advanceTimersByTimeAsync(1000);
    sent.length = 0;
    return { call, sent };
  }

  test("one request tries, and the others are sent after another response", async () => {
    const { call, sent } = await afterPause();
    const results = Promise.all([
      call("first", after(200, response(0))),
      call("second", after(0, response(0))),
      call("third", after(0, response(0))),
    ]);
    await vi.advanceTimersByTimeAsync(199);
    expect(sent).toEqual(["first"]);
    expect(await untilDone(results)).toEqual(Array(3).fill(response(0)));
    expect(sent).toEqual(["first", "second", "third"]);
  });

  test("the others are sent within a twentieth of the time that they have waited", async () => {
    const { call, sent } = await afterPause();
    const results = Promise.all(
      ["first", "second"].map((name) => call(name, after(210, response(0)))),
    );
    await vi.advanceTimersByTimeAsync(209);
    expect(sent).toEqual(["first"]);
    await vi.advanceTimersByTimeAsync(11);
    expect(sent).toEqual(["first", "second"]);
    await untilDone(results);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("the others are not sent if the pause goes on", async () => {
    const { call, sent } = await afterPause();
    const [first, second] = await untilDone(Promise.all([
      call("first", after(200, response(3000))),
      call("second", after(0, response(0))),
    ]));
    expect(first).toEqual(response(3000));
    expect(second).toMatchObject(rejected(2992));
    expect(sent).toEqual(["first"]);
  });

  test("the next one tries if the first got no response", async () => {
    const { call, sent } = await afterPause();
    const results = Promise.all([
      call("first", after(200, noResponse)),
      call("second", after(200, response(3000))),
      call("third", after(0, response(0))),
    ]);
    expect((await untilDone(results)).map(({ kind }) => kind))
      .toEqual(["failure", "response", "rejection"]);
    expect(sent).toEqual(["first", "second"]);
  });

  test("the next one tries if the first has not ended by its deadline", async () => {
    const { call, sent } = await afterPause();
    void call("first", () => new Promise(() => {}), { timeout: 3000 });
    const second = call("second", after(0, response(0)));
    await vi.advanceTimersByTimeAsync(2990);
    expect(sent).toEqual(["first"]);
    expect(await untilDone(second)).toEqual(response(0));
    expect(sent).toEqual(["first", "second"]);
  });

  test("the next one tries if the first has not ended after a minute", async () => {
    const { call, sent } = await afterPause();
    const timeout = 600_000;
    void call("first", () => new Promise(() => {}), { timeout });
    const second = call("second", after(0, response(0)), { timeout });
    await vi.advanceTimersByTimeAsync(59_990);
    expect(sent).toEqual(["first"]);
    await vi.advanceTimersByTimeAsync(60);
    expect(sent).toEqual(["first", "second"]);
    expect(await second).toEqual(response(0));
  });

  test("a call that waits is rejected a second before its deadline", async () => {
    const { call, sent } = await afterPause();
    const first = call("first", after(5000, response(0)));
    let endedAt = NaN;
    const begin = performance.now();
    const second = call("second", after(0, response(0)), { timeout: 2000 })
      .finally(() => endedAt = performance.now() - begin);
    expect(await untilDone(second)).toMatchObject(rejected(1000));
    expect(endedAt).toBe(1000);
    await untilDone(first);
    expect(sent).toEqual(["first"]);
  });

  test("a call that is aborted while it waits is rejected at once", async () => {
    const { call, sent } = await afterPause();
    const first = call("first", after(200, response(0)));
    const controller = new AbortController();
    const second = call("second", after(0, response(0)), { signal: controller.signal });
    await vi.advanceTimersByTimeAsync(10);
    controller.abort("enough");
    expect(await second).toMatchObject({ kind: "rejection" });
    await untilDone(first);
    expect(sent).toEqual(["first"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
