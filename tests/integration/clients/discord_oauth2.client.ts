import DiscordOauth2 from "discord-oauth2";
import { expect, test } from "vitest";
import {
  ada,
  consent,
  credentials,
  redirectUri,
  startPlatform,
  statusOf,
} from "./support/platform.ts";

await startPlatform();

test("discord-oauth2 logs in, reads, refreshes and revokes", async () => {
  const client = new DiscordOauth2({
    clientId: credentials.id,
    clientSecret: credentials.secret,
    redirectUri,
    credentials: btoa(`${credentials.id}:${credentials.secret}`),
  });
  const scope = ["identify", "guilds", "connections"];
  const callback = await consent(client.generateAuthUrl({ scope, state: "s7ate" }));
  expect(callback.searchParams.get("state")).toBe("s7ate");

  const first = await client.tokenRequest({
    grantType: "authorization_code",
    code: callback.searchParams.get("code") ?? "",
    scope,
  });
  expect((await client.getUser(first.access_token)).username).toBe(ada.username);
  expect(await client.getUserGuilds(first.access_token)).toHaveLength(4);
  expect(await client.getUserConnections(first.access_token)).toHaveLength(1);

  const second = await client.tokenRequest({
    grantType: "refresh_token",
    refreshToken: first.refresh_token,
    scope,
  });
  expect(await statusOf(second.access_token)).toBe(200);

  await client.revokeToken(second.access_token);
  expect(await statusOf(second.access_token)).toBe(401);
});
