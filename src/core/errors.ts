/**
 * The errors of this library. A wrong argument throws a `TypeError` or a `RangeError` instead.
 *
 * No message, stack or property of these errors holds a client secret, a code, a PKCE verifier or a token. They have no `cause`,
 * since the underlying errors hold the request with its headers and its form. Only the mistake of a custom `fetch` has one: a new error
 * with the redacted name and message. Text from Discord or a link is cut to one line
 * of 1,000 characters, so it is safe to log. Text from a visitor is cut to 200 characters.
 *
 * @module
 */

import { cleanText } from "./safe_text.ts";

/**
 * The kind of an error, for a `switch`. Each class has its own code, which the
 * [list of errors](https://guildpass.github.io/sdk/api/sdk/Errors/) shows.
 */
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

/** The options of every error in this library. */
export interface GuildpassErrorOptions {
  /** A hint for the developer. */
  readonly hint?: string | undefined;
  /** True if the same call may succeed later. @default {decided by the class} */
  readonly isTemporary?: boolean | undefined;
  /** The seconds to wait before a retry, or `null` if unknown. Ignored unless the error is temporary. */
  readonly retryAfter?: number | null | undefined;
}

/**
 * The base class of all errors in this library.
 *
 * @example
 * ```ts
 * import { GuildpassError, type User } from "@guildpass/sdk";
 *
 * async function greet(user: User) {
 *   try {
 *     return `Hello, ${(await user.getCurrentUser()).username}`;
 *   } catch (error) {
 *     if (!(error instanceof GuildpassError)) throw error;
 *     console.error(error.code, error.message, error.hint);
 *     switch (error.code) {
 *       case "missing_scope":
 *       case "login_required":
 *         return "Please log in again";
 *       case "rate_limited":
 *         return `Try again in ${error.retryAfter} seconds`;
 *       default:
 *         return "Discord does not respond as expected";
 *     }
 *   }
 * }
 * ```
 */
export class GuildpassError extends Error {
  /** The name of the class. A minifier does not change it. */
  protected static readonly errorName: string = "GuildpassError";
  /** The code of the error, for a `switch`. */
  readonly code: ErrorCode;
  /**
   * A hint for the developer: the likely cause, and what to do. Absent if there is no hint.
   */
  declare readonly hint?: string;
  /** The name of the class. */
  // V8 reads the name for the first line of the stack while it creates the error.
  override get name(): string {
    return (this.constructor as typeof GuildpassError).errorName;
  }
  /**
   * True if the same call may succeed later: Discord is busy, failing or not reachable, or the store is slow. False for all
   * other errors, and for a lost response if the code in the request may be used up.
   */
  get isTemporary(): boolean {
    return false;
  }
  /** The seconds to wait before a retry, with decimals, at most a day; `null` if unknown. */
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

/** Sets an own property instead of the class's getter, so that a printed error shows it. */
function showProperty(error: GuildpassError, name: string, value: unknown): void {
  Object.defineProperty(error, name, { value, enumerable: true });
}

/**
 * Makes the stack of an error of this library begin here, and returns the error. A stack has ten frames by default, and the frames of a
 * request would hide the caller. Callers of a shared read get the same error, with the stack of the latest caller.
 */
export function withCallerInStack(error: unknown): unknown {
  // Firefox before 138 does not have it.
  if (error instanceof GuildpassError) Object(Error).captureStackTrace?.(error, withCallerInStack);
  return error;
}

/** Returns true for a status of a temporary failure. */
export function isTemporaryStatus(httpStatus: number): boolean {
  return httpStatus === 408 || httpStatus === 429 || httpStatus >= 500;
}

/**
 * Discord rejected a step of the login with an OAuth 2.0 error.
 *
 * Thrown by `parseCallback` on a redirect such as
 *
 * ```http
 * GET /callback?error=access_denied&error_description=The+reso…&state=…
 * ```
 *
 * and by `PlatformApi.accessToken` on a response such as
 *
 * ```http
 * HTTP/1.1 400 Bad Request
 * Content-Type: application/json
 *
 * {
 *   "error": "invalid_grant",
 *   "error_description": "Invalid \"code\" in request."
 * }
 * ```
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 | RFC 6749 sections 4.1.2.1} and
 * {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2 | 5.2}
 */
export class OAuthError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "OAuthError";
  /** The code of the error, for a `switch`. */
  declare readonly code: "oauth_error";
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
   * @param options The response of Discord, and the hint. `isTemporary` is `true` by default for a `server_error`, for
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
  /** The code of the error, for a `switch`. */
  declare readonly code: "state_mismatch";
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
  /** The code of the error, for a `switch`. */
  declare readonly code: "missing_scope";
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
    super(`${call} needs the scope ${needed.join(" ")}, but the token has ${found}`, {
      code: "missing_scope",
      hint: `Add ${missing} to the option scope, and start a new login: ${scopesGuide}`,
    });
    this.needed = Object.freeze([...needed]);
    this.granted = Object.freeze(granted.map(cleanText));
  }
}

/**
 * The reason of a {@link LoginRequiredError}:
 *
 * - `"no_token"`: the store does not have a token of this user;
 * - `"unreadable"`: the token in the store can't be opened: it was sealed with another secret, or is damaged;
 * - `"no_refresh_token"`: the access token no longer works, and the refresh token is missing;
 * - `"refused"`: the access token no longer works, and Discord has refused to refresh it.
 */
export type LoginRequiredReason = "no_token" | "unreadable" | "no_refresh_token" | "refused";

/** No token works, and only the user can grant a new one: start a new login. {@link LoginRequiredReason} lists the reasons. */
export class LoginRequiredError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "LoginRequiredError";
  /** The code of the error, for a `switch`. */
  declare readonly code: "login_required";
  /** The reason why the user must log in again. */
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
 * The application's store did not respond in time. It may have saved or removed the value, or may still do so. Also thrown if other
 * requests keep changing a record for 30 seconds.
 */
export class StoreTimeoutError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "StoreTimeoutError";
  /** The code of the error, for a `switch`. */
  declare readonly code: "store_timeout";

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

/** Returns the hint for an OAuth error code, or `undefined` if the cause is not known. */
export function oauthHint(error: string): string | undefined {
  return hints.get(error);
}

const hints: ReadonlyMap<string, string> = new Map([
  ["access_denied", "The user refused: explain why you need access, and offer to log in again"],
  [
    "invalid_client",
    "Check clientId and clientSecret in the Developer Portal under OAuth2. It shows the secret only once, and a reset invalidates " +
    "the old one",
  ],
  [
    "invalid_grant",
    "A code works once, for about 100 seconds, with the redirectUri and codeVerifier of its login; start a new login",
  ],
  ["invalid_request", "Start a new login; if that fails too, check the parameters of the link"],
  [
    "invalid_scope",
    "The platform refuses unknown scopes, scopes that need its approval (approvalScopes lists them; some work for invited testers), " +
    "and role_connections.write with PKCE or the implicit grant",
  ],
]);
