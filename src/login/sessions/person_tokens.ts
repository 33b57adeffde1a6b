/**
 * One token for each person, shared by their sessions and background jobs.
 *
 * @module
 */

import { LoginRequiredError } from "../../core/errors.ts";
import { ApiError, TimeoutError } from "../../core/response_errors.ts";
import { deadlineIn, withTimeout } from "../../core/wait.ts";
import { includesScope, type TokenObj } from "../../resources/token.ts";
import { recordKeys } from "../../stores/names.ts";
import { sealedBy, type Sealer } from "../../stores/sealed.ts";
import type { Store } from "../../stores/store.ts";
import { withKeys } from "../../stores/with_keys.ts";
import { completeToken } from "../../tokens/complete_token.ts";
import type { PacedTokenApi } from "../../tokens/token_api.ts";
import { TokenEntry } from "../../tokens/token_entry.ts";
import { newRecord, type TokenRecord } from "../../tokens/token_record.ts";
import { TokenSource } from "../../tokens/token_source.ts";
import { type ReportEvent, tokenApiOf } from "../base/events.ts";
import type { CheckedLoginOptions } from "../site/checked_options.ts";
import type { Namespace } from "../site/namespace.ts";
import type { ApiClients } from "./api_clients.ts";
import type { PersonIndex } from "./person_index.ts";
import { installScopes, withoutInstalls } from "./session_scopes.ts";

/** Options of {@link PersonTokens}. */
export interface PersonTokensOptions
  extends Pick<CheckedLoginOptions, "backgroundTokens" | "refreshBefore" | "scope"> {
  readonly namespace: Namespace;
  /** Encrypts the records. */
  readonly sealer: Sealer;
  /** The application's store, with a time limit for each operation. */
  readonly store: Store;
  /** The time limit for each store operation, and for each try of a kept token, in milliseconds. */
  readonly timeout: number;
  readonly clients: Pick<ApiClients, "forgetModels" | "user"> & { readonly tokens: PacedTokenApi };
  /** `null` without the option `onEvent`. */
  readonly report: ReportEvent | null;
}

/** A login in the list of its person's sessions. */
interface ListedLogin {
  /** The digest of the session that the login creates. */
  readonly digest: string;
  readonly index: Pick<PersonIndex, "has">;
}

/** Options of {@link PersonTokens.remove}. */
export interface RemoveOptions {
  /** Removes only the token of a login before this time, in milliseconds since the epoch; `Infinity` matches any login. */
  readonly startedBefore: number;
  /** The sessions of the person. If they include the session of the token's login, the token stays. */
  readonly index: Pick<PersonIndex, "has">;
  /** The digests of sessions that have just ended. Their logins may be about to save a token. */
  readonly ended: readonly string[];
}

/** The result of trying a kept token. `startedAt` is the time of the token's login. */
interface Trial {
  readonly startedAt: number;
  readonly result: "works" | "is refused" | "unknown";
}

/** The start of the message of an error. */
const failure = "The token of the user was not changed";

/** Keeps one token for each person. Changes the record of a person only by compare-and-set, since sessions and jobs share the record. */
export class PersonTokens {
  readonly #options: PersonTokensOptions;
  /** The records, encrypted. */
  readonly #records: Store;

  constructor(options: PersonTokensOptions) {
    this.#options = options;
    this.#records = sealedBy(options.store, options.sealer);
  }

  /** Returns the source of a person's token. */
  of(userId: string): TokenSource {
    const { clients, report, refreshBefore } = this.#options;
    const save = (token: TokenObj) => this.keep(userId, token, Date.now(), null);
    const store = withKeys(this.#records, (userId) => this.#keyOf(userId));
    const own = tokenApiOf(clients.tokens, userId, report);
    return new PersonTokenSource(save, own, store, userId, { refreshBefore });
  }

  /**
   * Returns the scopes of a person's token, or an empty list if the person has no token, Discord has refused the token, or the token
   * awaits its revocation.
   */
  async scopesOf(userId: string): Promise<readonly string[]> {
    const { record } = await (await this.#entry(userId)).load();
    return record && !record.refused && !record.awaitsRevocation ? record.token.scopes : [];
  }

  /**
   * Keeps the token of a new login, or one from elsewhere.
   *
   * The new token replaces the kept one, unless the kept token has additional scopes, and every session scope that the new token has. In that
   * case, this tries the kept token once. If the kept token works, it stays, and the new one is dropped, but not revoked, since a
   * revocation would end both. If Discord refuses the kept token, the new one replaces it. If the result is uncertain, as after a 429,
   * a 5xx or a timeout, the kept token stays, and the new one takes over as soon as Discord refuses the kept one. The login succeeds
   * in each case.
   *
   * @param startedAt The time of the login, in milliseconds since the epoch.
   * @param login The session that the login creates, or `null` for a token from elsewhere.
   * @returns The scopes of the person's token, or `null` if the session is no longer in the list. The new token is then dropped.
   */
  async keep(
    userId: string,
    token: TokenObj,
    startedAt: number,
    login: ListedLogin | null,
  ): Promise<readonly string[] | null> {
    const fresh = newRecord(token, startedAt);
    const entry = await this.#entry(userId);
    const found = await entry.load();
    const trial = await this.#tryKept(userId, found.record, token);
    const change = async (record: TokenRecord | null) => {
      if (record && login && isOvertaken(record, fresh, found.record)) return sharedRecord(record);
      // The list is read after the record. Whoever ends this session also changes the record, so an old list can't decide.
      if (login && !await login.index.has(login.digest)) return null;
      const mayStay = record !== null && this.#mayStay(record, token);
      const next = mayStay ? recordAfterTrial(record, trial, fresh) : fresh;
      if (!login) return next;
      const isFirst = record === null || record.awaitsRevocation;
      return { ...next, login: { digest: login.digest, isFirst } };
    };
    // The trial may have refreshed the kept token.
    const saved = await entry.change(failure, change, trial ? null : found);
    if (!saved) return null;
    const { token: kept } = saved;
    // The consent may have changed Discord's responses to a token that stays, such as the list of connections.
    if (kept.access_token !== token.access_token) this.#options.clients.forgetModels(kept);
    return kept.scopes;
  }

  /**
   * Removes the token of a login that created no session. If the person already had a token before that login, the token stays, and belongs
   * to the person's newest session. The token of a later login does not change.
   */
  async takeBack(
    userId: string,
    digest: string,
    index: Pick<PersonIndex, "newestExcept">,
  ): Promise<void> {
    const entry = await this.#entry(userId);
    await entry.change(failure, async (record) => {
      if (record?.login?.digest !== digest) return null;
      if (record.login.isFirst) return "removed";
      const newest = await index.newestExcept(digest);
      if (!newest) return null;
      const login = { digest: newest.digest, isFirst: false };
      return { ...record, startedAt: newest.startedAt, login };
    });
  }

  /**
   * Removes the token of a person if its login was before `startedBefore`, unless the session of that login is in the list. Always removes
   * the token if the session of its login is one of `ended`.
   */
  async remove(userId: string, { startedBefore, index, ended }: RemoveOptions): Promise<void> {
    const { backgroundTokens } = this.#options;
    const isEnded = async (record: TokenRecord | null) => {
      // A record that can't be decrypted, because its secret is gone, may come from a later login.
      const { startedAt = Number.MAX_VALUE, login = null } = record ?? {};
      if (login && ended.includes(login.digest)) return true;
      return startedAt < startedBefore && !(login && await index.has(login.digest));
    };
    const entry = await this.#entry(userId);
    await entry.change(failure, async (record, version) => {
      const mustRemove = version === null
        ? backgroundTokens && ended.length > 0
        : await isEnded(record);
      return mustRemove ? "removed" : null;
    });
  }

  /**
   * Revokes the token of a person at Discord, and removes it, if its login was before `startedBefore`, in milliseconds since the
   * epoch.
   *
   * @throws The errors of {@link TokenSource.revoke}. The token then stays in the store.
   */
  async revoke(userId: string, startedBefore: number): Promise<void> {
    const { record } = await (await this.#entry(userId)).load();
    if (record && record.startedAt < startedBefore) await this.of(userId).revoke();
  }

  /** Marks the token of a person after a failed revocation: only another revocation uses it, and a new login replaces it. */
  async mark(userId: string): Promise<void> {
    const entry = await this.#entry(userId);
    await entry.change(
      failure,
      (record) => record && { ...record, awaitsRevocation: true, spare: null },
    );
  }

  async #entry(userId: string): Promise<TokenEntry> {
    return new TokenEntry(this.#records, await this.#keyOf(userId), this.#options.timeout);
  }

  async #keyOf(userId: string): Promise<string> {
    return recordKeys.personToken + await this.#options.namespace.personDigest(userId);
  }

  /** Tries the kept token if it may be better than the new token. Otherwise returns `null`. */
  async #tryKept(
    userId: string,
    record: TokenRecord | null,
    token: TokenObj,
  ): Promise<Trial | null> {
    if (!record || !this.#mayStay(record, token)) return null;
    const { clients, timeout } = this.#options;
    const createError = () => new TimeoutError("The kept token was not tried in time");
    const trial = clients.user(this.of(userId), userId).getAuthorization({ fresh: true });
    const result = await withTimeout(trial, deadlineIn(timeout), createError)
      .then(() => "works" as const, (error) => isRefusal(error) ? "is refused" : "unknown");
    return { startedAt: record.startedAt, result };
  }

  /**
   * Returns true if the kept token can be refreshed, has a scope that the new one lacks (other than the install scopes), and has every
   * session scope of the new one. Returns false if the kept token was refused, or revoking it has failed.
   */
  #mayStay({ token: kept, refused, awaitsRevocation }: TokenRecord, token: TokenObj): boolean {
    const lacks = (scope: string) =>
      !installScopes.includes(scope) && !includesScope(token.scopes, scope);
    return kept.refresh_token !== null && !refused && !awaitsRevocation &&
      kept.scopes.some(lacks) &&
      this.#options.scope.every((scope) =>
        includesScope(kept.scopes, scope) || !includesScope(token.scopes, scope)
      );
  }
}

/** The source of a person's token. It keeps a token from elsewhere in the same way as the token of a login. */
class PersonTokenSource extends TokenSource {
  readonly #save: (token: TokenObj) => Promise<unknown>;

  constructor(
    save: (token: TokenObj) => Promise<unknown>,
    ...source: ConstructorParameters<typeof TokenSource>
  ) {
    super(...source);
    this.#save = save;
  }

  override async save(token: Partial<TokenObj>): Promise<void> {
    await this.#save(completeToken(token));
  }
}

/**
 * Returns true if a later login has saved its token while this login was trying to, and the token has the scopes of this one. The record is
 * then the same as if this login had saved first. This lets each login finish quickly even if one person starts many at once.
 *
 * @param before The record before this login began to save.
 */
function isOvertaken(
  { token, login, startedAt, refused, awaitsRevocation }: TokenRecord,
  fresh: TokenRecord,
  before: TokenRecord | null,
): boolean {
  return login !== null && login.digest !== before?.login?.digest &&
    startedAt >= fresh.startedAt && !refused && !awaitsRevocation &&
    withoutInstalls(fresh.token.scopes).every((scope) => includesScope(token.scopes, scope));
}

/** Returns a record that belongs to several logins, so that the end of one login does not remove the token. */
function sharedRecord(record: TokenRecord): TokenRecord {
  const { login } = record;
  return login?.isFirst ? { ...record, login: { ...login, isFirst: false } } : record;
}

/** Returns the record to save after a login has tried a kept token that may stay. `fresh` is the record of the new token. */
function recordAfterTrial(
  record: TokenRecord,
  trial: Trial | null,
  fresh: TokenRecord,
): TokenRecord {
  // A token that another login saved during the trial is as new as this one.
  const result = trial?.startedAt === record.startedAt ? trial.result : "works";
  if (result === "is refused") return fresh;
  // The kept token works at this login, so what happened before this login did not end it.
  const spare = result === "works" ? record.spare : fresh.token;
  return { ...record, startedAt: fresh.startedAt, spare };
}

/** Returns true if the error from trying a token means that Discord does not accept the token. */
function isRefusal(error: unknown): boolean {
  return error instanceof LoginRequiredError ||
    (error instanceof ApiError && error.httpStatus === 401);
}
