/**
 * Serves the image CDN: draws a colored tile for every image of a user, a guild or an application.
 *
 * @module
 */

import { ownProperty } from "../http/parameters.ts";
import { escapeHtml } from "../pages/page.ts";
import { hash } from "../world/encoding.ts";
import type { World } from "../world/world.ts";

/** Serves an image. The path is relative to the base URL of the CDN. */
export function serveImage(world: World, path: string, query: URLSearchParams): Response {
  const [, file = "", format = ""] = /^\/(.+)\.([a-z]+)$/.exec(path) ?? [];
  const owner = findOwner(world, file);
  if (owner === null) return imageError(404);
  const isAnimated = file.split("/").at(-1)?.startsWith("a_") === true;
  if (!imageFormats.includes(format) || (format === "gif" && !isAnimated)) return imageError(415);
  const size = Number(query.get("size") ?? "128");
  if (!imageSizes.includes(size)) return imageError(400);
  return new Response(drawTile(file, owner, size), {
    headers: {
      // Every format is served as SVG, since browsers use the content type.
      "content-type": "image/svg+xml",
      "content-security-policy": "default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=31536000",
      "access-control-allow-origin": "*",
    },
  });
}

const imageFormats: readonly string[] = ["png", "jpg", "jpeg", "webp", "gif"];
const imageSizes: readonly number[] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];

/** Returns the name of the image's owner; `null` for an unknown image, an empty string for an image without an owner. */
function findOwner(world: World, file: string): string | null {
  const [kind = "", id = "", wanted = "", ...more] = file.split("/");
  if (more.length > 0) return null;
  if (kind === "embed" && id === "avatars") return /^[0-5]$/.test(wanted) ? "" : null;
  if (kind === "avatar-decoration-presets") {
    const isUsed = [...world.users.values()].some(({ payload }) =>
      payload.avatar_decoration_data?.asset === id
    );
    return isUsed && wanted === "" ? "" : null;
  }
  const guild = world.guilds.get(id)?.payload;
  const user = world.users.get(id)?.payload;
  const application = world.applications.get(id);
  const applicationIcon: Image = [application?.name, application?.icon];
  const images: Readonly<Record<string, readonly Image[]>> = {
    "icons": [[guild?.name, guild?.icon]],
    "splashes": [[guild?.name, guild?.splash]],
    "discovery-splashes": [[guild?.name, guild?.discovery_splash]],
    "banners": [[guild?.name, guild?.banner], [user?.username, user?.banner]],
    "avatars": [[user?.global_name ?? user?.username, user?.avatar], applicationIcon],
    "app-icons": [applicationIcon],
  };
  const [name] = ownProperty(images, kind)?.find(([, known]) => known === wanted) ?? [];
  return name ?? null;
}

type Image = readonly [owner: string | undefined, hash: string | null | undefined];

/** Draws a square with the owner's initials. The color depends only on the file. */
function drawTile(file: string, owner: string, size: number): string {
  const hue = hash(file) % 360;
  const initials = owner.split(/\s+/).map((word) => Array.from(word)[0] ?? "").join("").slice(0, 2);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="${size}" height="${size}">` +
    `<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1">` +
    `<stop stop-color="hsl(${hue} 62% 52%)"/>` +
    `<stop offset="1" stop-color="hsl(${(hue + 50) % 360} 62% 38%)"/></linearGradient></defs>` +
    `<rect width="64" height="64" fill="url(#g)"/>` +
    `<text x="32" y="33" fill="#fff" font-family="system-ui,sans-serif" font-size="26" ` +
    `font-weight="600" text-anchor="middle" dominant-baseline="central">${
      escapeHtml(initials.toUpperCase())
    }</text></svg>`;
}

function imageError(status: number): Response {
  return new Response(null, { status, headers: { "access-control-allow-origin": "*" } });
}
