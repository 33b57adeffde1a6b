/**
 * What an answer means that is not a success.
 *
 * @module
 */

import { changeTexts } from "../core/clean.ts";
import { ApiError, type GuildpassError, OAuthError, RateLimitError } from "../core/errors.ts";
import { createRedactor } from "../core/redact.ts";
import type { Answer } from "./attempt.ts";
import { isEdgeBlock } from "./edge.ts";
import { parseJson } from "./json.ts";
import { isGlobalLimit } from "./rate_limit.ts";
import type { HttpRequest } from "./request.ts";
import { retryAfterOf } from "./retry.ts";
import { secretsOf } from "./secrets.ts";

/** The error for an answer that is not a success: with what the platform says, but without the secrets of the request. */
export function refusalOf(
  answer: Answer,
  request: HttpRequest,
  requestLine: string,
): GuildpassError {
  const { status } = answer;
  const redact = createRedactor(secretsOf(request));
  const json = parseJson(answer.text);
  const body = Object(json) as Readonly<Record<string, unknown>>;
  const textIn = (name: string): string | null => {
    const value = body[name];
    return typeof value === "string" ? redact(value) : null;
  };

  const saidError = textIn("error");
  if (request.form && saidError !== null && status !== 429) {
    const description = textIn("error_description");
    const error = request.oauthErrorOf?.(saidError, description ?? "") ?? saidError;
    const hint = request.oauthHint?.(error, description ?? "");
    return new OAuthError(error, { description, httpStatus: status, hint });
  }

  const said = textIn("message");
  const message = `${requestLine} was answered with ${status}${said === null ? "" : ` (${said})`}`;
  const details = {
    httpStatus: status,
    platformCode: typeof body.code === "number" && redact(String(body.code)) === String(body.code)
      ? body.code
      : null,
    errors: changeTexts(body.errors, redact),
  };
  const isByEdge = isEdgeBlock(status, json);
  if (status === 429) {
    const limit = {
      retryAfter: retryAfterOf(answer, json),
      scope: redact(answer.rateLimitScope) || null,
      global: isGlobalLimit(answer, json),
    };
    return new RateLimitError(message, { ...details, ...limit }, isByEdge ? edgeHint : undefined);
  }
  return new ApiError(message, details, isByEdge ? edgeHint : hintFor(status, request));
}

const edgeHint =
  "The edge in front of the platform blocked this client or its IP address, which no scope or token changes: check the " +
  "userAgent option, and whether this address has sent too many requests that were refused";

function hintFor(status: number, { hint }: HttpRequest): string | undefined {
  // A browser hides a redirect behind 0.
  if (status === 0 || (status >= 300 && status < 400)) {
    return "Redirects are not followed: check platform.apiUrl";
  }
  if (status >= 500) return "The platform is in trouble; try again later";
  // Other refusals, such as 400 and 408, say nothing of a token and its scopes.
  return [401, 403, 404].includes(status) ? hint?.(status) : undefined;
}
