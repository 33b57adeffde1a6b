/** The cookies of a browser that visits one site only. */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  /** @param header The `Cookie` header at the start. */
  constructor(header = "") {
    for (const [, name = "", value = ""] of header.matchAll(/([^=; ]+)=([^;]*)/g)) {
      this.#cookies.set(name, value);
    }
  }

  /** Stores the cookies of a response, and drops its deleted cookies. */
  keep(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/;\s*max-age=0/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }

  /** The `Cookie` header. */
  get header(): string {
    return Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join("; ");
  }
}
