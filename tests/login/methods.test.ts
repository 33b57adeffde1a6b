import { describe, expect, test, vi } from "vitest";
import { Login } from "../../src/login/mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { type App, Browser, createApp, locationOf, SITE } from "./test_app.ts";

const options = {
  clientId: sampleApplication.id,
  clientSecret: sampleApplication.secret,
  scope: ["identify"],
  secret: "random text of at least 32 characters",
} as const;

describe("The methods of a login", () => {
  test("work without their object", async () => {
    const app = createApp();
    const browser = new Browser(app);
    const { handle, start, finish, session, end, endAll } = app.login;
    const login = await handle(browser.jar.request(`${SITE}/login`));
    expect(login?.status).toBe(302);
    const response = await start(browser.jar.request(SITE));
    browser.jar.store(response, SITE);
    const callback = await app.fake.authorize(locationOf(response));
    const { headers } = await finish(browser.jar.request(callback));
    browser.jar.store(new Response(null, { headers }), SITE);
    expect((await session(browser.jar.request(SITE)))?.user).toMatchObject({ username: "ada" });
    browser.jar.store(await end(browser.jar.request(SITE, { method: "POST" })), SITE);
    expect(await session(browser.jar.request(SITE))).toBeNull();
    await expect(endAll("1")).rejects.toThrow("endAll() needs the option store");
  });

  test("can be overridden by a subclass, and handle() calls the overriding ones", async () => {
    class OwnLogin extends Login<"identify"> {
      override async handle(request: Request): Promise<Response> {
        return await super.handle(request) ?? new Response("Elsewhere");
      }
      override start(): Promise<Response> {
        return Promise.resolve(new Response("Our own start"));
      }
    }
    const { handle } = new OwnLogin(options);
    expect(await (await handle(new Request(SITE))).text()).toBe("Elsewhere");
    expect(await (await handle(new Request(`${SITE}/login`))).text()).toBe("Our own start");
  });

  test("can be spied on, and restored", async () => {
    const login = new Login(options);
    const handle = vi.spyOn(login, "handle").mockResolvedValue(new Response("Mocked"));
    const start = vi.spyOn(login, "start").mockResolvedValue(new Response("Mocked start"));
    expect(await (await login.handle(new Request(SITE)))?.text()).toBe("Mocked");
    handle.mockRestore();
    const response = await login.handle(new Request(`${SITE}/login`));
    expect(await response?.text()).toBe("Mocked start");
    start.mockRestore();
    expect((await login.start(new Request(SITE))).status).toBe(302);
  });

  test("do not show when a login is printed or copied", () => {
    expect(Object.keys(new Login(options))).toEqual([]);
  });
});

describe("A method as the handler of a route", () => {
  const handlers = new Login(options);
  const hintFor = (method: string) =>
    `if a framework calls ${method}() itself, pass (request) => login.${method}(request)`;

  test.each<[string, unknown, string]>([
    ["Next passes", { params: Promise.resolve({}) }, "options.params is unknown"],
    ["Workers pass", { DATABASE: {}, API_KEY: "x" }, "options.DATABASE is unknown"],
    ["Deno passes", { remoteAddr: {}, completed: {} }, "options.remoteAddr is unknown"],
  ])("refuses the second argument that %s, and says what to write", async (_who, more, message) => {
    for (const method of ["start", "end"] as const) {
      const handler = handlers[method] as (request: Request, more: unknown) => Promise<Response>;
      const response = handler(new Request(SITE, { method: "POST" }), more);
      await expect(response).rejects.toThrow(TypeError);
      await expect(response).rejects.toThrow(message);
      await expect(response).rejects.toThrow(hintFor(method));
    }
  });

  test("responds when it ignores the second argument", async () => {
    const { handle } = handlers as { handle: (...passed: unknown[]) => Promise<Response> };
    expect((await handle(new Request(`${SITE}/login`), { params: {} })).status).toBe(302);
  });

  test("refuse to begin a login for a callback on a path that handle() does not serve", async () => {
    const redirectUri = `${SITE}/auth/back`;
    const applications = [{ ...sampleApplication, redirectUris: [redirectUri] }];
    const app = createApp({ redirectUri, callbackPath: "/callback" }, { applications });
    const browser = new Browser(app);
    const callback = new URL(await browser.consent());
    const page = await browser.open(callback);
    expect(page.status).toBe(500);
    expect(await page.text())
      .toContain("The callback arrived at /auth/back, but this login is served at /callback.");
    // Any visitor can make such an address.
    const { searchParams } = callback;
    searchParams.set("state", "an0ther");
    expect((await browser.open(callback)).status).toBe(302);
    const denied = await app.fake.deny(await browser.begin());
    expect((await browser.open(denied)).status).toBe(500);
    // The path of the callback leads to its page, or to onError, which may start a new login.
    const moved = new URL(await browser.consent());
    moved.pathname = "/callback";
    expect((await browser.open(moved)).status).toBe(302);
    expect(await browser.whoAmI()).toBe("ada");
  });

  test("begin a login after a callback that finish() refuses, also with changed paths behind a proxy", async () => {
    const app = createApp();
    const browser = new Browser(app);
    const callback = new URL(await browser.consent());
    callback.pathname = "/back";
    app.fake.failNext({ path: "/oauth2/token", status: 500 });
    const request = browser.jar.request(callback);
    await expect(app.login.finish(request)).rejects.toMatchObject({ httpStatus: 500 });
    expect(locationOf(await app.login.start(request))).toContain("/oauth2/authorize");
  });

  test("begin a login in onError after a callback that has failed", async () => {
    const app: App = createApp({ onError: (_error, request) => app.login.start(request) });
    const browser = new Browser(app);
    const callback = await browser.consent();
    app.fake.failNext({ path: "/oauth2/token", status: 500 });
    expect(locationOf(await browser.open(callback))).toContain("/oauth2/authorize");
  });

  test("can be replaced, as mocks do", async () => {
    const { login } = createApp();
    const handle = vi.spyOn(login, "handle").mockResolvedValue(null);
    expect(await login.handle(new Request(`${SITE}/login`))).toBeNull();
    handle.mockRestore();
    expect((await login.handle(new Request(`${SITE}/login`)))?.status).toBe(302);
    Object.assign(login, { end: null });
    Object.defineProperty(login, "endAll", { get: () => null });
    expect([login.end, login.endAll]).toEqual([null, null]);
  });

  test("names the request first, when the framework passes one of its own", async () => {
    const { end, handle } = handlers as unknown as Record<
      "end" | "handle",
      (...passed: unknown[]) => Promise<Response>
    >;
    for (const passed of [[{ req: {} }, () => {}], [{ url: "/", headers: {} }, { locals: {} }]]) {
      const message = "request must be a Request of the Fetch API";
      await expect(end(...passed)).rejects.toThrow(message);
      await expect(handle(...passed)).rejects.toThrow(message);
    }
  });
});

describe("The options of a login", () => {
  test("may have all members of a fake platform", async () => {
    const login = new Login({ ...options, ...createFakePlatform() });
    expect((await login.start(new Request(SITE))).status).toBe(302);
  });

  test("are refused when their names are unknown, in each call too", async () => {
    const login = new Login(options);
    const request = new Request(SITE);
    const wrong = { stor: null } as object;
    expect(() => new Login({ ...options, ...wrong })).toThrow(
      new TypeError("options.stor is unknown: did you mean store?"),
    );
    await expect(login.start(request, { retrunTo: "/" } as object)).rejects.toThrow(
      new TypeError("options.retrunTo is unknown: did you mean returnTo?"),
    );
    await expect(login.end(request, { evrywhere: true } as object)).rejects.toThrow(
      new TypeError("options.evrywhere is unknown: did you mean everywhere?"),
    );
  });

  test("are refused when they are not an object, so that none is ignored", async () => {
    const login = new Login(options);
    const request = new Request(SITE);
    await expect(login.start(request, "/page" as unknown as object)).rejects.toThrow(
      new TypeError("options must be an object like { scope }, received a string of length 5"),
    );
    await expect(login.end(request, true as unknown as object)).rejects.toThrow(
      new TypeError("options must be an object like { everywhere }, received boolean"),
    );
  });
});
