/**
 * The user data of a session.
 *
 * @module
 */

import type { SessionUser } from "../base/session.ts";

/** Returns the user data that a session stores, and that pages may read, without functions of the application. */
export function defaultUserData(
  { id, username, global_name, avatar, avatar_url }: SessionUser,
): SessionUser {
  return { id, username, global_name, avatar, avatar_url };
}
