import { base64url } from "jose";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  encodeBase64Url,
  fromBase64Url,
  randomText,
  toBase64Url,
} from "../../src/core/base64url.ts";

const nativeMethods = ([[Uint8Array, "fromBase64"], [Uint8Array.prototype, "toBase64"]] as const)
  .map(([owner, name]) => ({
    owner,
    name,
    descriptor: Object.getOwnPropertyDescriptor(owner, name),
  }));

describe.each(["with", "without"])("%s the runtime's own methods, bytes", (kind) => {
  beforeEach(() => {
    if (kind === "with") return;
    for (const { owner, name } of nativeMethods) Reflect.deleteProperty(owner, name);
  });
  afterEach(() => {
    for (const { owner, name, descriptor } of nativeMethods) {
      if (descriptor) Object.defineProperty(owner, name, descriptor);
    }
  });

  test("become the same text as in jose, and come back from it", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = base64url.encode(bytes);
      expect(toBase64Url(bytes)).toBe(text);
      expect(encodeBase64Url(bytes)).toBe(text);
      expect(fromBase64Url(text)).toEqual(new Uint8Array(bytes));
    }));
  });

  test("may be a million", () => {
    const bytes = Uint8Array.from({ length: 1_000_000 }, (_, at) => at % 251);
    const text = toBase64Url(bytes);
    expect(text).toBe(base64url.encode(bytes));
    expect(fromBase64Url(text)).toEqual(bytes);
  });

  test("do not come from other text", () => {
    for (const text of ["a", "a.b", "é", "ab\u0000c"]) expect(() => fromBase64Url(text)).toThrow();
  });
});

test("A random text has 256 bits, and is another one each time", () => {
  expect(fromBase64Url(randomText())).toHaveLength(32);
  expect(randomText()).not.toBe(randomText());
});
