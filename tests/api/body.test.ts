import { describe, expect, test } from "vitest";
import {
  ApiError,
  type CommandPermissionParams,
  MissingScopeError,
  type NewMemberParams,
  type RoleConnectionMetadataParams,
  type RoleConnectionParams,
  type TokenObj,
  User,
} from "../../mod.ts";
import { createFakePlatform, sampleApplication, sampleGuilds } from "../../src/testing/mod.ts";
import { fakeFetch, respondWith, thrownBy } from "../support/responders.ts";
import { metadataRecordsBody, newMemberBody } from "../../src/api/body.ts";
import { leaksOf } from "../support/leaks.ts";
import fc from "fast-check";

const { id: applicationId, botToken } = sampleApplication;
const [{ id: guildId }] = sampleGuilds;

/** A person who may change the permissions of a command of the sample application. */
async function withCommand(as = "ada") {
  const fake = createFakePlatform();
  const bot = new User(botToken, { ...fake, tokenType: "Bot" });
  const { id: commandId } = await bot.request<{ id: string }>(
    "POST",
    "/applications/{applicationId}/commands",
    { path: { applicationId }, json: { name: "ping", description: "Says pong" } },
  );
  const scopes = ["applications.commands.permissions.update"];
  const user = new User(fake.issueToken({ as, scopes }).access_token, fake);
  return { fake, bot, user, commandId };
}

describe("User.setCommandPermissions()", () => {
  test("replaces the permissions, which getCommandPermissions() then reads", async () => {
    const { fake, bot, user, commandId } = await withCommand();
    expect(await user.getCommandPermissions(applicationId, guildId, commandId)).toBeNull();
    const permissions: CommandPermissionParams[] = [
      { id: guildId, type: "role", permission: false },
      { id: "1000000000000000002", type: "user", permission: true },
      { id: "1200000000000000101", type: "channel", permission: true },
      { id: "1300000000000000001", type: 1, permission: true },
    ];
    const set = await user.setCommandPermissions(applicationId, guildId, commandId, permissions);
    expect(set).toEqual({
      id: commandId,
      application_id: applicationId,
      guild_id: guildId,
      permissions: [
        { id: guildId, type: 1, permission: false },
        { id: "1000000000000000002", type: 2, permission: true },
        { id: "1200000000000000101", type: 3, permission: true },
        { id: "1300000000000000001", type: 1, permission: true },
      ],
    });
    expect(fake.requests.at(-1)).toMatchObject({
      method: "PUT",
      path:
        `/api/v10/applications/${applicationId}/guilds/${guildId}/commands/${commandId}/permissions`,
      body: { permissions: set.permissions },
    });
    for (const reader of [user, bot]) {
      expect(await reader.getCommandPermissions(applicationId, guildId, commandId)).toEqual(set);
    }
    // What was read fits as an argument.
    expect(await user.setCommandPermissions(applicationId, guildId, commandId, set.permissions))
      .toEqual(set);
  });

  test("has a hint for a bot and for a person without the permissions", async () => {
    const { bot, commandId } = await withCommand();
    const { user: grace, commandId: other } = await withCommand("grace");
    for (const [caller, id] of [[bot, commandId], [grace, other]] as const) {
      const call = () => caller.setCommandPermissions(applicationId, guildId, id, []);
      expect(await thrownBy(call)).toMatchObject({
        httpStatus: 403,
        hint: expect.stringContaining("manage_guild and manage_roles"),
      });
    }
  });

  test.each<[unknown, string]>([
    [null, "TypeError: permissions must be a list, received null"],
    [[null], "TypeError: permissions[0] must be an object, received null"],
    [
      [{ id: "1", type: 1, permission: true }, { id: "@everyone", type: 1, permission: true }],
      "TypeError: permissions[1].id must be digits in a string, received a string of length 9",
    ],
    [
      [{ id: "1", type: "member", permission: true }],
      "TypeError: permissions[0].type must be role, user, channel or a number from 1 to 3, received a string of length 6",
    ],
    [
      [{ id: "1", type: 4, permission: true }],
      "TypeError: permissions[0].type must be role, user, channel or a number from 1 to 3, received number",
    ],
    [
      [{ id: "1", type: 1, permission: "true" }],
      "TypeError: permissions[0].permission must be true or false, received a string of length 4",
    ],
    [
      [{ id: "1", type: 1, permisson: true }],
      "TypeError: permissions[0].permisson is unknown: did you mean permission?",
    ],
    [
      Array(101).fill({ id: "1", type: 1, permission: true }),
      "RangeError: permissions must have at most 100 entries, received 101",
    ],
  ])("throws about %j", async (permissions, message) => {
    const { fake, user, commandId } = await withCommand();
    const { length } = fake.requests;
    const call = () =>
      user.setCommandPermissions(
        applicationId,
        guildId,
        commandId,
        permissions as CommandPermissionParams[],
      );
    expect(String(await thrownBy(call))).toBe(message);
    expect(fake.requests).toHaveLength(length);
  });
});

describe("User.getCommandPermissions()", () => {
  test("rejects with an ApiError about an unknown command or guild", async () => {
    const { user } = await withCommand();
    for (
      const [guild, command, code] of [[guildId, "5", 10063], ["5", applicationId, 10004]] as const
    ) {
      const error = await thrownBy(() => user.getCommandPermissions(applicationId, guild, command));
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ httpStatus: 404, platformCode: code });
    }
    expect(String(await thrownBy(() => user.getCommandPermissions(applicationId, guildId, "a"))))
      .toBe("TypeError: commandId must be digits in a string, received a string of length 1");
  });
});

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
      message: "addGuildMember() needs the scope guilds.join, but the token has identify",
    });
    expect(fake.requests).toHaveLength(0);
  });

  test("says what to check when the platform refuses", async () => {
    const { fake, bot, access_token } = invite();
    const hint = expect.stringMatching(
      /^The user may be banned. If not, check that the bot is in the guild with create_instant_invite/,
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
      .toMatchObject({ httpStatus: 401, hint: expect.stringContaining("look like a bot token") });
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
        .toBe(
          'TypeError: addGuildMember() needs a bot token: new User(botToken, { tokenType: "Bot" })',
        );
    }
    expect(requests).toHaveLength(0);
  });

  test.each<[string, unknown, string]>([
    [
      "nobody",
      undefined,
      "TypeError: member must be an object like { access_token }, received undefined",
    ],
    [
      "a token alone",
      "t0ken",
      "TypeError: member must be an object like { access_token }, received a string of length 5",
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
      "TypeError: access_token must be ASCII text without whitespace, received undefined",
    ],
    [
      "a token that is an object",
      { access_token: {} },
      "TypeError: access_token must be text or an object like { access_token }, received Object",
    ],
    [
      "a token with its type",
      { access_token: "Bearer t0ken" },
      'TypeError: access_token must be the token alone, without "Bearer"',
    ],
    [
      "a bot's token",
      { access_token: "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs" },
      "TypeError: access_token looks like a bot token: pass the token of the user to add",
    ],
    ["a nick that is a number", { nick: 1 }, "TypeError: nick must be a string, received number"],
    [
      "a long nick",
      { nick: "🧶".repeat(33) },
      "RangeError: nick must have at most 32 characters, received 33",
    ],
    [
      "a role alone",
      { roles: "77" },
      "TypeError: roles must be a list, received a string of length 2",
    ],
    [
      "a role that is a number",
      { roles: ["77", 78] },
      "TypeError: roles[1] must be digits in a string, received number",
    ],
    [
      "many roles",
      { roles: Array(251).fill("77") },
      "RangeError: roles must have at most 250 entries, received 251",
    ],
    [
      "a word for mute",
      { mute: "true" },
      "TypeError: mute must be true or false, received a string of length 4",
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

const path = `/api/v10/users/@me/applications/${applicationId}/role-connection`;

/** A person with the data of the sample application. */
function logIn() {
  const fake = createFakePlatform();
  const { access_token } = fake.issueToken({ scopes: ["role_connections.write"] });
  return { fake, user: new User(access_token, fake) };
}

/** The body that is sent for a connection. */
async function bodyOf(connection: RoleConnectionParams): Promise<unknown> {
  const { fake, user } = logIn();
  await user.setRoleConnection(applicationId, connection);
  return fake.requests[0]?.body;
}

/** The error about a connection, thrown before a request is sent. */
async function errorAbout(connection: unknown): Promise<unknown> {
  const { fake, user } = logIn();
  const error = await thrownBy(() =>
    user.setRoleConnection(applicationId, connection as RoleConnectionParams)
  );
  expect(fake.requests).toHaveLength(0);
  return error;
}

describe("a role connection", () => {
  test("is set, read and deleted", async () => {
    const { fake, user } = logIn();
    const nothing = { platform_name: null, platform_username: null, metadata: {} };
    expect(await user.getRoleConnection(applicationId)).toEqual(nothing);
    const set = await user.setRoleConnection(applicationId, {
      platform_name: "Looms",
      platform_username: "ada",
      metadata: { cards_punched: 1843 },
    });
    const expected = {
      platform_name: "Looms",
      platform_username: "ada",
      metadata: { cards_punched: "1843" },
    };
    expect(set).toEqual(expected);
    expect(await user.getRoleConnection(applicationId)).toEqual(expected);
    expect(await user.deleteRoleConnection(applicationId)).toBeUndefined();
    expect(await user.getRoleConnection(applicationId)).toEqual(nothing);
    expect(fake.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["GET", path, null],
      ["PUT", path, expected],
      ["GET", path, null],
      ["DELETE", path, null],
      ["GET", path, null],
    ]);
  });

  test("that was read can be changed and written back", async () => {
    const { fake, user } = logIn();
    await user.setRoleConnection(applicationId, await user.getRoleConnection(applicationId));
    const names = { platform_name: "Looms", platform_username: "ada" };
    await user.setRoleConnection(applicationId, { ...names, metadata: { cards_punched: 1843 } });
    const read = await user.getRoleConnection(applicationId);
    await user.setRoleConnection(applicationId, { ...read, metadata: { cards_punched: 1844 } });
    expect(fake.requests.at(-1)?.body).toEqual({ ...names, metadata: { cards_punched: "1844" } });
  });

  test("is sent without the fields that were left out", async () => {
    const nothing = { platform_name: null, platform_username: undefined, metadata: null };
    for (const connection of [{}, nothing]) expect(await bodyOf(connection)).toEqual({});
    expect(await bodyOf({ metadata: { level: null, name: undefined } })).toEqual({ metadata: {} });
    expect(await bodyOf({ platform_name: "" })).toEqual({ platform_name: "" });
  });

  test("is sent once, even when the platform is in trouble", async () => {
    const { fake, user } = logIn();
    fake.failNext({ status: 503, times: 9 });
    await thrownBy(() => user.setRoleConnection(applicationId, {}));
    await thrownBy(() => user.deleteRoleConnection(applicationId));
    expect(fake.requests.map(({ method }) => method)).toEqual(["PUT", "DELETE"]);
  });

  test("of another application is refused, with what to check", async () => {
    const { user } = logIn();
    const calls = [
      () => user.getRoleConnection("1"),
      () => user.setRoleConnection("1", {}),
      () => user.deleteRoleConnection("1"),
    ];
    for (const call of calls) {
      expect(await thrownBy(call)).toMatchObject({
        name: "ApiError",
        httpStatus: 403,
        hint: "Check that the token was issued to applicationId",
      });
    }
  });

  test.each([undefined, null, "", "@me", "1/../..", 1])(
    "needs an id of an application: %j",
    async (id) => {
      const { fake, user } = logIn();
      const calls = [
        () => user.getRoleConnection(id as string),
        () => user.setRoleConnection(id as string, {}),
        () => user.deleteRoleConnection(id as string),
      ];
      for (const call of calls) {
        expect(String(await thrownBy(call)))
          .toMatch(/^TypeError: applicationId must be digits/);
      }
      expect(fake.requests).toHaveLength(0);
    },
  );

  test("that is deleted needs no body in the response, and may have one", async () => {
    for (const response of [respondWith("", { status: 200 }), respondWith({}, { status: 200 })]) {
      const user = new User("t0ken", fakeFetch(response));
      expect(await user.deleteRoleConnection(applicationId)).toBeUndefined();
    }
  });
});

describe("a value of a role connection becomes text:", () => {
  test.each<[string, number | boolean | string | Date, string]>([
    ["a number", 1843, "1843"],
    ["nothing", 0, "0"],
    ["a debt", -12, "-12"],
    ["yes", true, "1"],
    ["no", false, "0"],
    ["a date", new Date(Date.UTC(2024, 4, 1)), "2024-05-01T00:00:00.000Z"],
    ["text", "2024-05-01", "2024-05-01"],
    ["a hundred characters", "🧶".repeat(100), "🧶".repeat(100)],
  ])("%s", async (_what, value, text) => {
    expect(await bodyOf({ metadata: { key: value } })).toEqual({ metadata: { key: text } });
  });

  test("any whole number, date and short text is read back as what it was", async () => {
    const value = fc.oneof(
      fc.maxSafeInteger(),
      fc.boolean(),
      fc.date({ noInvalidDate: true }),
      fc.string({ minLength: 1, maxLength: 100, unit: "grapheme-ascii" }),
    );
    const key = fc.stringMatching(/^[a-z0-9_]{1,50}$/);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(key, value, { maxKeys: 5 }), async (metadata) => {
        const { user } = logIn();
        await user.setRoleConnection(applicationId, { metadata });
        const read = (await user.getRoleConnection(applicationId)).metadata ?? {};
        for (const [key, value] of Object.entries(metadata)) {
          const text = String(read[key]);
          if (typeof value === "number") expect(Number(text)).toBe(value + 0);
          else if (typeof value === "boolean") expect(text === "1").toBe(value);
          else if (typeof value === "string") expect(text).toBe(value);
          else expect(new Date(text)).toEqual(value);
        }
        expect(Object.keys(read)).toHaveLength(Object.keys(metadata).length);
      }),
      { examples: [[{ constructor: 1, tostring: true, __proto__x: "x" }]] },
    );
  });
});

describe("a wrong role connection is refused before it is sent:", () => {
  test.each<[string, unknown, string]>([
    ["none", undefined, "connection must be an object, received undefined"],
    ["nothing", null, "connection must be an object, received null"],
    ["text", "Looms", "connection must be an object, received a string of length 5"],
    ["a list", [], "connection must be an object, received an empty list"],
    [
      "a name of an older version",
      { platformName: "Looms" },
      "connection.platformName is unknown: did you mean platform_name?",
    ],
    [
      "a misspelled name",
      { platfrom_username: "ada" },
      "connection.platfrom_username is unknown: did you mean platform_username?",
    ],
    [
      "a name of another object",
      { application_metadata: [] },
      "connection.application_metadata is unknown: known names: platform_name, platform_username, metadata",
    ],
    [
      "a name that is a number",
      { platform_name: 1 },
      "platform_name must be a string, received number",
    ],
    [
      "a user name that is an object",
      { platform_username: {} },
      "platform_username must be a string, received object",
    ],
    ["a list of metadata", { metadata: [] }, "metadata must be an object, received an empty list"],
    [
      "metadata as text",
      { metadata: "level" },
      "metadata must be an object, received a string of length 5",
    ],
    [
      "a value of another kind",
      { metadata: { level: { value: 1 } } },
      "metadata.level must be a whole number, a boolean, a Date or a string, received object",
    ],
    [
      "a bigint",
      { metadata: { level: 1n } },
      "metadata.level must be a whole number, a boolean, a Date or a string, received bigint",
    ],
    ...["", "Level", "lev el", "a-b", "é", "a".repeat(51)].map((
      key,
    ): [string, unknown, string] => [
      `a key of other characters, or too many: ${key}`,
      { metadata: { [key]: 1 } },
      "a key of metadata must be 1 to 50 characters from a-z, 0-9 and _, received",
    ]),
  ])("%s", async (_what, connection, message) => {
    const error = await errorAbout(connection);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(`TypeError: ${message}`);
  });

  test.each<[string, unknown, string]>([
    [
      "a long name",
      { platform_name: "x".repeat(51) },
      "platform_name must have at most 50 characters, received 51",
    ],
    [
      "a long user name",
      { platform_username: "🧶".repeat(101) },
      "platform_username must have at most 100 characters, received 101",
    ],
    [
      "a long text",
      { metadata: { motto: "x".repeat(101) } },
      "metadata.motto must have 1 to 100 characters, received 101",
    ],
    [
      "an empty text",
      { metadata: { motto: "" } },
      "metadata.motto must have 1 to 100 characters, received 0",
    ],
    [
      "six values",
      { metadata: { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: null } },
      "metadata must have at most 5 values, received 6",
    ],
    ["a part", { metadata: { level: 1.5 } }, "metadata.level must be a whole number, received 1.5"],
    [
      "no number",
      { metadata: { level: NaN } },
      "metadata.level must be a whole number, received NaN",
    ],
    [
      "a number that has lost digits",
      { metadata: { level: 2 ** 53 } },
      "metadata.level must be a whole number, received 9007199254740992",
    ],
    [
      "no date",
      { metadata: { since: new Date("soon") } },
      "metadata.since must be a valid date, received Invalid Date",
    ],
  ])("%s", async (_what, connection, message) => {
    const error = await errorAbout(connection);
    expect(error).toBeInstanceOf(RangeError);
    expect(String(error)).toBe(`RangeError: ${message}`);
  });

  test("and no text is shown", async () => {
    const text = "Zq7xW2mN8vB4kL6pR9tY3cD5".repeat(5);
    const wrong = [
      text,
      { platform_name: text },
      { platform_username: text },
      { metadata: text },
      { metadata: { [text]: 1 } },
      { [text]: 1 },
      { metadata: { level: text } },
      { metadata: { level: [text] } },
    ];
    for (const connection of wrong) {
      expect(leaksOf(await errorAbout(connection), [text.slice(0, 24)])).toEqual([]);
    }
  });
});

const level = {
  type: "integer_greater_than_or_equal",
  key: "level",
  name: "Level",
  description: "How far they have come",
} as const;

/** The sample application's bot. */
function asBot() {
  const fake = createFakePlatform();
  return { fake, bot: new User(botToken, { ...fake, tokenType: "Bot" }) };
}

describe("the records of an application", () => {
  test("are set, and returned as the platform has them", async () => {
    const { fake, bot } = asBot();
    const records = await bot.setRoleConnectionMetadata(applicationId, [
      level,
      {
        ...level,
        type: 6,
        key: "since",
        name_localizations: { de: "Seit" },
        description_localizations: { "de": "Wie lange" },
      },
    ]);
    const sent = [
      { ...level, type: 2 },
      {
        ...level,
        type: 6,
        key: "since",
        name_localizations: { de: "Seit" },
        description_localizations: { de: "Wie lange" },
      },
    ];
    const noTexts = { name_localizations: null, description_localizations: null };
    expect(records).toEqual([{ ...sent[0], ...noTexts }, sent[1]]);
    expect(fake.requests).toMatchObject([{
      method: "PUT",
      path: `/api/v10/applications/${applicationId}/role-connections/metadata`,
      headers: { authorization: `Bot ${botToken}` },
      body: sent,
    }]);
    expect(await bot.getRoleConnectionMetadata(applicationId)).toEqual(records);
    // What was read fits as an argument.
    const read = records as RoleConnectionMetadataParams[];
    expect(await bot.setRoleConnectionMetadata(applicationId, read)).toEqual(records);
    expect(await bot.setRoleConnectionMetadata(applicationId, [])).toEqual([]);
    expect(await bot.getRoleConnectionMetadata(applicationId)).toEqual([]);
    const without = { ...level, name_localizations: null, description_localizations: undefined };
    expect(await bot.setRoleConnectionMetadata(applicationId, [without])).toHaveLength(1);
  });

  test.each(
    [
      ["integer_less_than_or_equal", 1],
      ["integer_greater_than_or_equal", 2],
      ["integer_equal", 3],
      ["integer_not_equal", 4],
      ["datetime_less_than_or_equal", 5],
      ["datetime_greater_than_or_equal", 6],
      ["boolean_equal", 7],
      ["boolean_not_equal", 8],
    ] as const,
  )("have %s for the type %i", async (type, number) => {
    for (const given of [type, number]) {
      const { bot } = asBot();
      const [record] = await bot.setRoleConnectionMetadata(applicationId, [{
        ...level,
        type: given,
      }]);
      expect(record?.type).toBe(number);
    }
  });

  test("do not change when their texts change while the request waits", () => {
    const texts = { de: "Stufe" };
    const [body] = metadataRecordsBody([{
      ...level,
      name_localizations: texts,
      description_localizations: texts,
    }]);
    texts.de = "Ebene";
    const sent = { de: "Stufe" };
    expect(body).toMatchObject({ name_localizations: sent, description_localizations: sent });
  });

  test("of another application are refused, with what to check", async () => {
    const { bot } = asBot();
    expect(await thrownBy(() => bot.setRoleConnectionMetadata("1", [level]))).toMatchObject({
      name: "ApiError",
      httpStatus: 403,
      hint: "Check that applicationId is the id of the bot's own application",
    });
  });

  test("need a bot, and the id of an application", async () => {
    const { fake, user } = logIn();
    expect(String(await thrownBy(() => user.setRoleConnectionMetadata(applicationId, [level]))))
      .toBe(
        'TypeError: setRoleConnectionMetadata() needs a bot token: new User(botToken, { tokenType: "Bot" })',
      );
    expect(fake.requests).toHaveLength(0);
    const { bot } = asBot();
    expect(String(await thrownBy(() => bot.setRoleConnectionMetadata("@me", [level]))))
      .toContain("applicationId must be digits");
  });

  test.each<[string, unknown, string]>([
    ["none", undefined, "TypeError: records must be a list, received undefined"],
    ["an object", { 0: level }, "TypeError: records must be a list, received Object"],
    ["text", "level", "TypeError: records must be a list, received a string of length 5"],
    ["six", Array(6).fill(level), "RangeError: records must have at most 5 entries, received 6"],
    [
      "a text among them",
      [level, "x"],
      "TypeError: records[1] must be an object, received a string of length 1",
    ],
    [
      "an unknown type",
      [{ ...level, type: "equal" }],
      "TypeError: records[0].type must be a number from 1 to 8, or integer_less_than_or_equal, " +
      "integer_greater_than_or_equal, integer_equal, integer_not_equal, datetime_less_than_or_equal, " +
      "datetime_greater_than_or_equal, boolean_equal, boolean_not_equal, received a string of length 5",
    ],
    ...[["boolean_equal"], Object.create(null)].map((type): [string, unknown, string] => [
      "an object as the type",
      [{ ...level, type }],
      "TypeError: records[0].type must be a number from 1 to 8, or",
    ]),
    ...[0, 9, 1.5, NaN, "2"].map((type): [string, unknown, string] => [
      `a wrong number: ${type}`,
      [{ ...level, type }],
      "TypeError: records[0].type must be a number from 1 to 8, or",
    ]),
    [
      "no type",
      [{ ...level, type: undefined }],
      "TypeError: records[0].type must be a number from 1 to 8, or",
    ],
    [
      "a wrong key",
      [{ ...level, key: "Level" }],
      "TypeError: records[0].key must be 1 to 50 characters from a-z, 0-9 and _, received a string of length 5",
    ],
    ["no key", [{ ...level, key: 1 }], "TypeError: records[0].key must be 1 to 50 characters"],
    [
      "an empty name",
      [level, { ...level, name: "" }],
      "RangeError: records[1].name must have 1 to 100 characters, received 0",
    ],
    [
      "a long name",
      [{ ...level, name: "x".repeat(101) }],
      "RangeError: records[0].name must have 1 to 100 characters, received 101",
    ],
    [
      "a long description",
      [{ ...level, description: "x".repeat(201) }],
      "RangeError: records[0].description must have 1 to 200 characters, received 201",
    ],
    [
      "no description",
      [{ ...level, description: null }],
      "TypeError: records[0].description must be a string, received null",
    ],
    [
      "a name of an older version",
      [level, { ...level, nameLocalizations: {} }],
      "TypeError: records[1].nameLocalizations is unknown: did you mean name_localizations?",
    ],
    [
      "a list of translations",
      [{ ...level, name_localizations: ["Stufe"] }],
      "TypeError: records[0].name_localizations must be an object, received a list of 1",
    ],
    [
      "a long translation",
      [{ ...level, name_localizations: { de: "x".repeat(101) } }],
      "RangeError: a value of records[0].name_localizations must have 1 to 100 characters, received 101",
    ],
    [
      "an empty translation",
      [{ ...level, description_localizations: { de: "" } }],
      "RangeError: a value of records[0].description_localizations must have 1 to 200 characters, " +
      "received 0",
    ],
  ])("are refused before they are sent: %s", async (_what, records, message) => {
    const { fake, bot } = asBot();
    const call = () =>
      bot.setRoleConnectionMetadata(applicationId, records as RoleConnectionMetadataParams[]);
    expect(String(await thrownBy(call))).toContain(message);
    expect(fake.requests).toHaveLength(0);
  });
});
