import { describe, expect, test } from "vitest";
import { defaultUserData, jsonFrom } from "../../../src/login/sessions/session_user.ts";

describe("defaultUserData()", () => {
  test("returns five fields of a user, and no others", () => {
    const user = {
      id: "1",
      username: "ada",
      global_name: null,
      avatar: null,
      avatar_url: "https://cdn.example/0.png",
    };
    expect(defaultUserData({ ...user, ...{ email: "ada@mail.example" } })).toStrictEqual(user);
  });
});

describe("jsonFrom()", () => {
  test("returns the JSON of a value", () => {
    expect(jsonFrom("sessionUser", { id: "1", plan: undefined })).toBe('{"id":"1"}');
    expect(jsonFrom("sessionUser", null)).toBe("null");
  });

  test.each([[undefined, "undefined"], [() => {}, "function"], [Symbol("s3cret"), "symbol"]])(
    "refuses a value that has no JSON, without its content",
    (value, kind) => {
      expect(() => jsonFrom("publicUser", value)).toThrow(
        new TypeError(`publicUser must return a JSON value, received ${kind}`),
      );
    },
  );
});
