/**
 * Creates sessions in a store. A login replaces the session of the browser, and a consent for further scopes continues it.
 *
 * @module
 */

import { generateState } from "../../links/pkce.ts";
import { continuationLifetimeMs } from "../../http/waits.ts";
import { digestOf } from "../../stores/digest.ts";
import { setCookieHeader } from "../site/cookies.ts";
import type { SessionKeys } from "../site/namespace.ts";
import type { IndexEntry, PersonIndex } from "./person_index.ts";
import type {
  ContinuedSession,
  FoundSession,
  SessionContent,
  SessionRecords,
  StoredSession,
} from "./session_records.ts";
import { sealLabel } from "./session_label.ts";
import type {
  CreatedSession,
  LoginDecisions,
  NewSession,
  SessionState,
} from "./session_storage.ts";
import type { SiteAddress } from "../site/site_address.ts";

/** The session that a consent is to continue. */
interface Previous {
  readonly session: StoredSession;
  /**
   * The record in place of the session, if a consent has already continued it. `session` is the new one then, and the browser may not have
   * its cookie.
   */
  readonly continued: ContinuedSession | null;
}

/** A new session, which is added to the person's list before its records are saved. */
interface NextSession {
  readonly keys: SessionKeys;
  /** The time of the login or consent, in milliseconds since the epoch. */
  readonly listedAt: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

/** Creates one session. */
export class SessionCreation {
  readonly #records: SessionRecords;
  readonly #site: SiteAddress;
  readonly #login: NewSession;
  readonly #decisions: LoginDecisions;
  /** The sessions of the person. */
  readonly #index: PersonIndex;

  constructor(
    records: SessionRecords,
    site: SiteAddress,
    login: NewSession,
    decisions: LoginDecisions,
  ) {
    this.#records = records;
    this.#site = site;
    this.#login = login;
    this.#decisions = decisions;
    this.#index = records.indexOf(login.userId);
  }

  /** See {@link Sessions.create}. The new session has a new id, so that a planted session id never becomes a session of the person. */
  async run(request: Request): Promise<CreatedSession> {
    const found = await this.#records.find(request, this.#site);
    return this.#login.purpose === "consent"
      ? await this.#continue(found)
      : await this.#replace(request, found?.kind === "session" ? found : null);
  }

  /** Creates the session of a login, and ends the previous session of the browser. */
  async #replace(request: Request, previous: StoredSession | null): Promise<CreatedSession> {
    const records = this.#records;
    const next = await this.#next();
    await this.#list(next, await this.#label(request, next));
    const decided = await this.#decide(next, previous && records.toState(previous));
    if (decided.kind === "response") return decided;
    const content = await this.#saveToken(next, decided.user);
    if (!content) return await this.#takeBack(next);
    await records.save(next.keys, content, null);
    const isListed = previous
      ? await this.#endPrevious(previous, next)
      : await this.#index.has(next.keys.digest);
    return isListed ? this.#created(next, decided.page) : await this.#takeBack(next);
  }

  /** Ends the previous session of the browser. Returns true if the new session is still in the list of its person. */
  async #endPrevious({ content, keys }: StoredSession, next: NextSession): Promise<boolean> {
    const records = this.#records;
    const { userId } = content;
    await records.delete(keys.digest);
    const { count, others } = await records.indexOf(userId).remove(keys.digest);
    if (count > 0 && records.isValid(content)) records.reportEnd(userId, "replaced", 1);
    const { digest } = next.keys;
    return userId === this.#login.userId ? others.includes(digest) : await this.#index.has(digest);
  }

  /**
   * Continues the session of the request with further scopes. Replaces the record of that session only if its version has not changed, so
   * that an update of the session is never lost, and an ended session is never continued.
   */
  async #continue(found: FoundSession | null): Promise<CreatedSession> {
    const records = this.#records;
    const { state } = this.#login;
    let previous = await this.#previousOf(found);
    const continued = previous?.continued;
    if (previous && continued?.content.state === state) {
      // An earlier request with this callback has saved the session, and could not finish.
      const { keys, content: { endsAt } } = previous.session;
      return await this.#finish(continued.keys, { keys, endsAt }, continued.content.page);
    }
    if (!previous || continued) return await this.#giveUp(previous);
    const { keys: { digest: continues }, content: { startedAt } } = previous.session;
    const next = await this.#next(startedAt);
    if (!await this.#list(next, { continues, loggedInAt: startedAt })) return { kind: "ended" };
    const decided = await this.#decide(next, records.toState(previous.session));
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
      if (isNarrower || !previous || previous.continued) {
        await this.#takeBack(next);
        return await this.#giveUp(previous);
      }
      const user = await this.#decisions.userData(records.toState(previous.session));
      content = { ...content, user };
      version = await records.save(next.keys, content, version);
    }
    return await this.#finish(previous.session.keys, next, decided.page);
  }

  /** Finishes a consent whose new session is saved. Removes the new session if it or the old session has ended meanwhile. */
  async #finish(
    { digest }: SessionKeys,
    next: Pick<NextSession, "keys" | "endsAt">,
    page: string | undefined,
  ): Promise<CreatedSession> {
    const until = Date.now() + continuationLifetimeMs;
    if (!await this.#index.continueBy(digest, next.keys.digest, until)) {
      return await this.#takeBack(next);
    }
    await this.#records.deleteToken(digest);
    return this.#created(next, page);
  }

  /** Returns the current state of the session that a consent is to continue, or `null` if the session has ended. */
  async #previousOf(found: FoundSession | null): Promise<Previous | null> {
    const session = await this.#records.follow(found);
    const isOpen = session && this.#records.isValid(session.content) &&
      session.content.userId === this.#login.userId;
    return isOpen ? { session, continued: found?.kind === "continued" ? found : null } : null;
  }

  /** Returns the result of a consent that does not continue its session. */
  async #giveUp(previous: Previous | null): Promise<CreatedSession> {
    if (!previous) return { kind: "ended" };
    const { session, continued } = previous;
    // The browser has the cookie of a session that is not continued.
    const cookies = continued ? [this.#cookie(session.keys, session.content.endsAt)] : [];
    const found = this.#records.toState(session);
    return { kind: "response", ...await this.#decisions.askAgain(found, cookies) };
  }

  /** @param startedAt The time of the login; by default now. */
  async #next(startedAt?: number): Promise<NextSession> {
    const { namespace, maxAge } = this.#records.options;
    const now = Date.now();
    const loggedInAt = startedAt ?? now;
    return {
      keys: await namespace.sessionKeys(generateState()),
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
    { keys: { digest }, listedAt, endsAt }: NextSession,
    more: Pick<IndexEntry, "label" | "continues" | "loggedInAt">,
  ): Promise<boolean> {
    const { userId, state } = this.#login;
    const attempt = await digestOf(state);
    // The entry has the time of this consent, even if the session began earlier.
    const entry = { digest, startedAt: listedAt, endsAt, attempt, ...more };
    const ended = await this.#index.add(entry);
    if (ended === null) return false;
    this.#records.reportEnd(userId, "too_many", ended);
    return true;
  }

  /** Returns the label of the new session, if there is one. */
  async #label(
    request: Request,
    { keys: { digest } }: NextSession,
  ): Promise<Pick<IndexEntry, "label">> {
    const { sessionLabel, labelSealer } = this.#records.options;
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
    const { personTokens, backgroundTokens: sharesToken } = this.#records.options;
    const { userId, token, asked } = this.#login;
    const { keys, listedAt: usedAt, startedAt, endsAt } = next;
    let { scopes }: { scopes: readonly string[] | null } = token;
    if (sharesToken) {
      scopes = await personTokens.keep(userId, token, keys.digest, usedAt, this.#index);
    } else await this.#records.saveToken(keys, token, endsAt);
    return scopes && { user, userId, scopes, asked, startedAt, endsAt, usedAt, sharesToken };
  }

  /** Removes the data of a session that ended before its cookie was set, and no other data. */
  async #takeBack(next: Pick<NextSession, "keys">): Promise<CreatedSession> {
    await this.#records.delete(next.keys.digest);
    await this.#unlist(next);
    return { kind: "ended" };
  }

  /** Removes the new session from the list. A kept token that counts as this session's, also after another login was taken back, goes first. */
  async #unlist({ keys: { digest } }: Pick<NextSession, "keys">): Promise<void> {
    const { personTokens, backgroundTokens } = this.#records.options;
    if (backgroundTokens) await personTokens.takeBack(this.#login.userId, digest, this.#index);
    await this.#index.remove(digest);
  }

  #created(
    { keys, endsAt }: Pick<NextSession, "keys" | "endsAt">,
    page: string | undefined,
  ): CreatedSession {
    return { kind: "session", cookies: [this.#cookie(keys, endsAt)], page };
  }

  #cookie({ id }: SessionKeys, endsAt: number): string {
    const seconds = Math.ceil((endsAt - Date.now()) / 1000);
    const { sessionCookie } = this.#records.options.namespace;
    return setCookieHeader(this.#site, sessionCookie, id, seconds);
  }
}

type Reply = Extract<CreatedSession, { readonly kind: "response" }>;

/** The application's decisions about a login that it accepts. */
interface Accepted {
  readonly kind: "accepted";
  readonly user: unknown;
  readonly page: string | undefined;
}
