/**
 * Stops requests for a while after an answer that asks for it, and then lets one request try.
 *
 * @module
 */

import type { Answer, AttemptResult, Rejection } from "./attempt.ts";
import { type Claim, isHeld, newClaim, release, untilReleased } from "./claim.ts";
import type { Call } from "./gate.ts";
import { maxTrialMs, pauseReserveMs } from "./waits.ts";

/**
 * A pause after an answer. It is plain data: on Cloudflare Workers a request can't wait for a promise or timer of another one. Times
 * are those of `performance.now()`.
 */
export interface Pause {
  /** The end of the time in which nothing is sent; `null` without a pause. */
  until: number | null;
  /** The end of the wait that the platform has asked for, which may be later. Visitors are told this one. */
  askedUntil: number;
  /** The claim of the request that tries after the pause. */
  readonly trial: Claim;
}

/** The answers that begin a pause, and the error of the requests that are not sent. */
export interface PauseRules {
  /** Returns the milliseconds to wait after a response; 0 for a response that begins no pause. */
  waitAfter(answer: Answer, call: Call): number;
  /** The longest pause, in milliseconds, even if the wait is longer. */
  readonly maxPause: number;
  /** Creates the result of a request that is not sent, with the milliseconds to wait. */
  rejection(call: Call, wait: number): Rejection;
}

/** Creates the state without a pause. */
export function newPause(): Pause {
  return { until: null, askedUntil: -Infinity, trial: newClaim() };
}

/** Makes an attempt, unless there is a pause. The outcome says nothing about other requests, so that it begins and ends no pause. */
export async function attemptAlone(
  { until, askedUntil }: Pause,
  call: Call,
  attempt: () => Promise<AttemptResult>,
  { rejection }: PauseRules,
): Promise<AttemptResult> {
  const now = performance.now();
  return until !== null && now < until ? rejection(call, askedUntil - now) : await attempt();
}

/**
 * Makes an attempt, unless there is a pause. After a pause, one request is sent, and the others wait for its outcome with a timer of
 * their own. Never rejects, so that a call which is aborted while it waits still leaves the queue.
 */
export async function attemptUnlessPaused(
  pause: Pause,
  call: Call,
  attempt: () => Promise<AttemptResult>,
  { waitAfter, maxPause, rejection }: PauseRules,
): Promise<AttemptResult> {
  while (pause.until !== null) {
    const now = performance.now();
    if (now < pause.until) return rejection(call, pause.askedUntil - now);
    if (!isHeld(pause.trial, now)) {
      pause.trial.heldUntil = Math.min(call.deadline, now + maxTrialMs);
      break;
    }
    const isReleased = untilReleased(pause.trial, call.deadline - pauseReserveMs, call.signal);
    if (!await isReleased.catch(() => false)) return rejection(call, pauseReserveMs);
  }
  const sentAt = performance.now();
  const result = await attempt();
  const wait = result.kind === "answer" ? waitAfter(result, call) : 0;
  // An answer to an earlier request does not end the pause.
  const wasSentAfterPause = pause.until !== null && sentAt >= pause.until;
  if (wasSentAfterPause) release(pause.trial);
  if (wait > 0) {
    const now = performance.now();
    pause.until = Math.max(pause.until ?? -Infinity, now + Math.min(wait, maxPause));
    pause.askedUntil = Math.max(pause.askedUntil, now + wait);
  } else if (wasSentAfterPause && result.kind === "answer") {
    pause.until = null;
    pause.askedUntil = -Infinity;
  }
  return result;
}
