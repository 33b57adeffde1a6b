/**
 * Recognizes blocks by the edge in front of the platform, and pauses all requests after a block.
 *
 * @module
 */

import { RateLimitError } from "../core/errors.ts";
import type { AttemptResult, HttpResponse, Rejection } from "./attempt.ts";
import type { Call } from "./gate.ts";
import { parseJson } from "./json.ts";
import type { CheckedOptions } from "./options.ts";
import { attemptAlone, attemptUnlessPaused, newPause } from "./pause.ts";
import { PerPlatform } from "./per_platform.ts";
import { readRetryAfter } from "./rate_limit.ts";
import { defaultBlockSeconds, maxBlockSeconds, minBlockSeconds } from "./waits.ts";

const blocks = /* @__PURE__ */ new PerPlatform(newPause);

/** The hint for a block. */
export const edgeHint =
  "The edge in front of the platform blocked this client or its IP address. Others at the address can " +
  "cause it, as on Cloudflare Workers, Render or Cloud Run: a fixed outgoing address or a proxy helps. " +
  "Otherwise send fewer requests that get 401, 403 or 429, check the userAgent option, and wait";

/**
 * Returns true if the edge in front of the platform refused the request. The edge responds with HTML, plain text or an empty
 * body; the platform responds with a JSON object. Two responses of the edge are JSON: code 40333, "internal network error", and
 * the 429 of an IP ban.
 *
 * @param json The parsed body of the response.
 */
export function isEdgeBlock(status: number, json: unknown): boolean {
  const { code, message, retry_after } = Object(json) as Record<string, unknown>;
  if (code === 40333) return true;
  if (status !== 403 && status !== 429) return false;
  if (typeof json !== "object" || json === null) return true;
  return status === 429 && retry_after == null && /\bblocked\b/i.test(String(message));
}

/**
 * Makes an attempt, unless requests are paused after a block. After the pause, one request is sent, and the others wait for its
 * outcome. If a visitor or the caller shaped the request, a block does not pause other requests.
 */
export function attemptUnlessBlocked(
  options: CheckedOptions,
  call: Call,
  attempt: () => Promise<AttemptResult>,
): Promise<AttemptResult> {
  const attemptWith = call.request.isShapedByCaller ? attemptAlone : attemptUnlessPaused;
  return attemptWith(blocks.for(options), call, attempt, {
    waitAfter: waitAfterBlock,
    maxPauseMs: maxBlockSeconds * 1000,
    rejection: blockedRejection,
  });
}

/** Returns how long to wait after a response, in milliseconds; 0 if the response is not a block. */
export function waitAfterBlock(response: HttpResponse): number {
  // A block has a 4xx status.
  if (response.status < 400 || response.status >= 500) return 0;
  const json = parseJson(response.text);
  return isEdgeBlock(response.status, json) ? secondsAfterBlock(response, json) * 1000 : 0;
}

/** Returns the seconds to wait after a block. */
export function secondsAfterBlock(response: HttpResponse, json: unknown): number {
  const seconds = readRetryAfter(response, json) ?? defaultBlockSeconds;
  return Math.min(Math.max(seconds, minBlockSeconds), maxBlockSeconds);
}

function blockedRejection({ requestLine }: Call, wait: number): Rejection {
  const error = new RateLimitError(
    `${requestLine} was not sent: the edge in front of the platform has blocked a request before`,
    { httpStatus: 429, retryAfter: Math.ceil(wait) / 1000, blockedByEdge: true, hint: edgeHint },
  );
  return { kind: "rejection", error };
}
