import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { generateState, MemoryStore } from "../../mod.ts";
import type { LoginEvent } from "../../src/login/mod.ts";
import { type App, Browser, exchanges, SITE } from "./test_app.ts";

type Create = typeof import("./test_app.ts").createApp;

/** The modules that a callback loads, without those of a store. */
const ofCallback = [
  "../../src/login/callback/callbacks.ts",
  "../../src/login/sessions/api_clients.ts",
  "ky",
  "../../src/login/callback/id_token_subject.ts",
  "../../src/openid/signed_token.ts",
];

/** The messages of the built-in pages. */
const messages = "../../src/login/pages/messages.ts";

/** Makes the loads of modules fail until the returned function is called. */
function failToLoad(...modules: readonly string[]): () => void {
  for (const module of modules) {
    vi.doMock(module, () => {
      throw new Error("The network is down");
    });
  }
  return () => modules.forEach((module) => vi.doUnmock(module));
}

/** Creates an application in a process that has loaded nothing yet. */
async function createColdApp(...args: Parameters<Create>): Promise<App> {
  vi.resetModules();
  const fresh = await import("./test_app.ts");
  return fresh.createApp(...args);
}

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe("A callback that can't load its code", () => {
  test.each(ofCallback)(
    "sends no code without %s, and logs the person in when it is opened again",
    async (module) => {
      const events: LoginEvent[] = [];
      const scope = ["identify", "guilds", "openid"] as const;
      const app = await createColdApp({
        scope: scope as never,
        onEvent: (event) => events.push(event),
      });
      const browser = new Browser(app);
      const callback = await browser.consent("/shop");
      const restore = failToLoad(module);
      const response = await browser.open(callback);
      restore();
      expect(response.status).toBe(500);
      expect(await response.text()).toContain('<a href="">Try again</a>');
      expect(exchanges(app)).toBe(0);
      expect(events.at(-1)).toMatchObject({ kind: "login_failed", code: "internal_error" });
      expect((await browser.open(callback)).headers.get("location")).toBe(`${SITE}/shop`);
      expect(await browser.whoAmI()).toBe("ada");
      expect(exchanges(app)).toBe(1);
    },
  );

  test.each([
    "../../src/login/callback/callbacks.ts",
    "../../src/login/sessions/store_sessions.ts",
    "../../src/tokens/kept_token.ts",
  ])(
    "makes finish() reject without %s, and a repeated call finishes the login",
    async (module) => {
      const shared = { store: new MemoryStore(), secret: generateState(), backgroundTokens: true };
      const { login, fake } = await createColdApp(shared);
      const browser = new Browser({ login, fake, fetch: (request) => login.start(request) });
      const callback = await browser.consent();
      const other = await createColdApp(shared, fake);
      const restore = failToLoad(module);
      await expect(other.login.finish(browser.jar.request(callback))).rejects.toThrow();
      restore();
      expect(exchanges(other)).toBe(0);
      const { user } = await other.login.finish(browser.jar.request(callback));
      expect(user.username).toBe("ada");
    },
  );
});

test("Two first callbacks of a process at the same moment send the code once", async () => {
  const app = await createColdApp();
  const browser = new Browser(app);
  const callback = await browser.consent();
  const open = () => app.fetch(browser.jar.request(callback));
  const responses = await Promise.all([open(), open()]);
  expect(responses.map(({ status }) => status)).toEqual([302, 302]);
  expect(exchanges(app)).toBe(1);
});

describe("Without the code of callbacks and API clients,", () => {
  test("a login begins, and a session without a token is read and ended", async () => {
    const secret = generateState();
    const { fake, fetch } = await createColdApp({ secret });
    const browser = new Browser({ fake, fetch } as App);
    await browser.open(await browser.consent());
    const cold = await createColdApp({ secret }, fake);
    const restore = failToLoad(
      ...ofCallback,
      messages,
      "../../src/login/sessions/store_sessions.ts",
    );
    expect((await cold.login.session(browser.jar.request(SITE)))?.api).toBeNull();
    expect((await cold.login.start(browser.jar.request(SITE))).status).toBe(302);
    const init = { method: "POST", headers: { origin: SITE } };
    expect((await cold.login.end(browser.jar.request(SITE, init))).status).toBe(303);
    restore();
  });

  test("session() rejects for a session with a token, and a repeated call returns it", async () => {
    const shared = { secret: generateState(), keepToken: true };
    const { fake, fetch } = await createColdApp(shared);
    const browser = new Browser({ fake, fetch } as App);
    await browser.open(await browser.consent());
    const cold = await createColdApp(shared, fake);
    const restore = failToLoad("../../src/login/sessions/api_clients.ts");
    const request = browser.jar.request(SITE);
    await expect(cold.login.session(request)).rejects.toThrow();
    restore();
    const session = await cold.login.session(request);
    expect(await session?.api?.getCurrentUser()).toMatchObject({ username: "ada" });
  });
});

describe("Without the messages of the pages,", () => {
  const plain = "Something went wrong. Please try again.";

  test.each<[string, string, RequestInit, number]>([
    ["an error", "/callback?code=c0de", {}, 400],
    ["a link to the logout", "/logout", { headers: { "sec-fetch-dest": "document" } }, 405],
  ])("%s is a plain page with the same headers", async (_what, path, init, status) => {
    const { login } = await createColdApp();
    const respond = () => login.handle(new Request(SITE + path, init));
    const restore = failToLoad(messages);
    const response = await respond();
    restore();
    expect(await response?.text()).toBe(plain);
    expect(response?.status).toBe(status);
    const page = await respond();
    expect(await page?.text()).toContain("<h1>");
    const headersOf = (found: Response | null | undefined) =>
      [...found?.headers ?? []].map(([name, value]) =>
        [name, value.replace(/nonce-[^']*/, "nonce")] as const
      ).filter(([name]) => name !== "content-type");
    expect(headersOf(response)).toEqual(headersOf(page));
    expect(response?.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });

  test("an invalid Host header gets a plain page", async () => {
    const { login } = await createColdApp();
    const request = new Request(SITE);
    Object.defineProperty(request, "url", { value: "https://[/callback" });
    const restore = failToLoad(messages);
    const response = await login.handle(request);
    restore();
    expect([response?.status, await response?.text()]).toEqual([400, plain]);
  });

  test("a failing store is JSON at sessionPath", async () => {
    const store = new MemoryStore();
    const shared = { store, secret: generateState(), sessionPath: "/session" };
    const { login, fake } = await createColdApp(shared);
    const { Browser: FreshBrowser } = await import("./test_app.ts");
    const fetch = async (request: Request) =>
      await login.handle(request) ?? await login.start(request);
    const browser = new FreshBrowser({ login, fake, fetch });
    await browser.open(await browser.consent());
    store.load = () => Promise.reject(new Error("The store is down"));
    const restore = failToLoad(messages);
    const response = await login.handle(browser.jar.request(`${SITE}/session`));
    restore();
    expect(response?.status).toBe(503);
    expect(response?.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await response?.json()).toEqual({ error: "internal_error", message: plain });
  });
});
