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

/**
 * Returns the cookies of a request in the order of the header, also several with one name. Skips other cookies quickly, because a header
 * may have thousands.
 *
 * @param start The start of the cookie names.
 */
export function cookiesOf(request: Request, start = ""): Cookie[] {
  const cookies: Cookie[] = [];
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    // This skips the space after the semicolon and nothing else. `trim()` would also remove a no-break space, which another subdomain can
    // put before `__Host-`: its cookie would then pass for one that only this site can set.
    const first = pair.startsWith(" ") ? 1 : 0;
    if (!pair.startsWith(start, first)) continue;
    // Browsers send a cookie without a name as its value alone.
    const separator = pair.indexOf("=");
    const name = pair.slice(first, Math.max(separator, 0));
    if (name.startsWith(start)) cookies.push({ name, value: pair.slice(separator + 1).trim() });
  }
  return cookies;
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
  const values: string[] = [];
  for (const cookie of cookiesOf(request, fullName)) {
    if (cookie.name === fullName && form.test(cookie.value)) values.push(cookie.value);
  }
  return values.slice(0, maxCandidates);
}

/** Returns true if one of several `Set-Cookie` headers sets or removes a cookie. */
export function isSetBy(headers: readonly string[], { name }: Cookie): boolean {
  return headers.some((header) => header.startsWith(`${name}=`));
}

/**
 * Returns the number of bytes that can be added to the browser's next `Cookie` header, or a negative number if the header is too long.
 *
 * @param added The `Set-Cookie` headers of the response. They are ASCII.
 * @param replaced The cookies of the request to ignore, because the response replaces them or may remove them.
 */
export function freeHeaderBytes(
  request: Request,
  added: readonly string[],
  replaced: readonly Cookie[],
): number {
  const header = request.headers.get("cookie") ?? "";
  const sentBytes = byteLength(header && `${header}; `) - bytesInHeader(...replaced);
  const addedBytes = added.map((header) => header.indexOf(";") + "; ".length);
  return addedBytes.reduce((free, bytes) => free - bytes, maxHeaderBytes - sentBytes);
}

/** Returns the number of bytes of cookies in the `Cookie` header, with their separators. */
export function bytesInHeader(...cookies: readonly Cookie[]): number {
  return byteLength(cookies.map(({ name, value }) => `${name}=${value}; `).join(""));
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
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
