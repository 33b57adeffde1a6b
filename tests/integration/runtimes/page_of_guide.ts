/**
 * Opens the pages of the guide to pages without a bundler in real browsers, with the file of the packed package and the guide's content
 * security policy.
 *
 * @module
 */

import { pageFile } from "../../../scripts/bundle_page_file.ts";
import { Login } from "../../../src/login/mod.ts";
import { createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";
import { type BrowserName, type BrowserPage, openBrowser } from "../../support/browsers.ts";
import { serveHandler } from "../../support/node_server.ts";
import type { Project } from "./project.ts";

const link =
  "https://discord.com/oauth2/authorize?client_id=1024000000000000000&scope=bot&permissions=3072";

/**
 * Opens both pages, and logs in on the second one.
 *
 * @throws {Error} If a page does not show what it should, for example because it needs more than the guide allows.
 */
export async function openPagesOfGuide(name: BrowserName, project: Project): Promise<string> {
  await using site = await serveGuide(project);
  const page = await openBrowser(name);
  try {
    await page.goto(`${site.origin}/invite`);
    await waitUntil(page, `document.querySelector("#invite").href === "${link}"`);
    await page.goto(`${site.origin}/account`);
    await waitUntil(page, `!document.querySelector("#login").hidden`);
    await page.click("#login");
    await waitUntil(page, `document.querySelector("button[value=authorize]") !== null`);
    await page.click("button[value=authorize]");
    await waitUntil(page, `document.querySelector("#name")?.textContent === "ada"`);
  } finally {
    await page.close();
  }
  return "a link and a login";
}

/** Waits until an expression is true in a page. A page that is leaving has no elements. */
async function waitUntil(page: BrowserPage, expression: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    if (await page.execute(`return ${expression};`).catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${await page.url()} does not reach ${expression}`);
}

/** Serves the pages of the guide with a login, and the file of the package as the guide names it. */
async function serveGuide(
  { directory }: Project,
): Promise<AsyncDisposable & { readonly origin: string }> {
  const guide = await Deno.readTextFile(
    new URL("../../../docs/single_page_apps.md", import.meta.url),
  );
  const block = (language: string, part: string) =>
    [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))]
      .map(([, code = ""]) => code).find((code) => code.includes(part)) ?? "";
  const [name = "", policy = ""] = block("http", "content-security-policy").replace(/\s+/g, " ")
    .trim().split(": ");
  const files = new Map([
    ["/invite", { type: "text/html", body: block("html", "/invite.js") }],
    ["/invite.js", { type: "text/javascript", body: block("js", "// invite.js") }],
    ["/account", { type: "text/html", body: block("html", "/account.js") }],
    ["/account.js", { type: "text/javascript", body: block("js", "// account.js") }],
    ["/guildpass.js", {
      type: "text/javascript",
      body: await Deno.readTextFile(`${directory}/node_modules/@guildpass/sdk/${pageFile}`),
    }],
  ]);
  let fake = createFakePlatform();
  const platform = await serveHandler((request) => fake.fetch(request));
  fake = createFakePlatform({ origin: platform.origin });
  const login = new Login({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    secret: crypto.randomUUID(),
    scope: ["identify"],
    sessionPath: "/session",
    ...fake,
  });
  const site = await serveHandler(async (request) => {
    const file = files.get(new URL(request.url).pathname);
    if (!file) return await login.handle(request) ?? new Response(null, { status: 404 });
    const headers = { "content-type": file.type, [name]: policy };
    return new Response(file.body, { headers });
  });
  return {
    origin: site.origin,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
}
