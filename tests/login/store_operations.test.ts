import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MemoryStore, type Store, type TokenSource } from "../../mod.ts";
import { type App, Browser, createApp, locationOf, SITE } from "./test_app.ts";

const ADA = "1000000000000000001";
const DAY = 86_400_000;

/** The numbers of operations: loads, saves and deletes. */
type Counts = readonly [loads: number, saves: number, deletes: number];

/** A store that counts its operations. */
class CountingStore extends MemoryStore {
  readonly counts: [loads: number, saves: number, deletes: number] = [0, 0, 0];

  override load(...args: Parameters<Store["load"]>): ReturnType<Store["load"]> {
    this.counts[0]++;
    return super.load(...args);
  }

  override save(...args: Parameters<Store["save"]>): ReturnType<Store["save"]> {
    this.counts[1]++;
    return super.save(...args);
  }

  override delete(...args: Parameters<Store["delete"]>): ReturnType<Store["delete"]> {
    this.counts[2]++;
    return super.delete(...args);
  }
}

/** A visitor of an application, with a session. */
interface Visit {
  readonly app: App;
  readonly browser: Browser;
  readonly store: CountingStore;
  /** The request of a page. */
  readonly request: Request;
}

async function createVisit(backgroundTokens: boolean): Promise<Visit> {
  const store = new CountingStore();
  const app = createApp({ store, backgroundTokens, sessionPath: "/session" });
  const browser = new Browser(app);
  await browser.open(await browser.consent());
  return { app, browser, store, request: browser.jar.request(SITE) };
}

/** Begins a further consent, and returns the address of its callback. */
async function consent({ app, browser, request }: Visit): Promise<string> {
  const response = await app.login.start(request, { scope: ["email"] });
  browser.jar.store(response, new URL(SITE));
  return await app.fake.authorize(locationOf(response));
}

async function readToken({ app, request }: Visit): Promise<void> {
  const session = await app.login.session(request);
  await (session?.token as TokenSource).token();
}

/** An operation that is counted, after what it needs was done. */
type Operation = (visit: Visit) => Run | Promise<Run>;

type Run = () => Promise<unknown>;

const operations: Readonly<Record<string, Operation>> = {
  "session()": ({ app, request }) => () => app.login.session(request),
  "session() and its token": (visit) => () => readToken(visit),
  "session() that prolongs the session": ({ app, request }) => {
    vi.setSystemTime(Date.now() + DAY);
    return () => app.login.session(request);
  },
  "GET at sessionPath, at the same time": ({ browser }) => {
    vi.setSystemTime(Date.now() + DAY);
    return () => browser.open("/session");
  },
  "update()": ({ app, request }) => () => app.login.update(request, { name: "Ada" }),
  "start()": ({ app, request }) => () => app.login.start(request),
  "the callback of a first login": async ({ app }) => {
    const other = new Browser(app);
    const callback = await other.consent(undefined, "grace");
    return () => other.open(callback);
  },
  "the callback of another login in the same browser": async ({ browser }) => {
    const callback = await browser.consent();
    return () => browser.open(callback);
  },
  "the callback of a further consent": async (visit) => {
    const callback = await consent(visit);
    return () => visit.browser.open(callback);
  },
  "a callback that is opened again": async ({ app, browser }) => {
    const callback = await browser.consent();
    const again = browser.jar.request(callback);
    await browser.open(callback);
    return () => app.login.finish(again);
  },
  "end()": ({ app, request }) => () => app.login.end(new Request(request, { method: "POST" })),
  "end() everywhere": ({ app, request }) => () =>
    app.login.end(new Request(request, { method: "POST" }), { everywhere: true }),
  "sessionsOf()": ({ app, request }) => () => app.login.sessionsOf(ADA, request),
  "endSession()": async ({ app }) => {
    const [session] = await app.login.sessionsOf(ADA);
    return () => app.login.endSession(ADA, session?.id ?? "");
  },
  "endAll()": ({ app }) => () => app.login.endAll(ADA),
  "forget()": ({ app }) => () => app.login.forget(ADA),
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe.each<[string, boolean, Readonly<Record<string, Counts>>]>([
  ["With a token for each session", false, {
    "session()": [1, 0, 0],
    "session() and its token": [2, 0, 0],
    "session() that prolongs the session": [1, 1, 0],
    "GET at sessionPath, at the same time": [1, 0, 0],
    "update()": [1, 1, 0],
    "start()": [1, 0, 0],
    "the callback of a first login": [2, 5, 0],
    "the callback of another login in the same browser": [3, 6, 1],
    "the callback of a further consent": [4, 6, 0],
    "a callback that is opened again": [1, 1, 0],
    "end()": [2, 1, 1],
    "end() everywhere": [5, 4, 1],
    "sessionsOf()": [3, 0, 0],
    "endSession()": [1, 1, 2],
    "endAll()": [1, 1, 2],
    "forget()": [4, 2, 2],
  }],
  ["With backgroundTokens", true, {
    "session()": [1, 0, 0],
    "session() and its token": [2, 0, 0],
    "session() that prolongs the session": [1, 1, 0],
    "GET at sessionPath, at the same time": [1, 0, 0],
    "update()": [1, 1, 0],
    "start()": [1, 0, 0],
    "the callback of a first login": [4, 6, 0],
    "the callback of another login in the same browser": [5, 7, 1],
    "the callback of a further consent": [7, 7, 0],
    "a callback that is opened again": [1, 1, 0],
    "end()": [2, 1, 1],
    "end() everywhere": [5, 5, 1],
    "sessionsOf()": [3, 0, 0],
    "endSession()": [1, 1, 2],
    "endAll()": [1, 1, 2],
    "forget()": [4, 3, 2],
  }],
])("%s, the store has few operations:", (_, backgroundTokens, expected) => {
  test.each(Object.entries(operations))("%s", async (name, prepare) => {
    const visit = await createVisit(backgroundTokens);
    const run = await prepare(visit);
    visit.store.counts.fill(0);
    await run();
    expect(visit.store.counts).toEqual(expected[name]);
  });
});

describe("session() decrypts once, and derives nothing twice:", () => {
  const names = ["digest", "importKey", "deriveBits", "deriveKey", "decrypt", "encrypt"] as const;

  /** Returns the operations of Web Crypto that the first and the second request of a browser need. */
  async function cryptographyOf(
    options: Parameters<typeof createApp>[0],
  ): Promise<readonly (readonly string[])[]> {
    const app = createApp(options);
    const browser = new Browser(app);
    await browser.open(await browser.consent());
    let used: string[] = [];
    for (const name of names) {
      const work = crypto.subtle[name].bind(crypto.subtle) as (...given: unknown[]) => never;
      vi.spyOn(crypto.subtle, name).mockImplementation((...given: unknown[]) => {
        used.push(name);
        return work(...given);
      });
    }
    const requests = [];
    for (let request = 0; request < 2; request++) {
      used = [];
      expect(await app.login.session(browser.jar.request(SITE))).not.toBeNull();
      requests.push(used);
    }
    return requests;
  }

  test("a cookie needs one decryption, and none for the next request", async () => {
    expect(await cryptographyOf({})).toEqual([["decrypt"], []]);
  });

  test("a record in a store too, since the keys are kept from the login", async () => {
    expect(await cryptographyOf({ store: new MemoryStore() })).toEqual([["decrypt"], []]);
  });
});
