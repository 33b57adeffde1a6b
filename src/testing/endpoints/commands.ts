/**
 * Serves the API endpoints for an application's commands, global and in a guild.
 *
 * @module
 */

import { requireApplicationInPath } from "../http/authentication.ts";
import type { Call, Routes } from "../http/call.ts";
import {
  maxLengthError,
  readBoolean,
  readJson,
  readJsonList,
  readPathId,
  readText,
} from "../http/parameters.ts";
import {
  apiError,
  choiceError,
  type FieldPath,
  formError,
  json,
  requiredError,
} from "../http/responses.ts";
import type { Application, Command } from "../world/application.ts";
import type { Guild } from "../world/guild.ts";
import { isPermissions } from "../world/permissions.ts";
import { newSnowflake } from "../world/snowflake.ts";
import { requireGuild } from "./guilds.ts";

const list = { GET: listCommands, POST: createCommand, PUT: replaceCommands };
const one = { GET: getCommand, PATCH: changeCommand, DELETE: deleteCommand };

export const commandRoutes: Routes = {
  "/applications/{application_id}/commands": list,
  "/applications/{application_id}/commands/{command_id}": one,
  "/applications/{application_id}/guilds/{guild_id}/commands": list,
  "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}": one,
};

/** The scope of a token of client credentials. */
const scope = "applications.commands.update";

/** The maximum number of commands of each type: commands with a slash, of users, of messages, and to launch an Activity. */
const maxCommands: Readonly<Record<number, number>> = { 1: 100, 2: 15, 3: 15, 4: 1 };

/** The commands that a request is about: those of an application in a guild, or its global ones. */
interface Place {
  readonly application: Application;
  /** `null` for global commands. */
  readonly guildId: string | null;
  readonly commands: Map<string, Command>;
}

function listCommands(call: Call): Response {
  const withLocalizations = readBoolean(call.url.searchParams, "with_localizations");
  const hidden = { name_localizations: undefined, description_localizations: undefined };
  const commands = [...requirePlace(call).commands.values()];
  return json(commands.map((command) => withLocalizations ? command : { ...command, ...hidden }));
}

function createCommand(call: Call): Response {
  const place = requirePlace(call);
  const command = readCommand(call, place, [], readJson(call));
  const isNew = !place.commands.has(command.id);
  requireRoom([...place.commands.values(), ...isNew ? [command] : []]);
  place.commands.set(command.id, command);
  return json(command, isNew ? 201 : 200);
}

function replaceCommands(call: Call): Response {
  const place = requirePlace(call);
  const commands = readJsonList(call).map((entry, index) =>
    readCommand(call, place, [String(index)], Object(entry))
  );
  requireRoom(commands);
  const ids = commands.map(({ id }) => id);
  for (const id of place.commands.keys()) if (!ids.includes(id)) removeCommand(place, id);
  for (const command of commands) place.commands.set(command.id, command);
  return json(commands);
}

function getCommand(call: Call): Response {
  return json(requireCommand(call, requirePlace(call)));
}

function changeCommand(call: Call): Response {
  const place = requirePlace(call);
  const { id, ...old } = requireCommand(call, place);
  const { type: _type, ...changes } = readJson(call);
  const command = readCommand(call, place, [], { ...old, ...changes });
  const hasOwnName = command.name === old.name;
  if (!hasOwnName && place.commands.has(command.id)) {
    throw apiError(400, 40041, "An application command with that name already exists");
  }
  const changed = { ...command, id };
  if (!hasOwnName) removeCommand(place, id);
  place.commands.set(id, changed);
  return json(changed);
}

function deleteCommand(call: Call): Response {
  const place = requirePlace(call);
  removeCommand(place, requireCommand(call, place).id);
  return new Response(null, { status: 204 });
}

/**
 * Returns the commands that the path names.
 *
 * @throws {Response} 403 if the application's bot is not in the guild.
 */
function requirePlace(call: Call): Place {
  const application = requireApplicationInPath(call, scope);
  if (call.params["guild_id"] === undefined) {
    return { application, guildId: null, commands: application.commands };
  }
  const guild = requireInstalled(call, application);
  const guildId = guild.payload.id;
  const commands = application.guildCommands.get(guildId) ?? new Map<string, Command>();
  application.guildCommands.set(guildId, commands);
  return { application, guildId, commands };
}

/** Returns the guild in the path. The application must be installed there. */
export function requireInstalled(call: Call, application: Application): Guild {
  const guild = requireGuild(call);
  if (!guild.bots.has(application.id)) throw apiError(403, 50001, "Missing Access");
  return guild;
}

function requireCommand(call: Call, { commands }: Place): Command {
  const command = commands.get(readPathId(call, "command_id"));
  if (command === undefined) throw unknownCommandError();
  return command;
}

export function unknownCommandError(): Response {
  return apiError(404, 10063, "Unknown application command");
}

/** Removes a command with its permissions. */
function removeCommand({ application, commands }: Place, id: string): void {
  commands.delete(id);
  for (const permissions of application.commandPermissions.values()) permissions.delete(id);
}

function requireRoom(commands: readonly Command[]): void {
  for (const [type, maximum] of Object.entries(maxCommands)) {
    const { length } = commands.filter((command) => command.type === Number(type));
    if (length > maximum) {
      throw apiError(400, 30032, `Maximum number of application commands reached (${maximum}).`);
    }
  }
}

/** Reads a command of the body. A command of the same type and name keeps its id. */
function readCommand(
  call: Call,
  { application, guildId, commands }: Place,
  path: readonly string[],
  body: Readonly<Record<string, unknown>>,
): Command {
  const { type = 1 } = body;
  if (typeof type !== "number" || maxCommands[type] === undefined) {
    throw choiceError([...path, "type"], [1, 2, 3, 4]);
  }
  const hasSlash = type === 1;
  const name = readName([...path, "name"], body["name"], hasSlash);
  const description = type === 2 || type === 3
    ? ""
    : readText([...path, "description"], body["description"] ?? "", {
      min: hasSlash ? 1 : 0,
      max: 100,
    });
  const same = [...commands.values()].find((other) => other.type === type && other.name === name);
  return {
    ...optionalFields(path, body, guildId === null),
    id: same?.id ?? newSnowflake(call.world),
    application_id: application.id,
    version: newSnowflake(call.world),
    type,
    name,
    description,
    default_member_permissions: readPermissions(path, body["default_member_permissions"]),
    nsfw: body["nsfw"] === true,
    ...(guildId !== null && { guild_id: guildId }),
  };
}

function readName(path: FieldPath, value: unknown, hasSlash: boolean): string {
  if (value === undefined) throw requiredError(path);
  const name = readText(path, value, { min: 1, max: 32 });
  const fits = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u.test(name) &&
    name === name.toLowerCase();
  if (!hasSlash || fits) return name;
  throw formError(path, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid");
}

function readPermissions(path: readonly string[], value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (isPermissions(text)) return text;
  const field = [...path, "default_member_permissions"];
  throw formError(field, "NUMBER_TYPE_COERCE", `Value "${value}" is not int.`);
}

/** Returns the fields that a command may have. The fake platform checks only their kind. */
function optionalFields(
  path: readonly string[],
  body: Readonly<Record<string, unknown>>,
  isGlobal: boolean,
): Record<string, unknown> {
  const { options, name_localizations, description_localizations, handler } = body;
  const lists = isGlobal ? ["contexts", "integration_types"] : [];
  const found: Record<string, unknown> = {};
  for (const name of ["options", ...lists]) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    const field = [...path, name];
    if (!Array.isArray(value)) {
      throw formError(field, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType.");
    }
    found[name] = value;
  }
  if (Array.isArray(options) && options.length > 25) throw maxLengthError([...path, "options"], 25);
  return {
    ...found,
    ...(name_localizations !== undefined && { name_localizations }),
    ...(description_localizations !== undefined && { description_localizations }),
    ...(handler !== undefined && { handler }),
  };
}
