import { readdir, readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createDashboard, type Dashboard } from "../../examples/dashboard/app.ts";
import { keepNewest } from "../../examples/dashboard/guilds.ts";
import { registerNumber } from "../../examples/dashboard/linked_roles.ts";
import type { Settings } from "../../examples/dashboard/login.ts";
import { MemoryStore, User } from "../../mod.ts";
import {
  createFakePlatform,
  type Failure,
  type FakeBrowser,
  type FakeBrowserOptions,
  type FakePlatform,
  sampleApplication,
  sampleGuilds,
} from "../../src/testing/mod.ts";

const origin = "http://localhost:8789";
/** Ada owns the first guild, which has the bot, and is an administrator of the second. */
const [own, administered, , foreign] = sampleGuilds;
const { id: clientId } = sampleApplication;
const guildPath = `/guilds/${administered.id}`;

let fake: FakePlatform;
let settings: Settings;
let dashboard: Dashboard;

beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  fake = createFakePlatform({
    applications: [{
      ...sampleApplication,
      webhookEvents: (request) => dashboard.fetch(new Request(`${origin}/webhook-events`, request)),
    }],
  });
  settings = {
    clientId,
    clientSecret: sampleApplication.secret,
    botToken: sampleApplication.botToken,
    publicKey: await fake.webhookPublicKey(),
    secret: crypto.randomUUID(),
    redirectUri: `${origin}/callback`,
    client: { platform: fake.platform, fetch: fake.fetch },
  };
  dashboard = createDashboard(settings);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Opens a browser with a session. */
async function logIn(options: FakeBrowserOptions = {}): Promise<FakeBrowser> {
  const browser = fake.browser(dashboard.fetch, { as: "ada", ...options });
  await browser.open(`${origin}/login`);
  return browser;
}

/** Opens a page and returns its status and its text. */
async function see(browser: FakeBrowser, path: string, init?: RequestInit) {
  const response = await browser.open(new URL(path, origin), init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Begins the invitation, and returns the address of the consent page. */
async function consentOf(browser: FakeBrowser): Promise<string> {
  const response = await browser.open(`${origin}${guildPath}/invite`, { redirect: "manual" });
  return response.headers.get("location") ?? "";
}

function form(fields: Record<string, string> = {}): RequestInit {
  return { method: "POST", body: new URLSearchParams(fields) };
}

/** Returns the entry of a guild in the list. */
function entryOf(name: string, page: string): string {
  return page.split("<li").find((entry) => entry.includes(`<strong><bdi>${name}</bdi></strong>`)) ??
    "";
}

function requestsTo(path: string): number {
  return fake.requests.filter((request) => request.path.endsWith(path)).length;
}

describe("The start page of the dashboard", () => {
  test("offers a login, and does not begin it", async () => {
    const browser = fake.browser(dashboard.fetch);
    const page = await see(browser, "/");
    expect([page.status, browser.url]).toEqual([200, `${origin}/`]);
    expect(page.text).toContain('href="/login"');
  });

  test("is the target of a logout", async () => {
    const browser = await logIn();
    const page = await see(browser, "/logout", form());
    expect([page.status, browser.url]).toEqual([200, `${origin}/`]);
    expect(page.text).toContain('href="/login"');
  });
});

describe("The list of guilds", () => {
  test("has guilds to manage first, with “Manage” for guilds with the bot and “Invite” for the others", async () => {
    const { status, text } = await see(await logIn(), "/");
    expect(status).toBe(200);
    expect(entryOf(own.name, text)).toContain(`href="/guilds/${own.id}">Manage<span`);
    expect(entryOf(administered.name, text)).toContain(`href="${guildPath}/invite">Invite<span`);
    expect(text.lastIndexOf("/guilds/")).toBeLessThan(text.indexOf("Others manage it"));
  });

  test("is sorted by name in both groups", async () => {
    const { text } = await see(await logIn(), "/");
    const names = [...text.matchAll(/<strong><bdi>(.*?)<\/bdi><\/strong>/g)].map(([, name]) =>
      name
    );
    const others = ["Knitting &#38; &#60;Yarn&#62;"];
    expect(names).toEqual(["Compiler Café", "Night Sky", "The Analytical Engine", ...others]);
  });

  test("is sent without a cache, and under a policy that allows only its own script", async () => {
    const browser = await logIn();
    const response = await see(browser, "/");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(
      /^default-src 'none'.*; script-src 'nonce-([-\w]+)';.*; connect-src 'self'$/,
    );
    const scripts = response.text.match(/<script.*?<\/script>/g);
    const [, nonce] = /script-src 'nonce-([-\w]+)'/.exec(policy) ?? [];
    expect(scripts).toEqual([
      `<script type="module" nonce="${nonce}" src="/client.ts"></script>`,
    ]);
  });

  test("gets its script without types, and the name of the person as JSON", async () => {
    const browser = await logIn();
    // The page's script, and each module that one of these imports.
    const paths = new Set(["/client.ts"]);
    for (const path of paths) {
      const script = await see(browser, path);
      expect(script.headers.get("content-type"), path).toBe("text/javascript");
      expect(script.text).not.toMatch(/^import type/m);
      for (const [, imported = ""] of script.text.matchAll(/ from "(\.[^"]+)"/g)) {
        paths.add(new URL(imported, `${origin}${path}`).pathname);
      }
    }
    expect([...paths]).toContain("/src/browser/session_client.ts");
    expect(JSON.parse((await see(browser, "/session")).text)).toMatchObject({
      user: { name: expect.any(String) },
    });
  });

  test("escapes the names of guilds", async () => {
    fake.update({ guilds: { [own.id]: { name: "<b>Looms</b>" } } });
    const { text } = await see(await logIn(), "/");
    expect(text).toContain("&#60;b&#62;Looms&#60;/b&#62;");
    expect(text).not.toContain("<b>");
  });

  test("asks Discord once for several views", async () => {
    const browser = await logIn();
    const paths = ["/", "/", "/"];
    await Promise.all(paths.map((path) => see(browser, path)));
    expect(requestsTo("/users/@me/guilds")).toBe(2); // with the person's token, and with the bot's
  });

  test("keeps the choice to see only guilds to manage in the session", async () => {
    const browser = await logIn();
    const { text } = await see(browser, "/view", form());
    expect(browser.url).toBe(`${origin}/`);
    expect(text).toContain("Show all");
    expect(text).not.toContain("Others manage it");
    await browser.open(`${origin}${guildPath}/invite`); // a further consent keeps it
    expect((await see(browser, "/")).text).toContain("Show all");
    expect((await see(browser, "/view", form())).text).toContain("Others manage it");
  });

  test("is complete for the next person in this browser", async () => {
    const browser = await logIn();
    await browser.open(`${origin}/view`, form());
    const login = await browser.open(`${origin}/login`, { redirect: "manual" });
    const consent = login.headers.get("location") ?? "";
    await browser.open(await fake.authorize(consent, { as: "grace" }));
    expect((await see(browser, "/")).text).toContain("Show those that I manage");
  });

  test("gives advice if it is empty", async () => {
    const members = Object.fromEntries(
      sampleGuilds.map(({ id }) => [id, { members: { ada: null } }]),
    );
    fake.update({ guilds: members });
    expect((await see(await logIn(), "/")).text).toContain("Create a guild in Discord");
  });
});

describe("The page of a guild", () => {
  test("opens only for managers of the guild", async () => {
    const browser = await logIn();
    expect((await see(browser, guildPath)).status).toBe(200);
    expect((await see(browser, `/guilds/${foreign.id}`)).status).toBe(403);
    expect((await see(browser, "/guilds/1299999999999999999")).status).toBe(404);
  });

  test("offers settings in a guild with the bot, and an invitation in any other", async () => {
    const browser = await logIn();
    const [without, withBot] = [
      await see(browser, guildPath),
      await see(browser, `/guilds/${own.id}`),
    ];
    expect(without.text).toContain(`href="${guildPath}/invite"`);
    expect(without.text).toMatch(/<form [^>]* hidden>/);
    expect(withBot.text).not.toContain("/invite");
    expect(withBot.text).not.toMatch(/<form [^>]* hidden>/);
  });

  test("sends a request with the person's token each time, and with the bot's token once in five seconds", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const limit = { limit: 60, windowMs: 60_000 };
    fake = createFakePlatform({ rateLimits: { routes: { "GET /users/@me/guilds": limit } } });
    settings = { ...settings, client: { platform: fake.platform, fetch: fake.fetch } };
    dashboard = createDashboard(settings);
    const [ada, grace] = [await logIn(), await logIn({ as: "grace" })];
    for (let reload = 0; reload < 59; reload++) await see(ada, guildPath);
    const tokens = fake.requests
      .filter(({ path }) => path.endsWith("/users/@me/guilds"))
      .map(({ headers: { authorization = "" } }) => authorization.split(" ")[0]);
    expect(tokens.filter((type) => type === "Bearer")).toHaveLength(61); // two for the first pages
    expect(tokens.filter((type) => type === "Bot")).toHaveLength(1);
    expect((await see(grace, guildPath)).status).toBe(200);
  });

  test("hides the presence of the bot from strangers", async () => {
    fake.update({ guilds: { [own.id]: { members: { grace: null } } } });
    const page = await see(await logIn({ as: "grace" }), `/guilds/${own.id}`);
    expect(page.status).toBe(404);
    expect(page.text).not.toContain(own.name);
  });

  test("leads visitors without a session through a login, and back", async () => {
    const browser = fake.browser(dashboard.fetch, { as: "ada" });
    expect((await see(browser, guildPath)).status).toBe(200);
    expect(browser.url).toBe(origin + guildPath);
  });

  test.each<[string, string | undefined]>([["page", undefined], ["form", "POST"]])(
    "refuses its %s at once to a person who has lost the permission",
    async (_, method) => {
      const browser = await logIn();
      const path = `/guilds/${own.id}`;
      expect((await see(browser, path)).status).toBe(200);
      fake.update({
        guilds: { [own.id]: { members: { grace: { owner: true }, ada: { permissions: "0" } } } },
      });
      const init = method ? form({ greeting: "Changed" }) : undefined;
      expect((await see(browser, path, init)).status).toBe(403);
      fake.update({ guilds: { [own.id]: { members: { ada: { permissions: "8" } } } } });
      expect((await see(browser, path)).text).not.toContain("Changed");
    },
  );

  test("keeps the greeting, escaped, of at most 200 characters", async () => {
    const browser = await logIn();
    const { text } = await see(
      browser,
      `/guilds/${own.id}`,
      form({ greeting: `"><b>${"x".repeat(200)}` }),
    );
    expect(browser.url).toBe(`${origin}/guilds/${own.id}?saved`);
    expect(text).toContain(`value="&#34;&#62;&#60;b&#62;${"x".repeat(195)}"`);
  });
});

describe("A saved greeting", () => {
  test("is announced by a status and by the title, and not on a later visit", async () => {
    const browser = await logIn();
    const saved = await see(browser, `/guilds/${own.id}`, form({ greeting: "Welcome" }));
    expect(saved.text).toContain('role="status">Saved</p>');
    expect(saved.text).toContain(`<title>&#x2068;Saved · ${own.name}`);
    expect((await see(browser, `/guilds/${own.id}`)).text).not.toContain("Saved");
  });
});

describe("An invitation", () => {
  test("requests this guild and these permissions, and returns to the page, which finds the bot", async () => {
    const browser = await logIn();
    expect((await see(browser, guildPath)).text).toContain("The bot is not here");
    const query = new URL(await consentOf(browser)).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      guild_id: administered.id,
      disable_guild_select: "true",
      permissions: "3072",
      scope: expect.stringMatching(/\bbot\b/),
    });
    const { text } = await see(browser, `${guildPath}/invite`);
    expect(browser.url).toBe(origin + guildPath);
    expect(text).toContain("The bot is here");
    expect(entryOf(administered.name, (await see(browser, "/")).text)).toContain(">Manage<span");
  });

  test("is refused without the permission to manage the guild", async () => {
    const browser = await logIn();
    const response = await browser.open(`${origin}/guilds/${foreign.id}/invite`, {
      redirect: "manual",
    });
    expect(response.status).toBe(403);
  });

  test("changes nothing after a cancellation, and offers a way back", async () => {
    const browser = await logIn();
    const response = await see(browser, await fake.deny(await consentOf(browser)));
    expect(response.status).toBe(403);
    expect(response.text).toContain(`href="${guildPath}"`);
    expect((await see(browser, guildPath)).text).toContain("The bot is not here");
  });

  test("trusts Discord, and not the guild in the address of the callback", async () => {
    const browser = await logIn();
    const callback = new URL(await fake.authorize(await consentOf(browser), { as: "ada" }));
    fake.update({ guilds: { [administered.id]: { bots: { [clientId]: null } } } });
    callback.searchParams.set("guild_id", own.id);
    const page = await see(browser, callback.href);
    expect([page.status, browser.url]).toEqual([200, origin + guildPath]);
    expect(page.text).toContain("The bot is not here");
  });

  test("changes nothing if another person consents, or in another browser", async () => {
    const [browser, other] = [await logIn(), await logIn({ as: "grace" })];
    const byGrace = await fake.authorize(await consentOf(browser), { as: "grace" });
    expect((await see(browser, byGrace)).status).toBe(403);
    expect((await see(browser, "/")).text).toContain("Ada Lovelace");
    const byAda = await fake.authorize(await consentOf(browser), { as: "ada" });
    expect((await see(other, byAda)).status).toBe(400);
    expect((await see(other, "/")).text).not.toContain("Ada Lovelace");
  });

  test("shows no bot to a person who types the address of the way back", async () => {
    const { text } = await see(
      await logIn(),
      `${guildPath}?guild_id=${administered.id}&permissions=8`,
    );
    expect(text).toContain("The bot is not here");
  });
});

describe("Linked roles", () => {
  const connection = async (as = "ada") => {
    const { access_token } = fake.issueToken({ as, scopes: ["role_connections.write"] });
    return await new User(access_token, settings.client).getRoleConnection(clientId);
  };

  test("are linked after one consent, for visitors with and without a session", async () => {
    await registerNumber(settings);
    const visitors = [await logIn(), fake.browser(dashboard.fetch, { as: "grace" })];
    for (const browser of visitors) {
      const { status, text } = await see(browser, "/linked-roles");
      expect([status, browser.url]).toEqual([200, `${origin}/linked-roles`]);
      expect(text).toContain("Your roles are linked");
    }
    expect(requestsTo("/oauth2/token")).toBe(3);
    expect((await connection()).metadata).toEqual({ greetings: "0" });
    expect((await connection("grace")).metadata).toEqual({ greetings: "0" });
  });

  test("are requested with openid, since this consent has no PKCE", async () => {
    const browser = await logIn();
    const consent = await browser.open(`${origin}/linked-roles`, { redirect: "manual" });
    const { searchParams } = new URL(consent.headers.get("location") ?? "");
    expect(searchParams.get("scope")?.split(" ")).toEqual(
      expect.arrayContaining(["openid", "role_connections.write"]),
    );
    expect(searchParams.get("nonce")).not.toBeNull();
  });

  test("get the number of greetings every night, also of absent persons", async () => {
    await registerNumber(settings);
    const browser = await logIn();
    await browser.open(`${origin}/linked-roles`);
    await browser.open(`${origin}/guilds/${own.id}`, form({ greeting: "Welcome" }));
    await browser.open(`${origin}/logout`, form());
    await dashboard.nightly();
    expect((await connection()).metadata).toEqual({ greetings: "1" });
  });

  test("stay unchanged after the person has removed the application", async () => {
    await registerNumber(settings);
    await (await logIn()).open(`${origin}/linked-roles`);
    await fake.removeApplication({ as: "ada" });
    const before = requestsTo("/role-connection");
    await dashboard.nightly();
    await logIn(); // with a token without the scope
    await dashboard.nightly();
    expect(requestsTo("/role-connection")).toBe(before);
    expect(console.error).not.toHaveBeenCalled();
  });

  test("are sent the next night if the secret did not open the tokens this night", async () => {
    await registerNumber(settings);
    const browser = await logIn();
    await browser.open(`${origin}/linked-roles`);
    await browser.open(`${origin}/guilds/${own.id}`, form({ greeting: "Welcome" }));
    const load = vi.spyOn(MemoryStore.prototype, "load");
    load.mockResolvedValue({ value: "sealed with another secret", version: "1" });
    await dashboard.nightly();
    expect(console.error).toHaveBeenCalledOnce();
    load.mockRestore();
    await dashboard.nightly();
    expect((await connection()).metadata).toEqual({ greetings: "1" });
  });

  test("are sent the next night if Discord fails", async () => {
    await registerNumber(settings);
    const browser = await logIn();
    await browser.open(`${origin}/linked-roles`);
    await browser.open(`${origin}/guilds/${own.id}`, form({ greeting: "Welcome" }));
    fake.failNext({ path: /role-connection$/, status: 500 });
    await dashboard.nightly();
    expect(console.error).toHaveBeenCalledOnce();
    await dashboard.nightly();
    expect((await connection()).metadata).toEqual({ greetings: "1" });
  });
});

describe("Logging out everywhere", () => {
  test("ends the sessions of all browsers, and leads to the start page", async () => {
    const browsers = [await logIn(), await logIn()];
    const [one, other] = browsers as [FakeBrowser, FakeBrowser];
    const page = await see(one, "/logout/all", form());
    expect([page.status, one.url]).toEqual([200, `${origin}/`]);
    expect(page.text).toContain("Log in with Discord");
    expect((await see(other, "/")).text).toContain("Log in with Discord");
  });
});

describe("An event about a removed application", () => {
  test("ends their sessions, and not those of others", async () => {
    const [ada, grace] = [await logIn(), await logIn({ as: "grace" })];
    expect((await fake.removeApplication({ as: "ada" }))?.status).toBe(204);
    expect((await see(ada, "/")).text).toContain("Log in with Discord");
    expect((await see(grace, "/")).text).toContain("Log out");
  });

  // The session seems to begin after the event if the clock of the server is ahead.
  test.each([[30, "Log in with Discord"], [120, "Log out"]])(
    "ends no session that began more than a minute later: %i s",
    async (age, shown) => {
      const browser = await logIn();
      const send = (request: Request) =>
        dashboard.fetch(new Request(`${origin}/webhook-events`, request));
      await fake.sendWebhookEvent(send, "APPLICATION_DEAUTHORIZED", { as: "ada", age });
      expect((await see(browser, "/")).text).toContain(shown);
    },
  );

  test.each<["wrong" | "missing"]>([["wrong"], ["missing"]])(
    "is refused with a signature that is %s",
    async (signature) => {
      const browser = await logIn();
      const send = (request: Request) =>
        dashboard.fetch(new Request(`${origin}/webhook-events`, request));
      const options = { as: "ada", signature };
      const response = await fake.sendWebhookEvent(send, "APPLICATION_DEAUTHORIZED", options);
      expect(response.status).toBe(401);
      expect((await see(browser, "/")).text).toContain("Log out");
    },
  );
});

describe("A form of another site", () => {
  test.each([
    ["/view"],
    [`/guilds/${own.id}`],
    ["/logout"],
    ["/logout/all"],
  ])("is refused: %s", async (path) => {
    const browser = await logIn();
    for (const site of ["cross-site", "same-site"]) {
      const headers = { origin: "https://evil.example", "sec-fetch-site": site };
      const response = await see(browser, path, { ...form({ greeting: "Mine" }), headers });
      expect([site, response.status]).toEqual([site, 403]);
    }
    const { text } = await see(browser, "/");
    expect(text).toContain("Show those that I manage");
    expect((await see(browser, `/guilds/${own.id}`)).text).not.toContain("Mine");
  });
});

describe("An error of Discord", () => {
  test.each<[string, Failure, number, string, string | null]>([
    ["a limit", { status: 429, headers: { "retry-after": "60" } }, 503, "Try again in 60 s", "60"],
    ["a failure", { status: 500, times: 3 }, 503, "Try again in a moment", null],
    ["a block", { edge: true }, 503, "Try again in 30 s", "30"],
    ["no connection", { cut: "before", times: 3 }, 503, "Try again in a moment", null],
    ["HTML", { body: "<html>" }, 502, "Try again later", null],
  ])("ends in a plain page: %s", async (_, failure, status, text, retryAfter) => {
    const browser = await logIn();
    fake.failNext({ path: "/users/@me/guilds", as: "ada", ...failure });
    const page = await see(browser, `/guilds/${own.id}`);
    expect([page.status, page.headers.get("retry-after")]).toEqual([status, retryAfter]);
    expect(page.text).toContain(text);
    expect(page.headers.get("cache-control")).toBe("no-store");
  });

  test.each<[string, Failure]>([
    ["a failure", { status: 500, times: 3 }],
    ["no connection", { cut: "before", times: 3 }],
  ])("leaves the last list on the page, with its age: %s", async (_, failure) => {
    const browser = await logIn();
    expect((await see(browser, "/")).text).not.toContain("This list is from");
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    vi.advanceTimersByTime(5 * 60_000);
    fake.failNext({ path: "/users/@me/guilds", as: "ada", ...failure });
    const { status, text } = await see(browser, "/");
    expect(status).toBe(200);
    expect(text).toContain("Discord does not respond. This list is from 5 minutes ago.");
    expect(entryOf(own.name, text)).toContain("Manage");
    expect(console.error).toHaveBeenCalledOnce();
    expect((await see(browser, "/")).text).not.toContain("This list is from");
  });

  test("ends in a plain page if no list is known", async () => {
    const browser = fake.browser(dashboard.fetch, { as: "ada" });
    fake.failNext({ path: "/users/@me/guilds", as: "ada", status: 500, times: 3 });
    expect((await see(browser, "/login")).status).toBe(503);
  });

  test("shows no list of a person who has removed the application", async () => {
    const browser = await logIn();
    await fake.removeApplication({ as: "ada" });
    fake.failNext({ path: "/users/@me/guilds", as: "ada", status: 500, times: 3 });
    expect((await see(browser, "/login")).status).toBe(503);
  });

  test("shows no list that was read while the person removed the application", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const removing = async (...given: Parameters<typeof fetch>): Promise<Response> => {
      const response = await fake.fetch(...given);
      if (isRemoving && new Request(...given).url.endsWith("/users/@me/guilds")) {
        isRemoving = false;
        await fake.removeApplication({ as: "ada" });
      }
      return response;
    };
    let isRemoving = false;
    settings = { ...settings, client: { ...settings.client, fetch: removing } };
    dashboard = createDashboard(settings);
    const browser = await logIn();
    vi.advanceTimersByTime(5 * 60_000);
    isRemoving = true;
    await see(browser, "/");
    expect(isRemoving).toBe(false);
    vi.advanceTimersByTime(5 * 60_000);
    fake.failNext({ path: "/users/@me/guilds", as: "ada", status: 500, times: 3 });
    expect((await see(browser, "/login")).status).toBe(503);
  });

  test("shows no list that was read while the event ended the sessions", async () => {
    const browser = await logIn();
    const remove = vi.spyOn(MemoryStore.prototype, "delete").mockImplementationOnce(
      async function (this: MemoryStore, key) {
        expect((await see(browser, "/")).text).toContain("Log out");
        await this.delete(key);
      },
    );
    await fake.removeApplication({ as: "ada" });
    expect(remove.mock.calls.length).toBeGreaterThan(1);
    fake.failNext({ path: "/users/@me/guilds", as: "ada", status: 500, times: 3 });
    expect((await see(browser, "/login")).status).toBe(503);
  });

  test("begins no login if the platform refuses the bot's token", async () => {
    dashboard = createDashboard({ ...settings, botToken: "n0t.a.token" });
    const browser = await logIn();
    expect((await see(browser, "/")).status).toBe(500);
    const [error] = vi.mocked(console.error).mock.lastCall ?? [];
    expect(error).toMatchObject({ message: "Discord refuses DISCORD_BOT_TOKEN" });
  });

  test("begins a new login if the person's token is refused, and returns to the page", async () => {
    const browser = await logIn();
    revoke();
    const page = await see(browser, `/guilds/${own.id}`);
    expect([page.status, browser.url]).toEqual([200, `${origin}/guilds/${own.id}`]);
    expect(page.text).toContain("Greeting");
  });

  test("offers a login after a form with an ended session or token", async () => {
    const browser = await logIn();
    revoke();
    const page = await see(browser, `/guilds/${own.id}`, form({ greeting: "Welcome" }));
    expect([page.status, page.text]).toEqual([401, expect.stringContaining("Log in again")]);
    const stranger = fake.browser(dashboard.fetch);
    expect((await see(stranger, "/view", form())).status).toBe(401);
  });

  /** Ends all tokens at Discord, without an event. */
  function revoke(): void {
    fake.failNext({ path: "/users/@me/guilds", as: "ada", status: 401 });
    fake.failNext({
      path: "/oauth2/token",
      as: "ada",
      status: 400,
      body: { error: "invalid_grant" },
    });
  }
});

test("The dashboard keeps at most 1,000 lists, the newest ones", () => {
  const kept = new Map<string, number>();
  for (let at = 0; at < 1000; at++) keepNewest(kept, String(at), at);
  expect(kept.size).toBe(1000);
  keepNewest(kept, "0", 0);
  keepNewest(kept, "1000", 1000);
  expect([kept.size, kept.has("0"), kept.has("1")]).toEqual([1000, true, false]);
});

test("Another name of this machine leads to a page with the right address", async () => {
  const response = await dashboard.fetch(new Request("http://127.0.0.1:8789/"));
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("Open the address of this site");
  expect(console.error).toHaveBeenCalledOnce();
});

describe("The page of devices", () => {
  /** Returns the entries of the page. */
  async function devicesOf(browser: FakeBrowser): Promise<string[]> {
    const page = await see(browser, "/devices");
    return page.text.split('<li class="card').slice(1);
  }

  async function logInWith(agent: string): Promise<FakeBrowser> {
    const browser = fake.browser(dashboard.fetch, { as: "ada" });
    await browser.open(`${origin}/login`, { headers: { "user-agent": agent } });
    return browser;
  }

  const endDevice = (browser: FakeBrowser, session: string) =>
    see(browser, "/devices", form({ session }));

  test("lists the browsers of a person, and ends the session of one of them", async () => {
    const phone = await logInWith("Mozilla/5.0 (iPhone; like Mac OS X) Version/26 Safari/604.1");
    const laptop = await logInWith("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0");
    expect((await see(laptop, "/")).text).toContain('href="/devices"');
    const [own = "", other = ""] = await devicesOf(laptop);
    expect(own).toContain("Firefox on Linux");
    expect(own).toContain("This device");
    expect(own).toContain('action="/logout"');
    expect(other).toContain("Safari on iPhone");
    expect(other).not.toContain("This device");
    expect(other).toContain('action="/devices"');
    const [, id = ""] = /value="([^"]+)"/.exec(other) ?? [];
    const page = await endDevice(laptop, id);
    expect([page.status, laptop.url]).toEqual([200, `${origin}/devices`]);
    expect(page.text).not.toContain("iPhone");
    expect((await see(phone, "/")).text).toContain("Log in with Discord");
    expect(await devicesOf(laptop)).toHaveLength(1);
  });

  test("ends no session of another person, and none for a page of another site", async () => {
    const ada = await logIn();
    const [entry = ""] = await devicesOf(ada);
    const [, session = ""] = /value="([^"]+)"/.exec(entry) ?? [];
    await endDevice(await logIn({ as: "grace" }), session);
    const foreign = { ...form({ session }), headers: { origin: "https://evil.example" } };
    expect((await see(ada, "/devices", foreign)).status).toBe(403);
    expect(await devicesOf(ada)).toHaveLength(1);
  });

  test("shows a browser without a name, and ignores a form without a session", async () => {
    const browser = await logIn();
    const [entry] = await devicesOf(browser);
    expect(entry).toContain("Browser on another system");
    expect((await see(browser, "/devices", form())).status).toBe(200);
    expect(await devicesOf(browser)).toHaveLength(1);
  });
});

test("An unknown page of the dashboard is not found", async () => {
  expect((await see(await logIn(), "/nowhere")).status).toBe(404);
});

test("The dashboard has at most 535 lines", async () => {
  const folder = new URL("../../examples/dashboard/", import.meta.url);
  const texts = (await readdir(folder)).map((name) => readFile(new URL(name, folder), "utf8"));
  const lines = (await Promise.all(texts)).flatMap((text) => text.trimEnd().split("\n"));
  expect(lines.length).toBeLessThanOrEqual(535);
});
