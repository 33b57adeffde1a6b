import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createApi } from "../../../examples/single_page_app/api.ts";
import { serveFrontend } from "../../../examples/single_page_app/frontend.ts";
import { createFakePlatform } from "../../../src/testing/mod.ts";
import {
  browserNames,
  type BrowserPage,
  closeBrowsers,
  openBrowser,
} from "../../support/browsers.ts";
import { type NodeServer, serveHandler } from "../../support/node_server.ts";
import { expectText, expectWellShown, views } from "../../support/shown.ts";

const servers: NodeServer[] = [];

/** The origin of the pages. */
let frontend: string;

/** The origin of the API, which is another port. */
let api: string;

/** A third port, which may do nothing. */
let stranger: string;

/** The request handler of the API. */
let respond: (request: Request) => Promise<Response>;

/** Serves a handler until the end of the tests. */
async function serve(handler: (request: Request) => Promise<Response>): Promise<string> {
  const server = await serveHandler(handler);
  servers.push(server);
  return server.origin;
}

beforeAll(async () => {
  api = await serve((request) => respond(request));
  frontend = await serve((request) => serveFrontend(request, api));
  const content = { headers: { "content-type": "text/html" } };
  stranger = await serve(() => Promise.resolve(new Response("<p>A stranger</p>", content)));
});

// A new API has no colors.
beforeEach(() => {
  respond = createApi(api, frontend, createFakePlatform({ origin: api }));
});

afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  await closeBrowsers();
});

/** Logs in on a page of the single-page application, and waits until it shows the person. */
async function logIn(page: BrowserPage, path: string): Promise<void> {
  await page.goto(frontend + path);
  await expectText(page, "Log in with Discord");
  await expect.poll(() => isShown(page, "#guest")).toBe(true);
  await page.click("#login");
  await expectText(page, "wants to access your account");
  await page.click("button[value=authorize]");
  await expect.poll(() => isShown(page, "#member")).toBe(true);
}

function isShown(page: BrowserPage, selector: string): Promise<unknown> {
  return page.execute(
    `return document.querySelector(${JSON.stringify(selector)})?.checkVisibility() === true;`,
  );
}

/** Sends a request to the API with the session from a page, and returns the status, or an error if the page can't read it. */
function ask(page: BrowserPage, path: string, init: RequestInit): Promise<unknown> {
  const options = JSON.stringify({ ...init, credentials: "include" });
  return page.execute(
    `return fetch(${
      JSON.stringify(api + path)
    }, ${options}).then(({ status }) => status, ({ name }) => name);`,
  );
}

describe.each(browserNames)(
  "A single-page application on another port than its API, in %s,",
  (browser) => {
    test("logs in from a link, returns to its page, writes, and logs out", async () => {
      const page = await openBrowser(browser);
      try {
        await logIn(page, "/color?from=test#top");
        expect(await page.url()).toBe(`${frontend}/color?from=test#top`);
        await expectText(page, "ada");
        await page.type("#color", "green");
        await page.click("#form button");
        await expectText(page, "Saved");
        await page.reload();
        await expect.poll(() => page.execute("return document.querySelector('#color').value"))
          .toBe("green");
        await page.click("#logout");
        await expectText(page, "You are logged out");
        expect(await isShown(page, "#guest")).toBe(true);
        expect(await ask(page, "/me", {})).toBe(401);
      } finally {
        await page.close();
      }
    });

    test("is not disturbed by a third port", async () => {
      const page = await openBrowser(browser);
      try {
        await logIn(page, "/");
        await page.goto(stranger);
        await expectText(page, "A stranger");
        expect(await ask(page, "/me", {})).toBe("TypeError");
        expect(await ask(page, "/me", { method: "PUT", body: "red" })).toBe("TypeError");
        expect(await ask(page, "/logout", { method: "POST" })).toBe("TypeError");
        // Without asking before, and without a response that the page can read.
        await ask(page, "/logout", { method: "POST", mode: "no-cors" });
        await page.goto(`${frontend}/color`);
        await expect.poll(() => isShown(page, "#member")).toBe(true);
        expect(await page.execute("return document.querySelector('#color').value")).toBe("");
        // The same requests of the page itself.
        expect(await ask(page, "/me", { method: "PUT", body: "red" })).toBe(200);
        expect(await ask(page, "/logout", { method: "POST" })).toBe(204);
      } finally {
        await page.close();
      }
    });
  },
);

test.each(views)(
  "The pages of the single-page application are accessible and fit into %s",
  async (_, view) => {
    const page = await openBrowser(view.browser, view);
    try {
      await page.goto(`${frontend}/color`);
      await expect.poll(() => isShown(page, "#guest")).toBe(true);
      await expectWellShown(page, "spa_guest", view);
      await logIn(page, "/color");
      await expectWellShown(page, "spa_member", view);
      const working = respond;
      // Without the headers for another origin, so that the script can't read it, as with no connection.
      respond = () => Promise.resolve(new Response(null, { status: 503 }));
      await page.type("#color", "green");
      await page.click("#form button");
      await expectText(page, "Not saved: the API does not respond");
      await page.click("#logout");
      await expectText(page, "You are still logged in: try again");
      await page.goto(`${frontend}/color`);
      await expect.poll(() => isShown(page, "#failure")).toBe(true);
      expect(await isShown(page, "#guest")).toBe(false);
      await expectWellShown(page, "spa_failure", view);
      respond = working;
      await page.click("#retry");
      await expect.poll(() => isShown(page, "#member")).toBe(true);
      expect(await isShown(page, "#failure")).toBe(false);
    } finally {
      await page.close();
    }
  },
);
