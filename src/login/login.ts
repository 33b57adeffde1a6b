/**
 * Logs people in on a server: the public methods, each for one request.
 *
 * @module
 */

import { checkSnowflake, throwBadArgument } from "../core/arguments.ts";
import { checkOptionNames } from "../core/options.ts";
import type { AuthUrlParams } from "../links/auth_url.ts";
import type { Scope } from "../links/scopes.ts";
import type { PermissionInput } from "../permissions/permission_input.ts";
import type { TokenObj } from "../resources/token.ts";
import type { UserObj } from "../resources/user.ts";
import type { Store } from "../stores/store.ts";
import type { TokenSource } from "../tokens/token_source.ts";
import { isFromFrontend, isFromOwnPage, mayBeLink } from "./frontends.ts";
import { LoginError, noSessionError } from "./login_error.ts";
import { LoginFlow } from "./login_flow.ts";
import type { LoginOptions } from "./options.ts";
import type { PersonTokens } from "./person_tokens.ts";
import { redirect, responseHeaders } from "./responses.ts";
import { Routes } from "./routes.ts";
import type { Session, SessionToken, SessionUser } from "./session.ts";
import { assertRequest } from "./site_address.ts";

/** Options of {@link Login.start}: the parameters of the link, without those that the login chooses. */
export interface StartOptions<Data = unknown>
  extends Omit<AuthUrlParams, "state" | "codeVerifier" | "nonce" | "responseType"> {
  /**
   * Scopes to ask for beside those of the `Login`, at least one; with `role_connections.write` also `openid`, unless the `Login` has
   * it. A person with a session is also asked for the scopes that it has, except `bot`, `webhook.incoming` and `applications.commands`. Their session goes on with the new token and its old start. If
   * another person consents, or the session has ended meanwhile, nothing changes.
   *
   * @default {none}
   */
  readonly scope?: readonly Scope[] | null | undefined;
  /**
   * The page to return to after the login: a path or an address of this site, or an address of one of the `frontends`. For anything
   * else it is `/`.
   *
   * @default {the page of the request; `/` if its method is not `GET`}
   */
  readonly returnTo?: string | URL | null | undefined;
  /**
   * A small JSON value for `onLogin` and `sessionUser`. It goes through the browser, encrypted. Its type is that of `data` in the
   * parameter of these functions, if that has one.
   *
   * @default {null}
   */
  readonly data?: Data | null | undefined;
  /** The permissions that a bot asks for in its guild, for the scope `bot`. @default {none} */
  readonly permissions?: PermissionInput | null | undefined;
}

/** Options of {@link Login.end}. */
export interface EndOptions {
  /**
   * True to end all sessions of the person, and to revoke all their tokens at the platform. Without a store, only the session of
   * this browser ends, because cookies in other browsers last as long as their access tokens; and only a session with `keepToken`
   * has a token to revoke.
   *
   * @default {false}
   */
  readonly everywhere?: boolean | null | undefined;
  /**
   * True to end the session even if another site sent the request. Set it only where the application itself decides to end a
   * session, for example after a 401 for its token, because the person may have followed a link from another site. In a route that
   * logs out everybody who opens it, any site could log people out.
   *
   * @default {false}
   */
  readonly allowCrossSite?: boolean | null | undefined;
}

/** Options of {@link Login.endAll}. */
export interface EndAllOptions {
  /**
   * Ends only sessions whose login, or latest consent, was before this time: a `Date`, or milliseconds since the epoch. An event about
   * the past then leaves a later login alone.
   *
   * @default {all sessions end}
   */
  readonly startedBefore?: number | Date | null | undefined;
  /**
   * True to remove the token that `backgroundTokens` keeps too, for example because the person has removed the application. With
   * `startedBefore`, the token of a later login stays. It does not revoke the token at the platform.
   *
   * @default {false}
   */
  readonly tokens?: boolean | null | undefined;
}

/** Options of {@link Login.revoke}. */
export interface RevokeOptions {
  /**
   * Revokes only the token of a login before this time: a `Date`, or milliseconds since the epoch.
   *
   * @default {any token}
   */
  readonly startedBefore?: number | Date | null | undefined;
}

/** The result of {@link Login.finish}. */
export interface FinishedLogin<Asked extends Scope> {
  /** The person who has logged in. */
  readonly user: UserObj;
  /** The person's token. */
  readonly token: TokenObj<Asked>;
  /** The page to return to: a path of this site, or the address of a page of one of the `frontends`. */
  readonly returnTo: string;
  /**
   * The guild to which a bot was added, or `null`. The guild comes from the token. If the token names none and the scope has `bot`, it
   * comes from the address of the callback, which the visitor can change.
   */
  readonly guildId: string | null;
  /** The permissions of the bot's role in that guild, as a decimal string, or `null`. */
  readonly permissions: `${bigint}` | null;
  /** The headers that set the cookies. The application's response must have them. */
  readonly headers: Headers;
  /**
   * The response in place of the page to return to, or `null`. With a response there is no new session. It is that of `onLogin`; or a
   * redirect to the platform, which asks without a page for the scopes that another tab has brought meanwhile.
   */
  readonly response: Response | null;
}

/** A type that accepts every {@link Login}, as in `function f(login: AnyLogin)`. */
// deno-lint-ignore no-explicit-any -- only any accepts the functions of all options
export type AnyLogin = Login<any, any, any, any, any>;

/** The type of a login's sessions, as in `SessionOf<typeof login>`. */
export type SessionOf<SomeLogin extends AnyLogin> = NonNullable<
  Awaited<ReturnType<SomeLogin["session"]>>
>;

/**
 * Logs people in with Discord, on any server that has `Request` and `Response`.
 *
 * Each login that has begun has a sealed cookie with the state and the PKCE verifier, which lasts ten minutes. The session is a sealed
 * cookie too, or, with a {@link Store}, a random id in a cookie. No script can read these cookies. Their names begin with `__Host-`,
 * except over plain HTTP on this machine.
 *
 * Every method that takes a request throws a {@link LoginError} with the reason `"insecure_site"` or `"other_origin"` when logins
 * can't work at its address. `handle` returns a page in that case. The constructor throws a `TypeError` that names the wrong option.
 * Methods may be detached, as in `const { handle } = login`. As the handler of a route, use `(request) => login.end(request)`, because
 * many frameworks pass more than the request.
 *
 * @example
 * ```ts
 * import { generateState } from "@guildpass/sdk";
 * import { Login } from "@guildpass/sdk/login";
 * import { createFakePlatform, sampleApplication } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform();
 * const login = new Login({
 *   clientId: sampleApplication.id,
 *   clientSecret: sampleApplication.secret,
 *   scope: ["identify", "guilds"],
 *   secret: generateState(), // in a real application, made once and read from the environment
 *   afterLogout: "/bye", // a page that begins no login
 *   ...fake, // only to try it
 * });
 *
 * async function fetch(request: Request): Promise<Response> {
 *   const answer = await login.handle(request); // GET /login, GET /callback, POST /logout
 *   if (answer) return answer;
 *   if (new URL(request.url).pathname === "/bye") return new Response("You are logged out");
 *   const session = await login.session(request); // who this is, or null
 *   if (!session) return await login.start(request); // to the consent page, and back here
 *   const headers = { "cache-control": "no-store" };
 *   return new Response(`Hello, ${session.user.username}`, { headers });
 * }
 * (await fetch(new Request("https://app.example/"))).status; // 302
 * ```
 *
 * @typeParam Asked The scopes of the option `scope`.
 * @typeParam StoredUser The type of the user data in a session.
 * @typeParam SessionStore The type of the option `store`.
 * @typeParam KeepToken The type of the option `keepToken`.
 * @typeParam Data The type of the value that goes from `start` to `onLogin`.
 */
export class Login<
  // deno-lint-ignore no-explicit-any -- as for TokenObj
  const Asked extends Scope = any,
  StoredUser = SessionUser,
  SessionStore extends Store | null | undefined = undefined,
  KeepToken extends boolean | null | undefined = undefined,
  Data = unknown,
> {
  readonly #flow: LoginFlow;
  readonly #routes: Routes;
  /** The requests that `handle` has answered. No login can begin for them. */
  readonly #handledRequests: WeakSet<Request> = new WeakSet();

  /**
   * Creates the login of a site.
   *
   * @param options The application, the scopes, the secret, and any other option of {@link LoginOptions}.
   * @throws {TypeError} If an option is wrong, with its name.
   */
  constructor(
    options:
      & LoginOptions<Asked, StoredUser, SessionStore, KeepToken, Data>
      // An optional property infers no undefined, so `store: condition ? store : undefined` would always have a token.
      & ({ readonly store: SessionStore } | { readonly keepToken: KeepToken } | object)
      // Nor does `...(condition ? { store } : {})` with exactOptionalPropertyTypes, so it must not fit here.
      & ([SessionStore] extends [Store] ? { readonly store: SessionStore } : unknown)
      & ([KeepToken] extends [true] ? { readonly keepToken: KeepToken } : unknown),
  );
  /**
   * Creates the login of a site whose `store` or `keepToken` the compiler does not know.
   *
   * @param options The application, the scopes, the secret, and any other option of {@link LoginOptions}.
   * @throws {TypeError} If an option is wrong, with its name.
   */
  constructor(
    options:
      & LoginOptions<
        Asked,
        StoredUser,
        // The indexed access keeps the compiler from inferring the type here.
        [SessionStore][SessionStore extends unknown ? 0 : never],
        [KeepToken][KeepToken extends unknown ? 0 : never],
        Data
      >
      // A text is neither a store nor a boolean, so the compiler infers all that these may be.
      & { readonly clientId: SessionStore | KeepToken | Record<never, never> },
  );
  constructor(options: LoginOptions<Asked, StoredUser, SessionStore, KeepToken, Data>) {
    this.#flow = new LoginFlow(options);
    this.#routes = new Routes(this.#flow, this);
    for (const name of methodNames) {
      const value = this[name].bind(this);
      Object.defineProperty(this, name, { value, writable: true, configurable: true });
    }
  }

  /**
   * Handles the paths of a login: `GET /login` (with `?returnTo=`), `GET /callback` and `POST /logout`. Returns `null` for every
   * other path. It never rejects because of a visitor or the platform: such errors end in a page, or in `onError`. A request whose
   * address is none, which a wrong `Host` makes of it on Deno and Bun, gets a bare 400.
   */
  async handle(request: Request): Promise<Response | null> {
    const response = await this.#routes.handle(request);
    if (response) this.#handledRequests.add(request);
    return response;
  }

  /**
   * Redirects to the consent page, from which the person comes back to the callback.
   *
   * If a browser asks for an image or for data of a script, this returns 401 and begins no login: a page that keeps requesting data
   * after the end of its session must not replace the login that the person begins meanwhile. A request with another method than
   * `GET` gets the redirect, because a script may pass the address on. A frame in a page of another site, also of a sibling subdomain,
   * gets 403, because hidden frames could replace the person's login with many others. A prefetch gets 403 too.
   *
   * @throws {TypeError} If an option is wrong, `data` and the scopes do not fit into a cookie, or `handle` has already answered this
   * request, or should have: it is a callback of this login at the path of `redirectUri`, and `callbackPath` is another one.
   * @throws {StoreTimeoutError} If the store does not answer within `timeout`. The store's own errors pass through.
   */
  async start(request: Request, options?: StartOptions<Data> | null): Promise<Response> {
    try {
      return await this.#start(request, options);
    } catch (error) {
      this.#flow.reportFailure(error, null);
      throw error;
    }
  }

  async #start(
    request: Request,
    options: StartOptions<Data> | null | undefined,
  ): Promise<Response> {
    checkArguments("start", request, options, startOptionNames);
    const { returnTo, data, scope = null, ...params } = options ?? {};
    const site = this.#flow.siteOf(request);
    if (this.#handledRequests.has(request)) {
      throw new TypeError(
        "handle() has answered this request: return what it gives when that is not null, before anything else",
      );
    }
    if (isFrameOfAnotherSite(request) || isPrefetch(request)) return pageNeededResponse();
    if (!isPageRequest(request)) return loginRequiredResponse();
    await this.#flow.assertNoLostCallback(request, site);
    // A refused renewal asks again without parameters, so a link with parameters is no renewal.
    const hasParams = Object.values(params).some((value) => value != null);
    const plan = await this.#flow.planLogin(request, site, scope, scope === null && !hasParams);
    const pending = {
      returnTo: this.#flow.pageToReturnTo(returnTo ?? pageOfRequest(request), site),
      data: data ?? null,
      ...plan,
    };
    return await this.#flow.begin(request, site, pending, params);
  }

  /**
   * Finishes a login: exchanges the code of the callback, and creates a session. The code is sent once, however often the callback is
   * opened; with a store, also across several servers. After a 429, a block by the edge, or without a connection, the platform has
   * certainly not used the code, so the next request with this callback sends it again.
   *
   * @throws {StateMismatchError} If this browser has begun no login with this state in the last ten minutes.
   * @throws {LoginError} With the reason `"used"` if the callback was opened before, and that login failed; with `"refused_token"` if
   * the platform answered 401 to the new token; with `"other_person"` if a session was to get further scopes, and is not that of the
   * person who consented any more; with `"other_login"` if the callback belongs to another `Login`.
   * @throws {OAuthError} {@link ApiError} {@link RateLimitError} {@link PayloadError} {@link NetworkError} {@link TimeoutError}
   * As `parseCallback`, `PlatformApi.accessToken` and `User.getCurrentUser` do.
   * @throws {StoreTimeoutError} If the store does not answer within `timeout`. This and the store's own errors can be retried with
   * the same callback.
   * @throws {TypeError} If the session does not fit into a cookie.
   */
  async finish(request: Request): Promise<FinishedLogin<Asked>> {
    const { site, pending } = await this.#flow.findPending(request);
    if (!pending) {
      const error = this.#flow.noPendingLoginError(request, site);
      this.#flow.reportFailure(error, null);
      throw error;
    }
    const { cookies, ...login } = await this.#flow.complete(request, site, pending);
    const removePending = this.#flow.pendingLogins.removeHeader(site, pending);
    return {
      ...login,
      token: login.token as TokenObj<Asked>,
      returnTo: pending.returnTo,
      headers: responseHeaders([removePending, ...cookies]),
    };
  }

  /**
   * Returns the session of a request, or `null` if there is none or it has ended. A session also ends when the option `scope` gets a
   * scope that the person was not asked for.
   *
   * @throws {StoreTimeoutError} If the store does not answer within `timeout`. The store's own errors pass through.
   */
  async session(
    request: Request,
  ): Promise<Session<StoredUser, SessionToken<Asked, SessionStore, KeepToken>> | null> {
    const found = await this.#flow.sessions.find(request, this.#flow.siteOf(request));
    // The options decide both the content of a session and these types.
    return (found?.session ?? null) as
      | Session<StoredUser, SessionToken<Asked, SessionStore, KeepToken>>
      | null;
  }

  /**
   * Replaces the user data of a request's session, as in `{ ...session.user, theme: "dark" }`. Whatever prolongs the session at the same
   * time keeps its effect. Of two updates at the same moment, the later one counts.
   *
   * @param value The new user data: a JSON value.
   * @returns The headers that the response must have: `Set-Cookie` without a store, and none with one.
   * @throws {LoginError} With the reason `"no_session"` if there is no session, or it has ended.
   * @throws {TypeError} If the value is no JSON value, or does not fit into a cookie.
   * @throws {StoreTimeoutError} If the store does not answer within `timeout`. The store's own errors pass through.
   */
  async update(request: Request, value: StoredUser): Promise<Headers> {
    const site = this.#flow.siteOf(request);
    if (JSON.stringify(value) === undefined) throwBadArgument("value", "a JSON value", value);
    const cookies = await this.#flow.sessions.update(request, site, value);
    if (cookies === null) throw noSessionError();
    return new Headers(cookies.map((cookie): [string, string] => ["set-cookie", cookie]));
  }

  /**
   * Ends the session of a request. A script gets 204, and everybody else a redirect to `afterLogout`. For another response, copy
   * the cookies of this one: `headers.getSetCookie()`.
   *
   * @throws {LoginError} With the reason `"cross_site"` if another site sent the request, unless `allowCrossSite` is set.
   * @throws As `PlatformApi.revoke` does, if `everywhere` is set and the session is a cookie with the token. The session then goes
   * on, and the call can be repeated. With a store, the sessions end even if the platform can't be reached. The event `revocation_failed`
   * tells that, and with `backgroundTokens` nothing uses the token any more but `revoke`.
   * @throws {StoreTimeoutError} If the store does not answer within `timeout`. The store's own errors pass through. The session may
   * have ended; the call can be repeated.
   */
  async end(request: Request, options?: EndOptions | null): Promise<Response> {
    try {
      return await this.#end(request, options);
    } catch (error) {
      this.#flow.reportLogoutFailure(error);
      throw error;
    }
  }

  async #end(request: Request, options: EndOptions | null | undefined): Promise<Response> {
    checkArguments("end", request, options, endOptionNames);
    const site = this.#flow.siteOf(request);
    const { afterLogout, frontends } = this.#flow.options;
    const isAllowed = options?.allowCrossSite === true ||
      isFromOwnPage(request, site.origin, frontends);
    if (!isAllowed) throw crossSiteError();
    const cookies = await this.#flow.sessions.end(request, site, options?.everywhere === true);
    const isOfFrontend = isFromFrontend(request, site.origin, frontends);
    if (isScriptRequest(request, isOfFrontend)) {
      return new Response(null, { status: 204, headers: responseHeaders(cookies) });
    }
    const origin = isOfFrontend ? request.headers.get("origin") : "";
    return redirect(request, site, `${origin}${afterLogout}`, cookies);
  }

  /**
   * Returns true if a page of this site or of one of the `frontends` has sent a request, or a client that is not a browser. Ask it
   * before a request changes something. It is false for every request that another site makes the visitor's browser send, a link to a
   * page included, so it is not for requests that only read. It is also false for each `GET` and `HEAD` without `Origin` and
   * `Sec-Fetch-Site`: a link in an old browser (Safari before 16.4) looks like that, and so does a client that is not a browser.
   */
  allows(request: Request): boolean {
    const { origin } = this.#flow.siteOf(request);
    return isFromOwnPage(request, origin, this.#flow.options.frontends) && !mayBeLink(request);
  }

  /**
   * Ends all sessions of a person, for example after the platform's event `APPLICATION_DEAUTHORIZED`. It needs a store, because
   * cookies in browsers can't be ended from here. A login that has reached `onLogin` ends too. In `onLogin` itself, a `startedBefore`
   * of a minute ago ends the sessions of other devices, and keeps the login that is under way. Call it there only if `session` is `null`:
   * a consent that is under way for a session that ends has no effect.
   *
   * @param userId The person's id, a snowflake.
   * @returns The number of sessions that ended. Those that had run out since their last use count too, and so does a login that has
   * reached `onLogin`.
   * @throws {TypeError} Without a store, if the id is no snowflake, or if an option is wrong.
   * @throws {StoreTimeoutError} If the store does not answer within `timeout`. The store's own errors pass through. The call can be
   * repeated, for example by answering the platform's event with 503, which makes the platform send it again.
   */
  async endAll(userId: string, options?: EndAllOptions | null): Promise<number> {
    checkSnowflake("userId", userId);
    checkOptionNames("options", options, endAllOptionNames);
    const startedBefore = checkStartedBefore(options?.startedBefore);
    const tokens = options?.tokens === true;
    return await this.#flow.sessions.endAll(userId, { startedBefore, tokens });
  }

  /**
   * Revokes at the platform the token that `backgroundTokens` keeps of a person, and removes it. That ends **every token that the
   * application has of that person**, on every device, and the platform sends the event `APPLICATION_DEAUTHORIZED`. The sessions go on
   * without a token; `endAll` ends them. Has no effect without a token.
   *
   * @param userId The person's id, a snowflake.
   * @throws {TypeError} Without the option `backgroundTokens`, if the id is not a snowflake, or if an option is wrong.
   * @throws As `PlatformApi.revoke` does, and {@link StoreTimeoutError} if the store does not respond within `timeout`. The token is still
   * there then, and the call can be repeated.
   */
  async revoke(userId: string, options?: RevokeOptions | null): Promise<void> {
    checkSnowflake("userId", userId);
    checkOptionNames("options", options, revokeOptionNames);
    const startedBefore = checkStartedBefore(options?.startedBefore);
    await this.#personTokens("revoke").revoke(userId, startedBefore);
  }

  /**
   * Returns the source of the token that `backgroundTokens` keeps of a person, for a job that runs while nobody is there. It gives the
   * same token as the sessions of the person. Its `save` brings a token from elsewhere. Its `token` throws a `LoginRequiredError`
   * if there is none, or the platform has refused it: skip the person until their next login.
   *
   * @param userId The person's id, a snowflake.
   * @throws {TypeError} Without the option `backgroundTokens`, or if the id is no snowflake.
   */
  tokensOf(userId: string): TokenSource<Asked> {
    checkSnowflake("userId", userId);
    return this.#personTokens("tokensOf").of(userId);
  }

  /** @throws {TypeError} Without the option `backgroundTokens`. */
  #personTokens(method: string): PersonTokens {
    const { personTokens } = this.#flow;
    if (!personTokens) throw new TypeError(`${method}() needs the option backgroundTokens`);
    return personTokens;
  }

  /**
   * Deletes the content of everything that the store has of a person: their sessions, their tokens, and the results of logins of the last
   * minutes. It does not revoke the tokens at the platform; to do both, call `revoke` first. The event `session_ended` about it has the
   * person's id.
   *
   * Two kinds of records without content may stay until the store removes what has expired: an empty list of sessions and an empty token,
   * under digests of the person's id, for one minute; and the note that the code of a recent login was used, for twelve minutes. A login
   * that is under way at that moment, or whose session had ended before, can leave its result for as long, encrypted with a key that only
   * its browser has.
   *
   * @param userId The person's id, a snowflake.
   * @throws As {@link Login.endAll} does.
   */
  async forget(userId: string): Promise<void> {
    checkSnowflake("userId", userId);
    await this.#flow.sessions.forget(userId);
  }
}

const methodNames = [
  "handle",
  "start",
  "finish",
  "session",
  "update",
  "end",
  "allows",
  "endAll",
  "forget",
  "revoke",
  "tokensOf",
] as const;

const startOptionNames: readonly (keyof StartOptions)[] = [
  "scope",
  "returnTo",
  "data",
  "permissions",
  "prompt",
  "guildId",
  "disableGuildSelect",
  "integrationType",
];

const endAllOptionNames: readonly (keyof EndAllOptions)[] = ["startedBefore", "tokens"];

const revokeOptionNames: readonly (keyof RevokeOptions)[] = ["startedBefore"];

const endOptionNames: readonly (keyof EndOptions)[] = ["everywhere", "allowCrossSite"];

/**
 * Checks the arguments of a method. Frameworks that call the method itself pass more than a request: Next.js `{ params }`, others
 * the environment.
 *
 * @throws {TypeError} If the request is not a `Request`, or an option is unknown.
 */
function checkArguments(
  method: "start" | "end",
  request: Request,
  options: object | null | undefined,
  known: readonly string[],
): void {
  assertRequest(request);
  const hint =
    `; if a framework calls ${method}() itself, give it (request) => login.${method}(request)`;
  checkOptionNames("options", options, known, hint);
}

/** Returns the option `startedBefore` in milliseconds since the epoch; `Infinity` without it. */
function checkStartedBefore(given: unknown): number {
  const time = given instanceof Date ? given.getTime() : given ?? Infinity;
  if (typeof time !== "number" || Number.isNaN(time)) {
    throwBadArgument(
      "options.startedBefore",
      "a Date, or a number of milliseconds since the epoch",
      given,
    );
  }
  return time;
}

/** Returns the page of the request. After a POST it is `/`, because a redirect can't repeat a form. */
function pageOfRequest(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return request.method === "GET" ? pathname + search : "/";
}

/** The values of `Sec-Fetch-Dest` for a page inside another page. */
const frames = ["iframe", "frame", "fencedframe", "embed", "object"];

/** Returns true if a page of another site, or of a sibling subdomain, shows the response in a frame. */
function isFrameOfAnotherSite({ headers }: Request): boolean {
  const isFrame = frames.includes(headers.get("sec-fetch-dest") ?? "");
  return isFrame && headers.get("sec-fetch-site") !== "same-origin";
}

/** Returns true if a browser asks before anybody follows the link. A page of a sibling subdomain can have many such links. */
function isPrefetch({ headers }: Request): boolean {
  return headers.get("sec-purpose")?.includes("prefetch") === true;
}

/** Returns true if a browser will display the response as a page, or if the client is no browser. */
function isPageRequest(request: Request): boolean {
  return request.method !== "GET" || isNavigation(request) !== false;
}

/** Returns true if a browser says that it will display the response as a page, and `null` if it says nothing. */
function isNavigation({ headers }: Request): boolean | null {
  const destination = headers.get("sec-fetch-dest");
  if (destination === null) return null;
  // A service worker that passes a request on loses the destination, and a proxy in Node loses the mode.
  return headers.get("sec-fetch-mode") === "navigate" ||
    ["document", ...frames].includes(destination);
}

/** Returns true if a script will read the response. A script that sends a form in place of the browser accepts a page. */
function isScriptRequest(request: Request, isOfFrontend: boolean): boolean {
  // Older browsers say nothing. A program that is not a browser sends no origin.
  const isScript = isNavigation(request) === false ||
    (isNavigation(request) === null && isOfFrontend);
  return isScript && !/\btext\/html\b/.test(request.headers.get("accept") ?? "");
}

/** Returns the response for a frame of another site, and for a prefetch, whose answer nobody sees. */
function pageNeededResponse(): Response {
  const message = "To log in, open this page outside of the other site.";
  const headers = {
    "cache-control": "no-store",
    vary: "sec-fetch-dest, sec-fetch-site, sec-purpose",
  };
  return new Response(message, { status: 403, headers });
}

/** Returns the response for a script or an image, which can't show the consent page. */
function loginRequiredResponse(): Response {
  const message = "This needs a login, which only a page can begin.";
  const headers = { "cache-control": "no-store", vary: "sec-fetch-dest, sec-fetch-mode" };
  return Response.json({ error: "login_required", message }, { status: 401, headers });
}

/** Returns the error for a logout by another site. It could be the first step to log the person in as somebody else. */
function crossSiteError(): LoginError {
  return new LoginError("The request to log out was sent by another site", {
    reason: "cross_site",
    hint:
      "Send it from a page of this site, or of an origin of the same site in the option frontends; behind a proxy, give the option " +
      "redirectUri. When nobody asked for it and the application itself ends the session, pass allowCrossSite",
  });
}
