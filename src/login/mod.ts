/**
 * Logs users in with Discord: routes, cookies and sessions, on any server that has `Request` and `Response`.
 *
 * @module
 */

export {
  GuildpassError,
  OAuthError,
  StateMismatchError,
  StoreTimeoutError,
} from "../core/errors.ts";
export {
  ApiError,
  NetworkError,
  PayloadError,
  PayloadTooLargeError,
  RateLimitError,
  TimeoutError,
} from "../core/response_errors.ts";
export { IdTokenError } from "../core/signature_errors.ts";
export { Login } from "./login.ts";
export { LoginError } from "./base/login_error.ts";

export type { ErrorCode, GuildpassErrorOptions } from "../core/errors.ts";
export type { PayloadIssue } from "../core/response_errors.ts";
export type { AnyLogin, PublicSessionOf, SessionOf } from "./login.ts";
export type {
  EndAllOptions,
  EndOptions,
  FinishedLogin,
  RevokeOptions,
  StartOptions,
} from "./base/method_options.ts";
export type {
  LoginCompletedEvent,
  LoginEvent,
  LoginFailedEvent,
  LoginPurpose,
  LoginRefusedEvent,
  LoginStartedEvent,
  LogoutFailedEvent,
  RequestHeldEvent,
  RevocationFailedEvent,
  SessionEndedEvent,
  TokenRefreshedEvent,
  TokenRefreshFailedEvent,
} from "./base/events.ts";
export type { Lacking } from "./base/lacking.ts";
export type { LoginErrorReason, PageCode } from "./base/login_error.ts";
export type {
  AfterLogin,
  BaseLoginOptions,
  ClientId,
  ClientSecret,
  ConfirmedLogin,
  LoginOptions,
  LoginSecret,
  MembersOption,
  MembersOptions,
  RelayOptions,
} from "./base/options.ts";
export type {
  ClientOptions,
  Fetch,
  FetchInit,
  FetchResponse,
  ReportedRequest,
} from "../http/options.ts";
export type { Platform } from "../links/platform.ts";
export type { PublicSession } from "./public_session.ts";
export type {
  ListedSession,
  NeedsStoreOrKeepToken,
  Session,
  SessionApi,
  SessionMember,
  SessionToken,
  SessionUser,
  SessionWith,
} from "./base/session.ts";
