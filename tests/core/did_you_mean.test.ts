import { describe, expect, test } from "vitest";
import { isNear, misspelledName, mostSimilarName } from "../../src/core/did_you_mean.ts";

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

describe("isNear()", () => {
  test.each([
    ["kick_member", "kick_members", true],
    ["kick_mem", "kick_members", false],
    ["kcik_members", "kick_members", true],
    ["kick_membersxy", "kick_members", true],
    ["kick_membersxyz", "kick_members", false],
    ["kxck_membxrs", "kick_members", false],
    ["kick_members", "kick_members", true],
    ["sream", "stream", true],
    ["bat", "ban", false],
    ["ban", "ban", true],
    ["kick_members_kick_members", "kick_members", false],
    ["", "stream", false],
  ])("compares %s with %s: %s", (word, name, expected) => {
    expect(isNear(word, name)).toBe(expected);
  });
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
