/**
 * Creates the errors of a call: for an unsuccessful response, for a failure, and for a successful response that can't be read.
 *
 * @module
 */

import { type GuildpassError, OAuthError } from "../core/errors.ts";
import {
  ApiError,
  NetworkError,
  PayloadError,
  PayloadTooLargeError,
  RateLimitError,
  TimeoutError,
} from "../core/response_errors.ts";
import type { Deadline } from "../core/wait.ts";
import { createRedactor, mapTexts } from "../core/safe_text.ts";
import { hasTooManyValues } from "./body_limit.ts";
import type { Failure, HttpResponse, Result } from "./response.ts";
import type { Call } from "./limits/call.ts";
import { edgeHint } from "./limits/pause.ts";
import { nextStepAfter } from "./next_step.ts";
import { type HttpRequest, isTokenOfPerson, secretsOf } from "./request.ts";

/** Creates the error for a call whose time is over. */
export function timeoutError({ request, requestLine, deadline }: Call): TimeoutError {
  return new TimeoutError(`${requestLine} got no response within ${deadline.timeout} ms`, {
    hint: request.lostHint,
    isTemporary: request.usesUpCode !== true,
  });
}

/** Creates the error for a call that has waited too long for another call with the same read. */
export function otherCallTimeoutError(requestLine: string, { timeout }: Deadline): TimeoutError {
  return new TimeoutError(
    `${requestLine} got no response within ${timeout} ms in an identical call`,
  );
}

/** Creates the error for a request without a complete response. */
export function failureError(
  { request, requestLine, results }: Call,
  { hasBegun, reason, mistake }: Failure,
): Error {
  if (mistake) return mistake;
  const mayHaveArrived = results.some(canHaveArrived);
  const found = hasBegun ? "an incomplete response" : "no response";
  const message = `${requestLine} got ${found}${reason === null ? "" : `: ${reason}`}`;
  const hint = mayHaveArrived
    ? request.lostHint
    : requestLine.includes("//platform.test/")
    ? "A fake platform is not on the network: pass its fetch too, as in ...fake"
    : "The platform did not receive it: check the network and platform.apiUrl, then try again";
  const isTemporary = !(mayHaveArrived && request.usesUpCode);
  return new NetworkError(message, { hint, mayHaveArrived, isTemporary });
}

/** Returns false only if the request certainly did not reach Discord. */
function canHaveArrived(result: Result): boolean {
  return !(result.kind === "failure" && neverConnected(result.reason));
}

/** Creates the error for an unsuccessful response. It has Discord's message, without the secrets of the request. */
export function responseError(call: Call, response: HttpResponse): GuildpassError {
  const { request, requestLine } = call;
  const { status, json, refusal } = response;
  const redact = createRedactor(secretsOf(request));
  const body = Object(json) as Readonly<Record<string, unknown>>;
  const textIn = (name: string): string | null => {
    const value = body[name];
    return typeof value === "string" ? redact(value) : null;
  };

  const blockedByEdge = refusal?.isBlock === true;
  const retry = {
    // The class decides about any other request.
    isTemporary: request.usesUpCode && !refusal ? false : undefined,
    retryAfter: nextStepAfter(call, response).seconds,
  };
  const oauthError = textIn("error");
  if (request.form && oauthError !== null && status !== 429) {
    const description = textIn("error_description");
    const error = request.oauthErrorOf?.(oauthError, description ?? "") ?? oauthError;
    const hint = request.oauthHint?.(error, description ?? "");
    return new OAuthError(error, { description, httpStatus: status, hint, ...retry });
  }

  const platformMessage = textIn("message");
  const message = `${requestLine} returned ${status}${
    platformMessage === null ? "" : ` (${platformMessage})`
  }`;
  const details = {
    httpStatus: status,
    platformCode: typeof body.code === "number" && redact(String(body.code)) === String(body.code)
      ? body.code
      : null,
    errors: mapTexts(body.errors, redact),
    blockedByEdge,
    hint: blockedByEdge ? edgeHint : hintFor(status, request),
    ...retry,
  };
  if (refusal && status === 429) {
    const scope = redact(refusal.scope) || null;
    const global = refusal.isGlobal;
    const ofPerson = isTokenOfPerson(request) && !global && !blockedByEdge && scope !== "shared";
    return new RateLimitError(message, { ...details, scope, global, ofPerson });
  }
  return new ApiError(message, details);
}

function hintFor(status: number, { hint }: HttpRequest): string | undefined {
  // A browser hides a redirect behind 0.
  if (status === 0 || (status >= 300 && status < 400)) {
    return "Redirects are not followed: check platform.apiUrl";
  }
  if (status >= 500) return "The platform has a problem; try again later";
  // Other statuses, such as 400 and 408, are not about the token and its scopes.
  return [401, 403, 404].includes(status) ? hint?.(status) : undefined;
}

/** Creates the error for a successful response without JSON. */
export function payloadError(
  { requestLine, options: { maxBytes } }: Call,
  { status, text }: HttpResponse,
): GuildpassError {
  const found = `${requestLine} returned ${status}`;
  if (text === null) return new PayloadTooLargeError(found, { maxBytes });
  const message = `expected JSON, received ${kindOfText(text)}`;
  return new PayloadError(found, { issues: [{ path: "", message }] });
}

function kindOfText(text: string): string {
  if (/^\s*$/.test(text)) return "nothing";
  if (hasTooManyValues(text)) return "too many values";
  return /^\s*</.test(text) ? "HTML" : "something else";
}

/** Returns the error for a value that `fetch` should not have returned; `null` for a usable response. */
export function mistakeIn(call: Call, response: unknown): NetworkError | null {
  const found = "returned a value without a usable";
  try {
    const { status, headers, body, text } = Object(response);
    if (!Number.isInteger(Number(status))) return mistakeOf(call, `${found} status`, response);
    if (typeof headers?.get !== "function") return mistakeOf(call, `${found} headers`, response);
    const hasBody = typeof text === "function" || typeof body?.getReader === "function";
    return hasBody ? null : mistakeOf(call, `${found} body`, response);
  } catch (error) {
    return mistakeOf(call, `${found} status, headers or body`, error);
  }
}

/** Creates the error for a mistake of `fetch`. Its cause has the name and the message of the thrown error, without secrets. */
export function mistakeOf(
  { request, requestLine }: Call,
  found: string,
  thrown: unknown,
  mayHaveArrived = true,
): NetworkError {
  return new NetworkError(
    `${requestLine} got no response: the option fetch ${found}`,
    {
      hint: "fetch must take (url, init) and return a promise of a Response",
      cause: causeOf(thrown, createRedactor(secretsOf(request))),
      mayHaveArrived,
      isTemporary: false,
    },
  );
}

/** Copies an error. Reading its properties may throw. */
function causeOf(thrown: unknown, redact: (text: string) => string): Error | undefined {
  try {
    if (!(thrown instanceof Error)) return undefined;
    const cause = new Error(redact(String(thrown.message)));
    cause.name = redact(String(thrown.name));
    return cause;
  } catch {
    return undefined;
  }
}

/** The maximum length of a chain of causes. The chain may be circular. */
const maxCauses = 9;

const reasons = [
  [/conn(ection )?refused/i, "connection refused"],
  [/conn(ection )?(reset|closed|lost)|side closed/i, "connection lost"],
  [/ENOTFOUND|EAI_AGAIN|dns error/, "host not found"],
  [/certificate|self.signed/i, "certificate not trusted"],
  [/WRONG_VERSION_NUMBER|InvalidContentType|server speak TLS/, "the server does not speak TLS"],
  [
    /HPE_|HTTP_?Response\b|HEADERS_OVERFLOW|HeadersTooLarge|message head is too large/,
    "the response is not valid HTTP",
  ],
  [
    /invalid (HTTP|content-length)|match the HTTP|InvalidContentLength|CONTENT_LENGTH_MISMATCH/,
    "the response is not valid HTTP",
  ],
  [
    /Z_DATA_ERROR|ZlibError|Invalid gzip|CRC computed|brotli error|Decompression/,
    "broken compression",
  ],
] as const;

/**
 * Returns the reason for an error of `fetch`, or `null` if it is not known. The text is from the list above, since
 * the error may hold anything.
 *
 * In the chain of causes, Node and Bun state the reason as a code, and Deno and workerd in the message. A browser does not state it.
 */
export function failureReason(error: unknown): string | null {
  const texts = textsOf(error);
  return reasons.find(([pattern]) => pattern.test(texts))?.[1] ?? null;
}

/** Returns true if the reason shows that nothing was sent, because no connection was made. */
export function neverConnected(reason: string | null): boolean {
  return reason === "connection refused" || reason === "host not found";
}

/** Returns the codes and messages in the chain of causes, or an empty text if reading them throws. */
function textsOf(error: unknown): string {
  let texts = "";
  let current = error;
  try {
    for (let depth = 0; current && depth < maxCauses; depth++) {
      const { code, message, cause } = current as Record<"code" | "message" | "cause", unknown>;
      texts += `${code} ${message} `;
      current = cause;
    }
  } catch {
    return "";
  }
  return texts;
}
