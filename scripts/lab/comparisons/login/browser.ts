/**
 * A browser that visits one site.
 *
 * @module
 */

import process from "node:process";
import { CookieJar } from "../../../../src/testing/mod.ts";
import { site } from "./platform.ts";

/** An application, as a function from request to response. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** The end of a visit. */
export interface Visit {
  readonly status: number;
  /** The last address. */
  readonly url: URL;
  readonly body: string;
}

/** The longest time that a visitor waits for a page, in milliseconds. */
const pageTimeout = 15_000;

/** The status of a response that did not come in time. */
export const timeoutStatus = 599;

/** The status of a response that did not come because the application threw outside of the request, which ends a process of Node. */
export const endedStatus = 598;

/** The status of a visit that was redirected again and again. */
export const redirectLoopStatus = 310;

/** A browser. */
export class Browser {
  readonly #app: Handler;
  readonly jar = new CookieJar();
  /** False if the browser drops all cookies. */
  keepsCookies = true;
  /** A `Cookie` header that somebody else has planted. It is sent before and after the browser's own cookies. */
  plantedCookies = "";

  constructor(app: Handler) {
    this.#app = app;
  }

  /** Opens an address, without following a redirect. */
  open(address: string | URL, init?: RequestInit): Promise<Response> {
    const cookies = [this.plantedCookies, this.jar.header, this.plantedCookies];
    return this.#send(address, init, cookies);
  }

  /** Opens an address of the site by a link or a form on a page of another origin, without following a redirect. */
  openFrom(page: string, address: string | URL, init?: RequestInit): Promise<Response> {
    const isSameSite = new URL(page).hostname.endsWith(`.${new URL(site).hostname}`);
    const isForm = init?.method === "POST";
    const headers = new Headers(init?.headers);
    if (isForm) headers.set("origin", page);
    headers.set("sec-fetch-site", isSameSite ? "same-site" : "cross-site");
    headers.set("sec-fetch-mode", "navigate");
    headers.set("sec-fetch-dest", "document");
    const cookies = this.jar.cookies.filter(({ attributes }) => {
      // Firefox and Safari send a cookie without SameSite, and so does Chrome for two minutes.
      const sameSite = attributes["samesite"]?.toLowerCase() ?? "none";
      return isSameSite || sameSite === "none" || (sameSite === "lax" && !isForm);
    });
    return this.#send(
      address,
      { ...init, headers },
      cookies.map(({ name, value }) => `${name}=${value}`),
    );
  }

  /** Opens an address and follows redirects within the site. */
  async visit(address: string | URL): Promise<Visit> {
    let url = new URL(address, site);
    for (let redirects = 0; redirects < 10; redirects++) {
      const response = await this.open(url, { headers: { accept: "text/html,*/*;q=0.8" } });
      const location = response.headers.get("location");
      if (location === null) return { status: response.status, url, body: await response.text() };
      url = new URL(location, url);
      if (url.origin !== site) return { status: response.status, url, body: "" };
    }
    return { status: redirectLoopStatus, url, body: "" };
  }

  async #send(
    address: string | URL,
    init: RequestInit | undefined,
    cookies: readonly string[],
  ): Promise<Response> {
    const url = new URL(address, site);
    const headers = new Headers(init?.headers);
    const cookie = cookies.filter((text) => text !== "").join("; ");
    if (cookie !== "") headers.set("cookie", cookie);
    let response: Response;
    try {
      const asked = new Request(url, { redirect: "manual", ...init, headers });
      response = await responseOrEnd(async () => await this.#app(asked));
    } catch {
      // This is the response of a server if the application throws.
      response = new Response("Internal Server Error", { status: 500 });
    }
    if (this.keepsCookies) this.jar.store(response, url);
    return response;
  }
}

/** Returns the response, or one that says why it did not come. */
async function responseOrEnd(ask: () => Promise<Response>): Promise<Response> {
  const events = ["uncaughtException", "unhandledRejection"] as const;
  const { promise: end, resolve } = Promise.withResolvers<Response>();
  const throwsOutside = () => resolve(new Response(null, { status: endedStatus }));
  const timer = setTimeout(
    () => resolve(new Response(null, { status: timeoutStatus })),
    pageTimeout,
  );
  for (const event of events) process.on(event, throwsOutside);
  try {
    return await Promise.race([ask(), end]);
  } finally {
    clearTimeout(timer);
    for (const event of events) process.off(event, throwsOutside);
  }
}
