import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createFailureQueue } from "../../../src/testing/faults/failures.ts";
import { createRateLimits } from "../../../src/testing/faults/rate_limits.ts";
import { authorizeAs } from "../../../src/testing/person/decisions.ts";
import { createServer } from "../../../src/testing/server.ts";
import { buildWorld } from "../../../src/testing/world/build_world.ts";
import { ForgetfulMap } from "../../../src/testing/world/forgetful_map.ts";
import { revokeAuthorization } from "../../../src/testing/world/tokens.ts";
import { sampleApplication } from "../../../src/testing/mod.ts";
import { basicAuth, USER_AGENT } from "../small_platform.ts";

describe("ForgetfulMap", () => {
  test("forgets ended entries after every 1,000 sets, and keeps the others", () => {
    let now = 0;
    const map = new ForgetfulMap<number>((endsAt) => endsAt <= now);
    for (let at = 0; at < 999; at++) map.set(String(at), at);
    now = 500;
    expect(map.size).toBe(999);
    expect(map.get("0")).toBe(0);
    map.set("999", 999);
    expect([...map.keys()]).toEqual(Array.from({ length: 499 }, (_, at) => String(at + 501)));
  });

  test("keeps the latest 100,000 entries", () => {
    const map = new ForgetfulMap<number>(() => false);
    for (let at = 0; at < 150_000; at++) {
      map.set(String(at), at);
      if (map.size > 101_000) break;
    }
    expect(map.size).toBe(100_000);
    expect(map.has("49999")).toBe(false);
    expect(map.has("50000")).toBe(true);
    expect(map.has("149999")).toBe(true);
  });
});

describe("A long-running platform", () => {
  beforeEach(() => {
    vi.spyOn(ForgetfulMap.prototype, "set");
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  function createPlatform() {
    let time = Date.UTC(2030, 0, 1);
    const now = () => time;
    const world = buildWorld({ tokenLifetime: 600 }, now);
    const { fetch, requests } = createServer({
      world,
      failures: createFailureQueue(world),
      rateLimits: createRateLimits(undefined, now),
      requireUserAgent: true,
      maxRequests: 1000,
    });
    const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
    const link = `${world.origin}/oauth2/authorize?` + new URLSearchParams({
      response_type: "code",
      client_id: id,
      scope: "identify",
      redirect_uri: redirectUri,
    });
    const post = (path: string, form: Record<string, string>) =>
      fetch(`${world.origin}/api/v10${path}`, {
        method: "POST",
        headers: { ...USER_AGENT, authorization: basicAuth(id, secret) },
        body: new URLSearchParams(form),
      });
    const exchange = async (code: string) =>
      await post("/oauth2/token", {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
      });
    const consent = () => new URL(authorizeAs(world, link, {})).searchParams.get("code") ?? "";
    const readUser = async (token: string) =>
      (await fetch(`${world.origin}/api/v10/users/@me`, {
        headers: { ...USER_AGENT, authorization: `Bearer ${token}` },
      })).status;
    const logIn = async (count: number, millisecondsBetween: number) => {
      for (let at = 0; at < count; at++) {
        time += millisecondsBetween;
        const { access_token } = await (await exchange(consent())).json();
        expect(await readUser(access_token)).toBe(200);
        await post("/oauth2/device/authorize", { scope: "identify" });
      }
    };
    return { world, requests, exchange, consent, readUser, logIn };
  }

  test(
    "keeps the codes, tokens, windows of rate limits and requests of the latest logins only",
    async () => {
      const { world, requests, logIn } = createPlatform();
      await logIn(2500, 10_000);
      const maps = new Set(vi.mocked(ForgetfulMap.prototype.set).mock.contexts);
      // Codes, device codes, access tokens, refresh tokens, and the windows of rate limits.
      expect(maps.size).toBe(5);
      // Some are alive. The others have ended since the last cleaning.
      expect(world.codes.size).toBeLessThanOrEqual(10 + 500);
      expect(world.accessTokens.size).toBeLessThanOrEqual(60 + 500);
      expect(world.deviceLogins.size).toBeLessThanOrEqual(30 + 360 + 500);
      const sizes = [...maps].map((map) => (map as Map<unknown, unknown>).size);
      expect(Math.min(...sizes)).toBeLessThanOrEqual(500);
      expect(requests).toHaveLength(1000);
      // These work until the user removes the application.
      expect(world.refreshTokens.size).toBe(2500);
      for (const { application, user } of world.refreshTokens.values()) {
        revokeAuthorization(world, { application, user });
        break;
      }
      await logIn(500, 0);
      expect(world.refreshTokens.size).toBe(500);
      expect(world.accessTokens.size).toBe(500);
      // All other entries belong to the application and the user, not to a login.
      const others = Object.values(world).filter((value) =>
        value instanceof Map && !maps.has(value)
      );
      for (const { size } of others) expect(size).toBeLessThan(10);
    },
    60_000,
  );

  test(
    "ends the tokens of a code that comes again in its lifetime, and knows an old code no more",
    async () => {
      const { world, exchange, consent, readUser, logIn } = createPlatform();
      const code = consent();
      const { access_token } = await (await exchange(code)).json();
      await logIn(1000, 50);
      expect(await readUser(access_token)).toBe(200);
      expect((await exchange(code)).status).toBe(400);
      expect(await readUser(access_token)).toBe(401);
      await logIn(1000, 200);
      expect(world.codes.has(code)).toBe(false);
      expect((await exchange(code)).status).toBe(400);
    },
    60_000,
  );
});
