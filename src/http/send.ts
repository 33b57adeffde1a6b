/**
 * Sends a request through ky, with its headers and body, the time limit, the retries, and the caller's abort.
 *
 * @module
 */

import { NetworkError, TimeoutError } from "../core/errors.ts";
import { settledWithin, sleep, unlessAborted } from "../core/wait.ts";
import { attempt, type AttemptResult, type Failure, type HttpResponse } from "./attempt.ts";
import { neverConnected } from "./failure_reason.ts";
import type { Call, Gate } from "./gate.ts";
import type { CheckedOptions } from "./options.ts";
import { attemptUnlessPaused, newPause } from "./pause.ts";
import { PerPlatform } from "./per_platform.ts";
import { notSent } from "./rejections.ts";
import { type HttpRequest, methodOf } from "./request.ts";
import { isRetryable, maxRetries, retryPause } from "./retry.ts";
import { issuedTokenReadMs } from "./waits.ts";

/**
 * The module ky, after the first request. A Worker with an old compatibility date can't load ky, and `assertRuntime` names that cause
 * first. The promise of the import is not kept, since a request of a Worker can't wait for the promise of another request.
 */
let loaded: typeof import("npm:ky@^2.1.0") | undefined;

/** The pauses of all requests after a block by the edge. */
const blocks = /* @__PURE__ */ new PerPlatform(() => newPause(true));

/**
 * Sends a request and returns the platform's response, with any status. Only reads are retried. Any other request is sent once: it may
 * have had its effect, and a token request may have used up its code or refresh token.
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
  const { signal } = request;
  const library = loaded ??= await import("npm:ky@^2.1.0");
  signal?.throwIfAborted();
  const deadline = performance.now() + (request.timeout ?? options.timeout);
  // ky stops a request that takes too long only if there is AbortSignal.any, which edge runtimes may lack.
  const controller = new AbortController();
  const call: Call = { request, requestLine, deadline, signal: controller.signal };
  const sendOnce = () => sendThroughKy(library, call, controller, options, gate);
  const result = await sendOnce();
  return result.kind === "response" && result.status < 500
    ? result
    : await repeat(call, result, sendOnce);
}

/** Repeats a failed read, and throws the error of the last failure without a response. */
async function repeat(
  call: Call,
  first: AttemptResult,
  sendOnce: () => Promise<AttemptResult>,
): Promise<HttpResponse> {
  const { request, deadline } = call;
  let result = first;
  let mayHaveArrived = canHaveArrived(result);
  const retries = methodOf(request) !== "GET" || request.isSentOnce === true ? 0 : maxRetries;
  for (let retry = 1; retry <= retries && isRetryable(result); retry++) {
    const pause = retryPause(retry);
    // A pause that takes the rest of the time would hide this result behind a time-out.
    if (performance.now() + pause >= deadline) break;
    await sleep(pause, request.signal);
    result = await sendOnce();
    mayHaveArrived ||= canHaveArrived(result);
  }
  if (result.kind === "response") return result;
  throw result.kind === "rejection" ? result.error : failureError(call, result, mayHaveArrived);
}

/**
 * Makes an attempt through ky: it builds the request and bounds its time, waits for the gates included. ky gets an object in place of
 * the response, and does not retry:
 * - A connection may break or stall in the body. ky retries only what fails before the response.
 * - Rate limits and blocks need the body too, before another request is sent.
 * - An error of ky reads and holds up to 10 MB of the body of a failure, and with it secrets.
 * - ky would copy each request before it is sent. The copy takes a seventh of a call.
 */
async function sendThroughKy(
  { default: ky, isTimeoutError }: typeof import("npm:ky@^2.1.0"),
  call: Call,
  controller: AbortController,
  options: CheckedOptions,
  gate: Gate | null,
): Promise<AttemptResult> {
  const { request, deadline } = call;
  const { signal, onIssued } = request;
  const method = methodOf(request);
  const body = bodyOf(request);
  const fetch = options.fetch ?? globalThis.fetch;
  let result = noResponse as AttemptResult;
  /** The attempt with a response that issues a token. */
  let issuing = null as Promise<unknown> | null;

  try {
    await ky(options.apiUrl + request.path + queryOf(request), {
      headers: headersOf(request, options),
      fetch: async (input) => {
        signal?.throwIfAborted();
        const onSuccess = onIssued && (() => {
          issuing = ending;
          onIssued();
        });
        const sendOnce = () => fetch(input as Request, { signal: call.signal });
        const attemptInTurn = async () =>
          request.turn && !await request.turn.take()
            ? notSent()
            : await attempt(request, sendOnce, options.maxBytes, call.signal, onSuccess);
        const isAlone = request.isShapedByCaller;
        const makeAttempt = () =>
          attemptUnlessPaused(blocks.for(options), call, attemptInTurn, isAlone);
        // Ends with the call, even if there is no result: ky's timer runs for as long as this is pending.
        const ending = unlessAborted(
          gate ? gate.attempt(call, makeAttempt) : makeAttempt(),
          signal,
        );
        result = await ending;
        return success;
      },
      ...(method !== "GET" && { method }),
      ...(body && { body }),
      ...(signal && { signal }),
      // Not "error", which workerd lacks. A redirect is an error like any other response that is not a success.
      redirect: "manual",
      timeout: deadline - performance.now(),
      retry: 0,
    });
  } catch (error) {
    const isTimeout = isTimeoutError(error);
    if (issuing && isTimeout) await settledWithin(issuing, issuedTokenReadMs);
    controller.abort();
    signal?.throwIfAborted();
    // ky's error is never kept as a cause: printed, it shows the headers and the body.
    // A success that came at the last moment is kept, since a token in it would be lost.
    const isKept = result.kind === "response" && result.ok;
    if (isTimeout && !isKept) throw timeoutError(call, options);
  }
  return result;
}

/** The value for ky after an attempt. Creating a `Response` would take longer. */
const success = { ok: true } as Response;

const noResponse: Failure = { kind: "failure", hasBegun: false, reason: null };

/** Returns false only if the request of an attempt certainly did not reach the platform. */
function canHaveArrived(result: AttemptResult): boolean {
  return !(result.kind === "failure" && neverConnected(result.reason));
}

/** Creates the error for a call whose time is over. */
function timeoutError({ request, requestLine }: Call, options: CheckedOptions): TimeoutError {
  const timeout = request.timeout ?? options.timeout;
  return new TimeoutError(`${requestLine} got no response within ${timeout} ms`, {
    hint: request.lostHint,
    isTemporary: request.usesUpCode !== true,
  });
}

/** Creates the error for a request without a complete response. */
function failureError(
  { request, requestLine }: Call,
  { hasBegun, reason }: Failure,
  mayHaveArrived: boolean,
): NetworkError {
  const found = hasBegun ? "an incomplete response" : "no response";
  const message = `${requestLine} got ${found}${reason === null ? "" : `: ${reason}`}`;
  const hint = mayHaveArrived
    ? request.lostHint
    : "The platform has not received it: check the network and platform.apiUrl, and send it again";
  const isTemporary = !(mayHaveArrived && request.usesUpCode);
  return new NetworkError(message, { hint, mayHaveArrived, isTemporary });
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
