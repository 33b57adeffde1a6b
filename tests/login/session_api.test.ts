import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { MemoryStore, PayloadTooLargeError, User } from "../../mod.ts";
import { createFakePlatform } from "../../src/testing/mod.ts";
import { type App, Browser, createApp, locationOf, SITE } from "./test_app.ts";

const limited = { rateLimits: {} };

const nameOf = ({ name }: Error) => name;

/** A logged-in person, and the requests to the API since then. */
async function loggedIn(app: App) {
  const browser = new Browser(app);
  await browser.open(await browser.consent());
  const view = async () => (await app.login.session(browser.jar.request(SITE)))?.api ?? null;
  const requests = () =>
    app.fake.requests.filter(({ path }) => path.includes("/users/"))
      .map(({ path, status }) => `${status} ${path.replace("/api/v10", "")}`);
  return { browser, view, requests };
}

describe.each([
  ["with keepToken", () => ({ keepToken: true })],
  ["in a store", () => ({ store: new MemoryStore() })],
])("The api of a session %s", (_, storage) => {
  test("sends one request for each kind of response in a login and its first three pages", async () => {
    const app = createApp(storage(), limited);
    const { view, requests } = await loggedIn(app);
    for (let page = 0; page < 3; page++) {
      const user = await view();
      expect(await user?.getCurrentUser()).toMatchObject({ username: "ada" });
      expect(await user?.getUserGuilds()).toHaveLength(4);
    }
    expect(requests()).toEqual(["200 /users/@me", "200 /users/@me/guilds"]);
  });

  test("sends one request for twenty page views in a row, and for fifteen at once", async () => {
    const app = createApp(storage(), limited);
    const { view, requests } = await loggedIn(app);
    const readPage = async () => await (await view())?.getUserGuilds();
    for (let count = 0; count < 20; count++) expect(await readPage()).toHaveLength(4);
    const another = createApp(storage(), limited);
    const other = await loggedIn(another);
    const pages = Array.from(
      { length: 15 },
      async () => await (await other.view())?.getUserGuilds(),
    );
    for (const page of await Promise.all(pages)) expect(page).toHaveLength(4);
    const expected = ["200 /users/@me", "200 /users/@me/guilds"];
    expect(requests()).toEqual(expected);
    expect(other.requests()).toEqual(expected);
  });

  test("repeats no response after freshFor seconds, and none to { fresh: true }", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const app = createApp({ ...storage(), freshFor: 2 });
    const { view, requests } = await loggedIn(app);
    const read = async (fresh = false) => await (await view())?.getUserGuilds({ fresh });
    await read();
    vi.advanceTimersByTime(1999);
    await read();
    expect(requests()).toHaveLength(2);
    vi.advanceTimersByTime(1);
    await read();
    expect(requests()).toHaveLength(3);
    await read(true);
    expect(requests()).toHaveLength(4);
    vi.useRealTimers();
  });

  test("shows at the next view what a new login has added", async () => {
    const app = createApp(storage());
    const { browser, view } = await loggedIn(app);
    const read = async () => (await (await view())?.getUserGuilds())?.[0]?.name;
    const before = await read();
    const [id = ""] = (await (await view())?.getUserGuilds())?.map((guild) => guild.id) ?? [];
    app.fake.update({ guilds: { [id]: { name: "Renamed" } } });
    expect(await read()).toBe(before);
    await browser.open(await browser.consent());
    expect(await read()).toBe("Renamed");
  });

  test("is one User for each session, without the token in its text or in the session's JSON", async () => {
    const app = createApp(storage());
    const { browser } = await loggedIn(app);
    const session = await app.login.session(browser.jar.request(SITE));
    expect(session?.api).toBeInstanceOf(User);
    expect(session?.api).toBe(session?.api);
    expect(Object.keys(session ?? {})).not.toContain("api");
    // Frameworks send no other objects from a server to a page.
    expect(Object.getPrototypeOf(session)).toBe(Object.prototype);
    expect(inspect(session?.api)).not.toContain("token");
  });
});

describe.each([
  ["without a token", () => ({})],
  ["with keepToken", () => ({ keepToken: true })],
  ["in a store", () => ({ store: new MemoryStore() })],
])("The api that onLogin and sessionUser get for a session %s", (_, storage) => {
  test("repeats the responses of the login, and those of onLogin, without a request", async () => {
    const seen: unknown[] = [];
    const app = createApp({
      ...storage(),
      onLogin: async ({ api }) => {
        seen.push((await api.getCurrentUser()).username, (await api.getUserGuilds()).length);
      },
      sessionUser: async ({ username }, { api }) => ({
        username,
        guilds: (await api.getUserGuilds()).length,
      }),
    }, limited);
    const { view, requests } = await loggedIn(app);
    expect(seen).toEqual(["ada", 4]);
    const api = await view();
    if (api) expect(await api.getUserGuilds()).toHaveLength(4);
    expect(requests()).toEqual(["200 /users/@me", "200 /users/@me/guilds"]);
  });

  test("has the platform, fetch, limits and user agent of the Login", async () => {
    const userAgent = "DiscordBot (https://app.example, 1.0)";
    const sent: string[] = [];
    const fake = createFakePlatform();
    const errors: unknown[] = [];
    const app = createApp({
      ...storage(),
      userAgent,
      maxBytes: 5000,
      fetch: async (url, init) => {
        sent.push(`${url} ${init.headers["user-agent"]}`);
        const isGuilds = url.includes("/guilds");
        return isGuilds ? new Response("x".repeat(5001)) : await fake.fetch(url, init);
      },
      onLogin: async ({ api }) => {
        await api.getUserGuilds().catch((error) => errors.push(error));
      },
    }, fake);
    await loggedIn(app);
    expect(errors).toEqual([expect.any(PayloadTooLargeError)]);
    expect(sent.at(-1)).toMatch(/^https:\/\/platform\.test\/api\/v10\/users\/@me\/guilds/);
    expect(sent.at(-1)).toContain(userAgent);
  });

  test("has the scopes of a further consent", async () => {
    const seen: unknown[] = [];
    const app = createApp({
      ...storage(),
      onLogin: async ({ api, session }) => {
        const user: User = api;
        seen.push(session?.has("connections"), await user.getConnections().catch(nameOf));
      },
    });
    const { browser } = await loggedIn(app);
    const link = await app.login.start(browser.jar.request(SITE), { scope: ["connections"] });
    browser.jar.store(link, SITE);
    await browser.open(await app.fake.authorize(locationOf(link)));
    expect(seen).toEqual([undefined, "MissingScopeError", false, expect.any(Array)]);
  });

  test("shows no token in its text, in that of the login, and in its JSON", async () => {
    const texts: string[] = [];
    const app = createApp({
      ...storage(),
      onLogin: (login) => {
        const { api, token: { access_token } } = login;
        const options = { depth: Infinity, showHidden: true, getters: true };
        texts.push(access_token, inspect(api, options), JSON.stringify(api), inspect(login));
      },
    });
    await loggedIn(app);
    const [accessToken = "", ...shown] = texts;
    expect(shown).toHaveLength(3);
    expect(shown.join()).not.toContain(accessToken);
  });
});

test("The api of a session is null without a token", async () => {
  const { view } = await loggedIn(createApp());
  expect(await view()).toBeNull();
});

test("freshFor may be 0, and then every view sends a request", async () => {
  const app = createApp({ keepToken: true, freshFor: 0 });
  const { view, requests } = await loggedIn(app);
  for (let page = 0; page < 3; page++) await (await view())?.getCurrentUser();
  expect(requests()).toHaveLength(1 + 3);
});
