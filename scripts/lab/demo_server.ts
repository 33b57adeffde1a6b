/**
 * The demo on a server of its own, in Debian's Chromium.
 *
 * @module
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "playwright";
import { startDemo } from "../../examples/demo/start.ts";
import { nodeListener } from "../../src/testing/mod.ts";

/** Serves the demo while a function takes pictures of it. */
export async function withDemo(
  take: (browser: Browser, origin: string) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const listener = nodeListener(startDemo(origin, {}, console.error).handler, {});
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  try {
    await take(browser, origin);
  } finally {
    await browser.close();
    server.close();
  }
}
