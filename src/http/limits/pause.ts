/**
 * Pauses requests after a response that demands it, and then sends one trial request.
 *
 * @module
 */

import type { AttemptResult, Rejection } from "../attempt.ts";
import { type Claim, isHeld, release, untilReleased } from "./claim.ts";
import type { Call } from "../gate.ts";
import type { CheckedOptions } from "../options.ts";
import { statePerPlatform } from "./per_platform.ts";
import { blockedRejection, limitedRejection, type UnsentCall } from "./rejections.ts";
import { maxPauseMs, maxTrialMs, pauseReserveMs } from "../waits.ts";

/**
 * A pause after a response, and the claim of the trial request after the pause. It is plain data, which all requests of the process
 * share. Times are those of `performance.now()`.
 */
export interface Pause extends Claim {
  /** True if blocks by the edge begin the pause; false if any other 429 does. */
  readonly isForBlocks: boolean;
  /** The end of the pause; `null` without a pause. */
  until: number | null;
  /** The time until which the response says to wait, for errors. It may be later than the end of the pause. */
  statedUntil: number;
}

/** Creates a state without a pause. */
export function newPause(isForBlocks: boolean): Pause {
  return { isForBlocks, until: null, statedUntil: -Infinity, heldUntil: -Infinity };
}

/** Returns the pause of all requests to a platform after a block by the edge. */
export function blockPauseOf(options: CheckedOptions): Pause {
  return statePerPlatform(options, newBlockPause);
}

const newBlockPause = () => newPause(true);

/** Makes an attempt, unless there is a pause. */
export async function attemptUnlessPaused(
  pause: Pause,
  call: Call,
  attempt: () => Promise<AttemptResult>,
  isAlone: boolean = false,
): Promise<AttemptResult> {
  const rejection = await waitForPause(pause, call, isAlone);
  if (rejection) return rejection;
  const sentAt = performance.now();
  const result = await attempt();
  recordInPause(pause, sentAt, result, isAlone);
  return result;
}

/**
 * Waits until a request may be sent. Returns a rejection in a pause. After a pause, one request is sent, and the others wait for its
 * outcome with a timer of their own. Never rejects, so that a call which is aborted while it waits still leaves the queue.
 *
 * @param isAlone True if the outcome says nothing about other requests, so that it does not begin or end a pause.
 */
export async function waitForPause(
  pause: Pause,
  call: Call,
  isAlone: boolean = false,
): Promise<Rejection | null> {
  const wait = await waitIn(pause, call, isAlone);
  if (wait === 0) return null;
  return (pause.isForBlocks ? blockedRejection : limitedRejection)(call, wait);
}

/** Updates a pause after a request that was sent in no pause, or after one. */
export function recordInPause(
  pause: Pause,
  sentAt: number,
  result: AttemptResult,
  isAlone: boolean = false,
): void {
  // A failure of the platform is retried, even one with the code of a block.
  const limit = result.kind === "response" && result.status < 500 ? result.limit : null;
  const isDemanded = limit?.isBlock === pause.isForBlocks;
  if (isAlone || (pause.until === null && !isDemanded)) return;
  // A response to an earlier request does not end the pause.
  const wasSentAfterPause = pause.until !== null && sentAt >= pause.until;
  if (wasSentAfterPause) release(pause);
  if (limit && isDemanded) extendPause(pause, 1000 * limit.seconds);
  else if (wasSentAfterPause && result.kind === "response") endPause(pause);
}

/** Throws in the pause after a block by the edge, and does not wait for a trial request. */
export function throwIfBlocked(options: CheckedOptions, call: UnsentCall): void {
  const { until, statedUntil } = blockPauseOf(options);
  const now = performance.now();
  if (until !== null && now < until) throw blockedRejection(call, statedUntil - now).error;
}

/** Returns the milliseconds that a request must still wait. Returns 0 after the pause, to the trial request or after its success. */
async function waitIn(pause: Pause, call: Call, isAlone: boolean): Promise<number> {
  while (pause.until !== null) {
    const now = performance.now();
    if (now < pause.until) return pause.statedUntil - now;
    if (isAlone) break;
    if (!isHeld(pause, now)) {
      pause.heldUntil = Math.min(call.deadline, now + maxTrialMs);
      break;
    }
    const isReleased = untilReleased(pause, call.deadline - pauseReserveMs, call.signal);
    if (!await isReleased.catch(() => false)) return pauseReserveMs;
  }
  return 0;
}

/** Begins a pause, or makes it longer. The wait is in milliseconds. */
export function extendPause(pause: Pause, wait: number): void {
  const now = performance.now();
  pause.statedUntil = Math.max(pause.statedUntil, now + wait);
  pause.until = Math.max(pause.until ?? -Infinity, now + Math.min(wait, maxPauseMs));
}

/** Ends a pause. */
export function endPause(pause: Pause): void {
  pause.until = null;
  pause.statedUntil = -Infinity;
}
