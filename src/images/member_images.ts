/**
 * Builds the URLs of a member's images in a guild. Without an image in the guild, a member has that of the user.
 *
 * @module
 */

import { checkSnowflake } from "../core/arguments.ts";
import { animatedImageUrl, type ImageOptions } from "./image_url.ts";
import { avatarUrl, bannerUrl } from "./user_images.ts";

/**
 * Returns the URL of a member's avatar in a guild; for a member without a guild avatar, the URL of the user's own avatar.
 *
 * @example
 * ```ts
 * import { memberAvatarUrl } from "@guildpass/sdk/images";
 *
 * const user = { id: "80351110224678912", avatar: null };
 * const member = { user, avatar: "8342729096ea3675442027381ff50dfe" };
 * memberAvatarUrl("41771983423143937", member);
 * // "https://cdn.discordapp.com/guilds/41771983423143937/users/80351110224678912/avatars/8342729096ea3675442027381ff50dfe.png"
 * ```
 *
 * @param guildId The guild's id.
 * @param member The member, with `user` and `avatar`.
 * @param options The size in pixels, and the format.
 * @throws {TypeError} If an argument is wrong.
 * @throws {RangeError} If `size` is not 16, 32, 64 … 4096.
 */
export function memberAvatarUrl(
  guildId: string,
  member: {
    /** The hash of the member's guild avatar. */
    readonly avatar?: string | null | undefined;
    readonly user: Parameters<typeof avatarUrl>[0];
  },
  options?: ImageOptions | null,
): string;
/**
 * Returns `null` for a member without `user`, which Discord omits in some responses. The URLs of the guild avatar and of the
 * user's own avatar both contain the user's id.
 *
 * @param guildId The guild's id.
 * @param member The member, with `user` and `avatar`.
 * @param options The size in pixels, and the format.
 */
export function memberAvatarUrl(
  guildId: string,
  member: {
    readonly avatar?: string | null | undefined;
    readonly user: Parameters<typeof avatarUrl>[0] | null;
  },
  options?: ImageOptions | null,
): string | null;
export function memberAvatarUrl(
  guildId: string,
  member: {
    readonly avatar?: string | null | undefined;
    readonly user: Parameters<typeof avatarUrl>[0] | null;
  },
  options?: ImageOptions | null,
): string | null {
  return memberImageUrl("avatars", guildId, member?.user, member?.avatar, options) ??
    (member.user && avatarUrl(member.user, options));
}

/**
 * Returns the URL of a member's banner in a guild; for a member without a guild banner, the URL of the user's own banner. Returns
 * `null` without both, and for a member without `user`, which Discord omits in some responses.
 *
 * @param guildId The guild's id.
 * @param member The member, with `user` and `banner`.
 * @param options The size in pixels, and the format.
 * @throws {TypeError} If an argument is wrong.
 * @throws {RangeError} If `size` is not 16, 32, 64 … 4096.
 */
export function memberBannerUrl(
  guildId: string,
  member: {
    /** The hash of the member's guild banner. */
    readonly banner?: string | null | undefined;
    readonly user: { readonly id: string; readonly banner?: string | null | undefined } | null;
  },
  options?: ImageOptions | null,
): string | null {
  return memberImageUrl("banners", guildId, member?.user, member?.banner, options) ??
    (member.user && bannerUrl(member.user, options));
}

/** Returns the URL of an image in a guild, or `null` without a user or a hash. */
function memberImageUrl(
  kind: string,
  guildId: string,
  user: { readonly id: string } | null,
  hash: string | null | undefined,
  options: ImageOptions | null | undefined,
): string | null {
  checkSnowflake("guildId", guildId);
  // Without a user, the call still checks the options.
  if (user === null) return animatedImageUrl("", null, options);
  checkSnowflake("member.user.id", user?.id);
  return animatedImageUrl(`guilds/${guildId}/users/${user.id}/${kind}`, hash, options);
}
