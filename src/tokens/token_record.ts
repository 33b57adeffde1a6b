/**
 * The record of a `TokenSource` in its store: a token, and the lease of the process that refreshes it.
 *
 * @module
 */

import {
  clockDifferenceMs,
  defaultTokenLifetimeSeconds,
  firstBackoffMs,
  keptAfterEndMs,
  maxBackoffMs,
} from "../http/waits.ts";
import { freeze } from "../core/freeze.ts";
import { hideToken, hideWebhook } from "../core/hide_secrets.ts";
import { tokenFormat } from "../stores/names.ts";
import type { TokenObj } from "../resources/token.ts";

/** The record of one person. All times are in milliseconds since the epoch. */
export interface TokenRecord {
  /** The number of the record's format, for later versions of the library. */
  readonly format: typeof tokenFormat;
  readonly token: TokenObj;
  /** The lease of the process that refreshes the token. The lease stays if the outcome of the refresh is not known. */
  readonly lease: Lease | null;
  /** True if Discord has refused the refresh token for good. */
  readonly refused: boolean;
  /** The wait after a refresh that Discord did not process. */
  readonly pause: Backoff | null;
  /** The time of the refresh, if Discord had rejected the old token with 401. */
  readonly renewedAt: number | null;
  /** A random number from 0 to 1. The number spreads the refreshes of tokens that were issued together. */
  readonly jitter: number;
  /** The time of the token's login, which a refresh does not change. `0` if the time was not stored. */
  readonly startedAt: number;
  /** The token of a later login with fewer scopes. This token is used if Discord refuses the refresh token. A refresh removes it. */
  readonly spare: TokenObj | null;
  /** The login that saved the record; `null` without a `Login`. */
  readonly login: RecordLogin | null;
  /** True if a revocation has failed. The token is then used only for another revocation. */
  readonly awaitsRevocation: boolean;
}

/** The login that has saved a record. */
interface RecordLogin {
  /** The digest of its session. */
  readonly digest: string;
  /** True if the person had no token before. */
  readonly isFirst: boolean;
}

/** The right to send the refresh token, which one process has at a time. */
export interface Lease {
  readonly id: string;
  /** The duration of the lease in milliseconds, for processes that measure it themselves. */
  readonly duration: number;
  /** The end of the lease by the clock of its holder. */
  readonly until: number;
}

/** A record with a lease. */
export type LeasedRecord = TokenRecord & { readonly lease: Lease };

/** A period during which no process sends the refresh token. */
interface Backoff {
  /** The time at which the period ends while the access token works. */
  readonly until: number;
  /** The time at which the period ends if the access token has expired, as a 429 demands it; `null` without a 429. */
  readonly limitUntil: number | null;
  /** The number of consecutive refreshes that Discord did not process. */
  readonly failures: number;
  /** The last failure, for callers that have waited for its refresh. Without it, each caller must try for itself. */
  readonly failure?: RefreshFailure;
}

/** The failure of a refresh that Discord did not process. */
export interface RefreshFailure {
  /** The HTTP status; `null` without a connection. */
  readonly status: number | null;
  /** The stated wait in seconds. */
  readonly retryAfter: number | null;
}

/** Creates the record of a new token. */
export function newRecord(token: TokenObj, startedAt: number): TokenRecord {
  return {
    format: tokenFormat,
    // The caller's list of scopes must not be frozen.
    token: fromStoredToken({ ...toStoredToken(token), scopes: [...token.scopes] }),
    lease: null,
    refused: false,
    pause: null,
    renewedAt: null,
    jitter: Math.random(),
    startedAt,
    spare: null,
    login: null,
    awaitsRevocation: false,
  };
}

/** Returns the record after Discord has refused its refresh token for good. */
export function refusedRecord(record: TokenRecord): TokenRecord {
  const { spare, startedAt, login } = record;
  return spare
    ? { ...newRecord(spare, startedAt), login }
    : { ...record, lease: null, refused: true };
}

/**
 * Returns the record after a refresh that Discord did not process. The refresh token still works.
 *
 * @param limit The wait that a 429 demands, in milliseconds; `null` without a 429.
 * @param failure The failure that other callers share.
 */
export function backedOffRecord(
  record: TokenRecord,
  limit: number | null,
  failure: RefreshFailure | null = null,
): TokenRecord {
  const now = Date.now();
  const failures = (record.pause?.failures ?? 0) + 1;
  const wait = Math.min(firstBackoffMs * 2 ** (failures - 1), maxBackoffMs);
  const until = now + Math.max(wait, limit ?? 0);
  const limitUntil = limit === null ? null : now + limit;
  return {
    ...record,
    lease: null,
    pause: { until, limitUntil, failures, ...(failure && { failure }) },
  };
}

/**
 * Returns the record after a refresh without a known outcome. The lease stays, so that the refresh token is sent again only after
 * the access token has expired. The lease has already ended, so that the next refresh does not wait for its end.
 */
export function doubtfulRecord(record: LeasedRecord): TokenRecord {
  return { ...record, lease: { id: record.lease.id, duration: 0, until: 0 } };
}

/**
 * Reads a record from the store. Returns `null` for any other value, such as a sealed record whose key is gone. Only the token is required:
 * an older version of this library may have stored fewer fields, and another format is not known.
 */
export function readRecord(value: unknown): TokenRecord | null {
  const record = Object(value) as TokenRecord;
  const { format, token, spare } = record;
  if (!isToken(token)) return null;
  return {
    ...newRecord(token, 0),
    jitter: 0,
    ...(format === tokenFormat && record),
    token: fromStoredToken(token),
    spare: isToken(spare) ? fromStoredToken(spare) : null,
  };
}

/** Returns true for the value that replaces a removed record. A store whose clock is behind may still return this value. */
export function isRemoved(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/**
 * Returns a token for a store or a cookie, without the parts that come only with a login: a guild may be megabytes, and a refresh does not
 * need the secret of a webhook.
 */
export function toStoredToken(token: TokenObj): TokenObj {
  return { ...token, guild: null, webhook: null, id_token: null };
}

/** Restores a token that was stored as JSON: freezes the token, and hides its secrets in logs. */
export function fromStoredToken(token: TokenObj): TokenObj {
  return freeze(hideToken({ ...token, webhook: token.webhook && hideWebhook(token.webhook) }));
}

/** Returns true if a value is a token with the fields that a source reads. */
export function isToken(value: unknown): value is TokenObj {
  const token = Object(value) as TokenObj;
  return typeof token.access_token === "string" && Array.isArray(token.scopes) &&
    (token.refresh_token === null || typeof token.refresh_token === "string") &&
    (token.expires_at === null || isNumber(token.expires_at));
}

/** Returns the time at which a record saved now expires in the store; `undefined` if its token can be refreshed or never expires. */
export function expiryOf({ token, refused }: TokenRecord): number | undefined {
  const canBeRefreshed = token.refresh_token !== null && !refused;
  if (canBeRefreshed || token.expires_at === null) return undefined;
  return Math.max(token.expires_at, Date.now()) + keptAfterEndMs;
}

/** Returns true if a token stays valid for some time, in milliseconds, by the clock of this process. */
export function isValidFor({ expires_at }: TokenObj, milliseconds: number): boolean {
  return expires_at === null || Date.now() + milliseconds < expires_at;
}

/**
 * The part of the last quarter over which refreshes are spread. The rest is for retries after an outage. For a token of a week, this is 25
 * hours, so that a daily job refreshes the token before it expires.
 */
const spreadOfRefreshes = 0.4;

/**
 * Returns the remaining lifetime at which a token is refreshed, in milliseconds. A random part spreads the refreshes of tokens
 * that were issued together.
 *
 * @param refreshBefore The option in milliseconds, or `null` for the last quarter of the lifetime.
 */
export function refreshMargin(
  { token, jitter }: TokenRecord,
  refreshBefore: number | null,
): number {
  const lifetime = (token.expires_in ?? defaultTokenLifetimeSeconds) * 1000;
  if (refreshBefore === null) {
    // A token that lives only minutes needs time for a refresh before it is no longer used.
    const least = Math.min(2 * endMargin(token), lifetime / 4);
    return Math.max(lifetime / 4 * (1 - jitter * spreadOfRefreshes), least);
  }
  return Math.min(refreshBefore * (1 + jitter / 4), lifetime / 2);
}

/**
 * Returns the remaining lifetime at which a token is no longer used, in milliseconds, since clocks differ. For a token that lives only
 * minutes, this is a quarter of the lifetime.
 */
export function endMargin({ expires_in }: TokenObj): number {
  return Math.min(clockDifferenceMs, (expires_in ?? defaultTokenLifetimeSeconds) * 250);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}
