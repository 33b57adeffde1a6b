/**
 * Reads models through the public clients, and what the clients report while they do.
 *
 * @module
 */

import {
  type AuthorizationObj,
  type ClientOptions,
  type ConnectionObj,
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
import { answering, saying } from "./answers.ts";

/** A model, and the issues that were reported while it was read. */
export interface Reading<Model> {
  readonly model: Model;
  readonly issues: readonly PayloadIssue[];
}

/** The model of a `GET /users/@me` answer: its text, or what is its JSON. */
export function readUser(payload: unknown): Promise<Reading<UserObj>> {
  return recording(payload, (options) => new User("t0ken", options).getCurrentUser());
}

/** The models of a `GET /users/@me/guilds` answer. */
export function readGuilds(payload: unknown): Promise<Reading<PartialGuildObj[]>> {
  return recording(payload, (options) => new User("t0ken", options).getUserGuilds());
}

/** The model of a `GET /guilds/{id}` answer. */
export function readGuild(payload: unknown): Promise<Reading<GuildObj>> {
  return recording(payload, (options) => new User("t0ken", options).getGuild("1"));
}

/** The model of a `GET /users/@me/guilds/{id}/member` answer. */
export function readMember(payload: unknown): Promise<Reading<MemberObj>> {
  return recording(payload, (options) => new User("t0ken", options).getGuildMember("1"));
}

/** The models of a `GET /users/@me/connections` answer. */
export function readConnections(payload: unknown): Promise<Reading<ConnectionObj[]>> {
  return recording(payload, (options) => new User("t0ken", options).getConnections());
}

/** The model of a `GET /oauth2/@me` answer. */
export function readAuthorization(payload: unknown): Promise<Reading<AuthorizationObj>> {
  return recording(payload, (options) => new User("t0ken", options).getAuthorization());
}

/** The model of a `GET /oauth2/userinfo` answer. */
export function readUserInfo(payload: unknown): Promise<Reading<UserInfoObj>> {
  return recording(payload, (options) => new User("t0ken", options).getUserInfo());
}

/** The model of a `GET /users/@me/applications/{id}/role-connection` answer. */
export function readRoleConnection(payload: unknown): Promise<Reading<RoleConnectionObj>> {
  return recording(payload, (options) => new User("t0ken", options).getRoleConnection("1"));
}

/** The models of a `PUT /applications/{id}/role-connections/metadata` answer. */
export function readRecords(payload: unknown): Promise<Reading<RoleConnectionMetadataObj[]>> {
  return recording(
    payload,
    (options) =>
      new User("t0ken", { ...options, tokenType: "Bot" }).setRoleConnectionMetadata("1", []),
  );
}

/** The model of a token answer. */
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
  const model = await read({ ...answering(saying(payload)), onUnexpected });
  return { model, issues };
}

/** The parts of a value, at any depth, that can still be changed. */
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
