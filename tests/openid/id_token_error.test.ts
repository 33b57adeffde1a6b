import { describe, expect, test } from "vitest";
import { claimError, idTokenError } from "../../src/openid/id_token_error.ts";

describe("the error for an id_token", () => {
  test("says what is wrong with the token as a whole, or with which claim", () => {
    expect(idTokenError("algorithm")).toMatchObject({
      message: "The id_token was refused: it is not signed with RS256",
      reason: "algorithm",
      claim: null,
    });
    expect(claimError("aud")).toMatchObject({
      message: "The id_token was refused: it is for another application",
      hint: "Check clientId",
      reason: "claim",
      claim: "aud",
    });
  });

  const clock = "Verify it right after the login, and check the clock of this machine";
  const keys = "Check that platform is where the login was";

  test.each([
    [
      idTokenError("missing"),
      "there is none",
      "Ask for the scope openid, which adds an id_token to the token response",
    ],
    [idTokenError("malformed"), "it is not a signed JWT", undefined],
    [idTokenError("algorithm"), "it is not signed with RS256", undefined],
    [idTokenError("unknown_key"), "it is signed with a key that the platform does not have", keys],
    [idTokenError("signature"), "its signature is not the platform's", keys],
    [claimError("iss"), "it was not issued by the platform", "Check platform.issuer"],
    [claimError("aud"), "it is for another application", "Check clientId"],
    [claimError("azp"), "its authorized party is missing or another application", undefined],
    [claimError("sub"), "it does not name a person", undefined],
    [claimError("exp"), "it has expired, or has no expiry", clock],
    [claimError("iat"), "it was issued in the future, or has no time of issue", clock],
    [claimError("nbf"), "it is not valid yet", clock],
    [
      claimError("nonce"),
      "it belongs to another login: its nonce is not the expected one",
      "Pass the nonce of the authorization URL; if it was passed, start a new login",
    ],
    [claimError("at_hash"), "its at_hash does not match the access token", undefined],
  ])("names the cause and the fix: %s", (error, cause, hint) => {
    expect(error.message).toBe(`The id_token was refused: ${cause}`);
    expect(error.hint).toBe(hint);
  });
});
