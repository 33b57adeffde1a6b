/**
 * Returns valid access tokens from a store, and refreshes each token once for all callers.
 *
 * @module
 */

import { checkSecret, throwBadArgument, throwBadObject } from "../core/arguments.ts";
import { ApiError, NetworkError, RateLimitError, TimeoutError } from "../core/errors.ts";
import { checkOptionNames } from "../core/options.ts";
import { unlessAborted, withTimeout } from "../core/wait.ts";
import type { Scope } from "../links/scopes.ts";
import { checkCallOptions } from "../http/option_names.ts";
import {
  type CallOptions,
  checkTimeout,
  defaultTimeout,
  type TimedCallOptions,
} from "../http/options.ts";
import { leaseMarginMs, renewalPauseMs } from "../http/waits.ts";
import type { TokenObj } from "../resources/token.ts";
import { storeTimeoutError } from "../stores/with_time_limit.ts";
import type { Store } from "../stores/store.ts";
import type { ArcticTokens, ForeignToken } from "./foreign_token.ts";
import { isLeased, takeLease } from "./lease.ts";
import { loginRequiredError } from "./login_required.ts";
import { type RefreshProgress, refreshUnderLease } from "./refresh.ts";
import { startStorePolling } from "./store_polling.ts";
import type { TokenApi } from "./token_api.ts";
import { TokenEntry } from "./token_entry.ts";
import {
  checkRefreshBefore,
  endMargin,
  isToken,
  isValidFor,
  newRecord,
  refreshMargin,
  type TokenRecord,
} from "./token_record.ts";

/** Options of {@link TokenSource}. */
export interface TokenSourceOptions {
  /**
   * The remaining lifetime at which a token is refreshed, in seconds: at least 60, since clocks differ, and at most half of the
   * lifetime. Up to a quarter is added at random, to spread the refreshes of tokens that were issued together.
   *
   * @default {a quarter of the token's lifetime}
   */
  readonly refreshBefore?: number | null | undefined;
}

/**
 * Returns a valid access token of one person, and refreshes it when needed.
 *
 * A refresh token works once: if two requests to a server send it at the same time, the platform refuses one of them, and
 * often logs the person out. A source refreshes once for all callers in all processes that share the store:
 *
 * - A lease in the store, taken by compare-and-set, decides which process sends the refresh token.
 * - The new token is saved before a caller gets it.
 * - A token is refreshed in the last quarter of its lifetime. Meanwhile, other callers use the old access token, or wait if it has
 *   expired.
 * - If the platform does not process a refresh (429, 503, no connection), the next refreshes come after 1, 2, 4 and at last 60 minutes
 *   while the old access token works.
 * - If a response is lost, the refresh token may have been used up. The source then uses the old access token until it
 *   expires, and sends the refresh token again only after that.
 * - If the platform refuses the refresh token, the source uses the old access token until it expires or gets a 401.
 * - Processes share the pause after a 429 or an outage in the store, under a key of its own without a secret:
 *   `guildpass:token-endpoint:<client id>:<API>`. A refresh that has to wait longer than two seconds fails with the wait.
 * - The clocks of two processes may differ by a minute.
 *
 * A call takes at most the `timeout` of the `PlatformApi`, or its own `timeout`. It takes longer only if the platform has issued a
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
 * import { AuthUrl, MemoryStore, parseCallback, PlatformApi, TokenSource, User } from "@guildpass/sdk";
 * import { createFakePlatform, sampleApplication } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform();
 * const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
 * const api = new PlatformApi(id, secret, ["identify"], redirectUri, fake);
 * const store = new MemoryStore(); // a database, where there is more than one process
 *
 * // After the login:
 * const link = await new AuthUrl(id, ["identify"], redirectUri, null, fake).makeUrl({ state: "s7ate" });
 * const { code } = parseCallback(await fake.authorize(link), { state: "s7ate" });
 * await new TokenSource(api, store, "discord:1000000000000000001").save(await api.accessToken(code));
 *
 * // From then on:
 * fake.advance(8 * 24 * 60 * 60 * 1000); // the platform does not accept the token any more
 * const user = new User(new TokenSource(api, store, "discord:1000000000000000001"), fake);
 * (await user.getCurrentUser()).username; // "ada"
 * ```
 *
 * @typeParam Granted The scopes of the tokens, for the compiler. By default, the scopes of the `PlatformApi`.
 * @throws {TypeError} If an argument is wrong. The message names the argument.
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export class TokenSource<Granted extends Scope = any> {
  /** The scopes of the tokens. Used only in types. */
  declare protected readonly grantedScopes?: ((scope: Granted) => void) | undefined;
  readonly #api: TokenApi;
  readonly #entry: TokenEntry;
  readonly #refreshBeforeMs: number | null;
  readonly #timeout: number;
  #search: Search | null = null;
  /** The access token that the platform rejected with 401. */
  #rejected: string | null = null;

  /**
   * Creates the source of one person's tokens, without reading the store.
   *
   * @param api The `PlatformApi` that refreshes and revokes the tokens.
   * @param store The store that all processes share.
   * @param key The key of the person, for example `discord:${user.id}`; or the id of a session, if each device has a login of its own.
   * @param options The options of the source, such as the time of a refresh.
   */
  constructor(
    api: TokenApi<Granted>,
    store: Store,
    key: string,
    options?: TokenSourceOptions | null,
  ) {
    checkOptionNames("options", options, Object.keys(ownOptions));
    this.#refreshBeforeMs = checkRefreshBefore(options?.refreshBefore);
    if (typeof api?.refresh !== "function") throwBadObject("api", "a PlatformApi", api);
    if (typeof store?.load !== "function") throwBadObject("store", "a Store", store);
    if (typeof key !== "string" || key === "") {
      throwBadArgument("key", "text that is not empty", key);
    }
    this.#api = api;
    this.#timeout = api.timeout ?? defaultTimeout;
    this.#entry = new TokenEntry(store, key, this.#timeout);
  }

  /**
   * Returns a valid token, and refreshes it first if it expires soon. Its `guild`, `webhook` and `id_token` are `null`.
   *
   * A `signal` and a `timeout` end only their own call: other calls go on waiting, and a new token is saved.
   *
   * @throws {LoginRequiredError} If there is no token, or it has expired and can't be refreshed: the person must log in.
   * @throws {NetworkError} If the token has expired, and the platform could not be reached or its response was lost; a later
   * call may work. {@link TimeoutError} if no token arrives in time.
   * @throws {OAuthError} If the token has expired, and the platform refuses the application instead of the refresh token;
   * {@link RateLimitError} on 429, also without a request until the wait ends, for at most ten minutes; {@link ApiError} on
   * any other response that is not a success, also without a request in a pause after three failures; {@link PayloadError} on
   * one that can't be read.
   * @throws {StoreTimeoutError} If the store does not respond within the `timeout` of the `PlatformApi`. Errors of the store pass
   * through.
   */
  async token(options?: TimedCallOptions | null): Promise<TokenObj<Granted>> {
    const { signal, timeout } = this.#readOptions(options);
    // The first caller waits for the refresh even while the old token works: a serverless runtime may stop work for which no
    // request waits. The wait leaves time for a request with the old token.
    const isFirst = this.#ongoingSearch() === null;
    const promiseOf = ({ token, oldToken }: Search) =>
      isFirst ? unlessLate(token, oldToken, timeout / 2) : Promise.race([token, oldToken]);
    return await this.#waitFor(promiseOf, timeout, signal);
  }

  /**
   * Replaces a token that the platform rejected (401). Returns the newer token of another caller, or a refreshed token.
   * In the ten minutes after such a refresh, it returns the same token again, since the platform also responds with 401 when a
   * scope is missing.
   *
   * @param rejected The rejected token, or its `access_token`.
   * @throws The errors of {@link TokenSource.token}.
   */
  async renew(
    rejected: string | TokenObj,
    options?: TimedCallOptions | null,
  ): Promise<TokenObj<Granted>> {
    const accessToken = typeof rejected === "string" ? rejected : rejected?.access_token;
    checkSecret("rejected", accessToken);
    const { signal, timeout } = this.#readOptions(options);
    const end = performance.now() + timeout;
    const joined = this.#ongoingSearch() !== null;
    this.#rejected = accessToken;
    const token = await this.#waitFor((search) => search.token, timeout, signal);
    if (token.access_token !== accessToken || !joined) return token;
    // This call joined a search that began before the token was rejected. A new search takes that into account.
    return await this.#waitFor((search) => search.token, end - performance.now(), signal);
  }

  /**
   * Saves the token of a new login, and replaces the token in the store.
   *
   * @param token A token of this library, a response of the token endpoint, or a token as another library stores it: see
   * {@link ForeignToken}.
   * @throws {TypeError} If the argument is not a token. The message names the wrong field.
   * @throws {StoreTimeoutError} If the store does not respond within the `timeout` of the `PlatformApi`: the token may be
   * saved or not, and can be saved again. {@link TimeoutError} if others keep changing the record. Errors of the store pass through.
   */
  async save(token: TokenObj<Granted> | ForeignToken | ArcticTokens): Promise<void> {
    const record = newRecord(await toTokenObj(token), Date.now());
    const nextLook = startPolling("The token was not saved", this.#timeout);
    while (!(await this.#entry.overwrite(record))) await nextLook();
  }

  /**
   * Logs the person out: revokes the token at the platform and removes it from the store. **This revokes all tokens of the
   * application for this person, on all devices.** To log out one device, remove its key from the store.
   *
   * Without a token, the call has no effect. It waits for a refresh under way, to revoke the newest token. A login that is saved
   * during the call is kept.
   *
   * @throws The errors of {@link PlatformApi.revoke}. The token is then still in the store. Errors of the store pass through.
   * @throws {StoreTimeoutError} If the store does not respond within the `timeout` of the `PlatformApi`: the token may have been
   * revoked, and may still be in the store. It is safe to call this method again. {@link TimeoutError} if a refresh takes too long.
   */
  async revoke(): Promise<void> {
    // The lease of another process, and the time limit of this call.
    const maxWaitMs = 2 * this.#timeout + leaseMarginMs;
    const nextLook = startPolling("The token was not revoked", maxWaitMs);
    while (!(await this.#tryToRevoke())) await nextLook();
  }

  /** Revokes the token and removes it from the store. Returns false if the caller must read the store again. */
  async #tryToRevoke(): Promise<boolean> {
    const { record, version } = await this.#entry.load();
    if (!record) return true;
    if (isLeased(record.lease)) return false;
    const latest = performance.now() + leaseMarginMs / 2;
    const held = await takeLease(this.#entry, { record, version }, latest);
    if (!held) return false;
    try {
      await this.#api.revoke(record.token);
    } catch (error) {
      await this.#entry.tryToWrite({ ...record, lease: null }, held.version);
      throw error;
    }
    await this.#entry.write(null, held.version);
    return true;
  }

  #readOptions(options: TimedCallOptions | null | undefined) {
    checkCallOptions(options, timedOptions);
    const timeout = options?.timeout ?? this.#timeout;
    checkTimeout(timeout);
    return { signal: options?.signal, timeout };
  }

  /** Waits for a promise of the current search, or of a new search. The search goes on for other callers. */
  async #waitFor(
    promiseOf: (search: Search) => Promise<TokenObj>,
    milliseconds: number,
    signal: AbortSignal | null | undefined,
  ): Promise<TokenObj> {
    signal?.throwIfAborted();
    const search = this.#ongoingSearch() ?? this.#startSearch();
    const createError = () => {
      const { operation } = this.#entry;
      return operation
        ? storeTimeoutError(operation, milliseconds)
        : timeoutError("There was no valid token", milliseconds);
    };
    try {
      return await withTimeout(promiseOf(search), milliseconds, createError, signal);
    } catch (error) {
      if (!search.progress.isIssued) throw error;
      // A runtime may stop work for which no request waits, and with it the save of a token. Another error than the timeout comes again.
      return await unlessAborted(search.token, signal);
    }
  }

  /** Returns the search under way, or `null`. A late search counts only with an issued token: a slow store must not delay others. */
  #ongoingSearch(): Search | null {
    const search = this.#search;
    if (!search) return null;
    const { deadline, isIssued } = search.progress;
    return isIssued || performance.now() < deadline ? search : null;
  }

  #startSearch(): Search {
    let resolve: ((token: TokenObj) => void) | undefined;
    const oldToken = new Promise<TokenObj>((resolveOldToken) => resolve = resolveOldToken);
    const progress: Progress = {
      deadline: performance.now() + this.#timeout,
      isIssued: false,
      watched: null,
      offerOldToken: (old) => resolve?.(old),
    };
    const token = this.#find(progress).finally(() => {
      if (this.#search === search) this.#search = null;
    });
    const search = { token, oldToken, progress };
    return this.#search = search;
  }

  async #find(progress: Progress): Promise<TokenObj> {
    const nextLook = startPolling("There was no valid token", this.#timeout);
    while (true) {
      const token = await this.#tryToFind(progress);
      if (token) return token;
      await nextLook();
    }
  }

  /** Returns a valid token, or `null` if the caller must read the store again. */
  async #tryToFind(progress: Progress): Promise<TokenObj | null> {
    const { record, version, isEmpty } = await this.#entry.load();
    if (!record) throw loginRequiredError(isEmpty ? "no_token" : "unreadable");
    if (record.awaitsRevocation) throw loginRequiredError("no_token");
    const { token, lease } = record;
    const age = this.#ageOf(record);
    const isOld = age === "old";
    if (age === "fresh" || (isOld && !canBeRefreshed(record))) return token;
    if (!isOld) throwIfNotRefreshable(record);
    if (!isOld && progress.watched) throwIfFailed(record, progress.watched);
    if (isLeased(lease)) {
      progress.watched = record;
      return null;
    }
    if (isOld) progress.offerOldToken(token);
    const circumstances = { isOld, isRenewal: this.#isRejected(record), progress };
    return await refreshUnderLease(this.#api, this.#entry, { record, version }, circumstances);
  }

  #ageOf(record: TokenRecord): Age {
    const { token } = record;
    if (this.#isRejected(record)) return "ended";
    if (isValidFor(token, refreshMargin(record, this.#refreshBeforeMs))) return "fresh";
    return isValidFor(token, endMargin(token)) ? "old" : "ended";
  }

  #isRejected({ token, renewedAt }: TokenRecord): boolean {
    if (token.access_token !== this.#rejected) return false;
    return renewedAt === null || Date.now() >= renewedAt + renewalPauseMs;
  }
}

const ownOptions = { refreshBefore: true } satisfies Record<keyof TokenSourceOptions, true>;

const timedOptions = { timeout: true } satisfies Record<
  Exclude<keyof TimedCallOptions, keyof CallOptions>,
  true
>;

/** The search for a valid token, with many waiting callers. */
interface Search {
  readonly token: Promise<TokenObj>;
  /** Resolves with the old token if that still works during the refresh; otherwise stays pending. */
  readonly oldToken: Promise<TokenObj>;
  readonly progress: Progress;
}

/** The progress of a search. */
interface Progress extends RefreshProgress {
  /** Receives an old token that still works, before its refresh. */
  readonly offerOldToken: (token: TokenObj) => void;
  /** The record with the lease for which this search waits. */
  watched: TokenRecord | null;
}

/** Reads the token of a login. Only other tokens than this library's need the code that reads them. */
async function toTokenObj(token: TokenObj | ForeignToken | ArcticTokens): Promise<TokenObj> {
  // Every `TokenObj` has this field, also without a webhook, and the tokens of other libraries do not.
  if (isToken(token) && "webhook" in token) return token;
  const { fromForeignToken } = await import("./foreign_token.ts");
  return fromForeignToken(token);
}

/** The age of a token: a fresh token works, an old token works but should be refreshed, and an ended token does not work. */
type Age = "fresh" | "old" | "ended";

/** Returns the new token, or the old token after a time limit in milliseconds. */
function unlessLate(
  token: Promise<TokenObj>,
  oldToken: Promise<TokenObj>,
  milliseconds: number,
): Promise<TokenObj> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => void oldToken.then(resolve), milliseconds);
    token.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Starts to poll the store. `failure` is the start of the error message, as in "The token was not saved". */
function startPolling(failure: string, maxWaitMs: number): () => Promise<void> {
  return startStorePolling(maxWaitMs, () => timeoutError(failure, maxWaitMs));
}

function timeoutError(failure: string, milliseconds: number): TimeoutError {
  return new TimeoutError(`${failure} within ${milliseconds} ms`, {
    hint: "The store is slow, or another process is refreshing the token",
  });
}

/** Returns true if the refresh token may be sent while the access token still works. */
function canBeRefreshed({ token, lease, refused, pause }: TokenRecord): boolean {
  return token.refresh_token !== null && !refused && lease === null && !isAhead(pause?.until);
}

/** Throws if an ended token can't be refreshed now, or at all. */
function throwIfNotRefreshable({ token, refused, pause }: TokenRecord): void {
  if (refused) throw loginRequiredError("refused");
  if (token.refresh_token === null) throw loginRequiredError("no_refresh_token");
  const limitUntil = pause?.limitUntil;
  if (isAhead(limitUntil)) {
    const retryAfter = (limitUntil - Date.now()) / 1000;
    const message = "The token was not refreshed: the platform has asked to wait";
    throw new RateLimitError(message, { httpStatus: 429, retryAfter });
  }
}

/**
 * Throws if the platform did not process a refresh of another process while this search waited for it. A later call tries again. After
 * a refresh without a known outcome, the refresh token is sent again at once, since the old token has ended.
 */
function throwIfFailed({ pause }: TokenRecord, watched: TokenRecord): void {
  if (!pause?.failure || pause.failures === watched.pause?.failures) return;
  const message = "The token was not refreshed: the refresh of another process has failed";
  const { status, retryAfter } = pause.failure;
  throw status === null
    ? new NetworkError(message, { mayHaveArrived: false, retryAfter })
    : new ApiError(`${message} (${status})`, { httpStatus: status, retryAfter });
}

function isAhead(time: number | null | undefined): time is number {
  return time != null && Date.now() < time;
}
