import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { generateCodeVerifier, generateState, MemoryStore } from "../../../mod.ts";
import { createFakePlatform, type Failure, sampleApplication } from "../../../src/testing/mod.ts";
import { leaksOf } from "../../support/leaks.ts";
import { Browser, createApp, exchanges, locationOf, SITE } from "../test_app.ts";

const realSetTimeout = setTimeout;

/** The time that one step may take: the time limit of its request, and five seconds for the store. */
const stepTime = 7000 + 5000;

beforeEach(() => {
  // No timer of these tests ever ends. Only the clock is set.
  vi.useFakeTimers({ toFake: ["Date", "setTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns true once a promise waits for a timer, and false if it has settled before. */
async function waitsForTimer(promise: Promise<unknown>): Promise<boolean> {
  const timers = vi.getTimerCount();
  let isSettled = false;
  const settle = () => void (isSettled = true);
  promise.then(settle, settle);
  while (!isSettled && vi.getTimerCount() === timers) {
    await new Promise((resolve) => realSetTimeout(resolve, 1));
  }
  return !isSettled;
}

/**
 * An application in two processes, with a time limit of seven seconds. A request of the first process to a path of the platform hangs, and
 * the second one receives all requests from then on.
 */
async function appThatHangsAt(path: string) {
  const fake = createFakePlatform();
  const hangs = Promise.withResolvers<void>();
  const shared = { timeout: 7000, secret: generateState(), store: new MemoryStore() };
  const first = createApp({
    ...shared,
    fetch(url, init) {
      if (!url.endsWith(path)) return fake.fetch(url, init);
      hangs.resolve();
      return new Promise<never>(() => {});
    },
  }, fake);
  // What a process knows about limits belongs to its fetch.
  const second = createApp({ ...shared, fetch: (url, init) => fake.fetch(url, init) }, fake);
  let process = first;
  const browser = new Browser({ ...first, fetch: (request) => process.fetch(request) });
  const callback = await browser.consent("/shop");
  void browser.open(callback);
  await hangs.promise;
  process = second;
  const hungAt = Date.now();
  return { browser, callback, hungAt };
}

describe("A callback that is opened again while its first request hangs,", () => {
  test("waits for the time limit and five seconds before it gives the code up", async () => {
    const { browser, callback, hungAt } = await appThatHangsAt("/oauth2/token");
    vi.setSystemTime(hungAt + stepTime - 1);
    expect(await waitsForTimer(browser.open(callback))).toBe(true);
    vi.setSystemTime(hungAt + stepTime);
    const response = await browser.open(callback);
    expect(await response.text()).toContain("This login has expired");
  });

  test("waits for the same time before it goes on with the token", async () => {
    const { browser, callback, hungAt } = await appThatHangsAt("/users/@me");
    vi.setSystemTime(hungAt + stepTime - 1);
    expect(await waitsForTimer(browser.open(callback))).toBe(true);
    vi.setSystemTime(hungAt + stepTime);
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/shop`);
  });
});

describe.each<[string, Failure]>([
  ["a response 503", { status: 503 }],
  ["a response that is not JSON", { status: 200, body: "<html>" }],
  ["a broken connection", { cut: "body" }],
])("After %s to the code, the callback", (_, failure) => {
  test("says that the platform does not respond, also when it is opened again", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const app = createApp();
    const browser = new Browser(app);
    const callback = await browser.consent();
    app.fake.failNext({ path: "/oauth2/token", ...failure });
    for (const _ of ["first", "again", "once more"]) {
      const response = await browser.open(callback);
      expect(response.status).toBe(502);
      const page = await response.text();
      expect(page).toContain("Discord isn&#39;t responding");
      // The code is not sent again, so a retry of this page would not help.
      expect(page).toMatch(/<a href="\/login[^"]*">Log in<\/a>/);
    }
    expect(exchanges(app)).toBe(1);
    vi.restoreAllMocks();
  });
});

describe("Without a store,", () => {
  test("a Login that is made for each request finds the progress of the others", async () => {
    vi.useRealTimers();
    const fake = createFakePlatform();
    const options = { secret: generateState() };
    const browser = new Browser({
      ...createApp(options, fake),
      fetch: (request) => createApp(options, fake).fetch(request),
    });
    const callback = await browser.consent("/shop");
    const both = await Promise.all([browser.open(callback), browser.open(callback)]);
    expect(both.map(locationOf)).toEqual([`${SITE}/shop`, `${SITE}/shop`]);
    expect(await browser.whoAmI()).toBe("ada");
    expect(exchanges(createApp(options, fake))).toBe(1);
  });

  test("a login encrypts its two cookies and nothing else", async () => {
    const browser = new Browser(createApp());
    const encrypt = vi.spyOn(crypto.subtle, "encrypt");
    const derive = vi.spyOn(crypto.subtle, "deriveBits");
    await browser.open(await browser.consent());
    expect(encrypt).toHaveBeenCalledTimes(2);
    // The key of the cookies serves all logins.
    expect(derive).toHaveBeenCalledTimes(1);
    await browser.open(await browser.consent());
    expect(encrypt).toHaveBeenCalledTimes(4);
    expect(derive).toHaveBeenCalledTimes(1);
    vi.restoreAllMocks();
  });

  test("a Login shows nothing of a finished login, however it is printed", async () => {
    const secret = generateState();
    const app = createApp({ secret });
    const browser = new Browser(app);
    const callback = await browser.consent();
    const { token, headers } = await app.login.finish(browser.jar.request(callback));
    const { searchParams } = new URL(callback);
    const form = app.fake.requests.find(({ path }) => path.endsWith("/oauth2/token"))?.body;
    const { code_verifier = "" } = form as { readonly code_verifier?: string };
    expect(code_verifier).toHaveLength(generateCodeVerifier().length);
    const secrets = [
      secret,
      sampleApplication.secret,
      searchParams.get("code") ?? "",
      searchParams.get("state") ?? "",
      code_verifier,
      token.access_token,
      token.refresh_token ?? "",
      ...headers.getSetCookie().filter((cookie) => cookie.includes("session=")),
    ];
    expect(secrets).toHaveLength(8);
    expect(leaksOf(app.login, secrets)).toEqual([]);
    expect(leaksOf(Object.values(app.login), secrets)).toEqual([]);
  });
});
