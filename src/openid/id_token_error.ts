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
  const [found, hint] = causes.get(claim ?? reason) ?? [
    "a claim of it is missing or wrong",
  ];
  return new IdTokenError(`The id_token was refused: ${found}`, { reason, claim, hint });
}

/** The cause of a refusal, and what to do about it where that is known. */
type Cause = readonly [found: string, hint?: string];

const clockHint = "Verify it right after the login, and check the clock of this machine";
const keyHint = "Check that platform is where the login was";

const causes: ReadonlyMap<string, Cause> = new Map<string, Cause>([
  ["missing", [
    "there is none",
    "Ask for the scope openid, which adds an id_token to the token response",
  ]],
  ["malformed", ["it is not a signed JWT"]],
  ["algorithm", ["it is not signed with RS256"]],
  ["unknown_key", ["it is signed with a key that the platform does not have", keyHint]],
  ["signature", ["its signature is not the platform's", keyHint]],
  ["iss", ["it was not issued by the platform", "Check platform.issuer"]],
  ["aud", ["it is for another application", "Check clientId"]],
  ["azp", ["another application asked for it, or it does not say which"]],
  ["sub", ["it does not say who logged in"]],
  ["exp", ["it has expired, or does not say when it does", clockHint]],
  ["iat", ["it was issued in the future, or does not say when", clockHint]],
  ["nbf", ["it is not valid yet", clockHint]],
  ["nonce", [
    "it belongs to another login: its nonce is not the expected one",
    "Pass the nonce of the link; if it was that one, start a new login",
  ]],
  ["at_hash", ["it came with another access token"]],
]);
