/**
 * The URLs of the platform's images: avatars, banners, decorations, icons and splashes. This module never uses the network.
 *
 * @example
 * ```ts
 * import { avatarUrl, guildIconUrl } from "@guildpass/sdk/images";
 *
 * const ada = { id: "80351110224678912", avatar: "8342729096ea3675442027381ff50dfe" };
 * avatarUrl(ada, { size: 64 });
 * // "https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png?size=64"
 * guildIconUrl({ id: "197038439483310086", icon: null }); // null
 * ```
 *
 * @see {@link https://docs.discord.com/developers/reference#image-formatting | Image formatting in the platform's documentation}
 *
 * @module
 */

import { checkBoolean, checkSnowflake, throwBadArgument } from "./core/arguments.ts";
import { checkedUrl, discord, type Platform, withoutTrailingSlashes } from "./links/platform.ts";

/** The format of an image. */
export type ImageFormat = "png" | "jpg" | "webp" | "gif";

/** The options of all image functions. */
export interface ImageOptions {
  /** The width and height in pixels: a power of two from 16 to 4096. @default {chosen by the platform} */
  readonly size?: number | null | undefined;
  /**
   * The format. With `gif`, an image that is not animated is a `png` instead.
   *
   * @default {"gif" for an animated image, else "png"}
   */
  readonly format?: ImageFormat | null | undefined;
  /** True to keep the animation of an animated image, as `gif` or, if `format` is `webp`, as `webp`. @default {true} */
  readonly animated?: boolean | null | undefined;
  /** The platform with the images. @default {discord} */
  readonly platform?: Pick<Platform, "cdnUrl"> | null | undefined;
}

/**
 * Returns the URL of a user's avatar; for a user without an avatar, the URL of the default avatar. Default avatars are always
 * `png`, in one size.
 *
 * @throws {TypeError} If an argument is wrong.
 * @throws {RangeError} If `size` is not a power of two from 16 to 4096.
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
  options: ImageOptions = {},
): string {
  checkSnowflake("user.id", user?.id);
  return imageUrl(animatedFormats, `avatars/${user.id}`, user.avatar, options) ??
    `${cdnBaseUrl(options)}/embed/avatars/${defaultAvatarIndex(user)}.png`;
}

/**
 * Returns the URL of a user's banner, or `null` for a user without a banner.
 *
 * @throws {TypeError} If an argument is wrong.
 * @throws {RangeError} If `size` is not a power of two from 16 to 4096.
 */
export function bannerUrl(
  user: { readonly id: string; readonly banner?: string | null | undefined },
  options: ImageOptions = {},
): string | null {
  checkSnowflake("user.id", user?.id);
  return imageUrl(animatedFormats, `banners/${user.id}`, user.banner, options);
}

/**
 * Returns the URL of a user's avatar decoration, or `null` for a user without a decoration. Decorations are always `png`; an
 * animated decoration is an animated `png`.
 *
 * @throws {TypeError} If an argument is wrong.
 * @throws {RangeError} If `size` is not a power of two from 16 to 4096.
 */
export function avatarDecorationUrl(
  user: { readonly avatar_decoration?: string | null | undefined },
  options: Omit<ImageOptions, "animated" | "format"> = {},
): string | null {
  const { size, platform } = options;
  const hash = user?.avatar_decoration;
  return imageUrl(["png"], "avatar-decoration-presets", hash, { size, platform, format: "png" });
}

/**
 * Returns the URL of a member's avatar in a guild; for a member without a guild avatar, the URL of the user's own avatar.
 *
 * @throws {TypeError} If an argument is wrong.
 * @throws {RangeError} If `size` is not a power of two from 16 to 4096.
 */
export function memberAvatarUrl(
  guildId: string,
  member: {
    /** The hash of the member's guild avatar. */
    readonly avatar?: string | null | undefined;
    readonly user: Parameters<typeof avatarUrl>[0];
  },
  options?: ImageOptions,
): string;
/**
 * Returns `null` for a member without `user`, which the platform omits in some responses. The URLs of the guild avatar and of the
 * user's own avatar both contain the user's id.
 */
export function memberAvatarUrl(
  guildId: string,
  member: {
    readonly avatar?: string | null | undefined;
    readonly user: Parameters<typeof avatarUrl>[0] | null;
  },
  options?: ImageOptions,
): string | null;
export function memberAvatarUrl(
  guildId: string,
  member: {
    readonly avatar?: string | null | undefined;
    readonly user: Parameters<typeof avatarUrl>[0] | null;
  },
  options: ImageOptions = {},
): string | null {
  checkSnowflake("guildId", guildId);
  // Without a user, this call still checks the options.
  if (member?.user === null) return imageUrl(animatedFormats, "", null, options);
  checkSnowflake("member.user.id", member?.user?.id);
  const folder = `guilds/${guildId}/users/${member.user.id}/avatars`;
  return imageUrl(animatedFormats, folder, member.avatar, options) ??
    avatarUrl(member.user, options);
}

/**
 * Returns the URL of a guild's icon, or `null` for a guild without an icon.
 *
 * @throws {TypeError} If an argument is wrong.
 * @throws {RangeError} If `size` is not a power of two from 16 to 4096.
 */
export function guildIconUrl(
  guild: { readonly id: string; readonly icon?: string | null | undefined },
  options: ImageOptions = {},
): string | null {
  checkSnowflake("guild.id", guild?.id);
  return imageUrl(animatedFormats, `icons/${guild.id}`, guild.icon, options);
}

/**
 * Returns the URL of a guild's banner, or `null` for a guild without a banner.
 *
 * @throws {TypeError} If an argument is wrong.
 * @throws {RangeError} If `size` is not a power of two from 16 to 4096.
 */
export function guildBannerUrl(
  guild: { readonly id: string; readonly banner?: string | null | undefined },
  options: ImageOptions = {},
): string | null {
  checkSnowflake("guild.id", guild?.id);
  return imageUrl(animatedFormats, `banners/${guild.id}`, guild.banner, options);
}

/**
 * Returns the URL of a guild's splash, the background of its invite page, or `null` for a guild without a splash.
 *
 * @throws {TypeError} If an argument is wrong. `gif` is wrong, since splashes are never animated.
 * @throws {RangeError} If `size` is not a power of two from 16 to 4096.
 */
export function guildSplashUrl(
  guild: { readonly id: string; readonly splash?: string | null | undefined },
  options: ImageOptions = {},
): string | null {
  checkSnowflake("guild.id", guild?.id);
  return imageUrl(stillFormats, `splashes/${guild.id}`, guild.splash, options);
}

/** The sizes of the platform's images. */
const sizes: readonly number[] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];

/** The formats of images that may be animated. */
const animatedFormats: readonly ImageFormat[] = ["png", "jpg", "webp", "gif"];

/** The formats of images that are never animated. */
const stillFormats: readonly ImageFormat[] = ["png", "jpg", "webp"];

/** Returns the URL of an image, or `null` without a hash. */
function imageUrl(
  formats: readonly ImageFormat[],
  folder: string,
  hash: string | null | undefined,
  options: ImageOptions,
): string | null {
  const { size, format } = options;
  const animated = options.animated ?? true;
  checkBoolean("animated", animated);
  if (format != null && !formats.includes(format)) {
    throwBadArgument("format", formats.map((known) => `"${known}"`).join(" or "), format);
  }
  if (size != null && !sizes.includes(size)) {
    throw new RangeError(`size must be a power of two from 16 to 4096, received ${Number(size)}`);
  }
  const base = cdnBaseUrl(options);
  if (!hash) return null;
  // The hash of an animated image has a prefix.
  const moves = animated && formats.includes("gif") && hash.startsWith("a_");
  const wanted = format ?? "gif";
  const extension = wanted === "gif" && !moves ? "png" : wanted;
  let query = size == null ? "" : `?size=${size}`;
  if (moves && extension === "webp") query += `${query ? "&" : "?"}animated=true`;
  return `${base}/${folder}/${encodedHash(hash)}.${extension}${query}`;
}

/** Encodes a hash as one path segment. Usually the hash has only letters and digits. */
function encodedHash(hash: string): string {
  if (/^\w+$/.test(hash)) return hash;
  // JSON may hold half a character, for which encodeURIComponent throws.
  return encodeURIComponent(hash.replace(/\p{Cs}/gu, "\ufffd"));
}

function cdnBaseUrl({ platform }: ImageOptions): string {
  return withoutTrailingSlashes(checkedUrl("platform.cdnUrl", (platform ?? discord).cdnUrl));
}

function defaultAvatarIndex({ id, discriminator }: Parameters<typeof avatarUrl>[0]): number {
  const isOldAccount = discriminator != null && /^(?!0+$)\d{1,4}$/.test(discriminator);
  return isOldAccount ? Number(discriminator) % 5 : Number((BigInt(id) >> 22n) % 6n);
}
