/**
 * Logs somebody in through the routes of an application.
 *
 * @module
 */

import type { World } from "../world/world.ts";
import { CookieJar } from "./cookie_jar.ts";
import { authorizeAs, type FakeConsent } from "./decisions.ts";

/**
 * Opens the application's login, consents on the platform's page, and opens the callback.
 *
 * @throws {Error} When the application does not redirect to the consent page, or its callback does not end in a redirect.
 */
export async function loginThrough(
  world: World,
  handler: FakeLoginHandler,
  options: FakeLoginOptions,
): Promise<FakeLogin> {
  const { as, guildId, permissions, returnTo, loginUrl = "https://app.example/login" } = options;
  const jar = options.jar ?? new CookieJar();
  const open = async (url: URL): Promise<URL> => {
    const response = await handler(jar.request(url));
    if (response === null) throw new Error(`The application has no answer for ${url.pathname}`);
    jar.store(response, url);
    const location = response.headers.get("location");
    if (location === null) {
      throw new Error(
        `The application answered ${url.pathname} with ${response.status} instead of a redirect`,
      );
    }
    return new URL(location, url);
  };
  const start = new URL(loginUrl);
  if (returnTo !== undefined) start.searchParams.set("returnTo", returnTo);
  const link = await open(start);
  const callback = new URL(authorizeAs(world, link, {
    ...(as !== undefined && { as }),
    ...(guildId !== undefined && { guildId }),
    ...(permissions !== undefined && { permissions }),
  }));
  const page = await open(callback);
  return { jar, url: page.href };
}

/** An application's handler; `null` where it has no answer, as `Login.handle` gives it. */
export type FakeLoginHandler = (request: Request) => Response | null | Promise<Response | null>;
/** What {@link FakePlatform.login} takes. Everything has a default. */
export interface FakeLoginOptions extends FakeConsent {
  /**
   * The page to go to after the login; it is passed on as `returnTo`.
   * @default {none is passed on}
   */
  readonly returnTo?: string;
  /**
   * The address that begins a login. It must be of the site that the redirect URI belongs to.
   * @default "https://app.example/login"
   */
  readonly loginUrl?: string | URL;
  /**
   * The cookies that the browser has already.
   * @default {none}
   */
  readonly jar?: CookieJar;
}

/** A browser after a login. */
export interface FakeLogin {
  /** Its cookies: `jar.request(url)` makes a request with them. */
  readonly jar: CookieJar;
  /** Where the callback has sent it. */
  readonly url: string;
}
