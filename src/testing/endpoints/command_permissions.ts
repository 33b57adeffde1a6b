/**
 * Serves the API endpoints for the permissions of commands in a guild.
 *
 * @module
 */

import {
  findBot,
  requireApplicationInPath,
  requireBearer,
  requireInPath,
} from "../http/authentication.ts";
import type { Call, Routes } from "../http/call.ts";
import { maxLengthError, readJson, readPathId } from "../http/parameters.ts";
import { apiError, choiceError, formError, json, requiredError } from "../http/responses.ts";
import type { Application, CommandPermission } from "../world/application.ts";
import type { Guild } from "../world/guild.ts";
import { hasPermission, manageGuild, manageRoles } from "../world/permissions.ts";
import { isSnowflake } from "../world/snowflake.ts";
import { requireInstalled, unknownCommandError } from "./commands.ts";

const commands = "/applications/{application_id}/guilds/{guild_id}/commands";

export const commandPermissionRoutes: Routes = {
  [`${commands}/permissions`]: { GET: listPermissions },
  [`${commands}/{command_id}/permissions`]: { GET: getPermissions, PUT: setPermissions },
};

const scope = "applications.commands.permissions.update";

/** The maximum number of permissions of a command. */
const maxPermissions = 100;

function listPermissions(call: Call): Response {
  const { application, guild } = requireReader(call);
  const all = application.commandPermissions.get(guild.payload.id) ?? new Map();
  return json(
    Array.from(all, ([id, permissions]) => objectOf(application, guild, id, permissions)),
  );
}

function getPermissions(call: Call): Response {
  const { application, guild } = requireReader(call);
  const id = requireCommandId(call, application, guild);
  const permissions = application.commandPermissions.get(guild.payload.id)?.get(id);
  if (permissions === undefined) {
    throw apiError(404, 10066, "Unknown application command permissions");
  }
  return json(objectOf(application, guild, id, permissions));
}

/** Replaces the permissions of a command. A bot is refused; the platform does not document with which error. */
function setPermissions(call: Call): Response {
  if (findBot(call) !== null) throw apiError(403, 20001, "Bots cannot use this endpoint");
  const { application, user } = requireBearer(call, scope).grant;
  requireInPath(call, application);
  const guild = requireInstalled(call, application);
  const member = guild.members.get(user.payload.id);
  if (member === undefined) throw apiError(403, 50001, "Missing Access");
  if (![manageGuild, manageRoles].every((needed) => hasPermission(member.permissions, needed))) {
    throw apiError(403, 50013, "Missing Permissions");
  }
  const id = requireCommandId(call, application, guild);
  const { permissions } = readJson(call);
  if (!Array.isArray(permissions)) throw requiredError("permissions");
  if (permissions.length > maxPermissions) throw maxLengthError("permissions", maxPermissions);
  const read = permissions.map((entry, index) => readPermission(String(index), Object(entry)));
  const ofGuild = application.commandPermissions.get(guild.payload.id) ?? new Map();
  application.commandPermissions.set(guild.payload.id, ofGuild.set(id, read));
  return json(objectOf(application, guild, id, read));
}

function readPermission(
  index: string,
  { id, type, permission }: Readonly<Record<string, unknown>>,
): CommandPermission {
  const fail = (field: string, code: string, message: string) =>
    formError(["permissions", index, field], code, message);
  if (!isSnowflake(id)) throw fail("id", "NUMBER_TYPE_COERCE", `Value "${id}" is not snowflake.`);
  if (type !== 1 && type !== 2 && type !== 3) {
    throw choiceError(["permissions", index, "type"], [1, 2, 3]);
  }
  if (typeof permission !== "boolean") {
    throw fail("permission", "BOOLEAN_TYPE_CONVERT", "Must be either true or false.");
  }
  return { id, type, permission };
}

function requireReader(call: Call): { readonly application: Application; readonly guild: Guild } {
  const application = requireApplicationInPath(call, scope);
  return { application, guild: requireInstalled(call, application) };
}

/** Returns the id in the path, which is that of a command or of the application. */
function requireCommandId(call: Call, application: Application, guild: Guild): string {
  const id = readPathId(call, "command_id");
  const isKnown = id === application.id || application.commands.has(id) ||
    application.guildCommands.get(guild.payload.id)?.has(id);
  if (!isKnown) throw unknownCommandError();
  return id;
}

function objectOf(
  application: Application,
  guild: Guild,
  id: string,
  permissions: readonly CommandPermission[],
): Record<string, unknown> {
  return { id, application_id: application.id, guild_id: guild.payload.id, permissions };
}
