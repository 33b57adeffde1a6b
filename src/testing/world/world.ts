/**
 * The state of a fake platform: who and what there is, and which codes and tokens were given out.
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

/** What one login granted. Revoking it ends all of its tokens. */
export interface Grant {
  readonly application: Application;
  readonly user: User;
  readonly scopes: readonly string[];
  /** Whether a user consented to it. The client credentials grant needs no consent. */
  readonly consented: boolean;
  revoked: boolean;
}

export interface AuthorizationCode extends Consent {
  readonly redirectUri: string;
  /** Whether the authorize URL named the redirect URI; if so the token request must too. */
  readonly redirectUriWasSent: boolean;
  readonly codeChallenge: string | null;
  readonly guild: Guild | null;
  readonly expiresAt: number;
  used: boolean;
}

/** When a person consented, and to what. */
export interface Consent {
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
  lastPollAt: number | null;
  decision: Consent | "denied" | null;
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
  readonly codes: Map<string, AuthorizationCode>;
  /** By device code. */
  readonly deviceLogins: Map<string, DeviceLogin>;
  readonly accessTokens: Map<string, AccessToken>;
  readonly refreshTokens: Map<string, Grant>;
  /** The scopes a user has granted an application, by `applicationId:userId`. */
  readonly grantedScopes: Map<string, Set<string>>;
  /** By `applicationId:userId`. */
  readonly roleConnections: Map<string, RoleConnectionPayload>;
  /** The records in which an application may say something about a user. */
  readonly roleConnectionMetadata: Map<Application, readonly RoleConnectionMetadataPayload[]>;
  /** How many ids were given out. */
  issuedIds: number;
  /** Made when first needed. */
  idTokenKey: Promise<IdTokenKey> | null;
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
export interface IdTokenKey {
  readonly key: CryptoKey;
  readonly publicJwk: Readonly<Record<string, unknown>>;
}

export function applicationUserKey(application: Application, user: User): string {
  return `${application.id}:${user.payload.id}`;
}
