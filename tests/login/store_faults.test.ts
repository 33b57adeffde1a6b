import { beforeEach, describe, expect, test, vi } from "vitest";
import { OAuthError, type Store, type TokenSource } from "../../mod.ts";
import { type ListedSession, LoginError } from "../../src/login/mod.ts";
import { CookieJar } from "../../src/testing/mod.ts";
import { useSteps, withTime } from "../support/stepped_store.ts";
import {
  ADA,
  AppClient,
  AppRefusal,
  type Client,
  consentAgain,
  createSessionWorld,
  DAY,
  enterApp,
  expectListedRecords,
  expectNoRecords,
  finishLogin,
  HOUR,
  logIn,
  type SessionWorld,
  START,
  withApps,
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

/** A person with two sessions, and logins that are not finished yet. */
interface World extends SessionWorld {
  readonly client: Client;
  readonly other: Client;
  readonly fresh: Client;
  /** The id of the session of `client` in the list of the person. */
  readonly id: string;
  /** Finishes a login. */
  finish(name: LoginName, app: App): Promise<unknown>;
  /**
   * Finishes a login once more, in a client that did not get the first response. The same run of `sessionUser` and `afterLogin` decides
   * the user data and the page.
   */
  expectSameOutcome(name: LoginName): Promise<void>;
}

type LoginName = "fresh" | "again" | "consent";

interface WorldOptions {
  readonly backgroundTokens: boolean;
  /** True for a session of an app, and false for one of a browser. */
  readonly isForApps: boolean;
}

async function createWorld({ backgroundTokens, isForApps }: WorldOptions): Promise<World> {
  vi.setSystemTime(START);
  let runs = 0;
  const world = createSessionWorld({
    backgroundTokens,
    sessionUser: () => ({ run: ++runs }),
    afterLogin: () => `/run/${runs}`,
    ...(isForApps && withApps),
  });
  return isForApps ? await createWorldOfApps(world) : await createWorldOfBrowsers(world);
}

async function createWorldOfBrowsers(world: SessionWorld): Promise<World> {
  const { app, appWith } = world;
  const client = await logIn(app);
  const [{ id }] = await app.login.sessionsOf(ADA) as [ListedSession];
  const [other, fresh] = [await logIn(app), new Browser(app)];
  // The tokens have ended, and the sessions have not been used for long.
  vi.setSystemTime(START + 8 * DAY);
  const callbacks = {
    fresh: await fresh.consent(),
    again: await consentAgain(app, client),
    consent: await consentAgain(app, client, { scope: ["email"] }),
  };
  const requests = {
    fresh: fresh.jar.request(callbacks.fresh),
    again: client.jar.request(callbacks.again),
    consent: client.jar.request(callbacks.consent),
  };
  return {
    ...world,
    client,
    other,
    fresh,
    id,
    finish: (name, app) => finishLogin(app, name === "fresh" ? fresh : client, callbacks[name]),
    async expectSameOutcome(name) {
      const { login } = appWith({});
      const { headers, returnTo } = await login.finish(requests[name].clone());
      const jar = new CookieJar();
      jar.store(new Response(null, { headers }), SITE);
      const session = await login.session(jar.request(SITE));
      expect(returnTo).toBe(`/run/${Object(session?.user).run}`);
    },
  };
}

async function createWorldOfApps(world: SessionWorld): Promise<World> {
  const { app, appWith } = world;
  const client = await enterApp(app);
  const [{ id }] = await app.login.sessionsOf(ADA) as [ListedSession];
  const [other, fresh] = [await logIn(app), new AppClient()];
  vi.setSystemTime(START + 8 * DAY);
  const logins = {
    fresh: await fresh.consent(app),
    again: null,
    consent: await client.consent(app, "email"),
  };
  const loginOf = (name: LoginName) => logins[name] ?? expect.fail("there is no such login");
  return {
    ...world,
    client,
    other,
    fresh,
    id,
    finish: (name, app) => (name === "fresh" ? fresh : client).finish(app, loginOf(name)),
    async expectSameOutcome(name) {
      const again = new AppClient();
      await again.finish(appWith({}), loginOf(name));
      const session = await appWith({}).login.session(again.jar.request(SITE));
      expect(session?.user).toEqual({ run: expect.any(Number) });
    },
  };
}

type Call = (app: App, world: World) => Promise<unknown>;

function callbackOf(name: LoginName): Call {
  return (app, { finish }) => finish(name, app);
}

const post = { method: "POST" };

const calls: Readonly<Record<string, Call>> = {
  "a first login": callbackOf("fresh"),
  "another login": callbackOf("again"),
  "a consent": callbackOf("consent"),
  "update()": ({ login }, { client }) =>
    login.update(client.jar.request(SITE), { name: "new" } as never),
  "session()": ({ login }, { client }) => login.session(client.jar.request(SITE)),
  "end()": ({ login }, { client }) => login.end(client.jar.request(SITE, post)),
  "end() everywhere": ({ login }, { client }) =>
    login.end(client.jar.request(SITE, post), { everywhere: true }),
  "sessionsOf()": ({ login }, { client }) => login.sessionsOf(ADA, client.jar.request(SITE)),
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

/** Returns true for an error after which a callback says to begin again. */
function isEndOfLogin(error: unknown): boolean {
  return (error instanceof LoginError && error.reason === "used") ||
    (error instanceof AppRefusal && /^(used|invalid_grant)$/.test(error.code)) ||
    (error instanceof OAuthError && error.error === "invalid_grant");
}

async function isLoggedIn(world: World, { jar }: Client): Promise<boolean> {
  return await world.appWith({}).login.session(jar.request(SITE)) !== null;
}

/** Checks that nothing of the person works or is left. */
async function expectNothingLeft(world: World, backgroundTokens: boolean): Promise<void> {
  const { store, appWith, client, other, fresh } = world;
  for (const one of [client, other, fresh]) expect(await isLoggedIn(world, one)).toBe(false);
  if (backgroundTokens) {
    const source = appWith({}).login.tokensOf(ADA);
    await expect(withTime(source.token())).rejects.toMatchObject({ reason: "no_token" });
  }
  // The empty record of a token is there for a minute.
  vi.setSystemTime(Date.now() + 60_000);
  await expectNoRecords(store, "token-of");
}

/**
 * Checks the effect of a call that was repeated until it has succeeded.
 *
 * @param isGone True if the process of the first call is gone, which may leave a session in the list.
 */
async function expectEffect(world: World, name: Name, isGone: boolean): Promise<void> {
  const { client, other, fresh, appWith } = world;
  const logged = await Promise.all([client, other, fresh].map((one) => isLoggedIn(world, one)));
  const ends = name.startsWith("end()") || name === "endSession()";
  const endsAll = /everywhere|endAll|forget/.test(name);
  expect(logged).toEqual([!ends && !endsAll, !endsAll, name === "a first login"]);
  const session = await appWith({}).login.session(client.jar.request(SITE));
  if (name === "a consent") expect(session?.scopes).toContain("email");
  if (name === "update()") expect(session?.user).toEqual({ name: "new" });
  if (session) await withTime((session.token as TokenSource).token());
  const listed = await appWith({}).login.sessionsOf(ADA);
  if (!isGone) expect(listed).toHaveLength(logged.filter(Boolean).length);
}

beforeEach(() => {
  useSteps();
  // An app gets no error, but JSON, and the developer gets the error here.
  vi.spyOn(console, "error").mockImplementation(() => {});
});

/** The calls that end the session after a failed consent. */
const endings = ["end()", "end() everywhere", "endSession()", "endAll()", "forget()"];

/** The calls that differ for an app. */
const callsOfApps = ["a first login", "a consent", "update()", "end()", "end() everywhere"];

describe.each<[string, WorldOptions, readonly Name[], readonly Name[]]>([
  [
    "With a token of its own",
    { backgroundTokens: false, isForApps: false },
    Object.keys(calls),
    endings,
  ],
  [
    "With a token for background jobs",
    { backgroundTokens: true, isForApps: false },
    Object.keys(calls),
    endings,
  ],
  ["In an app", { backgroundTokens: false, isForApps: true }, callsOfApps, ["end()"]],
])(
  "%s, and a fault of the store at any operation,",
  (_, options, names, endings) => {
    const { backgroundTokens } = options;

    /** Runs a test with each fault at each operation of a call. */
    async function withEachFault(
      name: Name,
      check: (
        world: World,
        call: Call,
        result: "succeeded" | "failed",
        fault: Fault,
      ) => Promise<void>,
    ): Promise<void> {
      const call = calls[name] ?? expect.fail("there is no such call");
      for (const fault of faults) {
        for (let at = 0;; at++) {
          const world = await withTime(createWorld(options));
          const result = await runWithFault(world, call, fault, at);
          try {
            if (result === null) break;
            await check(world, call, result, fault);
          } catch (error) {
            throw new Error(`${fault}, at operation ${at}`, { cause: error });
          }
        }
      }
    }

    test.each(names)("%s reaches its end when it is repeated", async (name) => {
      await withEachFault(name, async (world, call, result, fault) => {
        const app = world.appWith({});
        const repeated = result === "succeeded" ? Promise.resolve() : call(app, world);
        const error = await withTime(repeated.then(() => null, (error) => error));
        if (isEndOfLogin(error)) {
          // Only what happened to the code is unknown, so the next login works.
          const next = await withTime(createWorld(options));
          await withTime(call(next.appWith({}), next));
          return;
        }
        expect(error).toBeNull();
        await withTime(expectEffect(world, name, fault.endsWith("gone")));
        const login = logins[name];
        if (login) await withTime(world.expectSameOutcome(login));
        await withTime(app.login.endAll(ADA, { tokens: true }));
        await withTime(expectNothingLeft(world, backgroundTokens));
      });
    });

    test.each(names)("forget() ends everything that %s has left", async (name) => {
      await withEachFault(name, async (world) => {
        await withTime(world.appWith({}).login.forget(ADA));
        await withTime(expectNothingLeft(world, backgroundTokens));
      });
    });

    test.each(endings)(
      "%s ends the session of a consent that has failed, also an hour later",
      async (name) => {
        for (const waited of [0, HOUR]) {
          await withEachFault("a consent", async (world) => {
            vi.setSystemTime(Date.now() + waited);
            const { store, client, appWith } = world;
            await withTime(calls[name]?.(appWith({}), world) ?? expect.fail());
            expect(await isLoggedIn(world, client)).toBe(false);
            await expectListedRecords(store);
            await withTime(appWith({}).login.endAll(ADA, { tokens: true }));
            await withTime(expectNothingLeft(world, backgroundTokens));
          });
        }
      },
    );
  },
);

describe("Two processes that finish the login of an app at once, while the store fails in one,", () => {
  test.each([["a first login", "fresh"], ["a consent", "consent"]] as const)(
    "send the code of %s once, and every token is that of a listed session",
    async (_, name) => {
      for (const fault of faults) {
        for (let at = 0;; at++) {
          const options = { backgroundTokens: at % 2 === 1, isForApps: true };
          const world = await withTime(createWorld(options));
          const store = new FaultyStore(world.store, fault, at);
          const [faulty, other] = [world.appWith({ store }), world.appWith({})];
          const tokenOf = (app: App) =>
            world.finish(name, app).catch((error) => {
              // Without a record of its outcome, the code may have been used.
              expect(error).toBeInstanceOf(AppRefusal);
              return null;
            });
          const both = [Promise.race([tokenOf(faulty), store.gone]), tokenOf(other)];
          const results = await withTime(Promise.all(both));
          const last = await withTime(tokenOf(world.appWith({})));
          const tokens = [...results, last].filter((token) => token !== null && token !== "gone");
          // If only the outcome was not saved, the next request creates a session of its own.
          if (!store.hasFailed) expect(new Set(tokens).size).toBe(1);
          const { length } = await withTime(world.appWith({}).login.sessionsOf(ADA));
          const others = name === "fresh" ? 2 : 1;
          expect(length).toBeGreaterThanOrEqual(others + new Set(tokens).size);
          expect(length).toBeLessThanOrEqual(name === "fresh" ? 4 : 2);
          const codes = world.fake.requests.flatMap(({ body }) => Object(body).code ?? []);
          expect(new Set(codes).size).toBe(codes.length);
          for (const token of tokens) {
            const headers = { authorization: `Bearer ${token}` };
            const session = await world.appWith({}).login.session(new Request(SITE, { headers }));
            expect(session).not.toBeNull();
          }
          await withTime(world.appWith({}).login.endAll(ADA, { tokens: true }));
          await withTime(expectNothingLeft(world, options.backgroundTokens));
          if (!store.hasFailed) break;
        }
      }
    },
  );
});
