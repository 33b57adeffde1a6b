/**
 * The state of a fake platform: who and what there is, and which codes and tokens were given out.
 *
 * @module
 */

import type { ConnectionPayload } from "./payloads/connection.ts";
import type { GuildPayload } from "./payloads/guild.ts";
import { botRole } from "./payloads/guild.ts";
import type { MemberPayload } from "./payloads/member.ts";
import type {
  RoleConnectionMetadataPayload,
  RoleConnectionPayload,
} from "./payloads/role_connection.ts";
import type { UserPayload } from "./payloads/user.ts";
import { userForScopes } from "./payloads/user.ts";
import type { FakeWebhookHandler } from "../fake_platform.ts";

export interface Application {
  readonly id: string;
  readonly name: string;
  readonly secret: string | null;
  readonly redirectUris: readonly string[];
  readonly botToken: string | null;
  readonly owner: User;
  readonly icon: string | null;
  readonly description: string;
  /** What a link with nothing but the client id asks for. */
  readonly installParams: { readonly scopes: readonly string[]; readonly permissions: string };
  /** Where events are sent to, or `null`. */
  readonly webhookEvents: FakeWebhookHandler | null;
}

export interface User {
  readonly payload: UserPayload;
  readonly connections: readonly ConnectionPayload[];
  readonly extra: Readonly<Record<string, unknown>>;
}

export interface Member {
  readonly permissions: string;
  readonly owner: boolean;
  readonly user: User;
  readonly payload: Omit<MemberPayload, "user">;
}

export interface Guild {
  /** Without the counts. Replaced by a new object when a bot's role is added or removed. */
  payload: GuildPayload;
  /** As configured; `null` means to count. */
  readonly memberCount: number | null;
  /** As configured; `null` means that everybody is there. */
  readonly presenceCount: number | null;
  readonly members: Map<string, Member>;
  /** Permissions by application id. */
  readonly bots: Map<string, string>;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** What one login granted. Revoking it ends all of its tokens. */
export interface Grant {
  readonly application: Application;
  readonly user: User;
  readonly scopes: readonly string[];
  /** Whether a user consented to it. The client credentials grant needs no consent. */
  readonly consented: boolean;
  revoked: boolean;
}

export interface Code extends Login {
  readonly redirectUri: string;
  /** Whether the authorize URL named the redirect URI; if so the token request must too. */
  readonly redirectUriGiven: boolean;
  readonly challenge: string | null;
  readonly guild: Guild | null;
  readonly expiresAt: number;
  used: boolean;
}

/** When a person consented, and to what. */
export interface Login {
  readonly grant: Grant;
  readonly nonce: string | null;
  readonly issuedAt: number;
}

/** A device that waits for a person to type in its code elsewhere. */
export interface DeviceLogin {
  readonly application: Application;
  readonly scopes: readonly string[];
  readonly userCode: string;
  readonly expiresAt: number;
  /** The seconds that must pass between two requests of the device for its token. */
  interval: number;
  /** When the device last asked. */
  askedAt: number | null;
  decision: Login | "denied" | null;
}

export interface AccessToken {
  readonly grant: Grant;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
}

export interface World {
  readonly origin: string;
  readonly cdnUrl: string;
  readonly now: () => number;
  /** Seconds. */
  readonly codeLifetime: number;
  /** Seconds. */
  readonly tokenLifetime: number;
  readonly knownScopes: ReadonlySet<string>;
  readonly applications: ReadonlyMap<string, Application>;
  readonly users: ReadonlyMap<string, User>;
  readonly guilds: ReadonlyMap<string, Guild>;
  readonly codes: Map<string, Code>;
  /** By device code. */
  readonly deviceLogins: Map<string, DeviceLogin>;
  readonly accessTokens: Map<string, AccessToken>;
  readonly refreshTokens: Map<string, Grant>;
  /** The scopes a user has granted an application, by `applicationId:userId`. */
  readonly consents: Map<string, Set<string>>;
  /** By `applicationId:userId`. */
  readonly roleConnections: Map<string, RoleConnectionPayload>;
  /** The records in which an application may say something about a user. */
  readonly roleConnectionRecords: Map<Application, readonly RoleConnectionMetadataPayload[]>;
  /** How many ids were given out. */
  issuedIds: number;
  /** Made when first needed. */
  signingKey: Promise<SigningKey> | null;
  /** What events are signed with, by application id; made when first needed. */
  readonly eventKeys: Map<string, Promise<EventKey>>;
}

/** What the events for an application are signed with. */
export interface EventKey {
  readonly key: CryptoKey;
  /** In hexadecimal. */
  readonly publicKey: string;
}

/** What `id_token`s are signed with. */
export interface SigningKey {
  readonly key: CryptoKey;
  readonly publicJwk: Readonly<Record<string, unknown>>;
}

/** 256 random bits. The prefix shows whoever finds it in a log that it is not a real token. */
export function randomToken(kind: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `fake_${kind}_${base64url(bytes)}`;
}

/** An id that nothing else of this platform has, from the time on its clock. */
export function newSnowflake(world: World): string {
  world.issuedIds += 1;
  const milliseconds = Math.max(0, Math.floor(world.now()) - startOf2015);
  return String((BigInt(milliseconds) << 22n) + BigInt(world.issuedIds));
}

/** The moment that ids count from: the beginning of 2015. */
const startOf2015 = 1_420_070_400_000;

/** Base64url without padding (RFC 4648 section 5). */
export function base64url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The own property of a table, for names that come from outside: `constructor` and the like are not found. */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** A number for a text, the same on every run (FNV-1a). */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) {
    value = Math.imul(value ^ character.charCodeAt(0), 0x01000193);
  }
  return value >>> 0;
}

export function consentKey(application: Application, user: User): string {
  return `${application.id}:${user.payload.id}`;
}

/** The user as the application may see them. */
export function visibleUser(user: User, scopes: readonly string[]): Record<string, unknown> {
  return { ...userForScopes(user.payload, scopes), ...user.extra };
}

/** The guild as its members and bots may see it. */
export function wholeGuild(
  guild: Guild,
  apiVersion: number,
  withCounts: boolean,
): Record<string, unknown> {
  return {
    ...guild.payload,
    roles: guild.payload.roles.map((role) => ({
      ...role,
      ...permissionsOf(role.permissions, apiVersion),
    })),
    ...(withCounts ? counts(guild) : {}),
    ...guild.extra,
  };
}

/** Permissions as a version of the API writes them: before version 8 as a number that has no bit above the 31st. */
export function permissionsOf(permissions: string, apiVersion: number): Record<string, unknown> {
  if (apiVersion >= 8) return { permissions };
  return {
    permissions: Number(BigInt(permissions) & 0x7fff_ffffn),
    permissions_new: permissions,
  };
}

export function counts(
  guild: Guild,
): { approximate_member_count: number; approximate_presence_count: number } {
  const members = guild.memberCount ?? guild.members.size + guild.bots.size;
  return {
    approximate_member_count: members,
    approximate_presence_count: guild.presenceCount ?? members,
  };
}

/** Puts an application's bot into a guild, with the managed role the platform gives it. */
export function addBot(guild: Guild, application: Application, permissions: string): void {
  guild.bots.set(application.id, permissions);
  const others = rolesWithoutBot(guild, application);
  guild.payload = { ...guild.payload, roles: [...others, botRole(application, permissions)] };
}

/** Takes an application's bot out of a guild, with its role. */
export function removeBot(guild: Guild, application: Application): void {
  guild.bots.delete(application.id);
  guild.payload = { ...guild.payload, roles: rolesWithoutBot(guild, application) };
}

function rolesWithoutBot(guild: Guild, { id }: Application): GuildPayload["roles"] {
  return guild.payload.roles.filter((role) => role.tags?.bot_id !== id);
}
