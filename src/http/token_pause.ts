/**
 * The pause of an application's token requests after a 429, and what a process knows about the pace of its refreshes.
 *
 * @module
 */

import { newPause, type Pause, type PauseRules } from "./pause.ts";
import { waitRejection } from "./rejections.ts";

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

/** The pause after a 429. A block by the edge begins another one, for all requests. */
export const tokenPauseRules: PauseRules = {
  isForBlocks: false,
  reject: (call, wait) =>
    waitRejection(call, "the platform has limited token requests (429)", wait),
};
