/**
 * A login on a device without a browser (RFC 8628): asks for the token until the person has decided elsewhere.
 *
 * @module
 */

import { ApiError, NetworkError, OAuthError, RateLimitError } from "../core/errors.ts";
import { expiresAtFor } from "../core/lifetime.ts";
import { sleep, unlessAborted } from "../core/wait.ts";
import { checkCallOptions } from "../http/option_names.ts";
import type { CallOptions } from "../http/options.ts";
import type { DeviceAuthorization } from "../resources/device_authorization.ts";
import type { TokenObj } from "../resources/token.ts";
import { expiredHint } from "../tokens/token_hints.ts";

/**
 * A login that waits for a person to type a code in on another device. The device's own code, which is the secret of the login,
 * can't be seen in it.
 *
 * @typeParam Granted The scopes that were asked for, for the compiler.
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export interface DeviceLogin<Granted extends string = any> {
  /** What the person types in, for example `WDJB-MJHT`. */
  readonly userCode: string;
  /** Where the person types it in, for example `https://discord.com/activate`. */
  readonly verificationUri: string;
  /** The same page with the code typed in already, for a link or a QR code; `null` when the platform has none. */
  readonly verificationUriComplete: string | null;
  /** When the code ends, in milliseconds since the epoch; on this platform after five minutes. */
  readonly expiresAt: number;
  /**
   * Waits until the person has decided, and gives the token. Meanwhile it asks the platform as often as that allows, and less
   * often while the platform is in trouble or not reached.
   *
   * However often it is called, it is one login: every call gets the same token, or the same error.
   *
   * @param options With a `signal`, which ends this wait alone. When nobody waits any more, nothing is asked, until the next call.
   * A token that comes all the same is kept for that one.
   * @throws {OAuthError} `access_denied` when the person refuses, `expired_token` when the time is over, `invalid_grant` when an
   * answer that may have had the token in it was lost.
   * @throws {ApiError} On a refusal other than 408, 429 and 5xx, after which it asks again.
   * @throws {PayloadError} When a success can't be read.
   * @see {@link https://www.rfc-editor.org/rfc/rfc8628#section-3.5 | RFC 8628 section 3.5}
   */
  readonly token: (options?: CallOptions | null) => Promise<TokenObj<Granted>>;
}

/** How much longer to wait each time after `slow_down`, in milliseconds (RFC 8628 section 3.5). */
const slowDown = 5000;

/** The shortest pause between two requests, in milliseconds, whatever the platform says. */
const shortestPause = 1000;

/**
 * Makes the login of a device.
 *
 * @param ask Asks for the token, once.
 */
export function createDeviceLogin(
  authorization: DeviceAuthorization,
  ask: () => Promise<TokenObj>,
): DeviceLogin {
  const { user_code, verification_uri, verification_uri_complete, expires_in } = authorization;
  const polling = new Polling(authorization, ask);
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

/** What a login has come to. */
type Outcome = { readonly token: TokenObj } | { readonly error: unknown };

/** The requests for the token. All times are on a clock that nobody sets, in milliseconds. */
class Polling {
  readonly #ask: () => Promise<TokenObj>;
  readonly #deadline: number;
  #pause: number;
  #nextAt: number;
  /** How many requests in a row have failed. */
  #failures = 0;
  /** The request that is under way; it never rejects. */
  #asking: Promise<void> | null = null;
  #outcome: Outcome | null = null;

  constructor({ expires_in, interval }: DeviceAuthorization, ask: () => Promise<TokenObj>) {
    const now = performance.now();
    this.#ask = ask;
    this.#deadline = now + expires_in * 1000;
    this.#pause = Math.max(interval * 1000, shortestPause);
    // Nobody types a code in sooner.
    this.#nextAt = now + this.#pause;
  }

  async token(signal: AbortSignal | null | undefined): Promise<TokenObj> {
    while (true) {
      signal?.throwIfAborted();
      if (this.#outcome) return tokenOf(this.#outcome);
      const now = performance.now();
      const wakeAt = Math.min(this.#nextAt, this.#deadline);
      // A request is not aborted with the caller who made it: its answer may have the token, which would be lost.
      if (this.#asking) await unlessAborted(this.#asking, signal);
      else if (now < wakeAt) await sleep(wakeAt - now, signal);
      else if (now >= this.#deadline) this.#outcome = { error: this.#expired() };
      else this.#asking = this.#askOnce();
    }
  }

  async #askOnce(): Promise<void> {
    try {
      this.#outcome = { token: await this.#ask() };
    } catch (error) {
      const pause = this.#pauseAfter(error);
      if (pause === null) this.#outcome = { error };
      // From the answer on, so that the next request does not arrive too soon because it was faster than this one.
      else this.#nextAt = performance.now() + pause;
    }
    this.#asking = null;
  }

  /** Milliseconds to wait after an error; `null` when it ends the login. */
  #pauseAfter(error: unknown): number | null {
    if (isPassing(error)) {
      this.#failures++;
      const wanted = error instanceof RateLimitError ? (error.retryAfter ?? 0) * 1000 : 0;
      return Math.max(this.#pause * 2 ** this.#failures, wanted);
    }
    this.#failures = 0;
    const said = error instanceof OAuthError ? error.error : null;
    if (said === "slow_down") this.#pause += slowDown;
    return said === "slow_down" || said === "authorization_pending" ? this.#pause : null;
  }

  #expired(): OAuthError {
    const hint = this.#failures === 0
      ? expiredHint
      : `${expiredHint}. The last requests failed: ${this.#failures}`;
    return new OAuthError("expired_token", { hint });
  }
}

function tokenOf(outcome: Outcome): TokenObj {
  if ("token" in outcome) return outcome.token;
  throw outcome.error;
}

/** Whether an error says nothing of the login: the platform was not reached, is in trouble, or was asked too often. */
function isPassing(error: unknown): boolean {
  if (error instanceof NetworkError || error instanceof RateLimitError) return true;
  if (!(error instanceof ApiError || error instanceof OAuthError)) return false;
  const status = error.httpStatus ?? 0;
  return status >= 500 || status === 408;
}
