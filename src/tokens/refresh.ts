/**
 * Refreshes a token under the lease, and writes the outcome to the record.
 *
 * @module
 */

import { OAuthError } from "../core/errors.ts";
import { ApiError, NetworkError } from "../core/response_errors.ts";
import { type Deadline, timeLeft } from "../core/wait.ts";
import { waitBeforeRefresh } from "../http/next_step.ts";
import { clockDifferenceMs, leaseMarginMs, maxLeaseReserveMs } from "../http/waits.ts";
import { type Claim, release } from "../http/limits/claim.ts";
import type { TokenObj } from "../resources/token.ts";
import type { HeldRecord, TokenEntry } from "./token_entry.ts";
import { isRefusedRefresh } from "./token_hints.ts";
import {
  backedOffRecord,
  doubtfulRecord,
  type Lease,
  newRecord,
  type RefreshFailure,
  refusedRecord,
  type TokenRecord,
} from "./token_record.ts";
import { type PacedTokenApi, takeRefreshSlot, type TokenApi } from "./token_api.ts";
import { RecentMap } from "../core/recent_map.ts";

/** The progress of a refresh. */
export interface RefreshProgress {
  /** The deadline of the refresh. It does not apply once Discord has issued a token. */
  readonly deadline: Deadline;
  /** True once Discord has issued a token. */
  isIssued: boolean;
}

/** The circumstances of a refresh. */
export interface RefreshCircumstances {
  /** True if the refresh replaces a token that Discord rejected with 401. */
  readonly isRenewal: boolean;
  /** True if the old token still works. */
  readonly isOld: boolean;
  readonly progress: RefreshProgress;
}

/**
 * Refreshes a token under a lease. Takes a slot before the lease, so that nothing is written for a refresh that is not sent. Returns
 * `null` if the caller must read the store again.
 *
 * @param found The record without a lease.
 */
export async function refreshToken(
  api: PacedTokenApi,
  entry: TokenEntry,
  found: VersionedRecord,
  circumstances: RefreshCircumstances,
): Promise<TokenObj | null> {
  const { isOld, progress } = circumstances;
  const { token } = found.record;
  // With less time, the response might come too late, and the token in it would be lost.
  const latest = progress.deadline.at - entry.timeout / 2;
  let slot: Claim | null | undefined;
  try {
    slot = await api[takeRefreshSlot]?.(token, isOld ? performance.now() : latest);
    // Without a slot, another call of this process refreshes the token. An API without slots gives `undefined`.
    const held = slot === null ? null : await takeLease(entry, found, latest);
    if (held) return await refreshUnderLease(api, entry, held, circumstances);
  } catch (error) {
    if (!isOld) throw error;
  } finally {
    if (slot) release(slot);
  }
  return isOld ? token : null;
}

/** Sends the refresh token, and saves the outcome. Returns `null` if the caller must read the store again. */
async function refreshUnderLease(
  api: TokenApi,
  entry: TokenEntry,
  held: HeldRecord,
  { isRenewal, progress }: RefreshCircumstances,
): Promise<TokenObj | null> {
  const { leased } = held;
  let token: TokenObj;
  try {
    token = await requestToken(api, leased.token, progress);
  } catch (error) {
    if (isRefusedRefresh(error)) {
      await entry.replace(held, refusedRecord);
      return null;
    }
    const next = (current: TokenRecord) =>
      wasNotProcessed(error)
        ? backedOffRecord(current, waitBeforeRefresh(error), failureOf(error))
        : doubtfulRecord({ ...current, lease: leased.lease });
    await entry.release(held, next);
    throw error;
  }
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
  const isCurrent = await entry.replace(held, next);
  return isCurrent ? refreshed.token : null;
}

/** Sends the refresh token. The time limit of the request leaves time to release the lease. */
async function requestToken(
  api: TokenApi,
  token: TokenObj,
  progress: RefreshProgress,
): Promise<TokenObj> {
  const left = timeLeft(progress.deadline);
  const timeout = Math.ceil(left - Math.min(maxLeaseReserveMs, left / 20));
  const onIssued = () => void (progress.isIssued = true);
  // No caller's signal is passed, since others wait for this refresh too.
  const refreshed = await api.refresh(token, { timeout, onIssued });
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

/** Returns the failure that other callers share; `null` for any other error. */
function failureOf(error: unknown): RefreshFailure | null {
  if (error instanceof NetworkError) return { status: null, retryAfter: null };
  const isDown = error instanceof ApiError && error.httpStatus === 503;
  return isDown ? { status: 503, retryAfter: error.retryAfter } : null;
}

/** A record in the store. */
export interface VersionedRecord {
  readonly record: TokenRecord;
  readonly version: string | null;
}

/**
 * The times at which this process first saw the latest leases, as of `performance.now()`, which does not follow changes of the clock.
 * They are shared, because a source for one request ends before the lease of a crashed process.
 */
const seenLeases = /* @__PURE__ */ new RecentMap<number>(1000);

/**
 * Returns true while a process holds the lease. The lease ends when its duration has passed since this process first saw it, or when its
 * end has passed by the clock. A process that sees the lease for the first time needs the clock.
 */
export function isLeased(lease: Lease | null): boolean {
  return lease !== null && performance.now() - firstSeenAt(lease.id) <= lease.duration &&
    Date.now() <= lease.until + clockDifferenceMs;
}

function firstSeenAt(leaseId: string): number {
  return seenLeases.get(leaseId, () => performance.now());
}

/**
 * Takes the lease. Returns `null` if another process was faster, or the deadline has passed.
 *
 * @param latest The deadline for taking the lease, as of `performance.now()`.
 */
export async function takeLease(
  entry: TokenEntry,
  { record, version }: VersionedRecord,
  latest: number,
): Promise<HeldRecord | null> {
  if (performance.now() > latest) return null;
  const id = crypto.randomUUID();
  const duration = entry.timeout + leaseMarginMs;
  firstSeenAt(id);
  const leased = { ...record, lease: { id, duration, until: Date.now() + duration } };
  const held = { leased, version: await entry.write(leased, version) };
  if (held.version === null) return null;
  if (performance.now() <= latest) return held;
  await entry.release(held, (current) => ({ ...current, lease: record.lease }));
  return null;
}
