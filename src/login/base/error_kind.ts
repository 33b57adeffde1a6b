/**
 * The kinds of errors that the built-in pages and the events distinguish.
 *
 * @module
 */

import {
  GuildpassError,
  OAuthError,
  StateMismatchError,
  StoreTimeoutError,
} from "../../core/errors.ts";
import {
  ApiError,
  NetworkError,
  PayloadError,
  RateLimitError,
} from "../../core/response_errors.ts";
import { IdTokenError } from "../../core/signature_errors.ts";
import { LoginError, type LoginErrorReason, type PageCode } from "./login_error.ts";

/** The kinds of errors: the HTTP status of the page, and the code on it if that is not the code of the error. */
const kinds = {
  refused_consent: { status: 403, code: "access_denied" },
  unknown_login: { status: 400 },
  ended_login: { status: 400 },
  bad_callback: { status: 400, code: "invalid_request" },
  cross_site: { status: 403 },
  wrong_address: { status: 500 },
  lost_callback: { status: 500 },
  refused_token: { status: 403 },
  not_a_member: { status: 403 },
  other_person: { status: 403 },
  blocked: { status: 503 },
  limit_of_person: { status: 429 },
  too_many_failures: { status: 429 },
  limit: { status: 503 },
  slow_store: { status: 503 },
  no_response: { status: 502 },
  unverified: { status: 403 },
  refused: { status: 403 },
  wrong_token: { status: 500 },
  other: { status: 500 },
} as const;

/** A kind of errors. */
export type ErrorKind = keyof typeof kinds;

const kindsOfReasons: Readonly<Record<LoginErrorReason, ErrorKind>> = {
  insecure_site: "wrong_address",
  other_origin: "wrong_address",
  used: "ended_login",
  refused_token: "refused_token",
  other_person: "other_person",
  lost_callback: "lost_callback",
  other_login: "other",
  too_many_failures: "too_many_failures",
  cross_site: "cross_site",
  not_a_member: "not_a_member",
  no_session: "other",
};

/**
 * The errors of the application or Discord in a callback. Visitors rarely write such an error into a URL themselves. These errors are
 * logged, because only the developer can fix them.
 */
const platformErrors: readonly string[] = [
  "unauthorized_client",
  "unsupported_response_type",
  "invalid_scope",
  "server_error",
  "temporarily_unavailable",
  "interaction_required",
  "login_required",
  "consent_required",
  "account_selection_required",
];

/** Returns the kind of an error. */
export function errorKindOf(error: unknown): ErrorKind {
  if (error instanceof LoginError) return kindsOfReasons[error.reason];
  // OAuthError has one code for all refusals of Discord.
  if (isRefusedConsent(error)) return "refused_consent";
  if (error instanceof StateMismatchError) return "unknown_login";
  if (hasError(error, "invalid_grant")) return "ended_login";
  if (isBadCallback(error)) return "bad_callback";
  if (error instanceof ApiError && error.blockedByEdge) return "blocked";
  if (error instanceof RateLimitError) return error.ofPerson ? "limit_of_person" : "limit";
  if (error instanceof StoreTimeoutError) return "slow_store";
  const httpStatus = error instanceof ApiError ? error.httpStatus : 0;
  const isOutage = httpStatus >= 500 || hasError(error, "server_error");
  if (error instanceof NetworkError || error instanceof PayloadError || isOutage) {
    return "no_response";
  }
  if (hasError(error, "temporarily_unavailable")) return "limit";
  if (error instanceof IdTokenError || httpStatus === 401) return "wrong_token";
  if (httpStatus < 400) return "other";
  return error instanceof ApiError && error.platformCode === 40002 ? "unverified" : "refused";
}

/** Returns the HTTP status and the error code of the page that shows an error. */
export function pageSummary(error: unknown): { readonly status: number; readonly code: PageCode } {
  const kind = kinds[errorKindOf(error)];
  if ("code" in kind) return kind;
  const code = error instanceof GuildpassError ? error.code : "internal_error";
  return { status: kind.status, code };
}

/** The reasons of the errors that visitors cause. */
const visitorReasons: readonly LoginErrorReason[] = [
  "used",
  "cross_site",
  "not_a_member",
  "other_person",
  "too_many_failures",
];

/** Returns true for an error of the application or Discord, and false for an error of the visitor. */
export function isWorthLogging(error: unknown): boolean {
  if (error instanceof LoginError) return !visitorReasons.includes(error.reason);
  return !(error instanceof StateMismatchError || isRefusedConsent(error) || isBadCallback(error));
}

/** Returns true for the error of a callback that Discord did not send: one without a code, with two codes, or with a made-up error. */
export function isBadCallback(error: unknown): boolean {
  return error instanceof OAuthError && error.httpStatus === null && !isRefusedConsent(error) &&
    !platformErrors.includes(error.error);
}

/** Returns true for the error of a consent or a renewal whose session belongs to another person, or has ended. */
export function isOtherPerson(error: unknown): boolean {
  return error instanceof LoginError && error.reason === "other_person";
}

function isRefusedConsent(error: unknown): boolean {
  return hasError(error, "access_denied");
}

function hasError(error: unknown, code: string): boolean {
  return error instanceof OAuthError && error.error === code;
}
