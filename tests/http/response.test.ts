import { describe, expect, test } from "vitest";
import { isEdgeBlock, type Refusal } from "../../src/http/response.ts";
import { jitter } from "../../src/http/waits.ts";
import { responseOf, type ResponseParts } from "../support/response_of.ts";

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
    expect(responseOf({ status: 403, headers })).toMatchObject({ refusal: null, retryAfter: 1 });
    expect(responseOf({ status: 200, headers })).toMatchObject({ refusal: null, retryAfter: null });
  });
});

describe("The limit of a 429", () => {
  const limited = (parts: ResponseParts): Refusal | null =>
    responseOf({ status: 429, ...parts }).refusal;

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
});

const blockMessage =
  "You are being blocked from accessing our API temporarily due to exceeding our rate limits frequently. " +
  "Please read our docs at https://discord.com/developers/docs/topics/rate-limits to prevent this moving forward.";

test.each<[string, number, unknown, boolean]>([
  ["HTML with 403", 403, undefined, true],
  ["a string with 429", 429, "slow down", true],
  ["null with 403", 403, null, true],
  ["code 40333", 401, { code: 40333 }, true],
  ["a 429 that speaks of a block", 429, { code: 0, message: blockMessage }, true],
  ["a 429 without a time to wait", 429, { message: blockMessage, retry_after: null }, true],
  ["a 429 with a time to wait", 429, { message: blockMessage, retry_after: 1 }, false],
  ["a 429 of the platform", 429, { message: "429: Too Many Requests", code: 0 }, false],
  ["a 403 that speaks of a block", 403, { message: "You blocked this user", code: 50007 }, false],
  ["an object with 403", 403, { code: 50001 }, false],
  ["HTML with 404", 404, undefined, false],
])("isEdgeBlock() judges %s", (_what, status, json, isBlock) => {
  expect(isEdgeBlock(status, json)).toBe(isBlock);
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
