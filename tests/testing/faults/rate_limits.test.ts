import { describe, expect, test } from "vitest";
import {
  bearerToken,
  get,
  LOOMS,
  postForm,
  readJson,
  smallPlatform,
  USER_AGENT,
} from "../small_platform.ts";

describe("rate limits", () => {
  test("are shown in the headers of every API response", async () => {
    const fake = smallPlatform({ now: () => 10_000, rateLimits: { limit: 5, windowMs: 2500 } });
    const token = bearerToken(fake, ["identify"]);
    const first = await get(fake, "/users/@me", token);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "x-ratelimit-limit": "5",
      "x-ratelimit-remaining": "4",
      "x-ratelimit-reset": "12.500",
      "x-ratelimit-reset-after": "2.500",
      "x-ratelimit-bucket": expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    fake.advance(500);
    const second = await get(fake, "/users/@me", token);
    expect(second.headers.get("x-ratelimit-remaining")).toBe("3");
    expect(second.headers.get("x-ratelimit-reset-after")).toBe("2.000");
    expect(second.headers.get("x-ratelimit-bucket")).toBe(first.headers.get("x-ratelimit-bucket"));
    for (const path of ["/nowhere", "/oauth2/token", "/users/@me/connections"]) {
      const other = await get(fake, path, token);
      expect(other.headers.get("x-ratelimit-remaining")).toBe("4");
      expect(other.headers.get("x-ratelimit-bucket"))
        .not.toBe(first.headers.get("x-ratelimit-bucket"));
    }
  });

  test("cause a 429 until the window ends", async () => {
    const fake = smallPlatform({ now: () => 0, rateLimits: { limit: 1, windowMs: 1500 } });
    const token = bearerToken(fake, ["identify"]);
    expect((await get(fake, "/users/@me", token)).status).toBe(200);
    const refusal = await get(fake, "/users/@me", token);
    expect(refusal.status).toBe(429);
    expect(Object.fromEntries(refusal.headers)).toMatchObject({
      "retry-after": "2",
      "x-ratelimit-scope": "user",
      "x-ratelimit-limit": "1",
      "x-ratelimit-remaining": "0",
    });
    expect(refusal.headers.has("x-ratelimit-global")).toBe(false);
    expect(await readJson(refusal)).toEqual({
      message: "You are being rate limited.",
      retry_after: 1.5,
      global: false,
    });
    fake.advance(1500);
    expect((await get(fake, "/users/@me", token)).status).toBe(200);
  });

  test("count each token, method and guild separately", async () => {
    const fake = smallPlatform({ now: () => 0, rateLimits: { limit: 1 } });
    expect((await get(fake, "/users/@me", bearerToken(fake, ["identify"]))).status).toBe(200);
    expect((await get(fake, "/users/@me", bearerToken(fake, ["identify"]))).status).toBe(200);
    expect((await get(fake, "/guilds/1", "Bot bot-token")).status).toBe(404);
    expect((await get(fake, "/guilds/2", "Bot bot-token")).status).toBe(404);
    expect((await get(fake, "/guilds/2", "Bot bot-token")).status).toBe(429);
    expect((await get(fake, "/oauth2/keys")).status).toBe(200);
    expect((await get(fake, "/oauth2/keys")).status).toBe(429);
    expect((await postForm(fake, "/oauth2/keys", {})).status).toBe(405);
  });

  test("allow one list of guilds a second for each token if they are {}", async () => {
    const fake = smallPlatform({ now: () => 0, rateLimits: {} });
    const token = bearerToken(fake, ["guilds"]);
    expect((await get(fake, "/users/@me/guilds", token)).status).toBe(200);
    const refusal = await get(fake, "/users/@me/guilds", token);
    expect([refusal.status, refusal.headers.get("retry-after")]).toEqual([429, "1"]);
    const unversioned = await fake.fetch("/api/users/@me/guilds", {
      headers: { ...USER_AGENT, authorization: token },
    });
    expect(unversioned.status).toBe(429);
    const other = bearerToken(fake, ["guilds"]);
    expect((await get(fake, "/users/@me/guilds", other)).status).toBe(200);
    fake.advance(1000);
    expect((await get(fake, "/users/@me/guilds", token)).status).toBe(200);
  });

  test.each([["without options", undefined], ["with {}", {}]])(
    "allow five reads of memberships in 300 seconds for each token, all guilds together, %s",
    async (_, rateLimits) => {
      const fake = smallPlatform({
        now: () => 0,
        rateLimits,
        guilds: [LOOMS, { ...LOOMS, id: "71" }],
      });
      const token = bearerToken(fake, ["guilds.members.read"]);
      const read = (at: number) =>
        get(fake, `/users/@me/guilds/${at % 2 ? "71" : "70"}/member`, token);
      for (const remaining of ["4", "3", "2", "1", "0"]) {
        const response = await read(Number(remaining));
        expect([response.status, response.headers.get("x-ratelimit-limit")]).toEqual([200, "5"]);
        expect(response.headers.get("x-ratelimit-remaining")).toBe(remaining);
        expect(response.headers.get("x-ratelimit-reset-after")).toBe("300.000");
      }
      for (const at of [0, 1]) {
        const refusal = await read(at);
        expect([refusal.status, refusal.headers.get("retry-after")]).toEqual([429, "300"]);
        expect(refusal.headers.get("x-ratelimit-scope")).toBe("user");
        expect(await readJson(refusal)).toMatchObject({ retry_after: 300, global: false });
      }
      const other = bearerToken(fake, ["guilds.members.read"]);
      expect((await get(fake, "/users/@me/guilds/70/member", other)).status).toBe(200);
      fake.advance(299_999);
      expect((await read(0)).status).toBe(429);
      fake.advance(1);
      expect((await read(0)).status).toBe(200);
    },
  );

  test("allow more reads of memberships with a limit for that route", async () => {
    const routes = { "GET /users/@me/guilds/{guild_id}/member": { limit: 6 } };
    const fake = smallPlatform({ rateLimits: { routes } });
    const token = bearerToken(fake, ["guilds.members.read"]);
    for (let request = 0; request < 6; request += 1) {
      expect((await get(fake, "/users/@me/guilds/70/member", token)).status).toBe(200);
    }
  });

  test("allow more lists of guilds with a limit for that route, and without limits", async () => {
    const told = { routes: { "GET /users/@me/guilds": { limit: 2 } } };
    for (const fake of [smallPlatform({ rateLimits: told }), smallPlatform()]) {
      const token = bearerToken(fake, ["guilds"]);
      for (let request = 0; request < 2; request += 1) {
        expect((await get(fake, "/users/@me/guilds", token)).status).toBe(200);
      }
    }
  });

  test("can differ by route, and can be global", async () => {
    const fake = smallPlatform({
      now: () => 0,
      rateLimits: {
        routes: { "GET /users/@me/guilds": { limit: 1 } },
        global: { limit: 3, windowMs: 60_000 },
      },
    });
    const token = bearerToken(fake, ["identify", "guilds"]);
    expect((await get(fake, "/users/@me/guilds", token)).status).toBe(200);
    expect((await get(fake, "/users/@me/guilds", token)).status).toBe(429);
    const third = await get(fake, "/users/@me", token);
    expect(third.headers.get("x-ratelimit-limit")).toBe("1000");
    expect(third.headers.get("x-ratelimit-reset-after")).toBe("1.000");
    const refusal = await get(fake, "/users/@me", token);
    expect(refusal.status).toBe(429);
    expect(refusal.headers.get("x-ratelimit-global")).toBe("true");
    expect(refusal.headers.get("x-ratelimit-scope")).toBe("global");
    expect(refusal.headers.get("retry-after")).toBe("60");
    expect(await readJson(refusal)).toMatchObject({ global: true, retry_after: 60 });
    expect((await get(fake, "/users/@me", bearerToken(fake, ["identify"]))).status).toBe(200);
  });
});
