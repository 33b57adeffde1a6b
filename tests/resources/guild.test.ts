import { describe, expect, test } from "vitest";
import { discord, type GuildObj, type PartialGuildObj, User } from "../../mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { fakeFetch, respondWith, thrownBy } from "../support/responders.ts";
import { readGuild, readGuilds } from "../support/models.ts";

const engine = { id: "1200000000000000001", name: "The Analytical Engine" };

const modelOf = async (payload: unknown): Promise<GuildObj> => (await readGuild(payload)).model;
const modelsOf = async (payload: unknown): Promise<PartialGuildObj[]> =>
  (await readGuilds(payload)).model;

/** The required fields and the fields from this library. Each test adds its own. */
type AddedField = "id" | "name" | "icon_url" | "perms";

const partialGuildFields = {
  icon: "i1",
  banner: "b1",
  owner: true,
  permissions: "9007199254740993",
  features: ["COMMUNITY"],
  approximate_member_count: 5,
  approximate_presence_count: 3,
} satisfies Omit<PartialGuildObj, AddedField>;

const guildFields = {
  ...partialGuildFields,
  splash: "s1",
  discovery_splash: "d1",
  owner_id: "1",
  region: "us-west",
  afk_channel_id: "2",
  afk_timeout: 300,
  widget_enabled: true,
  widget_channel_id: "3",
  verification_level: 1,
  default_message_notifications: 1,
  explicit_content_filter: 1,
  roles: [],
  emojis: [],
  mfa_level: 1,
  application_id: "5",
  system_channel_id: "6",
  system_channel_flags: 1,
  rules_channel_id: "7",
  max_presences: 1,
  max_members: 1,
  vanity_url_code: "v1",
  description: "Cogs",
  premium_tier: 1,
  premium_subscription_count: 1,
  preferred_locale: "en-US",
  public_updates_channel_id: "8",
  max_video_channel_users: 1,
  max_stage_video_channel_users: 1,
  welcome_screen: {
    description: null,
    welcome_channels: [{ channel_id: "9", description: "x", emoji_id: null, emoji_name: null }],
  },
  nsfw_level: 1,
  nsfw: false,
  stickers: [],
  premium_progress_bar_enabled: true,
  premium_progress_bar_enabled_user_updated_at: "2026-09-01T14:48:02.222000+00:00",
  home_header: "h1",
  safety_alerts_channel_id: "11",
  icon_hash: "i2",
  hub_type: 1,
  incidents_data: {
    invites_disabled_until: "2026-09-01T14:48:02.222000+00:00",
    dms_disabled_until: null,
    dm_spam_detected_at: null,
    raid_detected_at: null,
  },
} satisfies Omit<GuildObj, AddedField>;

/** The same properties, none of them with a value. */
function empty(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
}

describe("a guild of the list", () => {
  test("has all its properties", async () => {
    const aliases = {
      icon_url: `https://cdn.discordapp.com/icons/${engine.id}/i1.png`,
      perms: partialGuildFields.permissions,
    };
    expect(await modelsOf([{ ...engine, ...partialGuildFields }])).toEqual([
      { ...engine, ...partialGuildFields, ...aliases },
    ]);
  });

  test("has null for fields that the platform left out", async () => {
    const nothing = { ...engine, ...empty(partialGuildFields), icon_url: null, perms: null };
    expect(await modelsOf([engine, { ...engine, ...empty(partialGuildFields) }]))
      .toEqual([nothing, nothing]);
  });
});

describe("a guild", () => {
  test("has all its properties", async () => {
    const aliases = {
      icon_url: `https://cdn.discordapp.com/icons/${engine.id}/i1.png`,
      perms: guildFields.permissions,
    };
    expect(await modelOf({ ...engine, ...guildFields }))
      .toStrictEqual({ ...engine, ...guildFields, ...aliases });
  });

  test("has null for fields that the platform left out", async () => {
    const nothing = { ...engine, ...empty(guildFields), icon_url: null, perms: null };
    expect(await modelOf(engine)).toEqual(nothing);
    expect(await modelOf({ ...engine, ...empty(guildFields) })).toEqual(nothing);
  });

  test.each([
    ["a static icon", "1c2d", "https://cdn.discordapp.com/icons/1/1c2d.png"],
    ["an animated icon", "a_1c2d", "https://cdn.discordapp.com/icons/1/a_1c2d.webp?animated=true"],
    [
      "an icon of another form",
      "../a_ü?#%/\ud83c\udf0d",
      "https://cdn.discordapp.com/icons/1/..%2Fa_%C3%BC%3F%23%25%2F%F0%9F%8C%8D.png",
    ],
    [
      "an icon with half a character",
      "a\ud83c",
      "https://cdn.discordapp.com/icons/1/a%EF%BF%BD.png",
    ],
    ["an empty icon", "", null],
    ["no icon", null, null],
  ])("has the URL of %s", async (_what, icon, icon_url) => {
    expect(await modelOf({ id: "1", name: "a", icon })).toMatchObject({ icon, icon_url });
    expect(await modelsOf([{ id: "1", name: "a", icon }])).toMatchObject([{ icon, icon_url }]);
  });

  test("has the URL of its icon at the platform that sent it", async () => {
    const fake = createFakePlatform({ origin: "https://chat.test" });
    const bot = new User(sampleApplication.botToken, { ...fake, tokenType: "Bot" });
    expect((await bot.getGuild(engine.id)).icon_url)
      .toMatch(
        /^https:\/\/chat\.test\/cdn\/icons\/1200000000000000001\/a_\w+\.webp\?animated=true$/,
      );
    expect(discord.cdnUrl).toBe("https://cdn.discordapp.com");
  });

  test.each(["https://cdn.test/x", "https://cdn.test/x/", "https://cdn.test/x//"])(
    "has the URL of its icon at a platform with or without a slash: %s",
    async (cdnUrl) => {
      const guild = { ...engine, icon: "i1" };
      const platform = { ...discord, cdnUrl };
      const icon_url = `https://cdn.test/x/icons/${engine.id}/i1.png`;
      expect(await new User("t0ken", { ...fakeFetch(respondWith(guild)), platform }).getGuild("1"))
        .toMatchObject({ icon_url });
      expect(
        await new User("t0ken", { ...fakeFetch(respondWith([guild])), platform }).getUserGuilds(),
      )
        .toMatchObject([{ icon_url }]);
    },
  );

  test("is repaired in the smallest part that can be null or left out", async () => {
    const { model, issues } = await readGuild({
      ...engine,
      features: ["COMMUNITY", null, 5],
      roles: [{ id: "1", name: "a", colors: { primary_color: "red" } }, { name: "b" }],
      emojis: [null, { id: "4", name: "cog", user: { id: "5" } }],
      stickers: "none",
    });
    expect(model).toMatchObject({
      features: ["COMMUNITY"],
      roles: [{ id: "1", name: "a", colors: { primary_color: null } }],
      emojis: [{ id: "4", name: "cog", user: null }],
      stickers: null,
    });
    expect(issues).toEqual([
      { path: "features.1", message: "expected a string, received null" },
      { path: "features.2", message: "expected a string, received number" },
      {
        path: "roles.0.colors.primary_color",
        message: "expected a finite number, received string",
      },
      { path: "roles.1.id", message: "expected a snowflake, received undefined" },
      { path: "emojis.0", message: "expected an object, received null" },
      { path: "emojis.1.user.username", message: "expected a string, received undefined" },
      { path: "stickers", message: "expected an array, received string" },
    ]);
  });

  test("is refused without an id or a name", async () => {
    expect(await thrownBy(() => readGuild({ id: "abc", name: null }))).toMatchObject({
      name: "PayloadError",
      message: "The guild is not as documented: " +
        "id: expected a snowflake, received string; name: expected a string, received null",
    });
  });
});

describe("a list of guilds", () => {
  test.each<[string, object, object | undefined, string]>([
    ["a name that is null", { ...engine, name: null }, undefined, "1.name"],
    ["only an id, being unavailable", { id: "5", unavailable: true }, undefined, "1.name"],
    [
      "permissions that are a number",
      { ...engine, permissions: 2147483647 },
      { permissions: "2147483647", perms: "2147483647" },
      "1.permissions",
    ],
    [
      "permissions that are a number with lost digits",
      { ...engine, permissions: 2 ** 53 },
      { permissions: null, perms: null },
      "1.permissions",
    ],
    [
      "permissions below 0",
      { ...engine, permissions: -1 },
      { permissions: null, perms: null },
      "1.permissions",
    ],
    [
      "a null among its features",
      { ...engine, features: ["A", null, "B"] },
      { features: ["A", "B"] },
      "1.features.1",
    ],
    ["null in its place", null as unknown as object, undefined, "1"],
  ])("is read although one of 100 has %s", async (_what, entry, model, path) => {
    const others = Array.from({ length: 99 }, (_, index) => ({ ...engine, id: `${index}` }));
    const reading = await readGuilds([...others.slice(0, 1), entry, ...others.slice(1)]);
    expect(reading.model).toHaveLength(model ? 100 : 99);
    expect(reading.model[1]).toMatchObject(model ?? { id: "1" });
    expect(reading.model.at(-1)).toMatchObject({ id: "98" });
    expect(reading.issues).toMatchObject([{ path }]);
  });

  test.each([[{}], ["text"], [1], [true]])(
    "is refused if the response is not a list: %j",
    async (payload) => {
      expect(await thrownBy(() => readGuilds(JSON.stringify(payload)))).toMatchObject({
        name: "PayloadError",
        message: expect.stringMatching(
          /^The list of guilds is not as documented: expected an array, received \w+$/,
        ),
      });
    },
  );

  test.each(["null", "[]"])("is empty if the platform sends %s", async (text) => {
    expect(await readGuilds(text)).toEqual({ model: [], issues: [] });
  });
});
