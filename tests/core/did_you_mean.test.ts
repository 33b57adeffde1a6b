import { describe, expect, test } from "vitest";
import { misspelledName, mostSimilarName } from "../../src/core/did_you_mean.ts";

const known = ["timeout", "redirectUris", "nick", "bot"];

describe("misspelledName()", () => {
  test.each([
    ["timeoutt", "timeout"],
    ["timout", "timeout"],
    ["timeaut", "timeout"],
    ["tiemout", "timeout"],
    ["TIMEOUT", "timeout"],
    ["redirect_uris", "redirectUris"],
    ["nik", "nick"],
    ["Bot", "bot"],
  ])("finds for %s the name %s", (word, name) => {
    expect(misspelledName(word, known)).toBe(name);
  });

  test.each(["tiemoutt", "not", "bots", "", "7", "constructor"])(
    "finds no name for %o",
    (word) => {
      expect(misspelledName(word, known)).toBeUndefined();
    },
  );
});

describe("mostSimilarName()", () => {
  test("finds the name that shares the most pairs of letters with the word", () => {
    expect(mostSimilarName("redirect", known)).toBe("redirectUris");
    expect(mostSimilarName("outtime", known)).toBe("timeout");
  });

  test("finds the first name when the word resembles none", () => {
    expect(mostSimilarName("", known)).toBe("timeout");
    expect(mostSimilarName("zzz", known)).toBe("timeout");
  });
});
