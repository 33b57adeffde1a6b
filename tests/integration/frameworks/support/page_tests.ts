/**
 * The tests of the pages around a login: the buttons, the API route and the error page.
 *
 * @module
 */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Browser, type Site, type SiteOptions } from "./site.ts";

/**
 * Tests a site whose home page has a button to log in or out, with an API route at `/api/me`.
 *
 * @param renders The place where the framework renders the page for errors.
 */
export function testPages(
  name: string,
  start: (options?: SiteOptions) => Promise<Site>,
  renders: "on the server" | "in the browser" = "on the server",
): void {
  describe(`The pages of ${name}`, () => {
    let site: Site;
    beforeAll(async () => {
      site = await start();
    });
    afterAll(() => site[Symbol.asyncDispose]());

    test("show a link to log in, and then a button to log out, which work", async () => {
      const browser = new Browser(site);
      const link = /<a [^>]*?href="([^"]+)"[^>]*>\s*Log in/.exec(await browser.read("/"))?.[1];
      expect(link).toBe(site.paths.login);
      await browser.logIn(`${link}`);
      const page = await browser.read("/");
      expect(page).toContain("Hello, ada");
      expect(page).not.toContain("Log in");
      const form = /<form ([^>]+)>[^]*?<button[^>]*>\s*Log out[^]*<\/form>/.exec(page)?.[1];
      expect(form).toMatch(/\bmethod="post"/);
      expect(form).toContain(`action="${site.paths.logout}"`);
      expect((await browser.logOut()).status).toBe(303);
      expect(await browser.read("/")).toContain("Log in");
    });

    test("greet by name on pages that no browser keeps", async () => {
      const browser = new Browser(site);
      await browser.logIn(site.paths.login);
      for (const path of ["/", site.paths.members, "/api/me"]) {
        expect((await browser.open(path)).headers.get("cache-control")).toContain("no-store");
      }
    });

    test("include an API route, which responds in JSON, with a 401 to a visitor", async () => {
      const browser = new Browser(site);
      const refusal = await browser.open("/api/me");
      expect(refusal.status).toBe(401);
      expect(refusal.headers.get("content-type")).toContain("application/json");
      expect(await refusal.text()).toContain("login_required");
      await browser.logIn(site.paths.login);
      expect(await (await browser.open("/api/me")).json()).toMatchObject({ username: "ada" });
    });

    test("include an error page, which shows no detail", async () => {
      await using broken = await start({ env: { LOGIN_SECRET: "" } });
      const response = await new Browser(broken).open(broken.paths.members);
      const page = await response.text();
      if (renders === "on the server") {
        expect(response.status).toBe(500);
        expect(page).toContain("This page does not work at the moment");
      }
      expect(page).not.toContain("secret");
    });
  });
}
