import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expiresAtFor, maxLifetimeSeconds, parseLifetime } from "../../src/core/lifetime.ts";

describe("parseLifetime()", () => {
  test("reads a number of seconds up to the longest lifetime", () => {
    fc.assert(fc.property(fc.nat({ max: maxLifetimeSeconds }), (seconds) => {
      expect(parseLifetime(String(seconds))).toBe(seconds);
    }));
    expect(parseLifetime("0.5")).toBe(0.5);
    expect(parseLifetime(String(maxLifetimeSeconds + 1))).toBeNull();
  });

  test.each(["", "soon", "-1", "1e3", "0x10", " 1", "1\n", "Infinity", "NaN", "9".repeat(400)])(
    "returns null for %j",
    (text) => {
      expect(parseLifetime(text)).toBeNull();
    },
  );
});

test("expiresAtFor() returns a whole number of milliseconds", () => {
  expect(expiresAtFor(maxLifetimeSeconds)).toSatisfy(Number.isSafeInteger);
  expect(expiresAtFor(0.0001)).toSatisfy(Number.isSafeInteger);
});
