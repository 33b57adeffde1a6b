import { beforeEach, describe, expect, test, vi } from "vitest";
import { generateState, type Store, type TokenSource } from "../../mod.ts";
import type { Login } from "../../src/login/mod.ts";
import { createFakePlatform, type FakePlatform } from "../../src/testing/mod.ts";
import {
  type Access,
  type Race,
  RecordingStore,
  runInAllOrders,
  runInSomeOrders,
  useSteps,
} from "../support/stepped_store.ts";
import { type App, Browser, createApp, SITE } from "./test_app.ts";

const ADA = "1000000000000000001";
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2030, 0, 1);

beforeEach(() => {
  useSteps();
  vi.spyOn(console, "error").mockImplementation(() => {});
});

type AnyLogin = App["login"];

/** A person with a session, `old`, and another one whose callback has not been opened. */
interface World {
  readonly store: RecordingStore;
  readonly fake: FakePlatform;
  readonly old: Browser;
  readonly fresh: Browser;
  /** Opens the callback of `fresh`. */
  create(access: Access): Promise<void>;
  /** Opens the callback of another login in `old`, which replaces its session. */
  logInAgain(access: Access): Promise<void>;
  /** Creates a login as another process has it. */
  loginWith(access: { store: Store; fetch: typeof fetch }): AnyLogin;
}

async function createWorld(): Promise<World> {
  vi.setSystemTime(START);
  const store = new RecordingStore();
  const fake = createFakePlatform();
  const options = { secret: generateState(), timeout: 120_000, idleTimeout: 30 * 86_400, maxAge: 60 * 86_400 };
  const loginWith = (access: { store: Store; fetch: typeof fetch }) =>
    createApp({ ...options, ...access }, fake).login;
  const app = createApp({ ...options, store }, fake);
  const [old, fresh] = [new Browser(app), new Browser(app)];
  await old.open(await old.consent());
  // The token has ended, and the session has not been used for long.
  vi.setSystemTime(START + 8 * DAY);
  const [callback, next] = [await fresh.consent(), await old.consent()];
  const finish = async (access: Access, browser: Browser, url: string) => {
    const { headers } = await loginWith(access).finish(browser.jar.request(url));
    browser.jar.store(new Response(null, { headers }), new URL(url));
  };
  return {
    store,
    fake,
    old,
    fresh,
    loginWith,
    create: (access) => finish(access, fresh, callback),
    logInAgain: (access) => finish(access, old, next),
  };
}

const operations = {
  create: (world: World, access: Access) => world.create(access),
  "log in again": (world: World, access: Access) => world.logInAgain(access),
  prolong: async ({ old, loginWith }: World, access: Access) => {
    await loginWith(access).session(old.jar.request(SITE));
  },
  refresh: async ({ old, loginWith }: World, access: Access) => {
    const session = await loginWith(access).session(old.jar.request(SITE));
    await (session?.token as TokenSource | undefined)?.token().catch(ignoreEnd);
  },
  end: async ({ old, loginWith }: World, access: Access) => {
    await loginWith(access).end(old.jar.request(SITE, { method: "POST" }));
  },
  endEverywhere: async ({ old, loginWith }: World, access: Access) => {
    await loginWith(access).end(old.jar.request(SITE, { method: "POST" }), { everywhere: true });
  },
  endAll: async ({ loginWith }: World, access: Access) => {
    await loginWith(access).endAll(ADA);
  },
  "endAll before": async ({ loginWith }: World, access: Access) => {
    await loginWith(access).endAll(ADA, { startedBefore: START + HOUR });
  },
} as const;

type Name = keyof typeof operations;

/** A refresh can find that the session has ended. */
function ignoreEnd(error: Error): void {
  if (error.name !== "LoginRequiredError") throw error;
}


function createRace(names: readonly Name[]): () => Promise<Race> {
  return async () => {
    const world = await createWorld();
    const { store, fake } = world;
    const entries = names.map((name, at) =>
      [`${at} ${name}`, (access: Access) => operations[name](world, access)] as const
    );
    return {
      store,
      fetch: fake.fetch,
      operations: Object.fromEntries(entries),
      check: () => checkLaws(world, names),
    };
  };
}

/** Checks what must hold when all operations have settled. */
async function checkLaws(world: World, names: readonly Name[]): Promise<void> {
  const { store, fake, old, fresh, loginWith } = world;
  const login = loginWith({ store, fetch: fake.fetch });
  const sessionOf = ({ jar }: Browser) => login.session(jar.request(SITE));
  const [oldSession, freshSession] = await Promise.all([old, fresh].map(sessionOf));
  const has = (...some: Name[]) => names.some((name) => some.includes(name));
  const endsAll = has("endAll", "endAll before", "endEverywhere");
  if (!endsAll && !has("end")) expect(oldSession).not.toBeNull();
  else if (!has("log in again")) expect(oldSession).toBeNull();
  if (!has("create")) expect(freshSession).toBeNull();
  else if (!has("endAll", "endEverywhere")) expect(freshSession).not.toBeNull();

  await expectNoLostRecords(store);
  const working = [oldSession, freshSession].filter((session) => session !== null);
  expect(await store.keys("guildpass:session:")).toHaveLength(working.length);
  // No refresh token is lost: long after the end of the access tokens, there are others.
  if (!has("endEverywhere")) {
    for (const session of working) {
      await (session?.token as TokenSource).token();
      vi.setSystemTime(Date.now() + 8 * DAY);
      await (session?.token as TokenSource).token();
    }
  }
  await login.endAll(ADA);
  for (const browser of [old, fresh]) expect(await sessionOf(browser)).toBeNull();
  for (const kind of ["session", "token", "sessions-of"]) {
    expect(await store.keys(`guildpass:${kind}:`)).toEqual([]);
  }
}

/** Checks that every record of a session belongs to one in the list. */
async function expectNoLostRecords(store: RecordingStore): Promise<void> {
  const [index = ""] = await store.keys("guildpass:sessions-of:");
  const { sessions = [] } = Object((await store.load(index))?.value);
  const listed = sessions.map(({ digest }: { readonly digest: string }) => digest);
  for (const kind of ["session", "token"]) {
    const digests = (await store.keys(`guildpass:${kind}:`)).map((key) => key.split(":")[2]);
    for (const digest of digests) expect(listed).toContain(digest);
  }
}

const ending: Name[] = ["endAll", "endAll before", "endEverywhere", "end"];
const going: Name[] = ["create", "log in again", "prolong", "refresh"];
const pairs: (readonly Name[])[] = [
  ...[...ending, ...going].flatMap((one, at, all) => all.slice(at).map((other) => [one, other])),
];

describe("Two operations on a person's sessions keep all laws in every order:", () => {
  test.each(pairs.map((pair) => [pair.join(" and "), pair] as const))("%s", async (_, pair) => {
    const t = performance.now(); void t;
    const search = await runInAllOrders(createRace(pair));
    console.log(pair.join(" + "), JSON.stringify(search));
    expect(search.endings).toBeGreaterThan(0);
  }, 60_000);
});
void runInSomeOrders;
