import { EncryptJWT } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { attemptKey } from "../../examples/cloudflare_worker/src/attempt.ts";
import type { Env } from "../../examples/cloudflare_worker/src/env.ts";
import { sampleApplication, sampleUsers } from "../../src/testing/mod.ts";
import { Browser, decide, locationOf } from "./support/browser.ts";
import {
  type Answer,
  cookieKey,
  origin,
  type RunningWorker,
  startWorker,
} from "./support/worker.ts";

let worker: RunningWorker;
let browser: Browser;

beforeAll(async () => {
  worker = await startWorker();
});

afterAll(async () => {
  await worker[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await worker.reset();
  browser = new Browser(worker);
});

// Every test is one about the headers and the secrets of all its answers, too.
afterEach(() => {
  for (const answer of worker.answers) expectSecurityHeaders(answer);
  expectNoSecrets(worker);
});

describe("The Worker: a login", () => {
  test("goes from the start over the consent page to who you are and your guilds", async () => {
    const start = await browser.open("/");
    expect(start.body).toContain('href="/login"');

    const login = await browser.open("/login");
    expect(login.status).toBe(303);
    const link = new URL(locationOf(login));
    expect(Object.fromEntries(link.searchParams)).toEqual({
      response_type: "code",
      client_id: sampleApplication.id,
      scope: "identify guilds",
      state: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${origin}/callback`,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });

    const callback = await browser.comeBack(await decide(link.href, "authorize"));
    expect([callback.status, locationOf(callback)]).toEqual([303, "/me"]);

    const me = await browser.open("/me", { from: "link elsewhere" });
    expect(me.status).toBe(200);
    expect(me.body).toContain("<h1>Ada Lovelace</h1>");
    expect(me.body).toMatch(/The Analytical Engine<\/strong>\s*<span class="quiet">You own it/);
    expect(me.body).toMatch(/Compiler Café<\/strong>\s*<span class="quiet">You are an administ/);
    expect(me.body).toMatch(/Night Sky<\/strong>\s*<span class="quiet">You manage it/);
    expect(me.body).toContain("Knitting &#38; &#60;Yarn&#62;");
    expect(me.headers.get("content-security-policy")).toContain(`img-src ${link.origin};`);
    expect((await browser.open("/")).body).toContain("Welcome back, Ada Lovelace");
  });

  test("is kept in a cookie of its own, that no other host can set, until it is finished", async () => {
    const [cookie = ""] = (await browser.open("/login")).headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-login-[\w-]{16}=[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(browser.cookieNames("/callback")).toHaveLength(1);
    await browser.comeBack(await decide(await browser.startLogin(), "authorize"));
    expect(browser.cookieNames("/callback")).toContain("__Host-session");
    expect(browser.cookieNames("/callback")).toHaveLength(2);
  });

  test("is kept in KV, and the browser has only a random id", async () => {
    const cookies = (await browser.logIn()).headers.getSetCookie();
    expect(cookies[0]).toMatch(
      /^__Host-session=[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; Secure; SameSite=Lax$/,
    );
    const id = /=([\w-]+)/.exec(cookies[0] ?? "")?.[1] ?? "";
    const [stored] = await sessions();
    expect(stored?.name).not.toContain(id);
    expect(stored?.value).toMatchObject({
      user: { username: "ada" },
      accessToken: expect.any(String),
    });
    const day = 24 * 60 * 60;
    expect(stored?.expiration).toBeGreaterThan(Date.now() / 1000 + day - 60);
    expect(stored?.expiration).toBeLessThan(Date.now() / 1000 + day + 60);
  });

  test("works in two tabs at once, whichever is finished first", async () => {
    const first = await browser.startLogin();
    const second = await browser.startLogin();
    expect(browser.cookieNames("/callback")).toHaveLength(2);

    const late = await browser.comeBack(await decide(second, "authorize", "ada"));
    expect([late.status, locationOf(late)]).toEqual([303, "/me"]);
    const early = await browser.comeBack(await decide(first, "authorize", "grace"));
    expect([early.status, locationOf(early)]).toEqual([303, "/me"]);
    expect((await browser.open("/me")).body).toContain("@grace");
    expect(browser.cookieNames("/callback")).toEqual(["__Host-session"]);
  });

  test("ends the session that was there before", async () => {
    await browser.logIn("ada");
    const [before] = await sessions();
    await browser.logIn("grace");
    const after = await sessions();
    expect(after.map(({ value }) => value.user.username)).toEqual(["grace"]);
    expect(after[0]?.name).not.toBe(before?.name);
  });
});

describe("The Worker: a login that ends in a page", () => {
  test("because the person refused", async () => {
    const callback = await browser.comeBack(await decide(await browser.startLogin(), "cancel"));
    expectProblem(callback, 403, "You said no");
    expect(browser.cookieNames("/callback")).toEqual([]);
    expect((await browser.logIn()).status).toBe(303);
  });

  test("because the callback was replayed", async () => {
    const callback = await decide(await browser.startLogin(), "authorize");
    expect((await browser.comeBack(callback)).status).toBe(303);
    const asked = tokenRequests();

    expectProblem(await browser.comeBack(callback), 400, "This login can&#39;t be finished");
    expect(tokenRequests()).toBe(asked);
    expect((await browser.open("/me")).status).toBe(200);
  });

  test("because its code was used, even when the cookie is there again", async () => {
    const callback = await decide(await browser.startLogin(), "authorize");
    const thief = new Browser(worker);
    for (const cookie of browser.jar.getCookiesSync(callback)) {
      thief.jar.setCookieSync(cookie, callback);
    }
    expect((await browser.comeBack(callback)).status).toBe(303);
    const replay = await thief.comeBack(callback);
    expectProblem(replay, 400, "This login can&#39;t be finished");
    expect(replay.body).toContain("used before");
    expect(thief.cookieNames("/")).toEqual([]);
  });

  test("because its state is forged", async () => {
    const callback = new URL(await decide(await browser.startLogin(), "authorize"));
    const state = callback.searchParams.get("state") ?? "";
    for (
      const forged of [state.slice(0, 16) + "A".repeat(27), state.slice(0, 42), "", "; =x"]
    ) {
      callback.searchParams.set("state", forged);
      await expectNoLogin(await browser.comeBack(callback.href));
    }
  });

  test("because it has no state, or two", async () => {
    const callback = new URL(await decide(await browser.startLogin(), "authorize"));
    const state = callback.searchParams.get("state") ?? "";
    callback.searchParams.append("state", state);
    await expectNoLogin(await browser.comeBack(callback.href));
    callback.searchParams.delete("state");
    await expectNoLogin(await browser.comeBack(callback.href));
  });

  test("because it was started in another browser", async () => {
    const foreign = await decide(await new Browser(worker).startLogin(), "authorize");
    await browser.startLogin();
    await expectNoLogin(await browser.comeBack(foreign));
  });

  test("because its cookie was planted from another subdomain", async () => {
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
    await expectNoLogin(await browser.comeBack(callback));
    expect((await attacker.comeBack(callback)).status).toBe(303);
  });

  test("because the cookie is gone", async () => {
    const callback = await decide(await browser.startLogin(), "authorize");
    browser.jar.removeAllCookiesSync();
    await expectNoLogin(await browser.comeBack(callback));
  });

  test("because the cookie is that of another tab, under this one's name", async () => {
    const callback = await decide(await browser.startLogin(), "authorize");
    await browser.startLogin();
    const [own, other] = browser.jar.getCookiesSync(callback);
    await expectNoLogin(await comeBackWith(`${own?.key}=${other?.value}`, callback));
    expect((await comeBackWith(`${own?.key}=${own?.value}`, callback)).status)
      .toBe(303);
  });

  test("because the cookie was tampered with, in whichever part", async () => {
    const callback = await decide(await browser.startLogin(), "authorize");
    const [cookie] = browser.jar.getCookiesSync(callback);
    const parts = cookie?.value.split(".") ?? [];
    expect(parts).toHaveLength(5);
    for (const at of parts.keys()) {
      const changed = parts.map((part, other) =>
        other === at ? (part.startsWith("A") ? "B" : "A") + part.slice(1) : part
      );
      await expectNoLogin(await comeBackWith(`${cookie?.key}=${changed.join(".")}`, callback));
    }
    expect((await comeBackWith(`${cookie?.cookieString()}`, callback)).status)
      .toBe(303);
  });

  test("because it took more than ten minutes, or its cookie never expires or has another key", async () => {
    const callback = await decide(await browser.startLogin(), "authorize");
    const state = new URL(callback).searchParams.get("state") ?? "";
    const key = await attemptKey({ COOKIE_KEY: cookieKey } as Env);
    const otherKey = await attemptKey({ COOKIE_KEY: `${cookieKey}!` } as Env);
    const now = Math.floor(Date.now() / 1000);
    const seal = (seal: Uint8Array, expiry: number | null): Promise<string> => {
      // The verifier is the wrong one, so that the platform refuses the attempt when the Worker does not.
      const jwt = new EncryptJWT({ state, codeVerifier: "v".repeat(43) })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" });
      return (expiry === null ? jwt : jwt.setExpirationTime(now + expiry))
        .encrypt(seal);
    };
    const comeBack = async (sealed: string): Promise<Answer> =>
      await comeBackWith(`__Host-login-${state.slice(0, 16)}=${sealed}`, callback);

    for (const sealed of [seal(key, -1), seal(key, null), seal(otherKey, 60)]) {
      await expectNoLogin(await comeBack(await sealed));
    }
    expect((await comeBack(await seal(key, 60))).body).toContain("Discord says");
    expect(tokenRequests()).toBe(1);
  });

  test.each([
    ["429", { status: 429, body: { message: "slow", retry_after: 29.2 } }, 503, "Discord is busy"],
    ["500", { status: 500 }, 502, "Discord did not answer as expected"],
    ["HTML", { body: "<html>" }, 502, "Discord did not answer as expected"],
    [
      "invalid_client",
      { status: 401, body: { error: "invalid_client" } },
      500,
      "This site is not set up right",
    ],
  ])(
    "because the platform answered the code with %s",
    async (_, failure, status, title) => {
      const callback = await decide(await browser.startLogin(), "authorize");
      worker.fake.failNext({ path: "/oauth2/token", ...failure });
      const answer = await browser.comeBack(callback);
      expectProblem(answer, status, title);
      expect(answer.headers.get("retry-after")).toBe(status === 503 ? "30" : null);
      expect(answer.body.includes("Try again in 30 seconds")).toBe(status === 503);
      expect(tokenRequests()).toBe(1);
      await expect.poll(() => worker.log).toContain("Error: ");
      expect(await sessions()).toEqual([]);
      expect((await browser.logIn()).status).toBe(303);
    },
  );

  test("because the platform told no more than that it failed", async () => {
    const { searchParams } = new URL(await browser.startLogin());
    const query = new URLSearchParams({
      error: "server_error",
      state: `${searchParams.get("state")}`,
    });
    expectProblem(await browser.comeBack(`/callback?${query}`), 502, "Discord has a problem");
  });

  test("because an error came along that is not of this login", async () => {
    const { searchParams } = new URL(await browser.startLogin());
    const state = `${searchParams.get("state")}`;
    for (const query of ["", "&state=", `&state=${state.slice(0, 16)}`, "&state=x"]) {
      await expectNoLogin(await browser.comeBack(`/callback?error=Call+1-800-evil${query}`));
    }
    await expectNoLogin(await browser.comeBack("/callback?error=access_denied"));
    // What was logged before this is there when this is.
    worker.fake.failNext({ path: "/oauth2/token", status: 500 });
    await browser.logIn();
    await expect.poll(() => worker.log).toContain("Error: ");
    expect(worker.log).not.toContain("evil");
  });
});

describe("The Worker: a session", () => {
  test("ends when it expires, even if KV still has it", async () => {
    await browser.logIn();
    const [stored] = await sessions();
    const { name = "", value } = stored ?? {};
    await worker.sessions.put(name, JSON.stringify({ ...value, expiresAt: Date.now() + 60_000 }));
    expect((await browser.open("/me")).status).toBe(200);
    await worker.sessions.put(name, JSON.stringify({ ...value, expiresAt: Date.now() - 1 }));
    expectProblem(await browser.open("/me"), 401, "You are not logged in");
    expect((await browser.open("/")).body).toContain('href="/login"');
  });

  test("lasts no longer than the token", async () => {
    await worker.reset({ tokenLifetime: 3600 });
    const [cookie] = (await browser.logIn()).headers.getSetCookie();
    expect(cookie).toContain("Max-Age=3600;");
    await worker.reset({ tokenLifetime: 10 });
    expect((await browser.logIn()).headers.getSetCookie()[0]).toContain("Max-Age=10;");
  });

  test("ends when somebody takes the application off their account", async () => {
    await browser.logIn();
    worker.fake.advance(7 * 24 * 60 * 60 * 1000 + 1);
    expectProblem(await browser.open("/me"), 401, "You are not logged in");
    expect(await sessions()).toEqual([]);
    expect(browser.cookieNames("/")).toEqual([]);
  });

  test("needs an id that was given out", async () => {
    await browser.logIn();
    for (
      const cookie of ["__Host-session=", "__Host-session=../x", "__Host-session=" + "A".repeat(43)]
    ) {
      expectProblem(
        await worker.send(`${origin}/me`, { headers: { cookie } }),
        401,
        "You are not logged in",
      );
    }
  });

  test("ends by logging out", async () => {
    await browser.logIn();
    const answer = await browser.logOut();
    expect([answer.status, locationOf(answer)]).toEqual([303, "/"]);
    expect(await sessions()).toEqual([]);
    expect(browser.cookieNames("/")).toEqual([]);
    expect((await browser.open("/me")).status).toBe(401);
    expect((await browser.logOut()).status).toBe(303);
  });

  test("is not ended by another site", async () => {
    await browser.logIn();
    const forms: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
      { "sec-fetch-site": "same-site", origin: "https://evil.app.example" },
      { "sec-fetch-site": "cross-site", origin },
      { origin: "https://evil.example" },
      { origin: "null" },
      {},
    ];
    for (const headers of forms) {
      const answer = await browser.open("/logout", { method: "POST", headers });
      expectProblem(answer, 403, "That came from another site", "/me");
    }
    expect((await browser.open("/logout")).status).toBe(405);
    expect((await browser.open("/me")).status).toBe(200);
    // Without Sec-Fetch-Site, as an old browser sends it from a page with a laxer Referrer-Policy.
    await browser.open("/logout", { method: "POST", headers: { origin } });
    expect((await browser.open("/me")).status).toBe(401);
  });

  test("is not sent along with another site's form", async () => {
    await browser.logIn();
    const headers = { "sec-fetch-site": "same-origin" };
    await browser.open("/logout", { method: "POST", from: "form elsewhere", headers });
    expect(await sessions()).toHaveLength(1);
  });
});

describe("The Worker: /me", () => {
  test("is JSON for a program", async () => {
    await browser.logIn();
    const answer = await browser.open("/me", { headers: { accept: "application/json" } });
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(JSON.parse(answer.body)).toMatchObject({
      user: { id: sampleUsers[0].id, username: "ada" },
      guilds: [{ name: "The Analytical Engine", owner: true }, {}, {}, {}],
    });
  });

  test("is a page for a browser, even one that takes JSON too", async () => {
    await browser.logIn();
    const answer = await browser.open("/me", { headers: { accept: "text/html,application/json" } });
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("tells a program what is wrong", async () => {
    const answer = await browser.open("/me", { headers: { accept: "application/json" } });
    expect([answer.status, answer.headers.get("content-type")])
      .toEqual([401, "application/problem+json"]);
    expect(JSON.parse(answer.body)).toEqual({
      status: 401,
      title: "You are not logged in",
      detail: expect.any(String),
    });
  });

  test("escapes what people call themselves", async () => {
    const name = `<script>alert(1)</script>"'&`;
    await worker.reset({
      users: [{ id: "1", username: "ada", global_name: name }, { id: "2", username: "grace" }],
      guilds: [{ id: "7", name, members: { "1": {} } }],
    });
    await browser.logIn();
    for (const path of ["/me", "/"]) {
      const { body } = await browser.open(path);
      expect(body).toContain("&#60;script&#62;alert(1)&#60;/script&#62;&#34;&#39;&#38;");
      expect(body).not.toContain("<script");
    }
    expect((await browser.open("/me")).body).toContain("1 guild<");
  });

  test.each([
    ["429", { status: 429, body: { message: "slow", retry_after: 29.2 } }, 503, "Discord is busy"],
    ["500", { status: 500, times: 3 }, 502, "Discord did not answer as expected"],
  ])(
    "explains that the platform answered with %s",
    async (_, failure, status, title) => {
      await browser.logIn();
      worker.fake.failNext({ path: "/users/@me/guilds", ...failure });
      const answer = await browser.open("/me");
      expectProblem(answer, status, title, "/me");
      expect(answer.headers.get("retry-after")).toBe(status === 503 ? "30" : null);
      expect((await browser.open("/me")).status).toBe(200);
    },
  );
});

describe("The Worker: everything else", () => {
  test("lets each page use its own style and nothing else", async () => {
    const nonces = [await browser.open("/"), await browser.open("/")].map(({ headers, body }) => {
      const [, nonce = ""] = /<style nonce="([^"]+)">/.exec(body) ?? [];
      expect(headers.get("content-security-policy")).toBe(
        `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'none'; form-action 'self'; ` +
          "base-uri 'none'; frame-ancestors 'none'",
      );
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
  });

  test("answers 404 and 405 where it should", async () => {
    expect((await browser.open("/nothing")).status).toBe(404);
    const answer = await browser.open("/me", { method: "POST" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await browser.open("/logout")).headers.get("allow")).toBe("POST");
    await browser.logIn();
    for (const path of ["/", "/me"]) {
      const head = await browser.open(path, { method: "HEAD" });
      expect([head.status, head.body]).toEqual([200, ""]);
    }
  });

  test("neither starts nor finishes a login when only its headers are asked for", async () => {
    const start = await browser.open("/login", { method: "HEAD" });
    expect([start.status, start.headers.get("allow")]).toEqual([405, "GET"]);
    expect(start.headers.getSetCookie()).toEqual([]);
    const callback = await decide(await browser.startLogin(), "authorize");
    const head = await browser.open(callback, { method: "HEAD" });
    expect([head.status, head.headers.get("allow")]).toEqual([405, "GET"]);
    expect(tokenRequests()).toBe(0);
    expect((await browser.comeBack(callback)).status).toBe(303);
  });

  test.each<[string, Record<string, string | undefined>]>([
    ["Not set: DISCORD_CLIENT_SECRET", { DISCORD_CLIENT_SECRET: undefined }],
    ["Not set: DISCORD_CLIENT_ID, COOKIE_KEY", { DISCORD_CLIENT_ID: undefined, COOKIE_KEY: "" }],
    ["COOKIE_KEY has less than 32 characters", { COOKIE_KEY: cookieKey.slice(0, 31) }],
    ["clientId must be", { DISCORD_CLIENT_ID: "my-application" }],
  ])("says in its log what is not set up: %s", async (told, bindings) => {
    await using unfinished = await startWorker(bindings);
    const answer = await unfinished.send(`${origin}/login`);
    expectSecurityHeaders(answer);
    expectProblem(answer, 500, "Something is wrong with this site");
    await expect.poll(() => unfinished.log).toContain(told);
    expectNoSecrets(unfinished);
  });

  test("would find a secret in an answer or in the log", async () => {
    await browser.logIn();
    const [stored] = await sessions();
    const leak = {
      url: "",
      status: 200,
      headers: new Headers(),
      body: `${stored?.value.accessToken}`,
    };
    expect(() => expectNoSecrets({ ...worker, answers: [leak], log: "", fake: worker.fake }))
      .toThrow();
    expect(() =>
      expectNoSecrets({ ...worker, answers: [], log: `x${cookieKey}x`, fake: worker.fake })
    ).toThrow();
  });
});

/** A page that explains, offers a new try, and sends nobody anywhere. */
function expectProblem(answer: Answer, status: number, title: string, next = "/login"): void {
  expect([answer.status, answer.headers.get("location")]).toEqual([status, null]);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(answer.body).toContain(`<h1>${title}</h1>`);
  expect(answer.body).toContain(`<a class="button" href="${next}">`);
}

/** A callback that was refused before the platform was asked anything. */
async function expectNoLogin(answer: Answer): Promise<void> {
  expectProblem(answer, 400, "This login can&#39;t be finished");
  expect(tokenRequests()).toBe(0);
  expect(await sessions()).toEqual([]);
}

function expectSecurityHeaders({ headers }: Answer): void {
  expect(headers.get("content-security-policy")).toMatch(
    /^default-src 'none';.* frame-ancestors 'none'$/,
  );
  expect(headers.get("content-security-policy")).not.toMatch(/unsafe|\*/);
  expect(Object.fromEntries(headers)).toMatchObject({
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "strict-transport-security": "max-age=31536000",
    "x-content-type-options": "nosniff",
  });
}

/** Whatever the platform was sent or gave out as a secret, and what the Worker was told as one. */
function expectNoSecrets({ fake, answers, log }: Pick<RunningWorker, "fake" | "answers" | "log">) {
  const sent = fake.requests.flatMap(({ body, headers }) => {
    const { code, code_verifier: verifier } = Object(body) as Record<
      string,
      string
    >;
    return [code, verifier, headers.authorization?.replace(/^\w+ /, "")];
  });
  const secrets = [sampleApplication.secret, cookieKey, ...sent.filter((secret) => secret != null)];
  const shown = log +
    answers.map(({ headers, body }) => JSON.stringify([...headers]) + body)
      .join("\n");
  for (const secret of secrets) expect(shown.includes(secret)).toBe(false);
}

interface StoredSession {
  readonly name: string;
  readonly expiration: number | undefined;
  readonly value: {
    readonly user: { readonly username: string };
    readonly accessToken: string;
  };
}

/** What KV holds for this test's platform. */
async function sessions(): Promise<StoredSession[]> {
  const { keys } = await worker.sessions.list();
  return await Promise.all(keys.map(async ({ name, expiration }) => ({
    name,
    expiration,
    value: JSON.parse(await worker.sessions.get(name) ?? "null"),
  })));
}

function tokenRequests(): number {
  return worker.fake.requests.filter(({ path }) => path.endsWith("/oauth2/token")).length;
}

async function comeBackWith(cookie: string, callback: string): Promise<Answer> {
  return await worker.send(callback, { headers: { cookie } });
}
