/**
 * Serves the API endpoints for linked roles: an application's metadata records, and a user's role connection.
 *
 * @module
 */

import { requireBearer, requireBot, requireInPath } from "../http/authentication.ts";
import type { Call, Routes } from "../http/call.ts";
import {
  maxLengthError,
  readDictionary,
  readJson,
  readJsonList,
  readText,
  type TextLength,
} from "../http/parameters.ts";
import { choiceError, formError, json } from "../http/responses.ts";
import type { Application } from "../world/application.ts";
import type {
  RoleConnectionMetadataPayload,
  RoleConnectionPayload,
} from "../world/payloads/role_connection.ts";
import { applicationUserKey } from "../world/world.ts";

export const roleConnectionRoutes: Routes = {
  "/users/@me/applications/{application_id}/role-connection": {
    GET: getRoleConnection,
    PUT: putRoleConnection,
    DELETE: deleteRoleConnection,
  },
  "/applications/{application_id}/role-connections/metadata": { GET: getRecords, PUT: putRecords },
};

/** The maximum number of an application's metadata records, and of values in a role connection. */
const maxRecords = 5;

const recordTypes: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8];

function getRoleConnection(call: Call): Response {
  const key = requireRoleConnectionKey(call);
  return json(call.world.roleConnections.get(key) ?? emptyRoleConnection);
}

function putRoleConnection(call: Call): Response {
  const key = requireRoleConnectionKey(call);
  const { platform_name = null, platform_username = null, metadata } = readJson(call);
  const connection: RoleConnectionPayload = {
    platform_name: platform_name === null
      ? null
      : readText("platform_name", platform_name, { max: 50 }),
    platform_username: platform_username === null
      ? null
      : readText("platform_username", platform_username, { max: 100 }),
    metadata: readMetadata(metadata ?? {}),
  };
  call.world.roleConnections.set(key, connection);
  return json(connection);
}

function deleteRoleConnection(call: Call): Response {
  call.world.roleConnections.delete(requireRoleConnectionKey(call));
  return new Response(null, { status: 204 });
}

function requireRoleConnectionKey(call: Call): string {
  const { grant } = requireBearer(call, "role_connections.write");
  requireInPath(call, grant.application);
  return applicationUserKey(grant.application, grant.user);
}

function readMetadata(value: unknown): Record<string, string> {
  const entries = readDictionary("metadata", value);
  if (entries.length > maxRecords) throw maxLengthError("metadata", maxRecords);
  return Object.fromEntries(entries.map(([key, entry]) => {
    // The platform stores numbers and booleans as text.
    const isPrimitive = ["string", "number", "boolean"].includes(typeof entry);
    const text = isPrimitive ? String(entry) : entry;
    return [key, readText(["metadata", key], text, { min: 1, max: 100 })];
  }));
}

function getRecords(call: Call): Response {
  return json(call.world.roleConnectionMetadata.get(requireBotInPath(call)) ?? []);
}

function putRecords(call: Call): Response {
  const application = requireBotInPath(call);
  const list = readJsonList(call);
  if (list.length > maxRecords) throw maxLengthError([], maxRecords);
  const records = list.map((entry, index) => readRecord(String(index), entry));
  call.world.roleConnectionMetadata.set(application, records);
  return json(records);
}

function readRecord(index: string, value: unknown): RoleConnectionMetadataPayload {
  const { type, key, name, description, name_localizations, description_localizations } = Object
    .fromEntries(readDictionary(index, value));
  if (typeof type !== "number" || !recordTypes.includes(type)) {
    throw choiceError([index, "type"], recordTypes);
  }
  const keyText = readText([index, "key"], key, { min: 1, max: 50 });
  if (!/^[a-z0-9_]+$/.test(keyText)) {
    const message = "String value did not match validation regex.";
    throw formError([index, "key"], "STRING_TYPE_REGEX", message);
  }
  const nameLength = { min: 1, max: 100 };
  const descriptionLength = { min: 1, max: 200 };
  return {
    type,
    key: keyText,
    name: readText([index, "name"], name, nameLength),
    description: readText([index, "description"], description, descriptionLength),
    ...readTranslations(index, "name_localizations", name_localizations, nameLength),
    ...readTranslations(
      index,
      "description_localizations",
      description_localizations,
      descriptionLength,
    ),
  };
}

/** Reads the translations of a text by locale. Without translations, returns an empty object. */
function readTranslations(
  index: string,
  field: "name_localizations" | "description_localizations",
  value: unknown,
  length: TextLength,
): Partial<RoleConnectionMetadataPayload> {
  if (value === undefined || value === null) return {};
  const texts = readDictionary([index, field], value)
    .map(([locale, text]) => [locale, readText([index, field, locale], text, length)]);
  return { [field]: Object.fromEntries(texts) };
}

/** Returns the application of the requesting bot. Throws 401 without a bot token, and 403 if the path names another application. */
function requireBotInPath(call: Call): Application {
  const application = requireBot(call);
  requireInPath(call, application);
  return application;
}

const emptyRoleConnection: RoleConnectionPayload = {
  platform_name: null,
  platform_username: null,
  metadata: {},
};
