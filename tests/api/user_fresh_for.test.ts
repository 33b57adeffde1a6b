import { describe, expect, test, vi } from "vitest";
import {
  ApiError,
  type ClientOptions,
  discord,
  type Fetch,
  MemoryStore,
  NetworkError,
  PlatformApi,
  type ReadOptions,
  TokenSource,
  User,
} from "../../mod.ts";
import { AuthorizedHttp, forgetModels } from "../../src/api/authorized_http.ts";
import { readerOf, requestOf } from "../../src/api/operations.ts";
import { createFakePlatform, type FakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { fakeFetch, respondWith, thrownBy } from "../support/responders.ts";
import { userCalls, userMethods } from "../support/user_calls.ts";
import { eventually } from "../support/eventually.ts";
import { untilDone, useVirtualTime } from "../support/virtual_time.ts";

const scopes = [
  "identify",
  "guilds",
  "guilds.members.read",
  "connections",
  "openid",
  "role_connections.write",
  "applications.commands.permissions.update",
  "applications.entitlements",
];

/** The time that a request takes, in milliseconds. */
const latency = 200;

/** A person after a login on a fake platform, whose responses take virtual time. Each view of a page has a new `User`. */
function logIn(fake: FakePlatform = createFakePlatform()) {
  const { access_token: token } = fake.issueToken({ scopes });
  const fetch: Fetch = async (input, init) => {
    if (vi.isFakeTimers()) await wait(latency);
    return await fake.fetch(input, init);
  };
  const options: ClientOptions = { fetch, platform: fake.platform };
  const view = () => new User(token, { ...options, freshFor: 5 });
  const paths = () =>
    fake.requests.map(({ method, path }) => `${method} ${path.replace("/api/v10", "")}`);
  return { fake, token, options, view, paths };
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Returns the milliseconds that a call takes in virtual time. */
async function timeOf(call: Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await call;
  return performance.now() - begin;
}

describe("Page views with a User each, against the limits of the platform,", () => {
  test("send one request for twenty in a row", async () => {
    useVirtualTime();
    const { view, paths } = logIn(createFakePlatform({ rateLimits: {} }));
    const times = [];
    for (let count = 0; count < 20; count++) {
      times.push(await untilDone(timeOf(view().getUserGuilds())));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(times).toEqual([latency, ...Array(19).fill(0)]);
    expect(paths()).toEqual(["GET /users/@me/guilds"]);
  });

  test("send one request for fifteen at once, and wait for it as long as it takes", async () => {
    useVirtualTime();
    const { fake, view, paths } = logIn(createFakePlatform({ rateLimits: {} }));
    const readPage = async () => {
      const user = view();
      return await Promise.all([user.getUserGuilds(), user.getCurrentUser()]);
    };
    const pages = Array.from({ length: 15 }, readPage);
    const [time] = await untilDone(Promise.all([timeOf(Promise.all(pages)), ...pages]));
    for (const [guilds, { username }] of await Promise.all(pages)) {
      expect(guilds).toHaveLength(4);
      expect(username).toBe("ada");
    }
    expect(time).toBeLessThanOrEqual(1.05 * latency);
    expect(paths().sort()).toEqual(["GET /users/@me", "GET /users/@me/guilds"]);
    expect(fake.requests.map(({ status }) => status)).toEqual([200, 200]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("send one request every five seconds", async () => {
    useVirtualTime();
    const { fake, view } = logIn(createFakePlatform({ rateLimits: {} }));
    for (let second = 0; second < 60; second++) {
      await untilDone(Promise.all([view().getUserGuilds(), view().getUserGuilds()]));
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(fake.requests.map(({ status }) => status)).toEqual(Array(12).fill(200));
  });

  test("after a login send one request for the user", async () => {
    const { token, options, view, paths } = logIn();
    const http = new AuthorizedHttp(token, { ...options, freshFor: 5 });
    const user = await http.request(requestOf("getCurrentUser", {}), readerOf("getCurrentUser"));
    for (let page = 0; page < 3; page++) expect(await view().getCurrentUser()).toBe(user);
    expect(paths()).toEqual(["GET /users/@me"]);
  });
});

describe("The option freshFor", () => {
  test("repeats every result, deeply frozen, in a list of the caller's own", async () => {
    const { view, paths } = logIn();
    // Without permissions, the response is a 404, which is not kept.
    await userCalls.setCommandPermissions(view());
    const reads = userMethods.filter(({ isRead, isOfBot }) => isRead && !isOfBot);
    for (const { call } of reads) {
      const [first, second] = [await call(view()), await call(view())];
      expect(second).toEqual(first);
      if (!Array.isArray(first)) expect(second).toBe(first);
      else {
        expect(second).not.toBe(first);
        expect((second as unknown[])[0]).toBe(first[0]);
      }
      expect(changeablePartsOf(Array.isArray(first) ? [...first] : [first])).toEqual([]);
    }
    expect(paths()).toHaveLength(1 + reads.length);
  });

  test("repeats the results of a bot", async () => {
    const { fake, options, paths } = logIn();
    const { botToken } = sampleApplication;
    const bot = () => new User(botToken, { ...options, tokenType: "Bot", freshFor: 5 });
    const guild = await bot().getGuild("1200000000000000001");
    expect(await bot().getGuild("1200000000000000001")).toBe(guild);
    expect(changeablePartsOf([guild])).toEqual([]);
    expect(paths()).toHaveLength(1);
    expect(fake.requests[0]?.headers["authorization"]).toBe(`Bot ${botToken}`);
  });

  test.each([-1, NaN, Infinity, "5", true])("must be a number of seconds: %j", (freshFor) => {
    const create = () => new User("t0ken", { freshFor: freshFor as number });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(/^freshFor must be a number of seconds, received/);
  });

  test("is the time of each User: 0 neither leaves a result nor takes one", async () => {
    useVirtualTime();
    const { token, options, paths } = logIn();
    const read = (freshFor?: number | null) =>
      untilDone(new User(token, { ...options, freshFor }).getCurrentUser());
    for (const freshFor of [undefined, null, 0]) await read(freshFor);
    await read(5);
    await read(0);
    expect(paths()).toHaveLength(5);
    await vi.advanceTimersByTimeAsync(4000);
    await read(5);
    expect(paths()).toHaveLength(5);
    await read(3);
    expect(paths()).toHaveLength(6);
    await vi.advanceTimersByTimeAsync(4999);
    await read(5);
    expect(paths()).toHaveLength(6);
    await vi.advanceTimersByTimeAsync(1);
    await read(5);
    expect(paths()).toHaveLength(7);
  });

  test.each<[string, (options: ClientOptions) => Promise<unknown>]>([
    ["another token", (options) => read("0ther", options)],
    ["another type of token", (options) => read("t0ken", options, undefined, "Bot")],
    [
      "another fetch",
      ({ fetch }) => read("t0ken", { fetch: (...call) => fetch?.(...call) ?? Promise.reject() }),
    ],
    [
      "another API",
      (options) => read("t0ken", { ...options, platform: at({ apiUrl: "https://a.example" }) }),
    ],
    [
      "another CDN",
      (options) => read("t0ken", { ...options, platform: at({ cdnUrl: "https://a.example" }) }),
    ],
    ["another query", (options) => read("t0ken", options, { limit: 2 })],
  ])("does not repeat a result for %s", async (_what, readOther) => {
    const { fetch, requests } = fakeFetch(respondWith([]));
    await read("t0ken", { fetch });
    await read("t0ken", { fetch });
    expect(requests).toHaveLength(1);
    await readOther({ fetch });
    expect(requests).toHaveLength(2);
  });

  test("does not repeat an error", async () => {
    const { fake, view, paths } = logIn();
    fake.failNext({ status: 403 });
    expect(await thrownBy(() => view().getUserGuilds())).toBeInstanceOf(ApiError);
    expect(await view().getUserGuilds()).toHaveLength(4);
    expect(paths()).toHaveLength(2);
  });

  test("gives those who wait the same refusal, with one request", async () => {
    useVirtualTime();
    const { view, paths } = logIn();
    const reads = Array.from(
      { length: 15 },
      () => thrownBy(() => view().getGuildMember("1")),
    );
    const [first, ...others] = await untilDone(Promise.all(reads));
    expect(first).toMatchObject({ name: "ApiError", httpStatus: 404 });
    for (const other of others) expect(other).toBe(first);
    expect(paths()).toHaveLength(1);
  });

  test("lets another call take over from one that is aborted or fails", async () => {
    useVirtualTime();
    const { fake, view, paths } = logIn();
    const controller = new AbortController();
    const aborted = thrownBy(() => view().getCurrentUser({ signal: controller.signal }));
    const others = [view().getCurrentUser(), view().getCurrentUser()];
    await vi.advanceTimersByTimeAsync(latency / 2);
    controller.abort("enough");
    expect(await aborted).toBe("enough");
    await untilDone(Promise.all(others));
    expect(paths()).toHaveLength(1);
    for (let attempt = 0; attempt < 3; attempt++) fake.failNext({ cut: "before" });
    const reads = [1, 2, 3].map(() => view().getUserGuilds());
    const [failed, ...succeeded] = await untilDone(Promise.allSettled(reads));
    expect(failed).toMatchObject({ status: "rejected", reason: expect.any(NetworkError) });
    expect(succeeded).toMatchObject([{ status: "fulfilled" }, { status: "fulfilled" }]);
    expect(paths()).toHaveLength(5);
  });

  test("sends one request more when the token of a source is renewed", async () => {
    const { fake, options, paths } = logIn();
    const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, fake);
    const source = new TokenSource(api, new MemoryStore(), "ada");
    const { authorizeUrl } = fake.platform;
    const login = `?response_type=code&client_id=${id}&scope=identify&redirect_uri=${redirectUri}`;
    const { searchParams } = new URL(await fake.authorize(authorizeUrl + login));
    const token = await api.accessToken(searchParams.get("code") ?? "");
    await source.save(token);
    const view = () => new User(source, { ...options, freshFor: 5 });
    const before = paths().length;
    for (let count = 0; count < 3; count++) await view().getCurrentUser();
    await source.renew(token);
    for (let count = 0; count < 3; count++) await view().getCurrentUser();
    expect(paths().slice(before)).toEqual([
      "GET /users/@me",
      "POST /oauth2/token",
      "GET /users/@me",
    ]);
  });
});

describe("A write", () => {
  const { id } = sampleApplication;

  test("forgets the results of its token, also with a User without freshFor", async () => {
    const { token, options, view, paths } = logIn();
    const user = view();
    expect(await user.getRoleConnection(id)).toMatchObject({ platform_name: null });
    await user.setRoleConnection(id, { platform_name: "Looms" });
    expect(await user.getRoleConnection(id)).toMatchObject({ platform_name: "Looms" });
    expect(await view().getRoleConnection(id)).toMatchObject({ platform_name: "Looms" });
    await new User(token, options).deleteRoleConnection(id);
    expect(await user.getRoleConnection(id)).toMatchObject({ platform_name: null });
    expect(paths().map((line) => line.split(" ")[0])).toEqual(
      ["GET", "PUT", "GET", "DELETE", "GET"],
    );
  });

  test("of a bot that adds a person to a guild forgets the results of that person", async () => {
    const bots = { [id]: "8" };
    const { fake, options } = logIn(
      createFakePlatform({ guilds: [{ id: "7", name: "Looms", bots }] }),
    );
    const request = { as: "grace", scopes: ["guilds", "guilds.join"] } as const;
    const { access_token } = fake.issueToken(request);
    const guilds = () => new User(access_token, { ...options, freshFor: 5 }).getUserGuilds();
    expect(await guilds()).toEqual([]);
    const bot = new User(sampleApplication.botToken, { ...options, tokenType: "Bot" });
    await bot.addGuildMember("7", "1000000000000000002", { access_token });
    expect(await guilds()).toMatchObject([{ name: "Looms" }]);
  });

  test("forgets them when it begins, since its end may never come", async () => {
    const { fake, view, paths } = logIn();
    await view().getRoleConnection(id);
    fake.failNext({ hang: true });
    const controller = new AbortController();
    const { signal } = controller;
    const writing = thrownBy(() => view().setRoleConnection(id, {}, { signal }));
    await eventually(() => expect(paths()).toHaveLength(2));
    await view().getRoleConnection(id);
    expect(paths()).toHaveLength(3);
    controller.abort("enough");
    expect(await writing).toBe("enough");
  });

  test("forgets them when it fails, too", async () => {
    const { fake, view, paths } = logIn();
    await view().getRoleConnection(id);
    fake.failNext({ cut: "body" });
    await thrownBy(() => view().setRoleConnection(id, { platform_name: "Looms" }));
    expect(await view().getRoleConnection(id)).toMatchObject({ platform_name: "Looms" });
    expect(paths()).toHaveLength(3);
  });

  test.each([["before", 0], ["during", 300]])(
    "keeps the result of a read from %s it out of later reads",
    async (_when, readAt) => {
      useVirtualTime();
      let reads = 0;
      const fetch: Fetch = async (_url, { method }) => {
        const platform_name = method === "GET" && ++reads === 1 ? "old" : "new";
        await wait(method === "GET" ? 1000 : 400);
        return Response.json({ platform_name, metadata: {} });
      };
      const view = () => new User("t0ken", { fetch, freshFor: 60 });
      const user = view();
      const early = wait(readAt).then(() => user.getRoleConnection("1"));
      await untilDone(wait(200).then(() => user.setRoleConnection("1", {})));
      const later = user.getRoleConnection("1");
      expect(await untilDone(early)).toMatchObject({ platform_name: "old" });
      const last = view().getRoleConnection("1");
      expect(await untilDone(later)).toMatchObject({ platform_name: "new" });
      expect(await untilDone(last)).toMatchObject({ platform_name: "new" });
      expect(reads).toBe(2);
    },
  );
});

describe("A call with fresh", () => {
  test("asks the platform, and leaves its result to others", async () => {
    const { view, paths } = logIn();
    const first = await view().getCurrentUser();
    const fresh = await view().getCurrentUser({ fresh: true });
    expect(fresh).not.toBe(first);
    expect(await view().getCurrentUser()).toBe(fresh);
    expect(await view().getCurrentUser({ fresh: false })).toBe(fresh);
    expect(await view().getCurrentUser({ fresh: null })).toBe(fresh);
    expect(paths()).toHaveLength(2);
  });

  test("reads all pages of guilds again", async () => {
    const { view, paths } = logIn();
    for (const fresh of [false, true, false]) {
      await Array.fromAsync(view().eachUserGuild({ fresh }));
      expect(await view().getUserGuilds({ limit: 1, fresh })).toHaveLength(1);
    }
    expect(paths()).toHaveLength(4);
  });

  test.each([["a User", 0], ["several Users", 5]])(
    "joins no read of %s that began before it, and its result is the later one",
    async (_what, freshFor) => {
      useVirtualTime();
      let requests = 0;
      const fetch: Fetch = async () => {
        const number = ++requests;
        await wait(number === 1 ? 500 : 100);
        return Response.json({ id: "1", username: `reader ${number}` });
      };
      const one = new User("t0ken", { fetch, freshFor });
      const another = freshFor === 0 ? one : new User("t0ken", { fetch, freshFor });
      const first = one.getCurrentUser();
      await vi.advanceTimersByTimeAsync(50);
      const fresh = another.getCurrentUser({ fresh: true });
      const joining = another.getCurrentUser();
      expect(await untilDone(fresh)).toMatchObject({ username: "reader 2" });
      expect(await untilDone(joining)).toMatchObject({ username: "reader 2" });
      if (freshFor > 0) expect(await one.getCurrentUser()).toBe(await fresh);
      expect(await untilDone(first)).toMatchObject({ username: "reader 1" });
      if (freshFor > 0) expect(await one.getCurrentUser()).toBe(await fresh);
      expect(requests).toBe(2);
    },
  );

  test("forgets the kept result when it is refused", async () => {
    const { fake, view } = logIn();
    const guild = "1200000000000000001";
    await view().getGuildMember(guild);
    fake.failNext({ status: 404 });
    await thrownBy(() => view().getGuildMember(guild, { fresh: true }));
    fake.failNext({ status: 404 });
    expect(await thrownBy(() => view().getGuildMember(guild))).toMatchObject({ httpStatus: 404 });
  });

  test("must be true or false, and a write takes none", async () => {
    const { view, paths } = logIn();
    const wrong = { fresh: 1 } as unknown as ReadOptions;
    const message = "TypeError: fresh must be true or false, received number";
    expect(String(await thrownBy(() => view().getCurrentUser(wrong)))).toBe(message);
    expect(String(await thrownBy(() => view().eachUserGuild(wrong)))).toBe(message);
    const fresh: ReadOptions = { fresh: true };
    // @ts-expect-error: a write has no option fresh
    const typed: Parameters<User["leaveGuild"]>[1] = { fresh: true };
    for (const options of [fresh, typed]) {
      expect(String(await thrownBy(() => view().deleteRoleConnection("1", options))))
        .toBe("TypeError: options.fresh is unknown: known names: signal");
    }
    expect(paths()).toEqual([]);
  });
});

test("forgetModels() forgets the results of a token", async () => {
  const { token, options, view, paths } = logIn();
  await view().getUserGuilds();
  forgetModels("another", options);
  await view().getUserGuilds();
  expect(paths()).toHaveLength(1);
  forgetModels(token, options);
  await view().getUserGuilds();
  expect(paths()).toHaveLength(2);
});

test("A bot's User that met a mistaken 401 works again after five minutes", async () => {
  useVirtualTime();
  const fake = createFakePlatform();
  const bot = new User(sampleApplication.botToken, { ...fake, tokenType: "Bot", freshFor: 5 });
  const statusOf = async () => {
    const error = await thrownBy(() => untilDone(bot.getCurrentUser()));
    return (error as ApiError).httpStatus;
  };
  fake.failNext({ status: 401 });
  expect(await statusOf()).toBe(401);
  await vi.advanceTimersByTimeAsync(299_000);
  expect(await statusOf()).toBe(401);
  expect(fake.requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await untilDone(bot.getCurrentUser())).toMatchObject({ bot: true });
  expect(fake.requests).toHaveLength(2);
});

/** Reads guilds with a new User. */
function read(
  token: string,
  options: ClientOptions,
  call?: { readonly limit: number },
  tokenType?: "Bot",
) {
  return new User(token, { ...options, tokenType, freshFor: 5 }).getUserGuilds(call);
}

function at(addresses: { readonly apiUrl?: string; readonly cdnUrl?: string }) {
  return { ...discord, ...addresses };
}

/** Returns the paths of the objects in a value that are not frozen. */
function changeablePartsOf(values: readonly unknown[], path = ""): string[] {
  return values.flatMap((value, index) => {
    if (typeof value !== "object" || value === null) return [];
    const inner = changeablePartsOf(Object.values(value), `${path}.${index}`);
    const isPlain = [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value));
    return Object.isFrozen(value) && isPlain ? inner : [`${path}.${index}`, ...inner];
  });
}
