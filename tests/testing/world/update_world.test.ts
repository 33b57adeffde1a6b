import { describe, expect, test } from "vitest";
import { createFakePlatform, sampleGuilds, sampleUsers } from "../../../src/testing/mod.ts";
import type { FakePlatform, FakeUpdate } from "../../../src/testing/mod.ts";
import { allPermissions, everyonePermissions } from "../../../src/testing/world/permissions.ts";
import { APP, bearerToken, get, readJson, smallPlatform } from "../small_platform.ts";

const scopes = ["identify", "email", "guilds", "guilds.members.read"];

/** Returns the guilds of a user by name, each with the permissions and the ownership. */
async function guildsOf(fake: FakePlatform, authorization: string): Promise<unknown> {
  const guilds: { name: string; permissions: string; owner: boolean }[] =
    await (await get(fake, "/users/@me/guilds", authorization)).json();
  return Object.fromEntries(
    guilds.map(({ name, permissions, owner }) => [name, [permissions, owner]]),
  );
}

/** Returns the guild as the bot reads it. */
async function guildOf(fake: FakePlatform) {
  return await readJson(get(fake, "/guilds/70?with_counts=true", "Bot bot-token"));
}

describe("FakePlatform.update()", () => {
  test("changes the permissions and the roles of a member, for existing tokens", async () => {
    const fake = smallPlatform();
    const bob = bearerToken(fake, scopes, "bob");
    fake.update({ guilds: { "70": { members: { bob: { permissions: "8", roles: ["71"] } } } } });
    expect(await guildsOf(fake, bob)).toEqual({ Looms: ["8", false] });
    fake.update({ guilds: { "70": { members: { "2": { nick: "Bobby" } } } } });
    expect(await guildsOf(fake, bob)).toEqual({ Looms: ["8", false] });
    expect(await readJson(get(fake, "/users/@me/guilds/70/member", bob))).toMatchObject({
      nick: "Bobby",
      roles: ["71"],
      user: { username: "bob" },
    });
  });

  test("lets members leave and join", async () => {
    const fake = smallPlatform();
    const bob = bearerToken(fake, scopes, "bob");
    fake.update({ guilds: { "70": { members: { bob: null } } } });
    expect(await guildsOf(fake, bob)).toEqual({});
    expect((await get(fake, "/users/@me/guilds/70/member", bob)).status).toBe(404);
    fake.update({ guilds: { "70": { members: { bob: null } } } });
    fake.update({ guilds: { "70": { members: { bob: {} } } } });
    expect(await guildsOf(fake, bob)).toEqual({ Looms: [everyonePermissions, false] });
  });

  test.each([{ members: { bob: { owner: true } } }, { owner_id: "2" }])(
    "gives a guild another owner by %j",
    async (change) => {
      const fake = smallPlatform();
      const [ada, bob] = [bearerToken(fake, scopes), bearerToken(fake, scopes, "bob")];
      fake.update({ guilds: { "70": { members: { bob: { permissions: "32" } } } } });
      fake.update({ guilds: { "70": change } });
      expect(await guildsOf(fake, ada)).toEqual({ Looms: [everyonePermissions, false] });
      expect(await guildsOf(fake, bob)).toEqual({ Looms: [allPermissions, true] });
    },
  );

  test("changes the fields of a user, and keeps the others", async () => {
    const fake = createFakePlatform();
    const ada = bearerToken(fake, [...scopes, "connections"]);
    const me = () => readJson(get(fake, "/users/@me", ada));
    const before = await me();
    fake.update({
      users: { ada: { global_name: null, email: "new@example.com", verified: undefined } },
    });
    expect(await me()).toEqual({ ...before, global_name: null, email: "new@example.com" });
    fake.update({ users: { [sampleUsers[0].id]: { username: "lovelace", connections: [] } } });
    expect(await me()).toMatchObject({ username: "lovelace", email: "new@example.com" });
    expect(await (await get(fake, "/users/@me/connections", ada)).json()).toEqual([]);
    expect(fake.issueToken({ as: "lovelace" })).toMatchObject({ token_type: "Bearer" });
  });

  test("changes the fields of a guild, and keeps the others", async () => {
    const [{ id }] = sampleGuilds;
    const fake = createFakePlatform();
    const ada = bearerToken(fake, scopes);
    const path = "/users/@me/guilds?with_counts=true&limit=1";
    const [before] = await (await get(fake, path, ada)).json();
    fake.update({ guilds: { [id]: { name: "Difference Engine", approximate_member_count: 2 } } });
    expect(await (await get(fake, path, ada)).json()).toEqual([
      { ...before, name: "Difference Engine", approximate_member_count: 2 },
    ]);
  });

  test("lets bots join and leave with their roles", async () => {
    const fake = smallPlatform();
    fake.update({ guilds: { "70": { bots: { [APP.id]: "8" } } } });
    const joined = await guildOf(fake);
    expect(joined.roles).toMatchObject([{ id: "70" }, { permissions: "8", managed: true }]);
    expect(joined.approximate_member_count).toBe(3);
    fake.update({ guilds: { "70": { bots: { [APP.id]: "32" } } } });
    expect((await guildOf(fake)).roles).toMatchObject([{ id: "70" }, { permissions: "32" }]);
    fake.update({ guilds: { "70": { roles: [{ id: "70", name: "@everyone" }] } } });
    expect((await guildOf(fake)).roles).toMatchObject([{ id: "70" }, { permissions: "32" }]);
    fake.update({ guilds: { "70": { bots: { [APP.id]: null } } } });
    expect((await get(fake, "/guilds/70", "Bot bot-token")).status).toBe(404);
  });

  test("lets two users swap their usernames", async () => {
    const fake = smallPlatform();
    const ada = bearerToken(fake, scopes);
    fake.update({ users: { ada: { username: "bob" }, bob: { username: "ada" } } });
    expect(await readJson(get(fake, "/users/@me", ada))).toMatchObject({ username: "bob" });
  });

  test("accepts a member with roles missing in the guild", async () => {
    const fake = smallPlatform();
    const bob = bearerToken(fake, scopes, "bob");
    fake.update({ guilds: { "70": { members: { bob: { roles: ["404"] } } } } });
    expect(await readJson(get(fake, "/users/@me/guilds/70/member", bob)))
      .toMatchObject({ roles: ["404"] });
  });

  test("changes nothing for `{}` and `undefined`", async () => {
    const fake = smallPlatform();
    const ada = bearerToken(fake, scopes);
    fake.update({});
    fake.update({ users: undefined, guilds: undefined });
    fake.update({ users: { ada: {} }, guilds: { "70": { members: undefined, bots: {} } } });
    expect(await guildsOf(fake, ada)).toEqual({ Looms: [allPermissions, true] });
  });

  test("ignores later changes of its argument", async () => {
    const fake = smallPlatform();
    const bob = bearerToken(fake, scopes, "bob");
    const roles = ["71"];
    fake.update({ guilds: { "70": { members: { bob: { roles } } } } });
    roles.push("72");
    expect(await readJson(get(fake, "/users/@me/guilds/70/member", bob))).toMatchObject({
      roles: ["71"],
    });
  });

  test.each<[string | RegExp, unknown]>([
    ["options.guild is unknown: did you mean guilds?", { guild: {} }],
    ['users must use the ids or usernames of users of the platform, received "eve"', {
      users: { eve: {} },
    }],
    ['users["ada"].avatar must be a string, received 7', { users: { ada: { avatar: 7 } } }],
    [/^update: users\["ada"\]\.id is unknown: known names: username, /, {
      users: { ada: { id: "9" } },
    }],
    ['users["ada"].username is taken by another user', { users: { ada: { username: "bob" } } }],
    ['users["1"].username is taken by another user', {
      users: { "1": { username: "eve" }, bob: { username: "eve" } },
    }],
    ['guilds must use the ids of guilds of the platform, received "71"', { guilds: { "71": {} } }],
    ['guilds["70"].name must be a non-empty string, received ""', {
      guilds: { "70": { name: "" } },
    }],
    [
      'guilds["70"].members must use the ids or usernames of users of the platform, received "eve"',
      {
        guilds: { "70": { members: { eve: {} } } },
      },
    ],
    ['guilds["70"].members["ada"].permissions must be a decimal string, received 8', {
      guilds: { "70": { members: { ada: { permissions: 8 } } } },
    }],
    ['guilds["70"].members["ada"].role is unknown: did you mean roles?', {
      guilds: { "70": { members: { ada: { role: [] } } } },
    }],
    ['guilds["70"].members must not have more than one owner, received 2', {
      guilds: { "70": { members: { ada: { owner: true }, bob: { owner: true } } } },
    }],
    ['guilds["70"].bots must use the ids of applications of the platform, received "9"', {
      guilds: { "70": { bots: { "9": "8" } } },
    }],
  ])("throws the error %s, and changes nothing", async (message, change) => {
    const fake = smallPlatform();
    const [ada, bob] = [bearerToken(fake, scopes), bearerToken(fake, scopes, "bob")];
    const { users = {}, guilds = {} }: FakeUpdate = Object(change);
    const update: object = {
      ...Object(change),
      users: { bob: { global_name: "Bobby" }, ...users },
      guilds: { ...guilds, "70": { ...guilds["70"], description: "changed" } },
    };
    expect(() => fake.update(update)).toThrow(
      message instanceof RegExp ? message : new TypeError(`update: ${message}`),
    );
    expect(await readJson(get(fake, "/users/@me", bob))).toMatchObject({ global_name: null });
    expect(await guildsOf(fake, ada)).toEqual({ Looms: [allPermissions, true] });
  });
});

describe("FakePlatform.update() of purchases", () => {
  /** The ids of the entitlements and subscriptions of Ada. */
  async function owned(fake: FakePlatform) {
    const ada = bearerToken(fake, ["identify", "applications.entitlements"]);
    const entitlements = await get(fake, "/users/@me/applications/100/entitlements", ada);
    const subscriptions = await get(fake, "/skus/1700/subscriptions", ada);
    const ids = async (response: Response) =>
      (await response.json() as { id: string }[]).map(({ id }) => id);
    return { entitlements: await ids(entitlements), subscriptions: await ids(subscriptions) };
  }

  test("buys an item, changes the purchase, and takes it away", async () => {
    const fake = smallPlatform();
    const change = (purchase: object | null) =>
      fake.update({ applications: { "100": { entitlements: { "1600": purchase } } } });
    expect(await owned(fake)).toEqual({ entitlements: [], subscriptions: [] });
    change({ sku_id: "1700", user_id: "1", consumed: false });
    fake.update({ applications: { "100": { entitlements: { "1601": { sku_id: "1701" } } } } });
    expect(await owned(fake)).toEqual({ entitlements: ["1600"], subscriptions: [] });
    change({ consumed: true, starts_at: undefined });
    expect(await owned(fake)).toEqual({ entitlements: [], subscriptions: [] });
    change({ consumed: false });
    change(null);
    expect(await owned(fake)).toEqual({ entitlements: [], subscriptions: [] });
  });

  test("subscribes, and ends the subscription", async () => {
    const fake = smallPlatform();
    const subscriptions = { "1800": { user_id: "1", sku_ids: ["1700"] } };
    fake.update({ applications: { "100": { subscriptions } } });
    expect(await owned(fake)).toEqual({ entitlements: [], subscriptions: ["1800"] });
    fake.update({ applications: { "100": { subscriptions: { "1800": null } } } });
    expect(await owned(fake)).toEqual({ entitlements: [], subscriptions: [] });
  });

  test.each<[object, string]>([
    [{ "5": {} }, 'applications must use the ids of applications of the platform, received "5"'],
    [
      { "100": { entitlements: { "1609": {} } } },
      'applications["100"].entitlements["1609"].sku_id must be a snowflake',
    ],
    [
      { "100": { entitlements: { mine: { sku_id: "1" } } } },
      'applications["100"].entitlements["mine"].id must be a snowflake',
    ],
    [
      { "100": { subscriptions: { "1800": { user_id: "1" } } } },
      'applications["100"].subscriptions["1800"].sku_ids must be a list',
    ],
    [{ "100": { entitlements: { "1600": { sku: "1" } } } }, "sku is unknown"],
    [{ "100": { name: "A" } }, "name is unknown"],
  ])("refuses %j and changes nothing", async (applications, message) => {
    const fake = smallPlatform();
    const bought = { "1600": { sku_id: "1700", user_id: "1" } };
    fake.update({ applications: { "100": { entitlements: bought } } });
    const changes = { users: { ada: { global_name: "A" } }, applications };
    const update = () => fake.update(changes as FakeUpdate);
    expect(update).toThrow(TypeError);
    expect(update).toThrow(message);
    expect(await owned(fake)).toEqual({ entitlements: ["1600"], subscriptions: [] });
    expect(await readJson(get(fake, "/users/@me", bearerToken(fake, ["identify"]))))
      .toMatchObject({ global_name: null });
  });
});
