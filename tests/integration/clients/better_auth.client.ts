import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
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

await startPlatform([`${appOrigin}/api/auth/callback/discord`]);

const auth = betterAuth({
  baseURL: appOrigin,
  secret: "a secret of these tests, long enough for it",
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  socialProviders: {
    discord: { clientId: credentials.id, clientSecret: credentials.secret },
  },
  telemetry: { enabled: false },
});

const jar = new CookieJar();

async function call(path: string, body?: object): Promise<Response> {
  const headers = { "cookie": jar.header, "origin": appOrigin, "content-type": "application/json" };
  return jar.keep(
    await auth.handler(
      new Request(
        new URL(path, appOrigin),
        body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers },
      ),
    ),
  );
}

test("better-auth logs in, reads and refreshes", async () => {
  const start = await (await call("/api/auth/sign-in/social", {
    provider: "discord",
    callbackURL: "/welcome",
  })).json();
  const callback = await consent(start.url);
  const response = await call(callback.href);
  expect([response.status, response.headers.get("location")]).toEqual([302, "/welcome"]);

  const session = await (await call("/api/auth/get-session")).json();
  expect(session.user).toMatchObject({
    name: ada.global_name,
    email: ada.email,
    emailVerified: true,
    image: `https://cdn.discordapp.com/avatars/${ada.id}/${ada.avatar}.gif`,
  });
  expect((await fetch(session.user.image)).status).toBe(200);

  const [account] = await (await call("/api/auth/list-accounts")).json();
  const accountId = account.id;
  const first = await (await call("/api/auth/get-access-token", { accountId })).json();
  expect(await statusOf(first.accessToken)).toBe(200);
  const second = await (await call("/api/auth/refresh-token", { accountId })).json();
  expect(second.accessToken).not.toBe(first.accessToken);
  expect(await statusOf(second.accessToken)).toBe(200);
});
