/**
 * Everything this library throws, apart from the `TypeError` and `RangeError` of a wrong argument.
 *
 * No message, stack, property or cause of these errors holds a client secret, a code, a PKCE verifier or a token.
 * That is why none of them has a `cause`: the errors underneath hold the request, with its headers and its form.
 * What the platform or a link says is shown on one line of at most 1,000 characters, so that it is safe to log.
 *
 * @module
 */

import { cleanText, mapTexts } from "./safe_text.ts";

/** What went wrong, for a `switch`; each class has its own. */
export type ErrorCode =
  | "oauth_error"
  | "missing_scope"
  | "login_required"
  | "state_mismatch"
  | "login_failed"
  | "api_error"
  | "rate_limited"
  | "invalid_payload"
  | "payload_too_large"
  | "network_error"
  | "timeout"
  | "store_timeout"
  | "invalid_id_token"
  | "invalid_signature";

/** The base of every error of this library. */
export class GuildpassError extends Error {
  /** The name of the class, written out so that it survives a minifier. */
  override get name(): string {
    return "GuildpassError";
  }
  /** What went wrong. */
  readonly code: ErrorCode;
  /** What to do about it. It is a property only where that is known, so that a printed error shows no empty hint. */
  declare readonly hint?: string;

  /** Takes a message: what could not be done, then what was found. */
  constructor(code: ErrorCode, message: string, hint?: string) {
    super(cleanText(message));
    this.code = code;
    if (hint !== undefined) this.hint = cleanText(hint);
    // Bun puts the name at the head of the stack only when it is a plain property.
    Object.defineProperty(this, "name", { value: this.name });
  }
}

/** What an OAuth endpoint or a callback said. */
export interface OAuthErrorDetails {
  /** The `error_description`, for developers. */
  readonly description?: string | null | undefined;
  /** The HTTP status, when the error was an HTTP answer. */
  readonly httpStatus?: number | null | undefined;
  /** What to do about it, where more is known than the error code says. */
  readonly hint?: string | undefined;
}

/**
 * The platform refused a step of the login, in the words of OAuth 2.0.
 *
 * Thrown by `parseCallback` on a redirect such as
 *
 * ```http
 * GET /callback?error=access_denied&error_description=The+resource+owner+denied+the+request&state=…
 * ```
 *
 * and by `PlatformApi.accessToken` on an answer such as
 *
 * ```http
 * HTTP/1.1 400 Bad Request
 * Content-Type: application/json
 *
 * {"error": "invalid_grant", "error_description": "Invalid \"code\" in request."}
 * ```
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 | RFC 6749 sections 4.1.2.1} and
 * {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2 | 5.2}
 */
export class OAuthError extends GuildpassError {
  /** `"OAuthError"`. */
  override get name(): string {
    return "OAuthError";
  }
  /** The error code of the specification, for example `invalid_grant` or `access_denied`. */
  readonly error: string;
  /** The `error_description`, or `null`. */
  readonly description: string | null;
  /** The HTTP status of the answer, or `null` for an error in a callback. */
  readonly httpStatus: number | null;

  /** Takes the error code of the specification, and what else was said. */
  constructor(error: string, details: OAuthErrorDetails = {}) {
    const { description = null, httpStatus = null, hint } = details;
    const said = description ? `${error} (${description})` : error;
    super("oauth_error", `The authorization failed: ${said}`, hint);
    this.error = cleanText(error);
    this.description = description === null ? null : cleanText(description);
    this.httpStatus = httpStatus;
  }
}

/**
 * Why a callback does not belong to the login:
 *
 * - `"no_expected_state"`: nothing was expected, so the cookie, or wherever the state was kept, is gone;
 * - `"no_state"`: the callback has no state;
 * - `"different"`: it has another one;
 * - `"no_issuer"`: the callback does not say which server it comes from, and one was expected;
 * - `"different_issuer"`: it comes from another server.
 */
export type StateMismatchReason =
  | "no_expected_state"
  | "no_state"
  | "different"
  | "no_issuer"
  | "different_issuer";

/**
 * The callback does not belong to the login that it was compared with: its state, or the server that it comes from, is missing
 * or another one.
 */
export class StateMismatchError extends GuildpassError {
  /** `"StateMismatchError"`. */
  override get name(): string {
    return "StateMismatchError";
  }
  /** What is missing or differs. */
  readonly reason: StateMismatchReason;

  /** Takes the reason, but neither state, so that no log can show one. */
  constructor(reason: StateMismatchReason, message: string, hint?: string) {
    super("state_mismatch", message, hint);
    this.reason = reason;
  }
}

/** What a call needs and a token has. */
export interface MissingScopeDetails {
  /** The scopes that the call needs. */
  readonly needed: readonly string[];
  /** The scopes that the token has. */
  readonly granted: readonly string[];
}

/** A call needs a scope that the token is known not to have. Thrown before a request is sent. */
export class MissingScopeError extends GuildpassError {
  /** `"MissingScopeError"`. */
  override get name(): string {
    return "MissingScopeError";
  }
  /** The scopes that the call needs. */
  readonly needed: readonly string[];
  /** The scopes that the token has. */
  readonly granted: readonly string[];

  /** Takes the name of the call, and the scopes. */
  constructor(call: string, { needed, granted }: MissingScopeDetails) {
    const missing = needed.filter((scope) => !granted.includes(scope)).join(" ");
    super(
      "missing_scope",
      `${call} needs the scope ${needed.join(" ")}, and the token has ${
        granted.join(" ") || "none"
      }`,
      `Add ${missing} to the scopes of AuthUrl and PlatformApi, and start a new login`,
    );
    this.needed = Object.freeze([...needed]);
    this.granted = Object.freeze(granted.map(cleanText));
  }
}

/**
 * Why the person must log in again:
 *
 * - `"no_token"`: the store has no token of this person;
 * - `"no_refresh_token"`: the token does not work any more, and came without a refresh token;
 * - `"refused"`: the token does not work any more, and the platform has refused to refresh it.
 */
export type LoginRequiredReason = "no_token" | "no_refresh_token" | "refused";

/**
 * There is no token that works, and none can be had without the person: start a new login. {@link LoginRequiredReason} has each
 * `reason`.
 */
export class LoginRequiredError extends GuildpassError {
  /** `"LoginRequiredError"`. */
  override get name(): string {
    return "LoginRequiredError";
  }
  /** What is missing, or that the platform has refused. */
  readonly reason: LoginRequiredReason;

  /** Takes the reason. */
  constructor(reason: LoginRequiredReason, message: string, hint?: string) {
    super("login_required", message, hint);
    this.reason = reason;
  }
}

/** What the API said. */
export interface ApiErrorDetails {
  /** The HTTP status; `0` where a browser hides it. */
  readonly httpStatus: number;
  /** The platform's own error code, for example `10004`. */
  readonly platformCode?: number | null | undefined;
  /** The platform's errors for single fields, as it sent them. */
  readonly errors?: unknown;
}

/**
 * The API answered with something other than success:
 *
 * ```http
 * HTTP/1.1 404 Not Found
 * Content-Type: application/json
 *
 * {"message": "Unknown Guild", "code": 10004}
 * ```
 *
 * After a 401, later calls of the same `User` fail with it, too: they are not sent, as the message says then.
 *
 * @see {@link https://docs.discord.com/developers/reference#error-messages | Error messages in the platform's documentation}
 */
export class ApiError extends GuildpassError {
  /** `"ApiError"`. */
  override get name(): string {
    return "ApiError";
  }
  /** The HTTP status; `0` for a redirect in a browser, which hides it. */
  readonly httpStatus: number;
  /** The platform's own error code, or `null` when the answer had none. */
  readonly platformCode: number | null;
  /**
   * The platform's errors for single fields, or `null`: as it sent them, but each text cleaned as `message` is, and of a
   * very large or deep answer only the beginning.
   */
  readonly errors: unknown;

  /** Takes a message: what could not be done, then what was found. */
  constructor(
    message: string,
    { httpStatus, platformCode = null, errors = null }: ApiErrorDetails,
    hint?: string,
    code: ErrorCode = "api_error",
  ) {
    super(code, message, hint);
    this.httpStatus = httpStatus;
    this.platformCode = platformCode;
    this.errors = mapTexts(errors, cleanText);
  }
}

/** What a rate limit said. */
export interface RateLimitDetails extends ApiErrorDetails {
  /** Seconds to wait, or `null` when the answer did not say. */
  readonly retryAfter: number | null;
  /** What is limited: `user`, `global` or `shared`. */
  readonly scope?: string | null | undefined;
  /** Whether the limit is for everything the application does. */
  readonly global?: boolean | undefined;
}

/**
 * There were too many requests, and there is no time to wait: a read waits and is repeated within `timeout`, twice at the
 * most unless the limit is one that others use up, too.
 *
 * The platform refused the request with 429; or its limit is known to be used up, and the request was not sent, as the
 * message says then. A request that changes something, and a token request, is not repeated after 429.
 *
 * ```http
 * HTTP/1.1 429 Too Many Requests
 * Retry-After: 65
 * X-RateLimit-Scope: user
 *
 * {"message": "You are being rate limited.", "retry_after": 64.57, "global": false}
 * ```
 *
 * @see {@link https://docs.discord.com/developers/topics/rate-limits | Rate limits in the platform's documentation}
 */
export class RateLimitError extends ApiError {
  /** `"RateLimitError"`. */
  override get name(): string {
    return "RateLimitError";
  }
  /** Seconds to wait before the next request, with decimals, or `null` when the answer did not say. */
  readonly retryAfter: number | null;
  /** What is limited: `user`, `global` or `shared`; `null` when the answer did not say. */
  readonly scope: string | null;
  /** Whether the limit is for everything the application does. */
  readonly global: boolean;

  /** Takes a message: what could not be done, then what was found. How long to wait is added to the hint. */
  constructor(message: string, details: RateLimitDetails, hint?: string) {
    const wait = details.retryAfter === null
      ? "Wait before the next request"
      : `Wait ${details.retryAfter} s before the next request`;
    super(message, details, hint === undefined ? wait : `${hint}. ${wait}`, "rate_limited");
    this.retryAfter = details.retryAfter;
    this.scope = details.scope == null ? null : cleanText(details.scope);
    this.global = details.global ?? false;
  }
}

/** One place where an answer breaks the contract. */
export interface PayloadIssue {
  /** Where, as in `roles.3.name`; empty for the answer as a whole. */
  readonly path: string;
  /** What was expected and what kind of thing was found, never the thing itself. */
  readonly message: string;
}

/** The platform answered with success, but not with what it documents: HTML, cut JSON, a field of another type. */
export class PayloadError extends GuildpassError {
  /** `"PayloadError"`. */
  override get name(): string {
    return "PayloadError";
  }
  /** The places that are wrong: up to 100, and of a very large answer only the first. */
  readonly issues: readonly PayloadIssue[];

  /** Takes a message, what could not be done, to which the issues are added. */
  constructor(
    message: string,
    issues: readonly PayloadIssue[],
    hint?: string,
    code: ErrorCode = "invalid_payload",
  ) {
    const told = issues.map(({ path, message }) => path ? `${path}: ${message}` : message);
    super(code, `${message}: ${told.join("; ")}`, hint);
    const cleaned = issues.map(({ path, message }) =>
      Object.freeze({ path: cleanText(path), message: cleanText(message) })
    );
    this.issues = Object.freeze(cleaned);
  }
}

/** The platform answered with success, and with a body of more than `maxBytes`, which was not read any further. */
export class PayloadTooLargeError extends PayloadError {
  /** `"PayloadTooLargeError"`. */
  override get name(): string {
    return "PayloadTooLargeError";
  }
  /** How many bytes the body was allowed to have. */
  readonly limit: number;

  /** Takes a message, what could not be done, and how many bytes were allowed. */
  constructor(message: string, limit: number) {
    const issue = { path: "", message: `expected at most ${limit} bytes, received more` };
    const hint = "Raise the maxBytes option, if answers of this size are expected";
    super(message, [issue], hint, "payload_too_large");
    this.limit = limit;
  }
}

/** What is known of a request without an answer. */
export interface NetworkErrorDetails {
  /** Whether the platform may have received it. @default {true} */
  readonly mayHaveArrived?: boolean | undefined;
}

/** No whole answer came: the platform was not reached, or the connection broke. */
export class NetworkError extends GuildpassError {
  /** `"NetworkError"`. */
  override get name(): string {
    return "NetworkError";
  }
  /**
   * Whether the platform may have received the request. It is `false` only where no connection was made, since the host was not
   * found or refused it: then nothing has happened there, and a code or refresh token still works.
   */
  readonly mayHaveArrived: boolean;

  /** Takes a message: what could not be done, then what was found. */
  constructor(
    message: string,
    hint?: string,
    code: ErrorCode = "network_error",
    { mayHaveArrived = true }: NetworkErrorDetails = {},
  ) {
    super(code, message, hint);
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** No whole answer came within `timeout`. */
export class TimeoutError extends NetworkError {
  /** `"TimeoutError"`. */
  override get name(): string {
    return "TimeoutError";
  }

  /** Takes a message: what could not be done, then what was found. */
  constructor(message: string, hint?: string) {
    super(message, hint, "timeout");
  }
}

/**
 * The application's store did not answer in time. It is not known whether what was being saved or removed is, or will be once the
 * store goes on.
 */
export class StoreTimeoutError extends GuildpassError {
  /** `"StoreTimeoutError"`. */
  override get name(): string {
    return "StoreTimeoutError";
  }

  /** Takes what the store did not do, as in "load a value", and how long it had, in milliseconds. */
  constructor(message: string, hint?: string) {
    super("store_timeout", message, hint);
  }
}

/**
 * Why an `id_token` was refused:
 *
 * - `"missing"`: there is none;
 * - `"malformed"`: it is not a signed JWT;
 * - `"algorithm"`: it is not signed with RS256;
 * - `"unknown_key"`: it is signed with a key that the platform does not have;
 * - `"signature"`: its signature is not the platform's;
 * - `"claim"`: it says something else than it must, or too little.
 */
export type IdTokenErrorReason =
  | "missing"
  | "malformed"
  | "algorithm"
  | "unknown_key"
  | "signature"
  | "claim";

/** An `id_token` is forged, has expired, or is not for this application or this login. It is never shown. */
export class IdTokenError extends GuildpassError {
  /** `"IdTokenError"`. */
  override get name(): string {
    return "IdTokenError";
  }
  /** What is wrong. */
  readonly reason: IdTokenErrorReason;
  /** The claim that is wrong, for example `nonce`; `null` when the token as a whole is. */
  readonly claim: string | null;

  /** Takes the reason and, when that is a claim, its name; but nothing of the token. */
  constructor(
    reason: IdTokenErrorReason,
    message: string,
    hint?: string,
    claim: string | null = null,
  ) {
    super("invalid_id_token", message, hint);
    this.reason = reason;
    this.claim = claim;
  }
}

/**
 * Why a webhook event was refused:
 *
 * - `"missing"`: it has no signature, or no time;
 * - `"wrong"`: the signature is not the platform's;
 * - `"stale"`: it was signed too long ago, or in the future;
 * - `"too_large"`: it is longer than any event;
 * - `"incomplete"`: it broke off.
 */
export type WebhookSignatureErrorReason =
  | "missing"
  | "wrong"
  | "stale"
  | "too_large"
  | "incomplete";

/** A request is no event that the platform has sent just now. Answer it with 401: the platform sends wrong ones as a test. */
export class WebhookSignatureError extends GuildpassError {
  /** `"WebhookSignatureError"`. */
  override get name(): string {
    return "WebhookSignatureError";
  }
  /** Why it was refused. */
  readonly reason: WebhookSignatureErrorReason;

  /** Takes the reason, and nothing of the request. */
  constructor(reason: WebhookSignatureErrorReason, message: string, hint?: string) {
    super("invalid_signature", message, hint);
    this.reason = reason;
  }
}
