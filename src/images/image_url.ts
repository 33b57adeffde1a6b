/**
 * Builds the URLs of images, from the path and the hash of an image.
 *
 * @module
 */

import { checkBoolean, checkSnowflake, kindOf, throwBadArgument } from "../core/arguments.ts";
import {
  checkedUrl,
  discord,
  type Platform,
  readPlatform,
  withoutTrailingSlashes,
} from "../links/platform.ts";

/** The format of an image. */
export type ImageFormat = "png" | "jpg" | "webp" | "gif";

/** The options of the image functions. */
export interface ImageOptions {
  /** The width and height in pixels: a power of two from 16 to 4096. @default {chosen by Discord} */
  readonly size?: number | null | undefined;
  /**
   * The format. `png` and `jpg` are never animated. With `gif`, an image that is not animated is a `png` instead. Discord
   * can't turn every animation into a good `gif`: it recommends `webp`, which all current browsers show.
   *
   * @default {"webp" for an animated image, else "png"}
   */
  readonly format?: ImageFormat | null | undefined;
  /** True to keep the animation of an animated image, as `webp` or `gif`. @default {true} */
  readonly animated?: boolean | null | undefined;
  /** The platform with the images, or its JSON as a string. An empty string means the default. @default {discord} */
  readonly platform?: Pick<Platform, "cdnUrl"> | string | null | undefined;
}

/** An object with an image: its id, and the hash of the image; `null` without an image. */
export type ImageOwner<Field extends string> =
  & { readonly id: string }
  & { readonly [name in Field]?: string | null | undefined };

/** The sizes of Discord's images. */
const sizes: readonly number[] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];

/** The formats of images that are never animated. */
const stillFormats: readonly ImageFormat[] = ["png", "jpg", "webp"];

/** The formats of images that may be animated. */
const animatedFormats: readonly ImageFormat[] = ["png", "jpg", "webp", "gif"];

/** Returns the URL of an object's image that is never animated, or `null` without a hash. */
export function stillImageOf(
  argument: string,
  owner: { readonly id: string },
  folder: string,
  hash: string | null | undefined,
  options?: ImageOptions | null,
): string | null {
  checkSnowflake(`${argument}.id`, owner?.id);
  return stillImageUrl(`${folder}/${owner.id}`, hash, options);
}

/** Returns the URL of an object's image that may be animated, or `null` without a hash. */
export function animatedImageOf(
  argument: string,
  owner: { readonly id: string },
  folder: string,
  hash: string | null | undefined,
  options?: ImageOptions | null,
): string | null {
  checkSnowflake(`${argument}.id`, owner?.id);
  return animatedImageUrl(`${folder}/${owner.id}`, hash, options);
}

/** Returns the URL of an image that is never animated, or `null` without a hash. */
export function stillImageUrl(
  folder: string,
  hash: string | null | undefined,
  options: ImageOptions | null | undefined,
): string | null {
  return imageUrl(folder, hash, options, stillFormats, false);
}

/**
 * Returns the URL of an image that may be animated, or `null` without a hash.
 *
 * @param isAnimated True for an animated image. By default, the prefix of the hash decides.
 */
export function animatedImageUrl(
  folder: string,
  hash: string | null | undefined,
  options: ImageOptions | null | undefined,
  isAnimated = hash?.startsWith("a_") ?? false,
): string | null {
  return imageUrl(folder, hash, options, animatedFormats, isAnimated);
}

function imageUrl(
  folder: string,
  hash: string | null | undefined,
  options: ImageOptions | null | undefined,
  formats: readonly ImageFormat[],
  isAnimated: boolean,
): string | null {
  const { size, format, animated: given } = options ?? {};
  const animated = given ?? true;
  checkBoolean("animated", animated);
  if (format != null && !formats.includes(format)) {
    throwBadArgument("format", formats.map((known) => `"${known}"`).join(" or "), format);
  }
  if (size != null && !sizes.includes(size)) {
    // Text is not shown: it may be a secret in the wrong place.
    const found = typeof size === "number" ? size : kindOf(size);
    throw new RangeError(`size must be a power of two from 16 to 4096, received ${found}`);
  }
  const base = cdnBaseUrl(options);
  if (!hash) return null;
  const moves = animated && isAnimated;
  const wanted = format ?? (moves ? "webp" : "png");
  const extension = wanted === "gif" && !moves ? "png" : wanted;
  let query = size == null ? "" : `?size=${size}`;
  if (moves && extension === "webp") query += `${query ? "&" : "?"}animated=true`;
  return `${base}/${folder}/${encodedHash(hash)}.${extension}${query}`;
}

/**
 * Returns the URL of an image in its default format, or `null` without a hash. Models have this URL: it needs none of the checks.
 *
 * @param base The base URL of images, without a slash at its end.
 */
export function defaultImageUrl(base: string, folder: string, hash: string | null): string | null {
  if (!hash) return null;
  const extension = hash.startsWith("a_") ? "webp?animated=true" : "png";
  return `${base}/${folder}/${encodedHash(hash)}.${extension}`;
}

/** Encodes a hash as one path segment. Usually the hash has only letters and digits. */
function encodedHash(hash: string): string {
  if (/^\w+$/.test(hash)) return hash;
  // JSON may hold half a character, for which encodeURIComponent throws.
  return encodeURIComponent(hash.replace(/\p{Cs}/gu, "\ufffd"));
}

/** Returns the base URL of images, without a slash at its end. */
export function cdnBaseUrl(options: Pick<ImageOptions, "platform"> | null | undefined): string {
  return withoutTrailingSlashes(
    checkedUrl("platform.cdnUrl", (readPlatform(options?.platform) ?? discord).cdnUrl),
  );
}
