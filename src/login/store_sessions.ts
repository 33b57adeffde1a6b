/**
 * Sessions with a store: the cookie has a random id, and the store has an encrypted record.
 *
 * @module
 */

import { GuildpassError, StoreTimeoutError } from "../core/errors.ts";
import { withTimeout } from "../core/wait.ts";
import { sealedBy } from "../stores/sealed.ts";
import type { Store } from "../stores/store.ts";
import type { TokenApi } from "../tokens/token_api.ts";
import { TokenSource } from "../tokens/token_source.ts";
import { clearProgress } from "./login_progress.ts";
import { removeCookieHeader } from "./cookies.ts";
import {
  errorDetails,
  type ReportEvent,
  reportSessionEnd,
  type SessionEndedEvent,
  tokenApiOf,
} from "./events.ts";
import { listSessions } from "./listed_sessions.ts";
import type { SessionKeys } from "./namespace.ts";
import { type PersonIndex, sessionIdOf } from "./person_index.ts";
import type { PersonTokens } from "./person_tokens.ts";
import {
  type CreatedSession,
  type CreateUser,
  type EndAllSessionsOptions,
  frozenSession,
  type ListedSession,
  type LoginDecisions,
  type NewSession,
  type Sessions,
  type SessionState,
} from "./session.ts";
import { SessionCreation, type SessionStorage } from "./session_creation.ts";
import {
  type SessionContent,
  SessionRecords,
  type SessionRecordsOptions,
  type StoredSession,
  tokenKey,
} from "./session_records.ts";
import type { SiteAddress } from "./site_address.ts";
import { untilSaved } from "./until_saved.ts";

/** Options of {@link StoreSessions}. */
export interface StoreSessionsOptions extends SessionRecordsOptions {
  readonly api: TokenApi;
  /** The option `refreshBefore` of the token sources. */
  readonly refreshBefore: number | null | undefined;
  readonly createUser: CreateUser;
  readonly personTokens: PersonTokens;
  readonly sessionLabel?: SessionStorage["sessionLabel"];
  readonly labelSealer: SessionStorage["labelSealer"];
  /** The option `backgroundTokens`: true if new sessions share the token of their person. */
  readonly backgroundTokens: boolean;
  /** `null` without the option `onEvent`. */
  readonly report: ReportEvent | null;
}

/** Keeps sessions in a store. */
export class StoreSessions implements Sessions {
  readonly #options: StoreSessionsOptions;
  readonly #records: SessionRecords;
  readonly #storage: SessionStorage;

  constructor(options: StoreSessionsOptions) {
    this.#options = options;
    this.#records = new SessionRecords(options);
    this.#storage = {
      ...options,
      records: this.#records,
      toState: (session) => this.#toState(session),
      reportEnd: (userId, cause, sessions) => this.#report(userId, cause, sessions),
    };
  }

  /** See {@link Sessions.create}. */
  async create(
    request: Request,
    site: SiteAddress,
    login: NewSession,
    decisions: LoginDecisions,
  ): Promise<CreatedSession> {
    return await new SessionCreation(this.#storage, site, login, decisions).run(request);
  }

  /** See {@link Sessions.find}. */
  async find(request: Request, site: SiteAddress): Promise<SessionState | null> {
    const found = await this.#find(request, site);
    if (!found) return null;
    if (this.#records.isValid(found.content)) await this.#prolong(found);
    return this.#toState(found);
  }

  /** See {@link Sessions.read}. */
  async read(request: Request, site: SiteAddress): Promise<SessionState | null> {
    const found = await this.#find(request, site);
    return found && this.#toState(found);
  }

  /** See {@link Sessions.update}. */
  async update(
    request: Request,
    site: SiteAddress,
    user: unknown,
  ): Promise<readonly string[] | null> {
    const hasUpdated = await untilSaved("The session was not updated", async () => {
      const found = await this.#find(request, site);
      if (!found || !this.#records.isValid(found.content)) return false;
      const content = { ...found.content, user, usedAt: Date.now() };
      return await this.#records.save(found.keys, content, found.version) === null ? null : true;
    });
    return hasUpdated ? [] : null;
  }

  /** See {@link Sessions.end}. */
  async end(
    request: Request,
    site: SiteAddress,
    everywhere: boolean,
  ): Promise<readonly string[]> {
    const found = await this.#records.find(request, site);
    if (found && everywhere) {
      const session = found.kind === "continued" ? await this.#records.follow(found) : found;
      if (session) await this.#endEverywhere(session, found.keys.digest);
    } else if (found) {
      const { userId } = found.kind === "continued" ? found : found.content;
      const { digest } = found.keys;
      await this.#records.delete(digest);
      const { wasListed } = await (await this.#records.indexOf(userId)).remove(digest);
      const wasOpen = found.kind === "continued" || this.#records.isValid(found.content);
      if (wasListed && wasOpen) this.#report(userId, "end", 1);
    }
    return [removeCookieHeader(site, this.#options.namespace.sessionCookie)];
  }

  /** See {@link Sessions.list}. */
  async list(
    userId: string,
    current: { readonly request: Request; readonly site: SiteAddress } | null,
  ): Promise<readonly ListedSession[]> {
    const found = current && await this.#records.find(current.request, current.site);
    const list = { ...this.#options, records: this.#records };
    return await listSessions(list, userId, found?.keys.digest ?? null);
  }

  /** See {@link Sessions.endOne}. */
  async endOne(userId: string, id: string): Promise<boolean> {
    const index = await this.#records.indexOf(userId);
    // A consent under way is an entry with the same id.
    const { count } = await index.end((entry) => sessionIdOf(entry) === id);
    const hasEnded = count > 0;
    if (hasEnded) this.#report(userId, "end_session", 1);
    return hasEnded;
  }

  /** See {@link Sessions.endAll}. */
  async endAll(
    userId: string,
    { startedBefore, tokens }: EndAllSessionsOptions,
  ): Promise<number> {
    const index = await this.#records.indexOf(userId);
    const ended = await index.end(({ startedAt }) => startedAt < startedBefore);
    this.#report(userId, "end_all", ended.count);
    const { personTokens, backgroundTokens } = this.#options;
    if (tokens && backgroundTokens) {
      await personTokens.remove(userId, { startedBefore, index, ended: ended.digests });
    }
    return ended.count;
  }

  /** See {@link Sessions.forget}. */
  async forget(userId: string): Promise<void> {
    const index = await this.#records.indexOf(userId, async ({ digest, attempt, startedAt }) => {
      await this.#records.delete(digest);
      await clearProgress(this.#records.store, attempt, startedAt);
    });
    const ended = await index.end(() => true);
    this.#report(userId, "forget", ended.count);
    const { personTokens, backgroundTokens } = this.#options;
    // The store may have a token from before the option `backgroundTokens` was turned off.
    const options = { ended: backgroundTokens ? ended.digests : [] };
    await personTokens.remove(userId, { startedBefore: Infinity, index, ...options });
  }

  /** Reports the number of ended sessions of a person, unless it is 0. */
  #report(userId: string, cause: SessionEndedEvent["cause"], sessions: number): void {
    reportSessionEnd(this.#options.report, userId, cause, sessions);
  }

  /**
   * Ends all sessions of a person, and revokes the token of the given session. Revoking it ends all tokens of the person at the
   * platform.
   *
   * The sessions end first, even if the platform can't be reached. The session of the request ends at once, but its records are deleted
   * last, so that the call can be repeated if the store fails.
   *
   * @param digest The digest of the session in the cookie. `session` is that session or its continuation, and stays in the list only
   * together with it.
   */
  async #endEverywhere(session: StoredSession, digest: string): Promise<void> {
    const { userId } = session.content;
    const index = await this.#records.indexOf(userId);
    const ending = await this.#beginEnding(session) ?? session;
    const own = new Set([digest, session.keys.digest, ending.keys.digest]);
    const others = await index.end(({ digest }) => !own.has(digest));
    this.#report(userId, "end_everywhere", others.count);
    await this.#revoke(ending, index, [...own, ...others.digests]);
    for (const digest of own) await this.#records.delete(digest);
    const { wasListed } = await index.remove(digest);
    this.#report(userId, "end_everywhere", wasListed ? 1 : 0);
  }

  /** Marks a session, or its continuation, as ending. Returns the record of the marked session, or `null` if the record is gone. */
  async #beginEnding(session: StoredSession): Promise<StoredSession | null> {
    let known: StoredSession | null = session;
    const { ending } = await untilSaved("The session was not ended", async () => {
      const found = known ?? await this.#records.load(session.keys);
      known = null;
      const latest = found?.kind === "continued" ? await this.#records.follow(found) : found;
      if (!latest || latest.content.isEnding) return { ending: latest };
      const content = { ...latest.content, isEnding: true };
      const version = await this.#records.save(latest.keys, content, latest.version);
      return version === null ? null : { ending: { ...latest, content, version } };
    });
    return ending;
  }

  /**
   * Revokes the token of a session at the platform, with one retry. If the revocation fails, a token of `backgroundTokens` stays in the
   * store, and only `login.revoke` uses it.
   */
  async #revoke(
    { keys, content }: StoredSession,
    index: PersonIndex,
    ended: readonly string[],
  ): Promise<void> {
    const { personTokens, backgroundTokens, timeout, report } = this.#options;
    const { userId } = content;
    const source = this.#tokenSource(keys, content);
    const failure = await twiceWithin(timeout, () => source.revoke()).then(() => null, (error) => {
      if (isErrorOfStore(error)) throw error;
      return error;
    });
    if (failure) report?.({ kind: "revocation_failed", userId, ...errorDetails(failure) });
    if (failure && backgroundTokens) return await personTokens.mark(userId);
    // The token of a login that began meanwhile stays.
    const has = async (digest: string) => !ended.includes(digest) && await index.has(digest);
    await personTokens.remove(userId, {
      startedBefore: Infinity,
      index: { has },
      ended: backgroundTokens ? ended : [],
    });
  }

  async #find(request: Request, site: SiteAddress): Promise<StoredSession | null> {
    const found = await this.#records.find(request, site);
    return found?.kind === "session" ? found : null;
  }

  #toState({ keys, content }: StoredSession): SessionState {
    const sessionForLogin = this.#records.hasEnded(content)
      ? null
      : frozenSession(content, () => this.#tokenSource(keys, content), this.#options.createUser);
    return {
      userId: content.userId,
      scopes: content.scopes,
      session: this.#records.isValid(content) ? sessionForLogin : null,
      sessionForLogin,
      // Tokens are refreshed, so a session never ends with its token.
      canBeRenewed: false,
    };
  }

  /** Saves the time of the last use, at most once per tenth of the idle timeout, so that most requests do not write to the store. */
  async #prolong({ keys, content, version }: StoredSession): Promise<void> {
    const now = Date.now();
    if (now - content.usedAt < this.#options.idleTimeout * 100) return;
    // `null` needs no retry: another request has prolonged or ended the session. After an error, the session is still valid, and the next
    // request saves the time.
    await this.#records.save(keys, { ...content, usedAt: now }, version).catch(() => null);
  }

  #tokenSource(keys: SessionKeys, { userId, sharesToken, endsAt }: SessionContent): TokenSource {
    if (sharesToken) return this.#options.personTokens.of(userId);
    const { api, store, report, refreshBefore } = this.#options;
    const ownStore = sealedBy(withExpiry(store, endsAt), keys.sealer);
    return new TokenSource(
      tokenApiOf(api, store, userId, report),
      ownStore,
      tokenKey(keys.digest),
      { refreshBefore },
    );
  }
}

/** Runs an operation, and retries it once after a temporary error of the platform, unless the given time is over. */
async function twiceWithin(milliseconds: number, operation: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + milliseconds;
  try {
    await operation();
  } catch (error) {
    const left = deadline - performance.now();
    const mayHelp = error instanceof GuildpassError && error.isTemporary && !isErrorOfStore(error);
    if (left <= 0 || !mayHelp) throw error;
    await withTimeout(operation(), left, () => error as Error);
  }
}

/** Returns true for an error of the store, after which the whole call can be repeated. */
function isErrorOfStore(error: unknown): boolean {
  return !(error instanceof GuildpassError) || error instanceof StoreTimeoutError;
}

/** Returns a store in which every value expires at the given time, so that a token expires with its session. */
function withExpiry(store: Store, expiresAt: number): Store {
  return {
    load: (key) => store.load(key),
    save: (key, value, options) => store.save(key, value, { ...options, expiresAt }),
    delete: store.delete.bind(store),
  };
}
