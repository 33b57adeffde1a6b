/**
 * Recognizes blocks by the edge in front of the platform, and stops all requests for a while after one.
 *
 * @module
 */

import { RateLimitError } from "../core/errors.ts";
import type { Answer, AttemptResult, Failure, Rejection } from "./attempt.ts";
import { parseJson } from "./json.ts";
import { PerPlatform } from "./per_platform.ts";
import type { CheckedOptions } from "./options.ts";
import { readRetryAfter } from "./rate_limit.ts";

/**
 * The pause after a block that states none, in seconds. A process then sends 20 requests in ten minutes; 10,000 refused requests in
 * that time are the reason of such blocks.
 */
const defaultPause = 30;

/** The longest pause, in milliseconds. Some blocks end sooner than they state. */
const longestPause = 60_000;

/** The ends of the pauses after blocks, as of `performance.now()`. */
const blocks = /* @__PURE__ */ new PerPlatform(() => ({ until: -Infinity }));

/** The causes of a block, and what helps. */
export const edgeHint =
  "The edge in front of the platform blocked this client or its IP address, which no scope or token changes. Others who share " +
  "the address can cause it, as on Cloudflare Workers, Render or Cloud Run: a fixed outgoing address or a proxy helps. " +
  "Otherwise send fewer requests that are refused with 401, 403 or 429, check the userAgent option, and wait";

/**
 * Returns true if the edge in front of the platform refused the request. The edge answers with HTML, plain text or an empty body,
 * the platform with a JSON object. Two answers of the edge are JSON: code 40333, "internal network error", and the 429 for an
 * address that was refused too often.
 *
 * @param json The parsed body of the answer.
 */
export function isEdgeBlock(status: number, json: unknown): boolean {
  const { code, message, retry_after } = Object(json) as Record<string, unknown>;
  if (code === 40333) return true;
  if (status !== 403 && status !== 429) return false;
  if (typeof json !== "object" || json === null) return true;
  return status === 429 && retry_after === undefined && /\bblocked\b/i.test(String(message));
}

/** Makes an attempt, unless the edge has blocked one a short time ago. */
export async function attemptUnlessBlocked(
  options: CheckedOptions,
  requestLine: string,
  attempt: () => Promise<Answer | Failure>,
): Promise<AttemptResult> {
  const block = blocks.for(options);
  const wait = block.until - performance.now();
  if (wait > 0) return blockedRejection(requestLine, wait);
  const result = await attempt();
  // A block has a 4xx status.
  if (result.kind === "answer" && result.status >= 400 && result.status < 500) {
    const json = parseJson(result.text);
    if (isEdgeBlock(result.status, json)) {
      const pause = Math.min(secondsAfterBlock(result, json) * 1000, longestPause);
      block.until = performance.now() + pause;
    }
  }
  return result;
}

/** Returns the seconds to wait after a block. */
export function secondsAfterBlock(answer: Answer, json: unknown): number {
  return readRetryAfter(answer, json) ?? defaultPause;
}

function blockedRejection(requestLine: string, wait: number): Rejection {
  const error = new RateLimitError(
    `${requestLine} was not sent: the edge in front of the platform has blocked a request before`,
    { httpStatus: 429, retryAfter: Math.ceil(wait) / 1000, blockedByEdge: true },
    edgeHint,
  );
  return { kind: "rejection", error };
}
