/**
 * The API's endpoints about linked roles: what an application says about a user, and which records it may say that in.
 *
 * @module
 */

import { readParam, readTable, readText } from "../http/parameters.ts";
import type { Call, Routes } from "../http/responses.ts";
import {
  apiError,
  formError,
  json,
  readJson,
  readJsonList,
  Refusal,
  requireBearer,
  requireBot,
} from "../http/responses.ts";
import type { Application } from "../world/application.ts";
import type {
  RoleConnectionMetadataPayload,
  RoleConnectionPayload,
} from "../world/payloads/role_connection.ts";
import { consentKey } from "../world/world.ts";

export const roleConnectionRoutes: Routes = {
  "/users/@me/applications/{application_id}/role-connection": {
    GET: getRoleConnection,
    PUT: putRoleConnection,
    DELETE: deleteRoleConnection,
  },
  "/applications/{application_id}/role-connections/metadata": {
    GET: getRecords,
    PUT: putRecords,
  },
};

/** How many values a role connection may have, and how many records an application. */
const mostRecords = 5;

function getRoleConnection(call: Call): Response {
  const key = roleConnectionKey(call);
  return json(call.world.roleConnections.get(key) ?? noRoleConnection);
}

function putRoleConnection(call: Call): Response {
  const key = roleConnectionKey(call);
  const { platform_name = null, platform_username = null, metadata = null } = readJson(call);
  const connection: RoleConnectionPayload = {
    platform_name: platform_name === null
      ? null
      : readText("platform_name", platform_name, { longest: 50 }),
    platform_username: platform_username === null
      ? null
      : readText("platform_username", platform_username, { longest: 100 }),
    metadata: readMetadata(metadata ?? {}),
  };
  call.world.roleConnections.set(key, connection);
  return json(connection);
}

function deleteRoleConnection(call: Call): Response {
  call.world.roleConnections.delete(roleConnectionKey(call));
  return new Response(null, { status: 204 });
}

function roleConnectionKey(call: Call): string {
  const { grant } = requireBearer(call, "role_connections.write");
  requireOwn(call, grant.application);
  return consentKey(grant.application, grant.user);
}

function readMetadata(value: unknown): Record<string, string> {
  const entries = readTable("metadata", value);
  if (entries.length > mostRecords) throw new Refusal(tooMany("metadata"));
  // The platform answers every value as text.
  return Object.fromEntries(entries.map(([key, entry]) => {
    const isPlain = ["string", "number", "boolean"].includes(typeof entry);
    const text = isPlain ? String(entry) : entry;
    return [key, readText(["metadata", key], text, { shortest: 1, longest: 100 })];
  }));
}

function getRecords(call: Call): Response {
  return json(call.world.roleConnectionRecords.get(ownApplication(call)) ?? []);
}

function putRecords(call: Call): Response {
  const application = ownApplication(call);
  const list = readJsonList(call);
  if (list.length > mostRecords) throw new Refusal(tooMany([]));
  const records = list.map((entry, at) => readRecord(entry, String(at)));
  call.world.roleConnectionRecords.set(application, records);
  return json(records);
}

function readRecord(entry: unknown, at: string): RoleConnectionMetadataPayload {
  const { type, key, name, description, name_localizations, description_localizations } = Object
    .fromEntries(readTable(at, entry));
  if (typeof type !== "number" || ![1, 2, 3, 4, 5, 6, 7, 8].includes(type)) {
    const message = "Value must be one of {1, 2, 3, 4, 5, 6, 7, 8}.";
    throw new Refusal(formError([at, "type"], "BASE_TYPE_CHOICES", message));
  }
  const keyText = readText([at, "key"], key, { shortest: 1, longest: 50 });
  if (!/^[a-z0-9_]+$/.test(keyText)) {
    const message = "String value did not match validation regex.";
    throw new Refusal(formError([at, "key"], "STRING_TYPE_REGEX", message));
  }
  const names = { shortest: 1, longest: 100 };
  const descriptions = { shortest: 1, longest: 200 };
  return {
    type,
    key: keyText,
    name: readText([at, "name"], name, names),
    description: readText([at, "description"], description, descriptions),
    ...translations(at, "name_localizations", name_localizations, names),
    ...translations(at, "description_localizations", description_localizations, descriptions),
  };
}

/** The translations of a text by locale; nothing when none were sent. */
function translations(
  at: string,
  field: "name_localizations" | "description_localizations",
  value: unknown,
  lengths: Parameters<typeof readText>[2],
): Partial<RoleConnectionMetadataPayload> {
  if (value === undefined || value === null) return {};
  const texts = readTable([at, field], value)
    .map(([locale, text]) => [locale, readText([at, field, locale], text, lengths)]);
  return { [field]: Object.fromEntries(texts) };
}

/** The application whose bot sends the request, which must be the one in the path. */
function ownApplication(call: Call): Application {
  const application = requireBot(call);
  requireOwn(call, application);
  return application;
}

function requireOwn(call: Call, { id }: Application): void {
  if (readParam(call, "application_id") !== id) {
    throw new Refusal(apiError(403, 50001, "Missing Access"));
  }
}

function tooMany(field: string | readonly string[]): Response {
  const message = `Must be ${mostRecords} or fewer in length.`;
  return formError(field, "BASE_TYPE_MAX_LENGTH", message);
}

const noRoleConnection: RoleConnectionPayload = {
  platform_name: null,
  platform_username: null,
  metadata: {},
};
