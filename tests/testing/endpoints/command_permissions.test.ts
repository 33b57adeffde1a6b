import { describe, expect, test } from "vitest";
import type { FakeGuild, FakePlatform } from "../../../src/testing/mod.ts";
import { bearerToken, get, readJson, smallPlatform, USER_AGENT } from "../small_platform.ts";

const path = "/applications/100/guilds/70/commands";
const scopes = ["applications.commands.permissions.update"];
const guilds: FakeGuild[] = [
  { id: "70", name: "Looms", members: { "1": { owner: true }, "2": {} }, bots: { "100": "8" } },
  { id: "71", name: "Without the bot", members: { "1": { owner: true } } },
  { id: "72", name: "Without Ada", bots: { "100": "8" } },
];
const everyone = { id: "70", type: 1, permission: false };

function put(
  fake: FakePlatform,
  url: string,
  body: unknown,
  authorization = bearerToken(fake, scopes),
): Promise<Response> {
  return fake.fetch(fake.platform.apiUrl + url, {
    method: "PUT",
    headers: { ...USER_AGENT, authorization },
    body: JSON.stringify(body),
  });
}

/** Creates a command, and returns its id. */
async function createCommand(fake: FakePlatform, url = path): Promise<string> {
  const response = await fake.fetch(fake.platform.apiUrl + url, {
    method: "POST",
    headers: { ...USER_AGENT, authorization: "Bot bot-token" },
    body: JSON.stringify({ name: "ping", description: "Says pong" }),
  });
  return String((await readJson(response))["id"]);
}

describe("The permissions of a command", () => {
  test("are replaced by a person, and read by a person or the bot", async () => {
    const fake = smallPlatform({ guilds });
    const token = bearerToken(fake, scopes);
    const ids = [
      await createCommand(fake),
      await createCommand(fake, "/applications/100/commands"),
      "100",
    ];
    expect(await (await get(fake, `${path}/permissions`, token)).json()).toEqual([]);
    for (const id of ids) {
      const none = await get(fake, `${path}/${id}/permissions`, token);
      expect([none.status, await readJson(none)]).toMatchObject([404, { code: 10066 }]);
      const permissions = [everyone, { id: "2", type: 2, permission: true }];
      const set = { id, application_id: "100", guild_id: "70", permissions };
      await put(fake, `${path}/${id}/permissions`, { permissions: [everyone] });
      expect(await readJson(put(fake, `${path}/${id}/permissions`, { permissions }))).toEqual(set);
      for (const authorization of [token, "Bot bot-token"]) {
        expect(await readJson(get(fake, `${path}/${id}/permissions`, authorization))).toEqual(set);
      }
    }
    expect(await (await get(fake, `${path}/permissions`, token)).json())
      .toMatchObject(ids.map((id) => ({ id })));
  });

  test("go with a command that is deleted or renamed", async () => {
    const fake = smallPlatform({ guilds });
    for (const [method, body] of [["PATCH", { name: "pong" }], ["DELETE", undefined]] as const) {
      const id = await createCommand(fake);
      await put(fake, `${path}/${id}/permissions`, { permissions: [everyone] });
      await fake.fetch(`${fake.platform.apiUrl}${path}/${id}`, {
        method,
        headers: { ...USER_AGENT, authorization: "Bot bot-token" },
        ...(body && { body: JSON.stringify(body) }),
      });
      expect(await (await get(fake, `${path}/permissions`, "Bot bot-token")).json()).toEqual([]);
    }
  });

  test("are changed only by a person who may manage the guild and its roles", async () => {
    const fake = smallPlatform({ guilds });
    const body = { permissions: [everyone] };
    const codeOf = async (...args: Parameters<typeof put>) => {
      const response = await put(...args);
      return [response.status, (await readJson(response))["code"]];
    };
    const url = `${path}/100/permissions`;
    expect(await codeOf(fake, url, body, "Bot bot-token")).toEqual([403, 20001]);
    expect(await codeOf(fake, url, body, bearerToken(fake, ["identify"]))).toEqual([401, 0]);
    expect(await codeOf(fake, url, body, bearerToken(fake, scopes, "bob"))).toEqual([403, 50013]);
    expect(await codeOf(fake, url.replace("70", "71"), body)).toEqual([403, 50001]);
    expect(await codeOf(fake, url.replace("70", "72"), body)).toEqual([403, 50001]);
    expect(await codeOf(fake, url.replace("70", "73"), body)).toEqual([404, 10004]);
    expect(await codeOf(fake, url.replace("100/g", "200/g"), body)).toEqual([403, 50001]);
    expect(await codeOf(fake, `${path}/5/permissions`, body)).toEqual([404, 10063]);
    expect((await get(fake, `${path}/5/permissions`, "Bot bot-token")).status).toBe(404);
  });

  test.each([
    [{}, { permissions: {} }],
    [{ permissions: Array(101).fill(everyone) }, { permissions: {} }],
    [{ permissions: [everyone, { ...everyone, id: "@everyone" }] }, {
      permissions: { 1: { id: {} } },
    }],
    [{ permissions: [{ ...everyone, type: 4 }] }, { permissions: { 0: { type: {} } } }],
    [{ permissions: [{ ...everyone, permission: 1 }] }, { permissions: { 0: { permission: {} } } }],
    [{ permissions: [null] }, { permissions: { 0: { id: {} } } }],
  ])("are not made of %j", async (body, errors) => {
    const fake = smallPlatform({ guilds });
    const response = await put(fake, `${path}/100/permissions`, body);
    expect([response.status, await readJson(response)]).toMatchObject([400, {
      code: 50035,
      errors,
    }]);
  });
});
