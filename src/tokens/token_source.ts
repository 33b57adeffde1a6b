/**
 * A valid access token on demand: kept in a store, and refreshed once, however many ask for it.
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
import { type CallOptions, defaultTimeout } from "../http/options.ts";
import type { TokenObj } from "../resources/token.ts";
import { storeTimeoutError, withTimeLimit } from "../stores/with_time_limit.ts";
import type { Store } from "../stores/store.ts";
import { loginRequiredError } from "./login_required.ts";
import { isRefusedRefresh } from "./token_hints.ts";
import {
  clockDifference,
  forgetAt,
  isToken,
  type Lease,
  type Pause,
  readRecord,
  recordOf,
  type TokenRecord,
  worksFor,
} from "./token_record.ts";
import { longestTimer, sleep, withTimeout } from "../core/wait.ts";

/** Options of {@link TokenSource}. */
export interface TokenSourceOptions {
  /**
   * How long before its end a token is refreshed, in seconds; less than 60 counts as 60, since clocks differ. Each token gets up
   * to a quarter more by chance, so that tokens of the same moment are not all refreshed at once. A token that lives only
   * minutes is refreshed in the last quarter of its life.
   *
   * @default {300}
   */
  readonly refreshBefore?: number | null | undefined;
}

/**
 * What a source needs of a `PlatformApi`.
 *
 * @typeParam Granted The scopes of the tokens, for the compiler.
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export interface TokenApi<Granted extends Scope = any> {
  /** How long a request may take, in milliseconds. @default {10_000} */
  readonly timeout?: number | undefined;
  /** Not called: its type says which scopes the tokens have. */
  accessToken?(code: string): Promise<TokenObj<Granted>>;
  /** See {@link PlatformApi.refresh}: rejects with `invalid_grant` when the refresh token will not work again. */
  refresh(token: TokenObj): Promise<TokenObj>;
  /** See {@link PlatformApi.revoke}. */
  revoke(token: TokenObj): Promise<void>;
}

/** What the store has under the key; `record` is `null` when there is nothing, or nothing that can be read. */
interface Entry {
  readonly record: TokenRecord | null;
  readonly version: string | null;
}

/** A record that has to replace the leased one. */
interface Replacement {
  readonly leased: LeasedRecord;
  readonly next: TokenRecord;
}

type LeasedRecord = TokenRecord & { readonly lease: Lease };

/** A record whose lease this source holds. */
interface Held {
  readonly leased: LeasedRecord;
  readonly version: string;
}

/** The search for a valid token, which many callers wait for. */
interface Search {
  readonly token: Promise<TokenObj>;
  /** The old token, once it is being refreshed and still works; pending otherwise. */
  readonly meanwhile: Promise<TokenObj>;
}

/** A fresh token is given as it is, an old one works but is to be refreshed, and one that has ended is not given any more. */
type Age = "fresh" | "old" | "ended";

/** How much longer than its request a lease lasts, in milliseconds, for the store's work before and after it. */
const leaseSlack = 10_000;

/** The pause between two looks at the store, in milliseconds: it grows from the first to the second. */
const shortestPause = 20;
const longestPause = 400;

/** How often saving is tried: with the pauses in between, for about 3 seconds. */
const saveAttempts = 6;

/** How long the platform is not asked again when it could not process a refresh, in milliseconds: usually, and at the most. */
const usualRetryPause = 10_000;
const longestRetryPause = 10 * 60_000;

/**
 * How long after a renewal another 401 is believed to have a reason other than the token, in milliseconds: the platform also
 * answers 401 when a scope is missing, and each such answer would cost a refresh.
 */
const renewalPause = 10 * 60_000;

/**
 * A valid token on demand, for one person.
 *
 * A refresh token works once: when two requests to a server send it at the same time, one of them is refused, and often the
 * person is logged out. A source refreshes once, however many callers ask in however many processes, as long as they share
 * the store:
 *
 * - A lease in the store, taken by compare-and-set, decides who sends the refresh token.
 * - The new token is in the store before any caller has it.
 * - Others use the old access token meanwhile, or wait when it has expired.
 * - When the answer is lost, it is not known whether the refresh token was used. The old access token is used to its end, and
 *   only then is the refresh token sent again, as there is nothing left to lose.
 * - The clocks of two processes may differ by a minute.
 *
 * Nobody waits for a token longer than a lease and a request: 30 seconds with the usual `timeout` of the `PlatformApi`, and with
 * another one twice the `timeout` and 10 seconds. It takes that long only when the token has expired, and the process
 * that was refreshing it has ended or got no answer.
 *
 * Two sources with the same key and store share a token, so that one can be made for each request. That is a must in Cloudflare
 * Workers, where a request can't wait for another one's work. Give `context.waitUntil()` the promise of `token()` there, so
 * that a visitor who leaves does not end a refresh.
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
 * @throws {TypeError} When an argument is wrong, with its name.
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export class TokenSource<Granted extends Scope = any> {
  /** The scopes of the tokens, for the compiler alone. */
  declare protected readonly grantedScopes?: ((scope: Granted) => void) | undefined;
  readonly #api: TokenApi;
  readonly #store: Store;
  readonly #key: string;
  /** Milliseconds, as are the next three. */
  readonly #refreshBefore: number;
  readonly #timeout: number;
  readonly #leaseDuration: number;
  readonly #longestWait: number;
  #search: Search | null = null;
  /** The access token that the platform has answered with 401. */
  #rejected: string | null = null;
  /** A record that could not be saved. The next call tries again. */
  #unsaved: Replacement | null = null;
  /** The last lease that was seen, and since when, in terms of `performance.now()`, which nobody can set. */
  #observed: { readonly id: string; readonly since: number } | null = null;

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
    const refreshBefore = options?.refreshBefore ?? 300;
    if (typeof api?.refresh !== "function") throwBadObject("api", "a PlatformApi", api);
    if (typeof store?.load !== "function") throwBadObject("store", "a Store", store);
    if (typeof key !== "string" || key === "") {
      throwBadArgument("key", "text that is not empty", key);
    }
    if (!(Number.isFinite(refreshBefore) && refreshBefore >= 0)) {
      throwBadArgument("refreshBefore", "a number of seconds", refreshBefore);
    }
    const timeout = api.timeout ?? defaultTimeout;
    this.#api = api;
    this.#store = withTimeLimit(store, timeout);
    this.#key = key;
    this.#refreshBefore = Math.max(refreshBefore * 1000, clockDifference);
    this.#timeout = timeout;
    this.#leaseDuration = timeout + leaseSlack;
    this.#longestWait = Math.min(this.#leaseDuration + timeout, longestTimer);
  }

  /**
   * Gives a valid token, refreshed when it is near its end. What came with the login beside the token (`guild`, `webhook`,
   * `id_token`) is `null` in it.
   *
   * An abort ends only this caller's wait: others go on waiting, and a token that comes is saved.
   *
   * @throws {LoginRequiredError} When there is no token, or it has expired and can't be refreshed: the person must log in.
   * @throws {NetworkError} When the token has expired, and the platform could not be reached or its answer was lost; trying
   * again later helps. {@link TimeoutError} when none came in the time that is said above.
   * @throws {OAuthError} When the token has expired, and the platform refuses the application instead of the refresh token;
   * {@link RateLimitError} on 429, and for as long as it said, up to ten minutes, without another request; {@link ApiError} on
   * any other answer that is not a success, {@link PayloadError} on one that can't be read.
   * @throws {StoreTimeoutError} When the store does not answer within the `timeout` of the `PlatformApi`, and what the store throws.
   */
  async token(options?: CallOptions | null): Promise<TokenObj<Granted>> {
    checkCallOptions(options);
    const { signal } = options ?? {};
    // The first caller waits for the refresh, even while the old token works: a serverless runtime may stop work that no request
    // waits for.
    const isFirst = this.#search === null;
    const wanted = ({ token, meanwhile }: Search) =>
      isFirst ? token : Promise.race([token, meanwhile]);
    return await this.#wait(wanted, this.#longestWait, signal);
  }

  /**
   * Gives a token other than one that the platform has answered with 401: the one that somebody else has got meanwhile, or a
   * refreshed one. For ten minutes after such a refresh it gives the same token again, since the platform answers 401 also
   * when a scope is missing.
   *
   * @param rejected The token, or its `access_token`.
   * @throws As {@link TokenSource.token} does.
   */
  async renew(
    rejected: string | TokenObj,
    options?: CallOptions | null,
  ): Promise<TokenObj<Granted>> {
    const accessToken = typeof rejected === "string" ? rejected : rejected?.access_token;
    checkSecret("rejected", accessToken);
    checkCallOptions(options);
    const { signal } = options ?? {};
    const end = performance.now() + this.#longestWait;
    const joined = this.#search !== null;
    this.#rejected = accessToken;
    const token = await this.#wait((search) => search.token, this.#longestWait, signal);
    if (token.access_token !== accessToken || !joined) return token;
    // This call had joined a search that began before the token was known to be rejected. A new search knows.
    return await this.#wait((search) => search.token, end - performance.now(), signal);
  }

  /**
   * Saves the token of a new login, in place of whatever was there.
   *
   * @throws {TypeError} When it is not a token.
   * @throws {StoreTimeoutError} When the store does not answer within the `timeout` of the `PlatformApi`: the token may be saved or
   * not, and can be saved again. {@link TimeoutError} when others change the record all the time. What the store throws.
   */
  async save(token: TokenObj<Granted>): Promise<void> {
    if (!isToken(token)) throwBadObject("token", "the whole answer of a token request", token);
    const record = recordOf(token);
    const pauses = new Pauses("The token was not saved", this.#longestWait);
    for (;; await pauses.next()) {
      const { version } = await this.#read();
      if ((await this.#write(record, version)) === null) continue;
      this.#unsaved = null;
      return;
    }
  }

  /**
   * Logs the person out: revokes the token at the platform, which ends every token that the application has of that person, on
   * every device, and removes it from the store. Has no effect when there is none. Waits for a refresh that is under way, so
   * that it revokes the newest token; a login that is saved meanwhile stays.
   *
   * To forget one device only, remove the key from the store.
   *
   * @throws As `PlatformApi.revoke` does, and what the store throws; the token is still in the store then.
   * @throws {StoreTimeoutError} When the store does not answer within the `timeout` of the `PlatformApi`: the token may have been
   * revoked, and may still be in the store. It does no harm to call it again. {@link TimeoutError} when a refresh takes too long.
   */
  async revoke(): Promise<void> {
    const pauses = new Pauses("The token was not revoked", this.#longestWait);
    for (;; await pauses.next()) {
      const { record, version } = await this.#load();
      if (!record) return;
      if (record.lease && !this.#hasRunOut(record.lease)) continue;
      const held = await this.#takeLease(record, version);
      if (!held) continue;
      try {
        await this.#api.revoke(record.token);
      } catch (error) {
        await this.#tryToWrite({ ...record, lease: null }, held.version);
        throw error;
      }
      // Not by delete(), which would also remove a login that is saved while it is on its way. Not null, which some databases
      // take for no value.
      await this.#store.save(this.#key, {}, { version: held.version, expiresAt: Date.now() });
      return;
    }
  }

  /** Waits for something that the present search, or a new one, will have; the search goes on for others. */
  async #wait(
    wanted: (search: Search) => Promise<TokenObj>,
    milliseconds: number,
    signal: AbortSignal | null | undefined,
  ): Promise<TokenObj> {
    signal?.throwIfAborted();
    const search = this.#search ??= this.#begin();
    const giveUp = () => {
      // A store that does not answer must not hold up those who come later.
      if (this.#search === search) this.#search = null;
      return timeoutOf("There was no valid token", this.#longestWait);
    };
    return await withTimeout(wanted(search), milliseconds, giveUp, signal);
  }

  #begin(): Search {
    const listeners: ((token: TokenObj) => void)[] = [];
    const meanwhile = new Promise<TokenObj>((resolve) => listeners.push(resolve));
    const useMeanwhile = (old: TokenObj) => listeners.forEach((listener) => listener(old));
    const token = this.#find(useMeanwhile).finally(() => {
      if (this.#search === search) this.#search = null;
    });
    const search = { token, meanwhile };
    return search;
  }

  async #find(useMeanwhile: (token: TokenObj) => void): Promise<TokenObj> {
    const pauses = new Pauses("There was no valid token", this.#longestWait);
    for (;; await pauses.next()) {
      const { record, version } = await this.#load();
      if (!record) throw loginRequiredError("no_token");
      const { token, lease } = record;
      const age = this.#ageOf(record);
      if (age === "fresh" || (age === "old" && !mayBeRefreshed(record))) return token;
      if (age === "ended") throwIfFinal(record);
      if (lease && !this.#hasRunOut(lease)) continue;
      const held = await this.#tryToTakeLease(record, version, age);
      if (!held && age === "old") return token;
      if (!held) continue;
      if (age === "old") useMeanwhile(token);
      const refreshed = await this.#refresh(held, age);
      if (refreshed) return refreshed;
    }
  }

  #ageOf(record: TokenRecord): Age {
    const { token, spread } = record;
    if (this.#isRejected(record)) return "ended";
    if (worksFor(token, this.#refreshBefore * (1 + spread / 4))) return "fresh";
    return worksFor(token, clockDifference) ? "old" : "ended";
  }

  #isRejected({ token, renewedAt }: TokenRecord): boolean {
    if (token.access_token !== this.#rejected) return false;
    return renewedAt === null || Date.now() >= renewedAt + renewalPause;
  }

  /**
   * Whether a lease has ended: its duration has passed since this process saw it first, or its end has passed by the clock. The
   * second one also serves a process that has only just seen it.
   */
  #hasRunOut({ id, duration, until }: Lease): boolean {
    if (this.#observed?.id !== id) this.#observed = { id, since: performance.now() };
    return performance.now() - this.#observed.since > duration ||
      Date.now() > until + clockDifference;
  }

  /** Takes the lease; `null` when somebody else was faster, or the store so slow that the lease would not last. */
  async #takeLease(record: TokenRecord, version: string | null): Promise<Held | null> {
    const id = crypto.randomUUID();
    const duration = this.#leaseDuration;
    const since = performance.now();
    const leased = { ...record, lease: { id, duration, until: Date.now() + duration } };
    const leasedVersion = await this.#write(leased, version);
    if (leasedVersion === null) return null;
    this.#observed = { id, since };
    if (performance.now() - since > leaseSlack / 2) {
      await this.#tryToWrite({ ...record, lease: null }, leasedVersion);
      return null;
    }
    return { leased, version: leasedVersion };
  }

  /** The same, but a store that fails does not matter as long as the old token works. */
  async #tryToTakeLease(
    record: TokenRecord,
    version: string | null,
    age: Age,
  ): Promise<Held | null> {
    try {
      return await this.#takeLease(record, version);
    } catch (error) {
      if (age === "ended") throw error;
      return null;
    }
  }

  /** Refreshes as the only one; `null` when the store has to be looked at again. */
  async #refresh({ leased, version }: Held, age: Age): Promise<TokenObj | null> {
    const isRenewal = this.#isRejected(leased);
    let token: TokenObj;
    try {
      // Without a caller's signal: others wait for this refresh too.
      token = await this.#api.refresh(leased.token);
    } catch (error) {
      if (isRefusedRefresh(error)) {
        await this.#replace({ leased, next: { ...leased, lease: null, refused: true } }, version);
        return null;
      }
      // When the refresh token was certainly not used, the lease is given back, so that others can try soon. Otherwise it stays
      // until it runs out.
      if (wasNotProcessed(error)) {
        await this.#tryToWrite({ ...leased, lease: null, pause: pauseAfter(error) }, version);
      }
      if (age === "old") return leased.token;
      throw error;
    }
    const next = recordOf(token, isRenewal ? Date.now() : null);
    const counts = await this.#replace({ leased, next }, version);
    return counts ? next.token : null;
  }

  /**
   * Puts a record into the store in place of the leased one. When the store fails, the record is kept here, for the next call.
   *
   * A store that is slow is not waited for longer than its time limit, but saving goes on: there may be no next call, where each
   * request has a source of its own.
   *
   * @param version The version of the leased record, or `null` to look it up.
   * @returns Whether the record counts. It does not when there was a new login meanwhile, or a logout: its token is not revoked
   * then, since that would end what the person has on other devices.
   */
  async #replace(
    replacement: Replacement,
    version: string | null,
    attempts = saveAttempts,
  ): Promise<boolean> {
    this.#unsaved = replacement;
    const replaced = this.#tryToReplace(replacement, version, attempts).then((counts) => {
      if (counts !== null && this.#unsaved === replacement) this.#unsaved = null;
      return counts ?? true;
    });
    const giveUp = () => storeTimeoutError("save a value", this.#timeout);
    return await withTimeout(replaced, this.#timeout, giveUp).catch(() => true);
  }

  /** The same, but `null` when the store did not take it. */
  async #tryToReplace(
    { leased, next }: Replacement,
    leasedVersion: string | null,
    attempts: number,
  ): Promise<boolean | null> {
    let expected = leasedVersion;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      try {
        if (expected !== null && (await this.#write(next, expected)) !== null) return true;
        // When somebody else changed the record meanwhile, and the token is still the same, the platform's answer replaces it.
        const { record, version } = await this.#read();
        if (!record || !isSameToken(record, leased)) return false;
        expected = version;
      } catch {
        await sleep(100 * 2 ** (attempt - 1));
      }
    }
    return null;
  }

  /** What the store has, or should have. */
  async #load(): Promise<Entry> {
    const unsaved = this.#unsaved;
    if (unsaved) await this.#replace(unsaved, null, 2);
    if (this.#unsaved) return { record: this.#unsaved.next, version: null };
    return await this.#read();
  }

  async #read(): Promise<Entry> {
    const stored = await this.#store.load(this.#key);
    return stored
      ? { record: readRecord(stored.value), version: stored.version }
      : { record: null, version: null };
  }

  #write(record: TokenRecord, version: string | null): Promise<string | null> {
    return this.#store.save(this.#key, record, { version, expiresAt: forgetAt(record) });
  }

  /** Gives the lease back. When that fails, it runs out. */
  async #tryToWrite(record: TokenRecord, version: string): Promise<void> {
    try {
      await this.#write(record, version);
    } catch {
      // The caller learns how the request to the platform ended, which matters more than that the store failed.
    }
  }
}

/** The pauses between two looks at the store; they grow, and end after the longest wait. */
class Pauses {
  readonly #begun = performance.now();
  readonly #failure: string;
  readonly #longestWait: number;
  #pause = shortestPause;

  /** Takes what could not be done when the time is over, for the error. */
  constructor(failure: string, longestWait: number) {
    this.#failure = failure;
    this.#longestWait = longestWait;
  }

  async next(): Promise<void> {
    if (performance.now() - this.#begun > this.#longestWait) {
      throw timeoutOf(this.#failure, this.#longestWait);
    }
    // By chance, so that processes that began to wait together do not look together.
    await sleep(this.#pause * (1 + Math.random()));
    this.#pause = Math.min(2 * this.#pause, longestPause);
  }
}

function timeoutOf(failure: string, milliseconds: number): TimeoutError {
  return new TimeoutError(
    `${failure} within ${milliseconds} ms`,
    "The store is slow or does not answer, or another process is refreshing the token; try again later",
  );
}

/** Whether the refresh token may be sent although the access token still works. */
function mayBeRefreshed({ token, lease, refused, pause }: TokenRecord): boolean {
  return token.refresh_token !== null && !refused && lease === null && !isActive(pause);
}

/** Throws when a token that has ended can't be refreshed, or not now. */
function throwIfFinal({ token, refused, pause }: TokenRecord): void {
  if (refused) throw loginRequiredError("refused");
  if (token.refresh_token === null) throw loginRequiredError("no_refresh_token");
  if (pause?.isLimit && isActive(pause)) {
    const retryAfter = (pause.until - Date.now()) / 1000;
    const message = "The token was not refreshed: the platform has asked to wait";
    throw new RateLimitError(message, { httpStatus: 429, retryAfter });
  }
}

function isActive(pause: Pause | null): boolean {
  return pause !== null && Date.now() < pause.until;
}

/** Whether two records are of the same token, whoever is refreshing it. */
function isSameToken(one: TokenRecord, other: TokenRecord): boolean {
  return one.token.access_token === other.token.access_token &&
    one.token.refresh_token === other.token.refresh_token;
}

/**
 * Whether a failed refresh certainly has not used the refresh token up: no connection was made, or the answer was 4xx, but for 408
 * Request Timeout.
 */
function wasNotProcessed(error: unknown): boolean {
  if (error instanceof NetworkError) return !error.mayHaveArrived;
  if (!(error instanceof OAuthError || error instanceof ApiError)) return false;
  const status = error.httpStatus ?? 0;
  return status >= 400 && status < 500 && status !== 408;
}

/** How long the platform is not asked again after a failed refresh. */
function pauseAfter(error: unknown): Pause {
  const isLimit = error instanceof RateLimitError;
  const seconds = isLimit ? error.retryAfter : null;
  const milliseconds = seconds === null ? usualRetryPause : seconds * 1000;
  return { until: Date.now() + Math.min(milliseconds, longestRetryPause), isLimit };
}
