import type * as discordTypes from "discord-api-types/v10";
import { describe, expect, expectTypeOf, test, vi } from "vitest";
import type {
  ConnectionPayload,
  FakeGuild,
  FakePlatform,
  FakePlatformOptions,
  FakeUser,
  GuildPayload,
  MemberPayload,
  PartialGuildPayload,
  RoleConnectionPayload,
  TokenPayload,
  UserPayload,
} from "../../src/testing/mod.ts";
import {
  createFakePlatform,
  sampleApplication,
  sampleGuilds,
  sampleUsers,
} from "../../src/testing/mod.ts";

const AGENT = { "user-agent": "DiscordBot (https://app.example, 1.0)" };
const APP = { id: "100", secret: "s3cret:with colon", redirectUris: ["https://app.example/cb"] };
const PUBLIC_APP = { id: "200", secret: null, redirectUris: ["https://spa.example/", "spa://cb"] };
const ADA = { id: "1", username: "ada" };
const BOB = { id: "2", username: "bob" };
const LOOMS: FakeGuild = { id: "70", name: "Looms", members: { "1": { owner: true }, "2": {} } };
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/** What every object has, though nobody put it there. */
const inherited = ["constructor", "toString", "valueOf", "__proto__"];

interface Json {
  readonly [key: string]: unknown;
}

function small(options: FakePlatformOptions = {}): FakePlatform {
  return createFakePlatform({
    applications: [{ ...APP, botToken: "bot-token" }, PUBLIC_APP],
    users: [ADA, BOB],
    guilds: [LOOMS],
    ...options,
  });
}

function link(fake: FakePlatform, params: Record<string, string | undefined> = {}): string {
  const query = {
    response_type: "code",
    client_id: APP.id,
    scope: "identify",
    redirect_uri: APP.redirectUris[0],
    ...params,
  };
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value]]
  );
  return `${fake.platform.authorizeUrl}?${new URLSearchParams(given)}`;
}

async function login(
  fake: FakePlatform,
  params: Record<string, string | undefined> = {},
  as?: string,
): Promise<string> {
  const callback = await fake.authorize(link(fake, params), as === undefined ? {} : { as });
  return new URL(callback).searchParams.get("code") ?? "";
}

function post(
  fake: FakePlatform,
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fake.fetch(`${fake.platform.apiUrl}${path}`, {
    method: "POST",
    headers: { ...AGENT, ...headers },
    body: new URLSearchParams(form),
  });
}

function exchange(
  fake: FakePlatform,
  form: Record<string, string>,
  headers: Record<string, string> = { authorization: basic(APP.id, APP.secret) },
): Promise<Response> {
  return post(fake, "/oauth2/token", { grant_type: "authorization_code", ...form }, headers);
}

/** A code exchange as it should be. */
function redeem(fake: FakePlatform, code: string): Promise<Response> {
  return exchange(fake, { code, redirect_uri: "https://app.example/cb" });
}

function basic(id: string, secret: string): string {
  return `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`;
}

function get(fake: FakePlatform, path: string, authorization?: string): Promise<Response> {
  return fake.fetch(`${fake.platform.apiUrl}${path}`, {
    headers: { ...AGENT, ...(authorization === undefined ? {} : { authorization }) },
  });
}

function bearer(fake: FakePlatform, scopes: readonly string[], as = "ada"): string {
  return `Bearer ${fake.issueToken({ as, scopes }).access_token}`;
}

async function body(response: Response | Promise<Response>): Promise<Json> {
  return await (await response).json();
}

async function refused(
  response: Response | Promise<Response>,
): Promise<[number, unknown, unknown]> {
  const answer = await response;
  const { error, error_description } = await body(answer);
  return [answer.status, error, error_description];
}

const UNAUTHORIZED = { message: "401: Unauthorized", code: 0 };

describe("createFakePlatform()", () => {
  test("has a sample application, users and guilds when it is given none", async () => {
    const fake = createFakePlatform();
    const callback = await fake.authorize(
      link(fake, {
        client_id: sampleApplication.id,
        redirect_uri: "http://localhost:8787/callback",
        scope: "identify guilds",
      }),
      { as: "ada" },
    );
    const answer = await exchange(
      fake,
      {
        code: new URL(callback).searchParams.get("code") ?? "",
        redirect_uri: "http://localhost:8787/callback",
      },
      { authorization: basic(sampleApplication.id, sampleApplication.secret) },
    );
    const { access_token } = await body(answer);
    const me = await body(get(fake, "/users/@me", `Bearer ${access_token}`));
    expect(me).toMatchObject({ username: "ada", global_name: "Ada Lovelace", mfa_enabled: true });
    const guilds = await (await get(fake, "/users/@me/guilds", `Bearer ${access_token}`)).json();
    expect(guilds.map((guild: PartialGuildPayload) => guild.permissions)).toEqual([
      "8866461766385663",
      "8",
      "268435494",
      "1799872721571393",
    ]);
    const guild = await get(
      fake,
      `/guilds/${sampleGuilds[0].id}`,
      `Bot ${sampleApplication.botToken}`,
    );
    expect(await body(guild)).toMatchObject({
      name: "The Analytical Engine",
      owner_id: sampleUsers[0].id,
    });
  });

  test("keeps the sample guilds, without the sample bot, for other applications", async () => {
    const fake = createFakePlatform({ applications: [{ ...APP, botToken: "other" }] });
    expect(await (await get(fake, "/users/@me/guilds", "Bot other")).json()).toEqual([]);
    const guilds = await get(fake, "/users/@me/guilds", bearer(fake, ["guilds"]));
    expect(await guilds.json()).toHaveLength(4);
  });

  test("has no guilds when only users are given", async () => {
    const fake = createFakePlatform({ users: [ADA] });
    const guilds = await get(fake, "/users/@me/guilds", bearer(fake, ["guilds"]));
    expect(await guilds.json()).toEqual([]);
  });

  test("lives at the origin it is given", () => {
    expect(createFakePlatform().platform).toEqual({
      authorizeUrl: "https://platform.test/oauth2/authorize",
      apiUrl: "https://platform.test/api/v10",
      cdnUrl: "https://platform.test/cdn",
    });
    const { platform } = createFakePlatform({ origin: "http://localhost:8787/" });
    expect(platform.apiUrl).toBe("http://localhost:8787/api/v10");
    expect(Object.isFrozen(platform)).toBe(true);
  });

  test("is not changed by changing what it was given", async () => {
    const features = ["COMMUNITY"];
    const fake = small({ guilds: [{ ...LOOMS, features }] });
    features.push("HUB");
    const guilds = await get(fake, "/users/@me/guilds", bearer(fake, ["guilds"]));
    expect(await guilds.json()).toMatchObject([{ features: ["COMMUNITY"] }]);
  });

  test("shares nothing with another platform", async () => {
    const token = bearer(small(), ["identify"]);
    expect((await get(small(), "/users/@me", token)).status).toBe(401);
  });

  test.each<[string, FakePlatformOptions]>([
    ['users[0].id must be a snowflake, a decimal string: found "x"', {
      users: [{ id: "x", username: "ada" }],
    }],
    ["users[0].id must be a snowflake, a decimal string: found undefined", {
      users: [JSON.parse(`{"username":"ada"}`)],
    }],
    ['users[0].id must be a snowflake, a decimal string: found "18446744073709551616"', {
      users: [{ id: "18446744073709551616", username: "ada" }],
    }],
    ["users[1].username must be a string with characters in it", {
      users: [ADA, { id: "2", username: "" }],
    }],
    ["users ids must be unique: entries 0 and 1 are the same", {
      users: [ADA, { ...BOB, id: "1" }],
    }],
    ["usernames must be unique: entries 0 and 1 are the same", {
      users: [ADA, { ...ADA, id: "2" }],
    }],
    ['applications[0].id must be a snowflake, a decimal string: found ""', {
      applications: [{ id: "", secret: "s" }],
    }],
    ["applications[0].secret must be a string with characters in it, or null", {
      applications: [{ id: "1", secret: "" }],
    }],
    ["applications[0].secret must be a string with characters in it, or null", {
      applications: [JSON.parse(`{"id":"1"}`)],
    }],
    ['applications[0].redirectUris must be absolute URLs without a fragment: found "/cb"', {
      applications: [{ id: "1", secret: "s", redirectUris: ["/cb"] }],
    }],
    ['applications[0].redirectUris must be absolute URLs without a fragment: found "a://b#"', {
      applications: [{ id: "1", secret: "s", redirectUris: ["a://b#"] }],
    }],
    ['applications[0].ownerId must be the id of a user: found "9"', {
      applications: [{ id: "1", secret: "s", ownerId: "9" }],
    }],
    ["applications[0].ownerId must be the id of a user: found undefined", { users: [] }],
    ["applications ids must be unique: entries 0 and 1 are the same", { applications: [APP, APP] }],
    ["bot tokens must be unique: entries 0 and 1 are the same", {
      applications: [{ ...APP, botToken: "b" }, { ...PUBLIC_APP, botToken: "b" }],
    }],
    ['guilds[0].id must be a snowflake, a decimal string: found "0x1"', {
      guilds: [{ id: "0x1", name: "g" }],
    }],
    ["guilds[0].name must be a string with characters in it", { guilds: [{ id: "1", name: "" }] }],
    ['guilds[0].members must name users of the platform: found "404"', {
      guilds: [{ id: "1", name: "g", members: { "404": {} } }],
    }],
    ["guilds[0].members must not have more than one owner: found 2", {
      guilds: [{ ...LOOMS, members: { "1": { owner: true }, "2": { owner: true } } }],
    }],
    ['guilds[0].owner_id must be the member with owner: true: found "2"', {
      guilds: [{ ...LOOMS, owner_id: "2" }],
    }],
    ['guilds[0].members["1"].permissions must be a decimal string: found "-1"', {
      guilds: [{ id: "1", name: "g", members: { "1": { permissions: "-1" } } }],
    }],
    ['guilds[0].bots must name applications of the platform: found "404"', {
      guilds: [{ id: "1", name: "g", bots: { "404": "0" } }],
    }],
    ['guilds[0].bots["100"] must be a decimal string: found "all"', {
      guilds: [{ id: "1", name: "g", bots: { "100": "all" } }],
    }],
    ["guilds ids must be unique: entries 0 and 2 are the same", {
      guilds: [LOOMS, { id: "71", name: "g" }, LOOMS],
    }],
    [
      'origin must be scheme, host and port of an HTTP server and no more: found "https://a.test/b"',
      { origin: "https://a.test/b" },
    ],
    ['origin must be scheme, host and port of an HTTP server and no more: found "a.test"', {
      origin: "a.test",
    }],
    ['origin must be scheme, host and port of an HTTP server and no more: found "ftp://a.test"', {
      origin: "ftp://a.test",
    }],
    ["codeLifetime must be a positive number of seconds: found 0", { codeLifetime: 0 }],
    ["tokenLifetime must be a positive number of seconds: found null", { tokenLifetime: NaN }],
    ["rateLimits.limit must be a positive integer: found 0.5", { rateLimits: { limit: 0.5 } }],
    ["rateLimits.limit must be a positive integer: found 0", { rateLimits: { limit: 0 } }],
    ["rateLimits.windowMs must be a positive number: found Infinity", {
      rateLimits: { windowMs: Infinity },
    }],
    ["rateLimits.windowMs must be a positive number: found 0", { rateLimits: { windowMs: 0 } }],
    ['rateLimits.routes["GET /users/@me"].limit must be a positive integer: found -1', {
      rateLimits: { routes: { "GET /users/@me": { limit: -1 } } },
    }],
    ["rateLimits.global.limit must be a positive integer: found 0", {
      rateLimits: { global: { limit: 0 } },
    }],
  ])("says %s", (message, options) => {
    expect(() => small(options)).toThrow(new TypeError(message));
  });
});

describe("the authorize page", () => {
  function open(fake: FakePlatform, url: string, headers: Record<string, string> = {}) {
    return fake.fetch(url, { headers });
  }

  function decide(fake: FakePlatform, url: string, form: Record<string, string>) {
    return fake.fetch(url, { method: "POST", body: new URLSearchParams(form) });
  }

  test("shows who asks, for what, and who is asked", async () => {
    const fake = createFakePlatform();
    const page = await open(
      fake,
      link(fake, {
        client_id: sampleApplication.id,
        redirect_uri: "https://app.example/callback",
        scope: "identify email",
      }),
    );
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const html = await page.text();
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain("<title>Authorize Lantern</title>");
    expect(html).toContain("Lights the way to the right channel.");
    expect(html).toContain("Read your email address");
    expect(html).toContain("<strong>app.example</strong>");
    expect(html).toContain(`aria-current="true"`);
    expect(html).toContain("Ada Lovelace <small>@ada</small>");
    expect(html).toContain("grace <small>@grace</small>");
    expect(html).toContain(
      `/cdn/avatars/${sampleUsers[0].id}/${sampleUsers[0].avatar}.png?size=64`,
    );
    expect(html).toContain(`name="user" value="${sampleUsers[0].id}"`);
    expect(html).not.toContain("<select");
    expect(html).not.toContain("With the permissions");
  });

  test("runs no script, loads nothing from elsewhere and cannot be framed", async () => {
    const fake = small();
    const page = await open(fake, link(fake));
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(
      /^default-src 'none'; img-src 'self'; style-src 'nonce-[\w-]+'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    const nonce = /nonce-([\w-]+)/.exec(policy)?.[1];
    const html = await page.text();
    expect(html).toContain(`<style nonce="${nonce}">`);
    expect(html).not.toMatch(/<script|style="|\son\w+=/i);
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect(page.headers.get("cache-control")).toBe("no-store");
  });

  test("escapes whatever comes from outside", async () => {
    const evil = `"><img src=x onerror='alert(1)'>&`;
    const fake = createFakePlatform({
      applications: [{ ...APP, name: evil, description: evil, icon: evil }],
      users: [{ id: "1", username: evil, avatar: evil }, { ...BOB, global_name: evil }],
      guilds: [{ id: "7", name: evil, members: { "1": { owner: true } } }],
      extraScopes: [evil.replaceAll(" ", "")],
    });
    const pages = [
      link(fake, { scope: `bot ${evil.replaceAll(" ", "")}`, state: evil, permissions: "8" }),
      link(fake, { redirect_uri: evil }),
    ];
    for (const url of pages) {
      const html = await (await open(fake, url)).text();
      expect(html).not.toContain("<img src=x");
      expect(html).not.toContain("<imgsrc");
      expect(html).toContain("&quot;&gt;&lt;img");
      expect(html).toContain("&#39;");
      expect(html).toContain("&gt;&amp;");
    }
  });

  test("names only the one user there is", async () => {
    const fake = small({ users: [ADA], guilds: [] });
    const html = await (await open(fake, link(fake))).text();
    expect(html).toContain("Signed in as");
    expect(html).not.toContain("Continue as");
  });

  test("asks another user who was chosen, and nobody who does not exist", async () => {
    const fake = small();
    expect(await (await open(fake, link(fake))).text()).toMatch(/<a href="\?[^"]+&amp;as=2">/);
    const html = await (await open(fake, `${link(fake)}&as=2`)).text();
    expect(html).toContain(`name="user" value="2"`);
    expect(html).toMatch(/as=2" aria-current="true"/);
    expect((await open(fake, `${link(fake)}&as=404`)).status).toBe(400);
  });

  test("shows an application without name, icon and description, and a custom redirect scheme", async () => {
    const fake = small({ applications: [{ ...PUBLIC_APP, name: "" }, APP] });
    const html = await (await open(
      fake,
      link(fake, {
        client_id: "200",
        redirect_uri: "spa://cb",
        code_challenge: CHALLENGE,
        code_challenge_method: "S256",
      }),
    )).text();
    expect(html).toContain(`aria-hidden="true"></span>`);
    expect(html).toContain("<strong>cb</strong>");
    const named = await (await open(fake, link(fake))).text();
    expect(named).toContain("Fake application");
    expect(named).toContain(`aria-hidden="true">F</span>`);
  });

  test("names the scheme of a redirect URI without a host", async () => {
    const fake = small({ applications: [{ ...APP, redirectUris: ["myapp:/cb"] }] });
    const html = await (await open(fake, link(fake, { redirect_uri: "myapp:/cb" }))).text();
    expect(html).toContain("<strong>myapp:</strong>");
  });

  test("lets a user with Manage Server choose the guild for a bot, with its permissions in words", async () => {
    const fake = small({
      guilds: [
        LOOMS,
        { id: "71", name: "Member", members: { "1": { permissions: "0" } } },
        { id: "72", name: "Admin", members: { "1": { permissions: "8" } } },
        { id: "73", name: "Manager", members: { "1": { permissions: "32" } } },
        { id: "74", name: "Not mine", members: { "2": { owner: true } } },
      ],
    });
    const url = link(fake, { scope: "bot", permissions: "2080", guild_id: "72" });
    const html = await (await open(fake, url)).text();
    expect([...html.matchAll(/<option value="(\d+)"( selected)?>/g)].map(([, id, on]) => [id, on]))
      .toEqual([["70", undefined], ["72", " selected"], ["73", undefined]]);
    expect(html).toContain("<code>2080</code>");
    expect(html).toContain("<li>Manage server</li><li>Send messages</li></ul>");
    const fixed = await (await open(fake, `${url}&disable_guild_select=true`)).text();
    expect(fixed.match(/<option/g)).toHaveLength(1);
    const free = await (await open(fake, `${url}&disable_guild_select=false`)).text();
    expect(free.match(/<option/g)).toHaveLength(3);
  });

  test("cannot be accepted by a user who may add the bot nowhere", async () => {
    const fake = small();
    const html = await (await open(fake, `${link(fake, { scope: "bot" })}&as=2`)).text();
    expect(html).toContain("You can't add this application anywhere");
    expect(html).toContain(`class="main" disabled`);
    expect(html).toContain("No permissions.");
    expect(
      (await decide(fake, link(fake, { scope: "bot" }), { action: "authorize", user: "2" })).status,
    )
      .toBe(400);
  });

  test("asks for a guild with Manage Webhooks for webhook.incoming", async () => {
    const fake = small({
      guilds: [LOOMS, { id: "71", name: "W", members: { "2": { permissions: "536870912" } } }],
    });
    const html = await (await open(fake, `${link(fake, { scope: "webhook.incoming" })}&as=2`))
      .text();
    expect([...html.matchAll(/<option value="(\d+)"/g)].map(([, id]) => id)).toEqual(["71"]);
  });

  test("asks for both permissions for a bot and a webhook", async () => {
    const fake = small({
      guilds: [
        { id: "71", name: "Guild", members: { "1": { permissions: "32" } } },
        { id: "72", name: "Webhooks", members: { "1": { permissions: "536870912" } } },
        { id: "73", name: "Both", members: { "1": { permissions: "536870944" } } },
      ],
    });
    const html = await (await open(fake, link(fake, { scope: "bot webhook.incoming" }))).text();
    expect([...html.matchAll(/<option value="(\d+)"/g)].map(([, id]) => id)).toEqual(["73"]);
  });

  test("asks for a guild for commands only when they are installed to a guild", async () => {
    const fake = small();
    const url = link(fake, { scope: "applications.commands" });
    expect(await (await open(fake, url)).text()).not.toContain("<select");
    expect(await (await open(fake, `${url}&integration_type=0`)).text()).toContain("<select");
    expect(await (await open(fake, `${url}&integration_type=1`)).text()).not.toContain("<select");
  });

  test("sends whoever authorizes back with a code, the state and the issuer", async () => {
    const fake = small();
    const answer = await decide(fake, link(fake, { state: "x y" }), {
      action: "authorize",
      user: "2",
    });
    expect(answer.status).toBe(302);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const location = new URL(answer.headers.get("location") ?? "");
    expect(location.origin + location.pathname).toBe("https://app.example/cb");
    expect(location.searchParams.get("state")).toBe("x y");
    expect(location.searchParams.get("iss")).toBe("https://platform.test");
    const code = location.searchParams.get("code") ?? "";
    expect(code).toMatch(/^fake_code_[\w-]{43}$/);
    const { access_token } = await body(redeem(fake, code));
    expect(await body(get(fake, "/users/@me", `Bearer ${access_token}`))).toMatchObject(BOB);
  });

  test("sends whoever cancels back with access_denied", async () => {
    const fake = small();
    const answer = await decide(fake, link(fake, { state: "s" }), { action: "cancel" });
    expect(answer.headers.get("location")).toBe(
      "https://app.example/cb?error=access_denied&error_description=The+resource+owner+or+" +
        "authorization+server+denied+the+request&state=s&iss=https%3A%2F%2Fplatform.test",
    );
  });

  test("keeps the query of the redirect URI", async () => {
    const fake = small({ applications: [{ ...APP, redirectUris: ["https://app.example/?a=1"] }] });
    const answer = await fake.deny(link(fake, { redirect_uri: "https://app.example/?a=1" }));
    expect(answer).toMatch(/^https:\/\/app\.example\/\?a=1&error=access_denied&/);
    expect(answer).not.toContain("state");
  });

  test("ends a plain bot link on a page of its own", async () => {
    const fake = small();
    const url = link(fake, {
      response_type: undefined,
      redirect_uri: undefined,
      scope: "bot applications.commands",
    });
    expect(await (await open(fake, url)).text()).toContain("You stay on this site afterwards.");
    const answer = await decide(fake, url, { action: "authorize", user: "1", guild_id: "70" });
    const location = answer.headers.get("location") ?? "";
    expect(location).toBe("https://platform.test/oauth2/authorized");
    const end = await open(fake, location);
    expect(end.status).toBe(200);
    expect(await end.text()).toContain("<h1>Authorized</h1>");
    expect((await get(fake, "/guilds/70", "Bot bot-token")).status).toBe(200);
    const cancelled = await decide(fake, url, { action: "cancel" });
    expect(cancelled.status).toBe(200);
    expect(await cancelled.text()).toContain(`<p role="status">Nothing was added.</p>`);
  });

  test("refuses a form that was not filled in", async () => {
    const fake = small();
    const forms = [{}, { action: "authorize" }, { action: "authorize", user: "404" }, {
      user: "1",
    }];
    for (const form of forms) {
      const answer = await decide(fake, link(fake), form);
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain("The form of the consent page was not filled in.");
    }
    const json = await fake.fetch(link(fake), {
      method: "POST",
      body: "action=authorize&user=1",
      headers: { "content-type": "text/plain" },
    });
    expect(json.status).toBe(400);
  });

  test("refuses a guild the user may not choose", async () => {
    const fake = small();
    const answer = await decide(fake, link(fake, { scope: "bot" }), {
      action: "authorize",
      user: "1",
      guild_id: "99",
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("ada may not add Fake application to the guild 99.");
  });

  test.each([
    ["Invalid client_id", { client_id: undefined }],
    ["Invalid client_id", { client_id: "undefined" }],
    ["Unknown application", { client_id: "404" }],
    ["Invalid redirect_uri: https://evil.example/", { redirect_uri: "https://evil.example/" }],
    ["Invalid redirect_uri", { redirect_uri: "https://app.example/cb/" }],
    ["Missing redirect_uri", { client_id: "200", redirect_uri: undefined }],
    ["invalid_request: permissions", {
      response_type: undefined,
      redirect_uri: undefined,
      scope: "bot",
      permissions: "8.5",
    }],
  ])("never redirects but says %s for %j", async (message, params) => {
    const fake = small();
    const url = link(fake, params);
    for (const answer of [await open(fake, url), await decide(fake, url, { action: "cancel" })]) {
      expect(answer.status).toBe(400);
      expect(answer.headers.has("location")).toBe(false);
      const html = await answer.text();
      expect(html).toContain(message);
      expect(html).toContain(`role="alert"`);
    }
    await expect(fake.authorize(url)).rejects.toThrow(TypeError);
    await expect(fake.deny(url)).rejects.toThrow(message);
  });

  test("needs a redirect URI when the application has none registered", async () => {
    const fake = small({ applications: [{ id: "100", secret: "s" }] });
    const answer = await open(fake, link(fake, { redirect_uri: undefined }));
    expect(await answer.text()).toContain("Missing redirect_uri");
  });

  test.each([
    ["invalid_scope", { scope: "" }],
    ["invalid_scope", { scope: undefined }],
    ["invalid_scope", { scope: "identify nonsense" }],
    ["unsupported_response_type", { response_type: undefined }],
    ["unsupported_response_type", { response_type: "id_token" }],
    ["unsupported_response_type", { response_type: undefined, scope: "bot" }],
    ["unsupported_response_type", {
      response_type: undefined,
      redirect_uri: undefined,
      scope: "bot identify",
    }],
    ["unsupported_response_type", { response_type: undefined, redirect_uri: undefined, scope: "" }],
    ["unsupported_response_type", { response_type: undefined, redirect_uri: undefined }],
    ["invalid_request", { prompt: "login" }],
    ["invalid_request", { integration_type: "2" }],
    ["invalid_request", { integration_type: "1", scope: "bot" }],
    ["invalid_request", { permissions: "" }],
    ["invalid_request", { guild_id: "x" }],
    ["invalid_request", { code_challenge_method: "S256" }],
    ["invalid_request", { code_challenge: CHALLENGE }],
    ["invalid_request", { code_challenge: CHALLENGE, code_challenge_method: "plain" }],
    ["invalid_request", { code_challenge: `${CHALLENGE}=`, code_challenge_method: "S256" }],
    ["invalid_request", { client_id: "200", redirect_uri: "https://spa.example/" }],
  ])("redirects with %s for %j", async (error, params) => {
    const fake = small();
    const url = link(fake, { ...params, state: "s" });
    for (const answer of [await open(fake, url), await decide(fake, url, {})]) {
      expect(answer.status).toBe(302);
      const { searchParams } = new URL(answer.headers.get("location") ?? "");
      expect(searchParams.get("error")).toBe(error);
      expect(searchParams.get("error_description")).toBeTruthy();
      expect(searchParams.get("state")).toBe("s");
    }
    expect(await fake.authorize(url)).toContain(`error=${error}`);
    expect(await fake.deny(url)).toContain(`error=${error}`);
  });

  test("accepts prompt=consent and every documented scope, and others when told", async () => {
    const fake = small({ extraScopes: ["brand.new"] });
    const scopes = (await discordScopes()).concat("openid", "brand.new").join(" ");
    const url = link(fake, { scope: scopes, prompt: "consent" });
    expect(new URL(await fake.authorize(url)).searchParams.has("code")).toBe(true);
    expect(await (await open(fake, url)).text()).toContain("<li>brand.new</li>");
  });

  test.each(inherited)("shows a scope that is named %s", async (scope) => {
    const fake = small({ extraScopes: [scope] });
    const page = await open(fake, link(fake, { scope }));
    expect(await page.text()).toContain(`<li>${scope}</li>`);
  });

  test("falls back to the only redirect URI", async () => {
    const fake = small();
    const callback = await fake.authorize(link(fake, { redirect_uri: undefined }));
    expect(callback).toMatch(/^https:\/\/app\.example\/cb\?code=/);
    const code = new URL(callback).searchParams.get("code") ?? "";
    expect((await exchange(fake, { code })).status).toBe(200);
  });

  test("skips consent with prompt=none only for the same user and the same scopes", async () => {
    const fake = small();
    const url = link(fake, { scope: "identify guilds", prompt: "none" });
    expect((await open(fake, url)).status).toBe(200);
    const first = await decide(fake, url, { action: "authorize", user: "2" });
    const cookie = first.headers.get("set-cookie") ?? "";
    expect(cookie).toBe("fake_platform_user=2; Path=/oauth2/authorize; HttpOnly; SameSite=Lax");
    const signedIn = { cookie: `a=b; ${cookie.split(";", 1)[0]}` };
    const again = await open(fake, url, signedIn);
    expect(again.status).toBe(302);
    expect(again.headers.get("location")).toContain("code=");
    expect((await open(fake, link(fake, { prompt: "none" }), signedIn)).status).toBe(302);
    expect((await open(fake, url)).status).toBe(200);
    expect((await open(fake, link(fake, { scope: "identify guilds" }), signedIn)).status).toBe(200);
    expect(
      (await open(fake, link(fake, { scope: "identify email", prompt: "none" }), signedIn)).status,
    )
      .toBe(200);
  });

  test("always asks which guild a bot shall join", async () => {
    const fake = small();
    const url = link(fake, { scope: "bot", prompt: "none" });
    await fake.authorize(url);
    expect((await open(fake, url)).status).toBe(200);
  });

  test("answers response_type=token in the fragment, without a refresh token", async () => {
    const fake = small();
    const url = link(fake, { response_type: "token", state: "s" });
    const callback = new URL(await fake.authorize(url));
    expect(callback.search).toBe("");
    const fragment = new URLSearchParams(callback.hash.slice(1));
    const token = fragment.get("access_token");
    expect(Object.fromEntries(fragment)).toEqual({
      access_token: token,
      token_type: "Bearer",
      expires_in: "604800",
      scope: "identify",
      state: "s",
      iss: "https://platform.test",
    });
    expect((await get(fake, "/users/@me", `Bearer ${token}`)).status).toBe(200);
    const denied = new URL(await fake.deny(url));
    expect(denied.search).toBe("");
    expect(denied.hash).toContain("error=access_denied");
    const wrong = new URL(
      await fake.authorize(link(fake, { response_type: "token", scope: "no" })),
    );
    expect(wrong.hash).toContain("error=invalid_scope");
  });

  test("lets a public client use the implicit grant without PKCE", async () => {
    const fake = small();
    const callback = await fake.authorize(
      link(fake, {
        client_id: "200",
        redirect_uri: "https://spa.example/",
        response_type: "token",
      }),
    );
    expect(callback).toContain("#");
    expect(callback).toContain("access_token=");
  });
});

describe("FakePlatform.authorize()", () => {
  test("asks the first user unless told otherwise, by id or by username", async () => {
    const fake = small();
    async function who(as?: string): Promise<unknown> {
      const { access_token } = await body(redeem(fake, await login(fake, {}, as)));
      return (await body(get(fake, "/users/@me", `Bearer ${access_token}`)))["username"];
    }
    expect(await who()).toBe("ada");
    expect(await who("2")).toBe("bob");
    expect(await who("bob")).toBe("bob");
  });

  test("adds the bot to the guild and says so in the redirect", async () => {
    const fake = small({ guilds: [LOOMS, { ...LOOMS, id: "71", name: "Second" }] });
    const url = link(fake, { scope: "bot", permissions: "8" });
    const chosen = new URL(await fake.authorize(url, { guildId: "71", permissions: "1024" }));
    expect(chosen.searchParams.get("guild_id")).toBe("71");
    expect(chosen.searchParams.get("permissions")).toBe("1024");
    const guilds = await (await get(fake, "/users/@me/guilds", "Bot bot-token")).json();
    expect(guilds).toMatchObject([{ id: "71", permissions: "1024", owner: false }]);
    const first = new URL(await fake.authorize(url));
    expect(first.searchParams.get("guild_id")).toBe("70");
    expect(first.searchParams.get("permissions")).toBe("8");
    const asked = new URL(await fake.authorize(`${url}&guild_id=71`));
    expect(asked.searchParams.get("guild_id")).toBe("71");
  });

  test("gives the bot one managed role, with the latest permissions", async () => {
    const fake = small();
    for (const permissions of ["8", "16"]) {
      await fake.authorize(link(fake, { scope: "bot", permissions }));
    }
    const { roles } = await body(get(fake, "/guilds/70", "Bot bot-token"));
    expect(roles).toMatchObject([
      { id: "70", name: "@everyone", managed: false },
      { name: "Fake application", managed: true, permissions: "16", tags: { bot_id: "100" } },
    ]);
  });

  test("does not count as a request and is not touched by failures", async () => {
    const fake = small();
    fake.failNext({ status: 500 });
    await fake.authorize(link(fake));
    expect(fake.requests).toEqual([]);
  });

  test.each([
    ["url must be an authorize URL of https://platform.test: found no absolute URL", "/oauth2"],
    [
      "url must be an authorize URL of https://platform.test: found https://discord.com/oauth2/authorize",
      "https://discord.com/oauth2/authorize?client_id=1",
    ],
    [
      "url must be an authorize URL of https://platform.test: found https://platform.test/login",
      "https://platform.test/login?code=secret",
    ],
  ])("says %s", async (message, url) => {
    await expect(small().authorize(url)).rejects.toThrow(new TypeError(message));
    await expect(small().deny(url)).rejects.toThrow(new TypeError(message));
  });

  test("says who is unknown, which permissions make no sense, and which guild is closed", async () => {
    const fake = small();
    await expect(fake.authorize(link(fake), { as: "eve" })).rejects.toThrow(
      new TypeError(`as must be the id or the username of a user of the platform: found "eve"`),
    );
    await expect(fake.authorize(link(fake), { permissions: "x" })).rejects.toThrow(
      new TypeError(`permissions must be a decimal string: found "x"`),
    );
    const bot = link(fake, { scope: "bot" });
    await expect(fake.authorize(bot, { as: "bob" })).rejects.toThrow(
      new Error("bob may not add Fake application to any guild"),
    );
    await expect(fake.authorize(bot, { guildId: "1" })).rejects.toThrow(
      new Error("ada may not add Fake application to the guild 1"),
    );
  });

  test("accepts a URL object", async () => {
    const fake = small();
    expect(await fake.authorize(new URL(link(fake)))).toContain("code=");
    expect(await fake.deny(new URL(link(fake)))).toContain("error=access_denied");
  });
});

describe("FakePlatform.deny()", () => {
  test("says when a bot link leads back nowhere", async () => {
    const fake = small();
    const url = link(fake, { response_type: undefined, redirect_uri: undefined, scope: "bot" });
    await expect(fake.deny(url)).rejects.toThrow(
      new TypeError("the platform redirects nowhere but says: Nothing was added."),
    );
  });
});

describe("the token endpoint", () => {
  test("exchanges a code for tokens that look fake", async () => {
    const fake = small();
    const answer = await redeem(fake, await login(fake, { scope: "identify guilds identify" }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("pragma")).toBe("no-cache");
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await body(answer)).toEqual({
      access_token: expect.stringMatching(/^fake_access_[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 604800,
      refresh_token: expect.stringMatching(/^fake_refresh_[\w-]{43}$/),
      scope: "identify guilds",
    });
  });

  test("takes the credentials from the form as well", async () => {
    const fake = small();
    const form = { client_id: APP.id, client_secret: APP.secret };
    const code = await login(fake);
    const answer = await exchange(
      fake,
      { code, redirect_uri: "https://app.example/cb", ...form },
      {},
    );
    expect(answer.status).toBe(200);
  });

  test("takes the client id beside Basic credentials when it is the same", async () => {
    const fake = small();
    const code = await login(fake, { redirect_uri: undefined });
    expect((await exchange(fake, { code, client_id: APP.id })).status).toBe(200);
  });

  test.each([
    ["a wrong secret", {}, basic(APP.id, "wrong")],
    ["a wrong client", {}, basic("404", APP.secret)],
    ["no credentials", {}, undefined],
    ["no secret", { client_id: APP.id }, undefined],
    ["a wrong secret in the form", { client_id: APP.id, client_secret: "x" }, undefined],
    ["a secret for a public client", { client_id: "200", client_secret: "x" }, undefined],
    ["Basic credentials for a public client", {}, basic("200", "")],
    ["Basic credentials that are not Base64", {}, "Basic %%%"],
    ["Basic credentials that are not form-encoded", {}, `Basic ${btoa("100:%")}`],
    ["Basic credentials without a colon", {}, `Basic ${btoa("100")}`],
    ["another scheme", {}, "Bearer x"],
  ])("answers 401 invalid_client for %s", async (_, form, authorization) => {
    const fake = small();
    const answer = await exchange(
      fake,
      { code: await login(fake), ...form },
      authorization === undefined ? {} : { authorization },
    );
    expect(answer.status).toBe(401);
    expect(await body(answer)).toEqual({ error: "invalid_client" });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("reads form-encoded Basic credentials, with plus signs as spaces", async () => {
    const fake = small();
    const code = await login(fake, { redirect_uri: undefined });
    const authorization = `basic ${btoa("100:s3cret%3Awith+colon")}`;
    expect((await exchange(fake, { code }, { authorization })).status).toBe(200);
  });

  test("answers invalid_request for two kinds of credentials at once", async () => {
    const fake = small();
    const described = "Multiple client credentials in request.";
    expect(await refused(exchange(fake, { client_secret: APP.secret })))
      .toEqual([400, "invalid_request", described]);
    expect(await refused(exchange(fake, { client_id: "200" })))
      .toEqual([400, "invalid_request", described]);
  });

  test("answers invalid_request for a repeated parameter", async () => {
    const fake = small();
    const answer = await fake.fetch(`${fake.platform.apiUrl}/oauth2/token`, {
      method: "POST",
      headers: { ...AGENT, authorization: basic(APP.id, APP.secret) },
      body: new URLSearchParams([["grant_type", "a"], ["code", "a"], ["code", "b"]]),
    });
    expect(await refused(answer)).toEqual([400, "invalid_request", `Repeated "code" in request.`]);
  });

  test.each([
    ["JSON", "application/json", JSON.stringify({ grant_type: "authorization_code" })],
    ["a form without its type", "text/plain", "grant_type=authorization_code"],
    ["an empty form", "application/x-www-form-urlencoded; charset=utf-8", ""],
  ])("takes %s for a request without a grant type", async (_, type, text) => {
    const fake = small();
    const answer = await fake.fetch(`${fake.platform.apiUrl}/oauth2/token?grant_type=x`, {
      method: "POST",
      headers: { ...AGENT, "content-type": type, authorization: basic(APP.id, APP.secret) },
      body: text,
    });
    expect(await refused(answer))
      .toEqual([400, "unsupported_grant_type", "Grant type None is not supported"]);
  });

  test("answers unsupported_grant_type", async () => {
    const answer = exchange(small(), { grant_type: "password" });
    expect(await refused(answer))
      .toEqual([400, "unsupported_grant_type", "Grant type password is not supported"]);
  });

  test("redeems a code once; the second attempt also ends what the first one got", async () => {
    const fake = small();
    const code = await login(fake);
    const { access_token, refresh_token } = await body(redeem(fake, code));
    expect((await get(fake, "/users/@me", `Bearer ${access_token}`)).status).toBe(200);
    expect(await refused(redeem(fake, code)))
      .toEqual([400, "invalid_grant", `Invalid "code" in request.`]);
    expect((await get(fake, "/users/@me", `Bearer ${access_token}`)).status).toBe(401);
    const refresh = await exchange(fake, {
      grant_type: "refresh_token",
      refresh_token: String(refresh_token),
    });
    expect(refresh.status).toBe(400);
  });

  test("redeems a code once even when two come at the same time", async () => {
    const fake = small();
    const pkce = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
    const code = await login(fake, pkce);
    const form = { code, redirect_uri: "https://app.example/cb", code_verifier: VERIFIER };
    const answers = await Promise.all([exchange(fake, form), exchange(fake, form)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test("lets a code expire after 100 seconds", async () => {
    const fake = small({ now: () => 1_000_000 });
    const [inTime, late] = [await login(fake), await login(fake)];
    fake.advance(99_999);
    expect((await redeem(fake, inTime)).status).toBe(200);
    fake.advance(1);
    expect(await refused(redeem(fake, late)))
      .toEqual([400, "invalid_grant", `Invalid "code" in request.`]);
  });

  test("keeps lifetimes it is told", async () => {
    const fake = small({ codeLifetime: 5, tokenLifetime: 60, now: () => 0 });
    const late = await login(fake);
    fake.advance(5000);
    expect((await redeem(fake, late)).status).toBe(400);
    const { expires_in, access_token } = await body(redeem(fake, await login(fake)));
    expect(expires_in).toBe(60);
    fake.advance(59_999);
    expect((await get(fake, "/users/@me", `Bearer ${access_token}`)).status).toBe(200);
    fake.advance(1);
    const expired = await get(fake, "/users/@me", `Bearer ${access_token}`);
    expect(expired.status).toBe(401);
    expect(await body(expired)).toEqual(UNAUTHORIZED);
  });

  test("refuses an unknown code, none, and the code of another client", async () => {
    const fake = small();
    const invalid = [400, "invalid_grant", `Invalid "code" in request.`];
    expect(await refused(redeem(fake, "nonsense"))).toEqual(invalid);
    expect(await refused(exchange(fake, {}))).toEqual(invalid);
    const code = await login(fake);
    expect(await refused(exchange(fake, { code, client_id: "200" }, {}))).toEqual(invalid);
    expect((await redeem(fake, code)).status).toBe(200);
  });

  test("refuses another redirect URI, and none when the link named one", async () => {
    const fake = small();
    const code = await login(fake);
    const invalid = [400, "invalid_grant", `Invalid "redirect_uri" in request.`];
    expect(await refused(exchange(fake, { code }))).toEqual(invalid);
    expect(await refused(exchange(fake, { code, redirect_uri: "https://app.example/other" })))
      .toEqual(invalid);
    expect((await redeem(fake, code)).status).toBe(200);
  });

  test("checks the PKCE verifier whenever the link had a challenge", async () => {
    const fake = small();
    const pkce = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
    const code = await login(fake, pkce);
    const form = { code, redirect_uri: "https://app.example/cb" };
    const invalid = [400, "invalid_grant", `Invalid "code_verifier" in request.`];
    expect(await refused(exchange(fake, form))).toEqual(invalid);
    for (const wrong of [VERIFIER.toUpperCase(), "short", `${VERIFIER}!`]) {
      expect(await refused(exchange(fake, { ...form, code_verifier: wrong }))).toEqual(invalid);
    }
    expect((await exchange(fake, { ...form, code_verifier: VERIFIER })).status).toBe(200);
  });

  test("refuses a verifier that is too short, even if it is the right one", async () => {
    const fake = small();
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("short"));
    const challenge = btoa(String.fromCharCode(...new Uint8Array(digest)))
      .replaceAll("+", "-").replaceAll("/", "_").replace("=", "");
    const code = await login(fake, { code_challenge: challenge, code_challenge_method: "S256" });
    const form = { code, redirect_uri: "https://app.example/cb", code_verifier: "short" };
    expect((await exchange(fake, form)).status).toBe(400);
  });

  test("refuses a verifier when the link had no challenge", async () => {
    const fake = small();
    const form = { code: await login(fake), redirect_uri: "https://app.example/cb" };
    expect(await refused(exchange(fake, { ...form, code_verifier: VERIFIER })))
      .toEqual([400, "invalid_grant", `Invalid "code_verifier" in request.`]);
  });

  test("lets a public client log in with PKCE, and refresh, but not act for itself", async () => {
    const fake = small();
    const code = await login(fake, {
      client_id: "200",
      redirect_uri: "https://spa.example/",
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
    });
    const answer = await exchange(fake, {
      code,
      client_id: "200",
      redirect_uri: "https://spa.example/",
      code_verifier: VERIFIER,
    }, {});
    expect(answer.status).toBe(200);
    const { refresh_token } = await body(answer);
    const refreshed = await exchange(fake, {
      grant_type: "refresh_token",
      client_id: "200",
      refresh_token: String(refresh_token),
    }, {});
    expect(refreshed.status).toBe(200);
    const own = exchange(fake, { grant_type: "client_credentials", client_id: "200" }, {});
    expect((await refused(own)).slice(0, 2)).toEqual([400, "unauthorized_client"]);
  });

  test("narrows the scopes of an exchange, and never widens them", async () => {
    const fake = small();
    const form = { redirect_uri: "https://app.example/cb" };
    const code = await login(fake, { scope: "identify guilds" });
    expect((await refused(exchange(fake, { ...form, code, scope: "guilds email" }))).slice(0, 2))
      .toEqual([400, "invalid_scope"]);
    const { scope } = await body(exchange(fake, { ...form, code, scope: "guilds" }));
    expect(scope).toBe("guilds");
  });

  test("gives a new refresh token for an old one, once", async () => {
    const fake = small();
    const first = await body(redeem(fake, await login(fake, { scope: "identify guilds" })));
    const form = { grant_type: "refresh_token", refresh_token: String(first["refresh_token"]) };
    const answer = await exchange(fake, form);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const second = await body(answer);
    expect(second["scope"]).toBe("identify guilds");
    expect(second["refresh_token"]).not.toBe(first["refresh_token"]);
    expect((await get(fake, "/users/@me", `Bearer ${second["access_token"]}`)).status).toBe(200);
    expect(await refused(exchange(fake, form)))
      .toEqual([400, "invalid_grant", `Invalid "refresh_token" in request.`]);
    const third = { ...form, refresh_token: String(second["refresh_token"]) };
    expect((await refused(exchange(fake, { ...third, scope: "identify email" }))).slice(0, 2))
      .toEqual([400, "invalid_scope"]);
    expect((await body(exchange(fake, { ...third, scope: "identify" })))["scope"]).toBe("identify");
  });

  test("refuses the refresh token of another client, and none", async () => {
    const fake = small();
    const invalid = [400, "invalid_grant", `Invalid "refresh_token" in request.`];
    const { refresh_token = "" } = fake.issueToken({ clientId: "200" });
    expect(await refused(exchange(fake, { grant_type: "refresh_token", refresh_token })))
      .toEqual(invalid);
    expect(await refused(exchange(fake, { grant_type: "refresh_token" }))).toEqual(invalid);
  });

  test("gives a client a token for its owner, without a refresh token", async () => {
    const fake = small({ applications: [{ ...APP, ownerId: "2" }] });
    const answer = await exchange(fake, {
      grant_type: "client_credentials",
      scope: "identify guilds",
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const token = await body(answer);
    expect(token).toEqual({
      access_token: expect.stringMatching(/^fake_access_/),
      token_type: "Bearer",
      expires_in: 604800,
      scope: "identify guilds",
    });
    const me = await body(get(fake, "/users/@me", `Bearer ${token["access_token"]}`));
    expect(me["username"]).toBe("bob");
  });

  test("refuses a client's own token without scopes, and with unknown ones", async () => {
    const fake = small();
    const form = { grant_type: "client_credentials" };
    expect((await refused(exchange(fake, form))).slice(0, 2)).toEqual([400, "invalid_scope"]);
    expect((await refused(exchange(fake, { ...form, scope: "identify nonsense" }))).slice(0, 2))
      .toEqual([400, "invalid_scope"]);
  });

  test("answers the whole guild when a bot was added", async () => {
    const fake = small();
    const { guild } = await body(redeem(fake, await login(fake, { scope: "bot identify" })));
    expect(guild).toEqual(await body(get(fake, "/guilds/70", "Bot bot-token")));
    expect(guild).toMatchObject({ id: "70", name: "Looms", owner_id: "1" });
  });

  test("answers a webhook for webhook.incoming, and no guild", async () => {
    const fake = small({ guilds: [{ ...LOOMS, system_channel_id: "700" }] });
    const callback = new URL(await fake.authorize(link(fake, { scope: "webhook.incoming" })));
    expect(callback.searchParams.has("guild_id")).toBe(false);
    const token = await body(redeem(fake, callback.searchParams.get("code") ?? ""));
    expect(token).not.toHaveProperty("guild");
    const { webhook } = token;
    expect(webhook).toMatchObject({
      type: 1,
      guild_id: "70",
      channel_id: "700",
      application_id: "100",
      name: "Fake application",
    });
    expect(webhook).toMatchObject({
      token: expect.stringMatching(/^fake_webhook_/),
      url: expect.stringMatching(/^https:\/\/platform\.test\/api\/webhooks\/100\/fake_webhook_/),
    });
    expect((await get(fake, "/guilds/70", "Bot bot-token")).status).toBe(404);
  });

  test("puts a webhook somewhere in a guild that has no system channel", async () => {
    const fake = small();
    const token = await body(redeem(fake, await login(fake, { scope: "webhook.incoming bot" })));
    expect(token["webhook"]).toMatchObject({ channel_id: "70" });
    expect(token).toHaveProperty("guild");
  });

  test("answers neither guild nor webhook when commands were added", async () => {
    const fake = small();
    const code = await login(fake, { scope: "applications.commands", integration_type: "0" });
    const token = await body(redeem(fake, code));
    expect(token).not.toHaveProperty("guild");
    expect(token).not.toHaveProperty("webhook");
  });
});

describe("OpenID", () => {
  async function verified(fake: FakePlatform, idToken: unknown): Promise<[Json, Json]> {
    const { keys } = await (await get(fake, "/oauth2/keys")).json();
    const [header = "", payload = "", signature = ""] = String(idToken).split(".");
    const [jwk] = keys;
    const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["verify"]);
    const data = new TextEncoder().encode(`${header}.${payload}`);
    const proof = await crypto.subtle.verify(algorithm.name, key, bytes(signature), data);
    expect(proof).toBe(true);
    expect(Object.keys(jwk).sort()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
    const decode = (part: string) => JSON.parse(new TextDecoder().decode(bytes(part)));
    expect(decode(header)).toEqual({ alg: "RS256", typ: "JWT", kid: jwk.kid });
    return [decode(payload), decode(header)];
  }

  function bytes(base64url: string): Uint8Array<ArrayBuffer> {
    const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  }

  test("signs an id_token with a key that it publishes, and the nonce in it", async () => {
    const fake = small({ now: () => 1_700_000_000_500 });
    const code = await login(fake, { scope: "openid", nonce: "n-1" });
    fake.advance(10_000);
    const { id_token } = await body(redeem(fake, code));
    const [claims] = await verified(fake, id_token);
    expect(claims).toEqual({
      iss: "https://platform.test",
      sub: "1",
      aud: "100",
      iat: 1_700_000_010,
      exp: 1_700_003_610,
      auth_time: 1_700_000_000,
      nonce: "n-1",
    });
  });

  test("says as much about the user as the scopes allow, in token and userinfo alike", async () => {
    const fake = small({
      users: [{ ...ADA, avatar: "abc", global_name: "Ada" }, { ...BOB, email: null }],
    });
    const token = await body(redeem(fake, await login(fake, { scope: "openid identify email" })));
    const [claims] = await verified(fake, token["id_token"]);
    const person = {
      sub: "1",
      preferred_username: "ada",
      nickname: "Ada",
      picture: "https://platform.test/cdn/avatars/1/abc.png",
      locale: "en-US",
      email: "ada@example.com",
      email_verified: true,
    };
    expect(claims).toMatchObject(person);
    expect(claims).not.toHaveProperty("nonce");
    expect(await body(get(fake, "/oauth2/userinfo", `Bearer ${token["access_token"]}`)))
      .toEqual(person);
    const bob = bearer(fake, ["openid", "identify"], "bob");
    expect(await body(get(fake, "/oauth2/userinfo", bob)))
      .toEqual({
        sub: "2",
        preferred_username: "bob",
        nickname: null,
        picture: null,
        locale: "en-US",
      });
    expect((await get(fake, "/oauth2/userinfo", bearer(fake, ["identify"]))).status).toBe(401);
  });

  test("keeps one key for each platform", async () => {
    const fake = small();
    const [first, second] = [await get(fake, "/oauth2/keys"), await get(fake, "/oauth2/keys")];
    expect(await first.json()).toEqual(await second.json());
  });

  test("describes itself in the discovery documents", async () => {
    const fake = small({ origin: "http://localhost:1234" });
    const openid = await fake.fetch("/.well-known/openid-configuration");
    expect(openid.headers.get("access-control-allow-origin")).toBe("*");
    expect(await body(openid)).toMatchObject({
      issuer: "http://localhost:1234",
      authorization_endpoint: "http://localhost:1234/oauth2/authorize",
      token_endpoint: "http://localhost:1234/api/v10/oauth2/token",
      userinfo_endpoint: "http://localhost:1234/api/v10/oauth2/userinfo",
      jwks_uri: "http://localhost:1234/api/v10/oauth2/keys",
      id_token_signing_alg_values_supported: ["RS256"],
    });
    expect(await body(fake.fetch("/.well-known/oauth-authorization-server"))).toMatchObject({
      issuer: "http://localhost:1234",
      revocation_endpoint: "http://localhost:1234/api/v10/oauth2/token/revoke",
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    });
  });
});

describe("the revocation endpoint", () => {
  test.each(["access_token", "refresh_token"])("ends a whole login by its %s", async (which) => {
    const fake = small();
    const tokens = await body(redeem(fake, await login(fake)));
    const other = await body(redeem(fake, await login(fake)));
    const answer = await post(
      fake,
      "/oauth2/token/revoke",
      { token: String(tokens[which]) },
      { authorization: basic(APP.id, APP.secret) },
    );
    expect(answer.status).toBe(200);
    expect((await get(fake, "/users/@me", `Bearer ${tokens["access_token"]}`)).status).toBe(401);
    const refresh = { grant_type: "refresh_token", refresh_token: String(tokens["refresh_token"]) };
    expect((await exchange(fake, refresh)).status).toBe(400);
    expect((await get(fake, "/users/@me", `Bearer ${other["access_token"]}`)).status).toBe(200);
  });

  test("makes the next login ask for consent again", async () => {
    const fake = small();
    const tokens = await body(redeem(fake, await login(fake)));
    const again = link(fake, { prompt: "none" });
    expect((await fake.fetch(again)).status).toBe(302);
    const form = { token: String(tokens["access_token"]) };
    await post(fake, "/oauth2/token/revoke", form, { authorization: basic(APP.id, APP.secret) });
    expect((await fake.fetch(again)).status).toBe(200);
  });

  test("takes back the consent with a token that was issued without a login too", async () => {
    const fake = small();
    await login(fake);
    const form = { token: fake.issueToken().access_token };
    await post(fake, "/oauth2/token/revoke", form, { authorization: basic(APP.id, APP.secret) });
    expect((await fake.fetch(link(fake, { prompt: "none" }))).status).toBe(200);
  });

  test("does not take back a consent for the client's own token", async () => {
    const fake = small();
    await login(fake);
    const form = { grant_type: "client_credentials", scope: "identify" };
    const { access_token } = await body(exchange(fake, form));
    await post(fake, "/oauth2/token/revoke", { token: String(access_token) }, {
      authorization: basic(APP.id, APP.secret),
    });
    expect((await get(fake, "/users/@me", `Bearer ${access_token}`)).status).toBe(401);
    expect((await fake.fetch(link(fake, { prompt: "none" }))).status).toBe(302);
  });

  test("answers 200 for an unknown token, and for another client's, which lives on", async () => {
    const fake = small();
    const authorization = basic(APP.id, APP.secret);
    const token = fake.issueToken({ clientId: "200" }).access_token;
    for (const form of [{ token: "unknown" }, { token }]) {
      expect((await post(fake, "/oauth2/token/revoke", form, { authorization })).status).toBe(200);
    }
    expect((await get(fake, "/users/@me", `Bearer ${token}`)).status).toBe(200);
  });

  test("wants a client and a token", async () => {
    const fake = small();
    const authorization = basic(APP.id, APP.secret);
    expect(await refused(post(fake, "/oauth2/token/revoke", { token: "x" })))
      .toEqual([401, "invalid_client", undefined]);
    expect(
      await refused(post(fake, "/oauth2/token/revoke", {}, { authorization })),
    )
      .toEqual([400, "invalid_request", `Missing "token" in request.`]);
  });
});

describe("FakePlatform.issueToken()", () => {
  test("gives the first user's token for the first application, to identify", async () => {
    const fake = small();
    const token = fake.issueToken();
    expect(token).toMatchObject({ token_type: "Bearer", scope: "identify", expires_in: 604800 });
    const authorization = await body(get(fake, "/oauth2/@me", `Bearer ${token.access_token}`));
    expect(authorization).toMatchObject({ application: { id: "100" }, user: { id: "1" } });
    expectTypeOf(token).toEqualTypeOf<TokenPayload>();
  });

  test("gives another user's token for another application", async () => {
    const fake = small();
    const { access_token } = fake.issueToken({ as: "bob", clientId: "200", scopes: ["guilds"] });
    const authorization = await body(get(fake, "/oauth2/@me", `Bearer ${access_token}`));
    expect(authorization).toMatchObject({ application: { id: "200" }, scopes: ["guilds"] });
  });

  test("says what it does not know", () => {
    const fake = small();
    expect(() => fake.issueToken({ as: "eve" })).toThrow(`found "eve"`);
    expect(() => fake.issueToken({ clientId: "404" })).toThrow(
      new TypeError(`clientId must name an application: found "404"`),
    );
    expect(() => fake.issueToken({ scopes: ["identify", "x"] })).toThrow(
      new TypeError(`scopes must be known to the platform: found "x"`),
    );
  });
});

describe("GET /oauth2/@me", () => {
  test("tells the application, the scopes, the expiry, and the user with identify", async () => {
    const fake = small({ now: () => 0 });
    expect(await body(get(fake, "/oauth2/@me", bearer(fake, ["identify", "guilds"]))))
      .toMatchObject({
        application: {
          id: "100",
          name: "Fake application",
          icon: null,
          description: "",
          summary: "",
          bot_public: true,
          bot_require_code_grant: false,
          verify_key: "0".repeat(64),
          flags: 0,
        },
        scopes: ["identify", "guilds"],
        expires: "1970-01-08T00:00:00.000000+00:00",
        user: { id: "1" },
      });
    expect(await body(get(fake, "/oauth2/@me", bearer(fake, ["guilds"])))).not.toHaveProperty(
      "user",
    );
    expect((await get(fake, "/oauth2/@me")).status).toBe(401);
    expect((await get(fake, "/oauth2/@me", "Bot bot-token")).status).toBe(401);
  });
});

describe("GET /users/@me", () => {
  test("fills in whatever a minimal user leaves out", async () => {
    const fake = small();
    expect(await body(get(fake, "/users/@me", bearer(fake, ["identify"])))).toEqual({
      id: "1",
      username: "ada",
      avatar: null,
      discriminator: "0",
      public_flags: 0,
      flags: 0,
      banner: null,
      accent_color: null,
      global_name: null,
      avatar_decoration_data: null,
      collectibles: null,
      primary_guild: null,
      mfa_enabled: false,
      locale: "en-US",
      premium_type: 0,
    });
  });

  test("adds the email address with the email scope only", async () => {
    const fake = small({ users: [ADA, { ...BOB, email: null, verified: false }] });
    expect(await body(get(fake, "/users/@me", bearer(fake, ["identify", "email"]))))
      .toMatchObject({ email: "ada@example.com", verified: true });
    expect(await body(get(fake, "/users/@me", bearer(fake, ["identify", "email"], "bob"))))
      .toMatchObject({ email: null, verified: false });
  });

  test("tells the kind of subscription with identify.premium only", async () => {
    const fake = small({ users: [{ ...ADA, premium_type: 2 }, BOB] });
    expect(await body(get(fake, "/users/@me", bearer(fake, ["identify"]))))
      .toMatchObject({ premium_type: 0 });
    expect(await body(get(fake, "/users/@me", bearer(fake, ["identify", "identify.premium"]))))
      .toMatchObject({ premium_type: 2 });
  });

  test("lays extra fields over the answer, right or wrong", async () => {
    const fake = small({ users: [{ ...ADA, extra: { brand_new: 1, username: 42 } }, BOB] });
    expect(await body(get(fake, "/users/@me", bearer(fake, ["identify"]))))
      .toMatchObject({ brand_new: 1, username: 42 });
  });

  test("takes an explicit undefined for the default", async () => {
    const user: FakeUser = JSON.parse(`{"id":"1","username":"ada"}`);
    const fake = small({ users: [Object.assign(user, { locale: undefined }), BOB] });
    expect(await body(get(fake, "/users/@me", bearer(fake, ["identify"]))))
      .toMatchObject({ locale: "en-US" });
  });

  test("answers 401 without identify, without a token and with a made-up one", async () => {
    const fake = small();
    const tokens = [bearer(fake, ["guilds"]), undefined, "Bearer x", "Bearer", "Bot x", "x"];
    for (const authorization of tokens) {
      const answer = await get(fake, "/users/@me", authorization);
      expect(answer.status).toBe(401);
      expect(await body(answer)).toEqual(UNAUTHORIZED);
    }
  });

  test("tells a bot who it is", async () => {
    const fake = small();
    expect(await body(get(fake, "/users/@me", "Bot bot-token"))).toEqual({
      id: "100",
      username: "Fake application",
      avatar: null,
      discriminator: "0001",
      public_flags: 0,
      flags: 0,
      bot: true,
      banner: null,
      accent_color: null,
      global_name: null,
      avatar_decoration_data: null,
      collectibles: null,
      primary_guild: null,
      mfa_enabled: true,
      locale: "en-US",
      premium_type: 0,
      email: null,
      verified: true,
    });
  });

  test("is found under its encoded name too", async () => {
    const fake = small();
    expect((await get(fake, "/users/%40me", bearer(fake, ["identify"]))).status).toBe(200);
  });
});

describe("GET /users/@me/guilds", () => {
  const guilds: FakeGuild[] = ["9", "10", "100", "30"].map((id) => ({
    id,
    name: `Guild ${id}`,
    members: { "1": { permissions: id } },
  }));

  async function ids(fake: FakePlatform, query = ""): Promise<unknown> {
    const answer = await get(fake, `/users/@me/guilds${query}`, bearer(fake, ["guilds"]));
    const list: PartialGuildPayload[] = await answer.json();
    return list.map(({ id }) => id);
  }

  test("lists what a user needs to know, in the order of the ids", async () => {
    const fake = small({ guilds: [...guilds, { id: "5", name: "Not mine" }] });
    const answer = await get(fake, "/users/@me/guilds", bearer(fake, ["guilds"]));
    const list = await answer.json();
    expect(list[0]).toEqual({
      id: "9",
      name: "Guild 9",
      icon: null,
      banner: null,
      owner: false,
      permissions: "9",
      features: [],
    });
    expect(await ids(fake)).toEqual(["9", "10", "30", "100"]);
  });

  test("pages forwards from after and backwards from before", async () => {
    const fake = small({ guilds });
    expect(await ids(fake, "?limit=2")).toEqual(["9", "10"]);
    expect(await ids(fake, "?after=10")).toEqual(["30", "100"]);
    expect(await ids(fake, "?after=9&limit=1")).toEqual(["10"]);
    expect(await ids(fake, "?before=100")).toEqual(["9", "10", "30"]);
    expect(await ids(fake, "?before=100&limit=1")).toEqual(["30"]);
    expect(await ids(fake, "?before=100&after=9&limit=1")).toEqual(["10"]);
    expect(await ids(fake, "?limit=200")).toHaveLength(4);
  });

  test("lists 200 guilds at most", async () => {
    const many = Array.from({ length: 201 }, (_, at) => ({ ...LOOMS, id: String(1000 + at) }));
    expect(await ids(small({ guilds: many }))).toHaveLength(200);
  });

  test("counts members when asked", async () => {
    const fake = small({
      guilds: [
        { ...LOOMS, bots: { "100": "0" } },
        { ...LOOMS, id: "71", approximate_member_count: 10 },
        { ...LOOMS, id: "72", approximate_member_count: 10, approximate_presence_count: 4 },
      ],
    });
    for (const query of ["?with_counts=true", "?with_counts=1", "?with_counts=True"]) {
      const answer = await get(fake, `/users/@me/guilds${query}`, bearer(fake, ["guilds"]));
      expect(await answer.json()).toMatchObject([
        { approximate_member_count: 3, approximate_presence_count: 3 },
        { approximate_member_count: 10, approximate_presence_count: 10 },
        { approximate_member_count: 10, approximate_presence_count: 4 },
      ]);
    }
    for (const query of ["", "?with_counts=false", "?with_counts=0"]) {
      const answer = await get(fake, `/users/@me/guilds${query}`, bearer(fake, ["guilds"]));
      expect(Object.keys((await answer.json())[1])).not.toContain("approximate_member_count");
    }
  });

  test("tells the owner, who has every permission", async () => {
    const members = { "1": {}, "2": {} };
    const fake = small({ guilds: [{ id: "7", name: "By id", owner_id: "2", members }] });
    const answer = await get(fake, "/users/@me/guilds", bearer(fake, ["guilds"], "bob"));
    expect(await answer.json()).toMatchObject([{ owner: true, permissions: "8866461766385663" }]);
    const other = await get(fake, "/users/@me/guilds", bearer(fake, ["guilds"]));
    expect(await other.json()).toMatchObject([{ owner: false, permissions: "1799872721571393" }]);
  });

  test("lays extra fields over the entries", async () => {
    const fake = small({ guilds: [{ ...LOOMS, extra: { permissions: 8, brand_new: true } }] });
    const answer = await get(fake, "/users/@me/guilds", bearer(fake, ["guilds"]));
    expect(await answer.json()).toMatchObject([{ permissions: 8, brand_new: true }]);
  });

  test.each([
    ["limit=0", "NUMBER_TYPE_MIN", "int value should be greater than or equal to 1."],
    ["limit=-1", "NUMBER_TYPE_MIN", "int value should be greater than or equal to 1."],
    ["limit=201", "NUMBER_TYPE_MAX", "int value should be less than or equal to 200."],
    ["limit=ten", "NUMBER_TYPE_COERCE", `Value "ten" is not int.`],
    ["before=x", "NUMBER_TYPE_COERCE", `Value "x" is not snowflake.`],
    ["after=-1", "NUMBER_TYPE_COERCE", `Value "-1" is not snowflake.`],
    ["with_counts=yes", "BOOLEAN_TYPE_CONVERT", "Must be either true or false."],
  ])("answers a form error for %s", async (query, code, message) => {
    const fake = small();
    const answer = await get(fake, `/users/@me/guilds?${query}`, bearer(fake, ["guilds"]));
    expect(answer.status).toBe(400);
    expect(await body(answer)).toEqual({
      code: 50035,
      message: "Invalid Form Body",
      errors: { [query.split("=")[0] ?? ""]: { _errors: [{ code, message }] } },
    });
  });

  test("answers 401 without the guilds scope", async () => {
    const fake = small();
    expect((await get(fake, "/users/@me/guilds", bearer(fake, ["identify"]))).status).toBe(401);
  });
});

describe("GET /users/@me/guilds/{id}/member", () => {
  test("tells what the user is in the guild", async () => {
    const fake = small({
      guilds: [{ ...LOOMS, members: { "1": { nick: "Countess", roles: ["77"] } } }],
    });
    const token = bearer(fake, ["guilds.members.read"]);
    expect(await body(get(fake, "/users/@me/guilds/70/member", token))).toEqual({
      avatar: null,
      banner: null,
      communication_disabled_until: null,
      flags: 0,
      joined_at: "2024-01-01T00:00:00.000000+00:00",
      nick: "Countess",
      pending: false,
      premium_since: null,
      roles: ["77"],
      user: {
        id: "1",
        username: "ada",
        avatar: null,
        discriminator: "0",
        public_flags: 0,
        global_name: null,
        avatar_decoration_data: null,
        collectibles: null,
        primary_guild: null,
      },
      mute: false,
      deaf: false,
      avatar_decoration_data: null,
      collectibles: null,
    });
    const strange = await get(
      fake,
      "/users/@me/guilds/70/member",
      bearer(fake, ["guilds.members.read"], "bob"),
    );
    expect(strange.status).toBe(404);
    expect(await body(strange)).toEqual({ message: "Unknown Guild", code: 10004 });
    expect((await get(fake, "/users/@me/guilds/404/member", token)).status).toBe(404);
    expect((await get(fake, "/users/@me/guilds/70/member", bearer(fake, ["guilds"]))).status)
      .toBe(401);
  });

  test("says that a bot is one", async () => {
    const fake = small({ users: [{ ...ADA, bot: true }, BOB] });
    const token = bearer(fake, ["guilds.members.read"]);
    expect(await body(get(fake, "/users/@me/guilds/70/member", token)))
      .toMatchObject({ user: { bot: true } });
  });
});

describe("GET /users/@me/connections", () => {
  test("lists the user's accounts elsewhere", async () => {
    const fake = small({
      users: [{
        ...ADA,
        connections: [{ id: "1815", name: "ada", type: "github" }],
      }, BOB],
    });
    const answer = await get(fake, "/users/@me/connections", bearer(fake, ["connections"]));
    expect(await answer.json()).toEqual([{
      id: "1815",
      name: "ada",
      type: "github",
      revoked: false,
      verified: false,
      friend_sync: false,
      show_activity: true,
      two_way_link: false,
      visibility: 0,
    }]);
    const none = await get(fake, "/users/@me/connections", bearer(fake, ["connections"], "bob"));
    expect(await none.json()).toEqual([]);
    expect((await get(fake, "/users/@me/connections", bearer(fake, ["identify"]))).status).toBe(
      401,
    );
  });
});

describe("the role connection", () => {
  const path = "/users/@me/applications/100/role-connection";

  function put(fake: FakePlatform, authorization: string, text: string): Promise<Response> {
    return fake.fetch(fake.platform.apiUrl + path, {
      method: "PUT",
      headers: { ...AGENT, authorization, "content-type": "application/json" },
      body: text,
    });
  }

  test("is kept for one user, until it is deleted", async () => {
    const fake = small();
    const token = bearer(fake, ["role_connections.write"]);
    const empty = { platform_name: null, platform_username: null, metadata: {} };
    expect(await body(get(fake, path, token))).toEqual(empty);
    const connection = { platform_name: "Looms", platform_username: "ada" };
    const answer = await put(
      fake,
      token,
      JSON.stringify({ ...connection, metadata: { level: 3, name: "x", staff: true } }),
    );
    const expected = { ...connection, metadata: { level: "3", name: "x", staff: "true" } };
    expect(await body(answer)).toEqual(expected);
    expect(await body(get(fake, path, token))).toEqual(expected);
    expect(await body(get(fake, path, bearer(fake, ["role_connections.write"], "bob")))).toEqual(
      empty,
    );
    const deleted = await fake.fetch(fake.platform.apiUrl + path, {
      method: "DELETE",
      headers: { ...AGENT, authorization: token },
    });
    expect(deleted.status).toBe(204);
    expect(await body(get(fake, path, token))).toEqual(empty);
    expect(await body(put(fake, token, ""))).toEqual(empty);
    const longest = { platform_name: "x".repeat(50), platform_username: "y".repeat(100) };
    expect(await body(put(fake, token, JSON.stringify(longest)))).toMatchObject(longest);
  });

  test("belongs to the application of the token alone", async () => {
    const fake = small();
    const token = bearer(fake, ["role_connections.write"]);
    const other = await get(fake, path.replace("100", "200"), token);
    expect(other.status).toBe(403);
    expect(await body(other)).toEqual({ message: "Missing Access", code: 50001 });
    expect((await get(fake, path.replace("100", "x"), token)).status).toBe(400);
    expect((await get(fake, path, bearer(fake, ["identify"]))).status).toBe(401);
  });

  test.each([
    ["{", { message: "The request body contains invalid JSON.", code: 50109 }],
    ["[]", { code: 50109 }],
    ["null", { code: 50109 }],
    ["1", { code: 50109 }],
    [`{"platform_name":1}`, { errors: { platform_name: {} } }],
    [JSON.stringify({ platform_name: "x".repeat(51) }), {
      errors: { platform_name: { _errors: [{ message: "Must be 50 or fewer in length." }] } },
    }],
    [JSON.stringify({ platform_username: "x".repeat(101) }), {
      errors: { platform_username: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH" }] } },
    }],
    [`{"metadata":[]}`, { errors: { metadata: { _errors: [{ code: "DICT_TYPE_CONVERT" }] } } }],
    [`{"metadata":null}`, { errors: { metadata: {} } }],
    [`{"metadata":"x"}`, { errors: { metadata: {} } }],
    [`{"metadata":{"b":1,"a":{"toString":1}}}`, {
      message: "Invalid Form Body",
      code: 50035,
      errors: { metadata: { a: { _errors: [{ code: "STRING_TYPE_CONVERT" }] } } },
    }],
    [`{"metadata":{"a":[]}}`, { errors: { metadata: { a: {} } } }],
    [`{"metadata":{"a":null}}`, { errors: { metadata: { a: {} } } }],
  ])("refuses %s", async (text, expected) => {
    const fake = small();
    const answer = await put(fake, bearer(fake, ["role_connections.write"]), text);
    expect(answer.status).toBe(400);
    expect(await body(answer)).toMatchObject(expected);
  });
});

describe("GET /guilds/{id}", () => {
  const guilds: FakeGuild[] = [{ id: "70", name: "Looms", bots: { "100": "8" } }, {
    id: "71",
    name: "Without the bot",
  }];

  test("tells a bot in the guild all about it", async () => {
    const fake = small({ guilds });
    const guild = await body(get(fake, "/guilds/70", "Bot bot-token"));
    expect(guild).toMatchObject({ id: "70", owner_id: "80351110224678912", afk_timeout: 300 });
    expect(guild).not.toHaveProperty("approximate_member_count");
    expect(guild).not.toHaveProperty("permissions");
    expect(guild).not.toHaveProperty("members");
    expect(await body(get(fake, "/guilds/70?with_counts=true", "Bot bot-token")))
      .toMatchObject({ approximate_member_count: 1, approximate_presence_count: 1 });
  });

  test("fills in whatever a minimal guild leaves out", async () => {
    const fake = small({
      guilds: [{ id: "70", name: "Looms", members: { "1": { owner: true } } }],
    });
    const { guild } = await body(redeem(fake, await login(fake, { scope: "bot" })));
    const role = {
      color: 0,
      colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
      hoist: false,
      icon: null,
      unicode_emoji: null,
      mentionable: false,
      flags: 0,
    };
    expect(guild).toEqual({
      id: "70",
      name: "Looms",
      icon: null,
      description: null,
      splash: null,
      discovery_splash: null,
      features: [],
      banner: null,
      owner_id: "1",
      application_id: null,
      region: "deprecated",
      afk_channel_id: null,
      afk_timeout: 300,
      system_channel_id: null,
      system_channel_flags: 0,
      widget_enabled: false,
      widget_channel_id: null,
      verification_level: 0,
      roles: [
        {
          ...role,
          id: "70",
          name: "@everyone",
          position: 0,
          permissions: "1799872721571393",
          managed: false,
        },
        {
          ...role,
          id: "100",
          name: "Fake application",
          position: 1,
          permissions: "0",
          managed: true,
          tags: { bot_id: "100" },
        },
      ],
      default_message_notifications: 0,
      mfa_level: 0,
      explicit_content_filter: 0,
      max_presences: null,
      max_members: 500000,
      max_stage_video_channel_users: 50,
      max_video_channel_users: 25,
      vanity_url_code: null,
      premium_tier: 0,
      premium_subscription_count: 0,
      preferred_locale: "en-US",
      rules_channel_id: null,
      safety_alerts_channel_id: null,
      public_updates_channel_id: null,
      hub_type: null,
      premium_progress_bar_enabled: false,
      nsfw_level: 0,
      emojis: [],
      stickers: [],
      incidents_data: null,
    });
  });

  test("lays given and extra fields over the defaults", async () => {
    const fake = small({
      guilds: [{
        id: "70",
        name: "Looms",
        owner_id: "5",
        premium_tier: 3,
        extra: { nsfw: false },
        bots: { "100": "0" },
      }],
    });
    expect(await body(get(fake, "/guilds/70", "Bot bot-token")))
      .toMatchObject({ owner_id: "5", premium_tier: 3, nsfw: false });
  });

  test("answers 404 for an unknown guild and for one without the bot", async () => {
    const fake = small({ guilds });
    for (const id of ["404", "71"]) {
      const answer = await get(fake, `/guilds/${id}`, "Bot bot-token");
      expect(answer.status).toBe(404);
      expect(await body(answer)).toEqual({ message: "Unknown Guild", code: 10004 });
    }
  });

  test("answers a form error for what is no snowflake", async () => {
    const answer = await get(small(), "/guilds/abc", "Bot bot-token");
    expect(answer.status).toBe(400);
    expect(await body(answer)).toMatchObject({
      code: 50035,
      errors: { guild_id: { _errors: [{ message: `Value "abc" is not snowflake.` }] } },
    });
  });

  test("is closed to a user's token", async () => {
    const fake = small({ guilds });
    const answer = await get(fake, "/guilds/70", bearer(fake, ["guilds", "bot"]));
    expect(answer.status).toBe(401);
    expect(await body(answer)).toEqual(UNAUTHORIZED);
  });
});

describe("PUT /guilds/{id}/members/{user}", () => {
  const guilds: FakeGuild[] = [{ ...LOOMS, members: { "1": {} }, bots: { "100": "1" } }];

  function put(
    fake: FakePlatform,
    token: unknown,
    { path = "/guilds/70/members/2", authorization = "Bot bot-token", more = {} } = {},
  ): Promise<Response> {
    return fake.fetch(fake.platform.apiUrl + path, {
      method: "PUT",
      headers: { ...AGENT, authorization, "content-type": "application/json" },
      body: JSON.stringify({ access_token: token, ...more }),
    });
  }

  test("makes the user a member: 201, then 204", async () => {
    const fake = small({ guilds, now: () => 0 });
    const token = fake.issueToken({ as: "bob", scopes: ["guilds.join", "guilds"] }).access_token;
    const more = { nick: "Bobby", roles: ["77"], mute: true, deaf: true };
    const answer = await put(fake, token, { more });
    expect(answer.status).toBe(201);
    expect(await body(answer)).toMatchObject({
      ...more,
      user: BOB,
      joined_at: "1970-01-01T00:00:00.000000+00:00",
    });
    const list = await (await get(fake, "/users/@me/guilds", `Bearer ${token}`)).json();
    expect(list).toMatchObject([{ id: "70" }]);
    const again = await put(fake, token);
    expect(again.status).toBe(204);
    expect(await again.text()).toBe("");
  });

  test("ignores options of the wrong type", async () => {
    const fake = small({ guilds });
    const token = fake.issueToken({ as: "bob", scopes: ["guilds.join"] }).access_token;
    const more = { nick: 1, roles: "77", mute: 1, deaf: null };
    expect(await body(put(fake, token, { more })))
      .toMatchObject({ nick: null, roles: [], mute: false, deaf: false });
  });

  test("refuses roles that can be no ids", async () => {
    const fake = small({ guilds });
    const token = fake.issueToken({ as: "bob", scopes: ["guilds.join"] }).access_token;
    const answer = await put(fake, token, { more: { roles: [77, { toString: 1 }] } });
    expect([answer.status, await body(answer)]).toMatchObject([
      400,
      { code: 50035, errors: { roles: { 1: { _errors: [{ code: "NUMBER_TYPE_COERCE" }] } } } },
    ]);
    const joined = await put(fake, token, { more: { roles: [77, "78"] } });
    expect(await body(joined)).toMatchObject({ roles: ["77", "78"] });
  });

  test.each([
    ["another user's", { as: "ada", scopes: ["guilds.join"] }, 50025],
    ["another application's", { as: "bob", scopes: ["guilds.join"], clientId: "200" }, 50025],
    ["a narrower", { as: "bob", scopes: ["guilds"] }, 50026],
  ])("answers 403 for %s token", async (_, request, code) => {
    const fake = small({ guilds });
    const answer = await put(fake, fake.issueToken(request).access_token);
    expect(answer.status).toBe(403);
    expect(await body(answer)).toMatchObject({ code });
  });

  test("answers 403 for a made-up token and 400 for none", async () => {
    const fake = small({ guilds });
    expect(await body(put(fake, "x"))).toMatchObject({ code: 50025 });
    const none = await put(fake, undefined);
    expect(none.status).toBe(400);
    expect(await body(none)).toMatchObject({ errors: { access_token: {} } });
  });

  test("wants a bot that is in the guild and may invite", async () => {
    const fake = small({
      guilds: [...guilds, { id: "71", name: "No bot" }, {
        id: "72",
        name: "Weak",
        bots: { "100": "2" },
      }],
    });
    const token = fake.issueToken({ as: "bob", scopes: ["guilds.join"] }).access_token;
    expect((await put(fake, token, { authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await put(fake, token, { path: "/guilds/71/members/2" })).status).toBe(404);
    expect((await put(fake, token, { path: "/guilds/404/members/2" })).status).toBe(404);
    expect((await put(fake, token, { path: "/guilds/70/members/@me" })).status).toBe(400);
    const weak = await put(fake, token, { path: "/guilds/72/members/2" });
    expect(weak.status).toBe(403);
    expect(await body(weak)).toEqual({ message: "Missing Permissions", code: 50013 });
  });
});

describe("the edge", () => {
  test("blocks API requests without a User-Agent", async () => {
    const fake = small();
    for (const headers of [{}, { "user-agent": "" }, { "user-agent": "  " }]) {
      const answer = await fake.fetch(`${fake.platform.apiUrl}/oauth2/keys`, { headers });
      expect(answer.status).toBe(403);
      expect(await body(answer)).toEqual({ message: "internal network error", code: 40333 });
    }
  });

  test("lets browsers pass, which set their own", async () => {
    const fake = small();
    const url = `${fake.platform.apiUrl}/users/@me`;
    const origin = new Headers([["sec-fetch-mode", "cors"]]);
    expect((await fake.fetch(url, { headers: origin })).status).toBe(401);
    expect((await fake.fetch(url, { headers: { origin: "https://spa.example" } })).status).toBe(
      401,
    );
    vi.stubGlobal("navigator", { userAgent: "Mozilla/5.0 (X11)" });
    try {
      expect((await fake.fetch(url)).status).toBe(401);
      vi.stubGlobal("navigator", undefined);
      expect((await fake.fetch(url)).status).toBe(403);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test("lets everybody pass when told", async () => {
    const fake = small({ requireUserAgent: false });
    expect((await fake.fetch(`${fake.platform.apiUrl}/users/@me`)).status).toBe(401);
  });

  test("answers 404 for unknown paths and 405 for other methods", async () => {
    const fake = small();
    const unknown = await get(fake, "/nowhere");
    expect(unknown.status).toBe(404);
    expect(await body(unknown)).toEqual({ message: "404: Not Found", code: 0 });
    expect((await get(fake, "/%E0%A4%A")).status).toBe(404);
    const wrong = await get(fake, "/oauth2/token");
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("POST");
    expect(await body(wrong)).toEqual({ message: "405: Method Not Allowed", code: 0 });
    const page = await fake.fetch("/oauth2/authorize", { method: "DELETE" });
    expect(page.status).toBe(405);
    expect(page.headers.get("allow")).toBe("GET, POST");
    expect((await fake.fetch("/cdn/icons/1/a.png", { method: "POST" })).status).toBe(405);
    const nowhere = await fake.fetch("/elsewhere");
    expect(nowhere.status).toBe(404);
    expect(await nowhere.text()).toContain("There is no such page");
    expect((await fake.fetch("/api/v9/users/@me")).status).toBe(404);
  });

  test("lets pages of other origins read API answers", async () => {
    const fake = small();
    const answer = await get(fake, "/users/@me");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-expose-headers")).toContain("Retry-After");
    const preflight = await fake.fetch(`${fake.platform.apiUrl}/oauth2/token`, {
      method: "OPTIONS",
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Authorization");
  });

  test("goes by the path alone, whatever host a request was sent to", async () => {
    const fake = small();
    const answer = await fake.fetch("http://127.0.0.1:8787/api/v10/users/@me", {
      headers: { ...AGENT, authorization: bearer(fake, ["identify"]) },
    });
    expect(answer.status).toBe(200);
  });
});

describe("rate limits", () => {
  test("are counted in the headers of every API answer", async () => {
    const fake = small({ now: () => 10_000, rateLimits: { limit: 5, windowMs: 2500 } });
    const token = bearer(fake, ["identify"]);
    const first = await get(fake, "/users/@me", token);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "x-ratelimit-limit": "5",
      "x-ratelimit-remaining": "4",
      "x-ratelimit-reset": "12.500",
      "x-ratelimit-reset-after": "2.500",
      "x-ratelimit-bucket": expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    fake.advance(500);
    const second = await get(fake, "/users/@me", token);
    expect(second.headers.get("x-ratelimit-remaining")).toBe("3");
    expect(second.headers.get("x-ratelimit-reset-after")).toBe("2.000");
    expect(second.headers.get("x-ratelimit-bucket")).toBe(first.headers.get("x-ratelimit-bucket"));
    for (const path of ["/nowhere", "/oauth2/token", "/users/@me/guilds"]) {
      const other = await get(fake, path, token);
      expect(other.headers.get("x-ratelimit-remaining")).toBe("4");
      expect(other.headers.get("x-ratelimit-bucket"))
        .not.toBe(first.headers.get("x-ratelimit-bucket"));
    }
  });

  test("answer 429 until the window is over", async () => {
    const fake = small({ now: () => 0, rateLimits: { limit: 1, windowMs: 1500 } });
    const token = bearer(fake, ["identify"]);
    expect((await get(fake, "/users/@me", token)).status).toBe(200);
    const refusal = await get(fake, "/users/@me", token);
    expect(refusal.status).toBe(429);
    expect(Object.fromEntries(refusal.headers)).toMatchObject({
      "retry-after": "2",
      "x-ratelimit-scope": "user",
      "x-ratelimit-limit": "1",
      "x-ratelimit-remaining": "0",
    });
    expect(refusal.headers.has("x-ratelimit-global")).toBe(false);
    expect(await body(refusal)).toEqual({
      message: "You are being rate limited.",
      retry_after: 1.5,
      global: false,
    });
    fake.advance(1500);
    expect((await get(fake, "/users/@me", token)).status).toBe(200);
  });

  test("are counted apart by token, method and guild", async () => {
    const fake = small({ now: () => 0, rateLimits: { limit: 1 } });
    expect((await get(fake, "/users/@me", bearer(fake, ["identify"]))).status).toBe(200);
    expect((await get(fake, "/users/@me", bearer(fake, ["identify"]))).status).toBe(200);
    expect((await get(fake, "/guilds/1", "Bot bot-token")).status).toBe(404);
    expect((await get(fake, "/guilds/2", "Bot bot-token")).status).toBe(404);
    expect((await get(fake, "/guilds/2", "Bot bot-token")).status).toBe(429);
    expect((await get(fake, "/oauth2/keys")).status).toBe(200);
    expect((await get(fake, "/oauth2/keys")).status).toBe(429);
    expect((await post(fake, "/oauth2/keys", {})).status).toBe(405);
  });

  test("can differ by route, and be global", async () => {
    const fake = small({
      now: () => 0,
      rateLimits: {
        routes: { "GET /users/@me/guilds": { limit: 1 } },
        global: { limit: 3, windowMs: 60_000 },
      },
    });
    const token = bearer(fake, ["identify", "guilds"]);
    expect((await get(fake, "/users/@me/guilds", token)).status).toBe(200);
    expect((await get(fake, "/users/@me/guilds", token)).status).toBe(429);
    const third = await get(fake, "/users/@me", token);
    expect(third.headers.get("x-ratelimit-limit")).toBe("1000");
    expect(third.headers.get("x-ratelimit-reset-after")).toBe("1.000");
    const refusal = await get(fake, "/users/@me", token);
    expect(refusal.status).toBe(429);
    expect(refusal.headers.get("x-ratelimit-global")).toBe("true");
    expect(refusal.headers.get("x-ratelimit-scope")).toBe("global");
    expect(refusal.headers.get("retry-after")).toBe("60");
    expect(await body(refusal)).toMatchObject({ global: true, retry_after: 60 });
    expect((await get(fake, "/users/@me", bearer(fake, ["identify"]))).status).toBe(200);
  });
});

describe("FakePlatform.failNext()", () => {
  test("fails the next request, and no more", async () => {
    const fake = small();
    fake.failNext({ status: 503 });
    const answer = await get(fake, "/oauth2/keys");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(await body(answer)).toEqual({ message: "503: Service Unavailable", code: 0 });
    expect((await get(fake, "/oauth2/keys")).status).toBe(200);
  });

  test("sends the body it is given, as JSON unless it is text", async () => {
    const fake = small();
    fake.failNext({ body: null });
    const empty = await get(fake, "/users/@me/guilds");
    expect([empty.status, await empty.text()]).toEqual([200, "null"]);
    fake.failNext({ status: 400, body: { error: "invalid_grant" } });
    const json = await get(fake, "/users/@me");
    expect(json.headers.get("content-type")).toBe("application/json");
    expect(await body(json)).toEqual({ error: "invalid_grant" });
    fake.failNext({ status: 502, body: "\n<!doctype html><h1>Bad gateway</h1>" });
    const html = await get(fake, "/users/@me");
    expect(html.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await html.text()).toContain("Bad gateway");
    fake.failNext({ body: `{"id":"1` });
    const half = await get(fake, "/users/@me");
    expect(half.headers.get("content-type")).toBe("application/json");
    await expect(half.json()).rejects.toThrow(SyntaxError);
    fake.failNext({ status: 200, body: "" });
    const nothing = await get(fake, "/users/@me");
    expect(nothing.headers.has("content-type")).toBe(false);
    expect(await nothing.text()).toBe("");
    fake.failNext({ status: 204, body: "" });
    expect((await get(fake, "/users/@me")).status).toBe(204);
    fake.failNext({ status: 202 });
    const accepted = await get(fake, "/users/@me");
    expect([accepted.status, await accepted.text()]).toEqual([202, ""]);
    fake.failNext({ status: 400 });
    expect(await body(get(fake, "/users/@me"))).toEqual({ message: "400: Bad Request", code: 0 });
    fake.failNext({ status: 599 });
    expect((await get(fake, "/users/@me")).status).toBe(599);
    fake.failNext({ status: 418 });
    expect(await body(get(fake, "/users/@me"))).toEqual({ message: "418: Error", code: 0 });
  });

  test("sends a 429 as the platform does, with Retry-After unless headers are given", async () => {
    const fake = small();
    fake.failNext({ status: 429 });
    const usual = await get(fake, "/users/@me");
    expect(usual.headers.get("retry-after")).toBe("1");
    expect(await body(usual)).toMatchObject({ retry_after: 1, global: false });
    fake.failNext({ status: 429, headers: {} });
    const without = await get(fake, "/users/@me");
    expect(without.headers.has("retry-after")).toBe(false);
    expect(without.status).toBe(429);
    fake.failNext({ status: 429, headers: { "Retry-After": "7" } });
    const later = await get(fake, "/users/@me");
    expect(later.headers.get("retry-after")).toBe("7");
    expect(await body(later)).toMatchObject({ retry_after: 7 });
    const date = "Wed, 21 Oct 2026 07:28:00 GMT";
    fake.failNext({ status: 429, headers: { "Retry-After": date } });
    const dated = await get(fake, "/users/@me");
    expect(dated.headers.get("retry-after")).toBe(date);
    expect(await body(dated)).toMatchObject({ retry_after: 1 });
  });

  test("only adds headers when nothing else is asked for", async () => {
    const fake = small();
    fake.failNext({ headers: { "X-Extra": "1", "Content-Type": "text/plain" } });
    const answer = await get(fake, "/users/@me", bearer(fake, ["identify"]));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-extra")).toBe("1");
    expect(answer.headers.get("content-type")).toBe("text/plain");
    expect(await body(answer)).toMatchObject({ id: "1" });
  });

  test("waits as long as it is told, and then answers as ever", async () => {
    const fake = small();
    fake.failNext({ delay: 30 });
    const start = performance.now();
    expect((await get(fake, "/oauth2/@me", bearer(fake, ["identify"]))).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThanOrEqual(25);
  });

  test("cuts the connection before the answer", async () => {
    const fake = small();
    fake.failNext({ cut: "before" });
    const error = await get(fake, "/users/@me").catch((error) => error);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe("fetch failed");
    expect(error.cause.message).toBe("the fake platform cut the connection");
    expect(fake.requests[0]?.status).toBeNull();
  });

  test("cuts the connection in the middle of the body", async () => {
    const fake = small();
    fake.failNext({ cut: "body" });
    const answer = await get(fake, "/users/@me", bearer(fake, ["identify"]));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toMatch(/^\{"id":"1",/);
    await expect(reader?.read()).rejects.toThrow(new TypeError("terminated"));
    fake.failNext({ cut: "body", status: 500 });
    await expect((await get(fake, "/users/@me")).json()).rejects.toThrow("terminated");
    fake.failNext({ cut: "body", status: 204 });
    expect(await (await get(fake, "/users/@me")).text()).toBe("");
  });

  test("never answers until the signal aborts", async () => {
    const fake = small();
    fake.failNext({ hang: true });
    const controller = new AbortController();
    const reason = new Error("enough");
    const pending = fake.fetch("/", { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 5);
    await expect(pending).rejects.toBe(reason);
    expect(fake.requests).toMatchObject([{ path: "/", status: null }]);
  });

  test("goes by method and path", async () => {
    const fake = small();
    fake.failNext({ method: "post", status: 500 });
    fake.failNext({ path: "/users/@me", status: 501 });
    fake.failNext({ path: /guilds\/\d+$/g, status: 502, times: 2 });
    fake.failNext({ path: "/api/v10/oauth2/@me", status: 504 });
    expect((await get(fake, "/users/@me/guilds")).status).toBe(401);
    expect((await get(fake, "/guilds/1")).status).toBe(502);
    expect((await get(fake, "/guilds/2")).status).toBe(502);
    expect((await get(fake, "/guilds/3")).status).toBe(401);
    expect((await get(fake, "/oauth2/@me")).status).toBe(504);
    expect((await get(fake, "/users/@me")).status).toBe(501);
    expect((await get(fake, "/users/@me")).status).toBe(401);
    expect((await post(fake, "/oauth2/token", {})).status).toBe(500);
  });

  test("tries failures in order, as often as told, and takes them back", async () => {
    const fake = small();
    fake.failNext({ status: 500, times: 2 });
    const undo = fake.failNext({ status: 502, times: Infinity });
    const seen: number[] = [];
    for (let request = 0; request < 4; request += 1) {
      seen.push((await get(fake, "/users/@me")).status);
    }
    expect(seen).toEqual([500, 500, 502, 502]);
    undo();
    expect((await get(fake, "/users/@me")).status).toBe(401);
    fake.failNext({ status: 503 });
    undo();
    expect((await get(fake, "/users/@me")).status).toBe(503);
  });

  test("does not count against the rate limit what never reaches it", async () => {
    const fake = small({ rateLimits: { limit: 1 }, now: () => 0 });
    fake.failNext({ status: 500 });
    await get(fake, "/oauth2/keys");
    expect((await get(fake, "/oauth2/keys")).headers.get("x-ratelimit-remaining")).toBe("0");
  });

  test.each([
    ["path must begin with a slash: found users/@me", { path: "users/@me" }],
    ["times must be a positive integer or Infinity: found 0", { times: 0 }],
    ["times must be a positive integer or Infinity: found 1.5", { times: 1.5 }],
    ["status must be an integer from 200 to 599: found 100", { status: 100 }],
    ["status must be an integer from 200 to 599: found 600", { status: 600 }],
    ["status must be an integer from 200 to 599: found 200.5", { status: 200.5 }],
    ["delay must be milliseconds, not negative: found -1", { delay: -1 }],
    ["delay must be milliseconds, not negative: found Infinity", { delay: Infinity }],
    ["an answer of status 204 has no body", { status: 204, body: {} }],
    ['hang and cut: "before" answer nothing, so they go with nothing that answers', {
      hang: true,
      status: 500,
    }],
    ['hang and cut: "before" answer nothing, so they go with nothing that answers', {
      cut: "before" as const,
      body: "x",
    }],
    ['hang and cut: "before" answer nothing, so they go with nothing that answers', {
      hang: true,
      cut: "before" as const,
    }],
    ['hang and cut: "before" answer nothing, so they go with nothing that answers', {
      hang: true,
      cut: "body" as const,
    }],
  ])("says %s", (message, failure) => {
    expect(() => small().failNext(failure)).toThrow(new TypeError(message));
  });

  test("refuses headers that cannot be sent", () => {
    expect(() => small().failNext({ headers: { "not a name": "" } })).toThrow(TypeError);
  });
});

describe("FakePlatform.fetch()", () => {
  test("takes a Request, a URL, and a path, without this", async () => {
    const fake = small();
    const { fetch } = fake;
    const url = `${fake.platform.apiUrl}/oauth2/keys`;
    expect((await fetch(new Request(url, { headers: AGENT }))).status).toBe(200);
    expect((await fetch(new URL(url), { headers: AGENT })).status).toBe(200);
    expect((await fetch("/api/v10/oauth2/keys", { headers: AGENT })).status).toBe(200);
    expect(fake.requests.map((request) => request.url)).toEqual([url, url, url]);
  });

  // Bun turns a method that it does not know into GET, before anybody sees it.
  const passedOn = inherited.filter((method) =>
    new Request("https://platform.test", { method }).method === method
  );

  test.each(passedOn)("answers 405 to the method %s", async (method) => {
    const fake = small();
    for (const path of ["/api/v10/users/@me", "/oauth2/authorize"]) {
      const answer = await fake.fetch(path, { method, headers: AGENT });
      expect(answer.status).toBe(405);
    }
  });

  test("does nothing when the signal aborted before", async () => {
    const fake = small();
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(fake.fetch("/", { signal })).rejects.toThrow("too late");
    await expect(fake.fetch(new Request("https://platform.test/", { signal }))).rejects.toThrow();
    expect(fake.requests).toEqual([]);
  });

  test("stops when the signal aborts during a delay", async () => {
    const fake = small();
    fake.failNext({ delay: 60_000 });
    const signal = AbortSignal.timeout(10);
    const error = await fake.fetch("/", { signal }).catch((error) => error);
    expect(error).toMatchObject({ name: "TimeoutError" });
  });

  test("leaves no timer behind when the signal aborts", async () => {
    vi.useFakeTimers();
    try {
      const fake = small();
      fake.failNext({ delay: 60_000 });
      const controller = new AbortController();
      const pending = fake.fetch("/", { signal: controller.signal });
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
      controller.abort(new Error("enough"));
      await expect(pending).rejects.toThrow("enough");
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("stops when the signal aborts while it answers", async () => {
    const fake = small();
    const controller = new AbortController();
    const pending = fake.fetch(`${fake.platform.apiUrl}/oauth2/keys`, {
      headers: AGENT,
      signal: controller.signal,
    });
    await Promise.resolve();
    controller.abort(new Error("changed my mind"));
    await expect(pending).rejects.toThrow("changed my mind");
  });

  test("leaves the signal alone after a delay", async () => {
    const fake = small();
    fake.failNext({ delay: 1 });
    const controller = new AbortController();
    const { signal } = controller;
    expect((await fake.fetch("/nowhere", { signal })).status).toBe(404);
    controller.abort();
  });

  test("does not hide an error of the clock it was given", async () => {
    let calls = 0;
    const fake = small({
      now: () => {
        calls += 1;
        if (calls > 3) throw new Error("the clock stopped");
        return 0;
      },
    });
    const token = bearer(fake, ["identify"]);
    await get(fake, "/oauth2/keys");
    await expect(get(fake, "/users/@me", token)).rejects.toThrow("the clock stopped");
  });
});

describe("FakePlatform.requests", () => {
  test("records what was sent and what was answered", async () => {
    const fake = small();
    await post(fake, "/oauth2/token?a=1", { grant_type: "x", client_secret: "in clear" }, {
      "X-Test": "1",
    });
    expect(fake.requests).toEqual([{
      method: "POST",
      url: "https://platform.test/api/v10/oauth2/token?a=1",
      path: "/api/v10/oauth2/token",
      query: { a: "1" },
      headers: {
        ...AGENT,
        "x-test": "1",
        "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
      },
      body: { grant_type: "x", client_secret: "in clear" },
      status: 401,
    }]);
  });

  test("reads JSON, and keeps as text what is none", async () => {
    const fake = small();
    const send = (type: string, text: string) =>
      fake.fetch("/", { method: "POST", headers: { "content-type": type }, body: text });
    await send("application/json; charset=utf-8", `{"a":1}`);
    await send("application/json", `{"a":`);
    await send("text/plain", `{"a":1}`);
    await fake.fetch("/", { method: "POST", body: new TextEncoder().encode("bytes") });
    await fake.fetch("/");
    expect(fake.requests.map((request) => request.body)).toEqual([
      { a: 1 },
      `{"a":`,
      `{"a":1}`,
      "bytes",
      null,
    ]);
  });
});

describe("FakePlatform.advance()", () => {
  test("moves the clock", () => {
    const fake = small({ now: () => 1000 });
    expect(fake.now()).toBe(1000);
    fake.advance(500);
    fake.advance(0);
    expect(fake.now()).toBe(1500);
  });

  test("runs on the machine's clock unless it is given one", () => {
    expect(Math.abs(small().now() - Date.now())).toBeLessThan(1000);
  });

  test("does not go back", () => {
    const message = "milliseconds must not be negative: found ";
    expect(() => small().advance(-1)).toThrow(new RangeError(`${message}-1`));
    expect(() => small().advance(NaN)).toThrow(new RangeError(`${message}NaN`));
  });
});

describe("the image CDN", () => {
  const fake = createFakePlatform({
    applications: [{ ...APP, name: "Lantern", icon: "app" }],
    users: [{
      ...ADA,
      avatar: "a_1",
      banner: "b1",
      global_name: " Ada <Lovelace> Byron",
      avatar_decoration_data: { asset: "deco", sku_id: "1" },
    }, { ...BOB, avatar: "b2" }],
    guilds: [{
      id: "70",
      name: "<b> & c",
      icon: "i1",
      splash: "s1",
      discovery_splash: "d1",
      banner: "b1",
    }],
  });

  test.each([
    "/icons/70/i1.png",
    "/icons/70/i1.webp?size=4096",
    "/splashes/70/s1.jpg",
    "/discovery-splashes/70/d1.jpeg?size=16",
    "/banners/70/b1.png",
    "/banners/1/b1.png",
    "/avatars/1/a_1.gif",
    "/avatars/2/b2.png",
    "/avatars/100/app.png",
    "/app-icons/100/app.png",
    "/embed/avatars/0.png",
    "/embed/avatars/5.png",
    "/avatar-decoration-presets/deco.png",
  ])("draws %s", async (path) => {
    const answer = await fake.fetch(fake.platform.cdnUrl + path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("image/svg+xml");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(await answer.text()).toMatch(/^<svg xmlns=.*<\/svg>$/);
  });

  test("draws the same tile for the same image, with initials, in the size asked for", async () => {
    const draw = async (path: string) =>
      await (await fake.fetch(fake.platform.cdnUrl + path)).text();
    const icon = await draw("/icons/70/i1.png?size=64");
    expect(icon).toMatch(/^<svg xmlns="[^"]+" viewBox="0 0 64 64" width="64" height="64"><defs>/);
    expect(icon).toMatch(/hsl\(\d+ 62% 52%\).+hsl\(\d+ 62% 38%\).+font-size="26"/);
    expect(icon).toContain(">&lt;&amp;</text>");
    expect(await draw("/icons/70/i1.png?size=64")).toBe(icon);
    expect(await draw("/icons/70/i1.png")).toContain(`width="128"`);
    expect(await draw("/avatars/1/a_1.png")).toContain(">A&lt;</text>");
    expect(await draw("/avatars/2/b2.png")).toContain(">B</text>");
    const hues = (svg: string) => svg.match(/(?<=hsl\()\d+/g)?.map(Number);
    expect(hues(await draw("/splashes/70/s1.png"))).not.toEqual(hues(icon));
    const [from = 0, to = 0] = hues(icon) ?? [];
    expect((to - from + 360) % 360).toBe(50);
  });

  test.each([
    [404, "/icons/70/other.png"],
    [404, "/icons/404/i1.png"],
    [404, "/icons/70/i1"],
    [404, "/icons/70.png"],
    [404, "/icons/70/i1/more.png"],
    [404, "/nonsense/70/i1.png"],
    ...inherited.map((kind): [number, string] => [404, `/${kind}/70/i1.png`]),
    [404, "/embed/avatars/6.png"],
    [404, "/embed/others/1.png"],
    [404, "/avatar-decoration-presets/other.png"],
    [404, "/avatar-decoration-presets/deco/x.png"],
    [404, "/avatars/2/a_1.png"],
    [404, "/"],
    [415, "/icons/70/i1.gif"],
    [415, "/icons/70/i1.svg"],
    [400, "/icons/70/i1.png?size=100"],
    [400, "/icons/70/i1.png?size=8192"],
    [400, "/icons/70/i1.png?size=big"],
  ])("answers %i for %s", async (status, path) => {
    expect((await fake.fetch(fake.platform.cdnUrl + path)).status).toBe(status);
  });

  test("draws every size that is a power of two from 16 to 4096", async () => {
    for (let size = 16; size <= 4096; size *= 2) {
      const answer = await fake.fetch(`${fake.platform.cdnUrl}/icons/70/i1.png?size=${size}`);
      expect(answer.status).toBe(200);
    }
  });

  test("has every image that the sample data names", async () => {
    const sample = createFakePlatform();
    const paths = [
      `/app-icons/${sampleApplication.id}/${sampleApplication.icon}.png`,
      ...sampleUsers.flatMap(({ id, avatar }) => avatar ? [`/avatars/${id}/${avatar}.gif`] : []),
      ...sampleGuilds.flatMap(({ id, icon }) => icon ? [`/icons/${id}/${icon}.png`] : []),
    ];
    expect(paths).toHaveLength(6);
    for (const path of paths) {
      expect((await sample.fetch(sample.platform.cdnUrl + path)).status).toBe(200);
    }
  });
});

describe("the payload types", () => {
  test("are what the community's type definitions say", () => {
    expectTypeOf<keyof GuildPayload>().toEqualTypeOf<
      Exclude<keyof discordTypes.APIGuild, "owner" | "permissions" | "icon_hash">
    >();
    expectTypeOf<keyof UserPayload>().toEqualTypeOf<
      Exclude<keyof discordTypes.APIUser, "avatar_decoration">
    >();
    expectTypeOf<keyof MemberPayload>().toEqualTypeOf<keyof discordTypes.APIGuildMember>();
    expectTypeOf<keyof ConnectionPayload>().toEqualTypeOf<
      Exclude<keyof discordTypes.APIConnection, "integrations">
    >();
    expectTypeOf<keyof PartialGuildPayload>().toEqualTypeOf<
      keyof discordTypes.RESTAPIPartialCurrentUserGuild
    >();
    expectTypeOf<GuildPayload>().toExtend<Loose<Omit<discordTypes.APIGuild, "stickers">>>();
    expectTypeOf<UserPayload>().toExtend<Loose<discordTypes.APIUser>>();
    expectTypeOf<MemberPayload>().toExtend<Loose<discordTypes.APIGuildMember>>();
    expectTypeOf<ConnectionPayload>().toExtend<Loose<discordTypes.APIConnection>>();
    expectTypeOf<PartialGuildPayload>().toExtend<
      Loose<discordTypes.RESTAPIPartialCurrentUserGuild>
    >();
    expectTypeOf<RoleConnectionPayload>().toExtend<
      Loose<discordTypes.APIApplicationRoleConnection>
    >();
    expectTypeOf<TokenPayload["guild"]>().toExtend<Loose<discordTypes.APIGuild> | undefined>();
    expectTypeOf<NonNullable<TokenPayload["webhook"]>>().toExtend<Loose<discordTypes.APIWebhook>>();
  });
});

/** A type with its enumerations as plain text and numbers, and everything read-only. */
type Loose<T> = T extends string ? string
  : T extends number ? number
  : T extends boolean | null | undefined ? T
  : T extends readonly (infer Item)[] ? readonly Loose<Item>[]
  : { readonly [Key in keyof T]: Loose<T[Key]> };

async function discordScopes(): Promise<string[]> {
  const { OAuth2Scopes } = await import("discord-api-types/v10");
  return Object.values(OAuth2Scopes).map(String);
}
