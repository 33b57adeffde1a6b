/**
 * The result of a request: the response as plain values, or the failure.
 *
 * @module
 */

import { parseJson } from "./body_limit.ts";
import {
  readBucketName,
  readRefusal,
  readRetryAfter,
  readStatedLimit,
  type Refusal,
  type StatedLimit,
} from "./limits/rate_limit.ts";
import type { FetchResponse } from "./options.ts";

/** The headers of a response, as any implementation of `fetch` returns them. */
type ResponseHeaders = FetchResponse["headers"];

/** The result of a request. */
export type Result = HttpResponse | Failure | Rejection;

/** A response of the platform with any status. */
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
  /** The platform's name of the bucket; `null` if the response has no valid name. */
  readonly bucket: string | null;
  /** The limit of the bucket; `null` if the response does not state it. */
  readonly stated: StatedLimit | null;
  /** The seconds to wait after a refusal; `null` if the response does not state them. */
  readonly retryAfter: number | null;
  /** The cause of a 429, or the block by the edge; `null` for any other response. */
  readonly refusal: Refusal | null;
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

/** Reads the parts of a response. Reading a header takes time, even a missing one, so that only those are read that it may have. */
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

/** Returns true for the status of a success. */
export function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}
