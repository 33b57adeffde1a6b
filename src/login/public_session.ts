/**
 * The public part of a session: the JSON that pages get at `sessionPath`.
 *
 * @module
 */

import type { LoginParts } from "./callback/login_parts.ts";
import { errorJson } from "./pages/error_response.ts";
import { checkJson } from "./base/json_value.ts";
import { LoginError } from "./base/login_error.ts";
import type { CheckedLoginOptions } from "./site/checked_options.ts";
import type { Session, SessionUser } from "./base/session.ts";
import { defaultUserData } from "./sessions/session_user.ts";
import { siteAddressOf } from "./site/site_address.ts";

/**
 * The part of a session that pages may read.
 *
 * @typeParam PublicUser The type of the public user data.
 */
export interface PublicSession<PublicUser = SessionUser> {
  /** The user data that `publicUser` returned. */
  readonly user: PublicUser;
  /** The scopes that the user has granted. */
  readonly scopes: readonly string[];
  /** The latest possible end of the session, in milliseconds since the epoch. */
  readonly endsAt: number;
}

/** The part of a session from which the public part is made. */
type SessionData = Pick<Session<unknown>, "user" | "scopes" | "endsAt">;

/**
 * Returns the public part of a session, or `null` for `null`.
 *
 * @throws {TypeError} If `publicUser` returns something other than a JSON value.
 */
export async function publicSessionOf(
  { publicUser }: CheckedLoginOptions,
  session: SessionData | null,
): Promise<PublicSession<unknown> | null> {
  if (session === null) return null;
  const { user, scopes, endsAt } = session;
  // `update` may have added data that is not public.
  const value: unknown = publicUser ? await publicUser(user) : defaultUserData(Object(user));
  checkJson("publicUser must return", value);
  return { user: JSON.parse(JSON.stringify(value)), scopes, endsAt };
}

/**
 * Returns the public session of a request as JSON: `null` without a session. Does not prolong the session. An error is JSON too, because a
 * script reads the response. If the store fails, the response is a 503, so that the page does not show a logged-out visitor.
 */
export async function publicSessionResponse(
  { options, sessions }: LoginParts,
  request: Request,
): Promise<Response> {
  const fail = (error: unknown, status: number) =>
    errorJson(options, error, request, publicHeaders(options), { status });
  let session: SessionData | null;
  try {
    const site = siteAddressOf(request, options);
    session = (await sessions.find({ request, site }, false))?.session?.content ?? null;
  } catch (error) {
    return await fail(error, error instanceof LoginError ? 500 : 503);
  }
  try {
    return Response.json(await publicSessionOf(options, session), {
      headers: publicHeaders(options),
    });
  } catch (error) {
    return await fail(error, 500);
  }
}

/** Returns headers that keep the response out of caches and out of the pages of other sites. */
export function publicHeaders({ frontends, appPath }: CheckedLoginOptions): Headers {
  return new Headers({
    "cache-control": "no-store",
    "cross-origin-resource-policy": frontends.length > 0 ? "same-site" : "same-origin",
    vary: appPath === null ? "cookie" : "cookie, authorization",
    "x-content-type-options": "nosniff",
  });
}
