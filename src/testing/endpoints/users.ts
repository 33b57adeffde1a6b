/**
 * Serves the API endpoints for the current user: the owner of the access token, or the bot.
 *
 * @module
 */

import { findBot, requireBearer, requireBot } from "../http/authentication.ts";
import type { Call, Routes } from "../http/call.ts";
import { readBoolean, readLimit, readQueryId } from "../http/parameters.ts";
import { json } from "../http/responses.ts";
import { type Application, botUser } from "../world/application.ts";
import { approximateCounts, type Guild, permissionFields, removeBot } from "../world/guild.ts";
import { partialGuild } from "../world/payloads/guild.ts";
import { type User, userObject } from "../world/user.ts";
import type { World } from "../world/world.ts";
import { memberPayload, requireGuild, requireGuildOf, unknownGuildError } from "./guilds.ts";

export const userRoutes: Routes = {
  "/users/@me": { GET: currentUser },
  "/users/@me/connections": { GET: currentUserConnections },
  "/users/@me/guilds": { GET: currentUserGuilds },
  "/users/@me/guilds/{guild_id}": { DELETE: leaveGuild },
  "/users/@me/guilds/{guild_id}/member": { GET: currentUserMember },
};

function currentUser(call: Call): Response {
  const bot = findBot(call);
  if (bot !== null) return json(botUser(bot));
  const { user, scopes } = requireBearer(call, "identify").grant;
  return json(userObject(user, scopes));
}

function currentUserConnections(call: Call): Response {
  return json(requireBearer(call, "connections").grant.user.connections);
}

function currentUserGuilds(call: Call): Response {
  const { memberships, mayCount } = readMemberships(call);
  const { searchParams } = call.url;
  const limit = readLimit(searchParams);
  const before = readQueryId(searchParams, "before");
  const after = readQueryId(searchParams, "after");
  const withCounts = readBoolean(searchParams, "with_counts") && mayCount;
  const range = memberships
    .map((membership) => ({ ...membership, id: BigInt(membership.guild.payload.id) }))
    // With `before`, the platform ignores `after`.
    .filter(({ id }) => before === null ? after === null || id > after : id < before)
    .sort((a, b) => a.id < b.id ? -1 : 1);
  // With `before`, the page contains the last guilds before this id.
  const page = before === null ? range.slice(0, limit) : range.slice(-limit);
  return json(page.map(({ guild, owner, permissions }) => ({
    ...partialGuild(guild.payload, owner, permissions),
    ...permissionFields(permissions, call.apiVersion),
    ...(withCounts ? approximateCounts(guild) : {}),
    ...guild.extra,
  })));
}

function leaveGuild(call: Call): Response {
  const bot = requireBot(call);
  removeBot(requireGuildOf(call, bot), bot);
  return new Response(null, { status: 204 });
}

function currentUserMember(call: Call): Response {
  const { grant } = requireBearer(call, "guilds.members.read");
  const member = requireGuild(call).members.get(grant.user.payload.id);
  if (member === undefined) throw unknownGuildError();
  return json(memberPayload(member));
}

interface Membership {
  readonly guild: Guild;
  readonly owner: boolean;
  readonly permissions: string;
}

/** Returns the guilds of the current user or bot. With a user's token, the counts need an additional scope. */
function readMemberships(call: Call): { memberships: Membership[]; mayCount: boolean } {
  const bot = findBot(call);
  if (bot !== null) return { memberships: membershipsOfBot(call.world, bot), mayCount: true };
  const { user, scopes } = requireBearer(call, "guilds").grant;
  return {
    memberships: membershipsOfUser(call.world, user),
    mayCount: scopes.includes("guilds.members.read"),
  };
}

function membershipsOfUser({ guilds }: World, { payload: { id } }: User): Membership[] {
  return [...guilds.values()].flatMap((guild) => {
    const member = guild.members.get(id);
    if (member === undefined) return [];
    return [{ guild, owner: member.owner, permissions: member.permissions }];
  });
}

function membershipsOfBot({ guilds }: World, bot: Application): Membership[] {
  return [...guilds.values()].flatMap((guild) => {
    const permissions = guild.bots.get(bot.id);
    return permissions === undefined ? [] : [{ guild, owner: false, permissions }];
  });
}
