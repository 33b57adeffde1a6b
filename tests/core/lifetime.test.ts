import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endOf, longestLifetime, secondsIn } from "../../src/core/lifetime.ts";

describe("the seconds in a text", () => {
  test("are the number that it is, up to the longest lifetime", () => {
    fc.assert(fc.property(fc.nat({ max: longestLifetime }), (seconds) => {
      expect(secondsIn(String(seconds))).toBe(seconds);
    }));
    expect(secondsIn("0.5")).toBe(0.5);
    expect(secondsIn(String(longestLifetime + 1))).toBeNull();
  });

  test.each(["", "soon", "-1", "1e3", "0x10", " 1", "1\n", "Infinity", "NaN", "9".repeat(400)])(
    "are not known for %j",
    (text) => {
      expect(secondsIn(text)).toBeNull();
    },
  );
});

test("The end of what just came is a whole number of milliseconds", () => {
  expect(endOf(longestLifetime)).toSatisfy(Number.isSafeInteger);
  expect(endOf(0.0001)).toSatisfy(Number.isSafeInteger);
});
