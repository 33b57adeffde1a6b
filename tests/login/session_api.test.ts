import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { MemoryStore, User } from "../../mod.ts";
import { type App, Browser, createApp, SITE } from "./test_app.ts";

const limited = { rateLimits: {} };

/** Somebody who has logged in, and the requests to the API since then. */
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
  test("sends one request for each kind of answer in a login and its first three pages", async () => {
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

  test("repeats no answer after freshFor seconds, and none to { fresh: true }", async () => {
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
