/**
 * What a session is, wherever it is kept.
 *
 * @module
 */

import { freeze } from "../resources/reading.ts";
import type { TokenObj } from "../resources/token.ts";
import { cookiesOf } from "./cookies.ts";
import type { SiteAddress } from "./site_address.ts";

/** Who is logged in. */
export interface Session<KeptUser, Token> {
  /** What `sessionUser` has kept of the user. */
  readonly user: KeptUser;
  /** What `new User(…)` takes: a `TokenSource` with a store, a `TokenObj` with `keepToken`, `null` otherwise. */
  readonly token: Token;
  /** When the person logged in, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** When the session ends at the latest, in milliseconds since the epoch. */
  readonly endsAt: number;
}

/** A login that ended well, remembered so that its callback, opened again, leads to the same page. */
export interface Visit {
  /** Which attempt it was: the beginning of its state, as all of it is a secret. */
  readonly attemptId: string;
  /** The page. */
  readonly returnTo: string;
}

/** What a new session is made of. */
export interface NewSession {
  readonly user: unknown;
  readonly userId: string;
  readonly token: TokenObj;
  readonly visit: Visit;
}

/** What is kept of a session, wherever that is. */
export interface KeptSession {
  readonly user: unknown;
  readonly userId: string;
  /** Milliseconds since the epoch, as is the next. */
  readonly startedAt: number;
  readonly endsAt: number;
  /** The logins that led to it, newest first. */
  readonly visits: readonly Visit[];
}

/** A session as it was found. */
export interface FoundSession<Token> {
  readonly session: Session<unknown, Token>;
  readonly userId: string;
  /** The logins that led to it, newest first. */
  readonly visits: readonly Visit[];
}

/** Where sessions are kept. */
export interface Sessions<Token> {
  /** Makes a session, and gives the `Set-Cookie` headers for it. */
  create(request: Request, site: SiteAddress, content: NewSession): Promise<readonly string[]>;
  /** The session of a request, if there is one that has not ended. */
  find(request: Request, site: SiteAddress): Promise<FoundSession<Token> | null>;
  /**
   * The id of the person whose session ended because its token did, so that it can be renewed without asking them; `null` when
   * there is none.
   */
  personToRenew(request: Request, site: SiteAddress): Promise<string | null>;
  /**
   * Ends the session of a request, and gives the `Set-Cookie` headers for that.
   *
   * @param everywhere Whether to end all sessions of the person, and to revoke their tokens at the platform.
   */
  end(request: Request, site: SiteAddress, everywhere: boolean): Promise<readonly string[]>;
}

/** The name of the cookie, without the prefix. */
export const sessionCookie = "session";

/** The values of the session's cookie. There may be several: where no prefix keeps them away, somebody else may have set another one. */
export function sessionValuesIn(request: Request, site: SiteAddress): readonly string[] {
  const wanted = site.cookiePrefix + sessionCookie;
  return cookiesOf(request).filter(({ name }) => name === wanted).map(({ value }) => value);
}

/** What the application gets of a session: frozen, as is what it keeps of the user. */
export function foundSession<Token>(kept: KeptSession, token: Token): FoundSession<Token> {
  const { user, userId, startedAt, endsAt, visits } = kept;
  if (typeof user === "object" && user !== null) freeze(user);
  return { session: Object.freeze({ user, token, startedAt, endsAt }), userId, visits };
}

/** When a session ends under the present options: a `maxAge` in seconds that was made shorter ends older sessions too. */
export function endUnder(maxAge: number, { startedAt, endsAt }: KeptSession): number {
  return Math.min(endsAt, startedAt + maxAge * 1000);
}

/** How many visits a session remembers: as many as there may be tabs that log in at the same time. */
const mostVisits = 8;

/** The visits of a new session: those of the one that it takes the place of belong to it too, when they are of the same person. */
export function visitsAfter(
  { userId, visit }: NewSession,
  before: KeptSession | null,
): readonly Visit[] {
  const earlier = before?.userId === userId ? before.visits : [];
  return [visit, ...earlier].slice(0, mostVisits);
}
