import { inspect } from "node:util";
import { expect, test } from "vitest";
import type { TokenObj } from "../../src/resources/token.ts";
import { fromStoredToken, toStoredToken } from "../../src/tokens/stored_token.ts";

const token = {
  access_token: "acc3ss-s3cret",
  refresh_token: "r3fresh-s3cret",
  scopes: ["identify"],
  guild: { id: "1" },
  webhook: { id: "2", token: "w3bhook-s3cret", url: "https://w3bhook-s3cret.example" },
  id_token: "id-t0ken",
} as unknown as TokenObj;

test("A stored token has none of the parts that come only with a login", () => {
  expect(toStoredToken(token)).toEqual({ ...token, guild: null, webhook: null, id_token: null });
});

test("A restored token is frozen and prints without its secrets, nor those of a webhook", () => {
  const restored = fromStoredToken(token);
  expect(JSON.parse(JSON.stringify(restored))).toEqual(token);
  expect([restored, restored.scopes, restored.webhook].every(Object.isFrozen)).toBe(true);
  expect(inspect(restored)).toContain("identify");
  expect(inspect(restored)).not.toContain("s3cret");
  expect(inspect(restored.webhook)).not.toContain("s3cret");
});
