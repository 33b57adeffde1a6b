import { describe, expect, test } from "vitest";
import type { FakePlatform } from "../../../src/testing/mod.ts";
import {
  APP,
  authorizeLink,
  get,
  LOOMS,
  openPage,
  smallPlatform,
  submitDecision,
} from "../small_platform.ts";

describe("Consent", () => {
  test("offers guilds with Manage Webhooks for webhook.incoming", async () => {
    const fake = smallPlatform({
      guilds: [LOOMS, { id: "71", name: "W", members: { "2": { permissions: "536870912" } } }],
    });
    const html =
      await (await openPage(fake, `${authorizeLink(fake, { scope: "webhook.incoming" })}&as=2`))
        .text();
    expect([...html.matchAll(/<option value="(\d+)"/g)].map(([, id]) => id)).toEqual(["71"]);
  });

  test("offers guilds with both permissions for a bot and a webhook", async () => {
    const fake = smallPlatform({
      guilds: [
        { id: "71", name: "Guild", members: { "1": { permissions: "32" } } },
        { id: "72", name: "Webhooks", members: { "1": { permissions: "536870912" } } },
        { id: "73", name: "Both", members: { "1": { permissions: "536870944" } } },
      ],
    });
    const html =
      await (await openPage(fake, authorizeLink(fake, { scope: "bot webhook.incoming" }))).text();
    expect([...html.matchAll(/<option value="(\d+)"/g)].map(([, id]) => id)).toEqual(["73"]);
  });

  test("offers guilds for commands only if they are installed to a guild", async () => {
    const fake = smallPlatform();
    const url = authorizeLink(fake, { scope: "applications.commands" });
    expect(await (await openPage(fake, url)).text()).not.toContain("<select");
    expect(await (await openPage(fake, `${url}&integration_type=0`)).text()).toContain("<select");
    expect(await (await openPage(fake, `${url}&integration_type=1`)).text()).not.toContain(
      "<select",
    );
  });

  test.each(["rpc", "relationships.read", "gdm.join", "identify.premium", "voice"])(
    "is asked for %s, and ends in invalid_scope unless the application is approved for it",
    async (scope) => {
      const [fake, approved] = [[], [scope]].map((approvedScopes) =>
        smallPlatform({ applications: [{ ...APP, approvedScopes }] })
      ) as [FakePlatform, FakePlatform];
      const link = { scope: `identify ${scope}`, state: "s" };
      const url = authorizeLink(fake, link);
      expect((await openPage(fake, url)).status).toBe(200);
      const response = await submitDecision(fake, url, { action: "authorize", user: "1" });
      const refused = response.headers.get("location") ?? "";
      expect(refused).toBe(
        "https://app.example/cb?error=invalid_scope&error_description=" +
          "The+requested+scope+is+invalid%2C+unknown%2C+or+malformed." +
          "&state=s&iss=https%3A%2F%2Fplatform.test",
      );
      expect(await fake.authorize(url)).toBe(refused);
      expect(await fake.deny(url)).toContain("?error=access_denied&");
      expect(await fake.authorize(authorizeLink(fake, { ...link, response_type: "token" })))
        .toContain("/cb#error=invalid_scope&");
      expect(await approved.authorize(authorizeLink(approved, link))).toContain("?code=");
    },
  );

  test("leads to a page of the platform after a refusal without a redirect URI in the link", async () => {
    const fake = smallPlatform();
    const url = authorizeLink(fake, { redirect_uri: undefined });
    const response = await submitDecision(fake, url, { action: "cancel", user: "1" });
    expect(response.headers.has("location")).toBe(false);
    expect(await response.text()).toContain("The application was not authorized.");
    await expect(fake.deny(url)).rejects.toThrow(TypeError);
  });

  test("keeps the query of the redirect URI in the redirect", async () => {
    const fake = smallPlatform({
      applications: [{ ...APP, redirectUris: ["https://app.example/?a=1"] }],
    });
    const response = await fake.deny(
      authorizeLink(fake, { redirect_uri: "https://app.example/?a=1" }),
    );
    expect(response).toMatch(/^https:\/\/app\.example\/\?a=1&error=access_denied&/);
    expect(response).not.toContain("state");
  });

  test("adds the application with its default install settings for a link with only the client id", async () => {
    const fake = smallPlatform();
    const url = `${fake.platform.authorizeUrl}?client_id=100`;
    const html = await (await openPage(fake, url)).text();
    expect(html).toContain("<li>Add a bot to a server</li>");
    expect(html).toContain("<li>Create commands</li>");
    expect(html).toContain("No permissions.");
    const added = `${url}&guild_id=70&permissions=8&disable_guild_select=true`;
    expect(await fake.authorize(added)).toBe("https://platform.test/oauth2/authorized");
    const [guild] = await (await get(fake, "/users/@me/guilds", "Bot bot-token")).json();
    expect(guild).toMatchObject({ id: "70", permissions: "8" });
  });

  test("adds the application only to the guild fixed by disable_guild_select", async () => {
    const own = { owner: true };
    const fake = smallPlatform({
      guilds: ["70", "71"].map((id) => ({
        id,
        name: `Guild ${id}`,
        members: { "1": own, "2": {} },
      })),
    });
    const params = { scope: "bot", guild_id: "70", permissions: "8" };
    const fixed = authorizeLink(fake, { ...params, disable_guild_select: "true" });
    await expect(fake.authorize(fixed, { guildId: "71" })).rejects.toThrow(
      new Error("the URL allows only the guild 70 (disable_guild_select), received 71"),
    );
    expect(await fake.authorize(fixed)).toContain("guild_id=70");
    expect(await fake.authorize(fixed, { guildId: "70" })).toContain("guild_id=70");
    await expect(fake.authorize(fixed, { as: "bob" })).rejects.toThrow(
      "bob may not add Fake application to the guild 70",
    );
    const form = { action: "authorize", user: "1", guild_id: "71" };
    const refused = await submitDecision(fake, fixed, form);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("the URL allows only the guild 70"),
    ]);
    const free = authorizeLink(fake, params);
    expect(await fake.authorize(free, { guildId: "71" })).toContain("guild_id=71");
    expect(await fake.authorize(free)).toContain("guild_id=70");
  });

  test("is always required for a bot, even with prompt=none", async () => {
    const fake = smallPlatform();
    const url = authorizeLink(fake, { scope: "bot", prompt: "none" });
    await fake.authorize(url);
    expect((await openPage(fake, url)).status).toBe(200);
  });

  test("returns the token of response_type=token in the fragment, without a refresh token", async () => {
    const fake = smallPlatform();
    const url = authorizeLink(fake, { response_type: "token", state: "s" });
    const callback = new URL(await fake.authorize(url));
    expect(callback.search).toBe("");
    const fragment = new URLSearchParams(callback.hash.slice(1));
    const token = fragment.get("access_token");
    expect(Object.fromEntries(fragment)).toEqual({
      access_token: token,
      token_type: "Bearer",
      expires_in: "604800",
      scope: "identify",
      state: "s",
      iss: "https://platform.test",
    });
    expect((await get(fake, "/users/@me", `Bearer ${token}`)).status).toBe(200);
    const denied = new URL(await fake.deny(url));
    expect(denied.search).toBe("");
    expect(denied.hash).toContain("error=access_denied");
    const wrong = new URL(
      await fake.authorize(authorizeLink(fake, { response_type: "token", scope: "no" })),
    );
    expect(wrong.hash).toContain("error=invalid_scope");
  });

  test("gives a public client an implicit grant without PKCE", async () => {
    const fake = smallPlatform();
    const callback = await fake.authorize(
      authorizeLink(fake, {
        client_id: "200",
        redirect_uri: "https://spa.example/",
        response_type: "token",
      }),
    );
    expect(callback).toContain("#");
    expect(callback).toContain("access_token=");
  });
});
