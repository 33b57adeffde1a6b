/**
 * Logs people in: the routes, the cookies and the sessions around `AuthUrl`, `PlatformApi` and `User`.
 *
 * @module
 */

import { IdTokenError, OAuthError, StoreTimeoutError } from "../core/errors.ts";
import { AuthUrl, type AuthUrlParams } from "../links/auth_url.ts";
import { parseCallback } from "../links/callback.ts";
import { discord } from "../links/platform.ts";
import { stateMismatchError } from "../links/state_mismatch.ts";
import type { Scope } from "../links/scopes.ts";
import type { PermissionInput } from "../permissions/value.ts";
import { type ClientOptions, defaultTimeout } from "../http/options.ts";
import { verifyIdToken } from "../openid/verify_id_token.ts";
import { PlatformApi } from "../api/platform_api.ts";
import { freeze } from "../resources/reading.ts";
import type { TokenObj } from "../resources/token.ts";
import type { UserObj } from "../resources/user.ts";
import { createSealer } from "../stores/sealer.ts";
import { withTimeLimit } from "../stores/with_time_limit.ts";
import { MemoryStore } from "../stores/memory_store.ts";
import type { Store } from "../stores/store.ts";
import type { TokenSource } from "../tokens/token_source.ts";
import { User } from "../api/user.ts";
import { type Attempt, attemptId, Attempts } from "./attempts.ts";
import { CookieSessions } from "./cookie_sessions.ts";
import { fromStoredToken, toStoredToken } from "../tokens/stored_token.ts";
import { LoginError } from "./login_error.ts";
import { isWorthLogging, logoutQuestion, messageAbout, type PageLinks } from "./messages.ts";
import {
  type CheckedLoginOptions,
  checkLoginOptions,
  type LoginOptions,
  type SessionUser,
} from "./options.ts";
import { canRetryCallback, completeOnce } from "./complete_once.ts";
import { type Action, pageResponse } from "./message_page.ts";
import { localPath } from "./local_path.ts";
import type { Session, Sessions } from "./session.ts";
import { checkRequest, isThisMachine, type SiteAddress, siteAddressOf } from "./site_address.ts";
import { StoreSessions } from "./store_sessions.ts";

/** Options of {@link Login.start}: those of one link, without what the login itself chooses. */
export interface StartOptions
  extends Omit<AuthUrlParams, "state" | "codeVerifier" | "nonce" | "responseType"> {
  /**
   * The page to go to afterwards: a path of this site, or an address of it. Anything else is `/`.
   *
   * @default {the page of the request}
   */
  readonly returnTo?: string | URL | null | undefined;
  /** A small JSON value for `onLogin`. It goes through the browser, encrypted. @default {null} */
  readonly data?: unknown;
  /** What a bot may do in the guild it is added to, for the scope `bot`. @default {none are asked for} */
  readonly permissions?: PermissionInput | null | undefined;
}

/** Options of {@link Login.end}. */
export interface EndOptions {
  /**
   * Whether to end all sessions of the person, and to revoke all their tokens at the platform. Without a store this ends only the
   * session of this browser, as cookies of other browsers end with their access tokens, and revokes only with `keepToken`.
   *
   * @default {false}
   */
  readonly everywhere?: boolean | null | undefined;
  /**
   * Whether to end the session also when another site has sent the request, which is refused otherwise. Only for what the application
   * decides by itself, as when the platform refuses the token of the session, since somebody may have come by a link then. In a
   * route that logs out whoever opens it, every site could log people out. @default {false}
   */
  readonly allowCrossSite?: boolean | null | undefined;
}

/** A login that has ended well. */
export interface FinishedLogin<Asked extends Scope> {
  /** Who has logged in. */
  readonly user: UserObj;
  /** What the platform has granted. */
  readonly token: TokenObj<Asked>;
  /** The page to go to: a path of this site. */
  readonly returnTo: string;
  /** The guild a bot was added to, or `null`. */
  readonly guildId: string | null;
  /** The permissions a bot was given there, as a decimal string, or `null`. */
  readonly permissions: `${bigint}` | null;
  /** The cookies to set, with the answer that the application gives. */
  readonly headers: Headers;
  /** What `onLogin` has answered; there is no session then. */
  readonly response: Response | null;
}

/** What a session has for `new User(…)`: it depends on where sessions are kept. */
export type SessionToken<Asked extends Scope, SessionStore, KeepToken> = SessionStore extends Store
  ? TokenSource<Asked>
  : KeepToken extends true ? TokenObj<Asked>
  : null;

/** How much longer than its request a step may take, in milliseconds, for the work of the store before and after it. */
const storePatience = 5000;

/** What is kept of the end of an attempt, for callbacks that come twice. */
interface Outcome {
  readonly user: UserObj;
  readonly token: TokenObj;
  readonly guildId: string | null;
  readonly permissions: `${bigint}` | null;
  readonly cookies: readonly string[];
}

/** The outcome of an attempt, and what `onLogin` has answered to the request that brought it about. */
interface FinishedAttempt {
  readonly outcome: Outcome;
  readonly response: Response | null;
}

/**
 * Logs people in with Discord, on any server that has `Request` and `Response`.
 *
 * Every attempt to log in has a cookie of its own, sealed and readable by no script, with the state and the PKCE verifier, for ten
 * minutes. The session is a sealed cookie too, or, with a {@link Store}, a random id. Cookies have the prefix `__Host-`,
 * except over plain HTTP on this machine.
 *
 * Every method that takes a request throws a {@link LoginError} when logging in can't work at its address: with the reason
 * `"insecure_site"` or `"other_origin"`. `handle` answers with a page instead.
 *
 * @example
 * ```ts
 * import { Login } from "@guildpass/sdk/login";
 * import { createFakePlatform, sampleApplication } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform();
 * const login = new Login({
 *   clientId: sampleApplication.id,
 *   clientSecret: sampleApplication.secret,
 *   scope: ["identify", "guilds"],
 *   secret: "random text of at least 32 characters",
 *   ...fake, // only to try it
 * });
 *
 * async function fetch(request: Request): Promise<Response> {
 *   const answer = await login.handle(request); // GET /login, GET /callback, POST /logout
 *   if (answer) return answer;
 *   const session = await login.session(request); // who this is, or null
 *   if (!session) return await login.start(request); // to the consent page, and back here
 *   return new Response(`Hello, ${session.user.username}`);
 * }
 * (await fetch(new Request("https://app.example/"))).status; // 302
 * ```
 *
 * @typeParam Asked The scopes that are asked for.
 * @typeParam KeptUser What a session keeps of the user.
 */
export class Login<
  // deno-lint-ignore no-explicit-any -- as for TokenObj
  const Asked extends Scope = any,
  KeptUser = SessionUser,
  SessionStore extends Store | null | undefined = undefined,
  KeepToken extends boolean | null | undefined = undefined,
> {
  readonly #options: LoginOptions<Asked, KeptUser, SessionStore, KeepToken>;
  readonly #checked: CheckedLoginOptions;
  readonly #attempts: Attempts;
  readonly #sessions: Sessions<unknown>;
  /** Where a callback that comes twice finds how the first one ended. */
  readonly #store: Store;
  /** The requests that `handle` has answered: for none of them a login can begin. */
  readonly #answered: WeakSet<Request> = new WeakSet();

  /**
   * Takes the application.
   *
   * @throws {TypeError} When an option is wrong, with its name. No secret is ever shown.
   */
  constructor(options: LoginOptions<Asked, KeptUser, SessionStore, KeepToken>) {
    this.#checked = checkLoginOptions(options);
    this.#options = { ...options };
    const { store, secret, keepToken } = this.#options;
    const { idleTimeout, maxAge } = this.#checked;
    this.#attempts = new Attempts(createSealer("secret", secret, "login attempts"));
    // The redirect URI plays no part in refreshing and revoking, and what is wrong with the application shows here already.
    const api = this.#api("https://application.invalid/");
    this.#sessions = store
      ? new StoreSessions({ store, timeout: api.timeout, api, idleTimeout, maxAge })
      : new CookieSessions({
        sealer: createSealer("secret", secret, "sessions"),
        keepToken: keepToken === true,
        maxAge,
        revoke: (token) => api.revoke(token),
      });
    this.#store = store ? withTimeLimit(store, api.timeout) : new MemoryStore();
  }

  /**
   * Answers the requests of a login: `GET /login` (with `?returnTo=`), `GET /callback` and `POST /logout`; `null` for every other
   * address. It never rejects because of what a visitor sends or the platform answers: that ends in a page, or in `onError`.
   */
  async handle(request: Request): Promise<Response | null> {
    checkRequest(request);
    const { pathname } = new URL(request.url);
    const { loginPath, callbackPath, logoutPath } = this.#checked;
    if (![loginPath, callbackPath, logoutPath].includes(pathname)) return null;
    const answer = await this.#answer(request);
    this.#answered.add(request);
    return answer;
  }

  /**
   * Sends the person to the consent page, from where they come back to the callback.
   *
   * Only a page can lead there. A browser that asks for an image or for data of a script gets 401 and no login begins, so that a
   * page which goes on asking when its session has ended does not push out the login that the person begins meanwhile. What a
   * script sends by another method than `GET` is answered as for a page: its application may pass the address on.
   *
   * @throws {TypeError} When an option is wrong, or `data` does not fit into a cookie; and when `handle` has answered this request,
   * whose answer must be sent.
   */
  async start(request: Request, options?: StartOptions | null): Promise<Response> {
    const { returnTo, data, ...params } = options ?? {};
    const site = this.#site(request);
    if (this.#answered.has(request)) {
      throw new TypeError(
        "handle() has answered this request: return what it gives when that is not null, before anything else",
      );
    }
    if (!leadsToPage(request)) return loginNeeded();
    // A renewal that is refused asks again without parameters, so that what needs some is never begun as a renewal.
    const needsParams = Object.values(params).some((value) => value != null);
    const renews = needsParams ? null : await this.#sessions.personToRenew(request, site);
    const page = this.#page(returnTo ?? pageOf(request), site);
    return await this.#begin(
      request,
      site,
      { returnTo: page, data: data ?? null, renews },
      params,
    );
  }

  /**
   * Ends an attempt: exchanges the code of the callback, and begins a session. The code is sent once, however often the same
   * callback comes; with a store, also when it comes to several servers. Only where the platform has certainly not used it, after
   * a 429 or without a connection, does the same callback go on when it is opened again.
   *
   * @throws {StateMismatchError} When the callback does not belong to a login that began in this browser within ten minutes.
   * @throws {LoginError} With the reason `"used"` when the callback came before and did not end well.
   * @throws {OAuthError} {@link ApiError} {@link RateLimitError} {@link PayloadError} {@link NetworkError} {@link TimeoutError}
   * As `parseCallback`, `PlatformApi.accessToken` and `User.getCurrentUser` do.
   * @throws {StoreTimeoutError} When the store does not answer within `timeout`, and what the store throws. The same callback may be
   * opened again.
   * @throws {TypeError} When the session does not fit into a cookie.
   */
  async finish(request: Request): Promise<FinishedLogin<Asked>> {
    const site = this.#site(request);
    const state = new URL(request.url).searchParams.get("state");
    if (state === null) throw stateMismatchError("no_state");
    const attempt = await this.#attempts.find(request, site, state);
    if (!attempt) throw stateMismatchError("no_expected_state");
    const { outcome, response } = await this.#finish(request, site, attempt);
    const { user, token, guildId, permissions } = outcome;
    const headers = withCookies([this.#attempts.forget(site, attempt), ...outcome.cookies]);
    return {
      user,
      token: token as TokenObj<Asked>,
      returnTo: attempt.returnTo,
      guildId,
      permissions,
      headers,
      response,
    };
  }

  /**
   * Gives the session of a request, or `null` when there is none, or it has ended.
   *
   * @throws {StoreTimeoutError} When the store does not answer within `timeout`, and what the store throws.
   */
  async session(
    request: Request,
  ): Promise<Session<KeptUser, SessionToken<Asked, SessionStore, KeepToken>> | null> {
    const found = await this.#sessions.find(request, this.#site(request));
    // The options, from which the types follow, have decided what is in it.
    return found?.session as
      | Session<KeptUser, SessionToken<Asked, SessionStore, KeepToken>>
      | undefined ?? null;
  }

  /**
   * Ends the session of a request, and redirects to `/`. For another answer, take the cookies of this one:
   * `headers.getSetCookie()`.
   *
   * @throws {LoginError} With the reason `"cross_site"` when another site has sent the request, unless `allowCrossSite` is set.
   * @throws As `PlatformApi.revoke` does, with `everywhere` and a session in a cookie that has the token: the session goes on then,
   * so that it can be tried again. With a store, the sessions end even when the platform can't be reached.
   * @throws {StoreTimeoutError} When the store does not answer within `timeout`, and what the store throws. The session may have
   * ended or not; it does no harm to call it again.
   */
  async end(request: Request, options?: EndOptions | null): Promise<Response> {
    const site = this.#site(request);
    if (options?.allowCrossSite !== true) checkSameOrigin(request, site);
    const cookies = await this.#sessions.end(request, site, options?.everywhere === true);
    return redirect(request, site, "/", cookies);
  }

  /**
   * Ends every session of a person, for example when the platform says that they have removed the application
   * (`APPLICATION_DEAUTHORIZED`). It needs a store: sessions in cookies can't be ended from here.
   *
   * @throws {TypeError} Without a store.
   * @throws {StoreTimeoutError} When the store does not answer within `timeout`, and what the store throws. Call it again then, for
   * example by answering the platform's event with 503: it sends it again.
   */
  async endAll(userId: string): Promise<void> {
    if (!(this.#sessions instanceof StoreSessions)) {
      throw new TypeError(
        "endAll() needs the option store: sessions in cookies can't be ended from here",
      );
    }
    await this.#sessions.endAll(userId);
  }

  #site(request: Request): SiteAddress {
    return siteAddressOf(request, this.#checked.redirectUri, this.#checked.callbackPath);
  }

  #api(redirectUri: string): PlatformApi<Asked> {
    const { clientId, clientSecret, scope } = this.#options;
    return new PlatformApi(clientId, clientSecret, scope, redirectUri, this.#clientOptions());
  }

  #clientOptions(): ClientOptions {
    const { fetch, timeout, maxBytes, platform, userAgent, onUnexpected } = this.#options;
    return { fetch, timeout, maxBytes, platform, userAgent, onUnexpected };
  }

  /** A page to go to after a login, which is not one of the login itself. */
  #page(address: string | URL, site: SiteAddress): string {
    const path = localPath(address, site.origin);
    const { pathname } = new URL(path, site.origin);
    const { loginPath, callbackPath, logoutPath } = this.#checked;
    return [loginPath, callbackPath, logoutPath].includes(pathname) ? "/" : path;
  }

  /** Answers a request to one of the three addresses. */
  async #answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const { callbackPath, logoutPath } = this.#checked;
    const isLogout = pathname === logoutPath;
    const allowed = isLogout ? "POST" : "GET";
    if (request.method !== allowed) return this.#notAllowed(request, allowed);
    try {
      if (isLogout) return await this.end(request);
      if (pathname === callbackPath) return await this.#callback(request);
      return await this.start(request, { returnTo: searchParams.get("returnTo") ?? "/" });
    } catch (error) {
      const logOut: Action = { label: "Log out", href: logoutPath, isPost: true };
      return await this.#answerTo(error, request, isLogout ? { again: logOut } : {});
    }
  }

  /** Answers a request with the wrong method: with a button, when somebody has followed a link to the logout. */
  #notAllowed(request: Request, allowed: string): Response {
    const headers = new Headers({ allow: allowed });
    const isLink = request.method === "GET" && !this.#options.onError;
    if (!isLink) return new Response(null, { status: 405, headers });
    const response = pageResponse(logoutQuestion(this.#pageLinks(request)), request);
    response.headers.set("allow", allowed);
    return response;
  }

  async #begin(
    request: Request,
    site: SiteAddress,
    wanted: Pick<Attempt, "returnTo" | "data" | "renews">,
    { permissions, ...params }: Omit<StartOptions, "returnTo" | "data">,
  ): Promise<Response> {
    const { clientId, scope, platform } = this.#options;
    const { attempt, cookies } = await this.#attempts.begin(request, site, wanted);
    const { state, codeVerifier, nonce } = attempt;
    const authUrl = new AuthUrl(clientId, scope, site.redirectUri, permissions, { platform });
    const url = await authUrl.makeUrl({
      ...params,
      ...(wanted.renews !== null && { prompt: "none" as const }),
      ...(scope.some((entry) => entry === "openid") && { nonce }),
      state,
      codeVerifier,
    });
    const headers = withCookies(cookies);
    headers.set("location", url);
    return new Response(null, { status: 302, headers });
  }

  async #finish(request: Request, site: SiteAddress, attempt: Attempt): Promise<FinishedAttempt> {
    const { searchParams } = new URL(request.url);
    const { issuer } = this.#options.platform ?? discord;
    const { code, guildId, permissions } = parseCallback(searchParams, {
      state: attempt.state,
      // Compared where the platform sends one (RFC 9207).
      issuer: searchParams.has("iss") ? issuer : null,
    });
    let response: Response | null = null;
    const { codeVerifier } = attempt;
    const stepTimeout = (this.#options.timeout ?? defaultTimeout) + storePatience;
    const outcome = await completeOnce<Outcome>(this.#store, attempt, stepTimeout, {
      exchange: () => this.#api(site.redirectUri).accessToken(code, { codeVerifier }),
      complete: async (token) => {
        if (token.id_token !== null) await this.#verify(token.id_token, attempt, token);
        const user = await new User(token as TokenObj<"identify">, this.#clientOptions())
          .getCurrentUser();
        if (attempt.renews !== null && user.id !== attempt.renews) throw otherPerson();
        const login = {
          user,
          token: token as TokenObj<Asked>,
          data: attempt.data,
          guildId,
          permissions,
        };
        response = await this.#options.onLogin?.({ ...login, request }) ?? null;
        const visit = { attemptId: attemptId(attempt.state), returnTo: attempt.returnTo };
        const content = { user: this.#kept(user), userId: user.id, token, visit };
        const cookies = response ? [] : await this.#sessions.create(request, site, content);
        return { user, token, guildId, permissions, cookies };
      },
      // A response can be sent only once, so it is not kept. The same callback, opened again, runs onLogin again: otherwise it
      // would log in somebody whom onLogin has kept out.
      keep: (outcome) => response ? null : { ...outcome, token: toStoredToken(outcome.token) },
      restore(kept) {
        // What opens was kept as an outcome, so it has the form of one.
        const outcome = kept as Outcome;
        return { ...outcome, user: freeze(outcome.user), token: fromStoredToken(outcome.token) };
      },
    });
    return { outcome, response };
  }

  /**
   * Checks the `id_token` that came beside a token, which the scope `openid` brings about.
   *
   * When the platform's keys can't be read the login goes on: the token came from the platform itself for a code that
   * only this browser's verifier opens, and whose it is gets read with it.
   *
   * @throws {IdTokenError} When it is not for this login.
   */
  async #verify(idToken: string, { nonce }: Attempt, token: TokenObj): Promise<void> {
    const { clientId } = this.#options;
    const accessToken = token.access_token;
    try {
      await verifyIdToken(idToken, { ...this.#clientOptions(), clientId, nonce, accessToken });
    } catch (error) {
      if (error instanceof IdTokenError) throw error;
    }
  }

  /** What a session keeps of a user. */
  #kept(user: UserObj): unknown {
    if (this.#options.sessionUser) return this.#options.sessionUser(user);
    const { id, username, global_name, avatar, avatar_url } = user;
    return { id, username, global_name, avatar, avatar_url } satisfies SessionUser;
  }

  async #callback(request: Request): Promise<Response> {
    const site = this.#site(request);
    const state = new URL(request.url).searchParams.get("state");
    const attempt = state === null ? null : await this.#attempts.find(request, site, state);
    if (attempt) return await this.#attempted(request, site, attempt);
    // Opened again: by a reload, by Back, or from a bookmark.
    const found = await this.#sessions.find(request, site);
    if (!found) throw stateMismatchError(state === null ? "no_state" : "no_expected_state");
    const visit = found.visits.find((visit) => visit.attemptId === attemptId(state ?? ""));
    return redirect(request, site, visit?.returnTo ?? "/", []);
  }

  async #attempted(request: Request, site: SiteAddress, attempt: Attempt): Promise<Response> {
    const forget = this.#attempts.forget(site, attempt);
    try {
      const { outcome, response } = await this.#finish(request, site, attempt);
      if (response) return withMoreCookies(response, [forget]);
      return redirect(request, site, attempt.returnTo, [forget, ...outcome.cookies]);
    } catch (error) {
      const isRefused = error instanceof OAuthError || isOtherPerson(error);
      if (isRefused && attempt.renews !== null) {
        // The session can't be renewed without asking the person, so this asks them. It happens once, as the new attempt is no
        // renewal.
        const asking = await this.#begin(request, site, { ...attempt, renews: null }, {});
        return withMoreCookies(asking, [forget]);
      }
      const { returnTo } = attempt;
      if (isRefused) {
        return withMoreCookies(await this.#answerTo(error, request, { returnTo }), [forget]);
      }
      // The address of the callback is not written into the page, since the code is in it.
      const again: Action = { label: "Try again", href: "" };
      const goesOn = error instanceof StoreTimeoutError ||
        await canRetryCallback(this.#store, attempt);
      return await this.#answerTo(error, request, { returnTo, ...(goesOn && { again }) });
    }
  }

  /**
   * Answers with a page about an error.
   *
   * @param links Where a new login leads, and what may work when it is done again.
   */
  async #answerTo(
    error: unknown,
    request: Request,
    { returnTo, again }: { readonly returnTo?: string; readonly again?: Action },
  ): Promise<Response> {
    const { onError } = this.#options;
    if (onError) {
      return await onError(
        error instanceof Error ? error : new Error("Something was thrown that is no error"),
        request,
      );
    }
    // An error of this library shows no secret. Without onError, this is the only place where the developer sees it.
    if (isWorthLogging(error)) console.error(error);
    const query = returnTo === undefined ? "" : `?returnTo=${encodeURIComponent(returnTo)}`;
    return pageResponse(
      messageAbout(error, { ...this.#pageLinks(request, query), again }),
      request,
    );
  }

  #pageLinks(request: Request, query = ""): PageLinks {
    const { loginPath, logoutPath, redirectUri } = this.#checked;
    // The redirect URI counts more than the request: behind a proxy, every request may seem to come from this machine.
    const isLocal = isThisMachine(new URL(redirectUri ?? request.url).hostname);
    return { loginPath: loginPath + query, logoutPath, isLocal };
  }
}

/** The page to come back to after a login: that of the request. A redirect can't repeat a form, so after a POST it is `/`. */
function pageOf(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return request.method === "GET" ? pathname + search : "/";
}

/** Whether a browser shows the answer as a page; `true` for what is not a browser. */
function leadsToPage({ method, headers }: Request): boolean {
  const destination = headers.get("sec-fetch-dest");
  if (method !== "GET" || destination === null) return true;
  // Either may be lost on the way: a service worker that passes a request on keeps the mode, and a proxy in Node the destination.
  return headers.get("sec-fetch-mode") === "navigate" ||
    ["document", "iframe", "frame"].includes(destination);
}

/** For a script or an image, which would gain nothing from a redirect to the consent page. */
function loginNeeded(): Response {
  const message = "This needs a login, which only a page can begin.";
  const headers = { "cache-control": "no-store", vary: "sec-fetch-dest, sec-fetch-mode" };
  return Response.json({ error: "login_required", message }, { status: 401, headers });
}

/** Nobody is asked in a renewal, so it must not make somebody else of a visitor. */
function otherPerson(): LoginError {
  return new LoginError(
    "other_person",
    "Somebody else is logged in to the platform now than when the session began",
    "Start a login that asks who it is",
  );
}

function isOtherPerson(error: unknown): boolean {
  return error instanceof LoginError && error.reason === "other_person";
}

/** Refuses a logout that another site has sent: it could be a first step to make the person log in as somebody else. */
function checkSameOrigin(request: Request, site: SiteAddress): void {
  const origin = request.headers.get("origin");
  const from = request.headers.get("sec-fetch-site");
  // A page that sends no referrer has the origin "null" in its forms, so what browsers say of the site counts more.
  const isFromHere = from === null
    ? origin === null || origin === site.origin
    : from === "same-origin" || from === "none";
  if (!isFromHere) {
    throw new LoginError(
      "cross_site",
      "The request to log out was sent by another site",
      "Send it from a page of this site; behind a proxy, give the option redirectUri. When nobody asked for it and the application " +
        "itself ends the session, pass allowCrossSite",
    );
  }
}

/** The headers that set these cookies. No cache may keep an answer that sets one. */
function withCookies(cookies: readonly string[]): Headers {
  const headers = new Headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return headers;
}

function withMoreCookies(response: Response, cookies: readonly string[]): Response {
  // A copy, since the headers of some responses can't be changed.
  const copy = new Response(response.body, response);
  for (const cookie of cookies) copy.headers.append("set-cookie", cookie);
  return copy;
}

function redirect(
  request: Request,
  site: SiteAddress,
  path: string,
  cookies: readonly string[],
): Response {
  const headers = withCookies(cookies);
  headers.set("location", site.origin + path);
  return new Response(null, { status: request.method === "GET" ? 302 : 303, headers });
}
