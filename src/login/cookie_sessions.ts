/**
 * Sessions without a store: each is a sealed cookie.
 *
 * @module
 */

import type { Sealer } from "../stores/sealer.ts";
import type { TokenObj } from "../resources/token.ts";
import { mostCookieBytes, removeCookieHeader, setCookieHeader } from "./cookies.ts";
import { fromStoredToken, toStoredToken } from "../tokens/stored_token.ts";
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

/** What the cookie holds. */
interface Content extends KeptSession {
  /** `null` unless the application asked for it. */
  readonly token: TokenObj | null;
}

/** What sessions in cookies need. */
export interface CookieSessionsOptions {
  readonly sealer: Sealer;
  /** Whether the cookie holds the token too. */
  readonly keepToken: boolean;
  /** The longest a session lasts, in seconds. */
  readonly maxAge: number;
  /** Revokes a token at the platform. */
  revoke(token: TokenObj): Promise<void>;
}

/** How long after its end a session can still be renewed without asking the person, in seconds. */
const renewable = 30 * 86_400;

/** Keeps each session in a cookie. It ends with the access token. */
export class CookieSessions implements Sessions<TokenObj | null> {
  readonly #options: CookieSessionsOptions;

  /** Takes what seals the cookies, and what they hold. */
  constructor(options: CookieSessionsOptions) {
    this.#options = options;
  }

  /**
   * See {@link Sessions.create}.
   *
   * @throws {TypeError} When the cookie would be larger than a browser keeps.
   */
  async create(request: Request, site: SiteAddress, made: NewSession): Promise<readonly string[]> {
    const { sealer, keepToken, maxAge } = this.#options;
    const { user, userId, token } = made;
    const before = await this.#read(request, site);
    const startedAt = Date.now();
    const content: Omit<Content, "visits"> = {
      user,
      userId,
      token: keepToken ? toStoredToken(token) : null,
      startedAt,
      endsAt: Math.min(token.expires_at ?? Infinity, startedAt + maxAge * 1000),
    };
    const cookieAge = Math.ceil((content.endsAt - startedAt) / 1000) + renewable;
    let visits = visitsAfter(made, before);
    while (true) {
      const sealed = await sealer.seal(sessionCookie, { ...content, visits });
      const cookie = setCookieHeader(site, sessionCookie, sealed, cookieAge);
      if (cookie.length <= mostCookieBytes) return [cookie];
      if (visits.length === 0) {
        throw new TypeError(
          `The session's cookie would have ${cookie.length} bytes, and browsers keep ${mostCookieBytes}: let sessionUser ` +
            "keep less, leave keepToken out, or give a store",
        );
      }
      // Visitors choose how long the addresses of pages are. Where there is no room, an old callback leads to the home page.
      visits = visits.slice(0, -1);
    }
  }

  /** See {@link Sessions.find}. */
  async find(request: Request, site: SiteAddress): Promise<FoundSession<TokenObj | null> | null> {
    const content = await this.#read(request, site);
    if (!content || Date.now() >= content.endsAt) return null;
    return foundSession(content, content.token && fromStoredToken(content.token));
  }

  /** See {@link Sessions.personToRenew}. */
  async personToRenew(request: Request, site: SiteAddress): Promise<string | null> {
    const content = await this.#read(request, site);
    return content !== null && Date.now() >= content.endsAt ? content.userId : null;
  }

  /** See {@link Sessions.end}. What is only in cookies of other browsers can't be ended from here. */
  async end(request: Request, site: SiteAddress, everywhere: boolean): Promise<readonly string[]> {
    const content = everywhere ? await this.#read(request, site) : null;
    if (content?.token) await this.#options.revoke(content.token);
    return [removeCookieHeader(site, sessionCookie)];
  }

  async #read(request: Request, site: SiteAddress): Promise<Content | null> {
    const { sealer, maxAge } = this.#options;
    for (const value of sessionValuesIn(request, site)) {
      // What opens was sealed as a session, so it has the form of one.
      const content = await sealer.open(sessionCookie, value) as Content | null;
      if (content !== null) return { ...content, endsAt: endUnder(maxAge, content) };
    }
    return null;
  }
}
