import { describe, expect, test } from "vitest";
import type { PartialGuildPayload } from "../../src/testing/mod.ts";
import {
  createFakePlatform,
  sampleApplication,
  sampleGuilds,
  sampleUsers,
} from "../../src/testing/mod.ts";
import {
  ADA,
  APP,
  authorizeLink,
  basicAuth,
  bearerToken,
  get,
  LOOMS,
  readJson,
  requestToken,
  smallPlatform,
} from "./small_platform.ts";

describe("createFakePlatform()", () => {
  test("has the sample application, users and guilds by default", async () => {
    const fake = createFakePlatform();
    const callback = await fake.authorize(
      authorizeLink(fake, {
        client_id: sampleApplication.id,
        redirect_uri: "http://localhost:8787/callback",
        scope: "identify guilds",
      }),
      { as: "ada" },
    );
    const response = await requestToken(
      fake,
      {
        code: new URL(callback).searchParams.get("code") ?? "",
        redirect_uri: "http://localhost:8787/callback",
      },
      { authorization: basicAuth(sampleApplication.id, sampleApplication.secret) },
    );
    const { access_token } = await readJson(response);
    const me = await readJson(get(fake, "/users/@me", `Bearer ${access_token}`));
    expect(me).toMatchObject({ username: "ada", global_name: "Ada Lovelace", mfa_enabled: true });
    const guilds = await (await get(fake, "/users/@me/guilds", `Bearer ${access_token}`)).json();
    expect(guilds.map((guild: PartialGuildPayload) => guild.permissions)).toEqual([
      "8866461766385663",
      "8",
      "268435494",
      "1799872721571393",
    ]);
    const guild = await get(
      fake,
      `/guilds/${sampleGuilds[0].id}`,
      `Bot ${sampleApplication.botToken}`,
    );
    expect(await readJson(guild)).toMatchObject({
      name: "The Analytical Engine",
      owner_id: sampleUsers[0].id,
    });
  });

  test("has a sample bot token with the application id as first part", () => {
    const [first = ""] = sampleApplication.botToken.split(".");
    expect(atob(first)).toBe(sampleApplication.id);
  });

  test("has the sample guilds without the sample bot for another application", async () => {
    const fake = createFakePlatform({ applications: [{ ...APP, botToken: "other" }] });
    expect(await (await get(fake, "/users/@me/guilds", "Bot other")).json()).toEqual([]);
    const guilds = await get(fake, "/users/@me/guilds", bearerToken(fake, ["guilds"]));
    expect(await guilds.json()).toHaveLength(4);
  });

  test("has no guilds if it gets only users", async () => {
    const fake = createFakePlatform({ users: [ADA] });
    const guilds = await get(fake, "/users/@me/guilds", bearerToken(fake, ["guilds"]));
    expect(await guilds.json()).toEqual([]);
  });

  test("builds its URLs from the given origin", () => {
    expect(createFakePlatform().platform).toEqual({
      authorizeUrl: "https://platform.test/oauth2/authorize",
      apiUrl: "https://platform.test/api/v10",
      cdnUrl: "https://platform.test/cdn",
      issuer: "https://platform.test",
    });
    const { platform } = createFakePlatform({ origin: "http://localhost:8787/" });
    expect(platform.apiUrl).toBe("http://localhost:8787/api/v10");
    expect(Object.isFrozen(platform)).toBe(true);
  });

  test("ignores later changes of the options object", async () => {
    const features = ["COMMUNITY"];
    const fake = smallPlatform({ guilds: [{ ...LOOMS, features }] });
    features.push("HUB");
    const guilds = await get(fake, "/users/@me/guilds", bearerToken(fake, ["guilds"]));
    expect(await guilds.json()).toMatchObject([{ features: ["COMMUNITY"] }]);
  });

  test("shares nothing with another platform", async () => {
    const token = bearerToken(smallPlatform(), ["identify"]);
    expect((await get(smallPlatform(), "/users/@me", token)).status).toBe(401);
  });
});

describe("FakePlatform.advance()", () => {
  test("moves the clock forward", () => {
    const fake = smallPlatform({ now: () => 1000 });
    expect(fake.now()).toBe(1000);
    fake.advance(500);
    fake.advance(0);
    expect(fake.now()).toBe(1500);
  });

  test("starts from the machine's clock by default", () => {
    expect(Math.abs(smallPlatform().now() - Date.now())).toBeLessThan(1000);
  });

  test("refuses a negative time, and a text", () => {
    const message = "milliseconds must be a number, 0 or more, received ";
    expect(() => smallPlatform().advance(-1)).toThrow(new RangeError(`${message}-1`));
    expect(() => smallPlatform().advance(NaN)).toThrow(new RangeError(`${message}NaN`));
    const text: unknown = "1h";
    expect(() => smallPlatform().advance(text as number))
      .toThrow(new RangeError(`${message}"1h"`));
  });
});
