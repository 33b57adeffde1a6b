/**
 * The errors of this library. A wrong argument throws a `TypeError` or a `RangeError` instead.
 *
 * No message, stack or property of these errors holds a client secret, a code, a PKCE verifier or a token. They have no `cause`,
 * since the underlying errors hold the request with its headers and its form. Only the mistake of a custom `fetch` has one: a new error
 * with the redacted name and message. Text from the platform or a link is cut to one line
 * of 1,000 characters, so it is safe to log. Text from a visitor is cut to 200 characters.
 *
 * @module
 */

import { cleanText, mapTexts } from "./safe_text.ts";

/** The kind of an error, for a `switch`. Each class has its own code. */
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
  /** A hint for the developer. */
  readonly hint?: string | undefined;
  /** True if the same call may succeed later. @default {decided by the class} */
  readonly isTemporary?: boolean | undefined;
  /** The seconds to wait before a retry, or `null` if unknown. Ignored unless the error is temporary. */
  readonly retryAfter?: number | null | undefined;
}

/** The base class of every error of this library. */
export class GuildpassError extends Error {
  /** The name of the class. A minifier does not change it. */
  protected static readonly errorName: string = "GuildpassError";
  /** The code of the error, for a `switch`. */
  readonly code: ErrorCode;
  /**
   * A hint for the developer. An error without a hint does not have this property, so a printed error never shows an empty hint.
   */
  declare readonly hint?: string;
  /** The name of the class. V8 reads the name for the first line of the stack while it creates the error. */
  override get name(): string {
    return (this.constructor as typeof GuildpassError).errorName;
  }
  /**
   * True if the same call may succeed later: the platform is busy, failing or not reachable, or the store is slow. False for all
   * other errors, and for a lost response if the code in the request may be used up. A printed error shows only `true`.
   */
  get isTemporary(): boolean {
    return false;
  }
  /** The seconds to wait before a retry, with decimals, at most a day; `null` if unknown. A printed error does not show `null`. */
  get retryAfter(): number | null {
    return null;
  }

  /**
   * Creates an error.
   *
   * @param message The message, which is cut to one line of 1,000 characters.
   * @param options The code, the hint, and the fields about a retry. `isTemporary` is `false` by default.
   */
  constructor(message: string, options: GuildpassErrorOptions & { readonly code: ErrorCode }) {
    const { code, hint, isTemporary = false, retryAfter = null } = options;
    super(cleanText(message));
    this.code = code;
    if (hint !== undefined) this.hint = cleanText(hint);
    if (isTemporary) showProperty(this, "isTemporary", true);
    if (isTemporary && retryAfter !== null) showProperty(this, "retryAfter", retryAfter);
    // Bun puts the name in the first line of the stack only if it is a plain property.
    Object.defineProperty(this, "name", { value: this.name });
  }
}

/** Sets an own property in place of the class's getter, so that a printed error shows it. */
function showProperty(error: GuildpassError, name: string, value: unknown): void {
  Object.defineProperty(error, name, { value, enumerable: true });
}

/** Returns true for a status of a temporary failure. */
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
  /** The OAuth error code, for example `invalid_grant` or `access_denied`. */
  readonly error: string;
  /** The `error_description`, or `null`. */
  readonly description: string | null;
  /** The HTTP status of the response, or `null` for an error in a callback. */
  readonly httpStatus: number | null;

  /**
   * Creates an error.
   *
   * @param error The OAuth error code, for example `invalid_grant`. The message contains the code.
   * @param options The response of the platform, and the hint. `isTemporary` is `true` by default for a `server_error`, for
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
    const {
      description = null,
      httpStatus = null,
      isTemporary = /^(server_error|temporarily_unavailable)$/.test(error) ||
        isTemporaryStatus(httpStatus ?? 0),
    } = options;
    const said = description ? `${error} (${description})` : error;
    super(`The authorization failed: ${said}`, { ...options, code: "oauth_error", isTemporary });
    this.error = cleanText(error);
    this.description = description === null ? null : cleanText(description);
    this.httpStatus = httpStatus;
  }
}

/**
 * The reason of a {@link StateMismatchError}:
 *
 * - `"no_expected_state"`: the expected state is missing, for example because the cookie with the state is gone;
 * - `"no_state"`: the state is missing in the callback;
 * - `"different"`: the state of the callback does not match;
 * - `"no_issuer"`: the expected issuer is missing in the callback;
 * - `"different_issuer"`: the issuer of the callback does not match.
 */
export type StateMismatchReason =
  | "no_expected_state"
  | "no_state"
  | "different"
  | "no_issuer"
  | "different_issuer";

/**
 * The callback does not belong to this login: its state or its issuer is missing or does not match. The error never shows a
 * state.
 */
export class StateMismatchError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "StateMismatchError";
  /** The reason why the callback does not belong to this login. */
  readonly reason: StateMismatchReason;

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The reason and the hint.
   */
  constructor(
    message: string,
    options: GuildpassErrorOptions & { readonly reason: StateMismatchReason },
  ) {
    super(message, { ...options, code: "state_mismatch" });
    this.reason = options.reason;
  }
}

const scopesGuide = "https://github.com/guildpass/sdk/blob/main/docs/scopes.md";

/** The token does not have a scope that the call needs. Thrown before the request is sent. */
export class MissingScopeError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "MissingScopeError";
  /** The scopes that the call needs. */
  readonly needed: readonly string[];
  /** The scopes that the token has. */
  readonly granted: readonly string[];

  /**
   * Creates an error. The message and the hint name the scopes.
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
      hint:
        `Add ${missing} to the scopes of AuthUrl and PlatformApi, and start a new login: ${scopesGuide}`,
    });
    this.needed = Object.freeze([...needed]);
    this.granted = Object.freeze(granted.map(cleanText));
  }
}

/**
 * The reason of a {@link LoginRequiredError}:
 *
 * - `"no_token"`: the store does not have a token of this person;
 * - `"unreadable"`: the token in the store can't be opened: it was sealed with another secret, or is damaged;
 * - `"no_refresh_token"`: the access token no longer works, and the refresh token is missing;
 * - `"refused"`: the access token no longer works, and the platform has refused to refresh it.
 */
export type LoginRequiredReason = "no_token" | "unreadable" | "no_refresh_token" | "refused";

/** No token works, and only the person can grant a new one: start a new login. {@link LoginRequiredReason} lists the reasons. */
export class LoginRequiredError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "LoginRequiredError";
  /** The reason why the person must log in again. */
  readonly reason: LoginRequiredReason;

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The reason and the hint.
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
 * After a 401, calls with the same token fail with the same error for five minutes, without a request. The message says so.
 *
 * @see {@link https://docs.discord.com/developers/reference#error-messages | Error messages in the platform's documentation}
 */
export class ApiError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "ApiError";
  /** The HTTP status, or `0` for a redirect in a browser, which hides the status. */
  readonly httpStatus: number;
  /** The platform's own error code, or `null` without one. */
  readonly platformCode: number | null;
  /**
   * The platform's errors by field, or `null`. Each text is cut to one line of 1,000 characters. A very large or deep value is
   * cut too.
   */
  readonly errors: unknown;
  /**
   * True if the edge in front of the platform blocks this client or its IP address. The platform did not receive the request, so
   * a code or refresh token in the request still works.
   */
  readonly blockedByEdge: boolean;

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The response of the platform, and the hint. `isTemporary` is `true` by default for a block by the edge and for
   * a status such as 503.
   */
  constructor(
    message: string,
    options: GuildpassErrorOptions & {
      /** The code of the error, for subclasses. @default {"api_error"} */
      readonly code?: ErrorCode | undefined;
      /** The HTTP status, or `0` if a browser hides it. */
      readonly httpStatus: number;
      /** The platform's own error code, for example `10004`. */
      readonly platformCode?: number | null | undefined;
      /** The platform's errors by field, unchanged. */
      readonly errors?: unknown;
      /** True if the edge in front of the platform blocked the request. @default {false} */
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
    } = options;
    super(message, { ...options, code, isTemporary });
    this.httpStatus = httpStatus;
    this.platformCode = platformCode;
    this.blockedByEdge = blockedByEdge;
    this.errors = mapTexts(errors, cleanText);
  }
}

/**
 * A rate limit is used up: the platform responded with 429, or the request was not sent because the wait would be longer than
 * `timeout`. The message names the case.
 *
 * Before this error, the library waits and retries a read within `timeout`: at most twice, not counting a 429 for a shared limit.
 * It does not retry writes and token requests.
 *
 * `retryAfter` comes from the response, or else from the library's own wait. The maximum is a minute for a block and for the
 * global limit, and a day for any other limit.
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
  /** The kind of the limit: `user`, `global` or `shared`; `null` if the response does not name one. */
  readonly scope: string | null;
  /** True if the limit applies to all requests of the application. */
  readonly global: boolean;
  /** True if the limit applies to one person's token only. Requests with other tokens can still be sent. */
  readonly ofPerson: boolean;

  /**
   * Creates an error. The hint ends with the time to wait.
   *
   * @param message The message.
   * @param options The response of the platform, the kind of the limit and the hint.
   */
  constructor(
    message: string,
    options: ConstructorParameters<typeof ApiError>[1] & {
      /** The seconds to wait, or `null` if unknown. */
      readonly retryAfter: number | null;
      /** The kind of the limit: `user`, `global` or `shared`. */
      readonly scope?: string | null | undefined;
      /** True if the limit applies to all requests of the application. @default {false} */
      readonly global?: boolean | undefined;
      /** True if the limit applies to one person's token. @default {false} */
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

/** A part of a response that differs from the documentation. */
export interface PayloadIssue {
  /** The path of the part, as in `roles.3.name`; empty for the whole response. */
  readonly path: string;
  /** The expected value and the received type. The message never contains the received value. */
  readonly message: string;
}

/**
 * The response reports success, but differs from the documentation: for example HTML, truncated JSON, or a field with a wrong
 * type.
 */
export class PayloadError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "PayloadError";
  /** The issues, at most 100; for a very large response, only the first issue. */
  readonly issues: readonly PayloadIssue[];

  /**
   * Creates an error. The message ends with the issues.
   *
   * @param message The beginning of the message.
   * @param options The issues and the hint.
   */
  constructor(
    message: string,
    options: GuildpassErrorOptions & {
      /** The code of the error, for subclasses. @default {"invalid_payload"} */
      readonly code?: ErrorCode | undefined;
      /** The issues. */
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

/** The response reports success, but the body has more than `maxBytes`. The rest of the body was not read. */
export class PayloadTooLargeError extends PayloadError {
  /** The name of the class. */
  protected static override readonly errorName: string = "PayloadTooLargeError";
  /** The maximum number of bytes. */
  readonly maxBytes: number;

  /**
   * Creates an error.
   *
   * @param message The beginning of the message.
   * @param options The maximum number of bytes, and the hint. The default hint names the option `maxBytes`.
   */
  constructor(message: string, options: GuildpassErrorOptions & { readonly maxBytes: number }) {
    const { maxBytes, hint = "Raise maxBytes, if responses of this size are expected" } = options;
    const issue = { path: "", message: `expected at most ${maxBytes} bytes, received more` };
    super(message, { ...options, code: "payload_too_large", hint, issues: [issue] });
    this.maxBytes = maxBytes;
  }
}

/** No complete response came: the platform was not reachable, or the connection broke. */
export class NetworkError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "NetworkError";
  /**
   * True if the platform may have received the request. False only if the host was not found or refused the connection, or if a custom
   * `fetch` threw before it returned. Then a code or refresh token in the request still works.
   */
  readonly mayHaveArrived: boolean;

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The hint, and the fields about a retry. `isTemporary` is `true` by default.
   */
  constructor(
    message: string,
    options: GuildpassErrorOptions & {
      /** The code of the error, for subclasses. @default {"network_error"} */
      readonly code?: ErrorCode | undefined;
      /** True if the platform may have received the request. @default {true} */
      readonly mayHaveArrived?: boolean | undefined;
      /** The error of a custom `fetch`, without secrets. */
      readonly cause?: Error | undefined;
    } = {},
  ) {
    const { code = "network_error", mayHaveArrived = true, isTemporary = true, cause } = options;
    super(message, { ...options, code, isTemporary });
    // As the constructor of `Error` does.
    if (cause) Object.defineProperty(this, "cause", { value: cause, writable: true });
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** The response was not complete within `timeout`. */
export class TimeoutError extends NetworkError {
  /** The name of the class. */
  protected static override readonly errorName: string = "TimeoutError";

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The hint, and the fields about a retry. `isTemporary` is `true` by default.
   */
  constructor(message: string, options: ConstructorParameters<typeof NetworkError>[1] = {}) {
    super(message, { ...options, code: "timeout" });
  }
}

/**
 * The application's store did not respond in time. It may still save or remove the value, or may have done so. Also thrown if other
 * requests have changed a record each time for 30 seconds.
 */
export class StoreTimeoutError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "StoreTimeoutError";

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The hint, and the fields about a retry. `isTemporary` is `true` by default.
   */
  constructor(message: string, options: GuildpassErrorOptions = {}) {
    const { isTemporary = true } = options;
    super(message, { ...options, code: "store_timeout", isTemporary });
  }
}

/**
 * The reason of an {@link IdTokenError}:
 *
 * - `"missing"`: the `id_token` is missing;
 * - `"malformed"`: the token is not a signed JWT;
 * - `"algorithm"`: the token is not signed with RS256;
 * - `"unknown_key"`: the signing key is not a key of the platform;
 * - `"signature"`: the signature is wrong;
 * - `"claim"`: a claim is wrong or missing.
 */
export type IdTokenErrorReason =
  | "missing"
  | "malformed"
  | "algorithm"
  | "unknown_key"
  | "signature"
  | "claim";

/** An `id_token` is missing or forged, has expired, or is not for this application or login. The error never shows the token. */
export class IdTokenError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "IdTokenError";
  /** The reason. */
  readonly reason: IdTokenErrorReason;
  /** The wrong claim, for example `nonce`, or `null` if the whole token is wrong. */
  readonly claim: string | null;

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The reason, the wrong claim if there is one, and the hint.
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
 * - `"missing"`: the request has no signature or no timestamp;
 * - `"wrong"`: the signature does not match;
 * - `"stale"`: the event was signed too long ago, or in the future;
 * - `"too_large"`: the body is too large for an event;
 * - `"incomplete"`: the body ended early.
 */
export type WebhookSignatureErrorReason =
  | "missing"
  | "wrong"
  | "stale"
  | "too_large"
  | "incomplete";

/**
 * A webhook event has no valid signature, or is too old, too large or incomplete. Respond with 401: the platform sends wrong
 * signatures as a test.
 */
export class WebhookSignatureError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "WebhookSignatureError";
  /** The reason. */
  readonly reason: WebhookSignatureErrorReason;

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The reason and the hint.
   */
  constructor(
    message: string,
    options: GuildpassErrorOptions & { readonly reason: WebhookSignatureErrorReason },
  ) {
    super(message, { ...options, code: "invalid_signature" });
    this.reason = options.reason;
  }
}

/** Returns the hint for an OAuth error code, or `undefined` if the cause is not known. */
export function oauthHint(error: string): string | undefined {
  return hints.get(error);
}

const hints: ReadonlyMap<string, string> = new Map([
  ["access_denied", "The person refused: say what access is for, and offer a new login"],
  [
    "invalid_client",
    "Check clientId and clientSecret against the application's page: Developer Portal, OAuth2, Client Secret. It is shown " +
    "only once, and resetting it there ends the old one",
  ],
  [
    "invalid_grant",
    "A code works once, for about 100 seconds, with the redirectUri and codeVerifier of its login; start a new one",
  ],
  ["invalid_request", "Start a new login; if that fails too, check the parameters of the link"],
  [
    "invalid_scope",
    "The platform refuses unknown scopes, scopes for which it has not approved the application (approvalScopes lists them; some " +
    "work for invited testers), and role_connections.write with PKCE or the implicit grant",
  ],
]);
