/**
 * A user.
 *
 * @module
 */

import { avatarUrl } from "../images.ts";
import { readPayload, type Report } from "./reading.ts";
import { boolean, type Mutable, number, object, snowflake, string } from "./shapes.ts";

/**
 * A user. A field that is missing or can't be read is `null`; only `id` and `username` are always there.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#user-object | The user object in the platform's documentation}
 */
export interface UserObj {
  /** The user's id, a snowflake. */
  readonly id: string;
  /** The user's name. It is unique only together with the discriminator. */
  readonly username: string;
  /** The four digits after the name; `"0"` for a name that is unique by itself. */
  readonly discriminator: string | null;
  /** The display name; for a bot, the application's name. */
  readonly global_name: string | null;
  /** The hash of the avatar. */
  readonly avatar: string | null;
  /** The URL of the avatar, built from its hash; for a user without an avatar, that of the default one. */
  readonly avatar_url: string;
  /** True if the user belongs to an application; false if the platform does not say. */
  readonly bot: boolean;
  /** True if the user is part of the platform's system; false if the platform does not say. */
  readonly system: boolean;
  /** True if the account has multi-factor authentication. */
  readonly mfa_enabled: boolean | null;
  /** The hash of the banner. */
  readonly banner: string | null;
  /** The color of the banner, as the integer of its hexadecimal notation. */
  readonly accent_color: number | null;
  /** The chosen language, for example `en-US`. */
  readonly locale: string | null;
  /** True if the e-mail address is verified; needs the `email` scope. */
  readonly verified: boolean | null;
  /** The e-mail address; needs the `email` scope. */
  readonly email: string | null;
  /** The flags of the account. */
  readonly flags: number | null;
  /** The type of the paid subscription: 0 none, 1 Nitro Classic, 2 Nitro, 3 Nitro Basic. */
  readonly premium_type: number | null;
  /** The public flags of the account. */
  readonly public_flags: number | null;
  /** The hash of the avatar decoration, also if the platform sends it as `avatar_decoration_data.asset`. */
  readonly avatar_decoration: string | null;
  /** The avatar decoration. */
  readonly avatar_decoration_data: AvatarDecorationDataObj | null;
  /** The collectibles that the user shows, apart from the avatar decoration. */
  readonly collectibles: CollectiblesObj | null;
  /** The guild whose tag the user shows beside the name. */
  readonly primary_guild: PrimaryGuildObj | null;
}

/**
 * A user's avatar decoration. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#avatar-decoration-data-object | Avatar decoration data in the platform's documentation}
 */
export interface AvatarDecorationDataObj {
  /** The hash of the decoration. */
  readonly asset: string | null;
  /** The id of its SKU, a snowflake. */
  readonly sku_id: string | null;
}

/**
 * The collectibles that a user shows. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#collectibles | Collectibles in the platform's documentation}
 */
export interface CollectiblesObj {
  /** The nameplate behind the user's name in lists. */
  readonly nameplate: NameplateObj | null;
}

/**
 * A user's nameplate. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#nameplate | Nameplate in the platform's documentation}
 */
export interface NameplateObj {
  /** The id of its SKU, a snowflake. */
  readonly sku_id: string | null;
  /** The path of the picture. */
  readonly asset: string | null;
  /** The label. The platform does not use it yet. */
  readonly label: string | null;
  /** The name of the background color, for example `cobalt`. */
  readonly palette: string | null;
}

/**
 * The guild whose tag a user shows. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#user-object-user-primary-guild | User primary guild in the platform's documentation}
 */
export interface PrimaryGuildObj {
  /** The guild's id, a snowflake. */
  readonly identity_guild_id: string | null;
  /** True if the tag is shown; `null` also if the platform took it away. */
  readonly identity_enabled: boolean | null;
  /** The tag, up to 4 characters. */
  readonly tag: string | null;
  /** The hash of the tag's badge. */
  readonly badge: string | null;
}

/** The shape of an avatar decoration. @internal */
export const avatarDecorationData = /* @__PURE__ */ object<AvatarDecorationDataObj>({}, {
  asset: string,
  sku_id: snowflake,
});

/** The shape of collectibles. @internal */
export const collectibles = /* @__PURE__ */ object<CollectiblesObj>({}, {
  nameplate: /* @__PURE__ */ object<NameplateObj>({}, {
    sku_id: snowflake,
    asset: string,
    label: string,
    palette: string,
  }),
});

/** The shape of a user. @internal */
export const user = /* @__PURE__ */ object<UserObj, "avatar_url">({
  id: snowflake,
  username: string,
  bot: { shape: boolean, fallback: false },
  system: { shape: boolean, fallback: false },
}, {
  discriminator: string,
  global_name: string,
  avatar: string,
  mfa_enabled: boolean,
  banner: string,
  accent_color: number,
  locale: string,
  verified: boolean,
  email: string,
  flags: number,
  premium_type: number,
  public_flags: number,
  avatar_decoration: string,
  avatar_decoration_data: avatarDecorationData,
  collectibles,
  primary_guild: /* @__PURE__ */ object<PrimaryGuildObj>({}, {
    identity_guild_id: snowflake,
    identity_enabled: boolean,
    tag: string,
    badge: string,
  }),
}, addDerivedFields);

/**
 * Reads the response to `GET /users/@me`.
 *
 * @throws {PayloadError} If `id` or `username` is missing or can't be read.
 */
export function toUser(payload: unknown, report: Report, cdnUrl: string): UserObj {
  return readPayload("The user", user, payload, report, cdnUrl);
}

/** Adds the avatar's URL, and the hash of an avatar decoration in the new form. */
function addDerivedFields(model: Mutable<UserObj>, cdnUrl: string): void {
  model.avatar_url = avatarUrl(model, { platform: { cdnUrl } });
  model.avatar_decoration ??= model.avatar_decoration_data?.asset ?? null;
}
