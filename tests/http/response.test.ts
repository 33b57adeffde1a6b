import { describe, expect, test } from "vitest";
import { hasTooManyValues, parseJson } from "../../src/http/response.ts";
import { fakeFetch, respondWith, thrownBy } from "../support/responders.ts";
import { getUser } from "../support/calls.ts";

const eightMiB = 8 * 1024 * 1024;

describe("A text of up to eight megabytes", () => {
  test.each([
    ["empty objects", `[${"{},".repeat(eightMiB / 3 - 1)}{}]`],
    ["lists within lists", "[".repeat(eightMiB / 2) + "]".repeat(eightMiB / 2)],
    ["numbers", `[${"1,".repeat(eightMiB / 2 - 2)}1]`],
  ])("with millions of %s is refused before it is parsed", async (_what, text) => {
    expect(hasTooManyValues(text)).toBe(true);
    expect(parseJson(text)).toBeUndefined();
    const error = await thrownBy(() => getUser(fakeFetch(respondWith(text))));
    expect(error).toMatchObject({
      name: "PayloadError",
      issues: [{ path: "", message: "expected JSON, received too many values" }],
    });
  });

  test("is refused in an error of the platform, too, and its status is kept", async () => {
    const text = `{"message":"slow","errors":[${"{},".repeat(600_000)}{}]}`;
    const error = await thrownBy(() => getUser(fakeFetch(respondWith(text, { status: 404 }))));
    expect(error).toMatchObject({ name: "ApiError", httpStatus: 404, errors: null });
  });

  test("is parsed if it is one long string or has at most half a million values", () => {
    const long = "x".repeat(eightMiB - 2);
    expect(parseJson(JSON.stringify(long))).toBe(long);
    const many = Array(499_999).fill(1);
    expect(parseJson(JSON.stringify(many))).toHaveLength(499_999);
    expect(parseJson(JSON.stringify([...many, 1, 1]))).toBeUndefined();
  });
});

describe("A text that is not JSON", () => {
  test.each([[null], [""], ["{"], ["<html>"]])("has no value: %j", (text) => {
    expect(parseJson(text)).toBeUndefined();
  });
});
