import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { generateState, MemoryStore } from "../../mod.ts";
import { type App, Browser, createApp, exchanges, locationOf, SITE } from "./test_app.ts";

const DAY = 86_400_000;

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Options = NonNullable<Parameters<typeof createApp>[0]>;

/** Two versions of an application on one platform. A load balancer gives each request to one of them. */
function createVersions(before: Options, after: Options) {
  const old = createApp(before);
  const next = createApp(after, old.fake);
  let requests = 0;
  const order: App[] = [];
  const both: App = {
    ...old,
    fetch: (request) => (order[requests++ % order.length] ?? old).fetch(request),
  };
  /** Sends further requests to these versions, in turn. */
  const serve = (...versions: App[]) => {
    requests = 0;
    order.splice(0, Infinity, ...versions);
  };
  return { old, next, both, serve };
}

/** Opens a page as a browser does: follows redirects, and consents where it is asked. Returns the number of consent pages. */
async function visit(browser: Browser, { fake }: App): Promise<number> {
  let consents = 0;
  let address = "/page";
  for (let redirects = 0; redirects < 10; redirects++) {
    const response = await browser.open(address);
    expect(response.status).toBeLessThan(400);
    if (response.status === 200) return consents;
    address = locationOf(response);
    if (address.startsWith(SITE)) continue;
    consents++;
    address = await fake.authorize(address);
  }
  throw new Error("The redirects do not end");
}

const kinds: readonly (readonly [string, () => Options])[] = [
  ["in cookies", () => ({})],
  ["in cookies with the token", () => ({ keepToken: true })],
  ["in a store", () => ({ store: new MemoryStore() })],
];

describe.each(kinds)("While two versions with sessions %s run", (kind, createOptions) => {
  const same = () => ({ secret: generateState(), ...createOptions() });
  const more = { scope: ["identify", "guilds", "connections"] as never };

  test.each([[0, 1], [1, 0], [0, 0, 1], [1, 1, 0]])(
    "the new one with one more scope, each person consents once for it (requests go to %j, %j …)",
    async (...turns) => {
      const options = same();
      const { old, next, both, serve } = createVersions(options, { ...options, ...more });
      const browser = new Browser(both);
      serve(old);
      expect(await visit(browser, both)).toBe(1);
      serve(...turns.map((turn) => turn === 0 ? old : next));
      let consents = 0;
      for (let page = 0; page < 12; page++) consents += await visit(browser, both);
      // A login that began at the old version and ended at the new one was not asked for the scope.
      expect(consents).toBeLessThanOrEqual(1);
      serve(next);
      consents += await visit(browser, both);
      expect(consents).toBe(1);
      // A rollback asks no person.
      serve(old);
      expect(await visit(browser, both)).toBe(0);
    },
  );

  test("a scope comes in the documented two steps, each person consents once, and no session ends", async () => {
    const options = same();
    const { old: before, next: after, both, serve } = createVersions(
      options,
      { ...options, ...more },
    );
    const { login } = before;
    const scope = ["connections"] as const;
    const between: App = {
      ...before,
      async fetch(request) {
        const response = await login.handle(request);
        if (response) return response;
        const session = await login.session(request);
        if (!session) return await login.start(request, { scope });
        const isPage = new URL(request.url).pathname === "/page";
        if (isPage && !session.has("connections")) return await login.start(request, { scope });
        return Response.json(session.user);
      },
    };
    const browser = new Browser(both);
    const data = async () =>
      (await browser.open("/data", { headers: { "sec-fetch-dest": "empty" } })).status;
    serve(before);
    expect(await visit(browser, both)).toBe(1);
    let consents = 0;
    for (const versions of [[before, between], [between], [between, after], [after]]) {
      serve(...versions);
      expect([await data(), await data()]).toEqual([200, 200]);
      for (let page = 0; page < 3; page++) consents += await visit(browser, both);
      expect([await data(), await data()]).toEqual([200, 200]);
    }
    expect(consents).toBe(1);
  });

  test("the new one with one more scope, a session keeps its own data at the login for it", async () => {
    const sessionUser: Options["sessionUser"] = ({ username }, { session }) => {
      const before = session?.user as { readonly visits: number } | undefined;
      return { username, visits: (before?.visits ?? 0) + 1 };
    };
    const options = { ...same(), sessionUser };
    const { old, next, both, serve } = createVersions(options, { ...options, ...more });
    const browser = new Browser(both);
    serve(old);
    await visit(browser, both);
    const value = { username: "ada", visits: 7 };
    const headers = await old.login.update(browser.jar.request(SITE), value);
    browser.jar.store(new Response(null, { headers }), SITE);
    serve(next);
    const request = browser.jar.request(SITE);
    expect(await next.login.session(request)).toBeNull();
    expect(await visit(browser, both)).toBe(1);
    const session = await next.login.session(browser.jar.request(SITE));
    expect(session?.user).toEqual({ username: "ada", visits: 8 });
    // The data belongs to that person alone.
    const stranger = await next.fake.authorize(await browser.begin(), { as: "grace" });
    await browser.open(stranger);
    const other = await next.login.session(browser.jar.request(SITE));
    expect(other?.user).toEqual({ username: "grace", visits: 1 });
  });

  test("the new one with one more scope, onLogin gets no session that ended otherwise", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const seen: unknown[] = [];
    const onLogin: Options["onLogin"] = ({ session }) => void seen.push(session);
    const options = { ...same(), onLogin };
    const { old, next, both, serve } = createVersions(options, {
      ...options,
      ...more,
      maxAge: 3600,
    });
    const browser = new Browser(both);
    serve(old);
    await visit(browser, both);
    vi.advanceTimersByTime(3_600_000);
    serve(next);
    expect(await visit(browser, both)).toBe(1);
    expect(seen).toEqual([null, null]);
    vi.useRealTimers();
  });

  test("the new one with fewer scopes, no person is asked", async () => {
    const options = same();
    const { old, next, both, serve } = createVersions({ ...options, ...more }, options);
    const browser = new Browser(both);
    serve(old);
    expect(await visit(browser, both)).toBe(1);
    serve(next, old);
    for (let page = 0; page < 6; page++) expect(await visit(browser, both)).toBe(0);
  });

  test("a login that began at one of them ends at the other one", async () => {
    const options = same();
    for (const [from, to] of [[0, 1], [1, 0]]) {
      const versions = createVersions(options, { ...options, ...more });
      const apps = [versions.old, versions.next];
      const browser = new Browser(versions.both);
      versions.serve(apps[from ?? 0] ?? versions.old);
      const callback = await browser.consent("/page");
      versions.serve(apps[to ?? 0] ?? versions.old);
      expect(locationOf(await browser.open(callback))).toBe(`${SITE}/page`);
      expect(exchanges(versions.both)).toBe(1);
    }
  });

  test("the secret changes in the documented order, and each person stays logged in", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const [older, newer] = [generateState(), generateState()];
    const options = createOptions();
    const first = createApp({ ...options, secret: older });
    const { fake } = first;
    const second = createApp({ ...options, secret: [older, newer] }, fake);
    const third = createApp({ ...options, secret: [newer, older] }, fake);
    const last = createApp({ ...options, secret: newer }, fake);
    const { both, serve } = createVersions(options, options);
    const app: App = { ...both, fake };
    const browser = new Browser(app);
    serve(first);
    expect(await visit(browser, app)).toBe(1);
    for (const versions of [[first, second], [second], [second, third], [third]]) {
      serve(...versions);
      for (let page = 0; page < 4; page++) expect(await visit(browser, app)).toBe(0);
      // Others log in meanwhile: their login begins at one version and ends at another one.
      const stranger = new Browser(app);
      serve(...versions.toReversed(), ...versions);
      expect(await visit(stranger, app)).toBe(1);
      for (let page = 0; page < 3; page++) expect(await visit(stranger, app)).toBe(0);
    }
    serve(last);
    // The documentation says to wait seven days without a store, and ten minutes with one.
    if (kind === "in a store") vi.advanceTimersByTime(600_000);
    else vi.advanceTimersByTime(7 * DAY);
    expect(await visit(browser, app)).toBe(kind === "in a store" ? 0 : 1);
    vi.useRealTimers();
  });

  test("a secret that is left out at once ends sessions in cookies alone, without an error", async () => {
    const options = createOptions();
    const { old, next, both, serve } = createVersions(
      { ...options, secret: generateState() },
      { ...options, secret: generateState() },
    );
    const browser = new Browser(both);
    serve(old);
    expect(await visit(browser, both)).toBe(1);
    serve(next);
    expect(await visit(browser, both)).toBe(kind === "in a store" ? 0 : 1);
    expect(await visit(browser, both)).toBe(0);
  });
});
