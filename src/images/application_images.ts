/**
 * Builds the URLs of the images of applications and teams, which are never animated.
 *
 * @module
 */

import { type ImageOptions, type ImageOwner, stillImageOf } from "./image_url.ts";

/**
 * Returns the URL of an application's icon, or `null` for an application without an icon.
 *
 * @throws {TypeError} If an argument is wrong. `gif` is wrong, since these icons are never animated.
 * @throws {RangeError} If `size` is not a power of two from 16 to 4096.
 */
export function applicationIconUrl(
  application: ImageOwner<"icon">,
  options?: ImageOptions,
): string | null {
  return stillImageOf("application", application, "app-icons", application?.icon, options);
}

/**
 * Returns the URL of an application's cover image, or `null` for an application without a cover image.
 *
 * @throws {TypeError} If an argument is wrong. `gif` is wrong, since covers are never animated.
 * @throws {RangeError} If `size` is not a power of two from 16 to 4096.
 */
export function applicationCoverUrl(
  application: ImageOwner<"cover_image">,
  options?: ImageOptions,
): string | null {
  return stillImageOf("application", application, "app-icons", application?.cover_image, options);
}

/**
 * Returns the URL of a team's icon, or `null` for a team without an icon.
 *
 * @throws {TypeError} If an argument is wrong. `gif` is wrong, since these icons are never animated.
 * @throws {RangeError} If `size` is not a power of two from 16 to 4096.
 */
export function teamIconUrl(team: ImageOwner<"icon">, options?: ImageOptions): string | null {
  return stillImageOf("team", team, "team-icons", team?.icon, options);
}
