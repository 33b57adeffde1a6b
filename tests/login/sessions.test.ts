import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  generateState,
  MemoryStore,
  type Store,
  type TokenObj,
  TokenSource,
  User,
} from "../../mod.ts";
import { Namespace } from "../../src/login/site/namespace.ts";
import type { LoginEvent, StartOptions } from "../../src/login/mod.ts";

import { sampleApplication } from "../../src/testing/mod.ts";
import { Browser, createApp, exchanges, locationOf, SITE } from "./test_app.ts";

const DAY = 86_400_000;
const ADA = "1000000000000000001";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function loggedIn(app: ReturnType<typeof createApp>, as = "ada"): Promise<Browser> {
  const browser = new Browser(app);
  await browser.open(await browser.consent("/", as));
  expect(await browser.whoAmI()).toBe(as);
  return browser;
}

describe.each([["a cookie", undefined], ["a store", new MemoryStore()]])(
  "The user data in %s",
  (_where, store) => {
    test("keeps a property with the name __proto__ as data, which changes no prototype", async () => {
      const json = '{"username":"ada","__proto__":{"isAdmin":true},"list":[{"__proto__":null}]}';
      const app = createApp({ ...(store && { store }), sessionUser: () => JSON.parse(json) });
      const browser = await loggedIn(app);
      const userOf = async () => (await app.login.session(browser.jar.request(SITE)))?.user;
      const user = Object(await userOf());
      expect(JSON.stringify(user)).toBe(json);
      expect(Object.getPrototypeOf(user)).toBe(Object.prototype);
      expect([user.isAdmin, Object().isAdmin]).toEqual([undefined, undefined]);

      const headers = await app.login.update(browser.jar.request(SITE), { ...user, theme: "dark" });
      browser.jar.store(new Response(null, { headers }), SITE);
      const changed = Object(await userOf());
      expect(JSON.stringify(changed)).toBe(`${json.slice(0, -1)},"theme":"dark"}`);
      expect(Object.getPrototypeOf(changed)).toBe(Object.prototype);
    });
  },
);

describe("A session in a cookie", () => {
  test("has the user, and the token with keepToken", async () => {
    const app = createApp();
    const session = await app.login.session((await loggedIn(app)).jar.request(SITE));
    expect(session).toMatchObject({ user: { username: "ada" }, token: null });
    expect(Object.isFrozen(session)).toBe(true);

    const keeping = createApp({ keepToken: true });
    const kept = await keeping.login.session((await loggedIn(keeping)).jar.request(SITE));
    const { access_token } = kept?.token as TokenObj;
    expect(inspect(kept)).not.toContain(access_token);
    expect(JSON.stringify(kept)).not.toContain(access_token);
    expect(Object.isFrozen(kept?.user)).toBe(true);
    const user = new User(kept?.token as TokenObj, keeping.fake);
    expect(await user.getCurrentUser()).toMatchObject({ username: "ada" });
  });

  test("has the user data of sessionUser", async () => {
    const app = createApp({ sessionUser: ({ id, email }) => ({ username: "ada", id, email }) });
    const session = await app.login.session((await loggedIn(app)).jar.request(SITE));
    expect(session?.user).toEqual({ id: "1000000000000000001", email: null, username: "ada" });
  });

  test.each(["text", 7, true, null])("can have %j as user data", async (data) => {
    const app = createApp({ sessionUser: () => data });
    const browser = new Browser(app);
    await browser.open(await browser.consent());
    const session = await app.login.session(browser.jar.request(SITE));
    expect(session?.user).toBe(data);
  });

  test("ends with the token, and is renewed without asking the person", async () => {
    const app = createApp();
    const browser = await loggedIn(app);
    vi.advanceTimersByTime(7 * DAY + 1000);
    const response = await browser.open("/shop");
    const link = new URL(locationOf(response));
    expect(link.searchParams.get("prompt")).toBe("none");
    await browser.open(await app.fake.authorize(link));
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("does not become another person's session by a renewal, which asks them instead", async () => {
    const app = createApp();
    const browser = await loggedIn(app);
    vi.advanceTimersByTime(7 * DAY + 1000);
    const silent = locationOf(await browser.open("/shop"));
    const asking = await browser.open(await app.fake.authorize(silent, { as: "grace" }));
    const link = new URL(locationOf(asking));
    expect(link.searchParams.has("prompt")).toBe(false);
    expect(await browser.whoAmI()).toBeNull();
    const response = await browser.open(await app.fake.authorize(link, { as: "grace" }));
    expect(locationOf(response)).toBe(`${SITE}/shop`);
    expect(await browser.whoAmI()).toBe("grace");
  });

  test("is not renewed without a page after a logout or another person's login meanwhile", async () => {
    const app = createApp();
    const browser = await loggedIn(app);
    vi.advanceTimersByTime(7 * DAY + 1000);
    const callbackOf = async () =>
      await app.fake.authorize(locationOf(await browser.open("/shop")), { as: "ada" });
    const [first, second] = [await callbackOf(), await callbackOf()];
    await browser.open("/logout", { method: "POST" });
    const asking = await browser.open(first);
    expect(new URL(locationOf(asking)).searchParams.has("prompt")).toBe(false);
    expect(await browser.whoAmI()).toBeNull();
    await browser.open(await browser.consent("/", "grace"));
    await browser.open(second);
    expect(await browser.whoAmI()).toBe("grace");
  });

  test("makes finish() say that another person is logged in to the platform at its renewal", async () => {
    const app = createApp();
    const browser = await loggedIn(app);
    vi.advanceTimersByTime(7 * DAY + 1000);
    const callback = await app.fake.authorize(locationOf(await browser.open("/shop")), {
      as: "grace",
    });
    await expect(app.login.finish(browser.jar.request(callback))).rejects.toMatchObject({
      reason: "other_person",
      message: "The user who consented is not the user of the session",
      hint: "Start a login with a consent page",
    });
  });

  test("needs consent when a silent renewal is refused, and does not loop", async () => {
    const app = createApp();
    const browser = await loggedIn(app);
    vi.advanceTimersByTime(7 * DAY + 1000);
    const silent = locationOf(await browser.open("/shop"));
    const asking = await browser.open(await app.fake.deny(silent));
    const link = new URL(locationOf(asking));
    expect(link.searchParams.has("prompt")).toBe(false);
    const refused = await browser.open(await app.fake.deny(link));
    expect(refused.status).toBe(403);
    // Or they consent, and get to where they wanted to go.
    const again = locationOf(await browser.open("/shop"));
    expect(locationOf(await browser.open(await app.fake.authorize(again)))).toBe(`${SITE}/shop`);
  });

  test("is not renewed silently by a link with parameters", async () => {
    const app = createApp({ scope: ["identify", "bot"] as never });
    const browser = await loggedIn(app);
    vi.advanceTimersByTime(7 * DAY + 1000);
    const request = browser.jar.request(SITE);
    const start = async (options: StartOptions) =>
      new URL(locationOf(await app.login.start(request, options))).searchParams;
    expect((await start({ permissions: null })).get("prompt")).toBe("none");
    const asking = await start({ permissions: ["administrator"], guildId: "1" });
    expect(asking.get("prompt")).toBeNull();
    expect(asking.get("permissions")).toBe("8");
    expect(asking.get("guild_id")).toBe("1");
  });

  test("ends after maxAge when the token has no end", async () => {
    const app = createApp({ maxAge: 3600 });
    const body = { access_token: "t0ken", token_type: "Bearer" };
    app.fake.failNext({ path: "/oauth2/token", status: 200, body });
    app.fake.failNext({ path: "/users/@me", status: 200, body: { id: "1", username: "ada" } });
    const browser = await loggedIn(app);
    vi.advanceTimersByTime(3_600_001);
    expect(await browser.whoAmI()).toBeNull();
  });

  test("ends after maxAge", async () => {
    const app = createApp({ maxAge: 3600 });
    const browser = await loggedIn(app);
    vi.advanceTimersByTime(3_600_000 - 1000);
    expect(await browser.whoAmI()).toBe("ada");
    vi.advanceTimersByTime(1000);
    expect(await browser.whoAmI()).toBeNull();
  });

  test("ends sooner when maxAge is made shorter", async () => {
    const secret = generateState();
    const before = createApp({ secret });
    const browser = await loggedIn(before);
    const after = createApp({ secret, maxAge: 3600 }, before.fake);
    const found = async () => await after.login.session(browser.jar.request(SITE));
    const { startedAt = 0, endsAt } = await found() ?? {};
    expect(endsAt).toBe(startedAt + 3_600_000);
    vi.advanceTimersByTime(3_600_001);
    expect(await found()).toBeNull();
  });

  test("throws an error that says what to do when it does not fit", async () => {
    const app = createApp({ sessionUser: () => ({ biography: "a".repeat(4000) }) });
    const browser = new Browser(app);
    const callback = await browser.consent();
    await expect(app.login.finish(browser.jar.request(callback))).rejects.toThrow(
      /^The session's cookie would have \d+ bytes, but browsers keep 4096: return less from sessionUser, omit keepToken, or use a store$/,
    );
  });

  test("fits into a cookie of 4,096 bytes", async () => {
    let length = 2600;
    const app = createApp({ sessionUser: () => "a".repeat(length) });
    const browser = new Browser(app);
    let longest = 0;
    for (; length < 2800; length++) {
      const callback = await browser.consent();
      const finished = await app.login.finish(browser.jar.request(callback)).catch(() => null);
      if (!finished) break;
      const session = finished.headers.getSetCookie().find((one) => one.includes("session="));
      longest = session?.length ?? 0;
    }
    expect(longest).toBe(4096);
  });

  test.each([
    ["for 30 days after the end of its token, so that it can be renewed without asking", 100, 37],
    ["until maxAge, after which it is not renewed", 20, 20],
    ["until maxAge if that ends it before its token", 5, 5],
  ])("is kept by the browser %s", async (_, maxAgeDays, days) => {
    const app = createApp({ maxAge: maxAgeDays * 86_400 });
    const browser = new Browser(app);
    const response = await browser.open(await browser.consent());
    const cookies = response.headers.getSetCookie().filter((cookie) => cookie.includes("session="));
    expect(cookies).toEqual([expect.stringContaining(`; Max-Age=${days * 86_400};`)]);
  });

  test("is not renewed after maxAge, also if its cookie is still there", async () => {
    const app = createApp({ maxAge: 5 * 86_400 });
    const browser = await loggedIn(app);
    const request = browser.jar.request(`${SITE}/shop`);
    vi.advanceTimersByTime(5 * DAY);
    const link = new URL(locationOf(await app.fetch(request)));
    expect(link.searchParams.has("prompt")).toBe(false);
  });

  test("keeps its start when it is renewed, so that maxAge ends it", async () => {
    const app = createApp({ maxAge: 10 * 86_400 });
    const browser = await loggedIn(app);
    const startedAt = Date.now();
    vi.advanceTimersByTime(8 * DAY);
    await browser.open(await app.fake.authorize(locationOf(await browser.open("/shop"))));
    const session = await app.login.session(browser.jar.request(SITE));
    expect(session).toMatchObject({ startedAt, endsAt: startedAt + 10 * DAY });
    const request = browser.jar.request(`${SITE}/shop`);
    vi.advanceTimersByTime(2 * DAY);
    const link = new URL(locationOf(await app.fetch(request)));
    expect(link.searchParams.has("prompt")).toBe(false);
  });

  test("need not be there for a logout everywhere", async () => {
    const app = createApp({ keepToken: true });
    const request = new Request(`${SITE}/logout`, { method: "POST" });
    const { headers } = await app.login.end(request, { everywhere: true });
    expect(headers.getSetCookie()).toEqual([expect.stringContaining("__Host-session=; ")]);
    expect(app.fake.requests).toEqual([]);
  });

  test("continues when its token can't be revoked, so that the call can be repeated", async () => {
    const app = createApp({ keepToken: true });
    const browser = await loggedIn(app);
    const end = async () => {
      const request = browser.jar.request(`${SITE}/account`, { method: "POST" });
      browser.jar.store(await app.login.end(request, { everywhere: true }), SITE);
    };
    app.fake.failNext({ path: "/oauth2/token/revoke", status: 503 });
    await expect(end()).rejects.toMatchObject({ httpStatus: 503 });
    expect(await browser.whoAmI()).toBe("ada");
    await end();
    expect(await browser.whoAmI()).toBeNull();
  });

  test("revokes its token only with keepToken", async () => {
    const app = createApp({ keepToken: true });
    const browser = await loggedIn(app);
    const session = await app.login.session(browser.jar.request(SITE));
    await app.login.end(browser.jar.request(`${SITE}/logout`), { everywhere: true });
    const user = new User(session?.token as TokenObj, app.fake);
    await expect(user.getCurrentUser()).rejects.toMatchObject({ httpStatus: 401 });
    await expect(app.login.endAll("1")).rejects.toEqual(
      new TypeError(
        "endAll() needs the option store: the server can't list sessions in cookies",
      ),
    );
  });
});

describe("A session in a store", () => {
  test("has a TokenSource, which refreshes its token", async () => {
    const app = createApp({ store: new MemoryStore() });
    const browser = await loggedIn(app);
    for (let day = 0; day < 20; day++) {
      vi.advanceTimersByTime(DAY);
      const session = await app.login.session(browser.jar.request(SITE));
      expect(session?.token).toBeInstanceOf(TokenSource);
      const user = new User(await (session?.token as TokenSource).token(), app.fake);
      expect(await user.getCurrentUser()).toMatchObject({ username: "ada" });
    }
    expect(exchanges(app)).toBe(1 + 3);
  });

  test.each([false, true])(
    "is not written for a refresh that has to wait after a 429: backgroundTokens %s",
    async (backgroundTokens) => {
      const store = new MemoryStore();
      const app = createApp({ store, backgroundTokens });
      const browsers = [await loggedIn(app), await loggedIn(app, "grace")];
      vi.advanceTimersByTime(6.9 * DAY);
      app.fake.failNext({ path: "/oauth2/token", status: 429, headers: { "retry-after": "30" } });
      const saves = vi.spyOn(store, "save");
      const savesOfRefreshes = [];
      for (const browser of browsers) {
        const session = await app.login.session(browser.jar.request(SITE));
        saves.mockClear();
        await (session?.token as TokenSource).token();
        savesOfRefreshes.push(saves.mock.calls.length);
      }
      // A lease and its end, and nothing.
      expect(savesOfRefreshes).toEqual([2, 0]);
    },
  );

  test.each([[undefined, 42], [3600, 1], [3 * 86_400, 72]])(
    "with refreshBefore %s has a token that is refreshed in its last %i hours",
    async (refreshBefore, hours) => {
      const app = createApp({ store: new MemoryStore(), idleTimeout: 30 * 86_400, refreshBefore });
      const browser = await loggedIn(app);
      const exchangesAfter = async (milliseconds: number) => {
        vi.advanceTimersByTime(milliseconds);
        const session = await app.login.session(browser.jar.request(SITE));
        await (session?.token as TokenSource).token();
        return exchanges(app);
      };
      const hour = DAY / 24;
      // A random part of up to a quarter comes before.
      const begin = refreshBefore ? hours * 1.25 : hours;
      expect(await exchangesAfter(7 * DAY - (begin + 0.1) * hour)).toBe(1);
      const spread = refreshBefore ? hours / 10 : hours * 0.4;
      expect(await exchangesAfter((begin - hours + 0.2 + spread) * hour)).toBe(2);
    },
  );

  /** A session whose refresh the platform has refused six hours before the end of its token. */
  async function refusedEarly() {
    const events: LoginEvent[] = [];
    const app = createApp({ store: new MemoryStore(), onEvent: (event) => events.push(event) });
    const browser = await loggedIn(app);
    const nameNow = async () => {
      const session = await app.login.session(browser.jar.request(SITE));
      return (await session?.api?.getCurrentUser({ fresh: true }))?.username;
    };
    vi.advanceTimersByTime(6.75 * DAY);
    app.fake.failNext({ path: "/oauth2/token", status: 400, body: { error: "invalid_grant" } });
    expect(await nameNow()).toBe("ada");
    return { app, events, nameNow };
  }

  test("goes on to the end of its token if the platform refuses to refresh that, and tells it at once", async () => {
    const { app, events, nameNow } = await refusedEarly();
    const told = events.filter(({ kind }) => kind === "token_refresh_failed");
    expect(told).toMatchObject([{ reason: "invalid_grant", isFinal: true }]);
    vi.advanceTimersByTime(DAY / 4 - 120_000);
    expect(await nameNow()).toBe("ada");
    vi.advanceTimersByTime(120_000);
    await expect(nameNow()).rejects.toMatchObject({ reason: "refused" });
    expect(exchanges(app)).toBe(1 + 1);
  });

  test("goes on to the first 401 if the platform has refused to refresh its token", async () => {
    const { app, nameNow } = await refusedEarly();
    await app.fake.removeApplication({ as: "ada" });
    await expect(nameNow()).rejects.toMatchObject({ reason: "refused" });
  });

  test("ends with all others when the call is repeated after a failure of the store", async () => {
    const store = new MemoryStore();
    const app = createApp({ store });
    const [first, second] = [await loggedIn(app), await loggedIn(app)];
    const end = async () => {
      const request = first.jar.request(`${SITE}/account`, { method: "POST" });
      first.jar.store(await app.login.end(request, { everywhere: true }), SITE);
    };
    const { load } = store;
    const loadWithFailure = vi.spyOn(store, "load").mockImplementation((key) => {
      if (key.startsWith("guildpass:sessions-of:")) throw new Error("the store is down");
      return load.call(store, key);
    });
    await expect(end()).rejects.toThrow("the store is down");
    loadWithFailure.mockRestore();
    await end();
    expect([await first.whoAmI(), await second.whoAmI()]).toEqual([null, null]);
  });

  test("ends with all others when another logout removes its record meanwhile", async () => {
    const store = new MemoryStore();
    const app = createApp({ store });
    const [first, second] = [await loggedIn(app), await loggedIn(app)];
    const request = first.jar.request(`${SITE}/account`, { method: "POST" });
    const { save } = store;
    const saveAfterLogout = vi.spyOn(store, "save").mockImplementationOnce(async (...saved) => {
      await app.login.end(request);
      return await save.apply(store, saved);
    });
    await app.login.end(request, { everywhere: true });
    expect(saveAfterLogout).toHaveBeenCalled();
    expect([await first.whoAmI(), await second.whoAmI()]).toEqual([null, null]);
  });

  test("continues while it is used, and ends when it is not", async () => {
    const app = createApp({ store: new MemoryStore(), idleTimeout: 3600 });
    const browser = await loggedIn(app);
    for (let i = 0; i < 10; i++) {
      vi.advanceTimersByTime(3_000_000);
      expect(await browser.whoAmI()).toBe("ada");
    }
    vi.advanceTimersByTime(3_599_999);
    expect(await browser.whoAmI()).toBe("ada");
    vi.advanceTimersByTime(3_600_000);
    expect(await browser.whoAmI()).toBeNull();
  });

  test("saves that it is used at most once in a tenth of the idle timeout", async () => {
    const store = new MemoryStore();
    const browser = await loggedIn(createApp({ store, idleTimeout: 3600 }));
    const save = vi.spyOn(store, "save");
    vi.advanceTimersByTime(359_999);
    expect(await browser.whoAmI()).toBe("ada");
    expect(save).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(await browser.whoAmI()).toBe("ada");
    expect(await browser.whoAmI()).toBe("ada");
    expect(save).toHaveBeenCalledTimes(1);
  });

  test("is kept by the browser for as long as it can last", async () => {
    const app = createApp({ store: new MemoryStore(), maxAge: 3600, idleTimeout: 3600 });
    const browser = new Browser(app);
    const response = await browser.open(await browser.consent());
    const cookies = response.headers.getSetCookie().filter((cookie) => cookie.includes("session="));
    expect(cookies).toEqual([expect.stringContaining("; Max-Age=3600;")]);
  });

  test("ends even in a store that ignores expiry, and stays so", async () => {
    const memory = new MemoryStore();
    const store: Store = {
      load: (key) => memory.load(key),
      save: (key, value, { version }) => memory.save(key, value, { version }),
      delete: (key) => memory.delete(key),
    };
    const app = createApp({ store, idleTimeout: 3600 });
    const browser = await loggedIn(app);
    vi.advanceTimersByTime(3_600_000);
    for (let visit = 0; visit < 3; visit++) {
      expect(await app.login.session(browser.jar.request(SITE))).toBeNull();
    }
  });

  test("is found behind planted cookies", async () => {
    const app = createApp({ store: new MemoryStore() });
    const browser = await loggedIn(app);
    const planted = ["x", generateState()].map((id) => `__Host-session=${id}; `).join("");
    const headers = { cookie: `${planted}other=1; ${browser.jar.header}` };
    const session = await app.login.session(new Request(SITE, { headers }));
    expect(session?.user).toMatchObject({ username: "ada" });
  });

  test("is not looked up under a cookie that can be no id", async () => {
    const store = new MemoryStore();
    const app = createApp({ store });
    const load = vi.spyOn(store, "load");
    const id = generateState();
    for (const wrong of [`${id}x`, `x${id}`, id.slice(1), `.${id.slice(1)}`]) {
      const headers = { cookie: `__Host-session=${wrong}` };
      expect(await app.login.session(new Request(SITE, { headers }))).toBeNull();
    }
    expect(load).not.toHaveBeenCalled();
  });

  test("can't be moved to another place in the store", async () => {
    const store = new MemoryStore();
    const app = createApp({ store });
    const browser = await loggedIn(app);
    const namespace = new Namespace(sampleApplication.id, app.fake.platform.issuer, "");
    const id = generateState();
    const { digest, sealer } = await namespace.sessionKeys(id);
    const own = await namespace.sessionKeys(browser.jar.cookies[0]?.value ?? "");
    const record = await store.load(`guildpass:session:${own.digest}`);
    const content = await own.sealer.open(own.digest, record?.value);
    const headers = { cookie: `__Host-session=${id}` };
    const find = async () => await app.login.session(new Request(SITE, { headers }));
    const save = async (value: string) => {
      await store.delete(`guildpass:session:${digest}`);
      await store.save(`guildpass:session:${digest}`, value, { version: null });
    };
    await save(await sealer.seal("elsewhere", content));
    expect(await find()).toBeNull();
    await save(String(record?.value));
    expect(await find()).toBeNull();
    await save(await sealer.seal(digest, { ...Object(content), format: 1 }));
    expect(await find()).toBeNull();
    await save(await sealer.seal(digest, content));
    expect((await find())?.user).toMatchObject({ username: "ada" });
  });

  test("ends after maxAge though it is used", async () => {
    const app = createApp({ store: new MemoryStore(), idleTimeout: 3600, maxAge: 7200 });
    const browser = await loggedIn(app);
    vi.advanceTimersByTime(3_000_000);
    expect(await browser.whoAmI()).toBe("ada");
    vi.advanceTimersByTime(3_000_000);
    expect(await browser.whoAmI()).toBe("ada");
    vi.advanceTimersByTime(1_200_001);
    expect(await browser.whoAmI()).toBeNull();
  });

  test("ends at a logout, and the person's other sessions continue", async () => {
    const app = createApp({ store: new MemoryStore() });
    const [phone, laptop] = [await loggedIn(app), await loggedIn(app)];
    const { header } = phone.jar;
    await phone.open("/logout", { method: "POST" });
    expect(await phone.whoAmI()).toBeNull();
    expect((await new Browser(app).open("/", { headers: { cookie: header } })).status).toBe(302);
    expect(await laptop.whoAmI()).toBe("ada");
    expect(app.fake.requests.filter(({ path }) => path.endsWith("/revoke"))).toEqual([]);
  });

  test("ends with all others of the person and those of no other person, even while the platform is down", async () => {
    for (const failure of [null, { status: 500 }, { cut: "before" as const }]) {
      const app = createApp({ store: new MemoryStore() });
      const [phone, laptop] = [await loggedIn(app), await loggedIn(app)];
      const other = await loggedIn(app, "grace");
      if (failure) app.fake.failNext({ path: "/oauth2/token/revoke", ...failure });
      const request = phone.jar.request(`${SITE}/account`, { method: "POST" });
      expect((await app.login.end(request, { everywhere: true })).status).toBe(303);
      expect(await phone.whoAmI()).toBeNull();
      expect(await laptop.whoAmI()).toBeNull();
      expect(await other.whoAmI()).toBe("grace");
      // A new login is a new beginning.
      expect(await (await loggedIn(app)).whoAmI()).toBe("ada");
    }
  });

  test("counts in the result of endAll()", async () => {
    const app = createApp({ store: new MemoryStore() });
    await loggedIn(app);
    const browser = await loggedIn(app);
    // A session that a consent has continued is one session.
    const response = await app.login.start(browser.jar.request(SITE), { scope: ["email"] });
    browser.jar.store(response, SITE);
    await browser.open(await app.fake.authorize(locationOf(response)));
    expect(await app.login.endAll(ADA)).toBe(2);
    expect(await app.login.endAll(ADA)).toBe(0);
  });

  test.each([false, true])(
    "ends with a logout by the cookie from before two consents, whose responses are on their way (everywhere: %s)",
    async (everywhere) => {
      const app = createApp({ store: new MemoryStore() });
      const browser = await loggedIn(app);
      const before = browser.jar.request(`${SITE}/logout`, { method: "POST" });
      for (const scope of ["email", "connections"] as const) {
        const response = await app.login.start(browser.jar.request(SITE), { scope: [scope] });
        browser.jar.store(response, SITE);
        await browser.open(await app.fake.authorize(locationOf(response)));
      }
      const session = await app.login.session(browser.jar.request(SITE));
      expect(await session?.api?.getCurrentUser()).toMatchObject({ username: "ada" });
      const { access_token } = await (session?.token as TokenSource).token();
      await app.login.end(before, { everywhere });
      expect(await browser.whoAmI()).toBeNull();
      const user = new User(access_token, app.fake).getCurrentUser();
      if (everywhere) await expect(user).rejects.toMatchObject({ httpStatus: 401 });
      else expect(await user).toMatchObject({ username: "ada" });
      // Nothing is left to end.
      const { length } = app.fake.requests;
      await app.login.end(before, { everywhere });
      expect(app.fake.requests).toHaveLength(length);
    },
  );

  test("does not end twice if only the cookie from before a consent is left", async () => {
    const store = new MemoryStore();
    const app = createApp({ store });
    const browser = await loggedIn(app);
    const before = browser.jar.request(`${SITE}/logout`, { method: "POST" });
    const response = await app.login.start(browser.jar.request(SITE), { scope: ["email"] });
    browser.jar.store(response, SITE);
    vi.advanceTimersByTime(1000);
    const consentedAt = Date.now();
    await browser.open(await app.fake.authorize(locationOf(response)));
    const after = browser.jar.request(`${SITE}/logout`, { method: "POST" });
    await app.login.end(after);
    const { length } = app.fake.requests;
    expect((await app.login.end(before, { everywhere: true })).status).toBe(303);
    expect(app.fake.requests).toHaveLength(length);
    expect(await app.login.endAll(ADA, { startedBefore: consentedAt })).toBe(0);
  });

  test("ends by endAll()", async () => {
    const app = createApp({ store: new MemoryStore() });
    const browser = await loggedIn(app);
    await app.login.endAll("1000000000000000001");
    expect(await browser.whoAmI()).toBeNull();
  });

  test("is not ended by endAll() with anything but a snowflake, which throws a TypeError", async () => {
    const app = createApp({ store: new MemoryStore() });
    const browser = await loggedIn(app);
    for (const wrong of [undefined, null, "", "undefined", "ada", 1000000000000000001n, {}, "1 "]) {
      await expect(app.login.endAll(wrong as string)).rejects.toThrow(TypeError);
      await expect(app.login.endAll(wrong as string)).rejects.toThrow(
        /^userId must be digits/,
      );
    }
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("ends once by several calls at the same moment, and endAll() throws when the store saves nothing", async () => {
    const store = new MemoryStore();
    const app = createApp({ store });
    const browser = await loggedIn(app);
    const ends = Array.from({ length: 5 }, () => app.login.endAll("1000000000000000001"));
    await Promise.all(ends);
    expect(await browser.whoAmI()).toBeNull();
    await loggedIn(app);
    store.save = () => Promise.resolve(null);
    vi.spyOn(performance, "now").mockReturnValueOnce(performance.now() - 30_000);
    await expect(app.login.endAll(ADA)).rejects.toThrow(
      "another request changed the value in each of",
    );
  });

  test("continues while the store can be read and not written", async () => {
    const store = new MemoryStore();
    const app = createApp({ store, idleTimeout: 3600 });
    const browser = await loggedIn(app);
    vi.advanceTimersByTime(3_000_000);
    const save = vi.spyOn(store, "save").mockRejectedValue(new Error("read-only"));
    expect(await browser.whoAmI()).toBe("ada");
    expect(save).toHaveBeenCalled();
    save.mockRestore();
    expect(await browser.whoAmI()).toBe("ada");
    vi.advanceTimersByTime(3_000_000);
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("does not come back after endAll() when maxAge is made shorter", async () => {
    const store = new MemoryStore();
    const before = createApp({ store });
    const browser = await loggedIn(before);
    const after = createApp({ store, maxAge: 86_400 }, before.fake);
    const isThere = async () => await after.login.session(browser.jar.request(SITE)) !== null;
    expect(await isThere()).toBe(true);
    await after.login.endAll("1000000000000000001");
    expect(await isThere()).toBe(false);
    vi.advanceTimersByTime(DAY + 1000);
    expect(await isThere()).toBe(false);
  });

  test("leaves no record in the store after its end", async () => {
    const store = new MemoryStore();
    const app = createApp({ store, maxAge: 3600, idleTimeout: 3600 });
    const browser = await loggedIn(app);
    // The session, the list of the person's sessions, and the progress of the login.
    expect(store.size).toBe(3);
    await browser.open("/logout", { method: "POST" });
    // What is remembered of the login goes by itself.
    expect(store.size).toBe(1);
    await loggedIn(app);
    vi.advanceTimersByTime(3_600_001);
    for (let i = 0; i < 1000; i++) await store.save(`other:${i}`, i, { version: null });
    expect(store.size).toBe(1000);
  });

  test("is read from the store once", async () => {
    const store = new MemoryStore();
    const app = createApp({ store });
    const browser = await loggedIn(app);
    const load = vi.spyOn(store, "load");
    expect(await browser.whoAmI()).toBe("ada");
    expect(load).toHaveBeenCalledTimes(1);
  });

  test("needs no login secret, which may be replaced at any time", async () => {
    const store = new MemoryStore();
    const before = createApp({ store, secret: generateState() });
    const browser = await loggedIn(before);
    const after = createApp({ store, secret: generateState() }, before.fake);
    const session = await after.login.session(browser.jar.request(SITE));
    expect(session?.user).toMatchObject({ username: "ada" });
    await expect((session?.token as TokenSource).token()).resolves.toMatchObject({
      scopes: ["identify", "guilds"],
    });
    await after.login.endAll(ADA);
    expect(await browser.whoAmI()).toBeNull();
  });

  test("ends by endAll() with startedBefore only if its login was before that time", async () => {
    const store = new MemoryStore();
    const app = createApp({ store });
    const [old] = [await loggedIn(app)];
    vi.advanceTimersByTime(1000);
    const time = Date.now();
    const later = await loggedIn(app);
    await app.login.endAll(ADA, { startedBefore: time });
    expect(await old.whoAmI()).toBeNull();
    expect(await later.whoAmI()).toBe("ada");
    await app.login.endAll(ADA, { startedBefore: new Date(time + 1) });
    expect(await later.whoAmI()).toBeNull();
  });

  test("is not ended by endAll() with a wrong time, which throws a TypeError", async () => {
    const app = createApp({ store: new MemoryStore() });
    const browser = await loggedIn(app);
    for (const startedBefore of [NaN, new Date(NaN), "2026-01-01", {}]) {
      await expect(app.login.endAll(ADA, { startedBefore: startedBefore as number })).rejects
        .toThrow(/^options\.startedBefore must be a Date or milliseconds/);
    }
    await expect(app.login.endAll(ADA, { startedBefore: NaN })).rejects.toThrow(/received NaN$/);
    await expect(app.login.endAll(ADA, { before: 1 } as object)).rejects.toThrow(
      "options.before is unknown",
    );
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("leaves nothing of the person behind after forget()", async () => {
    const store = new MemoryStore();
    const saves = vi.spyOn(store, "save");
    const app = createApp({ store });
    const [phone, laptop] = [await loggedIn(app), await loggedIn(app)];
    const other = await loggedIn(app, "grace");
    const keys = new Set(saves.mock.calls.map(([key]) => key));
    const progressKeys = [...keys].filter((key) => key.startsWith("guildpass:progress:"));
    await app.login.forget(ADA);
    expect(await phone.whoAmI()).toBeNull();
    expect(await laptop.whoAmI()).toBeNull();
    expect(await other.whoAmI()).toBe("grace");
    await other.open("/logout", { method: "POST" });
    // What is remembered of the three logins goes by itself.
    expect(store.size).toBe(3);
    for (const key of progressKeys) {
      const { value } = await store.load(key) ?? {};
      if (key !== progressKeys.at(-1)) {
        expect(value).toEqual({ format: 3, status: "failed", reason: "used" });
      }
    }
    await expect(app.login.forget("ada")).rejects.toThrow(/^userId must be digits/);
    const cookies = createApp();
    await expect(cookies.login.forget(ADA)).rejects.toThrow("forget() needs the option store");
  });

  test("is not created when endAll() comes before the end of the login", async () => {
    const store = new MemoryStore();
    const app = createApp({ store });
    const browser = new Browser(app);
    const callback = await browser.consent();
    const save = store.save.bind(store);
    vi.spyOn(store, "save").mockImplementation(async (key, value, options) => {
      if (key.startsWith("guildpass:session:")) await app.login.endAll(ADA);
      return await save(key, value, options);
    });
    const response = await browser.open(callback);
    expect(response.headers.getSetCookie().join()).not.toContain("session=");
    vi.mocked(store.save).mockRestore();
    expect(await browser.whoAmI()).toBeNull();
    // The progress of the login is left.
    expect(store.size).toBe(1);
  });

  test("ends when the oldest of 51 sessions of the person, and no other, is too many", async () => {
    const app = createApp({ store: new MemoryStore() });
    const browsers: Browser[] = [];
    for (let at = 0; at < 51; at++) {
      browsers.push(await loggedIn(app));
      vi.advanceTimersByTime(1000);
    }
    expect(await browsers[0]?.whoAmI()).toBeNull();
    for (const browser of browsers.slice(1)) expect(await browser.whoAmI()).toBe("ada");
  });

  test("does not come back when maxAge is made shorter, and longer again", async () => {
    const store = new MemoryStore();
    const long = createApp({ store });
    const browser = await loggedIn(long);
    const short = createApp({ store, maxAge: 3600 }, long.fake);
    await short.login.endAll(ADA);
    vi.advanceTimersByTime(2 * 3_600_000);
    expect(await long.login.session(browser.jar.request(SITE))).toBeNull();
  });
});

describe.each([
  ["in a cookie", (): { store?: MemoryStore } => ({})],
  ["in a store", () => ({ store: new MemoryStore() })],
])("A session %s", (_, storage) => {
  test("has the scopes that were granted", async () => {
    const app = createApp(storage());
    const session = await app.login.session((await loggedIn(app)).jar.request(SITE));
    expect(session?.scopes).toEqual(["identify", "guilds"]);
    expect(Object.isFrozen(session?.scopes)).toBe(true);
  });

  test("ends when the options ask for a scope that the person was not asked for", async () => {
    const options = { ...storage(), secret: generateState() };
    const before = createApp(options);
    const browser = await loggedIn(before);
    const more = { ...options, scope: ["identify", "guilds", "connections"] as never };
    const after = createApp(more, before.fake);
    const find = async ({ login } = after) => await login.session(browser.jar.request(SITE));
    expect(await find()).toBeNull();
    // A process with the older options, which still runs, lets the person in.
    expect(await find(before)).not.toBeNull();
    const response = await after.fetch(browser.jar.request(SITE));
    const link = new URL(locationOf(response));
    expect(link.searchParams.has("prompt")).toBe(false);
    expect(link.searchParams.get("scope")).toContain("connections");
    browser.jar.store(response, SITE);
    const callback = await after.fake.authorize(link);
    browser.jar.store(await after.fetch(browser.jar.request(callback)), callback);
    expect((await find())?.scopes).toContain("connections");
    expect(await find(before)).not.toBeNull();
    const fewer = createApp({ ...options, scope: ["identify"] as never }, before.fake);
    expect(await find(fewer)).not.toBeNull();
    if (options.store) {
      // The old session's record went with the login: the progress of two logins, the session and the list are left.
      expect(options.store.size).toBe(4);
    }
  });

  test("has the user data of an asynchronous sessionUser, which sees all of the login", async () => {
    const seen: object[] = [];
    const app = createApp({
      ...storage(),
      async sessionUser({ username }, login) {
        seen.push(login);
        return await Promise.resolve({ username, level: 7 });
      },
    });
    const browser = await loggedIn(app);
    const session = await app.login.session(browser.jar.request(SITE));
    expect(session?.user).toEqual({ username: "ada", level: 7 });
    await browser.open(await browser.consent());
    const [first, second] = seen;
    expect(first).toMatchObject({
      user: { username: "ada" },
      token: { token_type: "Bearer" },
      data: null,
      guildId: null,
      permissions: null,
      request: expect.any(Request),
      session: null,
    });
    expect(second).toMatchObject({ session: { user: { username: "ada", level: 7 } } });
  });

  test("does not begin when sessionUser returns no JSON value, and the error says so", async () => {
    const errors: Error[] = [];
    const app = createApp({
      ...storage(),
      sessionUser: () => Promise.resolve(undefined),
      onError(error) {
        errors.push(error);
        return new Response(null, { status: 500 });
      },
    });
    const browser = new Browser(app);
    await browser.open(await browser.consent());
    expect(errors).toEqual([
      new TypeError("sessionUser must return a JSON value, received undefined"),
    ]);
    expect(await browser.whoAmI()).toBeNull();
  });

  test.each<[unknown, string]>([
    [{ theme: Promise.resolve("dark") }, "Promise at theme: await it"],
    [{ coins: 7n }, "bigint at coins: use a string"],
    [new Map([["theme", "dark"]]), "Map"],
  ])("is not created if sessionUser returns %o", async (value, received) => {
    const app = createApp({ ...storage(), sessionUser: () => value });
    const browser = new Browser(app);
    const finished = app.login.finish(browser.jar.request(await browser.consent()));
    await expect(finished).rejects.toThrow(
      new TypeError(`sessionUser must return a JSON value, received ${received}`),
    );
    expect(await browser.whoAmI()).toBeNull();
  });

  test("has other user data after update()", async () => {
    const app = createApp(storage());
    const browser = await loggedIn(app);
    const request = () => browser.jar.request(SITE);
    const before = await app.login.session(request());
    vi.advanceTimersByTime(1000);
    const headers = await app.login.update(request(), { username: "Countess" });
    expect([...headers.keys()]).toEqual("store" in storage() ? [] : ["set-cookie"]);
    browser.jar.store(new Response(null, { headers }), SITE);
    const { user, ...rest } = await app.login.session(request()) ?? {};
    expect(user).toEqual({ username: "Countess" });
    const { user: _, ...restBefore } = before ?? {};
    expect(JSON.stringify(rest)).toBe(JSON.stringify(restBefore));
    await expect(app.login.update(request(), { hello: () => 1 })).rejects.toThrow(
      new TypeError("update: value must be a JSON value, received function at hello"),
    );
    expect((await app.login.session(request()))?.user).toEqual({ username: "Countess" });
  });

  test("can't be updated when there is none, or it has ended", async () => {
    const app = createApp({ ...storage(), maxAge: 3600 });
    const browser = await loggedIn(app);
    const noSession = { name: "LoginError", reason: "no_session" };
    await expect(app.login.update(new Request(SITE), {})).rejects.toMatchObject(noSession);
    vi.advanceTimersByTime(3_600_001);
    await expect(app.login.update(browser.jar.request(SITE), {})).rejects.toMatchObject(noSession);
  });

  test("can't be updated when the options ask for a scope that the person was not asked for", async () => {
    const options = { ...storage(), secret: generateState() };
    const before = createApp(options);
    const browser = await loggedIn(before);
    const scope = ["identify", "guilds", "connections"] as never;
    const { login } = createApp({ ...options, scope }, before.fake);
    await expect(login.update(browser.jar.request(SITE), {})).rejects.toMatchObject({
      reason: "no_session",
    });
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("is not that of a login with another name in the same application", async () => {
    const options = { ...storage(), secret: generateState() };
    const visitors = createApp(options);
    const owners = createApp({ ...options, name: "owners" }, visitors.fake);
    const browser = await loggedIn(visitors);
    const find = async ({ login }: typeof owners) => await login.session(browser.jar.request(SITE));
    expect(await find(owners)).toBeNull();
    const value = browser.jar.cookies[0]?.value;
    const headers = { cookie: `__Host-session.owners=${value}` };
    expect(await owners.login.session(new Request(SITE, { headers }))).toBeNull();
    if (options.store) {
      await owners.login.endAll(ADA);
      expect(await find(visitors)).not.toBeNull();
    }
  });
});

describe("update() of a session in a store", () => {
  test("keeps what prolongs the session at the same moment, and throws when the store saves nothing", async () => {
    const store = new MemoryStore();
    const app = createApp({ store, idleTimeout: 3600 });
    const browser = await loggedIn(app);
    const request = browser.jar.request(SITE);
    vi.advanceTimersByTime(3_000_000);
    const save = store.save.bind(store);
    vi.spyOn(store, "save").mockImplementationOnce(async (...args) => {
      // Another request prolongs the session first.
      await app.login.session(request);
      return await save(...args);
    });
    await app.login.update(request, { username: "Countess" });
    expect((await app.login.session(request))?.user).toEqual({ username: "Countess" });
    vi.spyOn(store, "save").mockResolvedValue(null);
    vi.spyOn(performance, "now").mockReturnValueOnce(performance.now() - 30_000);
    await expect(app.login.update(request, {})).rejects.toThrow("The session was not changed");
  });

  test("does not bring back a session that ends at the same moment", async () => {
    const store = new MemoryStore();
    const app = createApp({ store });
    const browser = await loggedIn(app);
    const save = store.save.bind(store);
    vi.spyOn(store, "save").mockImplementationOnce(async (...args) => {
      await app.login.endAll(ADA);
      return await save(...args);
    });
    await expect(app.login.update(browser.jar.request(SITE), {})).rejects.toMatchObject({
      reason: "no_session",
    });
    expect(await browser.whoAmI()).toBeNull();
  });
});
