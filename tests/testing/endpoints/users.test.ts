import { describe, expect, test } from "vitest";
import type {
  FakeGuild,
  FakePlatform,
  FakeUser,
  PartialGuildPayload,
} from "../../../src/testing/mod.ts";
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
  test("fills in the absent fields of a minimal user", async () => {
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

  test("adds the email address only with the email scope", async () => {
    const fake = smallPlatform({ users: [ADA, { ...BOB, email: null, verified: false }] });
    expect(await readJson(get(fake, "/users/@me", bearerToken(fake, ["identify", "email"]))))
      .toMatchObject({ email: "ada@example.com", verified: true });
    expect(await readJson(get(fake, "/users/@me", bearerToken(fake, ["identify", "email"], "bob"))))
      .toMatchObject({ email: null, verified: false });
  });

  test("returns the kind of subscription only with identify.premium", async () => {
    const fake = smallPlatform({ users: [{ ...ADA, premium_type: 2 }, BOB] });
    expect(await readJson(get(fake, "/users/@me", bearerToken(fake, ["identify"]))))
      .toMatchObject({ premium_type: 0 });
    expect(
      await readJson(get(fake, "/users/@me", bearerToken(fake, ["identify", "identify.premium"]))),
    )
      .toMatchObject({ premium_type: 2 });
  });

  test("puts extra fields over the response, even wrong ones", async () => {
    const fake = smallPlatform({ users: [{ ...ADA, extra: { brand_new: 1, username: 42 } }, BOB] });
    expect(await readJson(get(fake, "/users/@me", bearerToken(fake, ["identify"]))))
      .toMatchObject({ brand_new: 1, username: 42 });
  });

  test("reads an explicit undefined as the default", async () => {
    const user: FakeUser = JSON.parse(`{"id":"1","username":"ada"}`);
    const fake = smallPlatform({ users: [Object.assign(user, { locale: undefined }), BOB] });
    expect(await readJson(get(fake, "/users/@me", bearerToken(fake, ["identify"]))))
      .toMatchObject({ locale: "en-US" });
  });

  test.each(["sdk.social_layer", "sdk.social_layer_presence"])(
    "is read with %s, which includes identify and which the token names alone",
    async (scope) => {
      const fake = smallPlatform();
      const token = await readJson(exchangeCode(fake, await obtainCode(fake, { scope })));
      expect(token["scope"]).toBe(scope);
      const authorization = `Bearer ${token["access_token"]}`;
      const me = await readJson(get(fake, "/users/@me", authorization));
      expect(me["username"]).toBe("ada");
      expect(me).not.toHaveProperty("email");
      expect(await readJson(get(fake, "/oauth2/@me", authorization)))
        .toMatchObject({ scopes: [scope], user: { username: "ada" } });
    },
  );

  test("can't be read with only email", async () => {
    const fake = smallPlatform();
    const token = await readJson(exchangeCode(fake, await obtainCode(fake, { scope: "email" })));
    const authorization = `Bearer ${token["access_token"]}`;
    expect((await get(fake, "/users/@me", authorization)).status).toBe(401);
    expect(await readJson(get(fake, "/oauth2/@me", authorization))).not.toHaveProperty("user");
  });

  test("responds with 401 without identify, without a token and with a made-up token", async () => {
    const fake = smallPlatform();
    const tokens = [bearerToken(fake, ["guilds"]), undefined, "Bearer x", "Bearer", "Bot x", "x"];
    for (const authorization of tokens) {
      const response = await get(fake, "/users/@me", authorization);
      expect(response.status).toBe(401);
      expect(await readJson(response)).toEqual(UNAUTHORIZED);
    }
  });

  test("returns the bot's own user to a bot", async () => {
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

  test("is found under its encoded path", async () => {
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
    const response = await get(fake, `/users/@me/guilds${query}`, bearerToken(fake, ["guilds"]));
    const list: PartialGuildPayload[] = await response.json();
    return list.map(({ id }) => id);
  }

  test("lists partial guilds in the order of their ids", async () => {
    const fake = smallPlatform({ guilds: [...guilds, { id: "5", name: "Not mine" }] });
    const response = await get(fake, "/users/@me/guilds", bearerToken(fake, ["guilds"]));
    const list = await response.json();
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
    expect(await ids(fake, "?before=100&after=10")).toEqual(["9", "10", "30"]);
    expect(await ids(fake, "?before=100&after=9&limit=1")).toEqual(["30"]);
    expect(await ids(fake, "?limit=200")).toHaveLength(4);
  });

  test("lists at most 200 guilds", async () => {
    const many = Array.from({ length: 201 }, (_, at) => ({ ...LOOMS, id: String(1000 + at) }));
    expect(await ids(smallPlatform({ guilds: many }))).toHaveLength(200);
  });

  test("counts members with with_counts, for a token with guilds.members.read", async () => {
    const fake = smallPlatform({
      guilds: [
        { ...LOOMS, bots: { "100": "0" } },
        { ...LOOMS, id: "71", approximate_member_count: 10 },
        { ...LOOMS, id: "72", approximate_member_count: 10, approximate_presence_count: 4 },
      ],
    });
    const token = bearerToken(fake, ["guilds", "guilds.members.read"]);
    for (const query of ["?with_counts=true", "?with_counts=1", "?with_counts=True"]) {
      const response = await get(fake, `/users/@me/guilds${query}`, token);
      expect(await response.json()).toMatchObject([
        { approximate_member_count: 3, approximate_presence_count: 3 },
        { approximate_member_count: 10, approximate_presence_count: 10 },
        { approximate_member_count: 10, approximate_presence_count: 4 },
      ]);
    }
    for (const query of ["", "?with_counts=false", "?with_counts=0"]) {
      const response = await get(fake, `/users/@me/guilds${query}`, token);
      expect(Object.keys((await response.json())[1])).not.toContain("approximate_member_count");
    }
  });

  test("counts no members for a token with only guilds, and counts them for a bot", async () => {
    const fake = smallPlatform({ guilds: [{ ...LOOMS, bots: { "100": "0" } }] });
    const path = "/users/@me/guilds?with_counts=true";
    const [guild] = await (await get(fake, path, bearerToken(fake, ["guilds"]))).json();
    expect(guild).toMatchObject({ id: "70" });
    expect(Object.keys(guild).filter((name) => name.startsWith("approximate_"))).toEqual([]);
    const [counted] = await (await get(fake, path, "Bot bot-token")).json();
    expect(counted).toMatchObject({ approximate_member_count: 3, approximate_presence_count: 3 });
  });

  test("marks the owner, who has every permission", async () => {
    const members = { "1": {}, "2": {} };
    const fake = smallPlatform({ guilds: [{ id: "7", name: "By id", owner_id: "2", members }] });
    const response = await get(fake, "/users/@me/guilds", bearerToken(fake, ["guilds"], "bob"));
    expect(await response.json()).toMatchObject([{ owner: true, permissions: "8866461766385663" }]);
    const other = await get(fake, "/users/@me/guilds", bearerToken(fake, ["guilds"]));
    expect(await other.json()).toMatchObject([{ owner: false, permissions: "1799872721571393" }]);
  });

  test("puts extra fields over the entries", async () => {
    const fake = smallPlatform({
      guilds: [{ ...LOOMS, extra: { permissions: 8, brand_new: true } }],
    });
    const response = await get(fake, "/users/@me/guilds", bearerToken(fake, ["guilds"]));
    expect(await response.json()).toMatchObject([{ permissions: 8, brand_new: true }]);
  });

  test.each([
    ["limit=0", "NUMBER_TYPE_MIN", "int value should be greater than or equal to 1."],
    ["limit=-1", "NUMBER_TYPE_MIN", "int value should be greater than or equal to 1."],
    ["limit=201", "NUMBER_TYPE_MAX", "int value should be less than or equal to 200."],
    ["limit=ten", "NUMBER_TYPE_COERCE", `Value "ten" is not int.`],
    ["before=x", "NUMBER_TYPE_COERCE", `Value "x" is not snowflake.`],
    ["after=-1", "NUMBER_TYPE_COERCE", `Value "-1" is not snowflake.`],
    ["with_counts=yes", "BOOLEAN_TYPE_CONVERT", "Must be either true or false."],
  ])("responds with a form error to %s", async (query, code, message) => {
    const fake = smallPlatform();
    const response = await get(fake, `/users/@me/guilds?${query}`, bearerToken(fake, ["guilds"]));
    expect(response.status).toBe(400);
    expect(await readJson(response)).toEqual({
      code: 50035,
      message: "Invalid Form Body",
      errors: { [query.split("=")[0] ?? ""]: { _errors: [{ code, message }] } },
    });
  });

  test.each([["sdk.social_layer", 200], ["sdk.social_layer_presence", 401]])(
    "is read with %s: %i",
    async (scope, status) => {
      const fake = smallPlatform();
      const response = await get(fake, "/users/@me/guilds", bearerToken(fake, [scope]));
      expect(response.status).toBe(status);
    },
  );

  test("responds with 401 without the guilds scope", async () => {
    const fake = smallPlatform();
    expect((await get(fake, "/users/@me/guilds", bearerToken(fake, ["identify"]))).status).toBe(
      401,
    );
  });
});

describe("GET /users/@me/guilds/{id}/member", () => {
  test("returns the user's membership", async () => {
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

  test("marks a bot as one", async () => {
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
    const response = await get(fake, "/users/@me/connections", bearerToken(fake, ["connections"]));
    expect(await response.json()).toEqual([{
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
    const response = await leave(fake, "70", "Bot bot-token");
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect((await get(fake, "/guilds/70", "Bot bot-token")).status).toBe(404);
    expect(await (await get(fake, "/users/@me/guilds", "Bot bot-token")).json()).toEqual([]);
    expect(await (await get(fake, "/users/@me/guilds", `Bearer ${access_token}`)).json())
      .toMatchObject([{ id: "70" }]);
    const back = await readJson(
      exchangeCode(fake, await obtainCode(fake, { scope: "bot", permissions: "1" })),
    );
    expect(back).toMatchObject({ guild: { id: "70", roles: [{ id: "70" }, { id: "100" }] } });
  });

  test("responds with 404 for a guild without the bot, and with 401 to a user's token", async () => {
    const fake = smallPlatform({ guilds });
    for (const id of ["71", "404"]) {
      const response = await leave(fake, id, "Bot bot-token");
      expect([response.status, await readJson(response)])
        .toEqual([404, { message: "Unknown Guild", code: 10004 }]);
    }
    const response = await leave(fake, "70", bearerToken(fake, ["guilds", "bot"]));
    expect([response.status, await readJson(response)]).toEqual([401, UNAUTHORIZED]);
  });
});

describe("An API version", () => {
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

  test.each(["/api/v8", "/api/v9", "/api/v10"])(
    "writes permissions as text below %s",
    async (base) => {
      const fake = smallPlatform();
      const guilds = await at(
        fake,
        `${base}/users/@me/guilds`,
        bearerToken(fake, ["guilds"], "bob"),
      );
      const [guild] = await guilds.json();
      expect(guild.permissions).toBe("1799872721571393");
      expect(guild).not.toHaveProperty("permissions_new");
    },
  );

  test.each(["/api/v5", "/api/v11", "/api/v0"])("is refused if it is %s", async (base) => {
    const response = await at(smallPlatform(), `${base}/users/@me`, "Bearer x");
    expect(response.status).toBe(400);
    expect(await readJson(response)).toEqual({
      message: "Invalid API version provided",
      code: 50041,
    });
  });
});
