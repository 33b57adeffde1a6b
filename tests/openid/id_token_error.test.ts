import { describe, expect, test } from "vitest";
import { idTokenError } from "../../src/openid/id_token_error.ts";

describe("idTokenError()", () => {
  test("says what is wrong with the token as a whole, or with which claim", () => {
    expect(idTokenError("algorithm")).toMatchObject({
      message: "The id_token was refused: it is not signed with RS256",
      reason: "algorithm",
      claim: null,
    });
    expect(idTokenError("claim", "aud")).toMatchObject({
      message: "The id_token was refused: it is for another application",
      hint: "Check clientId",
      reason: "claim",
      claim: "aud",
    });
  });

  test("accepts a claim that it has no words for", () => {
    const error = idTokenError("claim", "constructor");
    expect(error.message).toBe("The id_token was refused: a claim of it is missing or wrong");
    expect(error).not.toHaveProperty("hint");
  });
});
