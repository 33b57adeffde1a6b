import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  generateState,
  LoginRequiredError,
  OAuthError,
  type Store,
  type TokenSource,
} from "../../mod.ts";
import { LoginError } from "../../src/login/mod.ts";
import type { IndexEntry } from "../../src/login/person_index.ts";
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
  loginWith(access: { store: Store; fetch: typeof fetch }): App["login"];
}

async function createWorld(names: readonly Name[], more: LoginChanges = {}): Promise<World> {
  vi.setSystemTime(START);
  const store = new RecordingStore();
  const fake = createFakePlatform();
  const options = {
    secret: generateState(),
    timeout: 120_000,
    idleTimeout: 30 * 86_400,
    maxAge: 60 * 86_400,
    ...more,
  };
  const loginWith = (access: { store: Store; fetch: typeof fetch }) =>
    createApp({ ...options, ...access }, fake).login;
  const app = createApp({ ...options, store }, fake);
  const [old, fresh] = [new Browser(app), new Browser(app)];
  await old.open(await old.consent());
  // The token has ended, and the session has not been used for long.
  vi.setSystemTime(START + 8 * DAY);
  // A login that began in `old` itself would have prolonged its session already.
  const second = new Browser(app);
  const callback = names.includes("create") ? await fresh.consent() : "";
  const next = names.includes("log in again") ? await second.consent() : "";
  for (const { name, value } of second.jar.cookies) {
    const headers = { "set-cookie": `${name}=${value}; Path=/; Secure` };
    old.jar.store(new Response(null, { headers }), SITE);
  }
  const finish = async (access: Access, browser: Browser, url: string) => {
    try {
      const { headers } = await loginWith(access).finish(browser.jar.request(url));
      browser.jar.store(new Response(null, { headers }), new URL(url));
    } catch (error) {
      // A code does not work after all tokens of the person were revoked.
      if (!(error instanceof OAuthError && error.error === "invalid_grant")) throw error;
    }
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
  update: async ({ old, loginWith }: World, access: Access) => {
    const user = { name: "new" } as never;
    await loginWith(access).update(old.jar.request(SITE), user).catch(ignoreEnd);
  },
  end: async ({ old, loginWith }: World, access: Access) => {
    await loginWith(access).end(old.jar.request(SITE, { method: "POST" }));
  },
  endEverywhere: async ({ old, loginWith }: World, access: Access) => {
    await loginWith(access).end(old.jar.request(SITE, { method: "POST" }), { everywhere: true });
  },
  forget: async ({ loginWith }: World, access: Access) => {
    await loginWith(access).forget(ADA);
  },
  endAll: async ({ loginWith }: World, access: Access) => {
    await loginWith(access).endAll(ADA);
  },
  "endAll before": async ({ loginWith }: World, access: Access) => {
    await loginWith(access).endAll(ADA, { startedBefore: START + HOUR });
  },
} as const;

type Name = keyof typeof operations;

/** An operation can find that the session has ended. */
function ignoreEnd(error: Error): void {
  if (error instanceof LoginRequiredError) return;
  if (error instanceof LoginError && error.reason === "no_session") return;
  throw error;
}

function createRace(names: readonly Name[], more?: LoginChanges): () => Promise<Race> {
  return async () => {
    const world = await createWorld(names, more);
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
  const endsAll = has("endAll", "endAll before", "endEverywhere", "forget");
  if (!endsAll && !has("end")) expect(oldSession).not.toBeNull();
  else if (!has("log in again")) expect(oldSession).toBeNull();
  if (oldSession && has("update") && !has("log in again")) {
    expect(oldSession.user).toEqual({ name: "new" });
  }
  if (!has("create")) expect(freshSession).toBeNull();
  else if (!has("endAll", "endEverywhere", "forget")) expect(freshSession).not.toBeNull();

  await expectNoLostRecords(store);
  const working = [oldSession, freshSession].filter((session) => session !== null);
  expect(await store.keys("guildpass:session:")).toHaveLength(working.length);
  if (has("forget") && !has("create")) expect(await store.keys("guildpass:token-of:")).toEqual([]);
  // No refresh token is lost: long after the end of the access tokens, there are others. A login that meets forget may
  // keep its session without the token.
  if (!has("endEverywhere", "forget")) {
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
  const listed = (await indexOf(store)).sessions.map(({ digest }) => digest);
  for (const kind of ["session", "token"]) {
    const digests = (await store.keys(`guildpass:${kind}:`)).map((key) => key.split(":")[2]);
    for (const digest of digests) expect(listed).toContain(digest);
  }
}

const names = Object.keys(operations) as Name[];

interface LoginChanges {
  readonly backgroundTokens?: boolean;
}

/** These five have 4,000 states and more, so they are among the triples. All orders of them were run once. */
const long = [
  "endEverywhere and endEverywhere",
  "create and log in again",
  "log in again and end",
  "log in again and endEverywhere",
  "log in again and endAll",
];

const pairs = names.flatMap((one, at) => names.slice(at).map((other) => [one, other] as const))
  // Without a token for each person, forget does what endAll does. So does "endAll before" without a new session.
  .filter((pair) => !pair.includes("forget"))
  .filter((pair) => !pair.includes("endAll before") || pair.includes("create"))
  .filter((pair) => !long.includes(pair.join(" and ")));

describe("Two operations on a person's sessions keep all laws in every order:", () => {
  test.each(pairs.map((pair) => [pair.join(" and "), pair] as const))("%s", async (_, pair) => {
    const { endings, states } = await runInAllOrders(createRace(pair));
    expect(endings).toBeGreaterThan(0);
    expect(states).toBeGreaterThan(2);
  });
});

describe("With one token for each person, operations keep all laws in every order:", () => {
  const pairs: readonly (readonly [Name, Name])[] = [
    ["refresh", "refresh"],
    ["refresh", "forget"],
    ["refresh", "endAll"],
    ["update", "forget"],
  ];
  test.each(pairs.map((pair) => [pair.join(" and "), pair] as const))("%s", async (_, pair) => {
    const race = createRace(pair, { backgroundTokens: true });
    expect((await runInAllOrders(race)).endings).toBeGreaterThan(1);
  });

  test("create and forget, in some orders", async () => {
    const seeds = Array.from({ length: 15 }, (_, seed) => 7919 * seed + 3);
    await runInSomeOrders(createRace(["create", "forget"], { backgroundTokens: true }), seeds);
  });
});

describe("Several operations on a person's sessions keep all laws in many orders:", () => {
  const seeds = Array.from({ length: 15 }, (_, seed) => 7919 * seed + 3);
  const triples: readonly (readonly Name[])[] = [
    ["create", "log in again"],
    ["log in again", "end"],
    ["log in again", "endAll"],
    ["log in again", "endEverywhere"],
    ["endEverywhere", "endEverywhere"],
    ["create", "prolong", "endAll"],
    ["create", "refresh", "endAll"],
    ["create", "log in again", "endAll"],
    ["create", "log in again", "endAll before"],
    ["create", "endAll", "endEverywhere"],
    ["refresh", "refresh", "endEverywhere"],
    ["refresh", "update", "endAll"],
    ["prolong", "update", "update"],
    ["prolong", "update", "end"],
    ["log in again", "refresh", "update"],
  ];
  test.each(triples.map((triple) => [triple.join(", "), triple] as const))(
    "%s",
    async (_, triple) => {
      await runInSomeOrders(createRace(triple), seeds);
    },
  );

  test("two logins of a person who has 50 sessions, of whom the oldest end", async () => {
    await runInSomeOrders(async () => {
      const world = await createWorld(["create", "log in again"]);
      await fillIndex(world.store);
      const { create, logInAgain, store, fake, old, fresh, loginWith } = world;
      const check = async () => {
        const login = loginWith({ store, fetch: fake.fetch });
        for (const { jar } of [old, fresh]) {
          expect(await login.session(jar.request(SITE))).not.toBeNull();
        }
        const { sessions } = await indexOf(store);
        expect(sessions.length).toBeLessThanOrEqual(50);
        expect(sessions.length).toBeGreaterThan(48);
      };
      return { store, fetch: fake.fetch, operations: { create, logInAgain }, check };
    }, seeds);
  });
});

/** Returns the list of the person's sessions. */
async function indexOf(
  store: RecordingStore,
): Promise<{ readonly key: string; readonly sessions: readonly IndexEntry[] }> {
  const [key = ""] = await store.keys("guildpass:sessions-of:");
  const { sessions = [] } = Object((await store.load(key))?.value);
  return { key, sessions };
}

/** Adds old sessions to the list until there are 50. */
async function fillIndex(store: RecordingStore): Promise<void> {
  const { key, sessions } = await indexOf(store);
  const found = await store.load(key);
  const older = Array.from({ length: 50 - sessions.length }, (_, at) => ({
    digest: `older${at}`,
    startedAt: START - HOUR - at,
    endsAt: START + 30 * DAY,
  }));
  const value = { ...Object(found?.value), sessions: [...sessions, ...older] };
  await store.save(key, value, { version: found?.version ?? null });
}
