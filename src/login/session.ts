/**
 * A session, and the operations that both kinds of session storage have.
 *
 * @module
 */

import type { Scope } from "../links/scopes.ts";
import { freeze } from "../resources/reading.ts";
import type { TokenObj } from "../resources/token.ts";
import type { Store } from "../stores/store.ts";
import type { TokenSource } from "../tokens/token_source.ts";
import type { SessionUser } from "./options.ts";
import type { SiteAddress } from "./site_address.ts";

/**
 * The session of a person who is logged in.
 *
 * @typeParam StoredUser The type of the stored user data.
 * @typeParam Token The type of the token. By default it is that of any login: a `TokenSource`, a `TokenObj` or `null`.
 */
export interface Session<StoredUser = SessionUser, Token = SessionToken> {
  /** The user data that `sessionUser` returned at the login. */
  readonly user: StoredUser;
  /** The argument for `new User(…)`: a `TokenSource` with a store, a `TokenObj` with `keepToken`, `null` otherwise. */
  readonly token: Token;
  /** The time of the login, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** The latest time at which the session ends, in milliseconds since the epoch. */
  readonly endsAt: number;
}

/** The type of a session's token, which depends on the options `store` and `keepToken`. */
export type SessionToken<
  // deno-lint-ignore no-explicit-any -- as for TokenObj
  Asked extends Scope = any,
  SessionStore = Store | null | undefined,
  KeepToken = boolean | null | undefined,
> = SessionStore extends Store ? TokenSource<Asked>
  : KeepToken extends true ? TokenObj<Asked>
  : null;

/** The content of a new session. */
export interface NewSession {
  readonly user: unknown;
  readonly userId: string;
  readonly token: TokenObj;
}

/** The data of a session that both kinds of storage keep. */
export interface SessionRecord {
  readonly user: unknown;
  readonly userId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

/** The session storage: cookies or a store. */
export interface Sessions {
  /** Creates a session, and returns its `Set-Cookie` headers. */
  create(request: Request, site: SiteAddress, content: NewSession): Promise<readonly string[]>;
  /** Returns the session of a request, or `null` if there is none or it has ended. */
  find(request: Request, site: SiteAddress): Promise<Session<unknown, unknown> | null>;
  /**
   * Returns the id of the person whose session ended together with its token, and so can be renewed without asking the person;
   * otherwise `null`.
   */
  personToRenew(request: Request, site: SiteAddress): Promise<string | null>;
  /**
   * Ends the session of a request, and returns the `Set-Cookie` headers that remove it.
   *
   * @param everywhere True to end all sessions of the person, and to revoke their tokens at the platform.
   */
  end(request: Request, site: SiteAddress, everywhere: boolean): Promise<readonly string[]>;
  /** Ends all sessions of a person. */
  endAll(userId: string): Promise<void>;
}

/** Returns the session as the application sees it, frozen together with its user data. */
export function frozenSession<Token>(
  { user, startedAt, endsAt }: SessionRecord,
  token: Token,
): Session<unknown, Token> {
  if (typeof user === "object" && user !== null) freeze(user);
  return Object.freeze({ user, token, startedAt, endsAt });
}

/** Returns the end of a session in milliseconds. A smaller `maxAge`, in seconds, also ends sessions that began before the change. */
export function endWithin(maxAge: number, { startedAt, endsAt }: SessionRecord): number {
  return Math.min(endsAt, startedAt + maxAge * 1000);
}
