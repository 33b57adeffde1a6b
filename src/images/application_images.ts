/**
 * Builds the URLs of the images of applications and teams, which are never animated.
 *
 * @module
 */

import { checkSnowflake } from "../core/arguments.ts";
import { type ImageOptions, stillImageUrl } from "./image_url.ts";

/**
 * Returns the URL of an application's icon, or `null` for an application without an icon.
 *
 * @throws {TypeError} If an argument is wrong. `gif` is wrong, since these icons are never animated.
 * @throws {RangeError} If `size` is not a power of two from 16 to 4096.
 */
export function applicationIconUrl(
  application: { readonly id: string; readonly icon?: string | null | undefined },
  options: ImageOptions = {},
): string | null {
  checkSnowflake("application.id", application?.id);
  return stillImageUrl(`app-icons/${application.id}`, application.icon, options);
}

/**
 * Returns the URL of an application's cover image, or `null` for an application without a cover image.
 *
 * @throws {TypeError} If an argument is wrong. `gif` is wrong, since covers are never animated.
 * @throws {RangeError} If `size` is not a power of two from 16 to 4096.
 */
export function applicationCoverUrl(
  application: { readonly id: string; readonly cover_image?: string | null | undefined },
  options: ImageOptions = {},
): string | null {
  checkSnowflake("application.id", application?.id);
  return stillImageUrl(`app-icons/${application.id}`, application.cover_image, options);
}

/**
 * Returns the URL of an application's asset, such as the `large_image` of an activity, or `null` without an id. The image of an
 * activity may also begin with `mp:`, which this function rejects: its URL is `https://media.discordapp.net/` with the text after `mp:`.
 *
 * @throws {TypeError} If an argument is wrong. `gif` is wrong, since assets are never animated.
 * @throws {RangeError} If `size` is not a power of two from 16 to 4096.
 * @see {@link https://docs.discord.com/developers/events/gateway-events#activity-object-activity-asset-image | Activity asset image in the platform's documentation}
 */
export function applicationAssetUrl(
  applicationId: string,
  assetId: string | null | undefined,
  options: ImageOptions = {},
): string | null {
  return assetUrl("", applicationId, assetId, options);
}

/**
 * Returns the URL of an asset of an application's store page, or `null` without an id.
 *
 * @throws {TypeError} If an argument is wrong. `gif` is wrong, since these assets are never animated.
 * @throws {RangeError} If `size` is not a power of two from 16 to 4096.
 */
export function storeAssetUrl(
  applicationId: string,
  assetId: string | null | undefined,
  options: ImageOptions = {},
): string | null {
  return assetUrl("/store", applicationId, assetId, options);
}

function assetUrl(
  folder: string,
  applicationId: string,
  assetId: string | null | undefined,
  options: ImageOptions,
): string | null {
  checkSnowflake("applicationId", applicationId);
  if (assetId != null) checkSnowflake("assetId", assetId);
  return stillImageUrl(`app-assets/${applicationId}${folder}`, assetId, options);
}

/**
 * Returns the URL of a team's icon, or `null` for a team without an icon.
 *
 * @throws {TypeError} If an argument is wrong. `gif` is wrong, since these icons are never animated.
 * @throws {RangeError} If `size` is not a power of two from 16 to 4096.
 */
export function teamIconUrl(
  team: { readonly id: string; readonly icon?: string | null | undefined },
  options: ImageOptions = {},
): string | null {
  checkSnowflake("team.id", team?.id);
  return stillImageUrl(`team-icons/${team.id}`, team.icon, options);
}
