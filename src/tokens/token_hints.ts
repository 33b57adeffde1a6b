/**
 * What to do about a refusal by the token endpoint, and what a refusal means.
 *
 * The platform answers a wrong parameter with `invalid_grant` or with `invalid_request`, so the description counts too: it
 * names the parameter, as in `Invalid "code" in request.`
 *
 * @module
 */

import { OAuthError } from "../core/errors.ts";

/** The hint for a refusal that is about the application, whatever it asked for; `undefined` for every other one. */
export function clientHint(error: string, isPublicClient: boolean): string | undefined {
  if (error === "unauthorized_client") {
    return "The application may not log in this way: check its settings in the Developer Portal under OAuth2";
  }
  if (error === "invalid_client" && isPublicClient) {
    return "Without a client secret the application must be a public client: switch that on in the Developer Portal under " +
      "OAuth2, or pass the clientSecret";
  }
  return undefined;
}

/** The hint for a code that was refused; `undefined` where there is nothing better to say than `OAuthError` does. */
export function codeHint(
  error: string,
  description: string,
  redirectUri: string,
): string | undefined {
  if (error !== "invalid_grant" && error !== "invalid_request") return undefined;

  const sent = withoutSecrets(redirectUri);
  if (/redirect.?uri/i.test(description)) {
    return `redirectUri must be the one in the link, to the letter; sent was ${sent}`;
  }
  if (/code.?(verifier|challenge)|pkce/i.test(description)) {
    return "codeVerifier must be the one that the link was made with; start a new login";
  }
  if (error === "invalid_request" && !/\bcode\b/i.test(description)) return undefined;
  return "A code works once, for about 100 seconds, with the codeVerifier of its login and with the redirectUri of its " +
    `link, to the letter; sent was ${sent}; start a new login`;
}

/** The error code that a refused refresh means: `invalid_grant` also where the platform says `invalid_request`. */
export function refreshErrorOf(error: string, description: string): string {
  const isAboutToken = error === "invalid_request" && /refresh.?token/i.test(description);
  return isAboutToken ? "invalid_grant" : error;
}

/** The hint for a refused refresh; `undefined` where there is nothing better to say than `OAuthError` does. */
export function refreshHint(error: string): string | undefined {
  return error === "invalid_grant"
    ? "This refresh token will not work again: it was used before, or it has expired, or the access was revoked; start a new login"
    : undefined;
}

/** The hint for a device that gets no token; `undefined` where there is nothing better to say than `OAuthError` does. */
export function deviceHint(error: string): string | undefined {
  if (error === "expired_token") return expiredHint;
  return error === "invalid_grant"
    ? "A device code works once: if the answer to an earlier request was lost, the token may have been in it; start a new login"
    : undefined;
}

/** What to do when nobody has authorized a device in time. */
export const expiredHint = "Nobody authorized the device in time; start a new login";

/** Whether an error of `PlatformApi.refresh` says that the refresh token will never work again. */
export function isRefusedRefresh(error: unknown): boolean {
  return error instanceof OAuthError && error.error === "invalid_grant";
}

/**
 * Scheme, host and path of a URL as they were written: a query, a fragment and a password may be secrets.
 *
 * Apart from the one in `arguments.ts`, which shows what may be no URL at all and so has it parsed: that changes case, port and
 * final slash, and here each letter counts.
 */
function withoutSecrets(url: string): string {
  return url.replace(/[?#].*$/, "").replace(/^([a-z][\w+.-]*:[/\\]*)[^/\\]*@/i, "$1");
}
