import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanText, mapTexts, startOfVisitorText } from "../../src/core/safe_text.ts";

describe("cleanText()", () => {
  test("returns one line of at most 1,000 characters for any text", () => {
    const unit = fc.integer({ min: 0, max: 0x2fff }).map((code) => String.fromCodePoint(code));
    fc.assert(fc.property(fc.string({ unit, size: "large" }), (text) => {
      expect(cleanText(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
      expect(cleanText(text).length).toBeLessThanOrEqual(1000);
    }));
  });

  test("keeps safe text", () => {
    const text = 'Invalid "code" in request. – отказано – 👩‍👧 🚫';
    expect(cleanText(text)).toBe(text);
  });
});

test("startOfVisitorText() returns at most 200 characters", () => {
  expect(startOfVisitorText("x".repeat(200))).toHaveLength(200);
  expect(startOfVisitorText("x".repeat(201))).toHaveLength(200);
});

describe("mapTexts()", () => {
  test("changes a number if the function changes its digits, and keeps other numbers", () => {
    const hide = (text: string) => text.includes("4711") ? "[redacted]" : text;
    expect(mapTexts({ a: 4711, b: [47110], c: 12, d: true, e: null }, hide))
      .toEqual({ a: "[redacted]", b: ["[redacted]"], c: 12, d: true, e: null });
  });

  const upper = (text: string): string => text.toUpperCase();

  test("changes every text, keys included, and nothing else", () => {
    const value = { a: ["b", 1, null, true, { c: "d" }], e: {} };
    expect(mapTexts(value, upper)).toEqual({ A: ["B", 1, null, true, { C: "D" }], E: {} });
    expect(value.a[0]).toBe("b");
    expect(mapTexts("a", upper)).toBe("A");
    expect(mapTexts(undefined, upper)).toBeUndefined();
  });

  test("returns an equal JSON value if the function changes nothing", () => {
    const value = fc.jsonValue({ maxDepth: 4, depthSize: "small" })
      .filter((json) => JSON.stringify(json).length < 200);
    fc.assert(fc.property(value, (json) => {
      const copy = mapTexts(json, (text) => text);
      expect(JSON.stringify(copy)).toBe(JSON.stringify(json));
    }));
  });

  test("keeps the key __proto__", () => {
    const copy = mapTexts(JSON.parse('{"__proto__":{"polluted":"yes"}}'), upper);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__PROTO__":{"POLLUTED":"YES"}}');
  });

  test("copies 16 levels", () => {
    const nested = (levels: number, inner: unknown): unknown =>
      levels === 0 ? inner : [nested(levels - 1, inner)];
    expect(mapTexts(nested(16, "a"), upper)).toEqual(nested(16, "A"));
    expect(mapTexts(nested(17, "a"), upper)).toEqual(nested(16, "..."));
    expect(mapTexts(nested(5000, "a"), upper)).toEqual(nested(16, "..."));
  });

  test("copies the first 200 keys and list entries in any arrangement", () => {
    expect(mapTexts(Array(200).fill(1), upper)).toHaveLength(200);
    expect(mapTexts(Array(201).fill(1), upper)).toHaveLength(200);
    const wide = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 1]));
    expect(Object.keys(Object(mapTexts(wide, upper)))).toHaveLength(200);
    expect(mapTexts([Array(150).fill(1), Array(150).fill(1), 1], upper))
      .toEqual([Array(150).fill(1), Array(48).fill(1)]);
  });
});
