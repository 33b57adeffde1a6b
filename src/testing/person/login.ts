/**
 * Logs somebody in through the routes of an application.
 *
 * @module
 */

import { CookieJar } from "./cookie_jar.ts";
import { authorizeAs } from "./decisions.ts";
import type { FakeLogin, FakeLoginHandler, FakeLoginOptions } from "../fake_platform.ts";
import type { World } from "../world/world.ts";

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
