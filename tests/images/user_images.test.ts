import { describe, expect, test } from "vitest";
import {
  avatarDecorationUrl,
  avatarUrl,
  bannerUrl,
  nameplateUrl,
  tagBadgeUrl,
} from "../../src/images/mod.ts";
import { BAD_ID, CDN, GUILD, ID, MOVING, STILL } from "./samples.ts";

describe("avatarUrl", () => {
  test("gives a user without an avatar one of six default avatars, by the id", () => {
    expect(avatarUrl({ id: ID })).toBe(
      `${CDN}/embed/avatars/${(80351110224678912n >> 22n) % 6n}.png`,
    );
    expect(avatarUrl({ id: ID, avatar: null, discriminator: "0" })).toBe(avatarUrl({ id: ID }));
    expect(avatarUrl({ id: ID }, { size: 64, format: "webp" })).toBe(avatarUrl({ id: ID }));
  });

  test("gives a user of the old kind one of five, by the tag", () => {
    expect(avatarUrl({ id: ID, discriminator: "1337" })).toBe(`${CDN}/embed/avatars/2.png`);
    expect(avatarUrl({ id: ID, discriminator: "0005" })).toBe(`${CDN}/embed/avatars/0.png`);
  });
});

describe("avatarDecorationUrl", () => {
  const url = (asset: string) => `${CDN}/avatar-decoration-presets/${asset}.png`;

  test("is a png, even if the decoration is animated", () => {
    expect(avatarDecorationUrl({ avatar_decoration: MOVING }, { size: 256 }))
      .toBe(`${url(MOVING)}?size=256`);
    expect(avatarDecorationUrl({ avatar_decoration: null })).toBeNull();
  });

  test("reads the decoration of a user and of a member, with both names", () => {
    expect(avatarDecorationUrl({ avatar_decoration_data: { asset: STILL } })).toBe(url(STILL));
    const both = { avatar_decoration: "user", avatar_decoration_data: { asset: STILL } };
    expect(avatarDecorationUrl(both)).toBe(url(STILL));
  });

  test("gives a member without a decoration that of the user", () => {
    const user = { avatar_decoration: "user" };
    const data = { asset: STILL };
    expect(avatarDecorationUrl({ avatar_decoration_data: data, user })).toBe(url(STILL));
    expect(avatarDecorationUrl({ avatar_decoration_data: null, user })).toBe(url("user"));
    expect(avatarDecorationUrl({ user: { avatar_decoration_data: data } })).toBe(url(STILL));
    expect(avatarDecorationUrl({ avatar_decoration_data: null, user: null })).toBeNull();
    expect(avatarDecorationUrl(null as never)).toBeNull();
  });
});

describe("nameplateUrl", () => {
  const nameplate = { asset: "nameplates/nameplates/twilight/" };
  const folder = `${CDN}/assets/collectibles/nameplates/nameplates/twilight`;

  test("is an animated png, a still one, or a video", () => {
    const owner = { collectibles: { nameplate } };
    expect(nameplateUrl(owner)).toBe(`${folder}/img.png`);
    expect(nameplateUrl(owner, { animated: false })).toBe(`${folder}/static.png`);
    expect(nameplateUrl(owner, { format: "webm" })).toBe(`${folder}/asset.webm`);
    const platform = { cdnUrl: "http://127.0.0.1:1/cdn/" };
    expect(nameplateUrl(owner, { platform })).toMatch(/^http:\/\/127.0.0.1:1\/cdn\/assets\//);
  });

  test("gives a member without a nameplate that of the user", () => {
    const user = { collectibles: { nameplate } };
    const own = { nameplate: { asset: "own" } };
    expect(nameplateUrl({ collectibles: own, user }))
      .toBe(`${CDN}/assets/collectibles/own/img.png`);
    expect(nameplateUrl({ collectibles: null, user })).toBe(`${folder}/img.png`);
    expect(nameplateUrl({ collectibles: { nameplate: null }, user: null })).toBeNull();
    expect(nameplateUrl({})).toBeNull();
    expect(nameplateUrl(null as never)).toBeNull();
  });

  test.each(["", "../../users", "a/../b", "/a", "a//b", "a?b", "https://other.example/", "a\\b"])(
    "is null for the asset %j, which leaves the folder",
    (asset) => expect(nameplateUrl({ collectibles: { nameplate: { asset } } })).toBeNull(),
  );

  test("refuses other formats and values", () => {
    expect(() => nameplateUrl({}, { format: "gif" as never }))
      .toThrow(new TypeError('format must be "png" or "webm", received a string of length 3'));
    expect(() => nameplateUrl({}, { animated: 1 as never })).toThrow(/^animated must be true/);
    expect(() => nameplateUrl({}, { platform: { cdnUrl: "cdn" } })).toThrow(/^platform\.cdnUrl/);
  });
});

describe("tagBadgeUrl", () => {
  const tag = { identity_guild_id: GUILD, identity_enabled: true, tag: "LOOM", badge: STILL };

  test("is the badge of a tag that the user shows", () => {
    expect(tagBadgeUrl({ primary_guild: tag })).toBe(
      `${CDN}/guild-tag-badges/${GUILD}/${STILL}.png`,
    );
  });

  test("is null for a user who shows no tag", () => {
    expect(tagBadgeUrl({ primary_guild: { ...tag, identity_enabled: false } })).toBeNull();
    expect(tagBadgeUrl({ primary_guild: { ...tag, identity_guild_id: null } })).toBeNull();
    expect(tagBadgeUrl({ primary_guild: { ...tag, badge: null } })).toBeNull();
    expect(tagBadgeUrl({ primary_guild: null })).toBeNull();
    expect(tagBadgeUrl(null as never)).toBeNull();
  });
});

test.each<[string, () => unknown]>([
  ["user.id", () => avatarUrl({ id: BAD_ID })],
  ["user.id", () => avatarUrl(null as never)],
  ["user.id", () => avatarUrl({ id: 80351110224678912 as unknown as string })],
  ["user.id", () => bannerUrl({ id: BAD_ID })],
  ["user.id", () => bannerUrl(undefined as never)],
  [
    "user.primary_guild.identity_guild_id",
    () => tagBadgeUrl({ primary_guild: { identity_guild_id: BAD_ID, badge: STILL } }),
  ],
])("A wrong id is refused by its name %s", (name, call) => {
  expect(call).toThrow(TypeError);
  expect(call).toThrow(new RegExp(`^${name} must be`));
});
