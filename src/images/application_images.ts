/**
 * Builds the URLs of the images of applications and teams, which are never animated.
 *
 * @module
 */

import { type ImageOptions, type ImageOwner, stillImageOf } from "./image_url.ts";

/**
 * Returns the URL of an application's icon, or `null` for an application without an icon.
 *
 * @param application The application, with `id` and `icon`.
 * @param options The size in pixels, and the format.
 * @throws {TypeError} If an argument is wrong. `gif` is wrong, since these icons are never animated.
 * @throws {RangeError} If `size` is not 16, 32, 64 … 4096.
 */
export function applicationIconUrl(
  application: ImageOwner<"icon">,
  options?: ImageOptions | null,
): string | null {
  return stillImageOf("application", application, "app-icons", application?.icon, options);
}

/**
 * Returns the URL of an application's cover image, or `null` for an application without a cover image.
 *
 * @param application The application, with `id` and `cover_image`.
 * @param options The size in pixels, and the format.
 * @throws {TypeError} If an argument is wrong. `gif` is wrong, since covers are never animated.
 * @throws {RangeError} If `size` is not 16, 32, 64 … 4096.
 */
export function applicationCoverUrl(
  application: ImageOwner<"cover_image">,
  options?: ImageOptions | null,
): string | null {
  return stillImageOf("application", application, "app-icons", application?.cover_image, options);
}

/**
 * Returns the URL of a team's icon, or `null` for a team without an icon.
 *
 * @param team The team, with `id` and `icon`.
 * @param options The size in pixels, and the format.
 * @throws {TypeError} If an argument is wrong. `gif` is wrong, since these icons are never animated.
 * @throws {RangeError} If `size` is not 16, 32, 64 … 4096.
 */
export function teamIconUrl(
  team: ImageOwner<"icon">,
  options?: ImageOptions | null,
): string | null {
  return stillImageOf("team", team, "team-icons", team?.icon, options);
}
