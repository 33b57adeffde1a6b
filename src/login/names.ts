/**
 * Names what belongs to one login, so that several logins of a site, other applications and test platforms never open each other's
 * cookies and records.
 *
 * @module
 */

import { deriveNameAndKey, digestOf } from "../stores/digest.ts";
import { createKeySealer, createSealer, type Sealer, type Secrets } from "../stores/sealer.ts";

/** The keys of a session in the store. */
export interface SessionKeys {
  /** The id of the session, which its cookie has. */
  readonly id: string;
  /** The end of its records' names. */
  readonly digest: string;
  /** Encrypts its records. */
  readonly sealer: Sealer;
}

/** The names of a login's cookies and records. The names of records depend on no secret, so that a secret may change. */
export class Names {
  /** The name of the session cookie, without the prefix of the site. */
  readonly sessionCookie: string;
  readonly #attemptCookie: string;
  /** The text that tells logins apart. */
  readonly #login: readonly string[];

  /** @param name The option `name`. */
  constructor(clientId: string, issuer: string, name: string) {
    const end = name && `.${name}`;
    this.#login = [clientId, issuer, name];
    this.sessionCookie = `session${end}`;
    this.#attemptCookie = `login${end}.`;
  }

  /**
   * Returns the name of an attempt's cookie, without the prefix of the site. It has the start of the state, because the whole state is a
   * secret.
   */
  attemptCookie(state: string): string {
    return this.#attemptCookie + attemptId(state);
  }

  /** Returns true for the name of an attempt's cookie, without the prefix of the site. */
  isAttemptCookie(name: string): boolean {
    // What follows has no dot: `login.admin.<id>` belongs to the login with the name "admin".
    return name.startsWith(this.#attemptCookie) && !name.includes(".", this.#attemptCookie.length);
  }

  /** Returns true for the name of the cookie that a login with another option `name` gives to an attempt with this state. */
  isOtherAttemptCookie(name: string, state: string): boolean {
    const [start, ...rest] = name.split(".");
    const id = rest.pop();
    return start === "login" && id === attemptId(state) && name !== this.attemptCookie(state);
  }

  /** Creates the sealer for one use of a secret. */
  createSealer(secret: Secrets, use: string): Sealer {
    return createSealer("secret", secret, `${use} ${JSON.stringify(this.#login)}`);
  }

  /** Returns the end of the names of a person's records. */
  async personDigest(userId: string): Promise<string> {
    return await digestOf(JSON.stringify([...this.#login, userId]));
  }

  /** Derives the name of a session's records, and their key, from the id of the session. */
  async sessionKeys(id: string): Promise<SessionKeys> {
    const { name, key } = await deriveNameAndKey(JSON.stringify([...this.#login, id]));
    return { id, digest: name, sealer: createKeySealer(key) };
  }
}

function attemptId(state: string): string {
  return state.slice(0, 12);
}
