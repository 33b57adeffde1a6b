/**
 * The result of a request: the response as plain values, with what it says about rate limits and blocks, or the failure.
 *
 * @see {@link https://docs.discord.com/developers/topics/rate-limits | Discord: Rate limits}
 *
 * @module
 */

import { parseJson } from "./body_limit.ts";
import type { FetchResponse } from "./options.ts";
import { maxStatedSeconds } from "./waits.ts";

/** The headers of a response, as any implementation of `fetch` returns them. */
type ResponseHeaders = FetchResponse["headers"];

/** The result of a request. */
export type Result = HttpResponse | Failure | Rejection;

/** A response of Discord with any status. */
export interface HttpResponse {
  readonly kind: "response";
  readonly status: number;
  /** True for a status from 200 to 299. */
  readonly ok: boolean;
  /** The body; `null` if it is longer than `maxBytes`. */
  readonly text: string | null;
  readonly headers: ResponseHeaders;
  /** The parsed body; `undefined` if it is not JSON. */
  readonly json: unknown;
  /** Discord's name of the bucket; `null` if the response has no valid name. */
  readonly bucket: string | null;
  /** The limit of the bucket; `null` if the response does not state it. */
  readonly stated: StatedLimit | null;
  /** The seconds to wait after a refusal; `null` if the response does not state them. */
  readonly retryAfter: number | null;
  /** The cause of a 429, or the block by the edge; `null` for any other response. */
  readonly refusal: Refusal | null;
}

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
  /** True for a block by the edge. It says nothing about the limits of Discord behind the edge. */
  readonly isBlock: boolean;
  /** True if the limit is global, and not that of a route. */
  readonly isGlobal: boolean;
  /** The scope that the response states, or an empty text. Other clients share a limit with the scope `shared`. */
  readonly scope: string;
}

/** A request without a complete response. */
export interface Failure {
  readonly kind: "failure";
  /** True if the headers of the response had arrived. */
  readonly hasBegun: boolean;
  /** The reason in the library's words; `null` if it is not known. */
  readonly reason: string | null;
  /** The mistake of a custom `fetch`, such as a value that is not a response; `null` if the connection has failed. */
  readonly mistake: Error | null;
}

/** A request that was not sent. */
export interface Rejection {
  readonly kind: "rejection";
  readonly error: unknown;
}

/** The result before the first request, and after an abort. */
export const noResponse: Failure = {
  kind: "failure",
  hasBegun: false,
  reason: null,
  mistake: null,
};

/** Reads the parts of a response. Reading even a missing header takes time, so only the headers that it may have are read. */
export function toHttpResponse(
  status: number,
  text: string | null,
  headers: ResponseHeaders,
): HttpResponse {
  const header = (name: string) => String(headers.get(name) ?? "");
  const json = parseJson(text);
  const isRefusal = !(status < 400);
  return {
    kind: "response",
    status,
    ok: isOk(status),
    text,
    headers,
    json,
    retryAfter: isRefusal ? readRetryAfter(header("retry-after"), json) : null,
    bucket: readBucketName(header),
    stated: readStatedLimit(header),
    refusal: isRefusal ? readRefusal(status, json, header) : null,
  };
}

/** Returns true for the status of a successful response. */
export function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Returns a header of a response; an empty text for a missing header. */
type Header = (name: string) => string;

/** Reads the limit in the headers of a response; `null` if the headers are incomplete. */
function readStatedLimit(header: Header): StatedLimit | null {
  const remaining = parseNumber(header("x-ratelimit-remaining"));
  if (remaining === null) return null;
  const endsIn = parseNumber(header("x-ratelimit-reset-after"));
  if (endsIn === null) return null;
  const limit = parseNumber(header("x-ratelimit-limit")) ?? remaining + 1;
  return { limit, remaining, endsIn: Math.min(endsIn, maxStatedSeconds) * 1000 };
}

/** Reads the name of the bucket in which Discord counted a request; `null` if the response has no valid name. */
function readBucketName(header: Header): string | null {
  const name = header("x-ratelimit-bucket");
  // Names have 32 hexadecimal digits. A much longer one is not worth the memory.
  return /^[\w-]{1,64}$/.test(name) ? name : null;
}

/** Reads the cause of a 429, or of a block by the edge; returns `null` for any other response. */
function readRefusal(status: number, json: unknown, header: Header): Refusal | null {
  const isBlock = isEdgeBlock(status, json);
  if (status !== 429 && !isBlock) return null;
  const scope = header("x-ratelimit-scope");
  const isGlobal = Object(json).global === true || header("x-ratelimit-global") === "true" ||
    scope === "global";
  return { isBlock, isGlobal, scope };
}

/**
 * Returns true if the edge in front of Discord refused the request. The edge responds with HTML, plain text or an empty
 * body; Discord responds with a JSON object. Two responses of the edge are JSON: code 40333, "internal network error", and
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
function readRetryAfter(header: string, json: unknown): number | null {
  const { retry_after } = Object(json);
  const inBody = typeof retry_after === "number" && isDuration(retry_after) ? retry_after : null;
  const inHeader = parseRetryAfter(header);
  // The longer one, if they contradict each other.
  const seconds = inBody === null || (inHeader !== null && inHeader - inBody >= 1)
    ? inHeader
    : inBody;
  return seconds === null ? null : Math.min(seconds, maxStatedSeconds);
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
