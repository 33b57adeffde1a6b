/**
 * The state of a fake platform: its users, guilds and applications, and the codes and tokens that it issued.
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
  /** In seconds. */
  readonly codeLifetime: number;
  /** In seconds. */
  readonly tokenLifetime: number;
  readonly knownScopes: ReadonlySet<string>;
  readonly applications: ReadonlyMap<string, Application>;
  readonly users: ReadonlyMap<string, User>;
  readonly guilds: ReadonlyMap<string, Guild>;
  readonly codes: Map<string, AuthorizationCode>;
  /** By device code. */
  readonly deviceLogins: Map<string, DeviceLogin>;
  readonly accessTokens: Map<string, AccessToken>;
  readonly refreshTokens: Map<string, Grant>;
  /** The scopes that a user has granted to an application, by {@link applicationUserKey}. */
  readonly grantedScopes: Map<string, Set<string>>;
  /** By {@link applicationUserKey}. */
  readonly roleConnections: Map<string, RoleConnectionPayload>;
  /** The metadata records that an application registered for linked roles. */
  readonly roleConnectionMetadata: Map<Application, readonly RoleConnectionMetadataPayload[]>;
  /** The number of ids that were made. */
  issuedIds: number;
  /** Created when it is first needed. */
  idTokenKey: Promise<IdTokenKey> | null;
  /** By application id. Each is created when it is first needed. */
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

/** A grant that a person consented to, and the time of that. */
export interface Consent {
  readonly grant: Grant;
  readonly nonce: string | null;
  readonly issuedAt: number;
}

export interface AuthorizationCode extends Consent {
  readonly redirectUri: string;
  /** True if the authorize URL had a redirect URI. The token request must have it then too. */
  readonly redirectUriWasSent: boolean;
  readonly codeChallenge: string | null;
  readonly guild: Guild | null;
  readonly expiresAt: number;
  used: boolean;
}

/** A device that waits for a person to type its code in elsewhere. */
export interface DeviceLogin {
  readonly application: Application;
  readonly scopes: readonly string[];
  readonly userCode: string;
  readonly expiresAt: number;
  /** The seconds that must pass between two token requests of the device. */
  interval: number;
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

/** The key that signs the webhook events for an application. */
export interface EventKey {
  readonly key: Key;
  /** In hexadecimal. */
  readonly publicKey: string;
}

/** The key that signs the `id_token`s. */
export interface IdTokenKey {
  readonly key: Key;
  readonly publicJwk: Readonly<Record<string, unknown>>;
}

/** Returns the key of an application's data about a user. */
export function applicationUserKey(application: Application, user: User): string {
  return `${application.id}:${user.payload.id}`;
}
