/**
 * The options of a session client.
 *
 * @module
 */

import type { PublicSession, SessionUser } from "../login/mod.ts";

/**
 * Options of {@link SessionClient}. Each path begins with a slash, or is a whole URL if the `Login` is on another origin:
 * `"https://api.site.example/session"`.
 *
 * @typeParam User The type of the user data.
 */
export interface SessionClientOptions<User = SessionUser> {
  /** The `sessionPath` of the `Login`. The other paths, and those of `fetch`, are on its origin. */
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
}
