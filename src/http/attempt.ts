/**
 * One attempt at a request: sends it and reads the response.
 *
 * @module
 */

import { readText } from "./body_limit.ts";
import { failureReason } from "./failure_reason.ts";

/** The result of an attempt. */
export type AttemptResult = HttpResponse | Failure | Rejection;

/** A response of the platform with any status, as plain values: a custom `fetch` may return anything. A missing header is empty. */
export interface HttpResponse {
  readonly kind: "response";
  readonly status: number;
  /** The `Retry-After` header of a refusal. */
  readonly retryAfter: string;
  /** The `X-RateLimit-Scope` header of a refusal. */
  readonly rateLimitScope: string;
  readonly rateLimitGlobal: string;
  readonly rateLimitBucket: string;
  readonly rateLimitLimit: string;
  readonly rateLimitRemaining: string;
  readonly rateLimitResetAfter: string;
  /** The body; `null` if it is longer than `maxBytes`. */
  readonly text: string | null;
}

/** A request without a complete response. */
export interface Failure {
  readonly kind: "failure";
  /** True if the headers of the response had arrived. */
  readonly hasBegun: boolean;
  /** The reason in the library's words; `null` if it is not known. */
  readonly reason: string | null;
}

/** A request that the queue refused to send. */
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
    if (isSuccessStatus(status)) onSuccess?.();
    const header = (name: string): string => String(headers.get(name) ?? "");
    const rateLimitRemaining = header("x-ratelimit-remaining");
    // Reading a header takes time, even a missing one. Some come only with a refusal, others only with a stated limit.
    const headerOfRefusal = status < 400 ? () => "" : header;
    const headerOfLimit = rateLimitRemaining === "" ? () => "" : header;
    return {
      kind: "response",
      status,
      retryAfter: headerOfRefusal("retry-after"),
      rateLimitScope: headerOfRefusal("x-ratelimit-scope"),
      rateLimitGlobal: headerOfRefusal("x-ratelimit-global"),
      rateLimitBucket: header("x-ratelimit-bucket"),
      rateLimitLimit: headerOfLimit("x-ratelimit-limit"),
      rateLimitRemaining,
      rateLimitResetAfter: headerOfLimit("x-ratelimit-reset-after"),
      text: await readText(response, maxBytes, signal),
    };
  } catch (error) {
    return { kind: "failure", hasBegun, reason: failureReason(error) };
  }
}

/** Returns true for a response with a status from 200 to 299. */
export function isSuccess(result: AttemptResult): result is HttpResponse {
  return result.kind === "response" && isSuccessStatus(result.status);
}

function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}
