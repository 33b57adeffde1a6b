import { describe, expect, test } from "vitest";
import {
  ApiError,
  NetworkError,
  PayloadError,
  PayloadTooLargeError,
  RateLimitError,
  TimeoutError,
} from "../../src/core/response_errors.ts";

describe("ApiError", () => {
  test("has the details of the API", () => {
    const errors = { limit: { _errors: [{ code: "NUMBER_TYPE_MAX", message: "Too high" }] } };
    const details = { httpStatus: 400, platformCode: 50035, errors };
    expect(new ApiError("refused", { ...details, hint: "Look again" }))
      .toMatchObject({ message: "refused", ...details, hint: "Look again", code: "api_error" });
  });

  test("has null for missing details", () => {
    expect(new ApiError("refused", { httpStatus: 502 }))
      .toMatchObject({ httpStatus: 502, platformCode: null, errors: null, blockedByEdge: false });
    expect(new ApiError("refused", { httpStatus: 502, platformCode: null }).platformCode)
      .toBeNull();
  });
});

describe("RateLimitError", () => {
  test("has what the platform said", () => {
    const details = {
      httpStatus: 429,
      platformCode: 20028,
      retryAfter: 64.57,
      scope: "shared",
      global: true,
      ofPerson: true,
      blockedByEdge: true,
    };
    expect(new RateLimitError("too many", details)).toMatchObject({ ...details, errors: null });
  });

  test("has null and false for missing details", () => {
    expect(new RateLimitError("too many", { httpStatus: 429, retryAfter: null }))
      .toMatchObject({ retryAfter: null, scope: null, global: false, ofPerson: false });
  });

  test.each([
    [64.57, "Wait 65 s before the next request"],
    [29.998, "Wait 30 s before the next request"],
    [0, "Wait 0 s before the next request"],
    [null, "Wait before the next request"],
  ])("with a wait of %o s has the hint: %s", (retryAfter, hint) => {
    expect(new RateLimitError("too many", { httpStatus: 429, retryAfter }).hint).toBe(hint);
  });
});

describe("PayloadError", () => {
  test("lists every wrong place", () => {
    const issues = [
      { path: "roles.3.name", message: "expected string, received null" },
      { path: "", message: "expected an object" },
    ];
    const error = new PayloadError("The guild is odd", { issues });
    expect(error.issues).toEqual(issues);
    expect(error.message).toBe(
      "The guild is odd: roles.3.name: expected string, received null; expected an object",
    );
    expect(error.hint).toBeUndefined();
  });
});

test("PayloadTooLargeError has the limit and advises to raise it, unless it gets other advice", () => {
  const error = new PayloadTooLargeError("found", { maxBytes: 10 });
  expect(error).toMatchObject({
    message: "found: expected at most 10 bytes, received more",
    hint: "Raise maxBytes if you expect responses of this size",
    maxBytes: 10,
  });
  expect(new PayloadTooLargeError("found", { maxBytes: 10, hint: "Do that" }).hint)
    .toBe("Do that");
});

describe("NetworkError and TimeoutError", () => {
  test("have the given hint", () => {
    expect(new NetworkError("cut", { hint: "Look at the network" })).toMatchObject({
      message: "cut",
      hint: "Look at the network",
      code: "network_error",
    });
    expect(new TimeoutError("late", { hint: "Wait longer" })).toMatchObject({
      message: "late",
      hint: "Wait longer",
      code: "timeout",
    });
  });
});
