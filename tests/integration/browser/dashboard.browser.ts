import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createDashboard, type Dashboard } from "../../../examples/dashboard/app.ts";
import { errorPage } from "../../../examples/dashboard/errors.ts";
import { registerNumber } from "../../../examples/dashboard/linked_roles.ts";
import { guildsPage } from "../../../examples/dashboard/pages.ts";
import { RateLimitError } from "../../../mod.ts";
import {
  createFakePlatform,
  type FakePlatform,
  nodeListener,
  sampleApplication,
  sampleGuilds,
} from "../../../src/testing/mod.ts";
import {
  browserNames,
  type BrowserPage,
  closeBrowsers,
  openBrowser,
} from "../../support/browsers.ts";
import { listen } from "../../support/node_server.ts";
import { expectText, expectWellShown, views } from "../../support/shown.ts";

let server: Server;
let base: string;
/** A new dashboard for each test, without linked roles. */
let dashboard: Dashboard;
let fake: FakePlatform;

/** Ada is an administrator of the third guild, in which the bot is not, and no manager of the fourth. */
const [{ id: withBot }, , { id: withoutBot }, { id: foreign }] = sampleGuilds;

beforeAll(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  server = createServer();
  base = `http://localhost:${await listen(server)}`;
  const visitor = { id: "1", name: "Ada", avatarUrl: "", onlyManaged: true };
  const busy = { httpStatus: 429, retryAfter: 29.2, scope: "user", global: false } as const;
  const others: Readonly<Record<string, () => Response>> = {
    "/other/no_guild": () => guildsPage(visitor, []),
    "/other/busy": () => errorPage(new RateLimitError("Any", busy)),
    "/other/failure": () => errorPage(new Error("Any")),
    "/other/old_list": () => guildsPage({ ...visitor, onlyManaged: false }, [], 5 * 60_000),
  };
  const handler = (request: Request): Response | Promise<Response> => {
    const { pathname } = new URL(request.url);
    const isPlatform = /^\/(oauth2|api|cdn)\//.test(pathname);
    return others[pathname]?.() ?? (isPlatform ? fake.handler(request) : dashboard.fetch(request));
  };
  server.on("request", nodeListener(handler, { origin: base }));
});

beforeEach(async () => {
  fake = createFakePlatform({ origin: base });
  const settings = {
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    botToken: sampleApplication.botToken,
    publicKey: await fake.webhookPublicKey(),
    secret: crypto.randomUUID(),
    redirectUri: `${base}/callback`,
    client: { platform: fake.platform, fetch: fake.fetch },
  };
  await registerNumber(settings);
  dashboard = createDashboard(settings);
});

afterAll(async () => {
  server.close();
  await closeBrowsers();
});

test.each(views)("The pages of the dashboard are accessible, and fit, in %s", async (_, view) => {
  const page = await openBrowser(view.browser, view);
  const check = async (name: string, path: string): Promise<void> => {
    await page.goto(base + path);
    await expectWellShown(page, `dashboard_${name}`, view);
  };
  try {
    await check("start", "/");
    await check("not_found", "/nowhere");
    await check("foreign_login", "/callback?code=x&state=y");
    await page.goto(`${base}/login`);
    await press(page, "authorize", "/");
    for (const name of ["no_guild", "busy", "failure", "old_list"]) {
      await check(name, `/other/${name}`);
    }
    await check("guilds", "/");
    const links = await page.execute(`
      return [...document.querySelectorAll("main a")].map(({ textContent }) => textContent);`);
    expect(new Set(links as string[]).size).toBe((links as string[]).length);
    await check("devices", "/devices");
    await check("guild", `/guilds/${withBot}`);
    await check("guild_without_bot", `/guilds/${withoutBot}`);
    await check("guild_of_others", `/guilds/${foreign}`);
    await page.goto(`${base}/guilds/${withoutBot}/invite`);
    await press(page, "cancel", "/callback");
    await expectWellShown(page, "dashboard_cancelled", view);
    await page.goto(`${base}/linked-roles`);
    await press(page, "authorize", "/linked-roles");
    await expectWellShown(page, "dashboard_linked_roles", view);
  } finally {
    await page.close();
  }
});

test("A person logs in, invites the bot, greets, and logs out everywhere, with clicks alone", async () => {
  const page = await openBrowser("chromium");
  try {
    await page.goto(base);
    await page.click('a[href="/login"]');
    await press(page, "authorize", "/");
    await page.click(`a[href="/guilds/${withoutBot}/invite"]`);
    await press(page, "authorize", `/guilds/${withoutBot}`);
    await expectText(page, "The bot is here");
    await page.type("#greeting", "Welcome aboard");
    await page.press("Enter");
    const value = () => page.execute(`return document.getElementById("greeting")?.value`);
    await expect.poll(value).toBe("Welcome aboard");
    await expectText(page, "Saved");
    await page.click('a[href="/"]');
    await page.click('form[action="/view"] button');
    await expectText(page, "Show all");
    await page.click('form[action="/logout/all"] button');
    await expectText(page, "Log in with Discord");
    expect(await page.url()).toBe(`${base}/`);
  } finally {
    await page.close();
  }
});

test("The list of devices shows the times of the person, in their language", async () => {
  const place = { locale: "de-DE", timezoneId: "Asia/Kolkata" };
  const page = await openBrowser("chromium", { place });
  try {
    await page.goto(`${base}/login`);
    await press(page, "authorize", "/");
    await page.goto(`${base}/devices`);
    const times = () =>
      page.execute(`
        return [...document.querySelectorAll("time")]
          .map(({ dateTime, lang, textContent }) => ({ dateTime, lang, textContent }));`);
    await expect.poll(async () => JSON.stringify(await times())).toContain("de-DE");
    const shown = await times() as { dateTime: string; lang: string; textContent: string }[];
    expect(shown).toHaveLength(2); // the second one is for screen readers
    for (const { dateTime, lang, textContent } of shown) {
      const local = new Date(Date.parse(dateTime) + 5.5 * 3600_000);
      const [day, clock] = [
        `${local.getUTCDate()}`.padStart(2, "0"),
        local.toISOString().slice(11, 16),
      ];
      expect({ lang, textContent }).toEqual({
        lang: "de-DE",
        textContent: expect.stringMatching(new RegExp(`^${day}\\.\\d\\d\\.\\d{4}, ${clock}$`)),
      });
    }
  } finally {
    await page.close();
  }
});

test.each(browserNames)("A logout leads all tabs to the start, in %s", async (browser) => {
  const page = await openBrowser(browser);
  try {
    await page.goto(`${base}/login`);
    await press(page, "authorize", "/");
    const tab = await page.openTab();
    await tab.goto(`${base}/guilds/${withBot}`);
    await expectText(tab, "The bot is here");
    await page.show();
    await page.click('form[action="/logout"] button');
    await expectText(page, "Log in with Discord");
    await expectText(tab, "Log in with Discord");
  } finally {
    await page.close();
  }
});

/** Presses a button of the consent page, and waits for a page of the dashboard. */
async function press(page: BrowserPage, value: string, path: string): Promise<void> {
  await page.click(`button[value=${value}]`);
  const shown = () => page.execute(`return document.readyState + " " + location.pathname`);
  await expect.poll(shown).toBe(`complete ${path}`);
}
