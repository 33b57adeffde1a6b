/**
 * Describes the state of a fake platform: its users, guilds and applications, and the issued codes and tokens.
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
  /** The device logins, by device code. */
  readonly deviceLogins: Map<string, DeviceLogin>;
  readonly accessTokens: Map<string, AccessToken>;
  readonly refreshTokens: Map<string, Grant>;
  /** The scopes that a user granted to an application, by {@link applicationUserKey}. */
  readonly grantedScopes: Map<string, Set<string>>;
  /** The role connections, by {@link applicationUserKey}. */
  readonly roleConnections: Map<string, RoleConnectionPayload>;
  /** The registered metadata records for linked roles, by application. */
  readonly roleConnectionMetadata: Map<Application, readonly RoleConnectionMetadataPayload[]>;
  /** The number of created ids. */
  issuedIds: number;
  /** The key that signs `id_token`s, created on first use. */
  idTokenKey: Promise<IdTokenKey> | null;
  /** The keys that sign webhook events, by application id. Each key is created on first use. */
  readonly eventKeys: Map<string, Promise<EventKey>>;
}

/** An authorization of an application. Revoking the authorization ends all of its tokens. */
export interface Grant {
  readonly application: Application;
  readonly user: User;
  readonly scopes: readonly string[];
  /** False for the client credentials grant, which does not need consent. */
  readonly consented: boolean;
  revoked: boolean;
}

/** A grant with a user's consent, and the time of the consent. */
export interface Consent {
  readonly grant: Grant;
  readonly nonce: string | null;
  readonly issuedAt: number;
}

export interface AuthorizationCode extends Consent {
  readonly redirectUri: string;
  /** True if the authorization URL had a redirect URI. The token request must repeat the URI. */
  readonly redirectUriWasSent: boolean;
  readonly codeChallenge: string | null;
  readonly guild: Guild | null;
  /** The channel of a webhook; `null` for a channel of the guild. */
  readonly channelId: string | null;
  readonly expiresAt: number;
  used: boolean;
}

/** A device login that waits for the user's decision. */
export interface DeviceLogin {
  readonly application: Application;
  readonly scopes: readonly string[];
  readonly userCode: string;
  readonly expiresAt: number;
  /** The polling interval of the device. */
  intervalSeconds: number;
  /** The time of the device's last token request. */
  lastPollAt: number | null;
  decision: Consent | "denied" | null;
}

export interface AccessToken {
  readonly grant: Grant;
  readonly expiresAt: number;
}

/** A `CryptoKey`. Some versions of Node's types do not have this global name. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The key that signs an application's webhook events. */
export interface EventKey {
  readonly key: Key;
  /** The public key, in hexadecimal. */
  readonly publicKey: string;
}

/** The key that signs `id_token`s. */
export interface IdTokenKey {
  readonly key: Key;
  readonly publicJwk: Readonly<Record<string, unknown>>;
}

/** Returns the map key for an application's data about a user. */
export function applicationUserKey(application: Application, user: User): string {
  return `${application.id}:${user.payload.id}`;
}
