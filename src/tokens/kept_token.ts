/**
 * Finds, saves and revokes the token of a `TokenSource` in its store, for all callers.
 *
 * @module
 */

import { LoginRequiredError, type LoginRequiredReason, withCallerInStack } from "../core/errors.ts";
import { ApiError, NetworkError, RateLimitError, TimeoutError } from "../core/response_errors.ts";
import { type Deadline, deadlineIn, timeLeft, unlessAborted, withTimeout } from "../core/wait.ts";
import {
  clockDifferenceMs,
  leaseMarginMs,
  maxBackoffMs,
  maxRefreshLimitMs,
  renewalPauseMs,
} from "../http/waits.ts";
import type { TokenObj } from "../resources/token.ts";
import { storeTimeoutError, withTimeLimit } from "../stores/with_time_limit.ts";
import type { Store } from "../stores/store.ts";
import { completeToken } from "./complete_token.ts";
import { isLeased, type RefreshProgress, refreshToken, takeLease } from "./refresh.ts";
import { pollStore } from "./store_loops.ts";
import type { PacedTokenApi } from "./token_api.ts";
import { TokenEntry } from "./token_entry.ts";
import {
  endMargin,
  isValidFor,
  newRecord,
  refreshMargin,
  type TokenRecord,
} from "./token_record.ts";

/** The token of one key in a store. See {@link TokenSource} for its methods. */
export class KeptToken {
  readonly #api: PacedTokenApi;
  readonly #entry: TokenEntry;
  readonly #refreshBeforeMs: number | null;
  readonly #timeout: number;
  #search: Search | null = null;
  /** The access token that Discord rejected with 401. */
  #rejected: string | null = null;

  constructor(
    api: PacedTokenApi,
    store: Store,
    key: string,
    timeout: number,
    refreshBeforeMs: number | null,
  ) {
    this.#api = api;
    this.#entry = new TokenEntry(withTimeLimit(store, timeout), key, timeout);
    this.#timeout = timeout;
    this.#refreshBeforeMs = refreshBeforeMs;
  }

  /** See {@link TokenSource.token}. */
  async find(deadline: Deadline, signal: AbortSignal | null | undefined): Promise<TokenObj> {
    // The first caller waits for the refresh even while the old token works: a serverless runtime may stop work for which no
    // request waits. The wait leaves time for a request with the old token.
    const isFirst = this.#ongoingSearch() === null;
    const promiseOf = ({ token, oldToken }: Search) =>
      isFirst
        ? unlessLate(token, oldToken, timeLeft(deadline) / 2)
        : Promise.race([token, oldToken]);
    return await this.#waitFor(promiseOf, deadline, signal);
  }

  /** See {@link TokenSource.renew}. */
  async renew(
    rejected: string,
    deadline: Deadline,
    signal: AbortSignal | null | undefined,
  ): Promise<TokenObj> {
    const joined = this.#ongoingSearch() !== null;
    this.#rejected = rejected;
    const token = await this.#waitFor((search) => search.token, deadline, signal);
    if (token.access_token !== rejected || !joined) return token;
    // This call joined a search that began before the token was rejected. A new search takes that into account.
    return await this.#waitFor((search) => search.token, deadline, signal);
  }

  /** See {@link TokenSource.save}. */
  async save(token: Partial<TokenObj>): Promise<void> {
    const record = newRecord(completeToken(token), Date.now());
    const deadline = deadlineIn(this.#timeout);
    const createError = () => timeoutError("The token was not saved", deadline);
    await pollStore(() => this.#entry.overwrite(record), deadline, createError);
  }

  /** See {@link TokenSource.revoke}. */
  async revoke(): Promise<void> {
    // The lease of another process, and the time limit of this call.
    const deadline = deadlineIn(2 * this.#timeout + leaseMarginMs);
    const createError = () => timeoutError("The token was not revoked", deadline);
    await pollStore(() => this.#tryToRevoke(), deadline, createError);
  }

  /** Revokes the token and removes it from the store. Returns `null` if the caller must read the store again. */
  async #tryToRevoke(): Promise<true | null> {
    const { record, version } = await this.#entry.load();
    if (!record) return true;
    if (isLeased(record.lease)) return null;
    const latest = performance.now() + leaseMarginMs / 2;
    const held = await takeLease(this.#entry, { record, version }, latest);
    if (!held) return null;
    try {
      await this.#api.revoke(record.token);
    } catch (error) {
      await this.#entry.release(held, (current) => ({ ...current, lease: record.lease }));
      throw error;
    }
    await this.#entry.changeHeld(held, () => null);
    return true;
  }

  /** Waits for a promise of the current search, or of a new search. The search goes on for other callers. */
  async #waitFor(
    promiseOf: (search: Search) => Promise<TokenObj>,
    deadline: Deadline,
    signal: AbortSignal | null | undefined,
  ): Promise<TokenObj> {
    signal?.throwIfAborted();
    const search = this.#ongoingSearch() ?? this.#startSearch();
    const createError = () => {
      const { operation } = this.#entry;
      return operation
        ? storeTimeoutError(operation, deadline)
        : timeoutError("There was no valid token", deadline);
    };
    try {
      return await withTimeout(promiseOf(search), deadline, createError, signal);
    } catch (error) {
      if (!search.isIssued) throw withCallerInStack(error);
      // A runtime may stop work for which no request waits, and with it the save of a token. Another error than the timeout comes again.
      return await unlessAborted(search.token, signal);
    }
  }

  /**
   * Returns the search under way, or `null`. A search past its deadline is ignored unless it has an issued token, so that a slow store does
   * not delay others.
   */
  #ongoingSearch(): Search | null {
    const search = this.#search;
    const isOngoing = search && (search.isIssued || timeLeft(search.deadline) > 0);
    return isOngoing ? search : null;
  }

  #startSearch(): Search {
    let resolve: ((token: TokenObj) => void) | undefined;
    const deadline = deadlineIn(this.#timeout);
    const progress: Progress = {
      deadline,
      isIssued: false,
      watched: null,
      oldToken: new Promise<TokenObj>((resolveOldToken) => resolve = resolveOldToken),
      offerOldToken: (old) => resolve?.(old),
    };
    const createError = () => timeoutError("There was no valid token", deadline);
    const finding = pollStore(() => this.#tryToFind(progress), deadline, createError);
    const token = finding.finally(() => {
      if (this.#search === search) this.#search = null;
    });
    const search = Object.assign(progress, { token });
    return this.#search = search;
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
    return await refreshToken(this.#api, this.#entry, { record, version }, circumstances);
  }

  #ageOf(record: TokenRecord): Age {
    const { token } = record;
    if (this.#isRejected(record)) return "ended";
    if (isValidFor(token, refreshMargin(record, this.#refreshBeforeMs))) return "fresh";
    return isValidFor(token, endMargin(token)) ? "old" : "ended";
  }

  #isRejected({ token, renewedAt }: TokenRecord): boolean {
    if (token.access_token !== this.#rejected) return false;
    return renewedAt === null || Math.abs(Date.now() - renewedAt) >= renewalPauseMs;
  }
}

/** The search for a valid token, with many waiting callers. */
interface Search extends Progress {
  readonly token: Promise<TokenObj>;
}

/** The state of a search for a valid token. */
interface Progress extends RefreshProgress {
  /** Resolves with the old token if that still works during the refresh; otherwise stays pending. */
  readonly oldToken: Promise<TokenObj>;
  /** Receives an old token that still works, before its refresh. */
  readonly offerOldToken: (token: TokenObj) => void;
  /** The record with the lease for which this search waits. */
  watched: TokenRecord | null;
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

function timeoutError(failure: string, { timeout }: Deadline): TimeoutError {
  return new TimeoutError(`${failure} within ${timeout} ms`, {
    hint: "The store is slow, or another process is refreshing the token",
  });
}

/** Returns true if the refresh token may be sent while the access token still works. */
function canBeRefreshed({ token, lease, refused, pause }: TokenRecord): boolean {
  return token.refresh_token !== null && !refused && lease === null &&
    !isAhead(pause?.until, maxBackoffMs);
}

/** Throws if an ended token can't be refreshed now, or at all. */
function throwIfNotRefreshable({ token, refused, pause }: TokenRecord): void {
  if (refused) throw loginRequiredError("refused");
  if (token.refresh_token === null) throw loginRequiredError("no_refresh_token");
  const limitUntil = pause?.limitUntil;
  if (isAhead(limitUntil, maxRefreshLimitMs)) {
    const retryAfter = (limitUntil - Date.now()) / 1000;
    const message = "The token was not refreshed: the platform asked to wait";
    throw new RateLimitError(message, { httpStatus: 429, retryAfter });
  }
}

/**
 * Throws if Discord did not process a refresh of another process while this search waited for it. A later call tries again. After
 * a refresh without a known outcome, the refresh token is sent again at once, since the old token has ended.
 */
function throwIfFailed({ pause }: TokenRecord, watched: TokenRecord): void {
  if (!pause?.failure || pause.failures === watched.pause?.failures) return;
  const message = "The token was not refreshed: the refresh in another process failed";
  const { status, retryAfter } = pause.failure;
  throw status === null
    ? new NetworkError(message, { mayHaveArrived: false, retryAfter })
    : new ApiError(`${message} (${status})`, { httpStatus: status, retryAfter });
}

/** Returns true if a time is in the future, and near enough that another process may have set it. */
function isAhead(time: number | null | undefined, maxMs: number): time is number {
  const ahead = (time ?? 0) - Date.now();
  return ahead > 0 && ahead <= maxMs + clockDifferenceMs;
}

/** Creates the error for a token that does not work and can't be refreshed. */
export function loginRequiredError(reason: LoginRequiredReason): LoginRequiredError {
  const message = `There is no valid token: ${causes[reason]}`;
  const hint = reason === "unreadable" ? unreadableHint : "Start a new login";
  return new LoginRequiredError(message, { reason, hint });
}

const unreadableHint =
  "Check the secret: it may differ from the one at the login. A new login replaces the token";

const causes: Readonly<Record<LoginRequiredReason, string>> = {
  no_token: "the store has none",
  unreadable: "the one in the store can't be opened",
  no_refresh_token: "the last one has expired or was rejected, and has no refresh token",
  refused:
    "the platform refused the refresh token. The user may have removed the application, or other code has used it",
};
