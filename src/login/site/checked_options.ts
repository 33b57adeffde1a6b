/**
 * The checks and defaults of the options of a login.
 *
 * @module
 */

import {
  checkedRedirectUri,
  checkSetting,
  throwBadArgument,
  throwBadObject,
} from "../../core/arguments.ts";
import { checkClientOptionNames, type ClientOptions } from "../../http/options.ts";
import { checkScopeSpelling, joinLinkScopes } from "../../links/scopes.ts";
import { includesScope } from "../../resources/token.ts";
import type { Store } from "../../stores/store.ts";
import { checkRefreshBefore } from "../../tokens/token_source.ts";
import type { AnyLoginOptions, LoginOptions } from "../base/options.ts";
import { assertProtectedCode } from "../base/pending_login.ts";
import { checkFrontends } from "./frontends.ts";
import { checkAfterLogin } from "./page_after_login.ts";
import { checkPrompt } from "./prompt.ts";
import { canHaveSafeCookies, type SiteAddress, siteAt } from "./site_address.ts";

/** The options of a `Login`, besides those of every client. */
export const loginOptions = {
  clientId: true,
  clientSecret: true,
  scope: true,
  secret: true,
  redirectUri: true,
  name: true,
  loginPath: true,
  callbackPath: true,
  logoutPath: true,
  sessionPath: true,
  afterLogout: true,
  afterLogin: true,
  prompt: true,
  frontends: true,
  store: true,
  keepToken: true,
  freshFor: true,
  backgroundTokens: true,
  refreshBefore: true,
  idleTimeout: true,
  maxAge: true,
  sessionUser: true,
  publicUser: true,
  sessionLabel: true,
  onLogin: true,
  onError: true,
  onEvent: true,
} satisfies Record<Exclude<keyof LoginOptions, keyof ClientOptions>, true>;

const storeMethods = ["load", "save", "delete"] as const;

const functionOptions = [
  "sessionUser",
  "publicUser",
  "sessionLabel",
  "onLogin",
  "onError",
  "onEvent",
] as const;

/** The options of any login, checked and with defaults. */
export interface CheckedLoginOptions extends AnyLoginOptions {
  readonly redirectUri: string | null;
  /** The address of the application in `redirectUri`, or `null` without that option. */
  readonly site: SiteAddress | null;
  readonly name: string;
  readonly loginPath: string;
  readonly callbackPath: string;
  readonly logoutPath: string;
  readonly sessionPath: string | null;
  readonly afterLogout: string;
  readonly afterLogin: NonNullable<AnyLoginOptions["afterLogin"]>;
  readonly prompt: "none" | "consent" | null;
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
 * Checks the options that only a login has. The other options are checked by the classes that use them.
 *
 * @throws {TypeError} If an option is wrong, with its name.
 */
export function checkLoginOptions(options: AnyLoginOptions): CheckedLoginOptions {
  if (typeof options !== "object" || options === null) {
    throwBadObject("options", "an object", options);
  }
  checkClientOptionNames(options, loginOptions);
  const { scope, store } = options;
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
      "backgroundTokens needs the option store, since a background job has no cookies",
    );
  }
  for (const name of functionOptions) {
    const given: unknown = options[name];
    if (given != null && typeof given !== "function") throwBadArgument(name, "a function", given);
  }
  checkPublicUser(options);
  checkRefreshBefore(options.refreshBefore);
  const site = options.redirectUri == null ? null : checkSiteUri(options.redirectUri);
  const redirectUri = site && site.redirectUri;
  const checked = {
    ...options,
    scope: [...new Set(scope)],
    site,
    redirectUri,
    name: checkName(options.name ?? ""),
    loginPath: checkPath("loginPath", options.loginPath ?? "/login"),
    callbackPath: options.callbackPath == null
      ? site ? site.callbackPath : "/callback"
      : checkPath("callbackPath", options.callbackPath),
    logoutPath: checkPath("logoutPath", options.logoutPath ?? "/logout"),
    sessionPath: options.sessionPath == null ? null : checkPath("sessionPath", options.sessionPath),
    afterLogout: checkPath("afterLogout", options.afterLogout ?? "/", "/bye"),
    prompt: checkPrompt(options.prompt),
    frontends: checkFrontends(options.frontends ?? [], redirectUri),
    freshFor: checkFreshFor(options.freshFor ?? 5),
    store: options.store ?? null,
    keepToken: options.keepToken === true,
    backgroundTokens: options.backgroundTokens === true,
    refreshBefore: options.refreshBefore ?? null,
    idleTimeout: checkSeconds("idleTimeout", options.idleTimeout ?? 7 * 86_400),
    maxAge: checkSeconds("maxAge", options.maxAge ?? 30 * 86_400),
  };
  const { loginPath, callbackPath, logoutPath, sessionPath } = checked;
  if (new Set([loginPath, callbackPath, logoutPath, sessionPath]).size < 4) {
    throw new TypeError(
      "loginPath, callbackPath, logoutPath and sessionPath must be different; callbackPath is the path of redirectUri if it is not given",
    );
  }
  return { ...checked, afterLogin: checkAfterLogin(options.afterLogin, checked) };
}

/** @throws {TypeError} If pages could get data that the application keeps for itself, or if nothing calls `publicUser`. */
function checkPublicUser({ sessionPath, sessionUser, publicUser }: AnyLoginOptions): void {
  if (sessionPath != null && sessionUser != null && publicUser == null) {
    throw new TypeError(
      "sessionPath needs the option publicUser beside sessionUser, since a session may have data that pages must not get",
    );
  }
  if (sessionPath == null && publicUser != null) {
    throw new TypeError("publicUser needs the option sessionPath, where pages read its user");
  }
}

/** Returns the address of the application in a redirect URI. Throws if its site can't have safe cookies. */
function checkSiteUri(given: string | URL): SiteAddress {
  checkSetting("redirectUri", given);
  const uri = checkedRedirectUri(given);
  const url = new URL(uri);
  if (canHaveSafeCookies(url)) return siteAt(url, url.pathname, uri);
  throw new TypeError(
    "redirectUri must begin with https:, or with http: on this machine, as in http://localhost:3000, " +
      `received ${url.protocol}//${url.host}`,
  );
}

function checkName(given: unknown): string {
  if (typeof given !== "string" || !/^[a-z0-9]{0,16}$/.test(given)) {
    throwBadArgument("name", "at most 16 lower case letters and digits", given);
  }
  return given;
}

function checkPath(name: string, given: unknown, example = "/login"): string {
  if (typeof given !== "string" || !/^\/(?!\/)[\w.~/-]*$/.test(given)) {
    throwBadArgument(name, `a path, as in "${example}"`, given);
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
