import { describe, expect, test } from "vitest";
import * as documented from "../support/documented.ts";
import {
  readAuthorization,
  readEntitlements,
  readGuild,
  readGuilds,
  readMember,
  readToken,
  readUser,
  unfrozenPartsOf,
} from "../support/models.ts";

/** All responses in the platform's documentation, with the contents of a guild and a token. */
const guild = {
  ...documented.exampleGuild,
  roles: [documented.exampleRole],
  emojis: documented.exampleEmojis,
  stickers: [documented.exampleSticker],
  welcome_screen: documented.exampleWelcomeScreen,
  incidents_data: documented.exampleIncidentsData,
};

describe("an example response of the platform's documentation is read without a report", () => {
  test.each<[string, unknown, (payload: unknown) => Promise<{ model: unknown; issues: unknown }>]>([
    ["a user", documented.exampleUser, readUser],
    ["a list of guilds", [documented.exampleListEntry], readGuilds],
    ["a guild", documented.exampleGuild, readGuild],
    ["the response to the request for a guild", documented.exampleGuildResponse, readGuild],
    ["a guild with all that it may hold", guild, readGuild],
    ["what a token was given for", documented.exampleAuthorization, readAuthorization],
    [
      "what a token of the documented application was given for",
      { ...documented.exampleAuthorization, application: documented.exampleApplication },
      readAuthorization,
    ],
    ["a member", { ...documented.exampleMember, user: documented.exampleUser }, readMember],
    ["a list of entitlements", [documented.exampleEntitlement], readEntitlements],
    ["a token", documented.exampleToken, readToken],
    ["a token for client credentials", documented.exampleClientCredentialsToken, readToken],
    ["a token with a webhook", documented.exampleWebhookToken, readToken],
  ])("%s", async (_what, payload, read) => {
    const { model, issues } = await read(payload);
    expect(model).toMatchObject(Object(payload));
    expect(issues).toEqual([]);
    if (!Array.isArray(model)) expect(unfrozenPartsOf(model)).toEqual([]);
  });
});

describe("the documented response to an extended bot authorization", () => {
  test("becomes a token with the permissions of the guild's roles as text", async () => {
    const { model, issues } = await readToken(documented.exampleBotToken);
    const { guild, ...token } = documented.exampleBotToken;
    expect(model).toMatchObject(token);
    expect(model.guild).toMatchObject({
      ...guild,
      roles: [{ ...guild.roles[0], permissions: "49794241" }],
    });
    expect(issues).toEqual([{
      path: "guild.roles.0.permissions",
      message: "expected a decimal string, received number",
    }]);
  });
});

describe("a documented guild that is not available", () => {
  test("is left out of a list", async () => {
    const list = [documented.exampleUnavailableGuild, documented.exampleListEntry];
    const { model, issues } = await readGuilds(list);
    expect(model).toMatchObject([documented.exampleListEntry]);
    expect(issues).toMatchObject([{ path: "0.name" }]);
  });

  test("is null beside a token", async () => {
    const payload = { ...documented.exampleToken, guild: documented.exampleUnavailableGuild };
    const { model } = await readToken(payload);
    expect(model).toMatchObject({ ...documented.exampleToken, guild: null });
  });
});

describe("the documented member, whose user is an empty object", () => {
  test("is read without the user", async () => {
    const { model, issues } = await readMember(documented.exampleMember);
    expect(model).toMatchObject({ ...documented.exampleMember, user: null });
    expect(issues.map(({ path }) => path)).toEqual(["user.id", "user.username"]);
  });
});
