/**
 * Decides on the next step after each result and error: which requests have to wait, how long, and whether the request is sent again. All lengths are in `waits.ts`.
 *
 * @module
 */

import { timeLeft } from "../core/wait.ts";
import { GuildpassError, OAuthError } from "../core/errors.ts";
import { ApiError, NetworkError, RateLimitError } from "../core/response_errors.ts";
import type { Call, NextStep } from "./limits/call.ts";
import type { Result } from "./response.ts";
import * as waits from "./waits.ts";

/** The maximum number of retries of a read, not counting those after a 429 of a limit that other clients share. */
const maxRetries = 2;

/** Returns the next step after the latest result of a call. */
export function nextStepAfter(call: Call, result: Result): NextStep {
  const others = waitOfOthers(call, result);
  return { ...others, retryMs: waitBeforeRetry(call, result, others.waitMs) };
}

function waitOfOthers({ request }: Call, result: Result): Omit<NextStep, "retryMs"> {
  if (result.kind !== "response") return { waiting: "none", waitMs: 0, seconds: null };
  const { status, refusal, retryAfter } = result;
  if (refusal?.isBlock) {
    const seconds = clamp(
      retryAfter ?? waits.defaultBlockSeconds,
      waits.minBlockSeconds,
      waits.maxBlockSeconds,
    );
    // A failure of Discord is retried, even one with the code of a block.
    const isAlone = request.isShapedByCaller || status >= 500;
    return { waiting: isAlone ? "none" : "all", waitMs: 1000 * seconds, seconds };
  }
  if (refusal) {
    const { isGlobal } = refusal;
    // Without the token of a user or bot, the limit is that of the whole application.
    const isOfApplication = request.form !== undefined || !request.authorization;
    const min = isOfApplication ? waits.minApplicationLimitSeconds : waits.minLimitSeconds;
    const max = isGlobal && !isOfApplication ? waits.maxGlobalLimitSeconds : Infinity;
    const seconds = clamp(retryAfter ?? waits.defaultLimitSeconds, min, max);
    if (request.form) return { waiting: "token_requests", waitMs: 1000 * seconds, seconds };
    return {
      waiting: isGlobal ? "platform" : "route",
      waitMs: waits.jitter(1000 * seconds),
      seconds,
    };
  }
  const isRefusedToken = status === 401 && request.authorization && !request.has401ForOtherReasons;
  return isRefusedToken
    ? { waiting: "token", waitMs: waits.refusalLifetimeMs, seconds: retryAfter }
    : { waiting: "none", waitMs: 0, seconds: retryAfter };
}

/** Only reads are repeated. Any other request may already have taken effect, and a token request may have used up its code. */
function waitBeforeRetry(call: Call, result: Result, waitMs: number): number | null {
  const { request, results, deadline, queued } = call;
  if (request.method !== "GET" || request.isSentOnce) return null;
  const tries = results.filter((each) => !isOfSharedLimit(each)).length;
  if (tries > maxRetries) return null;
  if (result.kind === "response" && result.status < 500) {
    const { refusal, retryAfter } = result;
    // If the 429 states no wait, a retry would only count toward an IP ban.
    const isLimited = queued && refusal && !refusal.isBlock && retryAfter !== null;
    // The queue waits, since the call has a place there.
    return isLimited && waitMs <= timeLeft(deadline) ? 0 : null;
  }
  if (result.kind === "rejection" || (result.kind === "failure" && result.mistake)) return null;
  const pauseMs = tries <= 1 ? waits.firstRetryMs : waits.nextRetryMs;
  // Otherwise ky waits for the rest of the time, and hides the result behind a time-out.
  return pauseMs < timeLeft(deadline) ? pauseMs : null;
}

function isOfSharedLimit(result: Result): boolean {
  return result.kind === "response" && result.refusal?.scope === "shared";
}

/** Returns the wait before a code is sent again after an error, in milliseconds; `null` if Discord may have used the code. */
export function waitBeforeCode(error: unknown): number | null {
  const isLimit = error instanceof RateLimitError;
  if (isLimit || (error instanceof ApiError && error.blockedByEdge)) return limitMsOf(error);
  return error instanceof NetworkError && !error.mayHaveArrived ? 0 : null;
}

/** Returns the wait before a refresh token is sent again after a 429, in milliseconds; `null` after any other error. */
export function waitBeforeRefresh(error: unknown): number | null {
  return error instanceof RateLimitError
    ? Math.min(limitMsOf(error), waits.maxRefreshLimitMs)
    : null;
}

/** Returns the wait before the signing keys are read again after an error, in milliseconds. */
export function waitBeforeKeys({ retryAfter }: GuildpassError): number {
  return 1000 * Math.min(retryAfter ?? waits.defaultKeyFailureSeconds, waits.maxKeyFailureSeconds);
}

function limitMsOf({ retryAfter }: GuildpassError): number {
  return 1000 * (retryAfter ?? waits.defaultLimitSeconds);
}

/** The pace of a device login. */
export interface PollingPace {
  /** The minimum wait between two requests, in milliseconds. */
  readonly intervalMs: number;
  /** The number of consecutive failures. */
  readonly failures: number;
}

/** Returns the pace of a device login after an error, and the wait before its next request; `null` if the error ends the login. */
export function paceAfterError(
  error: unknown,
  { intervalMs, failures }: PollingPace,
): (PollingPace & { readonly waitMs: number }) | null {
  if (error instanceof GuildpassError && error.isTemporary) {
    const backoffMs = intervalMs * 2 ** (failures + 1);
    const waitMs = Math.max(backoffMs, 1000 * (error.retryAfter ?? 0));
    return { intervalMs, failures: failures + 1, waitMs };
  }
  const code = error instanceof OAuthError ? error.error : null;
  if (code !== "slow_down" && code !== "authorization_pending") return null;
  const waitMs = intervalMs + (code === "slow_down" ? waits.slowDownMs : 0);
  return { intervalMs: waitMs, failures: 0, waitMs };
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
