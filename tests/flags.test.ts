import { GuildMemberFlags, UserFlags } from "discord-api-types/v10";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memberFlags, userFlags } from "../src/flags.ts";

/** Each function, the number of its names, and the same flags in another package. */
const kinds = [
  ["userFlags", userFlags, 17, UserFlags],
  ["memberFlags", memberFlags, 10, GuildMemberFlags],
] as const;

/** Compares names such as `hypesquad_online_house_1` and `HypeSquadOnlineHouse1`. */
function lettersOf(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

describe.each(kinds)("%s()", (_name, namesOf, count, theirs) => {
  const all = namesOf((1n << 60n) - 1n);

  test("knows each flag once, lowest bit first", () => {
    expect(all).toHaveLength(count);
    const found = Array.from({ length: 60 }, (_, bit) => namesOf(1n << BigInt(bit)));
    expect(found.flat()).toEqual(all);
    expect(Math.max(...found.map(({ length }) => length))).toBe(1);
  });

  test("names the bits as the package discord-api-types does", () => {
    const others = Object.entries(theirs)
      .flatMap(([name, value]) => typeof value === "number" ? [{ name, value }] : []);
    const shared = others.flatMap(({ name, value }) => {
      const [own] = namesOf(value);
      return own === undefined ? [] : [[lettersOf(own), lettersOf(name)]];
    });
    expect(shared.length).toBeGreaterThan(9);
    // The package names the whole rule, and the platform's documentation its first half.
    for (const [own, other] of shared) expect(other?.startsWith(own ?? "")).toBe(true);
  });

  test("returns no names without flags", () => {
    for (const nothing of [0, 0n, "0", null, undefined]) expect(namesOf(nothing)).toEqual([]);
  });

  test("reads a number, a bigint and a decimal string alike", () => {
    fc.assert(fc.property(fc.maxSafeNat(), (value) => {
      expect(namesOf(value)).toEqual(namesOf(BigInt(value)));
      expect(namesOf(value)).toEqual(namesOf(String(value)));
    }));
  });

  test("returns the names of both of two sets for their union", () => {
    const bits = fc.bigInt({ min: 0n, max: (1n << 60n) - 1n });
    fc.assert(fc.property(bits, bits, (first, second) => {
      const names = new Set<string>([...namesOf(first), ...namesOf(second)]);
      expect(new Set(namesOf(first | second))).toEqual(names);
    }));
  });

  test.each([1.5, NaN, Infinity, 2 ** 53, -1, -1n, "", "1.5", "0x10", "-1", " 1", {}, [1], true])(
    "refuses %o",
    (value) => {
      expect(() => namesOf(value as never))
        .toThrow(/^flags must be a whole number or a decimal string, received /);
    },
  );
});
