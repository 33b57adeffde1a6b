/**
 * The events that Discord sends to an application, for example after a user has authorized it or removed its access.
 *
 * @module
 */

export { GuildpassError } from "../core/errors.ts";
export { PayloadError } from "../core/response_errors.ts";
export { WebhookSignatureError } from "../core/signature_errors.ts";
export { parseWebhookEvent } from "./parse_webhook_event.ts";

export type { ErrorCode, GuildpassErrorOptions } from "../core/errors.ts";
export type { PayloadIssue } from "../core/response_errors.ts";
export type { WebhookSignatureErrorReason } from "../core/signature_errors.ts";
export type { Platform } from "../links/platform.ts";
export type { HttpMethod } from "../http/request.ts";
export type { ReportedRequest } from "../http/options.ts";
export type {
  EmojiObj,
  RoleColorsObj,
  RoleObj,
  RoleTagsObj,
  StickerObj,
  WelcomeChannelObj,
  WelcomeScreenObj,
} from "../resources/guild_parts.ts";
export type { EntitlementObj } from "../resources/entitlement.ts";
export type { GuildObj, IncidentsDataObj, PartialGuildObj } from "../resources/guild.ts";
export type {
  AvatarDecorationDataObj,
  CollectiblesObj,
  NameplateObj,
  PrimaryGuildObj,
  UserObj,
} from "../resources/user.ts";
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
} from "../resources/webhook_event.ts";
export type { ParseWebhookEventOptions } from "./parse_webhook_event.ts";
