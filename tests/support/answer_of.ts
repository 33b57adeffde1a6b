/**
 * What an attempt came to, without making one.
 *
 * @module
 */

import type { Answer } from "../../src/http/attempt.ts";

/** A 200 without headers, but for what is given. */
export function attempted(fields: Partial<Answer>): Answer {
  return {
    isAnswer: true,
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
