/**
 * The options of a login, and their checks and defaults.
 *
 * @module
 */

import type { User } from "../api/user.ts";
import { checkedRedirectUri, throwBadArgument, throwBadObject } from "../core/arguments.ts";
import { checkScopeSpelling, joinLinkScopes, type Scope } from "../links/scopes.ts";
import { checkClientOptionNames } from "../http/option_names.ts";
import type { ClientOptions } from "../http/options.ts";
import { assertRuntime } from "../http/runtime.ts";
import { includesScope } from "../resources/granted_scopes.ts";
import type { TokenObj } from "../resources/token.ts";
import type { UserObj } from "../resources/user.ts";
import type { Store } from "../stores/store.ts";
import { checkRefreshBefore } from "../tokens/token_record.ts";
import type { LoginEvent } from "./events.ts";
import { checkFrontends } from "./frontends.ts";
import type { Session, SessionToken, SessionUser } from "./session.ts";
import { canHaveSafeCookies } from "./site_address.ts";

/** A confirmed login, before there is a session. */
export interface ConfirmedLogin<Requested extends Scope, Data = unknown> {
  /** The person of the login. */
  readonly user: UserObj;
  /** The person's token. */
  readonly token: TokenObj<Requested>;
  /** Reads and changes what the token gives access to, with the platform, `fetch` and limits of the `Login`. */
  readonly api: User<Requested>;
  /** The value that was given to `start`, or `null`. */
  readonly data: Data | null;
  /**
   * The guild to which a bot was added, or `null`. The guild comes from the token. If the token names none and the scope has `bot`, it
   * comes from the address of the callback. The visitor can change that address.
   */
  readonly guildId: string | null;
  /** The permissions of the bot's role in that guild, as a decimal string, or `null`. */
  readonly permissions: `${bigint}` | null;
  /** The request of the callback. */
  readonly request: Request;
  /**
   * The session of the same person in this browser before the login, or `null`: the one that gets further scopes. An ended session is
   * there only if it ended because the options ask for a new scope.
   */
  readonly session: Session<unknown, SessionToken<Requested>> | null;
}

/**
 * Options of {@link Login}. `null` is the same as leaving one out.
 *
 * @typeParam Requested The scopes of the option `scope`.
 * @typeParam StoredUser The type that `sessionUser` returns.
 * @typeParam SessionStore The type of the option `store`.
 * @typeParam KeepToken The type of the option `keepToken`.
 * @typeParam Data The type of the value that goes from `start` to `onLogin`.
 */
export interface LoginOptions<
  // deno-lint-ignore no-explicit-any -- as for TokenObj
  Requested extends Scope = any,
  StoredUser = SessionUser,
  SessionStore extends Store | null | undefined = Store | null | undefined,
  KeepToken extends boolean | null | undefined = boolean | null | undefined,
  Data = unknown,
> extends ClientOptions {
  /** The application's client id. */
  readonly clientId: string;
  /** The application's client secret, or `null` for a public client, which proves itself by PKCE alone. */
  readonly clientSecret: string | null;
  /**
   * The scopes to ask for. A login needs `identify`, because a session belongs to a person. With `role_connections.write` it needs a
   * client secret and uses no PKCE, because the platform refuses that scope together with a `code_challenge`. It also needs `openid`
   * then: the nonce in the `id_token` binds a code to the browser of the login, so that a thief can't log in with a stolen code.
   */
  readonly scope: readonly Requested[] & readonly Scope[];
  /**
   * The secret that encrypts the cookies: random text of at least 32 characters, as `openssl rand -base64 32` prints it. In a list,
   * the first secret encrypts, and every secret decrypts. A first secret that can be guessed is accepted only if the platform is on this
   * machine: fewer than eight different characters, a repeated text, a sequence, a placeholder, or the client secret.
   */
  readonly secret: string | readonly [newest: string, ...older: string[]];
  /**
   * The address to which the platform sends people back, exactly as it is registered there. Behind a proxy this option is necessary,
   * because the request does not have the address that visitors see. It has `https:`, except on this machine.
   *
   * @default {the origin of the request, and callbackPath}
   */
  readonly redirectUri?: string | URL | null | undefined;
  /**
   * Tells several logins of one site apart: lower case letters and digits, at most 16. Their cookies and records have different names
   * and keys. With the same name, they share sessions, and may take each other's callbacks. Each also needs a `loginPath`,
   * `callbackPath` and `logoutPath` of its own, since it responds to every request to its paths.
   *
   * @default {""}
   */
  readonly name?: string | null | undefined;
  /** The path that begins a login. @default {"/login"} */
  readonly loginPath?: string | null | undefined;
  /**
   * The path that finishes a login, as the requests have it. Several logins of one site need one each. It differs from the path of
   * `redirectUri` only behind a proxy that changes paths.
   *
   * @default {the path of redirectUri, or "/callback" without one}
   */
  readonly callbackPath?: string | null | undefined;
  /** The path that ends a session. @default {"/logout"} */
  readonly logoutPath?: string | null | undefined;
  /**
   * The path of the page that a logout leads to. It must not begin a login by itself. A form of a frontend leads to that path of the
   * frontend.
   *
   * @default {"/"}
   */
  readonly afterLogout?: string | null | undefined;
  /**
   * Other origins of the same site that may begin and end sessions, and be returned to: `["https://app.site.example"]` for an
   * application at `https://api.site.example`, or another port of this machine. Scripts of these origins act for the visitor.
   *
   * @default {[]}
   */
  readonly frontends?: readonly string[] | null | undefined;
  /**
   * The session storage: a database that all servers of the application share. If one operation takes longer than `timeout`,
   * `handle` returns a page, and the other methods throw a `StoreTimeoutError`.
   *
   * @default {sessions are in cookies}
   */
  readonly store?: SessionStore;
  /** True to keep the token in the cookie of a session without a store. A session in a store always has a token. @default {false} */
  readonly keepToken?: KeepToken;
  /**
   * The time for which the `api` of a session repeats a response, in seconds, so that several views of one page need one request.
   *
   * @default {5}
   */
  readonly freshFor?: number | null | undefined;
  /**
   * True to keep one token for each person in the store, for jobs in the absence of the person. `tokensOf` gives it, and all sessions
   * of the person share it: one owner refreshes it. It is encrypted with `secret`, and stays after the sessions, until `forget`, or
   * `endAll` with `tokens`. A session that began without this option keeps its own token.
   *
   * The token of a new login replaces the kept one, unless the kept one has all scopes of the option `scope`, and more than the new one.
   * Then the kept one is tried once, at that login. If it works, it stays, and `session.scopes` lists its scopes. If the platform refuses it,
   * it is replaced. After a 429, a 5xx or a timeout it stays, and the new one takes over as soon as the platform refuses it.
   *
   * @default {each session has a token of its own}
   */
  readonly backgroundTokens?: boolean | null | undefined;
  /**
   * The remaining lifetime from which on a token in a store is refreshed, in seconds; at least 60, at most half of the lifetime. See
   * {@link TokenSource}.
   *
   * @default {a quarter of the token's lifetime, that is 42 hours at Discord}
   */
  readonly refreshBefore?: number | null | undefined;
  /** The time after which an unused session in a store ends, in seconds. @default {604_800, that is 7 days} */
  readonly idleTimeout?: number | null | undefined;
  /**
   * The maximum time of a session, in seconds. Without a store, a session also ends with its access token, after seven days.
   *
   * @default {2_592_000, that is 30 days}
   */
  readonly maxAge?: number | null | undefined;
  /**
   * Returns the user data that a session stores: a JSON value, or a promise of one. It runs after `onLogin`, with the same second
   * argument. An error that it throws ends the login, and goes to `onError`.
   *
   * @default {returns id, username, global_name, avatar and avatar_url}
   */
  readonly sessionUser?:
    | ((user: UserObj, login: ConfirmedLogin<Requested, Data>) => StoredUser | Promise<StoredUser>)
    | null
    | undefined;
  /**
   * Decides about a login before there is a session, and about a consent for further scopes before the session changes. If it
   * returns a `Response`, the visitor gets it: there is no session, or the old one stays as it was. If it returns `null` or nothing,
   * the person is logged in.
   *
   * An error that it throws goes to `onError`. If the visitor then opens the callback again, this runs again. After a `Response` the
   * login is over, and the visitor begins a new one.
   *
   * @default {everybody is logged in}
   */
  readonly onLogin?:
    | ((
      login: ConfirmedLogin<Requested, Data>,
    ) => Response | null | void | Promise<Response | null | void>)
    | null
    | undefined;
  /**
   * Returns the response to an error in place of the built-in pages. An error of this library is safe to log, and its `code` says
   * what happened. Other errors come from `onLogin`, `sessionUser` and the store.
   *
   * @default {a page in plain words, and `console.error` for errors of the application or the platform}
   */
  readonly onError?:
    | ((error: Error, request: Request) => Response | Promise<Response>)
    | null
    | undefined;
  /**
   * Receives the events of logins, tokens and sessions, for metrics and audit logs. No event has a secret or a name of a person. It is
   * called at once, and nothing waits for its promise. Its errors are ignored, and it can change nothing.
   *
   * @default {nothing is reported}
   */
  readonly onEvent?: ((event: LoginEvent) => unknown) | null | undefined;
}

/** The options that only a login has. */
const ownOptions = {
  clientId: true,
  clientSecret: true,
  scope: true,
  secret: true,
  redirectUri: true,
  name: true,
  loginPath: true,
  callbackPath: true,
  logoutPath: true,
  afterLogout: true,
  frontends: true,
  store: true,
  keepToken: true,
  freshFor: true,
  backgroundTokens: true,
  refreshBefore: true,
  idleTimeout: true,
  maxAge: true,
  sessionUser: true,
  onLogin: true,
  onError: true,
  onEvent: true,
} satisfies Record<Exclude<keyof LoginOptions, keyof ClientOptions>, true>;

const storeMethods = ["load", "save", "delete"] as const;

/** The options of any login. */
// deno-lint-ignore no-explicit-any -- only any accepts the functions of all options
export type AnyLoginOptions = LoginOptions<any, any, any, any, any>;

/** The options of any login, checked and with defaults. */
export interface CheckedLoginOptions extends AnyLoginOptions {
  readonly redirectUri: string | null;
  readonly name: string;
  readonly loginPath: string;
  readonly callbackPath: string;
  readonly logoutPath: string;
  readonly afterLogout: string;
  readonly frontends: readonly string[];
  readonly store: Store | null;
  readonly keepToken: boolean;
  readonly backgroundTokens: boolean;
  /** Seconds. */
  readonly refreshBefore: number | null;
  /** Seconds. */
  readonly freshFor: number;
  /** Seconds. */
  readonly idleTimeout: number;
  /** Seconds. */
  readonly maxAge: number;
}

/**
 * Checks the options that only a login has. The classes that use the other options check them.
 *
 * @throws {TypeError} If an option is wrong, with its name.
 */
export function checkLoginOptions(options: AnyLoginOptions): CheckedLoginOptions {
  if (typeof options !== "object" || options === null) {
    throwBadObject("options", "an object", options);
  }
  assertRuntime();
  checkClientOptionNames(options, Object.keys(ownOptions));
  const { scope, store, sessionUser, onLogin, onError, onEvent } = options;
  // The spelling is checked first, so that a misspelled "identify" is not reported as missing.
  joinLinkScopes(scope);
  checkScopeSpelling(scope);
  if (!includesScope(scope, "identify")) {
    throw new TypeError(
      'scope must have "identify", since a session is about a person: without it, use PlatformApi',
    );
  }
  assertProtectedCode(scope);
  if (store != null && !storeMethods.every((name) => typeof store[name] === "function")) {
    throwBadArgument("store", "a Store, with load, save and delete", store);
  }
  if (options.backgroundTokens === true && store == null) {
    throw new TypeError(
      "backgroundTokens needs the option store, since a cookie is there only while its person is",
    );
  }
  for (const [name, callback] of Object.entries({ sessionUser, onLogin, onError, onEvent })) {
    if (callback != null && typeof callback !== "function") {
      throwBadArgument(name, "a function", callback);
    }
  }
  checkRefreshBefore(options.refreshBefore);
  const redirectUri = options.redirectUri == null ? null : checkSiteUri(options.redirectUri);
  const checked = {
    ...options,
    redirectUri,
    name: checkName(options.name ?? ""),
    loginPath: checkPath("loginPath", options.loginPath ?? "/login"),
    callbackPath: options.callbackPath == null
      ? redirectUri === null ? "/callback" : new URL(redirectUri).pathname
      : checkPath("callbackPath", options.callbackPath),
    logoutPath: checkPath("logoutPath", options.logoutPath ?? "/logout"),
    afterLogout: checkPath("afterLogout", options.afterLogout ?? "/"),
    frontends: checkFrontends(options.frontends ?? [], redirectUri),
    freshFor: checkFreshFor(options.freshFor ?? 5),
    store: options.store ?? null,
    keepToken: options.keepToken === true,
    backgroundTokens: options.backgroundTokens === true,
    refreshBefore: options.refreshBefore ?? null,
    idleTimeout: checkSeconds("idleTimeout", options.idleTimeout ?? 7 * 86_400),
    maxAge: checkSeconds("maxAge", options.maxAge ?? 30 * 86_400),
  };
  const { loginPath, callbackPath, logoutPath } = checked;
  if (new Set([loginPath, callbackPath, logoutPath]).size < 3) {
    throw new TypeError(
      "loginPath, callbackPath and logoutPath must be different; callbackPath is the path of redirectUri if it is not given",
    );
  }
  return checked;
}

/** The scope that the platform refuses together with a `code_challenge`. */
const scopeWithoutPkce = "role_connections.write";

/** Returns true unless the platform refuses a `code_challenge` for these scopes. */
export function usesPkce(scope: readonly string[]): boolean {
  return !scope.includes(scopeWithoutPkce);
}

/**
 * Asserts that a stolen code of a login with these scopes is worthless: without PKCE, only the nonce in the `id_token` binds it to the
 * browser of the login.
 *
 * @throws {TypeError} If the scopes have no PKCE and no `id_token`.
 */
export function assertProtectedCode(scope: readonly string[]): void {
  if (usesPkce(scope) || scope.includes("openid")) return;
  throw new TypeError(
    `scope has "${scopeWithoutPkce}", which needs "openid" too: the platform refuses PKCE with it, so that only the id_token ` +
      "protects against a stolen code",
  );
}

/** Returns the redirect URI as text, if safe cookies can be set at its address. */
function checkSiteUri(given: string | URL): string {
  const uri = checkedRedirectUri(given);
  const url = new URL(uri);
  if (!canHaveSafeCookies(url)) {
    throw new TypeError(
      "redirectUri must begin with https:, or with http: on this machine, as in http://localhost:3000, " +
        `received ${url.protocol}//${url.host}`,
    );
  }
  return uri;
}

function checkName(given: unknown): string {
  if (typeof given !== "string" || !/^[a-z0-9]{0,16}$/.test(given)) {
    throwBadArgument("name", "at most 16 lower case letters and digits", given);
  }
  return given;
}

function checkPath(name: string, given: unknown): string {
  if (typeof given !== "string" || !/^\/(?!\/)[\w.~/-]*$/.test(given)) {
    throwBadArgument(name, 'a path, as in "/login"', given);
  }
  return given;
}

function checkFreshFor(given: unknown): number {
  return given === 0 ? given : checkSeconds("freshFor", given);
}

function checkSeconds(name: string, given: unknown): number {
  if (typeof given !== "number" || !(given > 0 && given <= 400 * 86_400)) {
    throwBadArgument(name, "a number of seconds, at most 400 days", given);
  }
  return given;
}
