/**
 * The API's endpoints about users and guilds.
 *
 * @module
 */

import { readBoolean, readLimit, readParam, readSnowflake, readText } from "../http/parameters.ts";
import type { Call, Routes } from "../http/responses.ts";
import {
  apiError,
  findBot,
  findToken,
  formError,
  json,
  readJson,
  Refusal,
  requireBearer,
  requireBot,
} from "../http/responses.ts";
import type { Application } from "../world/application.ts";
import type { Guild } from "../world/guild.ts";
import { counts, permissionsOf, removeBot, wholeGuild } from "../world/guild.ts";
import { buildMember, type Member } from "../world/member.ts";
import { partialGuild } from "../world/payloads/guild.ts";
import { userForOthers } from "../world/payloads/user.ts";
import {
  createInstantInvite,
  deafenMembers,
  manageNicknames,
  manageRoles,
  muteMembers,
  permits,
} from "../world/permissions.ts";
import { visibleUser } from "../world/user.ts";
import type { AccessToken } from "../world/world.ts";

export const apiRoutes: Routes = {
  "/users/@me": { GET: currentUser },
  "/users/@me/guilds": { GET: currentUserGuilds },
  "/users/@me/guilds/{guild_id}": { DELETE: leaveGuild },
  "/users/@me/guilds/{guild_id}/member": { GET: currentMember },
  "/users/@me/connections": { GET: connections },
  "/guilds/{guild_id}": { GET: guild },
  "/guilds/{guild_id}/members/{user_id}": { PUT: addMember },
};

function currentUser(call: Call): Response {
  const bot = findBot(call);
  if (bot !== null) return json(botUser(bot));
  const { grant, scopes } = requireBearer(call, "identify");
  return json(visibleUser(grant.user, scopes));
}

function currentUserGuilds(call: Call): Response {
  const bot = findBot(call);
  const entries = bot === null
    ? userEntries(call, requireBearer(call, "guilds"))
    : botEntries(call, bot);
  const limit = readLimit(call.url.searchParams.get("limit"));
  const before = readSnowflake(call.url.searchParams, "before");
  const after = readSnowflake(call.url.searchParams, "after");
  const withCounts = readBoolean(call.url.searchParams, "with_counts");
  const range = entries
    .filter(({ guild }) => {
      const id = BigInt(guild.payload.id);
      return (before === null || id < before) && (after === null || id > after);
    })
    .sort((a, b) => BigInt(a.guild.payload.id) < BigInt(b.guild.payload.id) ? -1 : 1);
  // Going backwards, a page is what lies next to `before`, not the beginning of the list.
  const page = before !== null && after === null ? range.slice(-limit) : range.slice(0, limit);
  return json(page.map(({ guild, owner, permissions }) => ({
    ...partialGuild(guild.payload, owner, permissions),
    ...permissionsOf(permissions, call.apiVersion),
    ...(withCounts ? counts(guild) : {}),
    ...guild.extra,
  })));
}

function leaveGuild(call: Call): Response {
  const bot = requireBot(call);
  const found = findGuild(call);
  if (!found.bots.has(bot.id)) return unknownGuild();
  removeBot(found, bot);
  return new Response(null, { status: 204 });
}

function currentMember(call: Call): Response {
  const { grant } = requireBearer(call, "guilds.members.read");
  const found = findGuild(call);
  const member = found.members.get(grant.user.payload.id);
  if (member === undefined) throw new Refusal(unknownGuild());
  return json(memberPayload(member));
}

function connections(call: Call): Response {
  return json(requireBearer(call, "connections").grant.user.connections);
}

function guild(call: Call): Response {
  const bot = requireBot(call);
  const found = findGuild(call);
  if (!found.bots.has(bot.id)) return unknownGuild();
  const withCounts = readBoolean(call.url.searchParams, "with_counts");
  return json(wholeGuild(found, call.apiVersion, withCounts));
}

function addMember(call: Call): Response {
  const bot = requireBot(call);
  const found = findGuild(call);
  const userId = readParam(call, "user_id");
  const permissions = found.bots.get(bot.id);
  if (permissions === undefined) return unknownGuild();
  const body = readJson(call);
  const needed = [
    createInstantInvite,
    ...Object.entries(memberPermissions)
      .flatMap(([field, permission]) => body[field] == null ? [] : [permission]),
  ];
  if (!needed.every((permission) => permits(permissions, permission))) {
    return apiError(403, 50013, "Missing Permissions");
  }
  const value = body["access_token"];
  if (typeof value !== "string") {
    return formError("access_token", "BASE_TYPE_REQUIRED", "This field is required");
  }
  const token = findToken(call.world, value);
  if (token === null || token.grant.application !== bot || token.grant.user.payload.id !== userId) {
    return apiError(403, 50025, "Invalid OAuth2 access token");
  }
  if (!token.scopes.includes("guilds.join")) {
    return apiError(403, 50026, "Missing required OAuth2 scope");
  }
  if (found.members.has(userId)) return new Response(null, { status: 204 });
  const { nick, roles, mute, deaf } = body;
  const member = buildMember(
    {
      ...(typeof nick === "string" ? { nick: readText("nick", nick, { longest: 32 }) } : {}),
      ...(Array.isArray(roles) ? { roles: roles.map(readRole) } : {}),
      ...(typeof mute === "boolean" ? { mute } : {}),
      ...(typeof deaf === "boolean" ? { deaf } : {}),
      joined_at: new Date(call.world.now()).toISOString().replace("Z", "000+00:00"),
    },
    token.grant.user,
    found.payload,
  );
  found.members.set(userId, member);
  return json(memberPayload(member), 201);
}

/** What a bot needs besides the right to invite, by the field of a new member. */
const memberPermissions: Readonly<Record<string, bigint>> = {
  nick: manageNicknames,
  roles: manageRoles,
  mute: muteMembers,
  deaf: deafenMembers,
};

interface Entry {
  readonly guild: Guild;
  readonly owner: boolean;
  readonly permissions: string;
}

function userEntries(call: Call, { grant }: AccessToken): Entry[] {
  return [...call.world.guilds.values()].flatMap((guild) => {
    const member = guild.members.get(grant.user.payload.id);
    return member === undefined
      ? []
      : [{ guild, owner: member.owner, permissions: member.permissions }];
  });
}

function botEntries(call: Call, bot: Application): Entry[] {
  return [...call.world.guilds.values()].flatMap((guild) => {
    const permissions = guild.bots.get(bot.id);
    return permissions === undefined ? [] : [{ guild, owner: false, permissions }];
  });
}

function memberPayload(member: Member): Record<string, unknown> {
  return { ...member.payload, user: userForOthers(member.user.payload) };
}

function botUser(application: Application): Record<string, unknown> {
  return {
    id: application.id,
    username: application.name,
    avatar: application.icon,
    discriminator: "0001",
    public_flags: 0,
    flags: 0,
    bot: true,
    banner: null,
    accent_color: null,
    global_name: null,
    avatar_decoration_data: null,
    collectibles: null,
    primary_guild: null,
    mfa_enabled: true,
    locale: "en-US",
    premium_type: 0,
    email: null,
    verified: true,
  };
}

function findGuild(call: Call): Guild {
  const found = call.world.guilds.get(readParam(call, "guild_id"));
  if (found === undefined) throw new Refusal(unknownGuild());
  return found;
}

function unknownGuild(): Response {
  return apiError(404, 10004, "Unknown Guild");
}

function readRole(value: unknown, at: number): string {
  if (typeof value === "string" || typeof value === "number") return String(value);
  throw new Refusal(
    formError(
      ["roles", String(at)],
      "NUMBER_TYPE_COERCE",
      `Value of ${typeof value} is not snowflake.`,
    ),
  );
}
