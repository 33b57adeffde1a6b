import { base64url } from "jose";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromBase64Url, toBase64Url, toLongBase64Url } from "../../src/core/base64url.ts";

describe("Bytes", () => {
  test("become the same text as in jose, and come back from it", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = base64url.encode(bytes);
      expect(toBase64Url(bytes)).toBe(text);
      expect(toLongBase64Url(bytes)).toBe(text);
      expect(fromBase64Url(text)).toEqual(new Uint8Array(bytes));
    }));
  });

  test.each([29_999, 30_000, 30_001, 1_000_000])("may be %i", (length) => {
    const bytes = Uint8Array.from({ length }, (_, at) => at % 251);
    const text = toLongBase64Url(bytes);
    expect(text).toBe(base64url.encode(bytes));
    expect(fromBase64Url(text)).toEqual(bytes);
  });

  test("do not come from other text", () => {
    for (const text of ["a", "a.b", "é", "ab\u0000c"]) expect(() => fromBase64Url(text)).toThrow();
  });
});
