/**
 * A session, and the operations of both kinds of session storage.
 *
 * @module
 */

import type { User } from "../../api/user.ts";
import type { Scope } from "../../links/scopes.ts";
import { type GrantedScopes, includesScope } from "../../resources/granted_scopes.ts";
import type { TokenObj } from "../../resources/token.ts";
import type { Store } from "../../stores/store.ts";
import type { TokenSource } from "../../tokens/token_source.ts";
import type { Purpose } from "./pending_login.ts";
import type { SiteAddress } from "../site/site_address.ts";

/** The user data that a session stores without the option `sessionUser`. */
export interface SessionUser {
  /** The user's id, a snowflake. */
  readonly id: string;
  /** The user's name, unique on the platform. */
  readonly username: string;
  /** The user's display name, or `null`. */
  readonly global_name: string | null;
  /** The avatar hash, or `null` for a default avatar. */
  readonly avatar: string | null;
  /** The URL of the avatar. */
  readonly avatar_url: string;
}

/**
 * The session of a person who is logged in. `token`, `api` and `has` are not enumerable: JSON, a serializer and a copy such as
 * `{ ...session }` leave them out.
 *
 * @typeParam StoredUser The type of the stored user data.
 * @typeParam Token The type of the token. By default it is that of any login: a `TokenSource`, a `TokenObj` or `null`.
 */
export interface Session<StoredUser = SessionUser, Token = SessionToken> {
  /** The user data that `sessionUser` returned at the login, or that `update` saved later. */
  readonly user: StoredUser;
  /** The token of `api`: a `TokenSource` with a store, a `TokenObj` with `keepToken`, `null` otherwise. */
  readonly token: Token;
  /**
   * The API client for the token, or `null` without a token. All sessions with this token share cached responses, up to the age of the
   * option `freshFor`.
   */
  readonly api: SessionApi<Token>;
  /** The scopes that the person has granted. */
  readonly scopes: readonly string[];
  /**
   * Returns true if the person has granted a scope, or another scope that includes it. The compiler then accepts the methods of `api` that
   * need the scope.
   */
  has<Granted extends Scope>(scope: Granted): this is SessionWith<StoredUser, Token, Granted>;
  /** The time of the login, in milliseconds since the epoch. A later consent does not change this time. */
  readonly startedAt: number;
  /** The latest time at which the session ends, in milliseconds since the epoch. */
  readonly endsAt: number;
}

/** A session in the list of a person's sessions. */
export interface ListedSession {
  /** The id for `endSession`. It opens nothing, and a consent for further scopes does not change it. */
  readonly id: string;
  /** The time of the login, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** The latest time at which the session ends, in milliseconds since the epoch. An unused session ends earlier, after `idleTimeout`. */
  readonly endsAt: number;
  /** The text that `sessionLabel` returned at the login, or `null`. Also `null` if an old secret has encrypted it and was removed. */
  readonly label: string | null;
  /** True for the session of the argument `request`. */
  readonly isCurrent: boolean;
}

/** The type of a session's token, which depends on the options `store` and `keepToken`. */
export type SessionToken<
  // deno-lint-ignore no-explicit-any -- as for TokenObj
  Requested extends Scope = any,
  SessionStore = Store | null | undefined,
  KeepToken = boolean | null | undefined,
> = SessionStore extends Store ? TokenSource<Requested>
  : KeepToken extends true ? TokenObj<Requested>
  : null;

/** The type of a session's `api`, which depends on the type of the session's token. */
export type SessionApi<Token> = Token extends
  TokenObj<infer Requested> | TokenSource<infer Requested> ? User<Requested>
  : null;

/** The type of a session that has a further scope. */
export type SessionWith<StoredUser, Token, Granted extends Scope> = Granted extends Scope
  ? Token extends TokenObj<infer Requested> | TokenSource<infer Requested> ?
      & Session<
        StoredUser,
        Token extends TokenObj ? TokenObj<Requested | Granted> : TokenSource<Requested | Granted>
      >
      // A session without this property stays a session where `has` returns false.
      & Required<GrantedScopes<Requested | Granted>>
  : Session<StoredUser, Token> & Required<GrantedScopes<Granted>>
  : never;

/** The content of a new session, without its user data. */
export interface NewSession {
  readonly userId: string;
  readonly token: TokenObj;
  /** The scopes that the person was asked for. */
  readonly asked: readonly string[];
  /** The purpose of the login. A consent continues the session of the request, and the other purposes replace it. */
  readonly purpose: Purpose["kind"];
  /** The state of the login. */
  readonly state: string;
}

/** A response to a callback in place of a session. */
export interface Reply {
  readonly response: Response;
  /** True if `onLogin` returned the response. */
  readonly isRefusal: boolean;
}

/** The decisions about a new session. Each method gets the session of the request, or `null` without one. */
export interface LoginDecisions {
  /** Returns a response in place of a session, or `null`. */
  respond(previous: SessionState | null): Promise<Reply | null>;
  /** Returns the user data of the session. Called again if a consent continues a session that has changed meanwhile. */
  userData(previous: SessionState | null): Promise<unknown>;
  /** Returns the page after the login if the option `afterLogin` is a function. Called once, after `userData`. */
  page(previous: SessionState | null): Promise<string | undefined>;
  /** Returns true if a session has scopes that this consent neither asked for nor brought. */
  isNarrowerThan(scopes: readonly string[]): boolean;
  /**
   * Returns a redirect that asks the person once more, without a consent page, because another consent has brought scopes meanwhile.
   *
   * @param cookies The `Set-Cookie` headers of the session that the other consent created, if it has continued this one.
   */
  askAgain(previous: SessionState, cookies: readonly string[]): Promise<Reply>;
}

/** The result of {@link Sessions.create}. */
export type CreatedSession =
  | {
    readonly kind: "session";
    /** The `Set-Cookie` headers of the session. */
    readonly cookies: readonly string[];
    /** The page that the function `afterLogin` has decided; `undefined` if it has not. */
    readonly page: string | undefined;
  }
  | Reply & { readonly kind: "response" }
  /** The session ended before it was complete, or the session to continue has ended. */
  | { readonly kind: "ended" };

/** The data of a session in both kinds of storage. */
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

/** A session that has not ended. */
export interface OpenSession {
  /** Frozen. */
  readonly record: SessionRecord;
  /** Creates the token; `null` for a session without a token. */
  readonly createToken: (() => TokenObj | TokenSource) | null;
}

/** The state of the session of a request. */
export interface SessionState {
  readonly userId: string;
  /** The scopes that the person has granted. */
  readonly scopes: readonly string[];
  /** The session, or `null` if it has ended. */
  readonly session: OpenSession | null;
  /** The session for the next login. Also set if `session` is `null` only because of a new scope in the option `scope`. */
  readonly sessionForLogin: OpenSession | null;
  /** True if the session ended together with its token, so that it can be renewed without asking the person. */
  readonly canBeRenewed: boolean;
}

/** Options of {@link Sessions.endAll}. */
export interface EndAllSessionsOptions {
  /**
   * Ends only sessions whose login or latest consent was before this time, in milliseconds since the epoch; `Infinity` ends all sessions.
   */
  readonly startedBefore: number;
  /** True to also remove the token for background jobs, if its login was before `startedBefore`. */
  readonly tokens: boolean;
}

/** The session storage: cookies or a store. */
export interface Sessions {
  /** Creates a session. The previous session of the request ends, or the new one continues it. */
  create(
    request: Request,
    site: SiteAddress,
    login: NewSession,
    decisions: LoginDecisions,
  ): Promise<CreatedSession>;
  /** Returns the state of the session of a request, or `null` if the storage has none. Prolongs the session. */
  find(request: Request, site: SiteAddress): Promise<SessionState | null>;
  /** Returns what `find` returns, and does not prolong the session. */
  read(request: Request, site: SiteAddress): Promise<SessionState | null>;
  /**
   * Replaces the user data in the session of a request. Returns the `Set-Cookie` headers of the change, or `null` if there is no
   * session.
   */
  update(request: Request, site: SiteAddress, user: unknown): Promise<readonly string[] | null>;
  /**
   * Ends the session of a request, and returns the `Set-Cookie` headers that remove it.
   *
   * @param everywhere True to end all sessions of the person, and to revoke their tokens at the platform.
   */
  end(request: Request, site: SiteAddress, everywhere: boolean): Promise<readonly string[]>;
  /** Lists the sessions of a person, and marks the session of a request. */
  list(
    userId: string,
    current: { readonly request: Request; readonly site: SiteAddress } | null,
  ): Promise<readonly ListedSession[]>;
  /** Ends one session of a person. Returns false if the person does not have it. */
  endOne(userId: string, id: string): Promise<boolean>;
  /** Ends sessions of a person. Returns their number. */
  endAll(userId: string, options: EndAllSessionsOptions): Promise<number>;
  /** Deletes all data of a person. */
  forget(userId: string): Promise<void>;
}

/** Creates the API client for a token of a person. */
export interface UserClients {
  user(token: TokenObj | TokenSource, userId: string): User;
}

/**
 * Returns the session as the application sees it, frozen. The session is a plain object, because frameworks send only plain objects from a
 * server to a page. The code of the API client is loaded only for a session with a token.
 */
export async function sessionOf(
  { record, createToken }: OpenSession,
  loadClients: () => Promise<UserClients>,
): Promise<Session<unknown>> {
  const { user, userId, scopes, startedAt, endsAt } = record;
  const clients = createToken && await loadClients();
  // Both are created at their first use, since most requests do not need them.
  let token: TokenObj | TokenSource | null = null;
  let api: User | null = null;
  const tokenOf = () => token ??= createToken && createToken();
  const apiOf = () => {
    const found = tokenOf();
    return api ??= found && clients && clients.user(found, userId);
  };
  const data = { user, scopes, startedAt, endsAt };
  // Not enumerable, so that JSON and serializers never send the token to a page.
  const session = Object.defineProperties(data, {
    token: { get: tokenOf },
    api: { get: apiOf },
    has: { value: (scope: string) => includesScope(scopes, scope) },
  });
  return Object.freeze(session as typeof data & Pick<Session<unknown>, "token" | "api" | "has">);
}

/**
 * Returns the time at which a session ends, in milliseconds since the epoch. A reduced `maxAge`, in seconds, also applies to sessions
 * that began before the change.
 */
export function endWithin(
  maxAge: number,
  { startedAt, endsAt }: Pick<SessionRecord, "startedAt" | "endsAt">,
): number {
  return Math.min(endsAt, startedAt + maxAge * 1000);
}

/** Returns true if the person was asked for every scope that the options have now. */
export function wasAskedFor(scope: readonly string[], { asked }: SessionRecord): boolean {
  return scope.every((one) => asked.includes(one));
}
