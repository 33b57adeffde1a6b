import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkJson } from "../../../src/login/base/json_value.ts";

const circular: { friends: unknown[] } = { friends: [] };
circular.friends.push(circular);

class Account {
  readonly id = "1";
  greet(): string {
    return this.id;
  }
}

describe("checkJson()", () => {
  test("accepts every value that JSON can hold", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      expect(checkJson("sessionUser must return", value)).toBeUndefined();
    }));
  });

  const shared = { id: "1" };
  test.each<[string, unknown, unknown]>([
    ["an undefined property", { id: "1", plan: undefined }, { id: "1" }],
    ["a Date", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
    ["a URL", [new URL("https://app.example")], ["https://app.example/"]],
    ["an instance of a class", new Account(), { id: "1" }],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ["the same object twice", [shared, shared], [shared, shared]],
    ["the property __proto__", JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
  ])("accepts %s", (_what, value, read) => {
    expect(checkJson("sessionUser must return", value)).toBeUndefined();
    expect(JSON.parse(JSON.stringify(value))).toEqual(read);
  });

  test.each<[unknown, string]>([
    [undefined, "undefined"],
    [() => "s3cret", "function"],
    [Symbol("s3cret"), "symbol"],
    [7n, "bigint: use a string"],
    [{ top: { score: NaN } }, "number at top.score"],
    [Promise.resolve("s3cret"), "Promise: await it"],
    [{ theme: Promise.resolve("s3cret") }, "Promise at theme: await it"],
    [{ friends: [{ id: 7n }] }, "bigint at friends.0.id: use a string"],
    [{ roles: new Map([["s3cret", 1]]) }, "Map at roles"],
    [{ roles: new Set(["s3cret"]) }, "Set at roles"],
    [{ hello() {} }, "function at hello"],
    [[1, () => {}], "function at 1"],
    [{ data: new Uint8Array(2) }, "Uint8Array at data"],
    [{ cause: new Error("s3cret") }, "Error at cause"],
    [{ headers: new Headers() }, "Headers at headers"],
    [circular, "a circle at friends.0"],
    [{ "s3cret-1": { list: [1n] } }, "bigint at ….list.0: use a string"],
  ])("refuses %o with its kind and path, without its content", (value, received) => {
    for (const subject of ["sessionUser must return", "update: value must be"]) {
      expect(() => checkJson(subject, value)).toThrow(
        new TypeError(`${subject} a JSON value, received ${received}`),
      );
    }
  });
});
