/**
 * Logs a user in through the routes of an application.
 *
 * @module
 */

import { type Check, type Fields, optional, string, throwUnless } from "../world/schema.ts";
import type { World } from "../world/world.ts";
import { CookieJar } from "./cookie_jar.ts";
import { authorizeAs, consentFields, type FakeConsent } from "./decisions.ts";
import { responseOf } from "./handler.ts";

/** A fetch handler of an application. Like `Login.handle`, it may return `null` for a path that it does not serve. */
export type FakeLoginHandler = (request: Request) => Response | null | Promise<Response | null>;

/** The options of {@link FakePlatform.login}. */
export interface FakeLoginOptions extends FakeConsent {
  /**
   * The page to return to after the login: the parameter `returnTo` of the login URL.
   * @default {no parameter}
   */
  readonly returnTo?: string | undefined;
  /**
   * The URL of the login page. It must be on the site of the redirect URI.
   * @default "https://app.example/login"
   */
  readonly loginUrl?: string | URL | undefined;
  /**
   * The browser's cookies before the login.
   * @default {none}
   */
  readonly jar?: CookieJar | undefined;
}

export function loginFields(): Fields<FakeLoginOptions> {
  return {
    ...consentFields(),
    returnTo: optional(string),
    loginUrl: optional(absoluteUrl),
    jar: optional(cookieJar),
  };
}

const absoluteUrl: Check = (value, where) => {
  throwUnless(URL.canParse(String(value)), "an absolute URL", value, where);
};

const cookieJar: Check = (value, where) => {
  throwUnless(value instanceof CookieJar, "a CookieJar", value, where);
};

/** The result of a login in a browser. */
export interface FakeLogin {
  /** The cookies of the browser, with the session. `jar.request(url)` returns a request with them, to pass to your handler. */
  readonly jar: CookieJar;
  /** The URL of the page after the login: the target of the callback's redirect. */
  readonly url: string;
}

/**
 * Opens the application's login page, consents on the consent page, and opens the callback.
 *
 * @throws {Error} If the application does not redirect to the consent page, or its callback does not redirect.
 */
export async function logInThrough(
  world: World,
  handler: FakeLoginHandler,
  options: FakeLoginOptions,
): Promise<FakeLogin> {
  const { returnTo, loginUrl = "https://app.example/login" } = options;
  const jar = options.jar ?? new CookieJar();
  const loginPage = new URL(loginUrl);
  if (returnTo !== undefined) loginPage.searchParams.set("returnTo", returnTo);
  const link = await openRedirect(handler, jar, loginPage);
  const callback = new URL(authorizeAs(world, link, options));
  const { href } = await openRedirect(handler, jar, callback);
  return { jar, url: href };
}

/** Opens a URL of the application, and returns the target of its redirect. */
async function openRedirect(handler: FakeLoginHandler, jar: CookieJar, url: URL): Promise<URL> {
  const response = await responseOf(handler, jar.request(url));
  jar.store(response, url);
  const location = response.headers.get("location");
  if (location !== null) return new URL(location, url);
  const { status } = response;
  const hint = status < 400 ? "" : "; the option onError of a Login receives the error";
  throw new Error(
    `the handler responded to ${url.pathname} with ${status} instead of a redirect${hint}`,
  );
}
