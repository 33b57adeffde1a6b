import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Fetch, generateState, MemoryStore, sealed, type TokenSource } from "../../mod.ts";
import { Login } from "../../src/login/mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { type App, Browser, createApp, exchanges, locationOf, SITE } from "./test_app.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("An attacker gets no session of another person, and gives their own to no other person:", () => {
  test("login CSRF with the attacker's callback logs no person in", async () => {
    const app = createApp();
    const attacker = new Browser(app);
    const person = new Browser(app);
    const callback = await attacker.consent("/", "grace");
    expect((await person.open(callback)).status).toBe(400);
    expect(await person.whoAmI()).toBeNull();
    // And while the person is logging in themselves, which still works afterwards.
    const own = await person.consent("/", "ada");
    expect((await person.open(callback)).status).toBe(400);
    await person.open(own);
    expect(await person.whoAmI()).toBe("ada");
  });

  test("a foreign callback does not change the person of a session", async () => {
    const app = createApp();
    const person = new Browser(app);
    await person.open(await person.consent("/", "ada"));
    const callback = await new Browser(app).consent("/", "grace");
    expect(locationOf(await person.open(callback))).toBe(`${SITE}/`);
    expect(await person.whoAmI()).toBe("ada");
    expect(exchanges(app)).toBe(1);
  });

  test("state fixation with a state of the attacker's choice fails", async () => {
    const app = createApp();
    const person = new Browser(app);
    const link = await person.begin("/");
    const fixed = new URL(link);
    fixed.searchParams.set("state", "chosen-by-the-attacker-chosen-by-the-attack");
    const callback = await app.fake.authorize(fixed, { as: "ada" });
    expect((await person.open(callback)).status).toBe(400);
    expect(exchanges(app)).toBe(0);
  });

  test("code injection of the attacker's code with the person's own state fails", async () => {
    const app = createApp();
    const person = new Browser(app);
    const own = new URL(await person.consent("/", "ada"));
    const foreign = new URL(await new Browser(app).consent("/", "grace"));
    own.searchParams.set("code", foreign.searchParams.get("code") ?? "");
    // The verifier is that of the person, and the code was given for another challenge.
    expect((await person.open(own)).status).toBe(400);
    expect(await person.whoAmI()).toBeNull();
  });

  test("a callback with another code gets nothing of a finished login, with and without a store", async () => {
    for (const store of [undefined, new MemoryStore()]) {
      const app = createApp({ store });
      const person = new Browser(app);
      const callback = new URL(await person.consent("/", "ada"));
      const begun = person.jar.header;
      expect((await app.login.finish(person.jar.request(callback))).user.username).toBe("ada");
      for (
        const code of [
          "junk",
          new URL(await person.consent("/", "grace")).searchParams.get("code") ?? "",
        ]
      ) {
        const other = new URL(callback);
        other.searchParams.set("code", code);
        const request = new Request(other, { headers: { cookie: begun } });
        await expect(app.login.finish(request)).rejects.toMatchObject({ reason: "used" });
      }
      const again = new Request(callback, { headers: { cookie: begun } });
      expect((await app.login.finish(again)).user.username).toBe("ada");
      expect(exchanges(app)).toBe(1);
    }
  });

  test("a mix-up with a callback of another issuer fails", async () => {
    const app = createApp();
    const person = new Browser(app);
    const callback = new URL(await person.consent("/", "ada"));
    expect(callback.searchParams.get("iss")).not.toBeNull();
    callback.searchParams.set("iss", "https://evil.example");
    expect((await person.open(callback)).status).toBeGreaterThanOrEqual(400);
    expect(exchanges(app)).toBe(0);
  });

  test("a login that the attacker planted as a cookie from another domain or path does not count", async () => {
    const app = createApp();
    const attacker = new Browser(app);
    const person = new Browser(app);
    const callback = await attacker.consent("/", "grace");
    const own = await person.consent("/", "ada");
    // Whoever plants a cookie can't use the prefix; without it, it is not looked at.
    const planted = attacker.jar.header.replaceAll("__Host-", "");
    const cookie = `${planted}; ${person.jar.header}; ${planted}`;
    const response = await person.open(callback, { headers: { cookie } });
    expect(response.status).toBe(400);
    expect(locationOf(await person.open(own, { headers: { cookie } }))).toBe(`${SITE}/`);
  });

  test.each(["\u00a0", "\ufeff", "\u2000", "\u3000", "\t", "\v", "\f", "  "])(
    "a cookie that another subdomain has set with %j before the prefix does not count",
    async (space) => {
      const app = createApp();
      const attacker = new Browser(app);
      const callback = await attacker.consent("/", "grace");
      await attacker.open(await attacker.consent("/", "grace"));
      const cookie = attacker.jar.cookies.map(({ name, value }) => `a=b; ${space}${name}=${value}`)
        .join("; ");
      // Some runtimes read headers as UTF-8, and so have characters there that others don't.
      const withCookie = (url: string) =>
        Object.create(new Request(url), {
          url: { value: url },
          headers: {
            value: { get: (name: string) => name === "cookie" ? cookie : null },
          },
        }) as Request;
      expect(await app.login.session(withCookie(SITE))).toBeNull();
      await expect(app.login.finish(withCookie(callback))).rejects.toMatchObject({
        reason: "no_expected_state",
      });
    },
  );

  test("a second callback does not let a person in after a refusal of onLogin", async () => {
    for (const store of [undefined, new MemoryStore()]) {
      const app = createApp({
        store,
        onLogin: () => new Response("Members only", { status: 403 }),
      });
      const person = new Browser(app);
      const callback = await person.consent("/", "grace");
      const requests = [1, 2, 3].map(() => app.login.finish(person.jar.request(callback)));
      for (const { response, headers } of await Promise.all(requests)) {
        expect(response?.status).toBe(403);
        expect(headers.getSetCookie().join()).not.toContain("session");
      }
      expect((await person.open(callback)).status).toBe(403);
      expect(exchanges(app)).toBe(1);
    }
  });

  test("a cookie that is cut, changed or made up does not count, and a valid one beside it does", async () => {
    const app = createApp();
    const person = new Browser(app);
    const callback = await person.consent("/", "ada");
    const [pending] = person.jar.cookies;
    const { name = "", value = "" } = pending ?? {};
    for (
      const wrong of [
        "",
        "x",
        value.slice(0, -1),
        `${value}x`,
        value.replace(".", ".."),
        "a.b.c.d.e",
      ]
    ) {
      const alone = new Browser(app);
      expect((await alone.open(callback, { headers: { cookie: `${name}=${wrong}` } })).status)
        .toBe(400);
    }
    const cookie = `${name}=planted; ${name}=${value}; ${name}=${value.slice(1)}`;
    expect(locationOf(await person.open(callback, { headers: { cookie } }))).toBe(`${SITE}/`);
  });

  test("the cookie of a pending login does not open as a session, nor that of a session as a pending login", async () => {
    const app = createApp();
    const person = new Browser(app);
    const callback = await person.consent("/", "ada");
    const pending = person.jar.cookies[0];
    const asSession = { headers: { cookie: `__Host-session=${pending?.value}` } };
    expect((await person.open("/", asSession)).status).toBe(302);
    await person.open(callback);
    const session = person.jar.cookies.find(({ name }) => name === "__Host-session");
    const asPending = { headers: { cookie: `${pending?.name}=${session?.value}` } };
    expect((await new Browser(app).open(callback, asPending)).status).toBe(400);
  });

  test("a session cookie of an application with another secret does not count", async () => {
    const one = createApp();
    const other = createApp({}, one.fake);
    const person = new Browser(one);
    await person.open(await person.consent());
    const stranger = new Browser(other);
    const headers = { cookie: person.jar.header };
    expect((await stranger.open("/", { headers })).status).toBe(302);
  });

  test("session fixation fails, because a login changes the id", async () => {
    const store = new MemoryStore();
    const app = createApp({ store });
    const person = new Browser(app);
    await person.open(await person.consent("/", "grace"));
    const fixed = person.jar.header;
    await person.open(await person.consent("/", "ada"));
    expect(person.jar.header).not.toBe(fixed);
    expect((await new Browser(app).open("/", { headers: { cookie: fixed } })).status).toBe(302);
    // An id from elsewhere is not valid.
    const made = { headers: { cookie: `__Host-session=${generateState()}` } };
    expect((await new Browser(app).open("/", made)).status).toBe(302);
  });

  test("logout CSRF from another site or a sibling domain fails", async () => {
    const app = createApp();
    const person = new Browser(app);
    await person.open(await person.consent());
    for (
      const headers of [
        { origin: "https://evil.example" },
        { origin: "null" },
        { origin: "https://other.app.example", "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "cross-site" },
      ] as Record<string, string>[]
    ) {
      const response = await person.open("/logout", { method: "POST", headers });
      expect(response.status).toBe(403);
      expect(await response.text()).toContain('<form method="post" action="/logout">');
      expect(await person.whoAmI()).toBe("ada");
    }
    // The form of a page that sends no referrer has the origin "null".
    for (
      const headers of [
        { origin: SITE, "sec-fetch-site": "same-origin" },
        { origin: "null", "sec-fetch-site": "same-origin" },
        { origin: SITE },
      ] as Record<string, string>[]
    ) {
      await person.open(await person.consent());
      await person.open("/logout", { method: "POST", headers });
      expect(await person.whoAmI()).toBeNull();
    }
  });

  test("end() refuses a request from another site unless allowCrossSite is true", async () => {
    for (const options of [{ keepToken: true }, { store: new MemoryStore() }]) {
      const app = createApp(options);
      const person = new Browser(app);
      await person.open(await person.consent());
      const fromElsewhere = () =>
        person.jar.request(SITE, { headers: { "sec-fetch-site": "cross-site" } });
      for (const allowCrossSite of [undefined, null, false, "yes" as unknown as boolean]) {
        await expect(app.login.end(fromElsewhere(), { allowCrossSite }))
          .rejects.toMatchObject({
            name: "LoginError",
            reason: "cross_site",
            message: "Another site sent the request to log out",
            hint:
              "Send it from a page of this site, or of an origin in the option frontends; behind a proxy, set the option redirectUri. " +
              "If the application itself ends the session, pass allowCrossSite",
          });
      }
      expect(await person.whoAmI()).toBe("ada");
      const ended = await app.login.end(fromElsewhere(), { allowCrossSite: true });
      person.jar.store(ended, SITE);
      expect(await person.whoAmI()).toBeNull();
    }
  });

  test.each(["iframe", "frame", "fencedframe", "embed", "object"])(
    "hidden frames of a sibling site (%s) push out no login",
    async (destination) => {
      const app = createApp();
      const person = new Browser(app);
      const consent = await person.begin("/shop");
      const headers = {
        "sec-fetch-dest": destination,
        "sec-fetch-mode": "navigate",
        "sec-fetch-site": "same-site",
      };
      for (let frame = 0; frame < 20; frame++) {
        for (const page of ["/login", "/account"]) {
          const response = await person.open(page, { headers });
          expect(response.status).toBe(403);
          expect(response.headers.get("vary")).toBe("sec-fetch-dest, sec-fetch-site, sec-purpose");
          expect(response.headers.get("cache-control")).toBe("no-store");
          expect(await response.text()).toBe(
            "To log in, open this page on its own, not inside another site.",
          );
        }
      }
      const callback = await app.fake.authorize(consent, { as: "ada" });
      expect(locationOf(await person.open(callback))).toBe(`${SITE}/shop`);
      expect(await person.whoAmI()).toBe("ada");
    },
  );

  test.each(["prefetch", "prefetch;prerender", "prefetch;anonymous-client-ip"])(
    "links of a sibling site that a browser opens ahead (%s) push out no login",
    async (purpose) => {
      const app = createApp();
      const person = new Browser(app);
      const consent = await person.begin("/shop");
      const headers = {
        "sec-fetch-dest": "document",
        "sec-fetch-mode": "navigate",
        "sec-fetch-site": "none",
        "sec-purpose": purpose,
      };
      for (let link = 0; link < 20; link++) {
        const response = await person.open(`/login?returnTo=/${"x".repeat(700)}`, { headers });
        expect(response.status).toBe(403);
      }
      const callback = await app.fake.authorize(consent, { as: "ada" });
      expect(locationOf(await person.open(callback))).toBe(`${SITE}/shop`);
      expect(await person.whoAmI()).toBe("ada");
    },
  );

  test("a link that a browser opens with a purpose of another name begins a login", async () => {
    const headers = { "sec-purpose": "preview" };
    const response = await new Browser(createApp()).open("/login", { headers });
    expect(response.status).toBe(302);
  });

  test("a link to the logout ends no session", async () => {
    const app = createApp();
    const person = new Browser(app);
    await person.open(await person.consent());
    expect((await person.open("/logout")).status).toBe(405);
    expect(await person.whoAmI()).toBe("ada");
  });

  test.each(["//evil.example", "/\\evil.example", "/%09/evil.example", "https://evil.example/"])(
    "an open redirect with %s as the page to return to stays on the site",
    async (returnTo) => {
      const app = createApp();
      const person = new Browser(app);
      const response = await person.open(await person.consent(returnTo));
      const { origin } = new URL(locationOf(response), SITE);
      expect(origin).toBe(SITE);
    },
  );

  test("the attacker's callback does not link their account to the person's", async () => {
    const linked: unknown[] = [];
    const app = createApp({
      onLogin({ user, data }) {
        linked.push([user.username, data]);
      },
    });
    const link = async (browser: Browser, account: string) => {
      const request = browser.jar.request(`${SITE}/settings`);
      const response = await app.login.start(request, { data: { account } });
      browser.jar.store(response, SITE);
      return locationOf(response);
    };
    const attacker = new Browser(app);
    const person = new Browser(app);
    const attackersCallback = await app.fake.authorize(await link(attacker, "mallory"), {
      as: "grace",
    });
    const own = await app.fake.authorize(await link(person, "person"), { as: "ada" });
    expect((await person.open(attackersCallback)).status).toBe(400);
    await person.open(own);
    expect(linked).toEqual([["ada", { account: "person" }]]);
  });
});

describe("A thief with an unused code of linked roles, which has no PKCE, is not logged in with it", () => {
  /** Returns the browser of a person with the scope in their session. */
  async function linkedBrowser(app: App): Promise<Browser> {
    const browser = new Browser(app);
    await browser.open(await browser.consent("/", "grace"));
    await browser.open(await app.fake.authorize(await linkRoles(app, browser), { as: "grace" }));
    return browser;
  }

  async function linkRoles({ login }: App, { jar }: Browser): Promise<string> {
    const scope = ["openid", "role_connections.write"] as const;
    const response = await login.start(jar.request(`${SITE}/roles`), { scope });
    jar.store(response, SITE);
    return locationOf(response);
  }

  async function stolenCode(app: App): Promise<string> {
    const person = new Browser(app);
    await person.open(await person.consent("/", "ada"));
    const callback = await app.fake.authorize(await linkRoles(app, person), { as: "ada" });
    return new URL(callback).searchParams.get("code") ?? expect.fail("there is no code");
  }

  /** Puts the code into a login of the thief. */
  async function inject(app: App, thief: Browser, link: string): Promise<Response> {
    const callback = new URL(`${SITE}/callback`);
    callback.searchParams.set("state", new URL(link).searchParams.get("state") ?? "");
    callback.searchParams.set("code", await stolenCode(app));
    return await thief.open(callback);
  }

  test.each([
    ["in cookies", () => ({})],
    ["in a store", () => ({ store: new MemoryStore() })],
    [
      "in a store, with tokens for jobs",
      () => ({ store: new MemoryStore(), backgroundTokens: true }),
    ],
  ])("by a login, with sessions %s", async (_where, storage) => {
    const app = createApp(storage());
    const thief = await linkedBrowser(app);
    const link = await thief.begin("/");
    expect(new URL(link).searchParams.has("code_challenge")).toBe(true);
    expect((await inject(app, thief, link)).status).toBe(400);
    expect(await thief.whoAmI()).toBe("grace");
  });

  test("by a consent", async () => {
    const app = createApp();
    const thief = await linkedBrowser(app);
    expect((await inject(app, thief, await linkRoles(app, thief))).status).toBe(500);
    expect(await thief.whoAmI()).toBe("grace");
  });

  test("by a login that asks for the scope", async () => {
    const app = createApp();
    const thief = new Browser(app);
    expect((await inject(app, thief, await linkRoles(app, thief))).status).toBe(500);
    expect(await thief.whoAmI()).toBeNull();
  });

  test("by a renewal that failed", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const app = createApp();
    const thief = await linkedBrowser(app);
    vi.advanceTimersByTime(8 * 86_400_000);
    const renewal = new URL(await thief.begin("/"));
    expect(renewal.searchParams.get("prompt")).toBe("none");
    const refused = new URL(`${SITE}/callback?error=login_required`);
    refused.searchParams.set("state", renewal.searchParams.get("state") ?? "");
    const link = locationOf(await thief.open(refused));
    expect((await inject(app, thief, link)).status).toBe(400);
    expect(await thief.whoAmI()).toBeNull();
    vi.useRealTimers();
  });
});

test("The session of one person does not get into that of another who logs in after them", async () => {
  for (const storage of [{}, { store: new MemoryStore() }]) {
    const app = createApp({
      ...storage,
      sessionUser: ({ username }, { session }) => ({
        isAdmin: false,
        ...session?.user as object,
        username,
      }),
    });
    const browser = new Browser(app);
    await browser.open(await browser.consent("/", "ada"));
    await app.login.update(browser.jar.request(SITE), { username: "ada", isAdmin: true })
      .then((headers) => browser.jar.store(new Response(null, { headers }), SITE));
    await browser.open(await browser.consent("/", "ada"));
    expect(await (await browser.open("/")).json()).toEqual({ username: "ada", isAdmin: true });
    await browser.open(await browser.consent("/", "grace"));
    expect(await (await browser.open("/")).json()).toEqual({ username: "grace", isAdmin: false });
  }
});

describe("A person whose sessions end while the application decides about them gets in by", () => {
  const storages = [
    ["a store", () => ({ store: new MemoryStore() })],
    ["tokens for jobs", () => ({ store: new MemoryStore(), backgroundTokens: true })],
  ] as const;

  test.each(storages)("no login, with %s", async (_what, storage) => {
    const app: App = createApp({
      ...storage(),
      async sessionUser({ id, username }) {
        await app.login.endAll(id);
        return { username };
      },
    });
    const person = new Browser(app);
    await person.open(await person.consent());
    expect(await person.whoAmI()).toBeNull();
  });

  test.each(storages)("no further consent, with %s", async (_what, storage) => {
    const app: App = createApp({
      ...storage(),
      onLogin: async ({ user, session }) => {
        if (session) await app.login.endAll(user.id);
      },
    });
    const person = new Browser(app);
    await person.open(await person.consent());
    const response = await app.login.start(person.jar.request(SITE), { scope: ["connections"] });
    person.jar.store(response, SITE);
    await person.open(await app.fake.authorize(locationOf(response)));
    expect(await person.whoAmI()).toBeNull();
  });
});

test("A login can end the sessions of other devices and go on", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const app: App = createApp({
    store: new MemoryStore(),
    onLogin: async ({ user }) => {
      await app.login.endAll(user.id, { startedBefore: Date.now() - 60_000 });
    },
  });
  const [first, second] = [new Browser(app), new Browser(app)];
  await first.open(await first.consent());
  expect(await first.whoAmI()).toBe("ada");
  vi.advanceTimersByTime(60_001);
  await second.open(await second.consent());
  expect([await first.whoAmI(), await second.whoAmI()]).toEqual([null, "ada"]);
  vi.useRealTimers();
});

test.each([
  ["returns a response", () => new Response("Members only")],
  ["fails", () => Promise.reject(new Error("The database is away"))],
])("A login whose onLogin %s leaves no session in the store", async (_what, onLogin) => {
  const store = new MemoryStore();
  const app = createApp({ store, onLogin });
  const person = new Browser(app);
  await person.open(await person.consent());
  // The progress of the login stays.
  expect(store.size).toBe(1);
});

test("An older cookie brings the older data back without a store, and not with one", async () => {
  for (const [store, credits] of [[undefined, 10], [new MemoryStore(), 0]] as const) {
    const app = createApp({ store, sessionUser: () => ({ credits: 10 }) });
    const person = new Browser(app);
    const { jar } = person;
    await person.open(await person.consent());
    const older = jar.request(SITE);
    const headers = await app.login.update(jar.request(SITE), { credits: 0 });
    jar.store(new Response(null, { headers }), SITE);
    expect((await app.login.session(jar.request(SITE)))?.user).toEqual({ credits: 0 });
    expect((await app.login.session(older))?.user).toEqual({ credits });
  }
});

describe("A session belongs to one login:", () => {
  const secret = generateState();
  const everyCookie = ({ jar }: Browser) => jar.cookies.map(({ value }) => value);

  /** Sends a cookie as the session of a login, whatever name that login gives it. */
  function requestWith(value: string): Request {
    const names = ["session", "session.owners", "session.visitors"];
    const cookie = names.map((name) => `__Host-${name}=${value}`).join("; ");
    return new Request(SITE, { headers: { cookie } });
  }

  /** Logins that differ in one thing each from the first one. */
  function createLogins(store: MemoryStore | undefined) {
    const own = createApp({ secret, store });
    const others = {
      "another name": createApp({ secret, store, name: "owners" }, own.fake),
      "a further name": createApp({ secret, store, name: "visitors" }, own.fake),
      "another application": createApp(
        { secret, store, clientId: "1300000000000000009" },
        own.fake,
      ),
      "a test platform": createApp({ secret, store }, { origin: "https://test.example" }),
    };
    return { own, others };
  }

  test.each([
    ["in a cookie", () => undefined],
    ["in a store that they share", () => new MemoryStore()],
  ])("its session %s opens in no other one, with the same secret", async (_, createStore) => {
    const { own, others } = createLogins(createStore());
    const person = new Browser(own);
    await person.open(await person.consent());
    const [value = ""] = everyCookie(person);
    expect(await own.login.session(requestWith(value))).not.toBeNull();
    for (const [difference, { login }] of Object.entries(others)) {
      expect(await login.session(requestWith(value)), difference).toBeNull();
      // The session is still there: a login ends those of its own only.
      await login.end(new Request(requestWith(value), { method: "POST" }));
      expect(await own.login.session(requestWith(value)), difference).not.toBeNull();
    }
    // In the other direction too.
    for (const [difference, app] of Object.entries(others)) {
      if (difference === "another application") continue;
      const stranger = new Browser(app);
      await stranger.open(await stranger.consent());
      const [theirs = ""] = everyCookie(stranger);
      expect(await app.login.session(requestWith(theirs)), difference).not.toBeNull();
      expect(await own.login.session(requestWith(theirs)), difference).toBeNull();
    }
  });

  test("endAll and forget of one login leave the sessions of another one in the same store", async () => {
    const { own, others } = createLogins(new MemoryStore());
    const owners = others["another name"];
    const [person, owner] = [new Browser(own), new Browser(owners)];
    await owner.open(await owner.consent());
    for (const end of [own.login.endAll, own.login.forget]) {
      await person.open(await person.consent());
      expect(await person.whoAmI()).toBe("ada");
      await end("1000000000000000001");
      expect(await person.whoAmI()).toBeNull();
      expect(await owner.whoAmI()).toBe("ada");
    }
  });

  test("the pending login of another Login does not count, under whatever name", async () => {
    const { own, others } = createLogins(undefined);
    const person = new Browser(own);
    const callback = await person.consent();
    const state = new URL(callback).searchParams.get("state") ?? "";
    const [value = ""] = everyCookie(person);
    const id = state.slice(0, 12);
    const cookie = ["", "owners.", "visitors."].map((name) => `__Host-login.${name}${id}=${value}`)
      .join("; ");
    for (const [difference, { login }] of Object.entries(others)) {
      const request = new Request(callback, { headers: { cookie } });
      await expect(login.finish(request), difference).rejects.toThrow(
        /login was begun|has begun no|belongs to/,
      );
    }
    expect(exchanges(own)).toBe(0);
    expect((await own.login.finish(new Request(callback, { headers: { cookie } }))).user.username)
      .toBe("ada");
  });

  test("a text that the same secret sealed for something else is not a session", async () => {
    const app = createApp({ secret });
    const person = new Browser(app);
    await person.begin();
    const database = new MemoryStore();
    const content = { format: 3, userId: "1", user: {}, scopes: [], asked: ["identify", "guilds"] };
    const times = { startedAt: Date.now(), endsAt: Date.now() + 60_000, token: null };
    await sealed(database, secret).save("session", { ...content, ...times }, { version: null });
    const record = (await database.load("session"))?.value;
    for (const value of [...everyCookie(person), String(record)]) {
      expect(await app.login.session(requestWith(value))).toBeNull();
    }
  });

  test("a staging server with another secret or name makes no session for production", async () => {
    const production = createApp({ secret: [generateState(), secret] });
    const { fake } = production;
    for (const options of [{ secret: generateState() }, { secret, name: "staging" }]) {
      const staging = createApp(options, fake);
      const person = new Browser(staging);
      await person.open(await person.consent());
      const [value = ""] = everyCookie(person);
      expect(await production.login.session(requestWith(value))).toBeNull();
    }
  });

  test("records that were moved in the store open nothing", async () => {
    const store = new MemoryStore();
    const spy = vi.spyOn(store, "save");
    const digests = () => [
      ...new Set(
        spy.mock.calls.flatMap(([key]) => /^guildpass:session:(.+)$/.exec(key)?.[1] ?? []),
      ),
    ];
    const app = createApp({ secret, store });
    const owners = createApp({ secret, store, name: "owners" }, app.fake);
    const [ada, grace, owner] = [new Browser(app), new Browser(app), new Browser(owners)];
    await ada.open(await ada.consent("/", "ada"));
    await grace.open(await grace.consent("/", "grace"));
    await owner.open(await owner.consent("/", "ada"));
    const [ofAda, ofGrace, ofOwner] = digests();
    const move = async (from: string | undefined, to: string | undefined) => {
      const value = (await store.load(`guildpass:session:${from}`))?.value;
      const key = `guildpass:session:${to}`;
      await store.save(key, value, { version: (await store.load(key))?.version ?? null });
    };
    const { token } = await app.login.session(grace.jar.request(SITE)) ?? {};
    for (const from of [ofAda, ofOwner]) {
      await move(from, ofGrace);
      expect(await app.login.session(grace.jar.request(SITE))).toBeNull();
      await expect((token as TokenSource).token()).rejects.toMatchObject({ reason: "no_token" });
    }
    await move(ofAda, ofOwner);
    expect(await owners.login.session(owner.jar.request(SITE))).toBeNull();
    expect(await ada.whoAmI()).toBe("ada");
  });

  test("what endAll has ended does not come back when maxAge shrinks and grows", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const store = new MemoryStore();
    const long = createApp({ secret, store, maxAge: 30 * 86_400 });
    const person = new Browser(long);
    await person.open(await person.consent());
    const loginWith = (maxAge: number) => createApp({ secret, store, maxAge }, long.fake).login;
    const request = () => person.jar.request(SITE);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await loginWith(60).session(request())).toBeNull();
    await loginWith(60).endAll("1000000000000000001");
    for (const minutes of [0, 1, 60, 60 * 24]) {
      await vi.advanceTimersByTimeAsync(minutes * 60_000);
      expect(await loginWith(30 * 86_400).session(request()), `${minutes}`).toBeNull();
    }
    vi.useRealTimers();
  });
});

describe("No secret is shown", () => {
  test("in a page, a header, a log or a cookie in clear", async () => {
    const secret = generateState();
    const logged: unknown[] = [];
    vi.spyOn(console, "error").mockImplementation((...values) => logged.push(...values));
    const app = createApp({ secret, keepToken: true });
    const shown: string[] = [];
    const person = new Browser(app);
    const look = async (response: Response) => {
      shown.push(JSON.stringify([...response.headers]), await response.text());
    };
    const callback = await person.consent("/shop");
    app.fake.failNext({ path: "/oauth2/token", status: 500, body: "echo" });
    await look(await person.open(callback));
    const again = await person.consent("/shop");
    await look(await person.open(again));
    const form = app.fake.requests.filter(({ path }) => path.endsWith("/token"))
      .map(({ body }) => body as Record<string, string>);
    const { access_token } = app.fake.issueToken();
    const session = await app.login.session(person.jar.request(SITE));
    const token = session?.token as { access_token: string; refresh_token: string };
    const secrets = [
      secret,
      sampleApplication.secret,
      ...form.flatMap(({ code, code_verifier }) => [code, code_verifier]),
      token.access_token,
      token.refresh_token,
    ];
    const all = [...shown, ...logged.map(String), JSON.stringify(logged), String(logged[0])].join();
    for (const hidden of secrets) expect(all).not.toContain(hidden);
    expect(access_token).not.toBe("");
    expect(JSON.stringify(app.login)).toBe("{}");
  });

  test("when an application prints a login or a session, however often the callback came", async () => {
    const app = createApp({ keepToken: true });
    const person = new Browser(app);
    const callback = await person.consent();
    const first = await app.login.finish(person.jar.request(callback));
    const second = await app.login.finish(person.jar.request(callback));
    await person.open(callback);
    const session = await app.login.session(person.jar.request(SITE));
    const { access_token, refresh_token } = first.token;
    expect(second).toMatchObject({ user: first.user, token: first.token });
    expect(session?.token).toMatchObject({ access_token, refresh_token });
    for (const { token } of [first, second, session ?? { token: null }]) {
      expect(inspect(token)).toContain("[hidden]");
      expect(inspect(token)).not.toContain(access_token);
      expect(inspect(token)).not.toContain(refresh_token);
      expect(Object.isFrozen(token)).toBe(true);
    }
    expect(Object.isFrozen(second.user)).toBe(true);
  });

  test("in the keys and values of a store", async () => {
    const values: string[] = [];
    const memory = new MemoryStore();
    const store = {
      load: (key: string) => memory.load(key),
      save(key: string, value: unknown, options: { version: string | null }) {
        values.push(key, JSON.stringify(value));
        return memory.save(key, value, options);
      },
      delete: (key: string) => memory.delete(key),
    };
    const app = createApp({ store });
    const person = new Browser(app);
    const callback = await person.consent();
    await person.open(callback);
    const session = await app.login.session(person.jar.request(SITE));
    const source = session?.token as {
      token(): Promise<{ access_token: string; refresh_token: string }>;
    };
    const { access_token, refresh_token } = await source.token();
    const id = person.jar.cookies.find(({ name }) => name.endsWith("session"))?.value;
    const { searchParams } = new URL(callback);
    const secrets = [access_token, refresh_token, id, ...searchParams.values(), "100000000000000"];
    expect(values.length).toBeGreaterThan(5);
    for (const secret of secrets.filter((value) => value !== app.fake.platform.issuer)) {
      expect(values.join()).not.toContain(secret);
    }
  });
});

describe("A visitor can't lock people out", () => {
  /** Creates an application behind an edge that takes a word in a form for an attack. */
  function createAppBehindEdge(word: string, options: { readonly redirectUri?: string } = {}) {
    const fake = createFakePlatform();
    const refused: string[] = [];
    const fetch: Fetch = async (input, init) => {
      const request = new Request(input, init);
      const form = await request.clone().text();
      if (!decodeURIComponent(form).includes(word)) return await fake.fetch(request);
      refused.push(form);
      return new Response("<html>", { status: 403 });
    };
    return { app: createApp({ ...options, fetch }, fake), refused };
  }

  /** Begins a login, and opens its callback with a code of the visitor's. */
  async function openForged(app: App, code: string, origin = SITE): Promise<number> {
    const visitor = new Browser(app);
    const link = new URL(locationOf(await visitor.open(`${origin}/login`)));
    const callback = new URL("/callback", origin);
    callback.searchParams.set("state", link.searchParams.get("state") ?? "");
    callback.searchParams.set("code", code);
    return (await visitor.open(callback)).status;
  }

  test.each<[string, string, { readonly redirectUri?: string }, string, number]>([
    ["codes", SITE, { redirectUri: `${SITE}/callback` }, "../../../../etc/passwd", 0],
    ["codes, without a redirect URI", SITE, {}, "../../../../etc/passwd", 0],
    ["names of the host", "https://etc-passwd.example", {}, "c0de", 20],
  ])(
    "with %s that the edge takes for an attack: 20 of them refuse none of 120 logins",
    async (_what, origin, options, code, sent) => {
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const { app, refused } = createAppBehindEdge("passwd", options);
      const statuses: number[] = [];
      for (let attack = 0; attack < 20; attack++) {
        expect(await openForged(app, code, origin)).toBe(sent === 0 ? 400 : 503);
        for (let login = 0; login < 6; login++) {
          vi.advanceTimersByTime(5000);
          const person = new Browser(app);
          statuses.push((await person.open(await person.consent())).status);
        }
      }
      expect(statuses).toEqual(Array(120).fill(302));
      expect(refused).toHaveLength(sent);
    },
  );

  test("but a block of an honest code pauses the process", async () => {
    const { app } = createAppBehindEdge("fake_code_", { redirectUri: `${SITE}/callback` });
    const [person, other] = [new Browser(app), new Browser(app)];
    const [callback, otherCallback] = [await person.consent(), await other.consent()];
    expect((await person.open(callback)).status).toBe(503);
    expect((await other.open(otherCallback)).status).toBe(503);
    expect(exchanges(app)).toBe(0);
  });

  test("with long pages to return to, since they do not make the session cookie grow", async () => {
    for (const keepToken of [false, true]) {
      const person = new Browser(createApp({ keepToken }));
      const lengths = new Set<number>();
      for (let login = 0; login < 9; login++) {
        const page = `/${"a".repeat(800 + login)}`;
        expect(locationOf(await person.open(await person.consent(page)))).toBe(SITE + page);
        expect(await person.whoAmI()).toBe("ada");
        lengths.add(person.jar.header.length);
      }
      expect(lengths.size).toBe(1);
    }
  });

  test("with a page to return to that is longer when it is encoded", async () => {
    const person = new Browser(createApp());
    const callback = await person.consent(`/${"日".repeat(900)}`);
    expect(locationOf(await person.open(callback))).toBe(`${SITE}/`);
    expect(console.error).not.toHaveBeenCalled();
  });

  test("with hundreds of session cookies, since few of them are looked up in the store", async () => {
    const store = new MemoryStore();
    const app = createApp({ store });
    const load = vi.spyOn(store, "load");
    const cookie = Array.from({ length: 300 }, () => `__Host-session=${generateState()}`).join(
      "; ",
    );
    expect(await app.login.session(new Request(SITE, { headers: { cookie } }))).toBeNull();
    expect(load.mock.calls.length).toBeLessThan(10);
  });
});

describe("The cookies", () => {
  test("are protected from scripts, from sibling domains and from plain HTTP", async () => {
    const person = new Browser(createApp());
    await person.open(await person.consent());
    const begun = new Browser(createApp());
    await begun.begin();
    for (const { name, attributes } of [...person.jar.cookies, ...begun.jar.cookies]) {
      expect(name).toMatch(/^__Host-/);
      expect(attributes).toMatchObject({ secure: "", httponly: "", samesite: "Lax", path: "/" });
      expect(attributes).not.toHaveProperty("domain");
    }
  });

  test("have the port in place of the prefix on this machine", async () => {
    const app = createApp();
    for (const origin of ["http://localhost:8787", "http://127.0.0.1:8787", "http://[::1]:8787"]) {
      const response = await app.login.start(new Request(`${origin}/`));
      expect(response.headers.get("set-cookie")).toMatch(
        /^port-8787-login\.[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
      );
    }
    const elsewhere = app.login.start(new Request("http://app.example/"));
    await expect(elsewhere).rejects.toMatchObject({
      code: "login_failed",
      reason: "insecure_site",
    });
    // Behind a proxy, it counts what visitors see.
    const { fake } = app;
    const behind = new Login({
      clientId: sampleApplication.id,
      clientSecret: sampleApplication.secret,
      scope: ["identify"],
      secret: generateState(),
      redirectUri: `${SITE}/callback`,
      platform: fake.platform,
      fetch: fake.fetch,
    });
    const response = await behind.start(new Request("http://localhost:3000/"));
    expect(response.headers.get("set-cookie")).toMatch(/^__Host-/);
  });
});
