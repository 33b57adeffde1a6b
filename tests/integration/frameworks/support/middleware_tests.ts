/**
 * The tests of a login in Express behind the middlewares of other people.
 *
 * @module
 */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Browser, locationOf, type Site } from "./site.ts";

const sets = [
  "compression 1.7",
  "compression 1.8",
  "express-session 1.18",
  "express-session 1.19",
  "cookie-session 2.0",
  "cookie-session 2.1",
  "morgan 1.10.0",
  "morgan 1.10",
  "helmet",
  "all with on-headers 1.0.2",
  "all with on-headers 1.0.2 and cookie-session",
  "all with on-headers 1.1",
  "all with on-headers 1.1 and cookie-session",
];
const names = ["Express 4", "Express 5"].flatMap((version) =>
  sets.map((set) => `${version} with ${set}`)
);

/** Tests the applications of `middlewares.ts`, on one server. */
export function testMiddlewares(start: () => Promise<Site>): void {
  describe("behind middlewares", () => {
    let server: Site;
    beforeAll(async () => {
      server = await start();
    });
    afterAll(() => server[Symbol.asyncDispose]());
    const browserOf = (name: string) =>
      new Browser({ ...server, headers: { "x-application": name } });

    test("runs the applications that are tested here", async () => {
      expect(JSON.parse(await browserOf("list").read("/"))).toEqual(names);
    });

    test.each(names)("%s keeps every header and cookie of a login", async (name) => {
      const browser = browserOf(name);
      const start = await browser.open("/login");
      expect([start.status, locationOf(start)])
        .toEqual([302, expect.stringContaining("/oauth2/authorize?")]);
      expect(cookiesOf(start)).toEqual(cookiesOn(name, /-login\./));

      const callback = await server.fake.authorize(locationOf(start), { as: "ada" });
      const response = await browser.open(callback);
      expect([response.status, locationOf(response)]).toEqual([302, `${server.origin}/`]);
      expect(cookiesOf(response)).toEqual(cookiesOn(name, /-login\./, /-session$/));
      expect(await browser.read("/")).toBe("Hello, ada");

      expect(locationOf(await browser.logOut())).toBe(`${server.origin}/bye`);
      expect(await browser.begin("/")).toContain("/oauth2/authorize?");
    });

    test.each(names)("%s sends a whole page after a refused consent", async (name) => {
      const browser = browserOf(name);
      const response = await browser.open(await server.fake.deny(await browser.begin("/")));
      expect([response.status, response.headers.get("content-type")])
        .toEqual([403, "text/html; charset=utf-8"]);
      expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
      expect(await response.text()).toMatch(/<h1>You canceled the login<\/h1>[^]*<\/html>/);
      const isCompressed = /compression|all/.test(name);
      expect(response.headers.get("vary"))
        .toBe(`x-earlier, accept${isCompressed ? ", Accept-Encoding" : ""}`);
    });
  });
}

/** Returns the names of the cookies that a response sets. */
function cookiesOf({ headers }: Response): string[] {
  return headers.getSetCookie().map((cookie) => cookie.split("=", 1)[0] ?? "");
}

/** The cookies of a middleware, of the login, and of the session that a middleware keeps. */
function cookiesOn(name: string, ...login: readonly RegExp[]): unknown[] {
  const later = name.includes("cookie-session")
    ? ["session", "session.sig"]
    : /express-session|all/.test(name)
    ? ["connect.sid"]
    : [];
  return ["earlier", ...login.map((one) => expect.stringMatching(one)), ...later];
}
