import { AuthorizationCode, type ModuleOptions } from "simple-oauth2";
import { expect, test } from "vitest";
import {
  consent,
  credentials,
  redirectUri,
  startPlatform,
  statusOf,
  userAgent,
} from "./support/platform.ts";

await startPlatform();

// The library has no addresses of its own. These are from the platform's documentation.
const settings: ModuleOptions = {
  client: credentials,
  auth: {
    tokenHost: "https://discord.com",
    tokenPath: "/api/oauth2/token",
    revokePath: "/api/oauth2/token/revoke",
    authorizePath: "/oauth2/authorize",
  },
};

async function logIn(client: AuthorizationCode): Promise<string> {
  const link = client.authorizeURL({
    redirect_uri: redirectUri,
    scope: ["identify", "guilds"],
    state: "s7ate",
  });
  const callback = await consent(link);
  expect(callback.searchParams.get("state")).toBe("s7ate");
  return callback.searchParams.get("code") ?? "";
}

test.each(["header", "body"] as const)(
  "simple-oauth2 logs in, refreshes and revokes, with credentials in the %s",
  async (authorizationMethod) => {
    const client = new AuthorizationCode({
      ...settings,
      options: { authorizationMethod },
      http: { headers: { "user-agent": userAgent } },
    });
    const first = await client.getToken({ code: await logIn(client), redirect_uri: redirectUri });
    expect(first.expired()).toBe(false);
    expect(first.token["scope"]).toBe("identify guilds");

    const second = await first.refresh();
    expect(await statusOf(String(second.token["access_token"]))).toBe(200);

    await second.revoke("access_token");
    expect(await statusOf(String(second.token["access_token"]))).toBe(401);
  },
);

// This is a limit of simple-oauth2: it sends no `User-Agent`, which the platform demands, unless the application adds one.
test("simple-oauth2 is blocked by the edge without a User-Agent", async () => {
  const client = new AuthorizationCode(settings);
  const code = await logIn(client);
  await expect(client.getToken({ code, redirect_uri: redirectUri })).rejects.toThrow(
    "403 Forbidden",
  );
});
