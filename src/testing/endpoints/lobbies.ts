/**
 * Serves the API endpoints for lobbies of the Social SDK, which a game's server and its players share.
 *
 * @module
 */

import { requireBearer, requireBot } from "../http/authentication.ts";
import type { Call, Routes } from "../http/call.ts";
import { readDictionary, readJson, readLimit, readPathId, readText } from "../http/parameters.ts";
import { apiError, formError, json } from "../http/responses.ts";
import type { Application } from "../world/application.ts";
import { findChannel } from "../world/guild.ts";
import { publicUser } from "../world/payloads/user.ts";
import { hasPermission, manageChannels } from "../world/permissions.ts";
import { newSnowflake } from "../world/snowflake.ts";
import { randomToken } from "../world/tokens.ts";
import type { Lobby } from "../world/world.ts";

export const lobbyRoutes: Routes = {
  "/lobbies": { POST: createLobby, PUT: createOrJoinLobby },
  "/lobbies/{lobby_id}/channel-linking": { PATCH: linkChannel },
  "/lobbies/{lobby_id}/members/@me": { DELETE: leaveLobby },
  "/lobbies/{lobby_id}/members/@me/invites": { POST: createInvite },
  "/lobbies/{lobby_id}/messages": { GET: listMessages, POST: sendMessage },
};

const scope = "sdk.social_layer";

/** The flag of a member who may link a channel. */
const canLinkLobby = 1;

/** Creates a lobby for a bot. */
function createLobby(call: Call): Response {
  const application = requireBot(call);
  const { metadata, members = [] } = readJson(call);
  if (!Array.isArray(members)) {
    throw formError("members", "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType.");
  }
  const lobby = newLobby(call, application, null);
  lobby.metadata = readMetadata("metadata", metadata) ?? null;
  for (const { id, metadata, flags = 0 } of members.map(Object)) {
    lobby.members.set(String(id), {
      metadata: readMetadata("members", metadata) ?? null,
      flags: Number(flags),
    });
  }
  return json(lobbyObject(lobby), 201);
}

/** Creates a lobby with a secret, or lets the person join the one with this secret. */
function createOrJoinLobby(call: Call): Response {
  const { application, user } = requireBearer(call, scope).grant;
  const body = readJson(call);
  const secret = readText("secret", body["secret"], { min: 1, max: 250 });
  readIdleTimeout(body["idle_timeout_seconds"]);
  const lobbyMetadata = readMetadata("lobby_metadata", body["lobby_metadata"]);
  const metadata = readMetadata("member_metadata", body["member_metadata"]) ?? null;
  const lobby =
    [...call.world.lobbies.values()].find((other) =>
      other.application === application && other.secret === secret
    ) ?? newLobby(call, application, secret);
  if (lobbyMetadata !== undefined) lobby.metadata = lobbyMetadata;
  lobby.members.set(user.payload.id, { metadata, flags: 0 });
  return json(lobbyObject(lobby));
}

/** Links a channel to a lobby, or removes the link. A lobby that was made with a secret can't be linked. */
function linkChannel(call: Call): Response {
  const { lobby, member, userId } = requireMembership(call, null);
  if (lobby.secret !== null || (member.flags & canLinkLobby) === 0) {
    throw apiError(403, 50013, "Missing Permissions");
  }
  const { channel_id: channelId } = readJson(call);
  if (channelId === undefined || channelId === null) {
    lobby.linkedChannel = null;
    return json(lobbyObject(lobby));
  }
  const found = findChannel(call.world.guilds, String(channelId));
  if (found === null) throw apiError(404, 10003, "Unknown Channel");
  const permissions = found.guild.members.get(userId)?.permissions ?? "0";
  if (!hasPermission(permissions, manageChannels)) {
    throw apiError(403, 50013, "Missing Permissions");
  }
  lobby.linkedChannel = found.channel;
  return json(lobbyObject(lobby));
}

/** Removes the person from the lobby, also if they are not a member. */
function leaveLobby(call: Call): Response {
  const { application, user } = requireBearer(call, null).grant;
  requireLobby(call, application).members.delete(user.payload.id);
  return new Response(null, { status: 204 });
}

function createInvite(call: Call): Response {
  const { lobby } = requireMembership(call, scope);
  if (lobby.linkedChannel === null) throw apiError(404, 10003, "Unknown Channel");
  return json({ code: randomToken("invite").slice(-10) });
}

function listMessages(call: Call): Response {
  const { lobby } = requireMembership(call, scope);
  const limit = readLimit(call.url.searchParams, { defaultLimit: 50 });
  return json(lobby.messages.slice(-limit).reverse());
}

function sendMessage(call: Call): Response {
  const { lobby, application, user } = requireMembership(call, scope);
  const { content, metadata, flags = 0 } = readJson(call);
  const lobbyMetadata = readMetadata("metadata", metadata);
  const message = {
    id: newSnowflake(call.world),
    type: 0,
    content: readText("content", content, { min: 1, max: 4000 }),
    lobby_id: lobby.id,
    channel_id: lobby.id,
    author: publicUser(user.payload),
    flags,
    application_id: application.id,
  };
  lobby.messages.push(message);
  return json(
    { ...message, ...(lobbyMetadata !== undefined && { metadata: lobbyMetadata }) },
    201,
  );
}

function newLobby(call: Call, application: Application, secret: string | null): Lobby {
  const lobby: Lobby = {
    id: newSnowflake(call.world),
    application,
    secret,
    metadata: null,
    members: new Map(),
    messages: [],
    linkedChannel: null,
  };
  call.world.lobbies.set(lobby.id, lobby);
  return lobby;
}

function requireLobby(call: Call, application: Application): Lobby {
  const lobby = call.world.lobbies.get(readPathId(call, "lobby_id"));
  if (lobby?.application !== application) throw apiError(404, 10031, "Unknown Lobby");
  return lobby;
}

/** Returns the lobby in the path, with the person, who must be a member. */
function requireMembership(call: Call, neededScope: string | null) {
  const { application, user } = requireBearer(call, neededScope).grant;
  const lobby = requireLobby(call, application);
  const userId = user.payload.id;
  const member = lobby.members.get(userId);
  if (member === undefined) throw apiError(403, 50001, "Missing Access");
  return { lobby, application, user, userId, member };
}

/** Reads metadata; `undefined` without metadata in the body. */
function readMetadata(
  field: string,
  value: unknown,
): Readonly<Record<string, string>> | null | undefined {
  if (value === undefined || value === null) return value;
  const entries = readDictionary(field, value).map(([key, text]) =>
    [key, readText([field, key], text, { max: 1000 })] as const
  );
  return Object.fromEntries(entries);
}

function readIdleTimeout(value: unknown): void {
  if (value === undefined) return;
  const isInRange = typeof value === "number" && value >= 5 && value <= 604_800;
  if (isInRange) return;
  throw formError(
    "idle_timeout_seconds",
    "NUMBER_TYPE_MAX",
    "int value should be from 5 to 604800.",
  );
}

function lobbyObject(lobby: Lobby): Record<string, unknown> {
  return {
    id: lobby.id,
    application_id: lobby.application.id,
    metadata: lobby.metadata,
    flags: 0,
    members: Array.from(lobby.members, ([id, member]) => ({ id, ...member })),
    ...(lobby.linkedChannel !== null && { linked_channel: lobby.linkedChannel }),
  };
}
