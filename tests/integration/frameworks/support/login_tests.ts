/**
 * The tests that a login must pass on every framework.
 *
 * @module
 */

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Browser, locationOf, type Site, type SiteOptions } from "./site.ts";

/** Tests a site. Its page for members greets a logged-in person, and redirects others to the consent page. */
export function testLogin(
  name: string,
  start: () => Promise<Site>,
  query = "?from=a%20link",
): void {
  describe(name, () => {
    let site: Site;
    let members: string;
    beforeAll(async () => {
      site = await start();
      members = site.paths.members;
    });
    afterAll(() => site[Symbol.asyncDispose]());

    test("logs in on the way to a page, and returns to it", async () => {
      const browser = new Browser(site);
      const response = await browser.logIn(members + query);
      expect([response.status, locationOf(response)]).toEqual([302, site.origin + members + query]);
      expect(await browser.read(members)).toContain("Hello, ada");
    });

    test("sends both cookies of a callback, which remove the attempt and set the session", async () => {
      const browser = new Browser(site);
      const cookies = (await browser.logIn(members)).headers.getSetCookie();
      expect(cookies).toHaveLength(2);
      expect(cookies[0]).toMatch(/^[\w-]+-login\.[\w-]+=; Path=\/; Max-Age=0;/);
      expect(cookies[1]).toMatch(/^[\w-]+-session=[^;,]+; Path=\/; Max-Age=\d+; HttpOnly;/);
      expect(browser.jar.cookies).toHaveLength(1);
    });

    test("logs in by a link and returns to the page that it names, but not to another site", async () => {
      for (
        const [returnTo, path] of [["/shop?page=2", "/shop?page=2"], ["//evil.example/", "/"]]
      ) {
        const browser = new Browser(site);
        const response = await browser.logIn(
          `${site.paths.login}?returnTo=${encodeURIComponent(`${returnTo}`)}`,
        );
        expect(locationOf(response)).toBe(site.origin + path);
      }
    });

    test("shows a page after a refused consent", async () => {
      const browser = new Browser(site);
      const response = await browser.open(await site.fake.deny(await browser.begin(members)));
      expect(response.status).toBe(403);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(await response.text()).toContain("<h1>You canceled the login</h1>");
    });

    test("responds in JSON on request", async () => {
      const browser = new Browser(site);
      const callback = await site.fake.deny(await browser.begin(members));
      const response = await browser.open(callback, { headers: { accept: "application/json" } });
      expect(response.status).toBe(403);
      expect(await response.json()).toEqual({
        error: "access_denied",
        message: expect.stringContaining("You canceled the login"),
      });
    });

    test("sends a code once if two requests open its callback at once", async () => {
      const browser = new Browser(site);
      const callback = await site.fake.authorize(await browser.begin(members), { as: "ada" });
      const before = tokenRequests(site);
      const responses = await Promise.all([browser.open(callback), browser.open(callback)]);
      expect(responses.map(locationOf)).toEqual([site.origin + members, site.origin + members]);
      expect(locationOf(await browser.open(callback))).toBe(`${site.origin}/`);
      expect(tokenRequests(site)).toBe(before + 1);
      expect(await browser.read(members)).toContain("Hello, ada");
    });

    test("shows a page if the platform fails, and logs in at the next attempt", async () => {
      const browser = new Browser(site);
      site.fake.failNext({ path: "/oauth2/token", status: 503 });
      const response = await browser.logIn(members);
      expect([response.status, response.headers.get("content-type")])
        .toEqual([502, "text/html; charset=utf-8"]);
      await browser.logIn(members);
      expect(await browser.read(members)).toContain("Hello, ada");
    });

    test("logs out by a form, but not by a link", async () => {
      const browser = new Browser(site);
      await browser.logIn(members, "grace");
      expect((await browser.open(site.paths.logout)).status).toBe(405);
      expect(await browser.read(members)).toContain("Hello, grace");
      const response = await browser.logOut();
      expect([response.status, locationOf(response)]).toEqual([303, `${site.origin}/bye`]);
      expect(await browser.begin(members)).toContain("/oauth2/authorize?");
    });

    test("ends a logout at a page that begins no login", async () => {
      const browser = new Browser(site);
      await browser.logIn(members);
      const page = await browser.open(locationOf(await browser.logOut()));
      expect(page.status).toBe(200);
      expect(await page.text()).toContain("You are logged out");
    });

    test("sends a page with a name so that no browser keeps it", async () => {
      const browser = new Browser(site);
      await browser.logIn(members);
      expect((await browser.open(members)).headers.get("cache-control")).toContain("no-store");
    });

    test("prints its address, unless a tool serves it or a proxy hides it", async ({ skip }) => {
      const { printed, address, origin } = site;
      if (!printed || origin !== address) return skip();
      await vi.waitUntil(() => printed().includes(address), { timeout: 30_000 });
    });

    test("keeps two people apart", async () => {
      const [first, second] = [new Browser(site), new Browser(site)];
      await Promise.all([first.logIn(members, "ada"), second.logIn(members, "grace")]);
      expect(await first.read(members)).toContain("Hello, ada");
      expect(await second.read(members)).toContain("Hello, grace");
    });
  });
}

/** Tests that a site without its variables, and with a text in place of the client id, serves what needs no login. */
export function testWithoutSecrets(
  name: string,
  start: (options: SiteOptions) => Promise<Site>,
): void {
  test(`${name} serves a page that needs no login if a login can't be created`, async () => {
    const env = {
      DISCORD_CLIENT_ID: "test-client-id",
      DISCORD_CLIENT_SECRET: "",
      LOGIN_SECRET: "",
    };
    await using site = await start({ env });
    const response = await new Browser(site).open("/bye");
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("You are logged out");
  });
}

/** Counts the requests for a token. */
function tokenRequests({ fake }: Site): number {
  return fake.requests.filter(({ path }) => path.endsWith("/oauth2/token")).length;
}
