import { describe, expect, test } from "vitest";
import { createFakePlatform } from "../../src/testing/mod.ts";
import { bearerToken, get, readJson } from "./small_platform.ts";

const GUILD = {
  id: "70",
  name: "Looms",
  icon: "abc",
  splash: "abc",
  discovery_splash: "abc",
  owner_id: "1",
  region: "deprecated",
  afk_channel_id: "71",
  afk_timeout: 300,
  widget_enabled: false,
  widget_channel_id: "72",
  verification_level: 1,
  default_message_notifications: 1,
  explicit_content_filter: 1,
  roles: [{
    id: "70",
    name: "@everyone",
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: 1 },
    hoist: false,
    icon: "abc",
    unicode_emoji: "🧵",
    position: 0,
    permissions: "8",
    managed: false,
    mentionable: false,
    tags: { bot_id: "5", integration_id: "1", premium_subscriber: null },
    flags: 0,
  }],
  emojis: [{
    id: "73",
    name: "cog",
    roles: ["70"],
    require_colons: true,
    managed: false,
    animated: false,
    available: true,
  }],
  features: ["COMMUNITY"],
  mfa_level: 0,
  application_id: "100",
  system_channel_id: "74",
  system_channel_flags: 0,
  rules_channel_id: "75",
  max_presences: 10,
  max_members: 10,
  vanity_url_code: "looms",
  description: "Threads",
  banner: "abc",
  premium_tier: 1,
  premium_subscription_count: 2,
  preferred_locale: "en-US",
  public_updates_channel_id: "76",
  max_video_channel_users: 25,
  max_stage_video_channel_users: 50,
  approximate_member_count: 3,
  approximate_presence_count: 2,
  home_header: "abc",
  nsfw: false,
  nsfw_level: 0,
  stickers: [{
    id: "77",
    name: "Card",
    description: "A card",
    tags: "card",
    type: 2,
    format_type: 1,
    available: true,
    guild_id: "70",
  }],
  premium_progress_bar_enabled: true,
  hub_type: 0,
  safety_alerts_channel_id: "78",
  incidents_data: { invites_disabled_until: "2026-01-01", dms_disabled_until: null },
  members: {
    "1": {
      avatar: "abc",
      banner: "abc",
      communication_disabled_until: "2026-01-01",
      flags: 0,
      joined_at: "2024-01-01",
      nick: "Countess",
      pending: false,
      premium_since: "2024-01-01",
      roles: ["70"],
      mute: false,
      deaf: false,
      avatar_decoration_data: { asset: "abc", sku_id: "1" },
      collectibles: {},
      permissions: "8",
      owner: true,
    },
  },
  bots: { "100": "8" },
  extra: { brand_new: true },
};

/** Every field, with a value from a JSON file. */
const WHOLE = {
  applications: [{
    id: "100",
    name: "Lantern",
    secret: "a secret",
    redirectUris: ["https://app.example/cb"],
    ownedByTeam: true,
    approvedScopes: ["rpc"],
    botToken: "bot-token",
    owner_id: "1",
    icon: "abc",
    description: "Lights the way.",
    installParams: { scopes: ["bot", "applications.commands"], permissions: "8" },
  }],
  users: [{
    id: "1",
    username: "ada",
    discriminator: "0",
    global_name: "Ada",
    avatar: "abc",
    bot: false,
    system: false,
    mfa_enabled: true,
    banner: "abc",
    accent_color: 1,
    locale: "en-GB",
    verified: true,
    email: "ada@example.com",
    flags: 0,
    premium_type: 2,
    public_flags: 0,
    avatar_decoration_data: { asset: "abc", sku_id: "1" },
    collectibles: { nameplate: { sku_id: "1", asset: "a", label: "b", palette: "c" } },
    primary_guild: { identity_guild_id: "70", identity_enabled: true, tag: "LOOM", badge: "abc" },
    connections: [{
      id: "1815",
      name: "ada",
      type: "github",
      revoked: false,
      verified: true,
      friend_sync: false,
      show_activity: true,
      two_way_link: false,
      visibility: 1,
    }],
    extra: { brand_new: [1, null, "x"] },
  }],
  guilds: [GUILD],
  origin: "https://platform.test",
  requireUserAgent: true,
  codeLifetime: 100,
  tokenLifetime: 604_800,
  rateLimits: {
    limit: 1000,
    windowMs: 1000,
    routes: { "GET /users/@me": { limit: 1, windowMs: 1 } },
    global: { limit: 50, windowMs: 1000 },
  },
  extraScopes: ["brand.new"],
};

/** Creates a platform from a JSON text, without the compiler's checks. */
function fromJson(text: string): ReturnType<typeof createFakePlatform> {
  return createFakePlatform(JSON.parse(text));
}

/** Lists every value inside a JSON value, with its path in the form of a message. */
function values(value: unknown, path = ""): { path: string; replace: (by: unknown) => unknown }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = Array.isArray(value)
      ? `${path}[${key}]`
      : /^[a-z]\w*$/i.test(key)
      ? `${path}${path === "" ? "" : "."}${key}`
      : `${path}["${key}"]`;
    const replaceHere = (by: unknown): unknown =>
      Array.isArray(value)
        ? value.map((item, at) => String(at) === key ? by : item)
        : { ...value, [key]: by };
    return [
      { path: name, replace: replaceHere },
      ...values(inner, name).map((below) => ({
        path: below.path,
        replace: (by: unknown) => replaceHere(below.replace(by)),
      })),
    ];
  });
}

const everyValue = values(WHOLE).filter(({ path }) => !path.includes("extra.")).map(
  ({ path, replace }): [string, (by: unknown) => unknown] => [path, replace],
);

describe("the options of a fake platform", () => {
  test("can come from a JSON file with every field", async () => {
    const fake = fromJson(JSON.stringify(WHOLE));
    const { members, bots, extra, ...guild } = GUILD;
    const found = await readJson(get(fake, "/guilds/70?with_counts=true", "Bot bot-token"));
    expect(found).toMatchObject({ ...guild, ...extra, roles: [...guild.roles, {}] });
    expect(found["roles"]).toHaveLength(Object.keys(bots).length + guild.roles.length);
    const ofMember = bearerToken(fake, ["guilds.members.read"]);
    const { owner: _, permissions: __, ...member } = members["1"];
    expect(await readJson(get(fake, "/users/@me/guilds/70/member", ofMember))).toMatchObject(
      member,
    );
  });

  test.each(everyValue)(
    "cause an error that names %s if it has the wrong type",
    (path, replace) => {
      // No field accepts both values: there are no lists of lists, and no records of numbers.
      const messages = [[[]], 0.5].map((wrong) => {
        try {
          fromJson(JSON.stringify(replace(wrong)));
          return null;
        } catch (error) {
          return error instanceof TypeError ? error.message : String(error);
        }
      });
      const named = messages.filter((message) => message !== null);
      expect(named).not.toEqual([]);
      for (const message of named) expect(message.startsWith(path)).toBe(true);
    },
  );

  test.each([
    ["users[0].usrname is unknown: did you mean username?", `{"users":[{"usrname":"ada"}]}`],
    [
      "applications[0].redirect_uris is unknown: did you mean redirectUris?",
      `{"applications":[{"id":"1","secret":"s","redirect_uris":[]}]}`,
    ],
    [
      "applications[0].clientSecret is unknown: known names: id, name, secret, redirectUris, botToken, owner_id, " +
      "ownedByTeam, approvedScopes, icon, description, installParams",
      `{"applications":[{"id":"1","clientSecret":"s"}]}`,
    ],
    ["options.gilds is unknown: did you mean guilds?", `{"gilds":[]}`],
    [
      'guilds[0].members["1"].nik is unknown: did you mean nick?',
      `{"guilds":[{"id":"1","name":"g","members":{"1":{"nik":"x"}}}]}`,
    ],
    [
      "rateLimits.routes has an unknown name of length 20: did you mean GET /users/@me/guilds?",
      `{"rateLimits":{"routes":{"GET /users/@me/guild":{"limit":1}}}}`,
    ],
    [
      "rateLimits.routes has an unknown name of length 7: known names: POST /oauth2/token, POST " +
      "/oauth2/token/revoke,",
      `{"rateLimits":{"routes":{"/guilds":{"limit":1}}}}`,
    ],
    ["rateLimits.windowMS is unknown: did you mean windowMs?", `{"rateLimits":{"windowMS":1}}`],
    [
      "options.installParams is unknown: known names: applications, users, guilds, origin, now, requireUserAgent, " +
      "codeLifetime, tokenLifetime, rateLimits, maxRequests, extraScopes",
      `{"installParams":{}}`,
    ],
    [
      'applications[0].installParams.scopes[0] must be applications.commands or bot, received "identify"',
      `{"applications":[{"id":"1","secret":"s","installParams":{"scopes":["identify"]}}]}`,
    ],
    ["options must be an object, received a list", `[]`],
    ["options must be an object, received null", `null`],
    ["users must be a list, received an object", `{"users":{"id":"1","username":"ada"}}`],
    ["users[0] must be an object, received null", `{"users":[null]}`],
    ["users[0].id must be a snowflake, a decimal string, received 1", `{"users":[{"id":1}]}`],
    [
      "users[0].username must be a non-empty string, received undefined",
      `{"users":[{"id":"1"}]}`,
    ],
    [
      "users[0].username must be a non-empty string, received a list",
      `{"users":[{"id":"1","username":["ada"]}]}`,
    ],
    ["options.constructor is unknown", `{"constructor":1}`],
    ["options.__proto__ is unknown", `{"__proto__":{"users":[]}}`],
  ])("cause the error %s", (message, text) => {
    expect(() => fromJson(text)).toThrow(TypeError);
    expect(() => fromJson(text)).toThrow(message);
  });

  test("accept a function only for the clock", () => {
    expect(() => fromJson(`{"now":0}`)).toThrow(
      new TypeError("now must be a function, received 0"),
    );
    expect(createFakePlatform({ now: () => 5 }).now()).toBe(5);
    const misplaced = Object.assign(JSON.parse("{}"), { codeLifetime: () => 5 });
    expect(() => createFakePlatform(misplaced)).toThrow("received a function");
  });

  test.each([
    `{"applications":[{"id":"1","secret":["pasted-secret-0123456789"]}]}`,
    `{"applications":[{"id":"1","secret":"s","botToken":{"a":"pasted-secret-0123456789"}}]}`,
    `{"applications":[{"id":"1","pasted-secret-0123456789":"secret"}]}`,
    `{"pasted-secret-0123456789":1}`,
    `{"applications":[{"id":"pasted-secret-0123456789","secret":"1"}]}`,
    `{"applications":["pasted-secret-0123456789"]}`,
    `{"applications":"pasted-secret-0123456789"}`,
  ])("cause an error without the secret in the wrong place: %s", (text) => {
    let message = "";
    try {
      fromJson(text);
    } catch (error) {
      message = String(error);
    }
    expect(message).toMatch(/^TypeError: /);
    expect(message).not.toContain("pasted");
  });

  test("cause an error that shortens a long value", () => {
    const id = "1".repeat(81);
    expect(() => fromJson(JSON.stringify({ users: [{ id, username: "ada" }] })))
      .toThrow("users[0].id must be a snowflake, a decimal string, received 81 characters");
  });

  test("count as absent if they are undefined", async () => {
    const fake = createFakePlatform({
      applications: [{ id: "100", secret: null, name: undefined, botToken: "b" }],
      users: [{ id: "1", username: "ada", email: undefined, locale: undefined }],
      guilds: [{
        id: "70",
        name: "Looms",
        icon: undefined,
        roles: undefined,
        emojis: [{ id: "73", name: "cog", animated: undefined }],
        members: { "1": { nick: undefined, permissions: undefined } },
        bots: { "100": "8" },
      }],
      rateLimits: { limit: undefined, global: undefined },
      now: undefined,
    });
    const me = await readJson(get(fake, "/users/@me", bearerToken(fake, ["identify", "email"])));
    expect(me).toMatchObject({ email: "ada@example.com", locale: "en-US" });
    const guild = await readJson(get(fake, "/guilds/70", "Bot b"));
    expect(guild).toMatchObject({ icon: null, emojis: [{ id: "73", name: "cog" }] });
    expect(guild["roles"]).toMatchObject([{ name: "@everyone" }, { id: "100" }]);
  });

  test("get default values for the absent fields of a role", async () => {
    const fake = createFakePlatform({
      applications: [{ id: "100", secret: null, botToken: "b" }],
      users: [{ id: "1", username: "ada" }],
      guilds: [{
        id: "70",
        name: "Looms",
        roles: [{ id: "71", name: "Weavers", color: 5 }],
        bots: { "100": "8" },
      }],
    });
    const { roles } = await readJson(get(fake, "/guilds/70", "Bot b"));
    expect(roles).toMatchObject([
      { id: "71", name: "Weavers", color: 5, hoist: false, permissions: "1799872721571393" },
      { id: "100", managed: true },
    ]);
  });
});
