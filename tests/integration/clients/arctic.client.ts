import { Discord, generateCodeVerifier, generateState } from "arctic";
import { expect, test } from "vitest";
import { consent, credentials, redirectUri, startPlatform, statusOf } from "./support/platform.ts";

await startPlatform();

test("arctic logs in, refreshes and revokes", async () => {
  const discord = new Discord(credentials.id, credentials.secret, redirectUri);
  const [state, verifier] = [generateState(), generateCodeVerifier()];
  const callback = await consent(discord.createAuthorizationURL(state, verifier, ["identify"]));
  expect(callback.searchParams.get("state")).toBe(state);

  const code = callback.searchParams.get("code") ?? "";
  const first = await discord.validateAuthorizationCode(code, verifier);
  expect(first.scopes()).toEqual(["identify"]);
  expect(first.accessTokenExpiresInSeconds()).toBe(604_800);
  expect(await statusOf(first.accessToken())).toBe(200);

  const second = await discord.refreshAccessToken(first.refreshToken());
  expect(await statusOf(second.accessToken())).toBe(200);

  await discord.revokeToken(second.accessToken());
  expect(await statusOf(second.accessToken())).toBe(401);
});

test("arctic gets an OAuth error for a used code", async () => {
  const discord = new Discord(credentials.id, credentials.secret, redirectUri);
  const callback = await consent(discord.createAuthorizationURL("s", null, ["identify"]));
  const code = callback.searchParams.get("code") ?? "";
  await discord.validateAuthorizationCode(code, null);
  await expect(discord.validateAuthorizationCode(code, null)).rejects.toMatchObject({
    name: "Error",
    code: "invalid_grant",
  });
});
