/**
 * Reads a user.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { defaultImageUrl } from "../images/image_url.ts";
import { defaultAvatarUrl } from "../images/user_images.ts";
import { filledOrNull, looseObject, number, orNull, type Schema, snowflake } from "./schemas.ts";

/**
 * A user. A field that is missing or can't be read is `null`; only `id` and `username` are always there.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#user-object | Discord: User object}
 */
export interface UserObj {
  /** The user's id, a snowflake. */
  readonly id: string;
  /** The user's name. With a discriminator other than `"0"`, only the two together are unique. */
  readonly username: string;
  /** The four digits after the name; `"0"` for a unique name. */
  readonly discriminator: string | null;
  /** The display name. For a bot, the name of the application. */
  readonly global_name: string | null;
  /** The hash of the avatar. */
  readonly avatar: string | null;
  /** The URL of the avatar; for a user without an avatar, the URL of the default avatar. */
  readonly avatar_url: string;
  /** True if the user is a bot; false if Discord omits the field. */
  readonly bot: boolean;
  /** True if the user is an official account of Discord; false if Discord omits the field. */
  readonly system: boolean;
  /** True if the account has multi-factor authentication enabled. */
  readonly mfa_enabled: boolean | null;
  /** The hash of the banner. `bannerUrl` builds the URL. */
  readonly banner: string | null;
  /** The color of the banner, as the integer of its hexadecimal notation. */
  readonly accent_color: number | null;
  /** The chosen language, for example `en-US`. */
  readonly locale: string | null;
  /** True if the email address is verified; needs the `email` scope. */
  readonly verified: boolean | null;
  /** The email address; needs the `email` scope. */
  readonly email: string | null;
  /** The flags of the account, as in `public_flags`. With a user's token, Discord may omit flags that are not public. */
  readonly flags: number | null;
  /**
   * The type of the paid subscription: 1 Nitro Classic, 2 Nitro, 3 Nitro Basic. 0 means none only with the scope `identify.premium`,
   * for approved partners: without it, Discord always sends 0.
   */
  readonly premium_type: number | null;
  /** The public flags of the account, with its badges. `userFlags` returns their names. */
  readonly public_flags: number | null;
  /** The hash of the avatar decoration, even if Discord sends it as `avatar_decoration_data.asset`. */
  readonly avatar_decoration: string | null;
  /** The avatar decoration. */
  readonly avatar_decoration_data: AvatarDecorationDataObj | null;
  /** The user's displayed collectibles, without the avatar decoration. */
  readonly collectibles: CollectiblesObj | null;
  /** The guild of the tag beside the user's name. */
  readonly primary_guild: PrimaryGuildObj | null;
}

/**
 * A user's avatar decoration. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#avatar-decoration-data-object | Discord: Avatar decoration data}
 */
export interface AvatarDecorationDataObj {
  /** The hash of the decoration. `avatarDecorationUrl` builds the URL. */
  readonly asset: string | null;
  /** The id of the SKU, a snowflake. */
  readonly sku_id: string | null;
}

/**
 * A user's displayed collectibles. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#collectibles | Discord: Collectibles}
 */
export interface CollectiblesObj {
  /** The nameplate behind the user's name in lists. */
  readonly nameplate: NameplateObj | null;
}

/**
 * A user's nameplate. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#nameplate | Discord: Nameplate}
 */
export interface NameplateObj {
  /** The id of the SKU, a snowflake. */
  readonly sku_id: string | null;
  /** The path of the picture. `nameplateUrl` builds the URL. */
  readonly asset: string | null;
  /** The label. Discord does not use it yet. */
  readonly label: string | null;
  /** The name of the background color, for example `cobalt`. */
  readonly palette: string | null;
}

/**
 * The guild of a user's displayed tag. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#user-object-user-primary-guild | Discord: User primary guild}
 */
export interface PrimaryGuildObj {
  /** The guild's id, a snowflake. */
  readonly identity_guild_id: string | null;
  /** True if the tag is shown; `null` also if Discord removed it. */
  readonly identity_enabled: boolean | null;
  /** The tag, up to 4 characters. */
  readonly tag: string | null;
  /** The hash of the tag's badge. `tagBadgeUrl` builds the URL. */
  readonly badge: string | null;
}

/** Creates the schema of a user: the response to `GET /users/@me`. @internal */
export function userSchema(cdnUrl: string): Schema<UserObj> {
  return v.pipe(
    looseObject({
      id: snowflake(),
      username: v.string(),
      bot: v.nullish(v.boolean(), false),
      system: v.nullish(v.boolean(), false),
      discriminator: orNull(v.string()),
      global_name: filledOrNull(),
      avatar: orNull(v.string()),
      mfa_enabled: orNull(v.boolean()),
      banner: orNull(v.string()),
      accent_color: orNull(number()),
      locale: orNull(v.string()),
      verified: orNull(v.boolean()),
      email: orNull(v.string()),
      flags: orNull(number()),
      premium_type: orNull(number()),
      public_flags: orNull(number()),
      avatar_decoration: orNull(v.string()),
      avatar_decoration_data: orNull(avatarDecorationDataSchema()),
      collectibles: orNull(collectiblesSchema()),
      primary_guild: orNull(looseObject({
        identity_guild_id: orNull(snowflake()),
        identity_enabled: orNull(v.boolean()),
        tag: orNull(v.string()),
        badge: orNull(v.string()),
      })),
    }, "The user"),
    v.transform((user) =>
      Object.assign(user, {
        avatar_url: defaultImageUrl(cdnUrl, `avatars/${user.id}`, user.avatar) ??
          defaultAvatarUrl(cdnUrl, user),
        avatar_decoration: user.avatar_decoration ?? user.avatar_decoration_data?.asset ?? null,
      })
    ),
  );
}

/** Creates the schema of an avatar decoration. @internal */
export function avatarDecorationDataSchema(): Schema<AvatarDecorationDataObj> {
  return looseObject({ asset: orNull(v.string()), sku_id: orNull(snowflake()) });
}

/** Creates the schema of collectibles. @internal */
export function collectiblesSchema(): Schema<CollectiblesObj> {
  return looseObject({
    nameplate: orNull(looseObject({
      sku_id: orNull(snowflake()),
      asset: orNull(v.string()),
      label: orNull(v.string()),
      palette: orNull(v.string()),
    })),
  });
}
