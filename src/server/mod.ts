/**
 * The server half: exchanging codes for tokens, and reading what a token opens.
 *
 * @module
 */

export {
  ApiError,
  GuildpassError,
  MissingScopeError,
  NetworkError,
  OAuthError,
  PayloadError,
  PayloadTooLargeError,
  RateLimitError,
  TimeoutError,
} from "../errors.ts";
export { knownScopes } from "../links/scopes.ts";
export { PlatformApi } from "./platform_api.ts";
export { User } from "./user.ts";

export type {
  ApiErrorDetails,
  ErrorCode,
  MissingScopeDetails,
  OAuthErrorDetails,
  PayloadIssue,
  RateLimitDetails,
} from "../errors.ts";
export type { CallOptions, ClientOptions, Fetch } from "./http/options.ts";
export type {
  EmojiObj,
  GuildObj,
  PartialGuildObj,
  RoleObj,
  StickerObj,
  TokenObj,
  UserObj,
  WebhookObj,
  WelcomeChannelObj,
  WelcomeScreenObj,
} from "./resources/models.ts";
export type { AccessTokenOptions } from "./platform_api.ts";
export type { Platform, TextPlatform } from "../links/platform.ts";
export type { KnownScope, Scope } from "../links/scopes.ts";
export type { UserGuildsOptions, UserOptions } from "./user.ts";
