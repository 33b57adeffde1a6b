/**
 * The session cookie: the headers that set and remove it, and its values in a request.
 *
 * @module
 */

import { cookiesOf, removeCookieHeader, setCookieHeader } from "./cookies.ts";
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

/**
 * The most values of the session cookie that are tried. A browser usually has one, and each costs a decryption or two reads of the
 * store.
 */
const maxCandidates = 5;

/**
 * Returns the first five values of the session cookie that look like one. There may be several: over plain HTTP, where the name has
 * no `__Host-` prefix, other sites on the same host can set a cookie with this name too.
 *
 * @param form Matches the values that can be a session.
 */
export function sessionCandidates(
  request: Request,
  site: SiteAddress,
  form: RegExp,
): readonly string[] {
  const fullName = site.cookiePrefix + sessionCookieName;
  return cookiesOf(request)
    .filter(({ name, value }) => name === fullName && form.test(value))
    .map(({ value }) => value)
    .slice(0, maxCandidates);
}
