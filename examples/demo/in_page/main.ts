/**
 * Runs the demo in a frame of a page, without a server: its own `Login`, a fake platform, and the part of a browser that sends
 * requests and keeps cookies. `scripts/docs_site/login_demo.ts` bundles it for the documentation site.
 *
 * @module
 */

import { createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";
import { createDemo } from "../app.ts";
import { Frame } from "./frame.ts";
import { PageBrowser } from "./page_browser.ts";

const site = "https://app.example";

const host = document.querySelector<HTMLElement>("#login-demo");
if (host) await run(host);

/** Replaces the content of an element with the demo. Its `data-invite-builder` is the address of the invite builder. */
async function run(host: HTMLElement): Promise<void> {
  const redirectUri = `${site}/callback`;
  const fake = createFakePlatform({
    origin: "https://discord.example",
    applications: [{
      ...sampleApplication,
      name: "guildpass",
      description: "The demo of this library",
      redirectUris: [redirectUri],
    }],
    // Some browsers let no script set this header.
    requireUserAgent: false,
  });
  const demo = createDemo({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    botToken: sampleApplication.botToken,
    redirectUri,
    platform: fake.platform,
    fake,
  });
  const browser = new PageBrowser((request) =>
    new URL(request.url).origin === site ? demo(request) : fake.fetch(request)
  );
  const address = document.createElement("p");
  address.setAttribute("role", "status");
  const frame = new Frame(browser, {
    inviteBuilder: host.dataset["inviteBuilder"] ?? "",
    onOpen: (url) => address.textContent = url.origin + url.pathname,
  });
  host.replaceChildren(address, frame.element);
  await frame.open(new URL(site));
  frame.element.focus();
  frame.element.scrollIntoView({ block: "nearest" });
}
