import { describe, expect, test } from "vitest";
import type { Limit } from "../../../src/http/limits/rate_limit.ts";
import { jitter } from "../../../src/http/limits/rate_limit.ts";
import type { HttpRequest } from "../../../src/http/request.ts";
import { responseOf, type ResponseParts } from "../../support/response_of.ts";

describe("A response", () => {
  const stated = {
    "x-ratelimit-limit": "5",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset-after": "1.25",
  };

  test("states its limit", () => {
    expect(responseOf({ headers: stated }).stated).toEqual({
      limit: 5,
      remaining: 0,
      endsIn: 1250,
    });
    expect(responseOf({ headers: { ...stated, "x-ratelimit-limit": "" } }).stated)
      .toEqual({ limit: 1, remaining: 0, endsIn: 1250 });
  });

  test("states no window of more than a day", () => {
    const headers = { ...stated, "x-ratelimit-reset-after": "100000" };
    expect(responseOf({ headers }).stated).toMatchObject({ endsIn: 86_400_000 });
  });

  test.each([["", "1"], ["0", ""], ["-1", "1"], ["0", "soon"], ["0", "1e3"]])(
    "states no limit with %j remaining and %j seconds",
    (remaining, seconds) => {
      const headers = {
        ...stated,
        "x-ratelimit-remaining": remaining,
        "x-ratelimit-reset-after": seconds,
      };
      expect(responseOf({ headers }).stated).toBeNull();
    },
  );

  test("names its bucket by a name of the usual length", () => {
    const bucketIn = (name: string) =>
      responseOf({ headers: { "x-ratelimit-bucket": name } }).bucket;
    const name = "80c17d2f203122d936070c88c8d10f33";
    expect(bucketIn(name)).toBe(name);
    for (const wrong of ["", "x".repeat(65), "a b"]) expect(bucketIn(wrong)).toBeNull();
  });

  test("with another status than 429 has no limit", () => {
    const headers = { "retry-after": "1" };
    expect(responseOf({ status: 403, headers })).toMatchObject({ limit: null, retryAfter: 1 });
    expect(responseOf({ status: 200, headers })).toMatchObject({ limit: null, retryAfter: null });
  });
});

describe("The limit of a 429", () => {
  const limited = (parts: ResponseParts): Limit | null =>
    responseOf({ status: 429, ...parts }).limit;

  test.each<[string, ResponseParts, boolean]>([
    ["its route", {}, false],
    ["its route, as its scope says", { headers: { "x-ratelimit-scope": "user" } }, false],
    ["everything, as its body says", { text: '{"global":true}' }, true],
    ["everything, as a header says", { headers: { "x-ratelimit-global": "true" } }, true],
    ["everything, as its scope says", { headers: { "x-ratelimit-scope": "global" } }, true],
  ])("is about %s", (_what, parts, isGlobal) => {
    expect(limited(parts)).toMatchObject({ isGlobal, isBlock: false });
  });

  test("has the scope that the response states", () => {
    expect(limited({ headers: { "x-ratelimit-scope": "shared" } })?.scope).toBe("shared");
    expect(limited({})?.scope).toBe("");
  });

  const seconds = (stated: number | null, request: HttpRequest, text = "{}") => {
    const headers = stated === null ? {} : { "retry-after": String(stated) };
    return limited({ headers, text, request })?.seconds;
  };

  test.each<[string, object]>([
    ["keys", {}],
    ["a token with a secret", { form: {}, authorization: "Basic czNjcmV0" }],
    ["a token without a secret", { form: {} }],
  ])("gives a request for %s from 1 s to a day, by default 5 s", (_what, given) => {
    expect([null, 0, 2.5, 61, 86_401].map((stated) => seconds(stated, { path: "/", ...given })))
      .toEqual([5, 1, 2.5, 61, 86_400]);
  });

  test.each(["Bearer t0ken", "Bot t0ken"])(
    "gives a request with %s from 0.25 s to a day, by default 5 s",
    (authorization) => {
      const request = { path: "/", authorization };
      expect([null, 0, 2.5, 61, 86_401].map((stated) => seconds(stated, request)))
        .toEqual([5, 0.25, 2.5, 61, 86_400]);
      expect(limited({ text: '{"retry_after":2}', request })?.seconds).toBe(2);
    },
  );

  test("gives the limit over all requests 60 s at most", () => {
    const request = { path: "/", authorization: "Bearer t0ken" };
    expect([2.5, 61].map((stated) => seconds(stated, request, '{"global":true}')))
      .toEqual([2.5, 60]);
  });
});

test("jitter() adds up to 5 %, but no more than a second, and never exceeds the longest timer", () => {
  const waits = Array.from({ length: 1000 }, () => jitter(1000));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1001);
  expect(Math.min(...waits)).toBeLessThan(1010);
  expect(Math.max(...waits)).toBeLessThanOrEqual(1051);
  expect(Math.max(...waits)).toBeGreaterThan(1040);
  const longWaits = Array.from({ length: 1000 }, () => jitter(100_000));
  expect(Math.max(...longWaits)).toBeLessThanOrEqual(101_001);
  expect(Math.max(...longWaits)).toBeGreaterThan(100_900);
  expect(jitter(1e15)).toBe(2 ** 31 - 1);
});
