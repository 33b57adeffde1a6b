import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  generateState,
  LoginError,
  MemoryStore,
  PlatformApi,
  type TokenObj,
  TokenSource,
} from "../../mod.ts";
import type { StartOptions } from "../../src/login/mod.ts";
import { Namespace } from "../../src/login/site/namespace.ts";
import { type FakeConsent, sampleApplication } from "../../src/testing/mod.ts";
import { RecordingStore } from "../support/stepped_store.ts";
import { type App, Browser, createApp, exchanges, locationOf, SITE } from "./test_app.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ADA = "1000000000000000001";
const GUILD = "1200000000000000001";
const MORE = { scope: ["connections"], returnTo: "/profile" } as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function logIn(app: App, as = "ada"): Promise<Browser> {
  const browser = new Browser(app);
  await browser.open(await browser.consent("/", as));
  return browser;
}

/** The settings that all applications of a test share. */
type LoginSettings = Parameters<typeof createApp>[0];

/** Begins a consent for further scopes, and returns the link to the consent page. */
async function ask({ login }: App, { jar }: Browser, options: StartOptions): Promise<string> {
  const response = await login.start(jar.request(`${SITE}/page`), options);
  jar.store(response, SITE);
  return locationOf(response);
}

/** Begins a consent for further scopes, consents, and opens the callback. */
async function consent(
  app: App,
  browser: Browser,
  options: StartOptions,
  choices: FakeConsent = {},
): Promise<Response> {
  return await browser.open(await app.fake.authorize(await ask(app, browser, options), choices));
}

function scopesIn(link: string): string[] {
  return new URL(link).searchParams.get("scope")?.split(" ") ?? [];
}

/** Returns the session of a browser, which must have one. */
async function sessionOf({ login }: App, { jar }: Browser) {
  return await login.session(jar.request(SITE)) ?? expect.fail("there is no session");
}

function sessionCookie({ jar }: Browser): string | undefined {
  return jar.cookies.find(({ name }) => name.endsWith("session"))?.value;
}

const storages = [
  ["in a cookie", () => ({})],
  ["in a cookie with the token", () => ({ keepToken: true })],
  ["in a store", () => ({ store: new MemoryStore() })],
] as const;

/** One token for each person. It stays while it has a scope that a new one lacks. */
const sharedTokens = [
  "in a store with one token for each person",
  () => ({ store: new MemoryStore(), backgroundTokens: true }),
] as const;

describe.each([...storages, sharedTokens])(
  "With sessions %s, a consent for further scopes",
  (_where, storage) => {
    test("asks for the scopes of the login, the given ones, and those of the session", async () => {
      const app = createApp(storage());
      const browser = await logIn(app);
      const link = await ask(app, browser, MORE);
      expect(scopesIn(link)).toEqual(["identify", "guilds", "connections"]);
      expect(new URL(link).searchParams.get("prompt")).toBeNull();
      await browser.open(await app.fake.authorize(link));
      const next = await ask(app, browser, { scope: ["email", "guilds"] });
      expect(scopesIn(next)).toEqual(["identify", "guilds", "email", "connections"]);
      await browser.open(await app.fake.authorize(next));
      expect((await sessionOf(app, browser)).scopes).toEqual(scopesIn(next));
    });

    test("does not install the application again", async () => {
      const app = createApp(storage());
      const browser = await logIn(app);
      const scope = ["bot", "webhook.incoming", "applications.commands", "email"] as const;
      await consent(app, browser, { scope, guildId: GUILD });
      expect((await sessionOf(app, browser)).scopes).toEqual(expect.arrayContaining([...scope]));
      const link = await ask(app, browser, MORE);
      expect(scopesIn(link)).toEqual(["identify", "guilds", "connections", "email"]);
    });

    test("leads back with a new token and the old start, and with a store in the same session", async () => {
      const app = createApp(storage());
      const browser = await logIn(app);
      const before = await sessionOf(app, browser);
      const oldCookie = sessionCookie(browser);
      const oldRequest = browser.jar.request(SITE);
      vi.advanceTimersByTime(HOUR);
      expect(locationOf(await consent(app, browser, MORE))).toBe(`${SITE}/profile`);
      const after = await sessionOf(app, browser);
      expect(after).toMatchObject({ user: before.user, startedAt: before.startedAt });
      expect(after.scopes).toContain("connections");
      expect(sessionCookie(browser) === oldCookie).toBe("store" in storage());
      if (after.token instanceof TokenSource) {
        expect((await after.token.token()).scopes).toContain("connections");
        // A request that was under way has the same session.
        expect((await app.login.session(oldRequest))?.scopes).toEqual(after.scopes);
      } else if (before.token !== null) {
        const { access_token, scopes } = after.token as TokenObj;
        expect(scopes).toContain("connections");
        expect(access_token).not.toBe((before.token as TokenObj).access_token);
      }
      expect(browser.jar.cookies).toHaveLength(1);
    });

    test("does not move the end that maxAge sets", async () => {
      const app = createApp({ ...storage(), maxAge: 2 * 3600 });
      const browser = await logIn(app);
      const { endsAt } = await sessionOf(app, browser);
      vi.advanceTimersByTime(HOUR);
      await consent(app, browser, MORE);
      expect((await sessionOf(app, browser)).endsAt).toBe(endsAt);
      vi.advanceTimersByTime(HOUR);
      expect(await browser.whoAmI()).toBeNull();
    });

    test("gives onLogin and sessionUser the session, and the data", async () => {
      const seen: unknown[] = [];
      const app = createApp({
        ...storage(),
        onLogin: ({ session, data }) => void seen.push([session?.scopes, data]),
        sessionUser: ({ username }, { session, token }) => ({
          username,
          scopes: [session?.scopes, token.scopes],
        }),
      });
      const browser = await logIn(app);
      await consent(app, browser, { ...MORE, data: "profile" });
      const scopes = ["identify", "guilds"];
      expect(seen).toEqual([[undefined, null], [scopes, "profile"]]);
      const { user } = await sessionOf(app, browser);
      expect(user).toMatchObject({ scopes: [scopes, [...scopes, "connections"]] });
    });

    test("changes nothing when another person consents", async () => {
      const onLogin = vi.fn();
      const app = createApp({ ...storage(), onLogin });
      const browser = await logIn(app);
      const cookie = sessionCookie(browser);
      const page = await consent(app, browser, MORE, { as: "grace" });
      expect(page.status).toBe(403);
      expect(await page.text()).toContain("That was a different login");
      expect(onLogin).toHaveBeenCalledTimes(1);
      expect(sessionCookie(browser)).toBe(cookie);
      expect(await sessionOf(app, browser)).toMatchObject({ user: { username: "ada" } });
      expect(browser.jar.cookies).toHaveLength(1);
    });

    test("changes nothing when another person has logged in meanwhile", async () => {
      const app = createApp(storage());
      const browser = await logIn(app);
      const callback = await app.fake.authorize(await ask(app, browser, MORE));
      await browser.open(await browser.consent("/", "grace"));
      const sent = exchanges(app);
      const page = await browser.open(callback);
      expect(page.status).toBe(403);
      expect(await page.text()).toContain("That was a different login");
      expect(exchanges(app)).toBe(sent);
      expect(await browser.whoAmI()).toBe("grace");
      // Nor does the other person's own consent extend the session of the first one.
      expect((await browser.open(callback)).status).toBe(302);
      expect((await sessionOf(app, browser)).scopes).not.toContain("connections");
    });

    test("makes finish() say that another person has consented", async () => {
      const app = createApp(storage());
      const browser = await logIn(app);
      const callback = await app.fake.authorize(await ask(app, browser, MORE), { as: "grace" });
      await expect(app.login.finish(browser.jar.request(callback))).rejects.toMatchObject({
        name: "LoginError",
        reason: "other_person",
        message: "The user who consented is not the user of the session",
        hint:
          "The session in this browser was not changed. Ask the user to log in again, or to choose the same account on the consent page",
      });
    });

    test("does not log the person in when the session has ended meanwhile", async () => {
      const app = createApp(storage());
      const browser = await logIn(app);
      const callback = await app.fake.authorize(await ask(app, browser, MORE));
      await browser.open("/logout", { method: "POST" });
      const request = browser.jar.request(callback);
      const error = await app.login.finish(request).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(LoginError);
      expect(error).toMatchObject({
        reason: "other_person",
        message: "The session has ended, or another user has logged in since",
        hint: "The session in this browser was not changed. Ask the user to log in again",
      });
      const page = await browser.open(callback);
      expect(page.status).toBe(403);
      expect(await page.text()).toContain("That was a different login");
      expect(browser.jar.cookies).toHaveLength(0);
    });

    test("changes nothing when it is canceled", async () => {
      const app = createApp(storage());
      const browser = await logIn(app);
      const cookie = sessionCookie(browser);
      const page = await browser.open(await app.fake.deny(await ask(app, browser, MORE)));
      expect(page.status).toBe(403);
      const text = await page.text();
      expect(text).toContain("Nothing has changed");
      expect(text).toContain('href="/profile"');
      expect(sessionCookie(browser)).toBe(cookie);
      expect(await browser.whoAmI()).toBe("ada");
    });

    test("changes nothing when onLogin returns a response", async () => {
      const app = createApp({
        ...storage(),
        onLogin: ({ session }) => session ? new Response("Thanks, but no") : null,
      });
      const browser = await logIn(app);
      const cookie = sessionCookie(browser);
      expect(await (await consent(app, browser, MORE)).text()).toBe("Thanks, but no");
      expect(sessionCookie(browser)).toBe(cookie);
      const session = await sessionOf(app, browser);
      expect(session.scopes).toEqual(["identify", "guilds"]);
    });

    test("goes on when its callback is opened again after an error of onLogin", async () => {
      vi.spyOn(console, "error").mockImplementation(() => {});
      let fails = true;
      const app = createApp({
        ...storage(),
        onLogin({ session }) {
          if (session && fails) throw new Error("The database is away");
        },
      });
      const browser = await logIn(app);
      const callback = await app.fake.authorize(await ask(app, browser, MORE));
      expect((await browser.open(callback)).status).toBe(500);
      expect((await sessionOf(app, browser)).scopes).not.toContain("connections");
      fails = false;
      expect(locationOf(await browser.open(callback))).toBe(`${SITE}/profile`);
      expect((await sessionOf(app, browser)).scopes).toContain("connections");
      expect(exchanges(app)).toBe(2);
    });

    test("gives the same session when the first response was lost", async () => {
      const app = createApp(storage());
      const browser = await logIn(app);
      const callback = await app.fake.authorize(await ask(app, browser, MORE));
      const lost = await app.fetch(browser.jar.request(callback));
      expect(lost.status).toBe(302);
      expect(locationOf(await browser.open(callback))).toBe(`${SITE}/profile`);
      expect((await sessionOf(app, browser)).scopes).toContain("connections");
      expect(exchanges(app)).toBe(2);
    });

    test("works in two tabs, one after the other", async () => {
      const app = createApp(storage());
      const browser = await logIn(app);
      const { startedAt } = await sessionOf(app, browser);
      const first = await app.fake.authorize(await ask(app, browser, MORE));
      const second = await app.fake.authorize(await ask(app, browser, { scope: ["email"] }));
      vi.advanceTimersByTime(1000);
      expect(locationOf(await browser.open(second))).toBe(`${SITE}/page`);
      // The token of the first tab lacks what the second one has brought.
      const link = locationOf(await browser.open(first));
      expect(new URL(link).searchParams.get("prompt")).toBe("none");
      expect(scopesIn(link)).toEqual(["identify", "guilds", "connections", "email"]);
      const last = await app.fake.authorize(link);
      expect(locationOf(await browser.open(last))).toBe(`${SITE}/profile`);
      const session = await sessionOf(app, browser);
      expect(session).toMatchObject({ user: { username: "ada" }, startedAt });
      expect(session.scopes).toEqual(scopesIn(link));
      if (session.token instanceof TokenSource) {
        expect((await session.token.token()).scopes).toEqual(scopesIn(link));
      }
      expect(browser.jar.cookies).toHaveLength(1);
    });

    test("of another tab keeps the data and the guild of a bot when it asks once more", async () => {
      const seen: unknown[] = [];
      const app = createApp({
        ...storage(),
        onLogin: ({ session, data, guildId, permissions }) =>
          void (session && seen.push([data, guildId, permissions])),
      });
      const browser = await logIn(app);
      const options = { scope: ["bot"], guildId: GUILD, permissions: ["stream"] } as const;
      const first = await app.fake.authorize(
        await ask(app, browser, { ...options, data: "dashboard" }),
      );
      await consent(app, browser, { scope: ["email"] });
      const link = locationOf(await browser.open(first));
      expect(scopesIn(link)).toEqual(["identify", "guilds", "email"]);
      await browser.open(await app.fake.authorize(link));
      expect(seen).toEqual([[null, null, null], ["dashboard", GUILD, "512"]]);
    });

    test("of another tab does not ask once more if its token has a webhook, which comes once", async () => {
      const webhooks: unknown[] = [];
      const app = createApp({
        ...storage(),
        onLogin: ({ token }) => void webhooks.push(token.webhook?.guild_id),
      });
      const browser = await logIn(app);
      const options = { scope: ["webhook.incoming"], guildId: GUILD, returnTo: "/hooks" } as const;
      const first = await app.fake.authorize(await ask(app, browser, options));
      await consent(app, browser, { scope: ["email"] });
      expect(locationOf(await browser.open(first))).toBe(`${SITE}/hooks`);
      expect(webhooks).toEqual([undefined, undefined, GUILD]);
    });

    test("accepts a token with fewer scopes than it has asked for, and asks once", async () => {
      const app = createApp(storage());
      const browser = await logIn(app);
      const first = await app.fake.authorize(await ask(app, browser, MORE));
      await consent(app, browser, { scope: ["email"] });
      const link = locationOf(await browser.open(first));
      const { access_token } = app.fake.issueToken({ scopes: ["identify", "guilds"] });
      const body = { access_token, token_type: "Bearer", scope: "identify guilds" };
      app.fake.failNext({ path: "/oauth2/token", status: 200, body });
      expect(locationOf(await browser.open(await app.fake.authorize(link)))).toBe(
        `${SITE}/profile`,
      );
    });

    test("accepts a token with more scopes than it has asked for", async () => {
      const app = createApp(storage());
      const browser = await logIn(app);
      const callback = await app.fake.authorize(await ask(app, browser, MORE));
      const scopes = ["identify", "guilds", "connections", "email"] as const;
      const { access_token } = app.fake.issueToken({ scopes: [...scopes] });
      const body = { access_token, token_type: "Bearer", scope: scopes.join(" ") };
      app.fake.failNext({ path: "/oauth2/token", status: 200, body });
      expect(locationOf(await browser.open(callback))).toBe(`${SITE}/profile`);
      expect((await sessionOf(app, browser)).scopes).toEqual(scopes);
    });

    test("works in two tabs at the same moment", async () => {
      const { fake } = createApp();
      const secret = generateState();
      const shared = { ...storage(), secret };
      const browser = await logIn(createApp(shared, fake));
      // The platform responds once it has the codes of both tabs.
      const bothSent = Promise.withResolvers<void>();
      let sent = 0;
      const app = createApp({
        ...shared,
        async fetch(url, init) {
          if (url.endsWith("/oauth2/token")) {
            sent += 1;
            if (sent === 2) bothSent.resolve();
            await bothSent.promise;
          }
          return await fake.fetch(url, init);
        },
      }, fake);
      const first = await app.fake.authorize(await ask(app, browser, MORE));
      const second = await app.fake.authorize(await ask(app, browser, { scope: ["email"] }));
      const open = (callback: string) => app.fetch(browser.jar.request(callback));
      const responses = await Promise.all([open(first), open(second)]);
      for (const response of responses) {
        browser.jar.store(response, SITE);
        expect(await browser.whoAmI()).toBe("ada");
      }
      const links = responses.map(locationOf).filter((location) => !location.startsWith(SITE));
      // Only a store knows that the other tab was faster.
      expect(links).toHaveLength("store" in shared ? 1 : 0);
      for (const link of links) {
        await browser.open(await app.fake.authorize(link));
        expect((await sessionOf(app, browser)).scopes).toEqual(
          expect.arrayContaining(["connections", "email"]),
        );
      }
    });

    test("logs a visitor without a session in", async () => {
      const app = createApp(storage());
      const browser = new Browser(app);
      const link = await ask(app, browser, MORE);
      expect(scopesIn(link)).toEqual(["identify", "guilds", "connections"]);
      const callback = await app.fake.authorize(link, { as: "grace" });
      expect(locationOf(await browser.open(callback))).toBe(`${SITE}/profile`);
      expect(await sessionOf(app, browser)).toMatchObject({
        user: { username: "grace" },
        startedAt: Date.now(),
      });
    });

    test("is remembered, so that options with its scope do not ask again", async () => {
      const fake = createApp().fake;
      const shared = { ...storage(), secret: generateState() };
      const old = createApp(shared, fake);
      const browser = await logIn(old);
      await consent(old, browser, MORE);
      const scope = ["identify", "guilds", "connections"] as never;
      const deployed = createApp({ ...shared, scope }, fake);
      expect(await sessionOf(deployed, browser)).toMatchObject({ user: { username: "ada" } });
    });
  },
);

describe.each(storages)("With sessions %s, the scopes", (_where, storage) => {
  test("are those of the new token, also if it has fewer", async () => {
    const app = createApp(storage());
    const browser = await logIn(app);
    await consent(app, browser, MORE);
    const body = {
      access_token: app.fake.issueToken({ scopes: ["identify", "guilds"] }).access_token,
      token_type: "Bearer",
      scope: "identify guilds",
      expires_in: 604_800,
    };
    app.fake.failNext({ path: "/oauth2/token", status: 200, body });
    await consent(app, browser, { scope: ["email"] });
    expect((await sessionOf(app, browser)).scopes).toEqual(["identify", "guilds"]);
  });

  test("stay as they are while a consent in another tab is asked once more", async () => {
    const app = createApp(storage());
    const browser = await logIn(app);
    const first = await app.fake.authorize(await ask(app, browser, MORE));
    await consent(app, browser, { scope: ["email"] });
    await browser.open(first);
    const scopes = ["identify", "guilds", "email"];
    expect((await sessionOf(app, browser)).scopes).toEqual(scopes);
  });
});

test("A login that began before a deploy with one more scope asks again", async () => {
  const { fake } = createApp();
  const secret = generateState();
  const browser = new Browser(createApp({ secret }, fake));
  const callback = await browser.consent();
  const scope = ["identify", "guilds", "email"] as never;
  const deployed = createApp({ secret, scope }, fake);
  browser.jar.store(await deployed.fetch(browser.jar.request(callback)), SITE);
  expect(await deployed.login.session(browser.jar.request(SITE))).toBeNull();
  const next = await deployed.fetch(browser.jar.request(SITE));
  expect(scopesIn(locationOf(next))).toEqual(scope);
  expect(new URL(locationOf(next)).searchParams.get("prompt")).toBeNull();
});

describe("With a store, a consent for further scopes", () => {
  test("does not log the person in when all their sessions were ended meanwhile", async () => {
    const app = createApp({ store: new MemoryStore() });
    const browser = await logIn(app);
    const callback = await app.fake.authorize(await ask(app, browser, MORE));
    await app.login.endAll(ADA);
    const page = await browser.open(callback);
    expect(page.status).toBe(403);
    expect(await page.text()).toContain("That was a different login");
    expect(await browser.whoAmI()).toBeNull();
  });

  test.each([false, true])(
    "leads to the session of a faster tab without that tab's response (backgroundTokens: %s)",
    async (backgroundTokens) => {
      const store = new MemoryStore();
      const options = { store, backgroundTokens, secret: generateState() };
      const app = createApp(options);
      const browser = await logIn(app);
      const slower = await app.fake.authorize(await ask(app, browser, MORE));
      const faster = await app.fake.authorize(await ask(app, browser, { scope: ["email"] }));
      const fasterRequest = browser.jar.request(faster);
      let lost: Response | undefined;
      const slowerApp = createApp({
        ...options,
        store: {
          async load(key) {
            // The slower tab has read the session, and not yet the scopes of the person.
            if (key.startsWith("guildpass:sessions-of:")) lost ??= await app.fetch(fasterRequest);
            return await store.load(key);
          },
          save: (...given) => store.save(...given),
          delete: (key) => store.delete(key),
        },
      }, app.fake);
      const response = await slowerApp.fetch(browser.jar.request(slower));
      browser.jar.store(response, SITE);
      expect(lost?.status).toBe(302);
      const link = locationOf(response);
      expect(new URL(link).searchParams.get("prompt")).toBe("none");
      expect(locationOf(await browser.open(await app.fake.authorize(link)))).toBe(
        `${SITE}/profile`,
      );
      expect((await sessionOf(app, browser)).scopes)
        .toEqual(["identify", "guilds", "connections", "email"]);
    },
  );

  test("asks once more if a faster tab saves a shared token with other scopes after onLogin", async () => {
    const { app, browser, fasterResponse, slowerResponse } = await consentInTwoTabs("slower");
    expect(locationOf(fasterResponse)).toBe(`${SITE}/profile`);
    browser.jar.store(slowerResponse, SITE);
    expect(await browser.whoAmI()).toBe("ada");
    browser.jar.store(fasterResponse, SITE);
    expect((await sessionOf(app, browser)).scopes).toEqual(["identify", "guilds", "connections"]);
    const link = locationOf(slowerResponse);
    expect(scopesIn(link)).toEqual(["identify", "guilds", "email", "connections"]);
    expect(locationOf(await browser.open(await app.fake.authorize(link)))).toBe(`${SITE}/page`);
    expect((await sessionOf(app, browser)).scopes).toEqual(scopesIn(link));
  });

  test("leaves the token of a later tab that was faster, when endAll() ends only earlier logins", async () => {
    const { app, browser, fasterResponse, startedBefore } = await consentInTwoTabs("slower");
    browser.jar.store(fasterResponse, SITE);
    await app.login.endAll(ADA, { startedBefore, tokens: true });
    const { scopes } = await sessionOf(app, browser);
    expect((await app.login.tokensOf(ADA).token()).scopes).toEqual(scopes);
  });

  test("does not keep a token from endAll() for a refused login that began meanwhile", async () => {
    const begun = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<Response>();
    let page: Promise<Response> | undefined;
    const { app, browser, fasterResponse, startedBefore } = await consentInTwoTabs(
      "faster",
      async (firstApp, options) => {
        const onLogin = () => {
          begun.resolve();
          return refused.promise;
        };
        const other = new Browser(firstApp);
        const callback = other.jar.request(await other.consent("/", "ada"));
        vi.advanceTimersByTime(5000);
        page = createApp({ ...options, onLogin }, firstApp.fake).fetch(callback);
        await begun.promise;
      },
    );
    refused.resolve(new Response("Blocked", { status: 403 }));
    expect((await page)?.status).toBe(403);
    browser.jar.store(fasterResponse, SITE);
    await app.login.endAll(ADA, { startedBefore: startedBefore + 2000, tokens: true });
    expect(await browser.whoAmI()).toBeNull();
    await expect(app.login.tokensOf(ADA).token()).rejects.toMatchObject({ reason: "no_token" });
  });

  test("does not keep the token of an earlier tab that was faster from endAll()", async () => {
    const { app, browser, fasterResponse, startedBefore } = await consentInTwoTabs("faster");
    browser.jar.store(fasterResponse, SITE);
    await app.login.endAll(ADA, { startedBefore, tokens: true });
    expect(await browser.whoAmI()).toBeNull();
    await expect(app.login.tokensOf(ADA).token()).rejects.toMatchObject({ reason: "no_token" });
  });
});

describe.each([
  ["a token of its own", false],
  ["one token for each person", true],
])("With a store and %s, a request from before a consent's response", (_, backgroundTokens) => {
  /** A consent that is complete on the server, and a request that the browser sent before the response came. */
  async function createWorld() {
    const app = createApp({
      store: new MemoryStore(),
      backgroundTokens,
      sessionPath: "/session",
      publicUser: (user) => user as never,
      sessionUser: (user, { session }) => session?.user ?? { name: user.username },
    });
    const browser = await logIn(app);
    const callback = await app.fake.authorize(await ask(app, browser, MORE));
    const requestTo = (path: string) => browser.jar.request(`${SITE}${path}`);
    const before = { page: requestTo("/"), session: requestTo("/session"), form: requestTo("/") };
    const response = await app.fetch(browser.jar.request(callback));
    expect(response.status).toBe(302);
    return { app, browser, before, response };
  }

  test("has the session", async () => {
    const { app, before } = await createWorld();
    expect((await app.login.session(before.page))?.scopes).toContain("connections");
    expect(await (await app.fetch(before.session)).json()).toMatchObject({ user: { name: "ada" } });
  });

  test("updates the session", async () => {
    const { app, browser, before, response } = await createWorld();
    await app.login.update(before.form, { name: "Ada" });
    browser.jar.store(response, SITE);
    expect((await sessionOf(app, browser)).user).toEqual({ name: "Ada" });
  });

  test("asks for the scopes of both consents, as the same person", async () => {
    const { app, browser, before, response } = await createWorld();
    const next = await app.login.start(before.page, { scope: ["email"] });
    for (const one of [response, next]) browser.jar.store(one, SITE);
    const all = ["identify", "guilds", "email", "connections"];
    expect(scopesIn(locationOf(next))).toEqual(all);
    const other = await app.fake.authorize(locationOf(next), { as: "grace" });
    expect((await app.fetch(browser.jar.request(other))).status).toBe(403);
    const again = await ask(app, browser, { scope: ["email"] });
    await browser.open(await app.fake.authorize(again));
    expect((await sessionOf(app, browser)).scopes).toEqual(all);
    expect(await app.login.sessionsOf(ADA)).toHaveLength(1);
  });

  test("keeps its session if the response is lost", async () => {
    const { app, browser } = await createWorld();
    expect((await sessionOf(app, browser)).scopes).toContain("connections");
  });
});

describe.each([false, true])(
  "With a store, forget() (backgroundTokens: %s)",
  (backgroundTokens) => {
    test("removes the tokens in the progress of a login and of a consent whose processes have stopped", async () => {
      const store = new RecordingStore();
      const options = { store, backgroundTokens, secret: generateState() };
      const app = createApp({ ...options, onLogin: () => new Response("no", { status: 403 }) });
      const tab = new Browser(app);
      const refused = await tab.consent();
      await tab.open(refused);
      const browser = await logIn(createApp(options, app.fake));
      const callback = await app.fake.authorize(await ask(app, browser, MORE));
      const stopped = Promise.withResolvers<void>();
      const onLogin = () => {
        stopped.resolve();
        return new Promise<never>(() => {});
      };
      void createApp({ ...options, onLogin }, app.fake).fetch(browser.jar.request(callback));
      await stopped.promise;
      await app.login.forget(ADA);
      const records = await store.keys("guildpass:progress:");
      const values = await Promise.all(records.map((key) => store.load(key)));
      const statuses = values.map((found) => Object(found?.value).status);
      // The session of the refused login had left the list before.
      expect(statuses).toEqual(["exchanged", "failed", "failed"]);
      expect(await browser.whoAmI()).toBeNull();
    });
  },
);

test("A consent after a change of backgroundTokens leaves no token of the session's own", async () => {
  const store = new RecordingStore();
  const options = { store, secret: generateState() };
  const own = createApp(options);
  const browser = await logIn(own);
  const shared = createApp({ ...options, backgroundTokens: true }, own.fake);
  const namespace = new Namespace(sampleApplication.id, own.fake.platform.issuer, "");
  const { digest, sealer } = await namespace.sessionKeys(sessionCookie(browser) ?? "");
  const hasOwnToken = async () => {
    const found = await store.load(`guildpass:session:${digest}`);
    return Object(await sealer.open(digest, found?.value)).token !== null;
  };
  for (const [app, scope] of [[shared, "connections"], [own, "email"]] as const) {
    const callback = await own.fake.authorize(await ask(app, browser, { scope: [scope] }));
    await app.fetch(browser.jar.request(callback));
    expect(await hasOwnToken()).toBe(app === own);
    const { token } = await sessionOf(app, browser);
    expect((await (token as TokenSource).token()).scopes).toContain(scope);
  }
});

test("In cookie sessions, the last cookie of two consents at the same moment wins", async () => {
  const app = createApp({ keepToken: true });
  const browser = await logIn(app);
  const callbacks = [];
  for (const scope of ["connections", "email"] as const) {
    callbacks.push(await app.fake.authorize(await ask(app, browser, { scope: [scope] })));
  }
  const requests = callbacks.map((callback) => browser.jar.request(callback));
  for (const request of requests) browser.jar.store(await app.fetch(request), SITE);
  expect((await sessionOf(app, browser)).scopes).toEqual(["identify", "guilds", "email"]);
});

/**
 * Consents in two tabs to different scopes. The faster tab has saved the shared token, and not yet its session, when the slower tab saves
 * its token: the slower tab asks once more.
 *
 * @param first The tab whose consent begins first. `startedBefore` is a time between the two.
 */
async function consentInTwoTabs(
  first: "faster" | "slower",
  beforeSlowerEnds: (app: App, options: LoginSettings) => Promise<void> = () => Promise.resolve(),
) {
  const store = new MemoryStore();
  const options = { store, backgroundTokens: true, secret: generateState() };
  const app = createApp(options);
  const browser = await logIn(app);
  const faster = browser.jar.request(await app.fake.authorize(await ask(app, browser, MORE)));
  const slower = browser.jar.request(
    await app.fake.authorize(await ask(app, browser, { scope: ["email"] })),
  );
  const deciding = {
    faster: Promise.withResolvers<void>(),
    slower: Promise.withResolvers<void>(),
  };
  const fasterHasToken = Promise.withResolvers<void>();
  let hasToken: Promise<void> | undefined;
  const slowerHasEnded = Promise.withResolvers<void>();
  const slowerApp = createApp({
    ...options,
    async onLogin() {
      deciding.slower.resolve();
      await fasterHasToken.promise;
    },
  }, app.fake);
  const fasterApp = createApp({
    ...options,
    async onLogin() {
      deciding.faster.resolve();
      await deciding.slower.promise;
    },
    store: {
      load: (key) => store.load(key),
      async save(key, ...given) {
        // The token is saved, and the session is not.
        if (key.startsWith("guildpass:session:")) {
          hasToken ??= beforeSlowerEnds(app, options).then(fasterHasToken.resolve);
          await slowerHasEnded.promise;
        }
        return await store.save(key, ...given);
      },
      delete: (key) => store.delete(key),
    },
  }, app.fake);
  const openCallback = {
    faster: () => fasterApp.fetch(faster),
    slower: () => slowerApp.fetch(slower).finally(() => slowerHasEnded.resolve()),
  };
  const firstResponse = openCallback[first]();
  await deciding[first].promise;
  vi.advanceTimersByTime(2000);
  const startedBefore = Date.now() - 1000;
  const isFasterFirst = first === "faster";
  const secondResponse = openCallback[isFasterFirst ? "slower" : "faster"]();
  const [fasterResponse, slowerResponse] = isFasterFirst
    ? [await firstResponse, await secondResponse]
    : [await secondResponse, await firstResponse];
  return { app, browser, fasterResponse, slowerResponse, startedBefore };
}

test.each([...storages, sharedTokens])(
  "With sessions %s, a login asks for no scopes of the session, since another person may finish it",
  async (_where, storage) => {
    const app = createApp(storage());
    const browser = await logIn(app);
    await consent(app, browser, MORE);
    expect(scopesIn(await browser.begin("/"))).toEqual(["identify", "guilds"]);
    const callback = await browser.consent("/", "grace");
    await browser.open(callback);
    expect(await sessionOf(app, browser)).toMatchObject({
      user: { username: "grace" },
      scopes: ["identify", "guilds"],
    });
  },
);

test("A consent asks for openid too when the kept token has role_connections.write without it", async () => {
  const app = createApp({ store: new MemoryStore(), backgroundTokens: true });
  const browser = await logIn(app);
  const source: TokenSource = app.login.tokensOf(ADA);
  const scopes = ["identify", "guilds", "role_connections.write"];
  const api = new PlatformApi(
    sampleApplication.id,
    sampleApplication.secret,
    ["identify"],
    null,
    app.fake,
  );
  await source.save(await api.refresh(app.fake.issueToken({ scopes }).refresh_token ?? ""));
  expect(scopesIn(await ask(app, browser, MORE)))
    .toEqual(["identify", "guilds", "connections", "role_connections.write", "openid"]);
});

describe("A silent renewal", () => {
  test("asks for the further scopes that the session had, and for no bot", async () => {
    const app = createApp();
    const browser = await logIn(app);
    await consent(app, browser, { scope: ["connections", "bot"], guildId: GUILD });
    vi.advanceTimersByTime(7 * DAY + 1000);
    const link = locationOf(await browser.open("/"));
    expect(new URL(link).searchParams.get("prompt")).toBe("none");
    expect(scopesIn(link)).toEqual(["identify", "guilds", "connections"]);
    await browser.open(await app.fake.authorize(link));
    expect((await sessionOf(app, browser)).scopes).toEqual(scopesIn(link));
  });

  test("is none when the application asks for further scopes", async () => {
    const app = createApp();
    const browser = await logIn(app);
    await consent(app, browser, MORE);
    vi.advanceTimersByTime(7 * DAY + 1000);
    const link = await ask(app, browser, { scope: ["email"] });
    expect(new URL(link).searchParams.get("prompt")).toBeNull();
    expect(scopesIn(link)).toEqual(["identify", "guilds", "email"]);
    // The session has ended, so this is a login, also of another person.
    await browser.open(await app.fake.authorize(link, { as: "grace" }));
    expect(await sessionOf(app, browser)).toMatchObject({
      user: { username: "grace" },
      startedAt: Date.now(),
    });
  });

  test.each<[string, (app: App, link: string) => Promise<string>]>([
    ["that is refused", ({ fake }, link) => fake.deny(link)],
    [
      "that another person finishes",
      ({ fake }, link) => fake.authorize(link, { as: "grace" }),
    ],
  ])("%s begins a login, which asks for no further scopes", async (_what, finish) => {
    const app = createApp();
    const browser = await logIn(app);
    await consent(app, browser, MORE);
    vi.advanceTimersByTime(7 * DAY + 1000);
    const callback = await finish(app, locationOf(await browser.open("/")));
    const link = locationOf(await browser.open(callback));
    expect(scopesIn(link)).toEqual(["identify", "guilds"]);
    expect(new URL(link).searchParams.get("prompt")).toBeNull();
  });
});

describe("The scopes of one consent decide", () => {
  test("if a bot is added, and its guild comes from the token", async () => {
    const bots: unknown[] = [];
    const onLogin = ({ guildId, permissions, token }: {
      guildId: string | null;
      permissions: string | null;
      token: TokenObj;
    }) => void bots.push([guildId, permissions, token.guild?.id]);
    const app = createApp({ onLogin });
    const browser = await logIn(app);
    const link = await ask(app, browser, {
      scope: ["bot"],
      permissions: ["view_channel"],
      guildId: GUILD,
      disableGuildSelect: true,
      returnTo: `/guilds/${GUILD}`,
    });
    const { searchParams } = new URL(link);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      scope: "identify guilds bot",
      guild_id: GUILD,
      disable_guild_select: "true",
      permissions: "1024",
    });
    const callback = new URL(await app.fake.authorize(link));
    callback.searchParams.set("guild_id", "1200000000000000002");
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/guilds/${GUILD}`);
    expect(bots).toEqual([[null, null, undefined], [GUILD, "1024", GUILD]]);
  });

  test("with the channel of a webhook selected on the consent page", async () => {
    const app = createApp({});
    const browser = await logIn(app);
    const link = await ask(app, browser, { scope: ["webhook.incoming"], channelId: GUILD });
    expect(new URL(link).searchParams.get("channel_id")).toBe(GUILD);
  });

  test("if an address can name a guild, where the token names none", async () => {
    const bots: unknown[] = [];
    const app = createApp({ onLogin: ({ guildId }) => void bots.push(guildId) });
    const browser = await logIn(app);
    for (const scope of ["bot", "email"] as const) {
      const { access_token } = app.fake.issueToken({ scopes: ["identify", scope] });
      const body = { access_token, token_type: "Bearer", scope: `identify ${scope}` };
      app.fake.failNext({ path: "/oauth2/token", status: 200, body });
      const callback = new URL(
        await app.fake.authorize(await ask(app, browser, { scope: [scope] })),
      );
      callback.searchParams.set("guild_id", GUILD);
      await browser.open(callback);
    }
    expect(bots).toEqual([null, GUILD, null]);
  });

  test("if it has a PKCE challenge", async () => {
    const app = createApp();
    const browser = await logIn(app);
    const link = await ask(app, browser, { scope: ["openid", "role_connections.write"] });
    expect(new URL(link).searchParams.has("code_challenge")).toBe(false);
    await browser.open(await app.fake.authorize(link));
    expect((await sessionOf(app, browser)).scopes).toContain("role_connections.write");
    // The session has the scope from now on, so the next consent asks for it too.
    expect(new URL(await ask(app, browser, MORE)).searchParams.has("code_challenge")).toBe(false);
    const other = await ask(app, new Browser(app), MORE);
    expect(new URL(other).searchParams.has("code_challenge")).toBe(true);
  });

  test("if it has a nonce, and if its id_token is checked", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const app = createApp();
    const browser = await logIn(app);
    const link = new URL(await ask(app, browser, { scope: ["openid"] }));
    expect(link.searchParams.has("nonce")).toBe(true);
    expect((await browser.open(await app.fake.authorize(link))).status).toBe(302);
    const next = new URL(await ask(app, browser, { scope: ["openid"] }));
    next.searchParams.set("nonce", "of-another-login");
    const page = await browser.open(await app.fake.authorize(next));
    expect(page.status).toBe(500);
    expect(await page.text()).toContain("Something went wrong");
  });
});

describe("start() refuses", () => {
  test.each([
    [
      "a misspelled scope",
      ["conections"],
      'scope[0] is not a known scope: did you mean "connections"?',
    ],
    ["a scope of client credentials", ["applications.commands.update"], "clientCredentials()"],
    [
      "an empty list",
      [],
      'scope must be a list like ["identify"]',
    ],
    [
      "text in place of a list",
      "connections",
      'scope must be a list like ["identify"]',
    ],
    [
      "scopes that fit into no cookie",
      Array.from({ length: 300 }, (_, index) => `example.scope${index}`),
      "data and scope must fit in a cookie",
    ],
  ])("%s", async (_what, scope, message) => {
    const { login } = createApp();
    const start = login.start(new Request(SITE), { scope: scope as never });
    await expect(start).rejects.toThrow(TypeError);
    await expect(login.start(new Request(SITE), { scope: scope as never })).rejects.toThrow(
      message,
    );
  });

  test("role_connections.write for a public client", async () => {
    const { login } = createApp({ clientSecret: null });
    const start = login.start(new Request(SITE), {
      scope: ["openid", "role_connections.write"],
    });
    await expect(start).rejects.toThrow("which needs a clientSecret");
  });

  test("role_connections.write without openid, which may be in the options or in the session", async () => {
    const app = createApp();
    const browser = await logIn(app);
    const options = { scope: ["role_connections.write"] } as const;
    const refusal = new TypeError(
      'scope has "role_connections.write", which needs "openid" too: the platform refuses PKCE with it, so only the id_token ' +
        "protects against a stolen code",
    );
    for (const request of [new Request(SITE), browser.jar.request(SITE)]) {
      await expect(app.login.start(request, options)).rejects.toThrow(refusal);
    }
    await consent(app, browser, { scope: ["openid"] });
    expect(scopesIn(await ask(app, browser, options)))
      .toEqual(["identify", "guilds", "role_connections.write", "openid"]);
    const other = createApp({ scope: ["identify", "openid"] as never });
    expect(scopesIn(await ask(other, new Browser(other), options)))
      .toEqual(["identify", "openid", "role_connections.write"]);
  });
});

describe("A callback of a bot that comes too late", () => {
  test("leads to a page that says to look into the guild", async () => {
    const app = createApp();
    const browser = await logIn(app);
    const link = await ask(app, browser, { scope: ["bot"], guildId: GUILD });
    const callback = await app.fake.authorize(link);
    vi.advanceTimersByTime(600_000);
    for (const late of [browser, new Browser(app)]) {
      const page = await late.open(callback);
      expect(page.status).toBe(400);
      const text = await page.text();
      expect(text).toContain("Check your server on Discord");
      expect(text).not.toContain(GUILD);
    }
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("leads there too when its code is used up", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const app = createApp();
    const browser = await logIn(app);
    const callback = await app.fake.authorize(await ask(app, browser, { scope: ["bot"] }));
    const body = { error: "invalid_grant" };
    app.fake.failNext({ path: "/oauth2/token", status: 400, body });
    expect(await (await browser.open(callback)).text()).toContain("Check your server");
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("is an error for onError and for finish()", async () => {
    const onError = vi.fn(() => new Response("Check your server"));
    const app = createApp({ onError });
    const browser = await logIn(app);
    const callback = `/callback?code=x&state=y&guild_id=${GUILD}`;
    expect(await (await browser.open(callback)).text()).toBe("Check your server");
    const expected = {
      code: "state_mismatch",
      hint: expect.stringContaining("The bot may still have been added"),
    };
    expect(onError.mock.calls).toEqual([[expect.objectContaining(expected), expect.anything()]]);
    const finish = app.login.finish(browser.jar.request(`${SITE}${callback}`));
    await expect(finish).rejects.toMatchObject(expected);
  });

  test("explains itself to the developer on this machine", async () => {
    const app = createApp();
    const request = new Request(`http://localhost:3000/callback?code=x&guild_id=${GUILD}`);
    const page = await (await app.fetch(request)).text();
    expect(page).toContain("Check your server on Discord");
    expect(page).toContain("including the install link");
  });
});

describe("The callback of another Login of the site", () => {
  test("ends in an error that names the cause", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const fake = createApp().fake;
    const shared = { secret: generateState() };
    const people = createApp({ ...shared, redirectUri: null }, fake);
    const admins = createApp({ ...shared, name: "admins", loginPath: "/admins/login" }, fake);
    for (
      const [one, other, path] of [
        [people, admins, "/login"],
        [admins, people, "/admins/login"],
      ] as const
    ) {
      const browser = new Browser(one);
      const callback = await fake.authorize(locationOf(await browser.open(path)));
      const request = browser.jar.request(callback);
      await expect(other.login.finish(request)).rejects.toMatchObject({
        reason: "other_login",
        hint: expect.stringContaining("Give each Login its own callbackPath"),
      });
      const page = await other.fetch(request);
      expect(page.status).toBe(500);
      expect(log).toHaveBeenLastCalledWith(expect.objectContaining({ reason: "other_login" }));
      // It does so for a person with a session of the other login too.
      const { jar } = browser;
      const start = await other.login.start(jar.request(SITE), { returnTo: "/" });
      jar.store(start, SITE);
      jar.store(await other.fetch(jar.request(await fake.authorize(locationOf(start)))), SITE);
      expect(await other.login.session(jar.request(SITE))).not.toBeNull();
      expect((await other.fetch(jar.request(callback))).status).toBe(500);
      // The login is still there for its own login.
      expect(locationOf(await browser.open(callback))).toBe(`${SITE}/`);
    }
  });
});
