import { createServer } from "node:http";
import { chromium, type Page } from "playwright";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { Login } from "../../../src/login/mod.ts";
import { sendResponse, toRequest } from "../../../src/node.ts";
import { createFakePlatform, nodeListener, sampleApplication } from "../../../src/testing/mod.ts";
import { documentOf, removeBlocks, runBlock } from "../../support/doc_blocks.ts";
import { listen } from "../../support/node_server.ts";

afterAll(removeBlocks);

test("docs/testing_your_app.md logs in with Playwright, on two ports", async () => {
  const { blockWith } = documentOf("docs/testing_your_app.md");
  const { logIn } = await runBlock<{
    logIn(page: Page, origin: string, returnTo: string): Promise<void>;
  }>(blockWith("// log_in.ts"));

  const platformServer = createServer();
  const issuer = `http://127.0.0.1:${await listen(platformServer)}`;
  const fake = createFakePlatform({ origin: issuer });
  platformServer.on("request", nodeListener(fake.handler, { origin: issuer }));
  const { id: clientId, secret: clientSecret } = sampleApplication;
  const secret = crypto.randomUUID();
  const login = new Login({ clientId, clientSecret, secret, scope: ["identify"], ...fake });
  const server = createServer(async (incoming, outgoing) => {
    const request = toRequest(incoming, outgoing);
    const session = await login.session(request);
    const page = new Response(`Hello, ${session?.user.username}`);
    await sendResponse(outgoing, await login.handle(request) ?? page);
  });
  const origin = `http://localhost:${await listen(server)}`;
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  onTestFinished(async () => {
    await browser.close();
    server.close();
    platformServer.close();
  });

  const page = await browser.newPage();
  await logIn(page, origin, "/shop");
  await page.waitForURL(`${origin}/shop`);
  expect(await page.textContent("body")).toBe("Hello, grace");
});
