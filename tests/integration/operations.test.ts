/**
 * Calls every operation of the platform that takes an OAuth2 token, as docs/using_tokens.md lists them, and runs the code of that guide.
 */

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import {
  ClientCredentials,
  type Fetch,
  type HttpMethod,
  PlatformApi,
  type RequestOptions,
  User,
} from "../../mod.ts";
import { operations } from "../../src/api/operations.ts";
import { createFakePlatform, sampleApplication, sampleGuilds } from "../../src/testing/mod.ts";
import { type DocBlock, documentOf, removeBlocks } from "../support/doc_blocks.ts";
import * as documented from "../support/documented.ts";
import { thrownBy } from "../support/responders.ts";
import * as sdk from "../support/sdk_on_fake_platform.ts";

const applicationId = sampleApplication.id;
const [{ id: guildId }] = sampleGuilds;
const ada = "1000000000000000001";
const skuId = "1400000000000000001";
const [consumable, testPurchase] = ["1500000000000000001", "1500000000000000002"];
const subscriptionId = "1600000000000000001";
const lobbyId = "1700000000000000001";

/** The clients of an application on a fake platform, and the ids of what they work with. */
async function createWorld() {
  const fake = createFakePlatform({
    applications: [{
      ...sampleApplication,
      entitlements: [
        { id: consumable, sku_id: skuId, user_id: ada, type: 1, consumed: false },
        { id: testPurchase, sku_id: skuId, user_id: ada, type: 4 },
      ],
      subscriptions: [{ id: subscriptionId, user_id: ada, sku_ids: [skuId] }],
    }],
  });
  const person = (...scopes: string[]) =>
    new User(fake.issueToken({ as: "ada", scopes }).access_token, fake);
  const api = new PlatformApi(applicationId, sampleApplication.secret, ["identify"], null, fake);
  const app = new User(new ClientCredentials(api, ["applications.commands.update"]), fake);
  const bot = new User(sampleApplication.botToken, { ...fake, tokenType: "Bot" });
  const social = person("sdk.social_layer");
  const idOf = async (
    user: User,
    method: HttpMethod,
    path: `/${string}`,
    options: RequestOptions<{ readonly id: string }>,
  ) => (await user.request(method, path, options)).id;
  const command = { name: "ping", description: "Says pong" };
  const path = { applicationId, guildId };
  const commandId = await idOf(app, "POST", commandsPath, {
    path: { applicationId },
    json: command,
  });
  const guildCommandId = await idOf(app, "POST", guildCommandsPath, { path, json: command });
  return { fake, person, app, bot, social, commandId, guildCommandId };
}

type World = Awaited<ReturnType<typeof createWorld>>;

interface Row {
  /** Calls the operation. `options` are those of `request()`. */
  readonly call: (world: World) => Promise<unknown>;
  /** The documented responses: status, body, and the result of the call. */
  readonly responses: readonly (readonly [status: number, body: unknown, result: unknown])[];
}

const commandsPath = "/applications/{applicationId}/commands";
const guildCommandsPath = "/applications/{applicationId}/guilds/{guildId}/commands";
const entitlementsPath = "/applications/{applicationId}/entitlements";
const command = documented.exampleCommand;
const json = { name: "pong", description: "Says ping" };

/** A response that becomes the result unchanged. */
function same(body: unknown, status = 200): Row["responses"][number] {
  return [status, body, body];
}

/** A response whose model has at least these fields. */
function like(body: object): Row["responses"][number] {
  return [200, body, expect.objectContaining(body)];
}

const noContent: Row["responses"][number] = [204, null, null];
const nothing: Row["responses"][number] = [204, null, undefined];

/** The rows for the commands in one place. */
function commandRows(
  path: typeof commandsPath | typeof guildCommandsPath,
  idOf: (world: World) => string,
): Record<string, Row> {
  const ids = { applicationId, ...(path === guildCommandsPath && { guildId }) };
  const one = `${path}/{commandId}` as const;
  const call =
    (method: HttpMethod, hasId: boolean, options?: RequestOptions): Row["call"] => (world) =>
      world.app.request(method, hasId ? one : path, {
        scope: "applications.commands.update",
        path: { ...ids, ...(hasId && { commandId: idOf(world) }) },
        ...options,
      });
  return {
    [`GET ${path}`]: {
      call: call("GET", false, { query: { with_localizations: true } }),
      responses: [same([command]), [200, null, null]],
    },
    [`POST ${path}`]: {
      call: call("POST", false, { json }),
      responses: [same(command, 201), same(command, 200)],
    },
    [`PUT ${path}`]: { call: call("PUT", false, { json: [json] }), responses: [same([command])] },
    [`GET ${one}`]: { call: call("GET", true), responses: [same(command)] },
    [`PATCH ${one}`]: { call: call("PATCH", true, { json }), responses: [same(command)] },
    [`DELETE ${one}`]: { call: call("DELETE", true), responses: [noContent] },
  };
}

const permissionsPath = `${guildCommandsPath}/{commandId}/permissions`;
const permissionScope = "applications.commands.permissions.update";
const roleConnectionPath = "/users/@me/applications/{applicationId}/role-connection";
const roleConnection = { platform_name: "Looms", platform_username: "ada", metadata: {} };

const rows: Record<string, Row> = {
  "GET /users/@me": {
    call: ({ person }) => person("identify").getCurrentUser(),
    responses: [like({ ...documented.exampleUser })],
  },
  "GET /users/@me/guilds": {
    call: ({ person }) => person("guilds").getUserGuilds(),
    responses: [[200, [documented.exampleListEntry], [
      expect.objectContaining({ id: documented.exampleListEntry.id }),
    ]]],
  },
  "GET /users/@me/guilds/{guildId}/member": {
    call: ({ person }) => person("guilds.members.read").getGuildMember(guildId),
    responses: [[
      200,
      documented.exampleMember,
      expect.objectContaining({
        nick: documented.exampleMember.nick,
        joined_at: documented.exampleMember.joined_at,
      }),
    ]],
  },
  "GET /users/@me/connections": {
    call: ({ person }) => person("connections").getConnections(),
    responses: [[200, [], []]],
  },
  [`GET ${roleConnectionPath}`]: {
    call: ({ person }) => person("role_connections.write").getRoleConnection(applicationId),
    responses: [like(roleConnection)],
  },
  [`PUT ${roleConnectionPath}`]: {
    call: ({ person }) => person("role_connections.write").setRoleConnection(applicationId, {}),
    responses: [like(roleConnection)],
  },
  [`DELETE ${roleConnectionPath}`]: {
    call: ({ person }) => person("role_connections.write").deleteRoleConnection(applicationId),
    responses: [nothing],
  },
  "GET /oauth2/@me": {
    call: ({ person }) => person("identify").getAuthorization(),
    responses: [[
      200,
      documented.exampleAuthorization,
      expect.objectContaining({
        scopes: documented.exampleAuthorization.scopes,
      }),
    ]],
  },
  "GET /oauth2/userinfo": {
    call: ({ person }) => person("openid").getUserInfo(),
    responses: [like({ sub: "80351110224678912" })],
  },
  ...commandRows(commandsPath, ({ commandId }) => commandId),
  ...commandRows(guildCommandsPath, ({ guildCommandId }) => guildCommandId),
  [`GET ${guildCommandsPath}/permissions`]: {
    call: ({ person }) =>
      person(permissionScope).request("GET", `${guildCommandsPath}/permissions`, {
        path: { applicationId, guildId },
        scope: permissionScope,
      }),
    responses: [same([documented.exampleCommandPermissions])],
  },
  [`GET ${permissionsPath}`]: {
    call: ({ person, commandId }) =>
      person(permissionScope).getCommandPermissions(applicationId, guildId, commandId),
    responses: [
      same(documented.exampleCommandPermissions),
      [404, { message: "Unknown application command permissions", code: 10066 }, null],
    ],
  },
  [`PUT ${permissionsPath}`]: {
    call: ({ person, commandId }) =>
      person(permissionScope).setCommandPermissions(applicationId, guildId, commandId, []),
    responses: [same(documented.exampleCommandPermissions)],
  },
  [`GET ${entitlementsPath}`]: {
    call: ({ person }) =>
      person("applications.entitlements").getApplicationEntitlements(applicationId, {
        userId: ada,
        excludeEnded: true,
        limit: 10,
      }),
    responses: [[
      200,
      [documented.exampleEntitlement],
      [expect.objectContaining(documented.exampleEntitlement)],
    ]],
  },
  [`GET ${entitlementsPath}/{entitlementId}`]: {
    call: ({ person }) =>
      person("applications.entitlements").request("GET", `${entitlementsPath}/{entitlementId}`, {
        path: { applicationId, entitlementId: consumable },
      }),
    responses: [same(documented.exampleEntitlement)],
  },
  [`DELETE ${entitlementsPath}/{entitlementId}`]: {
    call: ({ bot }) =>
      bot.request("DELETE", `${entitlementsPath}/{entitlementId}`, {
        path: { applicationId, entitlementId: testPurchase },
      }),
    responses: [noContent],
  },
  [`POST ${entitlementsPath}/{entitlementId}/consume`]: {
    call: ({ bot }) =>
      bot.request("POST", `${entitlementsPath}/{entitlementId}/consume`, {
        path: { applicationId, entitlementId: consumable },
      }),
    responses: [noContent],
  },
  "GET /users/@me/applications/{applicationId}/entitlements": {
    call: ({ person }) => person("openid").getEntitlements(applicationId, { skuIds: [skuId] }),
    responses: [[
      200,
      [documented.exampleEntitlement],
      // Fields that the example does not have are null.
      [expect.objectContaining(documented.exampleEntitlement)],
    ]],
  },
  "GET /skus/{skuId}/subscriptions": {
    call: ({ person }) =>
      person("identify").request("GET", "/skus/{skuId}/subscriptions", { path: { skuId } }),
    responses: [same([documented.exampleSubscription])],
  },
  "GET /skus/{skuId}/subscriptions/{subscriptionId}": {
    call: ({ person }) =>
      person("identify").request("GET", "/skus/{skuId}/subscriptions/{subscriptionId}", {
        path: { skuId, subscriptionId },
      }),
    responses: [same(documented.exampleSubscription)],
  },
  "PUT /lobbies": {
    call: ({ social }) =>
      social.request("PUT", "/lobbies", { scope: "sdk.social_layer", json: { secret: "hunter2" } }),
    responses: [same(documented.exampleLobby)],
  },
  "PATCH /lobbies/{lobbyId}/channel-linking": {
    call: ({ social }) =>
      social.request("PATCH", "/lobbies/{lobbyId}/channel-linking", {
        path: { lobbyId },
        json: { channel_id: "1200000000000000101" },
      }),
    responses: [
      same({ ...documented.exampleLobby, linked_channel: documented.exampleChannel }),
      same(documented.exampleLobby),
    ],
  },
  "DELETE /lobbies/{lobbyId}/members/@me": {
    call: ({ social }) =>
      social.request("DELETE", "/lobbies/{lobbyId}/members/@me", { path: { lobbyId } }),
    responses: [noContent],
  },
  "POST /lobbies/{lobbyId}/members/@me/invites": {
    call: ({ social }) =>
      social.request("POST", "/lobbies/{lobbyId}/members/@me/invites", { path: { lobbyId } }),
    responses: [same({ code: "0vCdhLbwjZZTWZLD" })],
  },
  "GET /lobbies/{lobbyId}/messages": {
    call: ({ social }) =>
      social.request("GET", "/lobbies/{lobbyId}/messages", {
        path: { lobbyId },
        query: { limit: 200 },
      }),
    responses: [same([documented.exampleLobbyMessage])],
  },
  "POST /lobbies/{lobbyId}/messages": {
    call: ({ social }) =>
      social.request("POST", "/lobbies/{lobbyId}/messages", {
        path: { lobbyId },
        json: { content: "Hello" },
      }),
    responses: [same(documented.exampleLobbyMessage, 201)],
  },
  "GET /guilds/{guildId}/channels": {
    call: ({ bot }) => bot.request("GET", "/guilds/{guildId}/channels", { path: { guildId } }),
    responses: [same([documented.exampleChannel]), [200, null, null]],
  },
};

/** The operation that needs a multipart body. */
const attachment = "POST /applications/{applicationId}/attachment";

/** The operations in the table of the guide, each with its method of `User`. */
const listed = [
  ...readFileSync(new URL("../../docs/using_tokens.md", import.meta.url), "utf8")
    .matchAll(/^\| ((?:`[A-Z]+`,? +)+)\| `([^`]+)` +\|[^|]+\|([^|]*)\|$/gm),
].flatMap(([, methods = "", path = "", cell = ""]) => {
  const calls = cell.match(/(?<=`)\w+(?=`)/g) ?? [];
  return (methods.match(/\w+/g) ?? []).map((method, index) => ({
    operation: `${method} ${path}`,
    call: calls[index] ?? (cell.trim() || "request"),
  }));
});

/** The operations with a method of their own, as in the table. */
const ownMethods = new Map(
  Object.entries(operations).map(([name, operation]) => {
    const method = "method" in operation ? operation.method : "GET";
    return [name, `${method} ${operation.path}`];
  }),
);

describe("The table in docs/using_tokens.md", () => {
  test("has the 39 operations of the platform's description, of which 38 can be called", () => {
    expect(listed.map(({ operation }) => operation).sort())
      .toEqual([...Object.keys(rows), attachment].sort());
    expect(listed).toHaveLength(39);
    expect(listed.filter(({ call }) => call.startsWith("None")).map(({ operation }) => operation))
      .toEqual([attachment]);
  });

  test("names the method for each operation that has one", () => {
    const withMethod = listed.filter(({ call }) => ownMethods.has(call));
    for (const { operation, call } of withMethod) expect(ownMethods.get(call)).toBe(operation);
    const paths = [...ownMethods.values()];
    const others = listed.filter(({ call }) => call === "request");
    for (const { operation } of others) expect(paths).not.toContain(operation);
    expect(withMethod.length + others.length).toBe(38);
  });
});

describe("An operation", () => {
  // The fake platform has no lobbies.
  test.each(Object.entries(rows).filter(([operation]) => !operation.includes("/lobbies")))(
    "%s succeeds on the fake platform",
    async (operation, { call }) => {
      const world = await createWorld();
      await call(world);
      const { method, path, status } = world.fake.requests.at(-1) ?? {};
      const pattern = operation.replace(/\{\w+\}/g, "\\d+").replace(/^(\w+) /, "$1 /api/v10");
      expect(`${method} ${path}`).toMatch(new RegExp(`^${pattern}$`));
      expect(String(status)).toMatch(/^2|404/);
    },
  );

  test.each(
    Object.entries(rows).flatMap(([operation, { call, responses }]) =>
      responses.map(([status, body, result]) => [operation, status, body, result, call] as const)
    ),
  )(
    "%s returns what the platform documents: %i, %j",
    async (operation, status, body, result, call) => {
      const world = await createWorld();
      const [method, path = ""] = operation.split(" ");
      const pattern = path.replace(/\{\w+\}/g, "[^/]+");
      const fetch: Fetch = async (url, init) => {
        const isCalled = init.method === method &&
          new RegExp(`^/api/v10${pattern}$`).test(new URL(url).pathname);
        const text = status === 204 ? null : JSON.stringify(body);
        return isCalled ? new Response(text, { status }) : await world.fake.fetch(url, init);
      };
      const options = { fetch, platform: world.fake.platform };
      const person = (...scopes: string[]) =>
        new User(world.fake.issueToken({ as: "ada", scopes }).access_token, options);
      const bot = new User(sampleApplication.botToken, { ...options, tokenType: "Bot" });
      const api = new PlatformApi(
        applicationId,
        sampleApplication.secret,
        ["identify"],
        null,
        options,
      );
      const app = new User(new ClientCredentials(api, ["applications.commands.update"]), options);
      const social = person("sdk.social_layer");
      expect(await call({ ...world, person, bot, app, social })).toEqual(result);
    },
  );

  test.each<[string, (world: World) => Promise<unknown>, number, number]>([
    [
      "consumes no item that can't be consumed",
      ({ bot }) =>
        bot.request("POST", `${entitlementsPath}/{entitlementId}/consume`, {
          path: { applicationId, entitlementId: testPurchase },
        }),
      400,
      40018,
    ],
    [
      "deletes only test purchases",
      ({ bot }) =>
        bot.request("DELETE", `${entitlementsPath}/{entitlementId}`, {
          path: { applicationId, entitlementId: consumable },
        }),
      403,
      40019,
    ],
    [
      "sets no permissions with a bot",
      ({ bot, commandId }) => bot.setCommandPermissions(applicationId, guildId, commandId, []),
      403,
      20001,
    ],
  ])("%s", async (_what, call, httpStatus, platformCode) => {
    expect(await thrownBy(async () => await call(await createWorld())))
      .toMatchObject({ httpStatus, platformCode });
  });
});

describe("docs/using_tokens.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/using_tokens.md");
  const { fake, clientId, botToken } = sdk;
  const { resolve } = createRequire(import.meta.url);

  afterAll(removeBlocks);

  /** Runs a block with the packages of this repository. */
  function run<Exports>({ code, ...block }: DocBlock): Promise<Exports> {
    const own = (name: string) => JSON.stringify(resolve(name));
    return onFake<Exports>({
      ...block,
      code: code.replace(/from "(valibot|zod)"/g, (_, name) => `from ${own(name)}`),
    });
  }

  interface Application {
    default: { fetch(request: Request, env?: unknown): Promise<Response> };
  }

  const person = (as: string, ...scopes: string[]) =>
    new sdk.User(fake.issueToken({ as, scopes }).access_token);
  const bot = () => new sdk.User(botToken, { tokenType: "Bot" });

  test("has only blocks run by these tests", () => {
    // `guides.test.ts` runs the first six.
    expect(blocks).toHaveLength(10);
  });

  test("lists the channels of a server", async () => {
    const { channelNames } = await run<{ channelNames(bot: User, id: string): Promise<unknown> }>(
      blockWith("// channels.ts"),
    );
    expect(await channelNames(bot(), guildId)).toEqual(["general", "rules", "moderators"]);
  });

  test("reads subscriptions with valibot", async () => {
    const { subscriptionsTo } = await run<
      { subscriptionsTo(user: User, skuId: string): Promise<unknown> }
    >(blockWith("// subscriptions.ts"));
    fake.failNext({
      path: "/skus/7/subscriptions",
      status: 200,
      body: [documented.exampleSubscription],
    });
    expect(await subscriptionsTo(person("ada", "identify"), "7")).toEqual([{
      id: documented.exampleSubscription.id,
      status: 0,
      current_period_end: new Date(documented.exampleSubscription.current_period_end),
    }]);
  });

  test("registers commands from a Worker, with its key", async () => {
    const { default: worker } = await run<Application>(blockWith("// register_commands.ts"));
    const env = {
      DISCORD_CLIENT_ID: clientId,
      DISCORD_CLIENT_SECRET: sdk.clientSecret,
      DEPLOY_KEY: "k3y",
    };
    const visit = (key: string) =>
      worker.fetch(
        new Request("https://worker.example/", { headers: { authorization: `Bearer ${key}` } }),
        env,
      );
    expect((await visit("wrong")).status).toBe(403);
    expect(await (await visit("k3y")).json()).toMatchObject([{ name: "ping" }]);
    expect(await bot().request("GET", commandsPath, { path: { applicationId } }))
      .toMatchObject([{ name: "ping" }]);
  });

  test("shows what a person owns, and consumes it", async () => {
    const { default: app, consume } = await run<
      Application & { consume(bot: User, id: string): Promise<void> }
    >(blockWith("// shop.ts"));
    const browser = fake.browser(app.fetch, { as: "ada" });
    const own = `/users/@me/applications/${clientId}/entitlements`;
    const entry = { ...documented.exampleEntitlement, ends_at: null, guild_id: undefined };
    fake.failNext({
      path: own,
      status: 200,
      body: [
        { ...entry, sku_id: "1" },
        { ...entry, sku_id: "2", deleted: true },
        { ...entry, sku_id: "3", ends_at: "2022-10-14T17:00:18.704163+00:00" },
        { ...entry, sku_id: "4", ends_at: new Date(Date.now() + 60_000).toISOString() },
        { ...entry, sku_id: "5", consumed: true },
      ],
    });
    expect(await (await browser.open("https://app.example/")).json()).toEqual(["1", "4"]);
    fake.failNext({
      path: `/applications/${clientId}/entitlements/7/consume`,
      status: 204,
      body: "",
    });
    await consume(bot(), "7");
    expect(fake.requests.at(-1)).toMatchObject({ method: "POST", status: 204 });
  });
});
