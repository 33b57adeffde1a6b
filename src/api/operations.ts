/**
 * The operations of a `User`: the path, the needed scope, the schema of the response, and the hints for refused requests.
 *
 * @module
 */

import { checkSnowflake } from "../core/arguments.ts";
import { authorizationSchema } from "../resources/authorization.ts";
import { commandPermissionsSchema } from "../resources/command_permissions.ts";
import { connectionsSchema } from "../resources/connection.ts";
import { entitlementsSchema } from "../resources/entitlement.ts";
import { guildSchema, partialGuildsSchema } from "../resources/guild.ts";
import { memberSchema } from "../resources/member.ts";
import { type CreateSchema, readPayload } from "../resources/reading.ts";
import { roleConnectionRecordsSchema, roleConnectionSchema } from "../resources/role_connection.ts";
import { userSchema } from "../resources/user.ts";
import type { HttpMethod } from "../http/request.ts";
import { userInfoSchema } from "../resources/openid.ts";
import type { AuthorizedRequest, ToModel } from "./authorized_http.ts";

/** An operation of Discord's API. */
interface Operation extends
  Pick<
    AuthorizedRequest,
    "scope" | "forBots" | "mayBeEmpty" | "has401ForOtherReasons" | "isShapedByCaller"
  > {
  /** @default {"GET"} */
  readonly method?: HttpMethod;
  /** The path below `apiUrl`. A name in braces stands for an argument, which is an id. */
  readonly path: `/${string}`;
  /** The hint for a 401 with the token of a person. The cause of this 401 is the operation, not the token. */
  readonly unauthorizedHint?: string;
  /** The hint for a 403 or 404, instead of the hint to check the scope. */
  readonly refusalHint?: string;
  /** Creates the schema of the response; `null` for a response without content. */
  readonly response: CreateSchema<object> | null;
}

const guildHint =
  'This needs the token of a bot in the guild: new User(botToken, { tokenType: "Bot" })';

const ofApplication = "Check that the token was issued to applicationId";

const ofGuilds = {
  path: "/users/@me/guilds",
  scope: "guilds",
  response: partialGuildsSchema,
} as const;

const ofRoleConnection = {
  path: "/users/@me/applications/{applicationId}/role-connection",
  scope: "role_connections.write",
  response: roleConnectionSchema,
  refusalHint: ofApplication,
} as const;

const ofCommandPermissions = {
  path: "/applications/{applicationId}/guilds/{guildId}/commands/{commandId}/permissions",
  scope: "applications.commands.permissions.update",
  response: commandPermissionsSchema,
  refusalHint:
    `${ofApplication}, and that it belongs to a user with manage_guild and manage_roles, not a bot`,
} as const;

const ofMemberRole = {
  path: "/guilds/{guildId}/members/{userId}/roles/{roleId}",
  scope: null,
  response: null,
  forBots: true,
  mayBeEmpty: true,
  refusalHint:
    "Check that the guild has the member and the role, that the bot is in the guild with manage_roles, that its highest role is " +
    "above this one, and that this one is not @everyone or managed by an integration",
} as const;

const ofRoleConnectionMetadata = {
  path: "/applications/{applicationId}/role-connections/metadata",
  scope: null,
  response: roleConnectionRecordsSchema,
  forBots: true,
  refusalHint: "Check that applicationId is the id of the bot's own application",
} as const;

/** The operations, by the method of `User`. A read needs no `method`. */
export const operations = {
  getCurrentUser: { path: "/users/@me", scope: "identify", response: userSchema },
  // The ids are in the query.
  getUserGuilds: { ...ofGuilds, isShapedByCaller: true },
  eachUserGuild: ofGuilds,
  getGuildMember: {
    path: "/users/@me/guilds/{guildId}/member",
    scope: "guilds.members.read",
    response: memberSchema,
    refusalHint: "Check that the user is in this guild",
  },
  getConnections: {
    path: "/users/@me/connections",
    scope: "connections",
    response: connectionsSchema,
  },
  getAuthorization: { path: "/oauth2/@me", scope: null, response: authorizationSchema },
  getUserInfo: { path: "/oauth2/userinfo", scope: "openid", response: userInfoSchema },
  getRoleConnection: ofRoleConnection,
  setRoleConnection: { ...ofRoleConnection, method: "PUT" },
  deleteRoleConnection: { ...ofRoleConnection, method: "DELETE", mayBeEmpty: true, response: null },
  getEntitlements: {
    path: "/users/@me/applications/{applicationId}/entitlements",
    scope: null,
    response: entitlementsSchema,
    refusalHint: ofApplication,
  },
  getApplicationEntitlements: {
    path: "/applications/{applicationId}/entitlements",
    scope: "applications.entitlements",
    response: entitlementsSchema,
    refusalHint: ofApplication,
  },
  getCommandPermissions: ofCommandPermissions,
  setCommandPermissions: { ...ofCommandPermissions, method: "PUT" },
  getGuild: {
    path: "/guilds/{id}",
    scope: null,
    response: guildSchema,
    unauthorizedHint: guildHint,
    refusalHint: guildHint,
  },
  addGuildMember: {
    method: "PUT",
    path: "/guilds/{guildId}/members/{userId}",
    scope: null,
    response: memberSchema,
    forBots: true,
    // The token of the person may be the refused one.
    has401ForOtherReasons: true,
    refusalHint:
      "The user may be banned. If not, check that the bot is in the guild with create_instant_invite, and that access_token belongs " +
      "to this user, has not expired, has the scope guilds.join, and was issued to the bot's application",
  },
  leaveGuild: {
    method: "DELETE",
    path: "/users/@me/guilds/{guildId}",
    scope: null,
    response: null,
    forBots: true,
    mayBeEmpty: true,
    refusalHint: "Check that the bot is in this guild",
  },
  getGuildMemberById: {
    path: "/guilds/{guildId}/members/{userId}",
    scope: null,
    response: memberSchema,
    forBots: true,
    refusalHint: "Check that the bot and the user are in this guild",
  },
  addMemberRole: { ...ofMemberRole, method: "PUT" },
  removeMemberRole: { ...ofMemberRole, method: "DELETE" },
  getRoleConnectionMetadata: ofRoleConnectionMetadata,
  setRoleConnectionMetadata: { ...ofRoleConnectionMetadata, method: "PUT" },
} as const satisfies Readonly<Record<string, Operation>>;

/** The name of an operation, which is a method of `User`. */
export type OperationName = keyof typeof operations;

/** The needed scope of an operation, or `null`. */
export type NeededScope<Name extends OperationName> = (typeof operations)[Name]["scope"];

/** The model of an operation's response. The caller gets a list of its own. */
export type ModelOf<Name extends OperationName> = ModelOfSchema<
  (typeof operations)[Name]["response"]
>;

type ModelOfSchema<Response> = Response extends CreateSchema<infer Model>
  ? Model extends readonly (infer Entry)[] ? Entry[] : Model
  : undefined;

/** The arguments in a path, by their names. */
type ArgumentsIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Readonly<Record<Name, string>> & ArgumentsIn<Rest>
  : unknown;

/** The arguments in the path of an operation. */
export type PathArguments<Name extends OperationName> = ArgumentsIn<
  (typeof operations)[Name]["path"]
>;

/** The part of a request that an operation does not have. */
export type SentDetails = Pick<
  AuthorizedRequest,
  "query" | "json" | "auditLogReason" | "tokenOfPerson" | "fresh" | "signal"
>;

/**
 * Returns the request of an operation.
 *
 * @throws {TypeError} If an argument in the path is not a snowflake.
 */
export function requestOf<Name extends OperationName>(
  name: Name,
  pathArguments: PathArguments<Name>,
  details?: SentDetails,
): AuthorizedRequest {
  const operation: Operation = operations[name];
  let path: string = operation.path;
  for (const [argument, id] of Object.entries(pathArguments as Record<string, unknown>)) {
    checkSnowflake(argument, id);
    path = path.replace(`{${argument}}`, id);
  }
  const isShapedByCaller = operation.isShapedByCaller ?? path !== operation.path;
  return {
    method: "GET",
    ...operation,
    ...details,
    operation: `${name}()`,
    path,
    isShapedByCaller,
  };
}

/** Returns the function that creates the model of an operation's response. */
export function readerOf<Name extends OperationName>(name: Name): ToModel<ModelOf<Name>> {
  const { response }: Operation = operations[name];
  return (payload, report, cdnUrl) =>
    (response && readPayload(response, payload, report, cdnUrl)) as ModelOf<Name>;
}
