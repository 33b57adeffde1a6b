/**
 * Reads guilds, and the partial guilds in a user's guild list.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { defaultImageUrl } from "../images/image_url.ts";
import {
  type EmojiObj,
  emojiSchema,
  type RoleObj,
  roleSchema,
  type StickerObj,
  stickerSchema,
  type WelcomeScreenObj,
  welcomeScreenSchema,
} from "./guild_parts.ts";
import { readPayload, type Report } from "./reading.ts";
import {
  list,
  looseObject,
  number,
  orNull,
  permissions,
  type Schema,
  snowflake,
} from "./schemas.ts";

/**
 * An entry of a user's guild list. A field that is missing or can't be read is `null`; only `id` and `name` are always there: an
 * entry without them is left out.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#get-current-user-guilds | Discord: Get Current User Guilds}
 */
export interface PartialGuildObj {
  /** The guild's id, a snowflake. */
  readonly id: string;
  /** The guild's name. */
  readonly name: string;
  /** The hash of the icon. */
  readonly icon: string | null;
  /** The URL of the icon, built from its hash. */
  readonly icon_url: string | null;
  /** The hash of the banner. */
  readonly banner: string | null;
  /** True if the user owns the guild. */
  readonly owner: boolean | null;
  /**
   * The user's permissions in the guild, as a decimal string. To check them, pass the guild to `missingPermissions`, since the
   * owner has all permissions.
   */
  readonly permissions: `${bigint}` | null;
  /** A short alias of `permissions`, with the same value. */
  readonly perms: `${bigint}` | null;
  /** The features of the guild, for example `COMMUNITY`. */
  readonly features: readonly string[] | null;
  /** The approximate number of members; with `withCounts` only. */
  readonly approximate_member_count: number | null;
  /** The approximate number of members who are online; with `withCounts` only. */
  readonly approximate_presence_count: number | null;
}

/**
 * A guild. A field that is missing or can't be read is `null`; only `id` and `name` are always there.
 *
 * @see {@link https://docs.discord.com/developers/resources/guild#guild-object | Discord: Guild object}
 */
export interface GuildObj extends PartialGuildObj {
  /** The hash of the icon, in a guild template. */
  readonly icon_hash: string | null;
  /** The hash of the splash. */
  readonly splash: string | null;
  /** The hash of the discovery splash. */
  readonly discovery_splash: string | null;
  /** The hash of the image at the top of the guild's home. */
  readonly home_header: string | null;
  /** The id of the owner, a snowflake. */
  readonly owner_id: string | null;
  /** The voice region. Discord has deprecated it. */
  readonly region: string | null;
  /** The id of the AFK channel, a snowflake. */
  readonly afk_channel_id: string | null;
  /** The AFK timeout in seconds: idle users are then moved to `afk_channel_id`. */
  readonly afk_timeout: number | null;
  /** True if the widget is enabled. */
  readonly widget_enabled: boolean | null;
  /** The id of the channel of the widget's invites, a snowflake. */
  readonly widget_channel_id: string | null;
  /** The verification level, 0 to 4. */
  readonly verification_level: number | null;
  /** The default notification level, 0 or 1. */
  readonly default_message_notifications: number | null;
  /** The content filter level, 0 to 2. */
  readonly explicit_content_filter: number | null;
  /** The roles. */
  readonly roles: readonly RoleObj[] | null;
  /** The custom emojis. */
  readonly emojis: readonly EmojiObj[] | null;
  /** The required MFA level for moderation, 0 or 1. */
  readonly mfa_level: number | null;
  /** The id of the application that created the guild, a snowflake. */
  readonly application_id: string | null;
  /** The id of the channel for notices such as welcomes and boosts, a snowflake. */
  readonly system_channel_id: string | null;
  /** The flags of the system channel. */
  readonly system_channel_flags: number | null;
  /** The id of the channel with the rules of a community guild, a snowflake. */
  readonly rules_channel_id: string | null;
  /** The maximum number of presences; `null` for all but the largest guilds. */
  readonly max_presences: number | null;
  /** The maximum number of members. */
  readonly max_members: number | null;
  /** The code of the vanity URL. */
  readonly vanity_url_code: string | null;
  /** The description. */
  readonly description: string | null;
  /** The boost level, 0 to 3. */
  readonly premium_tier: number | null;
  /** The number of boosts. */
  readonly premium_subscription_count: number | null;
  /** The preferred locale of a community guild, for example `en-US`. */
  readonly preferred_locale: string | null;
  /** The id of the channel for Discord's notices to moderators, in a community guild, a snowflake. */
  readonly public_updates_channel_id: string | null;
  /** The maximum number of users in a video channel. */
  readonly max_video_channel_users: number | null;
  /** The maximum number of users in a stage channel with video. */
  readonly max_stage_video_channel_users: number | null;
  /** The welcome screen of a community guild; Discord sends it with invites. */
  readonly welcome_screen: WelcomeScreenObj | null;
  /** The age restriction level, 0 to 3. */
  readonly nsfw_level: number | null;
  /** True if the guild is for adults. */
  readonly nsfw: boolean | null;
  /** The custom stickers. */
  readonly stickers: readonly StickerObj[] | null;
  /** True if the boost progress bar is shown. */
  readonly premium_progress_bar_enabled: boolean | null;
  /** The time when a user last switched the boost progress bar on or off, in ISO 8601. */
  readonly premium_progress_bar_enabled_user_updated_at: string | null;
  /** The type of a student hub. */
  readonly hub_type: number | null;
  /** The id of the channel for safety alerts to moderators, in a community guild, a snowflake. */
  readonly safety_alerts_channel_id: string | null;
  /** The incident data of the guild. */
  readonly incidents_data: IncidentsDataObj | null;
}

/**
 * The incident data of a guild. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/guild#incidents-data-object | Discord: Incidents data}
 */
export interface IncidentsDataObj {
  /** The time when invites are enabled again, in ISO 8601. */
  readonly invites_disabled_until: string | null;
  /** The time when direct messages between members are enabled again, in ISO 8601. */
  readonly dms_disabled_until: string | null;
  /** The time when spam in direct messages was detected, in ISO 8601. */
  readonly dm_spam_detected_at: string | null;
  /** The time when a raid was detected, in ISO 8601. */
  readonly raid_detected_at: string | null;
}

/** Creates the schema of an entry of a user's guild list. @internal */
export function partialGuildSchema(cdnUrl: string): Schema<PartialGuildObj> {
  return v.pipe(looseObject(partialGuildEntries()), addDerivedFields(cdnUrl));
}

/** Creates the schema of a guild: the response to `GET /guilds/{id}`. @internal */
export function guildSchema(cdnUrl: string): Schema<GuildObj> {
  return v.pipe(
    looseObject({
      ...partialGuildEntries(),
      icon_hash: orNull(v.string()),
      splash: orNull(v.string()),
      discovery_splash: orNull(v.string()),
      home_header: orNull(v.string()),
      owner_id: orNull(snowflake()),
      region: orNull(v.string()),
      afk_channel_id: orNull(snowflake()),
      afk_timeout: orNull(number()),
      widget_enabled: orNull(v.boolean()),
      widget_channel_id: orNull(snowflake()),
      verification_level: orNull(number()),
      default_message_notifications: orNull(number()),
      explicit_content_filter: orNull(number()),
      roles: orNull(v.array(roleSchema())),
      emojis: orNull(v.array(emojiSchema(cdnUrl))),
      mfa_level: orNull(number()),
      application_id: orNull(snowflake()),
      system_channel_id: orNull(snowflake()),
      system_channel_flags: orNull(number()),
      rules_channel_id: orNull(snowflake()),
      max_presences: orNull(number()),
      max_members: orNull(number()),
      vanity_url_code: orNull(v.string()),
      description: orNull(v.string()),
      premium_tier: orNull(number()),
      premium_subscription_count: orNull(number()),
      preferred_locale: orNull(v.string()),
      public_updates_channel_id: orNull(snowflake()),
      max_video_channel_users: orNull(number()),
      max_stage_video_channel_users: orNull(number()),
      welcome_screen: orNull(welcomeScreenSchema()),
      nsfw_level: orNull(number()),
      nsfw: orNull(v.boolean()),
      stickers: orNull(v.array(stickerSchema(cdnUrl))),
      premium_progress_bar_enabled: orNull(v.boolean()),
      premium_progress_bar_enabled_user_updated_at: orNull(v.string()),
      hub_type: orNull(number()),
      safety_alerts_channel_id: orNull(snowflake()),
      incidents_data: orNull(looseObject({
        invites_disabled_until: orNull(v.string()),
        dms_disabled_until: orNull(v.string()),
        dm_spam_detected_at: orNull(v.string()),
        raid_detected_at: orNull(v.string()),
      })),
    }, "The guild"),
    addDerivedFields(cdnUrl),
  );
}

/** The fields of every guild. */
function partialGuildEntries() {
  return {
    id: snowflake(),
    name: v.string(),
    icon: orNull(v.string()),
    banner: orNull(v.string()),
    owner: orNull(v.boolean()),
    permissions: orNull(permissions()),
    features: orNull(v.array(v.string())),
    approximate_member_count: orNull(number()),
    approximate_presence_count: orNull(number()),
  };
}

/** Adds `icon_url`, and `perms` as a copy of `permissions`. */
function addDerivedFields<Guild extends Omit<PartialGuildObj, "icon_url" | "perms">>(
  cdnUrl: string,
) {
  return v.transform((guild: Guild) =>
    Object.assign(guild, {
      icon_url: defaultImageUrl(cdnUrl, `icons/${guild.id}`, guild.icon),
      perms: guild.permissions,
    })
  );
}

/** Creates the schema of the response to `GET /users/@me/guilds`. @internal */
export function partialGuildsSchema(cdnUrl: string): Schema<readonly PartialGuildObj[]> {
  return list(partialGuildSchema(cdnUrl), "The list of guilds");
}

/** A page of a user's guild list. */
export interface GuildPage {
  /** The guilds on the page, without the ones that can't be read. */
  readonly guilds: readonly PartialGuildObj[];
  /** The ids of all entries of the page; `null` for an id that can't be read. */
  readonly ids: readonly (string | null)[];
}

/**
 * Reads the response to `GET /users/@me/guilds` as a page, with the ids that are needed to request the next page.
 *
 * @throws {PayloadError} If the response is not a list.
 */
export function toGuildPage(payload: unknown, report: Report, cdnUrl: string): GuildPage {
  // Read first, since entries that can't be read leave the list.
  const idSchema = v.object({ id: snowflake() });
  const sent: readonly unknown[] = Array.isArray(payload) ? payload : [];
  const ids = sent.map((entry) => {
    const result = v.safeParse(idSchema, entry);
    return result.success ? result.output.id : null;
  });
  return { guilds: readPayload(partialGuildsSchema, payload, report, cdnUrl), ids };
}
