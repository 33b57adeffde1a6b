import { beforeEach, describe, expect, test } from "vitest";
import { ApiError, NetworkError, OAuthError, RateLimitError, TimeoutError } from "../../mod.ts";
import {
  nextStepAfter,
  paceAfterError,
  waitBeforeCode,
  waitBeforeKeys,
  waitBeforeRefresh,
} from "../../src/http/next_step.ts";
import { noResponse, type Result } from "../../src/http/response.ts";
import type { ShortRequest } from "../support/http.ts";
import { callOf } from "../support/limited_call.ts";
import {
  fakeFetch,
  neverRespond,
  rejectWith,
  type Responder,
  respondWith,
  respondWithoutEnd,
  thrownBy,
} from "../support/responders.ts";
import { responseOf } from "../support/response_of.ts";
import { getUser, respondCut, respondUnavailable, respondWithUser } from "../support/calls.ts";
import { untilDone, useVirtualTime } from "../support/virtual_time.ts";

beforeEach(useVirtualTime);

describe("a GET is retried", () => {
  const soon = respondWith({ retry_after: 0.01 }, { status: 429 });

  test.each<[string, Responder[], number]>([
    ["when the connection fails", [rejectWith(new TypeError("fetch failed")), respondWithUser], 2],
    [
      "when fetch throws something other than an error",
      [rejectWith("offline"), respondWithUser],
      2,
    ],
    ["when the connection is cut in the middle of the response", [respondCut, respondWithUser], 2],
    ["twice at the most", [respondCut, respondUnavailable, respondWithUser], 3],
    ["on 500", [respondWith("", { status: 500 }), respondWithUser], 2],
    ["on 520 of the edge", [respondWith("<html>", { status: 520 }), respondWithUser], 2],
    ["on 429 with a short wait", [soon, soon, respondWithUser], 3],
    ["on 429 with a short wait in the header", [
      respondWith({}, { status: 429, headers: { "retry-after": "0" } }),
      respondWithUser,
    ], 2],
  ])("%s", async (_when, responses, sent) => {
    const { fetch, requests } = fakeFetch(...responses);
    expect(await untilDone(getUser({ fetch }))).toMatchObject({ username: "ada" });
    expect(requests).toHaveLength(sent);
  });

  test("with the same headers", async () => {
    const { fetch, requests } = fakeFetch(respondUnavailable, respondWithUser);
    await untilDone(getUser({ fetch }));
    const [first, second] = requests.map(({ headers }) => [...headers]);
    expect(second).toEqual(first);
  });

  test.each<[string, Responder, typeof ApiError | typeof NetworkError]>([
    ["a connection that fails", rejectWith(new TypeError("fetch failed")), NetworkError],
    ["a connection that is cut", respondCut, NetworkError],
    ["503", respondUnavailable, ApiError],
    ["429", soon, RateLimitError],
  ])("not more than twice: %s", async (_what, response, type) => {
    const { fetch, requests } = fakeFetch(response);
    expect(await untilDone(thrownBy(() => getUser({ fetch })))).toBeInstanceOf(type);
    expect(requests).toHaveLength(3);
  });

  const offline = rejectWith(new TypeError("fetch failed"));

  test.each<[string, Responder[], string]>([
    ["503, then no response", [respondUnavailable, offline], "NetworkError: .* got no response"],
    ["half a response, then none", [respondCut, offline], "NetworkError: .* got no response"],
    ["no response, then 503", [offline, respondUnavailable], "ApiError: .* returned 503"],
    [
      "503, then 404",
      [respondUnavailable, respondWith("", { status: 404 })],
      "ApiError: .* returned 404",
    ],
  ])("and fails with the last failure: %s", async (_what, responses, told) => {
    expect(String(await untilDone(thrownBy(() => getUser(fakeFetch(...responses)))))).toMatch(
      new RegExp(told),
    );
  });

  test("and mayHaveArrived is true if one of the requests may have arrived", async () => {
    const refused = rejectWith(new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } }));
    const mayHaveArrived = async (...responses: Responder[]) =>
      Object(await thrownBy(() => getUser(fakeFetch(...responses)))).mayHaveArrived;
    const found = [
      mayHaveArrived(refused),
      mayHaveArrived(respondUnavailable, refused),
      mayHaveArrived(respondCut, refused),
      mayHaveArrived(refused, offline),
    ];
    expect(await untilDone(Promise.all(found))).toEqual([false, true, true, true]);
  });
});

describe("the pause before a retry", () => {
  const retryMs = (results: readonly Result[]) =>
    nextStepAfter(callOf({ path: "/it" }, { results: [...results] }), results.at(-1) ?? noResponse)
      .retryMs;

  test("is 250 ms, then 1 s, and there is no third retry", () => {
    expect([1, 2, 3].map((tries) => retryMs(Array(tries).fill(noResponse)))).toEqual([
      250,
      1000,
      null,
    ]);
  });

  test("follows a failure or a 5xx, not a 429 or a request that was not sent", () => {
    expect(retryMs([responseOf({ status: 503 })])).toBe(250);
    expect(retryMs([{ ...noResponse, hasBegun: true }])).toBe(250);
    expect(retryMs([responseOf({ status: 429 })])).toBeNull();
    expect(retryMs([{ kind: "rejection", error: new NetworkError("no") }])).toBeNull();
  });

  test("passes before the request is sent again", async () => {
    const times: number[] = [];
    const { fetch } = fakeFetch((request) => {
      times.push(performance.now());
      return respondWith("", { status: 503 })(request);
    });
    await untilDone(thrownBy(() => getUser({ fetch })));
    const [first = 0, second = 0, third = 0] = times;
    expect([second - first, third - second]).toEqual([250, 1000]);
  });
});

describe("a GET is not retried", () => {
  test.each([300, 302, 400, 401, 403, 404, 405, 409, 418])("on %i", async (status) => {
    const headers = { "retry-after": "0" };
    const { fetch, requests } = fakeFetch(respondWith("{}", { status, headers }), respondWithUser);
    expect(await untilDone(thrownBy(() => getUser({ fetch })))).toMatchObject({
      name: "ApiError",
      httpStatus: status,
    });
    expect(requests).toHaveLength(1);
  });

  test.each<[string, unknown, Record<string, string>]>([
    ["a wait longer than the timeout", { retry_after: 10.01 }, {}],
    ["such a wait in the header", {}, { "retry-after": "11" }],
    ["such a wait in the header, and a short one in the body", { retry_after: 1 }, {
      "retry-after": "60",
    }],
    ["no wait", {}, {}],
    ["a wait that is no number", { retry_after: "1" }, { "retry-after": "soon" }],
  ])("on 429 with %s", async (_what, body, headers) => {
    const { fetch, requests } = fakeFetch(
      respondWith(body, { status: 429, headers }),
      respondWithUser,
    );
    expect(await untilDone(thrownBy(() => getUser({ fetch })))).toBeInstanceOf(RateLimitError);
    expect(requests).toHaveLength(1);
  });

  test.each<[string, Responder, string]>([
    ["a failure", rejectWith(new TypeError("fetch failed")), "NetworkError"],
    ["503", respondUnavailable, "ApiError"],
    ["429", respondWith({ retry_after: 4 }, { status: 429 }), "RateLimitError"],
  ])("after %s when that would go past the timeout", async (_what, response, name) => {
    const { fetch, requests } = fakeFetch(response, respondWithUser);
    expect(await untilDone(thrownBy(() => getUser({ fetch, timeout: 249 })))).toMatchObject({
      name,
    });
    expect(requests).toHaveLength(1);
  });

  test.each([["a response", neverRespond], ["the end of a response", respondWithoutEnd]])(
    "after the time is over while it waits for %s",
    async (_what, response) => {
      const { fetch, requests } = fakeFetch(response, respondWithUser);
      expect(await untilDone(thrownBy(() => getUser({ fetch, timeout: 300 })))).toBeInstanceOf(
        TimeoutError,
      );
      expect(requests).toHaveLength(1);
    },
  );
});

describe("The wait after a 429", () => {
  const secondsAfter = (stated: number | null, request: ShortRequest, text = "{}") => {
    const headers = stated === null ? {} : { "retry-after": String(stated) };
    const response = responseOf({ status: 429, headers, text });
    return nextStepAfter(callOf(request), response).seconds;
  };
  const stated = [null, 0, 2.5, 61, 86_401];

  test.each<[string, object]>([
    ["keys", {}],
    ["a token with a secret", { form: {}, authorization: "Basic czNjcmV0" }],
    ["a token without a secret", { form: {} }],
  ])("to a request for %s is from 1 s to a day, by default 5 s", (_what, given) => {
    expect(stated.map((seconds) => secondsAfter(seconds, { path: "/", ...given })))
      .toEqual([5, 1, 2.5, 61, 86_400]);
  });

  test.each(["Bearer t0ken", "Bot t0ken"])(
    "to a request with %s is from 0.25 s to a day, by default 5 s",
    (authorization) => {
      const request = { path: "/", authorization };
      expect(stated.map((seconds) => secondsAfter(seconds, request)))
        .toEqual([5, 0.25, 2.5, 61, 86_400]);
      expect(secondsAfter(null, request, '{"retry_after":2}')).toBe(2);
    },
  );

  test("of the limit over all requests is 60 s at most", () => {
    const request = { path: "/", authorization: "Bearer t0ken" };
    expect([2.5, 61].map((seconds) => secondsAfter(seconds, request, '{"global":true}')))
      .toEqual([2.5, 60]);
  });
});

describe("Others have to wait", () => {
  const waitAfter = (request: Partial<ShortRequest>, status: number, text = "{}") => {
    const response = responseOf({ status, text, headers: { "retry-after": "7" } });
    const { waiting, waitMs } = nextStepAfter(callOf({ path: "/", ...request }), response);
    return [waiting, Math.floor(waitMs / 1000)];
  };
  const bearer = { authorization: "Bearer t0ken" };

  test.each<[string, Partial<ShortRequest>, number, string, unknown[]]>([
    ["for the route after a 429", bearer, 429, "{}", ["route", 7]],
    ["for the global limit", bearer, 429, '{"global":true}', ["platform", 7]],
    ["with the token after a 401", bearer, 401, "{}", ["token", 300]],
    ["at the token endpoint after a 429", { form: {} }, 429, "{}", ["token_requests", 7]],
    ["everywhere after a block", bearer, 403, "<html>", ["all", 7]],
    [
      "nowhere after a block that a caller may have caused",
      { ...bearer, isShapedByCaller: true },
      403,
      "<html>",
      ["none", 7],
    ],
    [
      "nowhere after a 401 that may be about the operation",
      { ...bearer, has401ForOtherReasons: true },
      401,
      "{}",
      ["none", 0],
    ],
    ["nowhere after a 401 to a request without a token", {}, 401, "{}", ["none", 0]],
    ["nowhere after a failure of the platform", bearer, 503, "{}", ["none", 0]],
  ])("%s", (_where, request, status, text, expected) => {
    expect(waitAfter(request, status, text)).toEqual(expected);
  });
});

describe("The wait after an error", () => {
  const limit = new RateLimitError("no", { httpStatus: 429, retryAfter: 7 });
  const unstated = new RateLimitError("no", { httpStatus: 429, retryAfter: null });
  const long = new RateLimitError("no", { httpStatus: 429, retryAfter: 86_400 });
  const block = new ApiError("no", { httpStatus: 403, blockedByEdge: true, retryAfter: 3 });
  const unsent = new NetworkError("no", { mayHaveArrived: false });
  const lost = new NetworkError("no");

  test("of a code is null if the platform may have used the code", () => {
    const waits = [limit, unstated, block, unsent, lost, new Error("no")]
      .map((error) => waitBeforeCode(error));
    expect(waits).toEqual([7000, 5000, 3000, 0, null, null]);
  });

  test("of a refresh token is that of a 429, ten minutes at most", () => {
    const waits = [limit, unstated, long, block, unsent]
      .map((error) => waitBeforeRefresh(error));
    expect(waits).toEqual([7000, 5000, 600_000, null, null]);
  });

  test("of the signing keys is ten seconds, or as stated, a minute at most", () => {
    expect([lost, limit, long].map((error) => waitBeforeKeys(error)))
      .toEqual([10_000, 7000, 60_000]);
  });

  test("of a device login is its interval, longer after slow_down, and doubled with each failure", () => {
    const pace = { intervalMs: 5000, failures: 1 };
    const waits = [
      new OAuthError("authorization_pending"),
      new OAuthError("slow_down"),
      lost,
      limit,
      long,
      new OAuthError("access_denied"),
      new Error("no"),
    ].map((error) => paceAfterError(error, pace));
    expect(waits).toEqual([
      { intervalMs: 5000, failures: 0, waitMs: 5000 },
      { intervalMs: 10_000, failures: 0, waitMs: 10_000 },
      { intervalMs: 5000, failures: 2, waitMs: 20_000 },
      { intervalMs: 5000, failures: 2, waitMs: 20_000 },
      { intervalMs: 5000, failures: 2, waitMs: 86_400_000 },
      null,
      null,
    ]);
  });
});
