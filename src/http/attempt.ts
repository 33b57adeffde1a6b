/**
 * One attempt at a request: an answer, or the reason why there is none.
 *
 * @module
 */

import type { GuildpassError } from "../core/errors.ts";
import { readText } from "./body_limit.ts";
import { reasonOf } from "./failure_reason.ts";

/** What an attempt came to. */
export type Outcome = Answer | Failure | NotSent;

/** What the platform answered, whatever its status; plain values, since a custom `fetch` may give anything. */
export interface Answer {
  readonly isAnswer: true;
  readonly status: number;
  /** The header `Retry-After`, and those that begin with `X-RateLimit-`; empty where there is none. */
  readonly retryAfter: string;
  readonly rateLimitScope: string;
  readonly rateLimitGlobal: string;
  readonly rateLimitBucket: string;
  readonly rateLimitLimit: string;
  readonly rateLimitRemaining: string;
  readonly rateLimitResetAfter: string;
  /** The body; `null` when it was longer than `maxBytes`. */
  readonly text: string | null;
}

/** No whole answer. */
export interface Failure {
  readonly isAnswer: false;
  /** Whether an answer had begun. */
  readonly begun: boolean;
  /** Why there is none, where it is known. */
  readonly reason: string | null;
}

/** The request was not sent. */
export interface NotSent {
  readonly isAnswer: false;
  /** Why. */
  readonly error: GuildpassError;
}

/**
 * Sends a request once and reads its answer to the end. Never rejects: what `fetch` throws is not handed on, since looking
 * at it may throw again, with a secret in it.
 */
export async function attempt(
  send: () => Promise<Response>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Answer | Failure> {
  let begun = false;
  try {
    const response = await send();
    begun = true;
    const header = (name: string): string => String(response.headers.get(name) ?? "");
    return {
      isAnswer: true,
      status: Number(response.status),
      retryAfter: header("retry-after"),
      rateLimitScope: header("x-ratelimit-scope"),
      rateLimitGlobal: header("x-ratelimit-global"),
      rateLimitBucket: header("x-ratelimit-bucket"),
      rateLimitLimit: header("x-ratelimit-limit"),
      rateLimitRemaining: header("x-ratelimit-remaining"),
      rateLimitResetAfter: header("x-ratelimit-reset-after"),
      text: await readText(response, maxBytes, signal),
    };
  } catch (error) {
    return { isAnswer: false, begun, reason: reasonOf(error) };
  }
}

/** Whether an attempt ended in an answer with a status from 200 to 299. */
export function isSuccess(outcome: Outcome): outcome is Answer {
  return outcome.isAnswer && outcome.status >= 200 && outcome.status < 300;
}
