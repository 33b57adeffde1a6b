import { describe, expect, test } from "vitest";
import {
  applicationIconUrl,
  avatarDecorationUrl,
  avatarUrl,
  bannerUrl,
  emojiUrl,
  guildBannerUrl,
  guildDiscoverySplashUrl,
  guildIconUrl,
  guildSplashUrl,
  memberAvatarUrl,
  memberBannerUrl,
  nameplateUrl,
  roleIconUrl,
  stickerUrl,
  tagBadgeUrl,
  User,
} from "../../mod.ts";
import { createFakePlatform, sampleApplication, sampleUsers } from "../../src/testing/mod.ts";

const [ada] = sampleUsers;
const guildId = "1200000000000000009";
const nameplate = { sku_id: "1", asset: "nameplates/x/", label: "X", palette: "cobalt" };
const fake = createFakePlatform({
  users: [{ ...ada, banner: "a_b", collectibles: { nameplate } }],
  guilds: [{
    id: guildId,
    name: "Looms",
    icon: "a_i",
    banner: "b",
    splash: "s",
    discovery_splash: "d",
    roles: [{ id: guildId, name: "@everyone" }, { id: "71", name: "Weavers", icon: "r" }],
    emojis: [{ id: "72", name: "cog", animated: true }],
    stickers: [3, 4].map((format_type) => ({
      id: `8${format_type}`,
      name: "Card",
      description: null,
      tags: "card",
      type: 2,
      format_type,
    })),
    members: {
      [ada.id]: {
        owner: true,
        avatar: "a_m",
        banner: "m",
        avatar_decoration_data: { asset: "own", sku_id: "1" },
        collectibles: { nameplate: { ...nameplate, asset: "own" } },
      },
    },
    bots: { [sampleApplication.id]: "8" },
  }],
});
const token = fake.issueToken({ as: "ada", scopes: ["identify", "guilds", "guilds.members.read"] });
const person = new User(token.access_token, fake);
const bot = new User(sampleApplication.botToken ?? "", { ...fake, tokenType: "Bot" });

describe("The images of the models", () => {
  test("are those that the platform serves", async () => {
    const { platform } = fake;
    const options = { platform, size: 64 };
    const user = await person.getCurrentUser();
    const member = await person.getGuildMember(guildId);
    const guild = await bot.getGuild(guildId);
    const { application } = await person.getAuthorization();
    const urls = [
      avatarUrl(user, options),
      bannerUrl(user, options),
      avatarDecorationUrl(user, options),
      nameplateUrl(user, options),
      tagBadgeUrl(user, options),
      memberAvatarUrl(guildId, member, options),
      memberBannerUrl(guildId, member, options),
      avatarDecorationUrl(member, options),
      nameplateUrl(member, { platform, animated: false }),
      guildIconUrl(guild, options),
      guildBannerUrl(guild, options),
      guildSplashUrl(guild, options),
      guildDiscoverySplashUrl(guild, options),
      roleIconUrl(guild.roles?.[1] ?? { id: "0" }, options),
      emojiUrl(guild.emojis?.[0] ?? { id: null }, options),
      ...(guild.stickers ?? []).map((sticker) => stickerUrl(sticker, { platform })),
      applicationIconUrl(application, options),
    ];
    expect(new Set(urls).size).toBe(18);
    const statuses = urls.map(async (url) => [url, (await fake.fetch(url ?? "")).status]);
    expect(await Promise.all(statuses)).toEqual(urls.map((url) => [url, 200]));
  });
});
