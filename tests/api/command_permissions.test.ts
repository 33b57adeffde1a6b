import { describe, expect, test } from "vitest";
import { ApiError, type CommandPermissionParams, User } from "../../mod.ts";
import { createFakePlatform, sampleApplication, sampleGuilds } from "../../src/testing/mod.ts";
import { thrownBy } from "../support/responders.ts";

const applicationId = sampleApplication.id;
const [{ id: guildId }] = sampleGuilds;

async function logIn(as = "ada") {
  const fake = createFakePlatform();
  const bot = new User(sampleApplication.botToken, { ...fake, tokenType: "Bot" });
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
    const { fake, bot, user, commandId } = await logIn();
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
    const { bot, commandId } = await logIn();
    const { user: grace, commandId: other } = await logIn("grace");
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
      "TypeError: permissions[1].id must be digits, received 9 characters",
    ],
    [
      [{ id: "1", type: "member", permission: true }],
      "TypeError: permissions[0].type must be role, user, channel or a number from 1 to 3, received 6 characters",
    ],
    [
      [{ id: "1", type: 4, permission: true }],
      "TypeError: permissions[0].type must be role, user, channel or a number from 1 to 3, received number",
    ],
    [
      [{ id: "1", type: 1, permission: "true" }],
      "TypeError: permissions[0].permission must be true or false, received 4 characters",
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
    const { fake, user, commandId } = await logIn();
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
    const { user } = await logIn();
    for (
      const [guild, command, code] of [[guildId, "5", 10063], ["5", applicationId, 10004]] as const
    ) {
      const error = await thrownBy(() => user.getCommandPermissions(applicationId, guild, command));
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ httpStatus: 404, platformCode: code });
    }
    expect(String(await thrownBy(() => user.getCommandPermissions(applicationId, guildId, "a"))))
      .toBe("TypeError: commandId must be digits, received 1 characters");
  });
});
