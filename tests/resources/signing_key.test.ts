import { expect, test } from "vitest";
import { toSigningKeys } from "../../src/resources/signing_key.ts";
import { unfrozenPartsOf } from "../support/models.ts";

test("Of a signing key nothing is kept but what checks a signature, not even what was published by mistake", () => {
  const key = { kid: "k1", n: "g".repeat(342), e: "AQAB" };
  const sent = { ...key, kty: "RSA", alg: "RS256", use: "sig", d: "s3cret", key_ops: ["sign"] };
  const keys = toSigningKeys({ keys: [sent] }, () => {});
  expect(keys).toEqual([key]);
  expect(unfrozenPartsOf(keys)).toEqual([]);
});
