import { describe, expect, test } from "vitest";
import { MissingScopeError, type NewMemberParams, type TokenObj, User } from "../../mod.ts";
import { newMemberBody } from "../../src/api/new_member.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { fakeFetch, respondWith, thrownBy } from "../support/responders.ts";
import { leaksOf } from "../support/leaks.ts";

const { id: applicationId, botToken } = sampleApplication;
const grace = "1000000000000000002";

/** A bot that may invite people to a guild, and the token of a person. */
function invite() {
  const fake = createFakePlatform({
    guilds: [{ id: "7", name: "Looms", bots: { [applicationId]: "8" } }],
  });
  const { access_token } = fake.issueToken({ as: "grace", scopes: ["guilds.join"] });
  return { fake, bot: new User(botToken, { ...fake, tokenType: "Bot" }), access_token };
}

const tokenWith = (more: object): TokenObj<"guilds.join"> =>
  ({ access_token: "t0ken", token_type: "Bearer", ...more }) as unknown as TokenObj;

describe("User.addGuildMember()", () => {
  test("adds a person with all fields", async () => {
    const { fake, bot, access_token } = invite();
    const more = { nick: "Amazing Grace", roles: ["77", "78"], mute: true, deaf: false };
    const member = await bot.addGuildMember("7", grace, { access_token, ...more });
    expect(member).toMatchObject({ ...more, user: { id: grace, username: "grace" } });
    expect(fake.requests).toMatchObject([{
      method: "PUT",
      path: `/api/v10/guilds/7/members/${grace}`,
      headers: { authorization: `Bot ${botToken}` },
    }]);
    expect(fake.requests[0]?.body).toEqual({ access_token, ...more });
  });

  test("returns null when that person is a member already", async () => {
    const { bot, access_token } = invite();
    expect(await bot.addGuildMember("7", grace, { access_token })).not.toBeNull();
    expect(await bot.addGuildMember("7", grace, { access_token, nick: "G" })).toBeNull();
  });

  test("leaves out the fields that were left out", async () => {
    const { fake, bot, access_token } = invite();
    const nothing = { nick: null, roles: null, mute: null, deaf: undefined };
    await bot.addGuildMember("7", grace, { access_token, ...nothing });
    await bot.addGuildMember("7", grace, { access_token, nick: "", roles: [], mute: false });
    expect(fake.requests.map(({ body }) => body)).toEqual([
      { access_token },
      { access_token, nick: "", roles: [], mute: false },
    ]);
  });

  test("sends the roles of the call, even if the list changes while the request waits", () => {
    const roles = ["77"];
    const body = newMemberBody({ access_token: "t0ken", roles });
    roles.push("78");
    expect(body.roles).toEqual(["77"]);
  });

  test("accepts a whole TokenObj", async () => {
    const { fake, bot, access_token } = invite();
    const token = tokenWith({ access_token, scopes: ["identify", "guilds.join"] });
    expect(await bot.addGuildMember("7", grace, { access_token: token })).not.toBeNull();
    expect(fake.requests).toMatchObject([{ body: { access_token } }]);
  });

  test("refuses a token that is known not to have the scope, before a request is sent", async () => {
    const { fake, bot } = invite();
    const access_token = tokenWith({ scopes: ["identify"] });
    const error = await thrownBy(() => bot.addGuildMember("7", grace, { access_token }));
    expect(error).toBeInstanceOf(MissingScopeError);
    expect(error).toMatchObject({
      message: "addGuildMember() needs the scope guilds.join, and the token has identify",
    });
    expect(fake.requests).toHaveLength(0);
  });

  test("says what to check when the platform refuses", async () => {
    const { fake, bot, access_token } = invite();
    const hint = expect.stringMatching(
      /^The person may be banned from the guild. If not, check that the bot is in the guild with the permission/,
    );
    expect(await thrownBy(() => bot.addGuildMember("7", "1", { access_token })))
      .toMatchObject({ name: "ApiError", httpStatus: 403, platformCode: 50025, hint });
    expect(await thrownBy(() => bot.addGuildMember("8", grace, { access_token })))
      .toMatchObject({ name: "ApiError", httpStatus: 404, platformCode: 10004, hint });
    const other = fake.issueToken({ as: "grace", scopes: ["guilds"] }).access_token;
    expect(await thrownBy(() => bot.addGuildMember("7", grace, { access_token: other })))
      .toMatchObject({ httpStatus: 403, platformCode: 50026, hint });
    const stranger = new User("b0t", { ...fake, tokenType: "Bot" });
    expect(await thrownBy(() => stranger.addGuildMember("7", grace, { access_token })))
      .toMatchObject({ httpStatus: 401, hint: expect.stringContaining("form of a bot token") });
  });

  test("does not end the bot's token with a 401, which may be about the person's", async () => {
    const { fake, bot, access_token } = invite();
    fake.failNext({ status: 401, body: { message: "Invalid OAuth2 access token", code: 50025 } });
    expect(await thrownBy(() => bot.addGuildMember("7", grace, { access_token })))
      .toMatchObject({ httpStatus: 401 });
    expect(await bot.addGuildMember("7", grace, { access_token })).not.toBeNull();
  });

  test("is sent once, even when the platform is in trouble", async () => {
    const { fake, bot, access_token } = invite();
    fake.failNext({ status: 503, times: 9 });
    await thrownBy(() => bot.addGuildMember("7", grace, { access_token }));
    expect(fake.requests).toHaveLength(1);
  });

  test("reports the repairs of its response with its method and path", async () => {
    const reports: unknown[] = [];
    const bot = new User(botToken, {
      ...fakeFetch(respondWith({ roles: [1] }, { status: 201 })),
      tokenType: "Bot",
      onUnexpected: (...report) => reports.push(report),
    });
    expect(await bot.addGuildMember("7", "8", { access_token: "t0ken" }))
      .toMatchObject({ roles: [] });
    expect(reports).toEqual([[
      [{ path: "roles.0", message: "expected a snowflake, received number" }],
      { method: "PUT", path: "/guilds/7/members/8" },
    ]]);
  });

  test("needs a bot", async () => {
    const { fetch, requests } = fakeFetch(respondWith({}));
    const calls = [
      () => new User("t0ken", { fetch }).addGuildMember("7", "8", { access_token: "t0ken" }),
      () => new User(tokenWith({}), { fetch }).addGuildMember("7", "8", { access_token: "t0ken" }),
    ];
    for (const call of calls) {
      expect(String(await thrownBy(call)))
        .toBe('TypeError: addGuildMember() needs a bot: new User(botToken, { tokenType: "Bot" })');
    }
    expect(requests).toHaveLength(0);
  });

  test.each<[string, unknown, string]>([
    [
      "nobody",
      undefined,
      "TypeError: member must be an object, as in { access_token }, received undefined",
    ],
    [
      "a token alone",
      "t0ken",
      "TypeError: member must be an object, as in { access_token }, received 5 characters",
    ],
    [
      "a name of an older version",
      { accessToken: "t0ken" },
      "TypeError: member.accessToken is unknown: did you mean access_token?",
    ],
    [
      "a misspelled name",
      { access_token: "t0ken", role: ["77"] },
      "TypeError: member.role is unknown: did you mean roles?",
    ],
    [
      "no token",
      {},
      "TypeError: access_token must be ASCII text without white space, received undefined",
    ],
    [
      "a token that is an object",
      { access_token: {} },
      "TypeError: access_token must be ASCII text without",
    ],
    [
      "a token with its type",
      { access_token: "Bearer t0ken" },
      "TypeError: access_token must be the token alone: leave out the first word, Bearer",
    ],
    [
      "a bot's token",
      { access_token: "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs" },
      "TypeError: access_token has the form of a bot token: pass the token of the person who is to join",
    ],
    ["a nick that is a number", { nick: 1 }, "TypeError: nick must be text, received number"],
    [
      "a long nick",
      { nick: "🧶".repeat(33) },
      "RangeError: nick must have at most 32 characters, received 33",
    ],
    ["a role alone", { roles: "77" }, "TypeError: roles must be a list, received 2 characters"],
    [
      "a role that is a number",
      { roles: ["77", 78] },
      "TypeError: roles[1] must be digits in quotes, received number",
    ],
    [
      "many roles",
      { roles: Array(251).fill("77") },
      "RangeError: roles must have at most 250 entries, received 251",
    ],
    [
      "a word for mute",
      { mute: "true" },
      "TypeError: mute must be true or false, received 4 characters",
    ],
    ["a number for deaf", { deaf: 0 }, "TypeError: deaf must be true or false, received number"],
  ])("refuses %s before a request is sent", async (_what, given, message) => {
    const { fake, bot, access_token } = invite();
    const isWhole = typeof given === "object" && !("access_token" in Object(given));
    const needsToken = isWhole && Object.keys(Object(given)).length > 0;
    const member = (needsToken ? { access_token, ...Object(given) } : given) as NewMemberParams;
    const error = await thrownBy(() => bot.addGuildMember("7", grace, member));
    expect(String(error)).toContain(message);
    expect(leaksOf(error, [access_token, botToken])).toEqual([]);
    expect(fake.requests).toHaveLength(0);
  });

  test.each([undefined, "", "@me", "7/../8", 7])(
    "refuses a wrong id, and sends nothing: %j",
    async (id) => {
      const { fake, bot, access_token } = invite();
      expect(String(await thrownBy(() => bot.addGuildMember(id as string, "8", { access_token }))))
        .toMatch(/^TypeError: guildId must be digits/);
      expect(String(await thrownBy(() => bot.addGuildMember("7", id as string, { access_token }))))
        .toMatch(/^TypeError: userId must be digits/);
      expect(fake.requests).toHaveLength(0);
    },
  );
});
