import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  generateState,
  type GuildpassError,
  IdTokenError,
  LoginRequiredError,
  MemoryStore,
  NetworkError,
  RateLimitError,
  StoreTimeoutError,
  TokenSource,
  type User,
} from "../../../mod.ts";
import { takeRefreshSlot } from "../../../src/tokens/token_api.ts";
import { heldRequestObserver, tokenApiOf } from "../../../src/login/base/events.ts";
import type { LoginEvent, LoginFailedEvent } from "../../../src/login/mod.ts";
import { type FakePlatformOptions, sampleApplication } from "../../../src/testing/mod.ts";
import { leaksOf } from "../../support/leaks.ts";
import { unfrozenPartsOf } from "../../support/models.ts";
import { settled, watchCrypto } from "../../support/virtual_time.ts";
import { type App, Browser, createApp, exchanges, SITE } from "../test_app.ts";

const ADA = "1000000000000000001";
const GRACE = "1000000000000000002";
const DAY = 86_400_000;

type Options = Parameters<typeof createApp>[0];

/** An event without its time. */
type Told = Omit<LoginEvent, "time"> & { readonly time?: number };

interface ObservedApp extends App {
  readonly events: LoginEvent[];
  /** Returns the events since the last call, without their times. */
  readonly told: () => Told[];
}

/** Creates an application that keeps the events of its login. */
function observe(
  options: Options = {},
  platform: FakePlatformOptions = {},
  also: (event: LoginEvent) => unknown = () => {},
): ObservedApp {
  const events: LoginEvent[] = [];
  const app = createApp(
    {
      onEvent(event) {
        events.push(event);
        also(event);
      },
      ...options,
    },
    platform,
  );
  let seen = 0;
  const told = () =>
    events.slice(seen, seen = events.length).map(({ time: _time, ...event }) => event);
  return { ...app, events, told };
}

async function logIn(app: App, as = "ada", browser: Browser = new Browser(app)): Promise<Browser> {
  await browser.open(await browser.consent("/", as));
  return browser;
}

/** Begins a login by hand, consents, and returns the address of the callback. */
async function ask(
  { login, fake }: App,
  { jar }: Browser,
  options: Parameters<App["login"]["start"]>[1],
  as = "ada",
): Promise<string> {
  const response = await login.start(jar.request(`${SITE}/page`), options);
  jar.store(response, SITE);
  return await fake.authorize(response.headers.get("location") ?? "", { as });
}

/** Returns the token source of a session in a store. */
function sourceOf(session: Awaited<ReturnType<App["login"]["session"]>>): TokenSource {
  const token = session?.token;
  return token instanceof TokenSource ? token : expect.fail("there is no source");
}

async function logOut(browser: Browser): Promise<Response> {
  return await browser.open("/logout", { method: "POST", headers: { origin: SITE } });
}

const started = {
  kind: "login_started",
  userId: null,
  purpose: "login",
  scopes: ["identify", "guilds"],
};
const completed = {
  kind: "login_completed",
  userId: ADA,
  purpose: "login",
  scopes: ["identify", "guilds"],
};

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const storages: readonly (readonly [string, () => Options])[] = [
  ["in a cookie", () => ({})],
  ["in a cookie with the token", () => ({ keepToken: true })],
  ["in a store", () => ({ store: new MemoryStore() })],
  [
    "in a store with one token for each person",
    () => ({ store: new MemoryStore(), backgroundTokens: true }),
  ],
];

describe.each(storages)("With sessions %s, onEvent", (_where, storage) => {
  test("learns of a login from its start to its end, with the time", async () => {
    const app = observe(storage());
    const before = Date.now();
    const browser = await logIn(app);
    await logOut(browser);
    expect(app.told()).toEqual([
      started,
      completed,
      { kind: "session_ended", userId: ADA, cause: "end", sessions: 1 },
    ]);
    for (const { time } of app.events) {
      expect(time).toBeGreaterThanOrEqual(before);
      expect(time).toBeLessThanOrEqual(Date.now());
    }
  });

  test("learns of a login by the methods", async () => {
    const app = observe(storage());
    const browser = new Browser(app);
    const callback = await ask(app, browser, { returnTo: "/profile" });
    const { headers } = await app.login.finish(browser.jar.request(callback));
    browser.jar.store(new Response(null, { headers }), SITE);
    await app.login.end(browser.jar.request(`${SITE}/out`, { method: "POST" }), {
      allowCrossSite: true,
      everywhere: true,
    });
    expect(app.told()).toEqual([
      started,
      completed,
      { kind: "session_ended", userId: ADA, cause: "end_everywhere", sessions: 1 },
    ]);
  });

  test("learns of a login once, however often its callback is opened", async () => {
    const app = observe(storage());
    const browser = new Browser(app);
    const callback = await browser.consent();
    const responses = await Promise.all([1, 2, 3].map(() => browser.open(callback)));
    await browser.open(callback);
    expect(responses.map(({ status }) => status)).toEqual([302, 302, 302]);
    expect(exchanges(app)).toBe(1);
    expect(app.told()).toEqual([started, completed]);
  });

  test("learns of both logins of two tabs, and that the second one replaces the session", async () => {
    const app = observe(storage());
    const browser = new Browser(app);
    const callbacks = [await browser.consent(), await browser.consent("/", "grace")];
    for (const callback of callbacks) await browser.open(callback);
    expect(app.told()).toEqual([
      started,
      started,
      completed,
      { kind: "session_ended", userId: ADA, cause: "replaced", sessions: 1 },
      { ...completed, userId: GRACE },
    ]);
  });

  test("learns of a further consent, which ends no session", async () => {
    const app = observe(storage());
    const browser = await logIn(app);
    app.told();
    await browser.open(await ask(app, browser, { scope: ["email"] }));
    const purpose = "consent";
    const scopes = ["identify", "guilds", "email"];
    expect(app.told()).toEqual([
      { ...started, userId: ADA, purpose, scopes },
      { ...completed, purpose, scopes },
    ]);
  });

  test("learns of a consent by another person", async () => {
    const app = observe(storage());
    const browser = await logIn(app);
    app.told();
    await browser.open(await ask(app, browser, { scope: ["email"] }, "grace"));
    expect(app.told().slice(1)).toEqual([{
      kind: "login_failed",
      userId: ADA,
      purpose: "consent",
      code: "login_failed",
      reason: "other_person",
      httpStatus: null,
      pageStatus: 403,
    }]);
  });

  test("learns of a person who cancels", async () => {
    const app = observe(storage());
    const browser = new Browser(app);
    const { status } = await browser.open(await app.fake.deny(await browser.begin()));
    expect(status).toBe(403);
    expect(app.told()).toEqual([started, {
      kind: "login_failed",
      userId: null,
      purpose: "login",
      code: "access_denied",
      reason: "access_denied",
      httpStatus: null,
      pageStatus: 403,
    }]);
  });

  test("learns of a login that onLogin refuses", async () => {
    const onLogin = () => new Response("no", { status: 403 });
    const app = observe({ ...storage(), onLogin });
    await logIn(app);
    expect(app.told()).toEqual([
      started,
      { kind: "login_refused", userId: ADA, purpose: "login", reason: "response" },
    ]);
  });

  test("learns of an error of onLogin without its words", async () => {
    const onLogin = () => Promise.reject(Object.assign(new Error("s3cret"), { reason: "s3cret" }));
    const app = observe({ ...storage(), onLogin });
    const browser = new Browser(app);
    const { status } = await browser.open(await browser.consent());
    expect(status).toBe(500);
    expect(app.told()).toEqual([started, {
      kind: "login_failed",
      userId: null,
      purpose: "login",
      code: "internal_error",
      reason: null,
      httpStatus: null,
      pageStatus: 500,
    }]);
  });

  test.each<[GuildpassError, Partial<LoginFailedEvent>]>([
    [new LoginRequiredError("s3cret", { reason: "refused" }), {
      code: "login_required",
      reason: "refused",
      pageStatus: 500,
    }],
    [new IdTokenError("s3cret", { reason: "claim" }), {
      code: "invalid_id_token",
      reason: "claim",
      pageStatus: 500,
    }],
    [new RateLimitError("s3cret", { httpStatus: 429, retryAfter: 5, ofPerson: true }), {
      code: "rate_limited",
      httpStatus: 429,
      pageStatus: 429,
    }],
    [new NetworkError("s3cret"), { code: "network_error", pageStatus: 502 }],
    [new StoreTimeoutError("s3cret"), { code: "store_timeout", pageStatus: 503 }],
  ])("learns of %o by its code and its reason", async (error, expected) => {
    const app = observe({ ...storage(), onLogin: () => Promise.reject(error) });
    const browser = new Browser(app);
    const { status } = await browser.open(await browser.consent());
    expect(status).toBe(expected.pageStatus);
    const failed = { kind: "login_failed", userId: null, purpose: "login" };
    const nothing = { reason: null, httpStatus: null };
    expect(app.told()).toEqual([started, { ...failed, ...nothing, ...expected }]);
  });

  test("does not repeat a secret that the platform names as its error", async () => {
    const app = observe(storage());
    const browser = new Browser(app);
    const callback = await browser.consent();
    const code = new URL(callback).searchParams.get("code") ?? "";
    const body = JSON.stringify({ error: `bad ${code} ${sampleApplication.secret}` });
    app.fake.failNext({ path: "/oauth2/token", status: 400, body });
    await browser.open(callback);
    const [failed] = app.events.slice(-1);
    expect(failed).toMatchObject({ kind: "login_failed", code: "oauth_error" });
    expect(leaksOf(failed, [code, sampleApplication.secret])).toEqual([]);
  });

  test("does not repeat a text that the platform names as its error", async () => {
    const app = observe(storage());
    const browser = new Browser(app);
    const callback = await browser.consent();
    // No redactor knows the state, since the request for the token does not have it.
    const state = new URL(callback).searchParams.get("state") ?? "";
    app.fake.failNext({
      path: "/oauth2/token",
      status: 400,
      body: JSON.stringify({ error: state }),
    });
    await browser.open(callback);
    const [failed] = app.events.slice(-1);
    expect(failed).toMatchObject({ kind: "login_failed", code: "oauth_error", reason: null });
    expect(leaksOf(failed, [state])).toEqual([]);
  });

  test("repeats an error of the platform of up to 64 letters", async () => {
    const app = observe(storage());
    const browser = new Browser(app);
    for (const length of [64, 65]) {
      const callback = await browser.consent();
      const body = JSON.stringify({ error: "e".repeat(length) });
      app.fake.failNext({ path: "/oauth2/token", status: 400, body });
      await browser.open(callback);
    }
    expect(app.events.flatMap((event) => event.kind === "login_failed" ? event.reason : []))
      .toEqual(["e".repeat(64), null]);
  });

  test("does not repeat a text that the platform names as a scope", async () => {
    const app = observe(storage());
    const browser = new Browser(app);
    const callback = await browser.consent();
    const { access_token, ...others } = app.fake.issueToken({ scopes: ["identify", "guilds"] });
    app.fake.failNext({
      path: "/oauth2/token",
      status: 200,
      body: JSON.stringify({
        ...others,
        access_token,
        scope: `identify email ${access_token} two\nlines guilds`,
      }),
    });
    await browser.open(callback);
    const [last] = app.events.slice(-1);
    expect(last).toEqual({
      ...completed,
      time: expect.any(Number),
      scopes: ["identify", "email", "guilds"],
    });
  });

  test("learns of a platform that refuses the code, and of the callback that is opened again", async () => {
    const app = observe(storage());
    const browser = new Browser(app);
    const callback = await browser.consent();
    app.fake.failNext({
      path: "/oauth2/token",
      status: 400,
      body: JSON.stringify({ error: "invalid_grant" }),
    });
    const statuses = await Promise.all(
      [1, 2].map(async () => (await browser.open(callback)).status),
    );
    expect(statuses).toEqual([400, 400]);
    const failed = { kind: "login_failed", userId: null, purpose: "login", pageStatus: 400 };
    expect(app.told()).toEqual([
      started,
      { ...failed, code: "oauth_error", reason: "invalid_grant", httpStatus: 400 },
      { ...failed, code: "login_failed", reason: "used", httpStatus: null },
    ]);
  });

  test("learns of a callback that this browser did not begin, by handle() and by finish()", async () => {
    const app = observe(storage());
    const callback = await new Browser(app).consent();
    app.told();
    const failed = {
      kind: "login_failed",
      userId: null,
      purpose: null,
      code: "state_mismatch",
      reason: "no_expected_state",
      httpStatus: null,
      pageStatus: 400,
    };
    await new Browser(app).open(callback);
    expect(app.told()).toEqual([failed]);
    await expect(app.login.finish(new Request(callback))).rejects.toThrow(
      "does not belong to a login",
    );
    expect(app.told()).toEqual([failed]);
  });

  test("does not repeat what a visitor writes into the address of a callback", async () => {
    const app = observe(storage());
    const browser = new Browser(app);
    const callback = new URL(await browser.consent());
    callback.searchParams.delete("code");
    callback.searchParams.set("error", "made_up");
    await browser.open(callback);
    expect(app.told().slice(1)).toEqual([{
      kind: "login_failed",
      userId: null,
      purpose: "login",
      code: "invalid_request",
      reason: null,
      httpStatus: null,
      pageStatus: 400,
    }]);
  });

  test("learns of a callback that is opened again after the login, and leads home, nothing", async () => {
    const app = observe(storage());
    const browser = new Browser(app);
    const callback = await browser.consent();
    await browser.open(callback);
    app.told();
    expect((await browser.open(callback)).status).toBe(302);
    expect(app.told()).toEqual([]);
  });

  test("learns of a logout that another site sends", async () => {
    const app = observe(storage());
    const browser = await logIn(app);
    app.told();
    const headers = { origin: "https://evil.example" };
    await browser.open("/logout", { method: "POST", headers });
    expect(app.told()).toEqual([{
      kind: "logout_failed",
      userId: null,
      code: "login_failed",
      reason: "cross_site",
      httpStatus: null,
      pageStatus: 403,
    }]);
  });

  test("learns nothing of a logout without a session", async () => {
    const app = observe(storage());
    expect((await logOut(new Browser(app))).status).toBe(303);
    expect(app.told()).toEqual([]);
  });

  test("learns of an address at which logins can't work", async () => {
    const app = observe(storage());
    const failed = {
      kind: "login_failed",
      userId: null,
      purpose: null,
      code: "login_failed",
      reason: "insecure_site",
      httpStatus: null,
      pageStatus: 500,
    };
    await app.fetch(new Request("http://app.example/login"));
    expect(app.told()).toEqual([failed]);
    await app.fetch(new Request("http://app.example/callback?state=a&code=b"));
    expect(app.told()).toEqual([failed]);
  });

  test("gets frozen events, and can't change what the session has", async () => {
    const app = observe(storage());
    const browser = await logIn(app);
    expect(app.events.flatMap(unfrozenPartsOf)).toEqual([]);
    const session = await app.login.session(browser.jar.request(SITE));
    for (const event of app.events) {
      if ("scopes" in event) expect(event.scopes).not.toBe(session?.scopes);
    }
  });
});

test.each(storages.slice(1))(
  "With sessions %s, a logout everywhere revokes the token with onEvent too",
  async (_where, storage) => {
    const app = observe(storage());
    const browser = await logIn(app);
    const request = browser.jar.request(`${SITE}/out`, { method: "POST" });
    await app.login.end(request, { everywhere: true });
    const revocations = app.fake.requests.filter(({ path }) => path.endsWith("/token/revoke"));
    expect(revocations.map(({ status }) => status)).toEqual([200]);
  },
);

describe("With sessions in a cookie, onEvent", () => {
  test("learns of a renewal without asking, and of one that the platform refuses", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const app = observe();
      const browser = await logIn(app);
      app.told();
      vi.setSystemTime(Date.now() + 8 * DAY);
      const link = (await browser.open("/page")).headers.get("location") ?? "";
      await browser.open(await app.fake.authorize(link));
      const purpose = "renewal";
      expect(app.told()).toEqual([
        { ...started, userId: ADA, purpose },
        { ...completed, purpose },
      ]);
      vi.setSystemTime(Date.now() + 8 * DAY);
      const again = (await browser.open("/page")).headers.get("location") ?? "";
      await browser.open(await app.fake.authorize(again, { as: "grace" }));
      expect(app.told()).toEqual([
        { ...started, userId: ADA, purpose },
        {
          kind: "login_failed",
          userId: ADA,
          purpose,
          code: "login_failed",
          reason: "other_person",
          httpStatus: null,
          pageStatus: 403,
        },
        started,
      ]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("With a store, onEvent", () => {
  test("learns of a refresh by a background job", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const app = observe({ store: new MemoryStore(), backgroundTokens: true });
      await logIn(app);
      app.told();
      vi.setSystemTime(Date.now() + 8 * DAY);
      await app.login.tokensOf(ADA).token();
      expect(app.told()).toEqual([{ kind: "token_refreshed", userId: ADA }]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("learns of a login and a logout from a frontend", async () => {
    const frontend = "https://www.app.example";
    const app = observe({ store: new MemoryStore(), frontends: [frontend] });
    const browser = new Browser(app);
    await browser.open(await browser.consent(`${frontend}/page`));
    const headers = { origin: frontend, "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };
    const { status } = await browser.open("/logout", { method: "POST", headers });
    expect(status).toBe(204);
    expect(app.told()).toEqual([
      started,
      completed,
      { kind: "session_ended", userId: ADA, cause: "end", sessions: 1 },
    ]);
  });

  test("learns of every login once when two processes get the same callback", async () => {
    const store = new MemoryStore();
    const secret = generateState();
    const first = observe({ store, secret });
    const second = createApp(
      { store, secret, onEvent: (event) => void first.events.push(event) },
      first.fake,
    );
    const browser = new Browser(first);
    const callback = await browser.consent();
    const responses = await Promise.all(
      [first, second].map(({ fetch }) => fetch(browser.jar.request(callback))),
    );
    expect(responses.map(({ status }) => status)).toEqual([302, 302]);
    expect(first.told()).toEqual([started, completed]);
  });

  test("learns of endAll() and forget() with the number of sessions, and once", async () => {
    const app = observe({ store: new MemoryStore() });
    for (let device = 0; device < 3; device++) await logIn(app);
    app.told();
    await Promise.all([app.login.endAll(ADA), app.login.endAll(ADA)]);
    const ended = { kind: "session_ended", userId: ADA };
    expect(app.told()).toEqual([{ ...ended, cause: "end_all", sessions: 3 }]);
    await logIn(app);
    app.told();
    await app.login.forget(ADA);
    await app.login.forget(ADA);
    expect(app.told()).toEqual([{ ...ended, cause: "forget", sessions: 1 }]);
  });

  test("learns of endSession() once, also during a consent of the session", async () => {
    const app = observe({
      store: new MemoryStore(),
      onLogin: async ({ session }) => void (session && await endAllOneByOne()),
    });
    const endAllOneByOne = async () => {
      for (const { id } of await app.login.sessionsOf(ADA)) {
        await Promise.all([app.login.endSession(ADA, id), app.login.endSession(ADA, id)]);
      }
    };
    const ended = { kind: "session_ended", userId: ADA, cause: "end_session", sessions: 1 };
    for (let device = 0; device < 2; device++) await logIn(app);
    app.told();
    await endAllOneByOne();
    expect(app.told()).toEqual([ended, ended]);
    const browser = await logIn(app);
    const callback = await ask(app, browser, { scope: ["email"] });
    app.told();
    await browser.open(callback);
    expect(app.told().filter(({ kind }) => kind === "session_ended")).toEqual([ended]);
  });

  test("learns of a logout once when the button is pressed twice", async () => {
    const app = observe({ store: new MemoryStore() });
    const browser = await logIn(app);
    app.told();
    await Promise.all([logOut(browser), logOut(browser)]);
    expect(app.told()).toEqual([
      { kind: "session_ended", userId: ADA, cause: "end", sessions: 1 },
    ]);
  });

  test("learns of the oldest session when a person has too many", async () => {
    const app = observe({ store: new MemoryStore() });
    for (let device = 0; device < 51; device++) await logIn(app);
    expect(app.told().filter(({ kind }) => kind === "session_ended")).toEqual([
      { kind: "session_ended", userId: ADA, cause: "too_many", sessions: 1 },
    ]);
  });

  test("learns nothing of a session that had ended before the logout", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      // This store deletes nothing by itself.
      const store = new MemoryStore();
      const lasting = {
        load: store.load.bind(store),
        delete: store.delete.bind(store),
        save: (key: string, value: unknown, { version }: { version: string | null }) =>
          store.save(key, value, { version }),
      };
      const app = observe({ store: lasting });
      const browser = await logIn(app);
      app.told();
      vi.setSystemTime(Date.now() + 8 * DAY);
      await logOut(browser);
      expect(app.told()).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("learns of a login whose person's sessions are all ended meanwhile", async () => {
    const app: ObservedApp = observe({
      store: new MemoryStore(),
      onLogin: async () => {
        await app.login.endAll(ADA);
      },
    });
    await logIn(app);
    expect(app.told()).toEqual([
      started,
      { kind: "session_ended", userId: ADA, cause: "end_all", sessions: 1 },
      { kind: "login_refused", userId: ADA, purpose: "login", reason: "sessions_ended" },
    ]);
  });

  test.each<[string, (app: App, browser: Browser) => Promise<unknown>[]]>([
    ["a logout and endAll()", ({ login }, browser) => [logOut(browser), login.endAll(ADA)]],
    [
      "two logins in the same browser",
      (app, browser) => [logIn(app, "ada", browser), logIn(app, "grace", browser)],
    ],
    ["another login, a logout and forget()", (app, browser) => [
      logIn(app, "ada", browser),
      logOut(browser),
      app.login.forget(ADA),
    ]],
    [
      "two logouts everywhere",
      ({ login }, { jar }) =>
        [1, 2].map(() =>
          login.end(jar.request(`${SITE}/out`), { everywhere: true, allowCrossSite: true })
        ),
    ],
  ])("counts every session once that %s at the same moment end", async (_what, act) => {
    const store = new MemoryStore();
    const save = vi.spyOn(store, "save");
    const app = observe({ store });
    const browser = await logIn(app);
    await Promise.all(act(app, browser));
    const keys = new Set(save.mock.calls.map(([key]) => key));
    const sessions = [...keys].filter((key) => key.startsWith("guildpass:session:"));
    const stored = await Promise.all(sessions.map((key) => store.load(key)));
    const alive = stored.filter((value) => value !== null).length;
    const ended = app.events.flatMap((event) =>
      event.kind === "session_ended" ? event.sessions : []
    );
    expect(ended.reduce((sum, one) => sum + one, 0)).toBe(sessions.length - alive);
    expect(sessions.length - alive).toBeGreaterThan(0);
  });

  test("learns of a store that fails at the start of a login", async () => {
    const store = new MemoryStore();
    const app = observe({ store });
    const browser = await logIn(app);
    app.told();
    vi.spyOn(store, "load").mockRejectedValueOnce(new Error("down"));
    await expect(app.login.start(browser.jar.request(SITE))).rejects.toThrow("down");
    expect(app.told()).toEqual([{
      kind: "login_failed",
      userId: null,
      purpose: null,
      code: "internal_error",
      reason: null,
      httpStatus: null,
      pageStatus: 500,
    }]);
  });
});

describe.each([["of its own", false], ["for background jobs", true]])(
  "Of a token %s, onEvent",
  (_which, backgroundTokens) => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ["Date"] });
      return () => void vi.useRealTimers();
    });

    test("learns of one refresh that several requests share", async () => {
      const app = observe({ store: new MemoryStore(), backgroundTokens });
      const browser = await logIn(app);
      app.told();
      vi.setSystemTime(Date.now() + 6.9999 * DAY);
      const tokens = await Promise.all([1, 2, 3].map(async () => {
        const session = await app.login.session(browser.jar.request(SITE));
        return await sourceOf(session).token();
      }));
      expect(new Set(tokens.map((token) => token.token_type)).size).toBe(1);
      expect(app.told()).toEqual([{ kind: "token_refreshed", userId: ADA }]);
    });

    test("learns of a refresh that fails, and of one that is refused for good", async () => {
      // A session that ends takes its own token with it.
      const idleTimeout = 20 * 86_400;
      const app = observe({ store: new MemoryStore(), backgroundTokens, idleTimeout });
      const browser = await logIn(app);
      app.told();
      const session = await app.login.session(browser.jar.request(SITE));
      vi.setSystemTime(Date.now() + 8 * DAY);
      const failed = { kind: "token_refresh_failed", userId: ADA };
      app.fake.failNext({ path: "/oauth2/token", status: 503 });
      await expect(sourceOf(session).token()).rejects.toThrow("503");
      expect(app.told()).toEqual([
        { ...failed, code: "api_error", reason: null, httpStatus: 503, isFinal: false },
      ]);
      vi.setSystemTime(Date.now() + 60 * 60_000);
      await app.fake.removeApplication({ as: "ada" });
      await expect(sourceOf(session).token()).rejects.toThrow("no valid token");
      expect(app.told()).toEqual([{
        ...failed,
        code: "oauth_error",
        reason: "invalid_grant",
        httpStatus: 400,
        isFinal: true,
      }]);
    });
  },
);

describe("Of requests that a limit holds back, onEvent", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    watchCrypto();
    return () => {
      vi.restoreAllMocks();
      vi.useRealTimers();
    };
  });

  let onHeld = () => {};

  /** Logs in, and returns the `api` of the session. */
  async function limited(platform: FakePlatformOptions["rateLimits"], options: Options = {}) {
    const app = observe({ store: new MemoryStore(), freshFor: 0, ...options }, {
      rateLimits: platform,
    }, ({ kind }) => kind === "request_held" && onHeld());
    onHeld = () => {};
    const browser = await settled(logIn(app));
    const session = await settled(app.login.session(browser.jar.request(SITE)));
    app.told();
    const api: User = session?.api ?? expect.fail("there is no api");
    return { app, api };
  }

  const memberRoute = "GET /users/@me/guilds/{guild_id}/member";
  const scope = ["identify", "guilds.members.read"] as never;
  const guilds = ["1200000000000000001", "1200000000000000002"] as const;
  const held = { kind: "request_held", userId: ADA, route: "GET /users/@me/guilds/*/member" };

  test("learns how long they waited for the limit of a route", async () => {
    const { app, api } = await limited(
      { routes: { [memberRoute]: { limit: 1, windowMs: 2000 } } },
      {
        scope,
      },
    );
    await settled(Promise.allSettled(guilds.map((guild) => api.getGuildMember(guild))));
    const milliseconds = expect.toSatisfy((value) => value > 1000 && value < 3000);
    expect(app.told()).toEqual([{ ...held, outcome: "sent", limit: "route", milliseconds }]);
  });

  test("learns once of a request that several callers share", async () => {
    const { app, api } = await limited(
      { routes: { [memberRoute]: { limit: 1, windowMs: 2000 } } },
      {
        scope,
      },
    );
    const [first, second] = guilds;
    await settled(
      Promise.allSettled([first, second, second, second].map((guild) => api.getGuildMember(guild))),
    );
    expect(app.told()).toMatchObject([{ ...held, outcome: "sent" }]);
  });

  test("learns nothing of a request that only waits for the response to another one", async () => {
    const { app, api } = await limited({}, { scope });
    await settled(Promise.allSettled(guilds.map((guild) => api.getGuildMember(guild))));
    expect(app.told()).toEqual([]);
  });

  test("learns of one that would have had to wait longer than its timeout", async () => {
    const { app, api } = await limited({
      routes: { [memberRoute]: { limit: 1, windowMs: 60_000 } },
    }, {
      scope,
    });
    await settled(Promise.allSettled(guilds.map((guild) => api.getGuildMember(guild))));
    const milliseconds = expect.toSatisfy((value) => value > 50_000 && value < 65_000);
    expect(app.told()).toEqual([{ ...held, outcome: "failed", limit: "route", milliseconds }]);
  });

  test("learns of the limit over all requests", async () => {
    const { app, api } = await limited({}, { scope });
    const body = JSON.stringify({ message: "slow", retry_after: 2, global: true });
    app.fake.failNext({ path: /member$/, status: 429, body });
    await settled(api.getGuildMember(guilds[0]));
    const milliseconds = expect.toSatisfy((value) => value >= 2000 && value < 3100);
    expect(app.told()).toEqual([{ ...held, outcome: "sent", limit: "global", milliseconds }]);
  });

  test("learns of a 429 that states no wait, and of the limit over all requests that is too long", async () => {
    const { app, api } = await limited({}, { scope });
    app.fake.failNext({ path: /member$/, status: 429, body: JSON.stringify({ message: "slow" }) });
    await settled(Promise.allSettled([api.getGuildMember(guilds[0])]));
    expect(app.told()).toEqual([
      { ...held, outcome: "failed", limit: "route", milliseconds: 5000 },
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    const body = JSON.stringify({ message: "slow", retry_after: 50, global: true });
    app.fake.failNext({ path: /member$/, status: 429, body });
    await settled(Promise.allSettled([api.getGuildMember(guilds[1])]));
    expect(app.told()).toEqual([
      { ...held, outcome: "failed", limit: "global", milliseconds: 50_000 },
    ]);
  });

  test("learns of a block by the edge, and of the requests that are not sent after it", async () => {
    const { app, api } = await limited({}, { scope });
    app.fake.failNext({ path: /@me$/, edge: true, status: 403 });
    await settled(Promise.allSettled([api.getCurrentUser({ fresh: true })]));
    await settled(Promise.allSettled([api.getGuildMember(guilds[0])]));
    const failed = { ...held, outcome: "failed", limit: "edge" };
    const milliseconds = expect.toSatisfy((value) => value > 25_000 && value <= 30_000);
    expect(app.told()).toEqual([
      { ...failed, route: "GET /users/@me", milliseconds: 30_000 },
      { ...failed, milliseconds },
    ]);
  });

  test("may send a request of its own at once, which loses no other one", async () => {
    const { app, api } = await limited(
      { routes: { [memberRoute]: { limit: 1, windowMs: 1000 } } },
      {
        scope,
      },
    );
    const own: Promise<unknown>[] = [];
    onHeld = () => void (own.length === 0 && own.push(api.getGuildMember("7", { fresh: true })));
    const given = [...guilds, "1200000000000000003"];
    const results = await settled(
      Promise.allSettled(given.map((guild) => api.getGuildMember(guild))),
    );
    await settled(Promise.allSettled(own));
    expect(own).toHaveLength(1);
    expect(results).toHaveLength(3);
    const paths = app.fake.requests.map(({ path }) => path).filter((path) =>
      path.endsWith("member")
    );
    expect(new Set(paths).size).toBe(4);
  });

  test("learns nothing of another failure", async () => {
    const { app, api } = await limited({}, { scope });
    app.fake.failNext({ path: /member$/, status: 404 });
    await settled(Promise.allSettled([api.getGuildMember(guilds[0])]));
    expect(app.told()).toEqual([]);
  });

  test("learns of a held request() by its template, without the values in its path", () => {
    const events: unknown[] = [];
    const observer = heldRequestObserver((event) => events.push(event), ADA);
    const template = "/webhooks/{id}/{token}/messages/*";
    const request = { method: "GET", path: "/webhooks/1/t0ken/messages/5", template } as const;
    observer?.sentLate(request, "route", 5);
    expect(events).toMatchObject([{ route: "GET /webhooks/*/*/messages/*", milliseconds: 5 }]);
  });

  test("learns of a login that the limit of the token endpoint stops", async () => {
    const app = observe();
    const browser = new Browser(app);
    const callback = await settled(browser.consent());
    app.fake.failNext({
      path: "/oauth2/token",
      status: 429,
      body: JSON.stringify({ message: "slow", retry_after: 4, global: false }),
    });
    await settled(browser.open(callback));
    expect(app.told()).toEqual([
      started,
      {
        kind: "request_held",
        userId: null,
        route: "POST /oauth2/token",
        outcome: "failed",
        limit: "route",
        milliseconds: 4000,
      },
      {
        kind: "login_failed",
        userId: null,
        purpose: "login",
        code: "rate_limited",
        reason: null,
        httpStatus: 429,
        pageStatus: 503,
      },
    ]);
    // The callback is opened again before the end of the wait: nothing is sent, so nothing is held.
    await settled(browser.open(callback));
    expect(app.told()).toMatchObject([{ kind: "login_failed", code: "rate_limited" }]);
  });
});

describe("onEvent", () => {
  /** Logs in, asks for more, and logs out. Returns the statuses of the responses. */
  async function visit(app: App): Promise<number[]> {
    const browser = new Browser(app);
    const responses = [
      await browser.open(await browser.consent()),
      await browser.open(await ask(app, browser, { scope: ["email"] })),
      await browser.open("/"),
      await logOut(browser),
      await logOut(browser),
    ];
    return responses.map(({ status }) => status);
  }

  test.each<[string, (event: LoginEvent, app: App) => unknown]>([
    ["throws", () => {
      throw new Error("it breaks");
    }],
    ["throws no error", () => {
      throw null;
    }],
    ["rejects", () => Promise.reject(new Error("it breaks"))],
    ["never settles", () => new Promise(() => {})],
    ["returns a thenable that throws", () => ({
      get then(): never {
        throw new Error("it breaks");
      },
    })],
    ["changes the event", (event) => {
      Object.assign(event, { userId: "0", kind: "other" });
    }],
    ["changes the scopes of the event", (event) => {
      if ("scopes" in event) (event.scopes as string[]).push("bot");
    }],
    ["begins another login", async (event, { login }) => {
      if (event.kind !== "login_started") await login.start(new Request(SITE));
    }],
    ["ends all sessions of another person", async (_event, { login }) => {
      await login.endAll(GRACE);
    }],
  ])(
    "breaks no login and no logout when it %s, and its errors are logged",
    async (how, onEvent) => {
      vi.spyOn(console, "error").mockReset().mockReturnValue();
      const expected = await visit(createApp({ store: new MemoryStore() }));
      const rejections = vi.fn();
      globalThis.process?.on("unhandledRejection", rejections);
      let calls = 0;
      const app: App = createApp({
        store: new MemoryStore(),
        onEvent: (event) => {
          calls++;
          return onEvent(event, app);
        },
      });
      expect(await visit(app)).toEqual(expected);
      await new Promise((resolve) => setTimeout(resolve));
      globalThis.process?.off("unhandledRejection", rejections);
      expect(calls).toBeGreaterThanOrEqual(5);
      expect(rejections).not.toHaveBeenCalled();
      // An event is frozen, so a change of it throws too.
      const isBroken = /throws|rejects|changes/.test(how);
      expect(vi.mocked(console.error).mock.calls.length > 0).toBe(isBroken);
    },
  );

  test("gets the options of the login in no way", async () => {
    let receiver: unknown = null;
    let given: unknown[] = [];
    const app = createApp({
      onEvent(this: unknown, ...all: unknown[]) {
        receiver = this;
        given = all;
      },
    });
    await new Browser(app).begin();
    expect(receiver).toBeUndefined();
    expect(given).toHaveLength(1);
  });

  test("may be null, and is refused when it is not a function", () => {
    expect(() => createApp({ onEvent: null })).not.toThrow();
    expect(() => createApp({ onEvent: "log" as never })).toThrow("onEvent");
  });

  test.each(storages)(
    "shows no secret of whole logins with sessions %s",
    async (_where, storage) => {
      const secret = generateState();
      const app = observe({ ...storage(), secret });
      const secrets = [secret, sampleApplication.secret];
      const browser = new Browser(app);
      const keep = (url: string | null) => {
        const { searchParams } = new URL(url ?? "");
        for (const name of ["state", "code", "code_challenge", "nonce"]) {
          const value = searchParams.get(name);
          if (value !== null) secrets.push(value);
        }
      };
      const open = async (url: string, init?: RequestInit) => {
        secrets.push(...browser.jar.cookies.map(({ value }) => value));
        const response = await browser.open(url, init);
        secrets.push(...browser.jar.cookies.map(({ value }) => value));
        return response;
      };
      const callback = await browser.consent("/page?private=4711-4712-4713-4714");
      keep(callback);
      app.fake.failNext({ path: "/users/@me", status: 500, times: 3 });
      await open(callback);
      await open(callback);
      await open(callback);
      const more = await ask(app, browser, {
        scope: ["email"],
        data: { hidden: "the-private-data" },
      });
      keep(more);
      await open(more);
      const session = await app.login.session(browser.jar.request(SITE));
      const source = session?.token;
      if (source && "renew" in source) {
        const token = await source.token();
        secrets.push(token.access_token, token.refresh_token ?? "");
        const next = await source.renew(token);
        secrets.push(next.access_token, next.refresh_token ?? "");
      }
      const denied = await app.fake.deny(await browser.begin());
      keep(denied);
      await open(denied);
      await open(`${SITE}/callback?state=the-made-up-state&error=the-made-up-error`);
      await open("/logout", { method: "POST", headers: { origin: "https://evil.example" } });
      await logOut(browser);
      for (const { body } of app.fake.requests) {
        const form = new URLSearchParams(String(body));
        for (const name of ["code", "code_verifier", "refresh_token", "token", "client_secret"]) {
          const value = form.get(name);
          if (value !== null) secrets.push(value);
        }
      }
      secrets.push(
        "4711-4712-4713-4714",
        "the-private-data",
        "the-made-up-state",
        "the-made-up-error",
      );
      expect(secrets.length).toBeGreaterThan(15);
      expect(app.events.length).toBeGreaterThan(8);
      const wanted = [...new Set(secrets)].filter((one) => one.length > 8);
      expect(app.events.filter((event) => leaksOf(event, wanted).length > 0)).toEqual([]);
      expect(JSON.stringify(app.events)).not.toContain("ada");
    },
  );
});

test("A failed refresh is told, and one that was not sent is not", async () => {
  const events: unknown[] = [];
  const error = new NetworkError("cut");
  const own = tokenApiOf(
    {
      timeout: 5,
      [takeRefreshSlot]: () => Promise.reject(error),
      refresh: () => Promise.reject(error),
      revoke: () => Promise.resolve(),
    },
    ADA,
    (event) => events.push(event),
  );
  expect(own).toMatchObject({ timeout: 5 });
  await expect(own[takeRefreshSlot]?.({} as never, 0)).rejects.toBe(error);
  expect(events).toEqual([]);
  await expect(own.refresh({} as never)).rejects.toBe(error);
  expect(events).toMatchObject([{ kind: "token_refresh_failed", userId: ADA }]);
});
