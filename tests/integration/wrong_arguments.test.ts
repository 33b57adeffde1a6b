/**
 * Calls every function, constructor and method of every entry point with wrong arguments. Each error must be one of this library.
 *
 * @module
 */

import { expect, test } from "vitest";
import deno from "../../deno.json" with { type: "json" };
import * as sdk from "../../mod.ts";
import { SessionClient } from "../../src/browser/mod.ts";
import { sendResponse, toRequest } from "../../src/node.ts";
import { d1Store, d1Table } from "../../src/stores/d1.ts";
import { denoKvStore } from "../../src/stores/deno_kv.ts";
import { durableObjectStore } from "../../src/stores/durable_object.ts";
import { mysqlStore, mysqlTable } from "../../src/stores/mysql.ts";
import { postgresStore, postgresTable } from "../../src/stores/postgres.ts";
import { redisStore } from "../../src/stores/redis.ts";
import { sqliteStore, sqliteTable } from "../../src/stores/sqlite.ts";
import {
  checkStore,
  CookieJar,
  createFakePlatform,
  nodeListener,
  sampleApplication,
} from "../../src/testing/mod.ts";

// deno-lint-ignore no-explicit-any -- as a caller in JavaScript
type Any = any;

const id = "1024000000000000000";
const uri = "https://app.example/callback";
const scope = ["identify"];
const fake = createFakePlatform();
const fetch = () => Promise.resolve(Response.json({}, { status: 400 }));
const { Login, MemoryStore, Permissions, PlatformApi, TokenSource, User } = sdk;

const loginOptions = {
  ...fake,
  clientId: sampleApplication.id,
  clientSecret: sampleApplication.secret,
  scope,
  secret: "a secret of 32 characters at least",
  sessionPath: "/session",
  store: new MemoryStore(),
  backgroundTokens: true,
};
const login: Any = new Login(loginOptions);
const api: Any = new PlatformApi(id, "secret", ["identify"], uri, { fetch });
const request = () => new Request("https://app.example/", { method: "POST" });
const user: Any = new User("t0ken", { fetch });
const permissions: Any = new Permissions(8);
const source: Any = new TokenSource(api, new MemoryStore(), "key");
const credentials: Any = new sdk.ClientCredentials(api, ["identify"]);
const memory: Any = new MemoryStore();
const jar: Any = new CookieJar();
const authUrl: Any = new sdk.AuthUrl(id, ["identify"], uri);
const guild = { id, permissions: "8", icon: "abc" };
const person = { id, avatar: "abc", banner: "abc" };
const read = { fresh: true };
const table = { table: "entries" };
const prefix = { prefix: "p" };
const image = { size: 64 };
const incoming = {
  method: "GET",
  url: "/",
  headers: { host: "localhost" },
  socket: {},
  async *[Symbol.asyncIterator]() {},
};
const outgoing = () => ({
  destroyed: false,
  writableEnded: false,
  statusCode: 200,
  req: { method: "GET" },
  getHeader() {},
  setHeader() {},
  write: () => true,
  end() {},
  destroy() {},
  on() {},
});
const client = {
  prepare() {},
  query() {},
  execute() {},
  batch() {},
  eval() {},
  defineCommand() {},
  atomic() {},
  get() {},
  getByName() {},
};

/** Each function with right arguments. */
const calls: Readonly<
  Record<string, readonly [call: (...args: Any[]) => unknown, ...args: Any[]]>
> = {
  "ClientCredentials": [(...a: Any) => new (sdk.ClientCredentials as Any)(...a), api, scope],
  "ClientCredentials.token": [(...a) => credentials.token(...a), { timeout: 5 }],
  "ClientCredentials.renew": [(...a) => credentials.renew(...a), "t0ken", { timeout: 5 }],
  "AuthUrl": [
    (...a) => new (sdk.AuthUrl as Any)(...a),
    id,
    scope,
    uri,
    8,
    { platform: fake.platform },
  ],
  "AuthUrl.makeUrl": [(...a) => authUrl.makeUrl(...a), { state: "s" }],
  "Bot": [(...a) => new (sdk.Bot as Any)(...a), id, 8, { scope }],
  "Bot.url": [(...a) => (new sdk.Bot(id) as Any).url(...a), { guildId: id }],
  "Login": [(...a) => new (Login as Any)(...a), loginOptions],
  "Login.handle": [(...a) => login.handle(...a), request()],
  "Login.start": [(...a) => login.start(...a), request(), { returnTo: "/" }],
  "Login.finish": [(...a) => login.finish(...a), request()],
  "Login.session": [(...a) => login.session(...a), request()],
  "Login.publicSession": [(...a) => login.publicSession(...a), null],
  "Login.update": [(...a) => login.update(...a), request(), { name: "ada" }],
  "Login.end": [(...a) => login.end(...a), request(), { everywhere: true }],
  "Login.allows": [(...a) => login.allows(...a), request()],
  "Login.endAll": [(...a) => login.endAll(...a), id, { tokens: true }],
  "Login.sessionsOf": [(...a) => login.sessionsOf(...a), id, request()],
  "Login.endSession": [(...a) => login.endSession(...a), id, "session"],
  "Login.revoke": [(...a) => login.revoke(...a), id, { startedBefore: 5 }],
  "Login.tokensOf": [(...a) => login.tokensOf(...a), id],
  "Login.forget": [(...a) => login.forget(...a), id],
  "MemoryStore": [(...a) => new (MemoryStore as Any)(...a)],
  "MemoryStore.load": [(...a) => memory.load(...a), "key"],
  "MemoryStore.save": [(...a) => memory.save(...a), "key", 1, { version: null }],
  "MemoryStore.delete": [(...a) => memory.delete(...a), "key"],
  "Permissions": [(...a) => new (Permissions as Any)(...a), 8],
  ...Object.fromEntries(
    ["update", "add", "remove", "has", "missing", "equals"].map((
      name,
    ) => [`Permissions.${name}`, [(...a: Any) => permissions[name](...a), 8]]),
  ),
  "PlatformApi": [
    (...a) => new (PlatformApi as Any)(...a),
    id,
    "secret",
    scope,
    uri,
    { timeout: 5 },
  ],
  "PlatformApi.accessToken": [
    (...a) => api.accessToken(...a),
    "c0de",
    { signal: new AbortController().signal },
  ],
  "PlatformApi.refresh": [
    (...a) => api.refresh(...a),
    "t0ken",
    { signal: new AbortController().signal },
  ],
  "PlatformApi.revoke": [
    (...a) => api.revoke(...a),
    "t0ken",
    { signal: new AbortController().signal },
  ],
  "PlatformApi.clientCredentials": [
    (...a) => api.clientCredentials(...a),
    scope,
    { signal: new AbortController().signal },
  ],
  "PlatformApi.startDeviceLogin": [
    (...a) => api.startDeviceLogin(...a),
    { signal: new AbortController().signal },
  ],
  "TokenSource": [
    (...a) => new (TokenSource as Any)(...a),
    api,
    memory,
    "key",
    { refreshBefore: 5 },
  ],
  "TokenSource.token": [(...a) => source.token(...a), { timeout: 5 }],
  "TokenSource.renew": [(...a) => source.renew(...a), "t0ken", { timeout: 5 }],
  "TokenSource.save": [(...a) => source.save(...a), { access_token: "t0ken" }],
  "TokenSource.revoke": [(...a) => source.revoke(...a)],
  "User": [(...a) => new (User as Any)(...a), "t0ken", { timeout: 5 }],
  "User.getCurrentUser": [(...a) => user.getCurrentUser(...a), read],
  "User.getUserGuilds": [(...a) => user.getUserGuilds(...a), read],
  "User.eachUserGuild": [
    async (...a) => {
      for await (const _ of user.eachUserGuild(...a));
    },
    { withCounts: true },
  ],
  "User.getGuildMember": [(...a) => user.getGuildMember(...a), id, read],
  "User.getConnections": [(...a) => user.getConnections(...a), read],
  "User.getAuthorization": [(...a) => user.getAuthorization(...a), read],
  "User.getUserInfo": [(...a) => user.getUserInfo(...a), read],
  "User.getRoleConnection": [(...a) => user.getRoleConnection(...a), id, read],
  "User.setRoleConnection": [
    (...a) => user.setRoleConnection(...a),
    id,
    { platform_name: "x", metadata: { a: 1 } },
    {},
  ],
  "User.deleteRoleConnection": [(...a) => user.deleteRoleConnection(...a), id, {}],
  "User.getEntitlements": [(...a) => user.getEntitlements(...a), id, { skuIds: [id] }],
  "User.getApplicationEntitlements": [
    (...a) => user.getApplicationEntitlements(...a),
    id,
    { skuIds: [id] },
  ],
  "User.getCommandPermissions": [(...a) => user.getCommandPermissions(...a), id, id, id, read],
  "User.setCommandPermissions": [
    (...a) => user.setCommandPermissions(...a),
    id,
    id,
    id,
    [{ id, type: 1, permission: true }],
    {},
  ],
  "User.getGuild": [(...a) => user.getGuild(...a), id, true, read],
  "User.getGuildMemberById": [(...a) => user.getGuildMemberById(...a), id, id, read],
  "User.addGuildMember": [
    (...a) => user.addGuildMember(...a),
    id,
    id,
    { access_token: "t0ken" },
    {},
  ],
  "User.addMemberRole": [(...a) => user.addMemberRole(...a), id, id, id, { reason: "x" }],
  "User.removeMemberRole": [(...a) => user.removeMemberRole(...a), id, id, id, { reason: "x" }],
  "User.leaveGuild": [(...a) => user.leaveGuild(...a), id, {}],
  "User.getRoleConnectionMetadata": [
    (...a) => user.getRoleConnectionMetadata(...a),
    id,
    read,
  ],
  "User.setRoleConnectionMetadata": [
    (...a) => user.setRoleConnectionMetadata(...a),
    id,
    [{ type: 1, key: "a", name: "a", description: "a" }],
    {},
  ],
  "User.request": [(...a) => user.request(...a), "GET", "/users/@me", { fresh: true }],
  "applicationCoverUrl": [sdk.applicationCoverUrl, { id, cover_image: "a" }, image],
  "applicationIconUrl": [sdk.applicationIconUrl, { id, icon: "a" }, image],
  "avatarDecorationUrl": [sdk.avatarDecorationUrl, { avatar_decoration: "a" }, image],
  "avatarUrl": [sdk.avatarUrl, person, image],
  "bannerUrl": [sdk.bannerUrl, person, image],
  "canInstall": [sdk.canInstall, guild],
  "codeChallenge": [sdk.codeChallenge, "v".repeat(43)],
  "createdAt": [sdk.createdAt, id],
  "emojiUrl": [sdk.emojiUrl, { id }, image],
  "eventCoverUrl": [sdk.eventCoverUrl, { id, image: "a" }, image],
  "generateCodeVerifier": [(...a) => (sdk.generateCodeVerifier as Any)(...a)],
  "generateState": [(...a) => (sdk.generateState as Any)(...a)],
  "guildBannerUrl": [sdk.guildBannerUrl, { id, banner: "a" }, image],
  "guildDiscoverySplashUrl": [sdk.guildDiscoverySplashUrl, { id, discovery_splash: "a" }, image],
  "guildIconUrl": [sdk.guildIconUrl, guild, image],
  "guildSplashUrl": [sdk.guildSplashUrl, { id, splash: "a" }, image],
  "installUrl": [sdk.installUrl, id, { guildId: id }],
  "memberAvatarUrl": [sdk.memberAvatarUrl, id, { avatar: "a", user: person }, image],
  "memberBannerUrl": [sdk.memberBannerUrl, id, { banner: "a", user: person }, image],
  "memberFlags": [sdk.memberFlags, 8],
  "missingPermissions": [sdk.missingPermissions, guild, 8],
  "nameplateUrl": [
    sdk.nameplateUrl,
    { collectibles: { nameplate: { asset: "a/b/" } } },
    { animated: true },
  ],
  "parseCallback": [sdk.parseCallback, "?code=c0de&state=s", { state: "s" }],
  "parseFragment": [sdk.parseFragment, "#access_token=t&state=s", { state: "s" }],
  "parseWebhookEvent": [sdk.parseWebhookEvent, request(), "a".repeat(64), { tolerance: 5 }],
  "permissionsIn": [
    sdk.permissionsIn,
    { user: { id: "2" }, roles: [] },
    [{ id, permissions: "8" }],
    guild,
  ],
  "reinviteUrl": [sdk.reinviteUrl, id, guild, 8, { scope }],
  "roleIconUrl": [sdk.roleIconUrl, { id, icon: "a" }, image],
  "sealed": [sdk.sealed, memory, "a secret of 32 characters at least"],
  "stickerUrl": [sdk.stickerUrl, { id }, {}],
  "tagBadgeUrl": [
    sdk.tagBadgeUrl,
    { primary_guild: { identity_guild_id: id, badge: "a" } },
    image,
  ],
  "teamIconUrl": [sdk.teamIconUrl, { id, icon: "a" }, image],
  "userFlags": [sdk.userFlags, 8],
  "verifyIdToken": [sdk.verifyIdToken, "a.b.c", { fetch, clientId: id, nonce: "n" }],
  "SessionClient": [(...a) => new (SessionClient as Any)(...a), { url: "/session" }],
  ...Object.fromEntries(
    Object.entries({
      subscribe: [() => {}],
      refresh: [],
      logIn: [{ returnTo: "/" }],
      enter: [() => ({ code: "c" }), { scope }],
      logOut: [],
      fetch: ["/api", {}],
    }).map(([name, args]) => [
      `SessionClient.${name}`,
      [
        (...a: Any) =>
          (new SessionClient({ url: "https://app.example/session" }) as Any)[name](...a),
        ...args,
      ],
    ]),
  ),
  "toRequest": [(...a) => (toRequest as Any)(...a), incoming, outgoing()],
  "sendResponse": [(...a) => (sendResponse as Any)(...a), outgoing(), new Response("hello")],
  "d1Store": [d1Store, client, table],
  "d1Table": [d1Table, table],
  "denoKvStore": [denoKvStore, client, prefix],
  "durableObjectStore": [durableObjectStore, client, prefix],
  "mysqlStore": [mysqlStore, client, table],
  "mysqlTable": [mysqlTable, table],
  "postgresStore": [postgresStore, client, table],
  "postgresTable": [postgresTable, table],
  "redisStore": [redisStore, client, prefix],
  "sqliteStore": [sqliteStore, client, table],
  "sqliteTable": [sqliteTable, table],
  "CookieJar": [(...a) => new (CookieJar as Any)(...a)],
  "CookieJar.request": [(...a) => jar.request(...a), "https://app.example/", {}],
  "CookieJar.store": [(...a) => jar.store(...a), new Response(), "https://app.example/"],
  "checkStore": [checkStore, memory],
  "createFakePlatform": [createFakePlatform, { users: [{ id: "1", username: "ada" }] }],
  "nodeListener": [nodeListener, fake.handler],
  ...Object.fromEntries(
    Object.entries({
      authorize: ["https://x.example", { as: "ada" }],
      deny: ["https://x.example"],
      authorizeActivity: [{ as: "ada" }],
      login: [fake.handler, { as: "ada" }],
      browser: [fake.handler, { as: "ada" }],
      authorizeDevice: ["CODE", { as: "ada" }],
      denyDevice: ["CODE"],
      issueToken: [{ as: "ada" }],
      removeApplication: [{ as: "ada" }],
      update: [{ users: [] }],
      failNext: [{ status: 503 }],
      sendWebhookEvent: [fake.handler, "ENTITLEMENT_CREATE", {}],
      webhookPublicKey: [sampleApplication.id],
      advance: [5],
      fetch: [request()],
      handler: [request()],
    }).map(([name, args]) => [
      `FakePlatform.${name}`,
      [(...a: Any) => (createFakePlatform() as Any)[name](...a), ...args],
    ]),
  ),
};

const wrongValues: readonly unknown[] = [
  undefined,
  null,
  5,
  -1,
  1.5,
  NaN,
  "text",
  "",
  true,
  {},
  [],
  [null],
  { a: 1 },
  () => {},

  10n,
  new Date(NaN),
  new Map(),
  Promise.resolve({}),
];

/** The words of messages of V8, JavaScriptCore and SpiderMonkey. */
const engineMessage =
  /^\W*(cannot |can't |class constructor|failed to|invalid )|is not (a function|iterable|an object|a constructor|defined)|destructur|charAt|undefined is/i;

/** The exports that only the library or a runtime calls. */
const calledByOthers = /^StoredEntry|Error$/;

test.each(Object.keys(calls))("%s throws errors of its own for wrong arguments", async (name) => {
  const [call, ...args] = calls[name] ?? [() => {}];
  const given = [
    [],
    [...args].reverse(),
    ...args.flatMap((_, at) => [
      args.slice(0, at),
      ...wrongValues.map((wrong) => args.with(at, wrong)),
    ]),
  ];
  for (const list of given) {
    let message = "";
    try {
      await call(...list);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).not.toMatch(engineMessage);
  }
});

test("the tests above call every function, constructor and method with an argument", async () => {
  const names = [];
  for (const path of Object.values(deno.exports)) {
    const exported: Readonly<Record<string, Any>> = await import(`../../${path}`);
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value !== "function" || calledByOthers.test(name)) continue;
      const methods = Object.entries(Object.getOwnPropertyDescriptors(value.prototype ?? {}))
        .filter(([method, of]) => method !== "constructor" && of.value?.length > 0)
        .map(([method]) => `${name}.${method}`);
      names.push(name, ...methods);
    }
  }
  expect(names).toContain("User.getUserGuilds");
  expect(names.filter((name) => !(name in calls))).toEqual([]);
});

const bot: Any = new sdk.Bot(id);
const notAStore =
  "store must be a Store with load, save and delete, received function: is new missing";

test.each<[string, () => unknown, string]>([
  [
    "parameters of an invitation as text",
    () => bot.url(id),
    "params must be an object like { guildId }, received a string of length 19",
  ],
  [
    "a state alone",
    () => authUrl.makeUrl("s7ate"),
    "params must be an object like { guildId }, received a string of length 5",
  ],
  [
    "options of a bot as text",
    () => new sdk.Bot(id, [], "x" as Any),
    "options must be an object like { platform }, received a string of length 1",
  ],
  ...[{ permissions: ["speak"] }, { scope: ["guilds"] }, { platform: fake.platform }].map((
    options: Any,
  ): [string, () => unknown, string] => [
    `${Object.keys(options)} in the place of the permissions`,
    () => new sdk.Bot(id, options),
    "permissions must be before the options, received object",
  ]),
  [
    "options of AuthUrl in the place of the permissions",
    () => new sdk.AuthUrl(id, ["bot"], uri, { platform: fake.platform } as Any),
    "permissions must be before the options, received object",
  ],
  ...[
    () => new sdk.Bot(id, 8, { platform: fake as Any }),
    () => new sdk.AuthUrl(id, ["bot"], uri, 8, { platform: fake as Any }),
    () => sdk.installUrl(id, { platform: fake as Any }),
    () => sdk.avatarUrl(person, { platform: fake as Any }),
  ].map((call): [string, () => unknown, string] => [
    `a fake platform in ${call}`,
    call,
    "platform must have URLs: pass fake.platform",
  ]),
  [
    "an id without quotes",
    () => user.getGuild(1024000000000000000),
    "id must be digits in a string, received number: quote it",
  ],
  [
    "the class of a store",
    () => new Login({ ...loginOptions, store: MemoryStore as Any }),
    notAStore,
  ],
  ["the class of a store, sealed", () => sdk.sealed(MemoryStore as Any, "x".repeat(32)), notAStore],
  ["the class of a store, kept", () => new TokenSource(api, MemoryStore as Any, "key"), notAStore],
  ["the class of a store, checked", () => checkStore(MemoryStore as Any), notAStore],
  [
    "a value without a version",
    () => memory.save("key", 1, {}),
    "options must be an object with the version from load(), or with version: null for a new value, received Object",
  ],
  [
    "a Request in toRequest",
    () => toRequest(request() as Any, outgoing() as Any),
    "incoming must be Node's request, as in toRequest(req, res), received Request",
  ],
  [
    "a response that is missing in toRequest",
    () => (toRequest as Any)(incoming),
    "outgoing must be Node's response, as in toRequest(req, res) and sendResponse(res, response), received Undefined",
  ],
  [
    "the null of handle",
    () => sendResponse(outgoing() as Any, null as Any),
    "response must be a Response (handle returns null for other paths), received Null",
  ],
  [
    "a listener that is missing",
    () => (new SessionClient({ url: "/session" }) as Any).subscribe(),
    "listener must be a function, received undefined",
  ],
  [
    "a function of an Activity that is missing",
    () => (new SessionClient({ url: "/session", appPath: "/app" }) as Any).enter(),
    "authorize must be a function, received undefined",
  ],
  [
    "another name of the session's path",
    () => new SessionClient({ sessionPath: "/session" } as Any),
    "options.sessionPath is unknown: known names: url, ",
  ],
  [
    "one role",
    () => sdk.permissionsIn({}, { id } as Any, { id }),
    "roles must be the list of roles, received Object",
  ],
  [
    "a browser whose Login uses Discord",
    () =>
      fake.browser((request) =>
        new Login({ ...loginOptions, platform: null }).start(new Request(request))
      ).open("https://app.example/"),
    "the application redirected to Discord itself: pass ...fake (platform and fetch) to the Login",
  ],
])("the error for %s says what to pass", async (_, call, message) => {
  await expect((async () => await call())()).rejects.toThrow(message);
});
