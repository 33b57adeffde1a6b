/**
 * Stops requests for a while after an answer that asks for it, and then lets one request try.
 *
 * @module
 */

import { sleep } from "../core/wait.ts";
import type { Answer, AttemptResult, Rejection } from "./attempt.ts";
import type { Call } from "./gate.ts";

/**
 * A pause after an answer. It is plain data: on Cloudflare Workers a request can't wait for a promise or timer of another one. Times
 * are those of `performance.now()`.
 */
export interface Pause {
  /** The end of the time in which nothing is sent; `null` without a pause. */
  until: number | null;
  /** The time until which others wait for the outcome of the request that tries after the pause. */
  trialEndsAt: number;
}

/** The answers that begin a pause, and the error of the requests that are not sent. */
export interface PauseRules {
  /** Returns the milliseconds to send nothing after an answer; 0 for an answer that begins no pause. */
  pauseAfter(answer: Answer): number;
  /** Creates the result of a request that is not sent, with the milliseconds to wait. */
  rejection(call: Call, wait: number): Rejection;
}

/** The longest wait for the outcome of a request that tries, in milliseconds. After it, the next one tries. */
const longestTrial = 60_000;

/** The time between two looks at the outcome of another request, in milliseconds. */
const pollInterval = 50;

/** The time before its deadline at which a call stops to wait for the outcome of another one, in milliseconds. */
const reserve = 1000;

/** Creates the state without a pause. */
export function newPause(): Pause {
  return { until: null, trialEndsAt: -Infinity };
}

/**
 * Makes an attempt, unless there is a pause. After a pause, one request is sent, and the others wait for its outcome with a timer of
 * their own. Never rejects, so that a call which is aborted while it waits still leaves the queue.
 */
export async function attemptUnlessPaused(
  pause: Pause,
  call: Call,
  attempt: () => Promise<AttemptResult>,
  { pauseAfter, rejection }: PauseRules,
): Promise<AttemptResult> {
  while (pause.until !== null) {
    const now = performance.now();
    if (now < pause.until) return rejection(call, pause.until - now);
    if (now >= pause.trialEndsAt) {
      pause.trialEndsAt = Math.min(call.deadline, now + longestTrial);
      break;
    }
    // A call that ends while it waits would look as if it had been sent, also if this process is busy.
    if (now + reserve > call.deadline) return rejection(call, reserve);
    try {
      await sleep(pollInterval, call.signal);
    } catch {
      return rejection(call, reserve);
    }
  }
  const sentAt = performance.now();
  const result = await attempt();
  const milliseconds = result.kind === "answer" ? pauseAfter(result) : 0;
  // An answer to an earlier request does not end the pause.
  const wasSentAfterPause = pause.until !== null && sentAt >= pause.until;
  if (wasSentAfterPause) pause.trialEndsAt = -Infinity;
  if (milliseconds > 0) {
    pause.until = Math.max(pause.until ?? -Infinity, performance.now() + milliseconds);
  } else if (wasSentAfterPause && result.kind === "answer") pause.until = null;
  return result;
}
