/**
 * The session cookie: the headers that set and remove it, and its values in a request.
 *
 * @module
 */

import { cookieCandidates, removeCookieHeader, setCookieHeader } from "./cookies.ts";
import type { SiteAddress } from "./site_address.ts";

/** The name of the session cookie, without the prefix of the site. */
export const sessionCookieName = "session";

/**
 * Returns the `Set-Cookie` header that sets the session cookie.
 *
 * @param value The sealed session, or the id of a session in a store.
 * @param maxAge Seconds until the browser deletes the cookie.
 */
export function setSessionCookieHeader(site: SiteAddress, value: string, maxAge: number): string {
  return setCookieHeader(site, sessionCookieName, value, maxAge);
}

/** Returns the `Set-Cookie` header that removes the session cookie. */
export function removeSessionCookieHeader(site: SiteAddress): string {
  return removeCookieHeader(site, sessionCookieName);
}

/** Returns the values of the session cookie in a request that have the form of a session, at most five. */
export function sessionCandidates(
  request: Request,
  site: SiteAddress,
  form: RegExp,
): readonly string[] {
  return cookieCandidates(request, site, sessionCookieName, form);
}
