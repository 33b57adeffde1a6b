import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateState, MemoryStore } from "../../../mod.ts";
import { Login } from "../../../src/login/mod.ts";
import { createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";
import {
  browserNames,
  type BrowserPage,
  closeBrowsers,
  openBrowser,
} from "../../support/browsers.ts";
import { type NodeServer, serveHandler } from "../../support/node_server.ts";
import { expectText } from "../../support/shown.ts";

const servers: NodeServer[] = [];

/** The origin of a login without frontends, and that of a login with one. */
let closed: string;
let open: string;

/** Origins on other ports: the frontend, and a sibling that is not one. */
let frontend: string;
let sibling: string;

/** Ends the sessions of the login without frontends. */
let endAll: () => Promise<unknown>;

/** Serves a handler until the end of the tests. */
async function serve(handler: (request: Request) => Promise<Response>): Promise<string> {
  const server = await serveHandler(handler);
  servers.push(server);
  return server.origin;
}

function blankPage(): Promise<Response> {
  const headers = { "content-type": "text/html" };
  return Promise.resolve(new Response("<p>A page</p>", { headers }));
}

/** Serves an application with a login, and its platform. */
async function serveApplication(name: string, frontends: readonly string[]): Promise<string> {
  let respond = blankPage as (request: Request) => Promise<Response>;
  const origin = await serve((request) => respond(request));
  const fake = createFakePlatform({
    origin,
    applications: [{ ...sampleApplication, redirectUris: [`${origin}/callback`] }],
  });
  const login = new Login({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    scope: ["identify"],
    secret: generateState(),
    platform: fake.platform,
    fetch: fake.fetch,
    name,
    frontends,
    store: new MemoryStore(),
    sessionPath: "/session",
  });
  endAll = () => login.endAll("1000000000000000001");
  respond = async (request) => {
    // The platform has the same origin, because one browser trusts only one.
    if (/^\/(oauth2|api|cdn)\//.test(new URL(request.url).pathname)) {
      return await fake.handler(request);
    }
    return await login.handle(request) ?? await blankPage();
  };
  return origin;
}

beforeAll(async () => {
  frontend = await serve(blankPage);
  sibling = await serve(blankPage);
  open = await serveApplication("open", [frontend]);
  closed = await serveApplication("closed", []);
});

afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  await closeBrowsers();
});

async function logIn(page: BrowserPage, origin: string): Promise<void> {
  await page.goto(`${origin}/login`);
  await page.click("button[value=authorize]");
  await expectText(page, "A page");
}

/** The ways in which a page may try to read the session at a URL. Each has the body of a function. */
const attempts = {
  "fetch with credentials": `return fetch(url, { credentials: "include" })
    .then(async (response) => (await response.json())?.user.username, () => "refused")`,
  "fetch without CORS": `return fetch(url, { credentials: "include", mode: "no-cors" })
    .then(async ({ type }) => type, () => "refused")`,
  "a script": element("script", "src"),
  "a module": element(
    "script",
    "src",
    'element.type = "module"; element.crossOrigin = "use-credentials"',
  ),
  "a style sheet": element("link", "href", 'element.rel = "stylesheet"'),
  "an image": element("img", "src"),
  "a frame": `return new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.onload = () => {
      try { resolve(JSON.parse(frame.contentDocument.body.textContent).user.username) }
      catch { resolve("refused") }
    };
    frame.src = url;
    document.body.append(frame);
  })`,
};

function element(name: string, property: string, setUp = ""): string {
  return `return new Promise((resolve) => {
    const element = document.createElement("${name}");
    ${setUp};
    element.onload = () => resolve("loaded");
    element.onerror = () => resolve("refused");
    element.${property} = url;
    document.head.append(element);
  })`;
}

/** Tries to read the session of a login from the open page, in each way. */
async function attemptAll(page: BrowserPage, origin: string): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {};
  for (const [name, body] of Object.entries(attempts)) {
    results[name] = await page.execute(`const url = "${origin}/session"; ${body}`);
  }
  return results;
}

/** The results if the browser refuses every attempt, and if it gives the page an opaque response. */
const refused = Object.fromEntries(Object.keys(attempts).map((name) => [name, "refused"]));
const hidden = { ...refused, "fetch without CORS": "opaque" };

describe.each(browserNames)("The session at sessionPath, in %s,", (browser) => {
  test("can be read by the application and its frontend, and by no other page", async () => {
    const page = await openBrowser(browser);
    try {
      await logIn(page, closed);
      await logIn(page, open);
      expect(await attemptAll(page, open)).toMatchObject({
        "fetch with credentials": "ada",
        "fetch without CORS": "basic",
        "a script": "refused",
        "a frame": "ada",
      });
      await page.goto(frontend);
      expect(await attemptAll(page, open)).toEqual({ ...hidden, "fetch with credentials": "ada" });
      expect(await attemptAll(page, closed)).toEqual(refused);
      await page.goto(sibling);
      expect(await attemptAll(page, open)).toEqual(hidden);
      expect(await attemptAll(page, closed)).toEqual(refused);
      await page.goto(sibling.replace("localhost", "127.0.0.1"));
      await expectText(page, "A page");
      expect(await attemptAll(page, open)).toEqual(refused);
      expect(await attemptAll(page, closed)).toEqual(refused);
    } finally {
      await page.close();
    }
  });

  test("does not come from a cache after its end", async () => {
    const page = await openBrowser(browser);
    const read = () =>
      page.execute(
        'return fetch("/session", { cache: "force-cache" }).then((response) => response.json())',
      );
    try {
      await logIn(page, closed);
      expect(await read()).toMatchObject({ user: { username: "ada" } });
      await endAll();
      expect(await read()).toBeNull();
    } finally {
      await page.close();
    }
  });
});
