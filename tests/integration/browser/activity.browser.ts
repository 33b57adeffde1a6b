import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createDiscord, createProxy } from "../../../examples/activity/discord.ts";
import { createServer } from "../../../examples/activity/server.ts";
import { createFakePlatform, type FakePlatform, nodeListener } from "../../../src/testing/mod.ts";
import { closeBrowsers, openBrowser } from "../../support/browsers.ts";
import { type NodeServer, serveHandler, serveListener } from "../../support/node_server.ts";
import { expectWellShown, views } from "../../support/shown.ts";

const servers: NodeServer[] = [];

/** The origin of the page that plays Discord, `http://localhost` with a port. */
let discord: string;

/** The origin of the Activity: `http://127.0.0.1` with a port, which is another site. */
let activity: string;

/** The request handlers of Discord and the server, which each test replaces. */
let respondAsDiscord: (request: Request) => Promise<Response>;
let respond: (request: Request) => Promise<Response>;

/** The header `cookie` of each request to the server. */
let cookies: (string | null)[];

let fake: FakePlatform;
let folder: string;
let context: BrowserContext | undefined;
let page: Page;

beforeAll(async () => {
  const client = await serveHandler((request) => respondAsDiscord(request));
  const server = await serveHandler((request) => respond(request));
  const proxy = await serveListener(nodeListener(createProxy(server.origin)));
  servers.push(client, server, proxy);
  [discord, activity] = [client.origin, proxy.origin];
});

beforeEach(async () => {
  fake = createFakePlatform({ origin: discord });
  cookies = [];
  respondAsDiscord = createDiscord(activity, fake);
  startServer();
  folder = await mkdtemp(join(tmpdir(), "guildpass-activity-"));
});

afterEach(async () => {
  await context?.close();
  await rm(folder, { recursive: true });
});

afterAll(async () => {
  await closeBrowsers();
  for (const server of servers) await server[Symbol.asyncDispose]();
});

/** Starts the server without sessions. */
function startServer(): void {
  const server = createServer(activity, discord, fake);
  respond = (request) => {
    cookies.push(request.headers.get("cookie"));
    return server(request);
  };
}

/** Opens Chromium, which does or does not block the cookies of a frame of another site, and shows whether it does. */
async function openChromium({ blocksCookies }: { blocksCookies: boolean }): Promise<void> {
  await mkdir(join(folder, "Default"));
  await writeFile(
    join(folder, "Default/Preferences"),
    JSON.stringify({ profile: { cookie_controls_mode: blocksCookies ? 1 : 0 } }),
  );
  context = await chromium.launchPersistentContext(folder, {
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  });
  page = await context.newPage();
  await page.goto(activity);
  await page.evaluate(`document.cookie = "control=1; SameSite=None; Secure"`);
  expect(await page.evaluate("document.cookie")).toBe("control=1");
  cookies = [];
  await page.goto(discord);
  await decide("Authorize");
  await expectPerson("ada", 1);
  // The same cookie, in a frame of another site.
  expect(await inFrame("document.cookie")).toBe(blocksCookies ? "" : "control=1");
  expect(cookies.includes("control=1")).toBe(!blocksCookies);
}

/** Clicks on a button of the consent, which plays the dialog of Discord. */
async function decide(button: "Authorize" | "Cancel"): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: button }).click();
}

/** Waits until the Activity shows a person, and the number of their sessions. */
async function expectPerson(name: string, sessions: number): Promise<void> {
  await expect.poll(() => inFrame(`document.querySelector("main").innerText`))
    .toMatch(new RegExp(`\\b${name}\\s+Sessions: ${sessions}\\s+Log out$`));
}

/** Evaluates an expression in the frame of the Activity, which may be loading. */
async function inFrame(expression: string): Promise<unknown> {
  return await page.frames()[1]?.evaluate(expression).catch(() => null);
}

/** Runs an action that opens the Activity again, and waits until its page is another one. */
async function replacePage(action: () => Promise<unknown>): Promise<void> {
  await inFrame("window.isOld = true");
  await action();
  await expect.poll(() => inFrame("window.isOld === undefined")).toBe(true);
}

async function clickInFrame(button: string): Promise<void> {
  await page.frameLocator("#activity").getByRole("button", { name: button }).click();
}

test("In a browser that blocks cookies and storage of other sites, the Activity logs in at each start, out, and another person in", async () => {
  await openChromium({ blocksCookies: true });
  expect(
    await inFrame("(() => { try { return localStorage } catch ({ name }) { return name } })()"),
  )
    .toBe("SecurityError");
  await clickInFrame("Log out");
  await expect.poll(() => inFrame(`document.querySelector("main").innerText`))
    .toContain("You are logged out");
  await clickInFrame("Log in");
  await expectPerson("ada", 1);
  // The token was in the memory of the page, which has ended the session.
  await replacePage(() => inFrame("location.reload()"));
  await expectPerson("ada", 1);
  await page.selectOption("#person", "grace");
  await decide("Cancel");
  await expect.poll(() => inFrame(`document.querySelector("main").innerText`))
    .toContain("That did not work: You have refused");
  await clickInFrame("Log in");
  await decide("Authorize");
  await expectPerson("grace", 1);
  expect(new Set(cookies)).toEqual(new Set([null]));
});

test("In a browser with storage, the Activity keeps its session when it is opened again, until another person opens it", async () => {
  await openChromium({ blocksCookies: false });
  await replacePage(() => inFrame("location.reload()"));
  await expectPerson("ada", 1);
  await replacePage(() => page.click("#reopen"));
  await expectPerson("ada", 1);
  const token = await inFrame("localStorage.token");
  await page.reload();
  await decide("Authorize");
  await expectPerson("ada", 1);
  expect(await inFrame("localStorage.token")).toBe(token);
  await page.selectOption("#person", "grace");
  await decide("Authorize");
  await expectPerson("grace", 1);
  expect(await inFrame("localStorage.token")).not.toBe(token);
  await page.selectOption("#person", "ada");
  await expectPerson("ada", 1);
  // The token in the storage is then that of a session that has ended.
  startServer();
  await replacePage(() => page.click("#reopen"));
  await expectPerson("ada", 1);
  await clickInFrame("Log out");
  await expect.poll(() => inFrame("Object.keys(localStorage)")).toEqual([]);
});

test.each(views)("The pages of the Activity are accessible and fit into %s", async (_, view) => {
  const page = await openBrowser(view.browser, view);
  try {
    await page.goto(discord);
    await expect.poll(() => page.execute(`return document.querySelector("dialog").open`)).toBe(
      true,
    );
    await expectWellShown(page, "activity_consent", view);
    await page.goto(activity);
    await expect.poll(() => page.execute(`return !document.querySelector("#guest").hidden`)).toBe(
      true,
    );
    await expectWellShown(page, "activity_guest", view);
  } finally {
    await page.close();
  }
});
