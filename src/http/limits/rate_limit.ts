/**
 * Reads what a response says about rate limits, and recognizes blocks by the edge in front of the platform.
 *
 * @see {@link https://docs.discord.com/developers/topics/rate-limits | Rate limits in the platform's documentation}
 *
 * @module
 */

import { maxTimerMs } from "../../core/wait.ts";
import { maxJitterMs, maxStatedSeconds } from "../waits.ts";

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

/** The cause of a 429 or of a block by the edge, as the response states it. */
export interface Refusal {
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

/** Reads the cause of a 429, or of a block by the edge; returns `null` for any other response. */
export function readRefusal(status: number, json: unknown, header: Header): Refusal | null {
  const isBlock = isEdgeBlock(status, json);
  if (status !== 429 && !isBlock) return null;
  const scope = header("x-ratelimit-scope");
  const isGlobal = Object(json).global === true || header("x-ratelimit-global") === "true" ||
    scope === "global";
  return { isBlock, isGlobal, scope };
}

/**
 * Returns true if the edge in front of the platform refused the request. The edge responds with HTML, plain text or an empty
 * body; the platform responds with a JSON object. Two responses of the edge are JSON: code 40333, "internal network error", and
 * the 429 of an IP ban.
 *
 * @param json The parsed body of the response.
 */
export function isEdgeBlock(status: number, json: unknown): boolean {
  const { code, message, retry_after } = Object(json);
  if (code === 40333) return true;
  if (status !== 403 && status !== 429) return false;
  if (typeof json !== "object" || json === null) return true;
  return status === 429 && retry_after == null && /\bblocked\b/i.test(String(message));
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
