/**
 * The errors of this library. A wrong argument throws a `TypeError` or a `RangeError` instead.
 *
 * No message, stack or property of these errors holds a client secret, a code, a PKCE verifier or a token. They have no `cause`,
 * since the errors underneath hold the request with its headers and its form. Text from the platform or a link is on one line of
 * at most 1,000 characters, so it is safe to log. A text that a visitor can write has at most 200.
 *
 * @module
 */

import { cleanText, mapTexts } from "./safe_text.ts";

/** The kind of an error, for a `switch`. Each class has its own. */
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

/** The chance of another try. */
export interface RetryDetails {
  /** True if the same call may succeed later. @default {decided by the class} */
  readonly isTemporary?: boolean | undefined;
  /** The seconds to wait before another try, or `null` if they are not known. An error that is not temporary has none. */
  readonly retryAfter?: number | null | undefined;
}

/** The base class of every error of this library. */
export class GuildpassError extends Error {
  /** The name of the class, written out so that it survives a minifier. */
  override get name(): string {
    return "GuildpassError";
  }
  /** The kind of the error. */
  readonly code: ErrorCode;
  /** The advice for the developer. An error without advice does not have the property, so that it prints no empty hint. */
  declare readonly hint?: string;
  /**
   * True if the same call may succeed later with nothing changed: the platform is busy, in trouble or out of reach, or the store
   * is slow. False for any other error, which does not print it, and for a lost response that may have used up a code.
   */
  get isTemporary(): boolean {
    return false;
  }
  /** The seconds to wait before another try, with decimals, at most a day; `null` if they are not known. Then it is not printed. */
  get retryAfter(): number | null {
    return null;
  }

  constructor(
    code: ErrorCode,
    message: string,
    hint?: string,
    { isTemporary = false, retryAfter = null }: RetryDetails = {},
  ) {
    super(cleanText(message));
    this.code = code;
    if (hint !== undefined) this.hint = cleanText(hint);
    if (isTemporary) showProperty(this, "isTemporary", true);
    if (isTemporary && retryAfter !== null) showProperty(this, "retryAfter", retryAfter);
    // Bun puts the name at the head of the stack only when it is a plain property.
    Object.defineProperty(this, "name", { value: this.name });
  }
}

/** Sets a property that replaces the getter of the class, so that it is printed. */
function showProperty(error: GuildpassError, name: string, value: unknown): void {
  Object.defineProperty(error, name, { value, enumerable: true });
}

/** Returns true for a status that a later try may not get. */
function isTemporaryStatus(httpStatus: number): boolean {
  return httpStatus === 408 || httpStatus === 429 || httpStatus >= 500;
}

/** The details of an OAuth error. */
export interface OAuthErrorDetails extends RetryDetails {
  /** The `error_description`, for developers. */
  readonly description?: string | null | undefined;
  /** The HTTP status, if the error was an HTTP answer. */
  readonly httpStatus?: number | null | undefined;
  /** The advice for the developer. */
  readonly hint?: string | undefined;
}

/**
 * The platform refused a step of the login with an error of OAuth 2.0.
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

  constructor(error: string, details: OAuthErrorDetails = {}) {
    const { description = null, httpStatus = null, hint, retryAfter } = details;
    const said = description ? `${error} (${description})` : error;
    const isTemporary = details.isTemporary ??
      (/^(server_error|temporarily_unavailable)$/.test(error) ||
        isTemporaryStatus(httpStatus ?? 0));
    super("oauth_error", `The authorization failed: ${said}`, hint, { isTemporary, retryAfter });
    this.error = cleanText(error);
    this.description = description === null ? null : cleanText(description);
    this.httpStatus = httpStatus;
  }
}

/**
 * The reason of a {@link StateMismatchError}:
 *
 * - `"no_expected_state"`: no state was expected, so the cookie or other place that kept the state is empty;
 * - `"no_state"`: the callback has no state;
 * - `"different"`: the callback has another state;
 * - `"no_issuer"`: the callback does not name its server, and a server was expected;
 * - `"different_issuer"`: the callback comes from another server.
 */
export type StateMismatchReason =
  | "no_expected_state"
  | "no_state"
  | "different"
  | "no_issuer"
  | "different_issuer";

/**
 * The callback does not belong to this login: its state or its server is missing or different. No state appears in the error.
 */
export class StateMismatchError extends GuildpassError {
  /** `"StateMismatchError"`. */
  override get name(): string {
    return "StateMismatchError";
  }
  /** The cause. */
  readonly reason: StateMismatchReason;

  constructor(reason: StateMismatchReason, message: string, hint?: string) {
    super("state_mismatch", message, hint);
    this.reason = reason;
  }
}

/** The scopes of a {@link MissingScopeError}. */
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
 * The reason of a {@link LoginRequiredError}:
 *
 * - `"no_token"`: the store has no token of this person;
 * - `"unreadable"`: the store has one that can't be opened: it was sealed with another secret, or is damaged;
 * - `"no_refresh_token"`: the token does not work any more, and came without a refresh token;
 * - `"refused"`: the token does not work any more, and the platform has refused to refresh it.
 */
export type LoginRequiredReason = "no_token" | "unreadable" | "no_refresh_token" | "refused";

/**
 * No token works, and only the person can give a new one: start a new login. {@link LoginRequiredReason} has each
 * `reason`.
 */
export class LoginRequiredError extends GuildpassError {
  /** `"LoginRequiredError"`. */
  override get name(): string {
    return "LoginRequiredError";
  }
  /** The cause. */
  readonly reason: LoginRequiredReason;

  constructor(reason: LoginRequiredReason, message: string, hint?: string) {
    super("login_required", message, hint);
    this.reason = reason;
  }
}

/** The details of an error of the API. */
export interface ApiErrorDetails extends RetryDetails {
  /** The HTTP status, or `0` if a browser hides it. */
  readonly httpStatus: number;
  /** The platform's own error code, for example `10004`. */
  readonly platformCode?: number | null | undefined;
  /** The platform's errors for single fields, as it sent them. */
  readonly errors?: unknown;
  /** True if the edge in front of the platform refused the request. @default {false} */
  readonly blockedByEdge?: boolean | undefined;
}

/**
 * The API answered with a failure:
 *
 * ```http
 * HTTP/1.1 404 Not Found
 * Content-Type: application/json
 *
 * {"message": "Unknown Guild", "code": 10004}
 * ```
 *
 * After a 401, later calls with the same token are not sent for five minutes and fail with the same error. The message says so.
 *
 * @see {@link https://docs.discord.com/developers/reference#error-messages | Error messages in the platform's documentation}
 */
export class ApiError extends GuildpassError {
  /** `"ApiError"`. */
  override get name(): string {
    return "ApiError";
  }
  /** The HTTP status, or `0` for a redirect in a browser, which hides the status. */
  readonly httpStatus: number;
  /** The platform's own error code, or `null` if the answer had none. */
  readonly platformCode: number | null;
  /**
   * The platform's errors for single fields, or `null`. Each text is cleaned as `message` is, and only the beginning of a very
   * large or deep value is kept.
   */
  readonly errors: unknown;
  /**
   * True if the edge in front of the platform refused the request, because it blocks this client or its address. The platform has
   * not seen the request, so a code or refresh token in it still works.
   */
  readonly blockedByEdge: boolean;

  constructor(
    message: string,
    {
      httpStatus,
      platformCode = null,
      errors = null,
      blockedByEdge = false,
      isTemporary = blockedByEdge || isTemporaryStatus(httpStatus),
      retryAfter,
    }: ApiErrorDetails,
    hint?: string,
    code: ErrorCode = "api_error",
  ) {
    super(code, message, hint, { isTemporary, retryAfter });
    this.httpStatus = httpStatus;
    this.platformCode = platformCode;
    this.blockedByEdge = blockedByEdge;
    this.errors = mapTexts(errors, cleanText);
  }
}

/** The details of a rate limit. */
export interface RateLimitDetails extends ApiErrorDetails {
  /** The seconds to wait, or `null` if they are not known. */
  readonly retryAfter: number | null;
  /** The kind of the limit: `user`, `global` or `shared`. */
  readonly scope?: string | null | undefined;
  /** True if the limit is for everything that the application does. */
  readonly global?: boolean | undefined;
  /** True if the limit is that of one person's token. @default {false} */
  readonly ofPerson?: boolean | undefined;
}

/**
 * A rate limit is used up: the platform answered with 429, or the request was not sent, since it would have to wait longer than
 * `timeout`. The message says which.
 *
 * A read first waits and is retried within `timeout`: twice at most, unless others use up the limit too. Writes and token requests
 * are not retried.
 *
 * `retryAfter` is what the response states, or else the time for which this library waits. It is at most a minute for a block and
 * for the limit over all requests, and a day for any other limit.
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
  /** The kind of the limit: `user`, `global` or `shared`, or `null` if the answer did not say. */
  readonly scope: string | null;
  /** True if the limit is for everything that the application does. */
  readonly global: boolean;
  /** True if the limit is that of one person's token, so that requests for other people can still be sent. */
  readonly ofPerson: boolean;

  // The time to wait is added to the hint.
  constructor(message: string, details: RateLimitDetails, hint?: string) {
    const wait = details.retryAfter === null
      ? "Wait before the next request"
      : `Wait ${Math.ceil(details.retryAfter)} s before the next request`;
    super(message, details, hint === undefined ? wait : `${hint}. ${wait}`, "rate_limited");
    this.scope = details.scope == null ? null : cleanText(details.scope);
    this.global = details.global ?? false;
    this.ofPerson = details.ofPerson ?? false;
  }
}

/** One place in an answer that breaks the contract. */
export interface PayloadIssue {
  /** The path, as in `roles.3.name`. It is empty for the answer as a whole. */
  readonly path: string;
  /** The expected value and the type of the found one, never the value itself. */
  readonly message: string;
}

/** The platform answered with success, but the answer differs from the documentation: HTML, truncated JSON, a field of another type. */
export class PayloadError extends GuildpassError {
  /** `"PayloadError"`. */
  override get name(): string {
    return "PayloadError";
  }
  /** The wrong places, at most 100. Only the first place of a very large answer is listed. */
  readonly issues: readonly PayloadIssue[];

  // The issues are added to the message.
  constructor(
    message: string,
    issues: readonly PayloadIssue[],
    hint?: string,
    code: ErrorCode = "invalid_payload",
  ) {
    const texts = issues.map(({ path, message }) => path ? `${path}: ${message}` : message);
    super(code, `${message}: ${texts.join("; ")}`, hint);
    const cleaned = issues.map(({ path, message }) =>
      Object.freeze({ path: cleanText(path), message: cleanText(message) })
    );
    this.issues = Object.freeze(cleaned);
  }
}

/** The platform answered with success, but the body has more than `maxBytes`. The rest of the body was not read. */
export class PayloadTooLargeError extends PayloadError {
  /** `"PayloadTooLargeError"`. */
  override get name(): string {
    return "PayloadTooLargeError";
  }
  /** The largest allowed number of bytes. */
  readonly limit: number;

  constructor(message: string, limit: number) {
    const issue = { path: "", message: `expected at most ${limit} bytes, received more` };
    const hint = "Raise the maxBytes option, if answers of this size are expected";
    super(message, [issue], hint, "payload_too_large");
    this.limit = limit;
  }
}

/** The details of a request without an answer. */
export interface NetworkErrorDetails extends RetryDetails {
  /** True if the platform may have received the request. @default {true} */
  readonly mayHaveArrived?: boolean | undefined;
}

/** No complete answer arrived: the platform was not reached, or the connection broke. */
export class NetworkError extends GuildpassError {
  /** `"NetworkError"`. */
  override get name(): string {
    return "NetworkError";
  }
  /**
   * True if the platform may have received the request. It is `false` only if no connection was made, since the host was not found
   * or refused it. In that case, nothing happened on the platform, and a code or refresh token still works.
   */
  readonly mayHaveArrived: boolean;

  constructor(
    message: string,
    hint?: string,
    code: ErrorCode = "network_error",
    { mayHaveArrived = true, isTemporary = true, retryAfter }: NetworkErrorDetails = {},
  ) {
    super(code, message, hint, { isTemporary, retryAfter });
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** No complete answer arrived within `timeout`. */
export class TimeoutError extends NetworkError {
  /** `"TimeoutError"`. */
  override get name(): string {
    return "TimeoutError";
  }

  constructor(message: string, hint?: string, details?: NetworkErrorDetails) {
    super(message, hint, "timeout", details);
  }
}

/**
 * The application's store did not answer in time. The value may have been saved or removed, or will be when the store continues.
 */
export class StoreTimeoutError extends GuildpassError {
  /** `"StoreTimeoutError"`. */
  override get name(): string {
    return "StoreTimeoutError";
  }

  constructor(message: string, hint?: string) {
    super("store_timeout", message, hint, { isTemporary: true });
  }
}

/**
 * The reason of an {@link IdTokenError}:
 *
 * - `"missing"`: there is no `id_token`;
 * - `"malformed"`: it is not a signed JWT;
 * - `"algorithm"`: it is not signed with RS256;
 * - `"unknown_key"`: it is signed with a key that the platform does not have;
 * - `"signature"`: its signature is not the platform's;
 * - `"claim"`: a claim is wrong or missing.
 */
export type IdTokenErrorReason =
  | "missing"
  | "malformed"
  | "algorithm"
  | "unknown_key"
  | "signature"
  | "claim";

/** An `id_token` is forged, has expired, or is not for this application or this login. The error never shows the token. */
export class IdTokenError extends GuildpassError {
  /** `"IdTokenError"`. */
  override get name(): string {
    return "IdTokenError";
  }
  /** The cause. */
  readonly reason: IdTokenErrorReason;
  /** The wrong claim, for example `nonce`, or `null` if the token as a whole is wrong. */
  readonly claim: string | null;

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
 * The reason of a {@link WebhookSignatureError}:
 *
 * - `"missing"`: the request has no signature or no time;
 * - `"wrong"`: the signature is not the platform's;
 * - `"stale"`: the event was signed too long ago, or in the future;
 * - `"too_large"`: the body is longer than any event;
 * - `"incomplete"`: the body broke off.
 */
export type WebhookSignatureErrorReason =
  | "missing"
  | "wrong"
  | "stale"
  | "too_large"
  | "incomplete";

/**
 * A webhook event has no valid signature, or is too old, too long or incomplete. Answer the request with 401: the platform sends wrong
 * signatures as a test.
 */
export class WebhookSignatureError extends GuildpassError {
  /** `"WebhookSignatureError"`. */
  override get name(): string {
    return "WebhookSignatureError";
  }
  /** The cause. */
  readonly reason: WebhookSignatureErrorReason;

  constructor(reason: WebhookSignatureErrorReason, message: string, hint?: string) {
    super("invalid_signature", message, hint);
    this.reason = reason;
  }
}
