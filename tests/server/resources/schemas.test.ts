import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  discord,
  type GuildObj,
  GuildpassError,
  type PartialGuildObj,
  PayloadError,
  PlatformApi,
  type TokenObj,
  User,
  type UserObj,
} from "../../../mod.ts";
import { createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";
import { answering, saying, thrownBy } from "../../support/answers.ts";

const ada = { id: "1000000000000000001", username: "ada" };
const engine = { id: "1200000000000000001", name: "The Analytical Engine" };

const toUser = (payload: unknown): Promise<UserObj> =>
  new User("t0ken", answering(saying(payload))).getCurrentUser();
const toGuild = (payload: unknown): Promise<GuildObj> =>
  new User("t0ken", answering(saying(payload))).getGuild("1");
const toGuilds = (payload: unknown): Promise<PartialGuildObj[]> =>
  new User("t0ken", answering(saying(payload))).getUserGuilds();
const toToken = (payload: unknown): Promise<TokenObj> =>
  new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", answering(saying(payload)))
    .accessToken("c0de");

/** A value of the right type for every property of a user, those that the platform has to send apart. */
const userFields = {
  discriminator: "0",
  global_name: "Ada",
  avatar: "a_1",
  bot: true,
  system: true,
  mfa_enabled: true,
  banner: "b1",
  accent_color: 0xff0000,
  locale: "en-GB",
  verified: true,
  email: "ada@example.com",
  flags: 64,
  premium_type: 2,
  public_flags: 64,
  avatar_decoration: "d1",
};

const partialGuildFields = {
  icon: "i1",
  banner: "b1",
  owner: true,
  permissions: "9007199254740993",
  features: ["COMMUNITY"],
  approximate_member_count: 5,
  approximate_presence_count: 3,
};

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
  roles: [{ id: "1", name: "@everyone", permissions: "0", position: 0, color: 0 }],
  emojis: [{ id: "4", name: "cog", animated: false }, { id: null, name: "🔥" }],
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
  stickers: [{ id: "10", name: "card", type: 2 }],
  premium_progress_bar_enabled: true,
  safety_alerts_channel_id: "11",
};

/** The same properties, none of them with a value. */
function empty(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
}

describe("a user", () => {
  test("has all 17 properties of the table", async () => {
    const user = await toUser({ ...ada, ...userFields });
    expect(user).toEqual({ ...ada, ...userFields });
    expect(Object.keys(user)).toHaveLength(17);
  });

  test("has null where the platform sent nothing, and false for bot and system", async () => {
    const nothing = { ...ada, ...empty(userFields), bot: false, system: false };
    expect(await toUser(ada)).toEqual(nothing);
    expect(await toUser({ ...ada, ...empty(userFields) })).toEqual(nothing);
  });

  test.each<[string, object, string | null]>([
    ["in the old form", { avatar_decoration: "d1" }, "d1"],
    ["in the new form", { avatar_decoration_data: { asset: "d2", sku_id: "1" } }, "d2"],
    ["in both forms", { avatar_decoration: "d1", avatar_decoration_data: { asset: "d2" } }, "d1"],
    ["as null in both", { avatar_decoration: null, avatar_decoration_data: null }, null],
    ["not at all", {}, null],
  ])("has the avatar decoration that came %s", async (_how, payload, avatar_decoration) => {
    expect(await toUser({ ...ada, ...payload })).toEqual({
      ...await toUser(ada),
      ...payload,
      avatar_decoration,
    });
  });
});

describe("a guild of the list", () => {
  test("has all its properties", async () => {
    const aliases = {
      icon_url: `https://cdn.discordapp.com/icons/${engine.id}/i1.png`,
      perms: partialGuildFields.permissions,
    };
    expect(await toGuilds([{ ...engine, ...partialGuildFields }])).toEqual([
      { ...engine, ...partialGuildFields, ...aliases },
    ]);
  });

  test("has null where the platform sent nothing", async () => {
    const nothing = { ...engine, ...empty(partialGuildFields), icon_url: null, perms: null };
    expect(await toGuilds([engine, { ...engine, ...empty(partialGuildFields) }]))
      .toEqual([nothing, nothing]);
  });
});

describe("a guild", () => {
  test("has all 44 properties of the table", async () => {
    const aliases = {
      icon_url: `https://cdn.discordapp.com/icons/${engine.id}/i1.png`,
      perms: guildFields.permissions,
    };
    const guild = await toGuild({ ...engine, ...guildFields });
    expect(guild).toEqual({ ...engine, ...guildFields, ...aliases });
    expect(Object.keys(guild)).toHaveLength(44);
  });

  test("has null where the platform sent nothing", async () => {
    const nothing = { ...engine, ...empty(guildFields), icon_url: null, perms: null };
    expect(await toGuild(engine)).toEqual(nothing);
    expect(await toGuild({ ...engine, ...empty(guildFields) })).toEqual(nothing);
  });

  test.each([
    ["a static icon", "1c2d", "https://cdn.discordapp.com/icons/1/1c2d.png"],
    ["an animated icon", "a_1c2d", "https://cdn.discordapp.com/icons/1/a_1c2d.gif"],
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
    expect(await toGuild({ id: "1", name: "a", icon })).toMatchObject({ icon, icon_url });
    expect(await toGuilds([{ id: "1", name: "a", icon }])).toMatchObject([{ icon, icon_url }]);
  });

  test("has the URL of its icon at the platform it came from", async () => {
    const fake = createFakePlatform({ origin: "https://chat.test" });
    const bot = new User(sampleApplication.botToken, { ...fake, tokenType: "Bot" });
    expect((await bot.getGuild(engine.id)).icon_url)
      .toMatch(/^https:\/\/chat\.test\/cdn\/icons\/1200000000000000001\/a_\w+\.gif$/);
    expect(discord.cdnUrl).toBe("https://cdn.discordapp.com");
  });

  test.each(["https://cdn.test/x", "https://cdn.test/x/", "https://cdn.test/x//"])(
    "has the URL of its icon at a platform with or without a slash: %s",
    async (cdnUrl) => {
      const guild = { ...engine, icon: "i1" };
      const platform = { ...discord, cdnUrl };
      const icon_url = `https://cdn.test/x/icons/${engine.id}/i1.png`;
      expect(await new User("t0ken", { ...answering(saying(guild)), platform }).getGuild("1"))
        .toMatchObject({ icon_url });
      expect(await new User("t0ken", { ...answering(saying([guild])), platform }).getUserGuilds())
        .toMatchObject([{ icon_url }]);
    },
  );
});

/** Every kind of model, made of a payload or its text, and the least there is to one. */
const models = [
  ["user", toUser, ada],
  ["guild", toGuild, engine],
  ["guild of the list", async (payload: unknown) => {
    const [first] = await toGuilds(typeof payload === "string" ? `[${payload}]` : [payload]);
    return first;
  }, engine],
] as const;

describe.each(models)("any %s", (_kind, toModel, payload) => {
  const known = new Set([
    ...Object.keys({ ...ada, ...engine, ...userFields, ...guildFields }),
    ...["avatar_decoration_data", "icon_url", "perms", "__proto__", "constructor", "prototype"],
  ]);
  const unknownFields = fc.dictionary(
    fc.string().filter((name) => !known.has(name)),
    // Which JSON can carry: no -0, and no own `__proto__` that an object literal of the test would swallow.
    fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value))),
  );

  test("lets fields that are not known pass through untouched", async () => {
    await fc.assert(
      fc.asyncProperty(unknownFields, async (more) => {
        expect(await toModel({ ...payload, ...more })).toEqual({
          ...await toModel(payload),
          ...more,
        });
      }),
      { numRuns: 50 },
    );
  });

  test("is frozen through and through, and survives a copy and JSON", async () => {
    await fc.assert(
      fc.asyncProperty(unknownFields, async (more) => {
        const model = await toModel({ ...guildFields, ...userFields, ...payload, ...more });
        expect(unfrozenPartsOf(model)).toEqual([]);
        expect(structuredClone(model)).toEqual(model);
        expect(JSON.parse(JSON.stringify(model))).toEqual(model);
      }),
      { numRuns: 50 },
    );
  });

  test("is a plain object that can't be changed", async () => {
    const model = await toModel(payload) as { id: string };
    expect(Object.getPrototypeOf(model)).toBe(Object.prototype);
    expect(() => (model.id = "2")).toThrow(TypeError);
    expect(model.id).toBe(payload.id);
  });

  test("is not poisoned by the names of an object's own workings", async () => {
    const poison = '{"polluted":true}';
    const text = JSON.stringify(payload).replace(
      "{",
      `{"__proto__":${poison},"constructor":{"prototype":${poison}},"prototype":${poison},` +
        `"hasOwnProperty":null,"toString":1,"new":{"__proto__":${poison}},`,
    );
    const model = await toModel(text);
    const fieldOf = (of: unknown, name: string): unknown => Reflect.get(Object(of), name);
    expect(model).toMatchObject({ ...payload, hasOwnProperty: null, toString: 1 });
    expect(Object.getPrototypeOf(model)).toBe(Object.prototype);
    expect(fieldOf(model, "constructor")).toBe(Object);
    expect(fieldOf(model, "polluted")).toBeUndefined();
    expect(fieldOf({}, "polluted")).toBeUndefined();
    expect(Object.isFrozen(fieldOf(model, "new"))).toBe(true);
  });

  test.each([
    ["deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["deep in objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    ["long", JSON.stringify(Array(300_000).fill("x"))],
    ["long with objects", JSON.stringify(Array(150_000).fill({ a: "x" }))],
  ])("may be very %s", async (_how, more) => {
    const text = JSON.stringify(payload).replace("{", `{"more":${more},`);
    // Where the runtime's own JSON.parse gives up so deep down, it is a PayloadError.
    const outcome = await toModel(text)?.catch((error: unknown) => error);
    if (outcome instanceof GuildpassError) expect(outcome).toMatchObject({ name: "PayloadError" });
    else expect(unfrozenPartsOf(outcome)).toEqual([]);
  });
});

describe("an answer that breaks the contract", () => {
  const wrong = (value: unknown): unknown =>
    typeof value === "string" ? 1 : typeof value === "boolean" ? "true" : `not ${typeof value}`;
  const cases = [
    ...Object.entries({ ...ada, ...userFields }).map(([name, value]) =>
      ["user", name, wrong(value)] as const
    ),
    ...Object.entries({ ...engine, ...guildFields }).map(([name, value]) =>
      ["guild", name, wrong(value)] as const
    ),
    ...Object.entries({ ...engine, ...partialGuildFields }).map(([name, value]) =>
      ["guild of the list", name, wrong(value)] as const
    ),
  ];

  test.each(cases)("is told: a %s with a wrong %s", async (kind, name, value) => {
    const [, toModel, payload] = models.find(([other]) => other === kind) ?? models[0];
    const error = await thrownBy(() => toModel({ ...payload, [name]: value }));
    expect(error).toBeInstanceOf(PayloadError);
    expect((error as PayloadError).issues).toEqual([{
      path: kind === "guild of the list" ? `0.${name}` : name,
      message: expect.stringMatching(/^expected \w+, received (number|string)$/),
    }]);
  });

  test.each<[string, object, string, string]>([
    ["an id that is no snowflake", { id: "abc" }, "id", "expected a snowflake"],
    ["an id that is empty", { id: "" }, "id", "expected a snowflake"],
    ["an id of more than 64 bits", { id: "1".repeat(21) }, "id", "expected a snowflake"],
    ["an id of another kind", { owner_id: "-1" }, "owner_id", "expected a snowflake"],
    ["permissions below 0", { permissions: "-1" }, "permissions", "expected a decimal string"],
    ["a feature", { features: ["A", 1] }, "features.1", "expected string, received number"],
    [
      "a role's permissions",
      { roles: [...guildFields.roles, { id: "2", name: "b", permissions: "0x8", position: 0 }] },
      "roles.1.permissions",
      "expected a decimal string",
    ],
    [
      "a role's position",
      { roles: [{ id: "2", name: "b", permissions: "8" }] },
      "roles.0.position",
      'expected "position", received undefined',
    ],
    ["an emoji", { emojis: [null] }, "emojis.0", "expected Object, received null"],
    [
      "an emoji's id",
      { emojis: [{ id: 1, name: "a" }] },
      "emojis.0.id",
      "expected string, received number",
    ],
    [
      "a sticker's name",
      { stickers: [{ id: "1", name: [] }] },
      "stickers.0.name",
      "expected string, received an array",
    ],
    [
      "the welcome screen",
      { welcome_screen: true },
      "welcome_screen",
      "expected Object, received boolean",
    ],
    [
      "a channel on the welcome screen",
      {
        welcome_screen: {
          description: "",
          welcome_channels: [{
            ...guildFields.welcome_screen.welcome_channels[0],
            channel_id: "x",
          }],
        },
      },
      "welcome_screen.welcome_channels.0.channel_id",
      "expected a snowflake",
    ],
  ])("is told with the place and the kind of thing: %s", async (_what, more, path, message) => {
    const error = await thrownBy(() => toGuild({ ...engine, ...more }));
    expect(error).toMatchObject({
      name: "PayloadError",
      issues: [{ path, message }],
      message: `The guild is not what the platform documents: ${path}: ${message}`,
    });
  });

  test("is told with the place: an avatar decoration", async () => {
    const error = await thrownBy(() => toUser({ ...ada, avatar_decoration_data: { sku_id: "1" } }));
    expect(error).toMatchObject({ issues: [{ path: "avatar_decoration_data.asset" }] });
  });

  test.each([[null], [[]], [{}], ["text"], [1], [true]])(
    "is told as a whole: %j for a user or a guild",
    async (payload) => {
      const text = JSON.stringify(payload);
      const isTold = (what: string) => ({
        name: "PayloadError",
        message: expect.stringMatching(`^${what} is not what the platform documents: .*expected`),
      });
      expect(await thrownBy(() => toUser(text))).toMatchObject(isTold("The user"));
      expect(await thrownBy(() => toGuild(text))).toMatchObject(isTold("The guild"));
      if (payload === null || Array.isArray(payload)) expect(await toGuilds(text)).toEqual([]);
      else {
        expect(await thrownBy(() => toGuilds(text))).toMatchObject(isTold("The list of guilds"));
      }
    },
  );

  test.each(
    Object.entries({ ...userFields, ...guildFields }).filter(([, value]) =>
      typeof value === "number"
    ),
  )("is told: a %s without end", async (name) => {
    const toModel = name in guildFields ? toGuild : toUser;
    const error = await thrownBy(() =>
      toModel(JSON.stringify({ ...ada, ...engine }).replace("{", `{"${name}":1e999,`))
    );
    expect(error).toMatchObject({ issues: [{ path: name, message: "expected a finite number" }] });
  });

  test("is told: a role's position without end", async () => {
    const role = '{"id":"1","name":"a","permissions":"0","position":-1e999}';
    const error = await thrownBy(() => toGuild(`{"id":"1","name":"a","roles":[${role}]}`));
    expect(error).toMatchObject({
      issues: [{ path: "roles.0.position", message: "expected a finite number" }],
    });
  });

  test.each(["1e999", "-1", "1000000000001"])(
    "is told: a token that expires in %s seconds",
    async (seconds) => {
      const text = `{"access_token":"t0ken","token_type":"Bearer","expires_in":${seconds}}`;
      expect(await thrownBy(() => toToken(text))).toMatchObject({
        issues: [{ path: "expires_in", message: "expected a number of seconds" }],
      });
    },
  );

  test.each([0, 0.0001, 604800.5, 1e12])(
    "is none: a token that expires in %d seconds",
    async (s) => {
      const token = await toToken({ access_token: "t0ken", token_type: "Bearer", expires_in: s });
      expect(token.expires_in).toBe(s);
      expect(token.expires_at).toSatisfy(Number.isSafeInteger);
    },
  );

  test("is told with its first hundred places, in a message that is short", async () => {
    const error = await thrownBy(() => toGuild({ ...engine, features: Array(9000).fill(1) }));
    expect(error).toBeInstanceOf(PayloadError);
    const { issues, message } = error as PayloadError;
    expect(issues).toHaveLength(100);
    expect(issues[99]?.path).toBe("features.99");
    expect(Object.isFrozen(issues) && Object.isFrozen(issues[0])).toBe(true);
    expect(message.length).toBeLessThanOrEqual(1000);
  });

  const wrongList = Array(100_000).fill(1);

  test.each<[string, () => Promise<unknown>, string]>([
    ["a list", () => toGuilds(wrongList), "0"],
    ["a field", () => toGuild({ ...engine, features: wrongList }), "features.0"],
    ["a field of a field", () =>
      toToken({
        access_token: "t0ken",
        token_type: "Bearer",
        expires_in: 1,
        guild: { ...engine, emojis: wrongList },
      }), "guild.emojis.0"],
    [
      "many lists",
      () => toGuilds(Array(200).fill({ ...engine, features: Array(100).fill(1) })),
      "0.features.0",
    ],
  ])("is told with its first place only, where %s is very long", async (_what, call, path) => {
    const error = await thrownBy(call);
    expect(error).toBeInstanceOf(PayloadError);
    expect((error as PayloadError).issues).toMatchObject([{ path }]);
  });
});

/** The parts of a value, at any depth, that can still be changed. */
function unfrozenPartsOf(value: unknown): unknown[] {
  const unfrozen: unknown[] = [];
  const pending = [value];
  while (pending.length) {
    const part = pending.pop();
    if (typeof part !== "object" || part === null) continue;
    if (!Object.isFrozen(part)) unfrozen.push(part);
    for (const inner of Object.values(part)) pending.push(inner);
  }
  return unfrozen;
}
