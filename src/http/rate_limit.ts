/**
 * Reads the rate limits of a response.
 *
 * @see {@link https://docs.discord.com/developers/topics/rate-limits | Rate limits in the platform's documentation}
 *
 * @module
 */

import { maxTimerMs } from "../core/wait.ts";
import type { HttpResponse } from "./attempt.ts";
import { parseJson } from "./json.ts";
import type { HttpRequest } from "./request.ts";
import {
  defaultLimitSeconds,
  maxGlobalLimitSeconds,
  maxJitterMs,
  maxStatedSeconds,
  minApplicationLimitSeconds,
  minLimitSeconds,
} from "./waits.ts";

/** The limit of a route, as a response states it. */
export interface StatedLimit {
  /** The number of requests that fit into a window. */
  readonly limit: number;
  /** The number of further requests that fit into the current window. */
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly endsIn: number;
}

/** The content of a 429. */
export interface TooManyRequests {
  /** Milliseconds to wait, with jitter. */
  readonly wait: number;
  /** True if the response states the wait. */
  readonly isStated: boolean;
  /** True if the limit is global, and not that of a route. */
  readonly isGlobal: boolean;
  /** True if other clients share the limit, so that this client did not cause the 429. */
  readonly isShared: boolean;
}

/** Reads the limit in the headers of a response; `null` if the headers are incomplete. */
export function readStatedLimit(response: HttpResponse): StatedLimit | null {
  const remaining = parseNumber(response.rateLimitRemaining);
  const endsIn = parseNumber(response.rateLimitResetAfter);
  if (remaining === null || endsIn === null) return null;
  const limit = parseNumber(response.rateLimitLimit) ?? remaining + 1;
  return { limit, remaining, endsIn: Math.min(endsIn, maxStatedSeconds) * 1000 };
}

/** Reads the name of the bucket in which the platform counted a request; `null` if the response has no valid name. */
export function readBucketName({ rateLimitBucket }: HttpResponse): string | null {
  // Names have 32 hexadecimal digits. A much longer one is not worth the memory.
  return /^[\w-]{1,64}$/.test(rateLimitBucket) ? rateLimitBucket : null;
}

/** Reads a 429; `null` for any other response. */
export function readTooManyRequests(
  response: HttpResponse,
  request: HttpRequest,
): TooManyRequests | null {
  if (response.status !== 429) return null;
  const json = parseJson(response.text);
  return {
    wait: jitter(secondsAfterLimit(response, json, request) * 1000),
    isStated: readRetryAfter(response, json) !== null,
    isGlobal: isGlobalLimit(response, json),
    isShared: response.rateLimitScope === "shared",
  };
}

/**
 * Returns the seconds to wait after a 429 that is not a block, for the error and for the pause.
 *
 * A 429 to a request without the token of a user or bot limits the whole application.
 */
export function secondsAfterLimit(
  response: HttpResponse,
  json: unknown,
  { form, authorization }: HttpRequest,
): number {
  const wait = readRetryAfter(response, json) ?? defaultLimitSeconds;
  if (form || !authorization) return Math.max(wait, minApplicationLimitSeconds);
  const seconds = Math.max(wait, minLimitSeconds);
  return isGlobalLimit(response, json) ? Math.min(seconds, maxGlobalLimitSeconds) : seconds;
}

/**
 * Reads the seconds to wait after a failure; `null` if the response does not state them. The body has decimals; the header is
 * rounded up, or a date. A wait of more than a day becomes a day.
 */
export function readRetryAfter({ retryAfter: header }: HttpResponse, body: unknown): number | null {
  const { retry_after } = Object(body) as { readonly retry_after?: unknown };
  const inBody = typeof retry_after === "number" && isDuration(retry_after) ? retry_after : null;
  const inHeader = parseRetryAfter(header);
  // The longer one, if they contradict each other.
  const seconds = inBody === null || (inHeader !== null && inHeader - inBody >= 1)
    ? inHeader
    : inBody;
  return seconds === null ? null : Math.min(seconds, maxStatedSeconds);
}

/** Returns true if the limit of a 429 is global. */
export function isGlobalLimit(response: HttpResponse, json: unknown): boolean {
  const { global } = Object(json) as { readonly global?: unknown };
  return global === true || response.rateLimitGlobal === "true" ||
    response.rateLimitScope === "global";
}

/** Adds a random part of up to 5 % and up to a second, so that waiting clients do not all send at once, and 1 ms against rounding. */
export function jitter(milliseconds: number): number {
  return Math.min(
    1 + milliseconds + Math.random() * Math.min(milliseconds / 20, maxJitterMs),
    maxTimerMs,
  );
}

/** Returns the seconds in a `Retry-After` header, which holds a number or a date (RFC 9110 section 10.2.3). */
function parseRetryAfter(header: string): number | null {
  const seconds = parseNumber(header) ??
    // Every form of a date has a time with colons. Without this check, Date.parse() takes nearly anything for a date.
    (header.includes(":") ? Math.max(0, Math.ceil((Date.parse(header) - Date.now()) / 1000)) : NaN);
  return isDuration(seconds) ? seconds : null;
}

function parseNumber(header: string): number | null {
  return /^\d+(\.\d+)?$/.test(header) ? Number(header) : null;
}

function isDuration(seconds: number): boolean {
  return seconds >= 0 && seconds < Infinity;
}
