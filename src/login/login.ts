/**
 * The class `Login`, which logs users in on a server.
 *
 * @module
 */

import { checkSnowflake, throwBadArgument } from "../core/arguments.ts";
import type { Scope } from "../links/scopes.ts";
import type { TokenObj } from "../resources/token.ts";
import type { Store } from "../stores/store.ts";
import type { TokenSource } from "../tokens/token_source.ts";
import { assembleLogin } from "./assembly.ts";
import { startLogin } from "./callback/begin_login.ts";
import { Callbacks } from "./callback/callbacks.ts";
import { endSession } from "./end_session.ts";
import { reportLoginFailure, reportLogoutFailure } from "./base/events.ts";
import { bearerOf } from "./site/bearer.ts";
import { isFromOwnPage, mayBeLink } from "./site/frontends.ts";
import type { LoginParts } from "./callback/login_parts.ts";
import { checkJson, type ReturnsJson } from "./base/json_value.ts";
import { noSessionError } from "./base/login_error.ts";
import {
  checkedStartedBefore,
  checkMethodOptions,
  type EndAllOptions,
  type EndOptions,
  type FinishedLogin,
  type RevokeOptions,
  type StartOptions,
  type UserIdWithStore,
} from "./base/method_options.ts";
import type { Lacking } from "./base/lacking.ts";
import type {
  LoginOptions,
  MembersOption,
  MembersOptions,
  RightMembers,
  UncheckedIfDefault,
} from "./base/options.ts";
import type { PersonTokens } from "./sessions/person_tokens.ts";
import { type PublicSession, publicSessionOf } from "./public_session.ts";
import { handleRequest } from "./routes.ts";
import type {
  ListedSession,
  Session,
  SessionMember,
  SessionToken,
  SessionUser,
} from "./base/session.ts";
import { sessionOf } from "./sessions/open_session.ts";
import type { StoreSessions } from "./sessions/store_sessions.ts";
import { assertRequest, siteAddressOf } from "./site/site_address.ts";

/**
 * A type that accepts every {@link Login}, as in `function f(login: AnyLogin)`. The user data of its sessions is `any`. A plain `Login`
 * is the type of every login with the default user data, and `Login<"identify", { id: string }>` of every login whose user data has an `id`.
 *
 * A function that accepts any login keeps the type of its sessions with a type parameter and {@link SessionOf}:
 *
 * @example
 * ```ts
 * import type { AnyLogin, SessionOf } from "@guildpass/sdk/login";
 *
 * async function sessionOrRedirect<SomeLogin extends AnyLogin>(
 *   login: SomeLogin,
 *   request: Request,
 * ): Promise<SessionOf<SomeLogin> | Response> {
 *   return await login.session(request) ?? await login.start(request);
 * }
 * ```
 */
// deno-lint-ignore no-explicit-any -- only any accepts the functions of all options
export type AnyLogin = Login<any, any, any, any, any, any, any, undefined>;

/** The type of a login's sessions, as in `SessionOf<typeof login>`. For a function that accepts any login, see {@link AnyLogin}. */
export type SessionOf<SomeLogin extends AnyLogin> = SomeLogin["~session"];

/** The type of a login's public sessions, as in `PublicSessionOf<typeof login>`. */
export type PublicSessionOf<SomeLogin extends AnyLogin> = NonNullable<
  Awaited<ReturnType<SomeLogin["publicSession"]>>
>;

/**
 * Logs users in with Discord, on any server that has `Request` and `Response`. The guide is
 * [Your first login](https://guildpass.github.io/sdk/docs/first_login.html), and {@link LoginOptions} has the options.
 *
 * ```ts
 * import { env } from "node:process";
 * import { Login } from "@guildpass/sdk/login";
 *
 * const login = new Login({
 *   clientId: env.DISCORD_CLIENT_ID ?? "",
 *   clientSecret: env.DISCORD_CLIENT_SECRET ?? "",
 *   scope: ["identify"],
 *   secret: env.LOGIN_SECRET ?? "",
 *   platform: env.DISCORD_PLATFORM, // unset: Discord itself
 *   afterLogout: "/bye", // must not call login.start
 * });
 *
 * async function fetch(request: Request): Promise<Response> {
 *   // GET /login, GET /callback, POST /logout
 *   const response = await login.handle(request);
 *   if (response) return response;
 *   if (new URL(request.url).pathname === "/bye") {
 *     return new Response("You are logged out");
 *   }
 *   const session = await login.session(request); // who this is, or null
 *   // To the consent page, and back here.
 *   if (!session) return await login.start(request);
 *   const headers = { "cache-control": "no-store" };
 *   return new Response(`Hello, ${session.user.username}`, { headers });
 * }
 * (await fetch(new Request("https://app.example/"))).status; // 302
 * ```
 *
 * A login keeps its state and its PKCE verifier in a sealed cookie for ten minutes. The session is a sealed cookie too, or, with a
 * {@link Store}, a random id in a cookie. No script can read these cookies. The cookie names begin with `__Host-`, except over plain HTTP
 * on localhost.
 *
 * In this reference, "Discord" also means a fake platform in tests.
 *
 * Every method that takes a request throws a {@link LoginError} with the reason `"insecure_site"` or `"other_origin"` if logins can't
 * work at the URL of the request. `handle` returns a page instead. Errors that the store throws pass through every method. If the store
 * does not respond within `timeout`, the error is a {@link StoreTimeoutError}. The constructor throws a `TypeError` that names the wrong
 * option.
 * Methods may be detached, as in `const { handle } = login`. As a route handler, use `(request) => login.end(request)`, because many
 * frameworks pass extra arguments.
 *
 * As the type of a parameter, `Login` accepts every login with the default user data, `Login<"identify", { id: string }>` every login whose user
 * data has an `id`, and {@link AnyLogin} every login. For one login, use `typeof login`.
 *
 * @typeParam Requested The scopes of the option `scope`.
 * @typeParam StoredUser The type of the user data in a session.
 * @typeParam SessionStore The type of the option `store`.
 * @typeParam KeepToken The type of the option `keepToken`.
 * @typeParam Data The type of the option `data` of `start`, which `onLogin` receives.
 * @typeParam PublicUser The type of the user data that pages may read.
 * @typeParam Members The type of the option `members`.
 * @typeParam Missing `undefined` if the options may lack `store` or `keepToken`, as in `...(condition ? { store } : {})`; `never` if not;
 * `any` in the type `Login`, which accepts logins with and without a store.
 */
export class Login<
  // deno-lint-ignore no-explicit-any -- as for TokenObj
  const Requested extends Scope = any,
  StoredUser = SessionUser,
  SessionStore extends Store | null | undefined = undefined,
  KeepToken extends boolean | null | undefined = undefined,
  Data = unknown,
  PublicUser = StoredUser,
  Members extends MembersOption<Partial<MembersOptions>> = MembersOption,
  // deno-lint-ignore no-explicit-any -- the type `Login` accepts logins with and without a store, unless it names the store
  Missing extends Lacking<Missing> = [SessionStore] extends [undefined] ? any : never,
> {
  /**
   * The type of the sessions. Used only in types. The property does not exist at run time.
   *
   * @ignore
   */
  declare readonly "~session": Session<
    StoredUser,
    | SessionToken<Requested, SessionStore, KeepToken>
    | SessionToken<Requested, Missing, KeepToken | Missing>,
    Members extends object ? SessionMember : SessionMember | null
  >;
  readonly #parts: LoginParts;
  readonly #callbacks: Callbacks;
  /** The requests to which `handle` has responded. `start` throws for them. */
  readonly #handledRequests: WeakSet<Request> = new WeakSet();
  /** The callbacks that were passed to `finish`. `start` begins a new login for them, on any path. */
  readonly #finishedRequests: WeakSet<Request> = new WeakSet();

  /**
   * Logs users in with Discord, as in `const response = await login.handle(request)`. The guide is
   * [Your first login](https://guildpass.github.io/sdk/docs/first_login.html).
   *
   * @param options The application, the scopes, the secret, and any other option of {@link LoginOptions}.
   * @throws {TypeError} If an option is wrong, with its name.
   */
  constructor(
    options:
      & LoginOptions<
        Requested,
        StoredUser,
        SessionStore,
        KeepToken,
        Data,
        PublicUser,
        Members,
        UncheckedIfDefault<StoredUser>
      >
      // The compiler infers the type of the whole argument for `Missing`. That type does not satisfy the constraint of `Missing`, so the
      // compiler uses the constraint instead: an option that is needed, or nothing.
      & ([Missing] extends [undefined] ? unknown : Missing)
      & RightMembers<Members>
      & ReturnsJson<StoredUser, "sessionUser">
      & ReturnsJson<PublicUser, "publicUser">,
  ) {
    this.#parts = assembleLogin(options);
    this.#callbacks = new Callbacks(this.#parts);
    for (const name of methodNames) {
      const value = this[name].bind(this);
      Object.defineProperty(this, name, { value, writable: true, configurable: true });
    }
  }

  /**
   * Handles the paths of a login: `GET /login` (with `?returnTo=`), `GET /callback`, `POST /logout`, and `GET` at `sessionPath`.
   * Returns `null` for every other path. Never rejects because of a visitor or Discord: `onError` or a built-in page responds to
   * such errors. On Deno and Bun, an invalid `Host` header gets a 400.
   *
   * @example
   * ```ts
   * import type { AnyLogin } from "@guildpass/sdk/login";
   *
   * async function respond(login: AnyLogin, request: Request) {
   *   const response = await login.handle(request);
   *   // For any other path:
   *   return response ?? new Response("Your own page");
   * }
   * ```
   *
   * @param request The incoming request.
   * @returns The response to send, or `null` if the path is not one of the login's.
   */
  async handle(request: Request): Promise<Response | null> {
    const response = await handleRequest(this.#parts, this.#callbacks, request, {
      start: (options) => this.start(request, options),
      end: () => this.end(request),
    });
    if (response) this.#handledRequests.add(request);
    return response;
  }

  /**
   * Returns a redirect to the consent page, as in `return await login.start(request)`. After the login, the browser returns to the page
   * of this request.
   *
   * A script's or an image's request gets a 401 instead, and a prefetch or a frame on another site a 403. The guide is
   * [Show a page with and without a login](https://guildpass.github.io/sdk/docs/first_login.html#show-a-page-with-and-without-a-login).
   *
   * @example
   * ```ts
   * import type { AnyLogin } from "@guildpass/sdk/login";
   *
   * const askForGuilds = (login: AnyLogin, request: Request) =>
   *   login.start(request, { scope: ["guilds"], returnTo: "/servers" });
   * ```
   *
   * @param request The incoming request.
   * @param options Additional scopes, the page after the login, and more.
   * @throws {TypeError} If an option is wrong, `data` and the scopes do not fit into a cookie, or `handle` has already responded to
   * this request.
   * @throws {LoginError} With the reason `"insecure_site"` or `"other_origin"` if logins can't work at the URL of the request, such as
   * plain HTTP on the internet.
   * @throws {StoreTimeoutError} If the store does not respond within `timeout`.
   */
  async start<const Asked extends Scope = Scope>(
    request: Request,
    options?: StartOptions<Data, Asked> | null,
  ): Promise<Response> {
    try {
      assertRequest(request);
      checkMethodOptions("start", options);
      const site = siteAddressOf(request, this.#parts.options);
      if (this.#handledRequests.has(request)) throw handledError();
      const isFinished = this.#finishedRequests.has(request);
      return await startLogin(this.#parts, request, site, options ?? {}, isFinished);
    } catch (error) {
      reportLoginFailure(this.#parts.report, error);
      throw error;
    }
  }

  /**
   * Finishes a login in your own callback route, instead of `handle`: exchanges the code, and creates a session. Sends the code only
   * once, even if the callback is opened twice. Across several servers, this needs a store. After a 429, a block by Discord's edge
   * servers, or a failed connection, Discord has certainly not used the code, so the next request with this callback sends the code
   * again. After any other failure of Discord, the code may be used up, and the next request throws a {@link NetworkError} without
   * sending it.
   *
   * @example
   * ```ts
   * import type { AnyLogin } from "@guildpass/sdk/login";
   *
   * async function callback(login: AnyLogin, request: Request) {
   *   const { user, returnTo, headers, response } =
   *     await login.finish(request);
   *   if (response) return response; // onLogin refused, for example
   *   console.log(`${user.username} logged in`);
   *   headers.set("location", returnTo);
   *   return new Response(null, { status: 303, headers });
   * }
   * ```
   *
   * @param request The request to the callback.
   * @returns The user, the token, the page after the login, and the `headers` with the cookies, which your response must have.
   * @throws {StateMismatchError} If this browser did not begin a login with this state in the last ten minutes.
   * @throws {LoginError} With the reason `"used"` if the callback was opened before, and that login failed; with `"refused_token"` if the
   * platform responded 401 to the new token; with `"other_person"` if another user consented to additional scopes for a session, or the
   * session has ended; with `"other_login"` if the callback belongs to another `Login`; with `"insecure_site"` or
   * `"other_origin"` if logins can't work at the URL of the request.
   * @throws The errors of `parseCallback`, `PlatformApi.accessToken` and `User.getCurrentUser`, such as an `OAuthError` after the user
   * has refused, or a `RateLimitError`.
   * @throws {StoreTimeoutError} If the store does not respond within `timeout`. After this, the same callback can be opened
   * again.
   * @throws {TypeError} If the session does not fit into a cookie.
   */
  async finish(request: Request): Promise<FinishedLogin<Requested>> {
    assertRequest(request);
    this.#finishedRequests.add(request);
    const { token, ...login } = await this.#callbacks.finish(request);
    return { ...login, token: token as TokenObj<Requested> };
  }

  /**
   * Returns the session of a request, or `null` if the request has none or the session has ended. If you add a scope to the option `scope`,
   * earlier sessions end too. The guide is [Sessions](https://guildpass.github.io/sdk/docs/sessions.html).
   *
   * @example
   * ```ts
   * import type { Login } from "@guildpass/sdk/login";
   *
   * async function hello(login: Login, request: Request) {
   *   const session = await login.session(request);
   *   if (!session) return await login.start(request);
   *   // Without a store and `keepToken`, `api` is null.
   *   const guilds = await session.api?.getUserGuilds() ?? [];
   *   const { username } = session.user;
   *   return new Response(`${username}: ${guilds.length} servers`);
   * }
   * ```
   *
   * @param request The incoming request.
   * @returns The {@link Session}, whose type is `SessionOf<typeof login>`, or `null`.
   * @throws {LoginError} With the reason `"insecure_site"` or `"other_origin"` if logins can't work at the URL of the request, such as
   * plain HTTP on the internet.
   * @throws {StoreTimeoutError} If the store does not respond within `timeout`.
   */
  async session(request: Request): Promise<SessionOf<this> | null> {
    const { options, sessions, clients } = this.#parts;
    const site = siteAddressOf(request, options);
    const session = (await sessions.find({ request, site }))?.session;
    // The options decide both the content of a session and these types.
    return session ? sessionOf(session, clients) as SessionOf<this> : null;
  }

  /**
   * Returns the part of a session that pages may read, as `sessionPath` sends it: `user` from `publicUser`, `scopes` and `endsAt`. A
   * server-rendered page can then start with the session. Returns `null` for `null`.
   *
   * @example
   * ```ts
   * import type { AnyLogin } from "@guildpass/sdk/login";
   *
   * async function pageData(login: AnyLogin, request: Request) {
   *   const session = await login.session(request);
   *   return JSON.stringify(await login.publicSession(session));
   * }
   * ```
   *
   * @param session The result of `session`.
   * @throws {TypeError} Without the option `sessionPath`, if the value is not a session, or if `publicUser` returns something other than a
   * JSON value. The errors of `publicUser` pass through.
   */
  async publicSession(
    session: Pick<Session<StoredUser>, "user" | "scopes" | "endsAt"> | null,
  ): Promise<PublicSession<PublicUser> | null> {
    const { options } = this.#parts;
    if (options.sessionPath === null) {
      throw new TypeError("publicSession() needs the option sessionPath");
    }
    if (session !== null && !Array.isArray(Object(session).scopes)) {
      throwBadArgument("session", "the result of session()", session);
    }
    return await publicSessionOf(options, session) as PublicSession<PublicUser> | null;
  }

  /**
   * Replaces the user data of a request's session, as in `{ ...session.user, theme: "dark" }`. Of two simultaneous updates, the later one
   * wins.
   *
   * @example
   * ```ts
   * import type { AnyLogin } from "@guildpass/sdk/login";
   *
   * async function rename(login: AnyLogin, request: Request) {
   *   const headers = await login.update(request, { name: "Ada" });
   *   return new Response("Saved", { headers });
   * }
   * ```
   *
   * @param request The incoming request.
   * @param value The new user data: a JSON value.
   * @returns The headers that the response must have: `Set-Cookie` without a store, and no headers with a store.
   * @throws {LoginError} With the reason `"no_session"` if the request has no session, or the session has ended; with `"insecure_site"` or
   * `"other_origin"` if logins can't work at the URL of the request, such as plain HTTP on the internet.
   * @throws {TypeError} If the value is not a JSON value, or does not fit into a cookie.
   * @throws {StoreTimeoutError} If the store does not respond within `timeout`.
   */
  async update(request: Request, value: StoredUser): Promise<Headers> {
    const site = siteAddressOf(request, this.#parts.options);
    checkJson("update: value must be", value);
    const cookies = await this.#parts.sessions.update({ request, site }, value);
    if (cookies === null) throw noSessionError();
    return new Headers(cookies.map((cookie): [string, string] => ["set-cookie", cookie]));
  }

  /**
   * Ends the session of a request. A script gets 204, and every other client a redirect to `afterLogout`. To send your own response, copy
   * the cookies with `headers.getSetCookie()`.
   *
   * @example
   * ```ts
   * import type { AnyLogin } from "@guildpass/sdk/login";
   *
   * const logOutOnAllDevices = (login: AnyLogin, request: Request) =>
   *   login.end(request, { everywhere: true });
   * ```
   *
   * @param request The incoming request.
   * @param options `everywhere` to end all sessions of the user, and `allowCrossSite`.
   * @returns The response to send: 204 or a redirect, with the headers that remove the cookies.
   * @throws {LoginError} With the reason `"cross_site"` if another site sent the request, unless `allowCrossSite` is set; with
   * `"insecure_site"` or `"other_origin"` if logins can't work at the URL of the request.
   * @throws The errors of {@link PlatformApi.revoke}, if `everywhere` is set and the session is a cookie with a token. The session then
   * still exists, and the call can be repeated. With a store, the sessions end even if Discord can't be reached. The event
   * `revocation_failed` reports the failure, and with `backgroundTokens` only `revoke` uses the token from then on.
   * @throws {StoreTimeoutError} If the store does not respond within `timeout`. The session may have ended; the call
   * can be repeated.
   */
  async end(request: Request, options?: EndOptions | null): Promise<Response> {
    try {
      assertRequest(request);
      checkMethodOptions("end", options);
      return await endSession(this.#parts, request, options ?? {});
    } catch (error) {
      reportLogoutFailure(this.#parts.report, error);
      throw error;
    }
  }

  /**
   * Protects against CSRF. Returns true if a page of this site, a page of one of the `frontends`, or a client other than a browser sent
   * the request. Call it only before a request changes data: it returns false for every visit from another site, even by a plain link.
   * Without `Origin` and `Sec-Fetch-Site`, as in old browsers, it returns false for `GET` and `HEAD`, and true for `POST`. With `appPath`,
   * it also returns true for a request with a session's token in the `Authorization` header, since browsers never send it on their own. It
   * does not check whether the token is still valid, so call `session` too.
   *
   * @example
   * ```ts
   * import type { AnyLogin } from "@guildpass/sdk/login";
   *
   * async function deletePost(login: AnyLogin, request: Request) {
   *   const session = await login.session(request);
   *   if (!session || !login.allows(request)) {
   *     return new Response("Forbidden", { status: 403 });
   *   }
   *   return new Response("Deleted");
   * }
   * ```
   *
   * @param request The incoming request.
   * @throws {LoginError} With the reason `"insecure_site"` or `"other_origin"` if logins can't work at the URL of the request, such as
   * plain HTTP on the internet.
   */
  allows(request: Request): boolean {
    const { options } = this.#parts;
    const { origin } = siteAddressOf(request, options);
    return bearerOf(request, options) !== null ||
      isFromOwnPage(request, origin, options.frontends) && !mayBeLink(request);
  }

  /**
   * Ends all sessions of a user, for example after Discord's event `APPLICATION_DEAUTHORIZED`. Needs a store, because the server
   * can't remove cookies from other browsers. A login that has reached `onLogin` ends too. In `onLogin` itself, a `startedBefore` of a
   * minute ago ends the sessions on other devices, and keeps the current login. In `onLogin`, call `endAll` only if `session` is `null`: a
   * consent has no effect if its session ends.
   *
   * @example
   * ```ts
   * import type { AnyLogin } from "@guildpass/sdk/login";
   *
   * const logOutEverywhere = (login: AnyLogin, userId: string) =>
   *   login.endAll(userId, { tokens: true });
   * ```
   *
   * @param userId The user's id, a snowflake.
   * @param options `startedBefore` to keep newer sessions, and `tokens` to remove the background token.
   * @returns The number of ended sessions. Includes sessions that have already reached the idle timeout, and logins in `onLogin`.
   * @throws {TypeError} Without a store, if the id is not a snowflake, or if an option is wrong.
   * @throws {StoreTimeoutError} If the store does not respond within `timeout`. The call can be
   * repeated, for example by responding 503 to Discord's event: Discord then sends the event again.
   */
  async endAll(
    userId: UserIdWithStore<SessionStore | Missing>,
    options?: EndAllOptions | null,
  ): Promise<number> {
    checkSnowflake("userId", userId);
    const startedBefore = checkedStartedBefore("endAll", options);
    const tokens = options?.tokens === true;
    return await this.#storeSessions("endAll").endAll(userId, { startedBefore, tokens });
  }

  /**
   * Lists the sessions of a user, for a page that shows them, with the newest login first. Needs a store. Expired sessions and
   * unfinished logins are not in the list. A session that ended because of a change of the options may be in the list.
   *
   * @example
   * ```ts
   * import type { AnyLogin } from "@guildpass/sdk/login";
   *
   * async function devices(login: AnyLogin, request: Request) {
   *   const session = await login.session(request);
   *   if (!session) return [];
   *   return await login.sessionsOf(session.user.id, request);
   * }
   * ```
   *
   * @param userId The user's id, a snowflake.
   * @param request The request of the user. Its session then has `isCurrent: true`.
   * @throws {TypeError} Without a store, if the id is not a snowflake, or if `request` is not a `Request`.
   * @throws {LoginError} With the reason `"insecure_site"` or `"other_origin"` if logins can't work at the URL of `request`.
   * @throws {StoreTimeoutError} If the store does not respond within `timeout`.
   */
  async sessionsOf(
    userId: UserIdWithStore<SessionStore | Missing>,
    request?: Request | null,
  ): Promise<readonly ListedSession[]> {
    checkSnowflake("userId", userId);
    const site = request && siteAddressOf(request, this.#parts.options);
    return await this.#storeSessions("sessionsOf").list(userId, site ? { request, site } : null);
  }

  /**
   * Ends one session of a user, for example of a lost device. Needs a store. A consent for additional scopes of this session then has no
   * effect. To end the session of a request, use `end`, which also removes its cookie.
   *
   * @example
   * ```ts
   * import type { AnyLogin } from "@guildpass/sdk/login";
   *
   * async function logOutDevice(
   *   login: AnyLogin,
   *   request: Request,
   *   id: string,
   * ) {
   *   const session = await login.session(request);
   *   if (!session || !login.allows(request)) return false;
   *   return await login.endSession(session.user.id, id);
   * }
   * ```
   *
   * @param userId The user's id, a snowflake: the id of the user who sent the request, and never an id from its form.
   * @param id The id of the session, from `sessionsOf`. The session of another user does not end.
   * @returns True if this call ended the session. False if the user does not have a session with this id, for example because the
   * session has ended before.
   * @throws {TypeError} Without a store, if `userId` is not a snowflake, or if `id` is not a string.
   * @throws {StoreTimeoutError} If the store does not respond within `timeout`. The session may have
   * ended; the call can be repeated.
   */
  async endSession(userId: UserIdWithStore<SessionStore | Missing>, id: string): Promise<boolean> {
    checkSnowflake("userId", userId);
    if (typeof id !== "string") throwBadArgument("id", "the id of a session from sessionsOf()", id);
    return await this.#storeSessions("endSession").endOne(userId, id);
  }

  /**
   * Revokes the token that `backgroundTokens` keeps for a user, and removes it from the store. This ends **every token of the
   * application for the user**, on every device, and Discord sends the event `APPLICATION_DEAUTHORIZED`. The sessions continue
   * without a token; `endAll` ends them. Does nothing if the user has no token.
   *
   * @example
   * ```ts
   * import type { AnyLogin } from "@guildpass/sdk/login";
   *
   * async function disconnect(login: AnyLogin, userId: string) {
   *   await login.revoke(userId);
   *   await login.endAll(userId);
   * }
   * ```
   *
   * @param userId The user's id, a snowflake.
   * @param options `startedBefore` to keep the token of a newer login.
   * @throws {TypeError} Without the option `backgroundTokens`, if the id is not a snowflake, or if an option is wrong.
   * @throws The errors of {@link PlatformApi.revoke}, and {@link StoreTimeoutError} if the store does not respond within `timeout`. The
   * token then stays in the store, and the call can be repeated.
   */
  async revoke(
    userId: UserIdWithStore<SessionStore | Missing, "needs the option backgroundTokens">,
    options?: RevokeOptions | null,
  ): Promise<void> {
    checkSnowflake("userId", userId);
    const startedBefore = checkedStartedBefore("revoke", options);
    await this.#personTokens("revoke").revoke(userId, startedBefore);
  }

  /**
   * Returns a source for the token that `backgroundTokens` keeps for a user, for background jobs. The sessions of the user use the same
   * token. To replace the kept token with one from another login, such as a device login, call the source's `save`: as at a login, a kept
   * token with additional scopes stays if it works. The source's `token` throws a `LoginRequiredError` if the user has no token, or the
   * platform has rejected it: skip the user until their next login.
   *
   * @example
   * ```ts
   * import { User } from "@guildpass/sdk";
   * import type { AnyLogin } from "@guildpass/sdk/login";
   *
   * // A background job
   * async function guildsOf(login: AnyLogin, userId: string) {
   *   const user = new User(login.tokensOf(userId));
   *   return await user.getUserGuilds();
   * }
   * ```
   *
   * @param userId The user's id, a snowflake.
   * @throws {TypeError} Without the option `backgroundTokens`, or if the id is not a snowflake.
   */
  tokensOf(
    userId: UserIdWithStore<SessionStore | Missing, "needs the option backgroundTokens">,
  ): TokenSource<Requested> {
    checkSnowflake("userId", userId);
    return this.#personTokens("tokensOf").of(userId);
  }

  /** @throws {TypeError} Without the option `store`. */
  #storeSessions(method: string): StoreSessions {
    const { storeSessions } = this.#parts;
    if (storeSessions) return storeSessions;
    throw new TypeError(
      `${method}() needs the option store: the server can't list sessions in cookies`,
    );
  }

  /** @throws {TypeError} Without the option `backgroundTokens`. */
  #personTokens(method: string): PersonTokens {
    const { personTokens } = this.#parts;
    if (!personTokens) {
      throw new TypeError(`${method}() needs the option backgroundTokens: true, and a store`);
    }
    return personTokens;
  }

  /**
   * Deletes the data of a user in the store, for example when they close their account: the sessions, the tokens, and the results of recent logins. Does not revoke the tokens at
   * Discord; to do both, call `revoke` first. Ended sessions are reported in the event `session_ended`, with the user's id.
   *
   * Some records stay for up to twelve minutes: an empty list and an empty token under digests of the user's id, marks for used codes, and
   * the result of a login in progress or with an ended session. Only the browser of that login has the key to this result.
   *
   * @example
   * ```ts
   * import type { AnyLogin } from "@guildpass/sdk/login";
   *
   * async function deleteAccount(login: AnyLogin, userId: string) {
   *   await login.revoke(userId); // with backgroundTokens
   *   await login.forget(userId);
   * }
   * ```
   *
   * @param userId The user's id, a snowflake.
   * @throws The errors of {@link Login.endAll}.
   */
  async forget(userId: UserIdWithStore<SessionStore | Missing>): Promise<void> {
    checkSnowflake("userId", userId);
    await this.#storeSessions("forget").forget(userId);
  }
}

const methodNames = [
  "handle",
  "start",
  "finish",
  "session",
  "publicSession",
  "update",
  "end",
  "allows",
  "endAll",
  "endSession",
  "sessionsOf",
  "forget",
  "revoke",
  "tokensOf",
] as const;

function handledError(): TypeError {
  return new TypeError(
    "handle() has already responded to this request: return its response first, unless it is null",
  );
}
