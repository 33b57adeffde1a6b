/**
 * The options of a login.
 *
 * @module
 */

import type { User } from "../../api/user.ts";
import type { ClientOptions } from "../../http/options.ts";
import type { Scope, SpelledScope } from "../../links/scopes.ts";
import type { TokenObj } from "../../resources/token.ts";
import type { UserObj } from "../../resources/user.ts";
import type { Store } from "../../stores/store.ts";
import type { LoginEvent } from "./events.ts";
import type { Session, SessionToken, SessionUser } from "./session.ts";

/** A login that Discord has confirmed, before its session is created: the argument of `onLogin`, `sessionUser` and `afterLogin`. */
export interface ConfirmedLogin<
  // deno-lint-ignore no-explicit-any -- as for TokenObj
  Requested extends Scope = any,
  Data = unknown,
> {
  /** The user of the login. */
  readonly user: UserObj;
  /** The user's token. */
  readonly token: TokenObj<Requested>;
  /** The API client for the token, with the platform, `fetch` and limits of the `Login`. */
  readonly api: User<Requested>;
  /** The option `data` of `start`, or `null`. */
  readonly data: Data | null;
  /**
   * The id of the guild that a bot was added to, or `null`. The id comes from the token. If the token has no guild and the scope has
   * `bot`, the id comes from the callback URL, which the visitor can change.
   */
  readonly guildId: string | null;
  /** The permissions of the bot's role in that guild, as a decimal string, or `null`. */
  readonly permissions: `${bigint}` | null;
  /** The request of the callback. */
  readonly request: Request;
  /**
   * The session that the same user had in this browser before the login, or `null`. A consent for additional scopes changes this session.
   * An ended session appears here only if it ended because of a new scope in the option `scope`.
   */
  readonly session: Session<unknown, SessionToken<Requested>> | null;
}

/** A confirmed login and its page: the argument of `afterLogin`. */
export interface AfterLogin<
  // deno-lint-ignore no-explicit-any -- as for TokenObj
  Requested extends Scope = any,
  Data = unknown,
> extends ConfirmedLogin<Requested, Data> {
  /** The page from `start` or `?returnTo=`: a path of this site, or a URL of one of the `frontends`; `null` without one. */
  readonly returnTo: string | null;
}

/**
 * A type that the compiler doesn't infer from here, but from the option `scope`, as `NoInfer` in TypeScript 5.4.
 *
 * @typeParam Requested The scopes of the option `scope`.
 */
export type NotInferred<Requested extends Scope> = [
  Requested,
][Requested extends unknown ? 0 : never];

/**
 * Options of {@link Login}, [listed by subject](https://guildpass.github.io/sdk/docs/login_options.html) in a guide. They include those of
 * {@link BaseLoginOptions} and {@link ClientOptions}, such as `fetch`, `platform` and `timeout`. `null` has the same effect as leaving an
 * option out.
 *
 * @example
 * ```ts
 * import { env } from "node:process";
 * import { Login } from "@guildpass/sdk/login";
 * import type { LoginOptions, Scope } from "@guildpass/sdk/login";
 *
 * const options = {
 *   clientId: env.DISCORD_CLIENT_ID ?? "",
 *   clientSecret: env.DISCORD_CLIENT_SECRET ?? "",
 *   scope: ["identify", "guilds"],
 *   secret: env.LOGIN_SECRET ?? "",
 *   afterLogin: "/dashboard",
 * } satisfies LoginOptions;
 * const login = new Login(options);
 *
 * // A function that makes logins with the scopes of its argument:
 * const loginWith = <const Asked extends Scope>(
 *   scope: LoginOptions<Asked>["scope"],
 * ) => new Login<Asked>({ ...options, scope });
 * ```
 *
 * @typeParam Requested The scopes of the option `scope`.
 * @typeParam StoredUser The type that `sessionUser` returns.
 * @typeParam SessionStore The type of the option `store`.
 * @typeParam KeepToken The type of the option `keepToken`.
 * @typeParam Data The type of the option `data` of `start`, which `onLogin` receives.
 * @typeParam PublicUser The type that `publicUser` returns.
 * @typeParam Members The type of the option `members`.
 * @typeParam Unchecked Other types that `sessionUser` and `publicUser` may return. Used by the constructor of `Login`.
 */
export interface LoginOptions<
  // deno-lint-ignore no-explicit-any -- as for TokenObj
  Requested extends Scope = any,
  StoredUser = SessionUser,
  SessionStore extends Store | null | undefined = Store | null | undefined,
  KeepToken extends boolean | null | undefined = boolean | null | undefined,
  Data = unknown,
  PublicUser = StoredUser,
  Members extends MembersOption<Partial<MembersOptions>> = MembersOption,
  Unchecked = never,
> extends BaseLoginOptions {
  /**
   * The scopes to ask for, such as `["identify", "email"]`. The list must include `identify`, because a session belongs to a user.
   * `role_connections.write` also needs `openid` and a client secret: see
   * [Linked roles](https://guildpass.github.io/sdk/docs/linked_roles.html).
   */
  readonly scope: readonly SpelledScope<Requested>[] & readonly Scope[];
  /**
   * The default page after a login: a path of this site, or a URL of one of the `frontends`. A link such as
   * `/login?returnTo=/shop` overrides it. `start` returns to the page of its request.
   *
   * A function decides the page after every login and every consent for additional scopes, but not after a renewal, which the user does not
   * notice. It runs after `sessionUser`, before anything is saved. A page of another site, or a path of the login itself, becomes `/`
   * with a warning in the console. If the function throws, `onError` gets the error, and there is no new session.
   *
   * @default {"/"}
   */
  readonly afterLogin?:
    | string
    | ((login: AfterLogin<NotInferred<Requested>, Data>) => string | URL | Promise<string | URL>)
    | null
    | undefined;
  /**
   * The database of the sessions, shared by all servers of the application, such as `postgresStore(sql)`. If one operation takes longer
   * than `timeout`, `handle` returns a page, and the other methods throw a `StoreTimeoutError`. If you write type
   * arguments yourself, they need the type of the store: `extends Login<"identify", SessionUser, MemoryStore>`.
   *
   * @default {sessions are in cookies}
   */
  readonly store?: SessionStore;
  /** True to keep the token in the session's cookie, for `session.api`. A `store` always keeps the token. @default {false} */
  readonly keepToken?: KeepToken;
  /**
   * Lets only members of a guild log in, or members with certain roles: `{ guildId: "1200000000000000002" }`. With a list of up to four
   * guilds, the first one that fits is used. A session has the membership as `member`, and ends when the user leaves or loses the
   * role. Everyone else gets an error page. Needs the scope `guilds.members.read` and a `store`. {@link MembersOptions} has its fields.
   *
   * @example
   * ```ts
   * import type { LoginOptions } from "@guildpass/sdk/login";
   *
   * const options = {
   *   members: {
   *     guildId: "1200000000000000002",
   *     roles: ["1300000000000000001"],
   *   },
   * } satisfies Partial<LoginOptions>;
   * ```
   *
   * @default {everyone may log in}
   */
  readonly members?: Members;
  /**
   * Chooses the user data in `session.user`, as in `({ id, email }) => ({ id, email })`. Returns a JSON value, or a promise of one. Runs at
   * a login, after `onLogin`. If this function throws, `onError` gets the error, and there is no new session. Copy the data with `...`, not
   * with `Object.assign`, which would use a property `__proto__` as the prototype.
   *
   * @example
   * ```ts
   * import type { UserObj } from "@guildpass/sdk";
   *
   * const options = {
   *   sessionUser: ({ id, username, email }: UserObj) => ({
   *     id,
   *     username,
   *     email,
   *   }),
   * };
   * ```
   *
   * @default {returns id, username, global_name, avatar and avatar_url}
   */
  readonly sessionUser?:
    | ((
      user: UserObj,
      login: ConfirmedLogin<NotInferred<Requested>, Data>,
    ) => StoredUser | Promise<StoredUser> | Unchecked)
    | null
    | undefined;
  /**
   * Chooses the part of `session.user` that pages get from `sessionPath` and `publicSession`; `(user) => user` shows all of it. Returns a
   * JSON value, or a promise of one. Required together with `sessionPath` and `sessionUser`, because a session may have data that pages
   * must not get. Write it after `sessionUser`, so that the compiler knows the type of `user`. Called for each response. If this function
   * throws, `onError` gets the error, and the response is a 500.
   *
   * @default {returns id, username, global_name, avatar and avatar_url}
   */
  readonly publicUser?:
    | ((user: StoredUser) => PublicUser | Promise<PublicUser> | Unchecked)
    | null
    | undefined;
  /**
   * Accepts or refuses a login before the session is created, and a consent for additional scopes before the session changes. A returned
   * `Response` refuses the login: the visitor gets the response, and no session is created or changed. If the function returns `null` or
   * nothing, the user is logged in. Any other result makes the login fail.
   *
   * If the function throws, `onError` gets the error. If the visitor then opens the callback again, the function runs again. After a
   * `Response`, the login is over, and the visitor must begin a new one.
   *
   * @example
   * ```ts
   * import type { LoginOptions } from "@guildpass/sdk/login";
   *
   * const options = {
   *   onLogin({ user }) {
   *     if (user.verified) return;
   *     return new Response("Verify your email first", { status: 403 });
   *   },
   * } satisfies Partial<LoginOptions>;
   * ```
   *
   * @default {every user is logged in}
   */
  readonly onLogin?:
    | ((
      login: ConfirmedLogin<NotInferred<Requested>, Data>,
    ) => Response | null | void | Promise<Response | null | void>)
    | null
    | undefined;
}

/** The options of {@link Login} that have the same types in every login. {@link LoginOptions} adds the others. */
export interface BaseLoginOptions extends ClientOptions {
  /** The application's client id, from the Developer Portal. */
  readonly clientId: ClientId;
  /** The application's client secret, or `null` for a public client, which uses PKCE alone. */
  readonly clientSecret: ClientSecret;
  /**
   * The secret that encrypts the cookies: random text of at least 32 characters, as the package's command `secret` prints it. In a list, the
   * first secret encrypts, and every secret decrypts. The first secret must be hard to guess, unless the platform is on localhost: a text
   * with fewer than eight different characters, a repeated text, a sequence, a placeholder and the client secret are refused.
   */
  readonly secret: LoginSecret;
  /**
   * The URL that Discord sends users back to, exactly as it is registered. Required behind a proxy, because the request does not
   * have the URL that visitors see. Must begin with `https:`, except on localhost.
   *
   * @default {the origin of the request, and callbackPath}
   */
  readonly redirectUri?: string | URL | null | undefined;
  /**
   * The name of this login if a site has several: at most 16 lowercase letters and digits. Each name has its own cookies and store records.
   * Logins with the same name share sessions, and may take each other's callbacks. Each login also needs its own `loginPath`,
   * `callbackPath`, `logoutPath` and `sessionPath`, since a login responds to every request to its paths.
   *
   * @default {""}
   */
  readonly name?: string | null | undefined;
  /** The path that begins a login. @default {"/login"} */
  readonly loginPath?: string | null | undefined;
  /**
   * The path of the request to the callback. If a site has several logins, each needs its own. The path differs from that of `redirectUri`
   * only behind a proxy that changes paths.
   *
   * @default {the path of redirectUri, or "/callback" without one}
   */
  readonly callbackPath?: string | null | undefined;
  /** The path that ends a session. @default {"/logout"} */
  readonly logoutPath?: string | null | undefined;
  /**
   * The path at which scripts of the application's pages read the session as JSON: a {@link PublicSession}, or `null` without a session.
   * Reading does not prolong the session. The response is also JSON after an error: 503 if the store fails, 500 after other errors.
   * Together with `sessionUser`, `publicUser` is required too.
   *
   * @default {no such path}
   */
  readonly sessionPath?: string | null | undefined;
  /**
   * The path at which apps, extensions and Activities log in without a cookie, by `POST` with JSON. Turns on the header
   * `Authorization: Bearer gps_…`: a request with a session's token belongs to that session, and its cookies are ignored. Needs a
   * `store`. Together with `sessionUser`, `publicUser` is required too. `role_connections.write` can't be used.
   *
   * @default {no such path}
   */
  readonly appPath?: string | null | undefined;
  /**
   * The URLs at which a login of an app or extension may end:
   * `["https://app.example/open", "myapp://login", "http://127.0.0.1/callback"]`. A loopback address may use any port. The callback
   * shows a page with one button to the URL, where the app gets the code.
   *
   * @default {[]}
   */
  readonly appTargets?: readonly string[] | null | undefined;
  /**
   * Lets preview deployments log in through the callback of the main deployment, so that only one redirect URI is registered. All
   * deployments have this option, and none has `redirectUri`. `role_connections.write` can't be used.
   *
   * @default {every deployment has its own redirect URI}
   */
  readonly relay?: RelayOptions | null | undefined;
  /**
   * The origins of pages that use `appPath` and the header, of any scheme and site: `["tauri://localhost"]`, or
   * `https://<client id>.discordsays.com` for an Activity. They may read the responses at `appPath`, `sessionPath` and `logoutPath`,
   * and never get data of a session in a cookie.
   *
   * @default {[]}
   */
  readonly appOrigins?: readonly string[] | null | undefined;
  /**
   * The path of the page after a logout. The page must not begin a login automatically. After a frontend's logout form, this path is on
   * the frontend.
   *
   * @default {"/"}
   */
  readonly afterLogout?: string | null | undefined;
  /**
   * `"none"` skips the consent page for users who have granted the same scopes before. `"consent"` shows it at each login. The guide
   * is [Skip the consent page](https://guildpass.github.io/sdk/docs/first_login.html#skip-the-consent-page).
   *
   * @default {Discord shows the page}
   */
  readonly prompt?: "none" | "consent" | null | undefined;
  /**
   * Other origins of the same site. They may begin and end sessions, and a login may return to them: `["https://app.site.example"]` for an
   * application at `https://api.site.example`, or another port of localhost. Scripts of these origins act for the visitor.
   *
   * @default {[]}
   */
  readonly frontends?: readonly string[] | null | undefined;
  /**
   * The time for which `session.api` caches a response, in seconds, so that several views of a page need only one request. `0` caches
   * nothing.
   *
   * @default {5}
   */
  readonly freshFor?: number | null | undefined;
  /**
   * True to keep one token for each user in the store, for background jobs: all sessions of the user share it, and `tokensOf` returns
   * its source. The guide is
   * [Run a job in the background](https://guildpass.github.io/sdk/docs/keeping_people_logged_in.html#run-a-job-in-the-background).
   *
   * @default {each session has a token of its own}
   */
  readonly backgroundTokens?: boolean | null | undefined;
  /**
   * The remaining lifetime at which a token in a store is refreshed, in seconds. Values below 60 mean 60, and values
   * above half of the token's lifetime mean half.
   *
   * @default {a quarter of the token's lifetime, that is 42 hours at Discord}
   */
  readonly refreshBefore?: number | null | undefined;
  /** The time after which an unused session ends, in seconds: at most 400 days. Needs `store`. @default {604_800, that is 7 days} */
  readonly idleTimeout?: number | null | undefined;
  /**
   * The maximum lifetime of a session, in seconds: at most 400 days. Without a store, a session also ends with its access token, after
   * seven days at most.
   *
   * @default {2_592_000, that is 30 days}
   */
  readonly maxAge?: number | null | undefined;
  /**
   * Returns a short text about the user's device, for the list that `sessionsOf` returns, or `null`. A session in a store keeps the first
   * 200 characters, encrypted with `secret`, without control characters. Runs at a login, before `onLogin`. If this function throws,
   * `onError` gets the error, and there is no new session.
   *
   * @default {nothing about the browser is kept}
   */
  readonly sessionLabel?: ((request: Request) => string | null | undefined) | null | undefined;
  /**
   * Limits failed logins by the visitor's IP address. Returns the address, from a value that visitors can't forge, or `null` for no limit.
   * After ten rejected codes of a visitor, only one each minute is sent, and the others get a page with the status 429. All addresses of an
   * IPv6 network (/64) are one visitor. The store keeps a digest of the address under `secret`, for ten minutes at most.
   *
   * Never return `X-Forwarded-For` unchecked: a visitor can write another address into each request. Discord's proxy sends the requests
   * of all Activities, so return `null` for them. Runs before a code is sent. If this function throws, `onError` gets the error, and the
   * code is not used up.
   *
   * @default {no visitor is limited}
   */
  readonly visitor?: ((request: Request) => string | null | undefined) | null | undefined;
  /**
   * Returns the response to an error, or nothing for the built-in page. An error of this library is safe to log, and its `code` names the
   * kind of the error. Other errors come from the store and from the application's functions, such as `sessionUser`. At `sessionPath`,
   * the response stays JSON, and the response of this function is not used. If this function throws, the error that it got is logged.
   * To call the login itself, such as `login.session(request)`, write the return type: `async onError(error, request): Promise<Response>`.
   *
   * @example
   * ```ts
   * import type { LoginOptions } from "@guildpass/sdk/login";
   *
   * const options = {
   *   onError(error) {
   *     console.error(error);
   *     return new Response("Please try again", { status: 500 });
   *   },
   * } satisfies Partial<LoginOptions>;
   * ```
   *
   * @default {a page in plain words, and `console.error` for errors of the application or Discord}
   */
  readonly onError?:
    | ((
      error: Error,
      request: Request,
    ) => Response | null | void | Promise<Response | null | void>)
    | null
    | undefined;
  /**
   * Receives the events of logins, tokens and sessions, for metrics and audit logs. Events never contain secrets or users' names. The
   * login calls this function at once, does not wait for its promise, and only logs its errors. Events are frozen.
   *
   * @default {nothing is reported}
   */
  readonly onEvent?: ((event: LoginEvent) => unknown) | null | undefined;
}

/** A guild whose members may log in, for the option `members`. */
export interface MembersOptions {
  /** The id of the guild, a snowflake. */
  readonly guildId: string;
  /** The ids of roles: a member needs one of them. @default {every member may log in} */
  readonly roles?: readonly string[] | null | undefined;
  /**
   * The maximum age of the membership in a session, in seconds: 60 to 3,600. Discord allows about five reads in 300 seconds for each
   * user. During an outage of Discord, the last result is valid for an hour.
   *
   * @default {300}
   */
  readonly checkedFor?: number | null | undefined;
}

/**
 * The type of the option `members`.
 *
 * @typeParam Guild The options of a guild. The compiler may infer incomplete ones, which {@link RightMembers} then refuses.
 */
export type MembersOption<Guild = MembersOptions> = Guild | readonly Guild[] | null | undefined;

/**
 * Requires the right options of each guild: `unknown` if the option `members` has them. The compiler names the wrong property of this
 * type. Of {@link MembersOption}, which is a union with a list, it says only "not assignable".
 *
 * @typeParam Members The inferred type.
 */
export type RightMembers<Members> = [Members] extends [RightMembersOf<Members>] ? unknown
  // The compiler takes the constraint for a type that does not satisfy it.
  : [MembersOption<Partial<MembersOptions>>] extends [Members] ? unknown
  : { readonly members?: RightMembersOf<Members> };

type RightMembersOf<Members> = Members extends readonly (infer Guild)[]
  ? readonly RightMembersOptions<Guild>[]
  : Members extends object ? RightMembersOptions<Members>
  : Members;

/** The options of a guild, and no other names. */
type RightMembersOptions<Guild> =
  & MembersOptions
  & {
    readonly [Key in Exclude<keyof Guild, keyof MembersOptions>]:
      "members has only guildId, roles and checkedFor";
  };

/** The deployments that log in through one callback, for the option `relay`. */
export interface RelayOptions {
  /** The registered callback, at the main deployment. */
  readonly url: string | URL;
  /** The origin of this deployment, as in `https://branch.preview.example`. Take it from the host's variable, never from a request. */
  readonly origin: string;
  /** A random text of at least 32 characters, the same in all deployments, and different from the option `secret`. */
  readonly secret: LoginSecret;
  /** The origins of previews. `*` matches one label, as in `https://*.preview.example`. */
  readonly origins: readonly string[];
}

// The compiler keeps the name of a union in its errors: "Type 'undefined' is not assignable to type 'ClientId'".

/** The client id of an application: digits in quotes. */
export type ClientId = string | (string & Record<never, never>);

/** The client secret of an application, or `null` for a public client. */
export type ClientSecret = string | null;

/** A secret, or a list of secrets: the first one encrypts, and every one decrypts. */
export type LoginSecret = string | readonly [string, ...string[]];

/**
 * `unknown` for the default type of the user data. After a mistake in another option, the compiler checks `sessionUser` with this
 * default, and would report what the function returns.
 */
export type UncheckedIfDefault<StoredUser> = [StoredUser, SessionUser] extends
  [SessionUser, StoredUser] ? unknown : never;

/** The options of any login. */
// deno-lint-ignore no-explicit-any -- only any accepts the functions of all options
export type AnyLoginOptions = LoginOptions<any, any, any, any, any, any, any, unknown>;
