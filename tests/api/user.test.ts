import { describe, expect, test } from "vitest";
import {
  ApiError,
  MissingScopeError,
  PayloadError,
  PlatformApi,
  type TokenObj,
  User,
  type UserOptions,
} from "../../mod.ts";
import {
  createFakePlatform,
  type FakePlatform,
  type FakePlatformOptions,
  type FakeTokenRequest,
  sampleApplication,
  sampleGuilds,
} from "../../src/testing/mod.ts";
import { fakeFetch, respondWith, thrownBy } from "../support/responders.ts";
import { leaksOf } from "../support/leaks.ts";
import { userMethods } from "../support/user_calls.ts";

const guildId = "1200000000000000001";

/** A person after a login. */
function logIn(request: FakeTokenRequest = { scopes: ["identify", "guilds"] }): {
  readonly fake: FakePlatform;
  readonly user: User;
} {
  const fake = createFakePlatform();
  return { fake, user: new User(fake.issueToken(request).access_token, fake) };
}

/** The bot of the sample application. */
function asBot(): { readonly fake: FakePlatform; readonly bot: User } {
  const fake = createFakePlatform();
  return { fake, bot: new User(sampleApplication.botToken, { ...fake, tokenType: "Bot" }) };
}

describe("new User()", () => {
  test("accepts an access token, or a whole TokenObj", async () => {
    const fake = createFakePlatform();
    const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
    const query = new URLSearchParams({
      response_type: "code",
      client_id: id,
      scope: "identify",
      redirect_uri: redirectUri,
    });
    const callback = new URL(await fake.authorize(`${fake.platform.authorizeUrl}?${query}`));
    const token = await new PlatformApi(id, secret, ["identify"], redirectUri, fake)
      .accessToken(callback.searchParams.get("code") ?? "");
    for (const given of [token, token.access_token]) {
      expect(await new User(given, fake).getCurrentUser()).toMatchObject({ username: "ada" });
    }
    const sent = fake.requests.slice(1).map(({ headers }) => headers["authorization"]);
    expect(sent).toEqual(Array(2).fill(`Bearer ${token.access_token}`));
  });

  test.each([
    undefined,
    "",
    "undefined",
    "null",
    "line\nbreak",
    "tökén",
    1,
    { access_token: 1 },
  ])("throws a TypeError about a wrong access token: %j", (token) => {
    const create = () => new User(token as string);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(/^accessToken must be ASCII text without whitespace, received/);
  });

  test.each(["bearer", "Basic", ""])(
    "throws a TypeError about a wrong type of token: %j",
    (tokenType) => {
      const create = () => new User("t0ken", { tokenType: tokenType as "Bot" });
      expect(create).toThrow(TypeError);
      expect(create).toThrow(/^tokenType must be "Bearer" or "Bot", received/);
    },
  );

  test("shows nothing of what it holds", () => {
    const user = new User("t0ken");
    expect(JSON.stringify(user)).toBe("{}");
    expect(Object.keys(user)).toEqual([]);
  });
});

describe("User.getCurrentUser()", () => {
  test("reads the user that the token belongs to", async () => {
    const { fake, user } = logIn({ as: "grace", scopes: ["identify"] });
    expect(await user.getCurrentUser()).toMatchObject({
      id: "1000000000000000002",
      username: "grace",
      email: null,
      bot: false,
    });
    expect(fake.requests).toMatchObject([{ method: "GET", path: "/api/v10/users/@me", query: {} }]);
  });

  test("reads the e-mail address with the email scope", async () => {
    const { user } = logIn({ scopes: ["identify", "email"] });
    expect(await user.getCurrentUser()).toMatchObject({ email: "ada@example.com", verified: true });
  });

  test("reads the bot with its token", async () => {
    const { fake, bot } = asBot();
    expect(await bot.getCurrentUser()).toMatchObject({ id: sampleApplication.id, bot: true });
    expect(fake.requests[0]?.headers).toMatchObject({
      authorization: `Bot ${sampleApplication.botToken}`,
    });
  });

  test("rejects with an ApiError once the token has expired, and says what to check", async () => {
    const { fake, user } = logIn();
    fake.advance(604_801_000);
    const error = await thrownBy(() => user.getCurrentUser());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ httpStatus: 401, hint: expect.stringContaining("expired") });
    expect(fake.requests).toHaveLength(1);
  });
});

describe("User.getUserGuilds()", () => {
  test("reads the guilds in the order of their ids, as a list of the caller's own", async () => {
    const { fake, user } = logIn();
    const guilds = await user.getUserGuilds();
    expect(guilds.map(({ name }) => name)).toEqual(
      sampleGuilds.slice(0, 4).map(({ name }) => name),
    );
    expect(fake.requests).toMatchObject([{
      method: "GET",
      path: "/api/v10/users/@me/guilds",
      query: {},
    }]);
    expect(fake.requests[0]?.url).not.toContain("?");
    guilds.pop();
    guilds.sort((a, b) => b.name.localeCompare(a.name));
    expect(guilds.map(({ id }) => id)).toEqual([
      guildId,
      ...["3", "2"].map((n) => `120000000000000000${n}`),
    ]);
    expect(guilds.every(Object.isFrozen)).toBe(true);
  });

  test("reads the guilds before or after an id, up to a limit", async () => {
    const { fake, user } = logIn();
    const [first, second, third, fourth] = sampleGuilds.map(({ id }) => id);
    const ids = async (options: Parameters<User["getUserGuilds"]>[0]) =>
      (await user.getUserGuilds(options)).map(({ id }) => id);
    expect(await ids({ after: second })).toEqual([third, fourth]);
    expect(await ids({ before: second })).toEqual([first]);
    expect(await ids({ before: fourth, after: first })).toEqual([first, second, third]);
    expect(await ids({ limit: 1 })).toEqual([first]);
    expect(await ids({ limit: 200, before: undefined, after: undefined })).toHaveLength(4);
    expect(fake.requests.map(({ query }) => query)).toEqual([
      { after: second },
      { before: second },
      { before: fourth, after: first },
      { limit: "1" },
      { limit: "200" },
    ]);
  });

  test("reads the counts with withCounts and the scope guilds.members.read", async () => {
    const { user: without } = logIn();
    expect((await without.getUserGuilds({ withCounts: true }))[0])
      .toMatchObject({ approximate_member_count: null, approximate_presence_count: null });
    const { fake, user } = logIn({ scopes: ["guilds", "guilds.members.read"] });
    expect((await user.getUserGuilds({ withCounts: true }))[0]).toMatchObject({
      approximate_member_count: 1843,
      approximate_presence_count: 312,
    });
    expect((await user.getUserGuilds({ withCounts: false }))[0]).toMatchObject({
      approximate_member_count: null,
      approximate_presence_count: null,
    });
    expect(fake.requests.map(({ query }) => query)).toEqual([{ with_counts: "true" }, {}]);
  });

  test("reads null as an empty list", async () => {
    const { fake, user } = logIn();
    fake.failNext({ body: "null" });
    expect(await user.getUserGuilds()).toEqual([]);
  });

  test.each([0, 201, -1, 1.5, NaN, Infinity, "10"])(
    "throws a RangeError about a wrong limit: %j",
    async (limit) => {
      const { fake, user } = logIn();
      const error = await thrownBy(() => user.getUserGuilds({ limit: limit as number }));
      expect(error).toBeInstanceOf(RangeError);
      expect(String(error)).toContain("limit must be a whole number from 1 to 200, received");
      expect(fake.requests).toHaveLength(0);
    },
  );

  test.each(["", "abc", "../@me", "1?limit=1", "123456789012345678901", 1])(
    "throws a TypeError about a wrong id: %j",
    async (id) => {
      const { fake, user } = logIn();
      for (const name of ["before", "after"]) {
        const error = await thrownBy(() => user.getUserGuilds({ [name]: id }));
        expect(error).toBeInstanceOf(TypeError);
        expect(String(error)).toContain(
          `${name} must be digits`,
        );
      }
      expect(fake.requests).toHaveLength(0);
    },
  );

  test.each<unknown>(["false", "true", 0, 1])(
    "throws a TypeError when withCounts is neither true nor false: %j",
    async (withCounts) => {
      const { fake, user } = logIn();
      const calls = [
        () => user.getUserGuilds({ withCounts: withCounts as boolean }),
        () => user.getGuild(guildId, withCounts as boolean),
      ];
      for (const call of calls) {
        const error = await thrownBy(call);
        expect(error).toBeInstanceOf(TypeError);
        expect(String(error)).toMatch(/withCounts.* must be true or false, received/);
      }
      expect(fake.requests).toHaveLength(0);
    },
  );

  test("throws a TypeError that shows getGuild(id, true) when it gets an object", async () => {
    const { fake, user } = logIn();
    const error = await thrownBy(() => user.getGuild(guildId, { withCounts: true } as never));
    expect(String(error)).toBe(
      "TypeError: withCounts, as in getGuild(id, true), must be true or false, received object",
    );
    expect(fake.requests).toHaveLength(0);
  });

  test("rejects with an ApiError without the guilds scope", async () => {
    const { user } = logIn({ scopes: ["identify"] });
    const error = await thrownBy(() => user.getUserGuilds());
    expect(error).toMatchObject({
      name: "ApiError",
      httpStatus: 401,
      hint: expect.stringContaining("scope"),
    });
  });

  test("leaves out every entry without an id or a name", async () => {
    const { fake, user } = logIn();
    fake.failNext({ body: [{ id: "1", name: "a" }, { id: 2, name: "b" }, { id: "3" }, null] });
    expect(await user.getUserGuilds()).toMatchObject([{ id: "1", name: "a" }]);
  });
});

describe("User.getGuild()", () => {
  test("reads a guild with the token of a bot in it, without counts", async () => {
    const { fake, bot } = asBot();
    expect(await bot.getGuild(guildId)).toMatchObject({
      id: guildId,
      name: "The Analytical Engine",
      approximate_member_count: null,
      approximate_presence_count: null,
    });
    expect(fake.requests).toMatchObject([{ path: `/api/v10/guilds/${guildId}`, query: {} }]);
  });

  test("reads the counts with withCounts", async () => {
    const { fake, bot } = asBot();
    expect(await bot.getGuild(guildId, true)).toMatchObject({
      approximate_member_count: 1843,
      approximate_presence_count: 312,
    });
    expect(await bot.getGuild(guildId, false)).toMatchObject({ approximate_member_count: null });
    expect(fake.requests.map(({ query }) => query)).toEqual([{ with_counts: "true" }, {}]);
  });

  test.each([undefined, null, "", "@me", "../users/@me", "1/2", "1\n", 1200000000000000001])(
    "throws a TypeError about a wrong id, and sends nothing: %j",
    async (id) => {
      const { fake, bot } = asBot();
      const error = await thrownBy(() => bot.getGuild(id as string));
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toContain(
        "id must be digits",
      );
      expect(fake.requests).toHaveLength(0);
    },
  );

  test("rejects with an ApiError about a guild the bot is not in", async () => {
    const { bot } = asBot();
    const error = await thrownBy(() => bot.getGuild("1200000000000000002"));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      httpStatus: 404,
      platformCode: 10004,
      message: expect.stringMatching(/returned 404 \(Unknown Guild\)$/),
      hint: expect.stringContaining("bot"),
    });
  });

  test("fails alone for a user's token: other calls and other Users go on", async () => {
    const { fake, user } = logIn();
    expect(await thrownBy(() => user.getGuild(guildId))).toMatchObject({
      httpStatus: 401,
      hint: expect.stringContaining("token of a bot"),
    });
    expect(await user.getCurrentUser()).toMatchObject({ username: "ada" });
    expect(fake.requests.map(({ status }) => status)).toEqual([401, 200]);
  });

  test("says of the token of a bot that was refused that it is wrong", async () => {
    const fake = createFakePlatform();
    const bot = new User("MTAwMDAwMDAwMDAwMDAwMDAwMQ.G.x", { ...fake, tokenType: "Bot" });
    const hint = expect.stringContaining("Check the bot token");
    expect(await thrownBy(() => bot.getGuild(guildId))).toMatchObject({ httpStatus: 401, hint });
    await thrownBy(() => bot.getGuild(guildId));
    expect(fake.requests).toHaveLength(1);
  });

  test("rejects with an ApiError for a user's token, and says that it needs a bot's", async () => {
    const { fake, user } = logIn();
    const error = await thrownBy(() => user.getGuild(guildId));
    expect(error).toMatchObject({
      name: "ApiError",
      httpStatus: 401,
      hint: expect.stringContaining('tokenType: "Bot"'),
    });
    expect(fake.requests).toHaveLength(1);
  });

  test("rejects with an ApiError on 403, too", async () => {
    const { fake, bot } = asBot();
    fake.failNext({ status: 403, body: { message: "Missing Access", code: 50001 } });
    const error = await thrownBy(() => bot.getGuild(guildId));
    expect(error).toMatchObject({ name: "ApiError", httpStatus: 403, platformCode: 50001 });
  });
});

describe("User.getGuildMember()", () => {
  test("reads the user's membership of the guild", async () => {
    const { fake, user } = logIn({ scopes: ["guilds.members.read"] });
    expect(await user.getGuildMember("1200000000000000003"))
      .toMatchObject({ nick: "Ada (mod)", roles: [], user: { username: "ada" } });
    expect(fake.requests).toMatchObject([
      { method: "GET", path: "/api/v10/users/@me/guilds/1200000000000000003/member", query: {} },
    ]);
  });

  test("rejects with an ApiError about a guild that the user is not in", async () => {
    const { user } = logIn({ scopes: ["guilds.members.read"] });
    expect(await thrownBy(() => user.getGuildMember("1200000000000000005"))).toMatchObject({
      name: "ApiError",
      httpStatus: 404,
      platformCode: 10004,
      hint: "Check that the user is in this guild",
    });
  });

  test.each([undefined, null, "", "@me", "1/../2", 1])(
    "throws a TypeError about a wrong id, and sends nothing: %j",
    async (id) => {
      const { fake, user } = logIn({ scopes: ["guilds.members.read"] });
      expect(String(await thrownBy(() => user.getGuildMember(id as string))))
        .toMatch(/^TypeError: guildId must be digits/);
      expect(fake.requests).toHaveLength(0);
    },
  );
});

describe("User.getConnections()", () => {
  test("reads the accounts on other services, as a list of the caller's own", async () => {
    const { fake, user } = logIn({ scopes: ["connections"] });
    const connections = await user.getConnections();
    expect(connections).toMatchObject([{ type: "github", name: "ada-lovelace", verified: true }]);
    expect(Object.isFrozen(connections)).toBe(false);
    expect(fake.requests).toMatchObject([{
      method: "GET",
      path: "/api/v10/users/@me/connections",
    }]);
    expect(await logIn({ as: "grace", scopes: ["connections"] }).user.getConnections()).toEqual([]);
  });
});

describe("User.getAuthorization()", () => {
  test("reads the application and the scopes of the token, with any scope", async () => {
    const { fake, user } = logIn({ scopes: ["guilds"] });
    const { application, expires, ...rest } = await user.getAuthorization();
    expect(application).toMatchObject({ id: sampleApplication.id, name: sampleApplication.name });
    expect(rest).toMatchObject({ scopes: ["guilds"], user: null });
    expect(Date.parse(String(expires))).toBeGreaterThan(fake.now());
    expect(fake.requests).toMatchObject([{ method: "GET", path: "/api/v10/oauth2/@me" }]);
  });

  test("reads the user with identify, and no email", async () => {
    const { user } = logIn({ scopes: ["identify", "email"] });
    expect(await user.getAuthorization()).toMatchObject({
      scopes: ["identify", "email"],
      user: { username: "ada", email: null },
    });
  });

  test("names no scope when the token has expired", async () => {
    const { fake, user } = logIn();
    fake.advance(604_801_000);
    expect(await thrownBy(() => user.getAuthorization())).toMatchObject({
      httpStatus: 401,
      hint: "Check that the token has not expired or been revoked",
    });
  });
});

describe("User.getUserInfo()", () => {
  test("reads the user's claims, and more of them with more scopes", async () => {
    const sub = "1000000000000000001";
    const nothing = {
      email: null,
      email_verified: null,
      preferred_username: null,
      nickname: null,
      picture: null,
      locale: null,
    };
    expect(await logIn({ scopes: ["openid"] }).user.getUserInfo()).toEqual({ sub, ...nothing });
    const { fake, user } = logIn({ scopes: ["openid", "identify", "email"] });
    expect(await user.getUserInfo()).toEqual({
      sub,
      email: "ada@example.com",
      email_verified: true,
      preferred_username: "ada",
      nickname: "Ada Lovelace",
      picture: expect.stringMatching(/^https:.*\.png$/),
      locale: "en-GB",
    });
    expect(fake.requests).toMatchObject([{ method: "GET", path: "/api/v10/oauth2/userinfo" }]);
  });
});

describe("User.getGuildMemberById()", () => {
  test("reads any member of a guild of the bot", async () => {
    const { fake, bot } = asBot();
    expect(await bot.getGuildMemberById(guildId, "1000000000000000002"))
      .toMatchObject({ user: { username: "grace" }, nick: null, roles: [] });
    expect(fake.requests).toMatchObject([{
      method: "GET",
      path: `/api/v10/guilds/${guildId}/members/1000000000000000002`,
    }]);
  });

  test("rejects with an ApiError if the bot or the user is not in the guild", async () => {
    const { bot } = asBot();
    for (const [guild, user] of [[guildId, "1"], ["1200000000000000002", "1000000000000000001"]]) {
      expect(await thrownBy(() => bot.getGuildMemberById(guild ?? "", user ?? ""))).toMatchObject({
        httpStatus: 404,
        hint: "Check that the bot and the user are in this guild",
      });
    }
  });

  test("needs a bot, and two ids", async () => {
    const { fake, user } = logIn();
    expect(String(await thrownBy(() => user.getGuildMemberById(guildId, "1"))))
      .toBe(
        'TypeError: getGuildMemberById() needs a bot token: new User(botToken, { tokenType: "Bot" })',
      );
    const { bot } = asBot();
    expect(String(await thrownBy(() => bot.getGuildMemberById("@me", "1"))))
      .toMatch(/^TypeError: guildId must be digits/);
    expect(String(await thrownBy(() => bot.getGuildMemberById("1", "@me"))))
      .toMatch(/^TypeError: userId must be digits/);
    expect(fake.requests).toHaveLength(0);
  });
});

describe("User.addMemberRole() and User.removeMemberRole()", () => {
  const roles = [{ id: "7", name: "@everyone" }, { id: "71", name: "Patron" }];
  const guilds = [{
    id: "7",
    name: "Looms",
    roles,
    members: { "1000000000000000001": {} },
    bots: { [sampleApplication.id]: "268435456" },
  }];
  const ada = "1000000000000000001";
  const asBotOf = (options: FakePlatformOptions = { guilds }) => {
    const fake = createFakePlatform(options);
    return { fake, bot: new User(sampleApplication.botToken, { ...fake, tokenType: "Bot" }) };
  };

  test("give and take a role, with one request each", async () => {
    const { fake, bot } = asBotOf();
    expect(await bot.addMemberRole("7", ada, "71")).toBeUndefined();
    expect((await bot.getGuildMemberById("7", ada)).roles).toEqual(["71"]);
    expect(await bot.removeMemberRole("7", ada, "71")).toBeUndefined();
    expect((await bot.getGuildMemberById("7", ada)).roles).toEqual([]);
    const path = `/api/v10/guilds/7/members/${ada}/roles/71`;
    expect(fake.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["PUT", path, null],
      ["GET", `/api/v10/guilds/7/members/${ada}`, null],
      ["DELETE", path, null],
      ["GET", `/api/v10/guilds/7/members/${ada}`, null],
    ]);
    expect(fake.requests[0]?.headers).not.toHaveProperty("x-audit-log-reason");
  });

  test("send the reason in percent encoding", async () => {
    const { fake, bot } = asBotOf();
    await bot.addMemberRole("7", ada, "71", { reason: "Käufer: 50 % ♠\n" });
    await bot.removeMemberRole("7", ada, "71", { reason: null });
    expect(fake.requests.map(({ headers }) => headers["x-audit-log-reason"]))
      .toEqual(["K%C3%A4ufer%3A%2050%20%25%20%E2%99%A0%0A", undefined]);
  });

  test("take a reason of up to 512 characters, where an emoji is one", async () => {
    const { fake, bot } = asBotOf();
    const longest = "🧵".repeat(512);
    await bot.addMemberRole("7", ada, "71", { reason: longest });
    expect(decodeURIComponent(fake.requests[0]?.headers["x-audit-log-reason"] ?? "")).toBe(longest);
    for (const change of [bot.addMemberRole, bot.removeMemberRole]) {
      const withReason = (reason: unknown) =>
        thrownBy(() => change.call(bot, "7", ada, "71", { reason: reason as string }));
      expect(String(await withReason(`${longest}!`)))
        .toBe("RangeError: reason must have 1 to 512 characters, received 513");
      expect(String(await withReason("")))
        .toBe("RangeError: reason must have 1 to 512 characters, received 0");
      expect(String(await withReason(5))).toBe(
        "TypeError: reason must be a string, received number",
      );
      expect(String(await withReason("half \ud83e")))
        .toBe("TypeError: reason must not have a lone surrogate");
      expect(
        String(await thrownBy(() => change.call(bot, "7", ada, "71", { because: "" } as object))),
      )
        .toMatch(/^TypeError: options\.?.*because/);
    }
    expect(fake.requests).toHaveLength(1);
  });

  test.each([
    ["70", ada, "71", 404, 10004],
    ["7", "1", "71", 404, 10007],
    ["7", ada, "72", 404, 10011],
    ["7", ada, sampleApplication.id, 403, 50013],
  ])("reject for guild %s, member %s and role %s with %i and the code %i", async (...row) => {
    const [guild, user, role, httpStatus, platformCode] = row;
    const { bot } = asBotOf();
    const expected = {
      name: "ApiError",
      httpStatus,
      platformCode,
      hint: expect.stringContaining("its highest role is above this one"),
    };
    expect(await thrownBy(() => bot.addMemberRole(guild, user, role))).toMatchObject(expected);
    expect(await thrownBy(() => bot.removeMemberRole(guild, user, role))).toMatchObject(expected);
  });

  test("are sent once, even when the platform is in trouble", async () => {
    const { fake, bot } = asBotOf();
    fake.failNext({ status: 503, times: 9 });
    expect(await thrownBy(() => bot.addMemberRole("7", ada, "71"))).toMatchObject({
      httpStatus: 503,
    });
    expect(fake.requests).toHaveLength(1);
  });

  test("need a bot, and three ids", async () => {
    const { fake, user } = logIn();
    expect(String(await thrownBy(() => user.addMemberRole("7", ada, "71"))))
      .toBe(
        'TypeError: addMemberRole() needs a bot token: new User(botToken, { tokenType: "Bot" })',
      );
    expect(fake.requests).toHaveLength(0);
    const { fake: other, bot } = asBotOf();
    expect(String(await thrownBy(() => bot.removeMemberRole("7", ada, "@everyone"))))
      .toMatch(/^TypeError: roleId must be digits/);
    expect(other.requests).toHaveLength(0);
  });
});

describe("User.leaveGuild()", () => {
  test("removes the bot from the guild with one request", async () => {
    const { fake, bot } = asBot();
    expect(await bot.leaveGuild(guildId)).toBeUndefined();
    expect(await bot.getUserGuilds()).toEqual([]);
    expect(await thrownBy(() => bot.leaveGuild(guildId))).toMatchObject({
      name: "ApiError",
      httpStatus: 404,
      hint: "Check that the bot is in this guild",
    });
    expect(fake.requests[0])
      .toMatchObject({
        method: "DELETE",
        path: `/api/v10/users/@me/guilds/${guildId}`,
        body: null,
      });
  });

  test("is sent once, even when the platform is in trouble", async () => {
    const { fake, bot } = asBot();
    fake.failNext({ status: 503, times: 9 });
    expect(await thrownBy(() => bot.leaveGuild(guildId))).toMatchObject({ httpStatus: 503 });
    expect(fake.requests).toHaveLength(1);
  });

  test("needs a bot, and a guild", async () => {
    const { fake, user } = logIn();
    expect(String(await thrownBy(() => user.leaveGuild(guildId))))
      .toBe('TypeError: leaveGuild() needs a bot token: new User(botToken, { tokenType: "Bot" })');
    expect(fake.requests).toHaveLength(0);
    const { fake: other, bot } = asBot();
    for (const id of [undefined, "@me", "1/2", 1]) {
      expect(String(await thrownBy(() => bot.leaveGuild(id as string))))
        .toMatch(/^TypeError: guildId must be digits/);
    }
    expect(other.requests).toHaveLength(0);
  });
});

describe("a token that can't be right", () => {
  const botToken = "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs";
  const response = { access_token: "t0ken", token_type: "Bearer", expires_in: 10 };

  test.each([
    ["Bearer t0ken", 'accessToken must be the token alone, without "Bearer"'],
    ["bot t0ken", 'accessToken must be the token alone, without "bot"'],
    [
      { access_token: "Bot t0ken" },
      'accessToken must be the token alone, without "Bot"',
    ],
    [botToken, 'accessToken looks like a bot token: pass tokenType: "Bot"'],
    [
      Promise.resolve(response),
      "accessToken must be text or an object like { access_token }, received a Promise: await it",
    ],
    [
      { accessToken: "t0ken" },
      "accessToken must be text or an object like { access_token }, received Object",
    ],
    [
      { access_token: response },
      "accessToken must be text or an object like { access_token }, received Object",
    ],
    [
      ["t0ken"],
      "accessToken must be text or an object like { access_token }, received a list of 1",
    ],
    [
      null,
      "accessToken is null: a Login session has a token only with keepToken or store",
    ],
    [
      undefined,
      "accessToken must be ASCII text without whitespace, received undefined; is the variable set?",
    ],
  ])("is refused with what to do: %o", (token, message) => {
    expect(() => new User(token as string)).toThrow(new TypeError(message));
  });

  test("is refused as a bot's when it comes from a login", () => {
    const token = response as unknown as TokenObj;
    expect(() => new User(token, { tokenType: "Bot" })).toThrow(
      new TypeError(
        'accessToken is a login token, not a bot token: omit tokenType: "Bot"',
      ),
    );
  });

  test.each([
    botToken,
    "t0ken",
    // As a server of another kind may give it: a JSON Web Token, and one whose first part is no base64.
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "abcde.b.c",
  ])("may be sent as what the caller says it is: %s", (token) => {
    expect(() => new User(token, { tokenType: "Bearer" })).not.toThrow();
    expect(() => new User(token, { tokenType: "Bot" })).not.toThrow();
  });

  test.each<[string, string, UserOptions, RegExp]>([
    [
      "of a bot, sent as Bearer",
      botToken,
      { tokenType: "Bearer" },
      /looks like a bot token: pass tokenType: "Bot"$/,
    ],
    [
      "sent as of a bot",
      "t0ken",
      { tokenType: "Bot" },
      /does not look like a bot token.*omit tokenType/,
    ],
    ["of a bot", botToken, { tokenType: "Bot" }, /^Check the bot token; a reset/],
    [
      "of a login",
      "t0ken",
      {},
      /not expired or been revoked, and that the login asked for the scope identify$/,
    ],
  ])("has a hint when the platform does not accept it: %s", async (_, token, options, hint) => {
    const refused = fakeFetch(
      respondWith({ message: "401: Unauthorized", code: 0 }, { status: 401 }),
    );
    const user = new User(token, { ...refused, ...options });
    expect(await thrownBy(() => user.getCurrentUser())).toMatchObject({
      httpStatus: 401,
      hint: expect.stringMatching(hint),
    });
  });

  test("has its time in the hint when it has expired", async () => {
    const refused = fakeFetch(
      respondWith({ message: "401: Unauthorized", code: 0 }, { status: 401 }),
    );
    const expires_at = Date.UTC(2026, 0, 2, 3, 4, 5);
    const token = (more: object) => ({ ...response, ...more }) as unknown as TokenObj;
    expect(await thrownBy(() => new User(token({ expires_at }), refused).getCurrentUser()))
      .toMatchObject({
        hint: expect.stringMatching(
          /^The token expired at 2026-01-02T03:04:05.000Z: refresh it, or start a new login/,
        ),
      });
    for (
      const other of [{ expires_at: Date.now() + 1e6 }, { expires_at: null }, {
        expires_at: -1e300,
      }, {}]
    ) {
      expect(await thrownBy(() => new User(token(other), refused).getCurrentUser()))
        .toMatchObject({ hint: expect.stringMatching(/^Check that the token has not expired/) });
    }
  });
});

describe("a token that is known not to have a scope", () => {
  const tokenWith = (scopes: unknown) =>
    ({ access_token: "t0ken", token_type: "Bearer", scopes }) as unknown as TokenObj;

  test("is refused before a request is sent, with what is needed and what is granted", async () => {
    const { fetch, requests } = fakeFetch(respondWith([]));
    const user = new User(tokenWith(["guilds"]), { fetch });
    const error = await thrownBy(() => user.getCurrentUser());
    expect(error).toBeInstanceOf(MissingScopeError);
    expect(error).toMatchObject({ needed: ["identify"], granted: ["guilds"] });
    expect(await thrownBy(() => new User(tokenWith(["identify"]), { fetch }).getUserGuilds()))
      .toMatchObject({ code: "missing_scope", needed: ["guilds"], granted: ["identify"] });
    expect(requests).toHaveLength(0);
    expect(await user.getUserGuilds()).toEqual([]);
  });

  test("is refused also as the response of the platform, whose scope is a text", async () => {
    const { fetch, requests } = fakeFetch(respondWith([]));
    const response = { access_token: "t0ken", token_type: "Bearer", scope: "email guilds" };
    const user = new User(response as unknown as TokenObj, { fetch });
    expect(await thrownBy(() => user.getCurrentUser()))
      .toMatchObject({ needed: ["identify"], granted: ["email", "guilds"] });
    expect(requests).toHaveLength(0);
    expect(await user.getUserGuilds()).toEqual([]);
  });

  test.each(userMethods.filter(({ scope }) => scope !== null))(
    "is refused without $scope: $name()",
    async ({ call, scope }) => {
      const { fetch, requests } = fakeFetch(respondWith({ sub: "1", roles: [] }));
      const error = await thrownBy(() => call(new User(tokenWith(["email"]), { fetch })));
      expect(error).toMatchObject({ name: "MissingScopeError", needed: [scope] });
      expect(requests).toHaveLength(0);
      await call(new User(tokenWith([scope]), { fetch })).catch(() => {});
      expect(requests).toHaveLength(1);
    },
  );

  test.each([
    ["missing", undefined],
    ["null", null],
    ["text", "identify"],
    ["an empty list", []],
  ])(
    "is sent when its scopes are not known: %s",
    async (_how, scopes) => {
      const { fetch, requests } = fakeFetch(respondWith({ id: "1", username: "ada" }));
      await new User(tokenWith(scopes), { fetch }).getCurrentUser();
      await new User("t0ken", { fetch }).getCurrentUser();
      expect(requests).toHaveLength(2);
    },
  );

  test("does not show in the list of its scopes, nor does what steers a terminal", async () => {
    const accessToken = "Zq7xW2mN8vB4kL6pR9tY3cD5";
    const scopes = ["guilds", accessToken, "a\n\u001b[31mb"];
    const user = new User({ ...tokenWith(scopes), access_token: accessToken });
    const error = await thrownBy(() => user.getCurrentUser());
    expect(error).toMatchObject({ granted: ["guilds", "[redacted]", "a [31mb"] });
    expect(leaksOf(error, [accessToken])).toEqual([]);
  });

  test("is sent when another scope contains the one that is needed", async () => {
    const fake = createFakePlatform();
    const userWith = (scopes: readonly string[]) =>
      new User(
        { ...tokenWith(scopes), access_token: fake.issueToken({ scopes }).access_token },
        fake,
      );
    const user = userWith(["openid", "sdk.social_layer"]);
    expect(await user.getCurrentUser()).toMatchObject({ username: "ada" });
    expect(await user.getUserGuilds()).toHaveLength(4);
    const player = userWith(["sdk.social_layer_presence"]);
    expect(await player.getCurrentUser()).toMatchObject({ username: "ada" });
    expect(await thrownBy(() => player.getUserGuilds())).toBeInstanceOf(MissingScopeError);
  });
});

test.each<[unknown, string]>([["90071992547", "a string of length 11"], [90071992547n, "bigint"], [
  { valueOf: () => 90071992547 },
  "object",
], [Symbol("90071992547"), "symbol"]])(
  "a limit that is not a number is not shown: %o",
  async (limit, kind) => {
    const error = await thrownBy(() => new User("t0ken").getUserGuilds({ limit: limit as never }));
    expect(String(error)).toBe(
      `RangeError: limit must be a whole number from 1 to 200, received ${kind}`,
    );
  },
);

test("User and its operations take null for whatever may be left out", async () => {
  const fake = createFakePlatform();
  const token = fake.issueToken({ scopes: ["identify", "guilds"] });
  const user = new User(token.access_token, { ...fake, tokenType: null, timeout: null });
  expect(await user.getCurrentUser(null)).toEqual(await user.getCurrentUser());
  const guilds = await user.getUserGuilds();
  expect(await user.getUserGuilds(null)).toEqual(guilds);
  const none = { before: null, after: null, limit: null, withCounts: null, signal: null };
  expect(await user.getUserGuilds(none)).toEqual(guilds);
  expect(fake.requests.map(({ query }) => query)).toEqual([{}, {}, {}, {}, {}]);
  const bot = new User(sampleApplication.botToken, { ...fake, tokenType: "Bot" });
  expect(await bot.getGuild(guildId, null, null)).toEqual(await bot.getGuild(guildId));
  expect(() => new User("t0ken", null)).not.toThrow();
});

describe("every operation of User", () => {
  test.each(userMethods)(
    "stops at its signal, and takes null for its options: $name()",
    async ({ call }) => {
      const { fetch, requests } = fakeFetch(
        respondWith({
          id: "1",
          username: "a",
          name: "a",
          sub: "1",
          roles: [],
          application: { id: "1" },
        }),
      );
      const user = new User("t0ken", { fetch, tokenType: "Bot" });
      expect(await thrownBy(() => call(user, { signal: AbortSignal.abort("enough") }))).toBe(
        "enough",
      );
      expect(requests).toHaveLength(0);
      for (const options of [null, { signal: null }]) {
        // The lists can't be read from this response.
        await call(user, options).catch((error) => expect(error).toBeInstanceOf(PayloadError));
      }
      expect(requests).toHaveLength(2);
    },
  );
});

describe("the stack of an error", () => {
  test.each([
    ["a rejection", respondWith({ message: "no" }, { status: 401 })],
    ["a failure", () => Promise.reject(new TypeError("fetch failed"))],
  ])("has the caller within ten frames after %s", async (_what, respond) => {
    const user = new User("st4ck", { ...fakeFetch(respond), tokenType: "Bot" });
    const calls = {
      getCurrentUser: () => user.getCurrentUser(),
      withSignal: () => user.getCurrentUser({ signal: new AbortController().signal }),
      leaveGuild: () => user.leaveGuild("1"),
      request: () => user.request("GET", "/it"),
    };
    for (const [name, call] of Object.entries(calls)) {
      const { stack } = await thrownBy(async () => await call()) as Error;
      expect(stack?.split("\n", 11).join("\n"), name).toContain("user.test.ts");
      expect(stack).not.toContain("st4ck");
    }
  });

  test("has a caller, when two share a read", async () => {
    const user = new User("t0ken", fakeFetch(respondWith({ message: "no" }, { status: 404 })));
    const first = async () => await user.getCurrentUser();
    const second = async () => await user.getCurrentUser();
    for (const error of await Promise.all([thrownBy(first), thrownBy(second)])) {
      expect((error as Error).stack).toContain("user.test.ts");
    }
  });
});
