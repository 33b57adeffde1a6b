/**
 * The records of sessions in a store. Their names and encryption keys are derived from the session ids, so that a reader of the store
 * learns neither the ids nor the contents.
 *
 * @module
 */

import type { TokenObj } from "../../resources/token.ts";
import { format, recordKeys } from "../../stores/names.ts";
import { sealedBy, type Sealer } from "../../stores/sealed.ts";
import type { Store } from "../../stores/store.ts";
import { withTimeLimit } from "../../stores/with_time_limit.ts";
import { newRecord } from "../../tokens/token_record.ts";
import type { TokenSource } from "../../tokens/token_source.ts";
import { cookieCandidates, setCookieHeader } from "../site/cookies.ts";
import { type ReportEvent, reportSessionEnd, type SessionEndedEvent } from "../base/events.ts";
import type { Namespace, SessionKeys } from "../site/namespace.ts";
import { OpenedSessions } from "./opened_sessions.ts";
import type { LoginOptions } from "../base/options.ts";
import { type DeleteRecords, PersonIndex } from "./person_index.ts";
import type { PersonTokens } from "./person_tokens.ts";
import { endWithin, type SessionRecord, wasAskedFor } from "./open_session.ts";
import type { SessionState } from "./session_storage.ts";
import type { SiteAddress } from "../site/site_address.ts";
import { untilSaved } from "../../tokens/store_loops.ts";

/** The content of a session's record. */
export interface SessionContent extends SessionRecord {
  /** The time at which the record was last saved, in milliseconds since the epoch. */
  readonly usedAt: number;
  /**
   * True if the session uses the token that all sessions of the person share. A later change of the option `backgroundTokens` has no effect
   * on this.
   */
  readonly sharesToken: boolean;
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

/** A session's record, with its version and its keys. */
export interface StoredSession {
  readonly keys: SessionKeys;
  readonly content: SessionContent;
  readonly version: string;
}

/** Options of {@link SessionRecords}. */
export interface SessionRecordsOptions {
  readonly personTokens: PersonTokens;
  readonly sessionLabel?: LoginOptions["sessionLabel"];
  /** Encrypts the labels. */
  readonly labelSealer: Sealer;
  /** The option `backgroundTokens`: true if new sessions share the token of their person. */
  readonly backgroundTokens: boolean;
  /** `null` without the option `onEvent`. */
  readonly report: ReportEvent | null;
  readonly namespace: Namespace;
  readonly store: Store;
  /** The time limit of one operation of the store, in milliseconds. */
  readonly timeout: number;
  /** A session is valid only if the person was asked for these scopes. */
  readonly scope: readonly string[];
  /** The time after which an unused session ends, in seconds. */
  readonly idleTimeout: number;
  /** The maximum lifetime of a session, in seconds. */
  readonly maxAge: number;
}

/** The form of a session's id: 256 bits in base64url. */
const idForm = /^[\w-]{43}$/;

/** Reads and writes the records of sessions. */
export class SessionRecords {
  readonly options: SessionRecordsOptions;
  readonly #opened = new OpenedSessions<SessionContent>();
  /** The application's store, with the time limit. */
  readonly store: Store;

  constructor(options: SessionRecordsOptions) {
    this.options = options;
    this.store = withTimeLimit(options.store, options.timeout);
  }

  /** Returns the record of a request's session, or `null`. */
  async find(request: Request, site: SiteAddress): Promise<StoredSession | null> {
    const { namespace } = this.options;
    for (const id of cookieCandidates(request, site, namespace.sessionCookie, idForm)) {
      const found = await this.load(await namespace.sessionKeys(id));
      if (found) return found;
    }
    return null;
  }

  /** Returns the record with the given keys, or `null`. */
  async load(keys: SessionKeys): Promise<StoredSession | null> {
    const found = await this.store.load(recordKeys.session + keys.digest);
    if (!found) return null;
    const content = await this.#opened.open(keys.sealer, keys.digest, found.value);
    if (!content) return null;
    const endsAt = endWithin(this.options.maxAge, content);
    return { keys, content: { ...content, endsAt }, version: found.version };
  }

  /** Returns true if the record of a session has not expired. */
  async has(digest: string): Promise<boolean> {
    return await this.store.load(recordKeys.session + digest) !== null;
  }

  /** Saves a session. Returns the new version, or `null` if the version of its record does not match the given one. */
  async save(
    { digest, sealer }: SessionKeys,
    content: SessionContent,
    version: string | null,
  ): Promise<string | null> {
    const value = await sealer.seal(digest, { format, ...content });
    const expiresAt = this.#expiryOf(content);
    return await this.store.save(recordKeys.session + digest, value, { version, expiresAt });
  }

  /** Saves the token of a new session. No other request knows the key of its record, so the record is not read first. */
  async saveToken(keys: SessionKeys, token: TokenObj, endsAt: number): Promise<void> {
    const record = newRecord(token, Date.now());
    await this.#tokenStore(this.store, keys, endsAt).save(recordKeys.token + keys.digest, record, {
      version: null,
    });
  }

  /** Replaces the token of a session. */
  async replaceToken(keys: SessionKeys, token: TokenObj, endsAt: number): Promise<void> {
    const store = this.#tokenStore(this.store, keys, endsAt);
    const key = recordKeys.token + keys.digest;
    const record = newRecord(token, Date.now());
    await untilSaved("The token of the session was not saved", async () => {
      const version = (await store.load(key))?.version ?? null;
      return await store.save(key, record, { version });
    });
  }

  /** Returns the source of a session's token. */
  tokenOf({ keys, content: { userId, sharesToken, endsAt } }: StoredSession): TokenSource {
    const { store, personTokens } = this.options;
    return sharesToken ? personTokens.of(userId) : personTokens.of(
      userId,
      this.#tokenStore(store, keys, endsAt),
      recordKeys.token + keys.digest,
    );
  }

  /** Returns a store for the token of a session, which expires with the session. */
  #tokenStore(store: Store, { sealer }: SessionKeys, expiresAt: number): Store {
    const sealed = sealedBy(store, sealer);
    return {
      ...sealed,
      save: (key, value, options) => sealed.save(key, value, { ...options, expiresAt }),
    };
  }

  /** Deletes the records of a session: first the session's own record, which ends the session, and then the record of its token. */
  async delete(digest: string): Promise<void> {
    await this.store.delete(recordKeys.session + digest);
    await this.deleteToken(digest);
  }

  /** Deletes the token of a session. */
  async deleteToken(digest: string): Promise<void> {
    await this.store.delete(recordKeys.token + digest);
  }

  /** Returns the list of a person's sessions. */
  indexOf(
    userId: string,
    deleteRecords: DeleteRecords = ({ digest }) => this.delete(digest),
  ): PersonIndex {
    const key = this.options.namespace.personDigest(userId)
      .then((digest) => recordKeys.personSessions + digest);
    return new PersonIndex(this.store, key, deleteRecords);
  }

  /** Returns the `Set-Cookie` header of a session. */
  cookieOf(site: SiteAddress, { id }: SessionKeys, endsAt: number): string {
    const seconds = Math.ceil((endsAt - Date.now()) / 1000);
    return setCookieHeader(site, this.options.namespace.sessionCookie, id, seconds);
  }

  /** Returns a session as the application sees it. */
  toState(session: StoredSession): SessionState {
    const { content } = session;
    const sessionForLogin = this.hasEnded(content)
      ? null
      : { record: content, createToken: () => this.tokenOf(session) };
    return {
      userId: content.userId,
      scopes: content.scopes,
      session: this.isValid(content) ? sessionForLogin : null,
      sessionForLogin,
      // Tokens are refreshed, so a session never ends with its token.
      canBeRenewed: false,
    };
  }

  /** Reports the number of ended sessions of a person, unless it is 0. */
  reportEnd(userId: string, cause: SessionEndedEvent["cause"], sessions: number): void {
    reportSessionEnd(this.options.report, userId, cause, sessions);
  }

  /** Returns true unless the session has ended, or the options ask for a scope that the person was not asked for. */
  isValid(content: SessionContent): boolean {
    return !this.hasEnded(content) && wasAskedFor(this.options.scope, content);
  }

  /** Returns true if a session has expired, or a logout is ending it. */
  hasEnded(content: SessionContent): boolean {
    return Date.now() >= this.#expiryOf(content) || content.isEnding === true;
  }

  #expiryOf({ usedAt, endsAt }: SessionContent): number {
    return Math.min(usedAt + this.options.idleTimeout * 1000, endsAt);
  }
}
