/**
 * The operations of a `User`: the path, the needed scope, the shape of the response, and the hints for refused requests.
 *
 * @module
 */

import { checkSnowflake } from "../core/arguments.ts";
import { authorization } from "../resources/authorization.ts";
import { commandPermissions } from "../resources/command_permissions.ts";
import { connections } from "../resources/connection.ts";
import { entitlements } from "../resources/entitlement.ts";
import { guild, partialGuilds } from "../resources/guild.ts";
import { member } from "../resources/member.ts";
import { readPayload } from "../resources/reading.ts";
import { roleConnection } from "../resources/role_connection.ts";
import { roleConnectionRecords } from "../resources/role_connection_metadata.ts";
import type { AnyShape, TypedShape } from "../resources/shapes.ts";
import { user } from "../resources/user.ts";
import { userInfo } from "../resources/user_info.ts";
import type { AuthorizedRequest, ToModel } from "./authorized_client.ts";

/** An operation of the platform's API. */
interface Operation extends
  Pick<
    AuthorizedRequest,
    "scope" | "method" | "forBots" | "mayBeEmpty" | "has401ForOtherReasons" | "isShapedByCaller"
  > {
  /** The path below `apiUrl`. A name in braces stands for an argument, which is an id. */
  readonly path: `/${string}`;
  /** The hint for a 401 with the token of a person. The cause of this 401 is the operation, not the token. */
  readonly unauthorizedHint?: string;
  /** The hint for a 403 or 404, in place of the hint to check the scope. */
  readonly refusalHint?: string;
  /** The shape of the response; `null` for a response without content. */
  readonly response: AnyShape | null;
}

const guildHint =
  'This needs the token of a bot in the guild: new User(botToken, { tokenType: "Bot" })';

const ofApplication = "Check that the token was issued to the application applicationId";

const ofGuilds = { path: "/users/@me/guilds", scope: "guilds", response: partialGuilds } as const;

const ofRoleConnection = {
  path: "/users/@me/applications/{applicationId}/role-connection",
  scope: "role_connections.write",
  response: roleConnection,
  refusalHint: ofApplication,
} as const;

const ofCommandPermissions = {
  path: "/applications/{applicationId}/guilds/{guildId}/commands/{commandId}/permissions",
  scope: "applications.commands.permissions.update",
  response: commandPermissions,
  refusalHint:
    `${ofApplication}, and that this is a person with manage_guild and manage_roles, not a bot`,
} as const;

const ofRoleConnectionMetadata = {
  path: "/applications/{applicationId}/role-connections/metadata",
  scope: null,
  response: roleConnectionRecords,
  forBots: true,
  refusalHint: "Check that applicationId is the id of the bot's own application",
} as const;

/** The operations, by the method of `User`. A read needs no `method`. */
export const operations = {
  getCurrentUser: { path: "/users/@me", scope: "identify", response: user },
  // The ids are in the query.
  getUserGuilds: { ...ofGuilds, isShapedByCaller: true },
  eachUserGuild: ofGuilds,
  getGuildMember: {
    path: "/users/@me/guilds/{guildId}/member",
    scope: "guilds.members.read",
    response: member,
    refusalHint: "Check that the user is in this guild",
  },
  getConnections: { path: "/users/@me/connections", scope: "connections", response: connections },
  getAuthorization: { path: "/oauth2/@me", scope: null, response: authorization },
  getUserInfo: { path: "/oauth2/userinfo", scope: "openid", response: userInfo },
  getRoleConnection: ofRoleConnection,
  setRoleConnection: { ...ofRoleConnection, method: "PUT" },
  deleteRoleConnection: {
    ...ofRoleConnection,
    method: "DELETE",
    mayBeEmpty: true,
    response: null,
  },
  getEntitlements: {
    path: "/users/@me/applications/{applicationId}/entitlements",
    scope: null,
    response: entitlements,
    refusalHint: ofApplication,
  },
  getCommandPermissions: ofCommandPermissions,
  setCommandPermissions: { ...ofCommandPermissions, method: "PUT" },
  getGuild: {
    path: "/guilds/{id}",
    scope: null,
    response: guild,
    unauthorizedHint: guildHint,
    refusalHint: guildHint,
  },
  addGuildMember: {
    method: "PUT",
    path: "/guilds/{guildId}/members/{userId}",
    scope: null,
    response: member,
    forBots: true,
    // The token of the person may be the refused one.
    has401ForOtherReasons: true,
    refusalHint:
      "The person may be banned from the guild. If not, check that the bot is in the guild with the permission " +
      "create_instant_invite, and that accessToken is that of this user, not expired, and was given to the bot's application " +
      "with the scope guilds.join",
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
    response: member,
    forBots: true,
    refusalHint: "Check that the bot and the user are in this guild",
  },
  getRoleConnectionMetadata: ofRoleConnectionMetadata,
  setRoleConnectionMetadata: { ...ofRoleConnectionMetadata, method: "PUT" },
} as const satisfies Readonly<Record<string, Operation>>;

/** The name of an operation, which is a method of `User`. */
export type OperationName = keyof typeof operations;

/** The needed scope of an operation, or `null`. */
export type NeededScope<Name extends OperationName> = (typeof operations)[Name]["scope"];

/** The model of an operation's response. The caller gets a list of its own. */
export type ModelOf<Name extends OperationName> = ModelOfShape<
  (typeof operations)[Name]["response"]
>;

type ModelOfShape<Response> = Response extends TypedShape<infer Model>
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
  "query" | "json" | "tokenOfPerson" | "fresh" | "signal"
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
  return { ...operation, ...details, operation: `${name}()`, path, isShapedByCaller };
}

/** Returns the function that creates the model of an operation's response. */
export function readerOf<Name extends OperationName>(name: Name): ToModel<ModelOf<Name>> {
  const { response }: Operation = operations[name];
  return (payload, report, cdnUrl) =>
    (response && readPayload(response, payload, report, cdnUrl)) as ModelOf<Name>;
}
