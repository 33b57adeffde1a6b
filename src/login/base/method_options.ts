/**
 * The options of the methods of `Login`, their checks, and the result of `finish`.
 *
 * @module
 */

import { throwBadNumber } from "../../core/arguments.ts";
import { checkOptionNames } from "../../core/options.ts";
import type { AuthUrlParams } from "../../links/authorization_link.ts";
import type { Scope, SpelledScope } from "../../links/scopes.ts";
import type { PermissionInput } from "../../permissions/permission_input.ts";
import type { TokenObj } from "../../resources/token.ts";
import type { UserObj } from "../../resources/user.ts";
import type { Store } from "../../stores/store.ts";

export type { PermissionInput } from "../../permissions/permission_input.ts";

/**
 * Options of {@link Login.start}: the parameters of the authorization URL, except for those that the login sets itself.
 *
 * @typeParam Data The type of the option `data`.
 * @typeParam Asked The scopes of the option `scope`.
 */
export interface StartOptions<
  Data = unknown,
  // deno-lint-ignore no-explicit-any -- as for TokenObj
  Asked extends Scope = any,
> extends
  Omit<AuthUrlParams, "state" | "codeVerifier" | "codeChallenge" | "nonce" | "responseType"> {
  /**
   * Scopes to request in addition to those of the `Login`, at least one. With `role_connections.write`, add `openid`, unless the
   * `Login` has it. If the user has a session, the link also asks for the session's scopes, except `bot`, `webhook.incoming` and
   * `applications.commands`. The session continues with the new token and keeps its start time. If another user consents, or the
   * session has ended in the meantime, nothing changes.
   *
   * @default {none}
   */
  readonly scope?: (readonly SpelledScope<Asked>[] & readonly Scope[]) | null | undefined;
  /**
   * The page to return to after the login: a path or a URL of this site, or a URL of one of the `frontends`. Any other text, and any
   * path of the login itself, is ignored: the option `afterLogin` then decides.
   *
   * @default {the page of the request; none if its method is not `GET`}
   */
  readonly returnTo?: string | URL | null | undefined;
  /**
   * A small JSON value for `onLogin`, `sessionUser` and `afterLogin`. An encrypted cookie keeps the value until the callback. If the
   * parameter of these functions declares the type of `data`, the value must have that type.
   *
   * @default {null}
   */
  readonly data?: Data | null | undefined;
  /**
   * Overrides the option `prompt` of the `Login`: `"consent"` always shows the consent page, and `"none"` skips it for users who have
   * granted the same scopes before.
   *
   * @default {the option `prompt` of the `Login`}
   */
  readonly prompt?: "none" | "consent" | null | undefined;
  /** The permissions to request for the bot in its guild, with the scope `bot`. @default {none} */
  readonly permissions?: PermissionInput | null | undefined;
}

/**
 * The type of the argument `userId` of the methods that need a store: a `string`. If the login has no store, no id has this type, and
 * the compiler shows the text `Message`.
 *
 * @typeParam SessionStore The type of the option `store`.
 * @typeParam Message The text that the compiler shows.
 */
export type UserIdWithStore<SessionStore, Message extends string = "needs the option store"> =
  SessionStore extends Store ? string : Message;

/** Options of {@link Login.end}. */
export interface EndOptions {
  /**
   * True to end all sessions of the user, and to revoke all their Discord tokens. Without a store, only the session of
   * this browser ends, because cookies in other browsers last as long as their access tokens; and only a session with `keepToken`
   * has a token to revoke.
   *
   * @default {false}
   */
  readonly everywhere?: boolean | null | undefined;
  /**
   * True to end the session even if another site sent the request. Set this only where the application itself decides to end a session, for
   * example after a 401 for the session's token: the user may have followed a link from another site. In a logout route, `allowCrossSite`
   * would let any site log users out.
   *
   * @default {false}
   */
  readonly allowCrossSite?: boolean | null | undefined;
}

/** Options of {@link Login.endAll}. */
export interface EndAllOptions {
  /**
   * Ends only sessions whose login, or latest consent, was before this time: a `Date`, or milliseconds since the epoch. This way, a
   * delayed event does not end the session of a later login.
   *
   * @default {all sessions end}
   */
  readonly startedBefore?: number | Date | null | undefined;
  /**
   * True to also remove the token that `backgroundTokens` keeps, for example because the user has removed the application. With
   * `startedBefore`, the token of a later login stays. Discord does not revoke the token.
   *
   * @default {false}
   */
  readonly tokens?: boolean | null | undefined;
}

/** Options of {@link Login.revoke}. */
export interface RevokeOptions {
  /**
   * Revokes the token only if its login was before this time: a `Date`, or milliseconds since the epoch.
   *
   * @default {any token}
   */
  readonly startedBefore?: number | Date | null | undefined;
}

/** The result of {@link Login.finish}. */
export interface FinishedLogin<Requested extends Scope> {
  /** The user of the login. */
  readonly user: UserObj;
  /** The user's token. */
  readonly token: TokenObj<Requested>;
  /** The page after the login: a path of this site, or a URL of one of the `frontends`. The option `afterLogin` may decide it. */
  readonly returnTo: string;
  /**
   * The id of the guild that a bot was added to, or `null`. The id comes from the token. If the token has no guild and the scope has
   * `bot`, the id comes from the callback URL, which the visitor can change.
   */
  readonly guildId: string | null;
  /** The permissions of the bot's role in that guild, as a decimal string, or `null`. */
  readonly permissions: `${bigint}` | null;
  /** The headers that set the cookies. The application's response must have them. */
  readonly headers: Headers;
  /**
   * The response to send instead of a redirect to `returnTo`, or `null`. With a response there is no new session. Either `onLogin`
   * returned the response, or the response redirects to Discord: another tab has received more scopes in the meantime, and the
   * redirect asks for these too, without a consent page.
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
    channelId: true,
  } satisfies Record<keyof StartOptions, true>,
  end: { everywhere: true, allowCrossSite: true } satisfies Record<keyof EndOptions, true>,
  endAll: { startedBefore: true, tokens: true } satisfies Record<keyof EndAllOptions, true>,
  revoke: { startedBefore: true } satisfies Record<keyof RevokeOptions, true>,
};

/**
 * Checks the option names of a method. A framework that calls the method directly passes a second argument: Next.js `{ params }`, others the
 * environment.
 *
 * @throws {TypeError} If an option is unknown.
 */
export function checkMethodOptions(
  method: "start" | "end",
  options: object | null | undefined,
): void {
  const hint =
    `; if a framework calls ${method}() itself, pass (request) => login.${method}(request)`;
  checkOptionNames("options", options, Object.keys(known[method]), hint);
}

/**
 * Checks the options of `endAll` or `revoke`. Returns `startedBefore` in milliseconds since the epoch, or `Infinity` without that option.
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
    throwBadNumber(
      "options.startedBefore",
      "a Date or milliseconds since the epoch",
      given,
    );
  }
  return time;
}
