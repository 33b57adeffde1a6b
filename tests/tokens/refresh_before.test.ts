import { describe, expect, test } from "vitest";
import { checkRefreshBefore } from "../../src/tokens/token_source.ts";

describe("checkRefreshBefore()", () => {
  test("returns milliseconds, at least as many as clocks differ by, or null", () => {
    expect(checkRefreshBefore(300)).toBe(300_000);
    expect(checkRefreshBefore(0)).toBe(60_000);
    expect([checkRefreshBefore(null), checkRefreshBefore(undefined)]).toEqual([null, null]);
  });

  test.each([-1, Infinity, NaN, "5m"])("refuses %j", (given) => {
    expect(() => checkRefreshBefore(given as number))
      .toThrow(/^refreshBefore must be a number of seconds/);
  });
});
