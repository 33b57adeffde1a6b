/**
 * Reads the cookies of a request, and makes `Set-Cookie` headers.
 *
 * @module
 */

import type { SiteAddress } from "./site_address.ts";

/** A cookie of a request. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
}

/** The largest cookie that browsers keep, in bytes, with its name and attributes. */
export const maxCookieBytes = 4096;

/** Returns the cookies of a request in the order of the header, also several with one name. */
export function cookiesOf(request: Request): Cookie[] {
  const pairs = (request.headers.get("cookie") ?? "").split(";");
  return pairs.flatMap((pair) => {
    const separator = pair.indexOf("=");
    if (separator === -1) return [];
    // This removes the space after the semicolon and nothing else. `trim()` would also remove a no-break space, which another
    // subdomain can put before `__Host-`: its cookie would then pass for one that only this site can set.
    const start = pair.startsWith(" ") ? 1 : 0;
    return [{ name: pair.slice(start, separator), value: pair.slice(separator + 1).trim() }];
  });
}

/**
 * Returns the `Set-Cookie` header for a cookie that no script can read. A browser sends the cookie along with a request from
 * another site only for a link or a redirect.
 *
 * @param maxAge Seconds until the browser deletes the cookie; `0` deletes it at once.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1 | RFC 6265 section 4.1.1}
 */
export function setCookieHeader(
  site: SiteAddress,
  name: string,
  value: string,
  maxAge: number,
): string {
  const secure = site.isSecure ? "; Secure" : "";
  return `${site.cookiePrefix}${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly${secure}; SameSite=Lax`;
}

/** Returns the `Set-Cookie` header that removes a cookie. */
export function removeCookieHeader(site: SiteAddress, name: string): string {
  return setCookieHeader(site, name, "", 0);
}
