/**
 * Creates a response without sending a request.
 *
 * @module
 */

import type { HttpResponse } from "../../src/http/attempt.ts";

/** Creates a response with status 200, an empty object and no headers, apart from the given fields. */
export function responseOf(fields: Partial<HttpResponse>): HttpResponse {
  return {
    kind: "response",
    status: 200,
    text: "{}",
    retryAfter: "",
    rateLimitScope: "",
    rateLimitGlobal: "",
    rateLimitBucket: "",
    rateLimitLimit: "",
    rateLimitRemaining: "",
    rateLimitResetAfter: "",
    ...fields,
  };
}
