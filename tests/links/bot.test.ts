import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Bot, type BotUrlParams } from "../../src/links/bot.ts";
import type { Platform } from "../../src/links/platform.ts";

const AUTHORIZE = "https://discord.com/oauth2/authorize";
const CLIENT = "1024000000000000000";
const GUILD = "41771983423143937";

const PLATFORM: Platform = {
  authorizeUrl: "http://localhost:8787/oauth2/authorize",
  apiUrl: "http://localhost:8787/api",
  cdnUrl: "http://localhost:8787/cdn",
};

describe("Bot", () => {
  test("links to the authorize page, with no response type and no redirect URI", () => {
    expect(new Bot(CLIENT).href).toBe(`${AUTHORIZE}?client_id=${CLIENT}&scope=bot`);
    expect(new Bot(CLIENT, ["connect", "speak"]).href)
      .toBe(`${AUTHORIZE}?client_id=${CLIENT}&scope=bot&permissions=3145728`);
  });

  test("returns its href from toString() and a template", () => {
    expect(new Bot(CLIENT, 8).toString()).toBe(new Bot(CLIENT, 8).href);
    expect(`${new Bot(CLIENT, 8)}`).toBe(new Bot(CLIENT, 8).href);
  });

  test("asks for more scopes after bot, each once", () => {
    const scope = ["applications.commands", "bot", "applications.commands"];
    expect(new Bot(CLIENT, null, { scope }).href)
      .toBe(`${AUTHORIZE}?client_id=${CLIENT}&scope=bot%20applications.commands`);
  });

  test("refuses a scope with white space", () => {
    // @ts-expect-error: the compiler finds it too
    expect(thrownBy(() => new Bot(CLIENT, null, { scope: ["a b"] })))
      .toBe(
        'scope[1] must be one scope like "identify", received a string of length 3',
      );
  });

  test("leads to the given platform", () => {
    expect(new Bot(CLIENT, null, { platform: PLATFORM }).href.split("?")[0])
      .toBe(PLATFORM.authorizeUrl);
  });

  test("refuses an option with an unknown name, which may be a misspelled platform", () => {
    const misspelled: object = { plattform: PLATFORM };
    expect(thrownBy(() => new Bot(CLIENT, null, misspelled)))
      .toBe("options.plattform is unknown: did you mean platform?");
    const both: object = { platform: PLATFORM, scop: [] };
    expect(new Bot(CLIENT, null, both).href).toContain(PLATFORM.authorizeUrl);
  });

  test("returns the href from url() without parameters", async () => {
    expect(await new Bot(CLIENT, 8).url()).toBe(new Bot(CLIENT, 8).href);
    expect(await new Bot(CLIENT, 8).url({})).toBe(new Bot(CLIENT, 8).href);
  });

  test("has every parameter once, in the documented order", async () => {
    const url = new Bot(CLIENT, 0, { scope: ["applications.commands"] })
      .url({ disableGuildSelect: false, guildId: GUILD, integrationType: 0 });
    expect(await url).toBe(
      `${AUTHORIZE}?client_id=${CLIENT}&scope=bot%20applications.commands&integration_type=0` +
        `&permissions=0&guild_id=${GUILD}&disable_guild_select=false`,
    );
  });

  test.each<[BotUrlParams, string]>([
    [{ guildId: GUILD }, `guild_id=${GUILD}`],
    [{ disableGuildSelect: true }, "disable_guild_select=true"],
    [{ disableGuildSelect: false }, "disable_guild_select=false"],
    [{ integrationType: 0 }, "integration_type=0"],
    [{ integrationType: 1 }, "integration_type=1"],
    [{ guildId: undefined, disableGuildSelect: undefined, integrationType: undefined }, ""],
  ])("adds %o and nothing else", async (params, expected) => {
    expect(await addedTo(new Bot(CLIENT).href, new Bot(CLIENT).url(params))).toBe(expected);
  });

  test.each([
    ["guild_id", "guildId"],
    ["guildid", "guildId"],
    ["disable_guild_select", "disableGuildSelect"],
    ["integration_type", "integrationType"],
    ["integration", "integrationType"],
  ])("refuses the unknown parameter %s, and suggests its name", async (name, meant) => {
    const params: object = { [name]: "1", guildId: GUILD };
    await expect(new Bot(CLIENT).url(params)).rejects.toThrow(
      new TypeError(`params.${name} is unknown: did you mean ${meant}?`),
    );
  });

  test.each([["state", "state"], ["foo", "foo"], ["a".repeat(99), "…"]])(
    "refuses the parameter %s, which a bot does not have, lists all names, and shows no secret",
    async (name, shown) => {
      const params: object = { [name]: "s7ate" };
      await expect(new Bot(CLIENT).url(params)).rejects.toThrow(
        new TypeError(
          `params.${shown} is unknown: did you mean guildId or disableGuildSelect or integrationType?`,
        ),
      );
    },
  );

  test("treats null as missing", async () => {
    for (const none of [null, undefined]) {
      const bot = new Bot(CLIENT, none, { scope: none, platform: none });
      expect(bot.href).toBe(new Bot(CLIENT).href);
      expect(new Bot(CLIENT, none, none).href).toBe(bot.href);
      expect(await bot.url(none)).toBe(bot.href);
      const params = { guildId: none, disableGuildSelect: none, integrationType: none };
      expect(await bot.url(params)).toBe(bot.href);
    }
  });

  test.each(["javascript:alert(1)", "", undefined, "https://u:p@host/", "https://host/#a"])(
    "does not link to %o",
    (authorizeUrl) => {
      expect(thrownBy(() => new Bot(CLIENT, 8, { platform: { authorizeUrl } as Platform })))
        .toMatch(/^platform\.authorizeUrl must be an https URL, received/);
    },
  );
});

describe("The scopes of a bot, given as another value than a list,", () => {
  test("are an empty list, or one scope", () => {
    expect(new Bot(CLIENT, 8, { scope: null as never }).href).toContain("scope=bot&");
    expect(new Bot(CLIENT, 8, { scope: "applications.commands" as never }).href)
      .toContain("scope=bot%20applications.commands&");
  });
});

describe("Any bot link", () => {
  const anyId = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
  const anyScope = fc.uniqueArray(fc.stringMatching(/^[\w.:/-]+$/), { minLength: 1 });
  const anyPermissions = fc.bigInt({ min: 0n, max: 1n << 80n });
  const given = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  const anyBotParams = fc.record({
    integrationType: given(fc.constantFrom(0 as const, 1 as const)),
    guildId: given(anyId),
    disableGuildSelect: given(fc.boolean()),
  });

  test("has its parameters in order when it is parsed", async () => {
    await fc.assert(fc.asyncProperty(
      anyId,
      given(anyPermissions),
      anyScope,
      anyBotParams,
      async (id, permissions, scope, params) => {
        const url = await new Bot(id, permissions, { scope }).url(params);
        expect([...new URL(url).searchParams]).toEqual(withoutMissing([
          ["client_id", id],
          ["scope", [...new Set(["bot", ...scope])].join(" ")],
          ["integration_type", params.integrationType],
          ["permissions", permissions],
          ["guild_id", params.guildId],
          ["disable_guild_select", params.disableGuildSelect],
        ]));
        expect(url).not.toContain("+");
      },
    ));
  });
});

/** The query parameters that a link has and another one has not. */
async function addedTo(href: string, url: Promise<string>): Promise<string> {
  const before = href.split(/[?&]/);
  return (await url).split(/[?&]/).filter((part) => !before.includes(part)).join("&");
}

/** The message of the TypeError that a call throws. */
function thrownBy(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function withoutMissing(entries: readonly (readonly [string, unknown])[]): [string, string][] {
  return entries.flatMap(([name, value]) => value === undefined ? [] : [[name, String(value)]]);
}
