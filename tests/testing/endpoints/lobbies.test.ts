import { describe, expect, test } from "vitest";
import type { FakeGuild, FakePlatform } from "../../../src/testing/mod.ts";
import { bearerToken, type Json, readJson, smallPlatform, USER_AGENT } from "../small_platform.ts";

const guilds: FakeGuild[] = [{
  id: "70",
  name: "Looms",
  channels: [{ id: "77", name: "looms" }],
  members: { "1": { owner: true }, "2": {} },
  bots: { "100": "8" },
}];

function platform() {
  const fake = smallPlatform({ guilds });
  const tokenOf = (as: string) => bearerToken(fake, ["sdk.social_layer"], as);
  return { fake, ada: tokenOf("ada"), bob: tokenOf("bob") };
}

function send(
  fake: FakePlatform,
  method: string,
  path: string,
  authorization: string,
  body?: unknown,
): Promise<Response> {
  return fake.fetch(fake.platform.apiUrl + path, {
    method,
    headers: { ...USER_AGENT, authorization },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function statusAndCode(response: Promise<Response>): Promise<[number, unknown]> {
  const { status } = await response;
  return [status, (await readJson(response))["code"]];
}

describe("A lobby with a secret", () => {
  test("is created by its first person and joined by the next", async () => {
    const { fake, ada, bob } = platform();
    const created = await readJson(send(fake, "PUT", "/lobbies", ada, {
      secret: "s",
      idle_timeout_seconds: 300,
      lobby_metadata: { topic: "redstone" },
      member_metadata: { level: "3" },
    }));
    expect(created).toEqual({
      id: expect.stringMatching(/^\d+$/),
      application_id: "100",
      metadata: { topic: "redstone" },
      flags: 0,
      members: [{ id: "1", metadata: { level: "3" }, flags: 0 }],
    });
    expect(await readJson(send(fake, "PUT", "/lobbies", bob, { secret: "s" }))).toMatchObject({
      id: created["id"],
      metadata: { topic: "redstone" },
      members: [{ id: "1" }, { id: "2", metadata: null }],
    });
    expect(
      await readJson(send(fake, "PUT", "/lobbies", bob, { secret: "s", lobby_metadata: null })),
    )
      .toMatchObject({ id: created["id"], metadata: null });
    expect((await readJson(send(fake, "PUT", "/lobbies", bob, { secret: "t" })))["id"])
      .not.toBe(created["id"]);
  });

  test.each([
    [{}, { secret: {} }],
    [{ secret: "" }, { secret: {} }],
    [{ secret: "x".repeat(251) }, { secret: {} }],
    [{ secret: "s", idle_timeout_seconds: 4 }, { idle_timeout_seconds: {} }],
    [{ secret: "s", idle_timeout_seconds: 604_801 }, { idle_timeout_seconds: {} }],
    [{ secret: "s", lobby_metadata: [] }, { lobby_metadata: {} }],
    [{ secret: "s", member_metadata: { a: 1 } }, { member_metadata: { a: {} } }],
  ])("is not made of %j", async (body, errors) => {
    const { fake, ada } = platform();
    const response = await send(fake, "PUT", "/lobbies", ada, body);
    expect([response.status, await readJson(response)]).toMatchObject([400, { errors }]);
  });

  test("has messages for its members, the newest first", async () => {
    const { fake, ada, bob } = platform();
    const { id } = await readJson(send(fake, "PUT", "/lobbies", ada, { secret: "s" }));
    const path = `/lobbies/${id}/messages`;
    const sent = await send(fake, "POST", path, ada, { content: "hi", metadata: { a: "b" } });
    expect(sent.status).toBe(201);
    const message = await readJson(sent);
    expect(message).toMatchObject({
      content: "hi",
      lobby_id: id,
      channel_id: id,
      author: { id: "1", username: "ada" },
      application_id: "100",
      metadata: { a: "b" },
    });
    await send(fake, "POST", path, ada, { content: "again", flags: 64 });
    const list: Json[] = await (await send(fake, "GET", path, ada)).json();
    expect(list).toMatchObject([{ content: "again", flags: 64 }, { id: message["id"] }]);
    expect(list[1]).not.toHaveProperty("metadata");
    expect(await (await send(fake, "GET", `${path}?limit=1`, ada)).json())
      .toMatchObject([{ content: "again" }]);
    expect((await send(fake, "POST", path, ada, { content: "" })).status).toBe(400);
    expect(await statusAndCode(send(fake, "GET", path, bob))).toEqual([403, 50001]);
    expect(await statusAndCode(send(fake, "GET", "/lobbies/5/messages", ada))).toEqual([
      404,
      10031,
    ]);
    expect((await send(fake, "GET", path, bearerToken(fake, ["identify"]))).status).toBe(401);
  });

  test("is left by members and others, and can't be linked", async () => {
    const { fake, ada, bob } = platform();
    const { id } = await readJson(send(fake, "PUT", "/lobbies", ada, { secret: "s" }));
    expect(
      await statusAndCode(
        send(fake, "PATCH", `/lobbies/${id}/channel-linking`, ada, { channel_id: "77" }),
      ),
    ).toEqual([403, 50013]);
    expect(await statusAndCode(send(fake, "POST", `/lobbies/${id}/members/@me/invites`, ada)))
      .toEqual([404, 10003]);
    for (const token of [ada, bob, ada]) {
      expect((await send(fake, "DELETE", `/lobbies/${id}/members/@me`, token)).status).toBe(204);
    }
    expect((await send(fake, "GET", `/lobbies/${id}/messages`, ada)).status).toBe(403);
    expect((await send(fake, "DELETE", "/lobbies/5/members/@me", ada)).status).toBe(404);
  });
});

describe("A lobby of the server", () => {
  test("is linked by a member with the flag who may manage channels", async () => {
    const { fake, ada, bob } = platform();
    const created = await send(fake, "POST", "/lobbies", "Bot bot-token", {
      metadata: { topic: "redstone" },
      members: [{ id: "1", flags: 1, metadata: { a: "b" } }, { id: "2", flags: 1 }],
    });
    expect(created.status).toBe(201);
    const lobby = await readJson(created);
    expect(lobby).toMatchObject({
      metadata: { topic: "redstone" },
      members: [{ id: "1", flags: 1, metadata: { a: "b" } }, { id: "2", metadata: null }],
    });
    const path = `/lobbies/${lobby["id"]}/channel-linking`;
    const link = (token: string, body: Json) => send(fake, "PATCH", path, token, body);
    expect(await readJson(link(ada, { channel_id: "77" }))).toMatchObject({
      id: lobby["id"],
      linked_channel: { id: "77", name: "looms", type: 0, guild_id: "70" },
    });
    const invite = await send(fake, "POST", `/lobbies/${lobby["id"]}/members/@me/invites`, ada);
    expect(await readJson(invite)).toEqual({ code: expect.stringMatching(/^\S{10}$/) });
    expect(await statusAndCode(link(bob, { channel_id: "77" }))).toEqual([403, 50013]);
    expect(await statusAndCode(link(ada, { channel_id: "5" }))).toEqual([404, 10003]);
    fake.update({ guilds: { "70": { members: { bob: null } } } });
    expect(await statusAndCode(link(bob, { channel_id: "77" }))).toEqual([403, 50013]);
    for (const body of [{}, { channel_id: null }]) {
      expect(await readJson(link(ada, body))).not.toHaveProperty("linked_channel");
    }
  });

  test("can be empty, and needs a list of members and a bot", async () => {
    const { fake, ada } = platform();
    expect(await readJson(send(fake, "POST", "/lobbies", "Bot bot-token", {})))
      .toMatchObject({ metadata: null, members: [] });
    const wrong = send(fake, "POST", "/lobbies", "Bot bot-token", { members: {} });
    expect(await statusAndCode(wrong)).toEqual([400, 50035]);
    expect((await send(fake, "POST", "/lobbies", ada, {})).status).toBe(401);
  });
});
