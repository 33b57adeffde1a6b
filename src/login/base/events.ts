/**
 * The events of a login, for metrics and audit logs.
 *
 * @module
 */

import { LoginRequiredError, OAuthError, StateMismatchError } from "../../core/errors.ts";
import { ApiError, RateLimitError } from "../../core/response_errors.ts";
import { IdTokenError } from "../../core/signature_errors.ts";
import type { RequestObserver } from "../../http/options.ts";
import { callSafely } from "../../http/options.ts";
import { type HttpRequest, shownPathOf, withoutIds } from "../../http/request.ts";
import { freeze } from "../../core/freeze.ts";
import { isRefusedRefresh } from "../../tokens/token_hints.ts";
import { type PacedTokenApi, takeRefreshSlot } from "../../tokens/token_api.ts";
import { LoginError, type PageCode } from "./login_error.ts";
import { isBadCallback, pageSummary } from "./error_kind.ts";
import { personOf, type Purpose } from "./pending_login.ts";

/**
 * The purpose of a login. `"login"` logs any user in. `"consent"` asks the user of a session for additional scopes. `"renewal"` renews a
 * session that ended with its token, without asking the user.
 */
export type LoginPurpose = "login" | "consent" | "renewal";

/** A visitor was redirected to the consent page. Many visitors never come back. */
export interface LoginStartedEvent {
  /** The time of the event, in milliseconds since the epoch. */
  readonly time: number;
  /** The id of the user, a snowflake, or `null` if the user is not known. */
  readonly userId: string | null;
  /** The kind of the event. */
  readonly kind: "login_started";
  /** The purpose of the login. For `"login"`, the user is not known yet. */
  readonly purpose: LoginPurpose;
  /** The scopes that the user is asked for. */
  readonly scopes: readonly string[];
}

/** A user has logged in, or has granted additional scopes. Reported once, however often the callback is opened. */
export interface LoginCompletedEvent extends Pick<LoginStartedEvent, "time" | "userId"> {
  /** The kind of the event. */
  readonly kind: "login_completed";
  /** The id of the user, a snowflake. */
  readonly userId: string;
  /** The purpose of the login. A `"consent"` changes the existing session. */
  readonly purpose: LoginPurpose;
  /** The scopes that the user has granted. */
  readonly scopes: readonly string[];
}

/** Discord has confirmed a login, but there is no new session. */
export interface LoginRefusedEvent extends Pick<LoginStartedEvent, "time" | "userId"> {
  /** The kind of the event. */
  readonly kind: "login_refused";
  /** The id of the user, a snowflake. */
  readonly userId: string;
  /** The purpose. */
  readonly purpose: LoginPurpose;
  /**
   * `"response"` if `onLogin` returned a response, `"sessions_ended"` if the login, or the session of the consent, has ended in the
   * meantime.
   */
  readonly reason: "response" | "sessions_ended";
}

/** A request to begin or finish a login has failed. A repeated request is reported again, as with `onError`. */
export interface LoginFailedEvent extends Pick<LoginStartedEvent, "time" | "userId"> {
  /** The kind of the event. */
  readonly kind: "login_failed";
  /** The error code of the built-in page. */
  readonly code: PageCode;
  /**
   * The `reason` of the error, or the `error` of an `OAuthError`, as in `"invalid_grant"`; otherwise `null`. Also `null` if an `error`
   * of Discord has characters other than lowercase letters, dots and underscores, since it could be any text.
   */
  readonly reason: string | null;
  /** The HTTP status of Discord's response, or `null` if the error has none. */
  readonly httpStatus: number | null;
  /** The purpose of the login, or `null` if the request does not belong to a login of this browser. */
  readonly purpose: LoginPurpose | null;
  /** The HTTP status of the built-in page that shows the error. */
  readonly pageStatus: number;
  /** For the reason `"lost_callback"`, the path of the callback and the path that `handle` serves. Absent otherwise. */
  readonly paths?: readonly [requested: string, served: string];
}

/** A request to log out has failed, for example because another site sent it. */
export interface LogoutFailedEvent
  extends Pick<LoginFailedEvent, "time" | "userId" | "code" | "reason" | "httpStatus"> {
  /** The kind of the event. */
  readonly kind: "logout_failed";
  /** The HTTP status of the built-in page that shows the error. */
  readonly pageStatus: number;
}

/** The token of a user was refreshed. Only the process that refreshed the token reports this. */
export interface TokenRefreshedEvent extends Pick<LoginStartedEvent, "time" | "userId"> {
  /** The kind of the event. */
  readonly kind: "token_refreshed";
  /** The id of the user, a snowflake. */
  readonly userId: string;
}

/** A refresh of a user's token has failed. */
export interface TokenRefreshFailedEvent
  extends Pick<LoginFailedEvent, "time" | "userId" | "code" | "reason" | "httpStatus"> {
  /** The kind of the event. */
  readonly kind: "token_refresh_failed";
  /** The id of the user, a snowflake. */
  readonly userId: string;
  /**
   * True if the refresh token will not work again: the user must log in when the access token expires or gets a 401, unless a later login
   * has saved another token. False if the refresh will be retried.
   */
  readonly isFinal: boolean;
}

/**
 * A logout everywhere could not revoke a user's Discord tokens. With `backgroundTokens`, `login.revoke` can retry. Otherwise
 * no token is left to revoke.
 */
export interface RevocationFailedEvent
  extends Pick<LoginFailedEvent, "time" | "userId" | "code" | "reason" | "httpStatus"> {
  /** The kind of the event. */
  readonly kind: "revocation_failed";
  /** The id of the user, a snowflake. */
  readonly userId: string;
}

/** A rate limit, or a block by Discord's edge servers, has delayed a request or made it fail. */
export interface RequestHeldEvent extends Pick<LoginStartedEvent, "time" | "userId"> {
  /** The kind of the event. */
  readonly kind: "request_held";
  /** The method and the path, with `*` for each id. */
  readonly route: string;
  /** `"sent"` if the request waited and was then sent, `"failed"` if the call ended in an error because of the limit. */
  readonly outcome: "sent" | "failed";
  /** The time that a sent request waited, in milliseconds. After `"failed"`, the time to wait before the next request. */
  readonly milliseconds: number;
  /** The limit: the rate limit of a route, the global rate limit, or a block by Discord's edge servers. */
  readonly limit: "route" | "global" | "edge";
}

/** Sessions of a user have ended. Expired sessions are not reported, because no code runs at that time. */
export interface SessionEndedEvent extends Pick<LoginStartedEvent, "time" | "userId"> {
  /** The kind of the event. */
  readonly kind: "session_ended";
  /** The id of the user, a snowflake. */
  readonly userId: string;
  /**
   * The cause: `end`, `end` with `everywhere`, `endSession`, `endAll`, `forget`, another login in the same browser, too many sessions
   * of the user, or, with the option `members`, a user who is no longer a member or whose token Discord has rejected.
   */
  readonly cause:
    | "end"
    | "end_everywhere"
    | "end_session"
    | "end_all"
    | "forget"
    | "replaced"
    | "too_many"
    | "not_a_member"
    | "refused_token";
  /**
   * The number of ended sessions. May include sessions that have already reached the idle timeout, and includes logins in `onLogin`.
   */
  readonly sessions: number;
}

/** An event of a login. Later versions may add kinds, so a `switch` over `kind` needs a `default`. */
export type LoginEvent =
  | LoginStartedEvent
  | LoginCompletedEvent
  | LoginRefusedEvent
  | LoginFailedEvent
  | LogoutFailedEvent
  | TokenRefreshedEvent
  | TokenRefreshFailedEvent
  | RevocationFailedEvent
  | RequestHeldEvent
  | SessionEndedEvent;

type WithoutTime<Event> = Event extends LoginEvent ? Omit<Event, "time"> : never;

/** Passes an event to the application. */
export type ReportEvent = (event: WithoutTime<LoginEvent>) => void;

/** Returns a function that passes events to `onEvent`, or `null` without that option. */
export function createEventReport(
  onEvent: ((event: LoginEvent) => unknown) | null | undefined,
): ReportEvent | null {
  if (!onEvent) return null;
  return (event) => callSafely(onEvent, freeze({ time: Date.now(), ...event }));
}

/**
 * Reports the error of a request to begin or finish a login.
 *
 * @param purpose `null` if it is not known.
 */
export function reportLoginFailure(
  report: ReportEvent | null,
  error: unknown,
  purpose: Purpose | null = null,
): void {
  report?.({
    kind: "login_failed",
    userId: personOf(purpose),
    purpose: purpose?.kind ?? null,
    ...pageErrorOf(error),
    ...(error instanceof LoginError && error.paths && { paths: error.paths }),
  });
}

/** Reports the end of sessions of a person, unless there are none. */
export function reportSessionEnd(
  report: ReportEvent | null,
  userId: string,
  cause: SessionEndedEvent["cause"],
  sessions: number,
): void {
  if (sessions > 0) report?.({ kind: "session_ended", userId, cause, sessions });
}

/** Reports the error of a request to log out. */
export function reportLogoutFailure(report: ReportEvent | null, error: unknown): void {
  report?.({ kind: "logout_failed", userId: null, ...pageErrorOf(error) });
}

/** Returns the details of an error, and the status of the built-in page that shows it. Events never contain the message of an error. */
function pageErrorOf(
  error: unknown,
): Pick<LoginFailedEvent, "code" | "reason" | "httpStatus" | "pageStatus"> {
  return { ...errorDetails(error), pageStatus: pageSummary(error).status };
}

/** Returns the details of an error. */
export function errorDetails(
  error: unknown,
): Pick<LoginFailedEvent, "code" | "reason" | "httpStatus"> {
  const { code } = pageSummary(error);
  return { code, reason: reasonOf(error), httpStatus: httpStatusOf(error) };
}

function reasonOf(error: unknown): string | null {
  if (error instanceof OAuthError) {
    // Any visitor can write another error into the URL of a callback.
    return isBadCallback(error) || !isWord(error.error) ? null : error.error;
  }
  // Errors of the application may hold anything.
  return error instanceof LoginError || error instanceof StateMismatchError ||
      error instanceof IdTokenError || error instanceof LoginRequiredError
    ? error.reason
    : null;
}

/** Returns the granted scopes that were asked for or look like scopes of Discord. */
export function eventScopes(granted: readonly string[], asked: readonly string[]): string[] {
  return granted.filter((scope) => asked.includes(scope) || isWord(scope));
}

/** Returns true if a text looks like an error or a scope of Discord. Secrets have digits or capital letters. */
function isWord(text: string): boolean {
  return /^[a-z._]{1,64}$/.test(text);
}

function httpStatusOf(error: unknown): number | null {
  return error instanceof ApiError || error instanceof OAuthError ? error.httpStatus : null;
}

/** Returns the token API of a person, which reports the refreshes. A refresh that was not sent is not reported. */
export function tokenApiOf(
  api: PacedTokenApi,
  userId: string,
  report: ReportEvent | null,
): PacedTokenApi {
  const takeSlot = api[takeRefreshSlot]?.bind(api);
  return {
    timeout: api.timeout,
    ...(takeSlot && { [takeRefreshSlot]: takeSlot }),
    revoke: (token) => api.revoke(token),
    async refresh(token, options) {
      try {
        const refreshed = await api.refresh(token, options);
        report?.({ kind: "token_refreshed", userId });
        return refreshed;
      } catch (error) {
        const isFinal = isRefusedRefresh(error);
        report?.({ kind: "token_refresh_failed", userId, ...errorDetails(error), isFinal });
        throw error;
      }
    },
  };
}

/** Returns an observer that reports when a limit delays a person's requests or makes them fail, or `null` without `onEvent`. */
export function heldRequestObserver(
  report: ReportEvent | null,
  userId: string | null,
): RequestObserver | null {
  if (!report) return null;
  const reportHeld = (
    request: HttpRequest,
    held: Pick<RequestHeldEvent, "outcome" | "limit" | "milliseconds">,
  ) => {
    const route = `${request.method} ${withoutIds(shownPathOf(request))}`;
    report({ kind: "request_held", userId, route, ...held });
  };
  return {
    sentLate: (request, limit, waited) =>
      reportHeld(request, { outcome: "sent", limit, milliseconds: Math.ceil(waited) }),
    failed(request, error) {
      const limited = error instanceof RateLimitError ? error : null;
      if (!(error instanceof ApiError) || !(error.blockedByEdge || limited)) return;
      const { blockedByEdge, retryAfter } = error;
      const limit = blockedByEdge ? "edge" : limited?.global ? "global" : "route";
      const milliseconds = Math.ceil(Number(retryAfter) * 1000);
      reportHeld(request, { outcome: "failed", limit, milliseconds });
    },
  };
}
