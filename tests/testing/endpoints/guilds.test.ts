import { describe, expect, test } from "vitest";
import type { FakeGuild, FakePlatform } from "../../../src/testing/mod.ts";
import { createFakePlatform, sampleApplication, sampleGuilds } from "../../../src/testing/mod.ts";
import {
  bearerToken,
  BOB,
  exchangeCode,
  get,
  LOOMS,
  obtainCode,
  readJson,
  smallPlatform,
  UNAUTHORIZED,
  USER_AGENT,
} from "../small_platform.ts";

describe("GET /guilds/{id}", () => {
  const guilds: FakeGuild[] = [{ id: "70", name: "Looms", bots: { "100": "8" } }, {
    id: "71",
    name: "Without the bot",
  }];

  test("returns the whole guild to a bot in it", async () => {
    const fake = smallPlatform({ guilds });
    const guild = await readJson(get(fake, "/guilds/70", "Bot bot-token"));
    expect(guild).toMatchObject({ id: "70", owner_id: "80351110224678912", afk_timeout: 300 });
    expect(guild).not.toHaveProperty("approximate_member_count");
    expect(guild).not.toHaveProperty("permissions");
    expect(guild).not.toHaveProperty("members");
    expect(await readJson(get(fake, "/guilds/70?with_counts=true", "Bot bot-token")))
      .toMatchObject({ approximate_member_count: 1, approximate_presence_count: 1 });
  });

  test("fills in the absent fields of a minimal guild", async () => {
    const fake = smallPlatform({
      guilds: [{ id: "70", name: "Looms", members: { "1": { owner: true } } }],
    });
    const { guild } = await readJson(exchangeCode(fake, await obtainCode(fake, { scope: "bot" })));
    const role = {
      color: 0,
      colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
      hoist: false,
      icon: null,
      unicode_emoji: null,
      mentionable: false,
      flags: 0,
    };
    expect(guild).toEqual({
      id: "70",
      name: "Looms",
      icon: null,
      description: null,
      splash: null,
      discovery_splash: null,
      home_header: null,
      features: [],
      banner: null,
      owner_id: "1",
      application_id: null,
      region: "deprecated",
      afk_channel_id: null,
      afk_timeout: 300,
      system_channel_id: null,
      system_channel_flags: 0,
      widget_enabled: false,
      widget_channel_id: null,
      verification_level: 0,
      roles: [
        {
          ...role,
          id: "70",
          name: "@everyone",
          position: 0,
          permissions: "1799872721571393",
          managed: false,
        },
        {
          ...role,
          id: "100",
          name: "Fake application",
          position: 1,
          permissions: "0",
          managed: true,
          tags: { bot_id: "100" },
        },
      ],
      default_message_notifications: 0,
      mfa_level: 0,
      explicit_content_filter: 0,
      max_presences: null,
      max_members: 500000,
      max_stage_video_channel_users: 50,
      max_video_channel_users: 25,
      vanity_url_code: null,
      premium_tier: 0,
      premium_subscription_count: 0,
      preferred_locale: "en-US",
      rules_channel_id: null,
      safety_alerts_channel_id: null,
      public_updates_channel_id: null,
      hub_type: null,
      premium_progress_bar_enabled: false,
      nsfw: false,
      nsfw_level: 0,
      emojis: [],
      stickers: [],
      incidents_data: null,
    });
  });

  test("puts given and extra fields over the defaults", async () => {
    const fake = smallPlatform({
      guilds: [{
        id: "70",
        name: "Looms",
        owner_id: "5",
        premium_tier: 3,
        extra: { nsfw: false },
        bots: { "100": "0" },
      }],
    });
    expect(await readJson(get(fake, "/guilds/70", "Bot bot-token")))
      .toMatchObject({ owner_id: "5", premium_tier: 3, nsfw: false });
  });

  test("responds with 404 for an unknown guild and for one without the bot", async () => {
    const fake = smallPlatform({ guilds });
    for (const id of ["404", "71"]) {
      const response = await get(fake, `/guilds/${id}`, "Bot bot-token");
      expect(response.status).toBe(404);
      expect(await readJson(response)).toEqual({ message: "Unknown Guild", code: 10004 });
    }
  });

  test("responds with a form error to an id that is not a snowflake", async () => {
    const response = await get(smallPlatform(), "/guilds/abc", "Bot bot-token");
    expect(response.status).toBe(400);
    expect(await readJson(response)).toMatchObject({
      code: 50035,
      errors: { guild_id: { _errors: [{ message: `Value "abc" is not snowflake.` }] } },
    });
  });

  test("has no welcome screen: the platform sends it only with invites", async () => {
    const sample = createFakePlatform();
    const [{ id }] = sampleGuilds;
    const guild = await readJson(get(sample, `/guilds/${id}`, `Bot ${sampleApplication.botToken}`));
    expect(guild).toMatchObject({ id, home_header: null, nsfw: false });
    expect(guild).not.toHaveProperty("welcome_screen");
  });

  test("responds with 401 to a user's token", async () => {
    const fake = smallPlatform({ guilds });
    const response = await get(fake, "/guilds/70", bearerToken(fake, ["guilds", "bot"]));
    expect(response.status).toBe(401);
    expect(await readJson(response)).toEqual(UNAUTHORIZED);
  });
});

describe("GET /guilds/{id}/channels", () => {
  test("lists the channels for a bot in the guild and for a member", async () => {
    const channels = [{ id: "77", name: "looms", topic: "Cloth" }, { id: "78", name: "cards" }];
    const fake = smallPlatform({
      guilds: [{ ...LOOMS, channels, bots: { "100": "8" } }, { id: "71", name: "Elsewhere" }],
    });
    const member = bearerToken(fake, ["sdk.social_layer"]);
    for (const authorization of ["Bot bot-token", member]) {
      expect(await (await get(fake, "/guilds/70/channels", authorization)).json()).toEqual([
        {
          id: "77",
          name: "looms",
          type: 0,
          position: 0,
          parent_id: null,
          topic: "Cloth",
          nsfw: false,
          guild_id: "70",
          permission_overwrites: [],
          flags: 0,
        },
        expect.objectContaining({ id: "78", topic: null }),
      ]);
      expect((await get(fake, "/guilds/71/channels", authorization)).status).toBe(404);
    }
    expect((await get(fake, "/guilds/70/channels", bearerToken(fake, ["guilds"]))).status).toBe(
      401,
    );
    fake.update({ guilds: { "70": { name: "New looms" } } });
    expect(await (await get(fake, "/guilds/70/channels", member)).json()).toHaveLength(2);
    expect(await readJson(get(fake, "/guilds/70", "Bot bot-token"))).not.toHaveProperty("channels");
  });

  test("lists the channels that the guild names, by default", async () => {
    const fake = createFakePlatform();
    const authorization = `Bot ${sampleApplication.botToken}`;
    const channels = await get(fake, `/guilds/${sampleGuilds[0].id}/channels`, authorization);
    expect(await channels.json()).toMatchObject([
      { id: "1200000000000000101", name: "general" },
      { id: "1200000000000000102", name: "rules" },
      { id: "1200000000000000103", name: "moderators" },
    ]);
    const empty = smallPlatform({ guilds: [{ ...LOOMS, bots: { "100": "8" } }] });
    expect(await (await get(empty, "/guilds/70/channels", "Bot bot-token")).json()).toEqual([]);
  });
});

describe("GET /guilds/{id}/members/{user}", () => {
  const guilds: FakeGuild[] = [
    { ...LOOMS, members: { "1": { nick: "Ada" } }, bots: { "100": "8" } },
    { id: "71", name: "Few permissions", members: { "1": {} }, bots: { "100": "134217728" } },
    { id: "72", name: "Without the bot", members: { "1": {} } },
  ];

  test("reads a member for a bot in the guild", async () => {
    const fake = smallPlatform({ guilds });
    expect(await readJson(get(fake, "/guilds/70/members/1", "Bot bot-token")))
      .toMatchObject({ nick: "Ada", roles: [], user: { id: "1", username: "ada" } });
    for (
      const [path, status, code] of [
        ["/guilds/70/members/2", 404, 10007],
        ["/guilds/72/members/1", 404, 10004],
        ["/guilds/70/members/x", 400, 50035],
      ] as const
    ) {
      const response = await get(fake, path, "Bot bot-token");
      expect(response.status).toBe(status);
      expect(await readJson(response)).toMatchObject({ code });
    }
    const person = bearerToken(fake, ["guilds", "guilds.members.read"]);
    expect((await get(fake, "/guilds/70/members/1", person)).status).toBe(401);
  });

  test("reads the bot itself, with its managed role", async () => {
    const fake = smallPlatform({ guilds });
    expect(await readJson(get(fake, "/guilds/70/members/100", "Bot bot-token")))
      .toMatchObject({ nick: null, roles: ["100"], user: { id: "100", bot: true } });
  });
});

describe("PUT and DELETE /guilds/{id}/members/{user}/roles/{role}", () => {
  const bot = { id: "100", name: "Bot", managed: true, tags: { bot_id: "100" } };
  const guilds: FakeGuild[] = [
    {
      ...LOOMS,
      roles: [
        { id: "70", name: "@everyone" },
        { id: "77", name: "Weaver" },
        { id: "78", name: "Booster", managed: true },
        { id: "79", name: "Moderator", position: 2 },
      ],
      members: { "1": { roles: ["5"] } },
      bots: { "100": "268435456" },
    },
    {
      id: "71",
      name: "No permission",
      roles: [{ id: "77", name: "Weaver" }],
      bots: { "100": "0" },
    },
  ].map((guild) => ({ members: { "1": {} }, ...guild }));

  async function change(fake: FakePlatform, method: string, path: string): Promise<unknown[]> {
    const response = await fake.fetch(`${fake.platform.apiUrl}/guilds/${path}`, {
      method,
      headers: { ...USER_AGENT, authorization: "Bot bot-token" },
    });
    return [response.status, response.status === 204 ? null : (await readJson(response)).code];
  }

  async function rolesOf(fake: FakePlatform): Promise<unknown> {
    return (await readJson(get(fake, "/guilds/70/members/1", "Bot bot-token")))["roles"];
  }

  test("give and take one role, and leave the others", async () => {
    const fake = smallPlatform({ guilds });
    for (let times = 0; times < 2; times++) {
      expect(await change(fake, "PUT", "70/members/1/roles/77")).toEqual([204, null]);
      expect(await rolesOf(fake)).toEqual(["5", "77"]);
    }
    for (let times = 0; times < 2; times++) {
      expect(await change(fake, "DELETE", "70/members/1/roles/77")).toEqual([204, null]);
      expect(await rolesOf(fake)).toEqual(["5"]);
    }
  });

  test.each([
    ["70/members/2/roles/77", 404, 10007],
    ["70/members/1/roles/80", 404, 10011],
    ["72/members/1/roles/77", 404, 10004],
    ["70/members/1/roles/x", 400, 50035],
    ["70/members/1/roles/70", 400, 50028],
    ["70/members/1/roles/78", 403, 50013],
    ["70/members/1/roles/79", 403, 50013],
    ["71/members/1/roles/77", 403, 50013],
  ])("refuse %s with %i and the code %i", async (path, status, code) => {
    const fake = smallPlatform({ guilds });
    expect(await change(fake, "PUT", path)).toEqual([status, code]);
    expect(await change(fake, "DELETE", path)).toEqual([status, code]);
    expect(await rolesOf(fake)).toEqual(["5"]);
  });

  test.each([
    ["a".repeat(512), 204],
    ["%F0%9F%A7%B5".repeat(512), 204],
    ["50 % off & a+b".padEnd(512, "%"), 204],
    ["a".repeat(513), 400],
    ["%F0%9F%A7%B5".repeat(513), 400],
  ])("take a reason in percent encoding of at most 512 characters", async (reason, status) => {
    const fake = smallPlatform({ guilds });
    const url = `${fake.platform.apiUrl}/guilds/70/members/1/roles/77`;
    const authorization = "Bot bot-token";
    const headers = { ...USER_AGENT, authorization, "x-audit-log-reason": reason };
    expect((await fake.fetch(url, { method: "PUT", headers })).status).toBe(status);
  });

  test("need the bot's role above the given one, whose position outlives an update", async () => {
    const [looms] = guilds;
    const roles = [...looms?.roles ?? [], { ...bot, position: 3 }];
    const fake = smallPlatform({ guilds: [{ ...LOOMS, ...looms, roles }] });
    fake.update({ guilds: { "70": { bots: { "100": "268435457" } } } });
    expect(await change(fake, "PUT", "70/members/1/roles/79")).toEqual([204, null]);
    fake.update({ guilds: { "70": { bots: { "100": null } } } });
    fake.update({ guilds: { "70": { bots: { "100": "268435457" } } } });
    expect(await change(fake, "DELETE", "70/members/1/roles/79")).toEqual([403, 50013]);
  });
});

describe("PUT /guilds/{id}/members/{user}", () => {
  const guilds: FakeGuild[] = [{ ...LOOMS, members: { "1": {} }, bots: { "100": "8" } }];

  function put(
    fake: FakePlatform,
    token: unknown,
    { path = "/guilds/70/members/2", authorization = "Bot bot-token", more = {} } = {},
  ): Promise<Response> {
    return fake.fetch(fake.platform.apiUrl + path, {
      method: "PUT",
      headers: { ...USER_AGENT, authorization, "content-type": "application/json" },
      body: JSON.stringify({ access_token: token, ...more }),
    });
  }

  test("responds with 201 to a new member and 204 to an existing one", async () => {
    const fake = smallPlatform({ guilds, now: () => 0 });
    const token = fake.issueToken({ as: "bob", scopes: ["guilds.join", "guilds"] }).access_token;
    const more = { nick: "Bobby", roles: ["77"], mute: true, deaf: true };
    const response = await put(fake, token, { more });
    expect(response.status).toBe(201);
    expect(await readJson(response)).toMatchObject({
      ...more,
      user: BOB,
      joined_at: "1970-01-01T00:00:00.000000+00:00",
    });
    const list = await (await get(fake, "/users/@me/guilds", `Bearer ${token}`)).json();
    expect(list).toMatchObject([{ id: "70" }]);
    const again = await put(fake, token);
    expect(again.status).toBe(204);
    expect(await again.text()).toBe("");
  });

  test("ignores options of the wrong type", async () => {
    const fake = smallPlatform({ guilds });
    const token = fake.issueToken({ as: "bob", scopes: ["guilds.join"] }).access_token;
    const more = { nick: 1, roles: "77", mute: 1, deaf: null };
    expect(await readJson(put(fake, token, { more })))
      .toMatchObject({ nick: null, roles: [], mute: false, deaf: false });
  });

  test("refuses a nickname of more than 32 characters, counting an emoji as one", async () => {
    const fake = smallPlatform({ guilds });
    const token = fake.issueToken({ as: "bob", scopes: ["guilds.join"] }).access_token;
    const response = await put(fake, token, { more: { nick: "🧶".repeat(33) } });
    expect([response.status, await readJson(response)]).toMatchObject([
      400,
      { errors: { nick: { _errors: [{ message: "Must be 32 or fewer in length." }] } } },
    ]);
    const nick = "🧶".repeat(32);
    expect(await readJson(put(fake, token, { more: { nick } }))).toMatchObject({ nick });
  });

  test("refuses roles that cannot be ids", async () => {
    const fake = smallPlatform({ guilds });
    const token = fake.issueToken({ as: "bob", scopes: ["guilds.join"] }).access_token;
    const response = await put(fake, token, { more: { roles: [77, { toString: 1 }] } });
    expect([response.status, await readJson(response)]).toMatchObject([
      400,
      { code: 50035, errors: { roles: { 1: { _errors: [{ code: "NUMBER_TYPE_COERCE" }] } } } },
    ]);
    const joined = await put(fake, token, { more: { roles: [77, "78"] } });
    expect(await readJson(joined)).toMatchObject({ roles: ["77", "78"] });
  });

  test.each([
    ["another user's", { as: "ada", scopes: ["guilds.join"] }, 50025],
    ["another application's", { as: "bob", scopes: ["guilds.join"], clientId: "200" }, 50025],
    ["a narrower", { as: "bob", scopes: ["guilds"] }, 50026],
  ])("responds with 403 to %s token", async (_, request, code) => {
    const fake = smallPlatform({ guilds });
    const response = await put(fake, fake.issueToken(request).access_token);
    expect(response.status).toBe(403);
    expect(await readJson(response)).toMatchObject({ code });
  });

  test("responds with 403 to an unknown token and 400 to a missing one", async () => {
    const fake = smallPlatform({ guilds });
    expect(await readJson(put(fake, "x"))).toMatchObject({ code: 50025 });
    const none = await put(fake, undefined);
    expect(none.status).toBe(400);
    expect(await readJson(none)).toMatchObject({ errors: { access_token: {} } });
  });

  test("requires a bot in the guild with the permission to invite", async () => {
    const fake = smallPlatform({
      guilds: [...guilds, { id: "71", name: "No bot" }, {
        id: "72",
        name: "Weak",
        bots: { "100": "2" },
      }],
    });
    const token = fake.issueToken({ as: "bob", scopes: ["guilds.join"] }).access_token;
    expect((await put(fake, token, { authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await put(fake, token, { path: "/guilds/71/members/2" })).status).toBe(404);
    expect((await put(fake, token, { path: "/guilds/404/members/2" })).status).toBe(404);
    expect((await put(fake, token, { path: "/guilds/70/members/@me" })).status).toBe(400);
    const weak = await put(fake, token, { path: "/guilds/72/members/2" });
    expect(weak.status).toBe(403);
    expect(await readJson(weak)).toEqual({ message: "Missing Permissions", code: 50013 });
  });
});

describe("The permission of the bot", () => {
  const bits = { nick: 1n << 27n, roles: 1n << 28n, mute: 1n << 22n, deaf: 1n << 23n };
  const fields = { nick: "Bobby", roles: ["77"], mute: true, deaf: false };
  const all = Object.values(bits).reduce((sum, bit) => sum | bit, 1n);

  test.each(Object.entries(bits))(
    "is required to set the field %s of a new member",
    async (field, bit) => {
      const responses = [all, all & ~bit].map(async (permissions) => {
        const bots = { "100": String(permissions) };
        const fake = smallPlatform({ guilds: [{ ...LOOMS, members: {}, bots }] });
        const token = fake.issueToken({ as: "bob", scopes: ["guilds.join"] }).access_token;
        const add = (more: object) =>
          fake.fetch(`${fake.platform.apiUrl}/guilds/70/members/2`, {
            method: "PUT",
            headers: { ...USER_AGENT, authorization: "Bot bot-token" },
            body: JSON.stringify({ access_token: token, ...more }),
          });
        const response = await add(fields);
        const without = await add({ ...fields, [field]: null });
        return [response.status, without.status];
      });
      expect(await Promise.all(responses)).toEqual([[201, 204], [403, 201]]);
    },
  );
});
