/**
 * Returns valid access tokens from a store, and refreshes each token once for all callers.
 *
 * @module
 */

import {
  assertStore,
  checkSecret,
  throwBadArgument,
  throwBadNumber,
  throwBadObject,
} from "../core/arguments.ts";
import { deadlineIn } from "../core/wait.ts";
import { checkOptionNames } from "../core/options.ts";
import type { Scope } from "../links/scopes.ts";
import {
  type CallOptions,
  checkCallOptions,
  checkTimeout,
  defaultTimeout,
  type TimedCallOptions,
} from "../http/options.ts";
import type { TokenObj } from "../resources/token.ts";
import type { Store } from "../stores/store.ts";
import { KeptToken } from "./kept_token.ts";
import type { TokenApi } from "./token_api.ts";
import { clockDifferenceMs } from "../http/waits.ts";

/** Options of {@link TokenSource}. */
export interface TokenSourceOptions {
  /**
   * The remaining lifetime at which a token is refreshed, in seconds. Values below 60 mean 60, since clocks differ, and values above
   * half of the lifetime mean half. Up to a quarter is added at random, to spread out the refreshes of tokens issued together.
   *
   * @default {a quarter of the token's lifetime}
   */
  readonly refreshBefore?: number | null | undefined;
}

/**
 * Returns a valid access token of one user, and refreshes it when needed.
 *
 * A refresh token works once: if two requests to a server send it at the same time, Discord rejects one of them, and
 * often logs the user out. A source refreshes once for all callers in all processes that share the store:
 *
 * - A lease in the store, taken by compare-and-set, decides which process sends the refresh token.
 * - The new token is saved before a caller gets it.
 * - A token is refreshed in the last quarter of its lifetime. Meanwhile, other callers use the old access token, or wait if it has
 *   expired.
 * - If Discord does not process a refresh (429, 503, no connection), it tries again after 1, 2, 4 and at most 60 minutes while the
 *   old access token works.
 * - If a response is lost, the refresh token may have been used up. The source then uses the old access token until it
 *   expires, and sends the refresh token again only after that.
 * - If Discord rejects the refresh token, the source uses the old access token until it expires or gets a 401.
 * - A process has at most two refreshes in flight. After a 429, or three failures of Discord, its refreshes wait for up to a
 *   minute. If a token has expired, its call then fails at once with `retryAfter`.
 * - The clocks of two processes may differ by a minute.
 *
 * A call takes at most the `timeout` of the `PlatformApi`, or its own `timeout`. It takes longer only if Discord has issued a
 * token, which is then read and saved, so that it is not lost. A refresh ends after the `timeout` of the `PlatformApi`; if the call
 * that began the refresh ends earlier, the next call waits for the refresh. While the old access token works, a call waits for a
 * refresh for half of its time limit.
 *
 * Two sources with the same key and store share a token, so you can create a source for each request. On Cloudflare Workers you must,
 * since a request can't wait for the work of another request there. Pass the promise of `token()` to `context.waitUntil()`, so that
 * a visitor who leaves does not end a refresh.
 *
 * @example
 * ```ts
 * import {
 *   AuthUrl,
 *   MemoryStore,
 *   parseCallback,
 *   PlatformApi,
 *   TokenSource,
 *   User,
 * } from "@guildpass/sdk";
 * import {
 *   createFakePlatform,
 *   sampleApplication,
 * } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform();
 * const { id, secret, redirectUris: [redirectUri = ""] } =
 *   sampleApplication;
 * const api = new PlatformApi(
 *   id,
 *   secret,
 *   ["identify"],
 *   redirectUri,
 *   fake,
 * );
 * const store = new MemoryStore(); // a database, for several processes
 *
 * // After the login:
 * const auth = new AuthUrl(id, ["identify"], redirectUri, null, fake);
 * const link = await auth.makeUrl({ state: "s7ate" });
 * const { code } = parseCallback(await fake.authorize(link), {
 *   state: "s7ate",
 * });
 * await new TokenSource(api, store, "discord:1000000000000000001").save(
 *   await api.accessToken(code),
 * );
 *
 * // From then on:
 * // Discord does not accept the access token anymore.
 * fake.advance(8 * 24 * 60 * 60 * 1000);
 * const user = new User(
 *   new TokenSource(api, store, "discord:1000000000000000001"),
 *   fake,
 * );
 * (await user.getCurrentUser()).username; // "ada"
 * ```
 *
 * @typeParam Granted The scopes of the tokens. Used only in types. By default, the scopes of the `PlatformApi`.
 * @throws {TypeError} If an argument is wrong.
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export class TokenSource<Granted extends Scope = any> {
  /** The scopes of the tokens. Used only in types. */
  declare protected readonly grantedScopes?: ((scope: Granted) => void) | undefined;
  readonly #timeout: number;
  readonly #kept: KeptToken;

  /**
   * Creates the source of one user's tokens, without reading the store.
   *
   * @param api The `PlatformApi` that refreshes and revokes the tokens.
   * @param store The store that all processes share.
   * @param key The key of the user, for example `discord:${user.id}`; or the id of a session, if each device has its own login.
   * @param options The options of the source, such as the time of a refresh.
   */
  constructor(
    api: TokenApi<Granted>,
    store: Store,
    key: string,
    options?: TokenSourceOptions | null,
  ) {
    checkOptionNames("options", options, Object.keys(ownOptions));
    const refreshBeforeMs = checkRefreshBefore(options?.refreshBefore);
    if (typeof api?.refresh !== "function") throwBadObject("api", "a PlatformApi", api);
    assertStore(store);
    if (typeof key !== "string" || key === "") {
      throwBadArgument("key", "a non-empty string", key);
    }
    const timeout = this.#timeout = api.timeout ?? defaultTimeout;
    this.#kept = new KeptToken(api, store, key, timeout, refreshBeforeMs);
  }

  /**
   * Returns a valid token. Refreshes it first if it expires soon. Its `guild`, `webhook` and `id_token` are `null`.
   *
   * A `signal` and a `timeout` end only their own call: other calls keep waiting, and a new token is saved.
   *
   * @example
   * ```ts
   * import type { TokenSource } from "@guildpass/sdk";
   *
   * async function authorization(tokens: TokenSource) {
   *   const { access_token } = await tokens.token();
   *   return `Bearer ${access_token}`;
   * }
   * ```
   *
   * @param options A `timeout` in milliseconds, and a `signal`.
   * @throws {LoginRequiredError} If there is no token, or it has expired and can't be refreshed: the user must log in.
   * @throws {NetworkError} If the token has expired, and Discord could not be reached or its response was lost; also without a
   * request, after three failures or while two other refreshes take too long. A later call may work. {@link TimeoutError} if no token arrives in time.
   * @throws {OAuthError} If the token has expired, and Discord rejects the application instead of the refresh token;
   * {@link RateLimitError} on 429, also without a request until the wait ends, for at most ten minutes; {@link ApiError} on
   * any other unsuccessful response; {@link PayloadError} on a
   * response that can't be read.
   * @throws {StoreTimeoutError} If the store does not respond within the `timeout` of the `PlatformApi`. Errors of the store pass
   * through.
   */
  async token(options?: TimedCallOptions | null): Promise<TokenObj<Granted>> {
    const { signal, deadline } = this.#readOptions(options);
    return await this.#kept.find(deadline, signal);
  }

  /**
   * Replaces a token that Discord rejected (401). Returns the newer token of another caller, or a refreshed token.
   * In the ten minutes after such a refresh, it returns the same token again, since Discord also responds with 401 when a
   * scope is missing.
   *
   * @example
   * ```ts
   * import type { TokenSource } from "@guildpass/sdk";
   *
   * // A `User` does this itself after a 401.
   * async function nextToken(tokens: TokenSource, rejected: string) {
   *   const { access_token } = await tokens.renew(rejected);
   *   return access_token;
   * }
   * ```
   *
   * @param rejected The rejected token, or its `access_token`.
   * @param options A `timeout` in milliseconds, and a `signal`.
   * @throws The errors of {@link TokenSource.token}.
   */
  async renew(
    rejected: string | TokenObj,
    options?: TimedCallOptions | null,
  ): Promise<TokenObj<Granted>> {
    const accessToken = typeof rejected === "string" ? rejected : rejected?.access_token;
    checkSecret("rejected", accessToken);
    const { signal, deadline } = this.#readOptions(options);
    return await this.#kept.renew(accessToken, deadline, signal);
  }

  /**
   * Saves the token of a new login, and replaces the token in the store.
   *
   * @param token A token of this library, or the JSON of Discord's response, which has no `expires_at` and no `scopes`.
   * @throws {TypeError} If the argument is not a token. The message names the wrong field.
   * @throws {StoreTimeoutError} If the store does not respond within the `timeout` of the `PlatformApi`: the token may be
   * saved or not, and can be saved again. {@link TimeoutError} if others keep changing the record. Errors of the store pass through.
   */
  async save(
    token: Pick<TokenObj<Granted>, "access_token"> & Partial<TokenObj<Granted>>,
  ): Promise<void> {
    await this.#kept.save(token);
  }

  /**
   * Logs the user out: revokes the Discord token and removes it from the store. **This revokes all tokens of the
   * application for this user, on all devices.** To log out one device, remove its key from the store.
   *
   * Without a token, the call has no effect. It waits for a refresh in progress, to revoke the newest token. A login that is saved
   * during the call is kept.
   *
   * @example
   * ```ts
   * import type { TokenSource } from "@guildpass/sdk";
   *
   * const disconnect = async (tokens: TokenSource) => await tokens.revoke();
   * ```
   *
   * @throws The errors of {@link PlatformApi.revoke}. The token is then still in the store. Errors of the store pass through.
   * @throws {StoreTimeoutError} If the store does not respond within the `timeout` of the `PlatformApi`: the token may have been
   * revoked, and may still be in the store. It is safe to call this method again. {@link TimeoutError} if a refresh takes too long.
   */
  async revoke(): Promise<void> {
    await this.#kept.revoke();
  }

  #readOptions(options: TimedCallOptions | null | undefined) {
    checkCallOptions(options, timedOptions);
    const timeout = options?.timeout ?? this.#timeout;
    checkTimeout(timeout);
    return { signal: options?.signal, deadline: deadlineIn(timeout) };
  }
}

const ownOptions = { refreshBefore: true } satisfies Record<keyof TokenSourceOptions, true>;

const timedOptions = { timeout: true } satisfies Record<
  Exclude<keyof TimedCallOptions, keyof CallOptions>,
  true
>;

/**
 * Checks the option `refreshBefore`, and returns it in milliseconds, or `null` without one.
 *
 * @throws {TypeError} If the option is not a number of seconds.
 */
export function checkRefreshBefore(given: number | null | undefined): number | null {
  if (given == null) return null;
  if (!(Number.isFinite(given) && given >= 0)) {
    throwBadNumber("refreshBefore", "a number of seconds", given);
  }
  return Math.max(given * 1000, clockDifferenceMs);
}
