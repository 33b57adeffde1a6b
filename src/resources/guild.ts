/**
 * Guilds: an entry of the list of a user's guilds, and a whole guild.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { guildIconUrl } from "../images.ts";
import { emoji, type EmojiObj } from "./emoji.ts";
import { freeze, readAnswer, type Report } from "./reading.ts";
import {
  boolean,
  list,
  number,
  object,
  optional,
  permissions,
  required,
  snowflake,
  string,
} from "./shapes.ts";
import { role, type RoleObj } from "./role.ts";
import { sticker, type StickerObj } from "./sticker.ts";
import { type WithSentUser, withUserAvatarUrl } from "./user.ts";
import { welcomeScreen, type WelcomeScreenObj } from "./welcome_screen.ts";

/**
 * An entry of the list of a user's guilds. A field is `null` when the platform did not send it or sent something that can't be
 * read; only `id` and `name` are always there, as an entry without them is left out.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#get-current-user-guilds | Get Current User Guilds in the platform's documentation}
 */
export interface PartialGuildObj {
  /** The guild's id, a snowflake. */
  readonly id: string;
  /** The guild's name. */
  readonly name: string;
  /** Hash of the icon. */
  readonly icon: string | null;
  /** URL of the icon, built from its hash. */
  readonly icon_url: string | null;
  /** Hash of the banner. */
  readonly banner: string | null;
  /** Whether the user owns the guild. */
  readonly owner: boolean | null;
  /** The user's permissions in the guild, as a decimal string for `new Permissions(…)`. */
  readonly permissions: `${bigint}` | null;
  /** The same as `permissions`. */
  readonly perms: `${bigint}` | null;
  /** The features that are on, for example `COMMUNITY`. */
  readonly features: readonly string[] | null;
  /** About how many members; with `withCounts` only. */
  readonly approximate_member_count: number | null;
  /** About how many members are not offline; with `withCounts` only. */
  readonly approximate_presence_count: number | null;
}

/**
 * A guild. A field is `null` when the platform did not send it or sent something that can't be read; only `id` and `name` are
 * always there.
 *
 * @see {@link https://docs.discord.com/developers/resources/guild#guild-object | The guild object in the platform's documentation}
 */
export interface GuildObj extends PartialGuildObj {
  /** Hash of the icon, in the object of a template. */
  readonly icon_hash: string | null;
  /** Hash of the splash. */
  readonly splash: string | null;
  /** Hash of the discovery splash. */
  readonly discovery_splash: string | null;
  /** Id of the owner. */
  readonly owner_id: string | null;
  /** The voice region, which the platform has deprecated. */
  readonly region: string | null;
  /** Id of the channel idle users are moved to. */
  readonly afk_channel_id: string | null;
  /** Seconds until an idle user is moved. */
  readonly afk_timeout: number | null;
  /** Whether the widget is on. */
  readonly widget_enabled: boolean | null;
  /** Id of the channel the widget invites to. */
  readonly widget_channel_id: string | null;
  /** Verification level, 0 to 4. */
  readonly verification_level: number | null;
  /** Default notification level, 0 or 1. */
  readonly default_message_notifications: number | null;
  /** Content filter level, 0 to 2. */
  readonly explicit_content_filter: number | null;
  /** The roles. */
  readonly roles: readonly RoleObj[] | null;
  /** The custom emojis. */
  readonly emojis: readonly EmojiObj[] | null;
  /** The level of multi-factor authentication that moderation demands, 0 or 1. */
  readonly mfa_level: number | null;
  /** Id of the application that made the guild. */
  readonly application_id: string | null;
  /** Id of the channel for notices such as welcomes and boosts. */
  readonly system_channel_id: string | null;
  /** Flags of the system channel. */
  readonly system_channel_flags: number | null;
  /** Id of the channel with the rules of a community guild. */
  readonly rules_channel_id: string | null;
  /** The most presences; `null` for all but the largest guilds. */
  readonly max_presences: number | null;
  /** The most members. */
  readonly max_members: number | null;
  /** The code of the vanity URL. */
  readonly vanity_url_code: string | null;
  /** The description. */
  readonly description: string | null;
  /** Boost level, 0 to 3. */
  readonly premium_tier: number | null;
  /** How many boosts there are. */
  readonly premium_subscription_count: number | null;
  /** The preferred locale of a community guild, for example `en-US`. */
  readonly preferred_locale: string | null;
  /** Id of the channel where moderators of a community guild get notices from the platform. */
  readonly public_updates_channel_id: string | null;
  /** The most users in a video channel. */
  readonly max_video_channel_users: number | null;
  /** The most users in a stage's video channel. */
  readonly max_stage_video_channel_users: number | null;
  /** The welcome screen of a community guild; the platform sends it with invites. */
  readonly welcome_screen: WelcomeScreenObj | null;
  /** Age restriction level, 0 to 3. */
  readonly nsfw_level: number | null;
  /** The custom stickers. */
  readonly stickers: readonly StickerObj[] | null;
  /** Whether the boost progress bar is on. */
  readonly premium_progress_bar_enabled: boolean | null;
  /** Type of the student hub, for a guild that is one. */
  readonly hub_type: number | null;
  /** Id of the channel where moderators of a community guild get safety alerts. */
  readonly safety_alerts_channel_id: string | null;
  /** What is paused after an incident, and what was detected. */
  readonly incidents_data: IncidentsDataObj | null;
}

/**
 * What is paused after an incident, and what was detected, as ISO 8601 times. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/guild#incidents-data-object | Incidents data in the platform's documentation}
 */
export interface IncidentsDataObj {
  /** When invites work again. */
  readonly invites_disabled_until: string | null;
  /** When direct messages between members work again. */
  readonly dms_disabled_until: string | null;
  /** When spam by direct messages was detected. */
  readonly dm_spam_detected_at: string | null;
  /** When a raid was detected. */
  readonly raid_detected_at: string | null;
}

/** What is no field of the platform's. */
type Derived = "icon_url" | "perms";

const partialGuildFields = {
  id: required(snowflake),
  name: required(string),
  icon: optional(string),
  banner: optional(string),
  owner: optional(boolean),
  permissions: optional(permissions),
  features: optional(list(string)),
  approximate_member_count: optional(number),
  approximate_presence_count: optional(number),
};

/** A guild as the platform sends one: without what is built from other fields. */
export type SentGuild = Omit<GuildObj, Derived | "emojis" | "stickers"> & {
  readonly emojis: readonly WithSentUser<EmojiObj>[] | null;
  readonly stickers: readonly WithSentUser<StickerObj>[] | null;
};

/** The shape of an entry of the list of a user's guilds. @internal */
export const partialGuild = object<Omit<PartialGuildObj, Derived>>(partialGuildFields);

const incidentsData = object<IncidentsDataObj>({
  invites_disabled_until: optional(string),
  dms_disabled_until: optional(string),
  dm_spam_detected_at: optional(string),
  raid_detected_at: optional(string),
});

/** The shape of a guild. @internal */
export const guild = object<SentGuild>({
  ...partialGuildFields,
  icon_hash: optional(string),
  splash: optional(string),
  discovery_splash: optional(string),
  owner_id: optional(snowflake),
  region: optional(string),
  afk_channel_id: optional(snowflake),
  afk_timeout: optional(number),
  widget_enabled: optional(boolean),
  widget_channel_id: optional(snowflake),
  verification_level: optional(number),
  default_message_notifications: optional(number),
  explicit_content_filter: optional(number),
  roles: optional(list(role)),
  emojis: optional(list(emoji)),
  mfa_level: optional(number),
  application_id: optional(snowflake),
  system_channel_id: optional(snowflake),
  system_channel_flags: optional(number),
  rules_channel_id: optional(snowflake),
  max_presences: optional(number),
  max_members: optional(number),
  vanity_url_code: optional(string),
  description: optional(string),
  premium_tier: optional(number),
  premium_subscription_count: optional(number),
  preferred_locale: optional(string),
  public_updates_channel_id: optional(snowflake),
  max_video_channel_users: optional(number),
  max_stage_video_channel_users: optional(number),
  welcome_screen: optional(welcomeScreen),
  nsfw_level: optional(number),
  stickers: optional(list(sticker)),
  premium_progress_bar_enabled: optional(boolean),
  hub_type: optional(number),
  safety_alerts_channel_id: optional(snowflake),
  incidents_data: optional(incidentsData),
});

/**
 * Reads the answer to `GET /users/@me/guilds`; `null` is an empty list.
 *
 * @throws {PayloadError} When it is not a list.
 */
export function toPartialGuilds(
  payload: unknown,
  cdnUrl: string,
  report: Report,
): PartialGuildObj[] {
  const found = readAnswer("The list of guilds", list(partialGuild), payload ?? [], report);
  return found.map((entry) => freeze(withDerived(entry, cdnUrl)));
}

/** A page of the list of a user's guilds. */
export interface GuildPage {
  /** The guilds that can be read. */
  readonly guilds: PartialGuildObj[];
  /** The ids of all entries that were sent; `null` for one that can't be read. */
  readonly ids: readonly (string | null)[];
}

/**
 * Reads the answer to `GET /users/@me/guilds`, with what is needed to ask for the next page.
 *
 * @throws {PayloadError} When it is not a list.
 */
export function toGuildPage(payload: unknown, cdnUrl: string, report: Report): GuildPage {
  const guilds = toPartialGuilds(payload, cdnUrl, report);
  const sent: readonly unknown[] = Array.isArray(payload) ? payload : [];
  const ids = sent.map((entry) => {
    const { id } = Object(entry) as { readonly id?: unknown };
    const read = v.safeParse(snowflake.schema, id);
    return read.success ? read.output : null;
  });
  return { guilds, ids };
}

/**
 * Reads the answer to `GET /guilds/{id}`.
 *
 * @throws {PayloadError} When `id` or `name` is missing or can't be read.
 */
export function toGuild(payload: unknown, cdnUrl: string, report: Report): GuildObj {
  return freeze(wholeGuild(readAnswer("The guild", guild, payload, report), cdnUrl));
}

/** Adds what is built from other fields to a guild and to what it holds. */
export function wholeGuild(sent: SentGuild, cdnUrl: string): GuildObj {
  const { emojis, stickers } = sent;
  return {
    ...withDerived(sent, cdnUrl),
    emojis: emojis && emojis.map((entry) => withUserAvatarUrl(entry, cdnUrl)),
    stickers: stickers && stickers.map((entry) => withUserAvatarUrl(entry, cdnUrl)),
  };
}

/** Adds the URL of the icon and the short name of the permissions. */
function withDerived<Guild extends Pick<PartialGuildObj, "id" | "icon" | "permissions">>(
  found: Guild,
  cdnUrl: string,
): Guild & Pick<PartialGuildObj, Derived> {
  const icon_url = guildIconUrl(found, { platform: { cdnUrl } });
  return { ...found, icon_url, perms: found.permissions };
}
