/**
 * Carries out a user's decision on an authorize request.
 *
 * @module
 */

import type { Application } from "../world/application.ts";
import { addBot, type Guild } from "../world/guild.ts";
import { hasPermission, manageGuild, manageWebhooks } from "../world/permissions.ts";
import { approvalScopes, installScopes } from "../world/scopes.ts";
import { issueAccessToken, newGrant, randomToken } from "../world/tokens.ts";
import type { User } from "../world/user.ts";
import { applicationUserKey, type Grant, type World } from "../world/world.ts";
import {
  type AuthorizeRequest,
  type AuthorizeResult,
  errorResult,
  invalidScope,
  redirectToApplication,
} from "./authorize_request.ts";

/** A user's choices on the consent page. */
export interface Consent {
  readonly user: User;
  /** The id of the chosen guild; `null` for the guild of the request, or else the first possible guild. */
  readonly guildId: string | null;
  /** The granted permissions of the bot; `null` for the requested permissions. */
  readonly permissions: string | null;
}

/** Grants the request: adds the bot, stores the consent, and issues the code or the token. */
export function grantRequest(
  world: World,
  request: AuthorizeRequest,
  consent: Consent,
): AuthorizeResult {
  const { application, scopes, redirectUri, needsGuild } = request;
  const { user } = consent;
  // The consent page looks normal, but its button fails.
  if (needsApproval(application, scopes)) return errorResult(world, request, invalidScope);
  const guildId = consent.guildId ?? request.guildId;
  const permissions = consent.permissions ?? request.permissions;
  const guild = needsGuild ? chooseGuild(world, request, user, guildId) : null;
  if (needsGuild && guild === null) {
    if (request.guildFixed && guildId !== request.guildId) {
      const only = `the URL allows only the guild ${request.guildId} (disable_guild_select)`;
      return { kind: "page", message: `${only}, received ${guildId}` };
    }
    const place = guildId === null ? "any guild" : `the guild ${guildId}`;
    const message = `${user.payload.username} may not add ${application.name} to ${place}`;
    return { kind: "page", message };
  }
  const bot = guild !== null && scopes.includes("bot") ? { guild, permissions } : null;
  if (bot !== null) addBot(bot.guild, application, permissions);
  rememberConsent(world, application, user, scopes);
  if (redirectUri === null) {
    return { kind: "redirect", location: `${world.origin}/oauth2/authorized` };
  }
  const grant = newGrant(application, user, scopes);
  const fields: Record<string, string> = request.implicit
    ? { ...issueAccessToken(world, grant), expires_in: String(world.tokenLifetimeSeconds) }
    : {
      code: issueCode(world, request, redirectUri, grant, guild),
      ...(bot === null ? {} : { guild_id: bot.guild.payload.id, permissions }),
    };
  return redirectToApplication(world, redirectUri, request, fields);
}

/** Refuses the request. The application gets the error only if the URL has a `redirect_uri`. */
export function denyRequest(world: World, request: AuthorizeRequest): AuthorizeResult {
  if (request.redirectUri === null) return { kind: "page", message: "Nothing was added" };
  if (!request.redirectUriGiven) {
    return { kind: "page", message: "The application was not authorized" };
  }
  return redirectToApplication(world, request.redirectUri, request, {
    error: "access_denied",
    error_description: "The resource owner or authorization server denied the request",
  });
}

/** Returns true if the application does not have the platform's approval for all of the scopes. */
export function needsApproval(application: Application, scopes: readonly string[]): boolean {
  return scopes.some((scope) =>
    approvalScopes.includes(scope) && !application.approvedScopes.includes(scope)
  );
}

/** Returns the guilds that the user can choose for a request. */
export function choosableGuilds(world: World, request: AuthorizeRequest, user: User): Guild[] {
  const needed = [
    ...request.scopes.includes("webhook.incoming") ? [manageWebhooks] : [],
    ...request.scopes.some((scope) => installScopes.includes(scope)) ? [manageGuild] : [],
  ];
  return [...world.guilds.values()].filter((guild) => {
    const member = guild.members.get(user.payload.id);
    if (member === undefined) return false;
    if (request.guildFixed && guild.payload.id !== request.guildId) return false;
    return member.owner ||
      needed.every((permission) => hasPermission(member.permissions, permission));
  });
}

/** Returns true if the user has granted the application all of these scopes before. */
export function hasConsented(world: World, request: AuthorizeRequest, user: User): boolean {
  const granted = world.grantedScopes.get(applicationUserKey(request.application, user));
  return granted !== undefined && !request.needsGuild &&
    request.scopes.every((scope) => granted.has(scope));
}

/** Stores the scopes that a user has granted to an application. */
export function rememberConsent(
  world: World,
  application: Application,
  user: User,
  scopes: readonly string[],
): void {
  const key = applicationUserKey(application, user);
  world.grantedScopes.set(key, new Set([...world.grantedScopes.get(key) ?? [], ...scopes]));
}

function chooseGuild(
  world: World,
  request: AuthorizeRequest,
  user: User,
  guildId: string | null,
): Guild | null {
  const guilds = choosableGuilds(world, request, user);
  return guilds.find(({ payload }) => guildId === null || payload.id === guildId) ?? null;
}

function issueCode(
  world: World,
  { redirectUriGiven, challenge, nonce, channelId }: AuthorizeRequest,
  redirectUri: string,
  grant: Grant,
  guild: Guild | null,
): string {
  const code = randomToken("code");
  const issuedAt = world.now();
  world.codes.set(code, {
    grant,
    redirectUri,
    redirectUriWasSent: redirectUriGiven,
    codeChallenge: challenge,
    nonce,
    guild,
    channelId,
    issuedAt,
    expiresAt: issuedAt + world.codeLifetimeSeconds * 1000,
    used: false,
  });
  return code;
}
