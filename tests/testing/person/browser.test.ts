import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { generateState } from "../../../mod.ts";
import { Login } from "../../../src/login/mod.ts";
import { createFakePlatform, nodeListener, sampleApplication } from "../../../src/testing/mod.ts";

const site = "https://app.example";

/** Creates a platform and an application that greets the logged-in user. */
function createApp(redirectUri = `${site}/callback`) {
  const fake = createFakePlatform();
  const login = new Login({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    scope: ["identify"],
    secret: generateState(),
    redirectUri,
    platform: fake.platform,
    fetch: fake.fetch,
  });
  const handler = async (request: Request): Promise<Response> => {
    const response = await login.handle(request);
    if (response) return response;
    const session = await login.session(request);
    return session ? new Response(session.user.username) : await login.start(request);
  };
  return { fake, handler };
}

/** Returns the text and the address of the page. */
async function read(browser: { readonly url: string }, page: Promise<Response>) {
  return [await (await page).text(), browser.url];
}

/** Opens a browser in front of an application that redirects. */
function redirecting(routes: Record<string, (request: Request) => Response | Promise<Response>>) {
  return createFakePlatform().browser((request) =>
    routes[new URL(request.url).pathname]?.(request) ?? null
  );
}

const redirectTo = (location: string, status = 302) => () =>
  new Response(null, { status, headers: { location } });

describe("FakePlatform.browser()", () => {
  test("logs in over the consent page, and stays logged in", async () => {
    const { fake, handler } = createApp();
    const browser = fake.browser(handler, { as: "grace" });
    expect(browser.url).toBe("");
    expect(await read(browser, browser.open(`${site}/shop?a=1`))).toEqual([
      "grace",
      `${site}/shop?a=1`,
    ]);
    const requests = fake.requests.length;
    expect(await read(browser, browser.open("/cart"))).toEqual(["grace", `${site}/cart`]);
    expect(fake.requests).toHaveLength(requests);
  });

  test("logs the first user in by default, and each browser alone", async () => {
    const { fake, handler } = createApp();
    const [first, second] = [fake.browser(handler), fake.browser(handler, { as: "grace" })];
    expect(await read(first, first.open(site))).toEqual(["ada", `${site}/`]);
    expect(await read(second, second.open(site))).toEqual(["grace", `${site}/`]);
    expect(await read(first, first.open(site))).toEqual(["ada", `${site}/`]);
  });

  test("clicks Cancel", async () => {
    const { fake, handler } = createApp();
    const browser = fake.browser(handler, { cancel: true });
    const page = await browser.open(site);
    expect(page.status).toBe(403);
    expect(browser.url).toContain(`${site}/callback?error=access_denied`);
  });

  test("sends a form like a page of the same site", async () => {
    const { fake, handler } = createApp();
    const browser = fake.browser(handler);
    await browser.open(site);
    const logout = await browser.open("/logout", { method: "POST", redirect: "manual" });
    expect(logout.status).toBe(303);
    expect(browser.jarOf(site).cookies).toEqual([]);
    const foreign = { method: "POST", headers: { origin: "https://other.example" } };
    expect((await browser.open("/logout", foreign)).status).toBe(403);
  });

  test("follows no redirect with `redirect: manual`, and continues at the given address", async () => {
    const { fake, handler } = createApp();
    const browser = fake.browser(handler);
    const start = await browser.open(`${site}/shop`, { redirect: "manual" });
    expect([start.status, browser.url]).toEqual([302, `${site}/shop`]);
    const link = start.headers.get("location") ?? "";
    expect(link).toContain(fake.platform.authorizeUrl);
    expect(await read(browser, browser.open(link))).toEqual(["ada", `${site}/shop`]);
  });

  test("logs in at an application on a port", async () => {
    let handler: (request: Request) => Promise<Response> = () => Promise.reject();
    const server = createServer(nodeListener((request) => handler(request)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    const app = createApp(`${origin}/callback`);
    handler = app.handler;
    const browser = app.fake.browser(fetch);
    expect(await read(browser, browser.open(`${origin}/shop`))).toEqual(["ada", `${origin}/shop`]);
  });

  test("keeps the cookies of each site apart", async () => {
    const seen: (string | null)[] = [];
    const browser = createFakePlatform().browser((request) => {
      const { host, pathname } = new URL(request.url);
      seen.push(request.headers.get("cookie"));
      const headers = new Headers({ "set-cookie": `at=${host}; Secure` });
      if (pathname === "/") headers.set("location", "https://two.example/end");
      return new Response(null, { status: pathname === "/" ? 302 : 200, headers });
    });
    await browser.open("https://one.example/");
    await browser.open("https://one.example/");
    expect(seen).toEqual([null, null, "at=one.example", "at=two.example"]);
    expect(browser.jarOf("https://two.example/any").header).toBe("at=two.example");
  });

  test("keeps the cookies of a host for all its ports, as browsers do", async () => {
    const seen: (string | null)[] = [];
    const browser = createFakePlatform().browser((request) => {
      seen.push(request.headers.get("cookie"));
      return new Response(null, { headers: { "set-cookie": "a=1" } });
    });
    await browser.open("http://localhost:3101/");
    await browser.open("http://localhost:3102/");
    await browser.open("http://127.0.0.1:3102/");
    expect(seen).toEqual([null, "a=1", null]);
    expect(browser.jarOf("http://localhost").header).toBe("a=1");
  });

  test.each([[301, "GET "], [302, "GET "], [303, "GET "], [307, "POST a=1"], [308, "POST a=1"]])(
    "makes a %i redirect of a form a request as a browser does: %s",
    async (status, expected) => {
      const browser = redirecting({
        "/form": redirectTo("/next", status),
        "/next": async (request) =>
          new Response(`${request.method} ${await request.text()} ${request.headers.get("x-a")}`),
      });
      const init = {
        method: "POST",
        body: new URLSearchParams({ a: "1" }),
        headers: { "x-a": "b" },
      };
      expect(await (await browser.open(`${site}/form`, init)).text()).toBe(`${expected} b`);
    },
  );

  test("rejects if the application redirects in a circle, or returns no response", async () => {
    const browser = redirecting({ "/": redirectTo("/?again") });
    await expect(browser.open(site)).rejects.toThrow(
      new Error("more than 20 redirects: the last one goes to https://app.example/"),
    );
    await expect(browser.open(`${site}/nothing`)).rejects.toThrow(
      new Error("the handler returned no response for /nothing"),
    );
    const { fake } = createApp();
    await expect(fake.browser(() => undefined as never).open(site)).rejects.toThrow(
      new TypeError(
        "the handler must return a Response for /, received undefined; is a return missing?",
      ),
    );
    expect(() => fake.browser({} as never)).toThrow("handler must be a function, as in (request)");
  });

  test("rejects if the consent page shows an error", async () => {
    const { fake, handler } = createApp("https://elsewhere.example/callback");
    const elsewhere = "https://elsewhere.example/";
    await expect(fake.browser(handler).open(elsewhere)).rejects.toThrow("is not registered");
  });

  test("throws for an unknown user before it opens a page", () => {
    const { fake, handler } = createApp();
    expect(() => fake.browser(handler, { as: "eve" })).toThrow(
      new TypeError('as must be the id or the username of a user of the platform, received "eve"'),
    );
  });

  test("belongs to its user after a change of the username", async () => {
    const { fake, handler } = createApp();
    const browser = fake.browser(handler, { as: "ada" });
    fake.update({ users: { ada: { username: "lovelace" } } });
    expect(await read(browser, browser.open(site))).toEqual(["lovelace", `${site}/`]);
  });

  test("rejects if the first URL is relative", async () => {
    const { fake, handler } = createApp();
    await expect(fake.browser(handler).open("/shop")).rejects.toThrow(
      new TypeError('the first URL must be absolute, received "/shop"'),
    );
  });
});
