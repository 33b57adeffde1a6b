/**
 * The pace of a process's token requests, so that many processes stay below the limit of the token endpoint without knowing each other.
 *
 * After a 429, no token request is sent until the stated time is over. Refreshes come in large numbers and can mostly wait, so they also
 * have slots: a process has at most two refreshes in flight. After a 429 or repeated failures of Discord, they wait for a random
 * time, which doubles with each one.
 *
 * @module
 */

import { NetworkError, type RateLimitError } from "../../core/response_errors.ts";
import type { Failure, HttpResponse, Result } from "../response.ts";
import { firstRefreshWaitMs, maxPauseMs, maxRefreshWaitMs, maxSlotMs } from "../waits.ts";
import { type Call, type Limit, type NextStep, tooLongError, type UnsentCall } from "./call.ts";
import { type Claim, isHeld, release, untilFound } from "./claim.ts";
import { endPause, extendPause, learn, untilOver } from "./pause.ts";
import type { TokenPace } from "./platform_state.ts";

/** The path of the token endpoint. */
export const tokenPath = "/oauth2/token";

/** The maximum number of refreshes in flight. */
const maxSlots = 2;

/** The number of consecutive failures after which refreshes wait. A single failure may be an accident. */
const minFailures = 3;

/** The limit of the token endpoint for the requests of one application. */
export function tokenEndpoint(pace: TokenPace): Limit {
  return {
    wait: (call) => waitForPace(pace, call),
    learn: (call, result, next) => recordInPace(pace, call, result, next),
  };
}

/** Waits until a token request may be sent. A refresh takes a slot, unless it has one. */
export async function waitForPace(pace: TokenPace, call: Call): Promise<void> {
  const refreshToken = refreshTokenOf(call);
  if (refreshToken === null) return await untilOver(pace.pause, call, limitedError);
  await takeSlot(pace, refreshToken, call, (performance.now() + call.deadline.at) / 2);
}

/** Updates the pace after a token request. */
export function recordInPace(pace: TokenPace, call: Call, result: Result, next: NextStep): void {
  const refreshToken = refreshTokenOf(call);
  if (refreshToken === null) return learn(pace.pause, call, result, next, "token_requests");
  const slot = pace.slots.get(refreshToken);
  if (slot) release(slot);
  if (result.kind === "rejection") return;
  if (isFailure(call, result)) return recordFailure(pace, result);
  if (result.kind === "failure") return;
  if (next.waiting === "token_requests") recordLimit(pace, next.waitMs);
  else if (!result.refusal) recordSuccess(pace, call.sentAt);
}

/**
 * Waits until a refresh may be sent, and takes a slot. Returns `null` if another refresh of the same token has a slot.
 *
 * The slot ends by itself, since a request of a Worker may just stop.
 *
 * @param latest The time until which the refresh can wait, as of `performance.now()`.
 * @throws {RateLimitError} In the wait after a 429. {@link NetworkError} in the wait after failures, or if no slot is free in time.
 * @throws The signal's reason, if it fires.
 */
export async function takeSlot(
  pace: TokenPace,
  refreshToken: string,
  call: UnsentCall & { readonly signal: AbortSignal | null },
  latest: number,
): Promise<Claim | null> {
  const { slots } = pace;
  const held = slots.get(refreshToken);
  if (held && isHeld(held)) return null;
  const slot = await untilFound(
    () => {
      throwIfWaiting(pace, call);
      for (const [key, slot] of slots) if (!isHeld(slot)) slots.delete(key);
      if (slots.size >= maxSlots) return null;
      const slot = { heldUntil: performance.now() + maxSlotMs };
      slots.set(refreshToken, slot);
      return slot;
    },
    latest,
    call.signal,
  );
  if (slot) return slot;
  const found = `${maxSlots} other refreshes are in progress in this process`;
  throw new NetworkError(`${call.requestLine} was not sent: ${found}`, { mayHaveArrived: false });
}

/** Throws if no refresh may be sent now. */
function throwIfWaiting({ pause, limitedUntil, failingUntil }: TokenPace, call: UnsentCall): void {
  const now = performance.now();
  if (now < Math.max(limitedUntil, pause.until ?? -Infinity)) {
    throw limitedError(call, Math.max(limitedUntil, pause.statedUntil) - now);
  }
  if (now < failingUntil) {
    throw new NetworkError(
      `${call.requestLine} was not sent: the latest refreshes failed on the platform`,
      { mayHaveArrived: false, retryAfter: Math.ceil(failingUntil - now) / 1000 },
    );
  }
}

/** Returns true for a failure of Discord: a 5xx, or no response. An abort by the caller is not a failure. */
function isFailure({ signal, isLate }: Call, result: HttpResponse | Failure): boolean {
  if (result.kind === "response") return result.status >= 500;
  return !signal.aborted || isLate;
}

function recordFailure(pace: TokenPace, result: HttpResponse | Failure): void {
  pace.failureCount += 1;
  if (pace.failureCount < minFailures) return;
  const stated = result.kind === "response" ? result.retryAfter : null;
  const wait = stated === null ? randomWait(pace.failureCount - minFailures) : 1000 * stated;
  pace.failingUntil = endOf(wait);
}

function recordLimit(pace: TokenPace, waitMs: number): void {
  extendPause(pace.pause, waitMs);
  pace.limitedUntil = Math.max(pace.limitedUntil, endOf(waitMs + randomWait(pace.limitCount)));
  pace.limitCount += 1;
}

function recordSuccess(pace: TokenPace, sentAt: number): void {
  const { pause } = pace;
  pace.failureCount = 0;
  pace.limitCount = Math.max(0, pace.limitCount - 0.25);
  // A response to an earlier request does not end the pause.
  if (pause.until !== null && sentAt >= pause.until) endPause(pause);
}

/** Returns the end of a wait that begins now, at most a minute later: a response may state a day. */
function endOf(wait: number): number {
  return performance.now() + Math.min(wait, maxPauseMs);
}

/** Returns a random time, so that processes that wait do not send together. The maximum doubles each time. */
function randomWait(doublings: number): number {
  return Math.random() * Math.min(firstRefreshWaitMs * 2 ** doublings, maxRefreshWaitMs);
}

/** Returns the refresh token of a request; `null` for any other token request. */
function refreshTokenOf({ request: { form } }: Call): string | null {
  return form?.["refresh_token"] ?? null;
}

/** Creates the error for a token request in the pause after a 429. */
export function limitedError(call: UnsentCall, wait: number): RateLimitError {
  return tooLongError(call, "the platform has limited token requests (429)", wait);
}
