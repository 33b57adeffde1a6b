/**
 * Hints for refusals by the token endpoint.
 *
 * Discord refuses a wrong parameter with `invalid_grant` or with `invalid_request`, so the description counts too: it
 * names the parameter, as in `Invalid "code" in request.`
 *
 * @module
 */

import { OAuthError } from "../core/errors.ts";

/** Returns the hint for `unauthorized_client`, or for `invalid_client` from a public client; `undefined` for any other error. */
export function clientHint(error: string, isPublicClient: boolean): string | undefined {
  if (error === "unauthorized_client") {
    return "The application is not allowed to log in this way: check its settings in the Developer Portal under OAuth2";
  }
  if (error === "invalid_client" && isPublicClient) {
    return "Without a client secret, the application must be a public client: turn that on in the Developer Portal under OAuth2, or pass " +
      "the clientSecret";
  }
  return undefined;
}

/** Returns the hint for a refused code, and `undefined` if the hint of `oauthHint()` fits. */
export function codeHint(
  error: string,
  description: string,
  redirectUri: string | null,
): string | undefined {
  if (error !== "invalid_grant" && error !== "invalid_request") return undefined;

  const sent = redirectUri === null ? "none" : withoutSecrets(redirectUri);
  if (/redirect.?uri/i.test(description)) {
    return `redirectUri must be exactly the one in the link; it was ${sent}`;
  }
  if (/code.?(verifier|challenge)|pkce/i.test(description)) {
    return "codeVerifier must be the one that the link was made with; start a new login";
  }
  if (error === "invalid_request" && !/\bcode\b/i.test(description)) return undefined;
  return "A code works once, for about 100 seconds, with the codeVerifier of its login and exactly the redirectUri of its link (it was " +
    `${sent}); start a new login`;
}

/** Returns the error code of a refused refresh: an `invalid_request` about the token becomes `invalid_grant`. */
export function refreshErrorOf(error: string, description: string): string {
  const isAboutToken = error === "invalid_request" && /refresh.?token/i.test(description);
  return isAboutToken ? "invalid_grant" : error;
}

/** Returns the hint for a refused refresh, and `undefined` if the hint of `oauthHint()` fits. */
export function refreshHint(error: string): string | undefined {
  return error === "invalid_grant"
    ? "This refresh token will not work again: it was used before, has expired, or was revoked; start a new login"
    : undefined;
}

/** Returns the hint for a failed device login, and `undefined` if the hint of `oauthHint()` fits. */
export function deviceHint(error: string): string | undefined {
  if (error === "expired_token") return expiredHint;
  return error === "invalid_grant"
    ? "A device code works once: the token may have been in an earlier response that got lost; start a new login"
    : undefined;
}

/** The hint for an expired device code. */
export const expiredHint = "The device was not authorized in time; start a new login";

/** Returns true if an error of `PlatformApi.refresh` means that the refresh token will never work again. */
export function isRefusedRefresh(error: unknown): boolean {
  return error instanceof OAuthError && error.error === "invalid_grant";
}

/**
 * Returns scheme, host and path of a URL as written, since Discord compares each letter: parsing would change case, port and
 * final slash. A query, a fragment and a password may be secrets.
 */
function withoutSecrets(url: string): string {
  // Each expression matches at one place only: the time for a long URL would otherwise grow with the square of its length.
  return url.replace(/[?#].*/s, "").replace(/^([^:]*:[/\\]*)[^/\\]*@/, "$1");
}
