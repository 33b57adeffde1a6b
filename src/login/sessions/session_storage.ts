/**
 * The operations of both kinds of session storage.
 *
 * @module
 */

import type { TokenObj } from "../../resources/token.ts";
import type { Purpose } from "../base/pending_login.ts";
import type { SiteAddress } from "../site/site_address.ts";
import type { OpenSession } from "./open_session.ts";

/** A request at the site. Its cookies or its `Authorization` header name the session. */
export interface Visit {
  readonly request: Request;
  readonly site: SiteAddress;
  /** True at `appPath`: cookies are not read, and a new session gets a token for the header. */
  readonly isApp?: boolean;
}

/** A login whose person is known. */
export interface NewSession {
  readonly userId: string;
  readonly token: TokenObj;
  /** The scopes that the person was asked for. */
  readonly asked: readonly string[];
  /** The purpose of the login. A consent changes the session of the request, and the other purposes replace it. */
  readonly purpose: Purpose["kind"];
  /** The state of the login. */
  readonly state: string;
}

/** A session before the application has decided about it. */
export interface SessionDraft {
  /** The session of the request, or `null` without one. */
  readonly previous: SessionState | null;
}

/** The application's decisions about a session. */
export interface Decided {
  /** The user data of the session. */
  readonly user: unknown;
  /** The page that the function `afterLogin` has decided; `undefined` if it has not. */
  readonly page: string | undefined;
}

/** A session that is saved. */
export interface CreatedSession extends Pick<Decided, "page"> {
  readonly kind: "session";
  /** The `Set-Cookie` headers of the session. Empty with a token. */
  readonly cookies: readonly string[];
  /** The token for the `Authorization` header, or `null` for a session in a cookie. */
  readonly bearer: string | null;
}

/** The session ended before it was complete, or the session of a consent has ended. */
export interface EndedSession {
  readonly kind: "ended";
}

/** The result of {@link Sessions.begin}. */
export type Begun<Draft extends SessionDraft> =
  | { readonly kind: "begun"; readonly draft: Draft }
  /** An earlier request with the same callback has saved the session. */
  | CreatedSession
  | EndedSession;

/** The result of {@link Sessions.complete}. */
export type Completed<Draft extends SessionDraft> =
  | CreatedSession
  | EndedSession
  /** The user data or the scopes of the consent's session have changed meanwhile: the application must decide again. */
  | { readonly kind: "changed"; readonly draft: Draft }
  /** Another consent has brought scopes that this one lacks. */
  | { readonly kind: "narrower"; readonly previous: SessionState };

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

/** The session storage: cookies or a store. */
export interface Sessions<Draft extends SessionDraft = SessionDraft> {
  /** Begins to create a session, or to change the session of a consent. */
  begin(visit: Visit, login: NewSession): Promise<Begun<Draft>>;
  /** Saves a session as the application has decided, and ends the previous session of the request, unless this is a consent. */
  complete(draft: Draft, decided: Decided): Promise<Completed<Draft>>;
  /** Removes what `begin` has saved, since the application has refused the login or failed. */
  abandon(draft: Draft): Promise<void>;
  /**
   * Returns the state of the session of a request, or `null` if the storage has none.
   *
   * @param mayProlong False to leave the idle time of the session as it is. @default {true}
   */
  find(visit: Visit, mayProlong?: boolean): Promise<SessionState | null>;
  /**
   * Replaces the user data in the session of a request. Returns the `Set-Cookie` headers of the change, or `null` if there is no
   * session.
   */
  update(visit: Visit, user: unknown): Promise<readonly string[] | null>;
  /**
   * Ends the session of a request, and returns the `Set-Cookie` headers that remove it: none if the header has named the session.
   *
   * @param everywhere True to end all sessions of the person, and to revoke their Discord tokens.
   */
  end(visit: Visit, everywhere: boolean): Promise<readonly string[]>;
}
