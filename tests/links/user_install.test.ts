import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Bot } from "../../src/links/bot.ts";
import { discord } from "../../src/links/platform.ts";
import { knownScopes } from "../../src/links/scopes.ts";
import { userInstallUrl } from "../../src/links/user_install.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";

const CLIENT = "1024000000000000000";
/** The scopes that a link can ask for. */
const linkScopes = knownScopes.filter((scope) => scope !== "applications.commands.update");
const LINK = `https://discord.com/oauth2/authorize?client_id=${CLIENT}` +
  "&scope=applications.commands&integration_type=1";

describe("userInstallUrl", () => {
  test("asks only for the installation of the commands", () => {
    expect(userInstallUrl(CLIENT)).toBe(LINK);
  });

  test.each([
    null,
    undefined,
    {},
    { scope: null, platform: null },
    {
      scope: undefined,
      platform: undefined,
    },
    { scope: [] },
    { platform: discord },
  ])("returns the same link with the options %j", (options) => {
    expect(userInstallUrl(CLIENT, options)).toBe(LINK);
  });

  test("has the scope for commands and the given scopes, each once", () => {
    const scope = ["identify", "applications.commands", "identify"];
    expect(new URL(userInstallUrl(CLIENT, { scope })).searchParams.get("scope"))
      .toBe("applications.commands identify");
  });

  test("always has the scope for commands, and never bot", () => {
    fc.assert(fc.property(fc.array(fc.constantFrom(...linkScopes)), (scope) => {
      const link = () => new URL(userInstallUrl(CLIENT, { scope })).searchParams.get("scope");
      if (scope.includes("bot")) expect(link).toThrow(TypeError);
      else {expect(new Set(link()?.split(" "))).toEqual(
          new Set(["applications.commands", ...scope]),
        );}
    }));
  });

  test("refuses the scope bot and names the class for it", () => {
    expect(() => userInstallUrl(CLIENT, { scope: ["bot"] })).toThrow(
      new TypeError(
        'scope must be without "bot", which needs a guild: use Bot for a link with it',
      ),
    );
  });

  test.each<[unknown, string]>([
    [undefined, "clientId must be digits, received undefined; is the variable set?"],
    [1024, "clientId must be digits in quotes, received number"],
    ["1024&scope=bot", "clientId must be digits, received string"],
  ])("refuses the client id %j", (id, message) => {
    expect(() => userInstallUrl(id as string)).toThrow(message);
  });

  test("refuses a scope with white space, and an authorize URL that could run code", () => {
    expect(() => userInstallUrl(CLIENT, { scope: ["identify bot"] }))
      .toThrow("scope must be one scope per entry, received string");
    const platform = { ...discord, authorizeUrl: "javascript:alert(1)" };
    expect(() => userInstallUrl(CLIENT, { platform }))
      .toThrow("platform.authorizeUrl must be an https URL, received string");
  });

  test("returns a link that the fake platform grants to a person, unlike one with bot", async () => {
    const fake = createFakePlatform();
    const { id } = sampleApplication;
    expect(await fake.authorize(userInstallUrl(id, { platform: fake.platform })))
      .toBe(new URL("/oauth2/authorized", fake.platform.authorizeUrl).href);
    const withBot = await new Bot(id, null, { platform: fake.platform }).url({
      integrationType: 1,
    });
    await expect(fake.authorize(withBot)).rejects.toThrow("the bot scope, which needs a guild");
  });
});
