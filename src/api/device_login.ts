/**
 * Logs a person in on a device without a browser (RFC 8628): polls for the token until the person has decided on another device.
 *
 * @module
 */

import { OAuthError } from "../core/errors.ts";
import { expiresAtFor } from "../core/lifetime.ts";
import { type Deadline, deadlineIn, sleep, unlessAborted } from "../core/wait.ts";
import { type CallOptions, checkCallOptions } from "../http/options.ts";
import { paceAfterError, type PollingPace } from "../http/next_step.ts";
import { minDevicePollMs } from "../http/waits.ts";
import type { DeviceAuthorization } from "../resources/device_authorization.ts";
import type { TokenObj } from "../resources/token.ts";
import { expiredHint } from "../tokens/token_hints.ts";

/**
 * A login that waits for a user to enter a code on another device. It does not contain the device code (`device_code`), which
 * is the secret of the login.
 *
 * @typeParam Granted The scopes of the login. Used only in types.
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export interface DeviceLogin<Granted extends string = any> {
  /** The code that the user enters, for example `ZAW6C586`. */
  readonly userCode: string;
  /** The URL of the page for the code, for example `https://discord.com/activate`. */
  readonly verificationUri: string;
  /** The URL with the code filled in, for a link or a QR code; `null` if Discord does not provide it. */
  readonly verificationUriComplete: string | null;
  /** The time when the code expires, in milliseconds since the epoch. Discord's codes are valid for five minutes. */
  readonly expiresAt: number;
  /**
   * Waits until the user has decided, and returns the token. It polls at Discord's interval, and less often while Discord
   * fails or can't be reached.
   *
   * All calls share one login: each gets the same token or the same error.
   *
   * @param options The `signal` ends only this wait. Nothing is sent while no call is waiting. The next call continues the login, or
   * returns the token if it has arrived.
   * @throws {OAuthError} `access_denied` if the user declines, `expired_token` if the code has expired, `invalid_grant` if the
   * response with the token may have been lost.
   * @throws {ApiError} If Discord rejects the request with a status other than 408, 429 and 5xx. After those, polling continues.
   * @throws {PayloadError} If a successful response can't be read.
   * @see {@link https://www.rfc-editor.org/rfc/rfc8628#section-3.5 | RFC 8628 section 3.5}
   */
  readonly token: (options?: CallOptions | null) => Promise<TokenObj<Granted>>;
}

/**
 * Creates the login of a device.
 *
 * @param requestToken Requests the token once.
 */
export function createDeviceLogin(
  authorization: DeviceAuthorization,
  requestToken: () => Promise<TokenObj>,
): DeviceLogin {
  const { user_code, verification_uri, verification_uri_complete, expires_in } = authorization;
  const polling = new Polling(authorization, requestToken);
  return Object.freeze({
    userCode: user_code,
    verificationUri: verification_uri,
    verificationUriComplete: verification_uri_complete,
    expiresAt: expiresAtFor(expires_in),
    async token(options?: CallOptions | null): Promise<TokenObj> {
      checkCallOptions(options);
      return await polling.token(options?.signal);
    },
  });
}

/** The result of a login. */
type Result =
  | { readonly kind: "token"; readonly token: TokenObj }
  | { readonly kind: "failure"; readonly error: unknown };

/** Polls for the token. All times are in milliseconds by `performance.now()`, which does not follow changes of the clock. */
class Polling {
  readonly #requestToken: () => Promise<TokenObj>;
  readonly #deadline: Deadline;
  #pace: PollingPace;
  #nextAt: number;
  /** The request under way. Its promise never rejects. */
  #pendingRequest: Promise<void> | null = null;
  #result: Result | null = null;

  constructor(
    { expires_in, interval }: DeviceAuthorization,
    requestToken: () => Promise<TokenObj>,
  ) {
    const intervalMs = Math.max(interval * 1000, minDevicePollMs);
    this.#requestToken = requestToken;
    this.#deadline = deadlineIn(expires_in * 1000);
    this.#pace = { intervalMs, failures: 0 };
    // The first request also waits, since no person types the code in sooner.
    this.#nextAt = performance.now() + intervalMs;
  }

  async token(signal: AbortSignal | null | undefined): Promise<TokenObj> {
    while (true) {
      signal?.throwIfAborted();
      if (this.#result) return tokenOrThrow(this.#result);
      const now = performance.now();
      const wakeAt = Math.min(this.#nextAt, this.#deadline.at);
      // An abort does not stop the request: its response may have the token, which would be lost.
      if (this.#pendingRequest) await unlessAborted(this.#pendingRequest, signal);
      else if (now < wakeAt) await sleep(wakeAt - now, signal);
      else if (now >= this.#deadline.at) {
        this.#result = { kind: "failure", error: this.#expiredError() };
      } else this.#pendingRequest = this.#sendRequest();
    }
  }

  async #sendRequest(): Promise<void> {
    try {
      this.#result = { kind: "token", token: await this.#requestToken() };
    } catch (error) {
      const next = paceAfterError(error, this.#pace);
      if (next) {
        this.#pace = next;
        // The wait begins with the response, so that a next request that is faster than this one does not arrive too soon.
        this.#nextAt = performance.now() + next.waitMs;
      } else this.#result = { kind: "failure", error };
    }
    this.#pendingRequest = null;
  }

  #expiredError(): OAuthError {
    const { failures } = this.#pace;
    const hint = failures === 0
      ? expiredHint
      : `${expiredHint}. The last requests failed: ${failures}`;
    return new OAuthError("expired_token", { hint });
  }
}

function tokenOrThrow(result: Result): TokenObj {
  if (result.kind === "token") return result.token;
  throw result.error;
}
