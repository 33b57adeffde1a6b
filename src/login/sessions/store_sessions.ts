/**
 * Sessions with a store: the cookie has a random id, and the store has an encrypted record.
 *
 * @module
 */

import { GuildpassError, StoreTimeoutError } from "../../core/errors.ts";
import { deadlineIn, timeLeft, withTimeout } from "../../core/wait.ts";
import type { TokenSource } from "../../tokens/token_source.ts";
import { clearProgress } from "./login_progress.ts";
import { bearerOf } from "../site/bearer.ts";
import { removeCookieHeader } from "../site/cookies.ts";
import { errorDetails } from "../base/events.ts";
import {
  abandonSession,
  beginConsent,
  beginSession,
  completeConsent,
  completeSession,
  type ConsentDraft,
  type LoginDraft,
} from "./store_logins.ts";
import type { ListedSession, SessionMember } from "../base/session.ts";
import type { Members } from "./members.ts";
import type {
  Begun,
  Completed,
  Decided,
  NewSession,
  Sessions,
  SessionState,
  Visit,
} from "./session_storage.ts";
import {
  type SessionRecord,
  SessionRecords,
  type SessionRecordsOptions,
  type StoredSession,
} from "./session_records.ts";
import { endWithin } from "./open_session.ts";

type StoreDraft = LoginDraft | ConsentDraft;

/** Options of {@link StoreSessions.endAll}. */
export interface EndAllSessionsOptions {
  /**
   * Ends only sessions whose login or latest consent was before this time, in milliseconds since the epoch; `Infinity` ends all sessions.
   */
  readonly startedBefore: number;
  /** True to also remove the token for background jobs, if its login was before `startedBefore`. */
  readonly tokens: boolean;
}

/** Keeps sessions in a store. */
export class StoreSessions implements Sessions<StoreDraft> {
  readonly #records: SessionRecords;

  constructor(options: SessionRecordsOptions) {
    this.#records = new SessionRecords(options);
  }

  /** See {@link Sessions.begin}. */
  async begin(visit: Visit, login: NewSession): Promise<Begun<StoreDraft>> {
    return login.purpose === "consent"
      ? await beginConsent(this.#records, visit, login)
      : await beginSession(this.#records, visit, login);
  }

  /** See {@link Sessions.complete}. */
  async complete(draft: StoreDraft, decided: Decided): Promise<Completed<StoreDraft>> {
    return draft.kind === "consent"
      ? await completeConsent(this.#records, draft, decided)
      : await completeSession(this.#records, draft, decided);
  }

  /** See {@link Sessions.abandon}. A consent without an outcome leaves its session as it is. */
  async abandon(draft: StoreDraft): Promise<void> {
    if (draft.kind === "login") await abandonSession(this.#records, draft);
  }

  /** See {@link Sessions.find}. */
  async find(visit: Visit, mayProlong = true): Promise<SessionState | null> {
    const { memberships } = this.#records.options;
    const loaded = await this.#records.find(visit);
    const { session: found, member } = loaded && memberships && this.#records.isValid(loaded.record)
      ? await this.#withMember(memberships, loaded)
      : { session: loaded };
    if (!found) return null;
    const state = this.#records.toState(found, member);
    // The time of the last use is saved at most once in a tenth of the idle timeout, so that most requests do not write to the store.
    const mustSave = Date.now() - found.record.usedAt >= this.#records.options.idleTimeout * 100;
    if (mayProlong && state.session && mustSave) await this.#prolong(found);
    return state;
  }

  /** See {@link Sessions.update}. */
  async update(visit: Visit, user: unknown): Promise<readonly string[] | null> {
    const found = await this.#records.find(visit);
    const change = (record: SessionRecord) =>
      this.#records.isValid(record) ? { ...record, user, usedAt: Date.now() } : null;
    return found && await this.#records.change(found, change) ? [] : null;
  }

  /** See {@link Sessions.end}. */
  async end(visit: Visit, everywhere: boolean): Promise<readonly string[]> {
    const records = this.#records;
    const found = await records.find(visit);
    if (found && everywhere) {
      await this.#endEverywhere(found);
    } else if (found) {
      await records.end(found, "end");
    }
    const { options } = records;
    return bearerOf(visit.request, options) === null
      ? [removeCookieHeader(visit.site, options.namespace.sessionCookie)]
      : [];
  }

  /** Lists the sessions of a person, with the newest login first, and marks the session of a request. */
  async list(userId: string, current: Visit | null): Promise<readonly ListedSession[]> {
    const records = this.#records;
    const { labelSealer, maxAge } = this.#records.options;
    const found = current && await records.find(current);
    const index = await records.indexOf(userId);
    const entries = await index.entries();
    const listed = await Promise.all(entries.map(async ({ digest: id, ...entry }) => {
      // An unused session has lost its record, and a login in `onLogin` has none yet.
      if (!await records.has(id)) return null;
      const startedAt = entry.loggedInAt ?? entry.startedAt;
      const endsAt = endWithin(maxAge, { startedAt, endsAt: entry.endsAt });
      // A label that no secret opens is null. One that opens was sealed at its login, so it is text.
      const label = await labelSealer.open(id, entry.label) as string | null;
      return { id, startedAt, endsAt, label, isCurrent: id === found?.keys.digest };
    }));
    return listed.filter((session) => session !== null)
      .filter(({ endsAt }) => endsAt > Date.now())
      .sort((a, b) => b.startedAt - a.startedAt);
  }

  /** Ends one session of a person. Returns false if the session is not in the person's list. */
  async endOne(userId: string, id: string): Promise<boolean> {
    const index = await this.#records.indexOf(userId);
    const { removed } = await index.end(({ digest }) => digest === id);
    this.#records.reportEnd(userId, "end_session", removed);
    return removed.length > 0;
  }

  /** Ends sessions of a person. Returns their number. */
  async endAll(userId: string, { startedBefore, tokens }: EndAllSessionsOptions): Promise<number> {
    const index = await this.#records.indexOf(userId);
    const { removed: ended } = await index.end(({ startedAt }) => startedAt < startedBefore);
    this.#records.reportEnd(userId, "end_all", ended);
    const { personTokens, backgroundTokens } = this.#records.options;
    if (tokens && backgroundTokens) {
      await personTokens.remove(userId, { startedBefore, index, ended });
    }
    return ended.length;
  }

  /** Deletes all data of a person. */
  async forget(userId: string): Promise<void> {
    const records = this.#records;
    const index = await records.indexOf(userId, async ({ digest, progress }) => {
      await records.delete(digest);
      for (const one of progress) await clearProgress(this.#records.options.store, one);
    });
    const { removed: ended } = await index.end(() => true);
    records.reportEnd(userId, "forget", ended);
    // The store may have a token from before the option `backgroundTokens` was turned off.
    await this.#records.options.personTokens.remove(userId, {
      startedBefore: Infinity,
      index,
      ended,
    });
    // Last, because no request can read the membership anymore without a token.
    await records.options.memberships?.forget(userId);
  }

  /**
   * Ends all sessions of a person, and revokes the token of the given session, with one retry. Revoking it ends all tokens of the person at
   * Discord.
   *
   * The sessions end first, even if Discord can't be reached. The session of the request ends at once, but its record is deleted
   * last, so that the call can be repeated if the store fails. If the revocation fails, a token of `backgroundTokens` stays in the store, and
   * only `login.revoke` uses it. The token of a login that began meanwhile stays.
   */
  async #endEverywhere(session: StoredSession): Promise<void> {
    const records = this.#records;
    const { personTokens, backgroundTokens, timeout, report } = this.#records.options;
    const { keys: { digest: own }, record: { userId } } = session;
    const index = await records.indexOf(userId);
    await records.change(session, (record) => ({ ...record, isEnding: true }));
    const { removed: others } = await index.end(({ digest }) => digest !== own);
    records.reportEnd(userId, "end_everywhere", others);
    const failure = await revokeTwice(records.tokenOf(session), timeout);
    if (failure) report?.({ kind: "revocation_failed", userId, ...errorDetails(failure) });
    const ended = [own, ...others];
    if (failure && backgroundTokens) await personTokens.mark(userId);
    else await personTokens.remove(userId, { startedBefore: Infinity, index, ended });
    await records.delete(own);
    const { removed } = await index.remove(own);
    records.reportEnd(userId, "end_everywhere", removed);
  }

  /** Returns a session with the membership of its person. Ends the session of a person who is not a member. */
  async #withMember(
    memberships: Members,
    session: StoredSession,
  ): Promise<{ readonly session: StoredSession | null; readonly member?: SessionMember }> {
    const records = this.#records;
    const { userId } = session.record;
    const known = await memberships.known(userId);
    const membership = known ??
      await memberships.read(
        userId,
        records.options.clients.user(records.tokenOf(session), userId),
      );
    if (typeof membership === "string") {
      await records.end(session, membership);
      return { session: null };
    }
    // The session may have ended during the read.
    const found = known ? session : await records.load(session.keys);
    return {
      session: found && records.isValid(found.record) ? found : null,
      member: membership,
    };
  }

  /** Saves the time of the last use. */
  async #prolong({ keys, record, version }: StoredSession): Promise<void> {
    const prolonged = { ...record, usedAt: Date.now() };
    // A refusal needs no retry: another request has prolonged or ended the session. After an error, the session is still valid, and the next
    // request saves the time.
    await this.#records.save(keys, prolonged, version).catch(() => null);
  }
}

/** Revokes a token, with one retry after a temporary error of Discord within a time. Returns the error of Discord, or `null`. */
async function revokeTwice(
  source: TokenSource,
  milliseconds: number,
): Promise<GuildpassError | null> {
  const deadline = deadlineIn(milliseconds);
  const error = await errorOfPlatform(source.revoke());
  if (!error?.isTemporary || timeLeft(deadline) <= 0) return error;
  return await errorOfPlatform(withTimeout(source.revoke(), deadline, () => error));
}

/** Returns the error of Discord. Throws an error of the store, after which the whole call can be repeated. */
async function errorOfPlatform(operation: Promise<void>): Promise<GuildpassError | null> {
  try {
    await operation;
    return null;
  } catch (error) {
    if (error instanceof GuildpassError && !(error instanceof StoreTimeoutError)) return error;
    throw error;
  }
}
