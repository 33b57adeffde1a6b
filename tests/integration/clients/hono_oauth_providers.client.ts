import { discordAuth, refreshToken, revokeToken } from "@hono/oauth-providers/discord";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { CookieJar } from "./support/cookie_jar.ts";
import {
  ada,
  appOrigin,
  consent,
  credentials,
  startPlatform,
  statusOf,
} from "./support/platform.ts";

await startPlatform([`${appOrigin}/discord`]);

const app = new Hono();
app.use(
  "/discord",
  discordAuth({
    client_id: credentials.id,
    client_secret: credentials.secret,
    scope: ["identify", "email"],
  }),
);
app.get("/discord", (context) =>
  context.json({
    user: context.get("user-discord"),
    scopes: context.get("granted-scopes"),
    token: context.get("token")?.token,
    refreshToken: context.get("refresh-token")?.token,
  }));

test("@hono/oauth-providers logs in, reads, refreshes and revokes", async () => {
  const jar = new CookieJar();
  const start = jar.keep(await app.request(`${appOrigin}/discord`));
  const callback = await consent(start.headers.get("location") ?? "");
  const response = await app.request(callback.href, { headers: { cookie: jar.header } });
  expect(response.status).toBe(200);
  const login = await response.json();
  expect(login).toMatchObject({
    user: { id: ada.id, username: ada.username },
    scopes: ["identify", "email"],
  });
  const second = await refreshToken(credentials.id, credentials.secret, login.refreshToken);
  if (!("access_token" in second)) throw new Error("The refresh gave no token");
  expect(await statusOf(second.access_token)).toBe(200);
  expect(await revokeToken(credentials.id, credentials.secret, second.access_token)).toBe(true);
  expect(await statusOf(second.access_token)).toBe(401);
});
