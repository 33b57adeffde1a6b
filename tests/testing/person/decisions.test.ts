import { describe, expect, expectTypeOf, test } from "vitest";
import type { TokenPayload } from "../../../src/testing/mod.ts";
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
  test("asks the first user unless told otherwise, by id or by username", async () => {
    const fake = smallPlatform();
    async function who(as?: string): Promise<unknown> {
      const { access_token } = await readJson(exchangeCode(fake, await obtainCode(fake, {}, as)));
      return (await readJson(get(fake, "/users/@me", `Bearer ${access_token}`)))["username"];
    }
    expect(await who()).toBe("ada");
    expect(await who("2")).toBe("bob");
    expect(await who("bob")).toBe("bob");
  });

  test("adds the bot to the guild and says so in the redirect", async () => {
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

  test("gives the bot one managed role, with the latest permissions", async () => {
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

  test("does not count as a request and is not touched by failures", async () => {
    const fake = smallPlatform();
    fake.failNext({ status: 500 });
    await fake.authorize(authorizeLink(fake));
    expect(fake.requests).toEqual([]);
  });

  test.each([
    ["url must be an authorize URL of https://platform.test: found no absolute URL", "/oauth2"],
    [
      "url must be an authorize URL of https://platform.test: found https://discord.com/oauth2/authorize",
      "https://discord.com/oauth2/authorize?client_id=1",
    ],
    [
      "url must be an authorize URL of https://platform.test: found https://platform.test/login",
      "https://platform.test/login?code=secret",
    ],
  ])("says %s", async (message, url) => {
    await expect(smallPlatform().authorize(url)).rejects.toThrow(new TypeError(message));
    await expect(smallPlatform().deny(url)).rejects.toThrow(new TypeError(message));
  });

  test("says who is unknown, which permissions make no sense, and which guild is closed", async () => {
    const fake = smallPlatform();
    await expect(fake.authorize(authorizeLink(fake), { as: "eve" })).rejects.toThrow(
      new TypeError(`as must be the id or the username of a user of the platform: found "eve"`),
    );
    await expect(fake.authorize(authorizeLink(fake), { permissions: "x" })).rejects.toThrow(
      new TypeError(`permissions must be a decimal string: found "x"`),
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
  test("says when a bot link leads back nowhere", async () => {
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

describe("FakePlatform.issueToken()", () => {
  test("gives the first user's token for the first application, to identify", async () => {
    const fake = smallPlatform();
    const token = fake.issueToken();
    expect(token).toMatchObject({ token_type: "Bearer", scope: "identify", expires_in: 604800 });
    const authorization = await readJson(get(fake, "/oauth2/@me", `Bearer ${token.access_token}`));
    expect(authorization).toMatchObject({ application: { id: "100" }, user: { id: "1" } });
    expectTypeOf(token).toEqualTypeOf<TokenPayload>();
  });

  test("gives another user's token for another application", async () => {
    const fake = smallPlatform();
    const { access_token } = fake.issueToken({ as: "bob", clientId: "200", scopes: ["guilds"] });
    const authorization = await readJson(get(fake, "/oauth2/@me", `Bearer ${access_token}`));
    expect(authorization).toMatchObject({ application: { id: "200" }, scopes: ["guilds"] });
  });

  test("says what it does not know", () => {
    const fake = smallPlatform();
    expect(() => fake.issueToken({ as: "eve" })).toThrow(`found "eve"`);
    expect(() => fake.issueToken({ clientId: "404" })).toThrow(
      new TypeError(`clientId must be the id of an application of the platform: found "404"`),
    );
    expect(() => fake.issueToken({ scopes: ["identify", "x"] })).toThrow(
      new TypeError(`scopes must be known to the platform: found "x"`),
    );
  });
});
