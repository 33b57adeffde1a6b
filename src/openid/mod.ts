/**
 * OpenID Connect: verifies the `id_token` of a login with the scope `openid`.
 *
 * @module
 */

export { GuildpassError } from "../core/errors.ts";
export {
  ApiError,
  NetworkError,
  PayloadError,
  PayloadTooLargeError,
  RateLimitError,
  TimeoutError,
} from "../core/response_errors.ts";
export { IdTokenError } from "../core/signature_errors.ts";
export { verifyIdToken } from "./verify_id_token.ts";

export type { ErrorCode, GuildpassErrorOptions } from "../core/errors.ts";
export type { PayloadIssue } from "../core/response_errors.ts";
export type { IdTokenErrorReason } from "../core/signature_errors.ts";
export type { Platform } from "../links/platform.ts";
export type { CallOptions, ClientOptions, Fetch, ReportedRequest } from "../http/options.ts";
export type { IdTokenClaims } from "../resources/openid.ts";
export type { VerifyIdTokenOptions } from "./verify_id_token.ts";
