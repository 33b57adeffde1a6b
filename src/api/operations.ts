/**
 * The operations of a `User`: the path, the needed scope, and the hints for refused requests.
 *
 * @module
 */

import { checkSnowflake } from "../core/arguments.ts";
import type { AuthorizedRequest } from "./authorized_http.ts";

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
}

const guildHint =
  'This needs the token of a bot in the guild: new User(botToken, { tokenType: "Bot" })';

const ofApplication = "Check that the token was issued to the application applicationId";

const roleConnection = {
  path: "/users/@me/applications/{applicationId}/role-connection",
  scope: "role_connections.write",
  refusalHint: ofApplication,
} as const;

const commandPermissions = {
  path: "/applications/{applicationId}/guilds/{guildId}/commands/{commandId}/permissions",
  scope: "applications.commands.permissions.update",
  refusalHint:
    `${ofApplication}, and that this is a person with manage_guild and manage_roles, not a bot`,
} as const;

const roleConnectionMetadata = {
  path: "/applications/{applicationId}/role-connections/metadata",
  scope: null,
  forBots: true,
  refusalHint: "Check that applicationId is the id of the bot's own application",
} as const;

/** The operations, by the method of `User`. A read needs no `method`. */
export const operations = {
  getCurrentUser: { path: "/users/@me", scope: "identify" },
  // The ids are in the query.
  getUserGuilds: { path: "/users/@me/guilds", scope: "guilds", isShapedByCaller: true },
  eachUserGuild: { path: "/users/@me/guilds", scope: "guilds" },
  getGuildMember: {
    path: "/users/@me/guilds/{guildId}/member",
    scope: "guilds.members.read",
    refusalHint: "Check that the user is in this guild",
  },
  getConnections: { path: "/users/@me/connections", scope: "connections" },
  getAuthorization: { path: "/oauth2/@me", scope: null },
  getUserInfo: { path: "/oauth2/userinfo", scope: "openid" },
  getRoleConnection: roleConnection,
  setRoleConnection: { ...roleConnection, method: "PUT" },
  deleteRoleConnection: { ...roleConnection, method: "DELETE", mayBeEmpty: true },
  getEntitlements: {
    path: "/users/@me/applications/{applicationId}/entitlements",
    scope: null,
    refusalHint: ofApplication,
  },
  getCommandPermissions: commandPermissions,
  setCommandPermissions: { ...commandPermissions, method: "PUT" },
  getGuild: {
    path: "/guilds/{id}",
    scope: null,
    unauthorizedHint: guildHint,
    refusalHint: guildHint,
  },
  addGuildMember: {
    method: "PUT",
    path: "/guilds/{guildId}/members/{userId}",
    scope: null,
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
    forBots: true,
    mayBeEmpty: true,
    refusalHint: "Check that the bot is in this guild",
  },
  getGuildMemberById: {
    path: "/guilds/{guildId}/members/{userId}",
    scope: null,
    forBots: true,
    refusalHint: "Check that the bot and the user are in this guild",
  },
  getRoleConnectionMetadata: roleConnectionMetadata,
  setRoleConnectionMetadata: { ...roleConnectionMetadata, method: "PUT" },
} as const satisfies Readonly<Record<string, Operation>>;

/** The name of an operation, which is a method of `User`. */
export type OperationName = keyof typeof operations;

/** The needed scope of an operation, or `null`. */
export type NeededScope<Name extends OperationName> = (typeof operations)[Name]["scope"];

/** The arguments in a path, by their names. */
type ArgumentsIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Readonly<Record<Name, string>> & ArgumentsIn<Rest>
  : unknown;

/** The arguments in the path of an operation. */
export type PathArguments<Name extends OperationName> = ArgumentsIn<
  (typeof operations)[Name]["path"]
>;

/**
 * Returns the part of an operation's request that does not depend on the call's other arguments.
 *
 * @throws {TypeError} If an argument in the path is not a snowflake.
 */
export function requestOf<Name extends OperationName>(
  name: Name,
  pathArguments: PathArguments<Name>,
): AuthorizedRequest {
  const operation: Operation = operations[name];
  let path: string = operation.path;
  for (const [argument, id] of Object.entries(pathArguments as Record<string, unknown>)) {
    checkSnowflake(argument, id);
    path = path.replace(`{${argument}}`, id);
  }
  const isShapedByCaller = operation.isShapedByCaller ?? path !== operation.path;
  return { ...operation, operation: `${name}()`, path, isShapedByCaller };
}
