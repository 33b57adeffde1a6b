import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MemoryStore } from "../../../mod.ts";
import type { StartOptions } from "../../../src/login/mod.ts";
import { CookieJar } from "../../../src/testing/mod.ts";
import { type App, Browser, createApp, locationOf, SITE } from "../test_app.ts";

const DAY = 86_400_000;
const COOKIE = "__Host-consent";
const silent = { prompt: "none" } as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Returns the parameter `prompt` of the link to which a page leads. */
async function promptOf(browser: Browser, address = "/login"): Promise<string | null> {
  return promptIn(locationOf(await browser.open(address)));
}

function promptIn(link: string): string | null {
  return new URL(link).searchParams.get("prompt");
}

/** Begins a login by `start`, and returns the parameter `prompt` of its link. */
async function promptOfStart(
  { login }: App,
  { jar }: Browser,
  options: StartOptions = {},
): Promise<string | null> {
  return promptIn(locationOf(await login.start(jar.request(SITE), options)));
}

/** Logs a person in. */
async function logIn(browser: Browser, as = "ada"): Promise<void> {
  await browser.open(await browser.consent("/", as));
}

/** Follows the redirects between an application and its platform, to the first page that a person sees, or for 60 redirects. */
async function follow(app: App, browser: Browser, start: string): Promise<Journey> {
  const platform = new CookieJar();
  let url = new URL(start, SITE);
  for (let redirects = 0; redirects < 60; redirects++) {
    const isOfSite = url.origin === SITE;
    const response = isOfSite
      ? await browser.open(url)
      : await app.fake.handler(platform.request(url));
    const location = response.headers.get("location");
    if (location === null) return { redirects, page: isOfSite ? "application" : "consent" };
    url = new URL(location, url);
  }
  return { redirects: 60, page: null };
}

interface Journey {
  readonly redirects: number;
  /** The owner of the last page; `null` if there is no page. */
  readonly page: "application" | "consent" | null;
}

function hasCookie({ jar }: Browser, name = COOKIE): boolean {
  return jar.cookies.some((cookie) => cookie.name === name);
}

const to = (location: string) => new Response(null, { status: 302, headers: { location } });

const storages = [
  ["in a cookie", () => ({})],
  ["in a store", () => ({ store: new MemoryStore() })],
] as const;

describe("The option prompt", () => {
  test("is left to the platform by default", async () => {
    const app = createApp();
    expect(await promptOf(new Browser(app))).toBeNull();
  });

  test.each(["none", "consent"] as const)("%s goes into the link", async (prompt) => {
    const app = createApp({ prompt });
    expect(await promptOf(new Browser(app))).toBe(prompt);
    expect(await promptOf(new Browser(app), "/shop")).toBe(prompt);
  });

  test.each([
    ["login", '"login"'],
    ["no way", "a string of length 6"],
    ["", "an empty string; is the variable set?"],
    [true, "boolean"],
    [["none"], "a list of 1"],
  ])("refuses %j", (prompt, received) => {
    expect(() => createApp({ prompt: prompt as never })).toThrow(
      new TypeError(`prompt must be "none" or "consent", received ${received}`),
    );
  });

  test("is replaced by that of start()", async () => {
    const app = createApp(silent);
    const browser = new Browser(app);
    expect(await promptOfStart(app, browser)).toBe("none");
    expect(await promptOfStart(app, browser, { prompt: null })).toBe("none");
    expect(await promptOfStart(app, browser, { prompt: "consent" })).toBe("consent");
    const asking = createApp({ prompt: "consent" });
    expect(await promptOfStart(asking, browser, silent)).toBe("none");
    await expect(app.login.start(browser.jar.request(SITE), { prompt: "login" as never }))
      .rejects.toThrow('prompt must be "none" or "consent"');
  });

  test("none logs a person in without a page once they have consented, and others with one", async () => {
    const app = createApp(silent);
    const browser = new Browser(app);
    expect(await follow(app, browser, "/")).toEqual({ redirects: 1, page: "consent" });
    await logIn(browser);
    const other = new Browser(app);
    expect(await follow(app, other, "/")).toEqual({ redirects: 3, page: "application" });
    expect(await other.whoAmI()).toBe("ada");
    expect(other.jar.cookies.map(({ name }) => name)).toEqual(["__Host-session"]);
  });

  test("none also skips the page of a consent for further scopes that were granted before", async () => {
    const app = createApp(silent);
    const browser = new Browser(app);
    await logIn(browser);
    expect(await promptOfStart(app, browser, { scope: ["connections"] })).toBe("none");
  });

  test("consent also replaces a renewal, and none does not", async () => {
    const prompts = [];
    for (const prompt of ["consent", "none", null] as const) {
      const app = createApp({ prompt });
      const browser = new Browser(app);
      await logIn(browser);
      vi.advanceTimersByTime(7 * DAY + 1000);
      prompts.push(await promptOf(browser, "/shop"));
      prompts.push(await promptOfStart(app, browser, { prompt: "consent" }));
    }
    expect(prompts).toEqual(["consent", "consent", "none", "consent", "none", "consent"]);
  });
});

describe("A link to the login", () => {
  test("can ask for the consent page, and for nothing else", async () => {
    const browser = new Browser(createApp(silent));
    expect(await promptOf(browser, "/login?prompt=consent")).toBe("consent");
    expect(await promptOf(browser, "/login?prompt=none&prompt=consent")).toBe("none");
    const asking = new Browser(createApp({ prompt: "consent" }));
    const plain = new Browser(createApp());
    for (const prompt of ["none", "login", "CONSENT", "consent%20", ""]) {
      const address = `/login?prompt=${prompt}`;
      expect(await promptOf(browser, address)).toBe("none");
      expect(await promptOf(asking, address)).toBe("consent");
      expect(await promptOf(plain, address)).toBeNull();
    }
  });

  test("with prompt=consent replaces a renewal", async () => {
    const browser = new Browser(createApp());
    await logIn(browser);
    vi.advanceTimersByTime(7 * DAY + 1000);
    expect(await promptOf(browser, "/login?prompt=consent")).toBe("consent");
    expect(await promptOf(browser, "/login?prompt=none")).toBe("none");
    expect(await promptOf(browser)).toBe("none");
  });

  test("selects a guild, and changes no other parameter", async () => {
    const app = createApp({ scope: ["identify", "bot"] as never });
    const paramsOf = async (query: string) => {
      const link = new URL(locationOf(await new Browser(app).open(`/login${query}`)));
      for (const name of ["state", "code_challenge"]) link.searchParams.delete(name);
      return [...link.searchParams].sort();
    };
    const plain = await paramsOf("");
    const guild = ["guild_id", "1200000000000000001"];
    expect(await paramsOf("?guild_id=1200000000000000001")).toEqual([...plain, guild].sort());
    const more = "&disable_guild_select=true&permissions=8&scope=email&integration_type=1&data=x";
    expect(await paramsOf(`?guild_id=1200000000000000001${more}`))
      .toEqual([...plain, guild].sort());
    for (
      const id of ["", "abc", "-1", "1e3", "1".repeat(21), "12%0A", "1%261=1", "%EF%BC%91", "0x1"]
    ) {
      expect(await paramsOf(`?guild_id=${id}`)).toEqual(plain);
    }
    expect(await paramsOf("?guildId=1200000000000000001")).toEqual(plain);
  });

  test("with a guild adds no bot, and says nothing about the guild of the login", async () => {
    const onLogin = vi.fn(() => null);
    const browser = new Browser(createApp({ onLogin }));
    const link = locationOf(await browser.open("/login?guild_id=1200000000000000001"));
    expect(new URL(link).searchParams.get("scope")).toBe("identify guilds");
    const app = createApp({ onLogin });
    const other = new Browser(app);
    const page = locationOf(await other.open("/login?guild_id=1200000000000000001"));
    await other.open(await app.fake.authorize(page));
    expect(onLogin.mock.calls).toMatchObject([[{ guildId: null, permissions: null }]]);
  });

  test("with a guild replaces a renewal, and with a wrong guild does not", async () => {
    const browser = new Browser(createApp());
    await logIn(browser);
    vi.advanceTimersByTime(7 * DAY + 1000);
    expect(await promptOf(browser, "/login?guild_id=1200000000000000001")).toBeNull();
    expect(await promptOf(browser, "/login?guild_id=x")).toBe("none");
  });
});

describe.each(storages)(
  "With sessions %s and prompt none, a login shows the page",
  (_, storage) => {
    test("after a logout, for five minutes", async () => {
      const app = createApp({ ...storage(), ...silent, name: "shop" });
      const browser = new Browser(app);
      await logIn(browser);
      expect(hasCookie(browser, `${COOKIE}.shop`)).toBe(false);
      const response = await browser.open("/logout", { method: "POST" });
      expect(response.headers.getSetCookie()).toContain(
        `${COOKIE}.shop=1; Path=/; Max-Age=300; HttpOnly; Secure; SameSite=Lax`,
      );
      expect(await promptOf(browser)).toBe("consent");
      expect(await promptOf(browser, "/shop")).toBe("consent");
      expect(await promptOfStart(app, browser, silent)).toBe("consent");
      expect(await promptOfStart(app, browser, { prompt: "consent" })).toBe("consent");
      // The browser deletes the cookie after that time.
      const headers = { "set-cookie": `${COOKIE}.shop=; Path=/; Max-Age=0; Secure` };
      browser.jar.store(new Response(null, { headers }), SITE);
      expect(await promptOf(browser)).toBe("none");
    });

    test("after a logout by a script", async () => {
      const app = createApp({ ...storage(), ...silent });
      const browser = new Browser(app);
      await logIn(browser);
      const headers = { "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin" };
      expect((await browser.open("/logout", { method: "POST", headers })).status).toBe(204);
      expect(await promptOf(browser)).toBe("consent");
    });

    test("after onLogin has refused the person, and does not turn for ever", async () => {
      const refusing = { ...storage(), ...silent, onLogin: () => to("/members") };
      const app = createApp(refusing);
      await logIn(new Browser(app));
      const browser = new Browser(app);
      // /members, the platform, the callback, /members, and the consent page.
      expect(await follow(app, browser, "/members")).toEqual({ redirects: 4, page: "consent" });
      expect(hasCookie(browser)).toBe(true);
    });

    test("after an error, and does not turn for ever", async () => {
      const app = createApp({
        ...storage(),
        ...silent,
        onLogin: () => Promise.reject(new Error("the database is down")),
        onError: () => to("/members"),
      });
      await logIn(new Browser(app));
      const browser = new Browser(app);
      expect(await follow(app, browser, "/members")).toEqual({ redirects: 4, page: "consent" });
    });

    test("after an error whose response begins the next login itself", async () => {
      const app: App = createApp({
        ...storage(),
        ...silent,
        afterLogin: () => Promise.reject(new Error("the database is down")),
        onError: (_error, request) => app.login.start(request),
      });
      await logIn(new Browser(app));
      const { page, redirects } = await follow(app, new Browser(app), "/members");
      expect({ page, redirects }).toEqual({ page: "consent", redirects: 5 });
    });

    test("after a canceled consent, another error of the platform, and a callback of no login", async () => {
      for (const query of ["error=access_denied", "error=server_error", "error=unheard_of"]) {
        const browser = new Browser(createApp({ ...storage(), ...silent }));
        const state = new URL(await browser.begin()).searchParams.get("state");
        expect(await promptOf(browser)).toBe("none");
        await browser.open(`/callback?${query}&state=${state}`);
        expect(await promptOf(browser)).toBe("consent");
      }
      const browser = new Browser(createApp({ ...storage(), ...silent }));
      expect((await browser.open("/callback?code=1&state=2")).status).toBe(400);
      expect(await promptOf(browser)).toBe("consent");
    });

    test("after finish() with the headers of a refusal", async () => {
      const refusal = new Response(null, { status: 403 });
      const app = createApp({ ...storage(), ...silent, onLogin: () => refusal });
      const browser = new Browser(app);
      const callback = await browser.consent();
      const { headers, response } = await app.login.finish(browser.jar.request(callback));
      expect(response).toBe(refusal);
      browser.jar.store(new Response(null, { headers }), SITE);
      expect(browser.jar.cookies.map(({ name }) => name)).toEqual([COOKIE]);
      expect(await promptOf(browser)).toBe("consent");
    });

    test("in place of a renewal", async () => {
      const app = createApp({ ...storage(), ...silent });
      const browser = new Browser(app);
      await logIn(browser);
      vi.advanceTimersByTime(7 * DAY + 1000);
      await browser.open("/callback?error=server_error");
      expect(await promptOf(browser, "/shop")).toBe("consent");
    });
  },
);

test("A renewal that fails with prompt none is followed by a login with a page", async () => {
  const app = createApp(silent);
  const browser = new Browser(app);
  await logIn(browser);
  vi.advanceTimersByTime(7 * DAY + 1000);
  const renewal = locationOf(await browser.open("/shop"));
  expect(promptIn(renewal)).toBe("none");
  const next = locationOf(await browser.open(await app.fake.authorize(renewal, { as: "grace" })));
  expect(promptIn(next)).toBeNull();
  expect(locationOf(await browser.open(await app.fake.authorize(next, { as: "grace" }))))
    .toBe(`${SITE}/shop`);
});

describe("Without the option prompt, a browser gets the cookie", () => {
  test("neither after a logout nor after a failed login", async () => {
    const app = createApp({ onLogin: () => new Response(null, { status: 403 }) });
    const browser = new Browser(app);
    await browser.open(await browser.consent());
    await browser.open("/callback?code=1&state=2");
    await browser.open("/logout", { method: "POST" });
    expect(browser.jar.cookies).toEqual([]);
    const asking = new Browser(createApp({ prompt: "consent" }));
    await asking.open("/logout", { method: "POST" });
    expect(asking.jar.cookies).toEqual([]);
  });

  test("after a failed renewal, which does not turn for ever", async () => {
    let refuses = false;
    const app = createApp({ onLogin: () => refuses ? to("/members") : null });
    const browser = new Browser(app);
    await logIn(browser);
    vi.advanceTimersByTime(7 * DAY + 1000);
    refuses = true;
    expect(await follow(app, browser, "/members")).toEqual({ redirects: 4, page: "consent" });
    expect(hasCookie(browser)).toBe(true);
  });

  test("after a failed login by start() with prompt none", async () => {
    const login = createApp({ onLogin: () => new Response(null, { status: 403 }) });
    const browser = new Browser(login);
    const start = await login.login.start(browser.jar.request(SITE), silent);
    browser.jar.store(start, SITE);
    await browser.open(await login.fake.authorize(locationOf(start)));
    expect(await promptOfStart(login, browser, silent)).toBe("consent");
    // This login does not skip the page in any case.
    expect(await promptOf(browser)).toBeNull();
  });
});

test("A cookie that another program plants shows the page, and opens nothing", async () => {
  const app = createApp(silent);
  const open = async (cookie: string) => {
    const response = await app.fetch(new Request(`${SITE}/login`, { headers: { cookie } }));
    return promptIn(locationOf(response));
  };
  expect(await open(`${COOKIE}=1`)).toBe("consent");
  for (const cookie of ["consent=1", `${COOKIE}.admin=1`, `${COOKIE}=2`, `${COOKIE}=`]) {
    expect(await open(cookie)).toBe("none");
  }
});

test("A login that endAll() ends in onLogin shows the page the next time", async () => {
  const app: App = createApp({
    ...silent,
    store: new MemoryStore(),
    onLogin: async ({ user }) => void await app.login.endAll(user.id),
  });
  await logIn(new Browser(app));
  const browser = new Browser(app);
  expect((await follow(app, browser, "/members")).page).toBe("consent");
});

test("A failed login leaves the caching of an application's own page alone without the cookie", async () => {
  const onError = () => new Response("sorry", { headers: { "cache-control": "max-age=60" } });
  const cacheControl = async (options: Parameters<typeof createApp>[0]) => {
    const response = await new Browser(createApp({ ...options, onError })).open("/callback");
    return response.headers.get("cache-control");
  };
  expect(await cacheControl({})).toBe("max-age=60");
  expect(await cacheControl(silent)).toBe("no-store");
});
