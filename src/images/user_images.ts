/**
 * Builds the URLs of a user's images.
 *
 * @module
 */

import { checkBoolean, checkSnowflake, throwBadArgument } from "../core/arguments.ts";
import {
  animatedImageOf,
  cdnBaseUrl,
  type ImageOptions,
  type ImageOwner,
  stillImageUrl,
} from "./image_url.ts";

/**
 * Returns the URL of a user's avatar; for a user without an avatar, the URL of the default avatar. Default avatars are always
 * `png`, in one size.
 *
 * @example
 * ```ts
 * import { avatarUrl } from "@guildpass/sdk/images";
 *
 * const ada = {
 *   id: "80351110224678912",
 *   avatar: "8342729096ea3675442027381ff50dfe",
 * };
 * avatarUrl(ada, { size: 64 });
 * // "https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png?size=64"
 * ```
 *
 * @param user The user, with `id` and `avatar`.
 * @param options The size in pixels, and the format.
 * @throws {TypeError} If an argument is wrong.
 * @throws {RangeError} If `size` is not 16, 32, 64 … 4096.
 */
export function avatarUrl(
  user: {
    /** The user's id. */
    readonly id: string;
    /** The hash of the avatar, or `null` for a user without an avatar. */
    readonly avatar?: string | null | undefined;
    /** The user's discriminator. It determines the default avatar of an account that has not moved to unique usernames. */
    readonly discriminator?: string | null | undefined;
  },
  options?: ImageOptions | null,
): string {
  return animatedImageOf("user", user, "avatars", user?.avatar, options) ??
    defaultAvatarUrl(cdnBaseUrl(options), user);
}

/**
 * Returns the URL of a user's banner, or `null` for a user without a banner.
 *
 * @param user The user, with `id` and `banner`.
 * @param options The size in pixels, and the format.
 * @throws {TypeError} If an argument is wrong.
 * @throws {RangeError} If `size` is not 16, 32, 64 … 4096.
 */
export function bannerUrl(
  user: ImageOwner<"banner">,
  options?: ImageOptions | null,
): string | null {
  return animatedImageOf("user", user, "banners", user?.banner, options);
}

/**
 * Returns the URL of the avatar decoration of a user or a member, or `null` without a decoration. A member without a guild decoration
 * has the user's decoration. Decorations are always `png`; an animated decoration is an animated `png`.
 *
 * @example
 * ```ts
 * import { avatarDecorationUrl } from "@guildpass/sdk/images";
 *
 * const asset = "a_fed43ab12698df65902ba06727e20c0e";
 * avatarDecorationUrl({ avatar_decoration_data: { asset } });
 * // "https://cdn.discordapp.com/avatar-decoration-presets/a_fed43ab12698df65902ba06727e20c0e.png"
 * ```
 *
 * @param owner The user or the member.
 * @param options The size in pixels.
 * @throws {TypeError} If an argument is wrong.
 * @throws {RangeError} If `size` is not 16, 32, 64 … 4096.
 */
export function avatarDecorationUrl(
  owner: {
    readonly avatar_decoration_data?:
      | { readonly asset?: string | null | undefined }
      | null
      | undefined;
    /** The hash of the decoration, in a `UserObj`. */
    readonly avatar_decoration?: string | null | undefined;
    /** The user, for a member. */
    readonly user?:
      | {
        readonly avatar_decoration_data?:
          | { readonly asset?: string | null | undefined }
          | null
          | undefined;
        readonly avatar_decoration?: string | null | undefined;
      }
      | null
      | undefined;
  },
  options?: Pick<ImageOptions, "size" | "platform"> | null,
): string | null {
  const { size, platform } = options ?? {};
  const hash = owner?.avatar_decoration_data?.asset ?? owner?.avatar_decoration ??
    owner?.user?.avatar_decoration_data?.asset ?? owner?.user?.avatar_decoration;
  return stillImageUrl("avatar-decoration-presets", hash, { size, platform });
}

/**
 * Returns the URL of the nameplate of a user or a member, the picture behind the name in lists, or `null` without a nameplate. A member
 * without a guild nameplate has the user's nameplate. Nameplates have one size.
 *
 * Discord does not document this URL. It is the one that its own client uses.
 *
 * @param owner The user or the member.
 * @param options The format, and `animated`.
 * @throws {TypeError} If an argument is wrong.
 */
export function nameplateUrl(
  owner: {
    readonly collectibles?:
      | { readonly nameplate?: { readonly asset?: string | null | undefined } | null | undefined }
      | null
      | undefined;
    /** The user, for a member. */
    readonly user?:
      | {
        readonly collectibles?:
          | {
            readonly nameplate?: { readonly asset?: string | null | undefined } | null | undefined;
          }
          | null
          | undefined;
      }
      | null
      | undefined;
  },
  options?:
    | Pick<ImageOptions, "animated" | "platform"> & {
      /** The format: `png` for an image, which may be animated, or `webm` for a video. @default {"png"} */
      readonly format?: "png" | "webm" | null | undefined;
    }
    | null,
): string | null {
  const animated = options?.animated ?? true;
  checkBoolean("animated", animated);
  const format = options?.format ?? "png";
  if (format !== "png" && format !== "webm") throwBadArgument("format", '"png" or "webm"', format);
  const base = cdnBaseUrl(options);
  const asset = owner?.collectibles?.nameplate?.asset ??
    owner?.user?.collectibles?.nameplate?.asset;
  // The asset is a path, as in `nameplates/nameplates/twilight/`.
  if (!asset || !/^[\w-]+(\/[\w-]+)*\/?$/.test(asset)) return null;
  const file = format === "webm" ? "asset.webm" : animated ? "img.png" : "static.png";
  return `${base}/assets/collectibles/${asset.replace(/\/$/, "")}/${file}`;
}

/**
 * Returns the URL of the badge in the tag beside a user's name, or `null` for a user without a tag, or with a hidden one.
 *
 * @example
 * ```ts
 * import { tagBadgeUrl } from "@guildpass/sdk/images";
 *
 * tagBadgeUrl({
 *   primary_guild: {
 *     identity_guild_id: "41771983423143937",
 *     badge: "7d1734ae5a615e82bc7a4033b98fade8",
 *   },
 * });
 * // "https://cdn.discordapp.com/guild-tag-badges/41771983423143937/7d1734ae5a615e82bc7a4033b98fade8.png"
 * ```
 *
 * @param user The user, with `primary_guild`.
 * @param options The size in pixels, and the format.
 * @throws {TypeError} If an argument is wrong.
 * @throws {RangeError} If `size` is not 16, 32, 64 … 4096.
 */
export function tagBadgeUrl(
  user: {
    readonly primary_guild?:
      | {
        readonly identity_guild_id?: string | null | undefined;
        readonly identity_enabled?: boolean | null | undefined;
        readonly badge?: string | null | undefined;
      }
      | null
      | undefined;
  },
  options?: ImageOptions | null,
): string | null {
  const { identity_guild_id, identity_enabled, badge } = user?.primary_guild ?? {};
  if (identity_guild_id != null) {
    checkSnowflake("user.primary_guild.identity_guild_id", identity_guild_id);
  }
  const isShown = identity_guild_id != null && identity_enabled !== false;
  const folder = `guild-tag-badges/${identity_guild_id}`;
  return stillImageUrl(folder, isShown ? badge : null, options);
}

/** Returns the URL of the avatar of a user who has not chosen one. */
export function defaultAvatarUrl(
  base: string,
  { id, discriminator }: Parameters<typeof avatarUrl>[0],
): string {
  const isOldAccount = discriminator != null && /^(?!0+$)\d{1,4}$/.test(discriminator);
  const index = isOldAccount ? Number(discriminator) % 5 : Number((BigInt(id) >> 22n) % 6n);
  return `${base}/embed/avatars/${index}.png`;
}
