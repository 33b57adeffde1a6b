import { describe, expect, test } from "vitest";
import { misspelledName, mostSimilarName, throwBadName } from "../../src/core/did_you_mean.ts";

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

describe("throwBadName()", () => {
  const messageAbout = (received: unknown) => {
    try {
      return throwBadName("permission", "a name", received, "KICK_MEMBERS", "STREAM", "BAN");
    } catch (error) {
      return String(error);
    }
  };

  test.each([
    ["KICK_MEMBER", "KICK_MEMBERS"],
    ["KICK_MEM", null],
    ["KCIK_MEMBERS", "KICK_MEMBERS"],
    ["KICK_MEMBERSXY", "KICK_MEMBERS"],
    ["KICK_MEMBERSXYZ", null],
    ["KXCK_MEMBXRS", null],
    ["kick_members", "KICK_MEMBERS"],
    ["SREAM", "STREAM"],
    ["BAT", null],
    ["KICK_MEMBERS_KICK_MEMBERS", null],
  ])("quotes %s only as a misspelled name: %s", (received, meant) => {
    expect(messageAbout(received)).toBe(
      "TypeError: permission must be a name, received " +
        (meant ? `"${received}", did you mean "${meant}"?` : `${received.length} characters`),
    );
  });

  test("quotes nothing but text", () => {
    expect(messageAbout(["STREAM"])).toBe("TypeError: permission must be a name, received object");
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
