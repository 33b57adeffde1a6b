/**
 * A user.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { avatarUrl } from "../images.ts";
import { freeze, readAnswer, type Report } from "./reading.ts";
import {
  boolean,
  number,
  object,
  optional,
  required,
  type Shape,
  snowflake,
  string,
  withDefault,
} from "./shapes.ts";

/**
 * A user. A field is `null` when the platform did not send it or sent something that can't be read; only `id` and `username`
 * are always there.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#user-object | The user object in the platform's documentation}
 */
export interface UserObj {
  /** The user's id, a snowflake. */
  readonly id: string;
  /** The user's name, unique only together with the discriminator. */
  readonly username: string;
  /** The user's tag; `"0"` for names that are unique by themselves. */
  readonly discriminator: string | null;
  /** The name to show; for bots, the application's name. */
  readonly global_name: string | null;
  /** Hash of the avatar. */
  readonly avatar: string | null;
  /** URL of the avatar, built from its hash; of the default avatar for a user without one. */
  readonly avatar_url: string;
  /** Whether the user belongs to an application; `false` when the platform does not say. */
  readonly bot: boolean;
  /** Whether the user is part of the platform's system; `false` when the platform does not say. */
  readonly system: boolean;
  /** Whether the account has multi-factor authentication. */
  readonly mfa_enabled: boolean | null;
  /** Hash of the banner. */
  readonly banner: string | null;
  /** Color of the banner, as the integer of its hexadecimal notation. */
  readonly accent_color: number | null;
  /** The chosen language, for example `en-US`. */
  readonly locale: string | null;
  /** Whether the e-mail address is verified; needs the `email` scope. */
  readonly verified: boolean | null;
  /** The e-mail address; needs the `email` scope. */
  readonly email: string | null;
  /** Flags of the account. */
  readonly flags: number | null;
  /** Type of the paid subscription: 0 none, 1 Nitro Classic, 2 Nitro, 3 Nitro Basic. */
  readonly premium_type: number | null;
  /** Public flags of the account. */
  readonly public_flags: number | null;
  /** Hash of the avatar decoration, also when it came as `avatar_decoration_data.asset`. */
  readonly avatar_decoration: string | null;
  /** The avatar decoration. */
  readonly avatar_decoration_data: AvatarDecorationDataObj | null;
  /** What the user has collected and shows, apart from the avatar decoration. */
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
  /** Hash of the decoration. */
  readonly asset: string | null;
  /** Id of the SKU it was sold as, a snowflake. */
  readonly sku_id: string | null;
}

/**
 * What a user has collected and shows. A field that is missing or can't be read is `null`.
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
  /** Id of the SKU it was sold as, a snowflake. */
  readonly sku_id: string | null;
  /** Path of the picture. */
  readonly asset: string | null;
  /** The label, which the platform does not use yet. */
  readonly label: string | null;
  /** Name of the background color, for example `cobalt`. */
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
  /** Whether the tag is shown; `null` also when the platform took it away. */
  readonly identity_enabled: boolean | null;
  /** The tag, up to 4 characters. */
  readonly tag: string | null;
  /** Hash of the tag's badge. */
  readonly badge: string | null;
}

/** A user as the platform sends one: without what is built from other fields. */
export type SentUser = Omit<UserObj, "avatar_url">;

/** What a user comes with, as the platform sends it. */
export type WithSentUser<Holder extends { readonly user: UserObj | null }> =
  & Omit<Holder, "user">
  & { readonly user: SentUser | null };

/** The shape of an avatar decoration. @internal */
export const avatarDecorationData = object<AvatarDecorationDataObj>({
  asset: optional(string),
  sku_id: optional(snowflake),
});

/** The shape of what somebody has collected. @internal */
export const collectibles = object<CollectiblesObj>({
  nameplate: optional(
    object<NameplateObj>({
      sku_id: optional(snowflake),
      asset: optional(string),
      label: optional(string),
      palette: optional(string),
    }),
  ),
});

const userAsSent = object<SentUser>({
  id: required(snowflake),
  username: required(string),
  discriminator: optional(string),
  global_name: optional(string),
  avatar: optional(string),
  bot: withDefault(boolean, false),
  system: withDefault(boolean, false),
  mfa_enabled: optional(boolean),
  banner: optional(string),
  accent_color: optional(number),
  locale: optional(string),
  verified: optional(boolean),
  email: optional(string),
  flags: optional(number),
  premium_type: optional(number),
  public_flags: optional(number),
  avatar_decoration: optional(string),
  avatar_decoration_data: optional(avatarDecorationData),
  collectibles: optional(collectibles),
  primary_guild: optional(
    object<PrimaryGuildObj>({
      identity_guild_id: optional(snowflake),
      identity_enabled: optional(boolean),
      tag: optional(string),
      badge: optional(string),
    }),
  ),
});

/** The shape of a user. @internal */
export const user: Shape<SentUser> = {
  ...userAsSent,
  schema: v.pipe(
    userAsSent.schema,
    v.transform((found) => ({
      ...found,
      avatar_decoration: found.avatar_decoration ?? found.avatar_decoration_data?.asset ?? null,
    })),
  ),
};

/**
 * Reads the answer to `GET /users/@me`.
 *
 * @throws {PayloadError} When `id` or `username` is missing or can't be read.
 */
export function toUser(payload: unknown, cdnUrl: string, report: Report): UserObj {
  return freeze(withAvatarUrl(readAnswer("The user", user, payload, report), cdnUrl));
}

/** Adds the URL of the avatar. */
export function withAvatarUrl<Sent extends SentUser>(
  sent: Sent,
  cdnUrl: string,
): Sent & Pick<UserObj, "avatar_url"> {
  return { ...sent, avatar_url: avatarUrl(sent, { platform: { cdnUrl } }) };
}

/** Adds the URL of the avatar to the user that something comes with, if it comes with one. */
export function withUserAvatarUrl<Sent extends { readonly user: SentUser | null }>(
  sent: Sent,
  cdnUrl: string,
): Omit<Sent, "user"> & { readonly user: UserObj | null } {
  return { ...sent, user: sent.user && withAvatarUrl(sent.user, cdnUrl) };
}
