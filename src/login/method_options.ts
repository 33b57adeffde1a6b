/**
 * The options of the methods of `Login`, their checks, and the result of `finish`.
 *
 * @module
 */

import { throwBadArgument } from "../core/arguments.ts";
import { checkOptionNames } from "../core/options.ts";
import type { AuthUrlParams } from "../links/auth_url.ts";
import type { Scope } from "../links/scopes.ts";
import type { PermissionInput } from "../permissions/permission_input.ts";
import type { TokenObj } from "../resources/token.ts";
import type { UserObj } from "../resources/user.ts";
import { assertRequest } from "./site_address.ts";

/** Options of {@link Login.start}: the parameters of the link, except for those of the login itself. */
export interface StartOptions<Data = unknown>
  extends Omit<AuthUrlParams, "state" | "codeVerifier" | "nonce" | "responseType"> {
  /**
   * Scopes to ask for beside those of the `Login`, at least one; with `role_connections.write` also `openid`, unless the `Login` has
   * it. A person with a session is also asked for its scopes, except `bot`, `webhook.incoming` and `applications.commands`. Their session goes on with the new token and its old start. If
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
   * session, for example after a 401 for its token, because the person may have followed a link from another site. In a route for
   * logouts, it would let any site log people out.
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
export interface FinishedLogin<Requested extends Scope> {
  /** The person of the login. */
  readonly user: UserObj;
  /** The person's token. */
  readonly token: TokenObj<Requested>;
  /** The page to return to: a path of this site, or the address of a page of one of the `frontends`. */
  readonly returnTo: string;
  /**
   * The guild to which a bot was added, or `null`. The guild comes from the token. If the token names none and the scope has `bot`, it
   * comes from the address of the callback. The visitor can change that address.
   */
  readonly guildId: string | null;
  /** The permissions of the bot's role in that guild, as a decimal string, or `null`. */
  readonly permissions: `${bigint}` | null;
  /** The headers that set the cookies. The application's response must have them. */
  readonly headers: Headers;
  /**
   * The response in place of the page to return to, or `null`. With a response there is no new session. It is the response of `onLogin`;
   * or a redirect to the platform, to ask without a page for the scopes that another tab has brought meanwhile.
   */
  readonly response: Response | null;
}

/** The names of the options of each method. */
const known = {
  start: {
    scope: true,
    returnTo: true,
    data: true,
    permissions: true,
    prompt: true,
    guildId: true,
    disableGuildSelect: true,
    integrationType: true,
  } satisfies Record<keyof StartOptions, true>,
  end: { everywhere: true, allowCrossSite: true } satisfies Record<keyof EndOptions, true>,
  endAll: { startedBefore: true, tokens: true } satisfies Record<keyof EndAllOptions, true>,
  revoke: { startedBefore: true } satisfies Record<keyof RevokeOptions, true>,
};

/**
 * Checks the arguments of a method. Frameworks that call the method itself pass more than a request: Next.js `{ params }`, others
 * the environment.
 *
 * @throws {TypeError} If the request is not a `Request`, or an option is unknown.
 */
export function checkArguments(
  method: "start" | "end",
  request: Request,
  options: object | null | undefined,
): void {
  assertRequest(request);
  const hint =
    `; if a framework calls ${method}() itself, give it (request) => login.${method}(request)`;
  checkOptionNames("options", options, Object.keys(known[method]), hint);
}

/**
 * Checks the options of a method about a person, and returns `startedBefore` in milliseconds since the epoch; `Infinity` without it.
 *
 * @throws {TypeError} If an option is unknown, or `startedBefore` is not a time.
 */
export function checkedStartedBefore(
  method: "endAll" | "revoke",
  options: RevokeOptions | null | undefined,
): number {
  checkOptionNames("options", options, Object.keys(known[method]));
  const given: unknown = options?.startedBefore;
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
