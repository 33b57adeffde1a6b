/**
 * The records of sessions in a store: one for each session. Their names and encryption keys are derived from the session ids, so that a
 * reader of the store learns neither the ids nor the contents.
 *
 * @module
 */

import { format, recordKeys } from "../../stores/names.ts";
import type { Sealer } from "../../stores/sealed.ts";
import type { SaveOptions, Store, StoredValue } from "../../stores/store.ts";
import type { PacedTokenApi } from "../../tokens/token_api.ts";
import { TokenSource } from "../../tokens/token_source.ts";
import { bearerOf, bearerStart } from "../site/bearer.ts";
import { cookieCandidates, setCookieHeader } from "../site/cookies.ts";
import {
  type ReportEvent,
  reportSessionEnd,
  type SessionEndedEvent,
  tokenApiOf,
} from "../base/events.ts";
import type { Namespace, SessionKeys } from "../site/namespace.ts";
import type { CheckedLoginOptions } from "../site/checked_options.ts";
import { type DeleteRecords, PersonIndex } from "./person_index.ts";
import type { ApiClients } from "./api_clients.ts";
import type { PersonTokens } from "./person_tokens.ts";
import { endWithin, OpenedSessions, type SessionContent, wasAskedFor } from "./open_session.ts";
import type { CreatedSession, SessionState, Visit } from "./session_storage.ts";
import type { SiteAddress } from "../site/site_address.ts";
import { untilSaved } from "../../tokens/store_loops.ts";
import type { TokenObj } from "../../resources/token.ts";
import { isRemoved, newRecord } from "../../tokens/token_record.ts";
import { noSessionError } from "../base/login_error.ts";
import type { SessionMember } from "../base/session.ts";
import type { Members } from "./members.ts";

/** The record of a session: everything that the store has of it. */
export interface SessionRecord extends SessionContent {
  /** The time at which the session was last used, in milliseconds since the epoch. */
  readonly usedAt: number;
  /**
   * True if the session uses the token that all sessions of the person share. A later change of the option `backgroundTokens` has no effect
   * on this.
   */
  readonly sharesToken: boolean;
  /**
   * The session's own token, or `null` without one. It is encrypted a second time, so that an opened record, which the process keeps in
   * memory, does not show the token.
   */
  readonly token: string | null;
  /** The latest consent, for a callback that is opened again. */
  readonly consent?: SavedConsent;
  /** True while a logout everywhere is under way. The session has ended, and the logout can be repeated. */
  readonly isEnding?: boolean;
}

/** The latest consent of a session. */
export interface SavedConsent {
  /** The `state` of the consent's login. */
  readonly state: string;
  /** The arrival of the callback, in milliseconds since the epoch. */
  readonly at: number;
  /** The page after the consent, if the function `afterLogin` has decided it. */
  readonly page?: string | undefined;
}

/** A record that was read from the store. */
export interface StoredSession {
  readonly keys: SessionKeys;
  readonly record: SessionRecord;
  readonly version: string;
}

/** Options of {@link SessionRecords}. */
export interface SessionRecordsOptions extends CheckedLoginOptions {
  /** The application's store, with a time limit for each operation. */
  readonly store: Store;
  /** Always present, because `forget` also removes tokens that were kept before `backgroundTokens` was turned off. */
  readonly personTokens: PersonTokens;
  readonly api: PacedTokenApi;
  readonly clients: Pick<ApiClients, "user">;
  /** `null` without the option `members`. */
  readonly memberships: Members | null;
  /** Encrypts the labels of `sessionLabel`. */
  readonly labelSealer: Sealer;
  /** `null` without the option `onEvent`. */
  readonly report: ReportEvent | null;
  readonly namespace: Namespace;
  /** The time limit of one operation of the store, in milliseconds. */
  readonly timeout: number;
}

/** The form of a session's id in a cookie: 256 bits in base64url. */
const idForm = /^[\w-]{43}$/;

/** Reads and writes the records of sessions. Only a login creates a record, so that no other change brings an ended session back. */
export class SessionRecords {
  readonly options: SessionRecordsOptions;
  readonly #opened = new OpenedSessions<SessionRecord>();

  constructor(options: SessionRecordsOptions) {
    this.options = options;
  }

  /** Returns the record of a request's session, or `null`. With a token in the header, the cookies do not count. */
  async find({ request, site, isApp }: Visit): Promise<StoredSession | null> {
    const { namespace } = this.options;
    const bearer = bearerOf(request, this.options);
    const ids = bearer !== null
      ? [bearer]
      : isApp
      ? []
      : cookieCandidates(request, site, namespace.sessionCookie, idForm);
    for (const id of ids) {
      const found = await this.load(await namespace.sessionKeys(id));
      if (found) return found;
    }
    return null;
  }

  /** Returns the record with the given keys, or `null`. */
  async load(keys: SessionKeys): Promise<StoredSession | null> {
    const found = await this.options.store.load(recordKeys.session + keys.digest);
    if (!found) return null;
    const record = await this.#opened.open(keys.sealer, keys.digest, found.value);
    if (!record) return null;
    const endsAt = endWithin(this.options.maxAge, record);
    return { keys, record: { ...record, endsAt }, version: found.version };
  }

  /** Returns true if the record of a session has not expired. */
  async has(digest: string): Promise<boolean> {
    return await this.options.store.load(recordKeys.session + digest) !== null;
  }

  /**
   * Saves the record of a session, and returns the new version.
   *
   * @param version The version that was read. `null` for the record of a new session.
   * @returns `null` if another request was faster.
   */
  async save(
    { digest, sealer }: SessionKeys,
    record: SessionRecord,
    version: string | null,
  ): Promise<string | null> {
    const expiresAt = this.#expiryOf(record);
    const value = await sealer.seal(digest, { format, ...record });
    return await this.options.store.save(recordKeys.session + digest, value, {
      version,
      expiresAt,
    });
  }

  /**
   * Changes the record of a session until no other request changes it at the same time. Returns false if the session has ended, or `change`
   * returns `null`.
   */
  async change(
    session: StoredSession,
    change: (record: SessionRecord) => SessionRecord | null,
  ): Promise<boolean> {
    let known: StoredSession | null = session;
    return await untilSaved("The session was not changed", async () => {
      const found = known ?? await this.load(session.keys);
      known = null;
      const record = found && change(found.record);
      if (!record) return false;
      return await this.save(found.keys, record, found.version) === null ? null : true;
    });
  }

  /** Ends a session, and reports it. */
  async end({ keys, record }: StoredSession, cause: SessionEndedEvent["cause"]): Promise<void> {
    await this.delete(keys.digest);
    const index = await this.indexOf(record.userId);
    const { removed } = await index.remove(keys.digest);
    if (this.isValid(record)) this.reportEnd(record.userId, cause, removed);
  }

  /** Deletes the record of a session. */
  async delete(digest: string): Promise<void> {
    await this.options.store.delete(recordKeys.session + digest);
  }

  /** Returns the source of a session's token. */
  tokenOf({ keys, record: { userId, sharesToken } }: StoredSession): TokenSource {
    const { personTokens, api, report, refreshBefore } = this.options;
    if (sharesToken) return personTokens.of(userId);
    const store = new SessionTokenStore(this, keys);
    return new TokenSource(tokenApiOf(api, userId, report), store, keys.digest, { refreshBefore });
  }

  /** Returns the list of a person's sessions. */
  async indexOf(
    userId: string,
    deleteRecords: DeleteRecords = ({ digest }) => this.delete(digest),
  ): Promise<PersonIndex> {
    const { namespace, store } = this.options;
    const key = recordKeys.personSessions + await namespace.personDigest(userId);
    return new PersonIndex(store, key, deleteRecords);
  }

  /** Returns the cookie or the token with which requests name a session. */
  accessTo(
    site: SiteAddress,
    { id }: SessionKeys,
    endsAt: number,
  ): Pick<CreatedSession, "cookies" | "bearer"> {
    if (id.startsWith(bearerStart)) return { cookies: [], bearer: id };
    const seconds = Math.ceil((endsAt - Date.now()) / 1000);
    const { sessionCookie } = this.options.namespace;
    return { cookies: [setCookieHeader(site, sessionCookie, id, seconds)], bearer: null };
  }

  /** Returns the state of a session, for the code that both kinds of sessions share. */
  toState(session: StoredSession, member: SessionMember | null = null): SessionState {
    const { record } = session;
    const sessionForLogin = this.hasEnded(record)
      ? null
      : { content: record, member, createToken: () => this.tokenOf(session) };
    return {
      userId: record.userId,
      scopes: record.scopes,
      session: wasAskedFor(this.options.scope, record) ? sessionForLogin : null,
      sessionForLogin,
      // Tokens are refreshed, so a session never ends with its token.
      canBeRenewed: false,
    };
  }

  /** Reports the number of ended sessions of a person, unless it is 0. */
  reportEnd(userId: string, cause: SessionEndedEvent["cause"], ended: readonly string[]): void {
    reportSessionEnd(this.options.report, userId, cause, ended.length);
  }

  /** Returns true unless the session has ended, or the options ask for a scope that the person was not asked for. */
  isValid(record: SessionRecord): boolean {
    return !this.hasEnded(record) && wasAskedFor(this.options.scope, record);
  }

  /** Returns true if a session has expired, or a logout is ending it. */
  hasEnded(record: SessionRecord): boolean {
    return Date.now() >= this.#expiryOf(record) || record.isEnding === true;
  }

  /** The token's expiry does not matter, because the token is refreshed. */
  #expiryOf({ usedAt, endsAt }: SessionRecord): number {
    return Math.min(usedAt + this.options.idleTimeout * 1000, endsAt);
  }
}

/** The name of the encrypted token. */
const tokenName = "session token";

/** Encrypts the token of a login or a consent for the record of its session. */
export async function sealToken({ sealer }: SessionKeys, token: TokenObj): Promise<string> {
  return await sealer.seal(tokenName, newRecord(token, Date.now()));
}

/**
 * The store for the `TokenSource` of a session. Its only value is the token, with the version of the session's record: a change of the
 * session counts as a change of the token. The record expires with the session, and never with the token. Without a token, the value is
 * `{}`, as for a removed token.
 */
export class SessionTokenStore implements Store {
  readonly #records: Pick<SessionRecords, "load" | "save">;
  readonly #keys: SessionKeys;
  /** The record that was read or saved last, so that a save need not read it again. */
  #latest: StoredSession | null = null;

  constructor(records: Pick<SessionRecords, "load" | "save">, keys: SessionKeys) {
    this.#records = records;
    this.#keys = keys;
  }

  /** See {@link Store.load}. */
  async load(): Promise<StoredValue | null> {
    const session = this.#latest = await this.#records.load(this.#keys);
    if (!session) return null;
    const { record: { token }, version } = session;
    return { value: token === null ? {} : await this.#keys.sealer.open(tokenName, token), version };
  }

  /**
   * See {@link Store.save}.
   *
   * @throws {LoginError} If the session has ended: only a login creates a record, so that a token never brings an ended session back.
   */
  async save(_key: string, value: unknown, { version }: SaveOptions): Promise<string | null> {
    const session = this.#latest ?? await this.#records.load(this.#keys);
    if (!session) throw noSessionError();
    if (session.version !== version) return null;
    const token = isRemoved(value) ? null : await this.#keys.sealer.seal(tokenName, value);
    const record = { ...session.record, token };
    const saved = await this.#records.save(this.#keys, record, version);
    this.#latest = saved === null ? null : { ...session, record, version: saved };
    return saved;
  }

  /** See {@link Store.delete}. */
  async delete(key: string): Promise<void> {
    await this.load();
    if (this.#latest) await this.save(key, {}, this.#latest);
  }
}
