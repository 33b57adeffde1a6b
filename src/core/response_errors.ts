/**
 * The errors about a response of Discord, or about a missing one.
 *
 * @module
 */

import {
  type ErrorCode,
  GuildpassError,
  type GuildpassErrorOptions,
  isTemporaryStatus,
} from "./errors.ts";
import { cleanText, mapTexts } from "./safe_text.ts";

/**
 * The API returned a failure.
 *
 * ```http
 * HTTP/1.1 404 Not Found
 * Content-Type: application/json
 *
 * {"message": "Unknown Guild", "code": 10004}
 * ```
 *
 * After a 401, every call with the same token throws an `ApiError` for five minutes, without a request. Its `httpStatus` is 401, its
 * `platformCode` is `null`, and its message says that the request was not sent.
 *
 * @see {@link https://docs.discord.com/developers/reference#error-messages | Discord: Error messages}
 */
export class ApiError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "ApiError";
  /** The code of the error, for a `switch`. `"rate_limited"` is the code of a {@link RateLimitError}. */
  declare readonly code: "api_error" | "rate_limited";
  /** The HTTP status, or `0` for a redirect in a browser, which hides the status. */
  readonly httpStatus: number;
  /** Discord's own error code, or `null` without one. */
  readonly platformCode: number | null;
  /**
   * Discord's errors by field, or `null`. Each text is cut to one line of 1,000 characters. A very large or deep value is
   * cut too.
   */
  readonly errors: unknown;
  /**
   * True if the edge, the network of servers in front of Discord, blocks this client or its IP address. Discord did not receive the
   * request, so a code or refresh token in the request still works.
   */
  readonly blockedByEdge: boolean;

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The response of Discord, and the hint. `isTemporary` is `true` by default if `blockedByEdge` is set, and for
   * a status such as 503.
   */
  constructor(
    message: string,
    options: GuildpassErrorOptions & {
      /** The code of the error, for subclasses. @default {"api_error"} */
      readonly code?: ErrorCode | undefined;
      /** The HTTP status, or `0` if a browser hides it. */
      readonly httpStatus: number;
      /** Discord's own error code, for example `10004`. */
      readonly platformCode?: number | null | undefined;
      /** Discord's errors by field, unchanged. */
      readonly errors?: unknown;
      /** True if the edge in front of Discord blocked the request. @default {false} */
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
 * A rate limit is used up: Discord responded with 429, or the request was not sent because the wait would be longer than
 * `timeout`. The message says which.
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
 * {
 *   "message": "You are being rate limited.",
 *   "retry_after": 64.57,
 *   "global": false
 * }
 * ```
 *
 * @see {@link https://docs.discord.com/developers/topics/rate-limits | Discord: Rate limits}
 */
export class RateLimitError extends ApiError {
  /** The name of the class. */
  protected static override readonly errorName: string = "RateLimitError";
  /** The code of the error, for a `switch`. */
  declare readonly code: "rate_limited";
  /** The kind of the limit: `user`, `global` or `shared`; `null` if the response does not name one. */
  readonly scope: string | null;
  /** True if the limit applies to all requests of the application. */
  readonly global: boolean;
  /** True if only this user's token has reached the limit. You can still send requests with other tokens. */
  readonly ofPerson: boolean;

  /**
   * Creates an error. The hint ends with the time to wait.
   *
   * @param message The message.
   * @param options The response of Discord, the kind of the limit and the hint.
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
      /** True if only one user's token has reached the limit. @default {false} */
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
  /** The code of the error, for a `switch`. `"payload_too_large"` is the code of a {@link PayloadTooLargeError}. */
  declare readonly code: "invalid_payload" | "payload_too_large";
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
  /** The code of the error, for a `switch`. */
  declare readonly code: "payload_too_large";
  /** The maximum number of bytes. */
  readonly maxBytes: number;

  /**
   * Creates an error.
   *
   * @param message The beginning of the message.
   * @param options The maximum number of bytes, and the hint. The default hint names the option `maxBytes`.
   */
  constructor(message: string, options: GuildpassErrorOptions & { readonly maxBytes: number }) {
    const { maxBytes, hint = "Raise maxBytes if you expect responses of this size" } = options;
    const issue = { path: "", message: `expected at most ${maxBytes} bytes, received more` };
    super(message, { ...options, code: "payload_too_large", hint, issues: [issue] });
    this.maxBytes = maxBytes;
  }
}

/** No complete response arrived: Discord was not reachable, or the connection broke. */
export class NetworkError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "NetworkError";
  /** The code of the error, for a `switch`. `"timeout"` is the code of a {@link TimeoutError}. */
  declare readonly code: "network_error" | "timeout";
  /**
   * True if Discord may have received the request. False only if the host was not found or refused the connection, or if a custom
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
      /** True if Discord may have received the request. @default {true} */
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
  /** The code of the error, for a `switch`. */
  declare readonly code: "timeout";

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
