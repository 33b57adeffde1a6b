import { createServer, type RequestListener, type Server } from "node:http";
import { type Browser, chromium, type Page } from "playwright";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AnyLogin, Login } from "../../../src/login/mod.ts";
import { sendResponse, toRequest } from "../../../src/node.ts";
import { createFakePlatform, nodeListener, sampleApplication } from "../../../src/testing/mod.ts";
import { documentOf, removeBlocks, runBlock } from "../../support/doc_blocks.ts";
import { listen } from "../../support/node_server.ts";

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

test("docs/single_page_apps.md logs in by a popup, from a page of another origin", async () => {
  const { code } = documentOf("docs/single_page_apps.md").blockWith("// popup.ts");
  let script = "";
  const frontend = await serve((request, response) => {
    const call = request.url === "/logged_in" ? "endPopup();" : "";
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<script type="module">${script}\n${call}
onclick = async () => { await logInByPopup(); document.title = "logged in"; };</script>`);
  });
  const api = await serveLogin([frontend]);
  script = ts.transpile(code.replace("https://api.site.example", api), {
    target: ts.ScriptTarget.ESNext,
  }).replaceAll("export ", "");
  const page = await browser.newPage();
  await page.goto(`${frontend}/settings`);
  const [popup] = await Promise.all([page.waitForEvent("popup"), page.mouse.click(20, 20)]);
  const closed = popup.waitForEvent("close");
  await popup.getByRole("button", { name: "Authorize" }).click();
  await Promise.all([closed, page.waitForFunction(`document.title === "logged in"`)]);
  await page.goto(api);
  expect(await page.textContent("body")).toBe("Hello, ada");
});

/** Serves an application with a login, and a fake platform on another port. Returns the origin of the application. */
async function serveLogin(frontends: readonly string[] = []): Promise<string> {
  let listener: RequestListener = () => {};
  const issuer = await serve((request, response) => listener(request, response));
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
