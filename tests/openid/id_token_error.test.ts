import { describe, expect, test } from "vitest";
import type { IdTokenErrorReason } from "../../src/core/errors.ts";
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

  const clock = "Verify it right after the login, and check the clock of this machine";
  const keys = "Check that platform is where the login was";

  test.each<[IdTokenErrorReason, string | null, string, string | undefined]>([
    [
      "missing",
      null,
      "there is none",
      "Ask for the scope openid, which adds an id_token to the token response",
    ],
    ["malformed", null, "it is not a signed JWT", undefined],
    ["algorithm", null, "it is not signed with RS256", undefined],
    [
      "unknown_key",
      null,
      "it is signed with a key that the platform does not have",
      keys,
    ],
    ["signature", null, "its signature is not the platform's", keys],
    ["claim", "iss", "it was not issued by the platform", "Check platform.issuer"],
    ["claim", "aud", "it is for another application", "Check clientId"],
    ["claim", "azp", "its authorized party is missing or another application", undefined],
    ["claim", "sub", "it does not name a person", undefined],
    ["claim", "exp", "it has expired, or has no expiry", clock],
    ["claim", "iat", "it was issued in the future, or has no time of issue", clock],
    ["claim", "nbf", "it is not valid yet", clock],
    [
      "claim",
      "nonce",
      "it belongs to another login: its nonce is not the expected one",
      "Pass the nonce of the authorization URL; if it was passed, start a new login",
    ],
    ["claim", "at_hash", "its at_hash does not match the access token", undefined],
  ])("names the cause and the fix of %s %s", (reason, claim, cause, hint) => {
    const error = idTokenError(reason, claim);
    expect(error.message).toBe(`The id_token was refused: ${cause}`);
    expect(error.hint).toBe(hint);
  });

  test("accepts a claim that it has no words for", () => {
    const error = idTokenError("claim", "constructor");
    expect(error.message).toBe("The id_token was refused: a claim of it is missing or wrong");
    expect(error).not.toHaveProperty("hint");
  });
});
