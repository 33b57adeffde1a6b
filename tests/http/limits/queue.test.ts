import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  ApiError,
  type ClientOptions,
  discord,
  PlatformApi,
  RateLimitError,
  User,
} from "../../../mod.ts";
import { deadlineIn } from "../../../src/core/wait.ts";
import { Bucket } from "../../../src/http/limits/bucket.ts";
import { createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";
import {
  fakeFetch,
  late,
  neverRespond,
  rejectWith,
  type Responder,
  respondWith,
  thrownBy,
} from "../../support/responders.ts";
import { type Http, queued } from "../../support/http.ts";
import { respondUnavailable } from "../../support/calls.ts";
import { untilDone, useVirtualTime } from "../../support/virtual_time.ts";

/** The headers of a response with the remaining requests of a window and the seconds until its end. */
function limits(remaining: number, seconds: number, limit = 10, bucket = "b"): ResponseInit {
  return {
    headers: {
      "x-ratelimit-limit": `${limit}`,
      "x-ratelimit-remaining": `${remaining}`,
      "x-ratelimit-reset-after": `${seconds}`,
      "x-ratelimit-bucket": bucket,
    },
  };
}

/** A 429, with the time to wait in its body. */
function tooMany(seconds: number, headers: Record<string, string> = {}): Responder {
  return respondWith({ retry_after: seconds, global: false }, { status: 429, headers });
}

/** A client with the log of its requests, in milliseconds from now. */
function client(timeout: number, ...responses: Responder[]) {
  const { fetch, requests } = fakeFetch(...responses);
  const begin = Date.now();
  const sent: string[] = [];
  const options: ClientOptions = {
    timeout,
    fetch: (url, init) => {
      const path = url.replace("https://discord.com/api/v10", "");
      sent.push(`${Date.now() - begin} ${init.method} ${path}`);
      return fetch(url, init);
    },
  };
  const http = queued(options);
  return { http, sent, requests, times: () => sent.map((line) => parseInt(line)) };
}

/** Makes each wait its shortest. */
function withoutJitter(): void {
  const random = vi.spyOn(Math, "random").mockReturnValue(0);
  onTestFinished(() => random.mockRestore());
}

/** Sends reads with different queries, and collects the response or the error of each. */
function several(http: Http, count: number, path = "/it"): Promise<unknown[]> {
  const calls = Array.from(
    { length: count },
    (_, n) => http({ path, query: { n } }).catch((error: unknown) => error),
  );
  return Promise.all(calls);
}

const ok = respondWith({ ok: true });

describe("Forty mixed reads of one person, against one request a second,", () => {
  function fortyReads(timeout: number, rateLimits: Parameters<typeof createFakePlatform>[0]) {
    const fake = createFakePlatform(rateLimits);
    const scopes = ["identify", "guilds"];
    const user = new User(fake.issueToken({ scopes }).access_token, { ...fake, timeout });
    const calls = Array.from(
      { length: 40 },
      (_, n) => n % 4 === 0 ? user.getCurrentUser() : user.getUserGuilds({ limit: n }),
    );
    return { fake, calls };
  }

  test("end without an error when there is time", async () => {
    useVirtualTime();
    const { fake, calls } = fortyReads(60_000, { rateLimits: { limit: 1 } });
    const results = await untilDone(Promise.allSettled(calls));
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(fake.requests.map(({ status }) => status)).toEqual(Array(31).fill(200));
    const limitsSent = fake.requests.flatMap(({ query: { limit } }) => limit ?? []).map(Number);
    expect(limitsSent).toEqual(limitsSent.toSorted((a, b) => a - b));
    expect(vi.getTimerCount()).toBe(0);
  });

  test("end without an error if the limit is over all routes", async () => {
    useVirtualTime();
    const { fake, calls } = fortyReads(60_000, { rateLimits: { global: { limit: 1 } } });
    const results = await untilDone(Promise.allSettled(calls));
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    // No response states the limit, so one request at a time finds out that it is used up.
    expect(fake.requests.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(31);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("fail at once with the time to wait when there is no time", async () => {
    useVirtualTime();
    const begin = Date.now();
    const { fake, calls } = fortyReads(10_000, { rateLimits: { limit: 1 } });
    const failures: { readonly error: unknown; readonly at: number }[] = [];
    for (const call of calls) {
      call.catch((error: unknown) => failures.push({ error, at: Date.now() - begin }));
    }
    await untilDone(Promise.allSettled(calls));
    expect(failures.map(({ at }) => at)).toEqual(failures.map(() => 0));
    const waits = failures.map(({ error }) => error instanceof RateLimitError && error.retryAfter);
    // A refused call is not in the way of the next one.
    for (const wait of waits) {
      expect(wait).toBeGreaterThan(10);
      expect(wait).toBeLessThan(11.6);
    }
    const sent = fake.requests.map(({ status }) => status);
    expect(sent).toEqual(Array(31 - failures.length).fill(200));
    expect(failures.length).toBeGreaterThan(15);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("Requests to one route", () => {
  test("begin with one alone, and continue together after its response", async () => {
    useVirtualTime();
    const { http, times } = client(10_000, late(100, respondWith({}, limits(7, 2))));
    await untilDone(several(http, 5));
    expect(times()).toEqual([0, 100, 100, 100, 100]);
  });

  test("are sent together if the first response states no limit", async () => {
    useVirtualTime();
    const { http, times } = client(10_000, late(100, ok));
    await untilDone(several(http, 50));
    expect(times()).toEqual([0, ...Array(49).fill(100)]);
    await untilDone(several(http, 50));
    expect(times().slice(50)).toEqual(Array(50).fill(200));
  });

  test("wait for the next window in their order when this one is full", async () => {
    useVirtualTime();
    const responses = [2, 1, 0, 2, 1, 0].map((remaining) =>
      respondWith({}, limits(remaining, 1, 3))
    );
    const { http, sent, times } = client(10_000, ...responses);
    await untilDone(several(http, 6));
    expect(sent.map((line) => line.split(" ")[2])).toEqual(
      [0, 1, 2, 3, 4, 5].map((n) => `/it?n=${n}`),
    );
    expect(times().slice(0, 3)).toEqual([0, 0, 0]);
    for (const time of times().slice(3)) {
      expect(time).toBeGreaterThan(1000);
      expect(time).toBeLessThanOrEqual(1052);
    }
  });

  test("wait only for the last response of a window if responses come in another order", async () => {
    useVirtualTime();
    const { http, times } = client(
      10_000,
      respondWith({}, limits(4, 1, 5)),
      late(30, respondWith({}, limits(3, 1, 5))),
      late(10, respondWith({}, limits(2, 1, 5))),
      ok,
    );
    await untilDone(several(http, 3));
    await untilDone(several(http, 3));
    // The responses to the last two leave room for two more.
    expect(times().slice(0, 5)).toEqual([0, 0, 0, 30, 30]);
    expect(times()[5]).toBeGreaterThan(1000);
  });

  test("keep their order if one is sent again after a failure", async () => {
    useVirtualTime();
    const full = limits(0, 1, 1);
    const { http, sent } = client(
      10_000,
      respondWith({}, { ...full, status: 503 }),
      respondWith({}, full),
    );
    await untilDone(several(http, 3));
    expect(sent.map((line) => line.split(" ")[2])).toEqual(
      [0, 0, 1, 2].map((n) => `/it?n=${n}`),
    );
  });

  test.each([
    ["HTML", "<html>"],
    ["its code", { code: 40333 }],
  ])("still begin with one alone after a block by the edge with %s", async (_what, body) => {
    useVirtualTime();
    const { http, times } = client(
      10_000,
      respondWith(body, { status: 403 }),
      late(100, respondWith({}, limits(0, 60, 1))),
    );
    await thrownBy(() => http({ path: "/it" }));
    await vi.advanceTimersByTimeAsync(30_000);
    const results = await untilDone(several(http, 5));
    expect(times()).toEqual([0, 30_000]);
    expect(results.filter((result) => result instanceof RateLimitError)).toHaveLength(4);
  });

  test("are not held up by a first request that fails", async () => {
    useVirtualTime();
    const { http, times } = client(10_000, respondUnavailable, rejectWith("offline"), ok);
    const results = await untilDone(several(http, 3));
    expect(results).toEqual(Array(3).fill({ ok: true }));
    expect(times()).toEqual([0, 0, 0, 250, 250]);
  });

  test("are not held up for long by a first request without a response", async () => {
    useVirtualTime();
    const { http, times } = client(10_000, neverRespond, ok);
    await untilDone(several(http, 3));
    expect(times()).toEqual([0, 2000, 2000]);
  });

  test("are not held up for more than a window by a request without a response", async () => {
    useVirtualTime();
    const { http, times } = client(5000, respondWith({}, limits(1, 1, 2)), neverRespond, ok);
    await untilDone(several(http, 4));
    const [, , third = 0, fourth = 0] = times();
    // It may be counted in the second window, but not in a third.
    expect(third).toBeGreaterThan(1000);
    expect(third).toBeLessThan(1100);
    expect(fourth).toBeGreaterThan(2000);
    expect(fourth).toBeLessThan(2200);
  });

  test("are not refused if a response could let them go in time", async () => {
    useVirtualTime();
    // Two more fit, and two are on their way; their responses tell if they are counted yet.
    const { http, times } = client(
      10_000,
      late(100, respondWith({}, limits(3, 60, 5))),
      late(100, respondWith({}, limits(2, 60, 5))),
    );
    await untilDone(several(http, 1));
    const results = await untilDone(several(http, 4));
    expect(results.filter((result) => result instanceof RateLimitError)).toEqual([]);
    expect(times()).toEqual([0, 100, 100, 100, 200]);
  });

  test("have the error of the platform if there is no room for a retry", async () => {
    useVirtualTime();
    const { http, times } = client(10_000, respondWith({}, limits(1, 300)), respondUnavailable);
    await untilDone(http({ path: "/it" }));
    expect(await untilDone(thrownBy(() => http({ path: "/it" })))).toMatchObject({
      httpStatus: 503,
    });
    expect(times()).toEqual([0, 0]);
    expect(await untilDone(thrownBy(() => http({ path: "/it" })))).toBeInstanceOf(RateLimitError);
  });

  test("are refused at once if they would have to wait too long", async () => {
    useVirtualTime();
    const { http, sent } = client(10_000, respondWith({}, limits(0, 60, 1)));
    await http({ path: "/it" });
    const error = await untilDone(thrownBy(() => http({ path: "/it" })));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({
      message:
        "GET https://discord.com/api/v10/it was not sent: its rate limit is used up, and the wait would exceed its timeout",
      httpStatus: 429,
      global: false,
      scope: null,
    });
    expect((error as RateLimitError).retryAfter).toBeGreaterThan(60);
    expect((error as RateLimitError).retryAfter).toBeLessThan(63.1);
    expect(sent).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("The platform counts together", () => {
  const exhausted = respondWith({}, limits(0, 60, 1));

  test("routes with the same bucket", async () => {
    const { http, sent } = client(10_000, exhausted);
    await http({ path: "/this" });
    await http({ path: "/that" });
    for (const path of ["/this", "/that"]) {
      await expect(http({ path })).rejects.toThrow(RateLimitError);
    }
    expect(sent).toHaveLength(2);
  });

  test("a route with different ids, except those of guilds", async () => {
    const { http, sent } = client(10_000, exhausted);
    await http({ path: "/users/@me/guilds/1/member" });
    await expect(http({ path: "/users/@me/guilds/2/member" })).rejects.toThrow(RateLimitError);
    await http({ path: "/guilds/1" });
    await http({ path: "/guilds/2" });
    await http({ path: "/guilds/2/members/3", method: "PUT", json: {} });
    await expect(http({ path: "/guilds/2/members/4", method: "PUT", json: {} })).rejects
      .toThrow(RateLimitError);
    expect(sent).toHaveLength(4);
  });

  test("the routes of one bucket name, and a new name is another limit", async () => {
    const { http, sent } = client(
      10_000,
      respondWith({}, limits(5, 60, 9, "a")),
      exhausted,
      exhausted,
    );
    await http({ path: "/this" });
    await http({ path: "/this" });
    await expect(http({ path: "/this" })).rejects.toThrow(RateLimitError);
    expect(sent).toHaveLength(2);
  });

  test("only routes with a bucket name", async () => {
    const nameless = respondWith({}, limits(0, 60, 1, "x".repeat(65)));
    const { http, sent } = client(10_000, nameless);
    await http({ path: "/this" });
    await http({ path: "/that" });
    await expect(http({ path: "/this" })).rejects.toThrow(RateLimitError);
    expect(sent).toHaveLength(2);
  });
});

describe("After a 429", () => {
  test("nothing of its limit is sent before the time is over, and the refused request goes first", async () => {
    useVirtualTime();
    const { http, sent, times } = client(10_000, tooMany(3), respondWith({}, limits(1, 1)));
    await untilDone(several(http, 3));
    expect(sent.map((line) => line.split(" ")[2])).toEqual([
      "/it?n=0",
      "/it?n=0",
      "/it?n=1",
      "/it?n=2",
    ]);
    expect(times()[1]).toBeGreaterThan(3000);
    expect(times()[1]).toBeLessThan(3160);
  });

  test("other routes are used, unless it is about all of them", async () => {
    useVirtualTime();
    const { http, sent } = client(10_000, tooMany(3), ok);
    await untilDone(Promise.all([http({ path: "/this" }), http({ path: "/that" })]));
    expect(sent.map((line) => line.replace(/^[3]\d\d\d /, "3000 "))).toEqual([
      "0 GET /this",
      "0 GET /that",
      "3000 GET /this",
    ]);
  });

  test.each<[string, Responder]>([
    ["its body says so", respondWith({ retry_after: 3, global: true }, { status: 429 })],
    ["a header says so", tooMany(3, { "x-ratelimit-global": "true" })],
    ["its scope says so", tooMany(3, { "x-ratelimit-scope": "global" })],
  ])("no other route is used if %s", async (_when, response) => {
    useVirtualTime();
    const { http, times } = client(10_000, response, ok);
    const first = http({ path: "/this" });
    // Once it is refused.
    const second = new Promise((resolve) => setTimeout(resolve, 1)).then(() =>
      http({ path: "/that" })
    );
    await untilDone(Promise.all([first, second]));
    const [, ...later] = times();
    expect(later).toHaveLength(2);
    for (const time of later) {
      expect(time).toBeGreaterThan(3000);
      expect(time).toBeLessThan(5000);
    }
  });

  test("about all routes, a call to any of them fails at once if it would have to wait too long", async () => {
    useVirtualTime();
    const { http, sent } = client(10_000, tooMany(60, { "x-ratelimit-scope": "global" }), ok);
    await thrownBy(() => http({ path: "/a" }));
    const results = await Promise.all(
      ["/a", "/b"].map((path) => thrownBy(() => http({ path, authorization: "Bearer t" }))),
    );
    for (const error of results) {
      expect(error).toMatchObject({ name: "RateLimitError", global: true, ofPerson: false });
      expect((error as RateLimitError).retryAfter).toBeGreaterThan(59);
    }
    expect(sent).toHaveLength(1);
  });

  test("about all routes that asks for ever, requests are sent after a minute", async () => {
    useVirtualTime();
    withoutJitter();
    const forever = { retry_after: 1e308, global: true };
    const { http, sent } = client(10_000, respondWith(forever, { status: 429 }), ok);
    expect(await thrownBy(() => http({ path: "/a", authorization: "Bearer t" })))
      .toMatchObject({ global: true, retryAfter: 60 });
    await vi.advanceTimersByTimeAsync(49_000);
    expect(await thrownBy(() => http({ path: "/b" })))
      .toMatchObject({ global: true, retryAfter: expect.closeTo(11) });
    await vi.advanceTimersByTimeAsync(11_001);
    await http({ path: "/b" });
    expect(sent).toHaveLength(2);
  });

  test("that asks for no wait, there is a pause", async () => {
    useVirtualTime();
    withoutJitter();
    const { http, times } = client(10_000, tooMany(0), tooMany(0.001), ok);
    await untilDone(http({ path: "/it", authorization: "Bearer t" }));
    expect(times()).toEqual([0, 251, 502]);
  });

  test("without a time to wait, the request is not retried, and others wait for five seconds", async () => {
    useVirtualTime();
    withoutJitter();
    const { http, times } = client(
      10_000,
      respondWith({}, { status: 429 }),
      respondWith({}, limits(9, 1)),
    );
    const read = () => http({ path: "/it", authorization: "Bearer t" });
    const [first, second] = await untilDone(Promise.allSettled([read(), read()]));
    expect(first).toMatchObject({ reason: { name: "RateLimitError", retryAfter: 5 } });
    expect(second).toEqual({ status: "fulfilled", value: {} });
    expect(times()).toEqual([0, 5001]);
  });

  test("of the edge with a time, the request is not retried, and no limit is learned", async () => {
    useVirtualTime();
    const response = respondWith("<html>", {
      status: 429,
      headers: { "retry-after": "5", "x-ratelimit-global": "true" },
    });
    const { http, times } = client(10_000, response, ok);
    const request = { path: "/it", authorization: "Bearer t", isShapedByCaller: true };
    expect(await untilDone(thrownBy(() => http(request)))).toMatchObject({ blockedByEdge: true });
    await untilDone(http(request));
    await untilDone(http({ ...request, path: "/that" }));
    expect(times()).toEqual([0, 0, 0]);
  });

  test("the request is retried at most twice", async () => {
    useVirtualTime();
    const { http, sent } = client(10_000, tooMany(1));
    expect(await untilDone(thrownBy(() => http({ path: "/it" })))).toBeInstanceOf(RateLimitError);
    expect(sent).toHaveLength(3);
  });

  test("for a shared limit, the request is retried until the time is over", async () => {
    useVirtualTime();
    const shared = tooMany(1, { "x-ratelimit-scope": "shared" });
    const { http, sent } = client(10_000, shared, shared, shared, shared, shared, ok);
    expect(await untilDone(http({ path: "/it" }))).toEqual({ ok: true });
    expect(sent).toHaveLength(6);
    const endless = client(10_000, shared);
    const error = await untilDone(thrownBy(() => endless.http({ path: "/it" })));
    expect(error).toMatchObject({ name: "RateLimitError", scope: "shared", retryAfter: 1 });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a request that changes something is not retried", async () => {
    useVirtualTime();
    const { http, sent, times } = client(10_000, tooMany(1), ok);
    const put = () => http({ path: "/it", method: "PUT", json: {} });
    expect(await thrownBy(put)).toBeInstanceOf(RateLimitError);
    expect(sent).toHaveLength(1);
    await untilDone(put());
    expect(times()[1]).toBeGreaterThan(1000);
  });

  test("that states no limit, one request is sent at a time", async () => {
    useVirtualTime();
    const begin = Date.now();
    let window = { endsAt: 0, used: 0 };
    const response: Responder = (request) => {
      if (Date.now() >= window.endsAt) window = { endsAt: Date.now() + 1000, used: 0 };
      window.used += 1;
      const seconds = (window.endsAt - Date.now()) / 1000;
      return (window.used > 3 ? tooMany(seconds) : late(10, ok))(request);
    };
    const { http, requests } = client(100_000, response);
    const [first, second] = [
      await untilDone(http({ path: "/it" })),
      await untilDone(several(http, 4)),
    ];
    expect([first, ...second]).toEqual(Array(5).fill({ ok: true }));
    const before = requests.length;
    expect(await untilDone(several(http, 12))).toEqual(Array(12).fill({ ok: true }));
    expect(Date.now() - begin).toBeLessThan(7000);
    // One in each window.
    expect(requests.length - before - 12).toBeLessThanOrEqual(5);
  });
});

describe("After a 401", () => {
  const refused = respondWith({ message: "401: Unauthorized", code: 0 }, { status: 401 });

  test("the token is not sent again, not even by waiting calls", async () => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(late(50, refused));
    const user = new User("t0ken", { fetch });
    const reads = [10, 20, 30].map((limit) => thrownBy(() => user.getUserGuilds({ limit })));
    const [first, ...others] = await untilDone(Promise.all(reads));
    expect(first).toBeInstanceOf(ApiError);
    const later = await untilDone(thrownBy(() => user.getCurrentUser()));
    for (const error of [...others, later]) {
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({
        code: "api_error",
        httpStatus: 401,
        message: expect.stringMatching(
          /^GET \S+ was not sent: the platform rejected its token \(401\)$/,
        ),
        hint: expect.stringMatching(
          /^Check that the token .*\. The token will be tried again in 300 s$/,
        ),
      });
    }
    expect(requests).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("twenty reads with a new User each send one request", async () => {
    const fake = createFakePlatform();
    const { access_token: token } = fake.issueToken({ scopes: ["identify"] });
    const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
    await new PlatformApi(id, secret, ["identify"], redirectUri, fake).revoke(token);
    for (let view = 0; view < 20; view++) {
      const error = await thrownBy(() => new User(token, fake).getCurrentUser());
      expect(error).toMatchObject({ name: "ApiError", httpStatus: 401 });
    }
    expect(fake.requests.map(({ status }) => status)).toEqual([200, 401]);
  });

  test("one request tries the token again after five minutes, and others when that succeeds", async () => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(refused, late(50, refused), late(50, ok));
    const read = (limit: number) => new User("t0ken", { fetch }).getUserGuilds({ limit });
    const statuses = async () => {
      const results = await untilDone(Promise.allSettled([1, 2, 3].map(read)));
      // A body without a list is a PayloadError, for which the token was good enough.
      return results.map((result) => (result as PromiseRejectedResult).reason.httpStatus);
    };
    expect(await untilDone(thrownBy(() => read(1)))).toMatchObject({ httpStatus: 401 });
    await vi.advanceTimersByTimeAsync(299_000);
    expect(await statuses()).toEqual([401, 401, 401]);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await statuses()).toEqual([401, 401, 401]);
    expect(requests).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(300_100);
    expect(await statuses()).toEqual([undefined, undefined, undefined]);
    expect(requests).toHaveLength(5);
  });

  test("the next request tries the token again if the first says nothing about it", async () => {
    useVirtualTime();
    const { http, sent } = client(1000, refused, respondWith({}, { status: 403 }), ok);
    const send = () => http({ path: "/it", method: "PUT", json: {}, authorization: "Bearer a" });
    await thrownBy(send);
    await vi.advanceTimersByTimeAsync(300_000);
    await thrownBy(send);
    expect(await send()).toEqual({ ok: true });
    expect(sent).toHaveLength(3);
  });

  test("another token is still sent", async () => {
    const { http, sent } = client(1000, refused, ok);
    const send = (authorization?: string) => http({ path: "/it", authorization });
    await thrownBy(() => send("Bearer a"));
    expect(await send("Bearer b")).toEqual({ ok: true });
    expect(await send()).toEqual({ ok: true });
    const error = await thrownBy(() => send("Bearer a"));
    expect(error).toMatchObject({
      httpStatus: 401,
      hint: "The token will be tried again in 300 s",
    });
    expect(sent).toHaveLength(3);
  });

  test("of a request without a token, everything is sent", async () => {
    const { http, sent } = client(1000, refused, ok);
    await thrownBy(() => http({ path: "/it" }));
    expect(await http({ path: "/it" })).toEqual({ ok: true });
    expect(sent).toHaveLength(2);
  });

  test("that may be about the operation, the token is still sent", async () => {
    const { http, sent } = client(1000, refused, ok);
    const request = { path: "/it", authorization: "Bearer a" };
    await thrownBy(() => http({ ...request, has401ForOtherReasons: true }));
    expect(await http(request)).toEqual({ ok: true });
    expect(sent).toHaveLength(2);
  });
});

describe("Two clients with one token", () => {
  const request = { path: "/it", authorization: "Bearer t0ken" };

  test("share a limit, and its windows", async () => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(respondWith({}, limits(0, 3, 1)));
    const [one, other] = [queued({ fetch }), queued({ fetch })];
    const begin = Date.now();
    await one(request);
    await untilDone(other(request));
    expect(Date.now() - begin).toBeGreaterThan(3000);
    expect(requests).toHaveLength(2);
    const error = await thrownBy(() => queued({ fetch, timeout: 1000 })(request));
    expect(error).toMatchObject({ name: "RateLimitError", global: false, ofPerson: true });
    // Another token, another fetch and another platform have limits of their own.
    const platform = { ...discord, apiUrl: "https://chat.example/api" };
    for (
      const [options, authorization] of [
        [{ fetch }, "Bearer another"],
        [{ fetch: fakeFetch(ok).fetch }, "Bearer t0ken"],
        [{ fetch, platform }, "Bearer t0ken"],
      ] as const
    ) {
      await queued({ ...options, timeout: 1000 })({ path: "/it", authorization });
    }
  });

  test("look every 100 ms whether the other one could use a refused token again", async () => {
    useVirtualTime();
    const refused = respondWith({}, { status: 401 });
    const { fetch, requests } = fakeFetch(refused, late(150, ok), ok);
    const [one, other] = [queued({ fetch }), queued({ fetch })];
    await thrownBy(() => one(request));
    await vi.advanceTimersByTimeAsync(300_000);
    const results = Promise.all([one(request), other(request)]);
    await vi.advanceTimersByTimeAsync(199);
    expect(requests).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(requests).toHaveLength(3);
    expect(await untilDone(results)).toEqual([{ ok: true }, { ok: true }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("learn an unknown limit from one request, and wait with timers of their own", async () => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(late(450, respondWith({}, limits(7, 2))));
    const begin = Date.now();
    const results = Promise.all(
      [0, 1, 2].map((n) => queued({ fetch })({ ...request, query: { n } })),
    );
    await vi.advanceTimersByTimeAsync(400);
    expect(requests).toHaveLength(1);
    // One for the response, and for each of the two others one for the queue; all three have ky's.
    expect(vi.getTimerCount()).toBe(6);
    await vi.advanceTimersByTimeAsync(100);
    expect(requests).toHaveLength(3);
    await untilDone(results);
    expect(Date.now() - begin).toBeLessThan(1000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("A call that is aborted while it waits", () => {
  test("leaves its place to the next call, and leaves no timer", async () => {
    useVirtualTime();
    const { http, sent } = client(
      10_000,
      respondWith({}, limits(0, 3, 1)),
      respondWith({}, limits(0, 3, 1)),
    );
    await http({ path: "/it" });
    const controller = new AbortController();
    const aborted = thrownBy(() =>
      http({ path: "/it", query: { n: 1 }, signal: controller.signal })
    );
    const next = http({ path: "/it", query: { n: 2 } });
    await vi.advanceTimersByTimeAsync(100);
    controller.abort("enough");
    expect(await aborted).toBe("enough");
    await untilDone(next);
    expect(sent.map((line) => line.split(" ")[2])).toEqual(["/it", "/it?n=2"]);
    const last = new AbortController();
    const alone = thrownBy(() => http({ path: "/it", signal: last.signal }));
    await vi.advanceTimersByTimeAsync(100);
    last.abort("enough");
    expect(await alone).toBe("enough");
    await vi.advanceTimersByTimeAsync(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("Waiting calls", () => {
  const numbersOf = (sent: readonly string[]) => sent.map((line) => line.split("n=")[1]);

  test("that are aborted leave without a look at the limits", async () => {
    useVirtualTime();
    const { http, sent } = client(10_000, respondWith({}, limits(0, 3, 1)));
    await http({ path: "/it" });
    const controllers = Array.from({ length: 50 }, () => new AbortController());
    const [first, ...others] = controllers.map(({ signal }, n) =>
      http({ path: "/it", query: { n }, signal, deadline: deadlineIn(1_000_000) }).catch((error) =>
        error
      )
    );
    await vi.advanceTimersByTimeAsync(100);
    const look = vi.spyOn(Bucket.prototype, "hasRoom");
    for (const controller of controllers.slice(1)) controller.abort("enough");
    expect(await Promise.all(others)).toEqual(Array(49).fill("enough"));
    expect(look).not.toHaveBeenCalled();
    look.mockRestore();
    expect(await untilDone(first as Promise<unknown>)).toEqual({});
    expect(numbersOf(sent)).toEqual([undefined, "0"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("are sent in their order after calls between them were aborted", async () => {
    useVirtualTime();
    const { http, sent } = client(10_000, respondWith({}, limits(0, 3, 1)), ok);
    await http({ path: "/it" });
    const controllers = Array.from({ length: 9 }, () => new AbortController());
    const calls = controllers.map(({ signal }, n) =>
      http({ path: "/it", query: { n }, signal, deadline: deadlineIn(1_000_000) }).catch((error) =>
        error
      )
    );
    await vi.advanceTimersByTimeAsync(100);
    for (const n of [3, 0, 8, 4]) controllers[n]?.abort("enough");
    const results = await untilDone(Promise.all(calls));
    expect(results.map((result, n) => result === "enough" ? n : -1).filter((n) => n >= 0))
      .toEqual([0, 3, 4, 8]);
    expect(numbersOf(sent)).toEqual([undefined, "1", "2", "5", "6", "7"]);
  });

  test("are sent in their order over all routes when the global limit ends", async () => {
    useVirtualTime();
    const refused = respondWith({ retry_after: 3, global: true }, { status: 429 });
    const { http, sent } = client(10_000, ok, ok, ok, refused, ok);
    const paths = ["/a", "/b", "/c"];
    for (const path of paths) await http({ path });
    const first = thrownBy(() => http({ path: "/d", method: "PUT", json: {} }));
    await vi.advanceTimersByTimeAsync(1);
    const order = [2, 0, 0, 1, 2, 1, 0, 2];
    const calls = order.map((route, n) => http({ path: paths[route] as string, query: { n } }));
    await untilDone(Promise.all([first, ...calls]));
    expect(sent.slice(4).map((line) => line.split(" ")[2])).toEqual(
      order.map((route, n) => `${paths[route]}?n=${n}`),
    );
    expect(new Set(sent.slice(4).map((line) => line.split(" ")[0])).size).toBe(1);
  });

  test("go before a new call when the global limit has ended, even if their timer is late", async () => {
    useVirtualTime();
    const refused = respondWith({ retry_after: 3, global: true }, { status: 429 });
    const { http, sent } = client(10_000, refused, ok);
    await thrownBy(() => http({ path: "/a", method: "PUT", json: {} }));
    const waiting = http({ path: "/b", query: { n: 0 } });
    await vi.advanceTimersByTimeAsync(1);
    vi.setSystemTime(Date.now() + 5000);
    const later = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 5000);
    const call = http({ path: "/c", query: { n: 1 } });
    await untilDone(Promise.all([waiting, call]));
    later.mockRestore();
    expect(numbersOf(sent)).toEqual([undefined, "0", "1"]);
  });

  test("of two routes wait in their common order once a response states that the routes share a limit", async () => {
    useVirtualTime();
    const { http, sent } = client(
      1_000_000,
      late(20, respondWith({}, limits(1, 1, 2))),
      late(40, respondWith({}, limits(0, 1, 2))),
      respondWith({}, limits(0, 1, 1)),
    );
    const paths = ["/a", "/b"];
    const order = [0, 1, 1, 0, 1, 0, 0];
    const calls = order.map((route, n) => http({ path: paths[route] as string, query: { n } }));
    await untilDone(Promise.all(calls));
    const expected = order.map((route, n) => `${paths[route]}?n=${n}`);
    // The first request of each route is sent alone, and the first response lets one more go.
    expect(sent.map((line) => line.split(" ")[2]).toSorted()).toEqual(expected.toSorted());
    expect(numbersOf(sent).slice(3)).toEqual(["2", "4", "5", "6"]);
  });

  test("do not wait for the limit that their route had before a response named another one", async () => {
    useVirtualTime();
    const { http, sent, times } = client(
      100_000,
      respondWith({}, limits(2, 60, 3)),
      respondWith({}, limits(2, 60, 3)),
      late(50, respondWith({}, limits(4, 60, 5, "another"))),
      late(40, respondWith({}, limits(0, 60, 3))),
      ok,
    );
    await http({ path: "/a" });
    await http({ path: "/b" });
    const calls = ["/b", "/a", "/a", "/b"].map((path, n) => http({ path, query: { n } }));
    await untilDone(Promise.all(calls));
    expect(numbersOf(sent)).toEqual([undefined, undefined, "0", "1", "3", "2"]);
    expect(times().slice(2, 5)).toEqual([0, 0, 50]);
    expect(times()[5]).toBeGreaterThan(60_000);
  });

  test("move to the limit that a response to another client names for their route", async () => {
    useVirtualTime();
    const { fetch, requests } = fakeFetch(
      respondWith({}, limits(8, 1, 9)),
      late(250, respondWith({}, limits(7, 1, 9))),
      late(100, ok),
    );
    const [one, other] = [queued({ fetch }), queued({ fetch })];
    await other({ path: "/that" });
    const first = other({ path: "/it", query: { n: 0 } });
    const calls = [1, 2].map((n) => one({ path: "/it", query: { n } }));
    await vi.advanceTimersByTimeAsync(249);
    expect(requests).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(101);
    expect(numbersOf(requests.map(({ url }) => url))).toEqual([undefined, "0", "1", "2"]);
    await untilDone(Promise.all([first, ...calls]));
    expect(vi.getTimerCount()).toBe(0);
  });

  test("fail soon if another client learns of a limit that lasts too long for them", async () => {
    useVirtualTime();
    const { fetch } = fakeFetch(
      respondWith({}, limits(0, 2, 1)),
      respondWith({ retry_after: 30, global: true }, { status: 429 }),
      ok,
    );
    const [one, other] = [queued({ fetch }), queued({ fetch })];
    await one({ path: "/it" });
    const begin = Date.now();
    const calls = [60_000, 20_000, 60_000].map((timeout, n) =>
      one({ path: "/it", query: { n }, deadline: deadlineIn(timeout) }).then(
        () => "sent",
        (error) => `${error.name} at ${Math.floor((Date.now() - begin) / 1000)}`,
      )
    );
    await thrownBy(() => other({ path: "/that", method: "PUT", json: {} }));
    expect(await untilDone(Promise.all(calls))).toEqual(["sent", "RateLimitError at 2", "sent"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("fail at once if a window is longer than expected, so that they come too late", async () => {
    useVirtualTime();
    withoutJitter();
    const { http } = client(
      10_000,
      respondWith({}, limits(0, 2, 1)),
      respondWith({}, limits(0, 2.2, 1)),
    );
    await http({ path: "/it" });
    const begin = Date.now();
    const ends = [10_000, 10_000, 6100].map((timeout, n) =>
      http({ path: "/it", query: { n }, deadline: deadlineIn(timeout) }).then(
        () => `sent at ${Date.now() - begin}`,
        (error) => `${error.name} at ${Date.now() - begin}`,
      )
    );
    expect(await untilDone(Promise.all(ends))).toEqual([
      "sent at 2001",
      "sent at 4202",
      "RateLimitError at 2001",
    ]);
  });

  test("fail at once if a request that is sent again takes the time that they had left", async () => {
    useVirtualTime();
    withoutJitter();
    const { http, times } = client(
      10_000,
      respondWith({}, limits(0, 1, 1)),
      late(50, tooMany(1.5, limits(0, 1.5, 1).headers as Record<string, string>)),
      respondWith({}, limits(0, 1, 1)),
    );
    await http({ path: "/it" });
    const begin = Date.now();
    const first = http({ path: "/it", query: { n: 0 }, deadline: deadlineIn(3000) });
    const second = http({ path: "/it", query: { n: 1 }, deadline: deadlineIn(3000) }).catch((
      error,
    ) => ({
      name: error.name,
      at: Date.now() - begin,
    }));
    expect(await untilDone(second)).toEqual({ name: "RateLimitError", at: 1051 });
    await untilDone(first);
    expect(times()).toEqual([0, 1001, 2552]);
  });
});

test("A call that is aborted while it waits for the end of a block gives its place to the next call", async () => {
  useVirtualTime();
  const block = respondWith("<html>", { status: 403 });
  const { http, times } = client(10_000, block, late(1000, ok), ok);
  await thrownBy(() => http({ path: "/block" }));
  await vi.advanceTimersByTimeAsync(30_000);
  const trial = http({ path: "/trial" });
  const controller = new AbortController();
  const { signal } = controller;
  // The limit of this route is not known yet, so the second call waits in the queue.
  const aborted = thrownBy(() => http({ path: "/it", signal }));
  const next = http({ path: "/it", query: { n: 1 } });
  await vi.advanceTimersByTimeAsync(100);
  controller.abort("enough");
  expect(await aborted).toBe("enough");
  await untilDone(Promise.all([trial, next]));
  const [, trialAt, nextAt] = times();
  expect(trialAt).toBe(30_000);
  expect(nextAt).toBeGreaterThanOrEqual(31_000);
  expect(nextAt).toBeLessThanOrEqual(31_050);
  expect(vi.getTimerCount()).toBe(0);
});

describe("The memory", () => {
  test("has a thousand tokens: the least recently used is forgotten", async () => {
    const refused = respondWith({}, { status: 401 });
    const { fetch, requests } = fakeFetch(refused);
    const http = queued({ fetch });
    const isRemembered = async (token: number) => {
      const before = requests.length;
      await http({ path: "/it", authorization: `Bearer ${token}` }).catch(() => {});
      return requests.length === before;
    };
    for (let token = 0; token < 1000; token++) await isRemembered(token);
    expect(await isRemembered(0)).toBe(true);
    expect(await isRemembered(1000)).toBe(false);
    expect(await isRemembered(0)).toBe(true);
    expect(await isRemembered(1)).toBe(false);
  });

  test("is bounded: the least recently used limits are forgotten", async () => {
    const { fetch, requests } = fakeFetch(respondWith({}, limits(0, 60, 1)));
    const http = queued({ fetch });
    const isRemembered = async (id: number) => {
      const before = requests.length;
      await http({ path: `/guilds/${id}` }).catch(() => {});
      return requests.length === before;
    };
    // Each has two names: that of its route, and that of its bucket with its id.
    for (let id = 0; id < 500; id++) expect(await isRemembered(id)).toBe(false);
    expect(await isRemembered(0)).toBe(true);
    for (let id = 500; id < 900; id++) expect(await isRemembered(id)).toBe(false);
    expect(await isRemembered(0)).toBe(true);
    expect(await isRemembered(899)).toBe(true);
    expect(await isRemembered(1)).toBe(false);
  });

  test("of a token is not forgotten because of the limits of another token", async () => {
    const { fetch, requests } = fakeFetch(respondWith({}, limits(0, 60, 1)));
    const http = queued({ fetch });
    const isRemembered = async (path: string, authorization: string) => {
      const before = requests.length;
      await http({ path, authorization }).catch(() => {});
      return requests.length === before;
    };
    expect(await isRemembered("/users/@me", "Bearer a")).toBe(false);
    for (let id = 0; id < 1100; id++) {
      expect(await isRemembered(`/guilds/${id}`, "Bot b")).toBe(false);
    }
    expect(await isRemembered("/users/@me", "Bearer a")).toBe(true);
  });

  test("needs no timer for a window that ends in a thousand years", async () => {
    useVirtualTime();
    const responses = [
      respondWith({}, limits(1, 3e10, 1)),
      late(2000, respondWith({}, limits(1, 3e10, 1))),
    ];
    const { http, times } = client(10_000, ...responses);
    await http({ path: "/it" });
    await untilDone(several(http, 2));
    expect(times()).toEqual([0, 0, 2000]);
  });
});

test("All calls end in order, in time, and without an avoidable 429, under any limits", async () => {
  const bucket = fc.record({
    limit: fc.integer({ min: 1, max: 6 }),
    windowMs: fc.integer({ min: 500, max: 5000 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(bucket, { minLength: 1, maxLength: 3 }),
      // Which bucket a route has, and to which route each call goes, and when.
      // If more routes shared a bucket, the first request to each could take the place of one call, until that has no retry left.
      fc.array(fc.nat(2), { minLength: 1, maxLength: 3 }),
      fc.array(fc.record({ route: fc.nat(2), at: fc.nat(3000) }), { minLength: 1, maxLength: 40 }),
      fc.array(fc.nat(240), { minLength: 1, maxLength: 20 }),
      async (buckets, routes, calls, latencies) => {
        vi.useFakeTimers();
        try {
          await expectOrderly(buckets, routes, calls, latencies);
        } finally {
          vi.useRealTimers();
        }
      },
    ),
    {
      examples: [[
        [{ limit: 2, windowMs: 500 }],
        [0],
        [792, 0, 0, 0, 1076, 965].map((at) => ({ route: 0, at })),
        // A request of one window arrives in the next one.
        [0, 0, 0, 0, 0, 3, 231, 0, 60],
      ]],
    },
  );
});

interface Limit {
  readonly limit: number;
  readonly windowMs: number;
}

interface PlannedCall {
  readonly route: number;
  readonly at: number;
}

/** Calls a platform with these limits, on which every way takes its time, and checks what it sees. */
async function expectOrderly(
  limitsOf: readonly Limit[],
  routes: readonly number[],
  plan: readonly PlannedCall[],
  latencies: readonly number[],
): Promise<void> {
  const begin = Date.now();
  const windows = limitsOf.map(() => ({ used: 0, endsAt: -Infinity }));
  const sent: string[] = [];
  let refusals = 0;
  let ways = 0;
  const wayTakes = async () => {
    const milliseconds = latencies[ways++ % latencies.length] ?? 0;
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  };
  const bucketOf = (route: number) => (routes[route % routes.length] ?? 0) % limitsOf.length;

  const options: ClientOptions = {
    timeout: 10_000_000,
    async fetch(url) {
      const { pathname, searchParams } = new URL(url);
      const route = Number(pathname.at(-1)?.charCodeAt(0)) - 97;
      sent.push(`${route} ${searchParams.get("n")}`);
      await wayTakes();
      const bucket = bucketOf(route);
      const { limit, windowMs } = limitsOf[bucket] as Limit;
      const window = windows[bucket] as { used: number; endsAt: number };
      if (Date.now() >= window.endsAt) {
        Object.assign(window, { used: 0, endsAt: Date.now() + windowMs });
      }
      const isRefused = window.used >= limit;
      if (isRefused) refusals += 1;
      else window.used += 1;
      const seconds = (window.endsAt - Date.now()) / 1000;
      const { headers = {} } = limits(limit - window.used, seconds, limit, `b${bucket}`);
      await wayTakes();
      return isRefused
        ? Response.json({ retry_after: seconds }, { status: 429, headers })
        : Response.json({}, { headers });
    },
  };
  const http = queued(options);

  // In the order in which they are made.
  const calls = plan.toSorted((a, b) => a.at - b.at).map(({ route, at }, n) => ({
    route: route % routes.length,
    at,
    n,
  }));
  const results = calls.map(async ({ route, at, n }) => {
    await new Promise((resolve) => setTimeout(resolve, at));
    return await http({ path: `/${String.fromCharCode(97 + route)}`, query: { n } });
  });
  await untilDone(Promise.all(results));

  // A route whose bucket nobody has named yet is tried once, and may meet what another one has used up.
  const used = new Set(calls.map(({ route }) => route));
  const buckets = new Set([...used].map(bucketOf));
  expect(refusals).toBeLessThanOrEqual(used.size - buckets.size);

  for (const route of used) {
    const order = [...new Set(sent.filter((line) => line.startsWith(`${route} `)))];
    expect(order).toEqual(
      calls.filter((call) => call.route === route).map(({ n }) => `${route} ${n}`),
    );
  }

  const slowest = Math.max(
    ...limitsOf.map(({ limit, windowMs }) =>
      Math.ceil(calls.length / limit + routes.length) * (windowMs * 1.06 + 1000)
    ),
  );

  expect(Date.now() - begin).toBeLessThan(3000 + slowest + 2000);
  expect(vi.getTimerCount()).toBe(0);
}
