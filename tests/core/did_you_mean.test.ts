import { describe, expect, test } from "vitest";
import { differenceOf, misspelledName, mostSimilarName } from "../../src/core/did_you_mean.ts";

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
    ["bots", "bot"],
    ["boot", "bot"],
    ["bo", "bot"],
  ])("finds for %s the name %s", (word, name) => {
    expect(misspelledName(word, known)).toBe(name);
  });

  test.each(["tiemoutt", "not", "robot", "b", "", "7", "constructor"])(
    "finds no name for %o",
    (word) => {
      expect(misspelledName(word, known)).toBeUndefined();
    },
  );
});

describe("differenceOf()", () => {
  test.each([
    ["kick_member", "kick_members", 1],
    ["kick_mem", "kick_members", 4],
    ["kcik_members", "kick_members", 2],
    ["kick_membersxy", "kick_members", 2],
    ["kxck_membxrs", "kick_members", 9],
    ["kick_members", "kick_members", 0],
    ["sream", "stream", 1],
    ["bat", "ban", 1],
    ["kick_members_kick_members", "kick_members", 13],
    ["", "stream", 6],
  ])("compares %s with %s: %i letters", (word, name, expected) => {
    expect(differenceOf(word, name)).toBe(expected);
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
