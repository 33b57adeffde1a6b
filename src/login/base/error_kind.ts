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

/** The name of a kind of errors. */
export type ErrorName =
  | "refused_consent"
  | "unknown_login"
  | "ended_login"
  | "bad_callback"
  | "cross_site"
  | "wrong_address"
  | "lost_callback"
  | "refused_token"
  | "other_person"
  | "blocked"
  | "limit_of_person"
  | "limit"
  | "slow_store"
  | "no_response"
  | "unverified"
  | "refused"
  | "wrong_token"
  | "other";

/** A kind of errors, and the HTTP status of its page. */
export interface ErrorKind {
  readonly name: ErrorName;
  readonly status: number;
  /** Replaces the code of the error. */
  readonly code?: "access_denied" | "invalid_request";
}

/**
 * The errors of the application or the platform in a callback. Visitors rarely write such an error into a URL themselves. These errors are
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
  // OAuthError has one code for all refusals of the platform.
  if (isRefusedConsent(error)) {
    return { name: "refused_consent", status: 403, code: "access_denied" };
  }
  if (error instanceof StateMismatchError) return { name: "unknown_login", status: 400 };
  if (isEndedLogin(error)) return { name: "ended_login", status: 400 };
  if (isBadCallback(error)) return { name: "bad_callback", status: 400, code: "invalid_request" };
  if (isCrossSite(error)) return { name: "cross_site", status: 403 };
  if (hasReason(error, "lost_callback")) return { name: "lost_callback", status: 500 };
  if (hasReason(error, "insecure_site") || hasReason(error, "other_origin")) {
    return { name: "wrong_address", status: 500 };
  }
  if (hasReason(error, "refused_token")) return { name: "refused_token", status: 403 };
  if (isOtherPerson(error)) return { name: "other_person", status: 403 };
  if (error instanceof ApiError && error.blockedByEdge) return { name: "blocked", status: 503 };
  if (error instanceof RateLimitError) {
    return error.ofPerson
      ? { name: "limit_of_person", status: 429 }
      : { name: "limit", status: 503 };
  }
  if (error instanceof StoreTimeoutError) return { name: "slow_store", status: 503 };
  const httpStatus = error instanceof ApiError ? error.httpStatus : 0;
  const isOutage = httpStatus >= 500 || hasError(error, "server_error");
  if (error instanceof NetworkError || error instanceof PayloadError || isOutage) {
    return { name: "no_response", status: 502 };
  }
  if (hasError(error, "temporarily_unavailable")) return { name: "limit", status: 503 };
  const isWrongToken = error instanceof IdTokenError || httpStatus === 401;
  if (isWrongToken || httpStatus < 400) {
    return { name: isWrongToken ? "wrong_token" : "other", status: 500 };
  }
  const isUnverified = error instanceof ApiError && error.platformCode === 40002;
  return { name: isUnverified ? "unverified" : "refused", status: 403 };
}

/** Returns the HTTP status and the error code of the page that shows an error. */
export function pageSummary(
  error: unknown,
): { readonly status: number; readonly code: PageCode } {
  const { status, code } = errorKindOf(error);
  const known = error instanceof GuildpassError ? error : null;
  return { status, code: code ?? known?.code ?? "internal_error" };
}

/** Returns true for an error of the application or the platform, and false for an error of the visitor. */
export function isWorthLogging(error: unknown): boolean {
  return !(error instanceof StateMismatchError || isRefusedConsent(error) ||
    isBadCallback(error) || isUsedCallback(error) || isCrossSite(error) || isOtherPerson(error));
}

/** Returns true for the error of a callback that the platform did not send: one without a code, with two codes, or with a made-up error. */
export function isBadCallback(error: unknown): boolean {
  return error instanceof OAuthError && error.httpStatus === null && !isRefusedConsent(error) &&
    !platformErrors.includes(error.error);
}

/** Returns true for the error of a consent or a renewal whose session belongs to another person, or has ended. */
export function isOtherPerson(error: unknown): boolean {
  return hasReason(error, "other_person");
}

function isRefusedConsent(error: unknown): boolean {
  return hasError(error, "access_denied");
}

function isEndedLogin(error: unknown): boolean {
  return isUsedCallback(error) || hasError(error, "invalid_grant");
}

function hasError(error: unknown, code: string): boolean {
  return error instanceof OAuthError && error.error === code;
}

function isUsedCallback(error: unknown): boolean {
  return hasReason(error, "used");
}

function isCrossSite(error: unknown): boolean {
  return hasReason(error, "cross_site");
}

function hasReason(error: unknown, reason: LoginErrorReason): boolean {
  return error instanceof LoginError && error.reason === reason;
}
