/**
 * The tests of a login beside the session middleware of a framework.
 *
 * @module
 */

import { describe, expect, test } from "vitest";
import { Browser, locationOf, type Site } from "./site.ts";

/**
 * Tests a login before and behind a session middleware. Each request changes the cookie of the middleware.
 *
 * @param cookie The name of the middleware's cookie.
 * @param start Starts the application. The variable `LOGIN_MIDDLEWARE` is the order: `before` or `behind`.
 * @param orders The orders that the framework has.
 */
export function testSessionMiddleware(
  name: string,
  cookie: string,
  start: (env: Readonly<Record<string, string>>) => Promise<Site>,
  orders: readonly string[] = ["before", "behind"],
): void {
  describe.each(orders)(`${name} with the login %s a session middleware`, (order) => {
    const own = order === "behind" ? [cookie] : [];

    test("keeps the cookies of both", async () => {
      await using site = await start({ LOGIN_MIDDLEWARE: order });
      const browser = new Browser(site);
      expect(namesOf(await browser.open("/bye"))).toEqual([cookie]);
      const begun = await browser.open(site.paths.login);
      expect(namesOf(begun)).toEqual([expect.stringMatching(/-login\./), ...own]);
      const callback = await site.fake.authorize(locationOf(begun), { as: "ada" });
      expect(namesOf(await browser.open(callback))).toEqual([
        expect.stringMatching(/-login\./),
        expect.stringMatching(/-session$/),
        ...own,
      ]);
      const page = await browser.open(site.paths.members);
      expect(await page.text()).toContain("Hello, ada");
      // It has counted every request that it saw: its cookie was never lost.
      expect(page.headers.get("x-views")).toBe(order === "behind" ? "4" : "2");
      expect(namesOf(await browser.logOut()).sort()).toEqual(
        [expect.stringMatching(/-session$/), ...own].sort(),
      );
    });
  });
}

/** Returns the names of the cookies that a response sets, those of the login first. */
function namesOf({ headers }: Response): string[] {
  const names = headers.getSetCookie().map((cookie) => cookie.split("=", 1)[0] ?? "");
  const isOfLogin = (name: string) => /-(login\.|session$)/.test(name);
  return [...names.filter(isOfLogin), ...names.filter((name) => !isOfLogin(name))];
}
