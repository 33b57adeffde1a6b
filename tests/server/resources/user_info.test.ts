import { describe, expect, test } from "vitest";
import { thrownBy } from "../../support/answers.ts";
import { readUserInfo } from "../../support/models.ts";

const claims = {
  email: "ada@example.com",
  email_verified: true,
  preferred_username: "ada",
  nickname: "Ada",
  picture: "https://cdn.discordapp.com/avatars/1/a1.png",
  locale: "en-GB",
};

describe("a user info", () => {
  test("has all its properties", async () => {
    const { model, issues } = await readUserInfo({ sub: "1", ...claims });
    expect(model).toEqual({ sub: "1", ...claims });
    expect(issues).toEqual([]);
  });

  test("has null where the platform sent nothing", async () => {
    const nothing = Object.fromEntries(Object.keys(claims).map((name) => [name, null]));
    const { model, issues } = await readUserInfo({ sub: "1" });
    expect(model).toEqual({ sub: "1", ...nothing });
    expect(issues).toEqual([]);
  });

  test("is refused without a sub, which says whom it is about", async () => {
    for (const sub of [undefined, null, "", 1, "two words"]) {
      expect(await thrownBy(() => readUserInfo({ ...claims, sub }))).toMatchObject({
        name: "PayloadError",
        issues: [{ path: "sub", message: expect.stringContaining("printable characters") }],
      });
    }
  });
});
