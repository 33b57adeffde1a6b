/**
 * Cookies: those of a request, and the header that sets one.
 *
 * @module
 */

import type { SiteAddress } from "./site_address.ts";

/** A cookie of a request. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
}

/** Browsers keep no cookie of more bytes than this, name and attributes included. */
export const mostCookieBytes = 4096;

/** The cookies of a request in the order of the header, those with the same name included. */
export function cookiesOf(request: Request): Cookie[] {
  const pairs = (request.headers.get("cookie") ?? "").split(";");
  return pairs.flatMap((pair) => {
    const separator = pair.indexOf("=");
    if (separator === -1) return [];
    // Only the space after the semicolon is removed from a name. `trim()` would also remove a no-break space, which another
    // subdomain can put in front of `__Host-`: its cookie would then pass for one that only this site can set.
    const start = pair.startsWith(" ") ? 1 : 0;
    return [{ name: pair.slice(start, separator), value: pair.slice(separator + 1).trim() }];
  });
}

/**
 * The `Set-Cookie` header for a cookie. No script can read it, and a request from another site has it only when somebody
 * follows a link or a redirect.
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

/** The `Set-Cookie` header that removes a cookie. */
export function removeCookieHeader(site: SiteAddress, name: string): string {
  return setCookieHeader(site, name, "", 0);
}
