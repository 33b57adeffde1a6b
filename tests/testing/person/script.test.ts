import { describe, expect, test } from "vitest";
import { generateState } from "../../../mod.ts";
import { Login } from "../../../src/login/mod.ts";
import { createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";

const api = "https://api.site.example";
const frontend = "https://app.site.example";

/** Opens a browser in front of an application that responds with its request, and with these headers. */
function echoing(headers: HeadersInit = {}, preflightStatus = 200) {
  const seen: Request[] = [];
  const browser = createFakePlatform().browser((request) => {
    seen.push(request);
    const status = request.method === "OPTIONS" ? preflightStatus : 200;
    return new Response(null, { status, headers });
  });
  return { browser, seen };
}

/** The headers that allow everything to a frontend. */
const cors = {
  "access-control-allow-origin": frontend,
  "access-control-allow-credentials": "true",
  "access-control-allow-methods": "PUT, DELETE",
  "access-control-allow-headers": "Content-Type, X-Color",
};

/** Returns the headers that the browser itself adds. */
function browserHeaders({ headers }: Request) {
  return [...headers].filter(([name]) => /^(origin|cookie|sec-)/.test(name));
}

describe("The `fetch` of a page's scripts", () => {
  test.each<[string, string, string, string[][]]>([
    ["to its own origin", "GET", api, [["sec-fetch-site", "same-origin"]]],
    ["to its own origin", "HEAD", api, [["sec-fetch-site", "same-origin"]]],
    ["to its own origin", "POST", api, [["origin", api], ["sec-fetch-site", "same-origin"]]],
    ["to a sibling", "GET", frontend, [["origin", frontend], ["sec-fetch-site", "same-site"]]],
    ["to another site", "GET", "https://evil.example", [
      ["origin", "https://evil.example"],
      ["sec-fetch-site", "cross-site"],
    ]],
    ["to the site with TLS", "GET", "http://app.site.example", [
      ["origin", "http://app.site.example"],
      ["sec-fetch-site", "cross-site"],
    ]],
  ])("sends the headers of a request %s by %s", async (_where, method, page, expected) => {
    const { browser, seen } = echoing({ "access-control-allow-origin": "*" });
    await browser.fetchFrom(page)(`${api}/me`, { method });
    expect(seen.map(browserHeaders)).toEqual([[
      ...expected.filter(([name]) => name === "origin"),
      ["sec-fetch-dest", "empty"],
      ["sec-fetch-mode", "cors"],
      ...expected.filter(([name]) => name !== "origin"),
    ]]);
  });

  test.each([
    ["http://127.0.0.1:3000", "http://127.0.0.1:8000", "same-site"],
    ["http://10.0.0.1", "http://20.0.0.1", "cross-site"],
    ["http://[::1]:3000", "http://[::1]:8000", "same-site"],
    ["http://localhost:5173", "http://localhost:3000", "same-site"],
    ["http://localhost:5173", "http://127.0.0.1:3000", "cross-site"],
  ])("takes %s and %s for %s", async (page, target, expected) => {
    const { browser, seen } = echoing({ "access-control-allow-origin": "*" });
    await browser.fetchFrom(page)(target);
    expect(seen[0]?.headers.get("sec-fetch-site")).toBe(expected);
  });

  test("resolves a relative URL against the page, and takes a `Request`", async () => {
    const { browser, seen } = echoing();
    const script = browser.fetchFrom(`${api}/shop/list`);
    await script("item?id=1");
    await script(new Request(`${api}/cart`, { method: "POST", body: "a" }));
    await script(new Request(`${api}/cart`), { method: "DELETE" });
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${api}/shop/item?id=1`,
      `POST ${api}/cart`,
      `DELETE ${api}/cart`,
    ]);
    expect(await seen[1]?.text()).toBe("a");
  });

  test.each<[string, string, RequestCredentials | undefined, string | null]>([
    ["the same origin", api, undefined, "a=1"],
    ["the same origin", api, "omit", null],
    ["a sibling", frontend, undefined, null],
    ["a sibling", frontend, "include", "a=1"],
    ["another site", "https://evil.example", "include", null],
  ])(
    "has the cookies from %s (%s) with the credentials %s",
    async (_who, page, credentials, sent) => {
      const { browser, seen } = echoing({
        ...cors,
        "access-control-allow-origin": page,
        "set-cookie": "b=2; Secure",
      });
      browser.jarOf(api).store(new Response(null, { headers: { "set-cookie": "a=1" } }), api);
      await browser.fetchFrom(page)(api, credentials && { credentials });
      expect(seen[0]?.headers.get("cookie")).toBe(sent);
      // Where cookies are not sent, they are not stored either.
      expect(browser.jarOf(api).header).toBe(sent === null ? "a=1" : "a=1; b=2");
    },
  );

  test("has no cookie header without cookies", async () => {
    const { browser, seen } = echoing();
    await browser.fetchFrom(api)(api);
    expect(seen[0]?.headers.has("cookie")).toBe(false);
  });

  test.each<[RequestInit, string | null]>([
    [{ method: "PUT" }, "PUT "],
    [{ headers: { "x-color": "red" } }, "GET x-color"],
    [
      { method: "POST", body: "{}", headers: { "content-type": "application/json" } },
      "POST content-type",
    ],
    [{ method: "POST", body: new URLSearchParams({ a: "1" }) }, null],
    [{ method: "POST", body: new FormData() }, null],
    [{ method: "POST", body: "a" }, null],
    [{ headers: { accept: "a/b", "accept-language": "de", "content-language": "de" } }, null],
  ])("sends a preflight request from another origin before %j: %s", async (init, expected) => {
    const { browser, seen } = echoing(cors);
    browser.jarOf(api).store(new Response(null, { headers: { "set-cookie": "a=1" } }), api);
    await browser.fetchFrom(frontend)(api, { ...init, credentials: "include" });
    const [preflight] = seen.splice(0, seen.length - 1);
    const asked = (name: string) => preflight?.headers.get(`access-control-request-${name}`) ?? "";
    expect(preflight ? `${asked("method")} ${asked("headers")}` : null).toBe(expected);
    expect(preflight?.headers.has("cookie") ?? false).toBe(false);
    expect(seen.map(({ method }) => method)).toEqual([init.method ?? "GET"]);
    await browser.fetchFrom(api)(api, init);
    expect(seen).toHaveLength(2);
  });

  const put: RequestInit = { method: "PUT", headers: { "x-color": "red" } };
  test.each<[string, HeadersInit, RequestInit, string | null]>([
    ["no CORS headers", {}, {}, "access-control-allow-origin is missing"],
    [
      "CORS headers for another page",
      { ...cors, "access-control-allow-origin": api },
      {},
      `access-control-allow-origin is ${api}`,
    ],
    ["CORS headers for all pages", { "access-control-allow-origin": "*" }, {}, null],
    [
      "CORS headers for all pages",
      { ...cors, "access-control-allow-origin": "*" },
      { credentials: "include" },
      "access-control-allow-origin is *",
    ],
    [
      "no word of credentials",
      { "access-control-allow-origin": frontend },
      { credentials: "include" },
      "access-control-allow-credentials is not true",
    ],
    [
      "other methods",
      { ...cors, "access-control-allow-methods": "DELETE" },
      put,
      "access-control-allow-methods lacks PUT",
    ],
    [
      "no methods",
      { "access-control-allow-origin": frontend },
      put,
      "access-control-allow-methods lacks PUT",
    ],
    [
      "other headers",
      { ...cors, "access-control-allow-headers": "content-type" },
      put,
      "access-control-allow-headers lacks x-color",
    ],
    [
      "all methods and headers",
      { ...cors, "access-control-allow-methods": "*", "access-control-allow-headers": "*" },
      put,
      null,
    ],
    [
      "all methods and headers",
      { ...cors, "access-control-allow-methods": "*", "access-control-allow-headers": "*" },
      { ...put, credentials: "include" },
      "access-control-allow-methods lacks PUT",
    ],
  ])(
    "from another origin with %s in the response rejects as in a browser",
    async (_what, headers, init, cause) => {
      const { browser } = echoing(headers);
      const response = browser.fetchFrom(frontend)(`${api}/me?secret=1`, init);
      if (cause === null) return void expect((await response).status).toBe(200);
      await expect(response).rejects.toThrow(
        new TypeError(
          `a browser would block the ${
            init.method ?? "GET"
          } from ${frontend} to ${api}/me: ${cause}`,
        ),
      );
    },
  );

  test.each([
    ["a status", cors, 403, "the response to its preflight request has the status 403"],
    ["another origin", { ...cors, "access-control-allow-origin": api }, 200, `is ${api}`],
  ])(
    "sends nothing after a preflight request refused by %s",
    async (_by, headers, status, cause) => {
      const { browser, seen } = echoing(headers, status);
      await expect(browser.fetchFrom(frontend)(api, { method: "PUT" })).rejects.toThrow(cause);
      expect(seen.map(({ method }) => method)).toEqual(["OPTIONS"]);
    },
  );

  test("follows no redirect", async () => {
    const browser = createFakePlatform().browser(({ redirect }) =>
      new Response(redirect, { status: 302, headers: { location: `${api}/next` } })
    );
    const response = await browser.fetchFrom(api)("/");
    expect([response.status, await response.text()]).toEqual([302, "manual"]);
  });

  test("acts for the person of the browser, also across the frontends of a login", async () => {
    const fake = createFakePlatform({
      applications: [{ ...sampleApplication, redirectUris: [`${api}/callback`] }],
    });
    const login = new Login({
      clientId: sampleApplication.id,
      clientSecret: sampleApplication.secret,
      scope: ["identify"],
      secret: generateState(),
      redirectUri: `${api}/callback`,
      frontends: [frontend],
      platform: fake.platform,
      fetch: fake.fetch,
    });
    const browser = fake.browser(async (request) =>
      await login.handle(request) ??
        new Response(null, { status: login.allows(request) ? 200 : 403 })
    );
    await browser.open(`${api}/login`);
    const init: RequestInit = { method: "POST", credentials: "include" };
    expect((await browser.fetchFrom(api)("/color", init)).status).toBe(200);
    const sibling = browser.fetchFrom("https://blog.site.example");
    await expect(sibling(`${api}/logout`, init)).rejects.toThrow("access-control-allow-origin");
    expect(browser.jarOf(api).cookies).toHaveLength(1);
    expect((await browser.fetchFrom(frontend)(`${api}/logout`, init)).status).toBe(204);
    expect(browser.jarOf(api).cookies).toEqual([]);
  });

  test("needs a page", () => {
    expect(() => echoing().browser.fetchFrom("/shop")).toThrow(
      new TypeError('page must be an absolute URL, received "/shop"'),
    );
  });
});
