/**
 * The URLs of Discord's images: those of users and members, guilds, roles, emojis, stickers, events, applications and teams.
 * This module never uses the network.
 *
 * Each function takes the model from a response, or an object with the same fields.
 *
 * @see {@link https://docs.discord.com/developers/reference#image-formatting | Discord: Image formatting}
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
