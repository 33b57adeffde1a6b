import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { PlatformApi, TokenObj, TokenSource, User } from "../../mod.ts";
import type { AnyLogin, Login, LoginErrorReason, LoginEvent } from "../../src/login/mod.ts";
import {
  CookieJar,
  createFakePlatform,
  type FakeActivityRequest,
  type FakeBrowser,
  nodeListener,
  sampleApplication,
  sampleGuilds,
} from "../../src/testing/mod.ts";
import type { SessionClient } from "../../src/browser/mod.ts";
import { clientOptions } from "../../src/http/options.ts";
import { postgresTable } from "../../src/stores/postgres.ts";
import { loginOptions } from "../../src/login/site/checked_options.ts";
import { pageFileEntryPoints } from "../../scripts/bundle_page_file.ts";
import type { ErrorCode } from "../../src/core/errors.ts";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { assertionCount, documentOf, removeBlocks, runBlock } from "../support/doc_blocks.ts";
import { freePort } from "../support/free_port.ts";
import { serveListener } from "../support/node_server.ts";
import * as sdk from "../support/sdk_on_fake_platform.ts";

const { clientId, clientSecret, fake, redirectUri } = sdk;

interface Application {
  default: { fetch(request: Request): Promise<Response> };
}

afterAll(removeBlocks);
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Expects an uncached page, and a logout that begins no login. */
async function expectNothingAfterLogout(
  browser: FakeBrowser,
  shown: string,
  url = "https://app.example/",
): Promise<void> {
  const page = await browser.open(url);
  expect(await page.text()).toBe(shown);
  expect(page.headers.get("cache-control")).toBe("no-store");
  const end = await browser.open(new URL("/logout", url).href, { method: "POST" });
  expect(await end.text()).toBe("You are logged out");
}

/** Returns the address behind the only button of a page. */
function buttonOf(page = ""): string {
  const [, href = ""] = /<a href="([^"]+)"/.exec(page) ?? [];
  return href.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
}

describe("docs/first_login.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/first_login.md");

  test("logs in with the settings of the environment", async () => {
    vi.stubEnv("DISCORD_CLIENT_ID", clientId);
    vi.stubEnv("DISCORD_CLIENT_SECRET", clientSecret);
    vi.stubEnv("LOGIN_SECRET", "random text of at least 32 characters");
    const { default: app } = await onFake<Application>(blockWith("// app.ts"));
    const browser = fake.browser(app.fetch, { as: "grace" });
    await expectNothingAfterLogout(browser, "Hello, grace");
    expect(blocks).toHaveLength(4);
  });

  test("leads a new person to a welcome page, others to their page, and a bot's guild to its page", async () => {
    const { code, ...block } = blockWith("// landing.ts");
    const known = code.replace("new Set<string>()", 'new Set(["1000000000000000001"])');
    expect(known).not.toBe(code);
    const { login } = await onFake<{ login: Login }>({ ...block, code: known });
    const pageAfter = async (as: string, start: (request: Request) => Promise<Response>) => {
      const jar = new CookieJar();
      const response = await start(jar.request("https://app.example/shop"));
      jar.store(response, "https://app.example");
      const link = response.headers.get("location") ?? "";
      const callback = await fake.authorize(link, { as });
      return (await login.finish(jar.request(callback))).returnTo;
    };
    expect(await pageAfter("grace", (request) => login.start(request))).toBe("/welcome");
    expect(await pageAfter("ada", (request) => login.start(request))).toBe("/shop");
    expect(await pageAfter("ada", (request) => login.start(request, { returnTo: "" }))).toBe(
      "/app",
    );
    const guildId = sampleGuilds[0].id;
    // The bot has this permission in the guild.
    const bot = { scope: ["bot"], permissions: ["view_channel"], guildId } as const;
    const addBot = (request: Request) => login.start(request, bot);
    expect(await pageAfter("ada", addBot)).toBe(`/guilds/${guildId}`);
  });

  test("quotes the errors of an empty environment", async () => {
    const guide = textOf("docs/first_login.md");
    const expectQuotedError = async (file: string, message: string) => {
      expect(guide).toContain(`**\`${message}\`**`);
      const block = { ...blockWith("// app.ts"), file: `first_login/${file}` };
      await expect(runBlock(block)).rejects.toThrow(message);
    };
    for (const name of ["DISCORD_CLIENT_ID", "DISCORD_PLATFORM", "LOGIN_SECRET"]) {
      vi.stubEnv(name, undefined);
    }
    await expectQuotedError("without_client_id.ts", "clientId must be digits");
    vi.stubEnv("DISCORD_CLIENT_ID", clientId);
    vi.stubEnv("DISCORD_CLIENT_SECRET", clientSecret);
    await expectQuotedError("without_secret.ts", "secret must be random text");
  });

  test("has the application of the README", () => {
    expect(documentOf("README.md").blocks.map(({ code }) => code))
      .toEqual([blockWith("// app.ts").code]);
  });

  test("logs in on the fake platform served on a port", async () => {
    let served = createFakePlatform();
    const listener = nodeListener((request) => served.handler(request));
    await using server = await serveListener(listener);
    served = createFakePlatform({ origin: server.origin });
    vi.stubEnv("DISCORD_CLIENT_ID", clientId);
    vi.stubEnv("DISCORD_CLIENT_SECRET", clientSecret);
    vi.stubEnv("LOGIN_SECRET", "random text of at least 32 characters");
    vi.stubEnv("DISCORD_PLATFORM", JSON.stringify(served.platform));
    const block = { ...blockWith("// app.ts"), file: "first_login/on_fake_platform.ts" };
    const { default: app } = await runBlock<Application>(block);
    const browser = served.browser(app.fetch, { as: "ada" });
    await expectNothingAfterLogout(browser, "Hello, ada", "http://localhost:3000/");
  });

  test("shows a page to every visitor", async () => {
    const { default: app } = await onFake<Application>(blockWith("returnTo=/"));
    const page = await app.fetch(new Request("https://app.example/"));
    expect(await page.text()).toContain("Log in with Discord");
    const { jar, url } = await fake.login(app.fetch, { as: "ada" });
    const response = await app.fetch(jar.request(url));
    expect(response.headers.get("cache-control")).toBe("no-store");
    const own = await response.text();
    expect(own).toContain('<form method="post" action="/logout">');
    expect(own).toContain("/avatars/1000000000000000001/");
    expect(own).toContain("Hello, Ada Lovelace");
  });

  test("escapes the name on the page", async () => {
    const { code, ...block } = blockWith("returnTo=/");
    const named = code.replace("user.global_name ?? user.username", `'<b title="it\\'s">&'`);
    expect(named).not.toBe(code);
    const { default: app } = await onFake<Application>({
      ...block,
      file: "first_login/escaped_name.ts",
      code: named,
    });
    const { jar, url } = await fake.login(app.fetch, { as: "ada" });
    expect(await (await app.fetch(jar.request(url))).text())
      .toContain("Hello, &#60;b title=&#34;it&#39;s&#34;&#62;&#38;\n");
  });
});

describe("docs/login_options.md", () => {
  test("has a row for every option of a Login, and no other", () => {
    const names = Object.keys({ ...clientOptions, ...loginOptions });
    const rows = [...textOf("docs/login_options.md").matchAll(/^\| `(\w+)`/gm)];
    expect(rows.map(([, name]) => name).sort()).toEqual(names.sort());
  });
});

describe("docs/metrics_and_audit_logs.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/metrics_and_audit_logs.md");

  test("writes the lines in the guide", async () => {
    const { login } = await onFake<{ login: Login }>(blockWith("// audit_log.ts"));
    const lines: string[] = [];
    vi.spyOn(console, "log").mockImplementation((line) => lines.push(line));
    const browser = await tryToEnter(login, "ada");
    await login.end(browser.jar.request("https://app.example/", { method: "POST" }), {
      allowCrossSite: true,
    });
    const withoutTime = (line: string) => line.replace(/"time":"[-\d]+T[:.\d]+Z"/, "");
    const [, shown = ""] =
      /^```json\n([^]*?)^```$/m.exec(textOf("docs/metrics_and_audit_logs.md")) ??
        [];
    const inLines = shown.split(/(?<=^\})\n/m).filter(Boolean)
      .map((text) => JSON.stringify(JSON.parse(text)));
    expect(lines.map(withoutTime)).toEqual(inLines.map(withoutTime));
    expect(blocks).toHaveLength(2);
  });

  test("counts logins, cancellations and ended sessions", async () => {
    const { default: app } = await onFake<Application>(blockWith("// metrics.ts"));
    const home = "https://app.example/";
    const ada = fake.browser(app.fetch, { as: "ada" });
    expect(await (await ada.open(home)).text()).toBe("Hello, ada");
    await ada.open(`${home}logout`, { method: "POST" });
    const callback = `${home}callback?state=unknown&code=unknown`;
    expect((await ada.open(callback)).status).toBe(400);
    const metrics = await (await ada.open(`${home}metrics`)).text();
    expect(metrics.split("\n").sort()).toEqual([
      "",
      'logins_failed_total{code="state_mismatch",status="400"} 1',
      'logins_started_total{purpose="login"} 1',
      'logins_total{purpose="login"} 1',
      'sessions_ended_total{cause="end"} 1',
    ]);
  });

  test("has a row for every kind of event, with its properties", () => {
    const properties: { readonly [Kind in LoginEvent["kind"]]: string } = {
      login_started: "purpose scopes",
      login_completed: "purpose scopes",
      login_refused: "purpose reason",
      login_failed: "purpose null code reason httpStatus pageStatus paths",
      logout_failed: "code reason httpStatus pageStatus",
      token_refreshed: "",
      token_refresh_failed: "code reason httpStatus isFinal",
      revocation_failed: "code reason httpStatus",
      request_held: "route outcome limit milliseconds",
      session_ended: "cause sessions",
    };
    const rows = textOf("docs/metrics_and_audit_logs.md").matchAll(
      /^\| `(\w+_\w+)` +\|[^|]*\|([^|]*)\|$/gm,
    );
    expect(
      Object.fromEntries([...rows].map(([, kind, cell = ""]) => [
        kind,
        [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name).join(" "),
      ])),
    ).toEqual(properties);
  });
});

describe("docs/mobile_apps.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/mobile_apps.md");

  /** Opens the consent page as a person, and returns the URL behind the button of the callback. */
  async function targetOf(login: AnyLogin, link: string, as: string): Promise<string> {
    const page = await login.handle(new Request(await fake.authorize(link, { as })));
    return buttonOf(await page?.text());
  }

  /** Sends JSON as an app does. */
  async function send(
    login: AnyLogin,
    body: object | undefined,
    { line = "POST /app", headers = {} } = {},
  ) {
    const [method = "", path = ""] = line.split(" ");
    const type = { "content-type": "application/json" };
    const init = { method, headers: { ...type, ...headers }, body: JSON.stringify(body) };
    const response = await login.handle(new Request(`https://app.example${path}`, init));
    return { status: response?.status, json: await response?.json() };
  }

  /** Returns the requests and responses in the guide, with their bodies. */
  function shownMessages(): readonly { readonly line: string; readonly body: object }[] {
    const [, text = ""] = /^```text\n([^]*?)^```$/m.exec(textOf("docs/mobile_apps.md")) ?? [];
    return text.split("\n").filter(Boolean).map((shown) => {
      const start = shown.indexOf("{");
      const json = shown.slice(start).replace("{…}, …", "{}");
      return { line: shown.slice(0, start).trim(), body: JSON.parse(json) };
    });
  }

  test("logs a person in to an app with a server by the requests that it shows", async () => {
    const { login } = await onFake<{ login: AnyLogin }>(blockWith("// app_server.ts"));
    const [begin, begun, finish, finished] = shownMessages();
    const { status, json } = await send(login, begin?.body, begin);
    expect(String(status)).toBe(begun?.line);
    expect(Object.keys(json)).toEqual(Object.keys(begun?.body ?? {}));
    const { protocol, searchParams } = new URL(await targetOf(login, json.url, "ada"));
    expect(protocol).toBe("com.example.app:");
    const [code, state] = [searchParams.get("code"), searchParams.get("state")];
    const values = { code, state, pending: json.pending };
    const shown = finish?.body as { finish: object };
    expect(Object.keys(shown.finish)).toEqual(Object.keys(values));
    const other = (await send(login, begin?.body)).json;
    for (const wrong of [{ state: other.state }, { pending: other.pending }, { state: null }]) {
      const refused = await send(login, { finish: { ...values, ...wrong } });
      expect(refused.status).toBe(400);
    }
    const end = await send(login, { finish: values }, finish);
    expect(String(end.status)).toBe(finished?.line);
    expect(Object.keys(end.json)).toEqual(Object.keys(finished?.body ?? {}));
    const headers = { authorization: `Bearer ${end.json.token}` };
    const request = () => new Request("https://app.example/", { headers });
    expect((await login.session(request()))?.user).toMatchObject({ username: "ada" });
    await login.handle(new Request("https://app.example/logout", { method: "POST", headers }));
    expect(await login.session(request())).toBeNull();
  });

  test("says right that a pending login works for ten minutes", async () => {
    const { login } = await onFake<{ login: AnyLogin }>(blockWith("// app_server.ts"));
    const [begin] = shownMessages();
    const { url, pending } = (await send(login, begin?.body)).json;
    const { searchParams } = new URL(await targetOf(login, url, "ada"));
    const values = { code: searchParams.get("code"), state: searchParams.get("state"), pending };
    vi.useFakeTimers({ now: Date.now() + 600_001 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await send(login, { finish: values })).status).toBe(400);
  });

  test.each([
    ["of a phone", null, "com.example.app:/login"],
    ["on a computer", null, "http://127.0.0.1:49152/login"],
    ["of pages, in Tauri", "tauri://localhost", "com.example.app:/login"],
  ])("logs a person in to an app %s by a SessionClient", async (_, origin, target) => {
    const { login } = await onFake<{ login: AnyLogin }>(blockWith("// app_server.ts"));
    let token: string | null = null;
    let refuses = true;
    vi.stubGlobal("keychain", {
      get: () => token,
      set: (value: string | null) => void (token = value),
    });
    vi.stubGlobal("openBrowser", async (url: string) => {
      if (!refuses) return await targetOf(login, url, "ada");
      const page = await login.handle(new Request(await fake.deny(url)));
      return buttonOf(await page?.text());
    });
    vi.stubGlobal("fetch", async (request: Request) => {
      if (origin !== null) request.headers.set("origin", origin);
      const response = await login.handle(request);
      if (response) {
        expect(response.headers.get("access-control-allow-origin")).toBe(origin);
        return response;
      }
      const session = await login.session(request);
      return Response.json(session?.user ?? { error: "login_required" });
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const file = `app/${target.length}_${origin?.length ?? 0}.ts`;
    const { logIn, session } = await runBlock<{
      logIn(target: string): Promise<void>;
      session: SessionClient;
    }>({ ...blockWith("// app_session.ts"), file });
    await expect(logIn(target)).rejects.toThrow("canceled");
    await expect(logIn("com.example.other:/login")).rejects.toThrow("appTargets");
    expect(token).toBeNull();
    refuses = false;
    await logIn(target);
    expect(token).toMatch(/^gps_/);
    expect(session.state).toMatchObject({ status: "logged_in", user: { username: "ada" } });
    expect(await (await session.fetch("/api/me")).json()).toMatchObject({ username: "ada" });
    await session.logOut();
    expect(token).toBeNull();
  });

  test("logs a person in to a browser extension", async () => {
    const extension = "abcdefghijklmnopabcdefghijklmnop";
    const target = `https://${extension}.chromiumapp.org/login`;
    const origin = `chrome-extension://${extension}`;
    const { code, ...block } = blockWith("// app_server.ts");
    const { login } = await onFake<{ login: AnyLogin }>({
      ...block,
      code: code.replace("com.example.app:/login", target)
        .replace("tauri://localhost", origin),
      file: "extension/server.ts",
    });
    const headers = { origin };
    const { url, pending } = (await send(login, { begin: { target } }, { headers })).json;
    const end = new URL(await targetOf(login, url, "ada"));
    expect(end.origin + end.pathname).toBe(target);
    const [given, state] = [end.searchParams.get("code"), end.searchParams.get("state")];
    const finish = { code: given, state, pending };
    const { session } = (await send(login, { finish }, { headers })).json;
    expect(session.user.username).toBe("ada");
  });

  test("logs a person in by a custom scheme, without a secret", async () => {
    const app = createFakePlatform({
      origin: "https://discord.com",
      applications: [{
        id: "1024000000000000000",
        secret: null,
        redirectUris: ["com.example.app:/callback"],
      }],
    });
    vi.stubGlobal("fetch", app.fetch);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { authUrl, api } = await runBlock<{ authUrl: sdk.AuthUrl; api: PlatformApi }>(
      blockWith("// public_client.ts"),
    );
    const login = { state: sdk.generateState(), codeVerifier: sdk.generateCodeVerifier() };
    const callback = await app.authorize(await authUrl.makeUrl(login), { as: "ada" });
    const { code } = sdk.parseCallback(callback, login);
    const token = await api.accessToken(code, login);
    expect(token.scopes).toEqual(["identify"]);
    expect((await api.refresh(token)).scopes).toEqual(["identify"]);
    expect(blocks).toHaveLength(3);
  });
});

describe("docs/sessions.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/sessions.md");

  test("names every method of a Login, or docs/logging_out.md does", () => {
    const names: Record<Exclude<keyof Login, "~session">, true> = {
      allows: true,
      end: true,
      endAll: true,
      endSession: true,
      finish: true,
      forget: true,
      handle: true,
      publicSession: true,
      revoke: true,
      session: true,
      sessionsOf: true,
      start: true,
      tokensOf: true,
      update: true,
    };
    const text = textOf("docs/sessions.md") + textOf("docs/logging_out.md");
    const words = new Set(text.match(/(?<=[`.])\w+/g));
    expect(Object.keys(names).filter((name) => !words.has(name))).toEqual([]);
  });

  test("knows the person who opens a WebSocket, and refuses pages of other sites", async () => {
    const { sessionOfWebSocket } = await runBlock<{
      sessionOfWebSocket(login: AnyLogin, incoming: unknown): Promise<{ user: unknown } | null>;
    }>(blockWith("// web_socket.ts"));
    const login = new sdk.Login({
      clientId,
      clientSecret,
      secret: sdk.secret,
      scope: ["identify"],
    });
    const { jar, url } = await fake.login(login.handle, { as: "ada" });
    const cookie = jar.request(url).headers.get("cookie");
    const opened = (origin: string, cookie: string | null) => {
      const headers = { host: "app.example", origin, cookie };
      const socket = { encrypted: true };
      return sessionOfWebSocket(login, { method: "GET", url: "/live", headers, socket });
    };
    expect(await opened("https://app.example", cookie)).toMatchObject({
      user: { username: "ada" },
    });
    expect(await opened("https://evil.example", cookie)).toBeNull();
    expect(await opened("https://app.example", null)).toBeNull();
  });

  test("lists the guilds with one request for ten pages", async () => {
    expect(blocks).toHaveLength(10);
    const { default: app } = await onFake<Application>(blockWith("// guilds.ts"));
    const { jar, url } = await fake.login(app.fetch, { as: "ada" });
    const path = "/users/@me/guilds";
    const reads = () => fake.requests.filter((request) => request.path.endsWith(path)).length;
    const before = reads();
    const pages = Array.from({ length: 10 }, () => app.fetch(jar.request(url)));
    for (const page of await Promise.all(pages)) {
      expect(page.headers.get("cache-control")).toBe("no-store");
      expect(await page.text()).toContain("The Analytical Engine");
    }
    expect(reads()).toBe(before + 1);
  });

  test("keeps the application's data, and changes it", async () => {
    const { default: app } = await onFake<Application>(blockWith("// settings.ts"));
    const browser = fake.browser(app.fetch, { as: "ada" });
    const ada = { id: "1000000000000000001", username: "ada", plan: "pro" };
    const home = "https://app.example/";
    expect(await (await browser.open(home)).json()).toEqual({ ...ada, theme: "light" });
    const headers = { origin: "https://other.example", "sec-fetch-site": "same-site" };
    const foreign = await browser.open(`${home}theme`, { method: "POST", headers });
    expect(foreign.status).toBe(403);
    expect(await (await browser.open(home)).json()).toEqual({ ...ada, theme: "light" });
    const changed = await browser.open(`${home}theme`, { method: "POST" });
    expect(await changed.json()).toEqual({ ...ada, theme: "dark" });
  });

  test("shows a page and its scripts the same session, without the e-mail address", async () => {
    const { default: app } = await onFake<Application>(blockWith("// public_session.ts"));
    const kim = "1000000000000000004";
    fake.update({ users: { [kim]: { username: "</script><script>alert(1)" } } });
    onTestFinished(() => fake.update({ users: { [kim]: { username: "kim" } } }));
    const browser = fake.browser(app.fetch, { as: kim });
    const read = async () => {
      const page = await (await browser.open("https://app.example/")).text();
      const [, embedded = ""] = /<script type="application\/json" id="session">(.*?)<\/script>/
        .exec(page) ?? [];
      const json = await (await browser.open("https://app.example/session")).json();
      expect(JSON.parse(embedded)).toEqual(json);
      return json;
    };
    expect(await read()).toBeNull();
    await browser.open("https://app.example/login");
    expect(await read()).toEqual({
      user: { id: kim, username: "</script><script>alert(1)" },
      scopes: ["identify", "email"],
      endsAt: expect.any(Number),
    });
  });
});

describe("docs/who_may_enter.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/who_may_enter.md");

  test("has only blocks run by these tests", () => {
    expect(blocks).toHaveLength(7);
  });

  test("keeps the sessions of two logins apart", async () => {
    const { default: app } = await onFake<Application>(blockWith("// two_logins.ts"));
    const ada = fake.browser(app.fetch, { as: "ada" });
    const home = "https://app.example/";
    expect(await (await ada.open(home)).text()).toBe("Hello, ada");
    const asked = await ada.open(`${home}owners`, { redirect: "manual" });
    expect(asked.headers.get("location")).toContain("%2Fowners%2Fcallback");
    expect(await (await ada.open(`${home}owners`)).text()).toBe("Hello, ada");
    await ada.open(`${home}owners/logout`, { method: "POST", redirect: "manual" });
    expect((await ada.open(home, { redirect: "manual" })).status).toBe(200);
    expect((await ada.open(`${home}owners`, { redirect: "manual" })).status).toBe(302);

    const grace = fake.browser(app.fetch, { as: "grace" });
    expect(await (await grace.open(home)).text()).toBe("Hello, grace");
    expect((await grace.open(`${home}owners`)).status).toBe(403);
    expect(await (await grace.open(home)).text()).toBe("Hello, grace");
  });

  test("lets members in, and logs out who has left within five minutes", async () => {
    const { default: app } = await onFake<Application>(blockWith("// members.ts"));
    const guildId = "1200000000000000002";
    const home = "https://app.example/";
    const outsider = await fake.browser(app.fetch, { as: "mallory" }).open(home);
    expect(outsider.status).toBe(403);
    expect(await outsider.text()).toContain("This site is for members");
    const browser = fake.browser(app.fetch, { as: "kim" });
    expect(await (await browser.open(home)).text()).toBe("Welcome to the club, kim");
    const members = { kim: {} };
    fake.update({ guilds: { [guildId]: { members: { kim: null } } } });
    onTestFinished(() => fake.update({ guilds: { [guildId]: { members } } }));
    expect((await browser.open(home)).status).toBe(200);
    vi.useFakeTimers({ toFake: ["Date", "performance"], now: Date.now() + 301_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await browser.open(home, { redirect: "manual" })).status).toBe(302);
  });

  test("names a server without both users of the fake platform", async () => {
    const [, id = ""] = /`(\d+)`, a server\s+without `ada` and `grace`/
      .exec(textOf("docs/who_may_enter.md")) ?? [];
    const { code, ...block } = blockWith("// members.ts");
    const { default: app } = await onFake<Application>({
      ...block,
      file: "who_may_enter/without_members.ts",
      code: code.replace("1200000000000000002", id),
    });
    for (const as of ["ada", "grace"]) {
      const page = await fake.browser(app.fetch, { as }).open("https://app.example/");
      expect([page.status, await page.text()])
        .toEqual([403, expect.stringContaining("This site is for members")]);
    }
  });

  test("reads roles with the token of a bot", async () => {
    const { rolesOf } = await onFake<{ rolesOf(userId: string): Promise<unknown> }>(
      blockWith("// bot.ts"),
    );
    expect(await rolesOf("1000000000000000001")).toEqual([]);
    expect(fake.requests.at(-1)?.path)
      .toBe("/api/v10/guilds/1200000000000000001/members/1000000000000000001");
    expect(await rolesOf("1000000000000000009")).toBeNull();
    fake.failNext({
      path: "/guilds/1200000000000000001/members/1000000000000000002",
      status: 403,
      body: { code: 50001 },
    });
    await expect(rolesOf("1000000000000000002")).rejects.toMatchObject({ httpStatus: 403 });
  });

  test("says right how a person leaves two logins on all devices", async () => {
    const common = {
      clientId,
      clientSecret,
      scope: ["identify"],
      secret: sdk.secret,
      store: new sdk.MemoryStore(),
    } as const;
    const people = new sdk.Login(common);
    const owners = new sdk.Login({
      ...common,
      name: "owners",
      loginPath: "/owners/login",
      callbackPath: "/owners/callback",
      logoutPath: "/owners/logout",
      redirectUri: "https://app.example/owners/callback",
    });
    const { jar } = await tryToEnter(people, "kim");
    const { jar: elsewhere } = await tryToEnter(owners, "kim");
    const request = () => jar.request("https://app.example/bye", { method: "POST" });
    const isOwnerElsewhere = async () =>
      await owners.session(elsewhere.request("https://app.example/owners")) !== null;
    await owners.end(request(), { everywhere: true });
    expect(await isOwnerElsewhere()).toBe(true);
    const session = await people.session(request());
    expect(people.allows(request())).toBe(true);
    await owners.endAll(Object(session?.user).id);
    await people.end(request(), { everywhere: true });
    expect(await isOwnerElsewhere()).toBe(false);
    expect(await people.session(request())).toBeNull();
  });

  test("says right that one login accepts the sessions refused by the onLogin of another one", async () => {
    const members = new sdk.Login({
      clientId,
      clientSecret,
      secret: sdk.secret,
      scope: ["identify", "guilds"],
    });
    const { login: owners } = await onFake<{ login: Login }>(blockWith("// owners.ts"));
    const { jar } = await tryToEnter(members, "kim");
    expect((await tryToEnter(owners, "kim")).status).toBe(403);
    expect(await owners.session(jar.request("https://app.example/"))).not.toBeNull();
  });

  test("is right: two logins of one host end each other's sessions", async () => {
    const scope = ["identify"] as const;
    const [one, other] = [sdk.generateState(), sdk.generateState()].map((secret) =>
      new sdk.Login({ clientId, clientSecret, scope, secret })
    );
    if (!one || !other) throw new Error("There are two logins");
    const { jar } = await tryToEnter(one, "ada");
    const request = () => jar.request("https://app.example/");
    expect(await one.session(request())).not.toBeNull();
    await tryToEnter(other, "ada", jar);
    expect(await one.session(request())).toBeNull();
    expect(await other.session(request())).not.toBeNull();
  });

  test.each([
    ["members", { ada: 302, grace: 302, kim: 302, mallory: 403 }],
    ["holders", { ada: 302, grace: 403, kim: 403, mallory: 403 }],
    ["owners", { ada: 302, grace: 302, kim: 403, mallory: 403 }],
  ])("accepts only %s", async (file, expected) => {
    const { login } = await onFake<{ login: Login }>(blockWith(`// ${file}.ts`));
    const found: Record<string, number> = {};
    for (const as of Object.keys(expected)) {
      const { status, jar } = await tryToEnter(login, as);
      found[as] = status;
      const session = await login.session(jar.request("https://app.example/"));
      expect(session !== null, as).toBe(status === 302);
    }
    expect(found).toEqual(expected);
  });

  test("distinguishes a person without the role from a platform that fails", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { login } = await onFake<{ login: Login }>(blockWith("// holders.ts"));
    fake.failNext({ path: "/users/@me/guilds/1200000000000000002/member", status: 500, times: 3 });
    expect((await tryToEnter(login, "ada")).status).toBe(502);
  });

  test("creates accounts, and refuses blocked persons, even after their login", async () => {
    const { login, accounts, accountOf } = await onFake<{
      login: Login;
      accounts: Map<string, object>;
      accountOf(request: Request): Promise<unknown>;
    }>(blockWith("// accounts.ts"));
    const { jar } = await tryToEnter(login, "ada");
    const request = jar.request("https://app.example/");
    const { id } = (await login.session(request))?.user ?? { id: "" };
    expect(await accountOf(request)).toEqual({
      discordId: id,
      name: "Ada Lovelace",
      isBlocked: false,
    });
    accounts.set(id, { discordId: id, isBlocked: true });
    expect(await accountOf(request)).toBeNull();
    expect((await tryToEnter(login, "ada")).status).toBe(403);
    expect(await accountOf(new Request("https://app.example/"))).toBeNull();
  });

  test("links each account to one other, and only for the person who began the login", async () => {
    const { login, linked, startLinking } = await onFake<{
      login: Login;
      linked: Map<string, string>;
      startLinking(request: Request): Promise<Response>;
    }>(blockWith("// linking.ts"));
    const settings = "https://app.example/settings/discord";
    const link = async (as: string, begins: string | null, ends = begins) => {
      const start = await startLinking(requestOf(settings, begins));
      if (start.status !== 302) return start.status;
      const jar = new CookieJar();
      jar.store(start, settings);
      const callback = await fake.authorize(start.headers.get("location") ?? "", { as });
      const { headers } = jar.request(callback);
      if (ends !== null) headers.set("x-account", ends);
      return (await login.handle(new Request(callback, { headers })))?.status;
    };
    expect(await link("ada", null)).toBe(401);
    expect(await link("ada", "first", "second")).toBe(403);
    expect(await link("ada", "first", null)).toBe(403);
    expect(linked.size).toBe(0);
    expect(await link("ada", "first")).toBe(303);
    expect(await link("ada", "first")).toBe(303);
    expect(await link("ada", "second")).toBe(409);
    expect([...linked.values()]).toEqual(["first"]);
  });
});

describe("docs/security.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/security.md");
  const home = "https://app.example/";
  const [older, newer] = [sdk.generateState(), sdk.generateState()];
  const loginWith = (options: object) =>
    new sdk.Login({ clientId, clientSecret, scope: ["identify"], secret: older, ...options });
  const isIn = async (login: AnyLogin, { headers }: Request) =>
    await login.session(new Request(home, { headers })) !== null;

  test("has only blocks run by these tests", () => {
    expect(blocks).toHaveLength(1);
  });

  test("names a test in the linked file for every attack", () => {
    const [attacks = ""] = /^\| Attack .*\n(?:\|.*\n)+/m.exec(textOf("docs/security.md")) ?? [];
    const [, , ...rows] = attacks.trim().split("\n");
    expect(rows.length).toBeGreaterThan(12);
    for (const row of rows) {
      const [, name = "", path = ""] = /\[([^\]]+)\]\(\.\.\/(tests\/[^)]+)\) +\|$/.exec(row) ?? [];
      const tests = textOf(path).match(/"(?:[^"\\]|\\.)*"/g) ?? [];
      expect(tests.some((text) => text.includes(name)), row).toBe(true);
    }
  });

  test("changes a secret without ending sessions and unfinished logins", async () => {
    const login = loginWith({});
    const { jar } = await tryToEnter(login, "ada");
    const unfinished = await consent(login, "grace");
    vi.stubEnv("LOGIN_SECRET", newer);
    vi.stubEnv("OTHER_LOGIN_SECRET", older);
    const { login: changed } = await onFake<{ login: Login }>(blockWith("// rotation.ts"));
    expect(await isIn(changed, jar.request(home))).toBe(true);
    expect((await changed.handle(unfinished))?.status).toBe(302);
    const { jar: later } = await tryToEnter(changed, "ada");
    expect(await isIn(loginWith({ secret: newer }), later.request(home))).toBe(true);
    expect(await isIn(loginWith({ secret: newer }), jar.request(home))).toBe(false);
    expect((await loginWith({ secret: newer }).handle(await consent(login, "grace")))?.status)
      .toBe(400);
  });

  test("is right: a session in a store outlives the secret", async () => {
    const store = new sdk.MemoryStore();
    const { jar } = await tryToEnter(loginWith({ store }), "ada");
    expect(await isIn(loginWith({ store, secret: newer }), jar.request(home))).toBe(true);
    expect(await isIn(loginWith({ store: new sdk.MemoryStore() }), jar.request(home))).toBe(false);
  });

  test("is right about logins that accept each other's sessions", async () => {
    const { jar } = await tryToEnter(loginWith({}), "ada");
    const owners = { onLogin: () => new Response("Owners only", { status: 403 }) };
    expect(await isIn(loginWith(owners), jar.request(home))).toBe(true);
    for (
      const other of [{ secret: newer }, { clientId: "1100000000000000009" }, { name: "owners" }]
    ) {
      expect(await isIn(loginWith({ ...owners, ...other }), jar.request(home))).toBe(false);
    }
  });

  test.each([
    ["without a store", () => ({}), true],
    ["with a store", () => ({ store: new sdk.MemoryStore() }), false],
  ])(
    "says right what a copied cookie is worth after a logout %s",
    async (_what, options, works) => {
      const login = loginWith(options());
      const { jar } = await tryToEnter(login, "ada");
      const copied = jar.request(home);
      const response = await login.handle(jar.request(`${home}logout`, { method: "POST" }));
      jar.store(response ?? new Response(), home);
      expect(await isIn(login, jar.request(home))).toBe(false);
      expect(await isIn(login, copied)).toBe(works);
    },
  );

  test("is right about the content of a copied store", async () => {
    const store = new sdk.MemoryStore();
    const saved: unknown[] = [];
    const login = loginWith({
      store: {
        load: store.load.bind(store),
        delete: store.delete.bind(store),
        save: (...args: Parameters<typeof store.save>) => {
          saved.push(args);
          return store.save(...args);
        },
      },
    });
    await tryToEnter(login, "ada");
    expect(JSON.stringify(saved)).not.toMatch(/1000000000000000001|\bada\b|Lovelace|access_token/);
    await login.endAll("1000000000000000001");
    expect(JSON.stringify(saved)).not.toContain("1000000000000000001");
  });

  test("is right: the pages show no text of an address", async () => {
    const login = loginWith({});
    const { url, headers } = await consent(login, "ada");
    const { searchParams } = new URL(url);
    const refusal = new URLSearchParams({
      error: "access_denied",
      error_description: "Call the owner",
      state: searchParams.get("state") ?? "",
    });
    const page = await login.handle(new Request(`${home}callback?${refusal}`, { headers }));
    expect(page?.status).toBe(403);
    expect(await page?.text()).not.toContain("Call the owner");
  });

  test.each([
    [["identify"], 400],
    [["identify", "role_connections.write", "openid"], 500],
  ])("is right about the value of a stolen code with %j", async (scope, expected) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const login = loginWith({ scope });
    const stolen = new URL((await consent(login, "ada")).url).searchParams.get("code") ?? "";
    const { url, headers } = await consent(login, "grace");
    const callback = new URL(url);
    callback.searchParams.set("code", stolen);
    expect((await login.handle(new Request(callback, { headers })))?.status).toBe(expected);
  });

  /** Begins a login, consents, and returns the request of the unopened callback. */
  async function consent(login: AnyLogin, as: string): Promise<Request> {
    const jar = new CookieJar();
    const start = await login.start(new Request(home));
    jar.store(start, home);
    return jar.request(await fake.authorize(start.headers.get("location") ?? "", { as }));
  }
});

describe("docs/activities.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/activities.md");

  test("logs in from the page, sends the token, and passes a refusal on", async () => {
    const { default: app, login } = await onFake<Application & { login: AnyLogin }>(
      blockWith("// activity.ts"),
    );
    const requests: Request[] = [];
    vi.stubGlobal("location", new URL("https://1024000000000000000.discordsays.com/"));
    vi.stubGlobal("fetch", async (request: Request) => {
      requests.push(request.clone());
      const { pathname } = new URL(request.url);
      // As the proxy sends it.
      return await app.fetch(new Request(`https://app.example${pathname}`, request));
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const { logIn, session } = await runBlock<{
      logIn(discordSdk: unknown): Promise<void>;
      session: SessionClient;
    }>(blockWith("// page.ts"));
    const hello = async () => await (await session.fetch("/api/hello")).text();
    expect(await (await app.fetch(new Request("https://app.example/"))).text()).toBe("Your page");
    expect(await hello()).toContain("login_required");
    expect(session.state.status).toBe("logged_out");
    const authenticate = vi.fn();
    const authorize = vi.fn((request: FakeActivityRequest) =>
      fake.authorizeActivity(request, { as: "ada" })
    );
    await logIn({ commands: { authorize, authenticate } });
    expect(await hello()).toBe("Hello, ada");
    const [{ access_token }] = authenticate.mock.calls[0] ?? [{}];
    expect((await new sdk.User(access_token).getCurrentUser()).username).toBe("ada");
    expect(await login.sessionsOf(session.state.user?.id ?? "")).toHaveLength(1);
    expect(requests.every(({ credentials }) => credentials === "omit")).toBe(true);
    authorize.mockRejectedValue(new Error("The person has refused"));
    await expect(logIn({ commands: { authorize, authenticate } })).rejects.toThrow("refused");
    expect(blocks).toHaveLength(2);
  });
});

describe("docs/single_page_apps.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/single_page_apps.md");

  interface Page {
    session: SessionClient;
    readColor(): Promise<string | null>;
    saveColor(color: string): Promise<void>;
  }

  /** Runs the page at an address in a browser with these cookies. */
  async function pageAt(address: string, jar: CookieJar, app: Application): Promise<Page> {
    const { origin } = new URL(address);
    vi.stubGlobal("location", Object.assign(new URL(address), { assign: vi.fn() }));
    vi.stubGlobal("document", { hidden: false });
    vi.stubGlobal("fetch", async (input: URL | Request, given?: RequestInit) => {
      const { url, method, body, credentials } = new Request(input, given);
      const init = { method, ...(body ? { body: await new Response(body).text() } : {}) };
      expect(credentials).toBe("include");
      const headers = { origin, "sec-fetch-site": "same-site", "sec-fetch-dest": "empty" };
      const response = await app.default.fetch(jar.request(url, { ...init, headers }));
      jar.store(response, url);
      // Otherwise a browser hides the response from the script.
      if (response.headers.get("access-control-allow-origin") !== origin) {
        throw new TypeError("CORS");
      }
      expect(response.headers.get("access-control-allow-credentials")).toBe("true");
      return response;
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    return await runBlock<Page>(blockWith("// page.ts"));
  }

  test("has only blocks run by these tests", () => {
    expect(blocks).toHaveLength(5);
  });

  test("names the person of a request to another backend", async () => {
    const { default: api } = await onFake<Application>(blockWith("// api.ts"));
    const { userOf } = await runBlock<{ userOf(request: Request): Promise<unknown> }>(
      blockWith("// other_backend.ts"),
    );
    vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
      const inner = url.replace("https://api.site.example", "http://login.internal:3000");
      return api.fetch(new Request(inner, init));
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const loginUrl = "https://api.site.example/login";
    const { jar } = await fake.login(api.fetch, { as: "ada", loginUrl });
    const page = "https://api.site.example/shop";
    expect(await userOf(jar.request(page))).toMatchObject({ username: "ada" });
    expect(await userOf(new Request(page))).toBeNull();
  });

  interface PopupScript {
    logInByPopup(): Promise<void>;
    endPopup(): void;
  }

  test("logs in by a popup that tells the page its end", async () => {
    const { default: api } = await onFake<Application>(blockWith("// api.ts"));
    const jar = new CookieJar();
    vi.stubGlobal("location", { href: "https://app.site.example/settings" });
    const body = { textContent: "" };
    vi.stubGlobal("document", { body });
    const { logInByPopup, endPopup } = await runBlock<PopupScript>(blockWith("// popup.ts"));
    const open = vi.fn((_url: string) => ({}));
    vi.stubGlobal("open", open);
    const close = vi.fn();
    vi.stubGlobal("close", close);
    onTestFinished(() => void vi.unstubAllGlobals());
    const ended = logInByPopup();
    const [[loginUrl = ""] = []] = open.mock.calls;
    const { url } = await fake.login(api.fetch, { as: "ada", jar, loginUrl });
    expect(url).toBe("https://app.site.example/logged_in");
    endPopup();
    await ended;
    expect(close).toHaveBeenCalledOnce();
    expect(body.textContent).toBe("You are logged in. You can close this window.");
  });

  test("logs in within the page if the browser blocks the popup", async () => {
    const assign = vi.fn((_url: string) => {});
    const href = "https://app.site.example/settings?tab=2";
    vi.stubGlobal("location", { href, assign });
    vi.stubGlobal("open", () => null);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { logInByPopup, endPopup } = await runBlock<PopupScript>(blockWith("// popup.ts"));
    const ended = logInByPopup();
    const [[loginUrl = ""] = []] = assign.mock.calls;
    expect(new URL(loginUrl).searchParams.get("returnTo")).toBe(href);
    vi.stubGlobal("close", () => {});
    vi.stubGlobal("document", { body: {} });
    endPopup();
    await ended;
  });

  test("logs in and out, and saves, from a page on another origin", async () => {
    const app = await onFake<Application>(blockWith("// api.ts"));
    const jar = new CookieJar();
    const address = "https://app.site.example/settings?tab=2#colors";
    const page = await pageAt(address, jar, app);
    const { session } = page;
    expect((await session.refresh()).status).toBe("logged_out");
    session.logIn();
    const loginUrl = String(vi.mocked(location.assign).mock.calls[0]?.[0]);
    expect((await fake.login(app.default.fetch, { as: "ada", jar, loginUrl })).url).toBe(address);
    expect((await session.refresh()).user?.username).toBe("ada");
    expect(await page.readColor()).toBeNull();
    await page.saveColor("green");
    expect(await page.readColor()).toBe("green");
    await session.logOut();
    expect(session.state.status).toBe("logged_out");
    await expect(page.readColor()).rejects.toThrow("401");
    expect((await session.refresh()).status).toBe("logged_out");
  });

  test("refuses the write of a sibling site, and leads from the API to the page", async () => {
    const app = await onFake<Application>(blockWith("// api.ts"));
    const api = "https://api.site.example";
    const { jar } = await fake.login(app.default.fetch, { as: "ada", loginUrl: `${api}/login` });
    const write = async (origin: string) => {
      const headers = { origin, "sec-fetch-site": "same-site" };
      const init = { method: "PUT", body: "red", headers };
      return (await app.default.fetch(jar.request(`${api}/color`, init))).status;
    };
    expect(await write("https://blog.site.example")).toBe(403);
    expect(await write("https://app.site.example")).toBe(200);
    const preflight = await app.default.fetch(new Request(`${api}/color`, { method: "OPTIONS" }));
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, PUT");
    const home = await app.default.fetch(jar.request(`${api}/`));
    expect(home.headers.get("location")).toBe("https://app.site.example/");
  });

  test("logs in across sites through a proxy", async () => {
    const { code, ...block } = blockWith("// api.ts");
    const behindProxy = code
      .replace("https://api.site.example/callback", "https://app.example/callback")
      .replace("frontends: [frontend],", "");
    const api = await onFake<Application>({ ...block, code: behindProxy, file: "spa/behind.ts" });
    vi.stubGlobal("fetch", async (request: Request, init: RequestInit) => {
      expect(new URL(request.url).origin).toBe("https://api.other.example");
      return await api.default.fetch(new Request(request, init));
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const { default: proxy } = await runBlock<Application>(blockWith("// proxy.ts"));
    const { jar, url } = await fake.login(proxy.fetch, { as: "ada", returnTo: "/page" });
    expect(url).toBe("https://app.example/page");
    const open = (path: string, init?: RequestInit) =>
      proxy.fetch(jar.request(`https://app.example${path}`, init));
    const headers = { origin: "https://app.example", "sec-fetch-site": "same-origin" };
    expect((await open("/color", { method: "PUT", body: "blue", headers })).status).toBe(200);
    expect(await (await open("/me")).json()).toEqual({ username: "ada", color: "blue" });
    expect(await (await open("/page")).text()).toBe("Your page");
  });
});

describe("docs/linked_roles.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/linked_roles.md");

  test("registers the numbers of an application", async () => {
    const { register } = await onFake<{ register(): Promise<unknown> }>(
      blockWith("// register.ts"),
    );
    expect(await register()).toMatchObject([{ key: "cards_punched", type: 2 }]);
    expect(blocks).toHaveLength(4);
  });

  test("connects a person at the address opened by Discord, without PKCE", async () => {
    const { default: app, cards } = await onFake<Application & { cards: Map<string, number> }>(
      blockWith("// roles.ts"),
    );
    const user = new sdk.User(
      fake.issueToken({ as: "ada", scopes: ["role_connections.write"] }).access_token,
    );
    cards.set("1000000000000000001", 1843);
    const loginUrl = "https://app.example/login";
    const { url, jar } = await fake.login(app.fetch, { as: "ada", loginUrl });
    expect(await (await app.fetch(jar.request(url))).text()).toMatch(/^You are connected/);
    expect(await user.getRoleConnection(clientId)).toMatchObject({
      platform_username: "ada",
      metadata: { cards_punched: "1843" },
    });
    const { headers } = await app.fetch(new Request(loginUrl));
    expect(headers.get("location")).not.toContain("code_challenge");
    // Without a state, the callback is not such an address.
    expect((await app.fetch(new Request("https://app.example/callback"))).status).toBe(400);
  });

  test("connects a logged-in person on its own page", async () => {
    const { default: app } = await onFake<Application>(blockWith("// on_demand.ts"));
    const browser = fake.browser(app.fetch, { as: "grace" });
    const hello = await browser.open("https://app.example/");
    expect(await hello.text()).toBe("Hello, grace");
    const page = await browser.open("/roles");
    expect(browser.url).toBe("https://app.example/roles");
    expect(await page.text()).toMatch(/^You are connected/);
    const scopes = ["role_connections.write"];
    const grace = new sdk.User(fake.issueToken({ as: "grace", scopes }).access_token);
    expect(await grace.getRoleConnection(clientId)).toMatchObject({
      metadata: { cards_punched: "120" },
    });
    // Discord opens the page for logged-out persons too.
    const visitor = fake.browser(app.fetch, { as: "ada" });
    const response = await visitor.open("https://app.example/roles");
    expect(await response.text()).toMatch(/^You are connected/);
  });
});

describe("docs/asking_for_more.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/asking_for_more.md");

  test("keeps the data of a session after a further consent of the same person only", async () => {
    const { login } = await onFake<{ login: Login<"identify", { id: string; theme: string }> }>(
      blockWith("// theme.ts"),
    );
    const browser = fake.browser(async (request) => {
      const session = await login.session(request);
      if (session && request.method === "POST") {
        const headers = await login.update(request, { ...session.user, theme: "dark" });
        return new Response(null, { headers });
      }
      return await login.handle(request) ??
        (session && !request.url.endsWith("/more")
          ? Response.json(session.user)
          : await login.start(request, { scope: ["connections"], returnTo: "/" }));
    }, { as: "ada" });
    const themeAt = async (path: string) =>
      (await (await browser.open(`https://app.example${path}`)).json()).theme;
    expect(await themeAt("/")).toBe("light");
    await browser.open("/", { method: "POST" });
    expect(await themeAt("/more")).toBe("dark");
    const again = await browser.open("/login", { redirect: "manual" });
    const consent = again.headers.get("location") ?? "";
    await browser.open(await fake.authorize(consent, { as: "grace" }));
    expect(await themeAt("/")).toBe("light");
  });

  test("shows the connections of a person after their consent", async () => {
    expect(blocks).toHaveLength(2);
    const { default: app } = await onFake<Application>(blockWith("// profile.ts"));
    const browser = fake.browser(app.fetch, { as: "ada" });
    await browser.open("https://app.example/");
    const before = await browser.open("/profile");
    expect(await before.text()).toContain('href="/profile/connect"');
    const after = await browser.open("/profile/connect");
    expect(browser.url).toBe("https://app.example/profile");
    expect(await after.json()).toEqual(["github: ada-lovelace"]);
  });
});

test("docs/linked_roles.md sends new numbers in the background, and lists the people who have to connect again", async () => {
  const { blockWith, onFake } = documentOf("docs/linked_roles.md");
  const { login, cards } = await onFake<{ login: AnyLogin; cards: Map<string, number> }>(
    blockWith("// roles.ts"),
  );
  const { sendNumbers } = await onFake<{ sendNumbers(): Promise<string[]> }>(
    blockWith("// nightly.ts"),
  );
  const [ada, grace] = ["1000000000000000001", "1000000000000000002"];
  const { jar } = await tryToEnter(login, "ada");
  await login.end(jar.request("https://app.example/", { method: "POST" }));
  cards.clear();
  for (const [userId, count] of [[ada, 2000], [grace, 7]] as const) cards.set(userId, count);
  expect(await sendNumbers()).toEqual([grace]);
  const user = new sdk.User(login.tokensOf(ada));
  expect(await user.getRoleConnection(clientId)).toMatchObject({
    metadata: { cards_punched: "2000" },
  });
  // A secret that can't open the token is a mistake in the settings.
  const load = vi.spyOn(sdk.MemoryStore.prototype, "load");
  load.mockResolvedValue({ value: "sealed with another secret", version: "1" });
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await sendNumbers()).toEqual([]);
  expect(log).toHaveBeenCalledTimes(2);
  load.mockRestore();
  log.mockRestore();
  await fake.removeApplication({ as: "ada" });
  expect(await sendNumbers()).toEqual([ada, grace]);
  await tryToEnter(login, "ada");
  expect(await sendNumbers()).toEqual([grace]);
});

test("docs/linked_roles.md stops its job at an outage and at its time limit", async () => {
  const { blockWith, onFake } = documentOf("docs/linked_roles.md");
  const { login, cards } = await onFake<{ login: AnyLogin; cards: Map<string, number> }>(
    blockWith("// roles.ts"),
  );
  const { sendNumbers } = await onFake<{ sendNumbers(signal?: AbortSignal): Promise<string[]> }>(
    blockWith("// nightly.ts"),
  );
  cards.clear();
  for (const as of ["ada", "grace", "mallory", "kim"]) await tryToEnter(login, as);
  for (let id = 1; id <= 4; id++) cards.set(`100000000000000000${id}`, id);
  vi.spyOn(console, "error").mockImplementation(() => {});
  const path = `/users/@me/applications/${clientId}/role-connection`;
  const sent = () => fake.requests.filter((request) => request.path.endsWith(path)).length;
  const before = sent();
  const stop = fake.failNext({ path, status: 503, times: 4 });
  await expect(sendNumbers()).rejects.toMatchObject({ httpStatus: 503 });
  expect(sent()).toBe(before + 3);
  stop();
  // A limit of one person stops no job.
  const headers = { "retry-after": "60", "x-ratelimit-scope": "user" };
  const end = fake.failNext({ path, status: 429, headers, times: 4 });
  expect(await sendNumbers()).toEqual([]);
  expect(sent()).toBe(before + 7);
  end();
  // An error of the database stops it too.
  const tokensOf = vi.spyOn(login, "tokensOf").mockImplementation(() => {
    throw new Error("connect ECONNREFUSED");
  });
  await expect(sendNumbers()).rejects.toThrow("ECONNREFUSED");
  expect(tokensOf).toHaveBeenCalledTimes(3);
  tokensOf.mockRestore();
  await expect(sendNumbers(AbortSignal.abort(new Error("The night is over"))))
    .rejects.toThrow("The night is over");
  expect(sent()).toBe(before + 7);
});

describe("docs/keeping_people_logged_in.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/keeping_people_logged_in.md");

  test("waits as the errors say, and gives up after some tries", async () => {
    expect(blocks).toHaveLength(2);
    const { tokenInTime } = await runBlock<
      { tokenInTime(source: Pick<TokenSource, "token">, tries?: number): Promise<unknown> }
    >(blockWith("// token_in_time.ts"));
    const limited = new sdk.RateLimitError("limited", { httpStatus: 429, retryAfter: 0.01 });
    const token = vi.fn().mockRejectedValueOnce(limited).mockResolvedValue("token");
    expect(await tokenInTime({ token })).toBe("token");
    token.mockClear().mockRejectedValue(limited);
    await expect(tokenInTime({ token }, 3)).rejects.toBe(limited);
    expect(token).toHaveBeenCalledTimes(3);
    const final = new sdk.LoginRequiredError("gone", { reason: "no_token" });
    token.mockClear().mockRejectedValue(final);
    await expect(tokenInTime({ token })).rejects.toBe(final);
    expect(token).toHaveBeenCalledOnce();
  });

  test("reads with the token of an absent person", async () => {
    const { login, countGuilds } = await onFake<
      { login: AnyLogin; countGuilds(userId: string): Promise<number> }
    >(blockWith("// job.ts"));
    const { jar } = await tryToEnter(login, "ada");
    await login.end(jar.request("https://app.example/", { method: "POST" }));
    expect(await countGuilds("1000000000000000001")).toBeGreaterThan(1);
  });
});

describe("docs/logging_out.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/logging_out.md");

  test("lists the devices of a person, and ends the session of one", async () => {
    const { default: app } = await onFake<Application>(blockWith("// devices.ts"));
    const address = "https://app.example/devices";
    const visit = async (agent: string) => {
      const browser = fake.browser(app.fetch, { as: "ada" });
      const page = await browser.open(address, { headers: { "user-agent": agent } });
      return { browser, page: await page.text() };
    };
    const phone = await visit("Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36");
    expect(phone.page).toContain("<li>Chrome on Android, since ");
    const { browser, page } = await visit("Mozilla/5.0 (Windows NT) Chrome/140.0 Edg/140.0");
    const items = page.split("<li>").slice(1);
    expect(items.map((item) => item.split(",")[0])).toEqual([
      "Edge on Windows",
      "Chrome on Android",
    ]);
    expect(items.map((item) => item.includes("This device"))).toEqual([true, false]);
    const [, id = ""] = /value="([^"]+)"/.exec(page) ?? [];
    const send = async (origin: string) => {
      const body = new URLSearchParams({ session: id });
      return await browser.open(address, { method: "POST", body, headers: { origin } });
    };
    expect((await send("https://evil.example")).status).toBe(403);
    expect(await (await send("https://app.example")).text()).not.toContain("Android");
    expect((await phone.browser.open(address, { redirect: "manual" })).status).toBe(302);
    const other = await visit("");
    expect(other.page).toContain("<li>Browser on another system, since ");
  });

  test("logs out on all devices", async () => {
    expect(blocks).toHaveLength(4);
    const { default: app } = await onFake<Application>(blockWith("// log_out_everywhere.ts"));
    const [one, other] = [
      await fake.login(app.fetch, { as: "ada", loginUrl: "https://app.example/login" }),
      await fake.login(app.fetch, { as: "ada", loginUrl: "https://app.example/login" }),
    ];
    const page = await (await app.fetch(one.jar.request("https://app.example/"))).text();
    expect(page).toContain('action="/logout/everywhere"');
    const revocations = () => fake.requests.filter(({ path }) => path.endsWith("/revoke")).length;
    const before = revocations();
    const logOut = (jar: CookieJar) =>
      app.fetch(jar.request("https://app.example/logout/everywhere", {
        method: "POST",
        headers: { origin: "https://app.example" },
      }));
    expect((await logOut(one.jar)).headers.get("location")).toBe("https://app.example/");
    expect(revocations()).toBe(before + 1);
    // The session of the other browser has ended too, and has no token to revoke.
    expect((await logOut(other.jar)).status).toBe(303);
    expect(revocations()).toBe(before + 1);
  });

  test("deletes an account, with the person's data at Discord and their tokens", async () => {
    const { login, accounts, deleteAccount } = await onFake<{
      login: AnyLogin;
      accounts: Map<string, unknown>;
      deleteAccount(request: Request): Promise<Response>;
    }>(blockWith("// delete_account.ts"));
    const enter = async () => {
      const { jar } = await tryToEnter(login, "ada");
      return (origin: string) =>
        jar.request("https://app.example/account/delete", { method: "POST", headers: { origin } });
    };
    const request = await enter();
    expect((await deleteAccount(request("https://evil.example"))).status).toBe(403);
    expect(accounts.size).toBe(1);
    const since = fake.requests.length;
    expect((await deleteAccount(request("https://app.example"))).status).toBe(303);
    expect(fake.requests.slice(since).map(({ method, path }) => `${method} ${path}`)).toEqual([
      `DELETE /api/v10/users/@me/applications/${clientId}/role-connection`,
      "POST /api/v10/oauth2/token/revoke",
    ]);
    expect(accounts.size).toBe(0);
    expect(await login.session(request("https://app.example"))).toBeNull();

    const again = await enter();
    const path = `/users/@me/applications/${clientId}/role-connection`;
    fake.failNext({ path, status: 503 });
    await expect(deleteAccount(again("https://app.example"))).rejects.toMatchObject({
      httpStatus: 503,
    });
    expect(accounts.size).toBe(1);
    fake.removeApplication({ as: "ada", clientId });
    expect((await deleteAccount(again("https://app.example"))).status).toBe(303);
    expect(accounts.size).toBe(0);
  });
});

describe("docs/inviting_a_bot.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/inviting_a_bot.md");

  test("has only blocks run by these tests", () => {
    expect(blocks).toHaveLength(6);
  });

  test.each([["link", 1], ["person", 3]])("builds the links of %s.ts", async (file, count) => {
    const block = blockWith(`// ${file}.ts`);
    expect(assertionCount(block)).toBe(count);
    await runBlock(block);
  });

  test("lists the missing permissions until a person has opened the link", async () => {
    const { whatIsMissing } = await onFake<{
      whatIsMissing(): Promise<{ guild: string; missing: string[]; url: string }[]>;
    }>(blockWith("// missing.ts"));
    const [found, ...others] = await whatIsMissing();
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      guild: sampleGuilds[0].name,
      missing: ["send_messages", "embed_links"],
    });
    await fake.authorize(found?.url ?? "", { as: "ada" });
    expect(await whatIsMissing()).toEqual([]);
  });

  test("adds the bot from the page of a server, and verifies it at Discord", async () => {
    const { default: app } = await onFake<Application>(blockWith("// dashboard.ts"));
    const browser = fake.browser(app.fetch, { as: "ada" });
    const [, guild] = sampleGuilds;
    const page = `https://app.example/guilds/${guild.id}`;
    const before = await browser.open(page);
    expect(await before.text()).toMatch(/^The bot is not here/);
    // An address with a guild proves nothing.
    const claimed = await browser.open(`${page}?guild_id=${guild.id}`);
    expect(await claimed.text()).toMatch(/^The bot is not here/);
    const after = await browser.open(`${page}/add`);
    expect(browser.url).toBe(page);
    expect(await after.text()).toMatch(/^The bot is here/);
    expect((await browser.open("https://app.example/guilds/7")).status).toBe(404);
  });

  test("stops at once when the person no longer manages the server", async () => {
    const { default: app } = await onFake<Application>(blockWith("// dashboard.ts"));
    const browser = fake.browser(app.fetch, { as: "ada" });
    const [, { id }] = sampleGuilds;
    expect((await browser.open(`https://app.example/guilds/${id}`)).status).toBe(200);
    onTestFinished(() =>
      fake.update({ guilds: { [id]: { members: { ada: { permissions: "8" } } } } })
    );
    fake.update({ guilds: { [id]: { members: { ada: { permissions: "0" } } } } });
    expect((await browser.open(`/guilds/${id}`)).status).toBe(404);
  });

  test("requests the right permissions in the right server", async () => {
    const { default: app } = await onFake<Application>(blockWith("// dashboard.ts"));
    const browser = fake.browser(app.fetch, { as: "ada" });
    const [{ id }] = sampleGuilds;
    await browser.open(`https://app.example/guilds/${id}`);
    const start = await browser.open(`/guilds/${id}/add`, { redirect: "manual" });
    const { searchParams } = new URL(start.headers.get("location") ?? "");
    expect(Object.fromEntries(searchParams)).toMatchObject({
      scope: "identify guilds bot",
      permissions: "3072",
      guild_id: id,
      disable_guild_select: "true",
    });
  });

  test("sets the role that may use a command, for the managers of the server alone", async () => {
    const { default: app } = await onFake<Application>(blockWith("// command_settings.ts"));
    const guildId = sampleGuilds[0].id;
    const bot = new sdk.User(sdk.botToken, { tokenType: "Bot" });
    const { id: commandId } = await bot.request<{ id: string }>(
      "POST",
      "/applications/{clientId}/commands",
      { path: { clientId }, json: { name: "weave", description: "Weaves" } },
    );
    const everyone = { id: guildId, name: "@everyone" };
    const roles = [everyone, { id: "1300000000000000009", name: "<Weavers>" }];
    fake.update({ guilds: { [guildId]: { roles } } });
    onTestFinished(() => fake.update({ guilds: { [guildId]: { roles: [everyone] } } }));
    const url = `https://app.example/guilds/${guildId}/commands/${commandId}`;
    const grace = fake.browser(app.fetch, { as: "grace" });
    expect((await grace.open(url)).status).toBe(404);
    const ada = fake.browser(app.fetch, { as: "ada" });
    const page = await (await ada.open(url)).text();
    expect(page).toContain(">&#60;Weavers&#62;</option>");
    expect(page).not.toContain(" selected");
    const body = new URLSearchParams({ role: "1300000000000000009" });
    expect(await (await ada.open(url, { method: "POST", body })).text())
      .toContain('value="1300000000000000009" selected');
    const { permissions } = await bot.getCommandPermissions(clientId, guildId, commandId) ?? {};
    expect(permissions).toEqual([
      { id: guildId, type: 1, permission: false },
      { id: "1300000000000000009", type: 1, permission: true },
    ]);
    for (const [role, status] of [["", 400], ["everyone", 400]] as const) {
      const wrong = new URLSearchParams({ role });
      expect((await ada.open(url, { method: "POST", body: wrong })).status).toBe(status);
    }
    expect((await ada.open("https://app.example/guilds/1/commands/x")).status).toBe(404);
  });

  test("adds the bot with a login", async () => {
    const { default: app, added } = await onFake<Application & { added: Map<string, string> }>(
      blockWith("// both.ts"),
    );
    const { url } = await fake.login(app.fetch, {
      as: "ada",
      loginUrl: "https://app.example/add",
    });
    expect([...added]).toEqual([[expect.any(String), "1000000000000000001"]]);
    expect(url).toBe(`https://app.example/guilds/${[...added.keys()][0]}`);
  });
});

describe("docs/testing_your_app.md", () => {
  const { blocks, blockWith } = documentOf("docs/testing_your_app.md");

  test.each([
    ["app_test", 3],
    ["port_test", 1],
    ["own_users_test", 1],
    ["changes_test", 3],
    ["unchanged_test", 1],
    ["script_test", 3],
    ["mishaps_test", 4],
    ["all_functions_test", 3],
  ])("has a passing test %s.ts", async (file, assertions) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    // `browser/guides.browser.ts` runs log_in.ts.
    expect(blocks).toHaveLength(12);
    await runBlock(blockWith("// app.ts"));
    const block = blockWith(`// ${file}.ts`);
    expect(assertionCount(block)).toBe(assertions);
    await runBlock(block);
  });

  test("has an application without data of a session after a logout", async () => {
    const { createApp } = await runBlock<{
      createApp(settings: unknown): (request: Request) => Promise<Response>;
    }>(blockWith("// app.ts"));
    const platform = createFakePlatform();
    const settings = { clientId, clientSecret, secret: sdk.secret, fetch: platform.fetch };
    const app = createApp({ ...settings, platform: platform.platform });
    await expectNothingAfterLogout(platform.browser(app, { as: "ada" }), "Hello, ada");
  });

  test("leads a program to the platform of its environment", async () => {
    const { platform, fetch } = createFakePlatform({ origin: "http://127.0.0.1:8788" });
    vi.stubEnv("DISCORD_PLATFORM", JSON.stringify(platform));
    vi.stubEnv("DISCORD_BOT_TOKEN", sampleApplication.botToken);
    vi.stubGlobal("fetch", fetch);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { bot } = await runBlock<{ bot: User }>(blockWith("// local_platform.ts"));
    expect(await bot.getCurrentUser()).toMatchObject({ bot: true });
    expect(sampleApplication.redirectUris).toContain("http://localhost:8787/callback");
  });
});

test("docs/testing_your_app.md serves the platform in a Node server", async () => {
  const { code, ...block } = documentOf("docs/testing_your_app.md").blockWith("// fake_server.ts");
  const port = await freePort();
  expect(code.match(/8788/g)).toHaveLength(2);
  const { server } = await runBlock<{ server: Server }>({
    ...block,
    code: code.replaceAll("8788", `${port}`),
  });
  onTestFinished(() => void server.close());
  if (!server.listening) await once(server, "listening");
  const configuration = await fetch(`http://127.0.0.1:${port}/.well-known/openid-configuration`);
  expect(await configuration.json()).toMatchObject({ issuer: `http://127.0.0.1:${port}` });
});

describe("docs/hosts.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/hosts.md");

  test("logs in to a preview by the callback of the main deployment", async () => {
    vi.stubEnv("RELAY_SECRET", sdk.generateState());
    const deploy = async (origin: string) => {
      vi.stubEnv("ORIGIN", origin);
      const block = { ...blockWith("// relay.ts"), file: `hosts/${new URL(origin).host}.ts` };
      return (await onFake<{ login: Login }>(block)).login;
    };
    const main = await deploy("https://app.example");
    const preview = await deploy("https://branch-7.preview.example");
    const browser = fake.browser(async (request) => {
      const login = new URL(request.url).hostname === "app.example" ? main : preview;
      return await login.handle(request) ?? Response.json((await login.session(request))?.user);
    }, { as: "ada" });
    const page = await browser.open("https://branch-7.preview.example/login");
    expect(new URL(browser.url).origin).toBe("https://app.example");
    const end = await browser.open(buttonOf(await page.text()));
    expect(browser.url).toBe("https://branch-7.preview.example/");
    expect(await end.json()).toMatchObject({ username: "ada" });
  });

  test("limits the made-up codes of an address", async () => {
    type Server = { fetch(request: Request, info: unknown): Promise<Response> };
    const { default: server } = await onFake<{ default: Server }>(blockWith("// visitor.ts"));
    const sendJunk = async (hostname: string) => {
      const jar = new CookieJar();
      const fetch = async (address: string) => {
        const response = await server.fetch(jar.request(address), { remoteAddr: { hostname } });
        jar.store(response, address);
        return response;
      };
      const { headers } = await fetch("https://app.example/login");
      const state = new URL(headers.get("location") ?? "").searchParams.get("state");
      return (await fetch(`https://app.example/callback?code=junk&state=${state}`)).status;
    };
    for (let codes = 0; codes < 10; codes++) expect(await sendJunk("203.0.113.7")).toBe(400);
    expect(await sendJunk("203.0.113.7")).toBe(429);
    expect(await sendJunk("198.51.100.9")).toBe(400);
  });

  test("leads a preview to its own address and platform", async () => {
    expect(blocks).toHaveLength(4);
    const { platform } = createFakePlatform();
    vi.stubEnv("DISCORD_REDIRECT_URI", "https://preview.app.example/callback");
    vi.stubEnv("DISCORD_PLATFORM", JSON.stringify(platform));
    const { login } = await onFake<{ login: Login }>(blockWith("// preview.ts"));
    const { headers } = await login.start(new Request("https://preview.app.example/"));
    const link = new URL(headers.get("location") ?? "");
    expect(link.href).toContain(platform.authorizeUrl);
    expect(link.searchParams.get("redirect_uri")).toBe("https://preview.app.example/callback");
  });

  test("says right that a login ends if it begins at another address", async () => {
    vi.stubEnv("DISCORD_REDIRECT_URI", redirectUri);
    const block = { ...blockWith("// preview.ts"), file: "hosts/at_discord.ts" };
    const { login } = await onFake<{ login: Login }>(block);
    const jar = new CookieJar();
    const page = "https://branch-7.host.example/";
    const start = await login.start(new Request(page));
    jar.store(start, page);
    const callback = await fake.authorize(start.headers.get("location") ?? "", { as: "ada" });
    expect(new URL(callback).hostname).toBe("app.example");
    expect((await login.handle(new Request(callback)))?.status).toBe(400);
  });
});

test("docs/troubleshooting.md opens a login from a script", async () => {
  const { blocks, blockWith } = documentOf("docs/troubleshooting.md");
  expect(blocks).toHaveLength(1);
  const assign = vi.fn();
  vi.stubGlobal("location", { href: "https://app.example/shop?page=2", assign });
  onTestFinished(() => void vi.unstubAllGlobals());
  await runBlock(blockWith("location.assign"));
  expect(assign).toHaveBeenCalledWith(
    "/login?returnTo=https%3A%2F%2Fapp.example%2Fshop%3Fpage%3D2",
  );
});

test("docs/stores.md creates a table, and deletes its expired rows", async () => {
  const { blockWith } = documentOf("docs/stores.md");
  const { code, ...block } = blockWith("// sessions.ts");
  const cleanUp = blockWith("// clean_up.ts").code.replace(/^import.*$/m, "");
  const log = vi.spyOn(console, "log").mockReturnValue();
  const expired = 'await store.save("key", 1, { version: null, expiresAt: Date.now() - 1 });';
  await runBlock({
    ...block,
    code: `${code.replace("sessions.sqlite", ":memory:")}\n${expired}\n${cleanUp}`,
  });
  expect(log).toHaveBeenCalledExactlyOnceWith("Removed 1 expired rows");
});

test("docs/stores.md shows the definition of the table in Postgres", () => {
  const inOneLine = (text: string) => text.replace(/\s+/g, " ");
  expect(inOneLine(textOf("docs/stores.md")))
    .toContain(inOneLine(`\`\`\`sql\n${postgresTable()}\`\`\``));
});

describe("docs/people_and_servers.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/people_and_servers.md");
  const [first, second] = sampleGuilds;

  test("has only blocks run by these tests", () => {
    expect(blocks).toHaveLength(7);
  });

  test("reads the permissions of a member, and of the bot itself", async () => {
    const { mayManage } = await onFake<{
      mayManage(guildId: string, userId: string): Promise<boolean>;
    }>(blockWith("// permissions.ts"));
    fake.update({ guilds: { [first.id]: { bots: { [clientId]: "32" } } } });
    onTestFinished(() => fake.update({ guilds: { [first.id]: { bots: { [clientId]: "1024" } } } }));
    expect(await mayManage(first.id, clientId)).toBe(true);
    expect(await mayManage(first.id, "1000000000000000001")).toBe(true); // the owner
    fake.update({ guilds: { [first.id]: { bots: { [clientId]: "1024" } } } });
    expect(await mayManage(first.id, clientId)).toBe(false);
  });

  test("gives a role to a member of the server only", async () => {
    const guild = { id: first.id, roleId: "1200000000000000201" };
    const rolesBefore = { "1000000000000000001": { roles: [] } };
    const role = { id: guild.roleId, name: "Customer" };
    fake.update({
      guilds: {
        [guild.id]: {
          bots: { [clientId]: "268435456" },
          roles: [{ id: guild.id, name: "@everyone" }, role],
        },
      },
    });
    onTestFinished(() =>
      fake.update({
        guilds: {
          [guild.id]: {
            bots: { [clientId]: "1024" },
            roles: [{ id: guild.id, name: "@everyone" }],
            members: rolesBefore,
          },
        },
      })
    );
    const { giveRole, login } = await onFake<{
      giveRole(userId: string): Promise<boolean>;
      login: AnyLogin;
    }>(blockWith("// give_role.ts"));
    expect((await tryToEnter(login, "ada")).status).toBe(302);
    const bot = new sdk.User(sampleApplication.botToken, { tokenType: "Bot" });
    const member = await bot.getGuildMemberById(guild.id, "1000000000000000001");
    expect(member.roles).toContain(guild.roleId);
    expect(await giveRole("1000000000000000001")).toBe(true);
    expect(await giveRole("1000000000000000009")).toBe(false);
    fake.update({ guilds: { [guild.id]: { bots: { [clientId]: "0" } } } });
    await expect(giveRole("1000000000000000001")).rejects.toMatchObject({ platformCode: 50013 });
  });

  test("gives and takes the role of buyers by what they own, whatever the order of the events", async () => {
    const roleId = "1200000000000000201";
    const skuId = "1300000000000000001";
    const ada = "1000000000000000001";
    const setWorld = (permissions: string, roles: readonly { id: string; name: string }[]) =>
      fake.update({
        guilds: {
          [first.id]: {
            bots: { [clientId]: permissions },
            roles: [{ id: first.id, name: "@everyone" }, ...roles],
          },
        },
      });
    const { receiveEvent } = await onFake<{
      receiveEvent(request: Request): Promise<Response>;
    }>(blockWith("// role_of_buyers.ts"));
    setWorld("268435456", [{ id: roleId, name: "Buyer" }]);
    const own = (entitlements: Record<string, object | null>) =>
      fake.update({ applications: { [clientId]: { entitlements } } });
    onTestFinished(() => {
      own({ "77": null });
      fake.update({ guilds: { [first.id]: { members: { ada: { roles: [] } } } } });
      setWorld("1024", []);
    });
    const bot = new sdk.User(sampleApplication.botToken, { tokenType: "Bot" });
    const rolesAfter = async (type: string, userId = ada) => {
      const data = { id: "77", sku_id: skuId, user_id: userId };
      await fake.sendWebhookEvent(receiveEvent, type, { data });
      return (await bot.getGuildMemberById(first.id, ada)).roles;
    };
    own({ "77": { sku_id: skuId, user_id: ada } });
    expect(await rolesAfter("ENTITLEMENT_CREATE")).toEqual([roleId]);
    // A late event about an older purchase.
    expect(await rolesAfter("ENTITLEMENT_DELETE")).toEqual([roleId]);
    own({ "77": { ends_at: "2020-01-01T00:00:00+00:00" } });
    expect(await rolesAfter("ENTITLEMENT_UPDATE")).toEqual([]);
    expect(await rolesAfter("ENTITLEMENT_CREATE")).toEqual([]);
    own({ "77": { ends_at: null } });
    expect(await rolesAfter("ENTITLEMENT_UPDATE")).toEqual([roleId]);
    own({ "77": null });
    expect(await rolesAfter("ENTITLEMENT_DELETE")).toEqual([]);
    expect(await rolesAfter("ENTITLEMENT_CREATE", "1000000000000000009")).toEqual([]);
    const wrong = { data: {}, signature: "wrong" } as const;
    const response = await fake.sendWebhookEvent(receiveEvent, "ENTITLEMENT_CREATE", wrong);
    expect(response.status).toBe(401);
  });

  test("shows the name, the avatar and the age of an account", async () => {
    const { profileOf } = await runBlock<{ profileOf(user: unknown): unknown }>(
      blockWith("// profile.ts"),
    );
    const token = fake.issueToken({ as: "ada", scopes: ["identify"] }).access_token;
    const user = await new sdk.User(token).getCurrentUser();
    expect(profileOf(user)).toMatchObject({
      name: "Ada Lovelace",
      avatar: expect.stringMatching(/\/avatars\/1000000000000000001\/.*size=128&animated=true$/),
      createdAt: new Date("2022-07-22T11:22:59.101Z"),
      hasTwoFactor: user.mfa_enabled,
    });
  });

  test("shows the nickname and the role names of a member", async () => {
    const { membershipOf } = await onFake<{
      membershipOf(api: unknown, guildId: string): Promise<unknown>;
    }>(blockWith("// membership.ts"));
    fake.update({
      guilds: {
        [second.id]: {
          bots: { [clientId]: "0" },
          members: { ada: { nick: "Countess", premium_since: "2026-01-01T00:00:00+00:00" } },
        },
      },
    });
    onTestFinished(() => {
      const members = { ada: { nick: null, premium_since: null } };
      fake.update({ guilds: { [second.id]: { bots: { [clientId]: null }, members } } });
    });
    const scopes = ["identify", "guilds.members.read"];
    const api = new sdk.User(fake.issueToken({ as: "ada", scopes }).access_token);
    expect(await membershipOf(api, second.id)).toMatchObject({
      nickname: "Countess",
      avatar: expect.stringContaining("/avatars/"),
      isBooster: true,
      roles: ["Crew"],
    });
  });

  test("adds a person to a server at the login, and logs them in if the bot may not", async () => {
    const { login } = await onFake<{ login: AnyLogin }>(blockWith("// join.ts"));
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const guildIds = async () => {
      const token = fake.issueToken({ as: "mallory", scopes: ["guilds"] });
      return (await new sdk.User(token.access_token).getUserGuilds()).map(({ id }) => id);
    };
    const allow = (permissions: string) =>
      fake.update({ guilds: { [first.id]: { bots: { [clientId]: permissions } } } });
    allow("0");
    onTestFinished(() =>
      fake.update({
        guilds: { [first.id]: { bots: { [clientId]: "1024" }, members: { mallory: null } } },
      })
    );
    expect((await tryToEnter(login, "mallory")).status).toBe(302);
    expect(log).toHaveBeenCalledOnce();
    expect(await guildIds()).toEqual([]);
    allow("1");
    expect((await tryToEnter(login, "mallory")).status).toBe(302);
    expect((await tryToEnter(login, "mallory")).status).toBe(302);
    expect(await guildIds()).toEqual([first.id]);
    expect(log).toHaveBeenCalledOnce();
  });

  test("posts to the channel that a person chose", async () => {
    const { default: app, webhooks, announce } = await onFake<
      Application & {
        webhooks: Map<string, string>;
        announce(url: string, content: string): Promise<boolean>;
      }
    >(blockWith("// announcements.ts"));
    const browser = fake.browser(app.fetch, { as: "ada" });
    const page = await browser.open("https://app.example/");
    expect(await page.text()).toBe("You have chosen a channel");
    const url = webhooks.get("1000000000000000001") ?? "";
    const path = /^\/api\/webhooks\//;
    expect(new URL(url).pathname).toMatch(path);
    fake.failNext({ path, status: 204 });
    expect(await announce(url, "Hello")).toBe(true);
    expect(fake.requests.at(-1)?.body).toMatchObject({ content: "Hello" });
    fake.failNext({ path, status: 404 });
    expect(await announce(url, "Hello")).toBe(false);
    fake.failNext({ path, status: 500 });
    await expect(announce(url, "Hello")).rejects.toThrow("Discord: 500");
  });
});

describe("docs/errors.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/errors.md");

  test("has a row for each code", () => {
    const codes: Record<ErrorCode, true> = {
      api_error: true,
      invalid_id_token: true,
      invalid_payload: true,
      invalid_signature: true,
      login_failed: true,
      login_required: true,
      missing_scope: true,
      network_error: true,
      oauth_error: true,
      payload_too_large: true,
      rate_limited: true,
      state_mismatch: true,
      store_timeout: true,
      timeout: true,
    };
    const found = [...textOf("docs/errors.md").matchAll(/^\| `(\w+)` <br>`\w+Error`/gm)];
    expect(found.map(([, code]) => code).sort()).toEqual(Object.keys(codes).sort());
    expect(blocks).toHaveLength(6);
  });

  test("has the code of each class, as the class declares it", () => {
    const declarations = textOf("scripts/public_api.txt");
    const rows = [...textOf("docs/errors.md").matchAll(/^\| `(\w+)` <br>`(\w+)`/gm)];
    for (const [, code = "", name = ""] of rows) {
      const [, declared = ""] =
        new RegExp(`^class ${name} [^]*?^ {4}readonly code: (.*);$`, "m").exec(declarations) ?? [];
      expect(declared.split(" | ")[0], name).toBe(`"${code}"`);
    }
  });

  test("says what to do about an invalid client, grant or scope", () => {
    const [, section = ""] = textOf("docs/errors.md").split(
      "### An invalid client, grant or scope\n",
    );
    const [table = ""] = section.split("###");
    const rows = [...table.matchAll(/^\| `(\w+)` +\| [^|]+\. +\| [^|]+\. +\|$/gm)];
    expect(rows.map(([, name]) => name))
      .toEqual(["invalid_client", "invalid_grant", "invalid_scope"]);
  });

  test("names each reason of a LoginError", () => {
    const reasons: Record<LoginErrorReason, true> = {
      cross_site: true,
      insecure_site: true,
      lost_callback: true,
      not_a_member: true,
      no_session: true,
      other_login: true,
      other_origin: true,
      other_person: true,
      refused_token: true,
      too_many_failures: true,
      used: true,
    };
    const [, section = ""] = textOf("docs/errors.md").split("### The reasons of a LoginError\n");
    const rows = [...section.matchAll(/^\| `(\w+)` +\|/gm)];
    expect(rows.map(([, name]) => name).filter((name) => name !== "reason").sort())
      .toEqual(Object.keys(reasons).sort());
  });

  test("shows the application's own pages", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { login } = await onFake<{ login: Login }>(blockWith("// pages.ts"));
    const page = await login.handle(new Request("https://app.example/callback?state=x&code=y"));
    expect(page?.status).toBe(400);
    expect(await page?.text()).toBe("This login has expired. Please log in again");
    expect((await tryToEnter(login, null)).status).toBe(403);
    expect(log).not.toHaveBeenCalled();
    fake.failNext({ path: "/oauth2/token", status: 500 });
    expect((await tryToEnter(login, "ada")).status).toBe(500);
    expect(log).toHaveBeenCalledOnce();
    fake.failNext({ path: "/users/@me", status: 401 });
    expect((await tryToEnter(login, "ada")).status).toBe(403);
  });

  test.each([
    "error code: 1015",
    "<html><title>Access denied</title></html>",
    '{"code":0,"message":"You are being blocked from accessing our API temporarily"}',
  ])("is right: the edge blocks with %s", async (body) => {
    const { User } = await import("../../mod.ts");
    const fetch = () => Promise.resolve(new Response(body, { status: 429 }));
    const user = new User("t0ken", { fetch });
    await expect(user.getCurrentUser()).rejects.toMatchObject({ blockedByEdge: true });
  });

  test("handles a rate limit", async () => {
    const { User } = sdk;
    const { nameOf } = await onFake<{
      nameOf(user: unknown): Promise<string>;
    }>(blockWith("nameOf"));
    const user = new User(fake.issueToken({ as: "ada", scopes: ["identify"] }).access_token);
    expect(await nameOf(user)).toBe("ada");
    fake.failNext({ path: "/api/v10/users/@me", status: 429, headers: { "retry-after": "60" } });
    expect(await nameOf(user)).toBe("try again in 60 s");
  });
});

describe("docs/login_by_hand.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/login_by_hand.md");

  test("logs in", async () => {
    const { startLogin, finishLogin } = await onFake<LoginBlock>(blockWith("function startLogin"));
    const { login, url } = await startLogin();
    const callback = await fake.authorize(url, { as: "ada" });
    const { me, guilds } = await finishLogin(new Request(callback), login);
    expect(me.global_name).toBe("Ada Lovelace");
    expect(guilds).toHaveLength(4);
  });

  test("has only blocks that a test runs", () => {
    // `stores/guide.store.ts` runs the four files of an application with tokens.
    expect(blocks).toHaveLength(7);
  });

  test("identifies the person by the id_token", async () => {
    const login = { state: "s7ate", nonce: "n0nce" };
    const link = await new sdk.AuthUrl(clientId, ["openid"], redirectUri).makeUrl(login);
    const { code } = sdk.parseCallback(await fake.authorize(link, { as: "grace" }), login);
    const token = await new sdk.PlatformApi(clientId, clientSecret, ["openid"], redirectUri)
      .accessToken(code);
    const { userIdOf } = await onFake<{
      userIdOf(token: unknown, nonce: string): Promise<string>;
    }>(blockWith("userIdOf"));
    expect(await userIdOf(token, "n0nce")).toBe("1000000000000000002");
    await expect(userIdOf(token, "other")).rejects.toMatchObject({ claim: "nonce" });
  });

  test("refreshes a token, and reports when the person must log in again", async () => {
    const { refresh } = await onFake<TokensBlock>(blockWith("startDeviceLogin"));
    const api = new sdk.PlatformApi(clientId, clientSecret, ["identify"], redirectUri);
    const token: TokenObj = JSON.parse(JSON.stringify(fake.issueToken()));
    expect(await refresh(api, token)).toMatchObject({ token_type: "Bearer" });
    expect(await refresh(api, token)).toBeNull();
    fake.failNext({ path: "/oauth2/token", status: 503 });
    await expect(refresh(api, token)).rejects.toMatchObject({ httpStatus: 503 });
  });

  test("logs in on a terminal", async () => {
    const { logInOnTerminal } = await onFake<TokensBlock>(blockWith("startDeviceLogin"));
    const api = new sdk.PlatformApi(clientId, clientSecret, ["identify"], redirectUri);
    const log = vi.spyOn(console, "log").mockImplementation((text: string) => {
      void fake.authorizeDevice(/\S+$/.exec(text)?.[0] ?? "");
    });
    onTestFinished(() => log.mockRestore());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let token: TokenObj | undefined;
    const login = logInOnTerminal(api).then((found) => token = found);
    while (!token) {
      await vi.advanceTimersByTimeAsync(10);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await login).toMatchObject({ scopes: ["identify"] });
    expect(log).toHaveBeenCalledOnce();
  });
});

describe("docs/using_tokens.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/using_tokens.md");

  test("has only blocks run by these tests", () => {
    // `operations.test.ts` runs the last four.
    expect(blocks).toHaveLength(10);
  });

  test("treats an administrator as a manager of the server without the permission", async () => {
    const { rightsIn } = await runBlock<{ rightsIn(guild: unknown): unknown }>(
      blockWith("// rights.ts"),
    );
    const rights = (permissions: string, owner = false) => rightsIn({ permissions, owner });
    expect(rights("8")).toEqual({ canManage: true, canBan: true });
    expect(rights("4")).toEqual({ canManage: false, canBan: true });
    expect(rights("32")).toEqual({ canManage: true, canBan: false });
    expect(rights("0", true)).toEqual({ canManage: true, canBan: true });
  });

  test("shows the right values for permissions", async () => {
    const block = blockWith("mine.missing");
    expect(assertionCount(block)).toBe(6);
    await runBlock(block);
  });

  test("reads all data of a token, and adds a person to a guild", async () => {
    const { User } = sdk;
    const { readAll, join } = await onFake<{
      readAll(user: unknown, guildId: string, applicationId: string): Promise<unknown>;
      join(bot: unknown, guildId: string, userId: string, token: string): Promise<unknown>;
    }>(blockWith("addGuildMember"));
    const scopes = ["guilds", "guilds.members.read", "connections", "role_connections.write"];
    const user = new User(fake.issueToken({ as: "ada", scopes }).access_token);
    expect(await readAll(user, sampleGuilds[0].id, clientId)).toEqual({
      names: sampleGuilds.slice(0, 4).map(({ name }) => name),
      roles: [],
      services: ["github"],
      application: sampleApplication.name,
      metadata: { cards_punched: "1843", verified: "1", since: "2024-05-01T00:00:00.000Z" },
    });
    const bot = new User(sampleApplication.botToken, { tokenType: "Bot" });
    const { access_token } = fake.issueToken({ as: "grace", scopes: ["guilds.join"] });
    const tryToJoin = () => join(bot, sampleGuilds[0].id, "1000000000000000002", access_token);
    // The sample application's bot has no permission to invite yet.
    await expect(tryToJoin()).rejects.toMatchObject({ platformCode: 50013 });
    const link = `${fake.platform.authorizeUrl}?client_id=${clientId}&scope=bot&permissions=1`;
    await fake.authorize(link, { as: "ada", guildId: sampleGuilds[0].id });
    expect(await tryToJoin()).toBe("a member already");
  });

  test("shows the right scopes of each operation", async () => {
    const { readGuilds } = await onFake<{
      readGuilds(code: string, codeVerifier: string): Promise<unknown>;
    }>(blockWith("@ts-expect-error"));
    const codeVerifier = sdk.generateCodeVerifier();
    const link = await new sdk.AuthUrl(clientId, ["identify"], redirectUri)
      .makeUrl({ state: "s7ate", codeVerifier });
    const { code } = sdk.parseCallback(await fake.authorize(link), { state: "s7ate" });
    await expect(readGuilds(code, codeVerifier)).rejects.toMatchObject({ code: "missing_scope" });
  });

  test("sends many requests at once", async () => {
    const block = blockWith("// the same request");
    expect(assertionCount(block)).toBe(1);
    await runBlock(block);
  });

  test("repeats a response for the next page", async () => {
    const block = blockWith("freshFor");
    expect(assertionCount(block)).toBe(2);
    await runBlock(block);
  });
});

describe("docs/logging_out.md, about webhook events", () => {
  const { blockWith, onFake } = documentOf("docs/logging_out.md");

  test("ends the sessions of a person who removes the application", async () => {
    const { login, receiveEvent } = await onFake<{
      login: Login;
      receiveEvent(request: Request): Promise<Response>;
    }>(blockWith("login.endAll"));
    const [ada, grace] = [await tryToEnter(login, "ada"), await tryToEnter(login, "grace")];
    // By the fast clock of the server, the session began after the event.
    const event = { as: "ada", age: 30 };
    await fake.sendWebhookEvent(receiveEvent, "APPLICATION_DEAUTHORIZED", event);
    expect(await login.session(ada.jar.request("https://app.example/"))).toBeNull();
    expect(await login.session(grace.jar.request("https://app.example/"))).not.toBeNull();
  });

  test("removes the token for jobs of a person who removes the application, and keeps the token of a later login", async () => {
    const { login, receiveEvent } = await onFake<{
      login: AnyLogin;
      receiveEvent(request: Request): Promise<Response>;
    }>(blockWith("login.endAll"));
    const source = login.tokensOf("1000000000000000001");
    await tryToEnter(login, "ada");
    const send = (age: number) =>
      fake.sendWebhookEvent(receiveEvent, "APPLICATION_DEAUTHORIZED", { as: "ada", age });
    await send(120);
    expect(await source.token()).toMatchObject({ token_type: "Bearer" });
    await send(0);
    await expect(source.token()).rejects.toMatchObject({ reason: "no_token" });
  });

  test("keeps a session that began after the removal of the application", async () => {
    const { login, receiveEvent } = await onFake<{
      login: Login;
      receiveEvent(request: Request): Promise<Response>;
    }>(blockWith("login.endAll"));
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 300_000 });
    const before = await tryToEnter(login, "ada");
    vi.useRealTimers();
    const after = await tryToEnter(login, "ada");
    const late = { as: "ada", age: 120 };
    await fake.sendWebhookEvent(receiveEvent, "APPLICATION_DEAUTHORIZED", late);
    expect(await login.session(before.jar.request("https://app.example/"))).toBeNull();
    expect(await login.session(after.jar.request("https://app.example/"))).not.toBeNull();
  });
});

describe("docs/moving.md", () => {
  const { blocks, blockWith, onFake } = documentOf("docs/moving.md");

  test("names only what the package has in the right-hand columns", () => {
    const api = textOf("scripts/public_api.txt");
    const cells = [...textOf("docs/moving.md").matchAll(/^\|.*\|(.*)\|$/gm)].map(([, cell]) =>
      cell
    );
    const code = cells.join("").match(/`[^`]+`/g) ?? [];
    const names = code.join(" ").match(/\w+(?=\()|(?<=[\w)]\.)\w+/g) ?? [];
    expect(new Set(names).size).toBeGreaterThan(24);
    for (const name of names) expect(api, name).toMatch(new RegExp(`\\b${name}\\b`));
  });

  test("moves a stored token to jobs and sessions", async () => {
    const { move, tokenOf } = await onFake<{
      move(login: AnyLogin, rows: unknown): Promise<void>;
      tokenOf(row: object): object;
    }>(blockWith("// move.ts"));
    const token = fake.issueToken({ as: "ada", scopes: ["identify", "guilds"] });
    const login = new sdk.Login({
      clientId,
      clientSecret,
      scope: ["identify"],
      secret: sdk.secret,
      store: new sdk.MemoryStore(),
      backgroundTokens: true,
    });
    const ada = "1000000000000000001";
    const account = {
      providerId: "discord",
      accountId: ada,
      accessToken: token.access_token,
      refreshToken: token.refresh_token,
      accessTokenExpiresAt: new Date(Date.now() - 1000),
      scope: token.scope.replace(" ", ","),
    };
    await move(login, [[ada, account]]);
    // The same account, as Auth.js stores it.
    const endsAt = account.accessTokenExpiresAt.getTime();
    expect(tokenOf({
      provider: "discord",
      access_token: token.access_token,
      refresh_token: token.refresh_token,
      expires_at: endsAt / 1000,
      scope: token.scope,
    })).toEqual(tokenOf(account));
    expect(tokenOf(account)).toMatchObject({ expires_at: endsAt, scope: "identify guilds" });
    const refreshes = () =>
      fake.requests.filter(({ body }) =>
        JSON.stringify(body).includes('"grant_type":"refresh_token"')
      ).length;
    const before = refreshes();
    const sources = [login.tokensOf(ada), login.tokensOf(ada)];
    const [one, other] = await Promise.all(sources.map((source) => source.token()));
    expect(one?.access_token).not.toBe(token.access_token);
    expect(other).toEqual(one);
    expect(refreshes()).toBe(before + 1);
    // The token of the person's next login has fewer scopes.
    const { jar } = await tryToEnter(login, "ada");
    const session = await login.session(jar.request("https://app.example/"));
    expect(await (session?.token as TokenSource).token()).toEqual(one);
    expect(session?.scopes).toEqual(["identify", "guilds"]);
    // Another library can go on with an exported token.
    expect(one?.refresh_token).toMatch(/^fake_refresh_/);
    // The block `either.ts` needs Auth.js: tests/integration/clients runs it.
    expect(blocks.map(({ file }) => file)).toEqual([
      "docs_moving_md/either.ts",
      "docs_moving_md/move.ts",
    ]);
  });
});

describe("docs/single_page_apps.md", () => {
  test("names all modules for pages", () => {
    const text = textOf("docs/single_page_apps.md");
    const names = pageFileEntryPoints.map((name) => name.replace(".", ""));
    for (const name of names) expect(text).toMatch(new RegExp(`${name}\\b`));
  });
});

/** Opens the callback after the consent of a person, or without a name after a refusal. Returns the response. */
async function tryToEnter(
  login: AnyLogin,
  as: string | null,
  jar = new CookieJar(),
): Promise<{ status: number; jar: CookieJar }> {
  const url = "https://app.example/";
  const start = await login.start(new Request(url));
  jar.store(start, url);
  const link = start.headers.get("location") ?? "";
  const callback = as === null ? await fake.deny(link) : await fake.authorize(link, { as });
  const response = await login.handle(jar.request(callback));
  if (!response) throw new Error("handle() returned no response for the callback");
  jar.store(response, callback);
  return { status: response.status, jar };
}

function requestOf(url: string, account: string | null): Request {
  return new Request(url, { method: "POST", headers: account ? { "x-account": account } : {} });
}

function textOf(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

interface TokensBlock {
  refresh(api: PlatformApi, token: TokenObj): Promise<TokenObj | null>;
  logInOnTerminal(api: PlatformApi): Promise<TokenObj>;
}

interface LoginBlock {
  startLogin(): Promise<{ login: unknown; url: string }>;
  finishLogin(
    request: Request,
    login: unknown,
  ): Promise<{ me: { global_name: string }; guilds: unknown[] }>;
}
