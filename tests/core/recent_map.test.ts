import fc from "fast-check";
import { expect, test } from "vitest";
import { RecentMap } from "../../src/core/recent_map.ts";

test("A RecentMap creates a value once, and forgets the entry that was used least recently", () => {
  const created: string[] = [];
  const map = new RecentMap<string>(2);
  const get = (key: string) =>
    map.get(key, () => {
      created.push(key);
      return `value of ${key}`;
    });
  expect(["a", "b", "a", "c", "a"].map(get).at(-1)).toBe("value of a");
  expect(created).toEqual(["a", "b", "c"]);
  map.set("d", "another");
  expect(get("d")).toBe("another");
  expect(["a", "c"].map(get)).toEqual(["value of a", "value of c"]);
  expect(created).toEqual(["a", "b", "c", "c"]);
  map.set("c", "changed");
  map.set("e", "new");
  expect(get("c")).toBe("changed");
});

test("A RecentMap forgets the least recently used entry in any order of uses", () => {
  fc.assert(fc.property(fc.array(fc.nat(12)), fc.integer({ min: 1, max: 8 }), (keys, size) => {
    const map = new RecentMap<number>(size);
    let recent: number[] = [];
    for (const key of keys) {
      let isNew = false;
      map.get(String(key), () => {
        isNew = true;
        return key;
      });
      expect(isNew).toBe(!recent.includes(key));
      recent = [...recent.filter((other) => other !== key), key].slice(-size);
    }
  }));
});
