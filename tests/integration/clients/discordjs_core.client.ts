import { API } from "@discordjs/core/http-only";
import { REST } from "@discordjs/rest";
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

test("@discordjs/core logs in, reads, refreshes and revokes", async () => {
  const { oauth2 } = new API(new REST());
  const callback = await consent(oauth2.generateAuthorizationURL({
    client_id: credentials.id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "identify guilds",
    state: "s7ate",
  }));
  expect(callback.searchParams.get("state")).toBe("s7ate");
  const application = { client_id: credentials.id, client_secret: credentials.secret };

  const first = await oauth2.tokenExchange({
    ...application,
    grant_type: "authorization_code",
    code: callback.searchParams.get("code") ?? "",
    redirect_uri: redirectUri,
  });
  const api = new API(new REST({ authPrefix: "Bearer" }).setToken(first.access_token));
  expect((await api.users.getCurrent()).username).toBe(ada.username);
  expect(await api.users.getGuilds()).toHaveLength(4);
  expect((await api.oauth2.getCurrentAuthorizationInformation()).scopes).toEqual([
    "identify",
    "guilds",
  ]);

  const second = await oauth2.refreshToken({
    ...application,
    grant_type: "refresh_token",
    refresh_token: first.refresh_token,
  });
  expect(await statusOf(second.access_token)).toBe(200);

  await oauth2.revokeToken(credentials.id, credentials.secret, { token: second.access_token });
  expect(await statusOf(second.access_token)).toBe(401);
});

test("@discordjs/core reads a guild as a bot, with its counts", async () => {
  const api = new API(new REST().setToken(sampleApplication.botToken));
  const guild = await api.guilds.get(sampleGuilds[0].id, { with_counts: true });
  expect(guild.name).toBe(sampleGuilds[0].name);
  expect(guild.approximate_member_count).toBe(1843);
});
