/**
 * Finds the access token or the bot with which an API request was sent.
 *
 * @module
 */

import type { Application } from "../world/application.ts";
import { includesScope } from "../world/scopes.ts";
import type { User } from "../world/user.ts";
import type { AccessToken, World } from "../world/world.ts";
import type { Call } from "./call.ts";
import { readPathId } from "./parameters.ts";
import { apiError, statusError } from "./responses.ts";

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

/** The application of a request, and the person; `null` for a bot. */
export interface Requester {
  readonly application: Application;
  readonly user: User | null;
}

/**
 * Returns the application whose bot sends the request, or to which the access token was issued.
 *
 * @throws {Response} 401 without a valid token, or if the access token does not have the scope.
 */
export function requireApplication(call: Call, scope: string | null): Requester {
  const bot = findBot(call);
  if (bot !== null) return { application: bot, user: null };
  return requireBearer(call, scope).grant;
}

/**
 * Returns the application in the path, if the request is that of its bot or of an access token with the scope.
 *
 * @throws {Response} 401 as {@link requireApplication}, and 403 if the path names another application.
 */
export function requireApplicationInPath(call: Call, scope: string | null): Application {
  const { application } = requireApplication(call, scope);
  requireInPath(call, application);
  return application;
}

/** Throws 403 if the path names another application. */
export function requireInPath(call: Call, { id }: Application): void {
  if (readPathId(call, "application_id") !== id) throw apiError(403, 50001, "Missing Access");
}

/** Reads the credentials of an `Authorization` header with the given scheme. */
export function readCredentials(headers: Headers, scheme: string): string | null {
  const [given = "", value = null] = (headers.get("authorization") ?? "").split(" ", 2);
  return given.toLowerCase() === scheme.toLowerCase() ? value : null;
}
