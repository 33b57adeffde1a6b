/**
 * Creates the errors for requests that the queue rejects.
 *
 * @module
 */

import { ApiError, RateLimitError } from "../core/errors.ts";
import { type HttpRequest, isTokenOfPerson } from "./request.ts";

/**
 * Creates the error for a request that would have to wait past its deadline.
 *
 * @param wait The time that the request would have to wait, in milliseconds.
 * @param isGlobal True if the request would wait for the global limit.
 */
export function tooLateError(
  requestLine: string,
  request: HttpRequest,
  wait: number,
  isGlobal: boolean,
): RateLimitError {
  return new RateLimitError(
    `${requestLine} was not sent: its rate limit is used up, and it would have to wait longer than its timeout`,
    {
      httpStatus: 429,
      retryAfter: Math.ceil(wait) / 1000,
      global: isGlobal,
      ofPerson: !isGlobal && isTokenOfPerson(request),
    },
  );
}

/**
 * Creates the error for a request whose token the platform has refused before.
 *
 * @param wait The milliseconds until a request may try the token again.
 */
export function refusedTokenError(
  requestLine: string,
  { hint }: HttpRequest,
  wait: number,
): ApiError {
  const again = `The token is tried again in ${Math.ceil(wait / 1000)} s`;
  return new ApiError(
    `${requestLine} was not sent: the platform has rejected its token (401)`,
    { httpStatus: 401, hint: [hint?.(401) ?? [], again].flat().join(". ") },
  );
}
