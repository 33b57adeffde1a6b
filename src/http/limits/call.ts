/**
 * A call, and the limits that its request waits for.
 *
 * @module
 */

import { RateLimitError } from "../../core/response_errors.ts";
import type { Deadline } from "../../core/wait.ts";
import type { CheckedOptions } from "../options.ts";
import type { HttpRequest } from "../request.ts";
import type { Result } from "../response.ts";
import type { Claim } from "./claim.ts";
import type { Bucket } from "./bucket.ts";
import type { PlatformState, TokenState } from "./platform_state.ts";

/** A call, from its first request to its end. The same object stands for all its retries. */
export interface Call {
  readonly request: HttpRequest;
  /** The method and the URL, for errors. */
  readonly requestLine: string;
  readonly options: CheckedOptions;
  readonly platform: PlatformState;
  readonly deadline: Deadline;
  /** Fires when the call has ended without a result. */
  readonly signal: AbortSignal;
  /** The results so far, with the latest one last. */
  readonly results: Result[];
  /** The claims of this call: its latest request tries whether a limit is over, and others wait for its result. */
  readonly claims: Set<Claim>;
  /** The time at which the latest request was sent, as of `performance.now()`. */
  sentAt: number;
  /** True if the call has ended at its deadline. */
  isLate: boolean;
  /** The state of the token in the request; `null` before a limit needs it. */
  token: TokenState | null;
  /** The state of the call in the queue; `null` without a queue. */
  queued: QueuedCall | null;
}

/** A call, with the limits that apply to it. Times are those of `performance.now()`. */
export interface QueuedCall {
  readonly call: Call;
  /** The number of earlier calls. The call keeps its place when its request is sent again. */
  readonly place: number;
  readonly token: TokenState;
  readonly route: string;
  /** The bucket in which the request under way is counted; `null` if no request is under way. */
  counted: Bucket | null;
  sentAt: number;
  /** The wait before the latest request; `null` if the call has not had to wait for a limit. */
  hold: Hold | null;
  /** Ends the wait of the call: its request may be sent, or is refused with an error. */
  end: ((error: Error | null) => void) | null;
}

/** A call's wait for a used-up limit: when it began, and which limit it is. */
export interface Hold {
  readonly since: number;
  readonly limit: "route" | "global";
}

/**
 * The other requests that have to wait:
 *
 * - `"none"`: no other request;
 * - `"route"`: requests with the same token to routes with the same limit;
 * - `"platform"`: all requests behind the global limit;
 * - `"token"`: all requests with the token, because Discord has refused it;
 * - `"token_requests"`: the application's requests to the token endpoint;
 * - `"all"`: all requests, because the edge blocks them.
 */
export type Waiting = "none" | "route" | "platform" | "token" | "token_requests" | "all";

/** The next step after a result. */
export interface NextStep {
  readonly waiting: Waiting;
  /** The wait of the others, in milliseconds. */
  readonly waitMs: number;
  /** The wait before the request of the call is sent again, in milliseconds; `null` if the call ends with the result. */
  readonly retryMs: number | null;
  /** The seconds to wait, for the error; `null` if they are not known. */
  readonly seconds: number | null;
}

/** The part of a call that the error of an unsent request shows. */
export type UnsentCall = Pick<Call, "requestLine">;

/** A limit that requests wait for, and that learns from their results. */
export interface Limit {
  /** Waits until the request of a call may be sent. Rejects with the error of the call if that takes too long. */
  wait(call: Call): Promise<void> | void;
  /** Learns from a result. Also called for a request that another limit has rejected. */
  learn(call: Call, result: Result, next: NextStep): Promise<void> | void;
}

/**
 * Creates the error for a request that would have to wait too long.
 *
 * @param wait The milliseconds until the request may be sent.
 */
export function tooLongError(
  { requestLine }: UnsentCall,
  cause: string,
  wait: number,
  details?: Partial<ConstructorParameters<typeof RateLimitError>[1]>,
): RateLimitError {
  return new RateLimitError(`${requestLine} was not sent: ${cause}`, {
    httpStatus: 429,
    retryAfter: Math.ceil(wait) / 1000,
    ...details,
  });
}
