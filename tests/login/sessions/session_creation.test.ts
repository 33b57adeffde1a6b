import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { OAuthError, type Store, type TokenSource, User } from "../../../mod.ts";
import { type ListedSession, LoginError } from "../../../src/login/mod.ts";
import { RecordingStore } from "../../support/stepped_store.ts";
import {
  ADA,
  consentAgain,
  createSessionWorld,
  expectListedRecords,
  expectNoRecords,
  finishLogin,
  HOUR,
  logIn,
  type SessionWorld,
} from "../session_world.ts";
import { type App, Browser, createApp, SITE } from "../test_app.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A store that runs a function just before one of its operations. */
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

/** A person with a session that began an hour ago. */
interface World extends SessionWorld {
  readonly browser: Browser;
  /** The id of its session in the list of the person. */
  readonly id: string;
  readonly since: number;
}

async function createWorld(backgroundTokens: boolean): Promise<World> {
  const world = createSessionWorld({
    backgroundTokens,
    sessionUser: (user: unknown, { session }: { session: { user: unknown } | null }) =>
      session?.user ?? user,
  });
  const browser = await logIn(world.app);
  const [{ id }] = await world.app.login.sessionsOf(ADA) as [ListedSession];
  const since = Date.now() + 1;
  vi.advanceTimersByTime(HOUR);
  return { ...world, browser, id, since };
}

/** Begins a consent, and returns the address of its callback. */
async function consent({ app, browser }: World): Promise<string> {
  return await consentAgain(app, browser, { scope: ["email"] });
}

/** Finishes a callback. Returns the reason of a refusal, or `null`. */
async function finish(app: App, browser: Browser, callback: string): Promise<string | null> {
  try {
    await finishLogin(app, browser, callback);
    return null;
  } catch (error) {
    if (error instanceof LoginError) return error.reason;
    // A revocation also ends codes.
    if (error instanceof OAuthError) return error.error;
    throw error;
  }
}

/** An operation, another one that interrupts it, and the check of the outcome. */
interface Interruption<Result> {
  /** Runs the operation in a process with the interrupted store. */
  run(app: App): Promise<Result>;
  interrupt(): Promise<unknown>;
  /** @param remaining The number of operations of the store after the interruption, with the interrupted one. */
  check(result: Result, remaining: number): Promise<void>;
}

/** Interrupts an operation at each of its operations on the store, in a new world each time. */
async function interruptEach<Result>(
  backgroundTokens: boolean,
  prepare: (world: World) => Promise<Interruption<Result>>,
): Promise<void> {
  for (let at = 0;; at++) {
    const world = await createWorld(backgroundTokens);
    const { run, interrupt, check } = await prepare(world);
    const store = new InterruptedStore(world.store, at, interrupt);
    const result = await run(world.appWith({ store }));
    // Nothing has interrupted it.
    if (store.operations <= at) break;
    try {
      await check(result, store.operations - at);
    } catch (error) {
      throw new Error(`At operation ${at}`, { cause: error });
    }
  }
}

const ends: Readonly<Record<string, (world: World, app: App) => Promise<unknown>>> = {
  "a logout": async ({ browser }, { login }) => {
    // The browser keeps its cookie, since the response is on its way.
    await login.end(browser.jar.request(SITE, { method: "POST" }));
  },
  "endSession()": ({ id }, { login }) => login.endSession(ADA, id),
  "endAll()": (_, { login }) => login.endAll(ADA),
  "endAll() with startedBefore and tokens": ({ since }, { login }) =>
    login.endAll(ADA, { startedBefore: since, tokens: true }),
  "endAll() with tokens": (_, { login }) => login.endAll(ADA, { tokens: true }),
  "forget()": (_, { login }) => login.forget(ADA),
};

const endsTokens = ["endAll() with startedBefore and tokens", "endAll() with tokens", "forget()"];

async function expectNoSession({ store, browser, app }: World): Promise<void> {
  expect(await app.login.session(browser.jar.request(SITE))).toBeNull();
  await expectNoRecords(store);
}

/** Asserts that a session of the browser has a token. Returns false without a session. */
async function hasWorkingSession({ app }: World, browser: Browser): Promise<boolean> {
  const session = await app.login.session(browser.jar.request(SITE));
  if (session) await (session.token as TokenSource).token();
  return session !== null;
}

async function expectNoToken({ app }: World): Promise<void> {
  const token = app.login.tokensOf(ADA).token();
  await expect(token).rejects.toMatchObject({ reason: "no_token" });
}

const tokens = [["a token of its own", false], ["a token for background jobs", true]] as const;

describe.each(tokens)("With %s, a consent for a session that ends", (_, backgroundTokens) => {
  test.each(Object.keys(ends))(
    "by %s before the response to its code ends as for another person, and creates nothing",
    async (name) => {
      const world = await createWorld(backgroundTokens);
      const { fake, browser, appWith } = world;
      const callback = await consent(world);
      const app = appWith({
        async fetch(url, init) {
          const response = await fake.fetch(url, init);
          if (String(url).endsWith("/oauth2/token")) {
            await ends[name]?.(world, world.app);
          }
          return response;
        },
      });
      const page = await app.fetch(browser.jar.request(callback));
      expect(page.status).toBe(403);
      expect(await page.text()).toContain("That was a different login");
      expect(page.headers.getSetCookie().join()).not.toContain("session=");
      await expectNoSession(world);
      // The token of the consent is not kept.
      const records = await world.store.keys("guildpass:progress:");
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
      await interruptEach(backgroundTokens, async (world) => {
        const { browser, app } = world;
        const callback = await consent(world);
        return {
          run: (other) => finish(other, browser, callback),
          interrupt: async () => await ends[name]?.(world, app),
          async check(reason, remaining) {
            // The consent is complete when only the old token and its own progress remain.
            const isComplete = reason === null && remaining <= 2;
            const session = await app.login.session(browser.jar.request(SITE));
            if (isComplete && name.includes("startedBefore")) {
              expect(session).not.toBeNull();
              return;
            }
            expect(session).toBeNull();
            if (!isComplete) expect(reason).toBe("other_person");
            await expectNoSession(world);
            if (!backgroundTokens) return;
            if (endsTokens.includes(name)) await expectNoToken(world);
            else await app.login.tokensOf(ADA).token();
          },
        };
      });
    },
  );
});

describe.each(tokens)("With %s,", (_, backgroundTokens) => {
  test.each(Object.keys(ends).slice(1))(
    "a login that meets %s at any operation of the store has a session with a token, or neither",
    async (name) => {
      await interruptEach(backgroundTokens, async (world) => {
        const { app } = world;
        const fresh = new Browser(app);
        const callback = await fresh.consent();
        return {
          run: (other) => finish(other, fresh, callback),
          interrupt: async () => await ends[name]?.(world, app),
          async check() {
            const hasSession = await hasWorkingSession(world, fresh);
            if (name.includes("startedBefore")) expect(hasSession).toBe(true);
            if (hasSession || !backgroundTokens) return;
            if (name === "endAll()") await app.login.tokensOf(ADA).token();
            else await expectNoToken(world);
          },
        };
      });
    },
  );

  test.each(Object.keys(ends).slice(1))(
    "a login during %s has a session with a token, or neither",
    async (name) => {
      await interruptEach(backgroundTokens, async (world) => {
        const { app } = world;
        const fresh = new Browser(app);
        const callback = await fresh.consent();
        return {
          run: async (other) => await ends[name]?.(world, other),
          interrupt: async () => expect(await finish(app, fresh, callback)).toBeNull(),
          async check() {
            const hasSession = await hasWorkingSession(world, fresh);
            if (!hasSession && backgroundTokens && endsTokens.includes(name)) {
              await expectNoToken(world);
            }
          },
        };
      });
    },
  );

  test("an update at any operation of a consent is kept if it succeeds, and so are the new scopes", async () => {
    await interruptEach(backgroundTokens, async (world) => {
      const { app, browser } = world;
      const callback = await consent(world);
      const request = browser.jar.request(SITE, { method: "POST" });
      let expected: unknown = expect.anything();
      return {
        run: (other) => finish(other, browser, callback),
        async interrupt() {
          try {
            await app.login.update(request, { name: "new" } as never);
            expected = { name: "new" };
          } catch (error) {
            // The consent has replaced the session of the cookie.
            expect(error).toMatchObject({ reason: "no_session" });
          }
        },
        async check(reason) {
          expect(reason).toBeNull();
          const session = await app.login.session(browser.jar.request(SITE));
          expect(session?.user).toEqual(expected);
          expect(session?.scopes).toContain("email");
        },
      };
    });
  });

  test("a logout everywhere with a logout at any operation of the store ends the session", async () => {
    await interruptEach(backgroundTokens, (world) => {
      const request = world.browser.jar.request(SITE, { method: "POST" });
      return Promise.resolve({
        run: ({ login }) => login.end(request, { everywhere: true }),
        interrupt: () => world.app.login.end(request),
        check: () => expectNoSession(world),
      });
    });
  });

  test("a login during a logout everywhere keeps its token if it comes after the revocation", async () => {
    await interruptEach(backgroundTokens, async (world) => {
      const { app, browser, fake, store } = world;
      const fresh = new Browser(app);
      const request = browser.jar.request(SITE, { method: "POST" });
      const { token } = await app.login.session(request) ?? expect.fail();
      const { access_token } = await (token as TokenSource).token();
      let isRevoked = false;
      return {
        run: ({ login }) => login.end(request, { everywhere: true }),
        async interrupt() {
          const user = new User(access_token, fake).getCurrentUser();
          isRevoked = await user.then(() => false, () => true);
          expect(await finish(app, fresh, await fresh.consent())).toBeNull();
        },
        async check() {
          expect(await app.login.session(request)).toBeNull();
          await expectListedRecords(store);
          if (isRevoked) expect(await hasWorkingSession(world, fresh)).toBe(true);
        },
      };
    });
  });

  /** Begins a consent. Returns its callback, and a check that the session has ended and its first token is revoked. */
  async function beginConsent(world: World) {
    const { app, browser, fake } = world;
    const { token } = await app.login.session(browser.jar.request(SITE)) ?? expect.fail();
    const { access_token } = await (token as TokenSource).token();
    return {
      callback: await consent(world),
      async check() {
        await expectNoSession(world);
        const user = new User(access_token, fake).getCurrentUser();
        await expect(user).rejects.toMatchObject({ httpStatus: 401 });
      },
    };
  }

  test("a logout everywhere during a consent ends it with its session, and every token is revoked", async () => {
    await interruptEach(backgroundTokens, async (world) => {
      const { app, browser } = world;
      const { callback, check } = await beginConsent(world);
      const request = browser.jar.request(SITE, { method: "POST" });
      return {
        run: (other) => finish(other, browser, callback),
        interrupt: () => app.login.end(request, { everywhere: true }),
        check,
      };
    });
  });

  test("a consent during a logout everywhere ends with its session, and every token is revoked", async () => {
    await interruptEach(backgroundTokens, async (world) => {
      const { app, browser } = world;
      const request = browser.jar.request(SITE, { method: "POST" });
      const { callback, check } = await beginConsent(world);
      return {
        run: ({ login }) => login.end(request, { everywhere: true }),
        interrupt: () => finish(app, browser, callback),
        check,
      };
    });
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

test("A login that endSession() has ended leaves the token for background jobs to the older session", async () => {
  const world = await createWorld(true);
  const { app, store, browser, since } = world;
  const fresh = new Browser(app);
  const callback = await fresh.consent();
  const save = store.save.bind(store);
  vi.spyOn(store, "save").mockImplementation(async (key, ...given) => {
    const version = await save(key, ...given);
    if (key.startsWith("guildpass:session:")) {
      vi.spyOn(store, "save").mockImplementation(save);
      const [newest] = await app.login.sessionsOf(ADA) as [ListedSession];
      expect(await app.login.endSession(ADA, newest.id)).toBe(true);
    }
    return version;
  });
  await finish(app, fresh, callback);
  expect(await hasWorkingSession(world, fresh)).toBe(false);
  expect(await hasWorkingSession(world, browser)).toBe(true);
  await app.login.endAll(ADA, { startedBefore: since, tokens: true });
  expect(await hasWorkingSession(world, browser)).toBe(false);
  await expectNoToken(world);
});

test("A consent that meets a logout everywhere saves no token, and the platform revokes its token too", async () => {
  const world = await createWorld(false);
  const { store, fake, browser, appWith } = world;
  const callback = await consent(world);
  const request = browser.jar.request(SITE, { method: "POST" });
  const [ending, saving] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const app = appWith({
    async fetch(input, init) {
      if (String(input).endsWith("/oauth2/token/revoke")) {
        ending.resolve();
        await saving.promise;
      }
      return await fake.fetch(input, init);
    },
  });
  let token = "";
  let logout: Promise<unknown> | undefined;
  const consenting = appWith({
    async fetch(input, init) {
      const response = await fake.fetch(input, init);
      if (String(input).endsWith("/oauth2/token")) {
        token = (await response.clone().json()).access_token;
      }
      return response;
    },
    store: {
      load: (key) => store.load(key),
      async save(key, ...given) {
        if (key.startsWith("guildpass:session:")) {
          logout = app.login.end(request, { everywhere: true });
          await ending.promise;
        }
        return await store.save(key, ...given);
      },
      delete: (key) => store.delete(key),
    },
  });
  expect(await finish(consenting, browser, callback)).toBe("other_person");
  const user = () => new User(token, fake).getCurrentUser();
  expect(await user()).toMatchObject({ username: "ada" });
  saving.resolve();
  await logout;
  await expect(user()).rejects.toMatchObject({ httpStatus: 401 });
  await expectNoSession(world);
});
