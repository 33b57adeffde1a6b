/**
 * One attempt at a request: sends it and reads the response.
 *
 * @module
 */

import { readText } from "./body_limit.ts";
import { failureReason } from "./failure_reason.ts";
import { parseJson } from "./json.ts";
import {
  type Limit,
  readBucketName,
  readLimit,
  readRetryAfter,
  readStatedLimit,
  type StatedLimit,
} from "./limits/rate_limit.ts";
import type { HttpRequest } from "./request.ts";

/** The result of an attempt. */
export type AttemptResult = HttpResponse | Failure | Rejection;

/** A response of the platform with any status, as plain values: a custom `fetch` may return anything. */
export interface HttpResponse {
  readonly kind: "response";
  readonly status: number;
  /** True for a status from 200 to 299. */
  readonly ok: boolean;
  /** The body; `null` if it is longer than `maxBytes`. */
  readonly text: string | null;
  /** The parsed body; `undefined` if it is not JSON. */
  readonly json: unknown;
  /** The platform's name of the bucket; `null` if the response has no valid name. */
  readonly bucket: string | null;
  /** The limit of the bucket; `null` if the response does not state it. */
  readonly stated: StatedLimit | null;
  /** The seconds to wait after a refusal; `null` if the response does not state them. */
  readonly retryAfter: number | null;
  /** The limit that caused a 429, or the block by the edge; `null` for any other response. */
  readonly limit: Limit | null;
}

/** A request without a complete response. */
export interface Failure {
  readonly kind: "failure";
  /** True if the headers of the response had arrived. */
  readonly hasBegun: boolean;
  /** The reason in the library's words; `null` if it is not known. */
  readonly reason: string | null;
}

/** A request that a gate refused to send. */
export interface Rejection {
  readonly kind: "rejection";
  readonly error: Error;
}

/**
 * Sends a request once and reads the whole response. Never rejects. An error of `fetch` is not kept: it may hold a secret, and
 * reading its properties may throw.
 *
 * @param onSuccess Called when the headers of a success have arrived, before the body is read.
 */
export async function attempt(
  request: HttpRequest,
  send: () => Promise<Response>,
  maxBytes: number,
  signal: AbortSignal,
  onSuccess?: (() => void) | null,
): Promise<HttpResponse | Failure> {
  let hasBegun = false;
  try {
    const response = await send();
    hasBegun = true;
    const { headers } = response;
    const status = Number(response.status);
    if (isOk(status)) onSuccess?.();
    const text = await readText(response, maxBytes, signal);
    return toHttpResponse(request, status, text, (name) => String(headers.get(name) ?? ""));
  } catch (error) {
    return { kind: "failure", hasBegun, reason: failureReason(error) };
  }
}

/** Reads the parts of a response. Reading a header takes time, even a missing one, so that only those are read that it may have. */
export function toHttpResponse(
  request: HttpRequest,
  status: number,
  text: string | null,
  header: (name: string) => string,
): HttpResponse {
  const json = parseJson(text);
  const isRefusal = !(status < 400);
  const retryAfter = isRefusal ? readRetryAfter(header("retry-after"), json) : null;
  return {
    kind: "response",
    status,
    ok: isOk(status),
    text,
    json,
    bucket: readBucketName(header),
    stated: readStatedLimit(header),
    retryAfter,
    limit: isRefusal ? readLimit(request, status, json, retryAfter, header) : null,
  };
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}
