import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { generateState, MemoryStore, type StateMismatchError } from "../../../mod.ts";
import { homeOf, localPath } from "../../../src/login/site/page_after_login.ts";
import type { AfterLogin, StartOptions } from "../../../src/login/mod.ts";
import { RecordingStore } from "../../support/stepped_store.ts";
import { type App, Browser, createApp, exchanges, locationOf, SITE } from "../test_app.ts";

const ADA = "1000000000000000001";
const GUILD = "1200000000000000001";
const FRONTEND = "https://www.app.example";
const DAY = 86_400_000;

/** The argument of `afterLogin` in these tests. */
type Confirmed = AfterLogin<"identify" | "guilds">;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Begins a login at an address of the application, and returns the page to which it leads. */
async function pageAfter(app: App, address: string, init?: RequestInit): Promise<string> {
  const browser = new Browser(app);
  const link = locationOf(await browser.open(address, init));
  return locationOf(await browser.open(await app.fake.authorize(link)));
}

/** Logs a person in. */
async function logIn(browser: Browser, as = "ada"): Promise<string> {
  return locationOf(await browser.open(await browser.consent(undefined, as)));
}

/** Begins a consent for a further scope, and returns the address of its callback. */
async function askForMore(
  { fake, login }: App,
  { jar }: Browser,
  options: StartOptions = {},
): Promise<string> {
  const response = await login.start(jar.request(`${SITE}/settings`), {
    scope: ["connections"],
    ...options,
  });
  jar.store(response, SITE);
  return await fake.authorize(locationOf(response));
}

const storages = [
  ["in a cookie", () => ({})],
  ["in a store", () => ({ store: new MemoryStore() })],
] as const;

describe("A login that names no page", () => {
  test.each([
    ["without a page", "/login"],
    ["with an empty page", "/login?returnTo="],
    ["with a page of another site", "/login?returnTo=https://evil.example/"],
    ["with the path that begins a login", "/login?returnTo=/login"],
    ["with the path of the callback", "/login?returnTo=/callback"],
    ["with the path that ends a session", "/login?returnTo=/logout?x=1"],
    ["with a long page", `/login?returnTo=/${"a".repeat(1100)}`],
  ])("leads to the path of afterLogin: %s", async (_, address) => {
    expect(await pageAfter(createApp(), address)).toBe(`${SITE}/`);
    const app = createApp({ afterLogin: "/app?tab=1" });
    expect(await pageAfter(app, address)).toBe(`${SITE}/app?tab=1`);
  });

  test("leads to the path of afterLogin if a form began it", async () => {
    const app = createApp({ afterLogin: "/app" });
    expect(await pageAfter(app, "/orders", { method: "POST" })).toBe(`${SITE}/app`);
  });

  test("leads to a page of a frontend in afterLogin", async () => {
    const app = createApp({ afterLogin: `${FRONTEND}/app`, frontends: [FRONTEND] });
    expect(await pageAfter(app, "/login")).toBe(`${FRONTEND}/app`);
  });

  test("leads to the path of afterLogin if its page does not fit beside the application's cookies", async () => {
    const app = createApp({ afterLogin: "/app" });
    const headers = { cookie: `other=${"x".repeat(6000)}` };
    const address = `/login?returnTo=/${"a".repeat(101)}`;
    expect(await pageAfter(app, address, { headers })).toBe(`${SITE}/app`);
  });

  test("has a page about its error whose button names no page either", async () => {
    const browser = new Browser(createApp({ afterLogin: "/app" }));
    const { searchParams } = new URL(await browser.begin());
    const response = await browser.open(
      `/callback?error=access_denied&state=${searchParams.get("state")}`,
    );
    expect(await response.text()).toContain('<a href="/login">Log in</a>');
  });
});

describe("A login that names a page", () => {
  test("leads there, and not to the path of afterLogin", async () => {
    const app = createApp({ afterLogin: "/app", frontends: [FRONTEND] });
    expect(await pageAfter(app, "/login?returnTo=/")).toBe(`${SITE}/`);
    expect(await pageAfter(app, "/login?returnTo=/shop")).toBe(`${SITE}/shop`);
    expect(await pageAfter(app, `/login?returnTo=${FRONTEND}/`)).toBe(`${FRONTEND}/`);
    expect(await pageAfter(app, "/shop?page=2")).toBe(`${SITE}/shop?page=2`);
  });

  test("leads to the home page of its frontend if the page is too long", async () => {
    const app = createApp({ afterLogin: "/app", frontends: [FRONTEND] });
    const page = `${FRONTEND}/${"a".repeat(1100)}`;
    expect(await pageAfter(app, `/login?returnTo=${page}`)).toBe(`${FRONTEND}/`);
  });
});

test("finish() returns the page of afterLogin", async () => {
  const app = createApp({ afterLogin: "/app" });
  const browser = new Browser(app);
  const finish = async (page?: string) =>
    (await app.login.finish(browser.jar.request(await browser.consent(page)))).returnTo;
  expect(await finish()).toBe("/app");
  expect(await finish("/shop")).toBe("/shop");
});

test("A callback that is opened after its login has ended leads to the path of afterLogin", async () => {
  const pageWith = async (afterLogin: "/app" | (() => string)) => {
    const app = createApp({ afterLogin });
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    await browser.open(callback);
    return locationOf(await browser.open(callback));
  };
  expect(await pageWith("/app")).toBe(`${SITE}/app`);
  // There is no login for the function.
  expect(await pageWith(() => "/welcome")).toBe(`${SITE}/`);
});

test("A canceled consent leads back to the page of afterLogin if it named none", async () => {
  const app = createApp({ afterLogin: "/app" });
  const browser = new Browser(app);
  await logIn(browser);
  const callback = new URL(await askForMore(app, browser, { returnTo: "https://evil.example" }));
  callback.search = `?error=access_denied&state=${callback.searchParams.get("state")}`;
  expect(await (await browser.open(callback)).text()).toContain('<a href="/app">Go back</a>');
});

describe.each(storages)("With sessions %s, the function afterLogin", (_, storage) => {
  test("gets what onLogin gets, and the page that the login named", async () => {
    const afterLogin = vi.fn((_login: Confirmed) => "/welcome");
    const onLogin = vi.fn(() => null);
    const app = createApp({ ...storage(), afterLogin, onLogin });
    const browser = new Browser(app);
    expect(await logIn(browser)).toBe(`${SITE}/welcome`);
    await browser.open(await browser.consent("/shop"));
    await browser.open(await browser.consent("https://evil.example/"));
    expect(afterLogin.mock.calls.map(([{ returnTo }]) => returnTo)).toEqual([null, "/shop", null]);
    const [{ returnTo: _page, ...login }] = afterLogin.mock.calls[0] ?? expect.fail("no call");
    expect([login]).toEqual(onLogin.mock.calls[0]);
    expect(login).toMatchObject({
      user: { id: ADA },
      data: null,
      guildId: null,
      permissions: null,
      session: null,
    });
    expect((await login.api.getUserGuilds()).length).toBeGreaterThan(0);
  });

  test("gets the previous session of the same person only", async () => {
    const sessions: unknown[] = [];
    const afterLogin = ({ session }: Confirmed) => {
      sessions.push(session?.user);
      return session ? "/again" : "/welcome";
    };
    const app = createApp({ ...storage(), afterLogin, sessionUser: ({ username }) => username });
    const browser = new Browser(app);
    const pages = [];
    for (const person of ["ada", "ada", "grace"]) pages.push(await logIn(browser, person));
    expect(sessions).toEqual([undefined, "ada", undefined]);
    expect(pages).toEqual(["/welcome", "/again", "/welcome"].map((page) => SITE + page));
  });

  test("leads to the guild that a bot was added to", async () => {
    const app = createApp({
      ...storage(),
      afterLogin: ({ guildId, returnTo }) => guildId ? `/guilds/${guildId}` : returnTo ?? "/app",
    });
    const browser = new Browser(app);
    expect(await logIn(browser)).toBe(`${SITE}/app`);
    const callback = await askForMore(app, browser, { scope: ["bot"], guildId: GUILD });
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/guilds/${GUILD}`);
  });

  test("runs for a consent for further scopes, and not for a renewal", async () => {
    const afterLogin = vi.fn(({ returnTo }: Confirmed) => `/after${returnTo}`);
    const app = createApp({ ...storage(), afterLogin });
    const browser = new Browser(app);
    await logIn(browser);
    expect(locationOf(await browser.open(await askForMore(app, browser))))
      .toBe(`${SITE}/after/settings`);
    afterLogin.mockClear();
    if ("store" in storage()) return;
    vi.advanceTimersByTime(7 * DAY + 1000);
    for (const [address, page] of [["/shop", "/shop"], ["/login", "/"]] as const) {
      const link = locationOf(await browser.open(address));
      expect(link).toContain("prompt=none");
      expect(locationOf(await browser.open(await app.fake.authorize(link)))).toBe(SITE + page);
      vi.advanceTimersByTime(7 * DAY + 1000);
    }
    expect(afterLogin).not.toHaveBeenCalled();
  });

  test("runs after onLogin and sessionUser, and does not run if onLogin refuses the person", async () => {
    const calls: string[] = [];
    let response: Response | null = null;
    const app = createApp({
      ...storage(),
      onLogin: () => (calls.push("onLogin"), response),
      sessionUser: () => calls.push("sessionUser"),
      afterLogin: async () => (await Promise.resolve(), calls.push("afterLogin"), "/welcome"),
    });
    const browser = new Browser(app);
    await logIn(browser);
    expect(calls).toEqual(["onLogin", "sessionUser", "afterLogin"]);
    response = new Response("members only", { status: 403 });
    const { returnTo } = await app.login.finish(
      browser.jar.request(await browser.consent("/shop")),
    );
    expect({ calls: calls.length, returnTo }).toEqual({ calls: 4, returnTo: "/shop" });
  });

  test.each([
    ["a path", () => "/welcome?a=b#c", "/welcome?a=b#c"],
    ["a promise of a path", () => Promise.resolve("/welcome"), "/welcome"],
    ["a URL of the site", () => new URL("/welcome", SITE), "/welcome"],
    ["the text of such a URL", () => `${SITE}/welcome`, "/welcome"],
    ["a page of a frontend", () => `${FRONTEND}/welcome`, `${FRONTEND}/welcome`],
    ["a URL of a frontend", () => new URL(FRONTEND), `${FRONTEND}/`],
    ["a URL of another site", () => new URL("https://evil.example/"), "/"],
    ["another site", () => "https://evil.example/", "/"],
    ["another site without a scheme", () => "//evil.example", "/"],
    ["another site after a backslash", () => "/\\evil.example", "/"],
    ["another site after two backslashes", () => "\\\\evil.example", "/"],
    ["another site after a tab", () => "/\t/evil.example", "/"],
    ["another site after a dot segment", () => "/.//evil.example", "/"],
    ["a further header", () => "/welcome\r\nset-cookie: session=x", "/"],
    ["a control character", () => "/\u0000welcome", "/"],
    ["half of a character", () => "/\ud800", "/"],
    ["a script", () => "javascript:alert(1)", "/"],
    ["a data URL", () => "data:text/html,x", "/"],
    ["a host that begins like the frontend", () => `${FRONTEND}.evil.example/`, "/"],
    ["a name before another host", () => `${FRONTEND}@evil.example/`, "/"],
    ["the frontend over plain HTTP", () => FRONTEND.replace("https", "http"), "/"],
    ["another port of the frontend", () => `${FRONTEND}:8443/`, "/"],
    ["a path without a slash", () => "welcome", "/"],
    ["empty text", () => "", "/"],
    ["a long path", () => `/${"a".repeat(1100)}`, "/"],
    ["the path that begins a login", () => "/login", "/"],
    ["that path behind a dot segment", () => "/x/../login?returnTo=/", "/"],
    ["the path of the callback", () => `${SITE}/callback?code=1`, "/"],
    ["the path that ends a session", () => "/logout#", "/"],
    ["the path of the session", () => "/session", "/"],
  ])("can return %s, and leads to no other site", async (_, afterLogin, page) => {
    const shared = { frontends: [FRONTEND], sessionPath: "/session" };
    const app = createApp({ ...storage(), ...shared, afterLogin });
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    const warned = vi.spyOn(console, "warn").mockReset().mockReturnValue();
    const { returnTo } = await app.login.finish(browser.jar.request(callback));
    expect(returnTo).toBe(page);
    expect(warned.mock.calls).toEqual(
      page !== "/" ? [] : [[
        'afterLogin must return a path like "/app" outside the login itself, or a URL of a frontend: used / instead',
      ]],
    );
    expect(locationOf(await browser.open(callback)))
      .toBe(page.startsWith("/") ? SITE + page : page);
  });

  test.each<[string, unknown, string]>([
    ["a Response", new Response(), "object"],
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
    ["a number", 1, "number"],
    ["an object with a text", { toString: () => "/welcome" }, "object"],
  ])("ends the login in an error if it returns %s", async (_, page, received) => {
    const onError = vi.fn((error: Error) => new Response(error.message, { status: 500 }));
    const app = createApp({ ...storage(), onError, afterLogin: () => page as string });
    const browser = new Browser(app);
    const failed = await browser.open(await browser.consent());
    expect(await failed.text()).toBe(
      `afterLogin must return a path or a URL, received ${received}; for a Response instead of a session, use onLogin`,
    );
    expect(onError.mock.lastCall?.[0]).toBeInstanceOf(TypeError);
    expect(await browser.whoAmI()).toBeNull();
  });

  test("ends the login in its own error, and runs again when the callback is opened again", async () => {
    const error = new Error("the database is down");
    const onError = vi.fn((_error: Error) => new Response(null, { status: 503 }));
    const afterLogin = vi.fn(() => "/welcome").mockImplementationOnce(() => {
      throw error;
    });
    const app = createApp({ ...storage(), onError, afterLogin });
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    expect((await browser.open(callback)).status).toBe(503);
    expect(onError.mock.calls).toEqual([[error, expect.anything()]]);
    expect(await browser.whoAmI()).toBeNull();
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/welcome`);
    expect(await browser.whoAmI()).not.toBeNull();
    expect(exchanges(app)).toBe(1);
  });

  test("decides once for a callback that is opened again, or twice at the same moment", async () => {
    let runs = 0;
    const app = createApp({ ...storage(), afterLogin: () => `/welcome/${++runs}` });
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    const open = async () => locationOf(await app.fetch(browser.jar.request(callback)));
    const pages = await Promise.all([open(), open()]);
    pages.push(await open());
    expect(pages).toEqual(Array(3).fill(`${SITE}/welcome/1`));
    const { returnTo } = await app.login.finish(browser.jar.request(callback));
    expect({ returnTo, runs }).toEqual({ returnTo: "/welcome/1", runs: 1 });
  });

  test("leaves a session as it was if it fails for a consent", async () => {
    let fails = false;
    const afterLogin = () => fails ? Promise.reject(new Error("no page")) : "/welcome";
    const app = createApp({ ...storage(), afterLogin });
    const browser = new Browser(app);
    await logIn(browser);
    fails = true;
    const response = await browser.open(await askForMore(app, browser));
    expect(response.status).toBe(500);
    const session = await app.login.session(browser.jar.request(SITE));
    expect(session?.scopes).toEqual(["identify", "guilds"]);
  });
});

describe("With a store, the function afterLogin", () => {
  test("runs before a session is saved", async () => {
    const store = new RecordingStore();
    const saved: string[] = [];
    const afterLogin = async () => {
      saved.push(...await store.keys("guildpass:session:"));
      return "/welcome";
    };
    const app = createApp({ store, afterLogin });
    const browser = new Browser(app);
    await logIn(browser);
    expect(saved).toEqual([]);
    expect(await store.keys("guildpass:session:")).toHaveLength(1);
  });

  test("leaves nothing of a person in the store if it fails", async () => {
    const store = new RecordingStore();
    const app = createApp({ store, afterLogin: () => Promise.reject(new Error("no page")) });
    const browser = new Browser(app);
    await browser.open(await browser.consent());
    expect(await store.keys("guildpass:session:")).toEqual([]);
    expect(await app.login.endAll(ADA)).toBe(0);
  });

  test("decides once for a consent whose session changes meanwhile", async () => {
    const sessionUser = vi.fn(({ username }: { username: string }) => ({ username }));
    const afterLogin = vi.fn(async ({ request, session }: Confirmed) => {
      if (session) await app.login.update(request, { theme: "dark" });
      return `/welcome/${afterLogin.mock.calls.length}`;
    });
    const app: App = createApp({ store: new MemoryStore(), afterLogin, sessionUser });
    const browser = new Browser(app);
    expect(await logIn(browser)).toBe(`${SITE}/welcome/1`);
    const callback = await askForMore(app, browser);
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/welcome/2`);
    expect({ afterLogin: afterLogin.mock.calls.length, sessionUser: sessionUser.mock.calls.length })
      .toEqual({ afterLogin: 2, sessionUser: 3 });
  });

  test("creates no session if it ends the sessions of the person", async () => {
    const store = new RecordingStore();
    const app: App = createApp({
      store,
      afterLogin: async ({ user }) => `/ended/${await app.login.endAll(user.id)}`,
    });
    const browser = new Browser(app);
    // The page belongs to a session, so the person gets to the page that the login named.
    expect(locationOf(await browser.open(await browser.consent("/shop")))).toBe(`${SITE}/shop`);
    expect(await browser.whoAmI()).toBeNull();
    expect(await store.keys("guildpass:session:")).toEqual([]);
  });

  test("decides once for a callback that two processes get", async () => {
    const afterLogin = vi.fn(() => `/welcome/${afterLogin.mock.calls.length}`);
    const shared = { store: new MemoryStore(), secret: generateState(), afterLogin };
    const first = createApp(shared);
    const second = createApp(shared, first.fake);
    const browser = new Browser(first);
    const callback = await browser.consent();
    const open = async (app: App) => locationOf(await app.fetch(browser.jar.request(callback)));
    const pages = await Promise.all([open(first), open(second)]);
    pages.push(await open(second), await open(first));
    expect(pages).toEqual(Array(4).fill(`${SITE}/welcome/1`));
  });
});

test("A process without the function afterLogin keeps the page that another process has decided", async () => {
  const shared = { store: new MemoryStore(), secret: generateState() };
  const deciding = createApp({ ...shared, afterLogin: () => "/welcome" });
  const other = createApp(shared, deciding.fake);
  const browser = new Browser(deciding);
  const callback = await browser.consent("/shop");
  await deciding.fetch(browser.jar.request(callback));
  expect(locationOf(await other.fetch(browser.jar.request(callback)))).toBe(`${SITE}/welcome`);
});

describe("new Login()", () => {
  test.each<[string, unknown]>([
    ["another site", "https://evil.example/"],
    ["another site without a scheme", "//evil.example"],
    ["another site after a backslash", "/\\evil.example"],
    ["a script", "javascript:alert(1)"],
    ["a path without a slash", "app"],
    ["empty text", ""],
    ["a list", ["/app"]],
    ["a URL of a frontend", new URL(FRONTEND)],
    ["the path that begins a login", "/login"],
    ["the path of the callback", "/x/../callback?a=b"],
    ["the path that ends a session", "/logout"],
    ["the path of the session", "/session"],
  ])("refuses %s in afterLogin", (_, afterLogin) => {
    const options = { frontends: [FRONTEND], sessionPath: "/session" };
    const create = () => createApp({ ...options, afterLogin: afterLogin as string });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(
      'afterLogin must be a function, a path like "/app" outside the login itself, or a URL of a frontend, received ',
    );
    expect(create).not.toThrow("evil");
  });

  test("refuses the path of redirectUri in afterLogin, and accepts a URL of the site", async () => {
    const options = { redirectUri: `${SITE}/auth/callback`, callbackPath: "/callback" };
    expect(() => createApp({ ...options, afterLogin: "/auth/callback" })).toThrow(
      "afterLogin must",
    );
    const app = createApp({ redirectUri: `${SITE}/callback`, afterLogin: `${SITE}/app` });
    expect(await pageAfter(app, "/login")).toBe(`${SITE}/app`);
  });
});

test("The path of redirectUri is not a page to return to, also behind a proxy that changes paths", async () => {
  const app = createApp({
    redirectUri: `${SITE}/callback`,
    callbackPath: "/inner",
    afterLogin: "/app",
  });
  const browser = new Browser(app);
  const callback = new URL(await browser.consent("/callback"));
  callback.pathname = "/inner";
  expect(locationOf(await browser.open(callback))).toBe(`${SITE}/app`);
});

test("An error page of the callback does not run afterLogin", async () => {
  const afterLogin = vi.fn(() => "/welcome");
  const app = createApp({ afterLogin });
  await expect(app.login.finish(new Request(`${SITE}/callback?code=1&state=2`)))
    .rejects.toMatchObject({ reason: "no_expected_state" } satisfies Partial<StateMismatchError>);
  expect(afterLogin).not.toHaveBeenCalled();
});

describe("localPath()", () => {
  test.each([
    ["/", "/"],
    ["/shop?page=2#top", "/shop?page=2#top"],
    ["/a/../b", "/b"],
    ["?page=2", "/?page=2"],
    ["/search?q=https://evil.example", "/search?q=https://evil.example"],
    ["https://app.example/shop", "/shop"],
    ["https://app.example:443/shop", "/shop"],
    ["/é", "/%C3%A9"],
    [`/${"a".repeat(1023)}`, `/${"a".repeat(1023)}`],
  ])("accepts %s", (address, path) => {
    expect(localPath(address, SITE)).toBe(path);
  });

  test("accepts a URL object of this site", () => {
    expect(localPath(new URL("/shop", SITE), SITE)).toBe("/shop");
  });

  test.each([
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\u0000//evil.example",
    " //evil.example",
    "/.//evil.example",
    "/a/..//evil.example",
    "/%2e//evil.example",
    "https://evil.example",
    "https:evil.example",
    "https:/\\evil.example",
    "http://app.example/",
    " https://app.example/shop",
    "shop?from=https://app.example/",
    "https://app.example@evil.example/",
    "https://user:password@app.example/shop",
    "https://:password@app.example/shop",
    "https://app.example.evil.example/",
    "https://app.example:8443/",
    "javascript:alert(1)",
    "data:text/html,x",
    "evil.example",
    "/\ud800",
    `/${"a".repeat(1025)}`,
    "",
    null,
    undefined,
  ])("returns null for %j", (address) => {
    expect(localPath(address, SITE)).toBeNull();
  });

  test.each([
    [`${FRONTEND}/shop?page=2#top`, `${FRONTEND}/shop?page=2#top`],
    [FRONTEND, `${FRONTEND}/`],
    [`${FRONTEND}:443/a/../é`, `${FRONTEND}/%C3%A9`],
    ["https://app.example/shop", "/shop"],
    [`${FRONTEND}/${"a".repeat(1025)}`, `${FRONTEND}/`],
    [`${FRONTEND}//evil.example`, null],
    ["//www.app.example/shop", null],
    ["//www.app.example/shop?from=https://app.example", null],
  ])("returns the page of a frontend for %s", (address, page) => {
    expect(localPath(address, SITE, ["https://shop.app.example", FRONTEND])).toBe(page);
  });

  test("never leaves the site, whatever the address is made of", () => {
    const part = fc.constantFrom(
      ...["/", "\\", ".", "..", "%09", "%2f", "%5c", "\t", "\n", "@", ":", "?", "#", "//", "http:"],
      ...[
        "https:",
        "evil.example",
        "app.example",
        "www.app.example",
        "user",
        "[::1]",
        "\u0000",
        "\u2028",
        " ",
        "é",
      ],
    );
    const frontends = [FRONTEND];
    const address = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(fc.property(address, (address) => {
      const path = localPath(address, SITE) ?? "/";
      expect(path).toMatch(/^\/(?![/\\])/);
      expect(new URL(path, SITE).origin).toBe(SITE);
      expect(new URL(SITE + path).origin).toBe(SITE);
      const page = localPath(address, SITE, frontends) ?? "/";
      if (page !== path) expect(page).toMatch(/^https:\/\/www\.app\.example\/(?![/\\])/);
      // Most of these are pages of the frontend.
      const other = localPath(`${FRONTEND}/${address}`, SITE, frontends) ?? "/";
      const { origin } = new URL(other, SITE);
      expect([SITE, FRONTEND]).toContain(origin);
    }));
  });
});

test("homeOf() returns the home page of a frontend, and null for a page of the site", () => {
  expect(homeOf("/shop?page=2")).toBeNull();
  expect(homeOf(`${FRONTEND}/shop?page=2`)).toBe(`${FRONTEND}/`);
});
