import { expect, test } from "vitest";
import { checkLoaded } from "../../src/stores/loaded_value.ts";

test.each([
  [{ value: "t0ken", version: "1" }],
  [{ value: "text with {braces}", version: "1" }],
  [{ value: null, version: "" }],
  [null],
])(
  "A value with its version, or null, is returned as it is: %j",
  (found) => {
    expect(checkLoaded(found)).toBe(found);
  },
);

test("A store that returns undefined has no value", () => {
  expect(checkLoaded(undefined)).toBeNull();
});

test.each<[unknown, string]>([
  ["t0ken", "received string"],
  [{ token: "t0ken" }, "received an object with value: undefined, version: undefined"],
  [{ value: "t0ken", version: 7 }, "received an object with value: string, version: number"],
  [{ version: "7" }, "received an object with value: undefined, version: string"],
])("A result without value and version is refused, and not shown: %j", (found, received) => {
  const message =
    `store.load() must return an object with value and version, or null, ${received}. Test it with checkStore() of @guildpass/sdk/testing`;
  expect(() => checkLoaded(found)).toThrow(new TypeError(message));
});

test.each(['"t0ken"', '{"token":"t0ken"}', '["t0ken"]'])(
  "A value that is still JSON text is refused: %s",
  (value) => {
    const message = "store.load() must return the value that was saved, received its JSON text: " +
      "parse it. Test it with checkStore() of @guildpass/sdk/testing";
    expect(() => checkLoaded({ value, version: "1" })).toThrow(new TypeError(message));
  },
);
