/**
 * The cookies of a browser, as far as a test of one site needs them.
 *
 * @module
 */

/** A cookie that a site has set. */
export interface JarCookie {
  /** The name, with its prefix. */
  readonly name: string;
  /** The value as it was set. */
  readonly value: string;
  /** The attributes by lower-case name; an empty text for one without a value, such as `secure`. */
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * Keeps the cookies of one site, and refuses those that a browser would refuse: `Secure` over plain HTTP beyond this machine,
 * `__Host-` without what it demands, and what is longer than 4,096 bytes.
 */
export class CookieJar {
  readonly #cookies = new Map<string, JarCookie>();

  /** The cookies, those that were set first at the front. */
  get cookies(): readonly JarCookie[] {
    return [...this.#cookies.values()];
  }

  /** The value of the `Cookie` header; an empty text when there are none. */
  get header(): string {
    return this.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  }

  /** Makes a request with these cookies. */
  request(url: string | URL, init?: RequestInit): Request {
    const headers = new Headers(init?.headers);
    if (this.#cookies.size > 0) headers.set("cookie", this.header);
    return new Request(url, { ...init, headers });
  }

  /** Keeps the cookies that an answer to a request to this URL sets, and forgets those that it removes. */
  store(response: Response, url: string | URL): void {
    for (const line of response.headers.getSetCookie()) {
      const cookie = readSetCookie(line);
      if (line.length > 4096 || !mayBeSet(cookie, new URL(url))) continue;
      if (isRemoval(cookie)) this.#cookies.delete(cookie.name);
      else this.#cookies.set(cookie.name, cookie);
    }
  }
}

function readSetCookie(line: string): JarCookie {
  const [pair = "", ...rest] = line.split(";").map((part) => part.trim());
  const [name = "", value = ""] = splitOnce(pair);
  const attributes = rest.map(splitOnce).map((
    [name = "", value = ""],
  ) => [name.toLowerCase(), value]);
  return { name, value, attributes: Object.fromEntries(attributes) };
}

function splitOnce(text: string): string[] {
  const index = text.indexOf("=");
  return index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

/** Whether a cookie has ended, which removes the one before it. `Max-Age` counts more than `Expires` (RFC 6265 section 4.1.2.2). */
function isRemoval({ attributes }: JarCookie): boolean {
  const maxAge = attributes["max-age"];
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  return Date.parse(attributes.expires ?? "") <= Date.now();
}

function mayBeSet({ name, attributes }: JarCookie, { protocol, hostname }: URL): boolean {
  const isSecure = "secure" in attributes;
  if (isSecure && protocol === "http:" && hostname !== "localhost") return false;
  if (!name.startsWith("__Host-")) return true;
  return isSecure && protocol === "https:" && attributes.path === "/" && !("domain" in attributes);
}
