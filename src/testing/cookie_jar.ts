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
      const { name, attributes } = cookie;
      if (Number(attributes["max-age"] ?? 1) <= 0) this.#cookies.delete(name);
      else this.#cookies.set(name, cookie);
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

function mayBeSet({ name, attributes }: JarCookie, { protocol, hostname }: URL): boolean {
  const isSecure = "secure" in attributes;
  if (isSecure && protocol === "http:" && hostname !== "localhost") return false;
  if (!name.startsWith("__Host-")) return true;
  return isSecure && protocol === "https:" && attributes.path === "/" && !("domain" in attributes);
}
