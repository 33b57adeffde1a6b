/**
 * Sends a request through ky.
 *
 * @module
 */

import ky, { isTimeoutError } from "npm:ky@^2.1.0";
import { withCallerInStack } from "../core/errors.ts";
import { deadlineIn, settledWithin, timeLeft, unlessAborted } from "../core/wait.ts";
import {
  failureError,
  failureReason,
  mistakeIn,
  mistakeOf,
  payloadError,
  responseError,
  timeoutError,
} from "./call_errors.ts";
import type { Call, Limit } from "./limits/call.ts";
import type { CheckedOptions, FetchInit, FetchResponse } from "./options.ts";
import { type HttpRequest, requestLineOf } from "./request.ts";
import {
  type HttpResponse,
  isOk,
  noResponse,
  type Rejection,
  type Result,
  toHttpResponse,
} from "./response.ts";
import { issuedTokenReadMs } from "./waits.ts";
import { readText } from "./body_limit.ts";
import { release } from "./limits/claim.ts";
import type { PlatformState } from "./limits/platform_state.ts";
import { nextStepAfter } from "./next_step.ts";

/**
 * Sends a request when its limits allow it, and returns the JSON of the response; `null` for an empty response.
 *
 * @param platform The state of the platform in the options.
 * @param limits The limits that the request waits for, in this order.
 * @throws {ApiError} If the response is not successful; {@link PayloadError} if a successful response is not JSON.
 * @throws {NetworkError} If no complete response arrives; {@link TimeoutError} if none arrives before the deadline.
 * @throws The error of a limit if the request would have to wait too long, and the signal's reason if it fires.
 */
export async function requestJson(
  request: HttpRequest,
  options: CheckedOptions,
  platform: PlatformState,
  limits: readonly Limit[],
): Promise<unknown> {
  try {
    const call = newCall(request, options, platform, limits);
    const response = await send(call);
    if (!response.ok) throw responseError(call, response);
    const { status, text, json } = response;
    // A 204 never has a body (RFC 9110 section 15.3.5).
    if (status === 204 || (request.mayBeEmpty && text === "")) return null;
    if (json === undefined) throw payloadError(call, response);
    return json;
  } catch (error) {
    options.observer?.failed(request, error);
    throw withCallerInStack(error);
  }
}

/** Sends the request of a call, and returns Discord's response with any status. Only reads are retried. */
async function send(call: Attempt): Promise<HttpResponse> {
  const { request: { signal, onIssued }, url, init, deadline } = call;
  signal?.throwIfAborted();
  let attempting: Promise<Response> | undefined;
  try {
    // `fetch` gets plain values instead of the `Request` that ky makes, so ky needs only the method.
    const responding = ky(url, {
      method: init.method,
      ...(signal && { signal }),
      fetch: () => attempting = attempt(call),
      timeout: false,
      totalTimeout: Math.max(0, timeLeft(deadline)),
      // For ky, a response is an error if its request is sent again.
      throwHttpErrors: () => call.retryMs !== null,
      retry: init.method !== "GET" ? 0 : {
        // A 429 of a limit that other clients share does not count.
        limit: Number.MAX_SAFE_INTEGER,
        methods: ["get"],
        shouldRetry: () => call.retryMs !== null,
        delay: () => Number(call.retryMs),
      },
    });
    await unlessAborted(responding, signal);
  } catch (error) {
    call.isLate = isTimeoutError(error);
    if (call.isLate && onIssued && attempting) await untilIssued(call, attempting);
    call.end();
    signal?.throwIfAborted();
    // ky's error does not become a cause: printed, it shows the address, which may hold a secret.
  }
  // A retry that was not sent does not hide the failure before it.
  const sent = call.results.filter(({ kind }) => kind !== "rejection");
  const result = sent.at(-1) ?? call.results.at(-1) ?? noResponse;
  // A successful response that arrived at the last moment is kept, since a token in it would be lost.
  const isKept = result.kind === "response" && result.ok;
  if (call.isLate && !isKept) throw timeoutError(call);
  if (result.kind === "response") return result;
  throw result.kind === "rejection" ? result.error : failureError(call, result);
}

/**
 * Waits for the response that issues a token, beyond the deadline: the token can't be issued again. A response that arrives exactly at the
 * deadline is accepted.
 */
async function untilIssued(call: Attempt, attempting: Promise<Response>): Promise<void> {
  const ending = unlessAborted(attempting, call.request.signal);
  await settledWithin(ending, 0);
  if (call.isIssued) await settledWithin(ending, issuedTokenReadMs);
}

function newCall(
  request: HttpRequest,
  options: CheckedOptions,
  platform: PlatformState,
  limits: readonly Limit[],
): Attempt {
  // ky's own signal needs `AbortSignal.any`, and would cut the response with an issued token.
  const controller = new AbortController();
  return {
    request,
    requestLine: requestLineOf(request, options.apiUrl),
    options,
    platform,
    deadline: request.deadline ?? deadlineIn(options.timeout),
    signal: controller.signal,
    end: () => controller.abort(),
    limits,
    url: options.apiUrl + request.path + queryOf(request),
    init: initOf(request, options),
    results: [],
    retryMs: null,
    claims: new Set(),
    sentAt: 0,
    isLate: false,
    token: null,
    queued: null,
    isIssued: false,
  };
}

/** Returns the query with its question mark, or an empty text. ky's own option would create a second `Request`. */
function queryOf({ query = {} }: HttpRequest): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return pairs.length === 0
    ? ""
    : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}

/** Returns the parts of a request that ky and `fetch` get. */
function initOf(request: HttpRequest, { userAgent }: CheckedOptions): Omit<FetchInit, "signal"> {
  const { method, authorization, auditLogReason, form, json, jsonText } = request;
  const headers: Record<string, string> = { accept: "application/json" };
  if (authorization) headers["authorization"] = authorization;
  // A header is ASCII, so Discord decodes a reason from UTF-8 in percent encoding.
  if (auditLogReason) headers["x-audit-log-reason"] = encodeURIComponent(auditLogReason);
  // In a page the header is the browser's own. Setting it, where that is possible at all, costs a preflight request.
  const isPage = /^Mozilla\//.test(globalThis.navigator?.userAgent);
  if (!isPage) headers["user-agent"] = userAgent;
  const text = form ? String(new URLSearchParams(form)) : json ? JSON.stringify(json) : jsonText;
  if (text !== undefined) {
    headers["content-type"] = form ? "application/x-www-form-urlencoded" : "application/json";
  }
  return {
    method,
    headers,
    ...(text !== undefined && { body: bodyOf(text) }),
    // Not "error", which workerd lacks. A redirect is an error like any other unsuccessful response.
    redirect: "manual",
    // Next.js caches every `GET` otherwise. Workers with an older compatibility date throw for this field.
    ...(method === "GET" && "cache" in Request.prototype && { cache: "no-store" }),
  };
}

/** Returns the body. Deno sends any body but a `Blob` again if a kept connection was closed, and a code would be sent twice. */
function bodyOf(text: string): string | Blob {
  return "Deno" in globalThis ? new Blob([text]) : text;
}

/** A call, with the state of its attempts. */
export interface Attempt extends Call {
  readonly limits: readonly Limit[];
  readonly url: string;
  readonly init: Omit<FetchInit, "signal">;
  /** Fires the signal. */
  readonly end: () => void;
  /** The wait before the next attempt, in milliseconds; `null` if the call ends with the latest result. */
  retryMs: number | null;
  /** True if the headers of a successful response have arrived, for a request that issues a token. */
  isIssued: boolean;
}

/**
 * Makes an attempt. ky can't do what happens here: a connection may break or stall in the body, a body must be bounded, and limits learn
 * from a body before the next request is sent.
 *
 * @returns The response for ky.
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
    if (request.onIssued && isOk(status)) {
      call.isIssued = true;
      request.onIssued();
    }
    const text = await readText(response, options.maxBytes, signal);
    return toHttpResponse(status, text, headers);
  } catch (error) {
    if (stopsPrerender(error)) return { kind: "rejection", error };
    return { ...noResponse, hasBegun, reason: failureReason(error) };
  }
}

/**
 * Returns true for the error by which Next's `fetch` stops a page from being built before its first visitor. Next must get this error to
 * render the page for each visit.
 */
function stopsPrerender(thrown: unknown): boolean {
  try {
    return Object(thrown).digest === "DYNAMIC_SERVER_USAGE";
  } catch {
    return false;
  }
}

/** Returns a response for ky, which decides by its status. The body was read already. */
function toResponse({ status, headers }: HttpResponse): Response {
  // The class accepts no other status. A browser hides a redirect behind 0.
  if (status < 200 || status > 599) return Response.error();
  return new Response(null, { status, ...(isIterable(headers) && { headers }) });
}

function isIterable(headers: object): headers is Headers {
  return Symbol.iterator in headers;
}
