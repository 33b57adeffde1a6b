/**
 * When a request is repeated, and how long to wait before that.
 *
 * @module
 */

import type { Answer, Outcome } from "./attempt.ts";

/** Milliseconds before the first and the second repetition, when the platform does not say how long to wait. */
const backoff = [250, 1000] as const;

/** How often a request is repeated at the most. */
export const mostRepetitions = backoff.length;

/**
 * Milliseconds to wait before the given repetition, counted from 1; `null` when the request must not be repeated. A refusal
 * never is here: after a 429, the queue waits and repeats.
 */
export function pauseBefore(repetition: number, outcome: Outcome): number | null {
  const isFailure = outcome.isAnswer ? outcome.status >= 500 : "begun" in outcome;
  if (!isFailure) return null;
  return backoff[repetition - 1] ?? null;
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
