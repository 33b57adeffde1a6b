/**
 * The state of a fake platform: its users, guilds and applications, and the issued codes and tokens.
 *
 * @module
 */

import type { Application } from "./application.ts";
import type { Guild } from "./guild.ts";
import type {
  RoleConnectionMetadataPayload,
  RoleConnectionPayload,
} from "./payloads/role_connection.ts";
import type { User } from "./user.ts";

export interface World {
  readonly origin: string;
  readonly cdnUrl: string;
  readonly now: () => number;
  readonly codeLifetimeSeconds: number;
  readonly tokenLifetimeSeconds: number;
  readonly knownScopes: ReadonlySet<string>;
  readonly applications: ReadonlyMap<string, Application>;
  readonly users: ReadonlyMap<string, User>;
  readonly guilds: ReadonlyMap<string, Guild>;
  readonly codes: Map<string, AuthorizationCode>;
  /** By device code. */
  readonly deviceLogins: Map<string, DeviceLogin>;
  readonly accessTokens: Map<string, AccessToken>;
  readonly refreshTokens: Map<string, Grant>;
  /** The scopes granted by a user to an application, by {@link applicationUserKey}. */
  readonly grantedScopes: Map<string, Set<string>>;
  /** By {@link applicationUserKey}. */
  readonly roleConnections: Map<string, RoleConnectionPayload>;
  /** The registered metadata records of an application for linked roles. */
  readonly roleConnectionMetadata: Map<Application, readonly RoleConnectionMetadataPayload[]>;
  /** The number of ids made so far. */
  issuedIds: number;
  /** Created on first use. */
  idTokenKey: Promise<IdTokenKey> | null;
  /** By application id. Each key is created on first use. */
  readonly eventKeys: Map<string, Promise<EventKey>>;
}

/** An authorization of an application. Revoking it ends all of its tokens. */
export interface Grant {
  readonly application: Application;
  readonly user: User;
  readonly scopes: readonly string[];
  /** False for the client credentials grant, which needs no consent. */
  readonly consented: boolean;
  revoked: boolean;
}

/** A grant with a user's consent, and its time. */
export interface Consent {
  readonly grant: Grant;
  readonly nonce: string | null;
  readonly issuedAt: number;
}

export interface AuthorizationCode extends Consent {
  readonly redirectUri: string;
  /** True if the authorize URL had a redirect URI. The token request must repeat it. */
  readonly redirectUriWasSent: boolean;
  readonly codeChallenge: string | null;
  readonly guild: Guild | null;
  readonly expiresAt: number;
  used: boolean;
}

/** A device that waits for the user to enter its code. */
export interface DeviceLogin {
  readonly application: Application;
  readonly scopes: readonly string[];
  readonly userCode: string;
  readonly expiresAt: number;
  /** The minimum time between two token requests of the device. */
  intervalSeconds: number;
  /** The time of the device's last token request. */
  lastPollAt: number | null;
  decision: Consent | "denied" | null;
}

export interface AccessToken {
  readonly grant: Grant;
  readonly expiresAt: number;
}

/** A `CryptoKey`. Not every version of Node's types has a global name for it. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The key for the signatures of an application's webhook events. */
export interface EventKey {
  readonly key: Key;
  /** In hexadecimal. */
  readonly publicKey: string;
}

/** The key for the signatures of `id_token`s. */
export interface IdTokenKey {
  readonly key: Key;
  readonly publicJwk: Readonly<Record<string, unknown>>;
}

/** Returns the key of an application's data about a user. */
export function applicationUserKey(application: Application, user: User): string {
  return `${application.id}:${user.payload.id}`;
}
