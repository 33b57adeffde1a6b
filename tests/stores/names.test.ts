import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { deriveNameAndKey, digestOf, format, ofThisFormat } from "../../src/stores/names.ts";

test("The content of a cookie or record is accepted with the number of its format alone", () => {
  expect(ofThisFormat({ format, a: 1 })).toEqual({ format: 3, a: 1 });
  for (const other of [null, undefined, "text", 1, [], {}, { format: 1 }, { format: "1" }]) {
    expect(ofThisFormat(other)).toBeNull();
  }
});

test("digestOf() returns the SHA-256 of a text as base64url", async () => {
  const digest = createHash("sha256").update("the text é").digest("base64url");
  expect(await digestOf("the text é")).toBe(digest);
});

test("deriveNameAndKey() returns the halves of the SHA-512 of a text: a name and a key", async () => {
  const digest = createHash("sha512").update("the text é").digest();
  const { name, key } = await deriveNameAndKey("the text é");
  expect(name).toBe(digest.subarray(0, 32).toString("base64url"));
  expect([...key]).toEqual([...digest.subarray(32)]);
});
