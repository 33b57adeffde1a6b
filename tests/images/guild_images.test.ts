import { describe, expect, test } from "vitest";
import {
  emojiUrl,
  eventCoverUrl,
  guildBannerUrl,
  guildDiscoverySplashUrl,
  guildIconUrl,
  guildSplashUrl,
  roleIconUrl,
  stickerUrl,
} from "../../src/images/mod.ts";
import { BAD_ID, CDN, ID } from "./samples.ts";

describe("emojiUrl", () => {
  const url = (file: string) => `${CDN}/emojis/${ID}.${file}`;

  test("is a webp, as the platform recommends, and animated if the emoji is", () => {
    expect(emojiUrl({ id: ID })).toBe(url("webp"));
    expect(emojiUrl({ id: ID, animated: false }, { size: 64 })).toBe(url("webp?size=64"));
    expect(emojiUrl({ id: ID, animated: true })).toBe(url("webp?animated=true"));
    expect(emojiUrl({ id: ID, animated: true }, { animated: false })).toBe(url("webp"));
  });

  test("has the requested format", () => {
    expect(emojiUrl({ id: ID, animated: true }, { format: "gif" })).toBe(url("gif"));
    expect(emojiUrl({ id: ID, animated: null }, { format: "gif" })).toBe(url("png"));
    expect(emojiUrl({ id: ID, animated: true }, { format: "png" })).toBe(url("png"));
  });

  test("is null for a standard emoji, and still checks the options", () => {
    expect(emojiUrl({ id: null })).toBeNull();
    expect(() => emojiUrl({ id: null }, { size: 5 })).toThrow(RangeError);
  });
});

describe("stickerUrl", () => {
  test.each([
    [1, `${CDN}/stickers/${ID}.png`],
    [2, `${CDN}/stickers/${ID}.png`],
    [3, `${CDN}/stickers/${ID}.json`],
    [4, `https://media.discordapp.net/stickers/${ID}.gif`],
    [5, `${CDN}/stickers/${ID}.png`],
    [null, `${CDN}/stickers/${ID}.png`],
    [undefined, `${CDN}/stickers/${ID}.png`],
  ])("of the format %s is %s", (format_type, url) => {
    expect(stickerUrl({ id: ID, format_type })).toBe(url);
  });

  test("has one host on other platforms", () => {
    const platform = { cdnUrl: "http://127.0.0.1:1/cdn/" };
    expect(stickerUrl({ id: ID, format_type: 4 }, { platform }))
      .toBe(`http://127.0.0.1:1/cdn/stickers/${ID}.gif`);
  });
});

test.each<[string, () => unknown]>([
  ["guild.id", () => guildIconUrl({ id: BAD_ID })],
  ["guild.id", () => guildBannerUrl({ id: BAD_ID })],
  ["guild.id", () => guildSplashUrl({ id: BAD_ID })],
  ["guild.id", () => guildDiscoverySplashUrl({ id: BAD_ID })],
  ["role.id", () => roleIconUrl({ id: BAD_ID })],
  ["emoji.id", () => emojiUrl({ id: BAD_ID })],
  ["emoji.id", () => emojiUrl({} as never)],
  ["sticker.id", () => stickerUrl({ id: BAD_ID })],
  ["event.id", () => eventCoverUrl({ id: BAD_ID })],
  ...[
    guildIconUrl,
    guildBannerUrl,
    guildSplashUrl,
    guildDiscoverySplashUrl,
    roleIconUrl,
    emojiUrl,
    stickerUrl,
    eventCoverUrl,
  ].map((urlOf): [string, () => unknown] => ["[a-z]+.id", () => urlOf(null as never)]),
])("A wrong id is refused by its name %s", (name, call) => {
  expect(call).toThrow(new RegExp(`^${name} must be digits`));
});
