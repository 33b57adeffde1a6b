/**
 * Returns valid access tokens from a store, and refreshes each token once, however many callers ask.
 *
 * @module
 */

import { checkSecret, throwBadArgument, throwBadObject } from "../core/arguments.ts";
import {
  ApiError,
  NetworkError,
  OAuthError,
  RateLimitError,
  TimeoutError,
} from "../core/errors.ts";
import { checkOptionNames } from "../core/options.ts";
import type { Scope } from "../links/scopes.ts";
import { checkCallOptions } from "../http/option_names.ts";
import { RecentMap } from "../http/recent_map.ts";
import { checkTimeout, defaultTimeout, type TimedCallOptions } from "../http/options.ts";
import type { TokenObj } from "../resources/token.ts";
import { storeTimeoutError, withTimeLimit } from "../stores/with_time_limit.ts";
import type { Store } from "../stores/store.ts";
import { loginRequiredError } from "./login_required.ts";
import { isRefusedRefresh } from "./token_hints.ts";
import {
  checkRefreshBefore,
  clockDifference,
  doubtfulRecord,
  endMargin,
  expiryOf,
  isRemoved,
  isToken,
  isValidFor,
  type Lease,
  newRecord,
  pausedRecord,
  readRecord,
  refreshMargin,
  refusedRecord,
  type TokenRecord,
} from "./token_record.ts";
import { sleep, unlessAborted, withTimeout } from "../core/wait.ts";

/** Options of {@link TokenSource}. */
export interface TokenSourceOptions {
  /**
   * The remaining lifetime from which on a token is refreshed, in seconds. Less than 60 counts as 60, since clocks differ, and more
   * than half of the lifetime as half. A random addition of up to a quarter spreads the refreshes of tokens that were issued together.
   *
   * @default {a quarter of the token's lifetime}
   */
  readonly refreshBefore?: number | null | undefined;
}

/** Options of a refresh. */
export interface RefreshOptions extends TimedCallOptions {
  /** Called as soon as a success has begun. The refresh token is then used up, and the new token is read beyond the time limit. */
  readonly onIssued?: (() => void) | null | undefined;
}

/**
 * The methods of `PlatformApi` that a source uses.
 *
 * @typeParam Granted The scopes of the tokens, for the compiler.
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export interface TokenApi<Granted extends Scope = any> {
  /** The time limit of a request, in milliseconds. @default {10_000} */
  readonly timeout?: number | undefined;
  /** Not called: its type says which scopes the tokens have. */
  accessToken?(code: string): Promise<TokenObj<Granted>>;
  /** See {@link PlatformApi.refresh}: rejects with `invalid_grant` if the refresh token will not work again. */
  refresh(token: TokenObj, options?: RefreshOptions | null): Promise<TokenObj>;
  /** See {@link PlatformApi.revoke}. */
  revoke(token: TokenObj): Promise<void>;
}

/**
 * Returns a valid access token of one person, and refreshes it when needed.
 *
 * A refresh token works once: if two requests to a server send it at the same time, the platform refuses one, and often the
 * person is logged out. A source refreshes once for all callers in all processes that share the store:
 *
 * - A lease in the store, taken by compare-and-set, decides who sends the refresh token.
 * - The new token is in the store before any caller has it.
 * - A token is refreshed in the last quarter of its lifetime. Other callers use the old access token meanwhile, or wait if it has
 *   expired.
 * - If the platform does not process a refresh (429, 503, no connection), the next tries come after 1, 2, 4 and at last 60 minutes
 *   while the old access token works.
 * - If a response is lost, the refresh token may have been used up. The source then uses the old access token to its end, and
 *   sends the refresh token again only after that, when nothing can be lost any more.
 * - If the platform refuses the refresh token, the source uses the old access token to its end, or to its first 401.
 * - The clocks of two processes may differ by a minute.
 *
 * A call takes at most the `timeout` of the `PlatformApi`, or its own `timeout`. It takes longer only if the platform has issued a
 * token, which is then read and saved, so that it is not lost. A request for a token is cut at the end of the `timeout` of the
 * `PlatformApi`; if its call has ended before, the next call waits for it. As long as the old access token works, a call waits for a
 * refresh for half of its time.
 *
 * Two sources with the same key and store share a token, so you can make one for each request. On Cloudflare Workers you must,
 * since one request can't wait there for another one's work. Pass the promise of `token()` to `context.waitUntil()`, so that a
 * visitor who leaves does not end a refresh.
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
 * @typeParam Granted The scopes of the tokens, for the compiler: those of the `PlatformApi`, unless others are named.
 * @throws {TypeError} If an argument is wrong, with its name.
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export class TokenSource<Granted extends Scope = any> {
  /** The scopes of the tokens, for the compiler alone. */
  declare protected readonly grantedScopes?: ((scope: Granted) => void) | undefined;
  readonly #api: TokenApi;
  readonly #store: Store;
  readonly #key: string;
  // These four are in milliseconds. The last is the time for which `revoke` waits for the lease of another process.
  readonly #refreshBefore: number | null;
  readonly #timeout: number;
  readonly #leaseDuration: number;
  readonly #maxLeaseWait: number;
  #search: Search | null = null;
  /** The access token that the platform answered with 401. */
  #rejected: string | null = null;
  /** A record that could not be saved. The next call saves it. */
  #unsaved: Replacement | null = null;
  /** The operation of the store that is under way, for errors. */
  #operation: string | null = null;

  constructor(
    /** The `PlatformApi` that refreshes and revokes the tokens. */
    api: TokenApi<Granted>,
    /** The store that all processes share. */
    store: Store,
    /** The person, for example `discord:${user.id}`; or the id of a session, when each device has a login of its own. */
    key: string,
    options?: TokenSourceOptions | null,
  ) {
    checkOptionNames("options", options, ["refreshBefore"]);
    const refreshBefore = checkRefreshBefore(options?.refreshBefore);
    if (typeof api?.refresh !== "function") throwBadObject("api", "a PlatformApi", api);
    if (typeof store?.load !== "function") throwBadObject("store", "a Store", store);
    if (typeof key !== "string" || key === "") {
      throwBadArgument("key", "text that is not empty", key);
    }
    const timeout = api.timeout ?? defaultTimeout;
    this.#api = api;
    this.#store = withTimeLimit(store, timeout);
    this.#key = key;
    this.#refreshBefore = refreshBefore;
    this.#timeout = timeout;
    this.#leaseDuration = timeout + leaseMargin;
    this.#maxLeaseWait = this.#leaseDuration + timeout;
  }

  /**
   * Returns a valid token, and refreshes it first when it is near its end. Its `guild`, `webhook` and `id_token` are `null`.
   *
   * A `signal` and a `timeout` end only the wait of their own call: others go on waiting, and a new token is saved.
   *
   * @throws {LoginRequiredError} If there is no token, or it has expired and can't be refreshed: the person must log in.
   * @throws {NetworkError} If the token has expired, and the platform could not be reached or its answer was lost; trying
   * again later helps. {@link TimeoutError} if no token arrives in time.
   * @throws {OAuthError} If the token has expired, and the platform refuses the application instead of the refresh token;
   * {@link RateLimitError} on 429, and without another request until that limit ends, for ten minutes at most; {@link ApiError} on
   * any other answer that is not a success, {@link PayloadError} on one that can't be read.
   * @throws {StoreTimeoutError} If the store does not answer within the `timeout` of the `PlatformApi`. Errors of the store pass
   * through.
   */
  async token(options?: TimedCallOptions | null): Promise<TokenObj<Granted>> {
    const { signal, timeout } = this.#readOptions(options);
    // The first caller waits for the refresh even while the old token works: a serverless runtime may stop work for which no
    // request waits. It leaves time for a request with the old token.
    const isFirst = this.#ongoingSearch() === null;
    const promiseOf = ({ token, oldToken }: Search) =>
      isFirst ? unlessLate(token, oldToken, timeout / 2) : Promise.race([token, oldToken]);
    return await this.#waitFor(promiseOf, timeout, signal);
  }

  /**
   * Returns another token in place of one that the platform answered with 401: the one that another caller already got, or a
   * refreshed one. In the ten minutes after such a refresh it returns the same token again, since the platform also answers 401
   * when a scope is missing.
   *
   * @param rejected The rejected token, or its `access_token`.
   * @throws As {@link TokenSource.token} does.
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
   * @throws {TypeError} If it is not a token.
   * @throws {StoreTimeoutError} If the store does not answer within the `timeout` of the `PlatformApi`: the token may be
   * saved or not, and can be saved again. {@link TimeoutError} if others keep changing the record. Errors of the store pass through.
   */
  async save(token: TokenObj<Granted>): Promise<void> {
    if (!isToken(token)) throwBadObject("token", "the whole answer of a token request", token);
    const record = newRecord(token, Date.now());
    const backoff = new Backoff("The token was not saved", this.#timeout);
    while ((await this.#write(record, (await this.#read()).version)) === null) {
      await backoff.next();
    }
    this.#unsaved = null;
  }

  /**
   * Logs the person out: revokes the token at the platform and removes it from the store. **That ends every token that the
   * application has of that person, on every device.** To forget one device, remove the key from the store.
   *
   * It has no effect without a token. It waits for a refresh that is under way, so that it revokes the newest token. It keeps a
   * login that is saved while it works.
   *
   * @throws As `PlatformApi.revoke` does. The token is then still in the store. Errors of the store pass through.
   * @throws {StoreTimeoutError} If the store does not answer within the `timeout` of the `PlatformApi`: the token may have been
   * revoked, and may still be in the store. It does no harm to call it again. {@link TimeoutError} if a refresh takes too long.
   */
  async revoke(): Promise<void> {
    const backoff = new Backoff("The token was not revoked", this.#maxLeaseWait);
    while (!(await this.#tryToRevoke())) await backoff.next();
  }

  /** Revokes the token and removes it from the store. Returns false if the store has to be read again. */
  async #tryToRevoke(): Promise<boolean> {
    const { record, version } = await this.#load();
    if (!record) return true;
    if (record.lease && !this.#hasExpired(record.lease)) return false;
    const held = await this.#takeLease(record, version, performance.now() + leaseMargin / 2);
    if (!held) return false;
    try {
      await this.#api.revoke(record.token);
    } catch (error) {
      await this.#tryToWrite({ ...record, lease: null }, held.version);
      throw error;
    }
    // delete() would also remove a login that is saved in the meantime. Some databases take null for no value.
    await this.#store.save(this.#key, {}, { version: held.version, expiresAt: Date.now() });
    return true;
  }

  #readOptions(options: TimedCallOptions | null | undefined) {
    checkCallOptions(options, ["timeout"]);
    const timeout = options?.timeout ?? this.#timeout;
    checkTimeout(timeout);
    return { signal: options?.signal, timeout };
  }

  /** Waits for a promise of the current search, or of a new one. The search goes on for others. */
  async #waitFor(
    promiseOf: (search: Search) => Promise<TokenObj>,
    milliseconds: number,
    signal: AbortSignal | null | undefined,
  ): Promise<TokenObj> {
    signal?.throwIfAborted();
    const search = this.#ongoingSearch() ?? this.#startSearch();
    let isLate = false;
    const createError = () => {
      isLate = true;
      return this.#operation === null
        ? timeoutError("There was no valid token", milliseconds)
        : storeTimeoutError(this.#operation, milliseconds);
    };
    try {
      return await withTimeout(promiseOf(search), milliseconds, createError, signal);
    } catch (error) {
      if (!isLate || !search.progress.isIssued) throw error;
      // A runtime may stop work for which no request waits, and with it the save of a token.
      return await unlessAborted(search.token, signal);
    }
  }

  /** Returns the search under way. A store that does not respond must not hold up later callers, so a late one does not count. */
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
      offerOldToken: (old) => resolve?.(old),
    };
    const token = this.#find(progress).finally(() => {
      if (this.#search === search) this.#search = null;
    });
    const search = { token, oldToken, progress };
    return this.#search = search;
  }

  async #find(progress: Progress): Promise<TokenObj> {
    const backoff = new Backoff("There was no valid token", this.#timeout);
    while (true) {
      const token = await this.#tryToFind(progress);
      if (token) return token;
      await backoff.next();
    }
  }

  /** Returns a valid token, or `null` if the store has to be read again. */
  async #tryToFind(progress: Progress): Promise<TokenObj | null> {
    const { record, version, isEmpty } = await this.#load();
    if (!record) throw loginRequiredError(isEmpty ? "no_token" : "unreadable");
    if (record.awaitsRevocation) throw loginRequiredError("no_token");
    const { token, lease } = record;
    const age = this.#ageOf(record);
    if (age === "fresh" || (age === "old" && !canBeRefreshed(record))) return token;
    if (age === "ended") throwIfNotRefreshable(record);
    if (lease && !this.#hasExpired(lease)) return null;
    if (age === "old") progress.offerOldToken(token);
    // With less time, the response might come too late, and the token in it would be lost.
    const latest = progress.deadline - this.#timeout / 2;
    const held = await this.#tryToTakeLease(record, version, age, latest);
    if (!held) return age === "old" ? token : null;
    return await this.#refresh(held, age, progress);
  }

  #ageOf(record: TokenRecord): Age {
    const { token } = record;
    if (this.#isRejected(record)) return "ended";
    if (isValidFor(token, refreshMargin(record, this.#refreshBefore))) return "fresh";
    return isValidFor(token, endMargin(token)) ? "old" : "ended";
  }

  #isRejected({ token, renewedAt }: TokenRecord): boolean {
    if (token.access_token !== this.#rejected) return false;
    return renewedAt === null || Date.now() >= renewedAt + renewalPause;
  }

  /**
   * Returns true if a lease has ended: its duration has passed since this process first saw it, or its end has passed by the
   * clock. The clock also serves a process that sees the lease for the first time.
   */
  #hasExpired({ id, duration, until }: Lease): boolean {
    return performance.now() - seenLeases.get(id) > duration ||
      Date.now() > until + clockDifference;
  }

  /**
   * Takes the lease. Returns `null` if another process was faster, or it is too late.
   *
   * @param latest The latest time at which it is of use, as of `performance.now()`.
   */
  async #takeLease(
    record: TokenRecord,
    version: string | null,
    latest: number,
  ): Promise<HeldLease | null> {
    if (performance.now() > latest) return null;
    const id = crypto.randomUUID();
    const duration = this.#leaseDuration;
    seenLeases.get(id);
    const leased = { ...record, lease: { id, duration, until: Date.now() + duration } };
    const leasedVersion = await this.#write(leased, version);
    if (leasedVersion === null) return null;
    if (performance.now() > latest) {
      await this.#tryToWrite({ ...record, lease: null }, leasedVersion);
      return null;
    }
    return { leased, version: leasedVersion };
  }

  /** Takes the lease. As long as the old token works, it returns `null` if the store fails. */
  async #tryToTakeLease(
    record: TokenRecord,
    version: string | null,
    age: Age,
    latest: number,
  ): Promise<HeldLease | null> {
    try {
      return await this.#takeLease(record, version, latest);
    } catch (error) {
      if (age === "ended") throw error;
      return null;
    }
  }

  /** Refreshes the token under the lease. Returns `null` if the store has to be read again. */
  async #refresh(
    { leased, version }: HeldLease,
    age: Age,
    progress: Progress,
  ): Promise<TokenObj | null> {
    const isRenewal = this.#isRejected(leased);
    let token: TokenObj;
    try {
      token = await this.#request(leased.token, progress);
    } catch (error) {
      if (isRefusedRefresh(error)) {
        await this.#replace({ leased, next: refusedRecord }, version);
        return null;
      }
      const next = wasNotProcessed(error)
        ? pausedRecord(leased, limitOf(error))
        : doubtfulRecord(leased, leased.lease);
      await this.#tryToWrite(next, version);
      if (age === "old") return leased.token;
      throw error;
    }
    const renewedAt = isRenewal ? Date.now() : null;
    const refreshed = { ...newRecord(token, leased.startedAt), renewedAt };
    // Meanwhile, a login with fewer scopes, which has left the token, may have changed the time, and a revocation may have failed.
    const next = ({ startedAt, login, awaitsRevocation }: TokenRecord) => ({
      ...refreshed,
      startedAt,
      login,
      awaitsRevocation,
    });
    const isCurrent = await this.#replace({ leased, next }, version);
    return isCurrent ? refreshed.token : null;
  }

  /** Sends the refresh token. If the request is cut, there is time left to give the lease back. */
  async #request(token: TokenObj, progress: Progress): Promise<TokenObj> {
    const left = progress.deadline - performance.now();
    const timeout = Math.ceil(left - Math.min(maxReserve, left / 20));
    const onIssued = () => void (progress.isIssued = true);
    // No caller's signal is passed, since others wait for this refresh too.
    const refreshed = await this.#api.refresh(token, { timeout, onIssued });
    onIssued();
    return refreshed;
  }

  /**
   * Replaces the leased record in the store. If the store fails, the source keeps the record for the next call.
   *
   * It waits for a slow store up to a time limit, and saving goes on after that: where each request has a source of its own,
   * there is no next call.
   *
   * @param version The version of the leased record, or `null` to look it up.
   * @param limit The time limit, in milliseconds.
   * @returns False if a login or a logout came first. The new token is then not used, and not revoked, since that would log the
   * person out on other devices.
   */
  async #replace(
    replacement: Replacement,
    version: string | null,
    attempts = saveAttempts,
    limit = this.#timeout,
  ): Promise<boolean> {
    this.#unsaved = replacement;
    const replaced = this.#tryToReplace(replacement, version, attempts).then((isCurrent) => {
      if (isCurrent !== null && this.#unsaved === replacement) this.#unsaved = null;
      return isCurrent ?? true;
    });
    const createError = () => storeTimeoutError("save a value", limit);
    return await withTimeout(replaced, limit, createError).catch(() => true);
  }

  /** Replaces the leased record, as above. Returns `null` if the store failed. */
  async #tryToReplace(
    { leased, next }: Replacement,
    leasedVersion: string | null,
    attempts: number,
  ): Promise<boolean | null> {
    let current: TokenRecord = leased;
    let expected = leasedVersion;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      try {
        if (expected !== null && (await this.#write(next(current), expected)) !== null) return true;
        // Another process changed the record. As long as it has the same token, the platform's answer replaces it.
        const { record, version } = await this.#read();
        if (!record || !isSameToken(record, leased)) return false;
        current = record;
        expected = version;
      } catch {
        await sleep(100 * 2 ** (attempt - 1));
      }
    }
    return null;
  }

  /** Reads the store, after it saved what an earlier call could not. */
  async #load(): Promise<Entry> {
    const unsaved = this.#unsaved;
    // The caller gets the token in time also if the store does not answer.
    if (unsaved) await this.#replace(unsaved, null, 2, this.#timeout / 2);
    if (this.#unsaved) {
      const { leased, next } = this.#unsaved;
      return { record: next(leased), version: null, isEmpty: false };
    }
    return await this.#read();
  }

  async #read(): Promise<Entry> {
    const stored = await this.#during("load a value", this.#store.load(this.#key));
    if (!stored) return { record: null, version: null, isEmpty: true };
    const { value, version } = stored;
    return { record: readRecord(value), version, isEmpty: isRemoved(value) };
  }

  #write(record: TokenRecord, version: string | null): Promise<string | null> {
    const options = { version, expiresAt: expiryOf(record) };
    return this.#during("save a value", this.#store.save(this.#key, record, options));
  }

  async #during<Value>(operation: string, result: Promise<Value>): Promise<Value> {
    this.#operation = operation;
    return await result.finally(() => this.#operation = null);
  }

  /** Writes a record to give the lease back. If that fails, the lease expires. */
  async #tryToWrite(record: TokenRecord, version: string): Promise<void> {
    try {
      await this.#write(record, version);
    } catch {
      // The caller gets the result of the request to the platform, which matters more.
    }
  }
}

/** The content of the store under the key. */
interface Entry {
  /** `null` if there is none, or if it can't be read. */
  readonly record: TokenRecord | null;
  readonly version: string | null;
  /** True if there is no record, or it was removed. */
  readonly isEmpty: boolean;
}

/** The outcome of a refresh, which has to replace the leased record. */
interface Replacement {
  readonly leased: LeasedRecord;
  /** Returns the record that replaces another one with the leased token. */
  readonly next: (current: TokenRecord) => TokenRecord;
}

type LeasedRecord = TokenRecord & { readonly lease: Lease };

/** A record whose lease this source holds. */
interface HeldLease {
  readonly leased: LeasedRecord;
  readonly version: string;
}

/** The search for a valid token, for which many callers wait. */
interface Search {
  readonly token: Promise<TokenObj>;
  /** Resolves with the old token while that still works and is being refreshed; otherwise it stays pending. */
  readonly oldToken: Promise<TokenObj>;
  readonly progress: Progress;
}

/** The progress of a search. */
interface Progress {
  /** The time at which it ends, as of `performance.now()`, unless the platform has issued a token. */
  readonly deadline: number;
  /** True once the platform has issued a token. */
  isIssued: boolean;
  /** Receives the old token, if it is to be refreshed and still works. */
  readonly offerOldToken: (token: TokenObj) => void;
}

/** A fresh token needs nothing, an old one still works but should be refreshed, and an ended one does not work any more. */
type Age = "fresh" | "old" | "ended";

/**
 * The times at which this process first saw the latest leases, as of `performance.now()`, which no user can set. A source that serves one
 * request does not live as long as the lease of a process that has ended.
 */
const seenLeases = /* @__PURE__ */ new RecentMap(1000, () => performance.now());

/** The time by which a lease outlasts its request, in milliseconds: for the store, before and after it. */
const leaseMargin = 10_000;

/** The most time that a request leaves for giving the lease back, in milliseconds. */
const maxReserve = 500;

/** The first and the longest delay between two reads of the store, in milliseconds. */
const shortestDelay = 20;
const longestDelay = 400;

/** The number of attempts to save a record. With the delays between them they take about 3 seconds. */
const saveAttempts = 6;

/** The default and the longest time for which a 429 is obeyed, in milliseconds. */
const defaultLimit = 10_000;
const maxLimit = 10 * 60_000;

/**
 * The time after a renewal in which another 401 is not blamed on the token, in milliseconds: the platform also answers 401 when a
 * scope is missing, and each such answer would cost a refresh.
 */
const renewalPause = 10 * 60_000;

/** The delays between reads of the store. They grow, and end with an error after the longest wait. */
class Backoff {
  readonly #startedAt = performance.now();
  readonly #failure: string;
  readonly #longestWait: number;
  #delay = shortestDelay;

  /** @param failure The text of the error, as in "The token was not saved". */
  constructor(failure: string, longestWait: number) {
    this.#failure = failure;
    this.#longestWait = longestWait;
  }

  async next(): Promise<void> {
    const left = this.#startedAt + this.#longestWait - performance.now();
    if (left <= 0) throw timeoutError(this.#failure, this.#longestWait);
    // A random factor, so that processes which began to wait together do not read together.
    await sleep(Math.min(this.#delay * (1 + Math.random()), left));
    this.#delay = Math.min(2 * this.#delay, longestDelay);
  }
}

/** Returns a new token, or the old one if the new one takes too long, in milliseconds. */
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

function timeoutError(failure: string, milliseconds: number): TimeoutError {
  return new TimeoutError(`${failure} within ${milliseconds} ms`, {
    hint:
      "The store is slow or does not answer, or another process is refreshing the token; try again later",
  });
}

/** Returns true if the refresh token may be sent while the access token still works. */
function canBeRefreshed({ token, lease, refused, pause }: TokenRecord): boolean {
  return token.refresh_token !== null && !refused && lease === null && !isAhead(pause?.until);
}

/** Throws when an ended token can't be refreshed, or not now. */
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

function isAhead(time: number | null | undefined): time is number {
  return time != null && Date.now() < time;
}

/** Returns true if two records have the same token. */
function isSameToken(one: TokenRecord, other: TokenRecord): boolean {
  return one.token.access_token === other.token.access_token &&
    one.token.refresh_token === other.token.refresh_token;
}

/**
 * Returns true if a failed refresh certainly did not use the refresh token up: no connection was made, or the response was 503, or
 * 4xx except 408 Request Timeout.
 */
function wasNotProcessed(error: unknown): boolean {
  if (error instanceof NetworkError) return !error.mayHaveArrived;
  if (!(error instanceof OAuthError || error instanceof ApiError)) return false;
  const status = error.httpStatus ?? 0;
  return status === 503 || status >= 400 && status < 500 && status !== 408;
}

/** Returns the time that the platform demands to wait, in milliseconds, or `null` if it demands none. */
function limitOf(error: unknown): number | null {
  if (!(error instanceof RateLimitError)) return null;
  return error.retryAfter === null ? defaultLimit : Math.min(error.retryAfter * 1000, maxLimit);
}
