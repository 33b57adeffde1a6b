import { beforeEach, describe, expect, test, vi } from "vitest";
import { LoginRequiredError, OAuthError, type TokenSource } from "../../mod.ts";
import { type ListedSession, LoginError } from "../../src/login/mod.ts";
import {
  type Access,
  type Race,
  type RecordingStore,
  runInAllOrders,
  runInSomeOrders,
  useSteps,
} from "../support/stepped_store.ts";
import {
  ADA,
  AppClient,
  type AppFinish,
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
  indexOf,
  logIn,
  type SessionWorld,
  START,
  withApps,
} from "./session_world.ts";
import { Browser, SITE } from "./test_app.ts";

beforeEach(() => {
  useSteps();
  vi.spyOn(console, "error").mockImplementation(() => {});
});

/** A person with a session, `old`, and another one whose callback has not been opened. */
interface World extends SessionWorld {
  readonly old: Client;
  /** The id of the session of `old` in the list of the person. */
  readonly id: string;
  readonly fresh: Client;
  /** Opens the callback of `fresh`. */
  create(access: Access): Promise<void>;
  /** Opens the callback of another login in `old`, which replaces its session. */
  logInAgain(access: Access): Promise<void>;
  /** Opens the callback of a consent in `old`. The request has the cookies of before the race. */
  consent(access: Access, scope: ConsentScope): Promise<void>;
  /** The scopes of the consents that have succeeded. */
  readonly granted: readonly ConsentScope[];
}

type ConsentScope = "email" | "connections";

async function createWorld(
  names: readonly Name[],
  { isForApps = false, ...more }: WorldChanges = {},
): Promise<World> {
  vi.setSystemTime(START);
  const world = createSessionWorld({
    ...(isForApps && withApps),
    ...more,
    sessionUser: (user: unknown, { session }: { session: { user: unknown } | null }) =>
      session?.user ?? user,
  });
  if (isForApps) return await createWorldOfApps(world, names);
  const { app, appWith } = world;
  const [old, fresh] = [await logIn(app), new Browser(app)];
  const [{ id }] = await app.login.sessionsOf(ADA) as [ListedSession];
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
  const consents = {
    email: names.includes("consent") ? await beginConsent(world, old, "email") : null,
    connections: names.includes("other consent")
      ? await beginConsent(world, old, "connections")
      : null,
  };
  const granted: ConsentScope[] = [];
  const finish = async (access: Access, browser: Browser, url: string) => {
    try {
      await finishLogin(appWith(access), browser, url);
    } catch (error) {
      // A code does not work after all tokens of the person were revoked.
      if (!(error instanceof OAuthError && error.error === "invalid_grant")) throw error;
    }
  };
  return {
    ...world,
    old,
    id,
    fresh,
    create: (access) => finish(access, fresh, callback),
    logInAgain: (access) => finish(access, old, next),
    granted,
    async consent(access, scope) {
      const request = consents[scope] ?? expect.fail("there is no such consent");
      try {
        const { response } = await appWith(access).login.finish(request);
        if (response === null) granted.push(scope);
      } catch (error) {
        if (error instanceof OAuthError && error.error === "invalid_grant") return;
        if (!(error instanceof LoginError && error.reason === "other_person")) throw error;
      }
    },
  };
}

/** Creates the same world with apps instead of browsers. */
async function createWorldOfApps(
  world: SessionWorld,
  names: readonly Name[],
): Promise<World> {
  const { app, appWith } = world;
  const old = await enterApp(app);
  const fresh = new AppClient();
  const [{ id }] = await app.login.sessionsOf(ADA) as [ListedSession];
  vi.setSystemTime(START + 8 * DAY);
  const created = names.includes("create") ? await fresh.consent(app) : null;
  const begin = (name: Name, scope: ConsentScope) =>
    names.includes(name) ? withoutProlonging(world, () => old.consent(app, scope)) : null;
  const consents = {
    email: await begin("consent", "email"),
    connections: await begin("other consent", "connections"),
  };
  const granted: ConsentScope[] = [];
  const finish = async (access: Access, client: AppClient, begun: AppFinish | null) => {
    const { token } = client;
    const next = await client.finish(appWith(access), begun ?? expect.fail());
    // Two requests to finish a login get the same token, and a consent keeps it.
    if (token !== null) expect(next).toBe(token);
  };
  return {
    ...world,
    old,
    id,
    fresh,
    create: (access) => finish(access, fresh, created).catch(ignoreRefusal),
    logInAgain: () => expect.fail("an app that logs in again does not replace its session"),
    granted,
    async consent(access, scope) {
      const result = finish(access, old, consents[scope]).then(() => void granted.push(scope));
      await result.catch(ignoreRefusal);
    },
  };
}

/** A session may have ended meanwhile, and a consent may lack scopes of another one. */
function ignoreRefusal(error: Error): void {
  if (error instanceof AppRefusal && /^(invalid_grant|other_person|used)$/.test(error.code)) return;
  throw error;
}

/** Begins something with a session, which stays as it was. */
async function withoutProlonging<Result>(
  { store }: SessionWorld,
  begin: () => Promise<Result>,
): Promise<Result> {
  const [key = ""] = await store.keys("guildpass:session:");
  const before = await store.load(key);
  const result = await begin();
  // The consent has prolonged the session.
  const { version } = await store.load(key) ?? expect.fail("there is no session");
  await store.save(key, before?.value, { version, expiresAt: START + 30 * DAY });
  return result;
}

/** Begins a consent, and returns the request of its callback. */
async function beginConsent(
  world: SessionWorld,
  browser: Browser,
  scope: ConsentScope,
): Promise<Request> {
  const begin = () => consentAgain(world.app, browser, { scope: [scope] });
  return browser.jar.request(await withoutProlonging(world, begin));
}

const operations = {
  create: (world: World, access: Access) => world.create(access),
  "log in again": (world: World, access: Access) => world.logInAgain(access),
  consent: (world: World, access: Access) => world.consent(access, "email"),
  "other consent": (world: World, access: Access) => world.consent(access, "connections"),
  prolong: async ({ old, appWith }: World, access: Access) => {
    await appWith(access).login.session(old.jar.request(SITE));
  },
  refresh: async ({ old, appWith }: World, access: Access) => {
    const session = await appWith(access).login.session(old.jar.request(SITE));
    await (session?.token as TokenSource | undefined)?.token().catch(ignoreEnd);
  },
  update: async ({ old, appWith }: World, access: Access) => {
    const user = { name: "new" } as never;
    await appWith(access).login.update(old.jar.request(SITE), user).catch(ignoreEnd);
  },
  "revoke the token": async ({ old, appWith }: World, access: Access) => {
    const session = await appWith(access).login.session(old.jar.request(SITE));
    await (session?.token as TokenSource | undefined)?.revoke();
  },
  end: async ({ old, appWith }: World, access: Access) => {
    await appWith(access).login.end(old.jar.request(SITE, { method: "POST" }));
  },
  endEverywhere: async ({ old, appWith }: World, access: Access) => {
    await appWith(access).login.end(old.jar.request(SITE, { method: "POST" }), {
      everywhere: true,
    });
  },
  forget: async ({ appWith }: World, access: Access) => {
    await appWith(access).login.forget(ADA);
  },
  endSession: async ({ id, appWith }: World, access: Access) => {
    await appWith(access).login.endSession(ADA, id);
  },
  endAll: async ({ appWith }: World, access: Access) => {
    await appWith(access).login.endAll(ADA);
  },
  "endAll before": async ({ appWith }: World, access: Access) => {
    await appWith(access).login.endAll(ADA, { startedBefore: START + HOUR });
  },
} as const;

type Name = keyof typeof operations;

/** An operation can find that the session has ended. */
function ignoreEnd(error: Error): void {
  if (error instanceof LoginRequiredError) return;
  if (error instanceof LoginError && error.reason === "no_session") return;
  throw error;
}

function createRace(names: readonly Name[], more?: WorldChanges): () => Promise<Race> {
  return async () => {
    const world = await createWorld(names, more);
    const { store, fake } = world;
    const entries = names.map((name, at) =>
      [`${at} ${name}`, (access: Access) => operations[name](world, access)] as const
    );
    return {
      store,
      fetch: fake.fetch,
      hasSteppedProgress: more?.isForApps === true && new Set(names).size < names.length,
      operations: Object.fromEntries(entries),
      check: () => checkLaws(world, names),
    };
  };
}

/** Checks what must hold when all operations have settled. */
async function checkLaws(world: World, names: readonly Name[]): Promise<void> {
  const { store, appWith, old, fresh } = world;
  const { login } = appWith({});
  const sessionOf = ({ jar }: Client) => login.session(jar.request(SITE));
  const [oldSession, freshSession] = await Promise.all([old, fresh].map(sessionOf));
  const has = (...some: Name[]) => names.some((name) => some.includes(name));
  const endsAll = has("endAll", "endAll before", "endEverywhere", "forget");
  if (!endsAll && !has("end", "endSession")) expect(oldSession).not.toBeNull();
  else if (!has("log in again") && !mayStay(names)) expect(oldSession).toBeNull();
  if (oldSession && !has("log in again")) {
    expect(oldSession.scopes).toEqual(expect.arrayContaining([...world.granted]));
  }
  if (oldSession && has("update") && !has("log in again")) {
    expect(oldSession.user).toEqual({ name: "new" });
  }
  if (!has("create")) expect(freshSession).toBeNull();
  else if (!has("endAll", "endEverywhere", "forget")) expect(freshSession).not.toBeNull();

  const codes = world.fake.requests.flatMap(({ body }) => Object(body).code ?? []);
  expect(new Set(codes).size, "the codes that were sent once").toBe(codes.length);
  await expectListedRecords(store);
  const working = [oldSession, freshSession].filter((session) => session !== null);
  expect(await store.keys("guildpass:session:")).toHaveLength(working.length);
  if (has("forget") && !has("create")) expect(await store.keys("guildpass:token-of:")).toEqual([]);
  // No refresh token is lost: long after the end of the access tokens, there are others. A login that meets forget may
  // keep its session without the token.
  if (!has("endEverywhere", "forget", "revoke the token")) {
    for (const session of working) {
      const { scopes } = await (session?.token as TokenSource).token();
      expect(scopes, "the scopes of the token").toEqual(
        expect.arrayContaining([...session?.scopes ?? []]),
      );
      vi.setSystemTime(Date.now() + 8 * DAY);
      await (session?.token as TokenSource).token();
    }
  }
  if (has("revoke the token") && oldSession && !has("consent", "other consent", "log in again")) {
    const token = (oldSession.token as TokenSource).token();
    await expect(token).rejects.toMatchObject({ reason: "no_token" });
  }
  await login.endAll(ADA);
  for (const browser of [old, fresh]) expect(await sessionOf(browser)).toBeNull();
  await expectNoRecords(store);
}

/** A consent counts as a login, so its session may stay when earlier ones end. */
function mayStay(names: readonly Name[]): boolean {
  const ends = ["end", "endSession", "endAll", "endEverywhere", "forget"] as const;
  return names.some((name) => name.includes("consent")) &&
    !names.some((name) => ends.some((end) => end === name));
}

const names = Object.keys(operations) as Name[];

interface WorldChanges {
  readonly backgroundTokens?: boolean;
  readonly isForApps?: boolean;
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
  // Without a token for each person, forget does what endAll does. So does "endAll before" without a login or consent.
  .filter((pair) => !pair.includes("forget"))
  .filter((pair) =>
    !pair.includes("endAll before") || pair.includes("create") || pair.includes("consent")
  )
  // The other consent does what the first one does.
  .filter((pair) => !pair.includes("other consent") || pair.includes("consent"))
  .filter((pair) => !long.includes(pair.join(" and ")));

describe("Two operations on a person's sessions keep all laws in every order:", () => {
  test.each(pairs.map((pair) => [pair.join(" and "), pair] as const))("%s", async (_, pair) => {
    const { endings, states } = await runInAllOrders(createRace(pair));
    expect(endings).toBeGreaterThan(0);
    expect(states).toBeGreaterThan(2);
  });
});

describe("For apps, two operations on a person's sessions keep all laws in every order:", () => {
  const pairs: readonly (readonly [Name, Name])[] = [
    ["create", "create"],
    ["create", "end"],
    ["create", "endAll"],
    ["create", "endAll before"],
    ["consent", "prolong"],
    ["consent", "refresh"],
    ["consent", "update"],
    ["consent", "end"],
    ["consent", "endSession"],
    ["consent", "endAll"],
    ["update", "end"],
    ["refresh", "end"],
  ];
  test.each(pairs.map((pair) => [pair.join(" and "), pair] as const))("%s", async (_, pair) => {
    const { endings } = await runInAllOrders(createRace(pair, { isForApps: true }));
    expect(endings).toBeGreaterThan(0);
  });

  const several: readonly (readonly Name[])[] = [
    // All orders of these two were run once.
    ["consent", "consent"],
    ["consent", "other consent"],
    ["create", "create", "endAll"],
    ["consent", "consent", "endSession"],
    ["consent", "other consent", "endAll before"],
    ["consent", "other consent", "endEverywhere"],
  ];
  test.each(several.map((some) => [some.join(", "), some] as const))(
    "%s, in some orders",
    async (_, some) => {
      const seeds = Array.from({ length: 15 }, (_, seed) => 7919 * seed + 3);
      for (const backgroundTokens of [false, true]) {
        await runInSomeOrders(createRace(some, { isForApps: true, backgroundTokens }), seeds);
      }
    },
  );
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

  const others: readonly (readonly Name[])[] = [
    ["create", "forget"],
    ["consent", "other consent"],
    ["consent", "create"],
    ["consent", "log in again"],
    ["consent", "refresh"],
    ["consent", "update"],
    ["consent", "end"],
    ["consent", "endEverywhere"],
    ["consent", "endAll before"],
    ["consent", "forget"],
    ["consent", "other consent", "update"],
    ["consent", "other consent", "endEverywhere"],
  ];
  test.each(others.map((some) => [some.join(" and "), some] as const))(
    "%s, in some orders",
    async (_, some) => {
      const seeds = Array.from({ length: 15 }, (_, seed) => 7919 * seed + 3);
      await runInSomeOrders(createRace(some, { backgroundTokens: true }), seeds);
    },
  );
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
    ["consent", "other consent", "prolong"],
    ["consent", "other consent", "refresh"],
    ["consent", "other consent", "update"],
    ["consent", "other consent", "log in again"],
    ["consent", "other consent", "end"],
    ["consent", "other consent", "endEverywhere"],
    ["consent", "other consent", "endAll before"],
    ["consent", "create", "endAll before"],
    ["consent", "refresh", "update"],
    ["consent", "update", "endAll"],
    ["consent", "prolong", "forget"],
    ["revoke the token", "refresh", "update"],
    ["revoke the token", "consent", "update"],
  ];
  test.each(triples.map((triple) => [triple.join(", "), triple] as const))(
    "%s",
    async (_, triple) => {
      await runInSomeOrders(createRace(triple), seeds);
    },
  );

  test("two logins of a person with 50 sessions, of which the oldest end", async () => {
    await runInSomeOrders(async () => {
      const world = await createWorld(["create", "log in again"]);
      await fillIndex(world.store);
      const { create, logInAgain, store, fake, appWith, old, fresh } = world;
      const check = async () => {
        const { login } = appWith({});
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

/** Adds old sessions to the list until there are 50. */
async function fillIndex(store: RecordingStore): Promise<void> {
  const { key, sessions } = await indexOf(store);
  const found = await store.load(key);
  const older = Array.from({ length: 50 - sessions.length }, (_, at) => ({
    digest: `older${at}`,
    startedAt: START - HOUR - at,
    endsAt: START + 30 * DAY,
    progress: [],
  }));
  const value = { ...Object(found?.value), sessions: [...sessions, ...older] };
  await store.save(key, value, { version: found?.version ?? null });
}
