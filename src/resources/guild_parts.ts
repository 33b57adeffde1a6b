/**
 * Describes the parts of a guild, as the API returns them: its roles, emojis, stickers and welcome screen.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import {
  convert,
  decimal,
  fromSafeInteger,
  looseObject,
  number,
  orNull,
  type Schema,
  snowflake,
} from "./schemas.ts";
import { type UserObj, userSchema } from "./user.ts";

/**
 * A role of a guild. A field that is missing or can't be read is `null`; only `id` is always there: a role without an id is left
 * out.
 *
 * @see {@link https://docs.discord.com/developers/topics/permissions#role-object | Discord: Role object}
 */
export interface RoleObj {
  /** The role's id, a snowflake. `@everyone` has the id of the guild. */
  readonly id: string;
  /** The role's name. */
  readonly name: string | null;
  /** The role's permissions, as a decimal string for `new Permissions(…)`. */
  readonly permissions: `${bigint}` | null;
  /** The role's position from the bottom: 0 for `@everyone`. Roles at the same position are sorted by id. */
  readonly position: number | null;
  /** The color, as the integer of its hexadecimal notation; 0 for none. Discord prefers `colors`. */
  readonly color: number | null;
  /** The colors. */
  readonly colors: RoleColorsObj | null;
  /** True if the member list shows the role's members separately. */
  readonly hoist: boolean | null;
  /** The hash of the icon. `roleIconUrl` builds the URL. */
  readonly icon: string | null;
  /** The emoji used as the icon. */
  readonly unicode_emoji: string | null;
  /** True if an integration manages the role. */
  readonly managed: boolean | null;
  /** True if everyone may mention the role. */
  readonly mentionable: boolean | null;
  /** The flags of the role. */
  readonly flags: number | null;
  /** The owner of a managed role. */
  readonly tags: RoleTagsObj | null;
}

/**
 * The colors of a role, each as the integer of its hexadecimal notation. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/topics/permissions#role-object-role-colors-object | Discord: Role colors}
 */
export interface RoleColorsObj {
  /** The primary color; 0 for none. */
  readonly primary_color: number | null;
  /** The second color of a gradient. */
  readonly secondary_color: number | null;
  /** The third color of a holographic role. */
  readonly tertiary_color: number | null;
}

/**
 * The owner of a managed role. An id that is missing or can't be read is `null`. The last three fields are always booleans: the
 * platform sends `null` for true and omits the field for false.
 *
 * @see {@link https://docs.discord.com/developers/topics/permissions#role-object-role-tags-structure | Discord: Role tags}
 */
export interface RoleTagsObj {
  /** The id of the role's bot, a snowflake. */
  readonly bot_id: string | null;
  /** The id of the role's integration, a snowflake. */
  readonly integration_id: string | null;
  /** The id of the role's subscription, a snowflake. */
  readonly subscription_listing_id: string | null;
  /** True if this is the role of the guild's boosters. */
  readonly premium_subscriber: boolean;
  /** True if the role can be bought. */
  readonly available_for_purchase: boolean;
  /** True if this is a linked role. */
  readonly guild_connections: boolean;
}

/** Creates the schema of a role. @internal */
export function roleSchema(): Schema<RoleObj> {
  return looseObject({
    id: snowflake(),
    name: orNull(v.string()),
    permissions: orNull(v.pipe(decimal(), convert(fromOldPermissions))),
    position: orNull(number()),
    color: orNull(number()),
    colors: orNull(looseObject({
      primary_color: orNull(number()),
      secondary_color: orNull(number()),
      tertiary_color: orNull(number()),
    })),
    hoist: orNull(v.boolean()),
    icon: orNull(v.string()),
    unicode_emoji: orNull(v.string()),
    managed: orNull(v.boolean()),
    mentionable: orNull(v.boolean()),
    flags: orNull(number()),
    tags: orNull(looseObject({
      premium_subscriber: presence(),
      available_for_purchase: presence(),
      guild_connections: presence(),
      bot_id: orNull(snowflake()),
      integration_id: orNull(snowflake()),
      subscription_listing_id: orNull(snowflake()),
    })),
  });
}

/** In old responses, `permissions` is a number without the higher bits, and `permissions_new` has the whole value. */
function fromOldPermissions(value: unknown, role: object): unknown {
  const permissions_new: unknown = Reflect.get(role, "permissions_new");
  if (typeof value === "number" && v.is(decimal(), permissions_new)) return permissions_new;
  return fromSafeInteger(value);
}

/** A field whose presence means true: Discord sends `null` for true and omits the field for false. */
function presence(): Schema<boolean> {
  const sent = v.nullable(v.literal(false, "null or nothing"));
  return v.pipe(
    v.optional(sent, false),
    v.transform((value) => value === null),
    convert((value) => value === true ? null : undefined),
  );
}

/**
 * An emoji of a guild. A field that is missing or can't be read is `null`. An emoji without an `id` field, or with an unreadable
 * one, is left out.
 *
 * @see {@link https://docs.discord.com/developers/resources/emoji#emoji-object | Discord: Emoji object}
 */
export interface EmojiObj {
  /** The emoji's id, a snowflake; `null` for a standard emoji. */
  readonly id: string | null;
  /** The emoji's name; for a standard emoji, the character itself. */
  readonly name: string | null;
  /** The ids of the roles that may use the emoji, each a snowflake. */
  readonly roles: readonly string[] | null;
  /** The user who created the emoji. */
  readonly user: UserObj | null;
  /** True if the emoji must be written between colons. */
  readonly require_colons: boolean | null;
  /** True if an integration manages the emoji. */
  readonly managed: boolean | null;
  /** True if the emoji is animated. */
  readonly animated: boolean | null;
  /** True if the emoji can be used. May be false after the guild lost boosts. */
  readonly available: boolean | null;
}

/** Creates the schema of an emoji. @internal */
export function emojiSchema(cdnUrl: string): Schema<EmojiObj> {
  return looseObject({
    // An unreadable id must not become null, which would make a custom emoji a standard one.
    id: v.nullable(snowflake()),
    name: orNull(v.string()),
    roles: orNull(v.array(snowflake())),
    user: orNull(userSchema(cdnUrl)),
    require_colons: orNull(v.boolean()),
    managed: orNull(v.boolean()),
    animated: orNull(v.boolean()),
    available: orNull(v.boolean()),
  });
}

/**
 * A sticker of a guild. A field that is missing or can't be read is `null`; only `id` is always there: a sticker without an id is
 * left out.
 *
 * @see {@link https://docs.discord.com/developers/resources/sticker#sticker-object | Discord: Sticker object}
 */
export interface StickerObj {
  /** The sticker's id, a snowflake. */
  readonly id: string;
  /** The id of a standard sticker's pack, a snowflake. */
  readonly pack_id: string | null;
  /** The sticker's name. */
  readonly name: string | null;
  /** The description. */
  readonly description: string | null;
  /** The search keywords, separated by commas; for a guild's sticker, the name of an emoji. */
  readonly tags: string | null;
  /** The sticker's origin: 1 for a standard pack, 2 for a guild. */
  readonly type: number | null;
  /** The image format: 1 PNG, 2 APNG, 3 Lottie, 4 GIF. `stickerUrl` builds the URL. */
  readonly format_type: number | null;
  /** True if the sticker can be used. May be false after the guild lost boosts. */
  readonly available: boolean | null;
  /** The id of the sticker's guild, a snowflake. */
  readonly guild_id: string | null;
  /** The user who uploaded the sticker. */
  readonly user: UserObj | null;
  /** The position of a standard sticker in its pack. */
  readonly sort_value: number | null;
}

/** Creates the schema of a sticker. @internal */
export function stickerSchema(cdnUrl: string): Schema<StickerObj> {
  return looseObject({
    id: snowflake(),
    pack_id: orNull(snowflake()),
    name: orNull(v.string()),
    description: orNull(v.string()),
    tags: orNull(v.string()),
    type: orNull(number()),
    format_type: orNull(number()),
    available: orNull(v.boolean()),
    guild_id: orNull(snowflake()),
    user: orNull(userSchema(cdnUrl)),
    sort_value: orNull(number()),
  });
}

/**
 * The welcome screen of a community guild. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/guild#welcome-screen-object | Discord: Welcome screen}
 */
export interface WelcomeScreenObj {
  /** The description of the guild. */
  readonly description: string | null;
  /** The channels on the screen, up to five. */
  readonly welcome_channels: readonly WelcomeChannelObj[] | null;
}

/**
 * A channel on a welcome screen. A field that is missing or can't be read is `null`; only `channel_id` is always there: a channel
 * without an id is left out.
 */
export interface WelcomeChannelObj {
  /** The channel's id, a snowflake. */
  readonly channel_id: string;
  /** The description of the channel. */
  readonly description: string | null;
  /** The id of a custom emoji, a snowflake. */
  readonly emoji_id: string | null;
  /** The name of a custom emoji, or the character of a standard one. */
  readonly emoji_name: string | null;
}

/** Creates the schema of a welcome screen. @internal */
export function welcomeScreenSchema(): Schema<WelcomeScreenObj> {
  return looseObject({
    description: orNull(v.string()),
    welcome_channels: orNull(v.array(looseObject({
      channel_id: snowflake(),
      description: orNull(v.string()),
      emoji_id: orNull(snowflake()),
      emoji_name: orNull(v.string()),
    }))),
  });
}
