/**
 * Sends a request through ky, with its headers and body, the time limit, the retries, and the caller's abort.
 *
 * @module
 */

import { NetworkError, TimeoutError } from "../core/errors.ts";
import { settledWithin, unlessAborted } from "../core/wait.ts";
import {
  attempt,
  type AttemptResult,
  type Failure,
  type HttpResponse,
  isSuccess,
} from "./attempt.ts";
import { attemptUnlessBlocked } from "./edge.ts";
import { neverConnected } from "./failure_reason.ts";
import { type Call, type Gate, notSent } from "./gate.ts";
import type { CheckedOptions } from "./options.ts";
import { type HttpRequest, methodOf } from "./request.ts";
import { isRetryable, maxRetries, retryPause } from "./retry.ts";
import { issuedTokenReadMs } from "./waits.ts";

/**
 * The module ky, after the first request. A Worker with an old compatibility date can't load ky, and `assertRuntime` names that cause
 * first. The promise of the import is not kept, since a request of a Worker can't wait for the promise of another request.
 */
let loaded: typeof import("npm:ky@^2.1.0") | undefined;

/**
 * Sends a request and returns the platform's response, with any status.
 *
 * @param requestLine The method and the URL, for errors.
 * @throws {NetworkError} If no complete response arrives; {@link TimeoutError} if none arrives within `timeout`.
 * @throws The signal's reason, if it fires.
 */
export async function send(
  request: HttpRequest,
  requestLine: string,
  options: CheckedOptions,
  gate: Gate | null,
): Promise<HttpResponse> {
  const { signal, onIssued } = request;
  const timeout = request.timeout ?? options.timeout;
  const method = methodOf(request);
  const body = bodyOf(request);
  const { maxBytes } = options;
  const fetch = options.fetch ?? globalThis.fetch;
  loaded ??= await import("npm:ky@^2.1.0");
  const { default: ky, isTimeoutError } = loaded;
  signal?.throwIfAborted();
  const deadline = performance.now() + timeout;
  // ky stops a request that takes too long only if there is AbortSignal.any, which edge runtimes may lack.
  const controller = new AbortController();
  const call: Call = { request, requestLine, deadline, signal: controller.signal };
  const results: AttemptResult[] = [];
  /** The attempt with a response that issues a token. */
  let issuing = null as Promise<unknown> | null;
  const lastResult = () => results.at(-1) ?? noResponseYet;

  const response = ky(options.apiUrl + request.path + queryOf(request), {
    headers: headersOf(request, options),
    // ky counts and times the retries, with its options below. It does not get the response, whose body is read here: after a success
    // it gets an object that it returns as it is, and after a failure an error. Its hooks can't do that:
    // - A connection may break or stall in the body. ky retries only what fails before the response.
    // - Rate limits and blocks need the body too, before another request is sent.
    // - `afterResponse` gets a clone, which keeps the whole body in memory twice. An error of ky reads and holds up to 10 MB of the
    //   body of a failure, and with it secrets.
    // - A custom `fetch` may return a plain object, which ky would return without a retry.
    fetch: async (input, init) => {
      // Without AbortSignal.any, ky goes on after an abort in the pause before a retry.
      signal?.throwIfAborted();
      const sendOnce = () => fetch(input as Request, { ...init, signal: controller.signal });
      const onSuccess = onIssued && (() => {
        issuing = ending;
        onIssued();
      });
      const makeAttempt = () =>
        attemptUnlessBlocked(options, call, async () => {
          if (request.turn && !await request.turn.take()) return notSent();
          return await attempt(sendOnce, maxBytes, controller.signal, onSuccess);
        });
      const made = gate ? gate.attempt(call, makeAttempt) : makeAttempt();
      // Ends with the call, even if there is no result: ky's timer runs for as long as this is pending.
      const ending = unlessAborted(made, signal);
      const result = await ending;
      results.push(result);
      if (isSuccess(result)) return success;
      throw new Error("ky decides whether it is retried");
    },
    ...(method !== "GET" && { method }),
    ...(body && { body }),
    ...(signal && { signal }),
    // Not "error", which workerd lacks. A redirect is an error like any other response that is not a success.
    redirect: "manual",
    timeout: false,
    totalTimeout: timeout,
    // Only reads are retried. Any other request is sent once: it may have had its effect, and a token request may have used up its
    // code or refresh token.
    retry: method !== "GET" || request.isSentOnce === true ? 0 : {
      limit: maxRetries,
      // Not left to ky: if the pause takes the rest of the time, it waits, and then hides the last result behind a time-out.
      shouldRetry: ({ retryCount }) =>
        isRetryable(lastResult()) && performance.now() + retryPause(retryCount) < deadline,
      delay: retryPause,
    },
  });

  try {
    await unlessAborted(response, signal);
  } catch (error) {
    if (issuing && isTimeoutError(error)) await settledWithin(issuing, issuedTokenReadMs);
    controller.abort();
    if (signal?.aborted) throw signal.reason;
    // ky's error is never kept as a cause: printed, it shows the headers and the body.
    // A success that came at the last moment is kept, since a token in it would be lost.
    if (isTimeoutError(error) && !isSuccess(lastResult())) {
      throw new TimeoutError(`${requestLine} got no response within ${timeout} ms`, {
        hint: request.lostHint,
        isTemporary: request.usesUpCode !== true,
      });
    }
  }
  const result = lastResult();
  if (result.kind === "response") return result;
  if (result.kind === "rejection") throw result.error;
  const { hasBegun, reason } = result;
  const found = hasBegun ? "an incomplete response" : "no response";
  const message = `${requestLine} got ${found}${reason === null ? "" : `: ${reason}`}`;
  const mayHaveArrived = results.some(canHaveArrived);
  const hint = mayHaveArrived ? request.lostHint : notReachedHint;
  const isTemporary = !(mayHaveArrived && request.usesUpCode);
  throw new NetworkError(message, { hint, mayHaveArrived, isTemporary });
}

/** The value for ky after a success. Creating a `Response` would take longer. */
const success = { ok: true } as Response;

const noResponseYet: Failure = { kind: "failure", hasBegun: false, reason: null };

const notReachedHint =
  "The platform has not received it: check the network and platform.apiUrl, and send it again";

/** Returns false only if the request of an attempt certainly did not reach the platform. */
function canHaveArrived(result: AttemptResult): boolean {
  return !(result.kind === "failure" && neverConnected(result.reason));
}

/** Returns the query with its question mark, or an empty text. ky's own option would create a second `Request`. */
function queryOf({ query = {} }: HttpRequest): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return pairs.length === 0
    ? ""
    : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}

function headersOf(
  { authorization }: HttpRequest,
  { userAgent }: CheckedOptions,
): Record<string, string> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (authorization) headers["authorization"] = authorization;
  // In a page the header is the browser's own. Setting it, where that is possible at all, costs a preflight request.
  const isPage = /^Mozilla\//.test(globalThis.navigator?.userAgent);
  if (!isPage) headers["user-agent"] = userAgent;
  return headers;
}

/** Returns the body as a Blob. Deno sends any other body again if a keep-alive connection breaks. */
function bodyOf({ form, json, jsonText }: HttpRequest): Blob | null {
  if (form) {
    const type = "application/x-www-form-urlencoded";
    return new Blob([String(new URLSearchParams(form))], { type });
  }
  const text = json ? JSON.stringify(json) : jsonText;
  return text === undefined ? null : new Blob([text], { type: "application/json" });
}
