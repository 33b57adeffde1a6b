import { describe, expect, test } from "vitest";
import {
  authorizeLink,
  exchangeCode,
  get,
  LOOMS,
  obtainCode,
  readJson,
  smallPlatform,
} from "../small_platform.ts";

describe("FakePlatform.authorize()", () => {
  test("authorizes as the first user, or as the user with an id or a username", async () => {
    const fake = smallPlatform();
    async function who(as?: string): Promise<unknown> {
      const { access_token } = await readJson(exchangeCode(fake, await obtainCode(fake, {}, as)));
      return (await readJson(get(fake, "/users/@me", `Bearer ${access_token}`)))["username"];
    }
    expect(await who()).toBe("ada");
    expect(await who("2")).toBe("bob");
    expect(await who("bob")).toBe("bob");
  });

  test("adds the bot to the guild, and names guild and permissions in the redirect", async () => {
    const fake = smallPlatform({ guilds: [LOOMS, { ...LOOMS, id: "71", name: "Second" }] });
    const url = authorizeLink(fake, { scope: "bot", permissions: "8" });
    const chosen = new URL(await fake.authorize(url, { guildId: "71", permissions: "1024" }));
    expect(chosen.searchParams.get("guild_id")).toBe("71");
    expect(chosen.searchParams.get("permissions")).toBe("1024");
    const guilds = await (await get(fake, "/users/@me/guilds", "Bot bot-token")).json();
    expect(guilds).toMatchObject([{ id: "71", permissions: "1024", owner: false }]);
    const first = new URL(await fake.authorize(url));
    expect(first.searchParams.get("guild_id")).toBe("70");
    expect(first.searchParams.get("permissions")).toBe("8");
    const asked = new URL(await fake.authorize(`${url}&guild_id=71`));
    expect(asked.searchParams.get("guild_id")).toBe("71");
  });

  test("gives the bot one managed role with the latest permissions", async () => {
    const fake = smallPlatform();
    for (const permissions of ["8", "16"]) {
      await fake.authorize(authorizeLink(fake, { scope: "bot", permissions }));
    }
    const { roles } = await readJson(get(fake, "/guilds/70", "Bot bot-token"));
    expect(roles).toMatchObject([
      { id: "70", name: "@everyone", managed: false },
      { name: "Fake application", managed: true, permissions: "16", tags: { bot_id: "100" } },
    ]);
  });

  test("is not recorded as a request, and triggers no failure", async () => {
    const fake = smallPlatform();
    fake.failNext({ status: 500 });
    await fake.authorize(authorizeLink(fake));
    expect(fake.requests).toEqual([]);
  });

  test.each([
    ["url must be an authorize URL of https://platform.test, received no absolute URL", "/oauth2"],
    [
      "url must be an authorize URL of https://platform.test, received https://discord.com/oauth2/authorize: pass ...fake (platform and fetch) to the Login",
      "https://discord.com/oauth2/authorize?client_id=1",
    ],
    [
      "url must be an authorize URL of https://platform.test, received https://platform.test/login",
      "https://platform.test/login?code=secret",
    ],
  ])("throws: %s", async (message, url) => {
    await expect(smallPlatform().authorize(url)).rejects.toThrow(new TypeError(message));
    await expect(smallPlatform().deny(url)).rejects.toThrow(new TypeError(message));
  });

  test("throws for an unknown user, wrong permissions, or a guild closed to the user", async () => {
    const fake = smallPlatform();
    await expect(fake.authorize(authorizeLink(fake), { as: "eve" })).rejects.toThrow(
      new TypeError(`as must be the id or the username of a user of the platform, received "eve"`),
    );
    await expect(fake.authorize(authorizeLink(fake), { permissions: "x" })).rejects.toThrow(
      new TypeError(`authorize: permissions must be a decimal string, received "x"`),
    );
    const bot = authorizeLink(fake, { scope: "bot" });
    await expect(fake.authorize(bot, { as: "bob" })).rejects.toThrow(
      new Error("bob may not add Fake application to any guild"),
    );
    await expect(fake.authorize(bot, { guildId: "1" })).rejects.toThrow(
      new Error("ada may not add Fake application to the guild 1"),
    );
  });

  test("accepts a URL object", async () => {
    const fake = smallPlatform();
    expect(await fake.authorize(new URL(authorizeLink(fake)))).toContain("code=");
    expect(await fake.deny(new URL(authorizeLink(fake)))).toContain("error=access_denied");
  });
});

describe("FakePlatform.deny()", () => {
  test("throws for an install link without a redirect URI", async () => {
    const fake = smallPlatform();
    const url = authorizeLink(fake, {
      response_type: undefined,
      redirect_uri: undefined,
      scope: "bot",
    });
    await expect(fake.deny(url)).rejects.toThrow(
      new TypeError("the platform showed a page instead of a redirect: Nothing was added"),
    );
  });
});
