import { expect, test } from "vitest";
import { toSigningKeys } from "../../src/resources/signing_key.ts";
import { unfrozenPartsOf } from "../support/models.ts";

test("A signing key keeps only the fields that check a signature, and drops a private part that was published by mistake", () => {
  const key = { kid: "k1", n: "g".repeat(342), e: "AQAB" };
  const sent = { ...key, kty: "RSA", alg: "RS256", use: "sig", d: "s3cret", key_ops: ["sign"] };
  const keys = toSigningKeys({ keys: [sent] }, () => {});
  expect(keys).toEqual([key]);
  expect(unfrozenPartsOf(keys)).toEqual([]);
});
