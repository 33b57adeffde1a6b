/**
 * The pause of an application's token requests after a 429, and what a process knows about the pace of its refreshes.
 *
 * @module
 */

import { RateLimitError } from "../core/errors.ts";
import type { HttpResponse, Rejection } from "./attempt.ts";
import { isEdgeBlock } from "./edge.ts";
import type { Call } from "./gate.ts";
import { parseJson } from "./json.ts";
import { newPause, type Pause } from "./pause.ts";
import { secondsAfterLimit } from "./rate_limit.ts";

/** The pace of an application's token requests. It is plain data. Times are those of `performance.now()`. */
export interface TokenPace {
  /** The pause after a 429, for all token requests. */
  readonly pause: Pause;
  /** The time between two refreshes, in milliseconds. */
  gapMs: number;
  /** The earliest time of the next refresh. */
  nextAt: number;
  /** The time of the latest refresh. */
  sentAt: number;
  /** The time at which the gap has changed. */
  changedAt: number;
  /** The end of the pause after failures of the platform. */
  outageUntil: number;
  /** The duration of that pause; 0 after a success. */
  outageMs: number;
  /** The number of consecutive failures. */
  failures: number;
  /** The status of the latest 429 or failure; 0 without a response. */
  status: number;
  /** The end of the time in which the shared pause is read before each refresh. */
  carefulUntil: number;
  /** True once this process has read the shared pause. */
  hasRead: boolean;
  /** The version of the shared pause that this process has read. */
  version: string | null;
}

/** Creates the pace of a process that knows nothing yet. */
export function newTokenPace(): TokenPace {
  return {
    pause: newPause(),
    gapMs: 0,
    nextAt: -Infinity,
    sentAt: -Infinity,
    changedAt: -Infinity,
    outageUntil: -Infinity,
    outageMs: 0,
    failures: 0,
    status: 429,
    carefulUntil: -Infinity,
    hasRead: false,
    version: null,
  };
}

/** Returns the wait after a response, in milliseconds; 0 if the response is not a 429 of the platform. */
export function waitAfterTooMany(response: HttpResponse, { request }: Call): number {
  const json = parseJson(response.text);
  if (response.status !== 429 || isEdgeBlock(response.status, json)) return 0;
  return secondsAfterLimit(response, json, request) * 1000;
}

/** Rejects a token request during a pause. */
export function pausedRejection({ requestLine }: Call, wait: number): Rejection {
  const error = new RateLimitError(
    `${requestLine} was not sent: the platform has limited token requests (429)`,
    { httpStatus: 429, retryAfter: Math.ceil(wait) / 1000 },
  );
  return { kind: "rejection", error };
}
