import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadedText, savedText } from "../../src/stores/store_text.ts";

describe("savedText", () => {
  test("loads as the same JSON value", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      const { text, version } = savedText(value, { version: null });
      expect(loadedText(text, version)).toEqual({
        value: JSON.parse(JSON.stringify(value)),
        version,
      });
    }));
  });

  test("has a new version each time", () => {
    const versions = Array.from({ length: 100 }, () => savedText(1, { version: null }).version);
    expect(new Set(versions).size).toBe(100);
  });

  test.each([
    [null, null],
    [undefined, null],
    [Infinity, null],
    [0, "0"],
    [1.2, "2"],
    [8.64e15, "8640000000000000"],
    [8.64e15 + 1, null],
    [1e300, null],
  ])("writes the expiry %s as %s", (expiresAt, text) => {
    expect(savedText(1, { version: null, expiresAt }).expiresAt).toBe(text);
  });

  test("refuses a value that is not JSON", () => {
    expect(() => savedText(undefined, { version: null })).toThrow("value must be a JSON value");
  });
});

test("loadedText() reads buffers", () => {
  const buffer = { toString: () => "[1]" };
  expect(loadedText(buffer, { toString: () => "v1" })).toEqual({ value: [1], version: "v1" });
});
