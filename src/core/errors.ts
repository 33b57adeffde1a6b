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

/** The options that every error of this library has. */
export interface GuildpassErrorOptions {
  /** The advice for the developer. */
  readonly hint?: string | undefined;
  /** True if the same call may succeed later. @default {decided by the class} */
  readonly isTemporary?: boolean | undefined;
  /** The seconds to wait before another try, or `null` if they are not known. Ignored unless the error is temporary. */
  readonly retryAfter?: number | null | undefined;
}

/** The base class of every error of this library. */
export class GuildpassError extends Error {
  /** The name of the class, as a text that a minifier keeps. */
  protected static readonly errorName: string = "GuildpassError";
  /** The kind of the error. */
  readonly code: ErrorCode;
  /** The advice for the developer. An error without advice does not have the property, so that it prints no empty hint. */
  declare readonly hint?: string;
  /** The name of the class. V8 reads it for the head of the stack while it creates the error. */
  override get name(): string {
    return (this.constructor as typeof GuildpassError).errorName;
  }
  /**
   * True if the same call may succeed later with nothing changed: the platform is busy, in trouble or out of reach, or the store
   * is slow. False for any other error, which does not print it, and for a lost response after which a code may be used up.
   */
  get isTemporary(): boolean {
    return false;
  }
  /** The seconds to wait before another try, with decimals, at most a day; `null` if they are not known. Then it is not printed. */
  get retryAfter(): number | null {
    return null;
  }

  /**
   * Creates an error.
   *
   * @param message The message. It is cut to one line of 1,000 characters.
   * @param options The kind of the error, the advice and the chance of another try. `isTemporary` is `false` by default.
   */
  constructor(message: string, options: GuildpassErrorOptions & { readonly code: ErrorCode }) {
    const { code, hint, isTemporary = false, retryAfter = null } = options;
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

/**
 * The platform refused a step of the login with an error of OAuth 2.0.
 *
 * Thrown by `parseCallback` on a redirect such as
 *
 * ```http
 * GET /callback?error=access_denied&error_description=The+resource+owner+denied+the+request&state=…
 * ```
 *
 * and by `PlatformApi.accessToken` on a response such as
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
  /** The name of the class. */
  protected static override readonly errorName: string = "OAuthError";
  /** The error code of the specification, for example `invalid_grant` or `access_denied`. */
  readonly error: string;
  /** The `error_description`, or `null`. */
  readonly description: string | null;
  /** The HTTP status of the response, or `null` for an error in a callback. */
  readonly httpStatus: number | null;

  /**
   * Creates an error.
   *
   * @param error The error code of the specification. It is part of the message.
   * @param options The response of the platform, and the advice. `isTemporary` is `true` by default for a `server_error`, for
   * `temporarily_unavailable` and for a status such as 503.
   */
  constructor(
    error: string,
    options: GuildpassErrorOptions & {
      /** The `error_description`, for developers. */
      readonly description?: string | null | undefined;
      /** The HTTP status, if the error came in an HTTP response. */
      readonly httpStatus?: number | null | undefined;
    } = {},
  ) {
    const { description = null, httpStatus = null, hint, retryAfter } = options;
    const said = description ? `${error} (${description})` : error;
    const isTemporary = options.isTemporary ??
      (/^(server_error|temporarily_unavailable)$/.test(error) ||
        isTemporaryStatus(httpStatus ?? 0));
    const message = `The authorization failed: ${said}`;
    super(message, { code: "oauth_error", hint, isTemporary, retryAfter });
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
  /** The name of the class. */
  protected static override readonly errorName: string = "StateMismatchError";
  /** The cause. */
  readonly reason: StateMismatchReason;

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The cause and the advice.
   */
  constructor(
    message: string,
    options: GuildpassErrorOptions & { readonly reason: StateMismatchReason },
  ) {
    super(message, { ...options, code: "state_mismatch" });
    this.reason = options.reason;
  }
}

/** A call needs a scope that the token is known not to have. Thrown before a request is sent. */
export class MissingScopeError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "MissingScopeError";
  /** The scopes that the call needs. */
  readonly needed: readonly string[];
  /** The scopes that the token has. */
  readonly granted: readonly string[];

  /**
   * Creates an error. The message and the advice are made from the scopes.
   *
   * @param call The call, for example `getUserGuilds()`.
   * @param options The needed scopes, and the scopes of the token.
   */
  constructor(
    call: string,
    options: { readonly needed: readonly string[]; readonly granted: readonly string[] },
  ) {
    const { needed, granted } = options;
    const missing = needed.filter((scope) => !granted.includes(scope)).join(" ");
    const found = granted.join(" ") || "none";
    super(`${call} needs the scope ${needed.join(" ")}, and the token has ${found}`, {
      code: "missing_scope",
      hint: `Add ${missing} to the scopes of AuthUrl and PlatformApi, and start a new login`,
    });
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
  /** The name of the class. */
  protected static override readonly errorName: string = "LoginRequiredError";
  /** The cause. */
  readonly reason: LoginRequiredReason;

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The cause and the advice.
   */
  constructor(
    message: string,
    options: GuildpassErrorOptions & { readonly reason: LoginRequiredReason },
  ) {
    super(message, { ...options, code: "login_required" });
    this.reason = options.reason;
  }
}

/**
 * The API returned a failure:
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
  /** The name of the class. */
  protected static override readonly errorName: string = "ApiError";
  /** The HTTP status, or `0` for a redirect in a browser, which hides the status. */
  readonly httpStatus: number;
  /** The platform's own error code, or `null` if the response had none. */
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

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The response of the platform, and the advice. `isTemporary` is `true` by default for a block by the edge and
   * for a status such as 503.
   */
  constructor(
    message: string,
    options: GuildpassErrorOptions & {
      /** The kind of the error, for a class that extends this one. @default {"api_error"} */
      readonly code?: ErrorCode | undefined;
      /** The HTTP status, or `0` if a browser hides it. */
      readonly httpStatus: number;
      /** The platform's own error code, for example `10004`. */
      readonly platformCode?: number | null | undefined;
      /** The platform's errors for single fields, as it sent them. */
      readonly errors?: unknown;
      /** True if the edge in front of the platform refused the request. @default {false} */
      readonly blockedByEdge?: boolean | undefined;
    },
  ) {
    const {
      code = "api_error",
      httpStatus,
      platformCode = null,
      errors = null,
      blockedByEdge = false,
      isTemporary = blockedByEdge || isTemporaryStatus(httpStatus),
      hint,
      retryAfter,
    } = options;
    super(message, { code, hint, isTemporary, retryAfter });
    this.httpStatus = httpStatus;
    this.platformCode = platformCode;
    this.blockedByEdge = blockedByEdge;
    this.errors = mapTexts(errors, cleanText);
  }
}

/**
 * A rate limit is used up: the platform responded with 429, or the request was not sent, since it would have to wait longer
 * than `timeout`. The message says which.
 *
 * A read first waits and is retried within `timeout`: twice at most, unless others use up the limit too. Writes and token requests
 * are not retried.
 *
 * `retryAfter` comes from the response, or else from this library's own wait. It is at most a minute for a block and
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
  /** The name of the class. */
  protected static override readonly errorName: string = "RateLimitError";
  /** The kind of the limit: `user`, `global` or `shared`, or `null` if the response did not say. */
  readonly scope: string | null;
  /** True if the limit is for everything that the application does. */
  readonly global: boolean;
  /** True if the limit is that of one person's token, so that requests for other people can still be sent. */
  readonly ofPerson: boolean;

  /**
   * Creates an error. The time to wait is added to the advice.
   *
   * @param message The message.
   * @param options The response of the platform, with the kind of the limit, and the advice.
   */
  constructor(
    message: string,
    options: ConstructorParameters<typeof ApiError>[1] & {
      /** The seconds to wait, or `null` if they are not known. */
      readonly retryAfter: number | null;
      /** The kind of the limit: `user`, `global` or `shared`. */
      readonly scope?: string | null | undefined;
      /** True if the limit is for everything that the application does. @default {false} */
      readonly global?: boolean | undefined;
      /** True if the limit is that of one person's token. @default {false} */
      readonly ofPerson?: boolean | undefined;
    },
  ) {
    const { retryAfter, scope, global = false, ofPerson = false } = options;
    const wait = retryAfter === null
      ? "Wait before the next request"
      : `Wait ${Math.ceil(retryAfter)} s before the next request`;
    const hint = options.hint === undefined ? wait : `${options.hint}. ${wait}`;
    super(message, { ...options, code: "rate_limited", hint });
    this.scope = scope == null ? null : cleanText(scope);
    this.global = global;
    this.ofPerson = ofPerson;
  }
}

/** A place in a response that breaks the contract. */
export interface PayloadIssue {
  /** The path, as in `roles.3.name`. It is empty for the response as a whole. */
  readonly path: string;
  /** The expected value and the type of the found one, never the value itself. */
  readonly message: string;
}

/** The platform reported success, but its response differs from the documentation: HTML, truncated JSON, a field of another type. */
export class PayloadError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "PayloadError";
  /** The wrong places, at most 100. Only the first place of a very large response is listed. */
  readonly issues: readonly PayloadIssue[];

  /**
   * Creates an error. The wrong places are added to the message.
   *
   * @param message The beginning of the message.
   * @param options The wrong places and the advice.
   */
  constructor(
    message: string,
    options: GuildpassErrorOptions & {
      /** The kind of the error, for a class that extends this one. @default {"invalid_payload"} */
      readonly code?: ErrorCode | undefined;
      /** The wrong places. */
      readonly issues: readonly PayloadIssue[];
    },
  ) {
    const { code = "invalid_payload", issues } = options;
    const texts = issues.map(({ path, message }) => path ? `${path}: ${message}` : message);
    super(`${message}: ${texts.join("; ")}`, { ...options, code });
    const cleaned = issues.map(({ path, message }) =>
      Object.freeze({ path: cleanText(path), message: cleanText(message) })
    );
    this.issues = Object.freeze(cleaned);
  }
}

/** The platform reported success, but the body has more than `maxBytes`. The rest of the body was not read. */
export class PayloadTooLargeError extends PayloadError {
  /** The name of the class. */
  protected static override readonly errorName: string = "PayloadTooLargeError";
  /** The largest allowed number of bytes. */
  readonly maxBytes: number;

  /**
   * Creates an error.
   *
   * @param message The beginning of the message.
   * @param options The largest allowed number of bytes, and the advice. By default, the advice names the option `maxBytes`.
   */
  constructor(message: string, options: GuildpassErrorOptions & { readonly maxBytes: number }) {
    const { maxBytes, hint = "Raise maxBytes, if responses of this size are expected" } = options;
    const issue = { path: "", message: `expected at most ${maxBytes} bytes, received more` };
    super(message, { ...options, code: "payload_too_large", hint, issues: [issue] });
    this.maxBytes = maxBytes;
  }
}

/** No complete response arrived: the platform was not reached, or the connection broke. */
export class NetworkError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "NetworkError";
  /**
   * True if the platform may have received the request. It is `false` only if no connection was made, since the host was not found
   * or refused it. In that case, nothing happened on the platform, and a code or refresh token still works.
   */
  readonly mayHaveArrived: boolean;

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The advice, and the chance of another try. `isTemporary` is `true` by default.
   */
  constructor(
    message: string,
    options: GuildpassErrorOptions & {
      /** The kind of the error, for a class that extends this one. @default {"network_error"} */
      readonly code?: ErrorCode | undefined;
      /** True if the platform may have received the request. @default {true} */
      readonly mayHaveArrived?: boolean | undefined;
    } = {},
  ) {
    const { code = "network_error", mayHaveArrived = true, isTemporary = true } = options;
    super(message, { ...options, code, isTemporary });
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** No complete response arrived within `timeout`. */
export class TimeoutError extends NetworkError {
  /** The name of the class. */
  protected static override readonly errorName: string = "TimeoutError";

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The advice, and the chance of another try. `isTemporary` is `true` by default.
   */
  constructor(message: string, options: ConstructorParameters<typeof NetworkError>[1] = {}) {
    super(message, { ...options, code: "timeout" });
  }
}

/**
 * The application's store did not respond in time. The value may have been saved or removed, or will be when the store continues.
 */
export class StoreTimeoutError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "StoreTimeoutError";

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The advice, and the chance of another try. `isTemporary` is `true` by default.
   */
  constructor(message: string, options: GuildpassErrorOptions = {}) {
    const { isTemporary = true } = options;
    super(message, { ...options, code: "store_timeout", isTemporary });
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
  /** The name of the class. */
  protected static override readonly errorName: string = "IdTokenError";
  /** The cause. */
  readonly reason: IdTokenErrorReason;
  /** The wrong claim, for example `nonce`, or `null` if the token as a whole is wrong. */
  readonly claim: string | null;

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The cause, the wrong claim if there is one, and the advice.
   */
  constructor(
    message: string,
    options: GuildpassErrorOptions & {
      readonly reason: IdTokenErrorReason;
      readonly claim?: string | null | undefined;
    },
  ) {
    super(message, { ...options, code: "invalid_id_token" });
    this.reason = options.reason;
    this.claim = options.claim ?? null;
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
 * A webhook event has no valid signature, or is too old, too long or incomplete. Respond with 401: the platform sends wrong
 * signatures as a test.
 */
export class WebhookSignatureError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "WebhookSignatureError";
  /** The cause. */
  readonly reason: WebhookSignatureErrorReason;

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The cause and the advice.
   */
  constructor(
    message: string,
    options: GuildpassErrorOptions & { readonly reason: WebhookSignatureErrorReason },
  ) {
    super(message, { ...options, code: "invalid_signature" });
    this.reason = options.reason;
  }
}
