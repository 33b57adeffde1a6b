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
import type { SiteAddress } from "./site_address.ts";

/** The user data that a session stores, unless the option `sessionUser` returns something else. */
export interface SessionUser {
  /** The user's id, a snowflake. */
  readonly id: string;
  /** The user's name, unique on the platform. */
  readonly username: string;
  /** The user's display name, or `null`. */
  readonly global_name: string | null;
  /** The hash of the avatar, or `null` for a default one. */
  readonly avatar: string | null;
  /** The URL of the avatar. */
  readonly avatar_url: string;
}

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
  /** The scopes that the person has granted. */
  readonly scopes: readonly string[];
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
  /** The scopes that the person was asked for. */
  readonly asked: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** The data of a session that both kinds of storage keep. */
export interface SessionRecord {
  readonly user: unknown;
  readonly userId: string;
  /** The scopes that the person has granted. */
  readonly scopes: readonly string[];
  /** The scopes that the person was asked for. */
  readonly asked: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

/** The part of the session storage that belongs to a request. */
export interface FoundSession {
  readonly userId: string;
  /** `null` if the session has ended. */
  readonly session: Session<unknown, unknown> | null;
  /** True if the session ended together with its token, and so can be renewed without asking the person. */
  readonly canBeRenewed: boolean;
  /** Removes what the storage has, apart from the cookie. */
  remove(): Promise<void>;
}

/** Options of {@link Sessions.endAll}. */
export interface EndAllSessionsOptions {
  /** The time before which a session must have begun to be ended, in milliseconds since the epoch; `Infinity` for all sessions. */
  readonly startedBefore: number;
}

/** The session storage: cookies or a store. */
export interface Sessions {
  /** Creates a session, and returns its `Set-Cookie` headers. There is none if all sessions of the person were ended meanwhile. */
  create(site: SiteAddress, content: NewSession): Promise<readonly string[]>;
  /** Returns what the storage has for a request, or `null` if that is nothing. */
  find(request: Request, site: SiteAddress): Promise<FoundSession | null>;
  /**
   * Replaces the user data in the session of a request, and returns the `Set-Cookie` headers that this needs, or `null` if there is no
   * session.
   */
  update(request: Request, site: SiteAddress, user: unknown): Promise<readonly string[] | null>;
  /**
   * Ends the session of a request, and returns the `Set-Cookie` headers that remove it.
   *
   * @param everywhere True to end all sessions of the person, and to revoke their tokens at the platform.
   */
  end(request: Request, site: SiteAddress, everywhere: boolean): Promise<readonly string[]>;
  /** Ends sessions of a person. */
  endAll(userId: string, options: EndAllSessionsOptions): Promise<void>;
  /** Deletes everything that the storage has of a person. */
  forget(userId: string): Promise<void>;
}

/** Returns the session as the application sees it, frozen together with its user data. */
export function frozenSession<Token>(
  { user, scopes, startedAt, endsAt }: SessionRecord,
  token: Token,
): Session<unknown, Token> {
  if (typeof user === "object" && user !== null) freeze(user);
  return Object.freeze({ user, token, scopes: Object.freeze(scopes), startedAt, endsAt });
}

/** Returns the end of a session in milliseconds. A smaller `maxAge`, in seconds, also ends sessions that began before the change. */
export function endWithin(maxAge: number, { startedAt, endsAt }: SessionRecord): number {
  return Math.min(endsAt, startedAt + maxAge * 1000);
}

/** Returns true if the person was asked for every scope that the options have now. */
export function wasAskedFor(scope: readonly string[], { asked }: SessionRecord): boolean {
  return scope.every((one) => asked.includes(one));
}
