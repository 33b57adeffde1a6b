/**
 * Sessions with a store: the cookie has a random id, and the store has an encrypted record under the digest of the id.
 *
 * @module
 */

import { generateState } from "../links/pkce.ts";
import { createSealer, type Sealer } from "../stores/sealer.ts";
import { withTimeLimit } from "../stores/with_time_limit.ts";
import { sealed } from "../stores/sealed.ts";
import type { Store } from "../stores/store.ts";
import { type TokenApi, TokenSource } from "../tokens/token_source.ts";
import { digestOf } from "../stores/digest.ts";
import {
  endWithin,
  frozenSession,
  type NewSession,
  type Session,
  type SessionRecord,
  type Sessions,
} from "./session.ts";
import {
  removeSessionCookieHeader,
  sessionCandidates,
  setSessionCookieHeader,
} from "./session_cookie.ts";
import type { SiteAddress } from "./site_address.ts";

/** The content of a record in the store. */
interface StoreContent extends SessionRecord {
  /** The id of a group of the person's sessions. `endAll` ends the group, and later sessions belong to a new one. */
  readonly generation: string;
  /** The time at which the record was last saved, in milliseconds since the epoch. */
  readonly usedAt: number;
}

/** A session in the store, and the version and the key of its record. */
interface StoredSession {
  readonly id: string;
  readonly digest: string;
  readonly sealer: Sealer;
  readonly content: StoreContent;
  readonly version: string;
}

/** The most times that `endAll` tries to save, because other requests may change the value meanwhile. */
const maxTries = 10;

/** The form of a session's id: 256 bits in base64url. */
const idForm = /^[\w-]{43}$/;

/** Options of {@link StoreSessions}. */
export interface StoreSessionsOptions {
  readonly store: Store;
  /** The time limit of one operation of the store, in milliseconds. */
  readonly timeout: number;
  readonly api: TokenApi;
  /** The time after which an unused session ends, in seconds. */
  readonly idleTimeout: number;
  /** The longest time that a session lasts, in seconds. */
  readonly maxAge: number;
}

/**
 * Keeps sessions in a store. A reader of the store finds neither the ids nor the content of the records, because each is sealed
 * with a key that is derived from the id, and only the browser has the id.
 */
export class StoreSessions implements Sessions {
  readonly #options: StoreSessionsOptions;
  readonly #store: Store;

  constructor(options: StoreSessionsOptions) {
    this.#options = options;
    this.#store = withTimeLimit(options.store, options.timeout);
  }

  /** See {@link Sessions.create}. The new session has a new id, and the session of the request ends. */
  async create(
    request: Request,
    site: SiteAddress,
    { user, userId, token }: NewSession,
  ): Promise<readonly string[]> {
    const { maxAge } = this.#options;
    const previous = await this.#find(request, site);
    const generation = await this.#generation(userId) ?? "";
    const id = generateState();
    const digest = await digestOf(id);
    const startedAt = Date.now();
    const endsAt = startedAt + maxAge * 1000;
    await this.#tokenSource(id, digest, endsAt).save(token);
    const content = { user, userId, generation, startedAt, endsAt, usedAt: startedAt };
    await this.#store.save(
      sessionKey(digest),
      await createSessionSealer(id).seal(digest, content),
      { version: null, expiresAt: this.#expiryOf(content) },
    );
    if (previous) await this.#remove(previous);
    return [setSessionCookieHeader(site, id, maxAge)];
  }

  /** See {@link Sessions.find}. */
  async find(request: Request, site: SiteAddress): Promise<Session<unknown, TokenSource> | null> {
    const found = await this.#find(request, site);
    if (!found) return null;
    const { id, digest, content } = found;
    await this.#prolong(found);
    return frozenSession(content, this.#tokenSource(id, digest, content.endsAt));
  }

  /** See {@link Sessions.personToRenew}. Returns `null`, because tokens are refreshed and no session ends with its token. */
  personToRenew(): Promise<null> {
    return Promise.resolve(null);
  }

  /** See {@link Sessions.end}. */
  async end(
    request: Request,
    site: SiteAddress,
    everywhere: boolean,
  ): Promise<readonly string[]> {
    const found = await this.#find(request, site);
    if (found) {
      if (everywhere) {
        const { id, digest, content } = found;
        await this.endAll(content.userId);
        // The sessions have ended, so a platform that can't be reached is no error.
        await this.#tokenSource(id, digest, content.endsAt).revoke().catch(() => {});
      }
      await this.#remove(found);
    }
    return [removeSessionCookieHeader(site)];
  }

  /** See {@link Sessions.endAll}. It begins a new generation, to which no existing session belongs. */
  async endAll(userId: string): Promise<void> {
    const key = generationKey(userId);
    // After this time, every older session has ended by itself.
    const expiresAt = Date.now() + this.#options.maxAge * 1000;
    const generation = generateState();
    for (let tries = 0; tries < maxTries; tries++) {
      const version = (await this.#store.load(key))?.version ?? null;
      if (await this.#store.save(key, generation, { version, expiresAt }) !== null) return;
    }
    throw new Error(
      `The sessions of the person were not ended: in ${maxTries} tries, something else changed the store each time. ` +
        "Try endAll() again",
    );
  }

  async #find(request: Request, site: SiteAddress): Promise<StoredSession | null> {
    for (const id of sessionCandidates(request, site, idForm)) {
      const found = await this.#load(id);
      if (found) return found;
    }
    return null;
  }

  async #load(id: string): Promise<StoredSession | null> {
    const digest = await digestOf(id);
    const found = await this.#store.load(sessionKey(digest));
    if (!found) return null;
    const sealer = createSessionSealer(id);
    const saved = await sealer.open(digest, found.value) as StoreContent | null;
    if (!saved) return null;
    // endAll saves a generation for maxAge. Without this limit, older sessions would become valid again after that time.
    const content = { ...saved, endsAt: endWithin(this.#options.maxAge, saved) };
    if (Date.now() >= this.#expiryOf(content)) return null;
    const generation = await this.#generation(content.userId);
    if (generation !== null && generation !== content.generation) return null;
    return { id, digest, sealer, content, version: found.version };
  }

  /** Returns the generation of a person's sessions, or `null` if `endAll` was not called within the last `maxAge` seconds. */
  async #generation(userId: string): Promise<string | null> {
    const found = await this.#store.load(generationKey(userId));
    return found ? String(found.value) : null;
  }

  /** Saves the time of use, at most once in a tenth of the idle timeout, so that not every request writes to the store. */
  async #prolong({ digest, sealer, content, version }: StoredSession): Promise<void> {
    const now = Date.now();
    if (now - content.usedAt < this.#options.idleTimeout * 100) return;
    const used = { ...content, usedAt: now };
    const value = await sealer.seal(digest, used);
    const expiresAt = this.#expiryOf(used);
    try {
      // `null` needs no second try: another request has prolonged or ended the session.
      await this.#store.save(sessionKey(digest), value, { version, expiresAt });
    } catch {
      // The session is valid in any case, and the next request tries again.
    }
  }

  async #remove({ digest }: StoredSession): Promise<void> {
    await this.#store.delete(sessionKey(digest));
    await this.#store.delete(tokenKey(digest));
  }

  #expiryOf({ usedAt, endsAt }: StoreContent): number {
    return Math.min(usedAt + this.#options.idleTimeout * 1000, endsAt);
  }

  #tokenSource(id: string, digest: string, endsAt: number): TokenSource {
    const { api, store } = this.#options;
    return new TokenSource(api, sealed(withExpiry(store, endsAt), id), tokenKey(digest));
  }
}

/** Returns a store that forgets every value at the given time, so that the token goes with its session. */
function withExpiry(store: Store, expiresAt: number): Store {
  return {
    load: (key) => store.load(key),
    save: (key, value, options) => store.save(key, value, { ...options, expiresAt }),
    delete: store.delete.bind(store),
  };
}

function createSessionSealer(id: string): Sealer {
  return createSealer("id", id, "session");
}

function sessionKey(digest: string): string {
  return `guildpass:session:${digest}`;
}

function tokenKey(digest: string): string {
  return `guildpass:token:${digest}`;
}

function generationKey(userId: string): string {
  return `guildpass:generation:${userId}`;
}
