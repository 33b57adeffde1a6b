/**
 * Refreshes a token under the lease, and writes the outcome to the record.
 *
 * @module
 */

import { ApiError, NetworkError, OAuthError, RateLimitError } from "../core/errors.ts";
import { defaultLimitSeconds, maxLeaseReserveMs, maxRefreshLimitMs } from "../http/waits.ts";
import type { RefreshTurn } from "../http/request.ts";
import type { TokenObj } from "../resources/token.ts";
import { type HeldLease, takeLease, type VersionedRecord } from "./lease.ts";
import type { TokenEntry } from "./token_entry.ts";
import { isRefusedRefresh } from "./token_hints.ts";
import {
  doubtfulRecord,
  newRecord,
  pausedRecord,
  type RefreshFailure,
  refusedRecord,
  type TokenRecord,
} from "./token_record.ts";
import type { TokenApi } from "./token_api.ts";

/** The progress of a refresh. */
export interface RefreshProgress {
  /** The deadline of the refresh, as of `performance.now()`. It does not apply once the platform has issued a token. */
  readonly deadline: number;
  /** True once the platform has issued a token. */
  isIssued: boolean;
}

/** The circumstances of a refresh. */
export interface RefreshCircumstances {
  /** True if the refresh replaces a token that the platform rejected with 401. */
  readonly isRenewal: boolean;
  /** True if the old token still works. */
  readonly isOld: boolean;
  readonly progress: RefreshProgress;
}

/**
 * Takes the lease when the request is about to be sent, and refreshes the token. Returns `null` if the caller must read the store again.
 *
 * @param found The record without a lease.
 */
export async function refreshUnderLease(
  api: TokenApi,
  entry: TokenEntry,
  found: VersionedRecord,
  { isRenewal, isOld, progress }: RefreshCircumstances,
): Promise<TokenObj | null> {
  const { record } = found;
  // With less time, the response might come too late, and the token in it would be lost.
  const latest = progress.deadline - entry.timeout / 2;
  let leasing = null as Promise<HeldLease | null> | null;
  const take = async () => {
    leasing ??= takeLease(entry, found, latest);
    return await leasing.catch(() => null) !== null;
  };
  let token: TokenObj;
  try {
    const takesTurns = api.takesTurns === true;
    if (!takesTurns && !await take()) throw new Error("The lease was not taken");
    // An API that wraps a `PlatformApi` may pass the turn on. A refresh that is held back under the lease would then look like one
    // without a known outcome.
    const turn = takesTurns ? { isUrgent: !isOld, store: entry.store, take } : null;
    token = await requestToken(api, record.token, progress, turn);
  } catch (error) {
    // As long as the old token works, a fault of the store does no harm.
    const held = await (isOld ? leasing?.catch(() => null) : leasing);
    if (!held) {
      if (isOld) return record.token;
      if (leasing) return null;
      // This process holds the refresh back.
      throw error;
    }
    const { leased, version } = held;
    if (isRefusedRefresh(error)) {
      await entry.replace({ leased, next: refusedRecord }, version);
      return null;
    }
    const next = wasNotProcessed(error)
      ? pausedRecord(leased, limitOf(error), failureOf(error))
      : doubtfulRecord(leased);
    await entry.tryToWrite(next, version);
    if (isOld) return leased.token;
    throw error;
  }
  const held = await leasing;
  if (!held) throw new TypeError("refresh() of the PlatformApi has not called turn.take()");
  const { leased, version } = held;
  const refreshed = {
    ...newRecord(token, leased.startedAt),
    renewedAt: isRenewal ? Date.now() : null,
  };
  // Meanwhile, a login with fewer scopes may have kept the token and changed `startedAt`, and a revocation may have failed.
  const next = ({ startedAt, login, awaitsRevocation }: TokenRecord) => ({
    ...refreshed,
    startedAt,
    login,
    awaitsRevocation,
  });
  const isCurrent = await entry.replace({ leased, next }, version);
  return isCurrent ? refreshed.token : null;
}

/** Sends the refresh token. The time limit of the request leaves time to release the lease. */
async function requestToken(
  api: TokenApi,
  token: TokenObj,
  progress: RefreshProgress,
  turn: RefreshTurn | null,
): Promise<TokenObj> {
  const left = progress.deadline - performance.now();
  const timeout = Math.ceil(left - Math.min(maxLeaseReserveMs, left / 20));
  const onIssued = () => void (progress.isIssued = true);
  // No caller's signal is passed, since others wait for this refresh too.
  const refreshed = await api.refresh(token, { timeout, onIssued, turn });
  onIssued();
  return refreshed;
}

/**
 * Returns true if a failed refresh certainly did not use the refresh token up: no connection was made, or the response was 503, or
 * 4xx except 408 Request Timeout.
 */
function wasNotProcessed(error: unknown): boolean {
  if (error instanceof NetworkError) return !error.mayHaveArrived;
  if (!(error instanceof OAuthError || error instanceof ApiError)) return false;
  const status = error.httpStatus ?? 0;
  return status === 503 || status >= 400 && status < 500 && status !== 408;
}

/** Returns the milliseconds to wait after a 429; `null` for any other error. */
function limitOf(error: unknown): number | null {
  if (!(error instanceof RateLimitError)) return null;
  return Math.min((error.retryAfter ?? defaultLimitSeconds) * 1000, maxRefreshLimitMs);
}

/** Returns the failure that other callers share; `null` for any other error. */
function failureOf(error: unknown): RefreshFailure | null {
  if (error instanceof NetworkError) return { status: null, retryAfter: null };
  const isDown = error instanceof ApiError && error.httpStatus === 503;
  return isDown ? { status: 503, retryAfter: error.retryAfter } : null;
}
