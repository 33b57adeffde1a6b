/**
 * Builds the URLs of the images of guilds, and of their roles, emojis, stickers and events.
 *
 * @module
 */

import { checkSnowflake } from "../core/arguments.ts";
import {
  animatedImageOf,
  animatedImageUrl,
  cdnBaseUrl,
  type ImageOptions,
  type ImageOwner,
  stillImageOf,
} from "./image_url.ts";

/**
 * Returns the URL of a guild's icon, or `null` for a guild without an icon.
 *
 * @example
 * ```ts
 * import { guildIconUrl } from "@guildpass/sdk/images";
 *
 * guildIconUrl({ id: "197038439483310086", icon: null }); // null
 * ```
 *
 * @param guild The guild, with `id` and `icon`.
 * @param options The size in pixels, and the format.
 * @throws {TypeError} If an argument is wrong.
 * @throws {RangeError} If `size` is not 16, 32, 64 … 4096.
 */
export function guildIconUrl(
  guild: ImageOwner<"icon">,
  options?: ImageOptions | null,
): string | null {
  return animatedImageOf("guild", guild, "icons", guild?.icon, options);
}

/**
 * Returns the URL of a guild's banner, or `null` for a guild without a banner.
 *
 * @param guild The guild, with `id` and `banner`.
 * @param options The size in pixels, and the format.
 * @throws {TypeError} If an argument is wrong.
 * @throws {RangeError} If `size` is not 16, 32, 64 … 4096.
 */
export function guildBannerUrl(
  guild: ImageOwner<"banner">,
  options?: ImageOptions | null,
): string | null {
  return animatedImageOf("guild", guild, "banners", guild?.banner, options);
}

/**
 * Returns the URL of a guild's splash, the background of its invite page, or `null` for a guild without a splash.
 *
 * @param guild The guild, with `id` and `splash`.
 * @param options The size in pixels, and the format.
 * @throws {TypeError} If an argument is wrong. `gif` is wrong, since splashes are never animated.
 * @throws {RangeError} If `size` is not 16, 32, 64 … 4096.
 */
export function guildSplashUrl(
  guild: ImageOwner<"splash">,
  options?: ImageOptions | null,
): string | null {
  return stillImageOf("guild", guild, "splashes", guild?.splash, options);
}

/**
 * Returns the URL of a guild's discovery splash, its picture in Server Discovery, or `null` for a guild without one.
 *
 * @param guild The guild, with `id` and `discovery_splash`.
 * @param options The size in pixels, and the format.
 * @throws {TypeError} If an argument is wrong. `gif` is wrong, since splashes are never animated.
 * @throws {RangeError} If `size` is not 16, 32, 64 … 4096.
 */
export function guildDiscoverySplashUrl(
  guild: ImageOwner<"discovery_splash">,
  options?: ImageOptions | null,
): string | null {
  return stillImageOf("guild", guild, "discovery-splashes", guild?.discovery_splash, options);
}

/**
 * Returns the URL of a role's icon, or `null` for a role without one. A role with a `unicode_emoji` has that emoji instead.
 *
 * @param role The role, with `id` and `icon`.
 * @param options The size in pixels, and the format.
 * @throws {TypeError} If an argument is wrong. `gif` is wrong, since role icons are never animated.
 * @throws {RangeError} If `size` is not 16, 32, 64 … 4096.
 */
export function roleIconUrl(
  role: ImageOwner<"icon">,
  options?: ImageOptions | null,
): string | null {
  return stillImageOf("role", role, "role-icons", role?.icon, options);
}

/**
 * Returns the URL of a custom emoji, or `null` for a standard emoji, which has no id. The default format is `webp` for every emoji, as
 * Discord recommends.
 *
 * @example
 * ```ts
 * import { emojiUrl } from "@guildpass/sdk/images";
 *
 * emojiUrl({ id: "41771983429993937", animated: true }, { size: 64 });
 * // "https://cdn.discordapp.com/emojis/41771983429993937.webp?size=64&animated=true"
 * ```
 *
 * @param emoji The emoji, with `id` and `animated`.
 * @param options The size in pixels, and the format.
 * @throws {TypeError} If an argument is wrong.
 * @throws {RangeError} If `size` is not 16, 32, 64 … 4096.
 * @see {@link https://docs.discord.com/developers/resources/emoji#emoji-object-emoji-formats | Discord: Emoji formats}
 */
export function emojiUrl(
  emoji: {
    readonly id: string | null;
    /** True if the emoji is animated. */
    readonly animated?: boolean | null | undefined;
  },
  options?: ImageOptions | null,
): string | null {
  if (emoji?.id !== null) checkSnowflake("emoji.id", emoji?.id);
  const format = options?.format ?? "webp";
  return animatedImageUrl("emojis", emoji.id, { ...options, format }, emoji.animated === true);
}

/**
 * Returns the URL of a sticker. The sticker determines the format: `png`, which may be animated, `gif`, or Lottie JSON for a
 * `format_type` of 3. To draw Lottie, a page needs a library. Stickers have one size.
 *
 * @example
 * ```ts
 * import { stickerUrl } from "@guildpass/sdk/images";
 *
 * stickerUrl({ id: "749054660769218631", format_type: 3 });
 * // "https://cdn.discordapp.com/stickers/749054660769218631.json"
 * ```
 *
 * @param sticker The sticker, with `id` and `format_type`.
 * @param options The platform.
 * @throws {TypeError} If an argument is wrong.
 * @see {@link https://docs.discord.com/developers/resources/sticker#sticker-object-sticker-format-types | Discord: Sticker formats}
 */
export function stickerUrl(
  sticker: {
    readonly id: string;
    /** The format: 1 PNG, 2 APNG, 3 Lottie, 4 GIF. @default {1} */
    readonly format_type?: number | null | undefined;
  },
  options?: Pick<ImageOptions, "platform"> | null,
): string {
  checkSnowflake("sticker.id", sticker?.id);
  const base = cdnBaseUrl(options);
  const { id, format_type: format } = sticker;
  if (format === 3) return `${base}/stickers/${id}.json`;
  if (format !== 4) return `${base}/stickers/${id}.png`;
  // Discord has another host for these.
  return `${base.replace("//cdn.discordapp.com", "//media.discordapp.net")}/stickers/${id}.gif`;
}

/**
 * Returns the URL of the cover of a scheduled event, or `null` for an event without a cover.
 *
 * @param event The event, with `id` and `image`.
 * @param options The size in pixels, and the format.
 * @throws {TypeError} If an argument is wrong. `gif` is wrong, since covers are never animated.
 * @throws {RangeError} If `size` is not 16, 32, 64 … 4096.
 */
export function eventCoverUrl(
  event: ImageOwner<"image">,
  options?: ImageOptions | null,
): string | null {
  return stillImageOf("event", event, "guild-events", event?.image, options);
}
