/**
 * The part of a browser that sends requests, follows redirects and keeps cookies.
 *
 * @module
 */

import { CookieJar } from "../../../src/testing/mod.ts";

/** A page that was opened. */
export interface OpenedPage {
  readonly url: URL;
  readonly text: string;
}

/** A browser in front of a handler for all hosts. */
export class PageBrowser {
  readonly #send: (request: Request) => Promise<Response>;
  readonly #jars = new Map<string, CookieJar>();
  #current: URL | null = null;

  constructor(send: (request: Request) => Promise<Response>) {
    this.#send = send;
  }

  /** Opens a page. With a form, it sends the form. */
  async open(first: URL, form?: URLSearchParams): Promise<OpenedPage> {
    let url = first;
    let response = await this.#navigate(url, form);
    for (let redirects = 0; redirects < 20; redirects++) {
      const location = response.headers.get("location");
      if (location === null) break;
      url = new URL(location, url);
      response = await this.#navigate(url);
    }
    this.#current = url;
    return { url, text: await response.text() };
  }

  /** Loads an image of the current page as a `data:` URL. */
  async image(url: URL): Promise<string> {
    const response = await this.#send(new Request(url));
    const type = response.headers.get("content-type") ?? "";
    return `data:${type},${encodeURIComponent(await response.text())}`;
  }

  async #navigate(url: URL, form?: URLSearchParams): Promise<Response> {
    const jar = this.#jars.get(url.host) ?? new CookieJar();
    this.#jars.set(url.host, jar);
    const headers = new Headers({
      accept: "text/html",
      "sec-fetch-dest": "document",
      "sec-fetch-mode": "navigate",
      "sec-fetch-site": this.#siteOf(url),
    });
    if (form) headers.set("origin", this.#current?.origin ?? "null");
    const sent = form ? { method: "POST", body: form, headers } : { headers };
    const response = await this.#send(jar.request(url, sent));
    jar.store(response, url);
    return response;
  }

  /** Returns the value of the header `Sec-Fetch-Site`. */
  #siteOf(url: URL): string {
    if (this.#current === null) return "none";
    return this.#current.origin === url.origin ? "same-origin" : "cross-site";
  }
}
