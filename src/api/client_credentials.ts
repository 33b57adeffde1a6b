/**
 * Returns valid tokens of an application itself, and requests a new one when needed.
 *
 * @module
 */

import { checkSecret, throwBadObject } from "../core/arguments.ts";
import { TimeoutError } from "../core/response_errors.ts";
import { deadlineIn, withTimeout } from "../core/wait.ts";
import { type Claim, isHeld, newClaim, release, untilReleased } from "../http/limits/claim.ts";
import { checkCallOptions, checkTimeout, type TimedCallOptions } from "../http/options.ts";
import { clientCredentialsPauseMs, clockDifferenceMs, renewalPauseMs } from "../http/waits.ts";
import type { Scope, SpelledScope } from "../links/scopes.ts";
import type { TokenObj } from "../resources/token.ts";
import type { PlatformApi } from "./platform_api.ts";
import { checkedScope } from "./token_client.ts";

/** A token with the times that decide about its use, in milliseconds since the epoch. */
interface KeptToken<Granted extends Scope> {
  readonly token: TokenObj<Granted>;
  /** The time from which a new token is requested; `Infinity` if the lifetime is not known. */
  readonly renewAt: number;
  /** The time from which the token is not used. */
  readonly endsAt: number;
  /** The time of the request, if Discord had rejected the token before with 401. */
  readonly renewedAt: number | null;
}

/**
 * Provides tokens of the application itself for a {@link User}, to manage the application's commands and store. The tokens belong to
 * the owner of the application, without a login.
 *
 * A token is kept in memory and used until a quarter of its lifetime is left, or until Discord rejects it. Concurrent calls share
 * one request. If it fails while the old token still works, the old token is used, and the next request is sent after a minute.
 *
 * One object can serve all requests of a process, even on Cloudflare Workers. Each process requests its own token, which Discord
 * allows.
 *
 * @example
 * ```ts
 * import { ClientCredentials, PlatformApi, User } from "@guildpass/sdk";
 * import {
 *   createFakePlatform,
 *   sampleApplication,
 * } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform();
 * const { id, secret } = sampleApplication;
 * const api = new PlatformApi(id, secret, ["identify"], null, fake);
 * const app = new User(
 *   new ClientCredentials(api, ["applications.commands.update"]),
 *   fake,
 * );
 *
 * const command = await app.request<{ name: string }>(
 *   "POST",
 *   "/applications/{id}/commands",
 *   {
 *     path: { id },
 *     json: { name: "ping", description: "Says pong" },
 *   },
 * );
 * command.name; // "ping"
 * ```
 *
 * @typeParam Granted The scopes of the tokens. Used only in types.
 * @throws {TypeError} If an argument is wrong.
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export class ClientCredentials<const Granted extends Scope = any> {
  /** The scopes of the tokens. Used only in types. */
  declare protected readonly grantedScopes?: ((scope: Granted) => void) | undefined;
  readonly #api: PlatformApi;
  readonly #scope: readonly SpelledScope<Granted>[] & readonly Scope[];
  readonly #claim: Claim = newClaim();
  #kept: KeptToken<Granted> | null = null;
  /** The number of requests so far. */
  #requests = 0;
  /** The latest failure, for the calls that waited for this request. */
  #failure: { readonly number: number; readonly error: unknown } | null = null;
  /** The time before which a failed request is not repeated while the old token works, in milliseconds since the epoch. */
  #pausedUntil = 0;

  /**
   * Creates a source of an application's tokens. Sends no request.
   *
   * @param api The `PlatformApi` of the application, with its client secret. Its own scopes are ignored.
   * @param scope The scopes. A team's application can only get `identify` and `applications.commands.update`.
   */
  constructor(api: PlatformApi, scope: readonly SpelledScope<Granted>[] & readonly Scope[]) {
    if (typeof api?.clientCredentials !== "function") throwBadObject("api", "a PlatformApi", api);
    checkedScope(scope);
    this.#api = api;
    this.#scope = [...scope];
  }

  /**
   * Returns a valid token. Requests one if needed.
   *
   * @param options A `timeout` in milliseconds, and a `signal`.
   * @throws {TypeError} If the application is a public client, which does not have credentials.
   * @throws {OAuthError} If Discord rejects the request: `invalid_client` for a wrong secret, `invalid_scope` for a scope that the application
   * may not have.
   * @throws {RateLimitError} On 429. {@link ApiError}, {@link NetworkError}, {@link PayloadError} as in {@link PlatformApi}.
   * @throws {TimeoutError} If no token arrives within `timeout`, by default the timeout of the `PlatformApi`.
   */
  async token(options?: TimedCallOptions | null): Promise<TokenObj<Granted>> {
    return await this.#find(null, options);
  }

  /**
   * Replaces a token that Discord rejected (401). In the ten minutes after that, it returns the same token again, since Discord
   * also responds with 401 when a scope is missing.
   *
   * @param rejected The rejected token, or its `access_token`.
   * @param options A `timeout` in milliseconds, and a `signal`.
   * @throws The errors of {@link ClientCredentials.token}.
   */
  async renew(
    rejected: string | TokenObj,
    options?: TimedCallOptions | null,
  ): Promise<TokenObj<Granted>> {
    const accessToken = typeof rejected === "string" ? rejected : rejected?.access_token;
    checkSecret("rejected", accessToken);
    return await this.#find(accessToken, options);
  }

  async #find(
    rejected: string | null,
    options: TimedCallOptions | null | undefined,
  ): Promise<TokenObj<Granted>> {
    checkCallOptions(options, { timeout: true });
    const { signal, timeout: given } = options ?? {};
    const timeout = given ?? this.#api.timeout;
    checkTimeout(timeout);
    const deadline = deadlineIn(timeout);
    const createError = () => new TimeoutError(`No token arrived within ${timeout} ms`);
    while (true) {
      signal?.throwIfAborted();
      const kept = this.#usableToken(rejected);
      const now = Date.now();
      if (kept && (now < kept.renewAt || now < this.#pausedUntil)) return kept.token;
      if (!isHeld(this.#claim)) {
        try {
          return await withTimeout(this.#request(rejected !== null), deadline, createError, signal);
        } catch (error) {
          signal?.throwIfAborted();
          if (!kept) throw error;
          this.#pausedUntil = Date.now() + clientCredentialsPauseMs;
          return kept.token;
        }
      }
      // Another call requests a token. The old one works meanwhile.
      if (kept) return kept.token;
      const number = this.#requests;
      if (!await untilReleased(this.#claim, deadline.at, signal)) throw createError();
      if (this.#failure?.number === number) throw this.#failure.error;
    }
  }

  /** Returns the kept token if it may be used. */
  #usableToken(rejected: string | null): KeptToken<Granted> | null {
    const kept = this.#kept;
    if (!kept || Date.now() >= kept.endsAt) return null;
    if (kept.token.access_token !== rejected) return kept;
    const isNew = kept.renewedAt !== null &&
      Math.abs(Date.now() - kept.renewedAt) < renewalPauseMs;
    return isNew ? kept : null;
  }

  /** Requests a token for all callers. It goes on if the call that has begun it ends. */
  async #request(isRenewal: boolean): Promise<TokenObj<Granted>> {
    const sentAt = Date.now();
    const number = ++this.#requests;
    this.#claim.heldUntil = performance.now() + this.#api.timeout;
    try {
      const token = await this.#api.clientCredentials<Granted>(this.#scope);
      const lifetimeMs = (token.expires_in ?? Infinity) * 1000;
      this.#kept = {
        token,
        renewAt: sentAt + lifetimeMs * 3 / 4,
        endsAt: sentAt + lifetimeMs - Math.min(lifetimeMs / 8, clockDifferenceMs),
        renewedAt: isRenewal ? sentAt : null,
      };
      return token;
    } catch (error) {
      this.#failure = { number, error };
      throw error;
    } finally {
      release(this.#claim);
    }
  }
}
