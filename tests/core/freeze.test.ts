import { expect, test } from "vitest";
import { freeze } from "../../src/core/freeze.ts";
import { unfrozenPartsOf } from "../support/models.ts";

test("freeze() freezes lists and objects at every depth, and returns the same value", () => {
  const value = { list: [{ name: "a" }, null], text: "b" };
  expect(freeze(value)).toBe(value);
  expect(unfrozenPartsOf(value)).toEqual([]);
});

test("freeze() freezes a value that is nested deeper than the stack allows", () => {
  let value: { inner?: unknown } = {};
  for (let depth = 0; depth < 100_000; depth++) value = { inner: value };
  expect(Object.isFrozen(freeze(value).inner)).toBe(true);
});
