/**
 * A lock for work that one call does and other calls wait for: a trial request after a pause, a read, a request for keys.
 *
 * A claim is plain data: on Cloudflare Workers a request can't wait for a promise or a timer of another request. A waiting call polls
 * the claim with its own timer.
 *
 * @module
 */

import { sleep } from "../../core/wait.ts";
import { maxClaimPollMs, minClaimPollMs } from "../waits.ts";

/** A lock that one call at a time may hold. */
export interface Claim {
  /**
   * The end of the claim, as of `performance.now()`; `-Infinity` if no call holds it. Every claim ends, since a request of a Worker may stop
   * without releasing it.
   */
  heldUntil: number;
}

/** Creates a claim that no call holds. */
export function newClaim(): Claim {
  return { heldUntil: -Infinity };
}

/** Returns true while a call holds the claim. */
export function isHeld({ heldUntil }: Claim, now: number = performance.now()): boolean {
  return now < heldUntil;
}

/** Releases the claim. */
export function release(claim: Claim): void {
  claim.heldUntil = -Infinity;
}

/**
 * Waits until no call holds the claim. Returns false if a call still holds the claim at the deadline.
 *
 * @param deadline As of `performance.now()`.
 * @throws The signal's reason, if it fires.
 */
export async function untilReleased(
  claim: Claim,
  deadline: number,
  signal: AbortSignal | null | undefined,
): Promise<boolean> {
  return await untilFound(() => isHeld(claim) ? null : true, deadline, signal) ?? false;
}

/**
 * Polls until `find` returns a value, and returns that value; `null` after the deadline.
 *
 * @param deadline As of `performance.now()`.
 * @throws The signal's reason, if it fires, and the errors of `find`.
 */
export async function untilFound<Value>(
  find: () => Value | null,
  deadline: number,
  signal: AbortSignal | null | undefined,
): Promise<Value | null> {
  const startedAt = performance.now();
  for (let found = find();; found = find()) {
    const now = performance.now();
    if (found !== null || now >= deadline) return found;
    const pollMs = Math.max(minClaimPollMs, Math.min((now - startedAt) / 20, maxClaimPollMs));
    await sleep(Math.min(pollMs, deadline - now), signal);
  }
}
