/**
 * Finds the access token or the bot with which an API request was sent.
 *
 * @module
 */

import type { Application } from "../world/application.ts";
import { includesScope } from "../world/scopes.ts";
import type { AccessToken, World } from "../world/world.ts";
import type { Call } from "./call.ts";
import { statusError } from "./responses.ts";

/**
 * Returns the valid access token of a request.
 *
 * @param scope The required scope, granted directly or through an including scope; `null` accepts every token.
 * @throws {Response} 401 if the token is missing or invalid, or does not have the scope.
 */
export function requireBearer(call: Call, scope: string | null): AccessToken {
  const token = findAccessToken(call.world, readCredentials(call.headers, "Bearer"));
  if (token === null || (scope !== null && !includesScope(token.grant.scopes, scope))) {
    throw statusError(401);
  }
  return token;
}

/** Returns the access token, or `null` if it is unknown, revoked or expired. */
export function findAccessToken(world: World, value: string | null): AccessToken | null {
  const token = value === null ? undefined : world.accessTokens.get(value);
  if (token === undefined || token.grant.revoked || token.expiresAt <= world.now()) return null;
  return token;
}

/** Returns the application of the requesting bot, or `null` without a valid bot token. */
export function findBot(call: Call): Application | null {
  const token = readCredentials(call.headers, "Bot");
  if (token === null) return null;
  return [...call.world.applications.values()].find(({ botToken }) => botToken === token) ?? null;
}

/**
 * Returns the application of the requesting bot.
 *
 * @throws {Response} 401 without a valid bot token.
 */
export function requireBot(call: Call): Application {
  const application = findBot(call);
  if (application === null) throw statusError(401);
  return application;
}

/** Reads the credentials of an `Authorization` header with the given scheme. */
export function readCredentials(headers: Headers, scheme: string): string | null {
  const [given = "", value = null] = (headers.get("authorization") ?? "").split(" ", 2);
  return given.toLowerCase() === scheme.toLowerCase() ? value : null;
}
