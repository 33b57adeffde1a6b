import { beforeEach, describe, expect, test, vi } from "vitest";
import { OAuthError, type Store, type TokenSource } from "../../mod.ts";
import { type ListedSession, LoginError } from "../../src/login/mod.ts";
import { CookieJar } from "../../src/testing/mod.ts";
import { useSteps, withTime } from "../support/stepped_store.ts";
import {
  ADA,
  consentAgain,
  createSessionWorld,
  DAY,
  expectListedRecords,
  expectNoRecords,
  finishLogin,
  HOUR,
  logIn,
  type SessionWorld,
  START,
} from "./session_world.ts";
import { type App, Browser, SITE } from "./test_app.ts";

/** The faults of one operation of the store. After the last two, the process is gone. */
const faults = [
  "not done",
  "done, but fails",
  "not done, process gone",
  "done, process gone",
] as const;

type Fault = typeof faults[number];

/** A process that uses the store until an operation fails. */
class FaultyStore implements Store {
  readonly #store: Store;
  readonly #fault: Fault | null;
  readonly #at: number;
  #operations = 0;
  /** Resolves when the process is gone. */
  readonly gone: Promise<"gone">;
  #setGone: (() => void) | undefined;
  hasFailed = false;

  /** @param at The number of the operation that fails, from 0 on. */
  constructor(store: Store, fault: Fault | null = null, at = -1) {
    this.#store = store;
    this.#fault = fault;
    this.#at = at;
    this.gone = new Promise((resolve) => this.#setGone = () => resolve("gone"));
  }

  load(key: string): ReturnType<Store["load"]> {
    return this.#run(() => this.#store.load(key));
  }

  save(...args: Parameters<Store["save"]>): ReturnType<Store["save"]> {
    return this.#run(() => this.#store.save(...args));
  }

  delete(key: string): Promise<void> {
    return this.#run(() => this.#store.delete(key));
  }

  async #run<Value>(operation: () => Promise<Value>): Promise<Value> {
    const number = this.#operations++;
    const isGone = this.#fault?.endsWith("gone") === true;
    if (number < this.#at || this.#fault === null || (number > this.#at && !isGone)) {
      return await operation();
    }
    if (number === this.#at && this.#fault.startsWith("done")) await operation();
    this.hasFailed = true;
    if (!isGone) throw new Error("The store has failed");
    this.#setGone?.();
    return await new Promise(() => {});
  }
}

/** A person with two sessions, and callbacks that are not open yet. */
interface World extends SessionWorld {
  readonly browser: Browser;
  readonly other: Browser;
  readonly fresh: Browser;
  /** The id of the session of `browser` in the list of the person. */
  readonly id: string;
  readonly callbacks: Readonly<Record<LoginName, string>>;
  /** The first request with each callback. */
  readonly requests: Readonly<Record<LoginName, Request>>;
}

type LoginName = "fresh" | "again" | "consent";

async function createWorld(backgroundTokens: boolean): Promise<World> {
  vi.setSystemTime(START);
  let runs = 0;
  const world = createSessionWorld({
    backgroundTokens,
    sessionUser: () => ({ run: ++runs }),
    afterLogin: () => `/run/${runs}`,
  });
  const { app } = world;
  const browser = await logIn(app);
  const [{ id }] = await app.login.sessionsOf(ADA) as [ListedSession];
  const [other, fresh] = [await logIn(app), new Browser(app)];
  // The tokens have ended, and the sessions have not been used for long.
  vi.setSystemTime(START + 8 * DAY);
  const callbacks = {
    fresh: await fresh.consent(),
    again: await consentAgain(app, browser),
    consent: await consentAgain(app, browser, { scope: ["email"] }),
  };
  const requests = {
    fresh: fresh.jar.request(callbacks.fresh),
    again: browser.jar.request(callbacks.again),
    consent: browser.jar.request(callbacks.consent),
  };
  return { ...world, browser, other, fresh, id, callbacks, requests };
}

type Call = (app: App, world: World) => Promise<unknown>;

function callbackOf(name: LoginName): Call {
  return (app, { browser, fresh, callbacks }) =>
    finishLogin(app, name === "fresh" ? fresh : browser, callbacks[name]);
}

const post = { method: "POST" };

const calls: Readonly<Record<string, Call>> = {
  "a first login": callbackOf("fresh"),
  "another login": callbackOf("again"),
  "a consent": callbackOf("consent"),
  "update()": ({ login }, { browser }) =>
    login.update(browser.jar.request(SITE), { name: "new" } as never),
  "session()": ({ login }, { browser }) => login.session(browser.jar.request(SITE)),
  "end()": ({ login }, { browser }) => login.end(browser.jar.request(SITE, post)),
  "end() everywhere": ({ login }, { browser }) =>
    login.end(browser.jar.request(SITE, post), { everywhere: true }),
  "sessionsOf()": ({ login }, { browser }) => login.sessionsOf(ADA, browser.jar.request(SITE)),
  "endSession()": ({ login }, { id }) => login.endSession(ADA, id),
  "endAll()": ({ login }) => login.endAll(ADA),
  "endAll() with tokens": ({ login }) => login.endAll(ADA, { tokens: true }),
  "forget()": ({ login }) => login.forget(ADA),
};

type Name = keyof typeof calls;

const logins: Readonly<Record<Name, LoginName>> = {
  "a first login": "fresh",
  "another login": "again",
  "a consent": "consent",
};

/** Runs a call in a process whose store fails once. Returns `null` if it never came to that operation. */
async function runWithFault(
  world: World,
  call: Call,
  fault: Fault,
  at: number,
): Promise<"succeeded" | "failed" | null> {
  const store = new FaultyStore(world.store, fault, at);
  const run = call(world.appWith({ store }), world).then(() => "succeeded", () => "failed");
  const result = await withTime(Promise.race([run, store.gone]));
  if (!store.hasFailed) return null;
  return result === "succeeded" ? result : "failed";
}

/**
 * Opens a callback once more, in a browser that did not get the first response. The same run of `sessionUser` and `afterLogin` decides the
 * user data and the page.
 */
async function expectPageOfSession({ appWith, requests }: World, name: LoginName): Promise<void> {
  const { login } = appWith({});
  const { headers, returnTo } = await login.finish(requests[name].clone());
  const jar = new CookieJar();
  jar.store(new Response(null, { headers }), SITE);
  const session = await login.session(jar.request(SITE));
  expect(returnTo).toBe(`/run/${Object(session?.user).run}`);
}

/** Returns true for an error after which a callback says to begin again. */
function isEndOfLogin(error: unknown): boolean {
  return (error instanceof LoginError && error.reason === "used") ||
    (error instanceof OAuthError && error.error === "invalid_grant");
}

async function isLoggedIn(world: World, { jar }: Browser): Promise<boolean> {
  return await world.appWith({}).login.session(jar.request(SITE)) !== null;
}

/** Checks that nothing of the person works or is left. */
async function expectNothingLeft(world: World, backgroundTokens: boolean): Promise<void> {
  const { store, appWith, browser, other, fresh } = world;
  for (const one of [browser, other, fresh]) expect(await isLoggedIn(world, one)).toBe(false);
  if (backgroundTokens) {
    const source = appWith({}).login.tokensOf(ADA);
    await expect(withTime(source.token())).rejects.toMatchObject({ reason: "no_token" });
  }
  // The empty record of a token is there for a minute.
  vi.setSystemTime(Date.now() + 60_000);
  await expectNoRecords(store, "token-of");
}

/** Checks the effect of a call that was repeated until it has succeeded. */
async function expectEffect(world: World, name: Name): Promise<void> {
  const { browser, other, fresh, appWith } = world;
  const logged = await Promise.all([browser, other, fresh].map((one) => isLoggedIn(world, one)));
  const ends = name.startsWith("end()") || name === "endSession()";
  const endsAll = /everywhere|endAll|forget/.test(name);
  expect(logged).toEqual([!ends && !endsAll, !endsAll, name === "a first login"]);
  const session = await appWith({}).login.session(browser.jar.request(SITE));
  if (name === "a consent") expect(session?.scopes).toContain("email");
  if (name === "update()") expect(session?.user).toEqual({ name: "new" });
  if (session) await withTime((session.token as TokenSource).token());
}

beforeEach(() => {
  useSteps();
});

describe.each([["of its own", false], ["for background jobs", true]] as const)(
  "With a token %s, and a fault of the store at any operation,",
  (_, backgroundTokens) => {
    /** Runs a test with each fault at each operation of a call. */
    async function withEachFault(
      name: Name,
      check: (world: World, call: Call, result: "succeeded" | "failed") => Promise<void>,
    ): Promise<void> {
      const call = calls[name] ?? expect.fail("there is no such call");
      for (const fault of faults) {
        for (let at = 0;; at++) {
          const world = await withTime(createWorld(backgroundTokens));
          const result = await runWithFault(world, call, fault, at);
          try {
            if (result === null) break;
            await check(world, call, result);
          } catch (error) {
            throw new Error(`${fault}, at operation ${at}`, { cause: error });
          }
        }
      }
    }

    test.each(Object.keys(calls))("%s reaches its end when it is repeated", async (name) => {
      await withEachFault(name, async (world, call, result) => {
        const app = world.appWith({});
        const repeated = result === "succeeded" ? Promise.resolve() : call(app, world);
        const error = await withTime(repeated.then(() => null, (error) => error));
        if (isEndOfLogin(error)) {
          // Only what happened to the code is unknown, so the next login works.
          const next = await withTime(createWorld(backgroundTokens));
          await withTime(call(next.appWith({}), next));
          return;
        }
        expect(error).toBeNull();
        await withTime(expectEffect(world, name));
        const login = logins[name];
        if (login) await withTime(expectPageOfSession(world, login));
        await withTime(app.login.endAll(ADA, { tokens: true }));
        await withTime(expectNothingLeft(world, backgroundTokens));
      });
    });

    test.each(Object.keys(calls))("forget() ends everything that %s has left", async (name) => {
      await withEachFault(name, async (world) => {
        await withTime(world.appWith({}).login.forget(ADA));
        await withTime(expectNothingLeft(world, backgroundTokens));
      });
    });

    test.each(["end()", "end() everywhere", "endSession()", "endAll()", "forget()"])(
      "%s ends the session of a consent that has failed, also an hour later",
      async (name) => {
        for (const waited of [0, HOUR]) {
          await withEachFault("a consent", async (world) => {
            vi.setSystemTime(Date.now() + waited);
            const { store, browser, appWith } = world;
            await withTime(calls[name]?.(appWith({}), world) ?? expect.fail());
            expect(await isLoggedIn(world, browser)).toBe(false);
            await expectListedRecords(store);
            await withTime(appWith({}).login.endAll(ADA, { tokens: true }));
            await withTime(expectNothingLeft(world, backgroundTokens));
          });
        }
      },
    );
  },
);
