import * as fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { MemberObj } from "../mod.ts";
import {
  avatarDecorationUrl,
  avatarUrl,
  bannerUrl,
  guildBannerUrl,
  guildIconUrl,
  guildSplashUrl,
  type ImageFormat,
  type ImageOptions,
  memberAvatarUrl,
} from "../src/images.ts";

const CDN = "https://cdn.discordapp.com";
const ID = "80351110224678912";
const GUILD = "197038439483310086";
const STILL = "8342729096ea3675442027381ff50dfe";
const MOVING = "a_1269e74af4df7417b13759eae50c83dc";

/** Every kind of image as the platform documents it: its path, and the formats it comes in. */
const kinds: readonly [
  kind: string,
  url: (hash: string | null, options?: ImageOptions) => string | null,
  path: string,
  formats: readonly ImageFormat[],
][] = [
  [
    "a user's avatar",
    (avatar, options) => avatarUrl({ id: ID, avatar }, options),
    `avatars/${ID}`,
    ["png", "jpg", "webp", "gif"],
  ],
  [
    "a user's banner",
    (banner, options) => bannerUrl({ id: ID, banner }, options),
    `banners/${ID}`,
    ["png", "jpg", "webp", "gif"],
  ],
  [
    "a member's avatar",
    (avatar, options) => memberAvatarUrl(GUILD, { avatar, user: { id: ID } }, options),
    `guilds/${GUILD}/users/${ID}/avatars`,
    ["png", "jpg", "webp", "gif"],
  ],
  [
    "a guild's icon",
    (icon, options) => guildIconUrl({ id: GUILD, icon }, options),
    `icons/${GUILD}`,
    ["png", "jpg", "webp", "gif"],
  ],
  [
    "a guild's banner",
    (banner, options) => guildBannerUrl({ id: GUILD, banner }, options),
    `banners/${GUILD}`,
    ["png", "jpg", "webp", "gif"],
  ],
  [
    "a guild's splash",
    (splash, options) => guildSplashUrl({ id: GUILD, splash }, options),
    `splashes/${GUILD}`,
    ["png", "jpg", "webp"],
  ],
];

describe.each(kinds)("The address of %s", (_kind, urlOf, path, formats) => {
  const moves = formats.includes("gif");

  test("is a png of the platform's size by default", () => {
    expect(urlOf(STILL)).toBe(`${CDN}/${path}/${STILL}.png`);
  });

  test("is a gif if the image is animated and the platform has gifs", () => {
    expect(urlOf(MOVING)).toBe(`${CDN}/${path}/${MOVING}.${moves ? "gif" : "png"}`);
    expect(urlOf(MOVING, { animated: false })).toBe(`${CDN}/${path}/${MOVING}.png`);
  });

  test.each(["png", "jpg", "webp"] as const)("can be a %s", (format) => {
    expect(urlOf(STILL, { format })).toBe(`${CDN}/${path}/${STILL}.${format}`);
  });

  test("asks for an animated webp, which is still by default", () => {
    const query = moves ? "?animated=true" : "";
    expect(urlOf(MOVING, { format: "webp" })).toBe(`${CDN}/${path}/${MOVING}.webp${query}`);
    expect(urlOf(MOVING, { format: "webp", animated: false }))
      .toBe(`${CDN}/${path}/${MOVING}.webp`);
    expect(urlOf(STILL, { format: "webp" })).toBe(`${CDN}/${path}/${STILL}.webp`);
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

  test("refuses a switch that is not a boolean", () => {
    expect(() => urlOf(STILL, { animated: "no" as unknown as boolean })).toThrow(
      /animated must be/,
    );
  });

  test("stays below its folder for any hash", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", minLength: 1 }), (hash) => {
      const url = new URL(urlOf(hash) ?? "");
      expect(url.href.startsWith(`${CDN}/${path}/`)).toBe(true);
      expect(url.search).toBe("");
      expect(url.pathname.split("/")).toHaveLength(path.split("/").length + 2);
    }));
  });
});

describe("Without an image", () => {
  test.each(kinds.filter(([kind]) => !kind.endsWith("avatar")))("%s has no address", (_, urlOf) => {
    expect(urlOf(null)).toBeNull();
  });

  test("a user has one of six default avatars, by the id", () => {
    expect(avatarUrl({ id: ID })).toBe(
      `${CDN}/embed/avatars/${(80351110224678912n >> 22n) % 6n}.png`,
    );
    expect(avatarUrl({ id: ID, avatar: null, discriminator: "0" })).toBe(avatarUrl({ id: ID }));
    expect(avatarUrl({ id: ID }, { size: 64, format: "webp" })).toBe(avatarUrl({ id: ID }));
  });

  test("a user of the old kind has one of five, by the tag", () => {
    expect(avatarUrl({ id: ID, discriminator: "1337" })).toBe(`${CDN}/embed/avatars/2.png`);
    expect(avatarUrl({ id: ID, discriminator: "0005" })).toBe(`${CDN}/embed/avatars/0.png`);
  });

  test("a member has the avatar of the user", () => {
    const user = { id: ID, avatar: STILL };
    expect(memberAvatarUrl(GUILD, { avatar: null, user })).toBe(avatarUrl(user));
    expect(memberAvatarUrl(GUILD, { user: { id: ID } }, { size: 64 })).toBe(avatarUrl({ id: ID }));
  });

  test("a member without a user has no address, even with an avatar", () => {
    const member: Pick<MemberObj, "avatar" | "user"> = { avatar: STILL, user: null };
    expectTypeOf(memberAvatarUrl(GUILD, member)).toEqualTypeOf<string | null>();
    expectTypeOf(memberAvatarUrl(GUILD, { user: { id: ID } })).toEqualTypeOf<string>();
    expect(memberAvatarUrl(GUILD, member)).toBeNull();
    expect(() => memberAvatarUrl(GUILD, member, { size: 5 })).toThrow(RangeError);
  });

  test("a bad size is refused", () => {
    expect(() => guildIconUrl({ id: GUILD }, { size: 5 })).toThrow(RangeError);
  });
});

describe("The address of an avatar decoration", () => {
  const asset = "a_8552f9857793aed0cf816f370e2df3be";

  test("is a png, even if it is animated", () => {
    expect(avatarDecorationUrl({ avatar_decoration: asset }, { size: 256 }))
      .toBe(`${CDN}/avatar-decoration-presets/${asset}.png?size=256`);
    expect(avatarDecorationUrl({ avatar_decoration: null })).toBeNull();
  });
});

describe("A wrong id", () => {
  const bad = "../../guilds";
  test.each<[string, () => unknown]>([
    ["user.id", () => avatarUrl({ id: bad })],
    ["user.id", () => bannerUrl({ id: bad })],
    ["guildId", () => memberAvatarUrl(bad, { user: { id: ID } })],
    ["member.user.id", () => memberAvatarUrl(GUILD, { user: { id: bad } })],
    ["guild.id", () => guildIconUrl({ id: bad })],
    ["guild.id", () => guildBannerUrl({ id: bad })],
    ["guild.id", () => guildSplashUrl({ id: bad })],
    ["user.id", () => avatarUrl(null as never)],
    ["user.id", () => avatarUrl({ id: 80351110224678912 as unknown as string })],
  ])("is refused by its name %s", (name, call) => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(new RegExp(`^${name} must be`));
  });
});
