import { createRestManager } from "@discordeno/rest";
import { expect, test } from "vitest";
import { sampleApplication, sampleGuilds } from "../../../src/testing/mod.ts";
import {
  ada,
  consent,
  credentials,
  redirectUri,
  startPlatform,
  statusOf,
} from "./support/platform.ts";

await startPlatform();

test("@discordeno/rest logs in, reads, refreshes and revokes", async () => {
  const rest = createRestManager({ token: sampleApplication.botToken });
  // The library builds no authorize link.
  const link = "https://discord.com/oauth2/authorize?" + new URLSearchParams({
    response_type: "code",
    client_id: credentials.id,
    scope: "identify guilds",
    redirect_uri: redirectUri,
  });
  const first = await rest.exchangeToken(credentials.id, credentials.secret, {
    grantType: "authorization_code",
    code: (await consent(link)).searchParams.get("code") ?? "",
    redirectUri,
  });
  expect((await rest.getCurrentUser(first.accessToken)).username).toBe(ada.username);
  expect((await rest.getCurrentAuthenticationInfo(first.accessToken)).scopes).toEqual([
    "identify",
    "guilds",
  ]);

  const second = await rest.exchangeToken(credentials.id, credentials.secret, {
    grantType: "refresh_token",
    refreshToken: first.refreshToken,
  });
  expect(await statusOf(second.accessToken)).toBe(200);

  await rest.revokeToken(credentials.id, credentials.secret, { token: second.accessToken });
  expect(await statusOf(second.accessToken)).toBe(401);
});

test("@discordeno/rest reads a guild as a bot", async () => {
  const rest = createRestManager({ token: sampleApplication.botToken });
  expect((await rest.getGuild(sampleGuilds[0].id)).name).toBe(sampleGuilds[0].name);
});
