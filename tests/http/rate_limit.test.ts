import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { HttpResponse } from "../../src/http/attempt.ts";
import {
  jitter,
  readBucketName,
  readStatedLimit,
  readTooManyRequests,
  secondsAfterLimit,
} from "../../src/http/rate_limit.ts";
import { responseOf } from "../support/response_of.ts";

/** A request with the token of a user. */
const request = { path: "/users/@me", authorization: "Bearer t0ken" };

describe("A response", () => {
  test("states its limit", () => {
    const headers = { rateLimitLimit: "5", rateLimitRemaining: "0", rateLimitResetAfter: "1.25" };
    expect(readStatedLimit(responseOf(headers))).toEqual({ limit: 5, remaining: 0, endsIn: 1250 });
    expect(readStatedLimit(responseOf({ ...headers, rateLimitLimit: "" })))
      .toEqual({ limit: 1, remaining: 0, endsIn: 1250 });
  });

  test("states no window of more than a day", () => {
    const headers = { rateLimitRemaining: "0", rateLimitResetAfter: "100000" };
    expect(readStatedLimit(responseOf(headers))).toMatchObject({ endsIn: 86_400_000 });
  });

  test.each<[string, string]>([["", "1"], ["0", ""], ["-1", "1"], ["0", "soon"], ["0", "1e3"]])(
    "states no limit with %j remaining and %j seconds",
    (rateLimitRemaining, rateLimitResetAfter) => {
      expect(
        readStatedLimit(
          responseOf({ rateLimitLimit: "5", rateLimitRemaining, rateLimitResetAfter }),
        ),
      )
        .toBeNull();
    },
  );

  test("names its bucket by a name of the usual length", () => {
    const name = "80c17d2f203122d936070c88c8d10f33";
    expect(readBucketName(responseOf({ rateLimitBucket: name }))).toBe(name);
    for (const rateLimitBucket of ["", "x".repeat(65), "a b"]) {
      expect(readBucketName(responseOf({ rateLimitBucket }))).toBeNull();
    }
  });

  test("with another status than 429 is not a TooManyRequests", () => {
    expect(readTooManyRequests(responseOf({ status: 403, retryAfter: "1" }), request)).toBeNull();
  });
});

describe("A 429", () => {
  const limited = (fields: Partial<HttpResponse>) =>
    readTooManyRequests(responseOf({ status: 429, ...fields }), request);

  test("has the time to wait, and at least a quarter of a second", () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(limited({ text: '{"retry_after":2}' })).toMatchObject({ wait: 2001, isStated: true });
    expect(limited({ retryAfter: "0" })).toMatchObject({ wait: 251, isStated: true });
    expect(limited({})).toMatchObject({ wait: 5001, isStated: false });
  });

  test.each<[string, Partial<HttpResponse>, boolean]>([
    ["its route", {}, false],
    ["its route, as its scope says", { rateLimitScope: "user" }, false],
    ["everything, as its body says", { text: '{"global":true}' }, true],
    ["everything, as a header says", { rateLimitGlobal: "true" }, true],
    ["everything, as its scope says", { rateLimitScope: "global" }, true],
  ])("is about %s", (_what, fields, isGlobal) => {
    expect(limited(fields)).toMatchObject({ isGlobal, isShared: false });
  });

  test("may be about a shared limit", () => {
    expect(limited({ rateLimitScope: "shared" })).toMatchObject({ isShared: true });
  });
});

describe("secondsAfterLimit()", () => {
  const seconds = (stated: number | null, given: object, json: object = {}) => {
    const fields = stated === null ? {} : { retryAfter: String(stated) };
    return secondsAfterLimit(responseOf({ status: 429, ...fields }), json, { path: "/", ...given });
  };

  test.each<[string, object]>([
    ["keys", {}],
    ["a token with a secret", { form: {}, authorization: "Basic czNjcmV0" }],
    ["a token without a secret", { form: {} }],
  ])("gives a request for %s from 1 s to a day, by default 5 s", (_what, given) => {
    expect([null, 0, 2.5, 61, 86_401].map((stated) => seconds(stated, given)))
      .toEqual([5, 1, 2.5, 61, 86_400]);
  });

  test.each(["Bearer t0ken", "Bot t0ken"])(
    "gives a request with %s from 0.25 s to a day, by default 5 s",
    (authorization) => {
      expect([null, 0, 2.5, 61, 86_401].map((stated) => seconds(stated, { authorization })))
        .toEqual([5, 0.25, 2.5, 61, 86_400]);
    },
  );

  test("gives the limit over all requests 60 s at most", () => {
    expect([2.5, 61].map((stated) => seconds(stated, request, { global: true })))
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
