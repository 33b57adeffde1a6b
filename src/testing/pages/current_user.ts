/**
 * Finds the user who is logged in on the platform's pages, and keeps the user logged in.
 *
 * @module
 */

import type { Call } from "../http/call.ts";
import type { User } from "../world/user.ts";
import { errorPage } from "./page.ts";

const cookieName = "fake_platform_user";

/**
 * Returns the user chosen on the page, or else the logged-in user, or else the first user.
 *
 * @returns `undefined` if the choice is not a user.
 */
export function findCurrentUser({ world, url, headers }: Call): User | undefined {
  const { users } = world;
  const chosen = url.searchParams.get("as");
  if (chosen !== null) return users.get(chosen);
  const cookies = headers.get("cookie") ?? "";
  const [, loggedIn = ""] = new RegExp(`(?:^|; )${cookieName}=(\\d+)`).exec(cookies) ?? [];
  return users.get(loggedIn) ?? users.values().next().value;
}

/** Returns the `Set-Cookie` header that signs a user in, so that `prompt=none` applies to this user. */
export function signInHeader({ payload }: User): string {
  return `${cookieName}=${payload.id}; Path=/oauth2/authorize; HttpOnly; SameSite=Lax`;
}

export function unknownUserPage(): Response {
  return errorPage("This user doesn't exist on the fake platform.", 400);
}
