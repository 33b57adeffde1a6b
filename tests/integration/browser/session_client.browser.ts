import { createServer, type Server } from "node:http";
import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateState } from "../../../mod.ts";
import { Login } from "../../../src/login/mod.ts";
import { createFakePlatform, nodeListener, sampleApplication } from "../../../src/testing/mod.ts";
import {
  browserNames,
  type BrowserPage,
  closeBrowsers,
  openBrowser,
} from "../../support/browsers.ts";
import { listen, type NodeServer, serveHandler } from "../../support/node_server.ts";

const servers: NodeServer[] = [];
let api: Server;
let apiOrigin: string;
let login: Login;

/** The origin of the pages, which is another port than that of the API. */
let frontend: string;

/** The latest report of a page that has returned from the back-forward cache. */
let report: unknown;

/** True while the API closes every connection. */
let isDown = false;

beforeAll(async () => {
  const script = await bundle(`
    import { SessionClient } from "./src/browser/mod.ts";
    const url = new URL(location.href).searchParams.get("api") + "/session";
    window.session = new SessionClient({ url });
    window.states = [];
    addEventListener("pageshow", ({ persisted }) => window.isPersisted = persisted);
    session.subscribe(({ status, user }) => {
      states.push(user ? status + " " + user.username : status);
      // A driver may lose a page that returns from the back-forward cache, so the page itself tells what happened to it.
      const body = JSON.stringify({ mark: window.mark, isPersisted: window.isPersisted, states });
      if (window.isPersisted) fetch("/report", { method: "POST", body });
    });
  `);
  const html = { headers: { "content-type": "text/html" } };
  const server = await serveHandler(async (request) => {
    if (request.method === "POST") report = await request.json();
    const hasClient = new URL(request.url).pathname === "/";
    return new Response(hasClient ? `<script>${script}</script>` : "Other", html);
  });
  servers.push(server);
  frontend = server.origin;
  api = createServer();
  apiOrigin = `http://localhost:${await listen(api)}`;
  const fake = createFakePlatform({ origin: apiOrigin });
  login = new Login({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    scope: ["identify"],
    secret: generateState(),
    redirectUri: `${apiOrigin}/callback`,
    sessionPath: "/session",
    frontends: [frontend],
    platform: fake.platform,
    fetch: fake.fetch,
  });
  const respond = nodeListener(
    async (request) => await login.handle(request) ?? await fake.handler(request),
    { origin: apiOrigin },
  );
  api.on("request", (incoming, outgoing) => {
    if (isDown) incoming.socket.destroy();
    else respond(incoming, outgoing);
  });
});

afterAll(async () => {
  await closeBrowsers();
  api.close();
  for (const server of servers) await server[Symbol.asyncDispose]();
});

/** Bundles code that imports by paths of the root folder. */
async function bundle(contents: string): Promise<string> {
  const resolveDir = fileURLToPath(new URL("../../../", import.meta.url));
  const stdin = { contents, resolveDir };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, target: "es2022" });
  return outputFiles[0]?.text ?? "";
}

const home = () => `${frontend}/?api=${apiOrigin}`;
const statusOf = (page: BrowserPage) => page.execute("return session.state.status");
const statesOf = (page: BrowserPage) => page.execute("return states");

/** Opens the page with the client, and logs in there. */
async function logIn(page: BrowserPage): Promise<void> {
  await page.goto(home());
  await expect.poll(() => statusOf(page)).toBe("logged_out");
  await page.execute("session.logIn()");
  const hasButton = `return document.querySelector("button[value=authorize]") !== null`;
  await expect.poll(() => page.execute(hasButton)).toBe(true);
  await page.click("button[value=authorize]");
  await expect.poll(() => page.url()).toBe(home());
  await expect.poll(() => statesOf(page)).toEqual(["unknown", "logged_in ada"]);
}

// Only playwright with Chromium can cut a connection so that the browser notices.
test("In chromium, a page notices that the connection is back", async () => {
  const page = await openBrowser("chromium");
  try {
    await logIn(page);
    await page.setOffline(true);
    await page.execute("return session.refresh().then(() => {})");
    expect(await statusOf(page)).toBe("unreachable");
    await page.setOffline(false);
    await expect.poll(() => statusOf(page)).toBe("logged_in");
  } finally {
    await page.close();
  }
});

describe.each(browserNames)("In %s, a page on another port than the API", (browser) => {
  test("keeps two tabs in step, through login, logout and a 401", async () => {
    const page = await openBrowser(browser);
    try {
      await page.goto(home());
      await expect.poll(() => statusOf(page)).toBe("logged_out");
      const tab = await page.openTab();
      await logIn(tab);
      await page.show();
      await expect.poll(() => statesOf(page)).toEqual(["unknown", "logged_out", "logged_in ada"]);
      await page.execute("return session.logOut()");
      expect(await statusOf(page)).toBe("logged_out");
      await expect.poll(() => statusOf(tab)).toBe("logged_out");
      await logIn(tab);
      await page.show();
      await expect.poll(() => statusOf(page)).toBe("logged_in");
      // The session ends by a request that is not of the client.
      await tab.execute(
        `return fetch("${apiOrigin}/logout", { method: "POST", credentials: "include" }).then(() => {})`,
      );
      expect(await statusOf(tab)).toBe("logged_in");
      expect(await tab.execute(`return session.fetch("/login").then(({ status }) => status)`))
        .toBe(401);
      expect(await statusOf(tab)).toBe("logged_out");
      await page.show();
      await expect.poll(() => statusOf(page)).toBe("logged_out");
    } finally {
      await page.close();
    }
  });

  test("is unreachable without a connection, and keeps the user", async () => {
    const page = await openBrowser(browser);
    try {
      await logIn(page);
      isDown = true;
      await page.execute("return session.refresh().then(() => {})");
      expect(await statesOf(page)).toEqual(["unknown", "logged_in ada", "unreachable ada"]);
      const failure = await page.execute(
        "return session.logOut().then(() => {}, ({ message }) => message)",
      );
      expect(failure).toBe("Could not log out: no response");
      isDown = false;
      await page.execute("return session.refresh().then(() => {})");
      expect(await statusOf(page)).toBe("logged_in");
    } finally {
      isDown = false;
      await page.close();
    }
  });

  test("shows no user after a logout when it returns from the back-forward cache", async () => {
    const page = await openBrowser(browser, { backForwardCache: true });
    try {
      await logIn(page);
      await page.execute("window.mark = 1");
      await page.goto(`${frontend}/other`);
      await page.execute(
        `return fetch("${apiOrigin}/logout", { method: "POST", credentials: "include" }).then(() => {})`,
      );
      report = null;
      await page.execute("setTimeout(() => history.back(), 50)");
      // The mark shows that it is the page from before, and not a new one.
      const states = ["unknown", "logged_in ada", "unknown", "logged_out"];
      await expect.poll(() => report).toEqual({ mark: 1, isPersisted: true, states });
    } finally {
      await page.close();
    }
  });
});
