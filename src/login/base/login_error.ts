/**
 * The errors of a refused login or logout.
 *
 * @module
 */

import { missingCookieHint, stateMismatchError } from "../../links/authorization_response.ts";
import {
  type ErrorCode,
  GuildpassError,
  type GuildpassErrorOptions,
  StateMismatchError,
} from "../../core/errors.ts";

/**
 * The reason why a login, a logout or an update of a session is refused:
 *
 * - `"insecure_site"`: the URL of the application is neither HTTPS nor on localhost;
 * - `"other_origin"`: the request and the redirect URI use different names of localhost;
 * - `"used"`: the callback was opened before, and the login failed;
 * - `"refused_token"`: Discord has rejected the new token. For some users this repeats until they remove the application under User
 *   Settings > Authorized Apps, and log in again;
 * - `"other_person"`: the login asked for additional scopes for a session, and another user consented or has logged in since, or the session
 *   has ended. `finish` also throws this error for a renewal; `handle` then shows the consent page instead;
 * - `"lost_callback"`: the callback came to a path that `handle` does not serve, often because of an extra or missing slash at its end;
 * - `"other_login"`: the callback belongs to a `Login` with another `name`. Each `Login` needs its own `callbackPath`;
 * - `"too_many_failures"`: Discord has rejected too many codes of a visitor, named by the option `visitor`. The callback can be opened
 *   again after `retryAfter`;
 * - `"cross_site"`: another site sent the request to log out;
 * - `"not_a_member"`: the user is not a member of a guild of the option `members`, or lacks the role;
 * - `"no_session"`: there is no session to update, or to save a token in.
 */
export type LoginErrorReason =
  | "insecure_site"
  | "other_origin"
  | "used"
  | "refused_token"
  | "other_person"
  | "lost_callback"
  | "other_login"
  | "too_many_failures"
  | "cross_site"
  | "not_a_member"
  | "no_session";

/**
 * The code of an error on a built-in page and in an event: the `code` of the error, with three additions. `"access_denied"` is for a
 * canceled consent, `"invalid_request"` for a callback that Discord did not send, and `"internal_error"` for any error from
 * outside this library.
 */
export type PageCode = ErrorCode | "access_denied" | "invalid_request" | "internal_error";

/** A login, a logout or an update of a session was refused. `reason` is one of {@link LoginErrorReason}, and `hint` says what to do. */
export class LoginError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "LoginError";
  /** The code of the error, for a `switch`. */
  declare readonly code: "login_failed";
  /** The reason why the login, the logout or the update was refused. */
  readonly reason: LoginErrorReason;
  /** For `"lost_callback"`, the path of the request and the path that `handle` serves; otherwise `null`. */
  readonly paths: readonly [requested: string, served: string] | null;

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The reason and the hint.
   */
  constructor(
    message: string,
    options: GuildpassErrorOptions & {
      readonly reason: LoginErrorReason;
      /** The paths of a lost callback. @default {null} */
      readonly paths?: readonly [requested: string, served: string] | undefined;
    },
  ) {
    super(message, { ...options, code: "login_failed" });
    this.reason = options.reason;
    this.paths = options.paths ?? null;
  }
}

/** Creates the error for a callback on a path that `handle` does not serve. A new login would fail in the same way, in an endless loop. */
export function lostCallbackError(requested: string, served: string): LoginError {
  return new LoginError(
    `The callback arrived at ${requested}, but this login is served at ${served}`,
    {
      reason: "lost_callback",
      paths: [requested, served],
      hint:
        "Make the host keep the path, or use the path that arrives in redirectUri and omit callbackPath",
    },
  );
}

/** Creates the error for a new token that Discord refuses. */
export function refusedNewTokenError(): LoginError {
  return new LoginError("The platform responded with 401 to its own new token", {
    reason: "refused_token",
    hint:
      "For some accounts, every new token is refused. Ask the user to remove the application on the platform under User Settings > " +
      "Authorized Apps, and to log in again. Do not start a new login automatically: refused requests count toward an IP ban",
  });
}

/** Creates the error for a person who is not a member of the option `members`. */
export function notMemberError(): LoginError {
  return new LoginError("The user is not a member of a guild in the option members", {
    reason: "not_a_member",
    hint: "The user must join, pass the membership screening, and have one of the roles",
  });
}

/** Creates the error for a request without a session. */
export function noSessionError(): LoginError {
  return new LoginError("The request has no session, or it has ended", {
    reason: "no_session",
    hint: "Ask the user to log in, as when session() returns null",
  });
}

/**
 * Creates the error for a callback without a pending login in this browser.
 *
 * @param state The state of the callback, or `null`.
 * @param namesGuild True if the callback says that a bot was added.
 */
export function noPendingLoginError(state: string | null, namesGuild: boolean): StateMismatchError {
  if (state === null) return stateMismatchError("no_state");
  return new StateMismatchError(
    "The callback does not belong to a login that this browser began in the last ten minutes",
    {
      reason: "no_expected_state",
      hint: namesGuild
        ? "The bot may still have been added: check with the bot's token. Do not trust the guild_id: any visitor can make up such a URL"
        : missingCookieHint,
    },
  );
}

/** Creates the error for a callback whose login belongs to another `Login`. */
export function otherLoginError(): LoginError {
  return new LoginError("The callback belongs to a Login with another name in this browser", {
    reason: "other_login",
    hint:
      "Give each Login its own callbackPath, and a redirectUri with that path if it has one. Register all of them on the platform",
  });
}

/** Creates the error for a visitor with too many refused codes. */
export function tooManyFailuresError(retryAfter: number): LoginError {
  return new LoginError("The code was not sent: too many codes from this visitor were refused", {
    reason: "too_many_failures",
    isTemporary: true,
    retryAfter,
    hint: "If all visitors get this, the option visitor returns the same address for all",
  });
}

/** Creates the error for a consent or a renewal whose session has ended or belongs to another person. */
export function otherSessionError(): LoginError {
  return new LoginError("The session has ended, or another user has logged in since", {
    reason: "other_person",
    hint: unchangedHint,
  });
}

/** Creates the error for a consent of an app whose session has got additional scopes from another consent meanwhile. */
export function furtherScopesError(): LoginError {
  return new LoginError("The session was granted other scopes in the meantime", {
    reason: "used",
    hint: "Start again",
  });
}

/** Creates the error for a consent or a renewal by another person than that of the session. */
export function otherPersonError(kind: "renewal" | "consent"): LoginError {
  return new LoginError("The user who consented is not the user of the session", {
    reason: "other_person",
    hint: kind === "renewal"
      ? "Start a login with a consent page"
      : `${unchangedHint}, or to choose the same account on the consent page`,
  });
}

const unchangedHint = "The session in this browser was not changed. Ask the user to log in again";
