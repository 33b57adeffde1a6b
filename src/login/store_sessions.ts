/**
 * Sessions with a store: the cookie has a random id, and the store has an encrypted record. The names and the keys of the records are
 * derived from the id, so that a reader of the store finds neither ids nor contents.
 *
 * @module
 */

import { generateState } from "../links/pkce.ts";
import type { TokenObj } from "../resources/token.ts";
import { sealedBy } from "../stores/sealed.ts";
import type { Store } from "../stores/store.ts";
import { withTimeLimit } from "../stores/with_time_limit.ts";
import { newRecord } from "../tokens/token_record.ts";
import { type TokenApi, TokenSource } from "../tokens/token_source.ts";
import { cookieCandidates, removeCookieHeader, setCookieHeader } from "./cookies.ts";
import { type ReportEvent, type SessionEndedEvent, withReportedRefreshes } from "./events.ts";
import { format, ofThisFormat } from "./format.ts";
import type { Names, SessionKeys } from "./names.ts";
import { PersonIndex, type Removal } from "./person_index.ts";
import type { PersonTokens } from "./person_tokens.ts";
import {
  type CreateUser,
  type EndAllSessionsOptions,
  endWithin,
  type FoundSession,
  frozenSession,
  type NewSession,
  type SessionRecord,
  type Sessions,
  type StoredUserData,
  wasAskedFor,
} from "./session.ts";
import type { SiteAddress } from "./site_address.ts";
import { untilSaved } from "./until_saved.ts";

/** The content of a record in the store. */
interface StoreContent extends SessionRecord {
  /** The time at which the record was last saved, in milliseconds since the epoch. */
  readonly usedAt: number;
  /** True if its token is the one that all sessions of the person share. It stays so when the option `backgroundTokens` changes. */
  readonly sharesToken: boolean;
}

/** A session in the store, and the version and the keys of its record. */
interface StoredSession {
  readonly keys: SessionKeys;
  readonly content: StoreContent;
  readonly version: string;
}

/** The form of a session's id: 256 bits in base64url. */
const idForm = /^[\w-]{43}$/;

/** Options of {@link StoreSessions}. */
export interface StoreSessionsOptions {
  readonly names: Names;
  readonly store: Store;
  /** The time limit of one operation of the store, in milliseconds. */
  readonly timeout: number;
  readonly api: TokenApi;
  readonly createUser: CreateUser;
  readonly personTokens: PersonTokens;
  /** The option `backgroundTokens`: true if new sessions share the token of their person. */
  readonly backgroundTokens: boolean;
  /** The scopes that a person must have been asked for. */
  readonly scope: readonly string[];
  /** The time after which an unused session ends, in seconds. */
  readonly idleTimeout: number;
  /** The longest time that a session lasts, in seconds. */
  readonly maxAge: number;
  /** `null` without the option `onEvent`. */
  readonly report: ReportEvent | null;
}

/** Keeps sessions in a store. */
export class StoreSessions implements Sessions {
  readonly #options: StoreSessionsOptions;
  readonly #store: Store;

  constructor(options: StoreSessionsOptions) {
    this.#options = options;
    this.#store = withTimeLimit(options.store, options.timeout);
  }

  /** See {@link Sessions.create}. The new session has a new id. */
  async create(
    site: SiteAddress,
    { userId, token, asked, startedAt, previous, extendsPrevious }: NewSession,
    decide: () => Promise<StoredUserData | null>,
  ): Promise<readonly string[]> {
    const { names, maxAge, personTokens, backgroundTokens: sharesToken } = this.#options;
    const id = generateState();
    const keys = await names.sessionKeys(id);
    const now = Date.now();
    const endsAt = startedAt + maxAge * 1000;
    const index = await this.#indexOf(userId);
    // A session that is not in the list could not be ended, not even while the application decides. The list has the time of this login,
    // also if the session began before it.
    this.#report(
      userId,
      "too_many",
      await index.add({ digest: keys.digest, startedAt: now, endsAt }),
    );
    let decided: StoredUserData | null = null;
    try {
      decided = await decide();
    } finally {
      if (!decided) await index.end(({ digest }) => digest === keys.digest);
    }
    if (!decided) return [];
    const kept = sharesToken ? await personTokens.keep(userId, token, now) : null;
    if (!kept) await this.#saveOwnToken(keys, token, endsAt);
    const scopes = kept?.scopes ?? token.scopes;
    const times = { startedAt, endsAt, usedAt: now };
    await this.#save(keys, { ...decided, userId, scopes, asked, ...times, sharesToken }, null);
    // The new session has another id, so that a planted one never becomes a session of the person.
    const { others, wasListed } = previous ? await this.#remove(previous) : noRemoval;
    if (previous?.session && wasListed && !extendsPrevious) {
      this.#report(previous.userId, "replaced", 1);
    }
    const isListed = previous?.userId === userId
      ? others.includes(keys.digest)
      : await index.has(keys.digest);
    if (isListed) {
      return [setCookieHeader(site, names.sessionCookie, id, Math.ceil((endsAt - now) / 1000))];
    }
    // All sessions of the person were ended meanwhile, before the records were there.
    await this.#deleteRecords(keys.digest);
    // If there was a token before this login, it was not removed, or will be removed after this.
    if (kept?.isFirst) await personTokens.remove(userId, now + 1);
    return [];
  }

  /** See {@link Sessions.find}. */
  async find(request: Request, site: SiteAddress): Promise<FoundSession | null> {
    const found = await this.#find(request, site);
    if (!found) return null;
    const { keys, content } = found;
    const isValid = this.#isValid(content);
    if (isValid) await this.#prolong(found);
    return {
      userId: content.userId,
      scopes: content.scopes,
      session: isValid
        ? frozenSession(content, this.#tokenSource(keys, content), this.#options.createUser)
        : null,
      // Tokens are refreshed, so no session ends with its token.
      canBeRenewed: false,
      digest: keys.digest,
    };
  }

  /** See {@link Sessions.update}. */
  async update(
    request: Request,
    site: SiteAddress,
    user: unknown,
  ): Promise<readonly string[] | null> {
    const hasUpdated = await untilSaved("The session was not updated", async () => {
      const found = await this.#find(request, site);
      if (!found || !this.#isValid(found.content)) return false;
      const content = { ...found.content, user, usedAt: Date.now() };
      return await this.#save(found.keys, content, found.version) === null ? null : true;
    });
    return hasUpdated ? [] : null;
  }

  /** See {@link Sessions.end}. */
  async end(
    request: Request,
    site: SiteAddress,
    everywhere: boolean,
  ): Promise<readonly string[]> {
    const found = await this.#find(request, site);
    if (found && everywhere) await this.#endEverywhere(found);
    else if (found) {
      const { userId } = found.content;
      const { wasListed } = await this.#remove({ userId, digest: found.keys.digest });
      if (wasListed && this.#isValid(found.content)) this.#report(userId, "end", 1);
    }
    return [removeCookieHeader(site, this.#options.names.sessionCookie)];
  }

  /** See {@link Sessions.endAll}. */
  async endAll(userId: string, { startedBefore, tokens }: EndAllSessionsOptions): Promise<void> {
    const { personTokens, backgroundTokens } = this.#options;
    await this.#endListed(userId, startedBefore, "end_all");
    if (tokens && backgroundTokens) await personTokens.remove(userId, startedBefore);
  }

  /** See {@link Sessions.forget}. */
  async forget(userId: string): Promise<void> {
    await this.#endListed(userId, Infinity, "forget");
    // There may be a token from before the option `backgroundTokens` was switched off.
    await this.#options.personTokens.remove(userId, Infinity);
  }

  /** Ends the sessions in a person's list whose login was before a time, in milliseconds since the epoch. */
  async #endListed(
    userId: string,
    startedBefore: number,
    cause: SessionEndedEvent["cause"],
  ): Promise<void> {
    const index = await this.#indexOf(userId);
    this.#report(userId, cause, await index.end(({ startedAt }) => startedAt < startedBefore));
  }

  /** Reports that sessions of a person have ended. Does nothing if none has. */
  #report(userId: string, cause: SessionEndedEvent["cause"], sessions: number): void {
    if (sessions > 0) this.#options.report?.({ kind: "session_ended", userId, cause, sessions });
  }

  /** Ends all sessions of a person, and revokes the token. That ends all their tokens at the platform. */
  async #endEverywhere({ keys, content }: StoredSession): Promise<void> {
    const { digest } = keys;
    const { userId } = content;
    const now = Date.now();
    // The sessions end first, even if the platform can't be reached. This one is the last, so that the call can be repeated after a
    // failure of the store. The token stays until it is revoked.
    const index = await this.#indexOf(
      userId,
      async (other) => other === digest || await this.#deleteRecords(other),
    );
    this.#report(userId, "end_everywhere", await index.end(() => true));
    await this.#store.delete(sessionKey(digest));
    await this.#tokenSource(keys, content).revoke().catch(() => {});
    await this.#store.delete(tokenKey(digest));
    await this.#options.personTokens.remove(userId, now + 1);
  }

  async #find(request: Request, site: SiteAddress): Promise<StoredSession | null> {
    const { names } = this.#options;
    for (const id of cookieCandidates(request, site, names.sessionCookie, idForm)) {
      const found = await this.#load(await names.sessionKeys(id));
      if (found) return found;
    }
    return null;
  }

  async #load(keys: SessionKeys): Promise<StoredSession | null> {
    const found = await this.#store.load(sessionKey(keys.digest));
    if (!found) return null;
    const content = ofThisFormat<StoreContent>(await keys.sealer.open(keys.digest, found.value));
    if (!content) return null;
    const endsAt = endWithin(this.#options.maxAge, content);
    return { keys, content: { ...content, endsAt }, version: found.version };
  }

  /** Saves the time of use, at most once in a tenth of the idle timeout, so that not every request writes to the store. */
  async #prolong({ keys, content, version }: StoredSession): Promise<void> {
    const now = Date.now();
    if (now - content.usedAt < this.#options.idleTimeout * 100) return;
    // `null` needs no second try: another request has prolonged or ended the session. After an error the session is valid too, and the
    // next request tries again.
    await this.#save(keys, { ...content, usedAt: now }, version).catch(() => null);
  }

  async #save(
    { digest, sealer }: SessionKeys,
    content: StoreContent,
    version: string | null,
  ): Promise<string | null> {
    const value = await sealer.seal(digest, { format, ...content });
    const expiresAt = this.#expiryOf(content);
    return await this.#store.save(sessionKey(digest), value, { version, expiresAt });
  }

  /** Removes a session that was found. */
  async #remove(
    { userId, digest }: Pick<FoundSession, "userId" | "digest">,
  ): Promise<Removal> {
    // Its login was over when it was found, so nothing saves its records once more.
    await this.#deleteRecords(digest);
    const index = await this.#indexOf(userId);
    return await index.remove(digest);
  }

  async #deleteRecords(digest: string): Promise<void> {
    await this.#store.delete(sessionKey(digest));
    await this.#store.delete(tokenKey(digest));
  }

  async #indexOf(
    userId: string,
    deleteRecords = (digest: string): Promise<unknown> => this.#deleteRecords(digest),
  ): Promise<PersonIndex> {
    const digest = await this.#options.names.personDigest(userId);
    return new PersonIndex(this.#store, `guildpass:sessions-of:${digest}`, deleteRecords);
  }

  #isValid(content: StoreContent): boolean {
    return Date.now() < this.#expiryOf(content) && wasAskedFor(this.#options.scope, content);
  }

  #expiryOf({ usedAt, endsAt }: StoreContent): number {
    return Math.min(usedAt + this.#options.idleTimeout * 1000, endsAt);
  }

  #tokenSource(keys: SessionKeys, { userId, sharesToken, endsAt }: StoreContent): TokenSource {
    if (sharesToken) return this.#options.personTokens.of(userId);
    const { api, store, report } = this.#options;
    const ownStore = sealedBy(withExpiry(store, endsAt), keys.sealer);
    return new TokenSource(
      withReportedRefreshes(api, userId, report),
      ownStore,
      tokenKey(keys.digest),
    );
  }

  /** Saves the token of a new session. Nobody else knows its key, so it need not be read first. */
  async #saveOwnToken(
    { digest, sealer }: SessionKeys,
    token: TokenObj,
    expiresAt: number,
  ): Promise<void> {
    const key = tokenKey(digest);
    const value = newRecord(token, Date.now());
    await sealedBy(this.#store, sealer).save(key, value, { version: null, expiresAt });
  }
}

/** The removal of no session. */
const noRemoval: Removal = { others: [], wasListed: false };

/** Returns a store that forgets every value at the given time, so that the token goes with its session. */
function withExpiry(store: Store, expiresAt: number): Store {
  return {
    load: (key) => store.load(key),
    save: (key, value, options) => store.save(key, value, { ...options, expiresAt }),
    delete: store.delete.bind(store),
  };
}

function sessionKey(digest: string): string {
  return `guildpass:session:${digest}`;
}

function tokenKey(digest: string): string {
  return `guildpass:token:${digest}`;
}
