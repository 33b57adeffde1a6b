/**
 * Sessions without a store: each is a sealed cookie.
 *
 * @module
 */

import type { TokenObj } from "../resources/token.ts";
import { sealedForm, type Sealer } from "../stores/sealer.ts";
import { fromStoredToken, toStoredToken } from "../tokens/stored_token.ts";
import { maxCookieBytes } from "./cookies.ts";
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
  sessionCookieName,
  setSessionCookieHeader,
} from "./session_cookie.ts";
import type { SiteAddress } from "./site_address.ts";

/** The content of the cookie. */
interface CookieContent extends SessionRecord {
  /** `null` without the option `keepToken`. */
  readonly token: TokenObj | null;
}

/** Options of {@link CookieSessions}. */
export interface CookieSessionsOptions {
  readonly sealer: Sealer;
  /** True to keep the token in the cookie. */
  readonly keepToken: boolean;
  /** The longest time that a session lasts, in seconds. */
  readonly maxAge: number;
  /** Revokes a token at the platform. */
  revoke(token: TokenObj): Promise<void>;
}

/** The time after the end of a session in which it can be renewed without asking the person, in seconds. */
const renewalPeriod = 30 * 86_400;

/** Keeps each session in a cookie. The session ends with the access token. */
export class CookieSessions implements Sessions {
  readonly #options: CookieSessionsOptions;

  constructor(options: CookieSessionsOptions) {
    this.#options = options;
  }

  /**
   * See {@link Sessions.create}.
   *
   * @throws {TypeError} If the cookie would be larger than browsers keep.
   */
  async create(
    _request: Request,
    site: SiteAddress,
    { user, userId, token }: NewSession,
  ): Promise<readonly string[]> {
    const { sealer, keepToken, maxAge } = this.#options;
    const startedAt = Date.now();
    const endsAt = Math.min(token.expires_at ?? Infinity, startedAt + maxAge * 1000);
    const content: CookieContent = {
      user,
      userId,
      token: keepToken ? toStoredToken(token) : null,
      startedAt,
      endsAt,
    };
    const cookieAge = Math.ceil((endsAt - startedAt) / 1000) + renewalPeriod;
    const sealed = await sealer.seal(sessionCookieName, content);
    const header = setSessionCookieHeader(site, sealed, cookieAge);
    if (header.length > maxCookieBytes) {
      throw new TypeError(
        `The session's cookie would have ${header.length} bytes, and browsers keep ${maxCookieBytes}: let sessionUser keep less, ` +
          "leave keepToken out, or give a store",
      );
    }
    return [header];
  }

  /** See {@link Sessions.find}. */
  async find(
    request: Request,
    site: SiteAddress,
  ): Promise<Session<unknown, TokenObj | null> | null> {
    const content = await this.#read(request, site);
    if (!content || Date.now() >= content.endsAt) return null;
    return frozenSession(content, content.token && fromStoredToken(content.token));
  }

  /** See {@link Sessions.personToRenew}. */
  async personToRenew(request: Request, site: SiteAddress): Promise<string | null> {
    const content = await this.#read(request, site);
    return content !== null && Date.now() >= content.endsAt ? content.userId : null;
  }

  /** See {@link Sessions.end}. Cookies in other browsers stay. */
  async end(
    request: Request,
    site: SiteAddress,
    everywhere: boolean,
  ): Promise<readonly string[]> {
    const content = everywhere ? await this.#read(request, site) : null;
    if (content?.token) await this.#options.revoke(content.token);
    return [removeSessionCookieHeader(site)];
  }

  /**
   * See {@link Sessions.endAll}.
   *
   * @throws {TypeError} Always.
   */
  endAll(): Promise<never> {
    throw new TypeError(
      "endAll() needs the option store: sessions in cookies can't be ended from here",
    );
  }

  async #read(request: Request, site: SiteAddress): Promise<CookieContent | null> {
    const { sealer, maxAge } = this.#options;
    for (const value of sessionCandidates(request, site, sealedForm)) {
      // A value that opens was sealed as a session, so it has this type.
      const content = await sealer.open(sessionCookieName, value) as CookieContent | null;
      if (content !== null) return { ...content, endsAt: endWithin(maxAge, content) };
    }
    return null;
  }
}
