import { describe, expect, test } from "vitest";
import { approvalScopes } from "../../../src/testing/world/scopes.ts";
import {
  APP,
  authorizeLink,
  CHALLENGE,
  inherited,
  openPage,
  PUBLIC_APP,
  requestToken,
  smallPlatform,
  submitDecision,
} from "../small_platform.ts";

const PKCE = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
const PUBLIC = { client_id: "200", redirect_uri: "https://spa.example/" };

describe("An authorize request", () => {
  test("shows that no redirect URI is registered", async () => {
    const fake = smallPlatform({ applications: [{ ...APP, redirectUris: [] }] });
    const url = authorizeLink(fake, { redirect_uri: "https://app.example/" });
    expect(await (await openPage(fake, url)).text()).toContain("Registered: none.");
  });

  test("names the option that registers a refused redirect URI, also the eleventh", async () => {
    const redirectUris = Array.from({ length: 11 }, (_, at) => `https://app${at}.example/cb`);
    const fake = smallPlatform({ applications: [{ ...APP, redirectUris }] });
    const open = async (redirect_uri: string) =>
      await (await openPage(fake, authorizeLink(fake, { redirect_uri }))).text();
    expect(await open("https://app10.example/cb")).not.toContain("Invalid redirect_uri");
    expect(await open("https://app11.example/cb")).toContain(
      "add it to redirectUris of the application: in the option applications of createFakePlatform()",
    );
  });

  test.each([
    ["Invalid client_id", { client_id: undefined }],
    ["Invalid client_id", { client_id: "undefined" }],
    ["Unknown application", { client_id: "404" }],
    ["Invalid redirect_uri: https://evil.example/", { redirect_uri: "https://evil.example/" }],
    [
      "is not registered for the application. Registered: https://app.example/cb. To use another one,",
      { redirect_uri: "https://app.example/cb/" },
    ],
    ["invalid_request: permissions", {
      response_type: undefined,
      redirect_uri: undefined,
      scope: "bot",
      permissions: "8.5",
    }],
  ])("shows an error page with %s for %j, and never redirects", async (message, params) => {
    const fake = smallPlatform();
    const url = authorizeLink(fake, params);
    for (
      const response of [
        await openPage(fake, url),
        await submitDecision(fake, url, { action: "cancel" }),
      ]
    ) {
      expect(response.status).toBe(400);
      expect(response.headers.has("location")).toBe(false);
      const html = await response.text();
      expect(html).toContain(message);
      expect(html).toContain(`role="alert"`);
    }
    await expect(fake.authorize(url)).rejects.toThrow(TypeError);
    await expect(fake.deny(url)).rejects.toThrow(message);
  });

  test("shows an error page if it names no redirect URI and none is registered", async () => {
    const fake = smallPlatform({ applications: [{ id: "100", secret: "s" }] });
    const response = await openPage(fake, authorizeLink(fake, { redirect_uri: undefined }));
    expect(await response.text()).toContain("Missing redirect_uri");
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
    ["invalid_request", { channel_id: "x" }],
    ["invalid_request", { code_challenge_method: "S256" }],
    ["invalid_request", { code_challenge: CHALLENGE }],
    ["invalid_request", { code_challenge: CHALLENGE, code_challenge_method: "plain" }],
    ["invalid_request", { code_challenge: `${CHALLENGE}=`, code_challenge_method: "S256" }],
    ["invalid_request", { client_id: "200", redirect_uri: "https://spa.example/" }],
  ])("redirects with the error %s for %j", async (error, params) => {
    const fake = smallPlatform();
    const url = authorizeLink(fake, { ...params, state: "s" });
    for (const response of [await openPage(fake, url), await submitDecision(fake, url, {})]) {
      expect(response.status).toBe(302);
      const { searchParams } = new URL(response.headers.get("location") ?? "");
      expect(searchParams.get("error")).toBe(error);
      expect(searchParams.get("error_description")).toBeTruthy();
      expect(searchParams.get("state")).toBe("s");
    }
    expect(await fake.authorize(url)).toContain(`error=${error}`);
    expect(await fake.deny(url)).toContain(`error=${error}`);
  });

  test.each([
    ["role_connections.write", {}, 302],
    ["role_connections.write", PKCE, 400],
    ["role_connections.write", { ...PKCE, code_challenge: "whatever" }, 400],
    ["role_connections.write", { response_type: "token" }, 400],
    ["role_connections.write", { ...PUBLIC, ...PKCE }, 400],
    ["role_connections.write", PUBLIC, 400],
    ["webhook.incoming", {}, 302],
    ["webhook.incoming", PKCE, 302],
    ["webhook.incoming", { response_type: "token" }, 400],
    ["applications.commands.update", {}, 400],
    ["applications.commands.update", { response_type: "token" }, 400],
    ["bot", { response_type: "token" }, 302],
  ])("for %s with %j gets the platform's response", async (scope, params, status) => {
    const fake = smallPlatform();
    const url = authorizeLink(fake, { scope: `identify ${scope}`, ...params });
    const callback = await fake.authorize(url);
    const error = "error=invalid_scope&error_description=" +
      "The+requested+scope+is+invalid%2C+unknown%2C+or+malformed.";
    expect(callback.includes(error)).toBe(status === 400);
    expect(/[#?&](code|access_token)=/.test(callback)).toBe(status === 302);
    // No page.
    expect((await openPage(fake, url)).status).toBe(status === 400 ? 302 : 200);
  });

  test("gets the error of an invalid scope in the fragment with the implicit grant", async () => {
    const fake = smallPlatform();
    const scope = "identify role_connections.write";
    expect(await fake.authorize(authorizeLink(fake, { scope, response_type: "token" }))).toBe(
      "https://app.example/cb#error=invalid_scope&error_description=" +
        "The+requested+scope+is+invalid%2C+unknown%2C+or+malformed." +
        "&iss=https%3A%2F%2Fplatform.test",
    );
  });

  test("accepts prompt=consent, every documented scope, and extra scopes", async () => {
    const approvedScopes = [...approvalScopes];
    const fake = smallPlatform({
      applications: [{ ...APP, approvedScopes }],
      extraScopes: ["brand.new"],
    });
    const scopes = (await discordScopes()).concat("openid", "brand.new")
      .filter((scope) => scope !== "applications.commands.update").join(" ");
    const url = authorizeLink(fake, { scope: scopes, prompt: "consent" });
    expect(new URL(await fake.authorize(url)).searchParams.has("code")).toBe(true);
    expect(await (await openPage(fake, url)).text()).toContain("<li>brand.new</li>");
  });

  test("may use each of ten redirect URIs", async () => {
    const redirectUris = Array.from({ length: 10 }, (_, at) => `https://app.example/${at}`);
    const fake = smallPlatform({ applications: [{ ...APP, redirectUris }] });
    for (const redirect_uri of redirectUris) {
      expect(await fake.authorize(authorizeLink(fake, { redirect_uri }))).toContain(redirect_uri);
    }
  });

  test.each(inherited)("can ask for a scope named %s", async (scope) => {
    const fake = smallPlatform({ extraScopes: [scope] });
    const page = await openPage(fake, authorizeLink(fake, { scope }));
    expect(await page.text()).toContain(`<li>${scope}</li>`);
  });

  test("uses the first of several redirect URIs if it names none", async () => {
    const fake = smallPlatform();
    const url = authorizeLink(fake, {
      client_id: "200",
      redirect_uri: undefined,
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
    });
    expect(await fake.authorize(url)).toMatch(/^https:\/\/spa\.example\/\?code=/);
  });

  test("asks for the application's install settings with only the client id, by default for commands without a bot", async () => {
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

  test("gives a code without a redirect URI if it names none", async () => {
    const fake = smallPlatform();
    const callback = await fake.authorize(authorizeLink(fake, { redirect_uri: undefined }));
    expect(callback).toMatch(/^https:\/\/app\.example\/cb\?code=/);
    const code = new URL(callback).searchParams.get("code") ?? "";
    expect((await requestToken(fake, { code })).status).toBe(200);
  });
});

async function discordScopes(): Promise<string[]> {
  const { OAuth2Scopes } = await import("discord-api-types/v10");
  return Object.values(OAuth2Scopes).map(String);
}
