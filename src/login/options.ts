/**
 * The options of a login: checked, with the defaults filled in.
 *
 * @module
 */

import { redirectUriText, refuse, refuseObject } from "../core/arguments.ts";
import { checkSpelling, type Scope, scopeText } from "../links/scopes.ts";
import type { ClientOptions } from "../http/options.ts";
import type { TokenObj } from "../resources/token.ts";
import type { UserObj } from "../resources/user.ts";
import type { Store } from "../stores/store.ts";

/** What a session keeps of the user, unless `sessionUser` says otherwise. */
export interface SessionUser {
  /** The user's id, a snowflake. */
  readonly id: string;
  /** The user's name, unique on the platform. */
  readonly username: string;
  /** The name the user shows, or `null`. */
  readonly global_name: string | null;
  /** The hash of the avatar, or `null` for a default one. */
  readonly avatar: string | null;
  /** The URL of the avatar. */
  readonly avatar_url: string;
}

/** A login that the platform has confirmed, before there is a session. */
export interface ConfirmedLogin<Asked extends Scope> {
  /** Who has logged in. */
  readonly user: UserObj;
  /** What the platform has granted. */
  readonly token: TokenObj<Asked>;
  /** What was given to `start`, or `null`. */
  readonly data: unknown;
  /** The guild a bot was added to, or `null`. */
  readonly guildId: string | null;
  /** The permissions a bot was given there, as a decimal string, or `null`. */
  readonly permissions: `${bigint}` | null;
  /** The request of the callback. */
  readonly request: Request;
}

/** Options of {@link Login}. `null` is the same as leaving one out. */
export interface LoginOptions<
  Asked extends Scope,
  KeptUser,
  SessionStore extends Store | null | undefined,
  KeepToken extends boolean | null | undefined,
> extends ClientOptions {
  /** The application's client id. */
  readonly clientId: string;
  /** Its secret; `null` for a public client, which proves itself by PKCE alone. */
  readonly clientSecret: string | null;
  /** The scopes to ask for; `identify` must be among them, as a session is about somebody. */
  readonly scope: readonly Asked[];
  /**
   * Encrypts the cookies: random text of at least 32 characters, as `openssl rand -base64 32` makes it. With a list, the
   * newest comes first, and cookies of the older ones are still read.
   */
  readonly secret: string | readonly [newest: string, ...older: string[]];
  /**
   * Where the platform sends people back to, exactly as it is registered there. Its path is that of the callback. Behind a
   * proxy it is needed, since the request does not say what visitors see.
   *
   * @default {the origin of the request, and /callback}
   */
  readonly redirectUri?: string | URL | null | undefined;
  /** The path that begins a login. @default {"/login"} */
  readonly loginPath?: string | null | undefined;
  /** The path that ends a session. @default {"/logout"} */
  readonly logoutPath?: string | null | undefined;
  /**
   * Where sessions are kept: a database that all servers of the application share. When one operation takes longer than `timeout`,
   * `handle` answers with a page, and the other methods throw a `StoreTimeoutError`.
   *
   * @default {in a cookie}
   */
  readonly store?: SessionStore;
  /** Whether a session without a store holds the token; with a store it always does. @default {false} */
  readonly keepToken?: KeepToken;
  /** How long a session in a store lasts when it is not used, in seconds. @default {604_800, that is 7 days} */
  readonly idleTimeout?: number | null | undefined;
  /** How long a session lasts at the most, in seconds. @default {2_592_000, that is 30 days} */
  readonly maxAge?: number | null | undefined;
  /** What a session keeps of the user: a JSON value. @default {id, username, global_name, avatar and avatar_url} */
  readonly sessionUser?: ((user: UserObj) => KeptUser) | null | undefined;
  /**
   * Runs before there is a session. When it gives a `Response`, that is the answer, and there is no session; `null` or nothing
   * lets the person in.
   *
   * What it throws goes to `onError`. When reading the user or this fails, or this gives a `Response`, opening the callback again
   * runs it once more.
   *
   * @default {everybody may enter}
   */
  readonly onLogin?:
    | ((login: ConfirmedLogin<Asked>) => Response | null | void | Promise<Response | null | void>)
    | null
    | undefined;
  /**
   * Answers instead of the built-in pages. An error of this library is safe to log, and its `code` says what happened; other
   * errors are those of `onLogin`, `sessionUser` and the store.
   *
   * @default {a page in plain words, and `console.error` for what the developer has to know}
   */
  readonly onError?:
    | ((error: Error, request: Request) => Response | Promise<Response>)
    | null
    | undefined;
}

/** Options of any login, checked. */
export interface CheckedLoginOptions {
  readonly redirectUri: string | null;
  readonly loginPath: string;
  readonly callbackPath: string;
  readonly logoutPath: string;
  /** Seconds, as is the next. */
  readonly idleTimeout: number;
  readonly maxAge: number;
}

/** Any options. */
// deno-lint-ignore no-explicit-any -- any scopes, users and stores will do
type AnyOptions = LoginOptions<any, any, any, any>;

/**
 * Checks what belongs to a login alone; the rest is checked by the classes that it uses.
 *
 * @throws {TypeError} When an option is wrong, with its name.
 */
export function checkLoginOptions(options: AnyOptions): CheckedLoginOptions {
  if (typeof options !== "object" || options === null) {
    refuseObject("options", "an object", options);
  }
  const { scope, store, sessionUser, onLogin, onError } = options;
  const identifying = ["identify", "sdk.social_layer", "sdk.social_layer_presence"];
  // These two come first, so that a misspelled "identify" is not reported as a missing one.
  scopeText(scope);
  checkSpelling(scope);
  if (!scope.some((entry) => identifying.includes(entry))) {
    throw new TypeError(
      'scope must have "identify", since a session is about somebody: without it, use PlatformApi',
    );
  }
  if (store != null && typeof store.load !== "function") {
    refuse("store", "a Store, with load, save and delete", store);
  }
  for (const [name, callback] of Object.entries({ sessionUser, onLogin, onError })) {
    if (callback != null && typeof callback !== "function") refuse(name, "a function", callback);
  }
  const redirectUri = options.redirectUri == null ? null : redirectUriText(options.redirectUri);
  const checked = {
    redirectUri,
    loginPath: path("loginPath", options.loginPath ?? "/login"),
    callbackPath: redirectUri === null ? "/callback" : new URL(redirectUri).pathname,
    logoutPath: path("logoutPath", options.logoutPath ?? "/logout"),
    idleTimeout: seconds("idleTimeout", options.idleTimeout ?? 7 * 86_400),
    maxAge: seconds("maxAge", options.maxAge ?? 30 * 86_400),
  };
  const { loginPath, callbackPath, logoutPath } = checked;
  if (new Set([loginPath, callbackPath, logoutPath]).size < 3) {
    throw new TypeError("loginPath, logoutPath and the path of redirectUri must be different");
  }
  return checked;
}

function path(name: string, given: unknown): string {
  if (typeof given !== "string" || !/^\/(?!\/)[\w.~/-]*$/.test(given)) {
    refuse(name, 'a path, as in "/login"', given);
  }
  return given;
}

function seconds(name: string, given: unknown): number {
  if (typeof given !== "number" || !(given > 0 && given <= 400 * 86_400)) {
    refuse(name, "a number of seconds, at most 400 days", given);
  }
  return given;
}
