/**
 * The URLs of Discord's images: those of users and members, guilds, roles, emojis, stickers, events, applications and teams.
 * This module never uses the network.
 *
 * Each function takes the model from a response, or an object with the same fields.
 *
 * @example
 * ```ts
 * import { avatarUrl, guildIconUrl } from "@guildpass/sdk/images";
 *
 * const ada = {
 *   id: "80351110224678912",
 *   avatar: "8342729096ea3675442027381ff50dfe",
 * };
 * avatarUrl(ada, { size: 64 });
 * // "https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png?size=64"
 * guildIconUrl({ id: "197038439483310086", icon: null }); // null
 * ```
 *
 * @see {@link https://docs.discord.com/developers/reference#image-formatting | Image formatting in Discord's documentation}
 *
 * @module
 */

export { applicationCoverUrl, applicationIconUrl, teamIconUrl } from "./application_images.ts";
export {
  emojiUrl,
  eventCoverUrl,
  guildBannerUrl,
  guildDiscoverySplashUrl,
  guildIconUrl,
  guildSplashUrl,
  roleIconUrl,
  stickerUrl,
} from "./guild_images.ts";
export { memberAvatarUrl, memberBannerUrl } from "./member_images.ts";
export {
  avatarDecorationUrl,
  avatarUrl,
  bannerUrl,
  nameplateUrl,
  tagBadgeUrl,
} from "./user_images.ts";

export type { ImageFormat, ImageOptions, ImageOwner } from "./image_url.ts";
