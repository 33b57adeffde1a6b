/**
 * Reads the rate limits of a response.
 *
 * @see {@link https://docs.discord.com/developers/topics/rate-limits | Rate limits in the platform's documentation}
 *
 * @module
 */

import { maxTimerMs } from "../../core/wait.ts";
import { isEdgeBlock } from "./edge.ts";
import type { HttpRequest } from "../request.ts";
import {
  defaultBlockSeconds,
  defaultLimitSeconds,
  maxBlockSeconds,
  maxGlobalLimitSeconds,
  maxJitterMs,
  maxStatedSeconds,
  minApplicationLimitSeconds,
  minBlockSeconds,
  minLimitSeconds,
} from "../waits.ts";

/** Returns a header of a response; an empty text for a missing header. */
type Header = (name: string) => string;

/** The limit of a route, as a response states it. */
export interface StatedLimit {
  /** The number of requests that fit into a window. */
  readonly limit: number;
  /** The number of further requests that fit into the current window. */
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly endsIn: number;
}

/** The limit that caused a 429, or a block by the edge. */
export interface Limit {
  /** The seconds to wait, for the error and for the pause. */
  readonly seconds: number;
  /** True for a block by the edge. It says nothing about the limits of the platform behind the edge. */
  readonly isBlock: boolean;
  /** True if the limit is global, and not that of a route. */
  readonly isGlobal: boolean;
  /** The scope that the response states, or an empty text. Other clients share a limit with the scope `shared`. */
  readonly scope: string;
}

/** Reads the limit in the headers of a response; `null` if the headers are incomplete. */
export function readStatedLimit(header: Header): StatedLimit | null {
  const remaining = parseNumber(header("x-ratelimit-remaining"));
  if (remaining === null) return null;
  const endsIn = parseNumber(header("x-ratelimit-reset-after"));
  if (endsIn === null) return null;
  const limit = parseNumber(header("x-ratelimit-limit")) ?? remaining + 1;
  return { limit, remaining, endsIn: Math.min(endsIn, maxStatedSeconds) * 1000 };
}

/** Reads the name of the bucket in which the platform counted a request; `null` if the response has no valid name. */
export function readBucketName(header: Header): string | null {
  const name = header("x-ratelimit-bucket");
  // Names have 32 hexadecimal digits. A much longer one is not worth the memory.
  return /^[\w-]{1,64}$/.test(name) ? name : null;
}

/**
 * Reads the limit that caused a 429, or a block by the edge; `null` for any other response.
 *
 * A 429 to a request without the token of a user or bot limits the whole application.
 *
 * @param retryAfter The seconds to wait that the response states.
 */
export function readLimit(
  { form, authorization }: HttpRequest,
  status: number,
  json: unknown,
  retryAfter: number | null,
  header: Header,
): Limit | null {
  const isBlock = isEdgeBlock(status, json);
  if (status !== 429 && !isBlock) return null;
  const scope = header("x-ratelimit-scope");
  const isGlobal = Object(json).global === true || header("x-ratelimit-global") === "true" ||
    scope === "global";
  const seconds = isBlock
    ? clamp(retryAfter ?? defaultBlockSeconds, minBlockSeconds, maxBlockSeconds)
    : form || !authorization
    ? Math.max(retryAfter ?? defaultLimitSeconds, minApplicationLimitSeconds)
    : clamp(
      retryAfter ?? defaultLimitSeconds,
      minLimitSeconds,
      isGlobal ? maxGlobalLimitSeconds : Infinity,
    );
  return { seconds, isBlock, isGlobal, scope };
}

/**
 * Reads the seconds to wait after a failure; `null` if the response does not state them. The body has decimals; the header is
 * rounded up, or a date. A wait of more than a day becomes a day.
 */
export function readRetryAfter(header: string, json: unknown): number | null {
  const { retry_after } = Object(json);
  const inBody = typeof retry_after === "number" && isDuration(retry_after) ? retry_after : null;
  const inHeader = parseRetryAfter(header);
  // The longer one, if they contradict each other.
  const seconds = inBody === null || (inHeader !== null && inHeader - inBody >= 1)
    ? inHeader
    : inBody;
  return seconds === null ? null : Math.min(seconds, maxStatedSeconds);
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

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
