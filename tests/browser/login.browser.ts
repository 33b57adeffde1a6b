import { createServer, type Server } from "node:http";
import { mkdir, writeFile } from "node:fs/promises";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateState } from "../../mod.ts";
import { Login } from "../../src/login/mod.ts";
import { createFakePlatform, nodeListener, sampleApplication } from "../../src/testing/mod.ts";
import { violations } from "../support/axe.ts";
import { browserNames, type BrowserPage, openBrowser } from "../support/browsers.ts";

/** Where to write pictures of all pages, to look at them. */
const pictures = process.env.PICTURES;

let server: Server;
let base: string;
let exchanges: () => number;

beforeAll(async () => {
  server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === "string") throw Error("The server has no port");
  base = `http://localhost:${address.port}`;
  const fake = createFakePlatform({
    origin: base,
    applications: [{ ...sampleApplication, redirectUris: [`${base}/callback`] }],
  });
  exchanges = () => fake.requests.filter(({ path }) => path.endsWith("/oauth2/token")).length;
  const login = new Login({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    scope: ["identify"],
    secret: generateState(),
    redirectUri: `${base}/callback`,
    platform: fake.platform,
    fetch: fake.fetch,
  });
  const handler = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    // The platform is at the same address, for a browser that trusts one only.
    if (/^\/(oauth2|api|cdn)\//.test(pathname)) return await fake.handler(request);
    const answer = await login.handle(request);
    if (answer) return answer;
    const session = await login.session(request);
    if (!session) return await login.start(request);
    const form = '<form method="post" action="/logout"><button>Log out</button></form>';
    return new Response(`<p>${session.user.username} reads ${pathname}</p>${form}`, {
      headers: { "content-type": "text/html", "referrer-policy": "no-referrer" },
    });
  };
  server.on("request", nodeListener(handler, { origin: base }));
});

afterAll(() => {
  server.close();
});

/** What the page says, as soon as it is about that. */
async function expectText(page: BrowserPage, text: string): Promise<void> {
  const shown = () => page.execute("return document.body?.textContent ?? ''");
  await expect.poll(shown, { timeout: 5000 }).toContain(text);
}

describe.each(browserNames)("A login on this machine, in %s,", (browser) => {
  test("ends where it began, survives Back and a reload, and is over after a logout", async () => {
    const page = await openBrowser(browser);
    const before = exchanges();
    try {
      await page.goto(`${base}/shop`);
      await page.click("button[value=authorize]");
      await expectText(page, "ada reads /shop");
      await page.reload();
      await expectText(page, "ada reads /shop");
      await page.back();
      await page.goto(`${base}/other`);
      await expectText(page, "ada reads /other");
      expect(exchanges()).toBe(before + 1);
      await page.click("button");
      await expectText(page, "wants to access your account");
      await page.goto(`${base}/shop`);
      await expectText(page, "wants to access your account");
    } finally {
      await page.close();
    }
  });
});

// Not in WebKit, whose window is too wide for a phone: there a page is tested in a frame, which these pages forbid.
describe.each(["chromium", "firefox"] as const)("The pages of a login in %s", (browser) => {
  test.each([
    ["light", { dark: false, width: 1280 }],
    ["dark", { dark: true, width: 1280 }],
    ["light and 360 pixels wide", { dark: false, width: 360 }],
    ["dark and 360 pixels wide", { dark: true, width: 360 }],
  ])("are accessible and fit into the window, in %s", async (_, options) => {
    const page = await openBrowser(browser, options);
    const check = async (name: string): Promise<void> => {
      await expect(violations(page), name).resolves.toEqual([]);
      await expect(page.execute("return document.documentElement.scrollWidth"), name).resolves
        .toBeLessThanOrEqual(options.width);
      if (!pictures) return;
      await mkdir(pictures, { recursive: true });
      const file = `login_${name}.${
        options.dark ? "dark" : "light"
      }.${options.width}.${browser}.png`;
      await writeFile(`${pictures}/${file}`, await page.screenshot());
    };
    try {
      await page.goto(`${base}/callback?code=x&state=y`);
      await expectText(page, "This login has ended");
      await check("ended");
      await page.goto(`${base}/shop`);
      await page.click("button[value=cancel]");
      await expectText(page, "You did not log in");
      await check("refused");
    } finally {
      await page.close();
    }
  });
});
