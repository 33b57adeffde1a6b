/**
 * The user data of a session: the default, and the check of the values that the application's functions return.
 *
 * @module
 */

import { checkJson } from "../base/json_value.ts";
import type { SessionUser } from "../base/session.ts";

/** Returns the user data that a session stores, and that pages may read, without functions of the application. */
export function defaultUserData(
  { id, username, global_name, avatar, avatar_url }: SessionUser,
): SessionUser {
  return { id, username, global_name, avatar, avatar_url };
}

/**
 * Returns the JSON of a value.
 *
 * @param name The function of the application that returned the value.
 * @throws {TypeError} If the value is not a JSON value.
 */
export function jsonFrom(name: string, value: unknown): string {
  checkJson(`${name} must return`, value);
  return JSON.stringify(value);
}
