import { describe, expect, test } from "vitest";
import type {
  FakeGuild,
  FakePlatform,
  FakeUser,
  PartialGuildPayload,
} from "../../../src/testing/mod.ts";
import { createFakePlatform, sampleApplication, sampleGuilds } from "../../../src/testing/mod.ts";
import {
  ADA,
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

describe("GET /users/@me", () => {
  test("fills in whatever a minimal user leaves out", async () => {
    const fake = smallPlatform();
    expect(await readJson(get(fake, "/users/@me", bearerToken(fake, ["identify"])))).toEqual({
      id: "1",
      username: "ada",
      avatar: null,
      discriminator: "0",
      public_flags: 0,
      flags: 0,
      banner: null,
      accent_color: null,
      global_name: null,
      avatar_decoration_data: null,
      collectibles: null,
      primary_guild: null,
      mfa_enabled: false,
      locale: "en-US",
      premium_type: 0,
    });
  });

  test("adds the email address with the email scope only", async () => {
    const fake = smallPlatform({ users: [ADA, { ...BOB, email: null, verified: false }] });
    expect(await readJson(get(fake, "/users/@me", bearerToken(fake, ["identify", "email"]))))
      .toMatchObject({ email: "ada@example.com", verified: true });
    expect(await readJson(get(fake, "/users/@me", bearerToken(fake, ["identify", "email"], "bob"))))
      .toMatchObject({ email: null, verified: false });
  });

  test("tells the kind of subscription with identify.premium only", async () => {
    const fake = smallPlatform({ users: [{ ...ADA, premium_type: 2 }, BOB] });
    expect(await readJson(get(fake, "/users/@me", bearerToken(fake, ["identify"]))))
      .toMatchObject({ premium_type: 0 });
    expect(
      await readJson(get(fake, "/users/@me", bearerToken(fake, ["identify", "identify.premium"]))),
    )
      .toMatchObject({ premium_type: 2 });
  });

  test("lays extra fields over the answer, right or wrong", async () => {
    const fake = smallPlatform({ users: [{ ...ADA, extra: { brand_new: 1, username: 42 } }, BOB] });
    expect(await readJson(get(fake, "/users/@me", bearerToken(fake, ["identify"]))))
      .toMatchObject({ brand_new: 1, username: 42 });
  });

  test("takes an explicit undefined for the default", async () => {
    const user: FakeUser = JSON.parse(`{"id":"1","username":"ada"}`);
    const fake = smallPlatform({ users: [Object.assign(user, { locale: undefined }), BOB] });
    expect(await readJson(get(fake, "/users/@me", bearerToken(fake, ["identify"]))))
      .toMatchObject({ locale: "en-US" });
  });

  test("answers 401 without identify, without a token and with a made-up one", async () => {
    const fake = smallPlatform();
    const tokens = [bearerToken(fake, ["guilds"]), undefined, "Bearer x", "Bearer", "Bot x", "x"];
    for (const authorization of tokens) {
      const answer = await get(fake, "/users/@me", authorization);
      expect(answer.status).toBe(401);
      expect(await readJson(answer)).toEqual(UNAUTHORIZED);
    }
  });

  test("tells a bot who it is", async () => {
    const fake = smallPlatform();
    expect(await readJson(get(fake, "/users/@me", "Bot bot-token"))).toEqual({
      id: "100",
      username: "Fake application",
      avatar: null,
      discriminator: "0001",
      public_flags: 0,
      flags: 0,
      bot: true,
      banner: null,
      accent_color: null,
      global_name: null,
      avatar_decoration_data: null,
      collectibles: null,
      primary_guild: null,
      mfa_enabled: true,
      locale: "en-US",
      premium_type: 0,
      email: null,
      verified: true,
    });
  });

  test("is found under its encoded name too", async () => {
    const fake = smallPlatform();
    expect((await get(fake, "/users/%40me", bearerToken(fake, ["identify"]))).status).toBe(200);
  });
});

describe("GET /users/@me/guilds", () => {
  const guilds: FakeGuild[] = ["9", "10", "100", "30"].map((id) => ({
    id,
    name: `Guild ${id}`,
    members: { "1": { permissions: id } },
  }));

  async function ids(fake: FakePlatform, query = ""): Promise<unknown> {
    const answer = await get(fake, `/users/@me/guilds${query}`, bearerToken(fake, ["guilds"]));
    const list: PartialGuildPayload[] = await answer.json();
    return list.map(({ id }) => id);
  }

  test("lists what a user needs to know, in the order of the ids", async () => {
    const fake = smallPlatform({ guilds: [...guilds, { id: "5", name: "Not mine" }] });
    const answer = await get(fake, "/users/@me/guilds", bearerToken(fake, ["guilds"]));
    const list = await answer.json();
    expect(list[0]).toEqual({
      id: "9",
      name: "Guild 9",
      icon: null,
      banner: null,
      owner: false,
      permissions: "9",
      features: [],
    });
    expect(await ids(fake)).toEqual(["9", "10", "30", "100"]);
  });

  test("pages forwards from after and backwards from before", async () => {
    const fake = smallPlatform({ guilds });
    expect(await ids(fake, "?limit=2")).toEqual(["9", "10"]);
    expect(await ids(fake, "?after=10")).toEqual(["30", "100"]);
    expect(await ids(fake, "?after=9&limit=1")).toEqual(["10"]);
    expect(await ids(fake, "?before=100")).toEqual(["9", "10", "30"]);
    expect(await ids(fake, "?before=100&limit=1")).toEqual(["30"]);
    expect(await ids(fake, "?before=100&after=9&limit=1")).toEqual(["10"]);
    expect(await ids(fake, "?limit=200")).toHaveLength(4);
  });

  test("lists 200 guilds at most", async () => {
    const many = Array.from({ length: 201 }, (_, at) => ({ ...LOOMS, id: String(1000 + at) }));
    expect(await ids(smallPlatform({ guilds: many }))).toHaveLength(200);
  });

  test("counts members when asked", async () => {
    const fake = smallPlatform({
      guilds: [
        { ...LOOMS, bots: { "100": "0" } },
        { ...LOOMS, id: "71", approximate_member_count: 10 },
        { ...LOOMS, id: "72", approximate_member_count: 10, approximate_presence_count: 4 },
      ],
    });
    for (const query of ["?with_counts=true", "?with_counts=1", "?with_counts=True"]) {
      const answer = await get(fake, `/users/@me/guilds${query}`, bearerToken(fake, ["guilds"]));
      expect(await answer.json()).toMatchObject([
        { approximate_member_count: 3, approximate_presence_count: 3 },
        { approximate_member_count: 10, approximate_presence_count: 10 },
        { approximate_member_count: 10, approximate_presence_count: 4 },
      ]);
    }
    for (const query of ["", "?with_counts=false", "?with_counts=0"]) {
      const answer = await get(fake, `/users/@me/guilds${query}`, bearerToken(fake, ["guilds"]));
      expect(Object.keys((await answer.json())[1])).not.toContain("approximate_member_count");
    }
  });

  test("tells the owner, who has every permission", async () => {
    const members = { "1": {}, "2": {} };
    const fake = smallPlatform({ guilds: [{ id: "7", name: "By id", owner_id: "2", members }] });
    const answer = await get(fake, "/users/@me/guilds", bearerToken(fake, ["guilds"], "bob"));
    expect(await answer.json()).toMatchObject([{ owner: true, permissions: "8866461766385663" }]);
    const other = await get(fake, "/users/@me/guilds", bearerToken(fake, ["guilds"]));
    expect(await other.json()).toMatchObject([{ owner: false, permissions: "1799872721571393" }]);
  });

  test("lays extra fields over the entries", async () => {
    const fake = smallPlatform({
      guilds: [{ ...LOOMS, extra: { permissions: 8, brand_new: true } }],
    });
    const answer = await get(fake, "/users/@me/guilds", bearerToken(fake, ["guilds"]));
    expect(await answer.json()).toMatchObject([{ permissions: 8, brand_new: true }]);
  });

  test.each([
    ["limit=0", "NUMBER_TYPE_MIN", "int value should be greater than or equal to 1."],
    ["limit=-1", "NUMBER_TYPE_MIN", "int value should be greater than or equal to 1."],
    ["limit=201", "NUMBER_TYPE_MAX", "int value should be less than or equal to 200."],
    ["limit=ten", "NUMBER_TYPE_COERCE", `Value "ten" is not int.`],
    ["before=x", "NUMBER_TYPE_COERCE", `Value "x" is not snowflake.`],
    ["after=-1", "NUMBER_TYPE_COERCE", `Value "-1" is not snowflake.`],
    ["with_counts=yes", "BOOLEAN_TYPE_CONVERT", "Must be either true or false."],
  ])("answers a form error for %s", async (query, code, message) => {
    const fake = smallPlatform();
    const answer = await get(fake, `/users/@me/guilds?${query}`, bearerToken(fake, ["guilds"]));
    expect(answer.status).toBe(400);
    expect(await readJson(answer)).toEqual({
      code: 50035,
      message: "Invalid Form Body",
      errors: { [query.split("=")[0] ?? ""]: { _errors: [{ code, message }] } },
    });
  });

  test("answers 401 without the guilds scope", async () => {
    const fake = smallPlatform();
    expect((await get(fake, "/users/@me/guilds", bearerToken(fake, ["identify"]))).status).toBe(
      401,
    );
  });
});

describe("GET /users/@me/guilds/{id}/member", () => {
  test("tells what the user is in the guild", async () => {
    const fake = smallPlatform({
      guilds: [{ ...LOOMS, members: { "1": { nick: "Countess", roles: ["77"] } } }],
    });
    const token = bearerToken(fake, ["guilds.members.read"]);
    expect(await readJson(get(fake, "/users/@me/guilds/70/member", token))).toEqual({
      avatar: null,
      banner: null,
      communication_disabled_until: null,
      flags: 0,
      joined_at: "2024-01-01T00:00:00.000000+00:00",
      nick: "Countess",
      pending: false,
      premium_since: null,
      roles: ["77"],
      user: {
        id: "1",
        username: "ada",
        avatar: null,
        discriminator: "0",
        public_flags: 0,
        flags: 0,
        global_name: null,
        avatar_decoration_data: null,
        collectibles: null,
        primary_guild: null,
      },
      mute: false,
      deaf: false,
      avatar_decoration_data: null,
      collectibles: null,
    });
    const strange = await get(
      fake,
      "/users/@me/guilds/70/member",
      bearerToken(fake, ["guilds.members.read"], "bob"),
    );
    expect(strange.status).toBe(404);
    expect(await readJson(strange)).toEqual({ message: "Unknown Guild", code: 10004 });
    expect((await get(fake, "/users/@me/guilds/404/member", token)).status).toBe(404);
    expect((await get(fake, "/users/@me/guilds/70/member", bearerToken(fake, ["guilds"]))).status)
      .toBe(401);
  });

  test("says that a bot is one", async () => {
    const fake = smallPlatform({ users: [{ ...ADA, bot: true }, BOB] });
    const token = bearerToken(fake, ["guilds.members.read"]);
    expect(await readJson(get(fake, "/users/@me/guilds/70/member", token)))
      .toMatchObject({ user: { bot: true } });
  });
});

describe("GET /users/@me/connections", () => {
  test("lists the user's accounts elsewhere", async () => {
    const fake = smallPlatform({
      users: [{
        ...ADA,
        connections: [{ id: "1815", name: "ada", type: "github" }],
      }, BOB],
    });
    const answer = await get(fake, "/users/@me/connections", bearerToken(fake, ["connections"]));
    expect(await answer.json()).toEqual([{
      id: "1815",
      name: "ada",
      type: "github",
      revoked: false,
      verified: false,
      friend_sync: false,
      show_activity: true,
      two_way_link: false,
      visibility: 0,
    }]);
    const none = await get(
      fake,
      "/users/@me/connections",
      bearerToken(fake, ["connections"], "bob"),
    );
    expect(await none.json()).toEqual([]);
    expect((await get(fake, "/users/@me/connections", bearerToken(fake, ["identify"]))).status)
      .toBe(
        401,
      );
  });
});

describe("GET /guilds/{id}", () => {
  const guilds: FakeGuild[] = [{ id: "70", name: "Looms", bots: { "100": "8" } }, {
    id: "71",
    name: "Without the bot",
  }];

  test("tells a bot in the guild all about it", async () => {
    const fake = smallPlatform({ guilds });
    const guild = await readJson(get(fake, "/guilds/70", "Bot bot-token"));
    expect(guild).toMatchObject({ id: "70", owner_id: "80351110224678912", afk_timeout: 300 });
    expect(guild).not.toHaveProperty("approximate_member_count");
    expect(guild).not.toHaveProperty("permissions");
    expect(guild).not.toHaveProperty("members");
    expect(await readJson(get(fake, "/guilds/70?with_counts=true", "Bot bot-token")))
      .toMatchObject({ approximate_member_count: 1, approximate_presence_count: 1 });
  });

  test("fills in whatever a minimal guild leaves out", async () => {
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

  test("lays given and extra fields over the defaults", async () => {
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

  test("answers 404 for an unknown guild and for one without the bot", async () => {
    const fake = smallPlatform({ guilds });
    for (const id of ["404", "71"]) {
      const answer = await get(fake, `/guilds/${id}`, "Bot bot-token");
      expect(answer.status).toBe(404);
      expect(await readJson(answer)).toEqual({ message: "Unknown Guild", code: 10004 });
    }
  });

  test("answers a form error for what is no snowflake", async () => {
    const answer = await get(smallPlatform(), "/guilds/abc", "Bot bot-token");
    expect(answer.status).toBe(400);
    expect(await readJson(answer)).toMatchObject({
      code: 50035,
      errors: { guild_id: { _errors: [{ message: `Value "abc" is not snowflake.` }] } },
    });
  });

  test("has no welcome screen, which the platform sends with invites only", async () => {
    const sample = createFakePlatform();
    const [{ id }] = sampleGuilds;
    const guild = await readJson(get(sample, `/guilds/${id}`, `Bot ${sampleApplication.botToken}`));
    expect(guild).toMatchObject({ id, home_header: null, nsfw: false });
    expect(guild).not.toHaveProperty("welcome_screen");
  });

  test("is closed to a user's token", async () => {
    const fake = smallPlatform({ guilds });
    const answer = await get(fake, "/guilds/70", bearerToken(fake, ["guilds", "bot"]));
    expect(answer.status).toBe(401);
    expect(await readJson(answer)).toEqual(UNAUTHORIZED);
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

  test("makes the user a member: 201, then 204", async () => {
    const fake = smallPlatform({ guilds, now: () => 0 });
    const token = fake.issueToken({ as: "bob", scopes: ["guilds.join", "guilds"] }).access_token;
    const more = { nick: "Bobby", roles: ["77"], mute: true, deaf: true };
    const answer = await put(fake, token, { more });
    expect(answer.status).toBe(201);
    expect(await readJson(answer)).toMatchObject({
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

  test("refuses a nickname of more than 32 characters, of which an emoji is one", async () => {
    const fake = smallPlatform({ guilds });
    const token = fake.issueToken({ as: "bob", scopes: ["guilds.join"] }).access_token;
    const answer = await put(fake, token, { more: { nick: "🧶".repeat(33) } });
    expect([answer.status, await readJson(answer)]).toMatchObject([
      400,
      { errors: { nick: { _errors: [{ message: "Must be 32 or fewer in length." }] } } },
    ]);
    const nick = "🧶".repeat(32);
    expect(await readJson(put(fake, token, { more: { nick } }))).toMatchObject({ nick });
  });

  test("refuses roles that can be no ids", async () => {
    const fake = smallPlatform({ guilds });
    const token = fake.issueToken({ as: "bob", scopes: ["guilds.join"] }).access_token;
    const answer = await put(fake, token, { more: { roles: [77, { toString: 1 }] } });
    expect([answer.status, await readJson(answer)]).toMatchObject([
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
  ])("answers 403 for %s token", async (_, request, code) => {
    const fake = smallPlatform({ guilds });
    const answer = await put(fake, fake.issueToken(request).access_token);
    expect(answer.status).toBe(403);
    expect(await readJson(answer)).toMatchObject({ code });
  });

  test("answers 403 for a made-up token and 400 for none", async () => {
    const fake = smallPlatform({ guilds });
    expect(await readJson(put(fake, "x"))).toMatchObject({ code: 50025 });
    const none = await put(fake, undefined);
    expect(none.status).toBe(400);
    expect(await readJson(none)).toMatchObject({ errors: { access_token: {} } });
  });

  test("wants a bot that is in the guild and may invite", async () => {
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

describe("what a bot says about a new member", () => {
  const bits = { nick: 1n << 27n, roles: 1n << 28n, mute: 1n << 22n, deaf: 1n << 23n };
  const fields = { nick: "Bobby", roles: ["77"], mute: true, deaf: false };
  const all = Object.values(bits).reduce((sum, bit) => sum | bit, 1n);

  test.each(Object.entries(bits))("needs a permission: %s", async (field, bit) => {
    const answers = [all, all & ~bit].map(async (permissions) => {
      const bots = { "100": String(permissions) };
      const fake = smallPlatform({ guilds: [{ ...LOOMS, members: {}, bots }] });
      const token = fake.issueToken({ as: "bob", scopes: ["guilds.join"] }).access_token;
      const add = (more: object) =>
        fake.fetch(`${fake.platform.apiUrl}/guilds/70/members/2`, {
          method: "PUT",
          headers: { ...USER_AGENT, authorization: "Bot bot-token" },
          body: JSON.stringify({ access_token: token, ...more }),
        });
      const answer = await add(fields);
      const without = await add({ ...fields, [field]: null });
      return [answer.status, without.status];
    });
    expect(await Promise.all(answers)).toEqual([[201, 204], [403, 201]]);
  });
});

describe("DELETE /users/@me/guilds/{id}", () => {
  const guilds: FakeGuild[] = [{ ...LOOMS, bots: { "100": "8" } }, { id: "71", name: "No bot" }];

  function leave(fake: FakePlatform, id: string, authorization: string): Promise<Response> {
    return fake.fetch(`${fake.platform.apiUrl}/users/@me/guilds/${id}`, {
      method: "DELETE",
      headers: { ...USER_AGENT, authorization },
    });
  }

  test("takes the bot out of the guild, with its role, and leaves its members there", async () => {
    const fake = smallPlatform({ guilds });
    const { access_token } = fake.issueToken({ scopes: ["guilds"] });
    const before = await get(fake, "/guilds/70", "Bot bot-token");
    expect((await before.json()).roles).toMatchObject([{ id: "70" }, { id: "100" }]);
    const answer = await leave(fake, "70", "Bot bot-token");
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect((await get(fake, "/guilds/70", "Bot bot-token")).status).toBe(404);
    expect(await (await get(fake, "/users/@me/guilds", "Bot bot-token")).json()).toEqual([]);
    expect(await (await get(fake, "/users/@me/guilds", `Bearer ${access_token}`)).json())
      .toMatchObject([{ id: "70" }]);
    const back = await readJson(
      exchangeCode(fake, await obtainCode(fake, { scope: "bot", permissions: "1" })),
    );
    expect(back).toMatchObject({ guild: { id: "70", roles: [{ id: "70" }, { id: "100" }] } });
  });

  test("answers 404 for a guild the bot is not in, and 401 to a user's token", async () => {
    const fake = smallPlatform({ guilds });
    for (const id of ["71", "404"]) {
      const answer = await leave(fake, id, "Bot bot-token");
      expect([answer.status, await readJson(answer)])
        .toEqual([404, { message: "Unknown Guild", code: 10004 }]);
    }
    const answer = await leave(fake, "70", bearerToken(fake, ["guilds", "bot"]));
    expect([answer.status, await readJson(answer)]).toEqual([401, UNAUTHORIZED]);
  });
});

describe("an older version of the API", () => {
  function at(fake: FakePlatform, path: string, authorization: string): Promise<Response> {
    return fake.fetch(path, { headers: { ...USER_AGENT, authorization } });
  }

  test.each(["/api", "/api/v6", "/api/v7"])(
    "writes permissions as numbers below %s",
    async (base) => {
      const fake = smallPlatform({
        guilds: [{
          ...LOOMS,
          members: { "1": { permissions: "4503599627371008" }, "2": { permissions: "511" } },
          bots: { "100": "8" },
        }],
      });
      const ofBob = await at(
        fake,
        `${base}/users/@me/guilds`,
        bearerToken(fake, ["guilds"], "bob"),
      );
      expect(await ofBob.json()).toMatchObject([
        { permissions: 511, permissions_new: "511" },
      ]);
      const ofAda = await at(fake, `${base}/users/@me/guilds`, bearerToken(fake, ["guilds"]));
      // Bit 52 has no place in the number.
      expect(await ofAda.json()).toMatchObject([
        { permissions: 512, permissions_new: "4503599627371008" },
      ]);
      const guild = await at(fake, `${base}/guilds/70`, "Bot bot-token");
      expect((await readJson(guild))["roles"]).toMatchObject([
        { permissions_new: "1799872721571393" },
        { permissions: 8, permissions_new: "8" },
      ]);
    },
  );

  test.each(["/api/v8", "/api/v9", "/api/v10"])("writes them as text below %s", async (base) => {
    const fake = smallPlatform();
    const guilds = await at(fake, `${base}/users/@me/guilds`, bearerToken(fake, ["guilds"], "bob"));
    const [guild] = await guilds.json();
    expect(guild.permissions).toBe("1799872721571393");
    expect(guild).not.toHaveProperty("permissions_new");
  });

  test.each(["/api/v5", "/api/v11", "/api/v0"])("is refused when it is %s", async (base) => {
    const answer = await at(smallPlatform(), `${base}/users/@me`, "Bearer x");
    expect(answer.status).toBe(400);
    expect(await readJson(answer)).toEqual({
      message: "Invalid API version provided",
      code: 50041,
    });
  });
});
