import { describe, expect, test } from "vitest";
import { siteAddressOf, siteAt } from "../../../src/login/site/site_address.ts";

const at = (address: string, redirectUri: string | null = null) => {
  const url = redirectUri === null ? null : new URL(redirectUri);
  const site = url && siteAt(url, url.pathname, url.href);
  return siteAddressOf(new Request(address), { site, callbackPath: "/callback" });
};

describe("siteAddressOf()", () => {
  test("returns the address of the request", () => {
    expect(at("https://app.example/shop?page=2")).toEqual({
      origin: "https://app.example",
      redirectUri: "https://app.example/callback",
      callbackPath: "/callback",
      isLocal: false,
      isSecure: true,
      cookiePrefix: "__Host-",
    });
  });

  test("returns the address of the redirect URI behind a proxy", () => {
    for (const address of ["http://10.0.0.7:8080/", "http://localhost:3000/", "https://node-7/"]) {
      expect(at(address, "https://app.example/auth/back")).toEqual({
        origin: "https://app.example",
        redirectUri: "https://app.example/auth/back",
        callbackPath: "/auth/back",
        isLocal: false,
        isSecure: true,
        cookiePrefix: "__Host-",
      });
    }
  });

  test.each([
    ["http://localhost:3000/", "port-3000-"],
    ["http://localhost/", "port-80-"],
    ["http://app.localhost:3000/", "port-3000-"],
    ["http://127.0.0.1:3000/", "port-3000-"],
    ["http://[::1]:3000/", "port-3000-"],
  ])("accepts plain HTTP on this machine: %s", (address, cookiePrefix) => {
    expect(at(address)).toMatchObject({ isSecure: false, cookiePrefix });
  });

  test.each([
    "http://app.example/",
    "http://localhost.evil.example/",
    "http://evil-localhost/",
    "http://10.0.0.7/",
  ])(
    "refuses plain HTTP elsewhere: %s",
    (address) => {
      expect(() => at(address)).toThrow(expect.objectContaining({
        name: "LoginError",
        reason: "insecure_site",
        message: `The request arrived at ${new URL(address).origin}, but a login needs https:`,
        hint: expect.stringContaining("set redirectUri to the https: URL"),
      }));
    },
  );

  test.each<[string, unknown, string]>([
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
    ["an address", "https://app.example/", "a string of length 20"],
    ["Node's", { url: "/login", method: "GET", headers: { host: "app.example" } }, "Object"],
    ["something with headers alone", { headers: new Headers() }, "Object"],
    ["Hono's", { url: "https://app.example/login", header: () => undefined }, "Object"],
  ])("refuses %s in place of a Request", (_kind, request, received) => {
    expect(() => siteAddressOf(request as Request, { site: null, callbackPath: "/callback" }))
      .toThrow(
        new TypeError(
          `request must be a Request of the Fetch API, received ${received}. In Hono, pass c.req.raw; in Express, Koa and Fastify, ` +
            'toRequest(req, res) of "@guildpass/sdk/node"',
        ),
      );
  });

  test("returns the address of a redirect URI on this machine", () => {
    const redirectUri = "http://localhost:3000/callback";
    expect(at("http://localhost:3000/shop", redirectUri)).toMatchObject({ redirectUri });
  });

  test("refuses another name of this machine than the redirect URI has", () => {
    expect(() => at("http://127.0.0.1:3000/", "http://localhost:3000/callback")).toThrow(
      expect.objectContaining({
        reason: "other_origin",
        message:
          "The request arrived at http://127.0.0.1:3000, but the login is at http://localhost:3000",
        hint: expect.stringContaining("Open http://localhost:3000"),
      }),
    );
  });

  test.each([
    // A development server is a proxy too.
    ["on another port", "http://127.0.0.1:3000/", "http://localhost:5173"],
    ["that speaks HTTPS", "http://127.0.0.1/", "https://localhost"],
    ["with a public name", "https://127.0.0.1/", "https://app.example"],
    ["on this machine, for another machine", "http://10.0.0.7:3000/", "http://localhost:3000"],
  ])("returns the address of the redirect URI behind a proxy %s", (_kind, address, origin) => {
    expect(at(address, `${origin}/callback`)).toMatchObject({ origin });
  });
});
