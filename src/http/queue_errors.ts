/**
 * Errors for requests that the queue refuses to send.
 *
 * @module
 */

import { ApiError, RateLimitError } from "../core/errors.ts";
import type { HttpRequest } from "./request.ts";

/**
 * Creates the error for a request that would have to wait past its deadline.
 *
 * @param wait Milliseconds that it would have to wait.
 * @param isGlobal True if it would wait for the limit over all routes.
 */
export function tooLateError(
  requestLine: string,
  wait: number,
  isGlobal: boolean,
): RateLimitError {
  return new RateLimitError(
    `${requestLine} was not sent: its rate limit is used up, and it would have to wait longer than its timeout`,
    { httpStatus: 429, retryAfter: Math.ceil(wait) / 1000, global: isGlobal },
  );
}

/** Creates the error for a request whose token the platform has refused before. */
export function refusedTokenError(requestLine: string, { hint }: HttpRequest): ApiError {
  const hints = [hint?.(401) ?? [], "If the token is right, send it with a new User"];
  return new ApiError(
    `${requestLine} was not sent: the platform has answered 401 to its token before`,
    { httpStatus: 401 },
    hints.flat().join(". "),
  );
}
