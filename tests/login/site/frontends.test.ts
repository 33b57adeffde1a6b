import { describe, expect, test } from "vitest";
import { generateState, MemoryStore } from "../../../mod.ts";
import { Login } from "../../../src/login/mod.ts";
import { CookieJar, sampleApplication } from "../../../src/testing/mod.ts";
import { type App, createApp, locationOf } from "../test_app.ts";

const api = "https://api.site.example";
const frontend = "https://app.site.example";
const sibling = "https://blog.site.example";

/** The headers of a request that a script of an origin sends. */
function fromScript(origin: string, site = "same-site"): Record<string, string> {
  return {
    origin,
    "sec-fetch-site": site,
    "sec-fetch-mode": "cors",
    "sec-fetch-dest": "empty",
  };
}

/** The headers of a form that a page of an origin posts. */
function fromForm(origin: string, site = "same-site"): Record<string, string> {
  return {
    origin,
    accept: "text/html,application/xhtml+xml",
    "sec-fetch-site": site,
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
  };
}

function corsHeaders({ headers }: Response): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith("access-control-allow-")),
  );
}

/** Opens an address with the cookies of a browser. */
async function open(app: App, jar: CookieJar, address: string, init?: RequestInit) {
  const response = await app.fetch(jar.request(address, init));
  jar.store(response, address);
  return response;
}

/** Logs a person in, and returns the cookies of the browser with the last redirect. */
async function logIn(app: App, { origin = api, returnTo = `${frontend}/` } = {}) {
  const jar = new CookieJar();
  const link = await open(app, jar, `${origin}/login?returnTo=${encodeURIComponent(returnTo)}`);
  const callback = await app.fake.authorize(locationOf(link), { as: "ada" });
  return { jar, location: locationOf(await open(app, jar, callback)) };
}

async function isLoggedIn(app: App, jar: CookieJar, origin = api): Promise<boolean> {
  return await app.login.session(jar.request(`${origin}/`)) !== null;
}

const application = {
  ...sampleApplication,
  redirectUris: [`${api}/callback`, "http://localhost:3000/callback"],
};

function createApi(options: Parameters<typeof createApp>[0] = {}): App {
  return createApp({ frontends: [frontend], ...options }, { applications: [application] });
}

describe("The option frontends", () => {
  const options = { clientId: "1", clientSecret: "secret", scope: ["identify"] } as const;
  const create = (frontends: unknown, redirectUri?: string) =>
    new Login({
      ...options,
      secret: generateState(),
      frontends: frontends as string[],
      redirectUri,
    });

  test.each<[string, unknown, string]>([
    [
      "text",
      frontend,
      `frontends must be a list of origins, received a string of length ${frontend.length}`,
    ],
    ["a number", [1], "frontends[0] must be an origin as a browser sends it"],
    ["a second entry that is empty", [frontend, ""], "frontends[1] must be an origin as a browser"],
    ["a path", [`${frontend}/`], "frontends[0] must be an origin as a browser sends it"],
    ["a longer path", [`${frontend}/app`], "without a path"],
    ["a query", [`${frontend}?`], "without a path"],
    ["a wildcard", ["https://*.site.example"], "must be an origin"],
    ["a wildcard inside", ["https://app.*.example"], "must be an origin"],
    ["every origin", ["*"], "must be an origin"],
    ["no origin", ["null"], "must be an origin"],
    ["a host", ["app.site.example"], "must be an origin"],
    ["another scheme", ["ftp://app.site.example"], "must be an origin"],
    ["a user", ["https://user@app.site.example"], "must be an origin"],
    ["capitals", ["https://App.site.example"], "must be an origin"],
    ["the usual port", ["https://app.site.example:443"], "must be an origin"],
    ["a port that does not exist", ["https://app.site.example:99999"], "must be an origin"],
    ["plain HTTP", ["http://app.site.example"], "frontends[0] must begin with https:"],
  ])("refuses %s", (_what, frontends, message) => {
    expect(() => create(frontends)).toThrow(TypeError);
    expect(() => create(frontends)).toThrow(message);
  });

  test.each<[string, string, string]>([
    ["another last label", `${api}/callback`, "https://app.site.test"],
    ["another domain", `${api}/callback`, "https://app.other.example"],
    ["plain HTTP beside HTTPS", `${api}/callback`, "http://localhost:5173"],
    ["HTTP on this machine beside HTTPS", "https://localhost/callback", "http://localhost:5173"],
    ["another name of this machine", "http://localhost:3000/callback", "http://127.0.0.1:5173"],
    ["a domain with its dot elsewhere", "https://api.ab.cde/callback", "https://app.abc.de"],
    ["another IP address", "https://10.0.0.1/callback", "https://11.1.0.1"],
  ])("refuses %s, beside the redirect URI", (_what, redirectUri, wrong) => {
    expect(() => create([wrong], redirectUri)).toThrow(
      new TypeError(
        "frontends[0] is not on the same site as redirectUri, so browsers send no cookies: use subdomains of one domain, or let the " +
          "frontend forward requests",
      ),
    );
  });

  test.each<[string, string | undefined, string]>([
    ["a sibling", `${api}/callback`, frontend],
    ["the domain itself", `${api}/callback`, "https://site.example"],
    ["another port", `${api}/callback`, "https://api.site.example:8443"],
    ["a port of this machine", "http://localhost:3000/callback", "http://localhost:5173"],
    ["a number of this machine", undefined, "http://127.0.0.1:5173"],
    ["names that begin with a number", "https://1.site.example/callback", "https://2.site.example"],
    ["a last label with a number", "https://api.site.web3/callback", "https://app.site.web3"],
    ["IPv6", "http://[::1]:3000/callback", "http://[::1]:5173"],
    ["another site as long as nothing tells", undefined, "https://app.other.example"],
  ])("accepts %s", (_what, redirectUri, origin) => {
    expect(create([origin], redirectUri)).toBeInstanceOf(Login);
  });

  test("is copied, so that a later change has no effect", () => {
    const list = [frontend];
    const login = create(list);
    list.push(sibling);
    const request = new Request(api, { method: "POST", headers: fromScript(sibling) });
    expect(login.allows(request)).toBe(false);
  });
});

describe("A login that begins at a frontend", () => {
  test("returns to the page of the frontend", async () => {
    const page = `${frontend}/guilds?page=2#top`;
    const app = createApi();
    const { jar, location } = await logIn(app, { returnTo: page });
    expect(location).toBe(page);
    expect(await isLoggedIn(app, jar)).toBe(true);
  });

  test("returns there from start() and finish() too", async () => {
    const { login, fake } = createApi();
    const jar = new CookieJar();
    const begun = await login.start(jar.request(api), { returnTo: new URL("/page", frontend) });
    jar.store(begun, api);
    const { returnTo } = await login.finish(jar.request(await fake.authorize(locationOf(begun))));
    expect(returnTo).toBe(`${frontend}/page`);
  });

  test("returns to a page with the path of a login, which is another page there", async () => {
    const { location } = await logIn(createApi(), { returnTo: `${frontend}/login` });
    expect(location).toBe(`${frontend}/login`);
  });

  test("returns to another port of this machine", async () => {
    const app = createApi({ frontends: ["http://localhost:5173"] });
    const origin = "http://localhost:3000";
    const { location } = await logIn(app, { origin, returnTo: "http://localhost:5173/a" });
    expect(location).toBe("http://localhost:5173/a");
    const { location: elsewhere } = await logIn(app, {
      origin,
      returnTo: "http://localhost:5174/",
    });
    expect(elsewhere).toBe("http://localhost:3000/");
  });

  test("returns to the home page of the frontend if the page does not fit into the cookie", async () => {
    const { login, fake } = createApi();
    const jar = new CookieJar();
    const returnTo = `${frontend}/${"a".repeat(1000)}`;
    const begun = await login.start(jar.request(api), { returnTo, data: "x".repeat(2200) });
    jar.store(begun, api);
    const callback = await fake.authorize(locationOf(begun));
    expect((await login.finish(jar.request(callback))).returnTo).toBe(`${frontend}/`);
  });

  test("offers to begin again with the same page", async () => {
    const app = createApi();
    const jar = new CookieJar();
    const query = `?returnTo=${encodeURIComponent(`${frontend}/guilds`)}`;
    const link = locationOf(await open(app, jar, `${api}/login${query}`));
    const page = await open(app, jar, await app.fake.deny(link));
    expect(await page.text()).toContain(`href="/login${query}"`);
  });

  test.each([
    sibling,
    "https://evil.example",
    "https://app.site.example.evil.example/",
    "https://app.site.example@evil.example/",
    "https://user@app.site.example/",
    "https://app.site.example:8443/",
    "http://app.site.example/",
    "//app.site.example/",
    "https:app.site.example/",
    "https:/app.site.example/",
    "https://app.site.example\\@evil.example/",
    "https:\\\\app.site.example/",
    "https://app.site.example//evil.example",
    "https://app.site.example/.//evil.example",
    "https://evil.example/https://app.site.example/",
    " https://app.site.example/",
    "javascript:alert(1)//https://app.site.example",
  ])("leads to no other place with %s as the page to return to", async (returnTo) => {
    const app = createApi();
    expect((await logIn(app, { returnTo })).location).toBe(`${api}/`);
    const jar = new CookieJar();
    const begun = await app.login.start(jar.request(api), { returnTo });
    jar.store(begun, api);
    const callback = await app.fake.authorize(locationOf(begun));
    expect((await app.login.finish(jar.request(callback))).returnTo).toBe("/");
  });
});

describe("handle(), asked by a script of a frontend,", () => {
  test.each([["/login", "GET"], ["/callback", "GET"], ["/logout", "POST"]])(
    "responds to the preflight of %s",
    async (path, method) => {
      const headers = {
        ...fromScript(frontend),
        "access-control-request-method": method,
        "access-control-request-headers": "content-type,x-requested-with",
      };
      const { login } = createApi();
      const response = await login.handle(new Request(api + path, { method: "OPTIONS", headers }));
      expect(response?.status).toBe(204);
      expect(Object.fromEntries(response?.headers ?? [])).toEqual({
        "access-control-allow-origin": frontend,
        "access-control-allow-credentials": "true",
        "access-control-allow-methods": method,
        "access-control-allow-headers": "content-type,x-requested-with",
        "access-control-expose-headers": "retry-after",
        vary: "origin",
      });
    },
  );

  test("responds to a preflight without requested headers", async () => {
    const { login } = createApi();
    const request = new Request(`${api}/logout`, {
      method: "OPTIONS",
      headers: { origin: frontend },
    });
    const response = await login.handle(request);
    expect(response?.status).toBe(204);
    expect(response?.headers.has("access-control-allow-headers")).toBe(false);
  });

  test("leaves the preflights of other paths to the application", async () => {
    const { login } = createApi();
    const request = new Request(`${api}/guilds`, {
      method: "OPTIONS",
      headers: { origin: frontend },
    });
    expect(await login.handle(request)).toBeNull();
  });

  test("responds behind a proxy, where only the redirect URI has the address of the application", async () => {
    const { login } = createApi({ redirectUri: `${api}/callback` });
    const init = { method: "OPTIONS", headers: { origin: frontend } };
    const response = await login.handle(new Request("http://10.0.0.7:8080/logout", init));
    expect(response?.status).toBe(204);
  });

  test("ends the session with 204", async () => {
    const app = createApi();
    const { jar } = await logIn(app);
    const init = { method: "POST", headers: fromScript(frontend) };
    const response = await open(app, jar, `${api}/logout`, init);
    expect(response.status).toBe(204);
    expect(response.headers.get("vary")).toBe("origin");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(corsHeaders(response)).toEqual({
      "access-control-allow-origin": frontend,
      "access-control-allow-credentials": "true",
    });
    expect(await isLoggedIn(app, jar)).toBe(false);
  });

  test.each([[{}], [{ accept: "*/*" }], [{ accept: "application/json" }]])(
    "ends the session with 204 in an old browser, which sends %j",
    async (headers) => {
      const app = createApi();
      const { jar } = await logIn(app);
      const init = { method: "POST", headers: { origin: frontend, ...headers } };
      expect((await open(app, jar, `${api}/logout`, init)).status).toBe(204);
      expect(await isLoggedIn(app, jar)).toBe(false);
    },
  );

  test("responds 401 in place of a login, with headers that let the script read it", async () => {
    const { login } = createApi();
    const response = await login.handle(
      new Request(`${api}/login`, { headers: fromScript(frontend) }),
    );
    expect(response?.status).toBe(401);
    expect(response?.headers.get("access-control-allow-origin")).toBe(frontend);
    expect(response?.headers.get("vary")).toBe("sec-fetch-dest, sec-fetch-mode, origin");
  });

  test.each<[string, RequestInit, number]>([
    ["/logout", { method: "GET" }, 405],
    ["/logout", { method: "PUT" }, 405],
    ["/callback", { method: "GET" }, 400],
  ])("lets the script read the error of %s with %j", async (path, init, status) => {
    const { login } = createApi();
    const response = await login.handle(
      new Request(api + path, { ...init, headers: fromScript(frontend) }),
    );
    expect(response?.status).toBe(status);
    expect(response?.headers.get("access-control-allow-origin")).toBe(frontend);
  });

  test("adds its headers to the response of onError too, also if that can't be changed", async () => {
    const { login } = createApi({ onError: () => Response.redirect(`${api}/sorry`) });
    const response = await login.handle(
      new Request(`${api}/callback`, { headers: fromScript(frontend) }),
    );
    expect(response?.headers.get("location")).toBe(`${api}/sorry`);
    expect(response?.headers.get("access-control-allow-origin")).toBe(frontend);
  });
});

describe("A logout by a form", () => {
  test("may end at the frontend's page with the path of the login itself", () => {
    expect(() => createApi({ afterLogout: "/login" })).not.toThrow();
  });

  test("leads to the page after a logout, at the frontend that has the form", async () => {
    const app = createApi({ afterLogout: "/bye" });
    const { jar } = await logIn(app);
    const init = { method: "POST", headers: fromForm(frontend) };
    const response = await open(app, jar, `${api}/logout`, init);
    expect(response.status).toBe(303);
    expect(locationOf(response)).toBe(`${frontend}/bye`);
    expect(await isLoggedIn(app, jar)).toBe(false);
  });

  test("leads there when a service worker passes it on, which accepts anything", async () => {
    const { login } = createApi();
    const headers = { ...fromForm(frontend), accept: "*/*" };
    const response = await login.end(new Request(`${api}/logout`, { method: "POST", headers }));
    expect(locationOf(response)).toBe(`${frontend}/`);
  });

  test("leads there in an old browser too", async () => {
    const { login } = createApi();
    const headers = { origin: frontend, accept: "text/html,*/*;q=0.8" };
    const response = await login.end(new Request(`${api}/logout`, { method: "POST", headers }));
    expect(locationOf(response)).toBe(`${frontend}/`);
  });

  test("leads to the application itself from its own page, and for a program", async () => {
    const { login } = createApi({ afterLogout: "/bye" });
    for (const headers of [fromForm(api, "same-origin"), {}]) {
      const response = await login.end(new Request(`${api}/logout`, { method: "POST", headers }));
      expect(locationOf(response)).toBe(`${api}/bye`);
    }
  });
});

test("A script that sends a form instead of the browser gets the redirect", async () => {
  const accept = "text/vnd.turbo-stream.html, text/html, application/xhtml+xml";
  const headers = { ...fromScript("https://app.example", "same-origin"), accept };
  const request = new Request("https://app.example/logout", { method: "POST", headers });
  expect(locationOf(await createApp().fetch(request))).toBe("https://app.example/");
});

test("A script of the application itself gets 204 for a logout, without headers for other origins", async () => {
  const app = createApp();
  const headers = fromScript("https://app.example", "same-origin");
  const request = new Request("https://app.example/logout", { method: "POST", headers });
  const response = await app.fetch(request);
  expect(response.status).toBe(204);
  expect(response.headers.get("vary")).toBeNull();
  expect(corsHeaders(response)).toEqual({});
});

describe("An origin that is not a frontend", () => {
  test.each<[string, Record<string, string>]>([
    ["a sibling", fromScript(sibling)],
    ["a sibling in an old browser", { origin: sibling }],
    ["another site", fromScript("https://evil.example", "cross-site")],
    ["another site that claims to be near", fromScript("https://evil.example")],
    ["a page without an origin", fromScript("null")],
    ["a sandboxed frame in an old browser", { origin: "null" }],
    ["a sibling that hides its origin", { "sec-fetch-site": "same-site" }],
    ["a form of a sibling", fromForm(sibling)],
    ["another port", fromScript(`${frontend}:8443`)],
    ["another scheme", fromScript("http://app.site.example")],
    ["a longer name", fromScript("https://app.site.example.evil.example", "cross-site")],
    ["several origins in one", fromScript(`${frontend} ${sibling}`)],
    ["a frontend that the browser calls another site", fromScript(frontend, "cross-site")],
  ])("(%s) reads nothing and changes nothing", async (_what, headers) => {
    for (const options of [{}, { store: new MemoryStore() }]) {
      const app = createApi(options);
      const { jar } = await logIn(app);
      const preflight = await open(app, jar, `${api}/logout`, { method: "OPTIONS", headers });
      const logout = await open(app, jar, `${api}/logout`, { method: "POST", headers });
      const page = await open(app, jar, `${api}/callback`, { headers });
      const responses = [preflight, logout, page];
      expect(responses.map(({ status }) => status)).toEqual([405, 403, 302]);
      for (const response of responses) {
        expect(corsHeaders(response)).toEqual({});
        expect(response.headers.get("vary")).toContain("origin");
      }
      expect(await isLoggedIn(app, jar)).toBe(true);
      expect(app.login.allows(new Request(api, { method: "POST", headers }))).toBe(false);
    }
  });

  test("is each entry that is of another site than the request", async () => {
    const { login } = createApi({ frontends: [frontend, "https://app.other.example"] });
    const ask = (address: string, origin: string) =>
      login.handle(new Request(`${address}/logout`, { method: "OPTIONS", headers: { origin } }));
    expect((await ask(api, frontend))?.status).toBe(204);
    expect((await ask(api, "https://app.other.example"))?.status).toBe(405);
    expect((await ask("https://api.other.example", "https://app.other.example"))?.status).toBe(204);
  });

  test("shows a page in no frame, nor begins a login ahead, even if it is one", async () => {
    const { login } = createApi();
    for (
      const headers of [
        { "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate", "sec-fetch-site": "same-site" },
        { "sec-purpose": "prefetch", origin: frontend },
      ] as Record<string, string>[]
    ) {
      const response = await login.handle(new Request(`${api}/login`, { headers }));
      expect(response?.status).toBe(403);
      expect(response?.headers.getSetCookie()).toEqual([]);
    }
  });
});

describe("allows()", () => {
  test.each<[string, string, Record<string, string>]>([
    ["a script of the application", api, fromScript(api, "same-origin")],
    ["a page without a referrer", api, fromForm("null", "same-origin")],
    ["a script of a frontend", api, fromScript(frontend)],
    ["a form of a frontend", api, fromForm(frontend)],
    ["a frontend in an old browser", api, { origin: frontend }],
    ["the application in an old browser", api, { origin: api }],
    ["a program", api, {}],
    ["a typed address", api, { "sec-fetch-site": "none" }],
    [
      "a frontend that passes requests on",
      "http://localhost:3000",
      fromScript("http://localhost:5173", "same-origin"),
    ],
    ["another port", "http://localhost:3000", fromScript("http://localhost:5173")],
  ])("returns true for %s", (_what, address, headers) => {
    const { login } = createApi({ frontends: [frontend, "http://localhost:5173"] });
    for (const method of ["POST", "DELETE", "OPTIONS"]) {
      expect(login.allows(new Request(address, { method, headers }))).toBe(true);
    }
  });

  test("returns false for a link of another site, and for one of a frontend", () => {
    const { login } = createApi();
    for (const site of ["cross-site", "same-site"]) {
      const headers = { "sec-fetch-site": site, "sec-fetch-mode": "navigate" };
      expect(login.allows(new Request(api, { headers }))).toBe(false);
    }
  });

  test("returns false for GET and HEAD if nothing says where they come from, as for a link in an old browser", () => {
    const { login } = createApi();
    for (const method of ["GET", "HEAD"]) {
      expect(login.allows(new Request(api, { method }))).toBe(false);
      expect(login.allows(new Request(api, { method, headers: { origin: api } }))).toBe(true);
      expect(login.allows(new Request(api, { method, headers: { "sec-fetch-site": "none" } })))
        .toBe(true);
    }
  });

  test("returns true for a POST if neither header says where it comes from, as from a program", () => {
    const { login } = createApi();
    // An old browser sends no session with it across sites, since its cookie is `SameSite=Lax`.
    const headers = { referer: "https://evil.example/" };
    expect(login.allows(new Request(api, { method: "POST", headers }))).toBe(true);
    expect(login.allows(new Request(api, { method: "POST" }))).toBe(true);
  });

  test("knows the application by its redirect URI behind a proxy", () => {
    const { login } = createApi({ redirectUri: `${api}/callback` });
    const request = (origin: string) =>
      new Request("http://10.0.0.7:8080/", { method: "POST", headers: { origin } });
    expect(login.allows(request(api))).toBe(true);
    expect(login.allows(request(frontend))).toBe(true);
    expect(login.allows(request("http://10.0.0.7:8080"))).toBe(false);
  });

  test("works without its object, and refuses other values than requests", () => {
    const { allows } = createApi().login;
    expect(allows(new Request(api, { method: "POST" }))).toBe(true);
    expect(() => allows({} as Request)).toThrow("request must be a Request of the Fetch API");
  });
});
