import { createServer, type Server } from "node:http";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ApiError,
  generateState,
  NetworkError,
  OAuthError,
  RateLimitError,
  StateMismatchError,
  StoreTimeoutError,
} from "../../../mod.ts";
import {
  botMessage,
  logoutQuestion,
  messageAbout,
  wrongAddress,
} from "../../../src/login/pages/messages.ts";
import { Login, LoginError } from "../../../src/login/mod.ts";
import { type Message, pageResponse } from "../../../src/login/pages/message_page.ts";
import {
  createFakePlatform,
  type FakePlatform,
  nodeListener,
  sampleApplication,
} from "../../../src/testing/mod.ts";
import { browserNames, closeBrowsers, openBrowser } from "../../support/browsers.ts";
import { listen } from "../../support/node_server.ts";
import { expectText, expectWellShown, views } from "../../support/shown.ts";

const links = { loginPath: "/login", logoutPath: "/logout", isLocal: true };

let server: Server;
let base: string;
let fake: FakePlatform;

beforeAll(async () => {
  server = createServer();
  base = `http://localhost:${await listen(server)}`;
  fake = createFakePlatform({
    origin: base,
    applications: [{ ...sampleApplication, redirectUris: [`${base}/callback`] }],
  });
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
    // The platform has the same origin, because one browser trusts only one.
    if (/^\/(oauth2|api|cdn)\//.test(pathname)) return await fake.handler(request);
    const [, name = ""] = /^\/message\/(\w+)$/.exec(pathname) ?? [];
    const message = messages.get(name);
    if (message) return pageResponse(message, request);
    if (pathname === "/public") {
      const page = '<p>Open to all</p><img src="/picture" alt="">';
      return new Response(page, { headers: { "content-type": "text/html" } });
    }
    const response = await login.handle(request);
    if (response) return response;
    const session = await login.session(request);
    if (!session) return await login.start(request);
    const form = '<form method="post" action="/logout"><button>Log out</button></form>';
    return new Response(`<p>${session.user.username} reads ${pathname}</p>${form}`, {
      headers: { "content-type": "text/html", "referrer-policy": "no-referrer" },
    });
  };
  server.on("request", nodeListener(handler, { origin: base }));
});

afterAll(async () => {
  server.close();
  await closeBrowsers();
});

function exchanges(): number {
  return fake.requests.filter(({ path }) => path.endsWith("/oauth2/token")).length;
}

describe.each(browserNames)("A login on this machine, in %s,", (browser) => {
  test("returns to its page, survives Back and a reload, and ends with a logout", async () => {
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

test.each(browserNames)(
  "A login that another browser finishes begins anew there, or goes on in the first one, in %s",
  async (browser) => {
    const [first, other] = [await openBrowser(browser), await openBrowser(browser)];
    try {
      await first.goto(`${base}/shop`);
      await expectText(first, "wants to access your account");
      await other.goto(await first.url());
      await other.click("button[value=authorize]");
      await expectText(other, "You probably began it in another browser or app.");
      await other.click("main a");
      await expectText(other, "wants to access your account");
      await other.click("button[value=authorize]");
      await expectText(other, "ada reads /");
      await first.click("button[value=authorize]");
      await expectText(first, "ada reads /shop");
    } finally {
      await first.close();
      await other.close();
    }
  },
);

test.each(browserNames)(
  "When the platform is busy, trying again goes on with the same login, in %s",
  async (browser) => {
    const page = await openBrowser(browser);
    const before = exchanges();
    try {
      fake.failNext({ path: "/oauth2/token", status: 429, headers: { "retry-after": "1" } });
      await page.goto(`${base}/shop`);
      await page.click("button[value=authorize]");
      await expectText(page, "Discord is busy");
      // An impatient person does this.
      const tryAgain = async () => {
        const shown = String(await page.execute("return document.body?.textContent ?? ''"));
        if (shown.includes("Discord is busy")) await page.click("main a");
        return shown;
      };
      await expect.poll(tryAgain).toContain("ada reads /shop");
      expect(exchanges()).toBe(before + 2);
    } finally {
      await page.close();
    }
  },
);

test.each(browserNames)(
  "A page whose session has ended may go on asking for data during a login, in %s",
  async (browser) => {
    const page = await openBrowser(browser);
    try {
      await page.goto(`${base}/shop`);
      await expectText(page, "wants to access your account");
      const consent = String(await page.execute("return location.href"));
      await page.goto(`${base}/public`);
      await page.execute(`
        const asked = Array.from({ length: 10 }, () => fetch("/messages").then(({ status }) => status));
        Promise.all(asked).then((statuses) => document.body.append("Answers: " + statuses.join(" ")));`);
      await expectText(page, `Answers: ${Array(10).fill(401).join(" ")}`);
      await page.goto(consent);
      await page.click("button[value=authorize]");
      await expectText(page, "ada reads /shop");
    } finally {
      await page.close();
    }
  },
);

const limit = { httpStatus: 429, retryAfter: 64.57, scope: "user", global: false };

/** An error for each error message. */
const errors = {
  refused: new OAuthError("access_denied", { hint: "Any" }),
  other_browser: new StateMismatchError("Any", { reason: "different", hint: "Any" }),
  ended: new LoginError("Any", { reason: "used", hint: "Any" }),
  made_up: new OAuthError("made_up", { hint: "Any" }),
  cross_site: new LoginError("Any", { reason: "cross_site", hint: "Any" }),
  wrong_address: new LoginError("Any", { reason: "insecure_site", hint: "Any" }),
  lost_callback: new LoginError("Any", { reason: "lost_callback", hint: "Any" }),
  refused_token: new LoginError("Any", { reason: "refused_token", hint: "Any" }),
  not_a_member: new LoginError("Any", { reason: "not_a_member", hint: "Any" }),
  blocked: new ApiError("Blocked", { httpStatus: 403, blockedByEdge: true }),
  too_many_failures: new LoginError("Any", {
    reason: "too_many_failures",
    retryAfter: 60,
    isTemporary: true,
  }),
  busy_person: new RateLimitError("Limited", { ...limit, ofPerson: true }),
  busy: new RateLimitError("Limited", limit),
  other_person: new LoginError("Any", { reason: "other_person", hint: "Any" }),
  slow: new StoreTimeoutError("Any", { hint: "Any" }),
  unverified: new ApiError("Refused", { httpStatus: 403, platformCode: 40002 }),
  refused_login: new ApiError("Refused", { httpStatus: 403 }),
  no_response: new NetworkError("Cut off", { hint: `Look at ${"https://app.example/".repeat(9)}` }),
  other: new Error("Any"),
};

/** Every message that a visitor can see. */
const messages = new Map<string, Message>([
  ...Object.entries(errors).map(([name, error]) => [name, messageAbout(error, links)] as const),
  ["canceled", messageAbout(errors.refused, { ...links, backPath: "/" })],
  ["log_out", logoutQuestion(links)],
  ["bot", botMessage],
  ["wrong_host", wrongAddress],
]);

test("Every message is tested", async () => {
  const source = await readFile(
    new URL("../../../src/login/pages/messages.ts", import.meta.url),
    "utf8",
  );
  const titles = [...source.matchAll(/title: "(.*)",/g)].map(([, title]) => title);
  const found = [...messages.values()].map(({ title }) => title);
  expect(found.sort()).toEqual(titles.sort());
});

test.each(views)("The pages of a login are accessible and fit into %s", async (_, view) => {
  const page = await openBrowser(view.browser, view);
  try {
    for (const [name, { title }] of messages) {
      await page.goto(`${base}/message/${name}`);
      await expectText(page, title);
      await expectWellShown(page, `login_${name}`, view);
    }
  } finally {
    await page.close();
  }
});
