/**
 * Creates the errors for refused `id_token`s.
 *
 * @module
 */

import { IdTokenError, type IdTokenErrorReason } from "../core/errors.ts";

/** A claim that is checked. */
export type CheckedClaim =
  | "iss"
  | "aud"
  | "azp"
  | "sub"
  | "exp"
  | "iat"
  | "nbf"
  | "nonce"
  | "at_hash";

/** Creates the error for a token that is refused as a whole. */
export function idTokenError(reason: Exclude<IdTokenErrorReason, "claim">): IdTokenError {
  return errorOf(reason, { reason });
}

/** Creates the error for a wrong claim. It never shows the value of the claim. */
export function claimError(claim: CheckedClaim): IdTokenError {
  return errorOf(claim, { reason: "claim", claim });
}

function errorOf(
  cause: keyof typeof causes,
  options: { readonly reason: IdTokenErrorReason; readonly claim?: CheckedClaim },
): IdTokenError {
  const [found, hint] = causes[cause];
  return new IdTokenError(`The id_token was refused: ${found}`, { ...options, hint });
}

/** Why a token was refused, with a hint if the fix is known. */
type Cause = readonly [found: string, hint?: string];

const clockHint = "Verify it right after the login, and check the clock of this machine";
const keyHint = "Check that platform is where the login was";

const causes: Readonly<Record<Exclude<IdTokenErrorReason, "claim"> | CheckedClaim, Cause>> = {
  missing: [
    "there is none",
    "Ask for the scope openid, which adds an id_token to the token response",
  ],
  malformed: ["it is not a signed JWT"],
  algorithm: ["it is not signed with RS256"],
  unknown_key: ["it is signed with a key that the platform does not have", keyHint],
  signature: ["its signature is not the platform's", keyHint],
  iss: ["it was not issued by the platform", "Check platform.issuer"],
  aud: ["it is for another application", "Check clientId"],
  azp: ["its authorized party is missing or another application"],
  sub: ["it does not name a person"],
  exp: ["it has expired, or has no expiry", clockHint],
  iat: ["it was issued in the future, or has no time of issue", clockHint],
  nbf: ["it is not valid yet", clockHint],
  nonce: [
    "it belongs to another login: its nonce is not the expected one",
    "Pass the nonce of the authorization URL; if it was passed, start a new login",
  ],
  at_hash: ["its at_hash does not match the access token"],
};
