/**
 * OpenID Connect: verifies the `id_token` of a login with the scope `openid`.
 *
 * @module
 */

export {
  ApiError,
  GuildpassError,
  IdTokenError,
  NetworkError,
  PayloadError,
  PayloadTooLargeError,
  RateLimitError,
  TimeoutError,
} from "../core/errors.ts";
export { verifyIdToken } from "./verify_id_token.ts";

export type {
  ErrorCode,
  GuildpassErrorOptions,
  IdTokenErrorReason,
  PayloadIssue,
} from "../core/errors.ts";
export type { Platform } from "../links/platform.ts";
export type { CallOptions, ClientOptions, Fetch, ReportedRequest } from "../http/options.ts";
export type { IdTokenClaims } from "../resources/openid.ts";
export type { VerifyIdTokenOptions } from "./verify_id_token.ts";
