/**
 * The steps of a login: the redirect to the consent page, and everything between the callback and the session.
 *
 * @module
 */

import { forgetAnswers } from "../api/authorized_http.ts";
import { codeForm, TokenClient } from "../api/token_client.ts";
import { User } from "../api/user.ts";
import { isSecret } from "../core/arguments.ts";
import { ApiError, type GuildpassError, IdTokenError } from "../core/errors.ts";
import type { ObservedOptions } from "../http/options.ts";
import { createReport } from "../http/report.ts";
import { observer } from "../http/request_observer.ts";
import { AuthUrl, type AuthUrlParams } from "../links/auth_url.ts";
import { invalidAnswerError } from "../links/authorization_response.ts";
import { parseCallback } from "../links/parse_callback.ts";
import { discord } from "../links/platform.ts";
import { checkScopeSpelling, joinLinkScopes, type Scope } from "../links/scopes.ts";
import { checkIdToken } from "../openid/verify_id_token.ts";
import type { PermissionInput } from "../permissions/permission_input.ts";
import { freeze } from "../resources/reading.ts";
import type { TokenObj } from "../resources/token.ts";
import type { UserObj } from "../resources/user.ts";
import { digestOf } from "../stores/digest.ts";
import type { Store } from "../stores/store.ts";
import { withTimeLimit } from "../stores/with_time_limit.ts";
import { fromStoredToken, toStoredToken } from "../tokens/stored_token.ts";
import type { TokenSource } from "../tokens/token_source.ts";
import { type ProgressRecord, storedProgress } from "./login_progress.ts";
import {
  type AddedBot,
  type PendingLogin,
  type PendingLoginOptions,
  PendingLogins,
  type Purpose,
} from "./pending_logins.ts";
import { canRetryCallback, exchangeOnce } from "./exchange_once.ts";
import { CookieSessions } from "./cookie_sessions.ts";
import {
  createEventReport,
  eventScopes,
  heldRequestObserver,
  pageErrorOf,
  type ReportEvent,
} from "./events.ts";
import { localPath } from "./local_path.ts";
import {
  lateBotError,
  LoginError,
  noPendingLoginError,
  otherLoginError,
  otherSessionError,
  refusedNewTokenError,
  unchangedHint,
} from "./login_error.ts";
import {
  type AnyLoginOptions,
  assertProtectedCode,
  type CheckedLoginOptions,
  checkLoginOptions,
  type ConfirmedLogin,
  scopeWithoutPkce,
} from "./options.ts";
import { responseHeaders, withCookies } from "./responses.ts";
import { Namespace } from "./namespace.ts";
import { installScopes, PersonTokens } from "./person_tokens.ts";
import { ProgressMemory } from "./progress_memory.ts";
import { checkSecretStrength } from "./secret_strength.ts";
import type {
  CreatedSession,
  FoundSession,
  LoginDecisions,
  Sessions,
  SessionUser,
} from "./session.ts";
import { type SiteAddress, siteAddressOf } from "./site_address.ts";
import { StoreSessions } from "./store_sessions.ts";

/** Parameters of the link to the consent page. */
export interface LinkParams
  extends Omit<AuthUrlParams, "state" | "codeVerifier" | "nonce" | "responseType"> {
  readonly permissions?: PermissionInput | null | undefined;
}

/** A completed login. */
export interface CompletedLogin {
  readonly user: UserObj;
  readonly token: TokenObj;
  readonly guildId: string | null;
  readonly permissions: `${bigint}` | null;
  /** The `Set-Cookie` headers of the session. */
  readonly cookies: readonly string[];
  /** The response of `onLogin`, or `null`. With a response there is no session. */
  readonly response: Response | null;
}

/** The time that a step may take beyond the time limit of its request, in milliseconds, for the store. */
const storeAllowance = 5000;

/** The steps of a login, which the methods of `Login` and the routes of `handle` share. */
export class LoginFlow {
  readonly options: CheckedLoginOptions;
  readonly pendingLogins: PendingLogins;
  readonly sessions: Sessions;
  /** The tokens for background jobs, or `null` without the option `backgroundTokens`. */
  readonly personTokens: PersonTokens | null;
  /** Returns the record of a login's progress, for callbacks that are opened again. */
  readonly #recordOf: (pending: PendingLogin) => ProgressRecord;
  readonly #stepTimeout: number;
  /** `null` without the option `onEvent`. */
  readonly #report: ReportEvent | null;
  /** The client of the latest exchange. Most have the same redirect URI and scopes, and a new client takes 4 % of a login. */
  #lastApi: { readonly key: string; readonly api: TokenClient } | null = null;

  /** @throws {TypeError} If an option is wrong, with its name. */
  constructor(options: AnyLoginOptions) {
    this.options = checkLoginOptions(options);
    const { clientId, platform, name, scope, store, secret, keepToken, idleTimeout, maxAge } =
      this.options;
    const { backgroundTokens, refreshBefore } = this.options;
    const report = this.#report = createEventReport(this.options.onEvent);
    const { issuer, apiUrl } = platform ?? discord;
    const namespace = new Namespace(clientId, issuer ?? String(apiUrl), name);
    const sealer = namespace.createSealer(secret, "cookies");
    this.pendingLogins = new PendingLogins(namespace, sealer);
    // Refreshing and revoking need no redirect URI. This also checks the client id and secret.
    const api = this.#createApi(null, scope);
    checkSecretStrength(this.options);
    this.#stepTimeout = api.timeout + storeAllowance;
    this.#recordOf = createRecords(store, api.timeout, this.#stepTimeout);
    const createUser = (token: TokenObj | TokenSource, userId: string) =>
      this.#createUser(token, userId);
    const { timeout } = api;
    const personTokens = store
      ? new PersonTokens({
        namespace,
        sealer: namespace.createSealer(secret, "tokens"),
        store,
        timeout,
        api,
        refreshBefore,
        scope,
        forgetAnswers: (token) => forgetAnswers(token.access_token, this.#clientOptions()),
        tryToken: (source, userId) => createUser(source, userId).getAuthorization({ fresh: true }),
        report,
      })
      : null;
    this.personTokens = backgroundTokens ? personTokens : null;
    const times = { timeout, idleTimeout, maxAge };
    this.sessions = store && personTokens
      ? new StoreSessions({
        namespace,
        store,
        api,
        refreshBefore,
        createUser,
        personTokens,
        backgroundTokens,
        scope,
        report,
        ...times,
      })
      : new CookieSessions({
        namespace,
        sealer,
        keepToken: keepToken === true,
        scope,
        maxAge,
        createUser,
        report,
        revoke: (token) => api.revoke(token),
      });
  }

  /** Returns the address of the application for a request. */
  siteOf(request: Request): SiteAddress {
    return siteAddressOf(request, this.options.redirectUri, this.options.callbackPath);
  }

  /**
   * Returns the page to return to: a path, or the address of a page of a frontend. It is `/` for another site and for the three paths
   * of the login itself.
   */
  pageToReturnTo(address: string | URL, site: SiteAddress): string {
    const { loginPath, callbackPath, logoutPath, frontends } = this.options;
    const page = localPath(address, site.origin, frontends);
    const { origin, pathname } = new URL(page, site.origin);
    const isOfLogin = origin === site.origin &&
      [loginPath, callbackPath, logoutPath].includes(pathname);
    return isOfLogin ? "/" : page;
  }

  /**
   * Returns the scopes and the purpose of a new login. A consent or a renewal also asks for the scopes that the session has. A login
   * does not, since another person may finish it.
   *
   * @param scope The scopes that the application asks for beside those of its options, or `null`.
   * @param mayRenew True if a session may be renewed without asking the person.
   * @throws {TypeError} If a scope is wrong, or needs a client secret or `openid`.
   */
  async planLogin(
    request: Request,
    site: SiteAddress,
    scope: readonly Scope[] | null,
    mayRenew: boolean,
  ): Promise<Pick<PendingLoginOptions, "scope" | "purpose">> {
    if (scope) {
      joinLinkScopes(scope);
      checkScopeSpelling(scope);
    }
    const found = await this.sessions.find(request, site);
    const purpose = purposeOf(found, scope !== null, mayRenew);
    const granted = found && purpose.kind !== "login" ? await this.#scopesOfSession(found) : [];
    const scopes = [...new Set([...this.options.scope, ...scope ?? [], ...granted])];
    assertProtectedCode(scopes);
    // This refuses scopes for which a public client can't ask.
    if (scopes.join() !== this.options.scope.join()) this.#createApi(null, scopes);
    return { scope: scopes, purpose };
  }

  /** Returns the address of the application for a callback, and its pending login, or `null` if this browser has begun none. */
  async findPending(
    request: Request,
  ): Promise<{ readonly site: SiteAddress; readonly pending: PendingLogin | null }> {
    try {
      const site = this.siteOf(request);
      const state = new URL(request.url).searchParams.get("state");
      return { site, pending: await this.pendingLogins.find(request, site, state) };
    } catch (error) {
      this.reportFailure(error, null);
      throw error;
    }
  }

  /**
   * Asserts that a request is no callback of this login that `handle` does not answer, since it has the path of the redirect URI and
   * not `callbackPath`. A new login would end in the same way, again and again.
   *
   * @throws {TypeError} If it is one.
   */
  async assertNoLostCallback(request: Request, site: SiteAddress): Promise<void> {
    const { pathname, searchParams } = new URL(request.url);
    const { callbackPath } = this.options;
    // Behind a proxy that changes paths, a callback does not have the path of the redirect URI.
    if (pathname === callbackPath || pathname !== new URL(site.redirectUri).pathname) return;
    if (!searchParams.has("code")) return;
    if (!await this.pendingLogins.find(request, site, searchParams.get("state"))) return;
    throw new TypeError(
      `The callback of a login came to ${pathname}, and handle() answers ${callbackPath}: leave callbackPath out, unless a proxy ` +
        "changes paths",
    );
  }

  /** Returns the error for a callback that belongs to no login of this browser. */
  noPendingLoginError(request: Request, site: SiteAddress): GuildpassError {
    const { searchParams } = new URL(request.url);
    const state = searchParams.get("state");
    if (state !== null && this.pendingLogins.isOfOtherLogin(request, site, state)) {
      return otherLoginError();
    }
    return state !== null && searchParams.has("guild_id")
      ? lateBotError()
      : noPendingLoginError(state);
  }

  /** Begins a login, and redirects to the consent page. */
  async begin(
    request: Request,
    site: SiteAddress,
    pendingOptions: PendingLoginOptions,
    { permissions, ...params }: LinkParams,
  ): Promise<Response> {
    const { clientId, platform } = this.options;
    const { pending, cookies } = await this.pendingLogins.begin(request, site, pendingOptions);
    const { state, codeVerifier, nonce, scope, purpose } = pending;
    const authUrl = new AuthUrl(clientId, scope, site.redirectUri, permissions, { platform });
    const url = await authUrl.makeUrl({
      ...params,
      ...(purpose.kind === "renewal" && { prompt: "none" as const }),
      ...(scope.includes("openid") && { nonce }),
      state,
      codeVerifier: usesPkce(pending) ? codeVerifier : null,
    });
    this.#report?.({
      kind: "login_started",
      userId: userOf(purpose),
      purpose: purpose.kind,
      scopes: [...scope],
    });
    const headers = responseHeaders(cookies);
    headers.set("location", url);
    return new Response(null, { status: 302, headers });
  }

  /** Reports that a request which begins or finishes a login has ended in an error. */
  reportFailure(error: unknown, purpose: Purpose | null): void {
    this.#report?.({
      kind: "login_failed",
      userId: userOf(purpose),
      purpose: purpose?.kind ?? null,
      ...pageErrorOf(error),
    });
  }

  /** Reports that a request to log out has ended in an error. */
  reportLogoutFailure(error: unknown): void {
    this.#report?.({ kind: "logout_failed", userId: null, ...pageErrorOf(error) });
  }

  /** Completes the login of a callback: exchanges the code, reads the user, and creates a session unless `onLogin` returns a response. */
  async complete(
    request: Request,
    site: SiteAddress,
    pending: PendingLogin,
  ): Promise<CompletedLogin> {
    try {
      return await this.#complete(request, site, pending);
    } catch (error) {
      this.reportFailure(error, pending.purpose);
      throw error;
    }
  }

  async #complete(
    request: Request,
    site: SiteAddress,
    pending: PendingLogin,
  ): Promise<CompletedLogin> {
    const { searchParams } = new URL(request.url);
    const { issuer } = this.options.platform ?? discord;
    const { code, ...bot } = parseCallback(searchParams, {
      state: pending.state,
      // Not every platform sends its issuer (RFC 9207).
      issuer: searchParams.has("iss") ? issuer : null,
    });
    if (!isSecret(code) || !codeForm.test(code)) {
      throw invalidAnswerError("The callback has no valid code");
    }
    const { purpose } = pending;
    const previous = purpose.kind === "consent" ? await this.sessions.find(request, site) : null;
    if (purpose.kind === "consent" && previous?.session && previous.userId !== purpose.userId) {
      throw otherSessionError();
    }
    // Without PKCE, the verifier only seals the progress of the login.
    const codeVerifier = usesPkce(pending) ? pending.codeVerifier : null;
    return await exchangeOnce<CompletedLogin>(this.#recordOf(pending), this.#stepTimeout, {
      exchange: () => {
        const api = this.#createApi(site.redirectUri, pending.scope);
        return api.accessToken(code, { codeVerifier }, this.options.redirectUri !== null);
      },
      complete: (token) => this.#createSession(request, site, pending, token, bot),
      // A response can be sent only once. If two requests have the same callback, onLogin runs for each of them, so that a person whom
      // onLogin refused does not get in. A login that has ended meanwhile must not begin a session at the next request.
      afterwards(completed) {
        if (completed.response) return { kind: "again" };
        if (completed.cookies.length === 0) return { kind: "used" };
        return {
          kind: "same",
          outcome: { ...completed, token: toStoredToken(completed.token) },
        };
      },
      restore(serialized) {
        // A value that opens was serialized above, so it has this type.
        const completed = serialized as CompletedLogin;
        const { user, token } = completed;
        return { ...completed, user: freeze(user), token: fromStoredToken(token) };
      },
    });
  }

  /** Creates the session of a login whose token is there, unless the application decides otherwise. */
  async #createSession(
    request: Request,
    site: SiteAddress,
    pending: PendingLogin,
    token: TokenObj,
    bot: AddedBot,
  ): Promise<CompletedLogin> {
    const { purpose: { kind: purpose }, state, scope: asked } = pending;
    const user = await this.#readUser(token, pending);
    const login = { user, token, ...this.#addedBot(token, bot, pending) };
    const created = await this.sessions.create(
      request,
      site,
      { userId: user.id, token, asked, purpose, state, progressDigest: await digestOf(state) },
      this.#decisions(request, site, pending, login),
    );
    this.#reportCreated(created, pending, login);
    if (created.kind === "ended" && purpose !== "login") throw otherSessionError();
    const cookies = created.kind === "session"
      ? await this.#withRoom(request, site, pending, created.cookies)
      : [];
    return { ...login, cookies, response: created.kind === "response" ? created.response : null };
  }

  /** Returns the decisions of the application about the session of a confirmed login. */
  #decisions(
    request: Request,
    site: SiteAddress,
    pending: PendingLogin,
    login: Pick<ConfirmedLogin<Scope>, "user" | "token" | "guildId" | "permissions">,
  ): LoginDecisions {
    const { user, token } = login;
    const { data, purpose } = pending;
    const api = this.#createUser(token, user.id);
    const confirmedBy = (previous: FoundSession | null) => ({
      ...login,
      data,
      request,
      // Data of another person's session must not get into the one that begins. Both kinds of sessions have a token of this type.
      session: previous?.userId === user.id
        ? previous.sessionForLogin as ConfirmedLogin<Scope>["session"]
        : null,
      api,
    });
    const askAgain = async (previous: FoundSession, cookies: readonly string[]) => {
      const granted = await this.#scopesOfSession(previous);
      const scope = withoutInstalls([...new Set([...pending.scope, ...granted])]);
      const { guildId, permissions } = login;
      const next = {
        ...pending,
        scope,
        ...(guildId !== null && { bot: { guildId, permissions } }),
      };
      const response = await this.begin(request, site, next, { prompt: "none" });
      return { response: withCookies(response, cookies), isRefusal: false };
    };
    return {
      askAgain,
      respond: async (previous) => {
        // A webhook comes once, so the application gets it now.
        if (previous && purpose.kind === "consent" && token.webhook === null) {
          const granted = await this.#scopesOfSession(previous);
          // Another consent has brought these meanwhile. The platform may also grant fewer scopes than it was asked for.
          const isNarrower = granted.some((scope) => !pending.scope.includes(scope));
          if (isNarrower) return await askAgain(previous, []);
        }
        const response = await this.options.onLogin?.(confirmedBy(previous)) ?? null;
        // In JavaScript, an arrow function may return the result of its last call, such as the number of `endAll`.
        return typeof response === "object" && response ? { response, isRefusal: true } : null;
      },
      userData: (previous) => this.#storedUser(user, confirmedBy(previous)),
    };
  }

  /** Returns the scopes that a session and its person have, without those that are granted for one guild. */
  async #scopesOfSession({ userId, scopes }: FoundSession): Promise<readonly string[]> {
    // Another session may have brought a token with more scopes, which all sessions of the person share.
    const kept = await this.personTokens?.scopesOf(userId) ?? [];
    const granted = withoutInstalls([...scopes, ...kept]);
    // An application may have saved a token that it got without this scope.
    return granted.includes(scopeWithoutPkce) ? [...granted, "openid"] : granted;
  }

  #reportCreated(
    created: CreatedSession,
    { purpose, scope }: PendingLogin,
    { user, token }: Pick<CompletedLogin, "user" | "token">,
  ): void {
    const outcome = { userId: user.id, purpose: purpose.kind };
    if (created.kind === "session") {
      const scopes = eventScopes(token.scopes, scope);
      this.#report?.({ kind: "login_completed", ...outcome, scopes });
    } else if (created.kind === "ended") {
      this.#report?.({ kind: "login_refused", ...outcome, reason: "sessions_ended" });
    } else if (created.isRefusal) {
      this.#report?.({ kind: "login_refused", ...outcome, reason: "response" });
    }
  }

  /** Returns true if opening the callback of a failed login again may still lead to a login. */
  async canRetry(pending: PendingLogin): Promise<boolean> {
    return await canRetryCallback(this.#recordOf(pending));
  }

  /**
   * Reads the person whom a token belongs to, and checks that it is the right one.
   *
   * @throws {IdTokenError} If the `id_token` is not for this login.
   * @throws {LoginError} If the platform refuses the token, or the session of another person was to be renewed or extended.
   */
  async #readUser(token: TokenObj, pending: PendingLogin): Promise<UserObj> {
    const subject = await this.#readSubject(token, pending);
    // The session's `api` repeats this answer.
    const client = this.#createUser(token, userOf(pending.purpose));
    const user = await client.getCurrentUser({ fresh: true }).catch((error) => {
      throw error instanceof ApiError && error.httpStatus === 401 ? refusedNewTokenError() : error;
    });
    if (subject !== null && user.id !== subject) throw otherSubjectError();
    const { purpose } = pending;
    if (purpose.kind !== "login" && user.id !== purpose.userId) {
      throw otherPersonError(purpose.kind);
    }
    return user;
  }

  /**
   * Checks the `id_token`, which comes with the scope `openid`, and returns the id of its person; `null` without that scope. A code
   * of a link without that scope has no `id_token`. It was not made for this login.
   *
   * @throws {IdTokenError} If the `id_token` is missing or not for this login.
   */
  async #readSubject(token: TokenObj, { nonce, scope }: PendingLogin): Promise<string | null> {
    const { clientId, onUnexpected } = this.options;
    if (!scope.includes("openid")) return null;
    const { id_token: idToken, access_token: accessToken } = token;
    if (idToken === null) {
      const report = createReport(onUnexpected, { method: "POST", path: "/oauth2/token" });
      report([{ path: "id_token", message: "expected text for the scope openid, received null" }]);
    }
    return await checkIdToken(idToken, { ...this.#clientOptions(), clientId, nonce, accessToken });
  }

  /** Returns the `Set-Cookie` headers of a new session after those that make room for it. */
  async #withRoom(
    request: Request,
    site: SiteAddress,
    pending: PendingLogin,
    cookies: readonly string[],
  ): Promise<readonly string[]> {
    const removePending = this.pendingLogins.removeHeader(site, pending);
    const room = await this.pendingLogins.makeRoom(request, site, [removePending, ...cookies]);
    return [...room, ...cookies];
  }

  /** @throws {TypeError} If `sessionUser` returns something that is no JSON value. */
  async #storedUser(user: UserObj, confirmed: ConfirmedLogin<Scope>): Promise<unknown> {
    const { sessionUser } = this.options;
    if (sessionUser) {
      const value: unknown = await sessionUser(user, confirmed);
      if (JSON.stringify(value) === undefined) {
        throw new TypeError(`sessionUser must return a JSON value, received ${typeof value}`);
      }
      return value;
    }
    const { id, username, global_name, avatar, avatar_url } = user;
    return { id, username, global_name, avatar, avatar_url } satisfies SessionUser;
  }

  #createUser(token: TokenObj | TokenSource, userId: string | null): User {
    const { freshFor } = this.options;
    return new User(token, { ...this.#clientOptions(userId), freshFor });
  }

  /**
   * Returns the guild that a bot was added to, and the permissions of the bot's role there. The platform names them in the token, and
   * the visitor can change the address of the callback.
   */
  #addedBot(
    { guild }: TokenObj,
    { guildId, permissions }: AddedBot,
    { scope, bot }: PendingLogin,
  ): AddedBot {
    if (bot) return bot;
    if (guild) {
      const role = guild.roles?.find(({ tags }) => tags?.bot_id === this.options.clientId);
      return { guildId: guild.id, permissions: role?.permissions ?? null };
    }
    return scope.includes("bot") ? { guildId, permissions } : { guildId: null, permissions: null };
  }

  #createApi(redirectUri: string | null, scope: readonly string[]): TokenClient {
    const { clientId, clientSecret } = this.options;
    const key = `${redirectUri} ${scope.join(" ")}`;
    if (this.#lastApi?.key !== key) {
      const options = this.#clientOptions();
      const api = new TokenClient(clientId, clientSecret, scope, redirectUri, options);
      this.#lastApi = { key, api };
    }
    return this.#lastApi.api;
  }

  /** @param userId The person about whom the requests are, or `null`. */
  #clientOptions(userId: string | null = null): ObservedOptions {
    const { fetch, timeout, maxBytes, platform, userAgent, onUnexpected } = this.options;
    return {
      fetch,
      timeout,
      maxBytes,
      platform,
      userAgent,
      onUnexpected,
      [observer]: heldRequestObserver(this.#report, userId),
    };
  }
}

/** Keeps the progress of logins in the store, or else in the memory of the process. */
function createRecords(
  store: Store | null | undefined,
  timeout: number,
  stepTimeout: number,
): (pending: PendingLogin) => ProgressRecord {
  if (store) {
    const limited = withTimeLimit(store, timeout);
    return (pending) => storedProgress(limited, pending);
  }
  const memory = new ProgressMemory(stepTimeout);
  return (pending) => memory.recordOf(pending);
}

/** Returns the purpose of a login by what the session storage has for its request. */
function purposeOf(found: FoundSession | null, asksForMore: boolean, mayRenew: boolean): Purpose {
  if (found?.session && asksForMore) return { kind: "consent", userId: found.userId };
  if (found?.canBeRenewed && mayRenew) return { kind: "renewal", userId: found.userId };
  return { kind: "login" };
}

/** Returns the person of a session that is to be renewed or extended; `null` for a login of anybody. */
function userOf(purpose: Purpose | null): string | null {
  return purpose === null || purpose.kind === "login" ? null : purpose.userId;
}

/** Returns true unless the platform refuses a `code_challenge`. */
function usesPkce({ scope }: PendingLogin): boolean {
  return !scope.includes(scopeWithoutPkce);
}

/** Returns scopes without those that would install the application once more. */
function withoutInstalls(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => !installScopes.includes(scope));
}

/** A renewal asks nobody, so it must not log the visitor in as another person. Nor must a consent for further scopes. */
function otherPersonError(kind: "renewal" | "consent"): LoginError {
  return kind === "renewal"
    ? new LoginError("Somebody else is logged in to the platform now than when the session began", {
      reason: "other_person",
      hint: "Start a login that asks who it is",
    })
    : new LoginError("Somebody else consented on the platform than the person of the session", {
      reason: "other_person",
      hint: `${unchangedHint}, or to choose the same account on the consent page`,
    });
}

function otherSubjectError(): IdTokenError {
  return new IdTokenError(
    "The id_token was refused: it names another person than the one whom the access token belongs to",
    { reason: "claim", claim: "sub", hint: "Start a new login" },
  );
}
