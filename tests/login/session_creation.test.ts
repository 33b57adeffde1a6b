import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { generateState, OAuthError, type Store, type TokenSource, User } from "../../mod.ts";
import { LoginError } from "../../src/login/mod.ts";
import { createFakePlatform, type FakePlatform } from "../../src/testing/mod.ts";
import { RecordingStore } from "../support/stepped_store.ts";
import { type App, Browser, createApp, locationOf, SITE } from "./test_app.ts";

const ADA = "1000000000000000001";
const HOUR = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A store that lets something else happen just before one of its operations. */
class InterruptedStore implements Store {
  readonly #store: Store;
  readonly #at: number;
  readonly #interrupt: () => Promise<unknown>;
  operations = 0;

  /** @param at The number of the operation, from 0 on. */
  constructor(store: Store, at: number, interrupt: () => Promise<unknown>) {
    this.#store = store;
    this.#at = at;
    this.#interrupt = interrupt;
  }

  async load(key: string): ReturnType<Store["load"]> {
    await this.#next();
    return await this.#store.load(key);
  }

  async save(...args: Parameters<Store["save"]>): ReturnType<Store["save"]> {
    await this.#next();
    return await this.#store.save(...args);
  }

  async delete(key: string): Promise<void> {
    await this.#next();
    await this.#store.delete(key);
  }

  async #next(): Promise<void> {
    if (this.operations++ === this.#at) await this.#interrupt();
  }
}

/** A person with a session an hour ago, and a callback that is not open yet. */
interface World {
  readonly store: RecordingStore;
  readonly fake: FakePlatform;
  readonly browser: Browser;
  readonly app: App;
  readonly since: number;
  appWith(access: { store?: Store; fetch?: typeof fetch }): App;
}

async function createWorld(backgroundTokens: boolean): Promise<World> {
  const store = new RecordingStore();
  const fake = createFakePlatform();
  const secret = generateState();
  const appWith: World["appWith"] = (access) =>
    createApp({ store, secret, backgroundTokens, ...access }, fake);
  const app = appWith({});
  const browser = new Browser(app);
  await browser.open(await browser.consent());
  const since = Date.now() + 1;
  vi.advanceTimersByTime(HOUR);
  return { store, fake, browser, app, since, appWith };
}

/** Begins a consent, and returns the address of its callback. */
async function consent({ app, browser, fake }: World): Promise<string> {
  const response = await app.login.start(browser.jar.request(SITE), { scope: ["email"] });
  browser.jar.store(response, SITE);
  return await fake.authorize(locationOf(response));
}

/** Finishes a callback. Returns the reason of a refusal, or `null`. */
async function finish({ login }: App, browser: Browser, callback: string): Promise<string | null> {
  try {
    const { headers } = await login.finish(browser.jar.request(callback));
    browser.jar.store(new Response(null, { headers }), SITE);
    return null;
  } catch (error) {
    if (error instanceof LoginError) return error.reason;
    // A revocation also ends codes.
    if (error instanceof OAuthError) return error.error;
    throw error;
  }
}

const ends: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  "a logout": async ({ app, browser }) => {
    // The browser keeps its cookie, since the response is on its way.
    await app.login.end(browser.jar.request(SITE, { method: "POST" }));
  },
  "endAll()": ({ app }) => app.login.endAll(ADA),
  "endAll() with startedBefore and tokens": ({ app, since }) =>
    app.login.endAll(ADA, { startedBefore: since, tokens: true }),
  "endAll() with tokens": ({ app }) => app.login.endAll(ADA, { tokens: true }),
  "forget()": ({ app }) => app.login.forget(ADA),
};

const endsTokens = ["endAll() with startedBefore and tokens", "endAll() with tokens", "forget()"];

async function expectNoSession({ store, browser, app }: World): Promise<void> {
  expect(await app.login.session(browser.jar.request(SITE))).toBeNull();
  expect(await store.keys("guildpass:session:")).toEqual([]);
  expect(await store.keys("guildpass:token:")).toEqual([]);
  expect(await store.keys("guildpass:sessions-of:")).toEqual([]);
}

const tokens = [["a token of its own", false], ["a token for background jobs", true]] as const;

describe.each(tokens)("With %s, a consent for a session that ends", (_, backgroundTokens) => {
  test.each(Object.keys(ends))(
    "by %s while the platform answers its code ends as for another person, and creates nothing",
    async (name) => {
      const world = await createWorld(backgroundTokens);
      const { fake, browser, appWith } = world;
      const callback = await consent(world);
      const app = appWith({
        async fetch(input, init) {
          const response = await fake.fetch(input as Request, init);
          if ((input as Request).url.endsWith("/oauth2/token")) await ends[name]?.(world);
          return response;
        },
      });
      const page = await app.fetch(browser.jar.request(callback));
      expect(page.status).toBe(403);
      expect(await page.text()).toContain("This is not the same login any more");
      expect(page.headers.getSetCookie().join()).not.toContain("session=");
      await expectNoSession(world);
      // The token of the consent is not kept.
      const records = await world.store.keys("guildpass:attempt:");
      const values = await Promise.all(records.map((key) => world.store.load(key)));
      expect(values.at(-1)?.value).toMatchObject({ status: "failed" });
      // The callback stays refused, and its code is not sent again.
      expect((await app.fetch(browser.jar.request(callback))).status).toBe(403);
      await expectNoSession(world);
    },
  );

  test.each(Object.keys(ends))(
    "by %s at any operation of the store has no effect",
    async (name) => {
      for (let at = 0;; at++) {
        const world = await createWorld(backgroundTokens);
        const { store, browser, app } = world;
        const callback = await consent(world);
        const interrupted = new InterruptedStore(store, at, async () => await ends[name]?.(world));
        const reason = await finish(world.appWith({ store: interrupted }), browser, callback);
        // Nothing has interrupted it.
        if (interrupted.operations <= at) break;
        const remaining = interrupted.operations - at;
        // The consent is complete when only the old token and its own progress remain.
        const isComplete = reason === null && remaining <= 2;
        const [session] = [await app.login.session(browser.jar.request(SITE))];
        if (isComplete && name.includes("startedBefore")) {
          expect(session).not.toBeNull();
          continue;
        }
        expect(session, `at operation ${at}`).toBeNull();
        if (!isComplete) expect(reason, `at operation ${at}`).toBe("other_person");
        await expectNoSession(world);
        if (backgroundTokens) {
          const token = app.login.tokensOf(ADA).token();
          if (!endsTokens.includes(name)) await token;
          else await expect(token).rejects.toMatchObject({ reason: "no_token" });
        }
      }
    },
  );
});

describe.each(tokens)("With %s, a login that meets", (_, backgroundTokens) => {
  test.each(Object.keys(ends).slice(1))(
    "%s at any operation of the store has a session with a token, or neither",
    async (name) => {
      for (let at = 0;; at++) {
        const world = await createWorld(backgroundTokens);
        const { store, app } = world;
        const fresh = new Browser(app);
        const callback = await fresh.consent();
        const interrupted = new InterruptedStore(store, at, async () => await ends[name]?.(world));
        await finish(world.appWith({ store: interrupted }), fresh, callback);
        if (interrupted.operations <= at) break;
        const session = await app.login.session(fresh.jar.request(SITE));
        if (session) await (session.token as TokenSource).token();
        if (name.includes("startedBefore")) expect(session).not.toBeNull();
        if (session || !backgroundTokens) continue;
        const token = app.login.tokensOf(ADA).token();
        if (name === "endAll()") await token;
        else await expect(token).rejects.toMatchObject({ reason: "no_token" });
      }
    },
  );
});

describe.each(tokens)("With %s,", (_, backgroundTokens) => {
  test.each(Object.keys(ends).slice(1))(
    "a login during %s has a session with a token, or neither",
    async (name) => {
      for (let at = 0;; at++) {
        const world = await createWorld(backgroundTokens);
        const { store, app } = world;
        const fresh = new Browser(app);
        const callback = await fresh.consent();
        const interrupted = new InterruptedStore(
          store,
          at,
          async () => expect(await finish(app, fresh, callback)).toBeNull(),
        );
        await ends[name]?.({ ...world, app: world.appWith({ store: interrupted }) });
        if (interrupted.operations <= at) break;
        const session = await app.login.session(fresh.jar.request(SITE));
        if (session) await (session.token as TokenSource).token();
        else if (backgroundTokens && endsTokens.includes(name)) {
          const token = app.login.tokensOf(ADA).token();
          await expect(token).rejects.toMatchObject({ reason: "no_token" });
        }
      }
    },
  );

  test("a logout everywhere during a consent ends it with its session, and every token is revoked", async () => {
    for (let at = 0;; at++) {
      const world = await createWorld(backgroundTokens);
      const { store, app, browser, fake } = world;
      const { token } = await app.login.session(browser.jar.request(SITE)) ?? expect.fail();
      const { access_token } = await (token as TokenSource).token();
      const callback = await consent(world);
      const request = browser.jar.request(SITE, { method: "POST" });
      const interrupted = new InterruptedStore(store, at, async () => {
        await app.login.end(request, { everywhere: true });
      });
      await finish(world.appWith({ store: interrupted }), browser, callback);
      if (interrupted.operations <= at) break;
      await expectNoSession(world);
      const user = new User(access_token, fake).getCurrentUser();
      await expect(user, `at operation ${at}`).rejects.toMatchObject({ httpStatus: 401 });
    }
  });

  test("a consent during a logout everywhere ends with its session, and every token is revoked", async () => {
    for (let at = 0;; at++) {
      const world = await createWorld(backgroundTokens);
      const { store, app, browser, fake } = world;
      const before = browser.jar.request(SITE, { method: "POST" });
      const { token } = await app.login.session(browser.jar.request(SITE)) ?? expect.fail();
      const { access_token } = await (token as TokenSource).token();
      const callback = await consent(world);
      const interrupted = new InterruptedStore(store, at, async () => {
        await finish(app, browser, callback);
      });
      await world.appWith({ store: interrupted }).login.end(before, { everywhere: true });
      if (interrupted.operations <= at) break;
      await expectNoSession(world);
      const user = new User(access_token, fake).getCurrentUser();
      await expect(user, `at operation ${at}`).rejects.toMatchObject({ httpStatus: 401 });
    }
  });
});

test("A login that forget() has ended can't save a token for background jobs, even if its process stops then", async () => {
  const store = new RecordingStore();
  const app = createApp({ store, backgroundTokens: true });
  const browser = new Browser(app);
  const callback = await browser.consent();
  const save = store.save.bind(store);
  vi.spyOn(store, "save").mockImplementation(async (key, value, options) => {
    if (key.startsWith("guildpass:token-of:")) {
      vi.spyOn(store, "save").mockImplementation(save);
      await app.login.forget(ADA);
      // The first login of a process that is gone.
      expect(await save(key, value, options)).toBeNull();
    }
    return await save(key, value, options);
  });
  await finish(app, browser, callback);
  await expect(app.login.tokensOf(ADA).token()).rejects.toMatchObject({ reason: "no_token" });
});
