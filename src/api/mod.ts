/**
 * The server half: exchanging codes for tokens, and reading what a token grants access to.
 *
 * @module
 */

export {
  ApiError,
  GuildpassError,
  LoginRequiredError,
  MissingScopeError,
  NetworkError,
  OAuthError,
  PayloadError,
  PayloadTooLargeError,
  RateLimitError,
  StoreTimeoutError,
  TimeoutError,
} from "../core/errors.ts";
export { knownScopes } from "../links/scopes.ts";
export { PlatformApi } from "./platform_api.ts";
export { MemoryStore } from "../stores/memory_store.ts";
export { sealed } from "../stores/sealed.ts";
export { TokenSource } from "../tokens/token_source.ts";
export { User } from "./user.ts";

export type {
  ApiErrorDetails,
  ErrorCode,
  LoginRequiredReason,
  MissingScopeDetails,
  OAuthErrorDetails,
  PayloadIssue,
  RateLimitDetails,
} from "../core/errors.ts";
export type { CallOptions, ClientOptions, Fetch, ReportedRequest } from "../http/options.ts";
export type { HttpMethod } from "../http/request.ts";
export type {
  RoleConnectionMetadataParams,
  RoleConnectionMetadataType,
  RoleConnectionParams,
  RoleConnectionValue,
} from "./linked_roles.ts";
export type { NewMemberParams } from "./new_member.ts";
export type {
  ApplicationObj,
  InstallParamsObj,
  IntegrationTypeConfigObj,
} from "../resources/application.ts";
export type { AuthorizationObj } from "../resources/authorization.ts";
export type {
  ConnectionIntegrationObj,
  ConnectionObj,
  IntegrationAccountObj,
  IntegrationGuildObj,
} from "../resources/connection.ts";
export type { EmojiObj } from "../resources/emoji.ts";
export type { NeedsScope } from "../resources/granted_scopes.ts";
export type { GuildObj, IncidentsDataObj, PartialGuildObj } from "../resources/guild.ts";
export type { MemberObj } from "../resources/member.ts";
export type { RoleColorsObj, RoleObj, RoleTagsObj } from "../resources/role.ts";
export type { RoleConnectionObj } from "../resources/role_connection.ts";
export type { RoleConnectionMetadataObj } from "../resources/role_connection_metadata.ts";
export type { StickerObj } from "../resources/sticker.ts";
export type { TokenObj } from "../resources/token.ts";
export type {
  AvatarDecorationDataObj,
  CollectiblesObj,
  NameplateObj,
  PrimaryGuildObj,
  UserObj,
} from "../resources/user.ts";
export type { UserInfoObj } from "../resources/user_info.ts";
export type { WebhookObj } from "../resources/webhook.ts";
export type { WelcomeChannelObj, WelcomeScreenObj } from "../resources/welcome_screen.ts";
export type { SaveOptions, Store, StoredValue } from "../stores/store.ts";
export type { DeviceLogin } from "./device_login.ts";
export type { AccessTokenOptions } from "./platform_api.ts";
export type { TokenApi, TokenSourceOptions } from "../tokens/token_source.ts";
export type { Platform, TextPlatform } from "../links/platform.ts";
export type { KnownScope, Scope } from "../links/scopes.ts";
export type { AllGuildsOptions, Reader, UserGuildsOptions, UserOptions } from "./user.ts";
