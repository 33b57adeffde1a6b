/**
 * Logs users in with Discord: routes, cookies and sessions, on any server that has `Request` and `Response`.
 *
 * @module
 */

export {
  GuildpassError,
  LoginRequiredError,
  MissingScopeError,
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
export { MemoryStore } from "../stores/memory_store.ts";
export { User } from "../api/user.ts";

export type { ErrorCode, GuildpassErrorOptions, LoginRequiredReason } from "../core/errors.ts";
export type { PayloadIssue } from "../core/response_errors.ts";
export type { AnyLogin, PublicSessionOf, SessionOf } from "./login.ts";
export type {
  EndAllOptions,
  EndOptions,
  FinishedLogin,
  PermissionInput,
  RevokeOptions,
  StartOptions,
  UserIdWithStore,
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
export type { ReturnsJson } from "./base/json_value.ts";
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
  NotInferred,
  RelayOptions,
  RightMembers,
} from "./base/options.ts";
export type {
  ClientOptions,
  Fetch,
  FetchInit,
  FetchResponse,
  ReportedRequest,
} from "../http/options.ts";
export type { AuthUrlParams } from "../links/authorization_link.ts";
export type { Platform } from "../links/platform.ts";
export type { KnownScope, Scope, SpelledScope } from "../links/scopes.ts";
export type { TokenObj } from "../resources/token.ts";
export type { UserObj } from "../resources/user.ts";
export type { Store } from "../stores/store.ts";
export type { TokenSource } from "../tokens/token_source.ts";
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
