import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  ApiError,
  generateState,
  MemoryStore,
  NetworkError,
  OAuthError,
  type Scope,
  type TokenObj,
  TokenSource,
  User,
} from "../../../mod.ts";
import type { LoginEvent, LoginOptions } from "../../../src/login/mod.ts";
import { Namespace } from "../../../src/login/site/namespace.ts";
import { PersonTokens } from "../../../src/login/sessions/person_tokens.ts";
import { createSealer } from "../../../src/stores/sealed.ts";
import { createFakePlatform } from "../../../src/testing/mod.ts";
import { ModelPlatform } from "../../support/model_platform.ts";
import { type App, Browser, createApp, locationOf, SITE } from "../test_app.ts";

const DAY = 86_400_000;
const ADA = "1000000000000000001";

const narrow: readonly Scope[] = ["identify", "guilds"];
const wide: readonly Scope[] = ["identify", "guilds", "connections"];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  return () => vi.useRealTimers();
});

/** Creates an application that keeps tokens for jobs. */
function createJobApp(options: Partial<LoginOptions> = {}, platform?: App["fake"]): App {
  const defaults = { store: new MemoryStore(), backgroundTokens: true, secret: generateState() };
  const all = { ...defaults, ...options };
  const app = createApp(all as never, platform);
  optionsOf.set(app, all);
  return app;
}

const optionsOf = new WeakMap<App, Partial<LoginOptions>>();

/** Creates an application with the same store, with something that happens once, after the platform's response to a request. */
function withInterruption(app: App, path: string, act: () => Promise<unknown>): App {
  const { fake } = app;
  let isOver = false;
  return createJobApp({
    ...optionsOf.get(app),
    fetch: async (url, init) => {
      const response = await fake.fetch(url, init);
      if (url.endsWith(path) && !isOver) {
        isOver = true;
        await act();
      }
      return response;
    },
  }, fake);
}

/** Creates an application, and another one for which its people grant more scopes. */
function createTwoApps(options: Partial<LoginOptions> = {}): { app: App; wider: App } {
  const shared = { store: new MemoryStore(), secret: generateState(), ...options };
  const app = createJobApp(shared);
  return { app, wider: createJobApp({ ...shared, scope: wide as never }, app.fake) };
}

async function logIn(app: App): Promise<Browser> {
  const browser = new Browser(app);
  const response = await browser.open(await browser.consent("/", "ada"));
  expect(response.headers.getSetCookie().join()).toContain("session=");
  return browser;
}

async function sessionOf({ login }: App, browser: Browser) {
  return await login.session(browser.jar.request(SITE));
}

async function tokenOf({ login }: App): Promise<string> {
  return (await login.tokensOf(ADA).token()).access_token;
}

async function nameWith({ fake }: App, source: TokenSource): Promise<string> {
  return (await new User(source, fake).getCurrentUser()).username;
}

/** Issues a token of Ada as another library would have stored it. */
function issue({ fake }: App, scopes: readonly Scope[]): TokenObj<"identify" | "guilds"> {
  const { access_token, refresh_token = null } = fake.issueToken({ as: "ada", scopes });
  return {
    access_token,
    refresh_token,
    token_type: "Bearer",
    scope: scopes.join(" "),
    scopes: [...scopes],
    expires_in: 604_800,
    expires_at: Date.now() + 604_800_000,
    guild: null,
    webhook: null,
    id_token: null,
  };
}

/** Returns the requests that tried a kept token. */
function trials({ fake }: App): readonly unknown[] {
  return fake.requests.filter(({ path }) => path.endsWith("/oauth2/@me"));
}

/** A 429 that ends too late for the login to wait. */
const limit = { status: 429, headers: { "retry-after": "3600" } };

const noToken = { name: "LoginRequiredError", reason: "no_token" };
const unreadable = { name: "LoginRequiredError", reason: "unreadable" };

describe("tokensOf()", () => {
  test("gives the token of the person's sessions, and either side refreshes it for both", async () => {
    const app = createJobApp();
    const { token } = await sessionOf(app, await logIn(app)) ?? {};
    expect(token).toBeInstanceOf(TokenSource);
    for (let week = 0; week < 6; week++) {
      vi.advanceTimersByTime(7 * DAY);
      const sources = [token as TokenSource, app.login.tokensOf(ADA)];
      const [first, second] = week % 2 ? sources : sources.reverse();
      const { access_token } = await first?.token() ?? {};
      expect((await second?.token())?.access_token).toBe(access_token);
      expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
    }
    const exchanges = app.fake.requests.filter(({ path }) => path.endsWith("/oauth2/token"));
    expect(exchanges).toHaveLength(1 + 6);
  });

  // The random number decides when in the last quarter of its lifetime a token is refreshed.
  test.each([0, 0.999])(
    "gives a token every night, although the platform is down in the nights 7 and 14: %d",
    async (random) => {
      const spy = vi.spyOn(Math, "random").mockReturnValue(random);
      onTestFinished(() => spy.mockRestore());
      const app = createJobApp();
      await logIn(app);
      for (let night = 1; night <= 21; night++) {
        vi.advanceTimersByTime(DAY);
        const outage = { path: "/oauth2/token", status: 503 };
        const end = night % 7 === 0 ? app.fake.failNext(outage) : () => {};
        expect(await tokenOf(app)).toEqual(expect.any(String));
        end();
        expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
      }
    },
  );

  test("gives the same token as all sessions of the person, which is that of the latest login", async () => {
    const app = createJobApp();
    const first = await logIn(app);
    const before = await tokenOf(app);
    await logIn(app);
    const after = await tokenOf(app);
    expect(after).not.toBe(before);
    const token = (await sessionOf(app, first))?.token as TokenSource;
    expect((await token.token()).access_token).toBe(after);
    expect(trials(app)).toEqual([]);
  });

  test("gives the token after a logout, and long after the last session", async () => {
    const app = createJobApp();
    const browser = await logIn(app);
    await logIn(app);
    await browser.open("/logout", { method: "POST" });
    expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
    vi.advanceTimersByTime(200 * DAY);
    expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
  });

  test("gives a token that was saved from elsewhere, to new sessions too", async () => {
    const app = createJobApp({ scope: narrow as never });
    await app.login.tokensOf(ADA).save(issue(app, wide));
    expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
    const session = await sessionOf(app, await logIn(app));
    expect(session?.scopes).toEqual(wide);
  });

  test("leaves a wider token that works when a narrower one is saved from elsewhere", async () => {
    const { app, wider } = createTwoApps();
    const browser = await logIn(wider);
    const kept = await tokenOf(app);
    const { access_token, scope } = issue(app, narrow);
    for (const given of [issue(app, narrow), { access_token, scope }]) {
      await app.login.tokensOf(ADA).save(given);
      expect(await tokenOf(app)).toBe(kept);
    }
    const { token } = await sessionOf(app, browser) ?? {};
    await (token as TokenSource).save(issue(app, narrow));
    expect(await tokenOf(app)).toBe(kept);
    expect(trials(app)).toHaveLength(3);
    // The session that has brought the kept token can still end it.
    await app.login.endAll(ADA, { tokens: true });
    await expect(tokenOf(app)).rejects.toMatchObject(noToken);
  });

  test("gives a narrower token from elsewhere if the platform refuses the wider one", async () => {
    const { app, wider } = createTwoApps();
    await logIn(wider);
    await app.fake.removeApplication({ as: "ada" });
    await app.login.tokensOf(ADA).save(issue(app, narrow));
    expect((await app.login.tokensOf(ADA).token()).scopes).toEqual(narrow);
    expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
  });

  test("throws a TypeError without backgroundTokens, and for anything but a snowflake", async () => {
    for (const app of [createApp(), createApp({ store: new MemoryStore() })]) {
      expect(() => app.login.tokensOf(ADA)).toThrow(
        new TypeError("tokensOf() needs the option backgroundTokens: true, and a store"),
      );
    }
    const app = createJobApp();
    expect(() => app.login.tokensOf("ada")).toThrow("userId must be digits");
    const { tokensOf } = app.login;
    await expect(tokensOf(ADA).token()).rejects.toMatchObject(noToken);
  });

  test("keeps no token of a person after a refusal of onLogin", async () => {
    const app = createJobApp({ onLogin: () => new Response("No", { status: 403 }) });
    const browser = new Browser(app);
    await browser.open(await browser.consent());
    await expect(app.login.tokensOf(ADA).token()).rejects.toMatchObject(noToken);
  });

  test("finds no token of a login with another name or of another platform", async () => {
    const shared = { store: new MemoryStore(), secret: generateState() };
    const app = createJobApp(shared);
    await logIn(app);
    for (
      const other of [
        createJobApp({ ...shared, name: "owners" }, app.fake),
        createJobApp(shared, createFakePlatform({ origin: "http://127.0.0.1:9" })),
      ]
    ) {
      await expect(other.login.tokensOf(ADA).token()).rejects.toMatchObject(noToken);
    }
  });
});

describe("A token for background jobs", () => {
  test("is encrypted, under a name without the person's id, and the first of several secrets encrypts", async () => {
    const store = new MemoryStore();
    const saved: string[] = [];
    const save = vi.spyOn(store, "save");
    const older = generateState();
    const app = createJobApp({ store, secret: older });
    const browser = await logIn(app);
    const token = await tokenOf(app);
    for (const [key, value] of save.mock.calls) saved.push(key, JSON.stringify(value));
    expect(saved.filter((text) => /^guildpass:token-of:[\w-]+$/.test(text))).toHaveLength(1);
    expect(saved.join()).not.toMatch(new RegExp(`${token}|${ADA}`));

    const newer = generateState();
    const both = createJobApp({ store, secret: [newer, older] }, app.fake);
    expect(await tokenOf(both)).toBe(token);
    const alone = createJobApp({ store, secret: newer }, app.fake);
    await expect(tokenOf(alone)).rejects.toMatchObject(unreadable);
    vi.advanceTimersByTime(7 * DAY - 1000);
    const refreshed = await tokenOf(both);
    expect(refreshed).not.toBe(token);
    expect(await tokenOf(alone)).toBe(refreshed);
    // The session needs no secret.
    expect(await sessionOf(alone, browser)).not.toBeNull();
  });

  test("can't be opened when its secret is gone, and the sessions go on; the next login brings another", async () => {
    const store = new MemoryStore();
    const before = createJobApp({ store });
    const browser = await logIn(before);
    const after = createJobApp({ store }, before.fake);
    const session = await sessionOf(after, browser);
    expect(session?.user).toMatchObject({ username: "ada" });
    const source = session?.token as TokenSource;
    await expect(source.token()).rejects.toMatchObject(unreadable);
    // It may belong to a later login of a process that has the secret.
    await after.login.endAll(ADA, { tokens: true, startedBefore: Date.now() + DAY });
    expect(await tokenOf(before)).toEqual(expect.any(String));
    await logIn(after);
    expect(await nameWith(after, source)).toBe("ada");
    await expect(tokenOf(before)).rejects.toMatchObject(unreadable);
    await before.login.endAll(ADA, { tokens: true });
    await expect(tokenOf(after)).rejects.toMatchObject(noToken);
  });

  test("is not that of a session which began before the option", async () => {
    const store = new MemoryStore();
    const before = createApp({ store });
    const browser = await logIn(before);
    const after = createJobApp({ store }, before.fake);
    const source = (await sessionOf(after, browser))?.token as TokenSource;
    expect(await nameWith(after, source)).toBe("ada");
    await expect(tokenOf(after)).rejects.toMatchObject(noToken);
    const own = (await source.token()).access_token;
    await logIn(after);
    expect(await tokenOf(after)).not.toBe(own);
    const same = (await sessionOf(after, browser))?.token as TokenSource;
    expect((await same.token()).access_token).toBe(own);
  });

  test("serves its sessions to their end after the option was switched off", async () => {
    const shared = { store: new MemoryStore(), secret: generateState() };
    const before = createJobApp(shared);
    const browser = await logIn(before);
    const after = createApp(shared, before.fake);
    const source = (await sessionOf(after, browser))?.token as TokenSource;
    expect(await nameWith(after, source)).toBe("ada");
    await after.login.endAll(ADA, { tokens: true });
    expect(await sessionOf(after, browser)).toBeNull();
    expect(await tokenOf(before)).toEqual(expect.any(String));
    await after.login.forget(ADA);
    await expect(tokenOf(before)).rejects.toMatchObject(noToken);
  });
});

describe("The end of a token for background jobs", () => {
  test("comes by endAll() with tokens, and by no other endAll()", async () => {
    const app = createJobApp();
    await logIn(app);
    await app.login.endAll(ADA);
    await app.login.endAll(ADA, { tokens: false });
    expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
    await app.login.endAll(ADA, { tokens: true });
    await expect(app.login.tokensOf(ADA).token()).rejects.toMatchObject(noToken);
    // It is not revoked, and a second call does no harm.
    await app.login.endAll(ADA, { tokens: true });
    await logIn(app);
    expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
  });

  test("does not come by endAll() with startedBefore and tokens if its login was later, also after a refresh", async () => {
    const app = createJobApp({ idleTimeout: 20 * 86_400 });
    const earlier = Date.now();
    vi.advanceTimersByTime(1000);
    const browser = await logIn(app);
    vi.advanceTimersByTime(10 * DAY);
    await tokenOf(app);
    await app.login.endAll(ADA, { tokens: true, startedBefore: earlier });
    await app.login.endAll(ADA, { tokens: true, startedBefore: earlier + 1000 });
    expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
    expect(await sessionOf(app, browser)).not.toBeNull();
    await app.login.endAll(ADA, { tokens: true, startedBefore: earlier + 1001 });
    await expect(tokenOf(app)).rejects.toMatchObject(noToken);
    expect(await sessionOf(app, browser)).toBeNull();
  });

  test("does not come by an event from before a login with fewer scopes, after which it works", async () => {
    const { app, wider } = createTwoApps();
    await logIn(wider);
    vi.advanceTimersByTime(1000);
    const event = Date.now();
    vi.advanceTimersByTime(1000);
    await logIn(app);
    await app.login.endAll(ADA, { tokens: true, startedBefore: event });
    expect((await app.login.tokensOf(ADA).token()).scopes).toEqual(wide);
  });

  test("comes by forget(), which leaves nothing of the person in the store", async () => {
    const store = new MemoryStore();
    const app = createJobApp({ store });
    await logIn(app);
    await logIn(app);
    await app.login.forget(ADA);
    await expect(tokenOf(app)).rejects.toMatchObject(noToken);
    // The progress of the two logins goes by itself.
    expect(store.size).toBe(2);
  });

  test("comes by a logout everywhere, which revokes it, and also if the platform can't be reached", async () => {
    const app = createJobApp();
    for (const status of [200, 503]) {
      const browser = await logIn(app);
      const other = await logIn(app);
      const { access_token } = await app.login.tokensOf(ADA).token();
      if (status === 503) app.fake.failNext({ path: "/oauth2/token/revoke", status, times: 2 });
      await app.login.end(browser.jar.request(`${SITE}/logout`), { everywhere: true });
      await expect(tokenOf(app)).rejects.toMatchObject(noToken);
      expect(await sessionOf(app, other)).toBeNull();
      const user = new User(access_token, app.fake).getCurrentUser();
      if (status === 503) expect(await user).toMatchObject({ username: "ada" });
      else await expect(user).rejects.toMatchObject({ httpStatus: 401 });
    }
  });

  test("comes by revoke(), which can be repeated until the platform responds", async () => {
    const app = createJobApp();
    const browser = await logIn(app);
    const { access_token } = await app.login.tokensOf(ADA).token();
    app.fake.failNext({ path: "/oauth2/token/revoke", status: 503 });
    await expect(app.login.revoke(ADA)).rejects.toMatchObject({ httpStatus: 503 });
    expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
    await app.login.revoke(ADA);
    await expect(tokenOf(app)).rejects.toMatchObject(noToken);
    await expect(new User(access_token, app.fake).getCurrentUser()).rejects.toMatchObject({
      httpStatus: 401,
    });
    // The session goes on without a token.
    expect(await sessionOf(app, browser)).not.toBeNull();
    // Without a token, it has no effect.
    const { length } = app.fake.requests;
    await app.login.revoke(ADA);
    expect(app.fake.requests).toHaveLength(length);
  });

  test("does not come by revoke() with startedBefore if its login was later", async () => {
    const app = createJobApp();
    const event = Date.now();
    await logIn(app);
    await app.login.revoke(ADA, { startedBefore: event });
    expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
    await app.login.revoke(ADA, { startedBefore: new Date(event + 1) });
    await expect(tokenOf(app)).rejects.toMatchObject(noToken);
  });

  test("is refused by revoke() without backgroundTokens, and for wrong arguments", async () => {
    const app = createApp({ store: new MemoryStore() });
    await expect(app.login.revoke(ADA)).rejects.toThrow(
      "revoke() needs the option backgroundTokens",
    );
    await expect(app.login.revoke("ada")).rejects.toThrow(/^userId must be digits/);
    const wrong = { startedBefore: "today" as never };
    await expect(app.login.revoke(ADA, wrong)).rejects.toThrow(/^options.startedBefore must be/);
    await expect(app.login.revoke(ADA, { before: 1 } as object)).rejects.toThrow("unknown");
  });

  test("waits for revoke() after a logout everywhere that the platform did not hear of", async () => {
    const events: LoginEvent[] = [];
    const app = createJobApp({ onEvent: (event) => void events.push(event) });
    const browser = await logIn(app);
    const { access_token } = await app.login.tokensOf(ADA).token();
    app.fake.failNext({ path: "/oauth2/token/revoke", status: 500, times: 2 });
    await app.login.end(browser.jar.request(`${SITE}/logout`), { everywhere: true });
    expect(events.at(-2)).toMatchObject({
      kind: "revocation_failed",
      userId: ADA,
      code: "api_error",
      reason: null,
      httpStatus: 500,
    });
    // Nothing uses the token, and it still works at the platform.
    await expect(tokenOf(app)).rejects.toMatchObject(noToken);
    const user = () => new User(access_token, app.fake).getCurrentUser();
    expect(await user()).toMatchObject({ username: "ada" });
    await app.login.revoke(ADA);
    await expect(user()).rejects.toMatchObject({ httpStatus: 401 });
  });

  test.each([
    ["once more after a 503", 503, 0, 2],
    ["once after a 503 that took the whole time", 503, 10_000, 1],
    ["once if the platform refuses the application", 401, 0, 1],
  ])("tells a failed revocation that was sent %s", async (_, status, milliseconds, requests) => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const kinds: string[] = [];
    const app = createJobApp({ onEvent: ({ kind }) => void kinds.push(kind) });
    const browser = await logIn(app);
    const body = status === 401 ? { error: "invalid_client" } : { message: "busy" };
    const slow = createJobApp({
      ...optionsOf.get(app),
      async fetch(url, init) {
        if (!url.endsWith("/revoke")) return await app.fake.fetch(url, init);
        vi.advanceTimersByTime(milliseconds);
        kinds.push("request");
        return Response.json(body, { status });
      },
    }, app.fake);
    kinds.length = 0;
    await slow.login.end(browser.jar.request(`${SITE}/logout`), { everywhere: true });
    expect(kinds.filter((kind) => kind === "request")).toHaveLength(requests);
    expect(kinds).toContain("revocation_failed");
  });

  test("tells a failed revocation if the platform leaves the second request without a response", async () => {
    const kinds: string[] = [];
    const app = createJobApp({ onEvent: ({ kind }) => void kinds.push(kind) });
    const browser = await logIn(app);
    const realSetTimeout = setTimeout;
    vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"] });
    let requests = 0;
    const slow = createJobApp({
      ...optionsOf.get(app),
      async fetch() {
        if (requests++ === 0) return Response.json({ message: "busy" }, { status: 503 });
        return await new Promise(() => {});
      },
    }, app.fake);
    const request = browser.jar.request(`${SITE}/logout`);
    const ended = slow.login.end(request, { everywhere: true });
    let isEnded = false;
    void ended.finally(() => isEnded = true);
    while (!isEnded) {
      // A busy machine has as much time for the first request as an idle one.
      await new Promise((resolve) => realSetTimeout(resolve, 5));
      await vi.advanceTimersByTimeAsync(requests < 2 ? 5 : 1000);
    }
    expect(requests).toBe(2);
    expect(kinds).toContain("revocation_failed");
    expect(await sessionOf(app, browser)).toBeNull();
  });

  test("after a failed revocation is over with the next login, whose token takes its place", async () => {
    const { app, wider } = createTwoApps();
    const browser = await logIn(wider);
    app.fake.failNext({ path: "/oauth2/token/revoke", status: 500, times: 2 });
    await wider.login.end(browser.jar.request(`${SITE}/logout`), { everywhere: true });
    await logIn(app);
    expect((await app.login.tokensOf(ADA).token()).scopes).not.toEqual(wide);
    expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
  });

  test("is final: a refresh that ends after it does not bring the token back", async () => {
    const app = createJobApp();
    for (
      const end of [() => app.login.endAll(ADA, { tokens: true }), () => app.login.forget(ADA)]
    ) {
      await logIn(app);
      vi.advanceTimersByTime(8 * DAY);
      const refreshing = withInterruption(app, "/oauth2/token", end);
      await expect(tokenOf(refreshing)).rejects.toMatchObject(noToken);
      await expect(tokenOf(app)).rejects.toMatchObject(noToken);
    }
  });

  test("comes by endAll() with tokens during the login too, which then begins no session", async () => {
    const store = new MemoryStore();
    const app = createJobApp({ store });
    const browser = new Browser(app);
    const callback = await browser.consent("/", "ada");
    endBeforeTokenIsSaved(store, () => app.login.endAll(ADA, { tokens: true }));
    const response = await browser.open(callback);
    expect(response.headers.getSetCookie().join()).not.toContain("session=");
    await expect(tokenOf(app)).rejects.toMatchObject(noToken);
  });

  test("does not come by endAll() without tokens during a later login", async () => {
    const store = new MemoryStore();
    const app = createJobApp({ store });
    await logIn(app);
    const browser = new Browser(app);
    const callback = await browser.consent("/", "ada");
    endBeforeTokenIsSaved(store, () => app.login.endAll(ADA));
    const response = await browser.open(callback);
    expect(response.headers.getSetCookie().join()).not.toContain("session=");
    expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
  });

  test("throws when the store saves nothing", async () => {
    const store = new MemoryStore();
    const app = createJobApp({ store });
    await logIn(app);
    const save = store.save.bind(store);
    vi.spyOn(store, "save").mockImplementation((key, ...rest) =>
      key.startsWith("guildpass:token-of:") ? Promise.resolve(null) : save(key, ...rest)
    );
    letTimePass();
    await expect(app.login.endAll(ADA, { tokens: true })).rejects.toThrow(
      "The token of the user was not changed: another request changed the value in each of 20 attempts",
    );
  });
});

/** Lets 30 seconds pass with each look at the clock. */
function letTimePass(): void {
  let now = performance.now();
  const spy = vi.spyOn(performance, "now").mockImplementation(() => now += 30_000);
  onTestFinished(() => spy.mockRestore());
}

/** Ends sessions just before the token of a login is saved. */
function endBeforeTokenIsSaved(store: MemoryStore, end: () => Promise<unknown>): void {
  const save = store.save.bind(store);
  let isOver = false;
  vi.spyOn(store, "save").mockImplementation(async (key, value, options) => {
    if (key.startsWith("guildpass:token-of:") && !isOver) {
      isOver = true;
      await end();
    }
    return await save(key, value, options);
  });
}

describe("A login with fewer scopes than the kept token", () => {
  test("leaves the kept token if that works, and revokes nothing", async () => {
    const { app, wider } = createTwoApps();
    await logIn(wider);
    const kept = await tokenOf(app);
    const browser = await logIn(app);
    expect(await tokenOf(app)).toBe(kept);
    expect(trials(app)).toHaveLength(1);
    const session = await sessionOf(app, browser);
    expect(session?.scopes).toEqual(wide);
    expect(await nameWith(app, session?.token as TokenSource)).toBe("ada");
    expect(app.fake.requests.some(({ path }) => path.endsWith("/revoke"))).toBe(false);
  });

  test("shows at the next view what has changed at the platform", async () => {
    const { app, wider } = createTwoApps();
    const browser = await logIn(wider);
    const nameNow = async () =>
      (await (await sessionOf(app, browser))?.api?.getCurrentUser())?.global_name;
    const before = await nameNow();
    app.fake.update({ users: { ada: { global_name: "Countess" } } });
    expect(await nameNow()).toBe(before);
    await logIn(app);
    expect(await nameNow()).toBe("Countess");
  });

  test("refreshes the kept token first if that has expired", async () => {
    const { app, wider } = createTwoApps();
    await logIn(wider);
    vi.advanceTimersByTime(8 * DAY);
    await logIn(app);
    expect((await app.login.tokensOf(ADA).token()).scopes).toEqual(wide);
  });

  test("replaces the kept token if the platform refuses it", async () => {
    for (const age of [0, 8 * DAY]) {
      const { app, wider } = createTwoApps();
      const earlier = await logIn(wider);
      // A response from just before says nothing of now.
      await (await sessionOf(wider, earlier))?.api?.getAuthorization();
      await app.fake.removeApplication({ as: "ada" });
      vi.advanceTimersByTime(age);
      const browser = await logIn(app);
      expect((await sessionOf(app, browser))?.scopes).toEqual(narrow);
      expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
      expect((await app.login.tokensOf(ADA).token()).scopes).toEqual(narrow);
    }
  });

  test("replaces the kept token without a trial if that is known to be refused", async () => {
    const { app, wider } = createTwoApps();
    await logIn(wider);
    await app.fake.removeApplication({ as: "ada" });
    vi.advanceTimersByTime(7 * DAY);
    await expect(tokenOf(app)).rejects.toMatchObject({ reason: "refused" });
    const before = app.fake.requests.length;
    await logIn(app);
    // The exchange, and the request for the user.
    expect(app.fake.requests.length - before).toBe(2);
    expect((await app.login.tokensOf(ADA).token()).scopes).toEqual(narrow);
  });

  test("leaves the kept token after a 429, and succeeds", async () => {
    const { app, wider } = createTwoApps();
    await logIn(wider);
    const kept = await tokenOf(app);
    app.fake.failNext({ path: "/oauth2/@me", ...limit });
    const browser = await logIn(app);
    expect(await tokenOf(app)).toBe(kept);
    expect((await sessionOf(app, browser))?.scopes).toEqual(wide);
    vi.advanceTimersByTime(10 * DAY);
    expect((await app.login.tokensOf(ADA).token()).scopes).toEqual(wide);
  });

  test("uses its own token after a 429 as soon as the platform refuses the kept one", async () => {
    const { app, wider } = createTwoApps();
    await logIn(wider);
    await app.fake.removeApplication({ as: "ada" });
    app.fake.failNext({ path: "/oauth2/@me", ...limit });
    await logIn(app);
    const source = app.login.tokensOf(ADA);
    expect(await nameWith(app, source)).toBe("ada");
    expect((await source.token()).scopes).toEqual(narrow);
    vi.advanceTimersByTime(10 * DAY);
    expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
  });

  test("replaces a kept token without a scope that every session needs", async () => {
    const { app, wider } = createTwoApps({ scope: narrow as never });
    const save = () => app.login.tokensOf(ADA).save(issue(app, ["identify", "guilds.join"]));
    await save();
    await logIn(app);
    expect((await app.login.tokensOf(ADA).token()).scopes).toEqual(narrow);
    await app.login.forget(ADA);
    await save();
    await logIn(wider);
    expect((await app.login.tokensOf(ADA).token()).scopes).toEqual(wide);
    expect(trials(app)).toEqual([]);
  });

  test("replaces a kept token that has only bot, webhook.incoming or applications.commands in addition, or no refresh token", async () => {
    const app = createJobApp();
    for (
      const changes of [
        { scopes: [...narrow, "bot", "webhook.incoming", "applications.commands"] },
        { scopes: wide, refresh_token: null },
      ]
    ) {
      await app.login.tokensOf(ADA).save({ ...issue(app, wide), ...changes });
      await logIn(app);
      expect((await app.login.tokensOf(ADA).token()).scopes).toEqual(narrow);
    }
    expect(trials(app)).toEqual([]);
  });

  test("leaves the token of a wider login that comes during the trial", async () => {
    const { app, wider } = createTwoApps();
    await logIn(wider);
    await app.fake.removeApplication({ as: "ada" });
    vi.advanceTimersByTime(1000);
    await logIn(withInterruption(app, "/oauth2/@me", () => logIn(wider)));
    expect((await app.login.tokensOf(ADA).token()).scopes).toEqual(wide);
  });
});

describe("A consent for further scopes", () => {
  async function scopesAsked(app: App, browser: Browser): Promise<string[]> {
    const request = browser.jar.request(SITE);
    const response = await app.login.start(request, { scope: ["guilds.join"] });
    browser.jar.store(response, SITE);
    const link = new URL(locationOf(response));
    await browser.open(await app.fake.authorize(link, { as: "ada" }));
    return link.searchParams.get("scope")?.split(" ").sort() ?? [];
  }

  test("asks for the scopes of the kept token too, which another session of the person has brought", async () => {
    const { app, wider } = createTwoApps();
    const browser = await logIn(app);
    await logIn(wider);
    const all = [...wide, "guilds.join"].sort();
    expect(await scopesAsked(app, browser)).toEqual(all);
    expect([...(await app.login.tokensOf(ADA).token()).scopes].sort()).toEqual(all);
    expect([...(await sessionOf(app, browser))?.scopes ?? []].sort()).toEqual(all);
    expect(trials(app)).toEqual([]);
  });

  test("asks for no scopes of a kept token that is refused or gone", async () => {
    const { app, wider } = createTwoApps({ idleTimeout: 20 * 86_400 });
    const browser = await logIn(app);
    await logIn(wider);
    await app.fake.removeApplication({ as: "ada" });
    vi.advanceTimersByTime(7 * DAY);
    await expect(tokenOf(app)).rejects.toMatchObject({ reason: "refused" });
    const expected = ["guilds", "guilds.join", "identify"];
    expect(await scopesAsked(app, browser)).toEqual(expected);
    await app.login.tokensOf(ADA).revoke();
    expect(await scopesAsked(app, browser)).toEqual(expected);
  });
});

describe("A login and a refresh at the same moment", () => {
  test("end with the token of the login", async () => {
    const app = createJobApp();
    await logIn(app);
    vi.advanceTimersByTime(8 * DAY);
    const before = app.fake.requests.length;
    const used = await tokenOf(withInterruption(app, "/oauth2/token", () => logIn(app)));
    // The refresh, the exchange, and the request for the user.
    expect(app.fake.requests.length - before).toBe(3);
    expect(await tokenOf(app)).toBe(used);
    expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
  });

  test("end with the refreshed token if the login has fewer scopes, and an older event does not remove it", async () => {
    const { app, wider } = createTwoApps();
    await logIn(wider);
    vi.advanceTimersByTime(7 * DAY - 200_000);
    const event = Date.now() - 1000;
    // The kept token still works while it is being refreshed.
    const refreshing = withInterruption(app, "/oauth2/token", () => logIn(app));
    const refreshed = await tokenOf(refreshing);
    expect(trials(app)).toHaveLength(1);
    await app.login.endAll(ADA, { tokens: true, startedBefore: event });
    expect(await tokenOf(app)).toBe(refreshed);
    expect(await nameWith(app, app.login.tokensOf(ADA))).toBe("ada");
  });
});

describe("keep()", () => {
  const refused = new OAuthError("invalid_grant", { httpStatus: 400 });
  const api = { refresh: () => Promise.reject(refused), revoke: () => Promise.reject() };

  function createTokens(
    tryToken: () => Promise<unknown>,
    store: MemoryStore = new MemoryStore(),
  ): PersonTokens {
    return new PersonTokens({
      namespace: new Namespace("1", "https://platform.example", ""),
      sealer: createSealer(generateState(), "tokens"),
      store,
      backgroundTokens: true,
      timeout: 10_000,
      clients: {
        tokens: api,
        user: () => ({ getAuthorization: tryToken }) as unknown as User,
        forgetModels: () => {},
      },
      refreshBefore: null,
      scope: ["identify"],
      report: null,
    });
  }

  /** Keeps the token of a login whose session is in the list of its person. */
  async function keep(tokens: PersonTokens, token: TokenObj, startedAt: number) {
    const index = { has: () => Promise.resolve(true) };
    return await tokens.keep(ADA, token, startedAt, { digest: `login ${startedAt}`, index });
  }

  test.each<[string, () => Promise<unknown>]>([
    ["a 5xx", () => Promise.reject(new ApiError("odd", { httpStatus: 503 }))],
    ["a lost response", () => Promise.reject(new NetworkError("cut"))],
    ["a store that fails", () => Promise.reject(new Error("down"))],
    ["10 seconds", async () => {
      // The trial has begun, so only its time limit is left.
      queueMicrotask(() => vi.advanceTimersByTime(10_000));
      return await new Promise(() => {});
    }],
  ])(
    "leaves a wider token after %s, and the new one waits for its end",
    async (_what, tryToken) => {
      vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
      const tokens = createTokens(tryToken);
      const platform = new ModelPlatform();
      const kept = platform.issue({ scopes: ["identify", "guilds"] });
      expect(await keep(tokens, kept, 1)).toEqual(kept.scopes);
      expect(await keep(tokens, platform.issue(), 2)).toEqual(kept.scopes);
      expect(await tokens.of(ADA).token()).toEqual(kept);
    },
  );

  test("marks no token without a record, and looks again when the record has changed", async () => {
    const store = new MemoryStore();
    const tokens = createTokens(() => Promise.resolve(), store);
    await tokens.mark(ADA);
    expect(store.size).toBe(0);
    await keep(tokens, new ModelPlatform().issue(), 1);
    vi.spyOn(store, "save").mockResolvedValueOnce(null);
    await tokens.mark(ADA);
    expect(await tokens.scopesOf(ADA)).toEqual([]);
  });

  test("leaves a token marked that is refreshed at that moment", async () => {
    const tokens = createTokens(() => Promise.resolve());
    const token = issue(createApp(), narrow);
    await tokens.of(ADA).save({ ...token, expires_at: Date.now() });
    const refresh = vi.spyOn(api, "refresh").mockImplementationOnce(async () => {
      await tokens.mark(ADA);
      return token as never;
    });
    await tokens.of(ADA).token();
    expect(refresh).toHaveBeenCalledOnce();
    await expect(tokens.of(ADA).token()).rejects.toMatchObject(noToken);
    expect(await tokens.scopesOf(ADA)).toEqual([]);
  });

  test("leaves a kept token to a login that is taken back when the person has no other session", async () => {
    const tokens = createTokens(() => Promise.resolve());
    const platform = new ModelPlatform();
    const kept = platform.issue({ scopes: ["identify", "guilds"] });
    await keep(tokens, kept, 1);
    await keep(tokens, platform.issue(), 2);
    const index = { newestExcept: () => Promise.resolve(null), has: () => Promise.resolve(false) };
    await tokens.takeBack(ADA, "login 2", index);
    expect(await tokens.of(ADA).token()).toEqual(kept);
    await tokens.remove(ADA, { startedBefore: 3, index, ended: [] });
    expect(await tokens.scopesOf(ADA)).toEqual([]);
  });

  test("removes the only token of a login that is taken back, and no token of another login", async () => {
    const tokens = createTokens(() => Promise.resolve());
    const token = new ModelPlatform().issue();
    await keep(tokens, token, 1);
    const index = { newestExcept: () => Promise.resolve(null) };
    await tokens.takeBack(ADA, "login 2", index);
    expect(await tokens.of(ADA).token()).toEqual(token);
    await tokens.takeBack(ADA, "login 1", index);
    await expect(tokens.of(ADA).token()).rejects.toMatchObject(noToken);
  });

  test("drops the token of a login that has left the list of its person", async () => {
    const store = new MemoryStore();
    const tokens = createTokens(() => Promise.resolve(), store);
    const index = { has: () => Promise.resolve(false) };
    const token = new ModelPlatform().issue();
    expect(await tokens.keep(ADA, token, 1, { digest: "login 1", index })).toBeNull();
    expect(store.size).toBe(0);
  });

  test("drops the new token if the wider one works, and does not bring it back later", async () => {
    const tokens = createTokens(() => Promise.resolve());
    const platform = new ModelPlatform();
    const wider = platform.issue({ scopes: ["identify", "guilds"] });
    await keep(tokens, wider, 1);
    await keep(tokens, platform.issue(), 2);
    await expect(tokens.of(ADA).renew(wider)).rejects.toMatchObject({
      name: "LoginRequiredError",
      reason: "refused",
    });
  });

  describe("beside another login that saves its token first", () => {
    /** Keeps the token of a login at time 2. */
    async function keepBeside(other: { startedAt: number; scopes: readonly string[] }) {
      const store = new MemoryStore();
      const tokens = createTokens(() => Promise.resolve(), store);
      const platform = new ModelPlatform();
      const token = platform.issue({ scopes: ["identify", "guilds"] });
      const otherToken = platform.issue({ scopes: other.scopes });
      const save = store.save.bind(store);
      vi.spyOn(store, "save").mockImplementationOnce(async (...args) => {
        await keep(tokens, otherToken, other.startedAt);
        return await save(...args);
      });
      const scopes = await keep(tokens, token, 2);
      return { tokens, token, otherToken, scopes, found: await tokens.of(ADA).token() };
    }

    test("takes the token of a later one, and keeps it when that login is taken back", async () => {
      const scopes = ["identify", "guilds", "email"];
      const { tokens, otherToken, found, ...kept } = await keepBeside({ startedAt: 3, scopes });
      expect(kept.scopes).toEqual(scopes);
      expect(found).toEqual(otherToken);
      const session = { digest: "login 2", startedAt: 2, endsAt: 0, progress: [] };
      await tokens.takeBack(ADA, "login 3", { newestExcept: () => Promise.resolve(session) });
      expect(await tokens.of(ADA).token()).toEqual(otherToken);
    });

    test("saves its own token after that of an earlier one", async () => {
      const other = { startedAt: 1, scopes: ["identify", "guilds"] };
      const { token, found } = await keepBeside(other);
      expect(found).toEqual(token);
    });

    test("saves its own token if that of a later one lacks a scope", async () => {
      const { token, found } = await keepBeside({ startedAt: 3, scopes: ["identify"] });
      expect(found).toEqual(token);
    });
  });

  test("throws when the store saves nothing", async () => {
    const store = new MemoryStore();
    vi.spyOn(store, "save").mockResolvedValue(null);
    letTimePass();
    const tokens = createTokens(() => Promise.resolve(), store);
    const kept = keep(tokens, new ModelPlatform().issue(), 1);
    await expect(kept).rejects.toThrow(
      "The token of the user was not changed: another request changed",
    );
  });

  test("replaces a wider token whose refreshed tokens the platform refuses too", async () => {
    const refused = new ApiError("refused", { httpStatus: 401 });
    const tokens = createTokens(() => Promise.reject(refused));
    const platform = new ModelPlatform();
    await keep(tokens, platform.issue({ scopes: ["identify", "guilds"] }), 1);
    const token = platform.issue();
    expect(await keep(tokens, token, 2)).toEqual(["identify"]);
    expect(await tokens.of(ADA).token()).toEqual(token);
  });

  test("tries again if another login is faster, whose wider token stays without a trial", async () => {
    const store = new MemoryStore();
    const tokens = createTokens(() => Promise.reject(new Error("no trial")), store);
    const platform = new ModelPlatform();
    const wider = platform.issue({ scopes: ["identify", "guilds"] });
    const save = store.save.bind(store);
    vi.spyOn(store, "save").mockImplementationOnce(async (...args) => {
      await keep(tokens, wider, 1);
      return await save(...args);
    });
    expect(await keep(tokens, platform.issue(), 2)).toEqual(wider.scopes);
    expect(await tokens.of(ADA).token()).toEqual(wider);
    // The token of the slower login is dropped.
    await expect(tokens.of(ADA).renew(wider)).rejects.toMatchObject({ reason: "refused" });
  });
});
