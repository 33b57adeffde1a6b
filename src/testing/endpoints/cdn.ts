/**
 * Serves the image CDN: draws a colored tile for every image of a user, a member, a guild or an application.
 *
 * @module
 */

import { escapeHtml } from "../pages/page.ts";
import { hash } from "../world/encoding.ts";
import type { Guild } from "../world/guild.ts";
import type { CollectiblesPayload } from "../world/payloads/user.ts";
import type { World } from "../world/world.ts";

/** Serves an image. The path is relative to the base URL of the CDN. */
export function serveImage(world: World, path: string, query: URLSearchParams): Response {
  const [, file = "", format = ""] = /^\/(.+)\.([a-z]+)$/.exec(path) ?? [];
  const image = findImage(world, file);
  if (image === undefined) return imageError(404);
  if (!image.formats.includes(format)) return imageError(415);
  const size = Number(query.get("size") ?? "128");
  if (!imageSizes.includes(size)) return imageError(400);
  if (format === "json") return served(emptyLottie, "application/json");
  // Every other format is served as SVG, since browsers use the content type.
  return served(drawTile(file, image.owner, size), "image/svg+xml");
}

function served(body: string, contentType: string): Response {
  return new Response(body, {
    headers: {
      "content-type": contentType,
      "content-security-policy": "default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=31536000",
      "access-control-allow-origin": "*",
    },
  });
}

const imageSizes: readonly number[] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];

const still: readonly string[] = ["png", "jpg", "jpeg", "webp"];
const animated: readonly string[] = [...still, "gif"];

/** The formats of stickers, by their `format_type`. The others are `png`. */
const stickerFormats: Readonly<Record<number, string>> = { 3: "json", 4: "gif" };

/** An empty animation of one second, in the Lottie format. */
const emptyLottie = '{"v":"5.5.7","fr":30,"ip":0,"op":30,"w":320,"h":320,"layers":[]}';

interface Image {
  /** The path without its extension. */
  readonly file: string;
  /** The name of the image's owner, which may be empty. */
  readonly owner: string;
  readonly formats: readonly string[];
}

function findImage(world: World, file: string): Image | undefined {
  if (/^embed\/avatars\/[0-5]$/.test(file)) return { file, owner: "", formats: ["png"] };
  for (const image of imagesOf(world)) if (image.file === file) return image;
  return undefined;
}

/** Lists the images of the world. */
function* imagesOf(world: World): Generator<Image> {
  for (const { id, name, icon } of world.applications.values()) {
    // The bot has the icon of its application.
    for (const folder of ["app-icons", "avatars"]) yield* image(`${folder}/${id}`, icon, name);
  }
  for (const { payload: user } of world.users.values()) {
    const owner = user.global_name ?? user.username;
    yield* image(`avatars/${user.id}`, user.avatar, owner);
    yield* image(`banners/${user.id}`, user.banner, user.username);
    yield* imagesWithoutId(user);
    const { identity_guild_id, badge, tag } = user.primary_guild ?? {};
    yield* image(`guild-tag-badges/${identity_guild_id}`, badge, tag ?? "", still);
  }
  for (const guild of world.guilds.values()) yield* imagesOfGuild(guild);
}

function* imagesOfGuild({ payload: guild, members }: Guild): Generator<Image> {
  const { id, name } = guild;
  yield* image(`icons/${id}`, guild.icon, name);
  yield* image(`banners/${id}`, guild.banner, name);
  yield* image(`splashes/${id}`, guild.splash, name);
  yield* image(`discovery-splashes/${id}`, guild.discovery_splash, name);
  for (const role of guild.roles) yield* image(`role-icons/${role.id}`, role.icon, role.name);
  for (const emoji of guild.emojis) {
    yield* image("emojis", emoji.id, emoji.name ?? "", emoji.animated ? animated : still);
  }
  for (const sticker of guild.stickers) {
    yield* image("stickers", sticker.id, sticker.name, [
      stickerFormats[sticker.format_type] ?? "png",
    ]);
  }
  for (const [userId, { payload: member, user }] of members) {
    const folder = `guilds/${id}/users/${userId}`;
    const owner = member.nick ?? user.payload.username;
    yield* image(`${folder}/avatars`, member.avatar, owner);
    yield* image(`${folder}/banners`, member.banner, owner);
    yield* imagesWithoutId(member);
  }
}

/** Lists the images of a user or a member whose addresses contain no id. */
function* imagesWithoutId({ avatar_decoration_data: decoration, collectibles }: {
  readonly avatar_decoration_data: { readonly asset: string } | null;
  readonly collectibles: CollectiblesPayload | null;
}): Generator<Image> {
  yield* image("avatar-decoration-presets", decoration?.asset, "", still);
  const { nameplate } = collectibles ?? {};
  if (!nameplate) return;
  const folder = `assets/collectibles/${nameplate.asset.replace(/\/$/, "")}`;
  for (const file of ["img", "static"]) yield* image(folder, file, nameplate.label, ["png"]);
}

/** Returns the image with a hash, or nothing without a hash. Only a hash with a prefix is animated. */
function* image(
  folder: string,
  hash: string | null | undefined,
  owner: string,
  formats = hash?.startsWith("a_") ? animated : still,
): Generator<Image> {
  if (hash) yield { file: `${folder}/${hash}`, owner, formats };
}

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
