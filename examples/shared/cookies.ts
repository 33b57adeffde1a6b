/**
 * Cookies for the examples: one read, one written.
 *
 * @module
 */

/** The value of a cookie as it was sent, or `null`. Of several with the same name it is the first. */
export function readCookie(request: Request, name: string): string | null {
  const pairs = (request.headers.get("cookie") ?? "").split(";");
  for (const pair of pairs) {
    const separator = pair.indexOf("=");
    if (separator === -1) continue;
    // Of a name, nothing but the space between two cookies is taken away: another subdomain can set a cookie that has a no-break
    // space in front of "__Host-", and without it that would be a cookie of this site alone.
    const start = pair.startsWith(" ") ? 1 : 0;
    if (pair.slice(start, separator) === name) return pair.slice(separator + 1).trim();
  }
  return null;
}

/** Options of {@link setCookie}. */
export interface CookieOptions {
  /** Seconds until the browser deletes the cookie; `0` deletes it at once. */
  readonly maxAge: number;
  /** The cookie is sent only to addresses below this path. @default {"/"} */
  readonly path?: string;
  /** Whether the cookie is sent over HTTPS only. @default {true} */
  readonly secure?: boolean;
}

/**
 * The `Set-Cookie` header for a cookie. No script can read the cookie, and a request from another site carries it only
 * when somebody follows a link or a redirect, as from the consent page.
 *
 * @throws {TypeError} When the name or the value has a character that a cookie can't have.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1 | RFC 6265 section 4.1.1}
 */
export function setCookie(
  name: string,
  value: string,
  { maxAge, path = "/", secure = true }: CookieOptions,
): string {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new TypeError("A cookie can't have this name");
  if (!/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(value)) {
    throw new TypeError(`The value of the cookie ${name} has a character that a cookie can't have`);
  }
  const overHttps = secure ? "; Secure" : "";
  return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly${overHttps}; SameSite=Lax`;
}
