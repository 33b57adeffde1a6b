import { describe, expect, test } from "vitest";
import type { FakeGuild, FakePlatform } from "../../../src/testing/mod.ts";
import {
  APP,
  basicAuth,
  bearerToken,
  type Json,
  readJson,
  requestToken,
  smallPlatform,
  USER_AGENT,
} from "../small_platform.ts";

const guilds: FakeGuild[] = [
  { id: "70", name: "Looms", bots: { "100": "8" } },
  { id: "71", name: "Without the bot" },
];

function send(
  fake: FakePlatform,
  method: string,
  path: string,
  body?: unknown,
  authorization = "Bot bot-token",
): Promise<Response> {
  return fake.fetch(fake.platform.apiUrl + path, {
    method,
    headers: { ...USER_AGENT, authorization },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

const ping = { name: "ping", description: "Says pong" };

describe.each(["/applications/100", "/applications/100/guilds/70"])(
  "The commands at %s",
  (application) => {
    const path = `${application}/commands`;

    test("are created, overwritten by name, read, changed and deleted", async () => {
      const fake = smallPlatform({ guilds });
      const created = await send(fake, "POST", path, {
        ...ping,
        options: [{ type: 3, name: "text", description: "What to say" }],
        contexts: [0],
        name_localizations: { de: "ping" },
        description_localizations: null,
        default_member_permissions: 32,
      });
      expect(created.status).toBe(201);
      const command = await readJson(created);
      expect(command).toMatchObject({
        ...ping,
        id: expect.stringMatching(/^\d+$/),
        application_id: "100",
        type: 1,
        default_member_permissions: "32",
        nsfw: false,
        options: [{ name: "text" }],
        name_localizations: { de: "ping" },
      });
      expect("guild_id" in command).toBe(application.includes("guilds"));
      expect("contexts" in command).toBe(!application.includes("guilds"));
      const again = await send(fake, "POST", path, { ...ping, nsfw: true });
      expect(again.status).toBe(200);
      expect(await readJson(again)).toMatchObject({ id: command["id"], nsfw: true });
      const one = `${path}/${command["id"]}`;
      expect(await readJson(send(fake, "GET", one))).toMatchObject(ping);
      expect(await readJson(send(fake, "PATCH", one, { name: "pong", type: 2 })))
        .toMatchObject({ id: command["id"], type: 1, name: "pong", description: "Says pong" });
      expect(await readJson(send(fake, "PATCH", one, { description: "Says ping" })))
        .toMatchObject({ name: "pong", description: "Says ping" });
      expect((await send(fake, "DELETE", one)).status).toBe(204);
      for (const method of ["GET", "PATCH", "DELETE"]) {
        const response = await send(fake, method, one, method === "PATCH" ? {} : undefined);
        expect([response.status, await readJson(response)])
          .toEqual([404, { message: "Unknown application command", code: 10063 }]);
      }
    });

    test("are replaced as a whole, and keep the ids of their names", async () => {
      const fake = smallPlatform({ guilds });
      const first = await readJson(send(fake, "POST", path, ping));
      await send(fake, "POST", path, { name: "High Five", type: 2, description: "left out" });
      const list: Json[] = [ping, { name: "Challenge", type: 3 }, {
        name: "go",
        type: 4,
        handler: 2,
      }];
      const commands = await (await send(fake, "PUT", path, list)).json();
      expect(commands).toMatchObject([
        { id: first["id"], name: "ping" },
        { name: "Challenge", description: "" },
        { name: "go", handler: 2 },
      ]);
      expect(await (await send(fake, "GET", path)).json()).toEqual(commands);
      expect(await (await send(fake, "PUT", path, [])).json()).toEqual([]);
    });

    test("have their translations in a list only if the query asks for them", async () => {
      const fake = smallPlatform({ guilds });
      await send(fake, "POST", path, { ...ping, name_localizations: { de: "klingel" } });
      expect((await (await send(fake, "GET", path)).json())[0])
        .not.toHaveProperty("name_localizations");
      expect((await (await send(fake, "GET", `${path}?with_localizations=true`)).json())[0])
        .toMatchObject({ name_localizations: { de: "klingel" } });
    });

    test("have names of their own, and a maximum number", async () => {
      const fake = smallPlatform({ guilds });
      await send(fake, "POST", path, ping);
      const { id } = await readJson(send(fake, "POST", path, { ...ping, name: "pong" }));
      const taken = await send(fake, "PATCH", `${path}/${id}`, { name: "ping" });
      expect([taken.status, await readJson(taken)]).toMatchObject([400, { code: 40041 }]);
      const many = Array.from({ length: 15 }, (_, n) => ({ name: `User ${n}`, type: 2 }));
      expect((await send(fake, "PUT", path, many)).status).toBe(200);
      const full = await send(fake, "POST", path, { name: "One more", type: 2 });
      expect([full.status, await readJson(full)]).toMatchObject([400, { code: 30032 }]);
      expect((await send(fake, "POST", path, { name: "User 3", type: 2 })).status).toBe(200);
    });

    test.each([
      [{}, { name: { _errors: [{ code: "BASE_TYPE_REQUIRED" }] } }],
      [{ ...ping, name: "Ping" }, {
        name: { _errors: [{ code: "APPLICATION_COMMAND_INVALID_NAME" }] },
      }],
      [{ ...ping, name: "two words" }, { name: {} }],
      [{ ...ping, name: "" }, { name: {} }],
      [{ ...ping, name: "x".repeat(33) }, { name: {} }],
      [{ ...ping, type: 5 }, { type: {} }],
      [{ ...ping, type: "1" }, { type: {} }],
      [{ name: "ping" }, { description: {} }],
      [{ ...ping, description: "x".repeat(101) }, { description: {} }],
      [{ ...ping, options: {} }, { options: {} }],
      [{ ...ping, options: Array(26).fill({}) }, { options: {} }],
      [{ ...ping, default_member_permissions: "all" }, { default_member_permissions: {} }],
    ])("are not made of %j", async (body, errors) => {
      const fake = smallPlatform({ guilds });
      const response = await send(fake, "POST", path, body);
      expect([response.status, await readJson(response)])
        .toMatchObject([400, { code: 50035, errors }]);
      const inList = await readJson(send(fake, "PUT", path, [ping, body]));
      expect(inList).toMatchObject({ errors: { 1: errors } });
      expect(await (await send(fake, "GET", path)).json()).toEqual([]);
    });

    test("belong to the bot, or to a token of client credentials of the application", async () => {
      const fake = smallPlatform({ guilds });
      const form = { grant_type: "client_credentials", scope: "applications.commands.update" };
      const { access_token } = await readJson(
        requestToken(fake, form, { authorization: basicAuth(APP.id, APP.secret) }),
      );
      const token = `Bearer ${access_token}`;
      expect((await send(fake, "POST", path, ping, token)).status).toBe(201);
      expect((await send(fake, "GET", path, undefined, bearerToken(fake, ["identify"]))).status)
        .toBe(401);
      const other = await send(fake, "GET", path.replace("100", "200"));
      expect([other.status, await readJson(other)]).toMatchObject([403, { code: 50001 }]);
    });
  },
);

describe("The commands in a guild", () => {
  test("need the bot in the guild", async () => {
    const fake = smallPlatform({ guilds });
    expect((await send(fake, "GET", "/applications/100/guilds/71/commands")).status).toBe(403);
    expect((await send(fake, "GET", "/applications/100/guilds/72/commands")).status).toBe(404);
  });
});
