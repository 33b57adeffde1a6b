/**
 * An application with a login, and its browser.
 *
 * @module
 */

import { generateState } from "../../mod.ts";
import { Login, type LoginOptions } from "../../src/login/mod.ts";
import type { Store } from "../../src/stores/store.ts";
import {
  CookieJar,
  createFakePlatform,
  type FakePlatform,
  type FakePlatformOptions,
  sampleApplication,
} from "../../src/testing/mod.ts";

/** The origin of the application. */
export const SITE = "https://app.example";

type Options = LoginOptions<"identify" | "guilds", unknown, Store | undefined, boolean | undefined>;

/** An application and its platform. */
export interface App {
  readonly fake: FakePlatform;
  readonly login: Login<"identify" | "guilds", unknown, Store | undefined, boolean | undefined>;
  /** Responds to every request, as in the README. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Creates an application on a platform of its own, or on the given one. */
export function createApp(
  options: Partial<Options> = {},
  platform: FakePlatform | FakePlatformOptions = {},
): App {
  const fake = "issueToken" in platform ? platform : createFakePlatform(platform);
  const login = new Login({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    scope: ["identify", "guilds"],
    secret: generateState(),
    platform: fake.platform,
    fetch: fake.fetch,
    ...options,
  });
  return {
    fake,
    login,
    async fetch(request) {
      const response = await login.handle(request);
      if (response) return response;
      const session = await login.session(request);
      if (!session) return await login.start(request);
      return Response.json(session.user);
    },
  };
}

/** A browser that visits an application. */
export class Browser {
  readonly #app: App;
  /** Its cookies. */
  readonly jar = new CookieJar();

  constructor(app: App) {
    this.#app = app;
  }

  /** Opens an address, and follows no redirect. */
  async open(address: string | URL, init?: RequestInit): Promise<Response> {
    const url = new URL(address, SITE);
    const response = await this.#app.fetch(this.jar.request(url, init));
    this.jar.store(response, url);
    return response;
  }

  /** Begins a login, and returns the link to the consent page. */
  async begin(returnTo?: string): Promise<string> {
    const query = returnTo === undefined ? "" : `?returnTo=${encodeURIComponent(returnTo)}`;
    return locationOf(await this.open(`/login${query}`));
  }

  /** Begins a login, consents, and returns the address of the callback. */
  async consent(returnTo?: string, as?: string): Promise<string> {
    return await this.#app.fake.authorize(
      await this.begin(returnTo),
      as === undefined ? {} : { as },
    );
  }

  /** Returns the name of the person who is logged in, or `null` when the application redirects to the consent page. */
  async whoAmI(): Promise<string | null> {
    const response = await this.open("/");
    return response.status === 302 ? null : (await response.json()).username;
  }
}

/** Returns the address of a redirect. */
export function locationOf(response: Response): string {
  const location = response.headers.get("location");
  if (location === null) throw new Error(`${response.status} is no redirect`);
  return location;
}

/** Returns the number of token requests at the platform. */
export function exchanges({ fake }: App): number {
  return fake.requests.filter(({ path }) => path.endsWith("/oauth2/token")).length;
}
