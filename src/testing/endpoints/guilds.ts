/**
 * Serves the API endpoints for a guild and its members, for bots.
 *
 * @module
 */

import { findAccessToken, requireApplication, requireBot } from "../http/authentication.ts";
import type { Call, Routes } from "../http/call.ts";
import { readBoolean, readJson, readPathId, readText } from "../http/parameters.ts";
import { apiError, formError, json, requiredError } from "../http/responses.ts";
import { type Application, botUser } from "../world/application.ts";
import { channelObjects, type Guild, guildObject } from "../world/guild.ts";
import { buildMember, type Member } from "../world/member.ts";
import { memberFields } from "../world/payloads/member.ts";
import { publicUser } from "../world/payloads/user.ts";
import {
  createInstantInvite,
  deafenMembers,
  hasPermission,
  manageNicknames,
  manageRoles,
  muteMembers,
} from "../world/permissions.ts";
import { applyDefaults } from "../world/schema.ts";
import type { User } from "../world/user.ts";

export const guildRoutes: Routes = {
  "/guilds/{guild_id}": { GET: getGuild },
  "/guilds/{guild_id}/channels": { GET: getChannels },
  "/guilds/{guild_id}/members/{user_id}": { GET: getMember, PUT: addMember },
  "/guilds/{guild_id}/members/{user_id}/roles/{role_id}": { PUT: giveRole, DELETE: takeRole },
};

function getGuild(call: Call): Response {
  const guild = requireGuildOf(call, requireBot(call));
  const withCounts = readBoolean(call.url.searchParams, "with_counts");
  return json(guildObject(guild, call.apiVersion, withCounts));
}

/**
 * Lists the channels for a bot in the guild, and for a member with the Social SDK's scope. Discord's description does not name a scope, so
 * this check may be stricter.
 */
function getChannels(call: Call): Response {
  const { application, user } = requireApplication(call, "sdk.social_layer");
  const guild = requireGuild(call);
  const isInGuild = user === null
    ? guild.bots.has(application.id)
    : guild.members.has(user.payload.id);
  if (!isInGuild) throw unknownGuildError();
  return json(channelObjects(guild));
}

function getMember(call: Call): Response {
  const bot = requireBot(call);
  const guild = requireGuildOf(call, bot);
  const isOwn = readPathId(call, "user_id") === bot.id;
  return json(isOwn ? memberOfBot(guild, bot) : memberPayload(requireMember(call, guild)));
}

/** Returns the membership of a bot, whose managed role is its only one. */
function memberOfBot({ payload: { roles } }: Guild, bot: Application): Record<string, unknown> {
  const own = roles.filter(({ tags }) => tags?.bot_id === bot.id).map(({ id }) => id);
  return {
    ...applyDefaults(memberFields(), { roles: own }),
    user: publicUser(botUser(bot)),
  };
}

function giveRole(call: Call): Response {
  const { member, roleId, others } = requireGivenRole(call);
  return setRoles(call, member, [...others, roleId]);
}

function takeRole(call: Call): Response {
  const { member, others } = requireGivenRole(call);
  return setRoles(call, member, others);
}

function setRoles(call: Call, member: Member, roles: readonly string[]): Response {
  const payload = { ...member.payload, roles };
  requireGuild(call).members.set(member.user.payload.id, { ...member, payload });
  return new Response(null, { status: 204 });
}

/**
 * Returns the member and the role in the path, and the member's other roles.
 *
 * @throws {Response} If one of them is unknown, or the bot may not give this role: a bot gives only roles below its own highest role,
 * and none that an integration manages.
 */
function requireGivenRole(
  call: Call,
): { readonly member: Member; readonly roleId: string; readonly others: readonly string[] } {
  const bot = requireBot(call);
  const guild = requireGuildOf(call, bot);
  requireReason(call);
  const member = requireMember(call, guild);
  const roleId = readPathId(call, "role_id");
  const { roles, id } = guild.payload;
  const role = roles.find((one) => one.id === roleId);
  if (role === undefined) throw apiError(404, 10011, "Unknown Role");
  if (roleId === id) throw apiError(400, 50028, "Invalid Role");
  const mayGive = roles.some(({ tags, position, permissions }) =>
    tags?.bot_id === bot.id && position > role.position && hasPermission(permissions, manageRoles)
  );
  if (!mayGive || role.managed) throw apiError(403, 50013, "Missing Permissions");
  return { member, roleId, others: member.payload.roles.filter((one) => one !== roleId) };
}

/** Checks the text for the audit log, which is in percent encoding. A percent sign that does not begin an escape is kept. */
function requireReason({ headers }: Call): void {
  const reason = headers.get("x-audit-log-reason") ?? "";
  const text = new URLSearchParams(`reason=${reason.replaceAll(/[&+]/g, encodeURIComponent)}`);
  readText("reason", text.get("reason"), { max: 512 });
}

/** Returns the member in the path. */
function requireMember(call: Call, guild: Guild): Member {
  const member = guild.members.get(readPathId(call, "user_id"));
  if (member === undefined) throw apiError(404, 10007, "Unknown Member");
  return member;
}

function addMember(call: Call): Response {
  const bot = requireBot(call);
  const guild = requireGuild(call);
  const userId = readPathId(call, "user_id");
  const permissions = guild.bots.get(bot.id);
  if (permissions === undefined) throw unknownGuildError();
  const body = readJson(call);
  requirePermissions(permissions, body);
  const user = requireJoiningUser(call, bot, userId, body["access_token"]);
  if (guild.members.has(userId)) return new Response(null, { status: 204 });
  const { nick, roles, mute, deaf } = body;
  const member = buildMember(
    {
      ...(typeof nick === "string" ? { nick: readText("nick", nick, { max: 32 }) } : {}),
      ...(Array.isArray(roles) ? { roles: roles.map(readRole) } : {}),
      ...(typeof mute === "boolean" ? { mute } : {}),
      ...(typeof deaf === "boolean" ? { deaf } : {}),
      joined_at: new Date(call.world.now()).toISOString().replace("Z", "000+00:00"),
    },
    user,
    guild.payload,
  );
  guild.members.set(userId, member);
  return json(memberPayload(member), 201);
}

/** Checks that the bot may create invites, and may set the given fields of the new member. */
function requirePermissions(permissions: string, body: Readonly<Record<string, unknown>>): void {
  const needed = [
    createInstantInvite,
    ...Object.entries(fieldPermissions)
      .flatMap(([field, permission]) => body[field] == null ? [] : [permission]),
  ];
  if (!needed.every((permission) => hasPermission(permissions, permission))) {
    throw apiError(403, 50013, "Missing Permissions");
  }
}

/** The permission that a bot needs for each field of a new member. */
const fieldPermissions: Readonly<Record<string, bigint>> = {
  nick: manageNicknames,
  roles: manageRoles,
  mute: muteMembers,
  deaf: deafenMembers,
};

/** Returns the user if the access token belongs to the user and to this application, and has the scope to join guilds. */
function requireJoiningUser(
  call: Call,
  application: Application,
  userId: string,
  accessToken: unknown,
): User {
  if (typeof accessToken !== "string") throw requiredError("access_token");
  const token = findAccessToken(call.world, accessToken);
  if (token?.grant.application !== application || token.grant.user.payload.id !== userId) {
    throw apiError(403, 50025, "Invalid OAuth2 access token");
  }
  if (!token.grant.scopes.includes("guilds.join")) {
    throw apiError(403, 50026, "Missing required OAuth2 scope");
  }
  return token.grant.user;
}

function readRole(value: unknown, index: number): string {
  if (typeof value === "string" || typeof value === "number") return String(value);
  const message = `Value of ${typeof value} is not snowflake.`;
  throw formError(["roles", String(index)], "NUMBER_TYPE_COERCE", message);
}

/** Returns the member object of the API. */
export function memberPayload(member: Member): Record<string, unknown> {
  return { ...member.payload, user: publicUser(member.user.payload) };
}

/**
 * Returns the guild in the path.
 *
 * @throws {Response} 404 if the guild is unknown.
 */
export function requireGuild(call: Call): Guild {
  const guild = call.world.guilds.get(readPathId(call, "guild_id"));
  if (guild === undefined) throw unknownGuildError();
  return guild;
}

/**
 * Returns the guild in the path if the bot is a member.
 *
 * @throws {Response} 404 if the bot is not in the guild.
 */
export function requireGuildOf(call: Call, bot: Application): Guild {
  const guild = requireGuild(call);
  if (!guild.bots.has(bot.id)) throw unknownGuildError();
  return guild;
}

export function unknownGuildError(): Response {
  return apiError(404, 10004, "Unknown Guild");
}
