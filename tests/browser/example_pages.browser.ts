import { createServer, type Server } from "node:http";
import { mkdir, writeFile } from "node:fs/promises";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as worker from "../../examples/cloudflare_worker/src/pages.ts";
import { createDemo } from "../../examples/demo/app.ts";
import {
  createFakePlatform,
  type FakeGuild,
  nodeListener,
  sampleApplication,
  sampleGuilds,
  sampleUsers,
} from "../../src/testing/mod.ts";
import { LoginRequiredError, PlatformApi, User } from "../../mod.ts";
import { LoginError } from "../../src/login/mod.ts";
import { violations } from "../support/axe.ts";
import { browserNames, type BrowserPage, openBrowser } from "../support/browsers.ts";

/** Where to write pictures of all pages, to look at them. */
const pictures = process.env.PICTURES;

/** Names that break a layout if names can. */
const wideGuild: FakeGuild = {
  id: "1200000000000000099",
  name:
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft & <b>Co</b>",
  icon: null,
  members: { [sampleUsers[0].id]: {} },
};

const workerPages = ["start", "welcome", "guilds", "not_found", "ended", "still_logged_in"];

let server: Server;
let base: string;

/** Ends all logins at the platform, as when somebody removes the application from their account. */
let removeApplication: () => Promise<void>;

beforeAll(async () => {
  server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === "string") throw Error("The server has no port");
  base = `http://localhost:${address.port}`;
  const redirectUri = `${base}/callback`;
  const fake = createFakePlatform({
    origin: base,
    applications: [{ ...sampleApplication, redirectUris: [redirectUri] }],
    users: sampleUsers,
    guilds: [...sampleGuilds, wideGuild],
  });
  const { id: clientId, secret: clientSecret, botToken } = sampleApplication;
  const { platform } = fake;
  const api = new PlatformApi(clientId, clientSecret, ["identify"], redirectUri, fake);
  removeApplication = async () => {
    await api.revoke(fake.issueToken({ as: "ada" }).access_token);
  };
  const demo = createDemo({
    clientId,
    clientSecret,
    botToken,
    redirectUri,
    platform,
    fake,
    log() {},
  });
  const token = fake.issueToken({ as: "ada", scopes: ["identify", "guilds"] });
  const user = new User(token.access_token, fake);
  const [me, guilds] = [await user.getCurrentUser(), await user.getUserGuilds()];
  const responses: Readonly<Record<string, () => Response>> = {
    "/worker/start": () => worker.homePage(null),
    "/worker/welcome": () => worker.homePage(me),
    "/worker/guilds": () => worker.guildsPage(me, guilds, platform),
    "/worker/not_found": () => worker.notFoundPage(),
    "/worker/ended": () => worker.errorPage(new LoginRequiredError("no_token")),
    "/worker/still_logged_in": () =>
      worker.errorPage(new LoginError("cross_site", "It came from elsewhere", "Send it from here")),
  };
  const handler = async (request: Request): Promise<Response> => {
    const workerPage = responses[new URL(request.url).pathname];
    return workerPage ? workerPage() : await demo(request);
  };
  server.on("request", nodeListener(handler, { origin: base }));
});

afterAll(() => {
  server.close();
});

// Not in WebKit, whose window is too wide for a phone: there a page is tested in a frame, which these pages forbid.
describe.each(["chromium", "firefox"] as const)("The pages of the examples in %s", (browser) => {
  test.each([
    ["light", { dark: false, width: 1280 }],
    ["dark", { dark: true, width: 1280 }],
    ["light and 360 pixels wide", { dark: false, width: 360 }],
    ["dark and 360 pixels wide", { dark: true, width: 360 }],
  ])("are accessible and fit into the window, in %s", async (_, options) => {
    const page = await openBrowser(browser, options);
    const check = async (name: string, path: string): Promise<void> => {
      await page.goto(base + path);
      await checkShown(name);
    };
    const checkShown = async (name: string): Promise<void> => {
      await expect(violations(page), name).resolves.toEqual([]);
      await expect(page.execute("return document.documentElement.scrollWidth"), name).resolves
        .toBeLessThanOrEqual(options.width);
      await expect(touchingButtons(page), name).resolves.toEqual([]);
      if (pictures) {
        await mkdir(pictures, { recursive: true });
        const file = `${name}.${options.dark ? "dark" : "light"}.${options.width}.${browser}.png`;
        await writeFile(`${pictures}/${file}`, await page.screenshot());
      }
    };
    try {
      await check("demo_start", "/");
      await check("demo_not_found", "/nowhere");
      await check("demo_invited", "/oauth2/authorized");
      await check("demo_foreign_login", "/callback?code=x&state=y");
      await check("demo_invite", `/invite?guild_id=${sampleGuilds[0].id}`);
      await logIn(page);
      await check("demo_profile", "/");
      await page.execute(openDetails);
      await checkShown("demo_profile_unfolded");
      await check("demo_guild", "/guild?id=1200000000000000001");
      await check("demo_guild_without_bot", `/guild?id=${wideGuild.id}`);
      await removeApplication();
      await check("demo_ended", "/");
      for (const name of workerPages) await check(`worker_${name}`, `/worker/${name}`);
    } finally {
      await page.close();
    }
  });
});

describe.each(browserNames)("The demo's invite builder in %s", (browser) => {
  test("makes links that its own platform asks consent for", async () => {
    const page = await openBrowser(browser);
    try {
      await page.goto(`${base}/invite?guild_id=${sampleGuilds[0].id}`);
      const link = () => page.execute(`return document.getElementById("link").href`);
      await expect.poll(link).toMatch(
        new RegExp(`^${base}/oauth2/authorize\\?client_id=${sampleApplication.id}&scope=bot`),
      );
      await page.goto(String(await link()));
      await page.click("button[value=authorize]");
      const shown = () => page.execute("return document.body?.textContent ?? ''");
      await expect.poll(shown).toContain("The application was added");
    } finally {
      await page.close();
    }
  });
});

const openDetails =
  `for (const details of document.querySelectorAll("details")) details.open = true;`;

/** The labels of buttons that are less than 4 pixels away from another one. */
async function touchingButtons(page: BrowserPage): Promise<unknown> {
  return await page.execute(`
    const buttons = [...document.querySelectorAll("button, a.button")]
      .filter((button) => button.checkVisibility());
    const gap = (one, other) => {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      return Math.max(a.left - b.right, b.left - a.right, a.top - b.bottom, b.top - a.bottom);
    };
    return buttons
      .filter((one) => buttons.some((other) => other !== one && gap(one, other) < 4))
      .map((button) => button.textContent);`);
}

/** Goes through the demo's login, over the fake platform's consent page. */
async function logIn(page: BrowserPage): Promise<void> {
  await page.goto(`${base}/login`);
  await page.click("button[value=authorize]");
  const shown = () => page.execute(`return document.readyState + " " + location.href`);
  await expect.poll(shown).toBe(`complete ${base}/`);
}
