/**
 * Sends a request through ky: the headers and the body, the time limit, the repetitions, and the caller's abort.
 *
 * @module
 */

import ky, { isTimeoutError } from "npm:ky@^2.1.0";
import { NetworkError, TimeoutError } from "../core/errors.ts";
import { unlessAborted } from "../core/wait.ts";
import { type Answer, attempt, isSuccess, type Outcome } from "./attempt.ts";
import { isWithoutConnection } from "./failure_reason.ts";
import type { CheckedOptions } from "./options.ts";
import { type HttpRequest, methodOf } from "./request.ts";
import type { Queue } from "./queue.ts";
import { mostRepetitions, pauseBefore } from "./retry.ts";

/**
 * Gives the platform's answer, whatever its status.
 *
 * @param requestLine The method and the URL, for errors.
 * @throws {NetworkError} When no whole answer came; {@link TimeoutError} when not within `timeout`.
 * @throws The signal's reason, when it fires.
 */
export async function send(
  request: HttpRequest,
  requestLine: string,
  options: CheckedOptions,
  queue: Queue | null,
): Promise<Answer> {
  const { query, signal } = request;
  const method = methodOf(request);
  const body = bodyOf(request);
  const { timeout, maxBytes } = options;
  const fetch = options.fetch ?? globalThis.fetch;
  signal?.throwIfAborted();
  const deadline = performance.now() + timeout;
  // ky ends a request that takes too long only where there is AbortSignal.any, which edge runtimes may not have.
  const call = new AbortController();
  const place = queue?.enter({ request, requestLine, deadline, signal: call.signal });
  let outcome = noAnswerYet;
  let mayHaveArrived = false;
  let pause = 0;

  const response = ky(options.apiUrl + request.path, {
    headers: headersOf(request, options),
    // The body is read within the attempt: to ky, a connection that breaks or stalls halfway is a failed attempt then, with
    // its time limit and its repetition. ky itself sees only whether the attempt was a success, and none of its content.
    fetch: async (input, init) => {
      const sendOnce = () => fetch(input as Request, { ...init, signal: call.signal });
      const makeAttempt = () => attempt(sendOnce, maxBytes, call.signal);
      const made = queue && place ? queue.attempt(place, makeAttempt) : makeAttempt();
      // Also without an outcome, when the call is over: ky's timer runs for as long as this is pending.
      outcome = await unlessAborted(made, call.signal);
      mayHaveArrived ||= !("reason" in outcome && isWithoutConnection(outcome.reason));
      return new Response(null, { status: isSuccess(outcome) ? 200 : 500 });
    },
    ...(query && { searchParams: query }),
    method,
    ...(body && { body }),
    ...(signal && { signal }),
    // Not "error", which workerd does not know; a redirect is refused like any other answer that is no success.
    redirect: "manual",
    timeout: false,
    totalTimeout: timeout,
    retry: {
      // Only what reads is repeated. Anything else is sent once, whatever happens: it may have had its effect, and the code or
      // refresh token of a token request may have been used up.
      limit: method === "GET" ? mostRepetitions : 0,
      shouldRetry({ retryCount }) {
        const wanted = pauseBefore(retryCount, outcome);
        if (wanted === null || performance.now() + wanted >= deadline) return false;
        pause = wanted;
        return true;
      },
      delay: () => pause,
    },
  });

  try {
    await unlessAborted(response, signal);
  } catch (error) {
    call.abort();
    if (signal?.aborted) throw signal.reason;
    // ky's error is never kept as a cause: printed, it shows the headers and the body.
    // A success that came at the last moment is kept, as a token in it would be lost.
    if (isTimeoutError(error) && !isSuccess(outcome)) {
      throw new TimeoutError(
        `${requestLine} was not answered within ${timeout} ms`,
        request.lostHint,
      );
    }
  }
  if (outcome.isAnswer) return outcome;
  if ("error" in outcome) throw outcome.error;
  const { begun, reason } = outcome;
  const found = begun ? "answered in part only" : "not answered";
  const message = `${requestLine} was ${found}${reason === null ? "" : `: ${reason}`}`;
  const hint = mayHaveArrived ? request.lostHint : notReachedHint;
  throw new NetworkError(message, hint, "network_error", { mayHaveArrived });
}

const noAnswerYet: Outcome = { isAnswer: false, begun: false, reason: null };

const notReachedHint =
  "The platform has not received it, so that it can be sent again: check the network, and platform.apiUrl";

function headersOf(
  { authorization }: HttpRequest,
  { userAgent }: CheckedOptions,
): Record<string, string> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (authorization) headers["authorization"] = authorization;
  // In a page the header is the browser's own; where it can be set at all, that costs a preflight request.
  const isPage = /^Mozilla\//.test(globalThis.navigator?.userAgent);
  if (!isPage) headers["user-agent"] = userAgent;
  return headers;
}

/** A Blob, since Deno sends any other body again when a connection it had kept open breaks. */
function bodyOf({ form, json }: HttpRequest): Blob | null {
  if (form) {
    const type = "application/x-www-form-urlencoded";
    return new Blob([String(new URLSearchParams(form))], { type });
  }
  return json ? new Blob([JSON.stringify(json)], { type: "application/json" }) : null;
}
