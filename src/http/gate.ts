/**
 * A call, and the gate that its attempts pass.
 *
 * @module
 */

import type { AttemptResult } from "./attempt.ts";
import type { HttpRequest } from "./request.ts";

/** A call, from its first attempt to its end. */
export interface Call {
  readonly request: HttpRequest;
  /** The method and the URL, for errors. */
  readonly requestLine: string;
  /** The deadline of the call, as of `performance.now()`. */
  readonly deadline: number;
  /** Fires when the call has ended. */
  readonly signal: AbortSignal;
  /** The place in the queue, which sets it at the first attempt. */
  place?: number;
}

/** Sends an attempt now, later, or not at all. */
export interface Gate {
  attempt(call: Call, attempt: () => Promise<AttemptResult>): Promise<AttemptResult>;
}
