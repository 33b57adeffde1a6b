/**
 * Addresses of the platform's images: avatars, banners, decorations, icons and splashes. Nothing here touches the network.
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

/** Options of every function here. */
export interface ImageOptions {
  /** Width and height in pixels: a power of two from 16 to 4096. Without it the platform chooses. */
  readonly size?: number | null | undefined;
  /**
   * The format. `gif` needs an animated image, so an image that is not animated is a `png` instead.
   *
   * @default {"gif" for an animated image, else "png"}
   */
  readonly format?: ImageFormat | null | undefined;
  /** Whether an animated image moves; as `gif`, or as `webp` when that is the format. @default {true} */
  readonly animated?: boolean | null | undefined;
  /** Where the images are. @default {discord} */
  readonly platform?: Pick<Platform, "cdnUrl"> | null | undefined;
}

/** What is needed of a user to address the avatar. */
export interface AvatarOwner {
  /** The user's id. */
  readonly id: string;
  /** Hash of the avatar; `null` for a user without one. */
  readonly avatar?: string | null | undefined;
  /** The user's tag: an account that still has one gets its default avatar by it. */
  readonly discriminator?: string | null | undefined;
}

/** What is needed of a user to address the banner. */
export interface BannerOwner {
  /** The user's id. */
  readonly id: string;
  /** Hash of the banner; `null` for a user without one. */
  readonly banner?: string | null | undefined;
}

/** What is needed of a user to address the avatar decoration. */
export interface DecorationOwner {
  /** Hash of the decoration; `null` for a user without one. */
  readonly avatar_decoration?: string | null | undefined;
}

/** What is needed of a member to address the avatar. */
export interface MemberAvatarOwner {
  /** Hash of the avatar that the member has in this guild only. */
  readonly avatar?: string | null | undefined;
  /** The user that the member is; `null` when the platform did not say. */
  readonly user: AvatarOwner | null;
}

/** What is needed of a guild to address its images. */
export interface GuildImageOwner {
  /** The guild's id. */
  readonly id: string;
  /** Hash of the icon. */
  readonly icon?: string | null | undefined;
  /** Hash of the banner. */
  readonly banner?: string | null | undefined;
  /** Hash of the splash. */
  readonly splash?: string | null | undefined;
}

/**
 * The address of a user's avatar, or of the default avatar that the platform shows for a user without one. The platform has
 * default avatars in one size and as `png` only.
 *
 * @throws {TypeError} When an argument is wrong, with its name.
 * @throws {RangeError} When `size` is not a power of two from 16 to 4096.
 */
export function avatarUrl(user: AvatarOwner, options: ImageOptions = {}): string {
  checkSnowflake("user.id", user?.id);
  return imageUrl(movable, `avatars/${user.id}`, user.avatar, options) ??
    `${cdnUrl(options)}/embed/avatars/${defaultAvatarIndex(user)}.png`;
}

/**
 * The address of a user's banner, or `null` when the user has none.
 *
 * @throws {TypeError} When an argument is wrong, with its name.
 * @throws {RangeError} When `size` is not a power of two from 16 to 4096.
 */
export function bannerUrl(user: BannerOwner, options: ImageOptions = {}): string | null {
  checkSnowflake("user.id", user?.id);
  return imageUrl(movable, `banners/${user.id}`, user.banner, options);
}

/**
 * The address of the decoration around a user's avatar, or `null` when the user has none. The platform has decorations as
 * `png` only, and an animated one is an animated `png`.
 *
 * @throws {TypeError} When an argument is wrong, with its name.
 * @throws {RangeError} When `size` is not a power of two from 16 to 4096.
 */
export function avatarDecorationUrl(
  user: DecorationOwner,
  options: Omit<ImageOptions, "animated" | "format"> = {},
): string | null {
  const { size, platform } = options;
  const hash = user?.avatar_decoration;
  return imageUrl(["png"], "avatar-decoration-presets", hash, { size, platform, format: "png" });
}

/**
 * The address of the avatar that a member has in one guild; of the user's own avatar when the member has none there.
 *
 * @throws {TypeError} When an argument is wrong, with its name.
 * @throws {RangeError} When `size` is not a power of two from 16 to 4096.
 */
export function memberAvatarUrl(
  guildId: string,
  member: MemberAvatarOwner & { readonly user: AvatarOwner },
  options?: ImageOptions,
): string;
/**
 * The same for a member whose `user` may be `null`, which the platform leaves out of some answers: then it gives `null`, since the
 * address of either avatar has the user's id in it.
 */
export function memberAvatarUrl(
  guildId: string,
  member: MemberAvatarOwner,
  options?: ImageOptions,
): string | null;
export function memberAvatarUrl(
  guildId: string,
  member: MemberAvatarOwner,
  options: ImageOptions = {},
): string | null {
  checkSnowflake("guildId", guildId);
  // The options are checked all the same.
  if (member?.user === null) return imageUrl(movable, "", null, options);
  checkSnowflake("member.user.id", member?.user?.id);
  const folder = `guilds/${guildId}/users/${member.user.id}/avatars`;
  return imageUrl(movable, folder, member.avatar, options) ?? avatarUrl(member.user, options);
}

/**
 * The address of a guild's icon, or `null` when the guild has none.
 *
 * @throws {TypeError} When an argument is wrong, with its name.
 * @throws {RangeError} When `size` is not a power of two from 16 to 4096.
 */
export function guildIconUrl(guild: GuildImageOwner, options: ImageOptions = {}): string | null {
  checkSnowflake("guild.id", guild?.id);
  return imageUrl(movable, `icons/${guild.id}`, guild.icon, options);
}

/**
 * The address of a guild's banner, or `null` when the guild has none.
 *
 * @throws {TypeError} When an argument is wrong, with its name.
 * @throws {RangeError} When `size` is not a power of two from 16 to 4096.
 */
export function guildBannerUrl(guild: GuildImageOwner, options: ImageOptions = {}): string | null {
  checkSnowflake("guild.id", guild?.id);
  return imageUrl(movable, `banners/${guild.id}`, guild.banner, options);
}

/**
 * The address of a guild's splash, the picture behind an invitation to it, or `null` when the guild has none.
 *
 * @throws {TypeError} When an argument is wrong, with its name; the platform has no splash as `gif`.
 * @throws {RangeError} When `size` is not a power of two from 16 to 4096.
 */
export function guildSplashUrl(guild: GuildImageOwner, options: ImageOptions = {}): string | null {
  checkSnowflake("guild.id", guild?.id);
  return imageUrl(still, `splashes/${guild.id}`, guild.splash, options);
}

/** The sizes that the platform makes images in. */
const sizes: readonly number[] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];

/** The formats of images that may be animated. */
const movable: readonly ImageFormat[] = ["png", "jpg", "webp", "gif"];

/** The formats of images that never are. */
const still: readonly ImageFormat[] = ["png", "jpg", "webp"];

/** The address of an image, or `null` when there is no hash of one. */
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
  const base = cdnUrl(options);
  if (!hash) return null;
  // The platform marks the hash of an animated image.
  const moves = animated && formats.includes("gif") && hash.startsWith("a_");
  const wanted = format ?? "gif";
  const extension = wanted === "gif" && !moves ? "png" : wanted;
  const query = [
    ...(size == null ? [] : [`size=${size}`]),
    ...(moves && extension === "webp" ? ["animated=true"] : []),
  ];
  // Half a character, which JSON may hold, makes encodeURIComponent throw.
  const name = encodeURIComponent(hash.replace(/\p{Cs}/gu, "\ufffd"));
  return `${base}/${folder}/${name}.${extension}${query.length ? `?${query.join("&")}` : ""}`;
}

function cdnUrl({ platform }: ImageOptions): string {
  return withoutTrailingSlashes(checkedUrl("platform.cdnUrl", (platform ?? discord).cdnUrl));
}

function defaultAvatarIndex({ id, discriminator }: AvatarOwner): number {
  const isOldAccount = discriminator != null && /^(?!0+$)\d{1,4}$/.test(discriminator);
  return isOldAccount ? Number(discriminator) % 5 : Number((BigInt(id) >> 22n) % 6n);
}
