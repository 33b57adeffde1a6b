import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MemoryStore, type TokenObj, User } from "../../mod.ts";
import { createFakePlatform, type Failure, sampleUsers } from "../../src/testing/mod.ts";
import { Browser, createApp, exchanges, locationOf, SITE } from "./test_app.ts";

const [ada] = sampleUsers;

/** A kind of request, its headers and method, and the status of the response of `start()`. */
type StartCase = [string, Record<string, string>, string, number];

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe.each([
  ["in a cookie", () => ({})],
  ["in a store", () => ({ store: new MemoryStore() })],
])("With sessions %s,", (_where, options) => {
  test("a person logs in, and returns to the page that they wanted", async () => {
    const app = createApp(options());
    const browser = new Browser(app);
    const first = await browser.open("/shop?page=2");
    const link = new URL(locationOf(first));
    expect(link.href.startsWith(app.fake.platform.authorizeUrl)).toBe(true);
    expect(link.searchParams.get("code_challenge_method")).toBe("S256");
    const response = await browser.open(await app.fake.authorize(link));
    expect(response.status).toBe(302);
    expect(locationOf(response)).toBe(`${SITE}/shop?page=2`);
    const page = await browser.open("/shop?page=2");
    expect(await page.json()).toEqual({
      id: ada.id,
      username: ada.username,
      global_name: ada.global_name,
      avatar: expect.toSatisfy((avatar) => avatar === null || typeof avatar === "string"),
      avatar_url: expect.stringMatching(/^https:/),
    });
    expect(exchanges(app)).toBe(1);
  });

  test("logins in two tabs succeed in either order", async () => {
    for (const order of [[0, 1], [1, 0]]) {
      const app = createApp(options());
      const browser = new Browser(app);
      const callbacks = [await browser.consent("/a"), await browser.consent("/b")];
      for (const tab of order) {
        const response = await browser.open(callbacks[tab] ?? "");
        expect(locationOf(response)).toBe(`${SITE}${["/a", "/b"][tab]}`);
        expect(await browser.whoAmI()).toBe("ada");
      }
    }
  });

  test("logins in ten tabs all succeed", async () => {
    const browser = new Browser(createApp(options()));
    const pages = Array.from({ length: 10 }, (_, tab) => `/${tab}`);
    const callbacks: string[] = [];
    for (const page of pages) callbacks.push(await browser.consent(page));
    const ends: string[] = [];
    for (const callback of callbacks) ends.push(locationOf(await browser.open(callback)));
    expect(ends).toEqual(pages.map((page) => SITE + page));
  });

  test("an old callback leads to the home page and sends no code", async () => {
    const app = createApp(options());
    const browser = new Browser(app);
    const [first, second] = [await browser.consent("/a"), await browser.consent("/b")];
    await browser.open(first);
    await browser.open(second);
    for (const callback of [first, second]) {
      const response = await browser.open(callback);
      expect(locationOf(response)).toBe(`${SITE}/`);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect(exchanges(app)).toBe(2);
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("an old callback with an added bot leads to a page without a guild", async () => {
    const app = createApp({ ...options(), scope: ["identify", "bot"] as never });
    const browser = new Browser(app);
    const guildId = "1200000000000000001";
    const callback = await app.fake.authorize(await browser.begin("/shop"), { guildId });
    expect(new URL(callback).searchParams.get("guild_id")).toBe(guildId);
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/shop`);
    const response = await browser.open(callback);
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain("Check your server on Discord");
    expect(page).not.toContain(guildId);
    expect(exchanges(app)).toBe(1);
    // Without a guild in the address no bot was added.
    const withoutGuild = new URL(callback);
    withoutGuild.searchParams.delete("guild_id");
    expect(locationOf(await browser.open(withoutGuild))).toBe(`${SITE}/`);
    // Without a session the login has ended.
    const stranger = await new Browser(app).open(withoutGuild);
    expect(await stranger.text()).toContain("This login can&#39;t be finished here");
  });

  test("a callback that is opened twice at the same moment sends the code once and logs both in", async () => {
    const app = createApp(options());
    const browser = new Browser(app);
    const callback = await browser.consent("/a");
    const { header } = browser.jar;
    app.fake.failNext({ path: "/oauth2/token", delay: 50 });
    const tabs = [new Browser(app), new Browser(app)];
    const responses = await Promise.all(
      tabs.map((tab) => tab.open(callback, { headers: { cookie: header } })),
    );
    expect(responses.map(locationOf)).toEqual([`${SITE}/a`, `${SITE}/a`]);
    expect(exchanges(app)).toBe(1);
    for (const tab of tabs) expect(await tab.whoAmI()).toBe("ada");
  });

  test("a logout ends the session, and with a store also for a copy of its cookie", async () => {
    const app = createApp(options());
    const browser = new Browser(app);
    await browser.open(await browser.consent());
    const openCopy = async (header: string) =>
      (await new Browser(app).open("/", { headers: { cookie: header } })).status;
    const { header } = browser.jar;
    expect(await openCopy(header)).toBe(200);
    const response = await browser.open("/logout", { method: "POST" });
    expect([response.status, locationOf(response)]).toEqual([303, `${SITE}/`]);
    expect(browser.jar.cookies).toEqual([]);
    expect(await browser.whoAmI()).toBeNull();
    expect(await openCopy(header)).toBe("store" in options() ? 302 : 200);
  });
});

describe("A login with linked roles", () => {
  test.each([
    ["in a cookie", () => ({})],
    ["in a store", () => ({ store: new MemoryStore() })],
  ])("sends no code challenge and no verifier, with sessions %s", async (_where, options) => {
    const app = createApp({
      ...options(),
      scope: ["identify", "openid", "role_connections.write"] as never,
    });
    const browser = new Browser(app);
    const link = new URL(await browser.begin("/shop"));
    expect(link.searchParams.get("scope")).toBe("identify openid role_connections.write");
    expect([...link.searchParams.keys()].join()).not.toContain("code_challenge");
    const callback = await app.fake.authorize(link);
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/shop`);
    const [exchange] = app.fake.requests.filter(({ path }) => path.endsWith("/oauth2/token"));
    expect(Object.keys(exchange?.body as object).sort())
      .toEqual(["code", "grant_type", "redirect_uri"]);
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("sends its code once when the callback is opened twice at the same moment", async () => {
    const app = createApp({ scope: ["identify", "openid", "role_connections.write"] as never });
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    const { header } = browser.jar;
    const tabs = [new Browser(app), new Browser(app)];
    const responses = await Promise.all(
      tabs.map((tab) => tab.open(callback, { headers: { cookie: header } })),
    );
    expect(responses.map(locationOf)).toEqual([`${SITE}/shop`, `${SITE}/shop`]);
    expect(exchanges(app)).toBe(1);
    for (const tab of tabs) expect(await tab.whoAmI()).toBe("ada");
  });
});

describe("A login that meets an obstacle", () => {
  test("is not pushed out by a page that goes on asking for data", async () => {
    const app = createApp();
    const person = new Browser(app);
    const consent = await person.begin();
    for (let second = 0; second < 60; second++) {
      const headers = { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" };
      const response = await person.open("/messages", { headers });
      expect(response.status).toBe(401);
      expect(response.headers.get("location")).toBeNull();
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.json()).toEqual({
        error: "login_required",
        message:
          "Only a page can begin a login, not a script: use <a> and <form>, or reloadDocument in React Router",
      });
    }
    const callback = await app.fake.authorize(consent, { as: "ada" });
    expect((await person.open(callback)).status).toBe(302);
    expect(await person.whoAmI()).toBe("ada");
  });

  test.each<StartCase>([
    ["a page", { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" }, "GET", 302],
    ...["iframe", "frame", "embed", "object"].flatMap((dest) =>
      ([
        [`a page in an ${dest} of the same site`, "same-origin", "navigate", "GET", 302],
        [`a page in an ${dest} that a proxy in Node asks for`, "same-origin", "cors", "GET", 302],
        [`a page in an ${dest} of a sibling site`, "same-site", "navigate", "GET", 403],
        [`a page in an ${dest} of another site`, "cross-site", "navigate", "GET", 403],
        [`a form in an ${dest} of another site`, "cross-site", "navigate", "POST", 403],
      ] as const).map(([what, site, mode, method, status]): StartCase => [
        what,
        { "sec-fetch-dest": dest, "sec-fetch-site": site, "sec-fetch-mode": mode },
        method,
        status,
      ])
    ),
    [
      "a page that a service worker asks for",
      {
        "sec-fetch-dest": "empty",
        "sec-fetch-mode": "navigate",
      },
      "GET",
      302,
    ],
    [
      "a page that a proxy in Node asks for",
      {
        "sec-fetch-dest": "document",
        "sec-fetch-mode": "cors",
      },
      "GET",
      302,
    ],
    ["Node's own fetch", { "sec-fetch-mode": "cors" }, "GET", 302],
    ["a program that is not a browser", {}, "GET", 302],
    [
      "a script that wants the address of the consent page",
      {
        "sec-fetch-dest": "empty",
        "sec-fetch-mode": "same-origin",
      },
      "POST",
      302,
    ],
    ["an icon", { "sec-fetch-dest": "image", "sec-fetch-mode": "no-cors" }, "GET", 401],
    ["a script", { "sec-fetch-dest": "empty", "sec-fetch-mode": "same-origin" }, "GET", 401],
  ])("starts for %s with the fitting response", async (_what, headers, method, status) => {
    const { login } = createApp();
    const response = await login.start(new Request(SITE, { method, headers }));
    expect(response.status).toBe(status);
    expect(response.headers.getSetCookie()).toHaveLength(status === 302 ? 1 : 0);
  });

  test("ends in a page about the refused consent", async () => {
    const app = createApp();
    const browser = new Browser(app);
    const response = await browser.open(await app.fake.deny(await browser.begin("/shop")));
    expect(response.status).toBe(403);
    const page = await response.text();
    expect(page).toContain("You canceled the login");
    expect(page).toContain('href="/login?returnTo=%2Fshop"');
    expect(browser.jar.cookies).toEqual([]);
    expect(exchanges(app)).toBe(0);
  });

  test.each([
    ["429", { status: 429, headers: { "retry-after": "60" }, body: { retry_after: 60 } }, 503],
    ["500", { status: 500, body: "boom" }, 502],
    ["HTML", { status: 200, body: "<html>secret trace</html>" }, 502],
    ["half a response", { cut: "body" as const }, 502],
    ["nothing", { cut: "before" as const }, 502],
    ["nothing for ever", { hang: true }, 502],
    ["a refused code", { status: 400, body: { error: "invalid_grant" } }, 400],
    ["a wrong secret", { status: 401, body: { error: "invalid_client" } }, 500],
  ])("ends in a page when the platform responds with %s", async (_what, failure, status) => {
    const app = createApp({ timeout: "hang" in failure ? 300 : null });
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    app.fake.failNext({ path: "/oauth2/token", ...failure });
    const response = await browser.open(callback);
    expect(response.status).toBe(status);
    const page = await response.text();
    expect(page).not.toMatch(/boom|trace|at .*\.ts/);
    expect(page).toMatch(/>Log in<|>Try again</);
    // And once more, by a reload: the code is not sent again.
    expect((await browser.open(callback)).status).toBeGreaterThanOrEqual(400);
    expect(exchanges(app)).toBe(1);
  });

  test("continues after a 429, whose page tells the wait and does not show the code", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const app = createApp();
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    app.fake.failNext({ path: "/oauth2/token", status: 429, headers: { "retry-after": "20" } });
    const busy = await browser.open(callback);
    expect([busy.status, busy.headers.get("retry-after")]).toEqual([503, "20"]);
    const page = await busy.text();
    expect(page).toContain("Please try again in 20 seconds.");
    expect(page).toContain('<a href="">Try again</a>');
    for (const value of new URL(callback).searchParams.values()) expect(page).not.toContain(value);
    vi.advanceTimersByTime(10_000);
    const early = await browser.open(callback, { headers: { accept: "application/json" } });
    expect([early.status, early.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(await early.json()).toMatchObject({ error: "rate_limited" });
    expect(exchanges(app)).toBe(1);
    vi.advanceTimersByTime(10_000);
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/shop`);
    expect(exchanges(app)).toBe(2);
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("begins again after a 429 that lasts longer than the code", async () => {
    const app = createApp();
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    app.fake.failNext({ path: "/oauth2/token", status: 429, headers: { "retry-after": "600" } });
    const page = await (await browser.open(callback)).text();
    expect(page).toContain("Please try again in 10 minutes.");
    expect(page).toContain('<a href="/login?returnTo=%2Fshop">Log in</a>');
  });

  test("continues as soon as the platform can be reached again", async () => {
    let isDown = true;
    const fake = createFakePlatform();
    const app = createApp({
      fetch: (...request) =>
        isDown
          ? Promise.reject(new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } }))
          : fake.fetch(...request),
    }, fake);
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    const response = await browser.open(callback);
    expect(response.status).toBe(502);
    expect(await response.text()).toContain('<a href="">Try again</a>');
    isDown = false;
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/shop`);
    expect(exchanges(app)).toBe(1);
  });

  test("continues with the token when reading the user has failed and the callback is opened again", async () => {
    const app = createApp();
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    app.fake.failNext({ path: "/users/@me", status: 403, body: { message: "no", code: 50001 } });
    expect((await browser.open(callback)).status).toBe(403);
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/shop`);
    expect(exchanges(app)).toBe(1);
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("ends in a page about Authorized Apps when the new token is refused, and sends nothing when it is reloaded", async () => {
    for (const store of [undefined, new MemoryStore()]) {
      const app = createApp({ store });
      const browser = new Browser(app);
      const callback = await browser.consent("/shop");
      app.fake.failNext({ path: "/users/@me", status: 401, times: 9 });
      for (let visit = 0; visit < 3; visit++) {
        const response = await browser.open(callback);
        expect(response.status).toBe(403);
        const page = await response.text();
        expect(page).toContain("User Settings &#62; Authorized Apps. Remove this application");
        expect(page).toContain('<a href="/login?returnTo=%2Fshop">Log in</a>');
        expect(page).not.toContain("Try again");
      }
      expect(exchanges(app)).toBe(1);
      expect(app.fake.requests.filter(({ path }) => path.endsWith("/users/@me"))).toHaveLength(1);
    }
  });

  test("tells onError that the new token is refused", async () => {
    const errors: Error[] = [];
    const app = createApp({
      onError(error) {
        errors.push(error);
        return new Response("Sorry", { status: 500 });
      },
    });
    const browser = new Browser(app);
    const callback = await browser.consent();
    app.fake.failNext({ path: "/users/@me", status: 401 });
    await browser.open(callback);
    await browser.open(callback);
    const refused = {
      name: "LoginError",
      code: "login_failed",
      reason: "refused_token",
      hint: expect.stringContaining("Authorized Apps"),
    };
    expect(errors).toMatchObject([refused, refused]);
  });

  test.each<[string, Omit<Failure, "path">]>([
    ["a page", { edge: true }],
    ["a code", { status: 403, body: { message: "internal network error", code: 40333 } }],
    ["a page with a time", { edge: true, status: 429 }],
    ["JSON without a time", {
      status: 429,
      body: {
        code: 0,
        message:
          "You are being blocked from accessing our API temporarily due to exceeding our rate limits frequently.",
      },
    }],
  ])("continues after a block by the edge: %s", async (_what, failure) => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const app = createApp();
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    app.fake.failNext({ path: "/oauth2/token", ...failure });
    const blocked = await browser.open(callback);
    expect(blocked.status).toBe(503);
    const page = await blocked.text();
    expect(page).toContain("Discord has blocked this site for a while.");
    expect(page).toContain('<a href="">Try again</a>');
    // Who reloads at once hears the same, and nothing is sent.
    expect(await (await browser.open(callback)).text()).toContain("Discord has blocked this site");
    expect(exchanges(app)).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/shop`);
    expect(exchanges(app)).toBe(2);
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("waits unspent while the token endpoint is held, and 50 callbacks with garbage send one request", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const app = createApp();
    const person = new Browser(app);
    const callback = await person.consent("/shop");
    const visitors = await Promise.all(Array.from({ length: 50 }, async (_, index) => {
      const browser = new Browser(app);
      const state = new URL(await browser.begin()).searchParams.get("state");
      return { browser, garbage: `/callback?code=garbage${index}&state=${state}` };
    }));
    app.fake.failNext({ path: "/oauth2/token", status: 429, headers: { "retry-after": "30" } });
    const pages: string[] = [];
    for (const { browser, garbage } of visitors) {
      const response = await browser.open(garbage);
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "30"]);
      pages.push(await response.text());
    }
    pages.push(await (await person.open(callback)).text());
    for (const page of pages) {
      expect(page).toContain(
        "Too many people are logging in right now. Please try again in 30 seconds.",
      );
      expect(page).toContain('<a href="">Try again</a>');
    }
    expect(exchanges(app)).toBe(1);
    vi.advanceTimersByTime(30_000);
    expect(locationOf(await person.open(callback))).toBe(`${SITE}/shop`);
    expect(exchanges(app)).toBe(2);
    expect(await person.whoAmI()).toBe("ada");
  });

  test("is not closed by a 429 that asks to wait for ever", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const app = createApp();
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    app.fake.failNext({ path: "/oauth2/token", status: 429, body: { retry_after: 1e308 } });
    expect(await (await browser.open(callback)).text()).toContain("Please try again in 24 hours.");
    // After a minute, another login tries.
    vi.advanceTimersByTime(60_000);
    expect(await (await browser.open(callback)).text()).toContain("Please try again in 24 hours.");
    expect(exchanges(app)).toBe(1);
    expect(locationOf(await browser.open(await browser.consent("/shop")))).toBe(`${SITE}/shop`);
  });

  test("ends in a page about the person's own limit when that is used up in onLogin", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const app = createApp({
      async onLogin({ token }) {
        await new User(token as TokenObj, { ...app.fake, timeout: 500 }).getUserGuilds();
      },
    });
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    app.fake.failNext({
      path: "/users/@me/guilds",
      status: 429,
      headers: { "retry-after": "200" },
      body: { message: "You are being rate limited.", retry_after: 200, global: false },
    });
    const response = await browser.open(callback);
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "200"]);
    const page = await response.text();
    expect(page).toContain("used up yours. Please try again in 4 minutes.");
    expect(page).not.toContain("Too many people");
    expect(page).toContain('<a href="">Try again</a>');
    vi.advanceTimersByTime(211_000);
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/shop`);
  });

  test("reads the user again when the platform gives the same token as for a login just before", async () => {
    const app = createApp({ keepToken: true });
    const browser = new Browser(app);
    await browser.open(await browser.consent("/", "ada"));
    const session = await app.login.session(browser.jar.request(SITE));
    await session?.api?.getCurrentUser();
    app.fake.update({ users: { ada: { username: "countess" } } });
    const callback = await browser.consent("/", "1000000000000000001");
    app.fake.failNext({ path: "/oauth2/token", status: 200, body: { ...session?.token } });
    await browser.open(callback);
    expect(await browser.whoAmI()).toBe("countess");
  });

  test("leads a person whose phone opened it in another browser to a login there, and keeps the first one open", async () => {
    const app = createApp();
    const [first, other] = [new Browser(app), new Browser(app)];
    const callback = await first.consent("/shop");
    const page = await (await other.open(callback)).text();
    expect(page).toContain(
      "You probably began it in another browser or app. Go back there and try again, or log in here.",
    );
    const [, path = ""] = /<a href="([^"]+)">Log in here<\/a>/.exec(page) ?? [];
    await other.open(await app.fake.authorize(locationOf(await other.open(path))));
    expect(await other.whoAmI()).toBe("ada");
    expect(locationOf(await first.open(callback))).toBe(`${SITE}/shop`);
    expect(await first.whoAmI()).toBe("ada");
  });

  test("ends in a page for a stranger, and at the home page for a person with a session", async () => {
    const app = createApp();
    const browser = new Browser(app);
    const old = await browser.consent("/a");
    const page = await new Browser(app).open(old);
    expect(page.status).toBe(400);
    expect(await page.text()).toContain('<a href="/login">Log in here</a>');
    const stateless = app.login.finish(browser.jar.request(`${SITE}/callback?code=x`));
    await expect(stateless).rejects.toMatchObject({ reason: "no_state" });
    await browser.open(await browser.consent("/b"));
    expect(locationOf(await browser.open("/callback?code=x&state=y"))).toBe(`${SITE}/`);
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("is told in JSON to a client that asks for it", async () => {
    const browser = new Browser(createApp());
    const response = await browser.open("/callback?code=x&state=y", {
      headers: { accept: "application/json" },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: "state_mismatch",
      message: expect.stringContaining("This login can't be finished here"),
    });
  });
});
