/**
 * When a request is repeated, and how long to wait before that.
 *
 * @module
 */

import type { Answer, Outcome } from "./attempt.ts";
import { parseJson } from "./json.ts";

/** Milliseconds before the first and the second repetition, when the platform does not say how long to wait. */
const backoff = [250, 1000] as const;

/** How often a request is repeated at the most. */
export const mostRepetitions = backoff.length;

/** The longest wait a 429 may ask for, in seconds; whether to wait longer is for the caller to decide. */
const longestRetryAfter = 5;

/** Milliseconds to wait before the given repetition, counted from 1; `null` when the request must not be repeated. */
export function pauseBefore(repetition: number, outcome: Outcome): number | null {
  const pause = backoff[repetition - 1] ?? null;
  if (!outcome.isAnswer || outcome.status >= 500) return pause;
  if (outcome.status !== 429) return null;
  const seconds = retryAfterOf(outcome, parseJson(outcome.text));
  // Without a time to wait for, or with a long one, a repetition would only count toward a ban.
  return seconds === null || seconds > longestRetryAfter ? null : seconds * 1000;
}

/**
 * Seconds to wait after a 429, or `null` when the answer does not say. The body has the decimals of what the header rounds
 * up; the header may be a date.
 */
export function retryAfterOf({ retryAfter: header }: Answer, body: unknown): number | null {
  const { retry_after } = Object(body) as { readonly retry_after?: unknown };
  const inBody = typeof retry_after === "number" && isDuration(retry_after) ? retry_after : null;
  const inHeader = secondsIn(header);
  if (inBody === null) return inHeader;
  // The longer one, where they contradict each other.
  return inHeader !== null && inHeader - inBody >= 1 ? inHeader : inBody;
}

/** The seconds in a `Retry-After` header, which is a number or a date (RFC 9110 section 10.2.3). */
function secondsIn(header: string): number | null {
  const seconds = /^\d+(\.\d+)?$/.test(header)
    ? Number(header)
    // Every form of a date has a time with colons; without one, Date.parse() would take nearly anything for a date.
    : header.includes(":")
    ? Math.max(0, Math.ceil((Date.parse(header) - Date.now()) / 1000))
    : NaN;
  return isDuration(seconds) ? seconds : null;
}

function isDuration(seconds: number): boolean {
  return seconds >= 0 && seconds < Infinity;
}
