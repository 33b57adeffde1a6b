/**
 * Creates the PKCE values (RFC 7636) and the state of a login.
 *
 * @module
 */

import { throwBadArgument } from "../core/arguments.ts";
import { randomText, toBase64Url } from "../core/base64url.ts";

/**
 * Generates a random `state`: 256 bits, base64url, 43 characters. At the start of the login, save it for this browser, for
 * example in a cookie. At the callback, pass it to `parseCallback`.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-10.12 | RFC 6749 section 10.12}
 */
export function generateState(): string {
  return randomText();
}

/**
 * Generates a random PKCE `code_verifier`: 256 bits, base64url, 43 characters. The verifier is a secret until the code is
 * exchanged.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7636#section-4.1 | RFC 7636 section 4.1}
 */
export function generateCodeVerifier(): string {
  return randomText();
}

/**
 * Derives the S256 `code_challenge` from a verifier.
 *
 * @example
 * ```ts
 * import { codeChallenge } from "@guildpass/sdk";
 *
 * await codeChallenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
 * // "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
 * ```
 *
 * @param codeVerifier The verifier: 43 to 128 unreserved characters, as from {@link generateCodeVerifier}.
 * @throws {TypeError} If the verifier has a different form. The message never shows the verifier.
 * @see {@link https://www.rfc-editor.org/rfc/rfc7636#section-4.2 | RFC 7636 section 4.2}
 */
export async function codeChallenge(codeVerifier: string): Promise<string> {
  checkCodeVerifier(codeVerifier);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
  return toBase64Url(new Uint8Array(digest));
}

/** Checks that a verifier has 43 to 128 unreserved characters (RFC 7636 section 4.1). The error never shows the verifier. */
export function checkCodeVerifier(codeVerifier: unknown): asserts codeVerifier is string {
  if (typeof codeVerifier !== "string" || !/^[\w.~-]{43,128}$/.test(codeVerifier)) {
    throwBadArgument("codeVerifier", "43 to 128 unreserved characters", codeVerifier);
  }
}
