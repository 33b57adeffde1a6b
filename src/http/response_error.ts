/**
 * Creates the error for a response that is not a success.
 *
 * @module
 */

import { mapTexts } from "../core/safe_text.ts";
import { ApiError, type GuildpassError, OAuthError, RateLimitError } from "../core/errors.ts";
import { createRedactor } from "../core/redactor.ts";
import type { HttpResponse } from "./attempt.ts";
import { edgeHint } from "./limits/edge.ts";
import { type HttpRequest, isTokenOfPerson } from "./request.ts";
import { secretsOf } from "./secrets.ts";

/** Creates the error for a response. It has the platform's message, without the secrets of the request. */
export function responseError(
  { status, json, limit, retryAfter }: HttpResponse,
  request: HttpRequest,
  requestLine: string,
): GuildpassError {
  const redact = createRedactor(secretsOf(request));
  const body = Object(json) as Readonly<Record<string, unknown>>;
  const textIn = (name: string): string | null => {
    const value = body[name];
    return typeof value === "string" ? redact(value) : null;
  };

  const blockedByEdge = limit?.isBlock === true;
  const retry = {
    // The class decides about any other request.
    isTemporary: request.usesUpCode && !limit ? false : undefined,
    retryAfter: limit?.seconds ?? retryAfter,
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
  if (limit && status === 429) {
    const scope = redact(limit.scope) || null;
    const global = limit.isGlobal;
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
  if (status >= 500) return "The platform is in trouble; try again later";
  // Other statuses, such as 400 and 408, are not about the token and its scopes.
  return [401, 403, 404].includes(status) ? hint?.(status) : undefined;
}
