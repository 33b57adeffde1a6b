/**
 * The API's endpoints about users and guilds.
 *
 * @module
 */

import { buildMember } from "./config.ts";
import { createInstantInvite, isSnowflake, permits } from "./facts.ts";
import type { Call, Routes } from "./http.ts";
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
} from "./http.ts";
import { partialGuild } from "./payloads/guild.ts";
import type { RoleConnectionPayload } from "./payloads/role_connection.ts";
import { userForOthers } from "./payloads/user.ts";
import type { AccessToken, Application, Guild, Member } from "./world.ts";
import { consentKey, counts, permissionsOf, visibleUser, wholeGuild } from "./world.ts";

export const apiRoutes: Routes = {
  "/users/@me": { GET: currentUser },
  "/users/@me/guilds": { GET: currentUserGuilds },
  "/users/@me/guilds/{guild_id}/member": { GET: currentMember },
  "/users/@me/connections": { GET: connections },
  "/users/@me/applications/{application_id}/role-connection": {
    GET: getRoleConnection,
    PUT: putRoleConnection,
    DELETE: deleteRoleConnection,
  },
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
  if (!permits(permissions, createInstantInvite)) {
    return apiError(403, 50013, "Missing Permissions");
  }
  const body = readJson(call);
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
      ...(typeof nick === "string" ? { nick } : {}),
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

function getRoleConnection(call: Call): Response {
  const key = roleConnectionKey(call);
  return json(call.world.roleConnections.get(key) ?? noRoleConnection);
}

function putRoleConnection(call: Call): Response {
  const key = roleConnectionKey(call);
  const { platform_name = null, platform_username = null, metadata = {} } = readJson(call);
  const connection: RoleConnectionPayload = {
    platform_name: platform_name === null ? null : readText("platform_name", platform_name, 50),
    platform_username: platform_username === null
      ? null
      : readText("platform_username", platform_username, 100),
    metadata: readMetadata(metadata),
  };
  call.world.roleConnections.set(key, connection);
  return json(connection);
}

function deleteRoleConnection(call: Call): Response {
  call.world.roleConnections.delete(roleConnectionKey(call));
  return new Response(null, { status: 204 });
}

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

function roleConnectionKey(call: Call): string {
  const { grant } = requireBearer(call, "role_connections.write");
  if (readParam(call, "application_id") !== grant.application.id) {
    throw new Refusal(apiError(403, 50001, "Missing Access"));
  }
  return consentKey(grant.application, grant.user);
}

function readParam(call: Call, name: string): string {
  const value = call.params[name];
  if (!isSnowflake(value)) {
    throw new Refusal(
      formError(name, "NUMBER_TYPE_COERCE", `Value "${value}" is not snowflake.`),
    );
  }
  return value;
}

function readSnowflake(query: URLSearchParams, name: string): bigint | null {
  const value = query.get(name);
  if (value === null) return null;
  if (isSnowflake(value)) return BigInt(value);
  throw new Refusal(formError(name, "NUMBER_TYPE_COERCE", `Value "${value}" is not snowflake.`));
}

function readLimit(value: string | null): number {
  if (value === null) return 200;
  if (!/^-?\d+$/.test(value)) {
    throw new Refusal(formError("limit", "NUMBER_TYPE_COERCE", `Value "${value}" is not int.`));
  }
  if (Number(value) < 1) {
    throw new Refusal(
      formError("limit", "NUMBER_TYPE_MIN", "int value should be greater than or equal to 1."),
    );
  }
  if (Number(value) > 200) {
    throw new Refusal(
      formError("limit", "NUMBER_TYPE_MAX", "int value should be less than or equal to 200."),
    );
  }
  return Number(value);
}

function readBoolean(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)?.toLowerCase();
  if (value === undefined || value === "false" || value === "0") return false;
  if (value === "true" || value === "1") return true;
  throw new Refusal(formError(name, "BOOLEAN_TYPE_CONVERT", "Must be either true or false."));
}

function readText(
  field: string | readonly string[],
  value: unknown,
  longest: number,
): string {
  if (typeof value !== "string") {
    throw new Refusal(
      formError(field, "STRING_TYPE_CONVERT", "Could not interpret value as string."),
    );
  }
  if (value.length > longest) {
    throw new Refusal(
      formError(field, "BASE_TYPE_MAX_LENGTH", `Must be ${longest} or fewer in length.`),
    );
  }
  return value;
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

function readMetadata(value: unknown): Record<string, string | number> {
  const entries = typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : null;
  if (entries === null) {
    throw new Refusal(formError("metadata", "DICT_TYPE_CONVERT", "Only dictionaries may be used."));
  }
  if (entries.length > 5) {
    throw new Refusal(
      formError("metadata", "BASE_TYPE_MAX_LENGTH", "Must be 5 or fewer in length."),
    );
  }
  // The platform answers every value as text.
  return Object.fromEntries(entries.map(([key, entry]) => {
    if (["string", "number", "boolean"].includes(typeof entry)) {
      return [key, readText(["metadata", key], String(entry), 100)];
    }
    throw new Refusal(
      formError(
        ["metadata", key],
        "STRING_TYPE_CONVERT",
        "Could not interpret value as string.",
      ),
    );
  }));
}

const noRoleConnection: RoleConnectionPayload = {
  platform_name: null,
  platform_username: null,
  metadata: {},
};
