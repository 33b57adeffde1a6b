/**
 * The events of a login, for metrics and audit logs.
 *
 * @module
 */

import {
  ApiError,
  IdTokenError,
  LoginRequiredError,
  OAuthError,
  RateLimitError,
  StateMismatchError,
} from "../core/errors.ts";
import { callSafely } from "../http/report.ts";
import { type HttpRequest, methodOf } from "../http/request.ts";
import type { RequestObserver } from "../http/request_observer.ts";
import { freeze } from "../resources/reading.ts";
import { isRefusedRefresh } from "../tokens/token_hints.ts";
import type { TokenApi } from "../tokens/token_api.ts";
import { LoginError, type PageCode } from "./login_error.ts";
import { isBadCallback, pageSummary } from "./messages.ts";
import { personOf, type Purpose } from "./pending_logins.ts";

/**
 * The purpose of a login: `"login"` for any person, `"consent"` for further scopes of a session, `"renewal"` for the renewal of a
 * session after the end of its token, without asking the person.
 */
export type LoginPurpose = "login" | "consent" | "renewal";

/** A visitor was sent to the consent page. Many never come back from there. */
export interface LoginStartedEvent {
  /** The time of the event, in milliseconds since the epoch. */
  readonly time: number;
  /** The id of the person, a snowflake; `null` if it is not known. */
  readonly userId: string | null;
  /** The kind of the event. */
  readonly kind: "login_started";
  /** The purpose. For `"login"`, the person is not known yet. */
  readonly purpose: LoginPurpose;
  /** The scopes that the person is asked for. */
  readonly scopes: readonly string[];
}

/** A person has logged in, or has granted further scopes. There is one event however often the callback is opened. */
export interface LoginCompletedEvent extends Pick<LoginStartedEvent, "time" | "userId"> {
  /** The kind of the event. */
  readonly kind: "login_completed";
  /** The id of the person, a snowflake. */
  readonly userId: string;
  /** The purpose. After a `"consent"`, the session is the one that was there before. */
  readonly purpose: LoginPurpose;
  /** The scopes that the person has granted. */
  readonly scopes: readonly string[];
}

/** The platform has confirmed a login, and there is no session. */
export interface LoginRefusedEvent extends Pick<LoginStartedEvent, "time" | "userId"> {
  /** The kind of the event. */
  readonly kind: "login_refused";
  /** The id of the person, a snowflake. */
  readonly userId: string;
  /** The purpose. */
  readonly purpose: LoginPurpose;
  /** `"response"` if `onLogin` returned a response, `"sessions_ended"` if the login, or the session that was to go on, has ended meanwhile. */
  readonly reason: "response" | "sessions_ended";
}

/** A request that begins or finishes a login has ended in an error. As with `onError`, a repeated request is told again. */
export interface LoginFailedEvent extends Pick<LoginStartedEvent, "time" | "userId"> {
  /** The kind of the event. */
  readonly kind: "login_failed";
  /** The code, as the built-in page shows it. */
  readonly code: PageCode;
  /**
   * The `reason` of the error, or the `error` of an `OAuthError`, as in `"invalid_grant"`; `null` without one. An `error` of the
   * platform with other characters than lower-case letters, dots and underscores is `null` too, since it could be any text.
   */
  readonly reason: string | null;
  /** The `httpStatus` of the error: the status of the platform's response; `null` without one. */
  readonly httpStatus: number | null;
  /** The purpose; `null` if the request belongs to no login that has begun. */
  readonly purpose: LoginPurpose | null;
  /** The status of the built-in page about the error. */
  readonly pageStatus: number;
}

/** A request to log out has ended in an error, such as one that another site sent. */
export interface LogoutFailedEvent
  extends Pick<LoginFailedEvent, "time" | "userId" | "code" | "reason" | "httpStatus"> {
  /** The kind of the event. */
  readonly kind: "logout_failed";
  /** The status of the built-in page about the error. */
  readonly pageStatus: number;
}

/** The token of a person was refreshed. It is told once, by the process that has done it. */
export interface TokenRefreshedEvent extends Pick<LoginStartedEvent, "time" | "userId"> {
  /** The kind of the event. */
  readonly kind: "token_refreshed";
  /** The id of the person, a snowflake. */
  readonly userId: string;
}

/** A refresh of a person's token has failed. */
export interface TokenRefreshFailedEvent
  extends Pick<LoginFailedEvent, "time" | "userId" | "code" | "reason" | "httpStatus"> {
  /** The kind of the event. */
  readonly kind: "token_refresh_failed";
  /** The id of the person, a snowflake. */
  readonly userId: string;
  /**
   * True if the refresh token will not work again: the person has to log in at the end of the access token, or at its first 401, unless
   * a later login has left another token. Otherwise it is tried again.
   */
  readonly isFinal: boolean;
}

/**
 * A logout everywhere could not revoke the tokens of a person at the platform. With `backgroundTokens`, `login.revoke` can repeat it.
 * Otherwise no token is left that could be revoked.
 */
export interface RevocationFailedEvent
  extends Pick<LoginFailedEvent, "time" | "userId" | "code" | "reason" | "httpStatus"> {
  /** The kind of the event. */
  readonly kind: "revocation_failed";
  /** The id of the person, a snowflake. */
  readonly userId: string;
}

/** A rate limit, or a block by the edge in front of the platform, has held a request back. */
export interface RequestHeldEvent extends Pick<LoginStartedEvent, "time" | "userId"> {
  /** The kind of the event. */
  readonly kind: "request_held";
  /** The method and the path, with `*` for each id. */
  readonly route: string;
  /** `"sent"` if the request waited and was then sent, `"failed"` if the call ended in an error because of the limit. */
  readonly outcome: "sent" | "failed";
  /** The time that the request waited, or after `"failed"` the time to wait before the next one. */
  readonly milliseconds: number;
  /** The limit: that of a route, the one over all requests, or a block by the edge. */
  readonly limit: "route" | "global" | "edge";
}

/** Sessions of a person have ended. A session that runs out is told nowhere, because nothing happens at that time. */
export interface SessionEndedEvent extends Pick<LoginStartedEvent, "time" | "userId"> {
  /** The kind of the event. */
  readonly kind: "session_ended";
  /** The id of the person, a snowflake. */
  readonly userId: string;
  /**
   * The cause: `end`, `end` with `everywhere`, `endAll`, `forget`, another login in the same browser, or more sessions than the list of
   * a person has room for.
   */
  readonly cause: "end" | "end_everywhere" | "end_all" | "forget" | "replaced" | "too_many";
  /** The number of sessions, with those that ran out after their last use, and with a login in `onLogin`. */
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

/** Creates the function that passes events to `onEvent`, or `null` without that option. */
export function createEventReport(
  onEvent: ((event: LoginEvent) => unknown) | null | undefined,
): ReportEvent | null {
  if (!onEvent) return null;
  return (event) => callSafely(onEvent, freeze({ time: Date.now(), ...event }));
}

/** Reports the error of a request to begin or finish a login. */
export function reportLoginFailure(
  report: ReportEvent | null,
  error: unknown,
  purpose: Purpose | null,
): void {
  report?.({
    kind: "login_failed",
    userId: personOf(purpose),
    purpose: purpose?.kind ?? null,
    ...pageErrorOf(error),
  });
}

/** Reports the error of a request to log out. */
export function reportLogoutFailure(report: ReportEvent | null, error: unknown): void {
  report?.({ kind: "logout_failed", userId: null, ...pageErrorOf(error) });
}

/** Returns the details of an error, and the status of the built-in page about it. The texts of an error are not for an event. */
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
    // Any visitor can write another error into the address of a callback.
    return isBadCallback(error) || !isWord(error.error) ? null : error.error;
  }
  // Errors of the application may hold anything.
  return error instanceof LoginError || error instanceof StateMismatchError ||
      error instanceof IdTokenError || error instanceof LoginRequiredError
    ? error.reason
    : null;
}

/** Returns the granted scopes, without texts that neither were asked for nor can be a scope of the platform. */
export function eventScopes(granted: readonly string[], asked: readonly string[]): string[] {
  return granted.filter((scope) => asked.includes(scope) || isWord(scope));
}

/** Returns true for a text like the platform's errors and scopes. Secrets have digits or capital letters. */
function isWord(text: string): boolean {
  return /^[a-z._]{1,64}$/.test(text);
}

function httpStatusOf(error: unknown): number | null {
  return error instanceof ApiError || error instanceof OAuthError ? error.httpStatus : null;
}

/** Returns an observer for the requests about a person: it reports a wait for a limit. Returns `null` without `onEvent`. */
export function heldRequestObserver(
  report: ReportEvent | null,
  userId: string | null,
): RequestObserver | null {
  if (!report) return null;
  const reportHeld = (
    request: HttpRequest,
    held: Pick<RequestHeldEvent, "outcome" | "limit" | "milliseconds">,
  ) => {
    const route = `${methodOf(request)} ${request.path.replace(/\/\d+/g, "/*")}`;
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

/** Returns an API that reports the refreshes of a person's token. */
export function withReportedRefreshes(
  api: TokenApi,
  userId: string,
  report: ReportEvent | null,
): TokenApi {
  if (!report) return api;
  return {
    timeout: api.timeout,
    async refresh(token, options) {
      const refreshed = await api.refresh(token, options).catch((error) => {
        const isFinal = isRefusedRefresh(error);
        report({ kind: "token_refresh_failed", userId, ...errorDetails(error), isFinal });
        throw error;
      });
      report({ kind: "token_refreshed", userId });
      return refreshed;
    },
    revoke: (token) => api.revoke(token),
  };
}
