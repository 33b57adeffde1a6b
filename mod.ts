/**
 * OAuth2 for Discord, on every runtime that has `fetch`: logins with sessions, authorization and invitation links, the code
 * exchange, frozen typed models of users, guilds and other data, and permission sets.
 *
 * @example
 * ```ts
 * import { env } from "node:process";
 * import { Login } from "@guildpass/sdk";
 *
 * const login = new Login({
 *   clientId: env.DISCORD_CLIENT_ID ?? "",
 *   clientSecret: env.DISCORD_CLIENT_SECRET ?? "",
 *   scope: ["identify"],
 *   secret: env.LOGIN_SECRET ?? "",
 * });
 *
 * export async function fetch(request: Request): Promise<Response> {
 *   const response = await login.handle(request); // its own paths
 *   if (response) return response;
 *   const session = await login.session(request);
 *   if (!session) return await login.start(request);
 *   const headers = { "cache-control": "no-store" };
 *   return new Response(`Hello, ${session.user.username}!`, { headers });
 * }
 * ```
 *
 * @module
 */

export { memberFlags, userFlags } from "./src/flags.ts";
export {
  canInstall,
  createdAt,
  missingPermissions,
  permissionsIn,
  reinviteUrl,
} from "./src/guilds.ts";
export {
  applicationCoverUrl,
  applicationIconUrl,
  avatarDecorationUrl,
  avatarUrl,
  bannerUrl,
  emojiUrl,
  eventCoverUrl,
  guildBannerUrl,
  guildDiscoverySplashUrl,
  guildIconUrl,
  guildSplashUrl,
  memberAvatarUrl,
  memberBannerUrl,
  nameplateUrl,
  roleIconUrl,
  stickerUrl,
  tagBadgeUrl,
  teamIconUrl,
} from "./src/images/mod.ts";
export { AuthUrl } from "./src/links/auth_url.ts";
export { Bot } from "./src/links/bot.ts";
export { installUrl } from "./src/links/install_url.ts";
export { parseCallback } from "./src/links/parse_callback.ts";
export { parseFragment } from "./src/links/parse_fragment.ts";
export {
  GuildpassError,
  LoginRequiredError,
  MissingScopeError,
  OAuthError,
  StateMismatchError,
  StoreTimeoutError,
} from "./src/core/errors.ts";
export {
  ApiError,
  NetworkError,
  PayloadError,
  PayloadTooLargeError,
  RateLimitError,
  TimeoutError,
} from "./src/core/response_errors.ts";
export { IdTokenError, WebhookSignatureError } from "./src/core/signature_errors.ts";
export { permissionNames } from "./src/permissions/names.ts";
export { Permissions } from "./src/permissions/permissions.ts";
export { codeChallenge, generateCodeVerifier, generateState } from "./src/links/pkce.ts";
export { discord } from "./src/links/platform.ts";
export { approvalScopes, knownScopes } from "./src/links/scopes.ts";
export { Login } from "./src/login/login.ts";
export { LoginError } from "./src/login/base/login_error.ts";
export { verifyIdToken } from "./src/openid/verify_id_token.ts";
export { ClientCredentials } from "./src/api/client_credentials.ts";
export { PlatformApi } from "./src/api/platform_api.ts";
export { MemoryStore } from "./src/stores/memory_store.ts";
export { sealed } from "./src/stores/sealed.ts";
export { TokenSource } from "./src/tokens/token_source.ts";
export { User } from "./src/api/user.ts";
export { parseWebhookEvent } from "./src/webhook_events/parse_webhook_event.ts";

export type { FlagsValue, MemberFlag, UserFlag } from "./src/flags.ts";
export type { GuildPermissions, MemberRoles, RolePermissions } from "./src/guilds.ts";
export type { ImageFormat, ImageOptions, ImageOwner } from "./src/images/mod.ts";
export type { AuthUrlOptions, AuthUrlParams } from "./src/links/auth_url.ts";
export type { BotOptions, BotUrlParams } from "./src/links/bot.ts";
export type { InstallUrlOptions } from "./src/links/install_url.ts";
export type { ParseCallbackOptions } from "./src/links/authorization_response.ts";
export type { Callback } from "./src/links/parse_callback.ts";
export type { ParseFragmentOptions } from "./src/links/parse_fragment.ts";
export type {
  ErrorCode,
  GuildpassErrorOptions,
  LoginRequiredReason,
  StateMismatchReason,
} from "./src/core/errors.ts";
export type { PayloadIssue } from "./src/core/response_errors.ts";
export type {
  IdTokenErrorReason,
  WebhookSignatureErrorReason,
} from "./src/core/signature_errors.ts";
export type {
  CallOptions,
  ClientOptions,
  Fetch,
  FetchInit,
  FetchResponse,
  ReportedRequest,
  TimedCallOptions,
} from "./src/http/options.ts";
export type { HttpMethod } from "./src/http/request.ts";
export type {
  CommandPermissionParams,
  CommandPermissionType,
  NewMemberParams,
  RoleConnectionMetadataParams,
  RoleConnectionMetadataType,
  RoleConnectionParams,
  RoleConnectionValue,
} from "./src/api/body.ts";
export type {
  QueryValue,
  RequestOptions,
  SchemaIssue,
  SchemaResult,
  StandardSchema,
} from "./src/api/open_request.ts";
export type {
  ApplicationObj,
  AuthorizationObj,
  InstallParamsObj,
  IntegrationTypeConfigObj,
} from "./src/resources/authorization.ts";
export type {
  ConnectionIntegrationObj,
  ConnectionObj,
  IntegrationAccountObj,
  IntegrationGuildObj,
} from "./src/resources/connection.ts";
export type {
  CommandPermissionObj,
  CommandPermissionsObj,
} from "./src/resources/command_permissions.ts";
export type { EntitlementObj } from "./src/resources/entitlement.ts";
export type {
  EmojiObj,
  RoleColorsObj,
  RoleObj,
  RoleTagsObj,
  StickerObj,
  WelcomeChannelObj,
  WelcomeScreenObj,
} from "./src/resources/guild_parts.ts";
export type {
  GrantedScopes,
  SufficientScope,
  TokenObj,
  WebhookObj,
} from "./src/resources/token.ts";
export type { GuildObj, IncidentsDataObj, PartialGuildObj } from "./src/resources/guild.ts";
export type { IdTokenClaims, UserInfoObj } from "./src/resources/openid.ts";
export type { MemberObj } from "./src/resources/member.ts";
export type {
  RoleConnectionMetadataObj,
  RoleConnectionObj,
} from "./src/resources/role_connection.ts";
export type {
  AvatarDecorationDataObj,
  CollectiblesObj,
  NameplateObj,
  PrimaryGuildObj,
  UserObj,
} from "./src/resources/user.ts";
export type {
  AnyWebhookEvent,
  ApplicationAuthorizedEvent,
  ApplicationAuthorizedObj,
  ApplicationDeauthorizedEvent,
  ApplicationDeauthorizedObj,
  EntitlementEvent,
  GameDirectMessageEvent,
  LobbyMessageEvent,
  PingEvent,
  QuestUserEnrollmentEvent,
  SdkMessageObj,
  UnknownWebhookEvent,
  WebhookEvent,
} from "./src/resources/webhook_event.ts";
export type {
  FormerPermissionName,
  PermissionInput,
  PermissionLike,
  PermissionName,
  PresetName,
} from "./src/permissions/permissions.ts";
export type { SaveOptions, Store, StoredValue } from "./src/stores/store.ts";
export type { AnyLogin, PublicSessionOf, SessionOf } from "./src/login/login.ts";
export type {
  EndAllOptions,
  EndOptions,
  FinishedLogin,
  RevokeOptions,
  StartOptions,
  UserIdWithStore,
} from "./src/login/base/method_options.ts";
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
} from "./src/login/base/events.ts";
export type { ReturnsJson } from "./src/login/base/json_value.ts";
export type { Lacking } from "./src/login/base/lacking.ts";
export type { LoginErrorReason, PageCode } from "./src/login/base/login_error.ts";
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
} from "./src/login/base/options.ts";
export type { PublicSession } from "./src/login/public_session.ts";
export type {
  ListedSession,
  NeedsStoreOrKeepToken,
  Session,
  SessionApi,
  SessionMember,
  SessionToken,
  SessionUser,
  SessionWith,
} from "./src/login/base/session.ts";
export type { VerifyIdTokenOptions } from "./src/openid/verify_id_token.ts";
export type { ParseWebhookEventOptions } from "./src/webhook_events/parse_webhook_event.ts";
export type { DeviceLogin } from "./src/api/device_login.ts";
export type { AccessTokenOptions } from "./src/api/token_client.ts";
export type { RefreshOptions, TokenApi } from "./src/tokens/token_api.ts";
export type { TokenSourceOptions } from "./src/tokens/token_source.ts";
export type { Platform, TextPlatform } from "./src/links/platform.ts";
export type { KnownScope, Scope, SpelledScope } from "./src/links/scopes.ts";
export type {
  AllGuildsOptions,
  ApplicationEntitlementsOptions,
  EntitlementsOptions,
  ReadOptions,
  ReasonOptions,
  UserGuildsOptions,
  UserOptions,
  UserWith,
} from "./src/api/user.ts";
