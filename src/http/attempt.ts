/**
 * One attempt at a request, which ky makes and repeats: waits for the limits, calls `fetch`, and reads the response.
 *
 * @module
 */

import { unlessAborted } from "../core/wait.ts";
import { readText } from "./body_limit.ts";
import { failureReason } from "./failure_reason.ts";
import { mistakeIn, mistakeOf } from "./call_errors.ts";
import type { Call, Limit } from "./limits/call.ts";
import { release } from "./limits/claim.ts";
import { nextStepAfter } from "./next_step.ts";
import type { FetchInit, FetchResponse } from "./options.ts";
import {
  type HttpResponse,
  isOk,
  noResponse,
  type Rejection,
  type Result,
  toHttpResponse,
} from "./response.ts";

/** A call, with what each attempt needs and finds. */
export interface Attempt extends Call {
  readonly limits: readonly Limit[];
  readonly url: string;
  readonly init: Omit<FetchInit, "signal">;
  /** Fires the signal. */
  readonly end: () => void;
  /** The wait before the next attempt, in milliseconds; `null` if the call ends with the latest result. */
  retryMs: number | null;
  /** True if the headers of a success have arrived, for a request that issues a token. */
  isIssued: boolean;
}

/**
 * Makes an attempt. ky can't do what happens here: a connection may break or stall in the body, a body must be bounded, and limits learn
 * from a body before the next request is sent.
 *
 * @returns The response for ky, with the whole body in memory.
 */
export async function attempt(call: Attempt): Promise<Response> {
  // Without `AbortSignal.any`, ky goes on after an abort in the pause before a retry.
  call.signal.throwIfAborted();
  const result = await untilAllowed(call) ??
    // A `fetch` may ignore the signal.
    await unlessAborted(exchange(call), call.signal).catch(() => noResponse);
  call.results.push(result);
  const next = nextStepAfter(call, result);
  call.retryMs = next.retryMs;
  for (const limit of call.limits) await limit.learn(call, result, next);
  for (const claim of call.claims) release(claim);
  call.claims.clear();
  if (result.kind === "response") return toResponse(result);
  throw new Error("The request got no response");
}

/** Waits for the limits, one after the other. Returns `null` when the request may be sent. */
async function untilAllowed(call: Attempt): Promise<Rejection | null> {
  try {
    for (const limit of call.limits) await limit.wait(call);
  } catch (error) {
    return { kind: "rejection", error };
  }
  call.sentAt = performance.now();
  return null;
}

/**
 * Sends the request once, and reads the whole response. Never rejects. An error of `fetch` is not kept: it may hold a secret, and reading
 * its properties may throw.
 */
async function exchange(call: Attempt): Promise<Result> {
  const { request, options, url, init, signal } = call;
  let responding: Promise<FetchResponse>;
  try {
    responding = (options.fetch ?? globalThis.fetch)(url, { ...init, signal });
  } catch (error) {
    return { kind: "rejection", error: mistakeOf(call, "threw an error", error, false) };
  }
  let hasBegun = false;
  try {
    const response = await responding;
    hasBegun = true;
    const mistake = mistakeIn(call, response);
    if (mistake) return { ...noResponse, hasBegun, mistake };
    const { headers } = response;
    const status = Number(response.status);
    if (isOk(status) && request.onIssued) {
      call.isIssued = true;
      request.onIssued();
    }
    const text = await readText(response, options.maxBytes, signal);
    return toHttpResponse(status, text, headers);
  } catch (error) {
    return { ...noResponse, hasBegun, reason: failureReason(error) };
  }
}

/** Returns a response for ky, which decides by its status. */
function toResponse({ status, text, headers }: HttpResponse): Response {
  // The class accepts no other status. A browser hides a redirect behind 0.
  if (status < 200 || status > 599) return Response.error();
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? text : null, { status, ...(isIterable(headers) && { headers }) });
}

function isIterable(headers: object): headers is Headers {
  return Symbol.iterator in headers;
}
