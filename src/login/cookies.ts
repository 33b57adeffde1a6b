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

/** The maximum size of a cookie in browsers, in bytes, with its name and attributes. */
export const maxCookieBytes = 4096;

/**
 * The maximum size of the `Cookie` header before a login removes cookies of its own, in bytes. Many servers refuse requests with more than
 * 8,192 bytes of headers. A browser's other headers have about 1,200 bytes, and a URL can have 1,000.
 */
const maxHeaderBytes = 6000;

/**
 * The maximum number of cookies with one name that are tried. A browser usually has one. Trying a cookie costs one
 * decryption, or one read of a store.
 */
const maxCandidates = 5;

/** The cookies of a request. */
export interface SentCookies {
  /** The cookies whose names begin with the prefix of the site. */
  readonly own: readonly Cookie[];
  /** The bytes of all cookies in the header. */
  readonly bytes: number;
}

/** Reads the cookies of a request. Spends little time on each cookie of other applications, since a header has room for thousands. */
export function sentCookies(request: Request, { cookiePrefix }: SiteAddress): SentCookies {
  const header = cookieHeader(request);
  return { own: cookiesIn(header, cookiePrefix), bytes: byteLength(header && `${header}; `) };
}

/**
 * Returns the cookies of a request in the order of the header, also several with one name.
 *
 * @param start The start of the cookie names.
 */
export function cookiesOf(request: Request, start = ""): Cookie[] {
  return cookiesIn(cookieHeader(request), start);
}

function cookieHeader({ headers }: Request): string {
  return headers.get("cookie") ?? "";
}

function cookiesIn(header: string, start: string): Cookie[] {
  return header.split(";")
    .filter((pair) => pair.startsWith(start, firstOf(pair)))
    .map(toCookie)
    .filter(({ name }) => name.startsWith(start));
}

/**
 * Returns the first five values of a cookie that have the right form. There may be several values: over plain HTTP, where the name
 * has no `__Host-` prefix, other sites on the same host can set a cookie with this name too.
 *
 * @param name The name without the prefix of the site.
 */
export function cookieCandidates(
  request: Request,
  site: SiteAddress,
  name: string,
  form: RegExp,
): readonly string[] {
  const fullName = site.cookiePrefix + name;
  return cookiesOf(request, fullName)
    .filter((cookie) => cookie.name === fullName && form.test(cookie.value))
    .map(({ value }) => value)
    .slice(0, maxCandidates);
}

/**
 * Returns the number of bytes that can be added to the `Cookie` header of a browser, or a negative number if the header is too long.
 *
 * @param cookies The cookies that the browser will send.
 */
export function freeHeaderBytes(cookies: readonly Cookie[]): number {
  return maxHeaderBytes - bytesInHeader(...cookies);
}

/** Returns the number of bytes of cookies in the `Cookie` header, with their separators. */
export function bytesInHeader(...cookies: readonly Cookie[]): number {
  return byteLength(cookies.map(({ name, value }) => `${name}=${value}; `).join(""));
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Returns the cookie of a `Set-Cookie` header. */
export function cookieSetBy(header: string): Cookie {
  return toCookie(header.slice(0, header.indexOf(";")));
}

function toCookie(pair: string): Cookie {
  // Browsers send a cookie without a name as its value alone.
  const separator = pair.indexOf("=");
  return {
    name: pair.slice(firstOf(pair), Math.max(separator, 0)),
    value: pair.slice(separator + 1).trim(),
  };
}

/** Returns the index of the first character of a cookie's name. */
function firstOf(pair: string): number {
  // This skips the space after the semicolon and nothing else. `trim()` would also remove a no-break space, which another subdomain can
  // put before `__Host-`: its cookie would then pass for one that only this site can set.
  return pair.startsWith(" ") ? 1 : 0;
}

/**
 * Returns the `Set-Cookie` header for a cookie that no script can read. With a request from another site, a browser sends the cookie only
 * for a link or a redirect.
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
