/**
 * Sends a request through ky, with its headers and body, the time limit, the retries, and the caller's abort.
 *
 * @module
 */

import ky, { isTimeoutError, type Options as KyOptions } from "npm:ky@^2.1.0";
import { NetworkError, TimeoutError } from "../core/errors.ts";
import { settledWithin, unlessAborted } from "../core/wait.ts";
import { attempt, type AttemptResult, type Failure, type HttpResponse } from "./attempt.ts";
import { neverConnected } from "./failure_reason.ts";
import type { Call, Gate } from "./gate.ts";
import type { CheckedOptions } from "./options.ts";
import { attemptUnlessPaused, blockPauseOf } from "./limits/pause.ts";
import { type HttpRequest, methodOf } from "./request.ts";
import { isRetryable, maxRetries, retryPause } from "./retry.ts";
import { issuedTokenReadMs } from "./waits.ts";

/** A call on its way through ky. */
interface Sending extends Call {
  readonly controller: AbortController;
  readonly options: CheckedOptions;
  readonly gate: Gate | null;
  /** The results of the attempts so far. */
  readonly results: AttemptResult[];
  /** The attempt with a response that issues a token. */
  issuing: Promise<unknown> | null;
}

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
  signal?.throwIfAborted();
  const timeout = request.timeout ?? options.timeout;
  // ky stops a request that takes too long only if there is AbortSignal.any, which edge runtimes may lack.
  const controller = new AbortController();
  const sending: Sending = {
    request,
    requestLine,
    deadline: performance.now() + timeout,
    controller,
    signal: controller.signal,
    options,
    gate,
    results: [],
    issuing: null,
  };
  // ky copies each request that it may retry, which takes a seventh of its time. So the first attempt has no retry, and a failed one is
  // handed to a second use of ky, with its retries.
  await sendThroughKy(sending, { timeout, retry: 0 });
  const result = lastResult(sending);
  return result.kind === "response" && result.status < 500 ? result : await repeat(sending);
}

/** Repeats a failed read, and throws the error of the last failure without a response. */
async function repeat(sending: Sending): Promise<HttpResponse> {
  const { request, deadline, results } = sending;
  // Not left to ky: if the pause takes the rest of the time, it waits, and then hides the last result behind a time-out.
  const canRetry = (retry: number) =>
    isRetryable(lastResult(sending)) && performance.now() + retryPause(retry) < deadline;
  if (methodOf(request) === "GET" && request.isSentOnce !== true && canRetry(1)) {
    await sendThroughKy(sending, {
      timeout: false,
      totalTimeout: deadline - performance.now(),
      retry: {
        limit: maxRetries,
        shouldRetry: ({ retryCount }) => canRetry(retryCount),
        delay: retryPause,
      },
    });
  }
  const result = lastResult(sending);
  if (result.kind === "response") return result;
  if (result.kind === "rejection") throw result.error;
  throw failureError(sending, result, results.some(canHaveArrived));
}

/**
 * Sends a request through ky, which builds it, bounds its time with the waits for the gates, and counts and times the retries. The
 * response is read here. In its place, ky gets an object to return as it is, or an error to retry. Its hooks can't do that:
 * - A connection may break or stall in the body. ky retries only what fails before the response.
 * - Rate limits and blocks need the body too, before another request is sent.
 * - `afterResponse` gets a clone, which keeps the whole body in memory twice. An error of ky reads and holds up to 10 MB of the
 *   body of a failure, and with it secrets.
 * - A custom `fetch` may return a plain object, which ky would return without a retry.
 */
async function sendThroughKy(sending: Sending, limits: KyOptions): Promise<void> {
  const { request, options, results } = sending;
  const { signal } = request;
  const method = methodOf(request);
  const body = bodyOf(request);
  const isRepetition = results.length > 0;
  let isKnown = isRepetition;

  try {
    const response = ky(options.apiUrl + request.path + queryOf(request), {
      headers: headersOf(request, options),
      fetch: async (input) => {
        // A repetition begins with the failure that is known, and sends nothing for it.
        if (!isKnown) results.push(await attemptBehindGates(sending, input as Request));
        isKnown = false;
        if (isRepetition && isRetryable(lastResult(sending))) {
          throw new Error("ky decides whether it is retried");
        }
        return success;
      },
      ...(method !== "GET" && { method }),
      ...(body && { body }),
      ...(signal && { signal }),
      // Not "error", which workerd lacks. A redirect is an error like any other response that is not a success.
      redirect: "manual",
      ...limits,
    });
    await unlessAborted(response, signal);
  } catch (error) {
    const isTimeout = isTimeoutError(error);
    if (sending.issuing && isTimeout) await settledWithin(sending.issuing, issuedTokenReadMs);
    sending.controller.abort();
    signal?.throwIfAborted();
    // ky's error is never kept as a cause: printed, it shows the headers and the body.
    // A success that came at the last moment is kept, since a token in it would be lost.
    const result = lastResult(sending);
    const isKept = result.kind === "response" && result.ok;
    if (isTimeout && !isKept) throw timeoutError(sending);
  }
}

/**
 * Makes an attempt when the gates let it pass. Ends with the call, even if there is no result: ky's timer runs for as long as this is
 * pending.
 */
async function attemptBehindGates(sending: Sending, input: Request): Promise<AttemptResult> {
  const { request, options, gate } = sending;
  const { signal, onIssued } = request;
  // Without AbortSignal.any, ky goes on after an abort in the pause before a retry.
  signal?.throwIfAborted();
  const fetch = options.fetch ?? globalThis.fetch;
  const sendOnce = () => fetch(input, { signal: sending.signal });
  const onSuccess = onIssued && (() => {
    sending.issuing = ending;
    onIssued();
  });
  const attemptOnce = () => attempt(request, sendOnce, options.maxBytes, sending.signal, onSuccess);
  const attemptUnlessBlocked = () =>
    attemptUnlessPaused(blockPauseOf(options), sending, attemptOnce, request.isShapedByCaller);
  const attempting = gate ? gate.attempt(sending, attemptUnlessBlocked) : attemptUnlessBlocked();
  const ending = unlessAborted(attempting, signal);
  return await ending;
}

function lastResult({ results }: Sending): AttemptResult {
  return results.at(-1) ?? noResponse;
}

/** The value for ky in place of a response. Creating a `Response` would take longer. */
const success = { ok: true } as Response;

const noResponse: Failure = { kind: "failure", hasBegun: false, reason: null };

/** Returns false only if the request of an attempt certainly did not reach the platform. */
function canHaveArrived(result: AttemptResult): boolean {
  return !(result.kind === "failure" && neverConnected(result.reason));
}

/** Creates the error for a call whose time is over. */
function timeoutError({ request, requestLine, options }: Sending): TimeoutError {
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
