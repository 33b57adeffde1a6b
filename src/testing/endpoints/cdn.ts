/**
 * The image CDN: a colored tile for every image that a user, a guild or an application names.
 *
 * @module
 */

import { escapeHtml } from "../pages/html.ts";
import { lookUp } from "../routes.ts";
import { hash } from "../world/encoding.ts";
import type { World } from "../world/world.ts";

/** Answers a request to the CDN, with the path below its base. */
export function serveImage(world: World, path: string, query: URLSearchParams): Response {
  const [, file = "", format = ""] = /^\/(.+)\.([a-z]+)$/.exec(path) ?? [];
  const name = findImage(world, file);
  if (name === null) return refuse(404);
  const animated = file.split("/").at(-1)?.startsWith("a_") === true;
  if (!imageFormats.includes(format) || (format === "gif" && !animated)) return refuse(415);
  const size = Number(query.get("size") ?? "128");
  if (!imageSizes.includes(size)) return refuse(400);
  return new Response(tile(file, name, size), {
    headers: {
      // Always SVG, whatever format was asked for: browsers go by the content type and show it.
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

/** The name of the owner of an image, empty for images that belong to nobody; `null` when there is no such image. */
function findImage(world: World, file: string): string | null {
  const [kind = "", id = "", wanted = "", ...more] = file.split("/");
  if (more.length > 0) return null;
  if (kind === "embed" && id === "avatars") return /^[0-5]$/.test(wanted) ? "" : null;
  if (kind === "avatar-decoration-presets") {
    const used = [...world.users.values()].some(({ payload }) =>
      payload.avatar_decoration_data?.asset === id
    );
    return used && wanted === "" ? "" : null;
  }
  const guild = world.guilds.get(id)?.payload;
  const user = world.users.get(id)?.payload;
  const application = world.applications.get(id);
  const owners: Readonly<
    Record<string, readonly [name: string | undefined, hash: string | null | undefined][]>
  > = {
    "icons": [[guild?.name, guild?.icon]],
    "splashes": [[guild?.name, guild?.splash]],
    "discovery-splashes": [[guild?.name, guild?.discovery_splash]],
    "banners": [[guild?.name, guild?.banner], [user?.username, user?.banner]],
    "avatars": [[user?.global_name ?? user?.username, user?.avatar], [
      application?.name,
      application?.icon,
    ]],
    "app-icons": [[application?.name, application?.icon]],
  };
  const [name] = lookUp(owners, kind)?.find(([, known]) => known === wanted) ?? [];
  return name ?? null;
}

/** A colored square with the initials of the owner. The same file always gets the same color. */
function tile(file: string, name: string, size: number): string {
  const hue = hash(file) % 360;
  const initials = name.split(/\s+/).map((word) => Array.from(word)[0] ?? "").join("").slice(0, 2);
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

function refuse(status: number): Response {
  return new Response(null, { status, headers: { "access-control-allow-origin": "*" } });
}
