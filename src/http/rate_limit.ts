/**
 * What an answer says about rate limits.
 *
 * @see {@link https://docs.discord.com/developers/topics/rate-limits | Rate limits in the platform's documentation}
 *
 * @module
 */

import type { Answer } from "./attempt.ts";
import { isEdgeBlock } from "./edge.ts";
import { parseJson } from "./json.ts";
import { retryAfterOf } from "./retry.ts";
import { longestTimer } from "../core/wait.ts";

/** What an answer says of the limit of its route. */
export interface StatedLimit {
  /** How many requests fit into a window. */
  readonly limit: number;
  /** How many more fit into this one. */
  readonly remaining: number;
  /** Milliseconds until it ends. */
  readonly endsIn: number;
}

/** What a 429 says. */
export interface TooMany {
  /** Milliseconds to wait, with some spread; `null` when it does not say. */
  readonly wait: number | null;
  /** Whether it is about every request, not only those of its route. */
  readonly isGlobal: boolean;
  /** Whether others use up the same limit, so that a 429 is nobody's fault. */
  readonly isShared: boolean;
}

/** The shortest wait, in milliseconds: some answers ask for none. */
const shortestWait = 250;

/** What an answer says of the limit of its route; `null` when it says too little. */
export function statedLimitIn(answer: Answer): StatedLimit | null {
  const remaining = numberIn(answer.rateLimitRemaining);
  const endsIn = numberIn(answer.rateLimitResetAfter);
  if (remaining === null || endsIn === null) return null;
  const limit = numberIn(answer.rateLimitLimit) ?? remaining + 1;
  return { limit, remaining, endsIn: endsIn * 1000 };
}

/** The name of the bucket in which the platform counted a request; `null` when it does not say. */
export function bucketNameIn({ rateLimitBucket }: Answer): string | null {
  // They are 32 hexadecimal digits. What is much longer is not worth the memory.
  return /^[\w-]{1,64}$/.test(rateLimitBucket) ? rateLimitBucket : null;
}

/** What a 429 says; `null` for any other answer. */
export function tooManyIn(answer: Answer): TooMany | null {
  if (answer.status !== 429) return null;
  const json = parseJson(answer.text);
  const seconds = retryAfterOf(answer, json);
  return {
    wait: seconds === null ? null : Math.max(shortestWait, spread(seconds * 1000)),
    // The edge in front of the platform blocks an address as a whole.
    isGlobal: isGlobalLimit(answer, json) || isEdgeBlock(answer.status, json),
    isShared: answer.rateLimitScope === "shared",
  };
}

/** Whether a 429 is about everything its client sends. */
export function isGlobalLimit(answer: Answer, json: unknown): boolean {
  const { global } = Object(json) as { readonly global?: unknown };
  return global === true || answer.rateLimitGlobal === "true" ||
    answer.rateLimitScope === "global";
}

/** Up to 5 % more, so that not everybody who waits sends at the same moment; and 1 ms for what was rounded away. */
export function spread(milliseconds: number): number {
  return Math.min(1 + milliseconds * (1 + Math.random() / 20), longestTimer);
}

function numberIn(header: string): number | null {
  return /^\d+(\.\d+)?$/.test(header) ? Number(header) : null;
}
