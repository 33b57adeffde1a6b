import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { installUrl, type InstallUrlOptions } from "../../src/links/install_url.ts";
import { User } from "../../src/api/user.ts";
import { discord } from "../../src/links/platform.ts";
import { createFakePlatform, sampleApplication, sampleGuilds } from "../../src/testing/mod.ts";

const CLIENT = "1024000000000000000";
const GUILD = "41771983423143937";
const LINK = `https://discord.com/oauth2/authorize?client_id=${CLIENT}`;
const COMMANDS = `${LINK}&scope=applications.commands`;

describe("installUrl()", () => {
  test.each<[InstallUrlOptions | null | undefined, string]>([
    [undefined, LINK],
    [null, LINK],
    [{}, LINK],
    [{ scope: null, integrationType: null, permissions: null, guildId: null }, LINK],
    [{ disableGuildSelect: undefined, platform: null }, LINK],
    [{ platform: discord }, LINK],
    [{ permissions: 0 }, `${LINK}&permissions=0`],
    [
      { permissions: ["view_channel"], guildId: GUILD, disableGuildSelect: true },
      `${LINK}&permissions=1024&guild_id=${GUILD}&disable_guild_select=true`,
    ],
    [{ integrationType: 1 }, `${COMMANDS}&integration_type=1`],
    [{ integrationType: 0 }, `${COMMANDS}&integration_type=0`],
    [{ scope: ["applications.commands"] }, COMMANDS],
    [
      { scope: ["applications.commands"], guildId: GUILD, disableGuildSelect: false },
      `${COMMANDS}&guild_id=${GUILD}&disable_guild_select=false`,
    ],
    [
      { scope: ["bot"], permissions: 8, integrationType: 0 },
      `${LINK}&scope=bot&integration_type=0&permissions=8`,
    ],
    [
      { scope: ["bot", "applications.commands", "bot"] },
      `${LINK}&scope=bot%20applications.commands`,
    ],
  ])("of %o is %s", (options, link) => {
    expect(installUrl(CLIENT, options)).toBe(link);
  });

  const withoutBot = 'permissions need "bot" in scope';
  const toAccount =
    "integrationType 1 is for a user's account: it can't be combined with guildId or the scope \"bot\"";
  const otherScope =
    'scope can only have "bot" and "applications.commands": other scopes need a redirect, so use AuthUrl';
  test.each<[unknown, string]>([
    [{ scope: ["identify"] }, otherScope],
    [{ scope: ["bot", "guilds.join"] }, otherScope],
    [{ scope: ["Bot"] }, otherScope],
    [{ guild_id: GUILD }, "options.guild_id is unknown: did you mean guildId?"],
    [{ permisions: 8 }, "options.permisions is unknown: did you mean permissions?"],
    [
      { scope: [] },
      'scope must be a list like ["identify"], received an empty list',
    ],
    [
      { scope: "bot" },
      'scope must be a list like ["identify"], received a string of length 3',
    ],
    [
      { scope: ["bot applications.commands"] },
      'scope[0] must be one scope like "identify", received a string of length 25',
    ],
    [{ scope: ["applications.commands"], permissions: 8 }, withoutBot],
    [{ integrationType: 0, permissions: 8 }, withoutBot],
    [{ integrationType: 1, permissions: 8 }, withoutBot],
    [{ integrationType: 1, scope: ["bot"] }, toAccount],
    [{ integrationType: 1, guildId: GUILD }, toAccount],
    [{ integrationType: 2 }, "integrationType must be 0 or 1, received number"],
    [{ guildId: "my guild" }, "guildId must be digits in a string, received a string of length 8"],
    [{ disableGuildSelect: 1 }, "disableGuildSelect must be true or false, received number"],
    [{ permissions: "x" }, "permissions must be names like "],
    [
      { platform: { ...discord, authorizeUrl: "javascript:alert(1)" } },
      "platform.authorizeUrl must be an https URL, received a string of length 19",
    ],
  ])("refuses %j", (options, message) => {
    const link = () => installUrl(CLIENT, options as InstallUrlOptions);
    expect(link).toThrow(TypeError);
    expect(link).toThrow(message);
  });

  test.each<[unknown, string]>([
    [undefined, "clientId must be digits in a string, received undefined; is the variable set?"],
    [1024, "clientId must be digits in a string, received number: quote it"],
    ["1024&scope=bot", "clientId must be digits in a string, received a string of length 14"],
  ])("refuses the client id %j", (id, message) => {
    expect(() => installUrl(id as string)).toThrow(message);
  });

  const fake = createFakePlatform();
  const done = new URL("/oauth2/authorized", fake.platform.authorizeUrl).href;

  test("returns a link that the platform grants, and that leads nowhere", () => {
    const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value);
    return fc.assert(
      fc.asyncProperty(
        fc.record({
          integrationType: optional(fc.constantFrom(0, 1)),
          scope: optional(fc.subarray(["bot", "applications.commands"] as const, { minLength: 1 })),
          permissions: optional(fc.constantFrom(0, 8)),
          guildId: optional(fc.constant(sampleGuilds[0].id)),
          disableGuildSelect: optional(fc.boolean()),
        }) as fc.Arbitrary<InstallUrlOptions>,
        async (options) => {
          let link: string | null = null;
          try {
            link = installUrl(sampleApplication.id, { ...options, platform: fake.platform });
          } catch (error) {
            expect(error).toBeInstanceOf(TypeError);
          }
          if (link !== null) expect(await fake.authorize(link)).toBe(done);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("adds the bot with the application's own settings", async () => {
    const guildId = sampleGuilds[1].id;
    const bot = new User(sampleApplication.botToken ?? "", { ...fake, tokenType: "Bot" });
    expect((await bot.getUserGuilds()).map(({ id }) => id)).not.toContain(guildId);
    const platform = fake.platform;
    const link = installUrl(sampleApplication.id, { guildId, permissions: 1024, platform });
    expect(await fake.authorize(link)).toBe(done);
    const guild = (await bot.getUserGuilds()).find(({ id }) => id === guildId);
    expect(guild?.permissions).toBe("1024");
  });
});
