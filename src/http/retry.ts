/**
 * Decides whether a failed request is retried, and how long to wait before each retry.
 *
 * @module
 */

import type { AttemptResult } from "./attempt.ts";
import { firstRetryMs, nextRetryMs } from "./waits.ts";

/** The maximum number of retries of one request. */
export const maxRetries = 2;

/** Returns the pause before a retry, in milliseconds. The first retry has the number 1. */
export function retryPause(retry: number): number {
  return retry === 1 ? firstRetryMs : nextRetryMs;
}

/** Returns true if a request may succeed on another attempt. A 429 is not retried here: the queue waits and sends again. */
export function isRetryable(result: AttemptResult): boolean {
  return result.kind === "response" ? result.status >= 500 : result.kind === "failure";
}
