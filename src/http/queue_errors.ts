/**
 * Why a request was not sent, so that its call fails at once.
 *
 * @module
 */

import { ApiError, RateLimitError } from "../core/errors.ts";
import type { HttpRequest } from "./request.ts";

/**
 * The error for a request that would have to wait past its deadline.
 *
 * @param wait Milliseconds that it would have to wait.
 * @param isGlobal Whether for a limit over all routes.
 */
export function tooLate(requestLine: string, wait: number, isGlobal: boolean): RateLimitError {
  return new RateLimitError(
    `${requestLine} was not sent: its rate limit is used up, and it would have to wait longer than its timeout`,
    { httpStatus: 429, retryAfter: Math.ceil(wait) / 1000, global: isGlobal },
  );
}

/** The error for a request whose token was refused before. */
export function refusedBefore(requestLine: string, { hint }: HttpRequest): ApiError {
  const hints = [hint?.(401) ?? [], "If the token is right, send it with a new User"];
  return new ApiError(
    `${requestLine} was not sent: the platform has answered 401 to its token before`,
    { httpStatus: 401 },
    hints.flat().join(". "),
  );
}
