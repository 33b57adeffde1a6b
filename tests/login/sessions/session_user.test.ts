import { describe, expect, test } from "vitest";
import { defaultUserData } from "../../../src/login/sessions/session_user.ts";

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
