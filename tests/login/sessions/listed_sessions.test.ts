import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { generateState, type Store } from "../../../mod.ts";
import type { ListedSession } from "../../../src/login/mod.ts";
import { createFakePlatform } from "../../../src/testing/mod.ts";
import { RecordingStore } from "../../support/stepped_store.ts";
import { thrownBy } from "../../support/responders.ts";
import {
  ADA,
  consentAgain,
  DAY,
  expectNoRecords,
  finishLogin,
  HOUR,
  indexOf,
  logIn,
  START,
} from "../session_world.ts";
import { type App, Browser, createApp, SITE } from "../test_app.ts";

const GRACE = "1000000000000000002";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Options = NonNullable<Parameters<typeof createApp>[0]>;

/** An application with a store, whose sessions are labeled with the name of the browser. */
function createWorld(options: Options = {}) {
  const store = new RecordingStore();
  const fake = createFakePlatform();
  const shared: Options = {
    store,
    secret: generateState(),
    idleTimeout: 30 * 86_400,
    maxAge: 60 * 86_400,
    sessionLabel: ({ headers }) => headers.get("user-agent"),
    ...options,
  };
  /** Creates the application with other options. */
  const appWith = (more: Options): App => createApp({ ...shared, ...more }, fake);
  const app = appWith({});
  /** Logs the person in. */
  const logInWith = async (name: string, browser = new Browser(app)): Promise<Browser> => {
    await browser.open(await browser.consent(), { headers: { "user-agent": name } });
    return browser;
  };
  const list = (browser?: Browser) => app.login.sessionsOf(ADA, browser?.jar.request(SITE));
  return { store, app, appWith, logInWith, list };
}

/** Returns the only session of a list. */
function only(sessions: readonly ListedSession[]): ListedSession {
  expect(sessions).toHaveLength(1);
  return sessions[0] ?? expect.fail("there is no session");
}

const isLoggedIn = async ({ login }: App, { jar }: Browser) =>
  await login.session(jar.request(SITE)) !== null;

describe("sessionsOf()", () => {
  test("lists the sessions of a person with the newest login first, and marks that of the request", async () => {
    const { logInWith, list } = createWorld();
    const phone = await logInWith("phone");
    vi.advanceTimersByTime(HOUR);
    const laptop = await logInWith("laptop");
    const id = expect.stringMatching(/^[\w-]{43}$/);
    const [first, second] = [START, START + HOUR];
    expect(await list(phone)).toEqual([
      { id, startedAt: second, endsAt: second + 60 * DAY, label: "laptop", isCurrent: false },
      { id, startedAt: first, endsAt: first + 60 * DAY, label: "phone", isCurrent: true },
    ]);
    expect((await list(laptop)).map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
    expect((await list()).map(({ isCurrent }) => isCurrent)).toEqual([false, false]);
  });

  test("has the times of the session itself, and no label without the option", async () => {
    vi.useRealTimers();
    const { app, list } = createWorld({ sessionLabel: null });
    const browser = await logIn(app);
    const session = await app.login.session(browser.jar.request(SITE));
    const { startedAt, endsAt } = session ?? expect.fail("there is no session");
    expect(await list()).toMatchObject([{ startedAt, endsAt, label: null }]);
  });

  test("has an id that opens nothing", async () => {
    const { logInWith, list, app } = createWorld();
    const browser = await logInWith("phone");
    const { id } = only(await list());
    expect(browser.jar.header).not.toContain(id);
    const request = new Request(SITE, { headers: { cookie: `__Host-session=${id}` } });
    expect(await app.login.session(request)).toBeNull();
    expect(only(await app.login.sessionsOf(ADA, request)).isCurrent).toBe(false);
  });

  test("lists nothing of another person, and does not mark their session", async () => {
    const { logInWith, list, app } = createWorld();
    const browser = await logInWith("phone");
    expect(await app.login.sessionsOf(GRACE, browser.jar.request(SITE))).toEqual([]);
    const grace = new Browser(app);
    await grace.open(await grace.consent("/", "grace"));
    expect(only(await list(grace)).isCurrent).toBe(false);
  });

  test("leaves out sessions that ended by a logout, without use, or by their age", async () => {
    const { logInWith, list, app } = createWorld();
    const used = await logInWith("used");
    await logInWith("unused");
    const left = await logInWith("left");
    await left.open("/logout", { method: "POST", headers: { origin: SITE } });
    const labels = async () => (await list()).map(({ label }) => label).sort();
    expect(await labels()).toEqual(["unused", "used"]);
    vi.setSystemTime(START + 20 * DAY);
    await app.login.session(used.jar.request(SITE));
    vi.setSystemTime(START + 30 * DAY);
    expect(await labels()).toEqual(["used"]);
    vi.setSystemTime(START + 45 * DAY);
    await app.login.session(used.jar.request(SITE));
    vi.setSystemTime(START + 60 * DAY);
    expect(await labels()).toEqual([]);
  });

  test("follows a reduced maxAge", async () => {
    const { logInWith, appWith } = createWorld();
    await logInWith("phone");
    const { login } = appWith({ maxAge: 2 * 86_400 });
    expect(await login.sessionsOf(ADA)).toMatchObject([{ endsAt: START + 2 * DAY }]);
    vi.setSystemTime(START + 2 * DAY);
    expect(await login.sessionsOf(ADA)).toEqual([]);
  });

  test("leaves out a login that has not ended", async () => {
    const seen: unknown[] = [];
    const world = createWorld({ onLogin: async () => void seen.push(await world.list()) });
    await world.logInWith("phone");
    expect(seen).toEqual([[]]);
    expect(only(await world.list()).label).toBe("phone");
  });

  test("keeps id, time and label through consents, also while one is under way", async () => {
    const seen: unknown[] = [];
    const { app, logInWith, list } = createWorld({
      onLogin: async ({ session }) => void (session && seen.push(await list())),
    });
    const browser = await logInWith("phone");
    const before = await list(browser);
    for (const scope of ["email", "connections"] as const) {
      vi.advanceTimersByTime(HOUR);
      await finishLogin(app, browser, await consentAgain(app, browser, { scope: [scope] }));
      expect(await list(browser)).toEqual(before);
    }
    const unmarked = before.map((one) => ({ ...one, isCurrent: false }));
    expect(seen).toEqual([unmarked, unmarked]);
  });

  test("lists a session once at each operation of the store during its consent", async () => {
    const { store, appWith, logInWith, list } = createWorld();
    const browser = await logInWith("phone");
    const before = await list();
    let operations = 0;
    const check = async () => {
      operations++;
      expect(await list()).toEqual(before);
    };
    const watched: Store = {
      load: async (key) => (await check(), await store.load(key)),
      save: async (...args) => (await check(), await store.save(...args)),
      delete: async (key) => (await check(), await store.delete(key)),
    };
    const app = appWith({ store: watched });
    await finishLogin(app, browser, await consentAgain(app, browser, { scope: ["email"] }));
    expect(operations).toBeGreaterThan(10);
    expect(await list()).toEqual(before);
  });

  test("marks the session also for the cookie from before a consent", async () => {
    const { app, logInWith, list } = createWorld();
    const browser = await logInWith("phone");
    const before = browser.jar.request(SITE);
    await finishLogin(app, browser, await consentAgain(app, browser, { scope: ["email"] }));
    expect(only(await app.login.sessionsOf(ADA, before)).isCurrent).toBe(true);
    expect(only(await list(browser)).isCurrent).toBe(true);
  });

  test("throws a TypeError for a wrong argument, and without a store", async () => {
    const { app } = createWorld();
    const { sessionsOf } = app.login;
    await expect(sessionsOf("ada")).rejects.toThrow(
      new TypeError("userId must be digits in a string, received a string of length 3"),
    );
    await expect(sessionsOf(ADA, { headers: {} } as Request)).rejects.toThrow(
      "request must be a Request of the Fetch API",
    );
    await expect(createApp().login.sessionsOf(ADA)).rejects.toThrow(
      new TypeError(
        "sessionsOf() needs the option store: the server can't list sessions in cookies",
      ),
    );
  });

  test("throws at an address where logins can't work", async () => {
    const { app } = createWorld();
    const request = new Request("http://app.example");
    await expect(app.login.sessionsOf(ADA, request)).rejects.toMatchObject({
      reason: "insecure_site",
    });
  });
});

describe("endSession()", () => {
  test("ends one session, and keeps the others", async () => {
    const { app, logInWith, list } = createWorld();
    const [phone, laptop] = [await logInWith("phone"), await logInWith("laptop")];
    const lost = (await list()).find(({ label }) => label === "phone");
    const { id } = lost ?? expect.fail("there is no phone");
    expect(await app.login.endSession(ADA, id)).toBe(true);
    expect(await isLoggedIn(app, phone)).toBe(false);
    expect(await isLoggedIn(app, laptop)).toBe(true);
    expect(only(await list()).label).toBe("laptop");
    expect(await app.login.endSession(ADA, id)).toBe(false);
  });

  test("leaves no record of the session", async () => {
    const { app, store, logInWith, list } = createWorld();
    await logInWith("phone");
    await app.login.endSession(ADA, only(await list()).id);
    await expectNoRecords(store);
  });

  test("never ends the session of another person", async () => {
    const { app, logInWith, list } = createWorld();
    const browser = await logInWith("phone");
    const { id } = only(await list());
    expect(await app.login.endSession(GRACE, id)).toBe(false);
    expect(await isLoggedIn(app, browser)).toBe(true);
  });

  test("ends a session by the id from before its consents", async () => {
    const { app, store, logInWith, list } = createWorld();
    const browser = await logInWith("phone");
    const { id } = only(await list());
    for (const scope of ["email", "connections"] as const) {
      await finishLogin(app, browser, await consentAgain(app, browser, { scope: [scope] }));
    }
    expect(await app.login.endSession(ADA, id)).toBe(true);
    expect(await isLoggedIn(app, browser)).toBe(false);
    await expectNoRecords(store);
  });

  test("returns false for a session that was logged out after a consent", async () => {
    const { app, logInWith, list } = createWorld();
    const browser = await logInWith("phone");
    const { id } = only(await list());
    await finishLogin(app, browser, await consentAgain(app, browser, { scope: ["email"] }));
    await browser.open("/logout", { method: "POST", headers: { origin: SITE } });
    expect(await app.login.endSession(ADA, id)).toBe(false);
  });

  test("makes a consent of the session under way end as for another person", async () => {
    const { app, store, logInWith, list } = createWorld({
      onLogin: async ({ session }) => void (session && await app.login.endSession(ADA, id)),
    });
    const browser = await logInWith("phone");
    const { id } = only(await list());
    const callback = await consentAgain(app, browser, { scope: ["email"] });
    const error = await thrownBy(() => finishLogin(app, browser, callback));
    expect(error).toMatchObject({ reason: "other_person" });
    expect(await isLoggedIn(app, browser)).toBe(false);
    await expectNoRecords(store);
  });

  test.each(["", "x", "__proto__", "0".repeat(10_000)])("returns false for %j", async (id) => {
    const { app, logInWith, list } = createWorld();
    await logInWith("phone");
    expect(await app.login.endSession(ADA, id)).toBe(false);
    only(await list());
  });

  test("throws a TypeError for a wrong argument, and without a store", async () => {
    const { app } = createWorld();
    const { endSession } = app.login;
    await expect(endSession("ada", "x")).rejects.toThrow(
      new TypeError("userId must be digits in a string, received a string of length 3"),
    );
    await expect(endSession(ADA, null as unknown as string)).rejects.toThrow(
      new TypeError(
        "id must be the id of a session from sessionsOf(), received null; is the variable set?",
      ),
    );
    await expect(createApp().login.endSession(ADA, "x")).rejects.toThrow(
      new TypeError(
        "endSession() needs the option store: the server can't list sessions in cookies",
      ),
    );
  });
});

describe("A list from before labels and ids", () => {
  /** Removes from the list what older versions did not write. */
  async function makeOld(store: RecordingStore): Promise<void> {
    const { key, sessions } = await indexOf(store);
    const found = await store.load(key) ?? expect.fail("there is no list");
    const older = sessions.map(({ loggedInAt: _at, label: _label, ...entry }) => entry);
    const value = { ...Object(found.value), sessions: older };
    await store.save(key, value, { version: found.version });
  }

  test("has sessions without a label, which end by their id", async () => {
    const { app, store, logInWith, list } = createWorld();
    const browser = await logInWith("phone");
    const { id } = only(await list());
    await makeOld(store);
    expect(only(await list(browser))).toEqual({
      id,
      startedAt: START,
      endsAt: START + 60 * DAY,
      label: null,
      isCurrent: true,
    });
    expect(await isLoggedIn(app, browser)).toBe(true);
    expect(await app.login.endSession(ADA, id)).toBe(true);
    expect(await isLoggedIn(app, browser)).toBe(false);
  });

  test("keeps the id of a session through its next consent", async () => {
    const { app, store, logInWith, list } = createWorld();
    const browser = await logInWith("phone");
    await makeOld(store);
    const before = await list(browser);
    vi.advanceTimersByTime(HOUR);
    await finishLogin(app, browser, await consentAgain(app, browser, { scope: ["email"] }));
    expect(await list(browser)).toEqual(before);
  });
});
