import { describe, expect, test, vi } from "vitest";
import { createDemo, type DemoSettings } from "../examples/demo/app.ts";
import { createFakePlatform, type FakePlatform, sampleApplication } from "../src/testing/mod.ts";

const origin = "http://localhost:8787";
const redirectUri = `${origin}/callback`;

interface Browser {
  readonly fake: FakePlatform;
  /** Asks the demo alone, and keeps its cookies; redirects are not followed. */
  open(path: string, init?: RequestInit): Promise<Response>;
  /** The same without a look at the cookies it keeps. */
  send(path: string, init?: RequestInit): Promise<Response>;
}

function openBrowser(settings: Partial<DemoSettings> = {}): Browser {
  const fake = createFakePlatform({
    origin,
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
  const cookies = new Map<string, string>();
  const send: Browser["send"] = (path, init) =>
    demo(new Request(new URL(path, origin), { redirect: "manual", ...init }));
  return {
    fake,
    send,
    async open(path, init) {
      const headers = new Headers(init?.headers);
      headers.set("cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
      const response = await send(path, { ...init, headers });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^(\w+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      return response;
    },
  };
}

function locationOf(response: Response): string {
  return response.headers.get("location") ?? "";
}

async function logIn(browser: Browser): Promise<Response> {
  const consent = locationOf(await browser.open("/login"));
  return await browser.open(await browser.fake.authorize(consent, { as: "ada" }));
}

describe("The demo", () => {
  test("shows who logged in and their guilds, with icons and permissions", async () => {
    const browser = openBrowser();
    const callback = await logIn(browser);
    expect([callback.status, locationOf(callback)]).toEqual([303, "/"]);

    const page = await (await browser.open("/")).text();

    expect(page).toContain("<h1>Ada Lovelace</h1>");
    expect(page).toContain("The Analytical Engine");
    expect(page).toMatch(/\/cdn\/icons\/\d+\/\w+\.(png|gif)/);
    expect(page).toContain("52 permissions");
  });

  test("protects the login with state and PKCE", async () => {
    const link = new URL(locationOf(await openBrowser().open("/login")));
    expect(link.searchParams.get("state")).toMatch(/^[\w-]{43}$/);
    expect(link.searchParams.get("code_challenge_method")).toBe("S256");
  });

  test("brings its own consent page", async () => {
    const browser = openBrowser();
    const page = await browser.open(locationOf(await browser.open("/login")));
    expect(await page.text()).toContain("Lantern");
  });

  test("shows the details of a guild the bot is in, and its place on the platform otherwise", async () => {
    const browser = openBrowser();
    await logIn(browser);
    const withBot = await (await browser.open("/guild?id=1200000000000000001")).text();
    expect(withBot).toContain("Cogs, cards and programs.");
    const without = await (await browser.open("/guild?id=1200000000000000002")).text();
    expect(without).toContain("The bot is not in this guild");
    expect((await browser.open("/guild?id=1")).status).toBe(404);
  });

  test("does not say that the bot is missing when the platform fails", async () => {
    const browser = openBrowser({ log: vi.fn() });
    await logIn(browser);
    browser.fake.failNext({ path: /guilds\/\d+$/, status: 500, times: 3 });
    const answer = await browser.open("/guild?id=1200000000000000001");
    expect(answer.status).toBe(502);
    expect(await answer.text()).not.toContain("The bot is not in this guild");
  });

  test("says how to see more when it has no bot token", async () => {
    const browser = openBrowser({ botToken: null });
    await logIn(browser);
    const page = await (await browser.open("/guild?id=1200000000000000001")).text();
    expect(page).toContain("Set DISCORD_BOT_TOKEN to see more");
  });

  test("builds an invite link from ticked permissions", async () => {
    const page = await (await openBrowser().open("/invite?p=kick_members&p=ban_members&guild_id=5"))
      .text();
    expect(page).toContain("scope=bot&#38;permissions=6&#38;guild_id=5");
  });

  test.each(["p", "guild_id"])("tells what is wrong with %s, and repeats nothing", async (name) => {
    const response = await openBrowser().open(`/invite?${name}=Call+%3Cscript%3E`);
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/^(?!.*Call)[^]*permission or a guild/s);
  });

  test("escapes what the platform says", async () => {
    const browser = openBrowser();
    await logIn(browser);
    expect(await (await browser.open("/")).text()).toContain("Knitting &#38; &#60;Yarn&#62;");
  });

  test("asks nothing of the platform with a token that is over", async () => {
    const browser = openBrowser();
    const body = { access_token: "t0ken", token_type: "Bearer", expires_in: 0, scope: "identify" };
    const callback = await browser.fake.authorize(locationOf(await browser.open("/login")));
    browser.fake.failNext({ path: "/oauth2/token", body });
    await browser.open(callback);

    expect((await browser.open("/")).status).toBe(200);
    expect(browser.fake.requests.map(({ path }) => path)).not.toContain("/api/v10/users/@me");
  });

  test("explains a refused consent and offers a new try", async () => {
    const browser = openBrowser();
    const consent = locationOf(await browser.open("/login"));
    const response = await browser.open(await browser.fake.deny(consent));
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/You said no[^]*href="\/login"/);
  });

  test("refuses the callback of another browser", async () => {
    const [mine, theirs] = [openBrowser(), openBrowser()];
    await mine.open("/login");
    const consent = locationOf(await theirs.open("/login"));
    const response = await mine.open(await theirs.fake.authorize(consent));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("It was started in another tab or browser");
  });

  test("says that cookies may be blocked when the login's own is missing", async () => {
    const browser = openBrowser();
    const consent = locationOf(await browser.open("/login"));
    const response = await browser.send(await browser.fake.authorize(consent));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("this browser blocks cookies");
  });

  test("refuses a callback that is opened again", async () => {
    const browser = openBrowser();
    const callback = await browser.fake.authorize(locationOf(await browser.open("/login")));
    expect((await browser.open(callback)).status).toBe(303);
    expect((await browser.open(callback)).status).toBe(400);
  });

  test("believes an error only when it has the state of this login", async () => {
    const log = vi.fn();
    const browser = openBrowser({ log });
    const consent = new URL(locationOf(await browser.open("/login")));
    const query = new URLSearchParams({ error: "Your account is locked", error_description: "!" });
    const forged = await browser.open(`/callback?${query}`);
    expect(forged.status).toBe(400);
    expect(await forged.text()).toContain("This login can&#39;t be finished");
    query.set("state", consent.searchParams.get("state") ?? "");
    const answer = await browser.open(`/callback?${query}`);
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain("The login did not work");
    expect(page).not.toContain("locked");
    expect(log).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: "oauth_error" }));
  });

  test("leaves a login alone when only its headers are asked for", async () => {
    const browser = openBrowser();
    const callback = await browser.fake.authorize(locationOf(await browser.open("/login")));
    expect((await browser.open(callback, { method: "HEAD" })).status).toBe(404);
    expect((await browser.open(callback)).status).toBe(303);
  });

  test("ends the session that was there before a new login", async () => {
    const browser = openBrowser();
    const [before = ""] = (await logIn(browser)).headers.getSetCookie();
    const old = { headers: { cookie: before.replace(/;.*/, "") } };
    expect(await (await browser.send("/", old)).text()).toContain("Ada Lovelace");
    await logIn(browser);
    expect(await (await browser.send("/", old)).text()).not.toContain("Ada Lovelace");
    expect(await (await browser.open("/")).text()).toContain("Ada Lovelace");
  });

  test.each(["/", "/guild?id=1200000000000000001"])(
    "ends a session whose token the platform refuses, and says so: %s",
    async (path) => {
      const browser = openBrowser();
      const [cookie = ""] = (await logIn(browser)).headers.getSetCookie();
      const old = { headers: { cookie: cookie.replace(/;.*/, "") } };
      browser.fake.failNext({ path: /@me/, status: 401, times: 2 });
      const answer = await browser.open(path);
      expect([answer.status, locationOf(answer)]).toEqual([303, "/?ended"]);
      expect(answer.headers.getSetCookie()).toEqual([expect.stringContaining("Max-Age=0")]);
      expect(await (await browser.open("/?ended")).text()).toContain("Your login has ended");
      expect(await (await browser.open("/")).text()).not.toContain("Your login has ended");
      expect(await (await browser.send("/", old)).text()).not.toContain("Ada Lovelace");
    },
  );

  test("says so when the platform fails, and stays up", async () => {
    const log = vi.fn();
    const browser = openBrowser({ log });
    const consent = locationOf(await browser.open("/login"));
    const callback = await browser.fake.authorize(consent);
    browser.fake.failNext({ path: /token/, status: 500 });
    expect((await browser.open(callback)).status).toBe(502);
    expect(log).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ httpStatus: 500 }));
    expect((await browser.open("/")).status).toBe(200);
  });

  test("logs out, but not for another site", async () => {
    const browser = openBrowser();
    await logIn(browser);
    const foreign = { method: "POST", headers: { origin: "https://evil.example" } };
    expect((await browser.open("/logout", foreign)).status).toBe(403);
    expect(await (await browser.open("/")).text()).toContain("Ada Lovelace");
    await browser.open("/logout", { method: "POST", headers: { origin } });
    expect(await (await browser.open("/")).text()).not.toContain("Ada Lovelace");
  });

  test("logs out as browsers ask for it, which keep the origin to themselves", async () => {
    const browser = openBrowser();
    await logIn(browser);
    const foreign = { method: "POST", headers: { "sec-fetch-site": "same-site", origin } };
    expect((await browser.open("/logout", foreign)).status).toBe(403);
    const own = { method: "POST", headers: { "sec-fetch-site": "same-origin", origin: "null" } };
    expect((await browser.open("/logout", own)).status).toBe(303);
    expect(await (await browser.open("/")).text()).not.toContain("Ada Lovelace");
  });

  test("answers only under its own name", async () => {
    expect((await openBrowser().open("http://evil.example/")).status).toBe(421);
    const moved = await openBrowser().open("http://127.0.0.1:8787/login?x=1");
    expect(locationOf(moved)).toBe(`${origin}/login?x=1`);
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

  test("sends security headers with every page", async () => {
    for (const path of ["/", "/login", "/callback", "/invite", "/style.css"]) {
      const { headers } = await openBrowser().open(path);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });
});
