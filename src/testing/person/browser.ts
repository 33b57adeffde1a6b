/**
 * A browser for tests: it follows redirects between an application and the consent page, and keeps the cookies of each host.
 *
 * @module
 */

import { findUser } from "../world/find.ts";
import { boolean, type Fields, optional, throwUnless } from "../world/schema.ts";
import type { World } from "../world/world.ts";
import { CookieJar } from "./cookie_jar.ts";
import { authorizeAs, consentFields, deny, type FakeConsent, isConsentPage } from "./decisions.ts";
import { responseOf } from "./handler.ts";
import type { FakeLoginHandler } from "./login.ts";
import { createScriptFetch } from "./script.ts";

/** The options of {@link FakePlatform.browser}. */
export interface FakeBrowserOptions extends FakeConsent {
  /**
   * True to click “Cancel” on the consent page.
   * @default false
   */
  readonly cancel?: boolean | undefined;
}

export function browserFields(): Fields<FakeBrowserOptions> {
  return { ...consentFields(), cancel: optional(boolean) };
}

/** A browser of one user. */
export interface FakeBrowser {
  /**
   * Opens a page, and follows redirects to the last page, including the consent page. A form is sent as if from a page of the same
   * site.
   *
   * @param url An absolute URL, or a path on the site of the current page. The first URL must be absolute.
   * @param init The options of the request, as for `fetch`. With `redirect: "manual"`, the browser returns a redirect instead of
   * following it.
   * @throws {Error} If there are more than 20 redirects, or the handler returns no response.
   * @throws {TypeError} If the first URL is not absolute, the consent page shows an error instead of a redirect, the
   * application redirects to Discord itself, or the handler returns something else than a response.
   */
  open(url: string | URL, init?: RequestInit): Promise<Response>;
  /** The URL of the current page; an empty string at first. */
  readonly url: string;
  /**
   * Returns the cookies of a host, which all its ports share.
   *
   * @param url A URL of the host.
   */
  jarOf(url: string | URL): CookieJar;
  /**
   * Returns the `fetch` of the scripts on a page. Its requests have the cookies of this browser, as `credentials` says, and the headers
   * of a browser, such as `Origin` and `Sec-Fetch-Site`. Like a browser, it sends preflight requests to other origins. It does not
   * follow redirects.
   *
   * The returned function throws a `TypeError` if CORS does not let the page send the request or read the response. It treats the last
   * two labels of a host name as the site, since only real browsers have the list of public suffixes.
   *
   * @param page The URL of the page, or only its origin. Relative URLs resolve against it. The page itself is not opened.
   * @throws {TypeError} If the page is not an absolute URL.
   *
   * @example
   * ```ts
   * import { createFakePlatform } from "@guildpass/sdk/testing";
   *
   * const browser = createFakePlatform().browser((request) =>
   *   new Response(request.headers.get("sec-fetch-site"), {
   *     headers: {
   *       "access-control-allow-origin": "https://app.site.example",
   *     },
   *   })
   * );
   * // The script of a frontend on another subdomain:
   * const script = browser.fetchFrom("https://app.site.example");
   * const response = await script("https://api.site.example/me");
   * await response.text(); // "same-site"
   * ```
   */
  fetchFrom(page: string | URL): typeof fetch;
}

const maxRedirects = 20;

/**
 * Creates a browser in front of an application.
 *
 * @throws {TypeError} If `as` is not a user.
 */
export function createBrowser(
  world: World,
  handler: FakeLoginHandler,
  { cancel = false, ...consent }: FakeBrowserOptions,
): FakeBrowser {
  // Keeps the id, since the username may change.
  const as = consent.as === undefined ? undefined : findUser(world, consent.as).payload.id;
  const { jarOf, send, request } = createClient(handler);
  let current = "";

  /** Decides if the URL is the consent page, and returns the target of its redirect. Returns any other URL unchanged. */
  function decide(url: URL): URL {
    if (url.origin === "https://discord.com" && world.origin !== url.origin) {
      throw new TypeError(
        "the application redirected to Discord itself: pass ...fake (platform and fetch) to the Login",
      );
    }
    if (!isConsentPage(world, url)) return url;
    return new URL(cancel ? deny(world, url) : authorizeAs(world, url, { ...consent, as }));
  }

  return {
    jarOf,
    fetchFrom(page) {
      throwUnless(URL.canParse(page), "an absolute URL", page, "page");
      return createScriptFetch(new URL(page), { send, jarOf });
    },
    get url() {
      return current;
    },
    async open(first, init = {}) {
      throwUnless(current !== "" || URL.canParse(first), "absolute", first, "the first URL");
      let url = decide(new URL(first, current === "" ? undefined : current));
      let step = init;
      for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        const response = await request(url, step);
        current = url.href;
        const location = response.headers.get("location");
        if (location === null || init.redirect === "manual") return response;
        await response.body?.cancel();
        url = decide(new URL(location, url));
        if (![307, 308].includes(response.status)) step = withoutBody(step);
      }
      throw new Error(
        `more than ${maxRedirects} redirects: the last one goes to ${url.origin}${url.pathname}`,
      );
    },
  };
}

/** Returns functions that send requests to an application: `request` with the cookies of the host, and `send` without. */
function createClient(handler: FakeLoginHandler) {
  const jars = new Map<string, CookieJar>();

  function jarOf(url: string | URL): CookieJar {
    const { hostname } = new URL(url);
    const jar = jars.get(hostname) ?? new CookieJar();
    jars.set(hostname, jar);
    return jar;
  }

  async function request(url: URL, init: RequestInit): Promise<Response> {
    const jar = jarOf(url);
    const sent = jar.request(url, { ...init, redirect: "manual" });
    if (isForm(sent) && !sent.headers.has("origin")) {
      sent.headers.set("origin", url.origin);
      sent.headers.set("sec-fetch-site", "same-origin");
    }
    const response = await send(sent);
    jar.store(response, url);
    return response;
  }

  const send = (sent: Request) => responseOf(handler, sent);

  return { jarOf, send, request };
}

/** Returns the options of the request after a redirect. They keep the signal and all headers except `content-type`. */
function withoutBody({ headers, signal = null }: RequestInit): RequestInit {
  const others = new Headers(headers);
  others.delete("content-type");
  return { headers: others, signal };
}

function isForm({ method }: Request): boolean {
  return method !== "GET" && method !== "HEAD";
}
