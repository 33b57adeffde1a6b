/**
 * Creates an answer without sending a request.
 *
 * @module
 */

import type { Answer } from "../../src/http/attempt.ts";

/** Creates an answer with status 200, an empty object and no headers, apart from the given fields. */
export function answerOf(fields: Partial<Answer>): Answer {
  return {
    kind: "answer",
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
