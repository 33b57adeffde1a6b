/**
 * The checks and defaults of the options of a login.
 *
 * @module
 */

import {
  assertStore,
  checkBoolean,
  checkedRedirectUri,
  checkSetting,
  throwBadArgument,
  throwBadNumber,
  throwBadObject,
} from "../../core/arguments.ts";
import { checkClientOptionNames, type ClientOptions } from "../../http/options.ts";
import { type Platform, readPlatform } from "../../links/platform.ts";
import { checkLinkScopes, type Scope } from "../../links/scopes.ts";
import { includesScope } from "../../resources/token.ts";
import { checkRefreshBefore } from "../../tokens/token_source.ts";
import type { AnyLoginOptions, LoginOptions, RelayOptions } from "../base/options.ts";
import { assertProtectedCode } from "../base/pending_login.ts";
import { checkAppOrigins, checkFrontends } from "./frontends.ts";
import { checkAfterLogin, pathNames, pathsOf } from "./page_after_login.ts";
import { checkMembers } from "./member_rules.ts";
import { checkPrompt } from "./prompt.ts";
import { type CheckedRelay, checkRelay, checkTargets } from "./targets.ts";
import { canHaveSafeCookies, type SiteAddress, siteAt } from "./site_address.ts";

/** The name of an option that only a `Login` has. */
type OptionName = Exclude<keyof LoginOptions, keyof ClientOptions>;

/** The options while the rows are being checked. Those of earlier rows have their final values. */
type PartlyChecked = AnyLoginOptions & {
  readonly redirectUri: string | null;
  readonly relay: CheckedRelay | null;
  readonly loginPath: string;
  readonly callbackPath: string;
  readonly logoutPath: string;
  readonly sessionPath: string | null;
  readonly appPath: string | null;
  readonly frontends: readonly string[];
};

/** The rules of an option. Without a check, the class that uses the option checks it. Without a default, the option is required. */
interface OptionRow {
  /** Checks a value. Returns the final value, or nothing if the value stays as it is. */
  check?(given: unknown, name: string, options: PartlyChecked): unknown;
  /** The value of an option that is `null` or left out, or a function that returns it. */
  readonly default?: unknown;
  /** The option that this one needs, and the reason. */
  readonly needs?: readonly [option: OptionName, reason: string];
}

/** The options of a `Login`, besides those of every client. A row may use the options of the rows above. */
export const loginOptions = {
  clientId: {},
  clientSecret: {},
  scope: { check: checkScope },
  secret: {},
  redirectUri: { check: checkSiteUri, default: null },
  relay: { check: checkRelayOption, default: null },
  name: { check: checkName, default: "" },
  loginPath: { check: checkPath, default: "/login" },
  callbackPath: { check: checkPath, default: callbackPathOf },
  logoutPath: { check: checkPath, default: "/logout" },
  sessionPath: { check: checkPublicPath, default: null },
  frontends: {
    check: (given: unknown, _name: string, { redirectUri, relay }: PartlyChecked) =>
      checkFrontends(given, relay?.origin ?? redirectUri),
    default: [],
  },
  appPath: {
    check: checkPublicPath,
    default: null,
    needs: ["store", "since an app has no cookies"] as const,
  },
  appTargets: {
    check: checkTargets,
    default: [],
    needs: ["appPath", "where apps log in"] as const,
  },
  appOrigins: {
    check: checkAppOrigins,
    default: [],
    needs: ["appPath", "where apps log in"] as const,
  },
  afterLogin: { check: checkPageAfterLogin, default: "/" },
  afterLogout: { check: checkPageAfterLogout, default: "/" },
  prompt: { check: checkPrompt, default: null },
  store: { check: assertStore, default: null },
  keepToken: { check: checkFlag, default: false },
  freshFor: { check: checkSecondsOrZero, default: 5 },
  backgroundTokens: {
    check: checkFlag,
    default: false,
    needs: ["store", "since a background job has no cookies"] as const,
  },
  members: {
    check: checkMembers,
    default: null,
    needs: ["store", "which keeps the membership"] as const,
  },
  refreshBefore: { check: (given: number) => void checkRefreshBefore(given), default: null },
  idleTimeout: {
    check: checkSeconds,
    default: 7 * 86_400,
    needs: ["store", "since cookies end with the token"] as const,
  },
  maxAge: { check: checkSeconds, default: 30 * 86_400 },
  sessionUser: { check: checkFunction, default: null },
  publicUser: { check: checkPublicUser, default: null },
  sessionLabel: { check: checkFunction, default: null },
  visitor: { check: checkFunction, default: null },
  onLogin: { check: checkFunction, default: null },
  onError: { check: checkFunction, default: null },
  onEvent: { check: checkFunction, default: null },
};

/** The type of a checked value. A check that returns nothing leaves the type of the option. */
type CheckedValue<Name extends OptionName, Row> = Row extends { check(...args: never): infer Value }
  ? Value extends void ? NonNullable<AnyLoginOptions[Name]> : Value
  : AnyLoginOptions[Name];

/** The type of a default. */
type DefaultValue<Row> = Row extends { readonly default: infer Default }
  ? Default extends (...args: never) => infer Value ? Value : Default
  : never;

/** The options of a `Login`, checked and with defaults. */
type CheckedRows = {
  readonly [Name in keyof typeof loginOptions]:
    | CheckedValue<Name, (typeof loginOptions)[Name]>
    | DefaultValue<(typeof loginOptions)[Name]>;
};

/** The options of any login, checked and with defaults. */
export interface CheckedLoginOptions extends ClientOptions, CheckedRows {
  /** `null` for Discord. */
  readonly platform: Platform | null;
  /** The address of the application in `redirectUri`, or `null` without that option. */
  readonly site: SiteAddress | null;
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
  const checked = checkRows(options);
  const { scope, appPath, relay } = checked;
  const found: Record<string, string> = {};
  for (const name of pathNames) {
    const path = checked[name];
    if (path === null) continue;
    const other = found[path];
    if (other) {
      const isDefault = options.callbackPath == null && /callback/.test(other + name);
      const reason = isDefault ? "; callbackPath defaults to redirectUri's path" : "";
      throw new TypeError(`${other} and ${name} must be different${reason}`);
    }
    found[path] = name;
  }
  assertProtectedCode(scope, appPath !== null || relay !== null);
  return { ...checked, platform: readPlatform(options.platform), site: siteOf(checked) };
}

/** Checks the options row by row, and fills in the defaults. */
function checkRows(options: AnyLoginOptions): ClientOptions & CheckedRows {
  const checked: Record<string, unknown> = { ...options };
  const soFar = checked as unknown as PartlyChecked;
  const rows: Readonly<Record<OptionName, OptionRow>> = loginOptions;
  for (const [name, row] of Object.entries(rows)) {
    const given = checked[name];
    if (given == null && "default" in row) {
      checked[name] = typeof row.default === "function" ? row.default(soFar) : row.default;
      continue;
    }
    const [needed, reason] = row.needs ?? [];
    if (needed && given !== false && options[needed] == null) {
      throw new TypeError(`${name} needs the option ${needed}, ${reason}`);
    }
    checked[name] = row.check?.(given, name, soFar) ?? given;
  }
  return checked as unknown as CheckedRows;
}

/** Returns the scopes, each once. */
function checkScope(scope: AnyLoginOptions["scope"]): readonly Scope[] {
  // The spelling is checked first, so that a misspelled "identify" is not reported as missing.
  checkLinkScopes(scope);
  if (!includesScope(scope, "identify")) {
    throw new TypeError(
      'scope must include "identify", since a session belongs to a user. For a token alone, use PlatformApi',
    );
  }
  return [...new Set(scope)];
}

/** Checks the page after a login. Its row is below those of the options that decide the pages of this site. */
function checkPageAfterLogin(
  given: NonNullable<AnyLoginOptions["afterLogin"]>,
  _name: string,
  options: PartlyChecked,
): NonNullable<AnyLoginOptions["afterLogin"]> {
  return checkAfterLogin(given, { ...options, site: siteOf(options) });
}

/** Returns a redirect URI as text. Throws if its site can't have safe cookies. */
function checkSiteUri(given: string | URL): string {
  checkSetting("redirectUri", given);
  const uri = checkedRedirectUri(given);
  const url = new URL(uri);
  if (canHaveSafeCookies(url)) return uri;
  throw new TypeError(
    "redirectUri must begin with https:, or with http: on this machine, like http://localhost:3000, " +
      `received ${url.protocol}//${url.host}`,
  );
}

/** Returns the address of the application in the options, or `null` if only its requests have it. */
function siteOf(
  { redirectUri, relay, callbackPath }: Pick<
    PartlyChecked,
    "redirectUri" | "relay" | "callbackPath"
  >,
): SiteAddress | null {
  if (relay) return siteAt(new URL(relay.origin), callbackPath, relay.url);
  if (redirectUri === null) return null;
  const url = new URL(redirectUri);
  return siteAt(url, url.pathname, redirectUri);
}

/** Checks the addresses of previews. */
function checkRelayOption(
  given: RelayOptions,
  _name: string,
  { redirectUri, secret }: PartlyChecked,
): CheckedRelay {
  if (redirectUri !== null) {
    throw new TypeError("redirectUri can't be used with relay: relay.url is the redirect URI");
  }
  return checkRelay(given, secret);
}

function callbackPathOf({ redirectUri, relay }: PartlyChecked): string {
  const address = relay?.url ?? redirectUri;
  return address === null ? "/callback" : new URL(address).pathname;
}

function checkName(given: unknown): void {
  if (typeof given !== "string" || !/^[a-z0-9]{0,16}$/.test(given)) {
    throwBadArgument("name", "at most 16 lowercase letters and digits", given);
  }
}

function checkPath(given: unknown, name: string): void {
  assertPath(given, name, "/login");
}

/** Checks the page after a logout. A path of the login itself would begin the next login; a frontend may have a page with this path. */
function checkPageAfterLogout(given: unknown, name: string, options: PartlyChecked): void {
  assertPath(given, name, "/bye");
  if (options.frontends.length === 0 && pathsOf(options).includes(`${given}`)) {
    throwBadArgument(name, 'a path like "/bye" outside the login itself', given);
  }
}

function assertPath(given: unknown, name: string, example: string): void {
  if (typeof given !== "string" || !/^\/(?!\/)[\w.~/-]*$/.test(given)) {
    throwBadArgument(name, `a path like "${example}"`, given);
  }
}

/** Checks a path with public sessions. Keeps pages and apps from data of the session that is not public. */
function checkPublicPath(
  given: unknown,
  name: string,
  { sessionUser, publicUser }: PartlyChecked,
): void {
  checkPath(given, name);
  if (sessionUser != null && publicUser == null) {
    throw new TypeError(
      `${name} needs the option publicUser with sessionUser, since a session may have data that pages must not see`,
    );
  }
}

function checkPublicUser(
  given: unknown,
  name: string,
  { sessionPath, appPath }: PartlyChecked,
): void {
  if (sessionPath === null && appPath === null) {
    throw new TypeError("publicUser needs the option sessionPath, where pages read its user");
  }
  checkFunction(given, name);
}

function checkFlag(given: unknown, name: string): void {
  checkBoolean(name, given);
}

function checkSeconds(given: unknown, name: string): void {
  if (typeof given !== "number" || !(given > 0 && given <= 400 * 86_400)) {
    throwBadNumber(name, "a number of seconds, at most 400 days", given);
  }
}

function checkSecondsOrZero(given: unknown, name: string): void {
  if (given !== 0) checkSeconds(given, name);
}

function checkFunction(given: unknown, name: string): void {
  if (typeof given !== "function") throwBadArgument(name, "a function", given);
}
