import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Login, type LoginEvent } from "../../src/login/mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { Browser, createApp, locationOf, SITE } from "./test_app.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

afterEach(() => vi.restoreAllMocks());

type Handler = (request: Request) => Promise<Response>;

/** A host that redirects each path to another spelling. */
function respelling(app: Handler, spell: (path: string) => string): Handler {
  return async (request) => {
    const url = new URL(request.url);
    const path = spell(url.pathname);
    if (path === url.pathname) return await app(request);
    url.pathname = path;
    return new Response(null, { status: 308, headers: { location: url.href } });
  };
}

const withSlash = (path: string) => path.endsWith("/") ? path : `${path}/`;
const withoutSlash = (path: string) => path === "/" ? path : path.replace(/\/+$/, "");

describe("A callback at another path than the callback's", () => {
  test.each([
    ["a host that adds slashes", withSlash, undefined, "/callback/", "/callback"],
    ["a host that removes slashes", withoutSlash, `${SITE}/callback/`, "/callback", "/callback/"],
    [
      "a host with a prefix",
      (path: string) => path.replace(/^\/c/, "/app/c"),
      undefined,
      "/app/callback",
      "/callback",
    ],
  ])(
    "ends on a page after one login, behind %s",
    async (_host, spell, redirectUri, requested, served) => {
      for (const prompt of [undefined, "none"] as const) {
        const events: LoginEvent[] = [];
        const applications = [{
          ...sampleApplication,
          redirectUris: [redirectUri ?? `${SITE}/callback`],
        }];
        const app = createApp({
          redirectUri,
          prompt,
          onEvent: (event) => void events.push(event),
        }, { applications });
        const browser = app.fake.browser(respelling(app.fetch, spell), { as: "ada" });
        const page = await browser.open(`${SITE}/shop`);
        expect(page.status).toBe(500);
        expect(await page.text())
          .toContain(
            `The callback arrived at ${requested}, but this login is served at ${served}.`,
          );
        expect(events.map(({ kind }) => kind)).toEqual(["login_started", "login_failed"]);
        expect(events[1]).toMatchObject({
          reason: "lost_callback",
          paths: [requested, served],
          pageStatus: 500,
        });
        expect(console.error).toHaveBeenLastCalledWith(expect.objectContaining({
          reason: "lost_callback",
          hint: expect.stringContaining("redirectUri"),
        }));
      }
    },
  );

  test.each(["//callback", "/Callback", "/callback%2F", "/callback;x=1", "/a/callback"])(
    "is found at %s, also after a refusal, and is the browser's own",
    async (path) => {
      const app = createApp();
      const browser = new Browser(app);
      const spelled = (address: string) => {
        const { search } = new URL(address);
        return `${SITE}${path}${search}`;
      };
      const page = await browser.open(spelled(await browser.consent()));
      expect(page.status).toBe(500);
      const html = await page.text();
      const { searchParams } = new URL(await browser.consent());
      expect(html).not.toMatch(/code=|state=/);
      expect(html).not.toContain(searchParams.get("state"));
      const denied = await app.fake.deny(await browser.begin());
      expect((await browser.open(spelled(denied))).status).toBe(500);
      // Anybody can make such an address for another browser.
      const stranger = new Browser(app);
      expect((await stranger.open(spelled(denied))).status).toBe(302);
      expect((await browser.open(`${SITE}${path}?code=x`)).status).toBe(302);
    },
  );

  test("has a hint for a proxy that removes a prefix, and works below the prefix with the whole path", async () => {
    const redirectUri = `${SITE}/app/callback`;
    const applications = [{ ...sampleApplication, redirectUris: [redirectUri] }];
    const behindProxy = (app: Handler): Handler => async (request) => {
      const { pathname, search } = new URL(request.url);
      if (!pathname.startsWith("/app/")) return new Response("another site", { status: 404 });
      return await app(new Request(SITE + pathname.slice("/app".length) + search, request));
    };
    const lost = createApp({ redirectUri }, { applications });
    await lost.fake.browser(behindProxy(lost.fetch), { as: "ada" }).open(`${SITE}/app/shop`);
    expect(console.error).toHaveBeenLastCalledWith(expect.objectContaining({
      paths: ["/callback", "/app/callback"],
      hint: expect.stringContaining("Make the host keep the path"),
    }));

    const app = createApp({
      redirectUri,
      loginPath: "/app/login",
      logoutPath: "/app/logout",
      afterLogin: "/app/",
      afterLogout: "/app/bye",
    }, { applications });
    const restored: Handler = async (request) => {
      const { pathname, search } = new URL(request.url);
      return await app.fetch(new Request(`${SITE}/app${pathname}${search}`, request));
    };
    const browser = app.fake.browser(behindProxy(restored), { as: "ada" });
    for (
      const [path, end] of [["/app/shop", "/app/shop"], ["/app/login", "/app/"]] as const
    ) {
      expect((await browser.open(SITE + path)).status).toBe(200);
      expect(browser.url).toBe(SITE + end);
    }
    await browser.open(`${SITE}/app/logout`, { method: "POST" });
    expect(browser.url).toBe(`${SITE}/app/bye`);
  });

  test("is passed to onError, and its path is cut", async () => {
    const app = createApp({ onError: (error) => new Response(error.message, { status: 418 }) });
    const browser = new Browser(app);
    const { search } = new URL(await browser.consent());
    const response = await browser.open(`${SITE}/${"x".repeat(5000)}${search}`);
    expect(response.status).toBe(418);
    expect((await response.text()).length).toBeLessThan(300);
  });

  test("works when all paths are written as the host writes them", async () => {
    const redirectUri = `${SITE}/callback/`;
    const app = createApp({ redirectUri, loginPath: "/login/", logoutPath: "/leave/" }, {
      applications: [{ ...sampleApplication, redirectUris: [redirectUri] }],
    });
    const browser = app.fake.browser(respelling(app.fetch, withSlash), { as: "ada" });
    expect(await (await browser.open(`${SITE}/shop`)).json()).toMatchObject({ username: "ada" });
  });
});

describe("A POST that misses the path of the logout", () => {
  test.each(["/logout/", "//logout", "/Logout", "/LOGOUT//"])("is a 404 at %s", async (path) => {
    const { login } = createApp();
    const response = await login.handle(new Request(SITE + path, { method: "POST" }));
    expect(response?.status).toBe(404);
    expect(await response?.text()).toBe("Not found: log out at /logout");
    expect(await login.handle(new Request(SITE + path))).toBeNull();
  });

  test("leaves other paths, and those of other logins, to the application", async () => {
    const { login } = createApp({ logoutPath: "/account/leave" });
    createApp({ logoutPath: "/Account/Leave", name: "admin" });
    for (const path of ["/Account/Leave", "/account/leave/now", "/accountleave", "/"]) {
      expect(await login.handle(new Request(SITE + path, { method: "POST" }))).toBeNull();
    }
    const missed = await login.handle(new Request(`${SITE}/account/leave/`, { method: "POST" }));
    expect(missed?.status).toBe(404);
  });
});

describe("A framework that replaces 127.0.0.1 with localhost in the URL", () => {
  const local = "http://127.0.0.1:3000";
  const named = "http://localhost:3000";

  /** The response to a page, opened at 127.0.0.1. */
  async function openWith(redirectUri: string | undefined) {
    const app = createApp({ redirectUri });
    return await app.fetch(new Request(`${named}/login`, { headers: { host: "127.0.0.1:3000" } }));
  }

  test("does not stop a login at 127.0.0.1", async () => {
    const response = await openWith(`${local}/callback`);
    const { searchParams } = new URL(locationOf(response));
    expect(searchParams.get("redirect_uri")).toBe(`${local}/callback`);
  });

  test.each([[undefined], [`${named}/callback`]])(
    "is noticed before the cookie is lost, with the redirect URI %s",
    async (redirectUri) => {
      const response = await openWith(redirectUri);
      expect(response.status).toBe(500);
      const page = await response.text();
      expect(page).toContain("The address is wrong");
      expect(page).toContain(`Open ${named} instead`);
      expect(page.split("<a ").slice(1).join()).toMatch(
        RegExp(`^href="${named}/login(\\?.*)?">Log in at ${named}</a></div>\n</main>`),
      );
    },
  );

  test.each(["a b", "app.example", "10.0.0.7:3000", ""])(
    "is not taken from the Host %j, whose address nothing sends or signs",
    async (host) => {
      const app = createApp();
      const request = new Request(`${named}/login`, { headers: { host } });
      const { searchParams } = new URL(locationOf(await app.fetch(request)));
      expect(searchParams.get("redirect_uri")).toBe(`${named}/callback`);
    },
  );
});

test("A login over http at an address of the local network has a page of its own", async () => {
  const response = await createApp().fetch(new Request("http://192.168.0.5:3000/login"));
  expect(response.status).toBe(500);
  const page = await response.text();
  expect(page).toContain("<h1>The address is wrong</h1>");
  expect(page).toContain("Please open this site at its own address.");
  expect(page).not.toContain("<a ");
});

describe("A host that drops parts of requests", () => {
  const without = (name: "cookie" | "query") => (request: Request) => {
    const headers = new Headers(request.headers);
    if (name === "cookie") headers.delete("cookie");
    return new Request(name === "query" ? request.url.replace(/\?.*/, "") : request.url, {
      headers,
    });
  };

  test.each([["cookie", "cookies"], ["query", "queries"]] as const)(
    "such as the %s is named to the developer, once",
    async (name, missing) => {
      const app = createApp();
      for (let times = 0; times < 2; times++) {
        const browser = app.fake.browser((request) => app.fetch(without(name)(request)));
        expect((await browser.open(`${SITE}/login`)).status).toBe(400);
      }
      expect(console.warn).toHaveBeenCalledExactlyOnceWith(
        `A callback arrived without ${missing}: if all do, your host removes them`,
      );
      await expect(app.login.finish(new Request(`${SITE}/callback`))).rejects.toThrow();
      expect(console.warn).toHaveBeenCalledOnce();
    },
  );

  test("is not suspected for a login of another browser", async () => {
    const app = createApp();
    const callback = await new Browser(app).consent();
    const request = new Request(callback, { headers: { cookie: "theme=dark" } });
    expect((await app.fetch(request)).status).toBe(400);
    expect(console.warn).not.toHaveBeenCalled();
  });
});

test.each<[string, object, string]>([
  [
    "a client id that is a bigint",
    { clientId: 1n },
    "clientId must be digits in a string, received bigint",
  ],
  [
    "a client id with a line break",
    { clientId: "1\n" },
    "clientId must not contain U+000a",
  ],
  [
    "a secret with a line break",
    { secret: `${crypto.randomUUID()}\n` },
    "secret must not contain U+000a",
  ],
  [
    "a new secret in quotes",
    { secret: [`"${crypto.randomUUID()}"`] },
    'secret[0] must not contain "',
  ],
  [
    "a client secret that is not filled in",
    { clientSecret: "${SECRET}" },
    "clientSecret must not contain ${ at character 1",
  ],
  [
    "a redirect URI with a zero-width space",
    { redirectUri: `${SITE}/callback\u200b` },
    "redirectUri must not contain U+200b at character 29",
  ],
])("new Login() refuses %s with the reason", (_what, change, message) => {
  const create = () =>
    new Login({
      clientId: sampleApplication.id,
      clientSecret: "QxT3b9_wR2mLk8vZs1nPcY7dHf5jGa4e",
      scope: ["identify"],
      secret: "Zk3w-9QfLr7x_B2yHnVt5mPd8sUc1aEg",
      ...change,
    });
  expect(create).toThrow(TypeError);
  expect(create).toThrow(message);
});

test("new Login() accepts an older secret with a line break, so that it can be replaced", () => {
  const { platform } = createFakePlatform();
  const [secret, old] = [crypto.randomUUID(), `${crypto.randomUUID()}\n`];
  const { id: clientId, secret: clientSecret } = sampleApplication;
  expect(
    new Login({ clientId, clientSecret, platform, scope: ["identify"], secret: [secret, old] }),
  )
    .toBeInstanceOf(Login);
});
