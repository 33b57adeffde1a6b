/**
 * Lets the application decide about the session of a confirmed login.
 *
 * @module
 */

import type { Scope } from "../../links/scopes.ts";
import type { ConfirmedLogin } from "../base/options.ts";
import { sessionOf } from "../sessions/open_session.ts";
import type { SessionState } from "../sessions/session_storage.ts";
import { defaultUserData, jsonFrom } from "../sessions/session_user.ts";
import { pageOfSite } from "../site/page_after_login.ts";
import type { Callback } from "./callback.ts";
import type { LoginParts } from "./login_parts.ts";

/** The argument of the application's functions. */
type Confirmed = ConfirmedLogin<Scope>;

/** The platform's parts of a confirmed login. */
export type Confirmation = Pick<Confirmed, "user" | "token" | "guildId" | "permissions">;

/** Returns the argument of the application's functions. */
export function confirmedLogin(
  { clients }: LoginParts,
  { request, pending: { data } }: Callback,
  login: Confirmation,
  previous: SessionState | null,
): Confirmed {
  const { user, token } = login;
  // Data of another person's session must not get into the new session.
  const session = previous?.userId === user.id ? previous.sessionForLogin : null;
  return {
    ...login,
    data,
    request,
    // The token has this type in both kinds of sessions.
    session: session && sessionOf(session, clients) as Confirmed["session"],
    api: clients.user(token, user.id),
  };
}

/** Returns the response of `onLogin` in place of a session, or `null`. */
export async function refusalOf(
  { options: { onLogin } }: LoginParts,
  confirmed: Confirmed,
): Promise<Response | null> {
  const response = await onLogin?.(confirmed) ?? null;
  // In JavaScript, an arrow function may return the result of its last call, such as the number of `endAll`.
  return typeof response === "object" ? response : null;
}

/**
 * Returns the user data of the session.
 *
 * @throws {TypeError} If `sessionUser` returns something other than a JSON value.
 */
export async function userDataOf(
  { options: { sessionUser } }: LoginParts,
  confirmed: Confirmed,
): Promise<unknown> {
  if (!sessionUser) return defaultUserData(confirmed.user);
  const value: unknown = await sessionUser(confirmed.user, confirmed);
  jsonFrom("sessionUser", value);
  return value;
}

/**
 * Returns the page after the login if the option `afterLogin` is a function. A renewal returns to its own page: the person does not notice
 * it.
 *
 * @throws {TypeError} If `afterLogin` returns something other than a path or a URL.
 */
export async function decidedPage(
  { options }: LoginParts,
  { site, pending: { purpose, returnTo } }: Callback,
  confirmed: Confirmed,
): Promise<string | undefined> {
  if (purpose.kind === "renewal" || typeof options.afterLogin !== "function") return undefined;
  const page: unknown = await options.afterLogin({ ...confirmed, returnTo });
  if (typeof page === "string" || page instanceof URL) {
    return pageOfSite(page, site, options) ?? "/";
  }
  throw new TypeError(
    `afterLogin must return a path or a URL, received ${
      page === null ? page : typeof page
    }; for a Response in place of a session, use onLogin`,
  );
}
