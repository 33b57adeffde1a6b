/**
 * Reads models through the public clients, and collects the reported issues.
 *
 * @module
 */

import {
  type AuthorizationObj,
  type ClientOptions,
  type CommandPermissionsObj,
  type ConnectionObj,
  type EntitlementObj,
  type GuildObj,
  type MemberObj,
  type PartialGuildObj,
  type PayloadIssue,
  PlatformApi,
  type RoleConnectionMetadataObj,
  type RoleConnectionObj,
  type TokenObj,
  User,
  type UserInfoObj,
  type UserObj,
} from "../../mod.ts";
import { fakeFetch, respondWith } from "./responders.ts";

/** A model, and the issues reported during its reading. */
export interface Reading<Model> {
  readonly model: Model;
  readonly issues: readonly PayloadIssue[];
}

/** Reads the response to `GET /users/@me`, given as text or as the value of its JSON. */
export function readUser(payload: unknown): Promise<Reading<UserObj>> {
  return recording(payload, (options) => new User("t0ken", options).getCurrentUser());
}

/** Reads the response to `GET /users/@me/guilds`. */
export function readGuilds(payload: unknown): Promise<Reading<PartialGuildObj[]>> {
  return recording(payload, (options) => new User("t0ken", options).getUserGuilds());
}

/** Reads the response to `GET /guilds/{id}`. */
export function readGuild(payload: unknown): Promise<Reading<GuildObj>> {
  return recording(payload, (options) => new User("t0ken", options).getGuild("1"));
}

/** Reads the response to `GET /users/@me/guilds/{id}/member`. */
export function readMember(payload: unknown): Promise<Reading<MemberObj>> {
  return recording(payload, (options) => new User("t0ken", options).getGuildMember("1"));
}

/** Reads the response to `GET /users/@me/connections`. */
export function readConnections(payload: unknown): Promise<Reading<ConnectionObj[]>> {
  return recording(payload, (options) => new User("t0ken", options).getConnections());
}

/** Reads the response to `GET /oauth2/@me`. */
export function readAuthorization(payload: unknown): Promise<Reading<AuthorizationObj>> {
  return recording(payload, (options) => new User("t0ken", options).getAuthorization());
}

/** Reads the response to `GET /oauth2/userinfo`. */
export function readUserInfo(payload: unknown): Promise<Reading<UserInfoObj>> {
  return recording(payload, (options) => new User("t0ken", options).getUserInfo());
}

/** Reads the response to `GET /users/@me/applications/{id}/role-connection`. */
export function readRoleConnection(payload: unknown): Promise<Reading<RoleConnectionObj>> {
  return recording(payload, (options) => new User("t0ken", options).getRoleConnection("1"));
}

/** Reads the response to `PUT /applications/{id}/role-connections/metadata`. */
export function readRecords(payload: unknown): Promise<Reading<RoleConnectionMetadataObj[]>> {
  return recording(
    payload,
    (options) =>
      new User("t0ken", { ...options, tokenType: "Bot" }).setRoleConnectionMetadata("1", []),
  );
}

/** Reads the response to `GET /users/@me/applications/{id}/entitlements`. */
export function readEntitlements(payload: unknown): Promise<Reading<EntitlementObj[]>> {
  return recording(payload, (options) => new User("t0ken", options).getEntitlements("1"));
}

/** Reads the response to `PUT /applications/{id}/guilds/{id}/commands/{id}/permissions`. */
export function readCommandPermissions(payload: unknown): Promise<Reading<CommandPermissionsObj>> {
  return recording(
    payload,
    (options) => new User("t0ken", options).setCommandPermissions("1", "2", "3", []),
  );
}

/** Reads the response of the token endpoint. */
export function readToken(payload: unknown): Promise<Reading<TokenObj>> {
  return recording(
    payload,
    (options) =>
      new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", options)
        .accessToken("c0de"),
  );
}

async function recording<Model>(
  payload: unknown,
  read: (options: ClientOptions) => Promise<Model>,
): Promise<Reading<Model>> {
  const issues: PayloadIssue[] = [];
  const onUnexpected = (found: readonly PayloadIssue[]) => issues.push(...found);
  const model = await read({ ...fakeFetch(respondWith(payload)), onUnexpected });
  return { model, issues };
}

/** Lists the unfrozen parts of a value, at any depth. */
export function unfrozenPartsOf(value: unknown): unknown[] {
  const unfrozen: unknown[] = [];
  const pending = [value];
  while (pending.length) {
    const part = pending.pop();
    if (typeof part !== "object" || part === null) continue;
    if (!Object.isFrozen(part)) unfrozen.push(part);
    for (const inner of Object.values(part)) pending.push(inner);
  }
  return unfrozen;
}
