/**
 * Keeps the cookies that a browser has for one host.
 *
 * @module
 */

import { throwUnless } from "../world/schema.ts";

/** A cookie of a host. */
export interface JarCookie {
  /** The name, with its prefix. */
  readonly name: string;
  /** The value, unchanged. */
  readonly value: string;
  /** The attributes by lowercase name. An attribute without a value, such as `secure`, is an empty string. */
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * Keeps the cookies of one host. Like a browser, it neither accepts nor sends `Secure` cookies over plain HTTP except on `localhost`,
 * and it rejects `__Host-` cookies without their required attributes, and `Set-Cookie` headers longer than 4,096 bytes.
 *
 * @example
 * ```ts
 * import { CookieJar } from "@guildpass/sdk/testing";
 *
 * const jar = new CookieJar();
 * const url = "https://app.example/";
 * const headers = { "set-cookie": "theme=dark; Secure" };
 * jar.store(new Response(null, { headers }), url);
 * jar.request(url).headers.get("cookie"); // "theme=dark"
 * ```
 */
export class CookieJar {
  readonly #cookies = new Map<string, JarCookie>();

  /**
   * Creates an empty jar.
   *
   * @throws {Error} If the `Request` of this environment drops cookies, as in a page.
   */
  constructor() {
    const request = new Request("https://app.example/", { headers: { cookie: "a=1" } });
    if (request.headers.has("cookie")) return;
    throw new Error(
      "the Request of this environment drops cookies, as in a page, so logins fail: run this test in a server environment (in " +
        'Vitest, with the first line "// @vitest-environment node"; in Jest, with "@jest-environment node")',
    );
  }

  /** The cookies, oldest first. */
  get cookies(): readonly JarCookie[] {
    return [...this.#cookies.values()];
  }

  /** The value of the `Cookie` header; an empty string without cookies. */
  get header(): string {
    return headerOf(this.cookies);
  }

  /** Returns a request with these cookies. */
  request(url: string | URL, init?: RequestInit): Request {
    throwUnless(URL.canParse(url), "an absolute URL", url, "url");
    const headers = new Headers(init?.headers);
    const target = new URL(url);
    const sent = this.cookies.filter(({ attributes }) =>
      !("secure" in attributes) || canBeSecure(target)
    );
    if (sent.length > 0) headers.set("cookie", headerOf(sent));
    return new Request(url, { ...init, headers });
  }

  /** Stores the cookies of a response from this URL, and removes expired cookies. */
  store(response: Response, url: string | URL): void {
    throwUnless(
      typeof Object(response).headers?.getSetCookie === "function",
      "a Response",
      response,
      "response",
    );
    throwUnless(URL.canParse(url), "an absolute URL", url, "url");
    for (const line of response.headers.getSetCookie()) {
      const cookie = parseSetCookie(line);
      if (line.length > 4096 || !isAccepted(cookie, new URL(url))) continue;
      if (isExpired(cookie)) this.#cookies.delete(cookie.name);
      else this.#cookies.set(cookie.name, cookie);
    }
  }
}

function parseSetCookie(line: string): JarCookie {
  const [first = "", ...rest] = line.split(";");
  const attributes = rest.map(splitPair).map(([name, value]) => [name.toLowerCase(), value]);
  const [name, value] = splitPair(first);
  return { name, value, attributes: Object.fromEntries(attributes) };
}

function splitPair(text: string): [name: string, value: string] {
  const [name = "", ...value] = text.trim().split("=");
  return [name, value.join("=")];
}

/** Returns true if a cookie has expired. `Max-Age` takes precedence over `Expires` (RFC 6265 section 4.1.2.2). */
function isExpired({ attributes }: JarCookie): boolean {
  const maxAge = attributes["max-age"];
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  return Date.parse(attributes.expires ?? "") <= Date.now();
}

function headerOf(cookies: readonly JarCookie[]): string {
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

/** Returns true if a browser accepts a cookie from a URL. */
function isAccepted({ name, attributes }: JarCookie, url: URL): boolean {
  const isSecure = "secure" in attributes;
  if (isSecure && !canBeSecure(url)) return false;
  if (!name.startsWith("__Host-")) return true;
  return isSecure && url.protocol === "https:" && attributes.path === "/" &&
    !("domain" in attributes);
}

function canBeSecure({ protocol, hostname }: URL): boolean {
  return protocol !== "http:" || hostname === "localhost";
}
