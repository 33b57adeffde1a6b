import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { generateState, MemoryStore, StoreTimeoutError } from "../../mod.ts";
import { type App, Browser, createApp, SITE } from "./test_app.ts";

type Options = NonNullable<Parameters<typeof createApp>[0]>;

const DAY = 86_400_000;
const sessionPath = "/session";
const frontend = "https://web.app.example";

const ada = {
  id: "1000000000000000001",
  username: "ada",
  global_name: "Ada Lovelace",
  avatar: "a_0b1c2d3e4f5061728394a5b6c7d8e901",
  avatar_url: expect.stringMatching(/^https:.*\.webp\?animated=true$/),
};

/** The headers of a request that a script of a page of this origin sends. */
function fromScript(origin: string, site: string): Record<string, string> {
  return {
    origin,
    "sec-fetch-site": site,
    "sec-fetch-mode": "cors",
    "sec-fetch-dest": "empty",
  };
}

async function loggedIn(app: App): Promise<Browser> {
  const browser = new Browser(app);
  await browser.open(await browser.consent());
  return browser;
}

/** Creates an application with a session, in cookies or in a store. */
async function visit(options: Options = {}) {
  const app = createApp({ sessionPath, ...options });
  const browser = await loggedIn(app);
  const read = (init?: RequestInit) => browser.open(sessionPath, init);
  return { app, browser, read };
}

function headersOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries(headers);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("The option sessionPath", () => {
  const create = (options: Options) => () => createApp(options);

  test("is none by default: the application responds at every other path", async () => {
    const { login } = createApp();
    expect(await login.handle(new Request(`${SITE}/session`))).toBeNull();
  });

  test.each<[string, Options, string]>([
    ["a word", { sessionPath: "session" }, "sessionPath must be a path"],
    [
      "the path of the login",
      { sessionPath: "/login" },
      "loginPath and sessionPath must be different",
    ],
    [
      "the path of the callback",
      { sessionPath: "/callback" },
      "callbackPath and sessionPath must be different",
    ],
    [
      "the path of the logout",
      { logoutPath: "/session", sessionPath },
      "logoutPath and sessionPath must be different",
    ],
    ["a publicUser that is data", { sessionPath, publicUser: {} as never }, "must be a function"],
    [
      "sessionUser without publicUser",
      { sessionPath, sessionUser: ({ id }) => ({ id }) },
      "sessionPath needs the option publicUser with sessionUser, since a session may have data that pages must not see",
    ],
    [
      "publicUser without a path",
      { publicUser: () => null },
      "publicUser needs the option sessionPath, where pages read its user",
    ],
  ])("refuses %s", (_what, options, message) => {
    expect(create(options)).toThrow(TypeError);
    expect(create(options)).toThrow(message);
  });

  test("accepts the path of a catch-all route, with the functions in any order", () => {
    const path = { sessionPath: "/api/auth/session" };
    expect(create(path)).not.toThrow();
    expect(create({ ...path, publicUser: () => null })).not.toThrow();
    expect(create({ publicUser: () => null, sessionUser: () => 1, ...path })).not.toThrow();
    expect(create({ sessionPath: null, publicUser: null, sessionUser: () => 1 })).not.toThrow();
  });

  test("is not a page to return to after a login", async () => {
    const app = createApp({ sessionPath });
    const browser = new Browser(app);
    const response = await browser.open(await browser.consent("/session?a=b"));
    expect(response.headers.get("location")).toBe(`${SITE}/`);
  });
});

describe.each<[string, () => Options]>([
  ["in a cookie", () => ({})],
  ["in a store", () => ({ store: new MemoryStore() })],
])("GET at sessionPath, with sessions %s,", (_where, storage) => {
  test("responds with the user, the scopes and the end as JSON, and sets no cookie", async () => {
    const { app, browser, read } = await visit(storage());
    const response = await read();
    expect(response.status).toBe(200);
    expect(headersOf(response)).toEqual({
      "cache-control": "no-store",
      "content-type": "application/json",
      "cross-origin-resource-policy": "same-origin",
      vary: "cookie",
      "x-content-type-options": "nosniff",
    });
    const session = await app.login.session(browser.jar.request(SITE));
    expect(await response.json()).toEqual({
      user: ada,
      scopes: ["identify", "guilds"],
      endsAt: session?.endsAt,
    });
  });

  test("responds with null to a visitor, with the same status and headers", async () => {
    const { app, read } = await visit(storage());
    const response = await new Browser(app).open(sessionPath);
    expect(await response.text()).toBe("null");
    const ofSession = await read();
    expect(response.status).toBe(ofSession.status);
    expect(headersOf(response)).toEqual(headersOf(ofSession));
  });

  test("responds with null after a logout, and after the end of the session", async () => {
    const options = { ...storage(), maxAge: 3600 };
    const { app, browser, read } = await visit(options);
    const { header } = browser.jar;
    await browser.open("/logout", { method: "POST" });
    expect(await (await read()).json()).toBeNull();
    if ("store" in options) {
      const old = await new Browser(app).open(sessionPath, { headers: { cookie: header } });
      expect(await old.json()).toBeNull();
    }
    await browser.open(await browser.consent());
    expect(await (await read()).json()).not.toBeNull();
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(await (await read()).json()).toBeNull();
  });

  test("responds with null to a session that was not asked for a new scope", async () => {
    const options = { ...storage(), secret: generateState() };
    const { app, browser } = await visit(options);
    const later = createApp(
      { ...options, sessionPath, scope: ["identify", "guilds", "email"] as never },
      app.fake,
    );
    const response = await later.fetch(browser.jar.request(SITE + sessionPath));
    expect(await response.json()).toBeNull();
  });
});

describe("The user at sessionPath", () => {
  test("is what publicUser returns, also asynchronously, from the user data of the session", async () => {
    const given: unknown[] = [];
    const { read, browser, app } = await visit({
      sessionUser: ({ id, username }) => ({ id, username, role: "owner" }),
      publicUser: async (user) => {
        given.push(user);
        return { role: await Promise.resolve((user as { role: string }).role) };
      },
    });
    expect((await (await read()).json()).user).toEqual({ role: "owner" });
    expect(given).toEqual([{ id: ada.id, username: "ada", role: "owner" }]);
    const changed = await app.login.update(browser.jar.request(SITE), { role: "guest" });
    browser.jar.store(new Response(null, { headers: changed }), SITE);
    expect((await (await read()).json()).user).toEqual({ role: "guest" });
  });

  test("may be null, and has no undefined fields and no dates", async () => {
    const options = { secret: generateState() };
    const { app, browser } = await visit(options);
    const userWith = async (publicUser: Options["publicUser"]) => {
      const { login } = createApp({ ...options, sessionPath, publicUser }, app.fake);
      const response = await login.handle(browser.jar.request(SITE + sessionPath));
      const inPage = await login.publicSession(await login.session(browser.jar.request(SITE)));
      expect(await response?.json()).toEqual(inPage);
      return inPage?.user;
    };
    expect(await userWith(() => null)).toBeNull();
    expect(await userWith(() => ({ at: new Date(0), name: undefined }))).toStrictEqual(
      { at: "1970-01-01T00:00:00.000Z" },
    );
  });

  test("has only the default fields without publicUser, even if the session has more", async () => {
    const { read, browser, app } = await visit({ store: new MemoryStore() });
    for (
      const user of [{ ...ada, avatar_url: "https:.gif", email: "ada@mail.example" }, "ada", null]
    ) {
      await app.login.update(browser.jar.request(SITE), user);
      expect((await (await read()).json()).user)
        .toEqual(typeof user === "string" || !user ? {} : { ...ada, avatar_url: "https:.gif" });
    }
  });

  test("is the same JSON value at sessionPath and in a page, whatever it is", async () => {
    const options = { secret: generateState() };
    const { app, browser } = await visit(options);
    const session = await app.login.session(browser.jar.request(SITE));
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const { login } = createApp({ ...options, sessionPath, publicUser: () => value }, app.fake);
        const response = await login.handle(browser.jar.request(SITE + sessionPath));
        const text = await response?.text();
        expect(JSON.stringify(await login.publicSession(session))).toBe(text);
        expect(JSON.stringify(JSON.parse(text ?? "").user)).toBe(JSON.stringify(value));
      }),
      { numRuns: 50 },
    );
  });

  test("can't change the prototypes of objects, nor become the prototype of one", async () => {
    const user = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}');
    const { browser, app, read } = await visit({
      sessionUser: () => user,
      publicUser: (all) => all,
    });
    const text = await (await read()).text();
    expect(text).toContain('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}');
    const inPage = await app.login.publicSession(
      await app.login.session(browser.jar.request(SITE)),
    );
    expect(Object.getPrototypeOf(inPage?.user)).toBe(Object.prototype);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

describe("A request to sessionPath", () => {
  test("does not prolong the session in the store, however often it comes", async () => {
    const store = new MemoryStore();
    const { app, browser, read } = await visit({ store, idleTimeout: 7 * 86_400 });
    const save = vi.spyOn(store, "save");
    for (let day = 1; day < 7; day++) {
      vi.setSystemTime(Date.now() + DAY);
      expect(await (await read()).json()).not.toBeNull();
    }
    expect(save).not.toHaveBeenCalled();
    expect(await app.login.session(browser.jar.request(SITE))).not.toBeNull();
    expect(save).toHaveBeenCalledTimes(1);
    for (let day = 0; day < 7; day++) {
      expect(await (await read()).json()).not.toBeNull();
      vi.setSystemTime(Date.now() + DAY);
    }
    expect(await (await read()).json()).toBeNull();
    expect(await browser.whoAmI()).toBeNull();
  });

  test("needs one read of the store, and writes nothing when the session ends meanwhile", async () => {
    const store = new MemoryStore();
    const { app, read } = await visit({ store });
    const load = store.load.bind(store);
    const save = vi.spyOn(store, "save");
    const calls = vi.spyOn(store, "load").mockImplementationOnce(async (key) => {
      const found = await load(key);
      await app.login.endAll(ada.id);
      save.mockClear();
      return found;
    });
    expect(await (await read()).json()).not.toBeNull();
    expect(save).not.toHaveBeenCalled();
    calls.mockClear();
    expect(await (await read()).json()).toBeNull();
    expect(calls).toHaveBeenCalledTimes(1);
  });

  test.each(["HEAD", "POST", "DELETE", "OPTIONS"])(
    "gets 405 with the method %s, as at the other paths",
    async (method) => {
      const { read } = await visit();
      const response = await read({ method });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET"]);
      expect(await response.text()).toMatch(/^Send GET/);
    },
  );

  test("may have a query, and responds with JSON to a navigation; another path is not its own", async () => {
    const { app, read, browser } = await visit();
    const headers = {
      accept: "text/html",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    expect((await (await read({ headers })).json()).user).toEqual(ada);
    const { handle } = app.login;
    expect(await (await handle(browser.jar.request(`${SITE}/session?a=b`)))?.json())
      .toHaveProperty("user");
    // A cache that keeps files by their extension must not get a session under such a name.
    const others = ["/session/a.css", "/session;a.css", "/session%2fa.css", "/session.json"];
    for (const path of [...others, "/session/", "/Session", "//session", "/%73ession"]) {
      expect(await handle(browser.jar.request(SITE + path))).toBeNull();
    }
  });

  test("is one for each Login with a name of its own", async () => {
    const { app, browser, read } = await visit();
    const owners = createApp({
      name: "owners",
      loginPath: "/owners/login",
      callbackPath: "/owners/callback",
      logoutPath: "/owners/logout",
      sessionPath: "/owners/session",
    }, app.fake);
    const request = browser.jar.request(`${SITE}/owners/session`);
    expect(await (await owners.login.handle(request))?.json()).toBeNull();
    expect(await owners.login.handle(browser.jar.request(SITE + sessionPath))).toBeNull();
    expect(await (await read()).json()).not.toBeNull();
  });
});

describe("An error at sessionPath", () => {
  const texts = {
    slow:
      "This site is slow right now. The site couldn't load its data in time. Please try again in a moment.",
    wrong:
      "Something went wrong. This isn't your fault. Please try again, and let us know if it keeps happening.",
  };

  test.each<[string, Error, string, string, string | null]>([
    ["fails", new Error("db-s3cret is down"), "internal_error", texts.wrong, null],
    ["is slow", new StoreTimeoutError("Slow"), "store_timeout", texts.slow, null],
    [
      "says when to come again",
      new StoreTimeoutError("Busy", { retryAfter: 2.5 }),
      "store_timeout",
      texts.slow,
      "3",
    ],
  ])(
    "is a 503 in JSON if the store %s, never null",
    async (_what, thrown, error, message, after) => {
      const store = new MemoryStore();
      const { read } = await visit({ store });
      vi.spyOn(store, "load").mockRejectedValue(thrown);
      const response = await read();
      expect(response.status).toBe(503);
      expect(await response.json()).toEqual({ error, message });
      expect(headersOf(response)).toEqual({
        "cache-control": "no-store",
        "content-type": "application/json",
        "cross-origin-resource-policy": "same-origin",
        ...(after && { "retry-after": after }),
        vary: "cookie",
        "x-content-type-options": "nosniff",
      });
      expect(console.error).toHaveBeenCalledExactlyOnceWith(thrown);
    },
  );

  test("is a 503 if the store does not respond within the timeout", async () => {
    const store = new MemoryStore();
    const { read } = await visit({ store, timeout: 100 });
    vi.spyOn(store, "load").mockReturnValue(new Promise(() => {}));
    const response = await read();
    expect([response.status, (await response.json()).error]).toEqual([503, "store_timeout"]);
  });

  test.each<[string, Options["publicUser"], string]>([
    ["throws", () => {
      throw new Error("no such plan: s3cret");
    }, "no such plan: s3cret"],
    ["rejects", () => Promise.reject(new Error("down")), "down"],
    ["returns nothing", () => {}, "publicUser must return a JSON value, received undefined"],
    ["returns a function", () => () => 1, "publicUser must return a JSON value, received function"],
    ["returns a bigint", () => 1n, "publicUser must return a JSON value, received bigint: use"],
    ["returns a Set", () => ({ roles: new Set() }), "received Set at roles"],
  ])("is a 500 in JSON if publicUser %s", async (_what, publicUser, logged) => {
    const { app, browser, read } = await visit({ publicUser });
    const response = await read();
    expect(response.status).toBe(500);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({ error: "internal_error", message: texts.wrong });
    expect(String(vi.mocked(console.error).mock.calls)).toContain(logged);
    const session = await app.login.session(browser.jar.request(SITE));
    await expect(app.login.publicSession(session)).rejects.toThrow(logged);
    // A visitor without a session is not affected.
    expect(await (await new Browser(app).open(sessionPath)).json()).toBeNull();
  });

  test("is a 500 in JSON at an address without safe cookies", async () => {
    const { app } = await visit();
    const response = await app.login.handle(new Request("http://app.example/session"));
    expect([response?.status, (await response?.json()).error]).toEqual([500, "login_failed"]);
  });

  test("goes to onError, and its response does not replace the JSON", async () => {
    const store = new MemoryStore();
    const onError = vi.fn((..._: [Error, Request]) => new Response("null"));
    const { read } = await visit({ store, onError });
    const thrown = new Error("down");
    vi.spyOn(store, "load").mockRejectedValue(thrown);
    const response = await read();
    expect([response.status, (await response.json()).error]).toEqual([503, "internal_error"]);
    expect(onError).toHaveBeenCalledExactlyOnceWith(thrown, expect.any(Request));
    expect(console.error).not.toHaveBeenCalled();
  });
});

describe("A script of another origin", () => {
  const withFrontends = { frontends: [frontend] };

  test("reads the session if its origin is a frontend", async () => {
    const { read } = await visit(withFrontends);
    const response = await read({ headers: fromScript(frontend, "same-site") });
    expect((await response.json()).user).toEqual(ada);
    expect(headersOf(response)).toEqual({
      "access-control-allow-credentials": "true",
      "access-control-allow-origin": frontend,
      "access-control-expose-headers": "retry-after",
      "cache-control": "no-store",
      "content-type": "application/json",
      "cross-origin-resource-policy": "same-site",
      vary: "cookie, origin",
      "x-content-type-options": "nosniff",
    });
    const preflight = await read({
      method: "OPTIONS",
      headers: { ...fromScript(frontend, "same-site"), "access-control-request-headers": "x-a" },
    });
    expect(preflight.status).toBe(204);
    expect(headersOf(preflight)).toEqual({
      "access-control-allow-credentials": "true",
      "access-control-allow-headers": "x-a",
      "access-control-allow-methods": "GET",
      "access-control-allow-origin": frontend,
      "access-control-expose-headers": "retry-after",
      vary: "origin",
    });
  });

  test("also reads the error if its origin is a frontend", async () => {
    const store = new MemoryStore();
    const { read } = await visit({ ...withFrontends, store });
    vi.spyOn(store, "load").mockRejectedValue(new Error("down"));
    const response = await read({ headers: fromScript(frontend, "same-site") });
    expect(response.status).toBe(503);
    expect(response.headers.get("access-control-allow-origin")).toBe(frontend);
    expect(response.headers.get("vary")).toBe("cookie, origin");
  });

  test.each<[string, Record<string, string>]>([
    ["another site", fromScript("https://evil.example", "cross-site")],
    ["a sibling", fromScript("https://blog.app.example", "same-site")],
    ["the same origin on another port", fromScript(`${frontend}:8443`, "same-site")],
    ["a name that begins like a frontend", fromScript(`${frontend}.evil.example`, "cross-site")],
    ["a name that ends like a frontend", fromScript("https://evil-web.app.example", "same-site")],
    ["plain HTTP", fromScript("http://web.app.example", "cross-site")],
    ["a frame without an origin", fromScript("null", "cross-site")],
    ["a frontend that the browser calls another site", fromScript(frontend, "cross-site")],
    ["a script element of a sibling", {
      "sec-fetch-site": "same-site",
      "sec-fetch-mode": "no-cors",
      "sec-fetch-dest": "script",
    }],
  ])("reads nothing if it is %s", async (_what, headers) => {
    for (const options of [{}, withFrontends]) {
      const { read } = await visit(options);
      for (
        const response of [await read({ headers }), await read({ method: "OPTIONS", headers })]
      ) {
        expect(Object.keys(headersOf(response)).filter((name) => name.startsWith("access-")))
          .toEqual([]);
      }
      const response = await read({ headers });
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("cross-origin-resource-policy"))
        .toBe("frontends" in options ? "same-site" : "same-origin");
    }
  });
});

describe("publicSession()", () => {
  test("returns the JSON of sessionPath for a session, and null for null", async () => {
    const { app, browser, read } = await visit();
    const { publicSession, session } = app.login;
    const found = await session(browser.jar.request(SITE));
    expect(await publicSession(found)).toStrictEqual(await (await read()).json());
    expect(await publicSession(null)).toBeNull();
  });

  test("refuses anything but a session, and needs sessionPath", async () => {
    const { app, browser } = await visit();
    const request = browser.jar.request(SITE);
    for (const wrong of [request, undefined, "ada", {}]) {
      await expect(app.login.publicSession(wrong as never)).rejects.toThrow(
        new RegExp("^session must be the result of session\\(\\), received "),
      );
    }
    await expect(createApp().login.publicSession(null)).rejects.toThrow(
      new TypeError("publicSession() needs the option sessionPath"),
    );
  });
});
