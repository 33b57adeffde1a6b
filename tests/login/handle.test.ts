import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  AuthUrl,
  type ClientOptions,
  MemoryStore,
  type StartOptions,
  type StateMismatchError,
  User,
} from "../../mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { type App, Browser, createApp, exchanges, locationOf, SITE } from "./test_app.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("start() and finish()", () => {
  test("return the person and the cookies to set", async () => {
    const app = createApp();
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    const finished = await app.login.finish(browser.jar.request(callback));
    expect(finished).toMatchObject({
      user: { username: "ada" },
      token: { scopes: ["identify", "guilds"] },
      returnTo: "/shop",
      guildId: null,
      permissions: null,
      response: null,
    });
    const cookies = finished.headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    browser.jar.store(new Response(null, { headers: finished.headers }), SITE);
    expect(await browser.whoAmI()).toBe("ada");
    expect(browser.jar.cookies.map(({ name }) => name)).toEqual(["__Host-session"]);
  });

  test("return the same frozen values, which print without secrets, when the callback comes again", async () => {
    const app = createApp();
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    const request = () => browser.jar.request(callback);
    const [first, second] = [await app.login.finish(request()), await app.login.finish(request())];
    expect(second.user).toEqual(first.user);
    expect(second.token).toEqual(first.token);
    expect([second.user, second.token].every(Object.isFrozen)).toBe(true);
    expect(inspect(second)).not.toContain(second.token.access_token);
    expect(second.headers.getSetCookie()).toEqual(first.headers.getSetCookie());
    expect(exchanges(app)).toBe(1);
  });

  test("throw an error that names the cause when the callback is wrong", async () => {
    const { login } = createApp();
    await expect(login.finish(new Request(`${SITE}/callback?code=c0de`))).rejects
      .toMatchObject({ code: "state_mismatch", reason: "no_state" });
    await expect(login.finish(new Request(`${SITE}/callback?code=c0de&state=s7ate`))).rejects
      .toMatchObject({ code: "state_mismatch", reason: "no_expected_state" });
  });

  test("pass the parameters of the link on", async () => {
    const { login } = createApp();
    const response = await login.start(new Request(`${SITE}/a`, { method: "POST" }), {
      prompt: "consent",
      integrationType: 1,
    });
    const { searchParams } = new URL(locationOf(response));
    expect(searchParams.get("prompt")).toBe("consent");
    expect(searchParams.get("integration_type")).toBe("1");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test.each<[StartOptions, string]>([
    [
      { prompt: "login" as never },
      'prompt must be "none" or "consent", received "login"',
    ],
    [
      { channelId: "general" },
      "channelId must be digits in a string, received a string of length 7",
    ],
    [{ guildId: "general" }, "guildId must be digits in a string, received a string of length 7"],
    [{ disableGuildSelect: "yes" as never }, "disableGuildSelect must be true or false"],
    [{ integrationType: 2 as never }, "integrationType must be 0 or 1, received number"],
    [{ permissions: ["add_reaction" as never] }, "permissions must be names like"],
    [{ returnTo: 5 as never }, "returnTo must be a path or a URL, received number"],
    [{ returnTo: true as never }, "returnTo must be a path or a URL, received boolean"],
  ])("refuse a wrong parameter of the link: %o", async (options, message) => {
    const { login } = createApp();
    const started = login.start(new Request(SITE), options);
    await expect(started).rejects.toBeInstanceOf(TypeError);
    await expect(started).rejects.toThrow(message);
  });

  test("return to the home page after a request with another method than GET", async () => {
    const app = createApp();
    const browser = new Browser(app);
    const response = await app.login.start(browser.jar.request(`${SITE}/a`, { method: "POST" }));
    browser.jar.store(response, SITE);
    const callback = await app.fake.authorize(locationOf(response));
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/`);
  });

  test("never return to a page of the login itself", async () => {
    for (
      const page of ["/login", "/callback?code=x&state=y", "/logout", "https://app.example/login"]
    ) {
      const app = createApp();
      const browser = new Browser(app);
      expect(locationOf(await browser.open(await browser.consent(page)))).toBe(`${SITE}/`);
    }
  });
});

describe("The routes of handle()", () => {
  test("are three, and handle() returns null for all other paths", async () => {
    const { login } = createApp();
    for (const path of ["/", "/login/", "/Login", "/callback/x", "/logout.html"]) {
      expect(await login.handle(new Request(SITE + path))).toBeNull();
    }
  });

  test("have the path of the redirect URI for the callback", async () => {
    const { login } = createApp({ redirectUri: `${SITE}/auth/back` });
    expect((await login.handle(new Request(`${SITE}/auth/back`)))?.status).toBe(400);
    expect(await login.handle(new Request(`${SITE}/callback`))).toBeNull();
  });

  test("respond 400 to a request with an invalid host, as Deno and Bun pass it on", async () => {
    const onError = vi.fn();
    const { login } = createApp({ onError });
    for (const url of ["https://a%b/login", "https://#/", "https:///"]) {
      const headers = new Headers({ accept: "text/html" });
      const page = await login.handle({ url, method: "GET", headers } as Request);
      expect(page?.status).toBe(400);
      expect(await page?.text()).toContain("<h1>The address is wrong</h1>");
      headers.set("accept", "application/json");
      const json = await login.handle({ url, method: "GET", headers } as Request);
      expect([json?.status, await json?.json()]).toEqual([400, {
        error: "invalid_request",
        message: "The address is wrong. Please check the address, and try again.",
      }]);
    }
    expect(onError).not.toHaveBeenCalled();
  });

  test("need a request", async () => {
    await expect(createApp().login.handle(undefined as never)).rejects.toThrow(
      "request must be a Request of the Fetch API",
    );
  });

  test.each([["HEAD", "/login"], ["POST", "/login"], ["HEAD", "/callback"], ["GET", "/logout"], [
    "DELETE",
    "/logout",
  ]])(
    "respond to %s %s with 405",
    async (method, path) => {
      const app = createApp();
      const response = await app.login.handle(new Request(SITE + path, { method }));
      expect(response?.status).toBe(405);
      expect(response?.headers.get("allow")).toBe(path === "/logout" ? "POST" : "GET");
      // Only a person who has followed a link gets a page.
      expect((await response?.text())?.startsWith("Send ")).toBe(method !== "GET");
      expect(response?.headers.getSetCookie()).toEqual([]);
      expect(exchanges(app)).toBe(0);
    },
  );

  test("ask a person who has followed a link to the logout, and log out when the button is pressed", async () => {
    const app = createApp();
    const browser = new Browser(app);
    await browser.open(await browser.consent());
    const page = await browser.open("/logout");
    expect(page.status).toBe(405);
    const html = await page.text();
    expect(html).toContain("Do you want to log out?");
    expect(html).toContain('<form method="post" action="/logout"><button>Log out</button></form>');
    // The advice for the developer is not for visitors.
    expect(html).not.toContain("developer");
    expect(await browser.whoAmI()).toBe("ada");
    await browser.open("/logout", { method: "POST" });
    expect(await browser.whoAmI()).toBeNull();
  });

  test.each([["GET", "/logout", "POST"], ["POST", "/login", "GET"]])(
    "tell the developer of a script that sends %s to %s how to open a page",
    async (method, path, allowed) => {
      const { login } = createApp();
      const headers = { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" };
      const response = await login.handle(new Request(SITE + path, { method, headers }));
      expect([response?.status, response?.headers.get("allow")]).toEqual([405, allowed]);
      expect(await response?.text())
        .toBe(`Send ${allowed}: use <a> and <form>, or reloadDocument in React Router`);
    },
  );

  test("offer to repeat a logout that the store has prevented", async () => {
    const store = new MemoryStore();
    const app = createApp({ store });
    const browser = new Browser(app);
    await browser.open(await browser.consent());
    vi.spyOn(store, "load").mockRejectedValueOnce(new Error("down"));
    const page = await browser.open("/logout", { method: "POST" });
    expect(page.status).toBe(500);
    expect(await page.text()).toContain(
      '<form method="post" action="/logout"><button>Log out</button></form>',
    );
    await browser.open("/logout", { method: "POST" });
    expect(await browser.whoAmI()).toBeNull();
  });

  test("tell the developer how to log out", async () => {
    const { login } = createApp();
    const page = await login.handle(new Request("http://localhost:3000/logout"));
    expect(await page?.text()).toContain("On your pages, log out with a form");
  });

  test("ask a person who has followed a link to the logout also when the application has onError", async () => {
    const onError = vi.fn(() => new Response("Sorry"));
    const { login } = createApp({ onError });
    const response = await login.handle(new Request(`${SITE}/logout`));
    expect(response?.status).toBe(405);
    expect(await response?.text()).toContain("Do you want to log out?");
    expect(onError).not.toHaveBeenCalled();
  });

  test("do not tell a visitor from another site that there is a session", async () => {
    const { login } = createApp();
    const headers = { "sec-fetch-site": "cross-site" };
    const response = await login.handle(new Request(`${SITE}/logout`, { method: "POST", headers }));
    expect(response?.status).toBe(403);
    const page = await response?.text() ?? "";
    expect(page).toContain("You weren&#39;t logged out");
    expect(page).not.toContain("still logged in");
  });

  test("make start() throw for a request with a response of handle()", async () => {
    const app = createApp();
    for (const path of ["/login", "/callback?code=1&state=2"]) {
      const request = new Request(SITE + path);
      await app.login.handle(request);
      await expect(app.login.start(request)).rejects.toThrow(
        "handle() has already responded to this request",
      );
    }
  });

  test("let onError start a new login", async () => {
    const app = createApp({ onError: (_error, request) => app.login.start(request) });
    const response = await app.login.handle(new Request(`${SITE}/callback?code=1&state=2`));
    expect(response?.status).toBe(302);
  });

  test("follow the options callbackPath and afterLogout", async () => {
    const app = createApp({ callbackPath: "/auth/back", afterLogout: "/bye" });
    const browser = new Browser(app);
    const link = new URL(locationOf(await browser.open("/login")));
    expect(link.searchParams.get("redirect_uri")).toBe(`${SITE}/auth/back`);
    const proxied = createApp({
      redirectUri: `${SITE}/callback`,
      callbackPath: "/inner",
      afterLogout: "/bye",
    });
    const visitor = new Browser(proxied);
    const callback = new URL(await visitor.consent("/shop"));
    expect(callback.pathname).toBe("/callback");
    expect(await proxied.login.handle(visitor.jar.request(callback))).toBeNull();
    callback.pathname = "/inner";
    expect(locationOf(await visitor.open(callback))).toBe(`${SITE}/shop`);
    expect(await visitor.whoAmI()).toBe("ada");
    const response = await visitor.open("/logout", { method: "POST" });
    expect(locationOf(response)).toBe(`${SITE}/bye`);
    expect(await visitor.whoAmI()).toBeNull();
  });

  test("follow the options loginPath, logoutPath and redirectUri", async () => {
    const app = createApp({
      loginPath: "/in",
      logoutPath: "/out",
      redirectUri: `${SITE}/callback`,
    });
    const browser = new Browser(app);
    const callback = await app.fake.authorize(locationOf(await browser.open("/in")));
    await browser.open(callback);
    expect(await browser.whoAmI()).toBe("ada");
    await browser.open("/out", { method: "POST" });
    expect(await browser.whoAmI()).toBeNull();
  });
});

test("An invalid Host header gets a page with the status 400", async () => {
  const { login } = createApp();
  const request = new Request(SITE);
  // The URL that Deno and Bun make of such a header.
  Object.defineProperty(request, "url", { value: "https://[/callback" });
  const response = await login.handle(request);
  expect(response?.status).toBe(400);
  expect(await response?.text()).toContain("<h1>The address is wrong</h1>");
});

describe("A callback", () => {
  test("without a state is refused, or leads a person who is logged in to the home page", async () => {
    const app = createApp();
    const browser = new Browser(app);
    for (const query of ["", "?error=access_denied", "?code=c0de"]) {
      const response = await browser.open(`/callback${query}`);
      expect(response.status).toBe(400);
    }
    await browser.open(await browser.consent());
    expect(locationOf(await browser.open("/callback?error=access_denied"))).toBe(`${SITE}/`);
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("needs no issuer, because not every platform sends one", async () => {
    const app = createApp();
    const browser = new Browser(app);
    const callback = new URL(await browser.consent());
    callback.searchParams.delete("iss");
    await browser.open(callback);
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("of Discord itself needs no further options", async () => {
    const fake = createFakePlatform({ origin: "https://discord.com" });
    const app = createApp({ platform: null, timeout: null }, fake);
    const browser = new Browser(app);
    expect(await browser.begin()).toMatch(/^https:\/\/discord\.com\/oauth2\/authorize\?/);
    await browser.open(await browser.consent());
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("that is old leads to the home page, also with onError", async () => {
    for (const options of [{}, { onError: () => new Response("Sorry") }]) {
      const browser = new Browser(createApp(options));
      await browser.open(await browser.consent());
      expect(locationOf(await browser.open("/callback?code=x&state=y"))).toBe(`${SITE}/`);
    }
  });
});

test.each([
  ["every character that codes may have", "aZ09_-"],
  ["2,048 characters", "a".repeat(2048)],
])("A code with %s is sent to the platform", async (_what, code) => {
  const app = createApp();
  const browser = new Browser(app);
  const state = new URL(await browser.consent()).searchParams.get("state");
  await browser.open(`/callback?state=${state}&code=${encodeURIComponent(code)}`);
  expect(exchanges(app)).toBe(1);
});

describe("A callback that the platform did not make", () => {
  const nonsense = [
    ["an empty code", "code="],
    ["the text of a missing value", "code=undefined"],
    ["another text of one", "code=null"],
    ["a code with white space", "code=a+b"],
    ["no code", "code"],
    ["two codes", "code=a&code=b"],
    ["a code that the edge would take for an attack", "code=%3Cscript%3E"],
    ["a code of 2,049 characters", `code=${"a".repeat(2049)}`],
    ...[".", "~", "+", "/", ":", "=", " ", "%", "é"].map((other) =>
      [`a code with ${other}`, `code=a${encodeURIComponent(other)}b`] as const
    ),
    ["a guild that is none", "code=a&guild_id=x"],
    ["permissions that are no number", "code=a&permissions=x"],
    ["an unknown error", "error=x"],
    ["an error without a word", "error=%00"],
  ] as const;

  test.each([...nonsense, ["two states", "code=a&state=b"] as const])(
    "with the state of a login and %s ends in a page, is not logged, and leaves the login alone",
    async (_what, query) => {
      const app = createApp();
      const browser = new Browser(app);
      const callback = await browser.consent("/shop");
      const state = new URL(callback).searchParams.get("state");
      const response = await browser.open(`/callback?state=${state}&${query}`);
      expect(response.status).toBe(400);
      const page = await response.text();
      expect(page).toContain("This link doesn&#39;t work");
      expect(page).toContain('<a href="/login?returnTo=%2Fshop">Log in</a>');
      expect(console.error).not.toHaveBeenCalled();
      expect(exchanges(app)).toBe(0);
      expect(locationOf(await browser.open(callback))).toBe(`${SITE}/shop`);
      expect(await browser.whoAmI()).toBe("ada");
    },
  );

  test("with a code that can be none makes finish() say so", async () => {
    const app = createApp();
    const browser = new Browser(app);
    const callback = new URL(await browser.consent());
    callback.searchParams.set("code", "<script>");
    await expect(app.login.finish(browser.jar.request(callback)))
      .rejects.toMatchObject({ description: "The callback has no valid code" });
  });

  test.each(nonsense)(
    "with %s, without a state or with any other, ends in a page and is not logged",
    async (_what, query) => {
      const app = createApp();
      const browser = new Browser(app);
      for (const state of ["", "state=&", "state=x&", "state=x&state=y&", "state=%00&"]) {
        const response = await browser.open(`/callback?${state}${query}`);
        expect(response.status).toBe(400);
      }
      expect(console.error).not.toHaveBeenCalled();
      expect(exchanges(app)).toBe(0);
    },
  );

  test("is given to onError", async () => {
    const errors: Error[] = [];
    const app = createApp({
      onError(error) {
        errors.push(error);
        return new Response("Sorry", { status: 400 });
      },
    });
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    const state = new URL(callback).searchParams.get("state");
    for (const [, query] of nonsense) await browser.open(`/callback?state=${state}&${query}`);
    expect(errors.map(({ name }) => name)).toEqual(nonsense.map(() => "OAuthError"));
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/shop`);
  });

  test("is an error of the application when the platform refuses its scopes", async () => {
    const app = createApp();
    const browser = new Browser(app);
    const state = new URL(await browser.consent()).searchParams.get("state");
    const response = await browser.open(`/callback?state=${state}&error=invalid_scope`);
    expect(response.status).toBe(500);
    expect(console.error).toHaveBeenCalledOnce();
    expect(browser.jar.cookies).toEqual([]);
  });

  test("without a state has a hint about links that do not begin at the login", async () => {
    const { login } = createApp();
    const errorOf = async (query: string): Promise<StateMismatchError> =>
      await login.finish(new Request(`${SITE}/callback?${query}`)).catch((error) => error);
    const { message, hint } = await errorOf("code=a");
    expect(message).toBe("The callback does not belong to this login: it has no state");
    expect(hint).toMatch(/must point to the page.*loginPath.*install link.*Verification URL/);
    const other = await errorOf("code=a&state=b");
    expect(other.hint).toMatch(/opened in another browser/);
    expect(message + hint + other.message + other.hint).not.toContain("makeUrl");
    const page = await login.handle(new Request("http://localhost:8787/callback?code=a"));
    expect(await page?.text()).toContain("the loginPath of a Login");
  });
});

describe("onLogin", () => {
  test.each([[undefined], [null]])("lets the user in with %o", async (result) => {
    for (const onLogin of [() => result, () => Promise.resolve(result)]) {
      const browser = new Browser(createApp({ onLogin }));
      await browser.open(await browser.consent());
      expect(await browser.whoAmI()).toBe("ada");
    }
  });

  test.each<[unknown, string]>([
    [false, "boolean"],
    [true, "boolean"],
    ["/no", "string"],
    ["", "string"],
    [0, "number"],
    [403, "number"],
    [1n, "bigint"],
    [() => {}, "function"],
    [{}, "object"],
    [{ status: 403 }, "object"],
    [[], "object"],
    [new Error("s3cret"), "object"],
  ])("fails the login with %o, which is neither a response nor nothing", async (result, kind) => {
    for (const storage of [{}, { store: new MemoryStore() }]) {
      for (const returned of [result, Promise.resolve(result)]) {
        const app = createApp({ ...storage, onLogin: () => returned as never });
        const browser = new Browser(app);
        const response = await browser.open(await browser.consent());
        expect(response.status).toBe(500);
        expect(await browser.whoAmI()).toBeNull();
        const error = new TypeError(
          `onLogin must return a Response to turn the user away, or nothing, received ${kind}`,
        );
        expect(console.error).toHaveBeenLastCalledWith(error);
        const finished = app.login.finish(browser.jar.request(await browser.consent()));
        await expect(finished).rejects.toThrow(error);
      }
    }
  });

  test("turns a user away with the response of another class", async () => {
    const own = { status: 403, headers: new Headers(), body: new Response("Members only").body };
    const browser = new Browser(createApp({ onLogin: () => own as Response }));
    const response = await browser.open(await browser.consent());
    expect([response.status, await response.text()]).toEqual([403, "Members only"]);
    expect(await browser.whoAmI()).toBeNull();
  });

  test("decides who is logged in", async () => {
    const app = createApp({
      onLogin: ({ user }) =>
        user.username === "ada" ? undefined : new Response("Members only", { status: 403 }),
    });
    const stranger = new Browser(app);
    const response = await stranger.open(await stranger.consent("/", "grace"));
    expect([response.status, await response.text()]).toEqual([403, "Members only"]);
    expect(stranger.jar.cookies).toEqual([]);
    expect(await stranger.whoAmI()).toBeNull();
    const member = new Browser(app);
    await member.open(await member.consent("/", "ada"));
    expect(await member.whoAmI()).toBe("ada");
  });

  test("sends a response that no cache keeps", async () => {
    const app = createApp({
      onLogin: () =>
        new Response("Members only", { headers: { "cache-control": "public, max-age=600" } }),
    });
    const browser = new Browser(app);
    const response = await browser.open(await browser.consent());
    expect(await response.text()).toBe("Members only");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("gets the user, the token, its api, the data, the bot and the request", async () => {
    const seen: Record<string, unknown>[] = [];
    const app = createApp({
      onLogin(login) {
        seen.push({ ...login });
      },
    });
    const browser = new Browser(app);
    await browser.open(await browser.consent());
    expect(seen).toEqual([{
      user: expect.objectContaining({ username: "ada" }),
      token: expect.objectContaining({ token_type: "Bearer" }),
      api: expect.any(User),
      data: null,
      guildId: null,
      permissions: null,
      request: expect.any(Request),
      session: null,
    }]);
  });

  test("gets the guild and the permissions that the platform names, and none of a changed address", async () => {
    const guildId = "1200000000000000001";
    const changed = { guild_id: "1200000000000000002", permissions: "8" };
    const seen: unknown[] = [];
    const run = async (scope: string[], consent: object, change: (token: object) => object) => {
      const fake = createFakePlatform();
      const app = createApp({
        scope: scope as never,
        onLogin({ guildId, permissions }) {
          seen.push({ guildId, permissions });
        },
        async fetch(url, init) {
          const response = await fake.fetch(url, init);
          return url.endsWith("/oauth2/token")
            ? Response.json(change(await response.json()))
            : response;
        },
      }, fake);
      const browser = new Browser(app);
      const callback = new URL(await fake.authorize(await browser.begin(), consent));
      for (const [name, value] of Object.entries(changed)) callback.searchParams.set(name, value);
      const { guildId, permissions } = await app.login.finish(browser.jar.request(callback));
      expect(seen.at(-1)).toEqual({ guildId, permissions });
    };
    const bot = ["identify", "bot"];
    const consent = { guildId, permissions: "2048" };
    await run(bot, consent, (token) => token);
    await run(bot, consent, (token) => ({ ...token, guild: { id: guildId, name: "Guild" } }));
    await run(bot, consent, (token) => ({ ...token, guild: undefined }));
    await run(["identify"], {}, (token) => token);
    expect(seen).toEqual([
      { guildId, permissions: "2048" },
      { guildId, permissions: null },
      { guildId: changed.guild_id, permissions: changed.permissions },
      { guildId: null, permissions: null },
    ]);
  });

  test("runs again when it has failed and the callback is opened again", async () => {
    let isDown = true;
    const app = createApp({
      onLogin() {
        if (isDown) throw new Error("The database is down: password=hunter2");
      },
    });
    const browser = new Browser(app);
    const callback = await browser.consent();
    const response = await browser.open(callback);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("hunter2");
    isDown = false;
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/`);
    expect(exchanges(app)).toBe(1);
  });
});

describe("onError", () => {
  test("returns the response in place of the built-in pages", async () => {
    const seen: unknown[] = [];
    const app = createApp({
      onError(error, request) {
        seen.push(error.name, new URL(request.url).pathname);
        return new Response("Our own page", { status: 418 });
      },
    });
    const browser = new Browser(app);
    const response = await browser.open(await app.fake.deny(await browser.begin()));
    expect([response.status, await response.text()]).toEqual([418, "Our own page"]);
    expect(seen).toEqual(["OAuthError", "/callback"]);
    expect(browser.jar.cookies).toEqual([]);
    expect(console.error).not.toHaveBeenCalled();
  });

  test("that returns nothing leaves the built-in page", async () => {
    const browser = new Browser(createApp({ onError: () => {} }));
    const response = await browser.open("/callback?code=x&state=y");
    expect(response.headers.get("content-type")).toMatch(/^text\/html/);
  });

  test.each<[unknown, string]>([[false, "boolean"], ["Sorry", "string"], [{}, "object"]])(
    "that returns %o makes handle() reject, with the first error as the cause",
    async (result, kind) => {
      const browser = new Browser(createApp({ onError: () => result as never }));
      for (const path of ["/callback?code=x&state=y", "/callback?error=access_denied"]) {
        const error = await browser.open(path).catch((error) => error);
        expect(error).toBeInstanceOf(TypeError);
        expect(error.message).toBe(`onError must return a Response, received ${kind}`);
        expect(error.cause).toMatchObject({ code: "state_mismatch" });
      }
    },
  );

  test("gets an error even when another value was thrown", async () => {
    const app = createApp({
      onLogin() {
        throw "hunter2";
      },
      onError: ({ message, cause }) => Response.json({ message, cause }, { status: 500 }),
    });
    const browser = new Browser(app);
    const response = await browser.open(await browser.consent());
    expect(await response.json()).toEqual({
      message: "A callback or the store threw a value that is not an Error",
      cause: "hunter2",
    });
  });

  test("does not hide the first error if it throws another one", async () => {
    const broken = new Error("onError is broken");
    const app = createApp({
      onError() {
        throw broken;
      },
    });
    const browser = new Browser(app);
    const callback = await browser.consent();
    app.fake.failNext({ path: "/oauth2/token", status: 401, body: { error: "invalid_client" } });
    await expect(browser.open(callback)).rejects.toBe(broken);
    expect(console.error).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ name: "OAuthError", error: "invalid_client" }),
    );
  });

  test("may throw the error again, without a log entry", async () => {
    const onError = vi.fn((error: Error) => {
      throw error;
    });
    const app = createApp({ onError });
    const browser = new Browser(app);
    const callback = await browser.consent();
    app.fake.failNext({ path: "/oauth2/token", status: 401, body: { error: "invalid_client" } });
    await expect(browser.open(callback)).rejects.toMatchObject({ error: "invalid_client" });
    expect(onError).toHaveBeenCalledOnce();
    expect(console.error).not.toHaveBeenCalled();
  });

  test.each([["/callback?code=x&state=y", "GET"], ["/session", "GET"], ["/logout", "POST"]])(
    "is called once if it throws, at %s",
    async (path, method) => {
      const store = new MemoryStore();
      const onError = vi.fn(() => {
        throw new Error("onError is broken");
      });
      const browser = new Browser(createApp({ store, sessionPath: "/session", onError }));
      await browser.open(await browser.consent());
      vi.spyOn(store, "load").mockRejectedValue(new Error("The store is down"));
      await expect(browser.open(path, { method })).rejects.toThrow("onError is broken");
      expect(onError).toHaveBeenCalledOnce();
    },
  );
});

describe("An error", () => {
  test("is logged, unless a visitor caused it", async () => {
    const app = createApp();
    const browser = new Browser(app);
    await browser.open("/callback?code=x&state=y");
    await browser.open(await app.fake.deny(await browser.begin()));
    expect(console.error).not.toHaveBeenCalled();
    const callback = await browser.consent();
    app.fake.failNext({ path: "/oauth2/token", status: 401, body: { error: "invalid_client" } });
    await browser.open(callback);
    expect(console.error).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ name: "OAuthError", error: "invalid_client" }),
    );
  });

  test.each([
    [403, 40002, "Verify your Discord account"],
    [403, 20013, "Discord refused your login"],
    [404, 10013, "Discord refused your login"],
    [451, 0, "Discord refused your login"],
  ])(
    "of the platform about the person shows what it is: %i with the code %i",
    async (status, code, title) => {
      const app = createApp();
      const browser = new Browser(app);
      const callback = await browser.consent();
      app.fake.failNext({ path: "/users/@me", status, body: { message: "no", code } });
      const page = await browser.open(callback);
      expect(page.status).toBe(403);
      expect(await page.text()).toContain(`<h1>${title}</h1>`);
    },
  );

  test.each(["server_error", "temporarily_unavailable", "invalid_scope"])(
    "of %s in a callback is logged with little of the visitor's text",
    async (error) => {
      const app = createApp();
      const browser = new Browser(app);
      const callback = new URL(await browser.consent());
      callback.searchParams.delete("code");
      callback.searchParams.set("error", error);
      callback.searchParams.set("error_description", "§".repeat(5000));
      await browser.open(callback);
      expect(console.error).toHaveBeenCalledOnce();
      const logged = inspect(vi.mocked(console.error).mock.calls);
      // Once in the message, once in the description.
      expect(logged.match(/§/g)).toHaveLength(400);
    },
  );

  test("about the address of a request is logged with the beginning of the address", async () => {
    const { login } = createApp();
    await login.handle(new Request(`http://${"a".repeat(5000)}.example/login`));
    const logged = inspect(vi.mocked(console.error).mock.calls);
    expect(logged).toContain("arrived at http://aaa");
    expect(logged.length).toBeLessThan(3000);
    expect(/a{100,}/.exec(logged)?.[0].length).toBeLessThan(200);
  });

  test("shows its hint on a page of this machine", async () => {
    const { login } = createApp();
    // Behind a proxy, every request may seem to come from this machine.
    const behindProxy = createApp({ redirectUri: `${SITE}/callback` }).login;
    for (
      const [application, origin, isShown] of [
        [login, "http://localhost:8787", true],
        [login, SITE, false],
        [behindProxy, "http://localhost:8787", false],
      ] as const
    ) {
      const response = await application.handle(new Request(`${origin}/callback?code=x&state=y`));
      const page = await response?.text() ?? "";
      expect(page.includes("For you as the developer")).toBe(isShown);
    }
  });
});

describe("The wait after", () => {
  const slow = JSON.stringify({ message: "You are being rate limited." });

  test.each<[string, object, number]>([
    ["a block", { status: 403, body: "<html>", headers: { "retry-after": "45" } }, 45],
    ["a block of an hour", { status: 403, body: "<html>", headers: { "retry-after": "3600" } }, 60],
    ["a block without a time", { status: 403, body: "<html>" }, 30],
    ["a 429", { status: 429, body: slow, headers: { "retry-after": "20" } }, 20],
    ["a 429 without a time", { status: 429, body: slow }, 5],
  ])("%s is the same in the page, its header and the process", async (_what, failure, seconds) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const app = createApp({ redirectUri: `${SITE}/callback` });
    const [person, other] = [new Browser(app), new Browser(app)];
    const [callback, otherCallback] = [await person.consent("/"), await other.consent("/")];
    const told = async (browser: Browser, address: string) => {
      const page = await browser.open(address);
      const text = /try again in (\d+) seconds?/.exec(await page.text())?.[1];
      return [page.headers.get("retry-after"), text];
    };
    app.fake.failNext({ path: "/oauth2/token", ...failure });
    const both = (wait: number) => [String(wait), String(wait)];
    expect(await told(person, callback)).toEqual(both(seconds));
    expect(await told(other, otherCallback)).toEqual(both(seconds));
    vi.advanceTimersByTime(1000 * seconds - 1000);
    expect(await told(person, callback)).toEqual(both(1));
    expect(exchanges(app)).toBe(1);
    vi.advanceTimersByTime(1000);
    expect(locationOf(await person.open(callback))).toBe(`${SITE}/`);
    expect(exchanges(app)).toBe(2);
  });
});

test("A 429 of an hour is told to all visitors, and a new login is sent after a minute", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const app = createApp({ redirectUri: `${SITE}/callback` });
  const [person, other] = [new Browser(app), new Browser(app)];
  const [callback, otherCallback] = [await person.consent("/"), await other.consent("/")];
  const told = async (browser: Browser, address: string) =>
    (await browser.open(address)).headers.get("retry-after");
  app.fake.failNext({ path: "/oauth2/token", status: 429, headers: { "retry-after": "3600" } });
  expect([await told(person, callback), await told(other, otherCallback)]).toEqual([
    "3600",
    "3600",
  ]);
  vi.advanceTimersByTime(59_000);
  expect([await told(person, callback), await told(other, otherCallback)]).toEqual([
    "3541",
    "3541",
  ]);
  vi.advanceTimersByTime(1000);
  expect(await told(person, callback)).toBe("3540");
  expect(exchanges(app)).toBe(1);
  const later = new Browser(app);
  expect(locationOf(await later.open(await later.consent("/")))).toBe(`${SITE}/`);
});

describe("With the scope openid,", () => {
  const scope = ["identify", "openid"] as never;

  test("the id_token must be for this login", async () => {
    const onUnexpected = vi.fn();
    const app = createApp({ scope, onUnexpected });
    const browser = new Browser(app);
    const link = new URL(await browser.begin());
    expect(link.searchParams.get("nonce")).toMatch(/^[\w-]{43}$/);
    await browser.open(await app.fake.authorize(link));
    expect(await browser.whoAmI()).toBe("ada");
    expect(onUnexpected).not.toHaveBeenCalled();
    // With another nonce it was made for another login.
    const other = new URL(await browser.begin());
    other.searchParams.set("nonce", "another");
    const response = await browser.open(await app.fake.authorize(other));
    expect(response.status).toBe(500);
    expect(console.error).toHaveBeenCalledWith(expect.objectContaining({ name: "IdTokenError" }));
  });

  test("the id_token must name the user that is read afterwards", async () => {
    const app = createApp({ scope });
    const browser = new Browser(app);
    const callback = await browser.consent();
    app.fake.failNext({
      path: "/users/@me",
      body: { id: "1000000000000000009", username: "mallory" },
    });
    expect((await browser.open(callback)).status).toBe(500);
    expect(await browser.whoAmI()).toBeNull();
    expect(console.error).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        name: "IdTokenError",
        claim: "sub",
        message: expect.stringContaining("names another person"),
        hint: "Start a new login",
      }),
    );
  });

  test("a missing id_token ends the login, and is reported", async () => {
    const onUnexpected = vi.fn();
    const browser = new Browser(openIdApp(() => null, onUnexpected));
    expect((await browser.open(await browser.consent("/shop"))).status).toBe(500);
    expect(await browser.whoAmI()).toBeNull();
    expect(console.error).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ name: "IdTokenError", reason: "missing" }),
    );
    expect(onUnexpected.mock.calls).toEqual([[
      [{ path: "id_token", message: "expected text for the scope openid, received null" }],
      { method: "POST", path: "/oauth2/token" },
    ]]);
  });

  test("the code of a link without it does not log the visitor in, also without PKCE", async () => {
    const app = createApp({ scope: ["identify", "openid", "role_connections.write"] as never });
    const thief = new Browser(app);
    const callback = new URL(await thief.consent());
    const redirectUri = `${SITE}/callback`;
    const link = new AuthUrl(sampleApplication.id, ["identify"], redirectUri, null, app.fake);
    const stolen = new URL(await app.fake.authorize(link.href, { as: "grace" }));
    callback.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    expect((await thief.open(callback)).status).toBe(500);
    expect(await thief.whoAmI()).toBeNull();
  });

  test("a platform without an issuer is an error that names the option", async () => {
    const fake = createFakePlatform();
    const { issuer: _issuer, ...platform } = fake.platform;
    const browser = new Browser(createApp({ scope, platform }, fake));
    const callback = new URL(await browser.consent());
    callback.searchParams.delete("iss");
    expect((await browser.open(callback)).status).toBe(500);
    expect(console.error).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ message: expect.stringContaining("platform.issuer") }),
    );
  });
});

describe("When the platform's keys can't be read,", () => {
  const failures = [
    { status: 500 },
    { status: 429 },
    { cut: "before" as const },
    { body: "<html>" },
  ] as const;

  test.each(failures)("a login with the scope openid goes on: %j", async (failure) => {
    const app = createApp({ scope: ["identify", "openid"] as never });
    const browser = new Browser(app);
    const callback = await browser.consent("/shop");
    app.fake.failNext({ path: "/oauth2/keys", times: 9, ...failure });
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/shop`);
    expect(await browser.whoAmI()).toBe("ada");
  });

  test.each<[string, Record<string, unknown>]>([
    ["iss", { iss: "https://evil.example" }],
    ["iss", { iss: undefined }],
    ["aud", { aud: ["1100000000000000009"] }],
    ["exp", { exp: 1 }],
    ["nonce", { nonce: "another" }],
    ["nonce", { nonce: undefined }],
    ["at_hash", { at_hash: "AAAAAAAAAAAAAAAAAAAAAA" }],
    ["sub", { sub: "1000000000000000009" }],
    ["sub", { sub: undefined }],
  ])("a login with another %s in the id_token ends: %j", async (claim, changes) => {
    const app = openIdApp((claims) => ({ ...claims, ...changes }));
    app.fake.failNext({ path: "/oauth2/keys", times: 9, body: "<html>" });
    const browser = new Browser(app);
    expect((await browser.open(await browser.consent())).status).toBe(500);
    expect(await browser.whoAmI()).toBeNull();
    expect(console.error).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ name: "IdTokenError", reason: "claim", claim }),
    );
  });

  test("a login with an id_token that is not a JWT ends", async () => {
    for (const idToken of ["", "a", "a.b.c", "a.b.c.d"]) {
      const app = openIdApp(() => idToken);
      app.fake.failNext({ path: "/oauth2/keys", times: 9, body: "<html>" });
      const browser = new Browser(app);
      expect((await browser.open(await browser.consent())).status).toBe(500);
    }
  });
});

/** Creates an application with the scope openid that gets another `id_token` than the platform has signed. */
function openIdApp(
  change: (claims: Record<string, unknown>) => Record<string, unknown> | string | null,
  onUnexpected?: ClientOptions["onUnexpected"],
): App {
  const fake = createFakePlatform();
  return createApp({
    scope: ["identify", "openid"] as never,
    onUnexpected,
    async fetch(url, init) {
      const response = await fake.fetch(url, init);
      if (!new URL(url).pathname.endsWith("/oauth2/token")) return response;
      const { id_token, ...token } = await response.json();
      const [header, payload, signature] = id_token.split(".");
      const changed = change(JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))));
      const isClaims = typeof changed === "object" && changed !== null;
      const encoded = isClaims ? btoa(JSON.stringify(changed)).replaceAll("=", "") : "";
      return Response.json({
        ...token,
        id_token: isClaims ? `${header}.${encoded}.${signature}` : changed,
      });
    },
  }, fake);
}

describe("Another person in the same browser", () => {
  test.each([
    ["in a cookie", () => ({ keepToken: true })],
    ["in a store", () => ({ store: new MemoryStore() })],
  ])("has a session of their own, %s", async (_where, options) => {
    const app = createApp(options());
    const browser = new Browser(app);
    const first = await browser.consent("/a", "ada");
    await browser.open(first);
    await browser.open(await browser.consent("/b", "grace"));
    expect(await browser.whoAmI()).toBe("grace");
    // What led to the session of the other one leads nowhere.
    expect(locationOf(await browser.open(first))).toBe(`${SITE}/`);
  });

  test("revokes nothing when their session has no token", async () => {
    const app = createApp();
    const browser = new Browser(app);
    await browser.open(await browser.consent());
    const request = browser.jar.request(SITE, { method: "POST" });
    expect((await app.login.end(request, { everywhere: true })).status).toBe(303);
    expect(app.fake.requests.filter(({ path }) => path.endsWith("/revoke"))).toEqual([]);
  });

  test("has the cookie removed by a logout without a session", async () => {
    const app = createApp({ store: new MemoryStore() });
    const response = await app.login.end(new Request(SITE, { method: "POST" }));
    expect(response.headers.get("set-cookie")).toContain("__Host-session=; Path=/; Max-Age=0");
  });
});
