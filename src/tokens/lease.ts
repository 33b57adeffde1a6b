/**
 * The lease of the process that refreshes or revokes a token. Compare-and-set in the store decides which process gets the lease.
 *
 * @module
 */

import { RecentMap } from "../core/recent_map.ts";
import { clockDifferenceMs, leaseMarginMs } from "../http/waits.ts";
import type { TokenEntry } from "./token_entry.ts";
import type { Lease, LeasedRecord, TokenRecord } from "./token_record.ts";

/** A record whose lease this source holds. */
export interface HeldLease {
  readonly leased: LeasedRecord;
  readonly version: string;
}

/** A record in the store. */
export interface VersionedRecord {
  readonly record: TokenRecord;
  readonly version: string | null;
}

/**
 * The times at which this process first saw the latest leases, as of `performance.now()`, which does not follow changes of the clock.
 * A source for one request does not live as long as the lease of a crashed process.
 */
const seenLeases = /* @__PURE__ */ new RecentMap(1000, () => performance.now());

/**
 * Returns true while a process holds the lease. The lease ends when this process has seen it for its duration, or when its end has
 * passed by the clock. A process that sees the lease for the first time needs the clock.
 */
export function isLeased(lease: Lease | null): boolean {
  return lease !== null && performance.now() - seenLeases.get(lease.id) <= lease.duration &&
    Date.now() <= lease.until + clockDifferenceMs;
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
): Promise<HeldLease | null> {
  if (performance.now() > latest) return null;
  const id = crypto.randomUUID();
  const duration = entry.timeout + leaseMarginMs;
  seenLeases.get(id);
  const leased = { ...record, lease: { id, duration, until: Date.now() + duration } };
  const leasedVersion = await entry.write(leased, version);
  if (leasedVersion === null) return null;
  if (performance.now() > latest) {
    await entry.release({ leased, next: withoutLease }, leasedVersion);
    return null;
  }
  return { leased, version: leasedVersion };
}

/** Returns a record without its lease. */
export function withoutLease(record: TokenRecord): TokenRecord {
  return { ...record, lease: null };
}
