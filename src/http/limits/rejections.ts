/**
 * Rejects requests that are not sent.
 *
 * @module
 */

import { ApiError, RateLimitError } from "../../core/errors.ts";
import type { Rejection } from "../attempt.ts";
import { edgeHint } from "./edge.ts";
import type { Call } from "../gate.ts";

/** The part of a call that its rejection shows. */
export type UnsentCall = Pick<Call, "requestLine">;

/**
 * Rejects a request that would have to wait.
 *
 * @param wait The milliseconds until the request may be sent.
 */
export function waitRejection(
  { requestLine }: UnsentCall,
  cause: string,
  wait: number,
  details?: Partial<ConstructorParameters<typeof RateLimitError>[1]>,
): Rejection {
  const error = new RateLimitError(`${requestLine} was not sent: ${cause}`, {
    httpStatus: 429,
    retryAfter: Math.ceil(wait) / 1000,
    ...details,
  });
  return { kind: "rejection", error };
}

/** Rejects a request in the pause after a block by the edge. */
export function blockedRejection(call: UnsentCall, wait: number): Rejection {
  const cause = "the edge in front of the platform has blocked a request before";
  return waitRejection(call, cause, wait, { blockedByEdge: true, hint: edgeHint });
}

/** Rejects a token request in the pause after a 429. */
export function limitedRejection(call: UnsentCall, wait: number): Rejection {
  return waitRejection(call, "the platform has limited token requests (429)", wait);
}

/**
 * Rejects a request whose token the platform has refused before.
 *
 * @param wait The milliseconds until a request may try the token again.
 */
export function refusedTokenRejection({ request, requestLine }: Call, wait: number): Rejection {
  const again = `The token is tried again in ${Math.ceil(wait / 1000)} s`;
  const error = new ApiError(
    `${requestLine} was not sent: the platform has rejected its token (401)`,
    { httpStatus: 401, hint: [request.hint?.(401) ?? [], again].flat().join(". ") },
  );
  return { kind: "rejection", error };
}
