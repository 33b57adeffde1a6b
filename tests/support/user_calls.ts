/**
 * A call of each method of `User`, for the tests of all of them. The compiler asks for a row for a new method.
 *
 * @module
 */

import type { CallOptions, User } from "../../mod.ts";
import { type OperationName, operations } from "../../src/api/operations.ts";

const ada = "1000000000000000001";
const guild = "1200000000000000001";
const application = "1100000000000000001";

/** Calls a method. `addGuildMember` sends `accessToken`. */
export type UserCall = (
  user: User,
  options?: CallOptions | null,
  accessToken?: string,
) => Promise<unknown>;

/** The calls, by method. The ids are those of the samples on the fake platform. */
export const userCalls: Readonly<Record<OperationName, UserCall>> = {
  getCurrentUser: (user, options) => user.getCurrentUser(options),
  getUserGuilds: (user, options) => user.getUserGuilds({ withCounts: true, ...options }),
  eachUserGuild: (user, options) => Array.fromAsync(user.eachUserGuild(options)),
  getGuild: (user, options) => user.getGuild(guild, false, options),
  getGuildMember: (user, options) => user.getGuildMember(guild, options),
  getConnections: (user, options) => user.getConnections(options),
  getAuthorization: (user, options) => user.getAuthorization(options),
  getUserInfo: (user, options) => user.getUserInfo(options),
  getRoleConnection: (user, options) => user.getRoleConnection(application, options),
  setRoleConnection: (user, options) => user.setRoleConnection(application, {}, options),
  deleteRoleConnection: (user, options) => user.deleteRoleConnection(application, options),
  getEntitlements: (user, options) => user.getEntitlements(application, options),
  getApplicationEntitlements: (user, options) =>
    user.getApplicationEntitlements(application, options),
  getCommandPermissions: (user, options) =>
    user.getCommandPermissions(application, guild, application, options),
  setCommandPermissions: (user, options) =>
    user.setCommandPermissions(application, guild, application, [], options),
  addGuildMember: (user, options, access_token = "t0ken") =>
    user.addGuildMember(guild, ada, { access_token }, options),
  leaveGuild: (user, options) => user.leaveGuild(guild, options),
  getGuildMemberById: (user, options) => user.getGuildMemberById(guild, ada, options),
  addMemberRole: (user, options) => user.addMemberRole(guild, ada, guild, options),
  removeMemberRole: (user, options) => user.removeMemberRole(guild, ada, guild, options),
  getRoleConnectionMetadata: (user, options) =>
    user.getRoleConnectionMetadata(application, options),
  setRoleConnectionMetadata: (user, options) =>
    user.setRoleConnectionMetadata(application, [], options),
};

/** The methods, with the operation of each. */
export const userMethods = (Object.keys(operations) as OperationName[]).map((name) => {
  const operation: {
    readonly scope: string | null;
    readonly method?: string;
    readonly forBots?: boolean;
    readonly unauthorizedHint?: string;
  } = operations[name];
  return {
    name,
    call: userCalls[name],
    scope: operation.scope,
    isRead: operation.method === undefined,
    isOfBot: operation.forBots === true || operation.unauthorizedHint !== undefined,
  };
});
