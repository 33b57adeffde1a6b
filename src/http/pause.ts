/**
 * Pauses requests after a response that demands it, and then sends one trial request.
 *
 * @module
 */

import type { AttemptResult, HttpResponse, Rejection } from "./attempt.ts";
import { type Claim, isHeld, newClaim, release, untilReleased } from "./claim.ts";
import type { Call } from "./gate.ts";
import { maxTrialMs, pauseReserveMs } from "./waits.ts";

/**
 * A pause after a response. It is plain data, which all requests of the process share. Times are those of `performance.now()`.
 */
export interface Pause {
  /** The end of the pause; `null` without a pause. */
  until: number | null;
  /** The time until which the response says to wait, for errors. It may be later than the end of the pause. */
  statedUntil: number;
  /** The claim of the trial request after the pause. */
  readonly trial: Claim;
}

/** The responses that begin a pause, and the error of the rejected requests. */
export interface PauseRules {
  /** Returns how long to wait after a response, in milliseconds; 0 if the response does not begin a pause. */
  waitAfter(response: HttpResponse, call: Call): number;
  /** The maximum pause, even if the stated wait is longer. */
  readonly maxPauseMs: number;
  /** Creates the result of a rejected request, with the wait in milliseconds. */
  rejection(call: Call, wait: number): Rejection;
}

/** Creates a state without a pause. */
export function newPause(): Pause {
  return { until: null, statedUntil: -Infinity, trial: newClaim() };
}

/** Makes an attempt, unless there is a pause. The outcome says nothing about other requests, so it does not begin or end a pause. */
export async function attemptAlone(
  { until, statedUntil }: Pause,
  call: Call,
  attempt: () => Promise<AttemptResult>,
  { rejection }: PauseRules,
): Promise<AttemptResult> {
  const now = performance.now();
  return until !== null && now < until ? rejection(call, statedUntil - now) : await attempt();
}

/**
 * Makes an attempt, unless there is a pause. After a pause, one request is sent, and the others wait for its outcome with a timer of
 * their own. Never rejects, so that a call which is aborted while it waits still leaves the queue.
 */
export async function attemptUnlessPaused(
  pause: Pause,
  call: Call,
  attempt: () => Promise<AttemptResult>,
  { waitAfter, maxPauseMs, rejection }: PauseRules,
): Promise<AttemptResult> {
  while (pause.until !== null) {
    const now = performance.now();
    if (now < pause.until) return rejection(call, pause.statedUntil - now);
    if (!isHeld(pause.trial, now)) {
      pause.trial.heldUntil = Math.min(call.deadline, now + maxTrialMs);
      break;
    }
    const isReleased = untilReleased(pause.trial, call.deadline - pauseReserveMs, call.signal);
    if (!await isReleased.catch(() => false)) return rejection(call, pauseReserveMs);
  }
  const sentAt = performance.now();
  const result = await attempt();
  const wait = result.kind === "response" ? waitAfter(result, call) : 0;
  // A response to an earlier request does not end the pause.
  const wasSentAfterPause = pause.until !== null && sentAt >= pause.until;
  if (wasSentAfterPause) release(pause.trial);
  if (wait > 0) extendPause(pause, wait, maxPauseMs);
  else if (wasSentAfterPause && result.kind === "response") endPause(pause);
  return result;
}

/** Begins a pause, or makes it longer. The wait is in milliseconds. Returns the end of the pause. */
export function extendPause(pause: Pause, wait: number, maxPauseMs: number): number {
  const now = performance.now();
  pause.statedUntil = Math.max(pause.statedUntil, now + wait);
  return pause.until = Math.max(pause.until ?? -Infinity, now + Math.min(wait, maxPauseMs));
}

/** Ends a pause. */
export function endPause(pause: Pause): void {
  pause.until = null;
  pause.statedUntil = -Infinity;
}
