/**
 * OAuth2 for Discord, on every runtime that has `fetch`: authorization and invitation links, the code exchange, the
 * current user, their guilds and one guild as frozen typed models, and permission sets.
 *
 * @module
 */

export { AuthUrl } from "./src/links/auth_url.ts";
export { Bot } from "./src/links/bot.ts";
export { parseCallback } from "./src/links/callback.ts";
export {
  ApiError,
  GuildpassError,
  MissingScopeError,
  NetworkError,
  OAuthError,
  PayloadError,
  PayloadTooLargeError,
  RateLimitError,
  StateMismatchError,
  TimeoutError,
} from "./src/errors.ts";
export { permissionNames } from "./src/permissions/names.ts";
export { Permissions } from "./src/permissions/permissions.ts";
export { codeChallenge, generateCodeVerifier, generateState } from "./src/links/pkce.ts";
export { discord } from "./src/links/platform.ts";
export { knownScopes } from "./src/links/scopes.ts";
export { PlatformApi } from "./src/server/platform_api.ts";
export { User } from "./src/server/user.ts";

export type { AuthUrlOptions, AuthUrlParams } from "./src/links/auth_url.ts";
export type { BotOptions, BotUrlParams } from "./src/links/bot.ts";
export type { Callback, ParseCallbackOptions, RequestWithUrl } from "./src/links/callback.ts";
export type {
  ApiErrorDetails,
  ErrorCode,
  MissingScopeDetails,
  OAuthErrorDetails,
  PayloadIssue,
  RateLimitDetails,
  StateMismatchReason,
} from "./src/errors.ts";
export type { CallOptions, ClientOptions, Fetch } from "./src/server/http/options.ts";
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
} from "./src/server/resources/models.ts";
export type {
  FormerPermissionName,
  PermissionInput,
  PermissionLike,
  PermissionName,
  PermissionSet,
  PermissionWord,
  PresetName,
} from "./src/permissions/permissions.ts";
export type { AccessTokenOptions } from "./src/server/platform_api.ts";
export type { Platform, TextPlatform } from "./src/links/platform.ts";
export type { KnownScope, Scope } from "./src/links/scopes.ts";
export type { UserGuildsOptions, UserOptions } from "./src/server/user.ts";
