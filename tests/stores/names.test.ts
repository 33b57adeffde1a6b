import { expect, test } from "vitest";
import { format, ofThisFormat } from "../../src/stores/names.ts";

test("The content of a cookie or record is accepted with the number of its format alone", () => {
  expect(ofThisFormat({ format, a: 1 })).toEqual({ format: 2, a: 1 });
  for (const other of [null, undefined, "text", 1, [], {}, { format: 1 }, { format: "1" }]) {
    expect(ofThisFormat(other)).toBeNull();
  }
});
