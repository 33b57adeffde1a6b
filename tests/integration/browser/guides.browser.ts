import { createServer, type RequestListener, type Server } from "node:http";
import { type Browser, chromium, type Page } from "playwright";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AnyLogin, Login } from "../../../src/login/mod.ts";
import { sendResponse, toRequest } from "../../../src/node.ts";
import { createFakePlatform, nodeListener, sampleApplication } from "../../../src/testing/mod.ts";
import { browserNames, closeBrowsers, openBrowser } from "../../support/browsers.ts";
import { documentOf, removeBlocks, runBlock } from "../../support/doc_blocks.ts";
import { listen } from "../../support/node_server.ts";
import { expectText } from "../../support/shown.ts";

const servers: Server[] = [];
let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
});

afterAll(async () => {
  await browser.close();
  await closeBrowsers();
  for (const server of servers) server.close();
  removeBlocks();
});

test("docs/testing_your_app.md logs in with Playwright, on two ports", async () => {
  const { logIn } = await runBlock<{
    logIn(page: Page, origin: string, returnTo: string): Promise<void>;
  }>(documentOf("docs/testing_your_app.md").blockWith("// log_in.ts"));
  const origin = await serveLogin();
  const page = await browser.newPage();
  await logIn(page, origin, "/shop");
  await page.waitForURL(`${origin}/shop`);
  expect(await page.textContent("body")).toBe("Hello, grace");
});

const policies: readonly (readonly [string, string])[] = [
  ["the usual headers", "unsafe-none"],
  ["headers that cut the connection to the opener", "same-origin"],
];

describe.each(policies)("With %s, docs/single_page_apps.md logs in by a popup", (_, policy) => {
  test.each(browserNames)("that closes, from a page of another origin, in %s", async (name) => {
    const { frontend, api } = await servePopup(policy);
    const page = await openBrowser(name);
    try {
      await page.goto(`${frontend}/settings`);
      const popup = await page.popup(() => page.click("button"));
      await popup.click("button[value=authorize]");
      await expectText(page, "logged in");
      await expect.poll(() => popup.isClosed()).toBe(true);
      await page.goto(api);
      await expectText(page, "Hello, ada");
    } finally {
      await page.close();
    }
  });
});

// Without a click, WebKit blocks popups. Playwright makes the other browsers allow them.
test("docs/single_page_apps.md logs in within the page if the browser blocks the popup", async () => {
  const { frontend, api } = await servePopup();
  const page = await openBrowser("webkit");
  try {
    await page.goto(`${frontend}/settings`);
    await page.execute(`document.querySelector("button").click()`);
    await expectText(page, "wants to access your account");
    await page.click("button[value=authorize]");
    await expect.poll(() => page.url()).toBe(`${frontend}/settings`);
    await page.goto(api);
    await expectText(page, "Hello, ada");
  } finally {
    await page.close();
  }
});

/** Serves the pages of the recipe, and its API with a fake platform. */
async function servePopup(policy = "unsafe-none"): Promise<{ frontend: string; api: string }> {
  const { code } = documentOf("docs/single_page_apps.md").blockWith("// popup.ts");
  let script = "";
  const frontend = await serve((request, response) => {
    const call = request.url === "/logged_in" ? "endPopup();" : "";
    response.writeHead(200, { "content-type": "text/html", [openerPolicy]: policy });
    response.end(`<body><button>Log in</button><script type="module">${script}\n${call}
document.querySelector("button").onclick = async () => {
  await logInByPopup();
  document.body.textContent = "logged in";
};</script>`);
  });
  const api = await serveLogin([frontend], policy);
  script = ts.transpile(code.replace("https://api.site.example", api), {
    target: ts.ScriptTarget.ESNext,
  }).replaceAll("export ", "");
  return { frontend, api };
}

const openerPolicy = "cross-origin-opener-policy";

/** Serves an application with a login, and a fake platform on another port. Returns the origin of the application. */
async function serveLogin(
  frontends: readonly string[] = [],
  policy = "unsafe-none",
): Promise<string> {
  let listener: RequestListener = () => {};
  const issuer = await serve((request, response) => {
    response.setHeader(openerPolicy, policy);
    listener(request, response);
  });
  const fake = createFakePlatform({ origin: issuer });
  listener = nodeListener(fake.handler, { origin: issuer });
  const { id: clientId, secret: clientSecret } = sampleApplication;
  const secret = crypto.randomUUID();
  const login: AnyLogin = new Login({
    clientId,
    clientSecret,
    secret,
    scope: ["identify"],
    frontends,
    ...fake,
  });
  return await serve(async (incoming, outgoing) => {
    const request = toRequest(incoming, outgoing);
    const session = await login.session(request);
    const page = new Response(`Hello, ${Object(session?.user).username}`);
    await sendResponse(outgoing, await login.handle(request) ?? page);
  });
}

/** Serves on a free port, and returns the origin. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  return `http://localhost:${await listen(server)}`;
}
