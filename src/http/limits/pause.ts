/**
 * Pauses requests after a response that demands it, and then sends one trial request.
 *
 * @module
 */

import type { RateLimitError } from "../../core/response_errors.ts";
import { maxPauseMs, maxTrialMs, pauseReserveMs } from "../waits.ts";
import type { Result } from "../response.ts";
import { type Call, type Limit, type NextStep, tooLongError, type UnsentCall } from "./call.ts";
import { isHeld, untilReleased } from "./claim.ts";
import type { Pause, PlatformState } from "./platform_state.ts";

/** Pauses all requests of a platform after a block by the edge. */
export const edgeBlock: Limit = {
  async wait(call) {
    const { block } = call.platform;
    if (block.until !== null) {
      await untilOver(block, call, blockedError, call.request.isShapedByCaller);
    }
  },
  learn(call, result, next) {
    if (!call.request.isShapedByCaller) learn(call.platform.block, call, result, next, "all");
  },
};

/**
 * Waits until a pause is over. Then one trial request is sent, and each other request polls for its result.
 *
 * @param createError Creates the error of a call that can't wait. It gets the rest of the pause in milliseconds.
 * @param isAlone True if the result of the call says nothing about other requests.
 */
export async function untilOver(
  pause: Pause,
  call: Call,
  createError: (call: Call, wait: number) => Error,
  isAlone: boolean = false,
): Promise<void> {
  while (pause.until !== null) {
    const now = performance.now();
    if (now < pause.until) throw createError(call, pause.statedUntil - now);
    if (isAlone) return;
    if (!isHeld(pause, now)) {
      pause.heldUntil = Math.min(call.deadline.at, now + maxTrialMs);
      call.claims.add(pause);
      return;
    }
    const latest = call.deadline.at - pauseReserveMs;
    if (!await untilReleased(pause, latest, call.signal)) throw createError(call, pauseReserveMs);
  }
}

/** Throws in the pause after a block by the edge, and does not wait for a trial request. */
export function throwIfBlocked({ block }: PlatformState, call: UnsentCall): void {
  const { until, statedUntil } = block;
  const now = performance.now();
  if (until !== null && now < until) throw blockedError(call, statedUntil - now);
}

/** Begins a pause after a result that demands it, or ends it after the trial request. */
export function learn(
  pause: Pause,
  call: Call,
  result: Result,
  { waiting, waitMs }: NextStep,
  who: NextStep["waiting"],
): void {
  if (waiting === who) extendPause(pause, waitMs);
  else if (pause.until !== null && call.claims.has(pause)) {
    // A pause that began after the trial request was sent goes on.
    if (result.kind === "response" && call.sentAt >= pause.until) endPause(pause);
  }
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

/** The hint for a block by the edge. */
export const edgeHint =
  "The edge in front of the platform blocked this client or its IP address. If others share the address, as on Cloudflare Workers, " +
  "Render or Cloud Run, use a static outgoing IP or a proxy. Otherwise send fewer requests that get 401, 403 or 429, check the " +
  "option userAgent, and wait";

/** Creates the error for a request in the pause after a block by the edge. */
export function blockedError(call: UnsentCall, wait: number): RateLimitError {
  const cause = "the edge in front of the platform blocked an earlier request";
  return tooLongError(call, cause, wait, { blockedByEdge: true, hint: edgeHint });
}
