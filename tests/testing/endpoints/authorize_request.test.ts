import { describe, expect, test } from "vitest";
import {
  APP,
  authorizeLink,
  CHALLENGE,
  get,
  inherited,
  LOOMS,
  openPage,
  PUBLIC_APP,
  requestToken,
  smallPlatform,
  submitDecision,
} from "../small_platform.ts";

describe("an authorize request", () => {
  test("asks for a guild with Manage Webhooks for webhook.incoming", async () => {
    const fake = smallPlatform({
      guilds: [LOOMS, { id: "71", name: "W", members: { "2": { permissions: "536870912" } } }],
    });
    const html =
      await (await openPage(fake, `${authorizeLink(fake, { scope: "webhook.incoming" })}&as=2`))
        .text();
    expect([...html.matchAll(/<option value="(\d+)"/g)].map(([, id]) => id)).toEqual(["71"]);
  });

  test("asks for both permissions for a bot and a webhook", async () => {
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

  test("asks for a guild for commands only when they are installed to a guild", async () => {
    const fake = smallPlatform();
    const url = authorizeLink(fake, { scope: "applications.commands" });
    expect(await (await openPage(fake, url)).text()).not.toContain("<select");
    expect(await (await openPage(fake, `${url}&integration_type=0`)).text()).toContain("<select");
    expect(await (await openPage(fake, `${url}&integration_type=1`)).text()).not.toContain(
      "<select",
    );
  });

  test("says that no redirect URI is registered", async () => {
    const fake = smallPlatform({ applications: [{ ...APP, redirectUris: [] }] });
    const url = authorizeLink(fake, { redirect_uri: "https://app.example/" });
    expect(await (await openPage(fake, url)).text()).toContain("Registered are: none.");
  });

  test("keeps the query of the redirect URI", async () => {
    const fake = smallPlatform({
      applications: [{ ...APP, redirectUris: ["https://app.example/?a=1"] }],
    });
    const answer = await fake.deny(
      authorizeLink(fake, { redirect_uri: "https://app.example/?a=1" }),
    );
    expect(answer).toMatch(/^https:\/\/app\.example\/\?a=1&error=access_denied&/);
    expect(answer).not.toContain("state");
  });

  test.each([
    ["Invalid client_id", { client_id: undefined }],
    ["Invalid client_id", { client_id: "undefined" }],
    ["Unknown application", { client_id: "404" }],
    ["Invalid redirect_uri: https://evil.example/", { redirect_uri: "https://evil.example/" }],
    [
      "is not registered for the application. Registered are: https://app.example/cb. To use another one,",
      { redirect_uri: "https://app.example/cb/" },
    ],
    ["invalid_request: permissions", {
      response_type: undefined,
      redirect_uri: undefined,
      scope: "bot",
      permissions: "8.5",
    }],
  ])("never redirects but says %s for %j", async (message, params) => {
    const fake = smallPlatform();
    const url = authorizeLink(fake, params);
    for (
      const answer of [
        await openPage(fake, url),
        await submitDecision(fake, url, { action: "cancel" }),
      ]
    ) {
      expect(answer.status).toBe(400);
      expect(answer.headers.has("location")).toBe(false);
      const html = await answer.text();
      expect(html).toContain(message);
      expect(html).toContain(`role="alert"`);
    }
    await expect(fake.authorize(url)).rejects.toThrow(TypeError);
    await expect(fake.deny(url)).rejects.toThrow(message);
  });

  test("needs a redirect URI when the application has none registered", async () => {
    const fake = smallPlatform({ applications: [{ id: "100", secret: "s" }] });
    const answer = await openPage(fake, authorizeLink(fake, { redirect_uri: undefined }));
    expect(await answer.text()).toContain("Missing redirect_uri");
  });

  test.each([
    ["invalid_scope", { scope: "" }],
    ["invalid_scope", { scope: undefined }],
    ["invalid_scope", { scope: "identify nonsense" }],
    ["unsupported_response_type", { response_type: undefined }],
    ["unsupported_response_type", { response_type: "id_token" }],
    ["unsupported_response_type", { response_type: undefined, scope: "bot" }],
    ["unsupported_response_type", {
      response_type: undefined,
      redirect_uri: undefined,
      scope: "bot identify",
    }],
    ["unsupported_response_type", { response_type: undefined, redirect_uri: undefined, scope: "" }],
    ["unsupported_response_type", { response_type: undefined, redirect_uri: undefined }],
    ["invalid_request", { prompt: "login" }],
    ["invalid_request", { integration_type: "2" }],
    ["invalid_request", { integration_type: "1", scope: "bot" }],
    ["invalid_request", { permissions: "" }],
    ["invalid_request", { guild_id: "x" }],
    ["invalid_request", { code_challenge_method: "S256" }],
    ["invalid_request", { code_challenge: CHALLENGE }],
    ["invalid_request", { code_challenge: CHALLENGE, code_challenge_method: "plain" }],
    ["invalid_request", { code_challenge: `${CHALLENGE}=`, code_challenge_method: "S256" }],
    ["invalid_request", { client_id: "200", redirect_uri: "https://spa.example/" }],
  ])("redirects with %s for %j", async (error, params) => {
    const fake = smallPlatform();
    const url = authorizeLink(fake, { ...params, state: "s" });
    for (const answer of [await openPage(fake, url), await submitDecision(fake, url, {})]) {
      expect(answer.status).toBe(302);
      const { searchParams } = new URL(answer.headers.get("location") ?? "");
      expect(searchParams.get("error")).toBe(error);
      expect(searchParams.get("error_description")).toBeTruthy();
      expect(searchParams.get("state")).toBe("s");
    }
    expect(await fake.authorize(url)).toContain(`error=${error}`);
    expect(await fake.deny(url)).toContain(`error=${error}`);
  });

  test("accepts prompt=consent and every documented scope, and others when told", async () => {
    const fake = smallPlatform({ extraScopes: ["brand.new"] });
    const scopes = (await discordScopes()).concat("openid", "brand.new").join(" ");
    const url = authorizeLink(fake, { scope: scopes, prompt: "consent" });
    expect(new URL(await fake.authorize(url)).searchParams.has("code")).toBe(true);
    expect(await (await openPage(fake, url)).text()).toContain("<li>brand.new</li>");
  });

  test.each(inherited)("shows a scope that is named %s", async (scope) => {
    const fake = smallPlatform({ extraScopes: [scope] });
    const page = await openPage(fake, authorizeLink(fake, { scope }));
    expect(await page.text()).toContain(`<li>${scope}</li>`);
  });

  test("takes the first of several redirect URIs when the link names none", async () => {
    const fake = smallPlatform();
    const url = authorizeLink(fake, {
      client_id: "200",
      redirect_uri: undefined,
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
    });
    expect(await fake.authorize(url)).toMatch(/^https:\/\/spa\.example\/\?code=/);
  });

  test("adds the application with its default install settings by the client id alone", async () => {
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

  test("installs what the application says, and only commands without a bot", async () => {
    const installParams = { scopes: ["bot"], permissions: "2048" };
    const fake = smallPlatform({ applications: [{ ...APP, installParams }, PUBLIC_APP] });
    const html = await (await openPage(fake, `${fake.platform.authorizeUrl}?client_id=100`)).text();
    expect(html).toContain("<code>2048</code>");
    expect(html).not.toContain("Create commands");
    const other = await (await openPage(fake, `${fake.platform.authorizeUrl}?client_id=200`))
      .text();
    expect(other).toContain("Create commands");
    expect(other).not.toContain("Add a bot");
  });

  test("falls back to the first redirect URI", async () => {
    const fake = smallPlatform();
    const callback = await fake.authorize(authorizeLink(fake, { redirect_uri: undefined }));
    expect(callback).toMatch(/^https:\/\/app\.example\/cb\?code=/);
    const code = new URL(callback).searchParams.get("code") ?? "";
    expect((await requestToken(fake, { code })).status).toBe(200);
  });

  test("always asks which guild a bot shall join", async () => {
    const fake = smallPlatform();
    const url = authorizeLink(fake, { scope: "bot", prompt: "none" });
    await fake.authorize(url);
    expect((await openPage(fake, url)).status).toBe(200);
  });

  test("answers response_type=token in the fragment, without a refresh token", async () => {
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

  test("lets a public client use the implicit grant without PKCE", async () => {
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

async function discordScopes(): Promise<string[]> {
  const { OAuth2Scopes } = await import("discord-api-types/v10");
  return Object.values(OAuth2Scopes).map(String);
}
