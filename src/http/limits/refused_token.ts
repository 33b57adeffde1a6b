/**
 * Keeps requests from being sent with a token that Discord has refused. Such requests count toward an IP ban.
 *
 * @module
 */

import { ApiError } from "../../core/response_errors.ts";
import { sleep } from "../../core/wait.ts";
import { queuePollMs } from "../waits.ts";
import type { Call, Limit } from "./call.ts";
import { isHeld } from "./claim.ts";
import { type TokenState, tokenState } from "./platform_state.ts";

/** Rejects requests with a refused token. After five minutes, one request tries the token, and the others wait for its result. */
export const refusedToken: Limit = {
  async wait(call) {
    const token = tokenOf(call);
    while (token.refusedUntil !== null) {
      const error = refusedTokenErrorOf(call, token);
      if (error) throw error;
      if (!isHeld(token)) {
        token.heldUntil = call.deadline.at;
        call.claims.add(token);
        return;
      }
      await sleep(queuePollMs, call.signal);
    }
  },
  learn(call, result, { waiting, waitMs }) {
    const token = tokenOf(call);
    if (waiting === "token") token.refusedUntil = performance.now() + waitMs;
    else if (result.kind === "response" && result.ok) token.refusedUntil = null;
  },
};

/** Returns the error for a call whose token Discord has refused in the last five minutes; `null` if it has not. */
export function refusedTokenErrorOf(
  { request, requestLine }: Pick<Call, "request" | "requestLine">,
  { refusedUntil }: Pick<TokenState, "refusedUntil">,
): ApiError | null {
  const wait = refusedUntil === null ? 0 : refusedUntil - performance.now();
  if (wait <= 0) return null;
  const again = `The token will be tried again in ${Math.ceil(wait / 1000)} s`;
  return new ApiError(
    `${requestLine} was not sent: the platform rejected its token (401)`,
    { httpStatus: 401, hint: [request.hint?.(401) ?? [], again].flat().join(". ") },
  );
}

/** Returns the state of the token of a call. */
export function tokenOf(call: Call): TokenState {
  return call.token ??= tokenState(call.platform, call.request.authorization);
}
