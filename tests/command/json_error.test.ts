import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findJsonError } from "../../src/command/json_error.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON, and what becomes of it when some of it is left out or added. */
const texts = fc.tuple(
  fc.json(),
  fc.nat(),
  fc.nat(3),
  fc.constantFrom("", ",", "}", '"', "\\", "0"),
)
  .map(([json, at, length, added]) => {
    const start = at % (json.length + 1);
    return json.slice(0, start) + added + json.slice(start + length);
  });

describe("findJsonError()", () => {
  test.each(["[", '{"a":'])(
    "stops at the 501st %s within each other, before the stack does",
    (start) => {
      expect(findJsonError(start.repeat(100_000))?.line).toBe(1);
      expect(findJsonError(start.repeat(499) + "1" + (start === "[" ? "]" : "}").repeat(499)))
        .toBeNull();
      expect(findJsonError(`[${"[[1]],".repeat(2000)}1]`)).toBeNull();
    },
  );

  test("finds an error exactly where JSON.parse() does not accept the text", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(findJsonError(text) === null).toBe(isJson(text));
      }),
      { numRuns: 2000 },
    );
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(findJsonError(text) === null).toBe(isJson(text));
      expect(findJsonError(JSON.stringify(text))).toBeNull();
    }));
  });

  test("finds no error before what could still become JSON", () => {
    fc.assert(fc.property(fc.json(), fc.nat(), (json, at) => {
      const start = json.slice(0, at % (json.length + 1));
      const error = findJsonError(`${start}\u0001`);
      // The control character is the first that is wrong; before it, JSON may only end in the middle of a word.
      const offset = (error?.column ?? 0) - 1;
      expect(start.slice(offset)).toMatch(/^(\\u?[\da-fA-F]{0,3}|[\w.+-]*)$/);
    }));
  });

  test.each([
    ["", 1, 1, "the end of the file"],
    ['{ "a": 1', 1, 9, "the end of the file"],
    ['{\n  "a": 1,\n}', 3, 1, "}"],
    ["[1, 2,]", 1, 7, "]"],
    ['{ "a" 1 }', 1, 7, "text that is not in quotes"],
    ['{ "a": 1 "b": 2 }', 1, 10, '"'],
    ["{ a: 1 }", 1, 3, "text that is not in quotes"],
    ["{ 'a': 1 }", 1, 3, "' where a string has \""],
    ['{\n  // "a": 1\n}', 2, 3, "a comment"],
    ['{ /* */ "a": 1 }', 1, 3, "a comment"],
    ['{ "a": hunter2 }', 1, 8, "text that is not in quotes"],
    ['{ "a": "hun\nter2" }', 1, 12, "the end of the line in a string"],
    ['{ "a": "\\x" }', 1, 9, "a \\ that begins no escape of JSON"],
    ["[1] [2]", 1, 5, "["],
    ["[01]", 1, 2, "text that is not in quotes"],
  ])("says of %j that it is wrong at %i:%i", (text, line, column, found) => {
    expect(findJsonError(text)).toEqual({ line, column, found });
  });
});
