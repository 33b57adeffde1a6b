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
 * @throws {TypeError} If the verifier has a different form, or `crypto.subtle` is missing, as in React Native and in a page over
 * plain http. The message never shows the verifier.
 * @see {@link https://www.rfc-editor.org/rfc/rfc7636#section-4.2 | RFC 7636 section 4.2}
 */
export async function codeChallenge(codeVerifier: string): Promise<string> {
  checkPkceValue("codeVerifier", codeVerifier);
  if (!crypto.subtle) {
    throw new TypeError("crypto.subtle is missing: use https, or pass a codeChallenge");
  }
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
  return toBase64Url(new Uint8Array(digest));
}

/** The scope that Discord refuses together with PKCE. */
export const scopeWithoutPkce = "role_connections.write";

/** Returns true unless Discord refuses PKCE for these scopes. */
export function usesPkce(scope: readonly string[]): boolean {
  return !scope.includes(scopeWithoutPkce);
}

/** Checks the form of a verifier or a challenge (RFC 7636 sections 4.1 and 4.2). The error never shows the value. */
export function checkPkceValue(argument: string, value: unknown): asserts value is string {
  if (typeof value !== "string" || !/^[\w.~-]{43,128}$/.test(value)) {
    throwBadArgument(argument, "43 to 128 unreserved characters", value);
  }
}
