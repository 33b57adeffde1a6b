/**
 * The names and keys of a login's cookies and records. Several logins of a site, other applications and test platforms have different names
 * and keys, so that they never decrypt each other's cookies and records.
 *
 * @module
 */

import { cookieNames, deriveNameAndKey, digestOf } from "../../stores/names.ts";
import {
  createKeySealer,
  createSealer,
  type Sealer,
  secretDigestOf,
  type Secrets,
} from "../../stores/sealed.ts";

/** The keys of a session in the store. */
export interface SessionKeys {
  /** The id of the session, which is in the session cookie. */
  readonly id: string;
  /** The digest in the names of the session's records. */
  readonly digest: string;
  /** Encrypts the session's records. */
  readonly sealer: Sealer;
}

/**
 * The maximum number of sessions whose keys are kept, so that they need not be derived for each request of a visit. With more sessions, all
 * begin anew.
 */
const maxKeptKeys = 1000;

/**
 * The names and keys of one `Login`. The names of records do not depend on a secret, so that a secret may change; except those of visitors,
 * whose addresses can be guessed.
 */
export class Namespace {
  /** The name of the session cookie, without the prefix of the site. */
  readonly sessionCookie: string;
  /** The name of the cookie that makes logins show the consent page, without the prefix of the site. */
  readonly consentCookie: string;
  /** The start of the names of pending logins' cookies, without the prefix of the site. */
  readonly pendingCookieStart: string;
  /** The values that distinguish this login from others. */
  readonly #login: readonly string[];
  /** The keys of sessions by their ids. */
  readonly #sessionKeys = new Map<string, SessionKeys>();

  /** @param name The option `name`. */
  constructor(clientId: string, issuer: string, name: string) {
    const end = name && `.${name}`;
    this.#login = [clientId, issuer, name];
    this.sessionCookie = cookieNames.session + end;
    this.consentCookie = cookieNames.consent + end;
    this.pendingCookieStart = `${cookieNames.pendingLogin}${end}.`;
  }

  /**
   * Returns the name of a pending login's cookie, without the prefix of the site. The name has only the start of the state, because the
   * whole state is a secret.
   */
  pendingCookie(state: string): string {
    return this.pendingCookieStart + pendingId(state);
  }

  /** Returns true for the name of a pending login's cookie, without the prefix of the site. */
  isPendingCookie(name: string): boolean {
    // The rest of the name has no dot: `login.admin.<id>` belongs to the login with the name "admin".
    return name.startsWith(this.pendingCookieStart) &&
      !name.includes(".", this.pendingCookieStart.length);
  }

  /** Returns true for the name of a cookie with this state from a `Login` with another option `name`. */
  isPendingCookieOfOther(name: string, state: string): boolean {
    const [start, ...rest] = name.split(".");
    const id = rest.pop();
    return start === cookieNames.pendingLogin && id === pendingId(state) &&
      name !== this.pendingCookie(state);
  }

  /** Creates the sealer for one use of the checked option `secret`. */
  createSealer(secret: Secrets, use: string): Sealer {
    return createSealer(secret, `${use} ${JSON.stringify(this.#login)}`);
  }

  /** Returns the digest in the names of a person's records. */
  async personDigest(userId: string): Promise<string> {
    return await digestOf(JSON.stringify([...this.#login, userId]));
  }

  /** Returns the digest in the name of a visitor's record. */
  async visitorDigest(secret: Secrets, visitor: string): Promise<string> {
    return await secretDigestOf(secret, JSON.stringify([...this.#login, visitor]));
  }

  /** Derives the names and the key of a session's records from the session id. */
  async sessionKeys(id: string): Promise<SessionKeys> {
    const known = this.#sessionKeys.get(id);
    if (known) return known;
    const { name, key } = await deriveNameAndKey(JSON.stringify([...this.#login, id]));
    const keys = { id, digest: name, sealer: createKeySealer(key) };
    if (this.#sessionKeys.size >= maxKeptKeys) this.#sessionKeys.clear();
    this.#sessionKeys.set(id, keys);
    return keys;
  }
}

function pendingId(state: string): string {
  return state.slice(0, 12);
}
