import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import passport, { type Strategy } from "passport";
import { afterAll, expect, test } from "vitest";
import {
  ada,
  consent,
  credentials,
  redirectUri,
  startPlatform,
  statusOf,
} from "./support/platform.ts";

await startPlatform();

/** The profile that passport-discord passes to the application. The package has no types. */
interface Profile {
  readonly id: string;
  readonly username: string;
  readonly provider: string;
  readonly guilds: readonly unknown[];
  readonly connections: readonly unknown[];
}

type Verify = (
  accessToken: string,
  refreshToken: string,
  profile: Profile,
  done: (error: unknown, user: unknown) => void,
) => void;

const { Strategy: DiscordStrategy } = createRequire(import.meta.url)("passport-discord") as {
  readonly Strategy: new (options: object, verify: Verify) => Strategy;
};

passport.use(
  new DiscordStrategy({
    clientID: credentials.id,
    clientSecret: credentials.secret,
    callbackURL: redirectUri,
    scope: ["identify", "guilds", "connections"],
  }, (accessToken, refreshToken, profile, done) => {
    done(null, { accessToken, refreshToken, profile });
  }),
);

const authenticate = passport.authenticate("discord", { session: false });
const server = createServer(
  (request: IncomingMessage & { query?: object; user?: unknown }, response: ServerResponse) => {
    request.query = Object.fromEntries(new URL(request.url ?? "", redirectUri).searchParams);
    authenticate(request, response, (error: unknown) => {
      response.end(JSON.stringify({ user: request.user, error: error && String(error) }));
    });
  },
);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test("passport-discord logs in, and reads the user, the guilds and the connections", async () => {
  const start = await fetch(`${origin}/callback`, { redirect: "manual" });
  const link = start.headers.get("location") ?? "";
  expect(link).toMatch(/^https:\/\/discord\.com\/api\/oauth2\/authorize\?/);
  const callback = await consent(link);
  const { user, error } = await (await fetch(`${origin}/callback${callback.search}`)).json();
  expect(error).toBeUndefined();
  expect(user.profile).toMatchObject({
    id: ada.id,
    username: ada.username,
    provider: "discord",
  });
  expect(user.profile.guilds).toHaveLength(4);
  expect(user.profile.connections).toHaveLength(1);
  expect(user.refreshToken).toMatch(/^fake_refresh_/);
  expect(await statusOf(user.accessToken)).toBe(200);
});
