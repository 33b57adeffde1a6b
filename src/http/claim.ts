/**
 * The claim of one call on work whose outcome others need: a trial after a pause, a read, a request for keys.
 *
 * It is plain data, without a promise or a timer: on Cloudflare Workers a request can't wait for those of another one. A call that
 * finds a claim looks again with a timer of its own.
 *
 * @module
 */

import { sleep } from "../core/wait.ts";
import { maxClaimPollMs, minClaimPollMs } from "./waits.ts";

/** A claim that one call at a time may hold. */
export interface Claim {
  /** The end of the claim, as of `performance.now()`. It always has one, since a request of a Worker may end without a trace. */
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

/** Gives the claim back. */
export function release(claim: Claim): void {
  claim.heldUntil = -Infinity;
}

/**
 * Waits until no call holds the claim. Returns false if one still does at the deadline.
 *
 * @param deadline As of `performance.now()`.
 * @throws The signal's reason, if it fires.
 */
export async function untilReleased(
  claim: Claim,
  deadline: number,
  signal: AbortSignal | null | undefined,
): Promise<boolean> {
  const startedAt = performance.now();
  for (let now = startedAt; isHeld(claim, now); now = performance.now()) {
    if (now >= deadline) return false;
    const pollMs = Math.max(minClaimPollMs, Math.min((now - startedAt) / 20, maxClaimPollMs));
    await sleep(Math.min(pollMs, deadline - now), signal);
  }
  return true;
}
