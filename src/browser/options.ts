/**
 * The options of a session client.
 *
 * @module
 */

import type { PublicSession, SessionUser } from "../login/mod.ts";

/**
 * Options of {@link SessionClient}. Each path begins with a slash, or is a whole URL if the `Login` is on another origin:
 * `"https://api.site.example/session"`. In React Native, `url` is a whole URL.
 *
 * @typeParam User The type of the user data.
 */
export interface SessionClientOptions<User = SessionUser> {
  /** The `sessionPath` of the `Login`. The other paths, and those of `fetch`, are on the same origin. */
  readonly url: string;
  /** The `loginPath` of the `Login`. @default {"/login"} */
  readonly loginPath?: string | undefined;
  /** The `logoutPath` of the `Login`. @default {"/logout"} */
  readonly logoutPath?: string | undefined;
  /**
   * The session that the server has rendered into the page, from `login.publicSession()`. `null` means that the visitor is logged out.
   * The page must not be cached.
   *
   * @default {undefined, which means that the session is not known}
   */
  readonly initial?: PublicSession<User> | null | undefined;
  /**
   * The `appPath` of the `Login`. With it, the session uses a token from `enter`, and never a cookie. For an Activity, an app, an
   * extension, or a page of the `appOrigins`.
   *
   * @default {none: the session is that of a cookie}
   */
  readonly appPath?: string | undefined;
  /**
   * The storage for the token, with `appPath`. The token gives full access to the session.
   *
   * @default {in memory: the login is gone when the page or app is closed}
   */
  readonly store?: SessionTokenStore | undefined;
  /**
   * The paths at and below which `fetch` sends the token, on the origin of `url`, without a slash at the end: `["/api"]`. Only with
   * `appPath`. In an Activity, other paths may belong to other hosts.
   *
   * @default {none}
   */
  readonly apiPaths?: readonly string[] | undefined;
}

/** Storage for a session's token, such as a phone's keychain. */
export interface SessionTokenStore {
  /** Returns the token, or nothing before a login. Runs before each request. */
  get(): string | null | undefined | Promise<string | null | undefined>;
  /**
   * Saves a token.
   *
   * @param token The token. `null` removes it.
   */
  set(token: string | null): void | Promise<void>;
}

/** Throws if an argument is not a function. */
export function checkFunction(argument: string, value: unknown): void {
  if (typeof value === "function") return;
  throw new TypeError(`${argument} must be a function, received ${typeof value}`);
}

/** Throws if an option is neither a path nor a URL. */
export function checkPaths(paths: Readonly<Record<string, string>>): void {
  for (const name in paths) {
    const path = paths[name];
    if (!/^(https?:\/)?(\/[\w.~:-]+)+\/?$/.test(`${path}`)) {
      const kind = path && typeof path;
      throw new TypeError(`options.${name} must be a /path or URL, received ${kind}`);
    }
  }
}
