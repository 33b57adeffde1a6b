import { describe, expect, test, vi } from "vitest";
import { createDemo, type DemoSettings } from "../../examples/demo/app.ts";
import { describeMatches, matches } from "../../examples/demo/guild_filter/matching.ts";
import { groupGuilds } from "../../examples/demo/guild_order.ts";
import { profilePage } from "../../examples/demo/pages.ts";
import { Bot, PlatformApi } from "../../mod.ts";
import {
  type CookieJar,
  createFakePlatform,
  type FakeGuild,
  type FakePlatform,
  sampleApplication,
  sampleGuilds,
} from "../../src/testing/mod.ts";

const origin = "http://localhost:8787";
const redirectUri = `${origin}/callback`;

/** Bun can't strip types. */
const isBun = "Bun" in globalThis;

interface Browser {
  readonly fake: FakePlatform;
  readonly jar: CookieJar;
  /** Sends a request with the cookies of the jar, and stores the cookies of the response. It follows no redirect. */
  open(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a request without cookies, and stores none. */
  send(path: string, init?: RequestInit): Promise<Response>;
}

function openBrowser(
  settings: Partial<DemoSettings> = {},
  guilds: readonly FakeGuild[] = sampleGuilds,
): Browser {
  const fake = createFakePlatform({
    origin,
    guilds,
    applications: [{ ...sampleApplication, redirectUris: [redirectUri] }],
  });
  const demo = createDemo({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    botToken: sampleApplication.botToken,
    redirectUri,
    platform: fake.platform,
    fake,
    ...settings,
  });
  const browser = fake.browser(demo);
  const send: Browser["send"] = (path, init) =>
    demo(new Request(new URL(path, origin), { redirect: "manual", ...init }));
  return {
    fake,
    jar: browser.jarOf(origin),
    send,
    open: (path, init) => browser.open(new URL(path, origin), { redirect: "manual", ...init }),
  };
}

function locationOf(response: Response): string {
  return response.headers.get("location") ?? "";
}

/** Logs Ada in, or another person of the fake platform. */
async function logIn(browser: Browser, as = "ada"): Promise<Response> {
  const consent = locationOf(await browser.open("/login"));
  return await browser.open(await browser.fake.authorize(consent, { as }));
}

/** Ada manages every fourth of these guilds. */
const manyGuilds = Array.from({ length: 200 }, (_, at): FakeGuild => ({
  id: `${1300000000000000000n + BigInt(at)}`,
  name: `Guild ${at + 1}`,
  members: { "1000000000000000001": at % 4 === 3 ? { permissions: "32" } : {} },
}));

/** Revokes the person's authorization. It ends all their tokens. */
async function removeApplication({ fake }: Browser): Promise<void> {
  const { headers } = fake.requests.findLast(({ path }) => path.endsWith("/users/@me")) ?? {};
  const token = headers?.authorization?.replace("Bearer ", "") ?? "";
  const { id, secret } = sampleApplication;
  await new PlatformApi(id, secret, ["identify"], redirectUri, fake).revoke(token);
}

describe("The demo", () => {
  test("shows the person and their guilds, with icons and permissions", async () => {
    const browser = openBrowser();
    const callback = await logIn(browser);
    expect([callback.status, locationOf(callback)]).toEqual([302, `${origin}/`]);

    const page = await (await browser.open("/")).text();

    expect(page).toContain("<h1><bdi>Ada Lovelace</bdi></h1>");
    expect(page).toContain("The Analytical Engine");
    expect(page).toMatch(/\/cdn\/icons\/\d+\/\w+\.(png|gif)/);
    expect(page).toContain("<summary>Kick members, Ban members, Manage server and 1 more<");
    expect(page).toMatch(/You are an administrator[^]*You own it[^]*You are a member/);
  });

  test("protects the login with state and PKCE", async () => {
    const link = new URL(locationOf(await openBrowser().open("/login")));
    expect(link.searchParams.get("state")).toMatch(/^[\w-]{43}$/);
    expect(link.searchParams.get("code_challenge_method")).toBe("S256");
  });

  test("has the fake platform's consent page", async () => {
    const browser = openBrowser();
    const page = await browser.send(locationOf(await browser.open("/login")));
    expect(await page.text()).toContain("Lantern");
  });

  test("shows the details of a guild with the bot, and an invitation for any other", async () => {
    const browser = openBrowser();
    await logIn(browser);
    const withBot = await (await browser.open("/guild?id=1200000000000000001")).text();
    expect(withBot).toContain("Cogs, cards and programs.");
    const without = await (await browser.open("/guild?id=1200000000000000002")).text();
    expect(without).toContain("The bot isn&#39;t in this guild: invite it to see more");
    expect((await browser.open("/guild?id=1")).status).toBe(404);
  });

  const invitation = (id: string) => `<a class="button" href="/invite?guild_id=${id}">`;
  const onlyManagers = "To invite the bot, you need the permission Manage Server here";

  test.each<[string, string, string, boolean, string]>([
    ["the owner, the bot not being there", sampleGuilds[1].id, "grace", true, "invite it to see"],
    ["an administrator, the bot not being there", sampleGuilds[1].id, "ada", true, "invite it to"],
    ["the owner, the bot being there", sampleGuilds[0].id, "ada", false, "The bot is here"],
    ["a member, the bot being there", sampleGuilds[0].id, "grace", false, "The bot is here"],
    ["a member, the bot not being there", sampleGuilds[3].id, "ada", false, onlyManagers],
  ])("offers an invitation where it can work: to %s", async (_who, id, as, isOffered, text) => {
    const browser = openBrowser();
    await logIn(browser, as);
    const page = await (await browser.open(`/guild?id=${id}`)).text();
    expect(page.includes(invitation(id))).toBe(isOffered);
    expect(page).toContain(text);
    expect(page.includes(onlyManagers)).toBe(text === onlyManagers);
  });

  test.each([null, "n0t.a.token"])(
    "offers an invitation to people with Manage Server if it can't know where the bot is: %s",
    async (botToken) => {
      const browser = openBrowser({ botToken, log: vi.fn() });
      await logIn(browser);
      const [own, , , other] = sampleGuilds;
      expect(await (await browser.open(`/guild?id=${own.id}`)).text()).toContain(
        invitation(own.id),
      );
      const page = await (await browser.open(`/guild?id=${other.id}`)).text();
      expect(page).not.toContain(invitation(other.id));
      expect(page).toContain(onlyManagers);
    },
  );

  test("gives advice if the person has no guild", async () => {
    const browser = openBrowser({}, []);
    await logIn(browser);
    const page = await (await browser.open("/")).text();
    expect(page).toContain("You aren't in any guilds yet");
    expect(page).toContain("Log out, then log in as a user who has guilds.");
    expect(page).toContain('href="/">Look again</a>');
    expect(page).not.toMatch(/<script|id="filter"/);
    const ada = { id: "1", username: "ada", global_name: null, avatar: null, avatar_url: "" };
    const real = await profilePage(ada, [], { isFake: false, filter: "" }).text();
    expect(real).toContain("Create or join one in Discord. Then look again.");
  });

  test("shows 200 guilds by name, with guilds to manage first", async () => {
    const browser = openBrowser({}, manyGuilds);
    await logIn(browser);
    const page = await (await browser.open("/")).text();
    const [managed = "", others = ""] = page.split("<h3>").slice(1);
    expect(managed).toMatch(/^Guilds that you manage <span class="count">50</);
    expect(others).toMatch(/^Other guilds <span class="count">150</);
    const names = (text: string) =>
      [...text.matchAll(/data-guild="(.*?)"/g)].map(([, name]) => name);
    expect(names(managed).slice(0, 3)).toEqual(["Guild 4", "Guild 8", "Guild 12"]);
    expect(names(others).slice(0, 4)).toEqual(["Guild 1", "Guild 2", "Guild 3", "Guild 5"]);
    expect(names(page)).toHaveLength(200);
  });

  test("filters its guilds without JavaScript too", async () => {
    const browser = openBrowser({}, manyGuilds);
    await logIn(browser);
    const page = await (await browser.open("/?filter=guild+19")).text();
    const shown = [...page.matchAll(/data-guild="(.*?)" >/g)].map(([, name]) => name);
    const expected = ["Guild 192", "Guild 196", "Guild 19", "Guild 119"];
    expect(shown.slice(0, 4)).toEqual(expected);
    expect(page).toContain('value="guild 19"');
    expect(page).toContain('role="status">12 of 200 guilds<');
    const none = await (await browser.open("/?filter=%22%3Cb%3E")).text();
    expect(none).toContain('role="status">No guild has this in its name<');
    expect(none).toContain('value="&#34;&#60;b&#62;"');
    expect(none.match(/data-guilds hidden/g)).toHaveLength(2);
  });

  test("allows only the scripts of its list of guilds", async () => {
    const browser = openBrowser();
    expect((await browser.open("/")).headers.get("content-security-policy"))
      .not.toContain("script-src");
    await logIn(browser);
    const response = await browser.open("/");
    const policy = response.headers.get("content-security-policy") ?? "";
    const [, nonce] = /script-src 'nonce-([\w-]+)';/.exec(policy) ?? [];
    expect(policy).toMatch(/^default-src 'none';.*trusted-types 'none'$/);
    expect(policy).not.toMatch(/unsafe|\*/);
    expect((await response.text()).match(/<script.*?>/g)).toEqual([
      `<script type="module" nonce="${nonce}" src="/modules/examples/demo/guild_filter/main.ts">`,
    ]);
  });

  test("does not report the bot as missing if the platform fails", async () => {
    const browser = openBrowser({ log: vi.fn() });
    await logIn(browser);
    browser.fake.failNext({ path: /guilds\/\d+$/, status: 500, times: 3 });
    const response = await browser.open("/guild?id=1200000000000000001");
    expect(response.status).toBe(502);
    expect(await response.text()).not.toContain("The bot isn&#39;t in this guild");
  });

  test("explains how to see more if it has no bot token", async () => {
    const browser = openBrowser({ botToken: null });
    await logIn(browser);
    const page = await (await browser.open("/guild?id=1200000000000000001")).text();
    expect(page).toContain("Set DISCORD_BOT_TOKEN to see more");
  });

  test("has the invite builder, with links to its platform and its application", async () => {
    const response = await openBrowser().open("/invite?guild_id=5");
    const page = await response.text();
    expect(page).toContain("<title>Invite builder");
    expect(page).toContain(`<meta name="authorize-url" content="${origin}/oauth2/authorize">`);
    expect(page).toContain(`<meta name="client-id" content="${sampleApplication.id}">`);
    expect(page).toContain('<a href="/">');
    expect(response.headers.get("content-security-policy")).toMatch(/script-src 'self';/);
  });

  test.skipIf(isBun)("serves the modules of its pages without their types", async () => {
    const browser = openBrowser();
    const found = new Map<string, string>();
    const read = async (path: string): Promise<void> => {
      if (found.has(path)) return;
      const response = await browser.open(path);
      expect([path, response.status, response.headers.get("content-type")])
        .toEqual([path, 200, "text/javascript; charset=utf-8"]);
      const source = await response.text();
      found.set(path, source);
      const imports = source.matchAll(/^(?:import|\} from|export \{.*\} from).*?"(.*)";$/gm);
      for (const [, to = ""] of imports) await read(new URL(to, new URL(path, origin)).pathname);
    };
    const readScriptOf = async (path: string): Promise<void> => {
      const page = await (await browser.open(path)).text();
      const [, main = ""] = /<script[^>]* src="([^"]+)"/.exec(page) ?? [];
      await read(main);
    };
    await readScriptOf("/invite");
    expect([...found.keys()]).toContain("/modules/src/permissions/names.ts");
    await logIn(browser);
    await readScriptOf("/");
    expect([...found.keys()]).toContain("/modules/examples/demo/guild_filter/matching.ts");
    expect([...found.values()].join("\n")).not.toMatch(/^(export )?(interface|type) /m);
  });

  test.each([
    "/modules/examples/demo/app.ts",
    "/modules/examples/invite_builder/none.ts",
    "/modules/src/%2e%2e/deno.json",
    "/modules/src/../../deno.json",
    "/modules/src/..%2f..%2fdeno.json",
    "/modules/src/api/user.ts",
  ])("serves no other file of the repository: %s", async (path) => {
    expect((await openBrowser().open(path)).status).toBe(404);
  });

  test("escapes the platform's texts", async () => {
    const browser = openBrowser();
    await logIn(browser);
    expect(await (await browser.open("/")).text()).toContain("Knitting &#38; &#60;Yarn&#62;");
  });

  test("groups permissions in folded sections", async () => {
    const browser = openBrowser();
    await logIn(browser);
    const page = await (await browser.open("/")).text();
    const [, list = ""] =
      /data-guild="The Analytical Engine"[^]*?<summary>Administrator: all permissions<\/summary>([^]*?)<\/section>/
        .exec(page) ?? [];
    expect([...list.matchAll(/<summary>(.*?) </g)].map(([, title]) => title)).toEqual([
      "General",
      "Membership",
      "Text channels",
      "Voice channels",
      "Stage channels",
      "Advanced",
    ]);
    expect(page).not.toContain("<details open");
  });

  test("states beside the button that its platform is fake", async () => {
    const page = await (await openBrowser().open("/")).text();
    expect(page).toContain(">Log in with Discord (fake platform)</a>");
  });

  test("uses its own style for unknown pages and the end of an invitation", async () => {
    const browser = openBrowser();
    const unknown = await browser.open("/nowhere");
    expect([unknown.status, await unknown.text()]).toEqual([
      404,
      expect.stringContaining('<header class="masthead">'),
    ]);
    const guildId = sampleGuilds[0].id;
    const invite = await new Bot(sampleApplication.id, 2n, { platform: browser.fake.platform })
      .url({ guildId });
    const end = await browser.fake.authorize(invite);
    const page = await (await browser.open(end)).text();
    expect(page).toContain('role="status">The application was added');
    expect(page).toContain('<header class="masthead">');
  });

  test("refreshes the token if the platform refuses the old one", async () => {
    const browser = openBrowser();
    await logIn(browser);
    browser.fake.failNext({ path: /@me/, status: 401 });
    const page = await browser.open("/");
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining("<h1><bdi>Ada Lovelace</bdi></h1>"),
    ]);
    expect(browser.fake.requests.filter(({ path }) => path.endsWith("/token"))).toHaveLength(2);
  });

  test("explains a refused consent and offers another attempt", async () => {
    const browser = openBrowser();
    const consent = locationOf(await browser.open("/login"));
    const response = await browser.open(await browser.fake.deny(consent));
    expect(response.status).toBe(403);
    expect(await response.text()).toMatch(/You canceled the login[^]*href="\/login"/);
  });

  test("gives advice if an account's new token is refused", async () => {
    const log = vi.fn();
    const browser = openBrowser({ log });
    const consent = locationOf(await browser.open("/login"));
    browser.fake.failNext({ path: /@me/, status: 401 });
    const response = await browser.open(await browser.fake.authorize(consent));
    expect(response.status).toBe(403);
    expect(await response.text())
      .toMatch(/The platform doesn&#39;t accept your login[^]*Authorized Apps[^]*href="\/login"/);
    expect(log).not.toHaveBeenCalled();
  });

  test("refuses the callback of another browser", async () => {
    const [mine, theirs] = [openBrowser(), openBrowser()];
    await mine.open("/login");
    const consent = locationOf(await theirs.open("/login"));
    const response = await mine.open(await theirs.fake.authorize(consent));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("began in another browser");
  });

  test("mentions blocked cookies if the login's cookie is missing", async () => {
    const browser = openBrowser();
    const consent = locationOf(await browser.open("/login"));
    const response = await browser.send(await browser.fake.authorize(consent));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("this browser blocks cookies");
  });

  test("sends a code once if the callback is opened several times", async () => {
    const browser = openBrowser();
    const callback = await browser.fake.authorize(locationOf(await browser.open("/login")));
    const responses = await Promise.all([browser.open(callback), browser.open(callback)]);
    const later = await browser.open(callback);
    for (const response of [...responses, later]) {
      expect([response.status, locationOf(response)]).toEqual([302, `${origin}/`]);
    }
    expect(browser.fake.requests.filter(({ path }) => path.endsWith("/token"))).toHaveLength(1);
  });

  test("logs in from two tabs, in either order", async () => {
    const browser = openBrowser();
    const links = [await browser.open("/login"), await browser.open("/login")].map(locationOf);
    for (const link of links.reverse()) {
      const response = await browser.open(await browser.fake.authorize(link));
      expect(response.status).toBe(302);
    }
  });

  test("shows an error of the callback only with the state of this login", async () => {
    const log = vi.fn();
    const browser = openBrowser({ log });
    const consent = new URL(locationOf(await browser.open("/login")));
    const query = new URLSearchParams({ error: "Your account is locked", error_description: "!" });
    const forged = await browser.open(`/callback?${query}`);
    expect(forged.status).toBe(400);
    expect(await forged.text()).toContain("This login can&#39;t be finished");
    query.set("state", consent.searchParams.get("state") ?? "");
    const response = await browser.open(`/callback?${query}`);
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain("The login didn&#39;t work");
    expect(page).not.toContain("locked");
    expect(log).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: "oauth_error" }));
  });

  test("keeps a login unfinished after a HEAD request for its callback", async () => {
    const browser = openBrowser();
    const callback = await browser.fake.authorize(locationOf(await browser.open("/login")));
    expect((await browser.open(callback, { method: "HEAD" })).status).toBe(405);
    expect((await browser.open(callback)).status).toBe(302);
  });

  test("ends the previous session with a new login", async () => {
    const browser = openBrowser();
    await logIn(browser);
    const old = { headers: { cookie: browser.jar.header } };
    expect(await (await browser.send("/", old)).text()).toContain("Ada Lovelace");
    await logIn(browser);
    expect(await (await browser.send("/", old)).text()).not.toContain("Ada Lovelace");
    expect(await (await browser.open("/")).text()).toContain("Ada Lovelace");
  });

  test.each(["/", "/guild?id=1200000000000000001"])(
    "reports that a login has ended if the platform refuses its tokens, and offers a new one: %s",
    async (path) => {
      const browser = openBrowser();
      await logIn(browser);
      await removeApplication(browser);
      const old = { headers: { cookie: browser.jar.header } };
      const response = await browser.open(path, { headers: { "sec-fetch-site": "cross-site" } });
      expect(response.status).toBe(401);
      expect(await response.text()).toMatch(/role="alert">You were logged out[^]*href="\/login"/);
      // The session has ended, also for a browser with the old cookie.
      expect(browser.jar.header).toBe("");
      expect((await browser.send("/", old)).status).toBe(200);
      expect(await (await browser.open("/")).text()).not.toContain("Ada Lovelace");
      await logIn(browser);
      expect(await (await browser.open("/")).text()).toContain("Ada Lovelace");
    },
  );

  test("names the bot's token, and not the login, if the platform refuses it", async () => {
    const browser = openBrowser({ botToken: "n0t.a.token" });
    await logIn(browser);
    const response = await browser.open("/guild?id=1200000000000000001");
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining("The platform rejects DISCORD_BOT_TOKEN"),
    ]);
  });

  test("reports that the platform fails, and keeps running", async () => {
    const log = vi.fn();
    const browser = openBrowser({ log });
    const consent = locationOf(await browser.open("/login"));
    const callback = await browser.fake.authorize(consent);
    browser.fake.failNext({ path: /token/, status: 500 });
    expect((await browser.open(callback)).status).toBe(502);
    expect(log).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ httpStatus: 500 }));
    expect((await browser.open("/")).status).toBe(200);
  });

  test("logs out, but not on a request of another site", async () => {
    const browser = openBrowser();
    await logIn(browser);
    const foreign = { method: "POST", headers: { origin: "https://evil.example" } };
    expect((await browser.open("/logout", foreign)).status).toBe(403);
    expect(await (await browser.open("/")).text()).toContain("Ada Lovelace");
    await browser.open("/logout", { method: "POST", headers: { origin } });
    expect(await (await browser.open("/")).text()).not.toContain("Ada Lovelace");
  });

  test("leads a logout to a page that does not begin a login", async () => {
    const browser = openBrowser();
    await logIn(browser);
    const response = await browser.open("/logout", { method: "POST", headers: { origin } });
    const page = await browser.open(locationOf(response));
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('href="/login"'),
    ]);
  });

  test("forbids browsers to keep a page with the person's name", async () => {
    const browser = openBrowser();
    await logIn(browser);
    for (const path of ["/", "/guild?id=1200000000000000001"]) {
      const page = await browser.open(path);
      expect(await page.clone().text()).toMatch(/Ada Lovelace|The Analytical Engine/);
      expect(page.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("logs out on a browser's request with Origin: null", async () => {
    const browser = openBrowser();
    await logIn(browser);
    const foreign = { method: "POST", headers: { "sec-fetch-site": "same-site", origin } };
    expect((await browser.open("/logout", foreign)).status).toBe(403);
    const own = { method: "POST", headers: { "sec-fetch-site": "same-origin", origin: "null" } };
    expect((await browser.open("/logout", own)).status).toBe(303);
    expect(await (await browser.open("/")).text()).not.toContain("Ada Lovelace");
  });

  test("serves its own host name only", async () => {
    expect((await openBrowser().open("http://evil.example/")).status).toBe(421);
    const moved = await openBrowser().open("http://127.0.0.1:8787/login?x=1");
    expect(locationOf(moved)).toBe(`${origin}/login?x=1`);
  });

  test("serves HEAD as GET, and refuses DELETE with 404", async () => {
    expect((await openBrowser().open("/", { method: "HEAD" })).status).toBe(200);
    expect((await openBrowser().open("/", { method: "DELETE" })).status).toBe(404);
  });

  test("never shows a token, the secret or a code", async () => {
    const browser = openBrowser();
    await logIn(browser);
    for (
      const path of [
        "/",
        "/guild?id=1200000000000000001",
        "/invite",
        "/login",
        "/callback?code=c0de",
      ]
    ) {
      const response = await browser.open(path);
      const shown = JSON.stringify([...response.headers]) + await response.text();
      expect(shown).not.toMatch(/fake_|c0de/);
    }
  });

  /** Returns the titles of the steps on a page. */
  const stepsOn = (page: string): (string | undefined)[] =>
    [
      ...(page.split('<ol class="steps">')[1] ?? "").split("</ol>")[0]
        ?.matchAll(/<summary>(.*?)<\/summary>/g) ?? [],
    ].map(([, title]) => title);

  test("shows each step of a login, folded, without a secret, a code, a verifier or a token", async () => {
    const browser = openBrowser();
    const link = new URL(locationOf(await browser.open("/login")));
    const callback = await browser.fake.authorize(link);
    await browser.open(callback);
    const page = await (await browser.open("/")).text();
    expect(stepsOn(page)).toEqual([
      "The demo sent you to the consent page",
      "You came back with a code",
      "The server exchanged the code for a token",
      "The server asked who you are",
      "You got a session",
      "The server read your guilds",
    ]);
    const state = link.searchParams.get("state") ?? "";
    expect(page.match(new RegExp(`<code>state=${state.slice(0, 6)}…</code>`, "g"))).toHaveLength(2);
    expect(page).toContain("<code>code_verifier=hidden</code>");
    expect(page).toContain("<code>code=hidden</code>");
    expect(page).toContain("<code>Authorization: Basic hidden</code>");
    expect(page).toContain("<code>Authorization: Bearer hidden</code>");
    const sent = browser.fake.requests.find(({ path }) => path.endsWith("/token"));
    const secrets = [
      state,
      link.searchParams.get("code_challenge"),
      new URL(callback).searchParams.get("code"),
      Object(sent?.body).code_verifier,
      sampleApplication.secret,
      sent?.headers.authorization,
    ];
    for (const secret of secrets) {
      expect(secret?.length).toBeGreaterThan(8);
      expect(page).not.toContain(secret);
    }
    expect(page).not.toContain('id="steps" open');
  });

  test("shows that a second browser can't use the callback, for which no request is sent", async () => {
    const log = vi.fn();
    const browser = openBrowser({ log });
    await logIn(browser);
    const tokenRequests = () =>
      browser.fake.requests.filter(({ path }) => path.endsWith("/token")).length;
    const response = await browser.open("/replay", { method: "POST", headers: { origin } });
    expect([response.status, locationOf(response)]).toEqual([303, "/?steps#steps"]);
    const page = await (await browser.open("/?steps")).text();
    expect(stepsOn(page)).toContain("A second browser tried your callback");
    expect(page).toMatch(/GET \/callback<\/code> <span class="muted">status 400</);
    expect(page).toContain('id="steps" open');
    expect([tokenRequests(), log.mock.calls]).toEqual([1, []]);
    const foreign = { method: "POST", headers: { origin: "https://evil.example" } };
    expect((await browser.open("/replay", foreign)).status).toBe(403);
  });

  test("shows the logout, the bot and a refresh as steps, and other visitors nothing", async () => {
    const browser = openBrowser();
    await logIn(browser);
    browser.fake.failNext({ path: /@me/, status: 401 });
    await browser.open("/");
    const guild = await (await browser.open(`/guild?id=${sampleGuilds[0].id}`)).text();
    expect(stepsOn(guild)).toContain("The bot read a guild");
    expect(stepsOn(guild)).toContain("The server got a new token");
    expect(guild).toContain("<code>Authorization: Bot hidden</code>");
    await browser.open("/logout", { method: "POST", headers: { origin } });
    expect(stepsOn(await (await browser.open("/")).text()).at(-1)).toBe("You logged out");
    expect(stepsOn(await (await browser.send("/")).text())).toEqual([]);
    await logIn(browser);
    expect(stepsOn(await (await browser.open("/")).text())).toHaveLength(6);
  });

  test("reads numbers, languages and permissions as people write them", async () => {
    const browser = openBrowser();
    await logIn(browser);
    const page = await (await browser.open(`/guild?id=${sampleGuilds[0].id}`)).text();
    expect(page).toMatch(/<dd>1,843<\/dd>[^]*<dd>None<\/dd>[^]*<dd>American English<\/dd>/);
    expect(page).toMatch(/Your permissions here<\/h2>\s*<details>\s*<summary>Administrator: all/);
  });

  test("sends security headers with every page", async () => {
    const visitor = openBrowser();
    const person = openBrowser();
    await logIn(person);
    const pages = [
      ...["/", "/nowhere", "/callback", "/invite"].map((path) => visitor.open(path)),
      ...["/", "/guild?id=1200000000000000001"].map((path) => person.open(path)),
    ];
    for (const { headers } of await Promise.all(pages)) {
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'none';.* frame-ancestors 'none'/,
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });
});

describe("groupGuilds()", () => {
  const member = { owner: false, permissions: "0" } as const;
  const manager = { owner: false, permissions: "32" } as const;

  test("puts guilds to manage first, for owners, administrators and Manage Server", () => {
    const guilds = [
      { name: "a", ...member },
      { name: "d", owner: true, permissions: "0" },
      { name: "c", owner: false, permissions: "8" },
      { name: "b", ...manager },
    ] as const;
    const { managed, others } = groupGuilds(guilds);
    expect([managed, others].map((group) => group.map(({ name }) => name)))
      .toEqual([["b", "c", "d"], ["a"]]);
  });

  test("sorts names by language rules, and leaves the given list unchanged", () => {
    const names = ["zebra", "Guild 10", "Éclair", "guild 9", "apple"];
    const guilds = names.map((name) => ({ name, ...member }));
    expect(groupGuilds(guilds).others.map(({ name }) => name))
      .toEqual(["apple", "Éclair", "guild 9", "Guild 10", "zebra"]);
    expect(guilds.map(({ name }) => name)).toEqual(names);
  });
});

describe("The filter of guilds", () => {
  test.each([
    ["Compiler Café", "", true],
    ["Compiler Café", "  ", true],
    ["Compiler Café", "CAFE", true],
    ["Compiler Cafe", "café", true],
    ["Compiler Café", "caf comp", true],
    ["Compiler Café", "caf tea", false],
    ["İstanbul", "istanbul", true],
    ["", "a", false],
  ])("compares every word, without case and accents: %j, %j: %s", (name, filter, expected) => {
    expect(matches(name, filter)).toBe(expected);
  });

  test.each([[200, 200, ""], [3, 200, "3 of 200 guilds"], [0, 4, "No guild has this in its name"]])(
    "describes its result: %d of %d",
    (shown, all, text) => {
      expect(describeMatches(shown, all)).toBe(text);
    },
  );
});
