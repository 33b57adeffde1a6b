/**
 * Explains why an `id_token` is refused.
 *
 * @module
 */

import { IdTokenError, type IdTokenErrorReason } from "../core/errors.ts";

/** Creates the error for a refused `id_token`. It has nothing of the token but the name of a claim. */
export function idTokenError(
  reason: IdTokenErrorReason,
  claim: string | null = null,
): IdTokenError {
  const { found, hint } = causes.get(claim ?? reason) ?? unknownClaim;
  return new IdTokenError(reason, `The id_token was refused: ${found}`, hint, claim);
}

interface Cause {
  readonly found: string;
  readonly hint?: string;
}

const unknownClaim: Cause = { found: "a claim of it is missing or wrong" };

const clockHint = "Verify it right after the login, and check the clock of this machine";
const keyHint = "Check that platform is where the login was";

const causes: ReadonlyMap<string, Cause> = new Map<string, Cause>([
  ["missing", {
    found: "there is none",
    hint: "Ask for the scope openid, which adds an id_token to the token answer",
  }],
  ["malformed", { found: "it is not a signed JWT" }],
  ["algorithm", { found: "it is not signed with RS256" }],
  ["unknown_key", {
    found: "it is signed with a key that the platform does not have",
    hint: keyHint,
  }],
  ["signature", { found: "its signature is not the platform's", hint: keyHint }],
  ["iss", { found: "it was not issued by the platform", hint: "Check platform.issuer" }],
  ["aud", { found: "it is for another application", hint: "Check clientId" }],
  ["azp", { found: "another application asked for it, or it does not say which" }],
  ["sub", { found: "it does not say who logged in" }],
  ["exp", { found: "it has expired, or does not say when it does", hint: clockHint }],
  ["iat", { found: "it was issued in the future, or does not say when", hint: clockHint }],
  ["nbf", { found: "it is not valid yet", hint: clockHint }],
  ["nonce", {
    found: "it belongs to another login: its nonce is not the expected one",
    hint: "Pass the nonce of the link; if it was that one, start a new login",
  }],
  ["at_hash", { found: "it came with another access token" }],
]);
