/**
 * Reads JSON Web Tokens with jose. It imports only jose, and is loaded when the first token is verified. Each import is narrow,
 * because a bundler without code splitting keeps all imports of a dynamically imported module.
 *
 * @module
 */

import { decodeProtectedHeader } from "npm:jose@^6.0.0/decode/protected_header";
import {
  JOSEError,
  JWSSignatureVerificationFailed,
  JWTClaimValidationFailed,
  JWTExpired,
} from "npm:jose@^6.0.0/errors";
import { UnsecuredJWT } from "npm:jose@^6.0.0/jwt/unsecured";
import { jwtVerify } from "npm:jose@^6.0.0/jwt/verify";
import { importJWK } from "npm:jose@^6.0.0/key/import";
import type { JWTPayload, JWTVerifyOptions } from "npm:jose@^6.0.0";

/** The content of a token, or the reason why it is refused. */
export type TokenContent =
  | { readonly kind: "claims"; readonly claims: JWTPayload }
  | {
    readonly kind: "refusal";
    readonly reason: "claim" | "signature" | "malformed";
    readonly claim: string | null;
  };

/** Reads the header of a token, unverified. Returns `null` if the text is not a token. */
export function readHeader(
  token: string,
): { readonly alg?: unknown; readonly kid?: unknown } | null {
  try {
    return decodeProtectedHeader(token);
  } catch {
    return null;
  }
}

/** Verifies the RSA signature and the claims of a token. */
export async function readSignedToken(
  token: string,
  { n, e }: { readonly n: string; readonly e: string },
  algorithm: string,
  options: JWTVerifyOptions,
): Promise<TokenContent> {
  return await readContent(async () => {
    const key = await importJWK({ kty: "RSA", n, e }, algorithm);
    return await jwtVerify(token, key, { algorithms: [algorithm], ...options });
  });
}

/** Checks the claims of a token, but not its signature. */
export async function readUnverifiedToken(
  token: string,
  options: JWTVerifyOptions,
): Promise<TokenContent> {
  const [, payload] = token.split(".");
  // jose checks the claims of a token without a signature in the same way.
  return await readContent(() => UnsecuredJWT.decode(`${unsecuredHeader}.${payload}.`, options));
}

/** The header `{"alg":"none"}`. */
const unsecuredHeader = "eyJhbGciOiJub25lIn0";

async function readContent(
  read: () => { readonly payload: JWTPayload } | Promise<{ readonly payload: JWTPayload }>,
): Promise<TokenContent> {
  try {
    return { kind: "claims", claims: (await read()).payload };
  } catch (error) {
    // jose's error is never kept as a cause, since it holds the claims.
    return { kind: "refusal", ...refusalFor(error) };
  }
}

function refusalFor(error: unknown): Omit<TokenContent & { readonly kind: "refusal" }, "kind"> {
  if (error instanceof JWTExpired || error instanceof JWTClaimValidationFailed) {
    return { reason: "claim", claim: error.claim };
  }
  // An error that is not jose's comes from Web Crypto: the key is unusable, so nothing is signed with it.
  const isWellFormed = !(error instanceof JOSEError) ||
    error instanceof JWSSignatureVerificationFailed;
  return { reason: isWellFormed ? "signature" : "malformed", claim: null };
}
