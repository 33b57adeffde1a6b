/**
 * The page of somebody who is logged in: their name and their guilds.
 *
 * @module
 */

import { ApiError, type PartialGuildObj, User } from "@guildpass/sdk";
import type { Env } from "./env.ts";
import { wantsJson } from "./http.ts";
import { mePage } from "./pages.ts";
import { platformOf } from "./platform.ts";
import { loggedOut, problemResponse } from "./problems.ts";
import { endSession, readSession } from "./session.ts";

/** A page, or JSON for a program that asks for it. */
export async function showMe(request: Request, env: Env): Promise<Response> {
  const session = await readSession(request, env);
  if (!session) return problemResponse(request, loggedOut);
  const { user, accessToken } = session;
  const platform = platformOf(env);
  let guilds: PartialGuildObj[];
  try {
    guilds = await new User(accessToken, { platform }).getUserGuilds();
  } catch (error) {
    if (!(error instanceof ApiError && error.httpStatus === 401)) throw error;
    // The person may have removed the application from their account: the token will never work again.
    return problemResponse(request, loggedOut, { "set-cookie": await endSession(request, env) });
  }
  return wantsJson(request)
    ? Response.json({ user, guilds }, { headers: { vary: "accept" } })
    : mePage(user, guilds, platform.cdnUrl);
}
