/**
 * A browser that visits one site.
 *
 * @module
 */

import { CookieJar } from "../../src/testing/mod.ts";
import { site } from "./platform.ts";

/** Answers the requests to an application. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** Where a visit ended. */
export interface Visit {
  readonly status: number;
  /** The last address. */
  readonly url: URL;
  readonly body: string;
}

/** A browser. */
export class Browser {
  readonly #app: Handler;
  readonly jar = new CookieJar();
  /** Whether it keeps cookies. */
  keepsCookies = true;
  /** A `Cookie` header's worth of cookies that somebody else has set, before and after its own. */
  planted = "";

  constructor(app: Handler) {
    this.#app = app;
  }

  /** Opens an address, without following a redirect. What an application throws, a server answers with 500. */
  async open(address: string | URL, init?: RequestInit): Promise<Response> {
    const url = new URL(address, site);
    const headers = new Headers(init?.headers);
    const cookies = [this.planted, this.jar.header, this.planted].filter((text) => text !== "");
    if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
    let answer: Response;
    try {
      answer = await this.#app(new Request(url, { redirect: "manual", ...init, headers }));
    } catch {
      answer = new Response("Internal Server Error", { status: 500 });
    }
    if (this.keepsCookies) this.jar.store(answer, url);
    return answer;
  }

  /** Opens an address, and follows redirects as long as they stay on the site. */
  async visit(address: string | URL): Promise<Visit> {
    let url = new URL(address, site);
    for (let redirects = 0; redirects < 10; redirects++) {
      const answer = await this.open(url);
      const location = answer.headers.get("location");
      if (location === null) return { status: answer.status, url, body: await answer.text() };
      url = new URL(location, url);
      if (url.origin !== site) return { status: answer.status, url, body: "" };
    }
    return { status: 310, url, body: "" };
  }
}
