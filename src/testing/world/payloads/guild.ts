/**
 * Describes the guild object of the API, and the partial guild object in lists.
 *
 * @module
 */

import * as f from "../schema.ts";
import type { Fields } from "../schema.ts";
import { emojiFields, type EmojiPayload } from "./emoji.ts";
import { roleFields, type RolePayload } from "./role.ts";
import { stickerFields, type StickerPayload } from "./sticker.ts";

/** A guild, as `GET /guilds/{id}` returns it. */
export interface GuildPayload {
  /** The guild's id, a snowflake. */
  readonly id: string;
  /** The guild's name. */
  readonly name: string;
  /** The icon hash. */
  readonly icon: string | null;
  /** The image hash of the invite page's background. */
  readonly splash: string | null;
  /** The image hash of the discovery page's background. */
  readonly discovery_splash: string | null;
  /** The id of the user who owns the guild. */
  readonly owner_id: string;
  /** The voice region. Deprecated: channels have regions now. */
  readonly region: string | null;
  /** The id of the AFK channel. */
  readonly afk_channel_id: string | null;
  /** The AFK timeout, in seconds: users who are idle for this long are moved to `afk_channel_id`. */
  readonly afk_timeout: 60 | 300 | 900 | 1800 | 3600;
  /** True if the widget is enabled. */
  readonly widget_enabled: boolean;
  /** The id of the channel of the widget's invites. */
  readonly widget_channel_id: string | null;
  /** The verification level, 0–4. */
  readonly verification_level: number;
  /** The default notifications: 0 for all messages, 1 for mentions. */
  readonly default_message_notifications: number;
  /** The content filter's level, 0–2. */
  readonly explicit_content_filter: number;
  /** The roles, `@everyone` first. */
  readonly roles: readonly RolePayload[];
  /** The custom emojis. */
  readonly emojis: readonly EmojiPayload[];
  /** The enabled features. */
  readonly features: readonly string[];
  /** The required MFA level for moderation: 1 for two-factor authentication, else 0. */
  readonly mfa_level: number;
  /** The id of the application whose bot created the guild. */
  readonly application_id: string | null;
  /** The id of the channel for notices such as welcome messages. */
  readonly system_channel_id: string | null;
  /** The flags of the system channel: the disabled notices. */
  readonly system_channel_flags: number;
  /** The id of the channel with the community's rules. */
  readonly rules_channel_id: string | null;
  /** The maximum number of presences; `null` for all but the largest guilds. */
  readonly max_presences: number | null;
  /** The maximum number of members. */
  readonly max_members: number;
  /** The code of the vanity URL. */
  readonly vanity_url_code: string | null;
  /** The description. */
  readonly description: string | null;
  /** The banner hash. */
  readonly banner: string | null;
  /** The boost level, 0–3. */
  readonly premium_tier: number;
  /** The number of boosts. */
  readonly premium_subscription_count: number;
  /** The language of a community guild. */
  readonly preferred_locale: string;
  /** The id of the channel for the platform's notices to moderators. */
  readonly public_updates_channel_id: string | null;
  /** The maximum number of users in a video channel. */
  readonly max_video_channel_users: number;
  /** The maximum number of users in a stage channel with video. */
  readonly max_stage_video_channel_users: number;
  /** The approximate number of members, with `with_counts` only. */
  readonly approximate_member_count?: number;
  /** The approximate number of members who are online, with `with_counts` only. */
  readonly approximate_presence_count?: number;
  /** The hash of the image above the channel list; `null` for most guilds. */
  readonly home_header: string | null;
  /** True if the guild is age-restricted. The platform sends both this field and the newer `nsfw_level`. */
  readonly nsfw: boolean;
  /** The age restriction level, 0–3. */
  readonly nsfw_level: number;
  /** The custom stickers. */
  readonly stickers: readonly StickerPayload[];
  /** True if the boost progress bar is shown. */
  readonly premium_progress_bar_enabled: boolean;
  /** The type of a student hub; `null` for other guilds. */
  readonly hub_type: number | null;
  /** The id of the channel for safety alerts to moderators. */
  readonly safety_alerts_channel_id: string | null;
  /** The incident data: for example, the times when invites and direct messages are enabled again. */
  readonly incidents_data: {
    readonly invites_disabled_until: string | null;
    readonly dms_disabled_until: string | null;
  } | null;
}

/** A guild in the list of `GET /users/@me/guilds`. */
export interface PartialGuildPayload {
  /** The guild's id, a snowflake. */
  readonly id: string;
  /** The guild's name. */
  readonly name: string;
  /** The icon hash. */
  readonly icon: string | null;
  /** The banner hash. */
  readonly banner: string | null;
  /** True if the user owns the guild. */
  readonly owner: boolean;
  /** The user's permissions in the guild, as a decimal string. */
  readonly permissions: string;
  /** The enabled features. */
  readonly features: readonly string[];
  /** The approximate number of members, with `with_counts` only. */
  readonly approximate_member_count?: number;
  /** The approximate number of members who are online, with `with_counts` only. */
  readonly approximate_presence_count?: number;
}

/**
 * Returns the fields of a guild, with their checks and default values. The default owner and roles depend on other parts of the
 * world.
 */
export function guildFields(): Fields<GuildPayload> {
  return {
    id: f.required(f.snowflake),
    name: f.required(f.nonEmptyString),
    icon: f.withDefault(f.nullable(f.string), null),
    splash: f.withDefault(f.nullable(f.string), null),
    discovery_splash: f.withDefault(f.nullable(f.string), null),
    owner_id: f.optional(f.snowflake),
    region: f.withDefault(f.nullable(f.string), "deprecated"),
    afk_channel_id: f.withDefault(f.nullable(f.string), null),
    afk_timeout: f.withDefault(f.integer, 300),
    widget_enabled: f.withDefault(f.boolean, false),
    widget_channel_id: f.withDefault(f.nullable(f.string), null),
    verification_level: f.withDefault(f.integer, 0),
    default_message_notifications: f.withDefault(f.integer, 0),
    explicit_content_filter: f.withDefault(f.integer, 0),
    roles: f.optional(f.listOf(f.objectOf(roleFields()))),
    emojis: f.withDefault(f.listOf(f.objectOf(emojiFields())), []),
    features: f.withDefault(f.listOf(f.string), []),
    mfa_level: f.withDefault(f.integer, 0),
    application_id: f.withDefault(f.nullable(f.snowflake), null),
    system_channel_id: f.withDefault(f.nullable(f.string), null),
    system_channel_flags: f.withDefault(f.integer, 0),
    rules_channel_id: f.withDefault(f.nullable(f.string), null),
    max_presences: f.withDefault(f.nullable(f.integer), null),
    max_members: f.withDefault(f.integer, 500_000),
    vanity_url_code: f.withDefault(f.nullable(f.string), null),
    description: f.withDefault(f.nullable(f.string), null),
    banner: f.withDefault(f.nullable(f.string), null),
    premium_tier: f.withDefault(f.integer, 0),
    premium_subscription_count: f.withDefault(f.integer, 0),
    preferred_locale: f.withDefault(f.string, "en-US"),
    public_updates_channel_id: f.withDefault(f.nullable(f.string), null),
    max_video_channel_users: f.withDefault(f.integer, 25),
    max_stage_video_channel_users: f.withDefault(f.integer, 50),
    approximate_member_count: f.optional(f.integer),
    approximate_presence_count: f.optional(f.integer),
    home_header: f.withDefault(f.nullable(f.string), null),
    nsfw: f.withDefault(f.boolean, false),
    nsfw_level: f.withDefault(f.integer, 0),
    stickers: f.withDefault(f.listOf(f.objectOf(stickerFields())), []),
    premium_progress_bar_enabled: f.withDefault(f.boolean, false),
    hub_type: f.withDefault(f.nullable(f.integer), null),
    safety_alerts_channel_id: f.withDefault(f.nullable(f.string), null),
    incidents_data: f.withDefault(
      f.nullable(f.objectOf<IncidentsData>({
        invites_disabled_until: f.required(f.nullable(f.string)),
        dms_disabled_until: f.required(f.nullable(f.string)),
      })),
      null,
    ),
  };
}

/** Returns the partial guild object, as in a user's guild list. */
export function partialGuild(
  { id, name, icon, banner, features }: GuildPayload,
  owner: boolean,
  permissions: string,
): PartialGuildPayload {
  return { id, name, icon, banner, owner, permissions, features };
}

type IncidentsData = NonNullable<GuildPayload["incidents_data"]>;
