import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Namespace } from "../../../src/login/site/namespace.ts";
import { PlatformApi } from "../../../mod.ts";
import { sampleApplication, sampleUsers } from "../../../src/testing/mod.ts";
import { Browser, decide, locationOf } from "./support/browser.ts";
import {
  origin,
  type RunningWorker,
  sessionSecret,
  startWorker,
  type WholeResponse,
} from "./support/worker.ts";

let worker: RunningWorker;
let browser: Browser;

beforeAll(async () => {
  worker = await startWorker();
});

afterAll(async () => {
  await worker[Symbol.asyncDispose]();
});

beforeEach(() => {
  worker.reset();
  browser = new Browser(worker);
});

// Every test also checks the headers and the secrets of all its responses.
afterEach(async () => {
  for (const response of worker.responses) expectSecurityHeaders(response);
  expectNoSecret(worker, visibleTexts(worker));
  expectNoSecret(worker, await worker.stored());
});

describe("The Worker: a login", () => {
  test("leads from the start page through the consent page to the user and their guilds", async () => {
    const start = await browser.open("/");
    const [, loginPath = ""] = /class="button" href="([^"]+)">Log in with Discord</
      .exec(start.body) ?? [];

    const link = new URL(locationOf(await browser.open(loginPath)));
    expect(Object.fromEntries(link.searchParams)).toEqual({
      response_type: "code",
      client_id: sampleApplication.id,
      scope: "identify guilds",
      state: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${origin}/callback`,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    expectGuilds(await browser.comeBack(await decide(link.href, "authorize")));

    const page = await browser.open("/guilds", { from: "link elsewhere" });
    expect(page.body).toContain("<h1><bdi>Ada Lovelace</bdi></h1>");
    const shown = page.body.replaceAll(/<[^>]*>|\s+/g, " ").replaceAll(/ +/g, " ");
    expect(shown).toContain("The Analytical Engine You own it");
    expect(shown).toContain("Compiler Café You are an administrator");
    expect(shown).toContain("Night Sky You manage it");
    expect(shown).toContain("Knitting &#38; &#60;Yarn&#62; You are a member");
    expect(page.headers.get("content-security-policy")).toContain(`img-src data: ${link.origin};`);
    expect((await browser.open("/")).body).toContain("Welcome back, Ada Lovelace");
  });

  test("returns to the requested page", async () => {
    const start = await browser.open("/guilds?sort=name", { from: "link elsewhere" });
    const callback = await browser.comeBack(await decide(locationOf(start), "authorize"));
    expect(locationOf(callback)).toBe(`${origin}/guilds?sort=name`);
  });

  test("works in two tabs at once, in either order", async () => {
    const [first, second] = [await browser.startLogin(), await browser.startLogin()];
    expectGuilds(await browser.comeBack(await decide(second, "authorize", "ada")));
    expectGuilds(await browser.comeBack(await decide(first, "authorize", "grace")));
    expect((await browser.open("/guilds")).body).toContain("@<bdi>grace</bdi>");
    expect(browser.cookieNames("/callback")).toEqual(["__Host-session"]);
  });

  test("sends the code once if two tabs open the callback at once, and logs both in", async () => {
    const callback = await decide(await browser.startLogin(), "authorize");
    worker.fake.failNext({ path: "/oauth2/token", delay: 300 });
    const headers = { cookie: browser.jar.getCookieStringSync(callback) };
    const responses = await Promise.all([
      worker.send(callback, { headers }),
      worker.send(callback, { headers }),
    ]);
    for (const response of responses) {
      expectGuilds(response);
      const cookie = sessionCookieOf(response);
      const page = await worker.send(`${origin}/guilds`, { headers: { cookie } });
      expect(page.body).toContain("<h1><bdi>Ada Lovelace</bdi></h1>");
    }
    expect(requestedGrants()).toHaveLength(1);
  });

  test("succeeds after a reload if the response to the callback was lost", async () => {
    const callback = await decide(await browser.startLogin(), "authorize");
    const headers = { cookie: browser.jar.getCookieStringSync(callback) };
    expectGuilds(await worker.send(callback, { headers }));
    expect(browser.cookieNames("/")).not.toContain("__Host-session");

    expectGuilds(await browser.comeBack(callback));
    expect((await browser.open("/guilds")).status).toBe(200);
    expect(requestedGrants()).toHaveLength(1);
  });

  test("leads an old callback to the start page, and sends no code", async () => {
    const callback = await decide(await browser.startLogin(), "authorize");
    expectGuilds(await browser.comeBack(callback));
    expect(locationOf(await browser.comeBack(callback))).toBe(`${origin}/`);
    expect(requestedGrants()).toHaveLength(1);
  });

  test("ends the previous session", async () => {
    const before = sessionCookieOf(await browser.logIn("ada"));
    await browser.logIn("grace");
    expect((await browser.open("/guilds")).body).toContain("@<bdi>grace</bdi>");
    await expectLoggedOut(before);
  });
});

describe("The Worker: a login ends in a page", () => {
  test("because the person refused", async () => {
    const callback = await browser.comeBack(await decide(await browser.startLogin(), "cancel"));
    expectPage(callback, 403, "You canceled the login");
    expect(browser.cookieNames("/callback")).toEqual([]);
    expectGuilds(await browser.logIn());
  });

  test("because it took more than ten minutes", async () => {
    const consentPage = new URL(await browser.startLogin());
    const state = consentPage.searchParams.get("state") ?? "";
    const callback = await decide(consentPage.href, "authorize");
    const name = `login.${state.slice(0, 12)}`;
    expect(browser.cookieNames("/callback")).toEqual([`__Host-${name}`]);
    const namespace = new Namespace(sampleApplication.id, consentPage.origin, "");
    const sealer = namespace.createSealer(sessionSecret, "cookies");
    const opened = await sealer.open(name, browser.jar.getCookiesSync(callback)[0]?.value);
    const begun = async (minutes: number): Promise<WholeResponse> => {
      const startedAt = Date.now() - minutes * 60_000;
      const value = await sealer.seal(name, { ...Object(opened), startedAt });
      return await worker.send(callback, { headers: { cookie: `__Host-${name}=${value}` } });
    };
    expectNoLogin(await begun(10));
    expectGuilds(await begun(9.9));
  });

  test("because it began in another browser", async () => {
    const foreign = await decide(await new Browser(worker).startLogin(), "authorize");
    await browser.startLogin();
    expectNoLogin(await browser.comeBack(foreign));
  });

  test("because another subdomain planted its cookie", async () => {
    const attacker = new Browser(worker);
    const callback = await decide(await attacker.startLogin(), "authorize");
    const [cookie] = attacker.jar.getCookiesSync(callback);
    for (const path of ["/", "/callback"]) {
      browser.jar.setCookieSync(
        `${cookie?.key}=${cookie?.value}; Domain=app.example; Path=${path}; Secure`,
        "https://evil.app.example/",
        { ignoreError: true },
      );
    }
    expectNoLogin(await browser.comeBack(callback));
    expectGuilds(await attacker.comeBack(callback));
  });

  const outage: readonly [number, string] = [502, "Discord isn&#39;t responding"];

  test.each<[string, object, readonly [number, string], readonly [number, string]]>([
    ["500", { status: 500 }, outage, outage],
    ["HTML", { body: "<html>" }, outage, outage],
    ["half a response", { body: '{"access_token": "abc' }, outage, outage],
    ["nothing", { cut: "before" }, outage, outage],
    [
      "invalid_client",
      { status: 401, body: { error: "invalid_client" } },
      [500, "Something went wrong"],
      [400, "This login can&#39;t be finished here"],
    ],
  ])(
    "because the platform responded to the code with %s",
    async (_, failure, page, pageAfterwards) => {
      const callback = await decide(await browser.startLogin(), "authorize");
      worker.fake.failNext({ path: "/oauth2/token", ...failure } as never);
      const response = await browser.comeBack(callback);
      expectPage(response, ...page);
      expect(requestedGrants()).toHaveLength(1);
      await expect.poll(() => worker.log).toContain("Error: ");
      // The same code is not sent again, but a new login works.
      expectPage(await browser.comeBack(callback), ...pageAfterwards);
      expect(requestedGrants()).toHaveLength(1);
      expectGuilds(await browser.logIn());
    },
  );

  test("because the platform was busy, until the time that the platform asks for has passed", async () => {
    const callback = await decide(await browser.startLogin(), "authorize");
    const body = { message: "slow", retry_after: 0.6 };
    worker.fake.failNext({ path: "/oauth2/token", status: 429, body });
    const response = await browser.comeBack(callback);
    expectPage(response, 503, "Discord is busy");
    expect(response.headers.get("retry-after")).toBe("1");
    await expect.poll(async () => (await browser.comeBack(callback)).status).toBe(302);
    expect(requestedGrants()).toHaveLength(2);
    expect((await browser.open("/guilds")).status).toBe(200);
  });

  test("because reading the user failed, until a reload", async () => {
    const callback = await decide(await browser.startLogin(), "authorize");
    worker.fake.failNext({ path: "/users/@me", status: 500, times: 3 });
    expectPage(await browser.comeBack(callback), 502, "Discord isn&#39;t responding");
    expectGuilds(await browser.comeBack(callback));
    expect(requestedGrants()).toHaveLength(1);
  });
});

describe("The Worker: a session", () => {
  test("is a random id in a cookie that no other host can set and no script can read", async () => {
    const cookies = (await browser.logIn()).headers.getSetCookie();
    expect(cookies).toContainEqual(expect.stringMatching(
      /^__Host-session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax$/,
    ));
  });

  test("is encrypted in the storage", async () => {
    await browser.logIn();
    const stored = await worker.stored();
    expect(worker.tokens).toHaveLength(2);
    // Data that is not secret is found, so this searches the right place.
    const texts = [...worker.tokens, "Lovelace", sampleUsers[0].id, '"status":"done"'];
    expect(texts.filter((text) => stored.includes(text))).toEqual(['"status":"done"']);
  });

  test("is removed from the storage after its end, without any request", async () => {
    const entry = { version: "1", expiresAt: null };
    await worker.save("kept", { ...entry, json: '"a value to keep"' });
    await worker.save("ended", { ...entry, json: '"an old value"', expiresAt: Date.now() - 1 });
    const found = async () => {
      const stored = await worker.stored();
      return ["a value to keep", "an old value"].filter((text) => stored.includes(text));
    };
    await expect.poll(found).toEqual(["a value to keep"]);
  });

  test("needs an id that the Worker has issued", async () => {
    await browser.logIn();
    for (const id of ["", "../x", "A".repeat(43)]) {
      await expectLoggedOut(`__Host-session=${id}`);
    }
  });

  test("ends with a logout, also for a copy of the cookie", async () => {
    const cookie = sessionCookieOf(await browser.logIn());
    const response = await browser.logOut();
    expect([response.status, locationOf(response)]).toEqual([303, `${origin}/`]);
    // This page begins no login.
    expect((await browser.open("/")).status).toBe(200);
    expect(browser.cookieNames("/")).toEqual([]);
    await expectLoggedOut(cookie);
    expect(worker.fake.requests.some(({ path }) => path.endsWith("/revoke")))
      .toBe(false);
  });

  test("continues in other browsers after a logout in one", async () => {
    const other = new Browser(worker);
    await other.logIn();
    await browser.logIn();
    await browser.logOut();
    expect((await other.open("/guilds")).status).toBe(200);
  });

  test.each([["works", 0], ["fails", 10]])(
    "ends in all browsers with a logout everywhere if the platform %s",
    async (_, times) => {
      const other = new Browser(worker);
      const cookies = [
        sessionCookieOf(await browser.logIn()),
        sessionCookieOf(await other.logIn()),
      ];
      const grace = new Browser(worker);
      await grace.logIn("grace");
      if (times > 0) {
        worker.fake.failNext({ path: "/oauth2/token/revoke", status: 500, times });
      }
      const response = await browser.logOut("/logout/everywhere");
      expect([response.status, locationOf(response)]).toEqual([303, `${origin}/`]);
      for (const cookie of cookies) await expectLoggedOut(cookie);
      expect(worker.fake.requests.some(({ path }) => path.endsWith("/revoke")))
        .toBe(true);
      expect((await grace.open("/guilds")).status).toBe(200);
      expectGuilds(await other.logIn());
      expect((await other.open("/guilds")).status).toBe(200);
    },
  );

  test.each(["/logout", "/logout/everywhere"])(
    "survives a request of another site to %s",
    async (path) => {
      await browser.logIn();
      const forms: Record<string, string>[] = [
        { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
        { "sec-fetch-site": "same-site", origin: "https://evil.app.example" },
        { "sec-fetch-site": "cross-site", origin },
        { origin: "https://evil.example" },
        { origin: "null" },
      ];
      for (const headers of forms) {
        const response = await browser.open(path, { method: "POST", headers });
        expectPage(response, 403, "You weren&#39;t logged out");
      }
      expect((await browser.open(path)).status).toBeGreaterThanOrEqual(404);
      expect((await browser.open("/guilds")).status).toBe(200);
    },
  );

  test("refreshes its token once for two simultaneous requests", async () => {
    const cookie = sessionCookieOf(await browser.logIn());
    worker.fake.advance(7 * 24 * 60 * 60 * 1000 + 1);
    const responses = await Promise.all(
      [1, 2].map(() => worker.send(`${origin}/guilds`, { headers: { cookie } })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(requestedGrants()).toEqual(["authorization_code", "refresh_token"]);
    expect(new Set(worker.tokens).size).toBe(4);
  });

  test("refreshes its token although the visitor has left", async () => {
    const cookie = sessionCookieOf(await browser.logIn());
    worker.fake.advance(7 * 24 * 60 * 60 * 1000 + 1);
    worker.fake.failNext({ path: "/oauth2/token", delay: 1000 });
    await worker.leave(`${origin}/guilds`, { cookie });
    await expect.poll(() => worker.tokens).toHaveLength(4);
    expect((await worker.send(`${origin}/guilds`, { headers: { cookie } })).status).toBe(200);
    expect(requestedGrants()).toEqual(["authorization_code", "refresh_token"]);
  });

  test("ends with a message if the person has removed the application from their account", async () => {
    await browser.logIn();
    const { id, secret } = sampleApplication;
    const api = new PlatformApi(id, secret, ["identify"], `${origin}/callback`, worker.fake);
    await api.revoke(worker.tokens[0] ?? "");
    const response = await browser.open("/guilds", { headers: { "sec-fetch-site": "cross-site" } });
    expectPage(response, 401, "You were logged out");
    expect(response.body).toContain('href="/login?returnTo=/guilds">Log in with Discord');
    expect((await browser.open("/")).body).toContain("Which guilds are you in?");
    expectGuilds(await browser.logIn());
    expect((await browser.open("/guilds")).status).toBe(200);
  });
});

describe("The Worker: its pages", () => {
  test("escape the names of people", async () => {
    const name = `<script>alert(1)</script>"'&`;
    worker.reset({
      users: [{ id: "1", username: "ada", global_name: name }, { id: "2", username: "grace" }],
      guilds: [{ id: "7", name, members: { "1": {} } }],
    });
    await browser.logIn();
    for (const path of ["/guilds", "/"]) {
      const { body } = await browser.open(path);
      expect(body).toContain("&#60;script&#62;alert(1)&#60;/script&#62;&#34;&#39;&#38;");
      expect(body).not.toContain("<script");
    }
  });

  test.each([
    ["429", { status: 429, body: { message: "slow", retry_after: 29.2 } }, 503, "Discord is busy"],
    ["500", { status: 500, times: 3 }, 502, "Discord isn&#39;t responding"],
  ])(
    "explain that the platform responded with %s",
    async (_, failure, status, title) => {
      await browser.logIn();
      worker.fake.failNext({ path: "/users/@me/guilds", ...failure });
      const response = await browser.open("/guilds");
      expectPage(response, status, title);
      expect(response.headers.get("retry-after")).toBe(status === 503 ? "30" : null);
      expect((await browser.open("/guilds")).status).toBe(200);
    },
  );

  test("may use their own style and nothing else", async () => {
    const nonces = [await browser.open("/"), await browser.open("/")].map(
      ({ headers, body }) => {
        const [, nonce = ""] = /<style nonce="([^"]+)">/.exec(body) ?? [];
        expect(headers.get("content-security-policy")).toContain(`style-src 'nonce-${nonce}';`);
        return nonce;
      },
    );
    expect(new Set(nonces).size).toBe(2);
  });

  test("return 404 at every other address", async () => {
    expectPage(await browser.open("/nothing"), 404, "There is nothing here");
    expectPage(await browser.open("/guilds", { method: "POST" }), 404, "There is nothing here");
  });

  test("serve HEAD without a body, and such a request neither starts nor finishes a login", async () => {
    const start = await browser.open("/login", { method: "HEAD" });
    expect([start.status, start.headers.getSetCookie()]).toEqual([405, []]);
    const callback = await decide(await browser.startLogin(), "authorize");
    expect((await browser.open(callback, { method: "HEAD" })).status).toBe(405);
    expectGuilds(await browser.comeBack(callback));
    for (const path of ["/", "/guilds"]) {
      const head = await browser.open(path, { method: "HEAD" });
      expect([head.status, head.body]).toEqual([200, ""]);
    }
  });

  test("redirect plain HTTP to HTTPS", async () => {
    const response = await browser.open("http://app.example/guilds?sort=name");
    expect([response.status, locationOf(response)]).toEqual([308, `${origin}/guilds?sort=name`]);
  });

  test.each<[string, Record<string, string | undefined>]>([
    ["clientSecret", { DISCORD_CLIENT_SECRET: undefined }],
    ["clientId", { DISCORD_CLIENT_ID: undefined }],
    ["clientId", { DISCORD_CLIENT_ID: "my-application" }],
    ["secret", { LOGIN_SECRET: "" }],
    ["secret", { LOGIN_SECRET: sessionSecret.slice(0, 31) }],
  ])(
    "do not name a wrong setting, but the log does: %s",
    async (name, bindings) => {
      await using unfinished = await startWorker(bindings);
      const response = await unfinished.send(`${origin}/login`);
      expectSecurityHeaders(response);
      expectPage(response, 500, "Something went wrong");
      await expect.poll(() => unfinished.log).toMatch(new RegExp(`TypeError: ${name} (must|is)`));
      expectNoSecret(unfinished, visibleTexts(unfinished));
    },
  );

  test("would fail these tests if they contained a secret", async () => {
    const cookie = sessionCookieOf(await browser.logIn());
    const secrets = [sessionSecret, sampleApplication.secret, cookie, ...worker.tokens];
    expect(secrets).toHaveLength(5);
    for (const secret of secrets) {
      expect(() => expectNoSecret(worker, `x${secret}x`)).toThrow();
    }
  });
});

/** Expects that the login has succeeded and leads to the guilds. */
function expectGuilds(response: WholeResponse): void {
  expect([response.status, locationOf(response)]).toEqual([302, `${origin}/guilds`]);
}

/** Expects a page that explains and offers a way on, without a redirect. */
function expectPage(response: WholeResponse, status: number, title: string): void {
  expect([response.status, response.headers.get("location")]).toEqual([status, null]);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.body).toContain(`<h1>${title}</h1>`);
  expect(response.body).toMatch(/<a [^>]*href="\//);
}

/** Expects that the callback was refused without a request to the platform. */
function expectNoLogin(response: WholeResponse): void {
  expectPage(response, 400, "This login can&#39;t be finished here");
  expect(requestedGrants()).toEqual([]);
  expect(response.headers.getSetCookie()).toEqual([]);
}

/** Expects that a session has ended: its cookie leads to a login. */
async function expectLoggedOut(cookie: string): Promise<void> {
  const response = await worker.send(`${origin}/guilds`, { headers: { cookie } });
  expect(response.status).toBe(302);
  expect(locationOf(response)).toContain("/oauth2/authorize?");
}

/** Returns the session cookie of a response, as the browser sends it back. */
function sessionCookieOf({ headers }: WholeResponse): string {
  const cookie = headers.getSetCookie().find((line) => line.startsWith("__Host-session="));
  return cookie?.replace(/;.*/, "") ?? "";
}

function expectSecurityHeaders({ status, headers }: WholeResponse): void {
  const isRedirect = status >= 300 && status < 400;
  expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
  if (isRedirect || status === 405) return;
  expect(headers.get("content-security-policy")).toMatch(
    /^default-src 'none';.* frame-ancestors 'none'$/,
  );
  expect(headers.get("content-security-policy")).not.toMatch(/unsafe|\*/);
  expect(Object.fromEntries(headers)).toMatchObject({
    "cache-control": "no-store",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
  });
}

/** Returns all texts that visitors and the developer see: bodies, headers without cookies, and the log. */
function visibleTexts({ responses, log }: RunningWorker): string {
  const parts = responses.map(({ headers, body }) => {
    const others = [...headers].filter(([name]) => name !== "set-cookie");
    return JSON.stringify(others) + body;
  });
  return [...parts, log].join("\n");
}

/** Expects that a text contains none of the Worker's secrets, the platform's tokens and codes, and session ids. */
function expectNoSecret({ fake, responses, tokens }: RunningWorker, text: string): void {
  const sent = fake.requests.flatMap(({ body }) => {
    const { code, code_verifier: verifier } = Object(body) as Record<
      string,
      string | undefined
    >;
    return [code, verifier];
  });
  const ids = responses.map((response) => sessionCookieOf(response).replace("__Host-session=", ""));
  const secrets = [sampleApplication.secret, sessionSecret, ...tokens, ...sent, ...ids];
  for (const secret of secrets) {
    if (secret) expect(text.includes(secret)).toBe(false);
  }
}

/** Returns the grant types of the requests for a token. */
function requestedGrants(): unknown[] {
  return worker.fake.requests
    .filter(({ path }) => path.endsWith("/oauth2/token"))
    .map(({ body }) => Object(body).grant_type);
}
