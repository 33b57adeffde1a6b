/**
 * The operations of both kinds of session storage.
 *
 * @module
 */

import type { TokenObj } from "../../resources/token.ts";
import type { Purpose } from "../base/pending_login.ts";
import type { ListedSession } from "../base/session.ts";
import type { SiteAddress } from "../site/site_address.ts";
import type { OpenSession } from "./open_session.ts";

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
