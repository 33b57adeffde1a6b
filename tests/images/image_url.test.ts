import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applicationCoverUrl,
  applicationIconUrl,
  avatarUrl,
  bannerUrl,
  eventCoverUrl,
  guildBannerUrl,
  guildDiscoverySplashUrl,
  guildIconUrl,
  guildSplashUrl,
  type ImageFormat,
  type ImageOptions,
  memberAvatarUrl,
  memberBannerUrl,
  roleIconUrl,
  tagBadgeUrl,
  teamIconUrl,
} from "../../src/images/mod.ts";
import { defaultImageUrl } from "../../src/images/image_url.ts";
import { CDN, GUILD, ID, MOVING, STILL } from "./samples.ts";

type UrlOf = (hash: string | null, options?: ImageOptions) => string | null;

const animated: readonly ImageFormat[] = ["png", "jpg", "webp", "gif"];
const still: readonly ImageFormat[] = ["png", "jpg", "webp"];

/** Every kind of image with a hash as the platform documents it: its path, and its formats. */
const kinds: readonly [kind: string, url: UrlOf, path: string, formats: readonly ImageFormat[]][] =
  [
    [
      "a user's avatar",
      (avatar, options) => avatarUrl({ id: ID, avatar }, options),
      `avatars/${ID}`,
      animated,
    ],
    [
      "a user's banner",
      (banner, options) => bannerUrl({ id: ID, banner }, options),
      `banners/${ID}`,
      animated,
    ],
    [
      "a member's avatar",
      (avatar, options) => memberAvatarUrl(GUILD, { avatar, user: { id: ID } }, options),
      `guilds/${GUILD}/users/${ID}/avatars`,
      animated,
    ],
    [
      "a member's banner",
      (banner, options) => memberBannerUrl(GUILD, { banner, user: { id: ID } }, options),
      `guilds/${GUILD}/users/${ID}/banners`,
      animated,
    ],
    [
      "a guild's icon",
      (icon, options) => guildIconUrl({ id: GUILD, icon }, options),
      `icons/${GUILD}`,
      animated,
    ],
    [
      "a guild's banner",
      (banner, options) => guildBannerUrl({ id: GUILD, banner }, options),
      `banners/${GUILD}`,
      animated,
    ],
    [
      "a guild's splash",
      (splash, options) => guildSplashUrl({ id: GUILD, splash }, options),
      `splashes/${GUILD}`,
      still,
    ],
    [
      "a guild's discovery splash",
      (discovery_splash, options) =>
        guildDiscoverySplashUrl({ id: GUILD, discovery_splash }, options),
      `discovery-splashes/${GUILD}`,
      still,
    ],
    [
      "a role's icon",
      (icon, options) => roleIconUrl({ id: ID, icon }, options),
      `role-icons/${ID}`,
      still,
    ],
    [
      "an event's cover",
      (image, options) => eventCoverUrl({ id: ID, image }, options),
      `guild-events/${ID}`,
      still,
    ],
    [
      "the badge of a tag",
      (badge, options) =>
        tagBadgeUrl({ primary_guild: { identity_guild_id: GUILD, badge } }, options),
      `guild-tag-badges/${GUILD}`,
      still,
    ],
    [
      "an application's icon",
      (icon, options) => applicationIconUrl({ id: ID, icon }, options),
      `app-icons/${ID}`,
      still,
    ],
    [
      "an application's cover",
      (cover_image, options) => applicationCoverUrl({ id: ID, cover_image }, options),
      `app-icons/${ID}`,
      still,
    ],
    [
      "a team's icon",
      (icon, options) => teamIconUrl({ id: ID, icon }, options),
      `team-icons/${ID}`,
      still,
    ],
  ];

describe.each(kinds)("The address of %s", (_kind, urlOf, path, formats) => {
  const moves = formats.includes("gif");

  test("is a png of the platform's size by default", () => {
    expect(urlOf(STILL)).toBe(`${CDN}/${path}/${STILL}.png`);
  });

  test("is an animated webp if the image is animated", () => {
    const file = moves ? "webp?animated=true" : "png";
    expect(urlOf(MOVING)).toBe(`${CDN}/${path}/${MOVING}.${file}`);
    expect(urlOf(MOVING, { animated: false })).toBe(`${CDN}/${path}/${MOVING}.png`);
  });

  test.each(["png", "jpg", "webp"] as const)("can be a %s", (format) => {
    expect(urlOf(STILL, { format })).toBe(`${CDN}/${path}/${STILL}.${format}`);
  });

  test("keeps the animation in a webp or a gif", () => {
    const query = moves ? "?animated=true" : "";
    expect(urlOf(MOVING, { format: "webp" })).toBe(`${CDN}/${path}/${MOVING}.webp${query}`);
    expect(urlOf(MOVING, { format: "webp", animated: false }))
      .toBe(`${CDN}/${path}/${MOVING}.webp`);
    expect(urlOf(STILL, { format: "webp" })).toBe(`${CDN}/${path}/${STILL}.webp`);
    if (moves) {
      expect(urlOf(MOVING, { format: "gif" })).toBe(`${CDN}/${path}/${MOVING}.gif`);
      expect(urlOf(MOVING, { format: "gif", animated: false }))
        .toBe(`${CDN}/${path}/${MOVING}.png`);
    }
  });

  test(moves ? "is a png where a still image is wanted as gif" : "is never a gif", () => {
    if (moves) expect(urlOf(STILL, { format: "gif" })).toBe(`${CDN}/${path}/${STILL}.png`);
    else expect(() => urlOf(STILL, { format: "gif" })).toThrow(/format must be "png" or "jpg"/);
  });

  test("has the given size", () => {
    expect(urlOf(STILL, { size: 128 })).toBe(`${CDN}/${path}/${STILL}.png?size=128`);
    expect(urlOf(MOVING, { size: 4096, format: "webp" }))
      .toBe(`${CDN}/${path}/${MOVING}.webp?size=4096${moves ? "&animated=true" : ""}`);
  });

  test("treats null and undefined as missing", () => {
    const nothing = { size: null, format: undefined, animated: null, platform: undefined };
    expect(urlOf(STILL, nothing)).toBe(urlOf(STILL));
  });

  test("begins with the given CDN, with and without slashes at its end", () => {
    const expected = `http://127.0.0.1:1/cdn/${path}/${STILL}.png`;
    for (
      const cdnUrl of [
        "http://127.0.0.1:1/cdn",
        "http://127.0.0.1:1/cdn/",
        "http://127.0.0.1:1/cdn//",
      ]
    ) {
      expect(urlOf(STILL, { platform: { cdnUrl } })).toBe(expected);
    }
  });

  test.each([0, 8, 15, 17, 100, 8192, 64.5, NaN, Infinity, "64"])("refuses the size %s", (size) => {
    expect(() => urlOf(STILL, { size: size as number }))
      .toThrow(/size must be a power of two from 16 to 4096/);
  });

  test.each([[15, "15"], ["90071992547", "a string of length 11"]])(
    "shows the size %j as %s: text may be a misplaced secret",
    (size, shown) => {
      expect(() => urlOf(STILL, { size: size as number }))
        .toThrow(`size must be a power of two from 16 to 4096, received ${shown}`);
    },
  );

  test("refuses a switch that is not a boolean", () => {
    expect(() => urlOf(STILL, { animated: "no" as unknown as boolean })).toThrow(
      /animated must be/,
    );
  });

  test("stays below its folder for any hash", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (hash) => {
        const url = new URL(urlOf(hash) ?? "");
        expect(url.href.startsWith(`${CDN}/${path}/`)).toBe(true);
        expect(url.search).toMatch(hash.startsWith("a_") ? /^(\?animated=true)?$/ : /^$/);
        expect(url.pathname.split("/")).toHaveLength(path.split("/").length + 2);
      }),
      { examples: [["a_\u0000"], ["a_"]] },
    );
  });
});

describe.each(kinds)("Without an image, the address of %s", (kind, urlOf) => {
  test(kind.endsWith("avatar") ? "is that of the default avatar" : "is null", () => {
    const expected = kind.endsWith("avatar") ? avatarUrl({ id: ID }) : null;
    expect(urlOf(null)).toBe(expected);
    expect(urlOf("")).toBe(expected);
  });

  test("still has its options checked", () => {
    expect(() => urlOf(null, { size: 5 })).toThrow(RangeError);
  });
});

test("The URL in a model is the URL without options", () => {
  const prefix = fc.constantFrom("", "a_");
  const rest = fc.string({ unit: "binary" });
  fc.assert(fc.property(fc.option(fc.tuple(prefix, rest)), (parts) => {
    const icon = parts && parts.join("");
    expect(defaultImageUrl(CDN, `icons/${ID}`, icon)).toBe(guildIconUrl({ id: ID, icon }));
  }));
});
