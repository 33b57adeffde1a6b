/**
 * Sessions with a store: the cookie holds a random id, and the store an encrypted record under the digest of it.
 *
 * @module
 */

import { generateState } from "../links/pkce.ts";
import { createSealer, type Sealer } from "../stores/sealer.ts";
import { withTimeLimit } from "../stores/with_time_limit.ts";
import { sealed } from "../stores/sealed.ts";
import type { Store } from "../stores/store.ts";
import { type TokenApi, TokenSource } from "../tokens/token_source.ts";
import { removeCookieHeader, setCookieHeader } from "./cookies.ts";
import { digestOf } from "../stores/digest.ts";
import {
  endUnder,
  type FoundSession,
  foundSession,
  type KeptSession,
  type NewSession,
  sessionCookie,
  type Sessions,
  sessionValuesIn,
  visitsAfter,
} from "./session.ts";
import type { SiteAddress } from "./site_address.ts";

/** What a record holds. */
interface Content extends KeptSession {
  /** Which group of the person's sessions it belongs to: `endAll` ends a group, and later sessions belong to the next one. */
  readonly generation: string;
  /** When the record was last saved: a session that is used goes on. */
  readonly usedAt: number;
}

/** A session as it is in the store. */
interface StoredSession {
  readonly id: string;
  readonly digest: string;
  readonly sealer: Sealer;
  readonly content: Content;
  readonly version: string;
}

/** How often a value is saved again that somebody else changed meanwhile. */
const mostTries = 10;

/** How many cookies of a request may be looked up: a browser usually has one, and each costs two reads of the store. */
const mostCandidates = 5;

/** What sessions in a store need. */
export interface StoreSessionsOptions {
  readonly store: Store;
  /** How long one operation of the store may take, in milliseconds. */
  readonly timeout: number;
  readonly api: TokenApi;
  /** How long a session lasts that is not used, in seconds. */
  readonly idleTimeout: number;
  /** The longest a session lasts, in seconds. */
  readonly maxAge: number;
}

/**
 * Keeps sessions in a store. Whoever reads the store learns neither the ids nor what the records hold: the key of each
 * is derived from the id, which only the browser has.
 */
export class StoreSessions implements Sessions<TokenSource> {
  readonly #options: StoreSessionsOptions;
  readonly #store: Store;

  /** Takes the store, and how long sessions last. */
  constructor(options: StoreSessionsOptions) {
    this.#options = options;
    this.#store = withTimeLimit(options.store, options.timeout);
  }

  /** See {@link Sessions.create}. The session always gets a new id, and the one that the request came with ends. */
  async create(request: Request, site: SiteAddress, made: NewSession): Promise<readonly string[]> {
    const { maxAge } = this.#options;
    const { user, userId, token } = made;
    const before = await this.#find(request, site);
    const generation = await this.#generation(userId);
    const id = generateState();
    const digest = await digestOf(id);
    const startedAt = Date.now();
    const endsAt = startedAt + maxAge * 1000;
    await this.#tokenSource(id, digest, endsAt).save(token);
    const content: Content = {
      user,
      userId,
      generation: generation ?? "",
      startedAt,
      endsAt,
      usedAt: startedAt,
      visits: visitsAfter(made, before?.content ?? null),
    };
    await this.#store.save(
      sessionKey(digest),
      await sealerOf(id).seal(digest, content),
      { version: null, expiresAt: this.#expiryOf(content) },
    );
    if (before) await this.#remove(before);
    return [setCookieHeader(site, sessionCookie, id, maxAge)];
  }

  /** See {@link Sessions.find}. */
  async find(request: Request, site: SiteAddress): Promise<FoundSession<TokenSource> | null> {
    const found = await this.#find(request, site);
    if (!found) return null;
    const { id, digest, content } = found;
    await this.#prolong(found);
    return foundSession(content, this.#tokenSource(id, digest, content.endsAt));
  }

  /** See {@link Sessions.personToRenew}: tokens are refreshed, so that no session ends because its token does. */
  personToRenew(): Promise<null> {
    return Promise.resolve(null);
  }

  /** See {@link Sessions.end}. */
  async end(request: Request, site: SiteAddress, everywhere: boolean): Promise<readonly string[]> {
    const found = await this.#find(request, site);
    if (found) {
      if (everywhere) {
        await this.endAll(found.content.userId);
        const { id, digest, content } = found;
        // The sessions have ended, whether or not the platform can be reached.
        await this.#tokenSource(id, digest, content.endsAt).revoke().catch(() => {});
      }
      await this.#remove(found);
    }
    return [removeCookieHeader(site, sessionCookie)];
  }

  /** Ends every session of a person: begins a new generation, to which none of them belongs. */
  async endAll(userId: string): Promise<void> {
    const { maxAge } = this.#options;
    const key = generationKey(userId);
    // Until the last of the sessions would have ended by itself.
    const expiresAt = Date.now() + maxAge * 1000;
    const generation = generateState();
    for (let tries = 0; tries < mostTries; tries++) {
      const version = (await this.#store.load(key))?.version ?? null;
      if (await this.#store.save(key, generation, { version, expiresAt }) !== null) return;
    }
    throw new Error(
      `The sessions of the person were not ended: in ${mostTries} tries, something else changed the store each time. ` +
        "Try endAll() again",
    );
  }

  async #find(request: Request, site: SiteAddress): Promise<StoredSession | null> {
    const ids = sessionValuesIn(request, site).filter((value) => /^[\w-]{43}$/.test(value));
    for (const id of ids.slice(0, mostCandidates)) {
      const found = await this.#load(id);
      if (found) return found;
    }
    return null;
  }

  async #load(id: string): Promise<StoredSession | null> {
    const digest = await digestOf(id);
    const found = await this.#store.load(sessionKey(digest));
    if (!found) return null;
    const sealer = sealerOf(id);
    const saved = await sealer.open(digest, found.value) as Content | null;
    if (!saved) return null;
    // The generation that endAll began is in the store no longer than maxAge, and without it older sessions would be valid again.
    const content = { ...saved, endsAt: endUnder(this.#options.maxAge, saved) };
    if (Date.now() >= this.#expiryOf(content)) return null;
    const generation = await this.#generation(content.userId);
    if (generation !== null && generation !== content.generation) return null;
    return { id, digest, sealer, content, version: found.version };
  }

  /** The generation of a person's sessions; `null` when they have not been ended together for as long as one lasts. */
  async #generation(userId: string): Promise<string | null> {
    const found = await this.#store.load(generationKey(userId));
    return found ? String(found.value) : null;
  }

  /** Saves that a session is in use, once in a tenth of the idle timeout: a write for each request would be too many. */
  async #prolong({ digest, sealer, content, version }: StoredSession): Promise<void> {
    const now = Date.now();
    if (now - content.usedAt < this.#options.idleTimeout * 100) return;
    const used = { ...content, usedAt: now };
    const value = await sealer.seal(digest, used);
    const expiresAt = this.#expiryOf(used);
    try {
      // When somebody else was faster, the session was prolonged, or has ended.
      await this.#store.save(sessionKey(digest), value, { version, expiresAt });
    } catch {
      // The session is valid, whether or not this was saved. The next request tries again.
    }
  }

  async #remove({ digest }: StoredSession): Promise<void> {
    await this.#store.delete(sessionKey(digest));
    await this.#store.delete(tokenKey(digest));
  }

  #expiryOf({ usedAt, endsAt }: Content): number {
    return Math.min(usedAt + this.#options.idleTimeout * 1000, endsAt);
  }

  #tokenSource(id: string, digest: string, endsAt: number): TokenSource {
    const { api, store } = this.#options;
    return new TokenSource(api, sealed(expiring(store, endsAt), id), tokenKey(digest));
  }
}

/** A store whose values are forgotten at a time: with the session, also its token. */
function expiring(store: Store, expiresAt: number): Store {
  return {
    load: (key) => store.load(key),
    save: (key, value, options) => store.save(key, value, { ...options, expiresAt }),
    delete: store.delete.bind(store),
  };
}

function sealerOf(id: string): Sealer {
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
