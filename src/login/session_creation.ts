/**
 * Creates sessions in a store. A login replaces the session of the browser, and a consent for further scopes continues it.
 *
 * @module
 */

import { generateState } from "../links/pkce.ts";
import { continuationLifetimeMs } from "../http/waits.ts";
import { sealedBy } from "../stores/sealed.ts";
import type { Sealer } from "../stores/sealer.ts";
import { newRecord } from "../tokens/token_record.ts";
import { setCookieHeader } from "./cookies.ts";
import type { Namespace, SessionKeys } from "./namespace.ts";
import type { LoginOptions } from "./options.ts";
import type { IndexEntry, PersonIndex } from "./person_index.ts";
import type { PersonTokens } from "./person_tokens.ts";
import {
  type ContinuedSession,
  type SessionContent,
  type SessionRecords,
  type StoredSession,
  tokenKey,
} from "./session_records.ts";
import { sealLabel } from "./session_label.ts";
import type { CreatedSession, LoginDecisions, NewSession, SessionState } from "./session.ts";
import type { SiteAddress } from "./site_address.ts";

/** The storage of sessions. */
export interface SessionStorage {
  readonly namespace: Namespace;
  readonly records: SessionRecords;
  readonly personTokens: PersonTokens;
  readonly sessionLabel?: LoginOptions["sessionLabel"];
  /** Encrypts the labels. */
  readonly labelSealer: Sealer;
  /** True if new sessions share the token of their person. */
  readonly backgroundTokens: boolean;
  /** The maximum lifetime of a session, in seconds. */
  readonly maxAge: number;
  /** Returns a session as the application sees it. */
  readonly toState: (session: StoredSession) => SessionState;
  /** Reports the end of other sessions of a person. */
  readonly reportEnd: (userId: string, cause: "too_many" | "replaced", sessions: number) => void;
}

/** The session that a consent is to continue. */
type Previous =
  | { readonly kind: "open"; readonly session: StoredSession }
  /** A consent has already continued the session, and the browser may not have the cookie of the new session. */
  | {
    readonly kind: "continued";
    readonly keys: SessionKeys;
    /** The `state` of the consent that continued the session. */
    readonly state: string;
    /** The new session. */
    readonly session: StoredSession;
    /** The page after that consent. */
    readonly page: string | undefined;
  }
  | { readonly kind: "ended" };

/** A new session, which is added to the person's list before its records are saved. */
interface NextSession {
  readonly keys: SessionKeys;
  readonly index: PersonIndex;
  /** The time of the login or consent, in milliseconds since the epoch. */
  readonly listedAt: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

/** Creates one session. */
export class SessionCreation {
  readonly #storage: SessionStorage;
  readonly #site: SiteAddress;
  readonly #login: NewSession;
  readonly #decisions: LoginDecisions;

  constructor(
    storage: SessionStorage,
    site: SiteAddress,
    login: NewSession,
    decisions: LoginDecisions,
  ) {
    this.#storage = storage;
    this.#site = site;
    this.#login = login;
    this.#decisions = decisions;
  }

  /** See {@link Sessions.create}. The new session has a new id, so that a planted session id never becomes a session of the person. */
  async run(request: Request): Promise<CreatedSession> {
    const found = await this.#storage.records.find(request, this.#site);
    return this.#login.purpose === "consent"
      ? await this.#continue(found)
      : await this.#replace(request, found?.kind === "session" ? found : null);
  }

  /** Creates the session of a login, and ends the previous session of the browser. */
  async #replace(request: Request, previous: StoredSession | null): Promise<CreatedSession> {
    const { records, toState } = this.#storage;
    const next = await this.#next();
    await this.#list(next, await this.#label(request, next));
    const decided = await this.#decide(next, previous && toState(previous));
    if (decided.kind === "response") return decided;
    const content = await this.#saveToken(next, decided.user);
    if (!content) return await this.#takeBack(next);
    await records.save(next.keys, content, null);
    const isListed = previous
      ? await this.#endPrevious(previous, next)
      : await next.index.has(next.keys.digest);
    return isListed ? this.#created(next, decided.page) : await this.#takeBack(next);
  }

  /** Ends the previous session of the browser. Returns true if the new session is still in the list of its person. */
  async #endPrevious({ content, keys }: StoredSession, next: NextSession): Promise<boolean> {
    const { records, reportEnd } = this.#storage;
    const { userId } = content;
    await records.delete(keys.digest);
    const { wasListed, others } = await (await records.indexOf(userId)).remove(keys.digest);
    if (wasListed && records.isValid(content)) reportEnd(userId, "replaced", 1);
    const { digest } = next.keys;
    return userId === this.#login.userId ? others.includes(digest) : await next.index.has(digest);
  }

  /**
   * Continues the session of the request with further scopes. Replaces the record of that session only if its version has not changed, so
   * that an update of the session is never lost, and an ended session is never continued.
   */
  async #continue(found: StoredSession | ContinuedSession | null): Promise<CreatedSession> {
    const { records, toState } = this.#storage;
    const { state } = this.#login;
    let previous = await this.#previousOf(found);
    if (previous.kind === "continued" && previous.state === state) {
      // An earlier request with this callback has saved the session, and could not finish.
      const { keys, content } = previous.session;
      const index = await records.indexOf(content.userId);
      const next = { keys, index, endsAt: content.endsAt };
      return await this.#finish(previous.keys, next, previous.page);
    }
    if (previous.kind !== "open") return await this.#giveUp(previous);
    const { keys: { digest: continues }, content: { startedAt } } = previous.session;
    const next = await this.#next(startedAt);
    if (!await this.#list(next, { continues, loggedInAt: startedAt })) return { kind: "ended" };
    const decided = await this.#decide(next, toState(previous.session));
    if (decided.kind === "response") return decided;
    let content = await this.#saveToken(next, decided.user);
    if (!content) return await this.#takeBack(next);
    let version = await records.save(next.keys, content, null);
    const continuation = { continuedBy: next.keys.id, state, page: decided.page };
    // Another consent may have saved a token that stays, and lacks scopes of this one.
    const isNarrower = this.#decisions.isNarrowerThan(content.scopes);
    // Each turn after the first follows a change of the session.
    while (isNarrower || !await records.saveContinuation(previous.session, continuation)) {
      previous = await this.#previousOf(await records.load(previous.session.keys));
      if (isNarrower || previous.kind !== "open") {
        await this.#takeBack(next);
        return await this.#giveUp(previous);
      }
      content = { ...content, user: await this.#decisions.userData(toState(previous.session)) };
      version = await records.save(next.keys, content, version);
    }
    return await this.#finish(previous.session.keys, next, decided.page);
  }

  /** Finishes a consent whose new session is saved. Removes the new session if it or the old session has ended meanwhile. */
  async #finish(
    { digest }: SessionKeys,
    next: Pick<NextSession, "keys" | "index" | "endsAt">,
    page: string | undefined,
  ): Promise<CreatedSession> {
    const until = Date.now() + continuationLifetimeMs;
    if (!await next.index.continueBy(digest, next.keys.digest, until)) {
      return await this.#takeBack(next);
    }
    await this.#storage.records.deleteToken(digest);
    return this.#created(next, page);
  }

  /** Returns the current state of the session that a consent is to continue. */
  async #previousOf(found: StoredSession | ContinuedSession | null): Promise<Previous> {
    const { records } = this.#storage;
    const session = found?.kind === "continued" ? await records.follow(found) : found;
    const isOpen = session && records.isValid(session.content) &&
      session.content.userId === this.#login.userId;
    if (!isOpen) return { kind: "ended" };
    return found?.kind === "continued"
      ? { kind: "continued", keys: found.keys, state: found.state, session, page: found.page }
      : { kind: "open", session };
  }

  /** Returns the result of a consent that does not continue its session. */
  async #giveUp(previous: Previous): Promise<CreatedSession> {
    if (previous.kind === "ended") return previous;
    const { keys, content } = previous.session;
    // The browser has the cookie of an open session.
    const cookies = previous.kind === "open" ? [] : [this.#cookie(keys, content.endsAt)];
    const found = this.#storage.toState(previous.session);
    return { kind: "response", ...await this.#decisions.askAgain(found, cookies) };
  }

  /** @param startedAt The time of the login; by default now. */
  async #next(startedAt?: number): Promise<NextSession> {
    const { namespace, records, maxAge } = this.#storage;
    const now = Date.now();
    const loggedInAt = startedAt ?? now;
    return {
      keys: await namespace.sessionKeys(generateState()),
      index: await records.indexOf(this.#login.userId),
      listedAt: now,
      startedAt: loggedInAt,
      endsAt: loggedInAt + maxAge * 1000,
    };
  }

  /**
   * Adds the new session to the list of its person. Without an entry in the list, `endAll` could not end the session.
   *
   * @returns False if the session to continue has ended.
   */
  async #list(
    { keys: { digest }, index, listedAt, endsAt }: NextSession,
    more: Pick<IndexEntry, "label" | "continues" | "loggedInAt">,
  ): Promise<boolean> {
    const { userId, progressDigest } = this.#login;
    // The entry has the time of this consent, even if the session began earlier.
    const entry = { digest, startedAt: listedAt, endsAt, attempt: progressDigest, ...more };
    const ended = await index.add(entry);
    if (ended === null) return false;
    this.#storage.reportEnd(userId, "too_many", ended);
    return true;
  }

  /** Returns the label of the new session, if there is one. */
  async #label(
    request: Request,
    { keys: { digest } }: NextSession,
  ): Promise<Pick<IndexEntry, "label">> {
    const { sessionLabel, labelSealer } = this.#storage;
    if (!sessionLabel) return {};
    const label = await sealLabel(labelSealer, digest, sessionLabel(request));
    return label === undefined ? {} : { label };
  }

  /** Asks the application for its decisions. Removes the new session from the list unless the application accepts the login. */
  async #decide(
    next: NextSession,
    found: SessionState | null,
  ): Promise<Accepted | Reply> {
    let isSession = false;
    try {
      const reply = await this.#decisions.respond(found);
      if (reply) return { kind: "response", ...reply };
      const user = await this.#decisions.userData(found);
      const page = await this.#decisions.page(found);
      isSession = true;
      return { kind: "accepted", user, page };
    } finally {
      if (!isSession) await this.#unlist(next);
    }
  }

  /** Saves the token of the new session. Returns the content of the session's record, or `null` if the session has ended. */
  async #saveToken(next: NextSession, user: unknown): Promise<SessionContent | null> {
    const { personTokens, backgroundTokens: sharesToken, records } = this.#storage;
    const { userId, token, asked } = this.#login;
    const { keys: { digest, sealer }, index, listedAt: usedAt, startedAt, endsAt } = next;
    const times = { startedAt, endsAt, usedAt };
    if (sharesToken) {
      const scopes = await personTokens.keep(userId, token, digest, usedAt, index);
      return scopes && { user, userId, scopes, asked, ...times, sharesToken };
    }
    // No other request knows the key of this record, so the record is not read first.
    const value = newRecord(token, Date.now());
    await sealedBy(records.store, sealer).save(tokenKey(digest), value, {
      version: null,
      expiresAt: endsAt,
    });
    return { user, userId, scopes: token.scopes, asked, ...times, sharesToken };
  }

  /** Removes the data of a session that ended before its cookie was set, and no other data. */
  async #takeBack(next: Pick<NextSession, "keys" | "index">): Promise<CreatedSession> {
    await this.#storage.records.delete(next.keys.digest);
    await this.#unlist(next);
    return { kind: "ended" };
  }

  /** Removes the new session from the list. A kept token that counts as this session's, also after another login was taken back, goes first. */
  async #unlist({ keys, index }: Pick<NextSession, "keys" | "index">): Promise<void> {
    const { personTokens, backgroundTokens } = this.#storage;
    if (backgroundTokens) await personTokens.takeBack(this.#login.userId, keys.digest, index);
    await index.remove(keys.digest);
  }

  #created(
    { keys, endsAt }: Pick<NextSession, "keys" | "endsAt">,
    page: string | undefined,
  ): CreatedSession {
    return { kind: "session", cookies: [this.#cookie(keys, endsAt)], page };
  }

  #cookie({ id }: SessionKeys, endsAt: number): string {
    const seconds = Math.ceil((endsAt - Date.now()) / 1000);
    return setCookieHeader(this.#site, this.#storage.namespace.sessionCookie, id, seconds);
  }
}

type Reply = Extract<CreatedSession, { readonly kind: "response" }>;

/** The application's decisions about a login that it accepts. */
interface Accepted {
  readonly kind: "accepted";
  readonly user: unknown;
  readonly page: string | undefined;
}
