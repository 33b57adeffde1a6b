import { describe, expect, test } from "vitest";
import { toSigningKeys } from "../../src/resources/openid.ts";
import { readUserInfo, unfrozenPartsOf } from "../support/models.ts";

test("A signing key keeps only the fields that check a signature, and drops a private part that was published by mistake", () => {
  const key = { kid: "k1", n: "g".repeat(342), e: "AQAB" };
  const sent = { ...key, kty: "RSA", alg: "RS256", use: "sig", d: "s3cret", key_ops: ["sign"] };
  const keys = toSigningKeys({ keys: [sent] }, () => {});
  expect(keys).toEqual([key]);
  expect(unfrozenPartsOf(keys)).toEqual([]);
});

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

  test("has null for fields that the platform left out", async () => {
    const nothing = Object.fromEntries(Object.keys(claims).map((name) => [name, null]));
    const { model, issues } = await readUserInfo({ sub: "1" });
    expect(model).toEqual({ sub: "1", ...nothing });
    expect(issues).toEqual([]);
  });

  test("has null for a sub that is missing or can't be read", async () => {
    for (const sub of [undefined, null]) {
      const { model, issues } = await readUserInfo({ ...claims, sub });
      expect(model).toEqual({ sub: null, ...claims });
      expect(issues).toEqual([]);
    }
    for (const sub of ["", 1, "two words"]) {
      const { model, issues } = await readUserInfo({ ...claims, sub });
      expect(model).toEqual({ sub: null, ...claims });
      expect(issues).toEqual([
        { path: "sub", message: expect.stringContaining("printable characters") },
      ]);
    }
  });
});
