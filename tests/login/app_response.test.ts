import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { generateState, MemoryStore, User } from "../../mod.ts";
import type { LoginEvent } from "../../src/login/mod.ts";
import { type App, Browser, createApp, exchanges, SITE } from "./test_app.ts";

const ACTIVITY = "https://1100000000000000001.discordsays.com";

/** The response to a `begin` of an Activity. */
interface Begun {
  readonly authorize: {
    readonly scope: readonly never[];
    readonly state: string;
    readonly code_challenge: string;
  };
  readonly pending: string;
}

type AppOptions = NonNullable<Parameters<typeof createApp>[0]>;

beforeEach(() => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
});

function createActivity(options: AppOptions = {}, fake?: App["fake"]): App {
  return createApp({
    store: new MemoryStore(),
    appPath: "/app",
    sessionPath: "/session",
    appOrigins: [ACTIVITY],
    ...options,
  }, fake);
}

/** Sends a request at `appPath`, as a client other than a browser by default. */
async function post(
  { fetch }: App,
  body: unknown,
  headers: Record<string, string> = {},
  path = "/app",
): Promise<Response> {
  return await fetch(
    new Request(SITE + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Begins a login and consents, and returns what the Activity sends then. */
async function consent(
  app: App,
  as: string,
  headers: Record<string, string> = {},
  begin: object = {},
) {
  const { authorize, pending }: Begun = await (await post(app, { begin }, headers)).json();
  const code = await app.fake.authorizeActivity({
    as,
    scopes: authorize.scope,
    codeChallenge: authorize.code_challenge,
  });
  return { code, pending, state: authorize.state };
}

/** Logs a person in, and returns the token of the session. */
async function enter(app: App, as = "ada", headers: Record<string, string> = {}): Promise<string> {
  const { code, pending } = await consent(app, as, headers);
  const response = await post(app, { finish: { code, pending } }, headers);
  return (await response.json()).token;
}

const withToken = (token: string, init: RequestInit = {}, path = "/") =>
  new Request(SITE + path, { ...init, headers: { ...bearer(token), ...Object(init.headers) } });

describe("The login of an Activity", () => {
  test("begins with the argument of authorize(), and ends with a session and an access token", async () => {
    const app = createActivity();
    const begun = await post(app, { begin: {} });
    expect(begun.headers.get("cache-control")).toBe("no-store");
    const { authorize, pending } = await begun.json();
    expect(authorize).toEqual({
      client_id: expect.any(String),
      response_type: "code",
      scope: ["identify", "guilds"],
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    const code = await app.fake.authorizeActivity({
      as: "ada",
      scopes: authorize.scope,
      codeChallenge: authorize.code_challenge,
    });
    const finished = await post(app, { finish: { code, pending } });
    expect(finished.status).toBe(200);
    expect([...finished.headers.keys()]).not.toContain("set-cookie");
    const { token, session, accessToken } = await finished.json();
    expect(token).toMatch(/^gps_[\w-]{43}$/);
    expect(session).toMatchObject({ user: { username: "ada" }, scopes: ["identify", "guilds"] });
    const found = await app.login.session(withToken(token));
    expect(found?.user).toMatchObject({ username: "ada" });
    expect((await found?.api?.getCurrentUser())?.username).toBe("ada");
    const user = new User(accessToken, { platform: app.fake.platform, fetch: app.fake.fetch });
    expect((await user.getCurrentUser()).username).toBe("ada");
  });

  test("sends its code once, and gives the same token again", async () => {
    const app = createActivity();
    const finish = await consent(app, "ada");
    const tokens = await Promise.all(
      [1, 2, 3].map(async () => (await (await post(app, { finish })).json()).token),
    );
    expect(new Set(tokens).size).toBe(1);
    expect(exchanges(app)).toBe(1);
    expect(await app.login.sessionsOf("1000000000000000001")).toHaveLength(1);
  });

  test("works with the scope openid, whose id_token has no nonce", async () => {
    const app = createActivity({ scope: ["identify", "openid"] as never });
    expect(await enter(app)).toMatch(/^gps_/);
  });

  test("with a live token is a consent, which keeps the token and adds no session", async () => {
    const events: LoginEvent[] = [];
    const app = createActivity({ onEvent: (event) => void events.push(event) });
    const token = await enter(app);
    const finish = await consent(app, "ada", bearer(token), { scope: ["email"] });
    const { token: same, session } = await (await post(app, { finish }, bearer(token))).json();
    expect(same).toBe(token);
    expect(session.scopes).toEqual(expect.arrayContaining(["identify", "guilds", "email"]));
    // Without a scope, it asks for those of the session.
    const again = await consent(app, "ada", bearer(token));
    expect((await post(app, { finish: again }, bearer(token))).status).toBe(200);
    const sessions = await app.login.sessionsOf("1000000000000000001", withToken(token));
    expect(sessions).toMatchObject([{ isCurrent: true }]);
    expect(events.filter(({ kind }) => kind === "login_completed")).toMatchObject([
      { purpose: "login" },
      { purpose: "consent" },
      { purpose: "consent" },
    ]);
  });
});

describe("A token in the header", () => {
  test("is the session, and the cookies of the request do not count", async () => {
    const app = createActivity();
    const browser = new Browser(app);
    await browser.open(await browser.consent("/", "grace"));
    const token = await enter(app);
    const cookie = browser.jar.header;
    const both = withToken(token, { headers: { cookie } });
    expect((await app.login.session(both))?.user).toMatchObject({ username: "ada" });
    const dead = withToken(`gps_${"a".repeat(43)}`, { headers: { cookie } });
    expect(await app.login.session(dead)).toBeNull();
    // Another form of the header belongs to the application.
    for (const authorization of ["Basic YTpi", "Bearer t0ken", `bearer ${token}`, token]) {
      const other = new Request(SITE, { headers: { cookie, authorization } });
      expect((await app.login.session(other))?.user).toMatchObject({ username: "grace" });
    }
    // The id of one kind does not open as the other.
    const planted = new Request(SITE, { headers: { cookie: `__Host-session=${token.slice(4)}` } });
    expect(await app.login.session(planted)).toBeNull();
    const id = browser.jar.cookies.find(({ name }) => name.endsWith("session"))?.value;
    expect(await app.login.session(withToken(`gps_${id}`))).toBeNull();
    expect(
      await app.login.session(
        new Request(SITE, {
          headers: { cookie: `__Host-session=${token}` },
        }),
      ),
    ).toBeNull();
  });

  test("decides alone in a request that also has a cookie", async () => {
    const app = createActivity();
    const browser = new Browser(app);
    await browser.open(await browser.consent("/", "grace"));
    const token = await enter(app);
    const cookie = browser.jar.header;
    const both = (path: string, method = "GET", by = token) =>
      withToken(by, { method, headers: { cookie } }, path);
    const dead = `gps_${"a".repeat(43)}`;

    expect([...await app.login.update(both("/"), { username: "ada2" })]).toEqual([]);
    expect((await (await app.fetch(both("/session"))).json()).user.username).toBe("ada2");
    expect(await browser.whoAmI()).toBe("grace");
    const update = app.login.update(both("/", "GET", dead), { username: "ada3" });
    await expect(update).rejects.toMatchObject({ reason: "no_session" });
    expect(await (await app.fetch(both("/session", "GET", dead))).json()).toBeNull();
    expect((await app.fetch(both("/login"))).status).toBe(401);

    // At appPath, a cookie is no session: the begin is a login, and its finish replaces none.
    const finish = await consent(app, "ada", { cookie });
    const entered = await (await post(app, { finish }, { cookie })).json();
    expect(entered.session.user.username).toBe("ada");
    expect(await browser.whoAmI()).toBe("grace");

    for (const by of [dead, token]) {
      const ended = await app.fetch(both("/logout", "POST", by));
      expect(ended.status).toBe(204);
      expect(ended.headers.getSetCookie()).toEqual([]);
      expect(await browser.whoAmI()).toBe("grace");
    }
    expect(await app.login.session(withToken(token))).toBeNull();
  });

  test("counts only with appPath", async () => {
    const [store, secret] = [new MemoryStore(), generateState()];
    const app = createActivity({ store, secret });
    const token = await enter(app);
    const plain = createApp({ store, secret }, app.fake);
    expect(await plain.login.session(withToken(token))).toBeNull();
    const post = withToken(token, { method: "POST", headers: { origin: "https://evil.example" } });
    expect(plain.login.allows(post)).toBe(false);
    expect(app.login.allows(post)).toBe(true);
  });

  test("works with update(), sessionPath and end(), and sets no cookie", async () => {
    const app = createActivity();
    const token = await enter(app);
    const headers = await app.login.update(withToken(token), { username: "ada2" });
    expect([...headers]).toEqual([]);
    const response = await app.fetch(withToken(token, {}, "/session"));
    expect(response.headers.get("vary")).toContain("authorization");
    expect((await response.json()).user.username).toBe("ada2");
    const ended = await app.fetch(
      withToken(token, { method: "POST", headers: { origin: ACTIVITY } }, "/logout"),
    );
    expect(ended.status).toBe(204);
    expect(ended.headers.getSetCookie()).toEqual([]);
    expect(await app.login.session(withToken(token))).toBeNull();
    expect(await (await app.fetch(withToken(token, {}, "/session"))).json()).toBeNull();
  });

  test("of a person is ended by endAll() and endSession()", async () => {
    const app = createActivity();
    const [one, other] = [await enter(app), await enter(app)];
    const [{ id = "" } = {}] = (await app.login.sessionsOf("1000000000000000001", withToken(one)))
      .filter(({ isCurrent }) => isCurrent);
    await app.login.endSession("1000000000000000001", id);
    expect(await app.login.session(withToken(one))).toBeNull();
    expect(await app.login.session(withToken(other))).not.toBeNull();
    expect(await app.login.endAll("1000000000000000001")).toBe(1);
    expect(await app.login.session(withToken(other))).toBeNull();
  });

  test("gets a 401 from start(), since an app can't follow the redirect", async () => {
    const app = createActivity();
    const response = await app.login.start(withToken(await enter(app)));
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: "login_required" });
  });
});

describe("Pages of appOrigins", () => {
  test.each(["/app", "/session", "/logout"])(
    "get a preflight at %s without credentials",
    async (path) => {
      const app = createActivity();
      const preflight = (origin: string) =>
        app.fetch(new Request(SITE + path, { method: "OPTIONS", headers: { origin } }));
      const { status, headers } = await preflight(ACTIVITY);
      expect(status).toBe(204);
      expect(Object.fromEntries(headers)).toEqual({
        "access-control-allow-headers": "authorization, content-type",
        "access-control-allow-methods": path === "/session" ? "GET" : "POST",
        "access-control-allow-origin": ACTIVITY,
        "access-control-expose-headers": "retry-after",
        vary: "origin",
      });
      const other = await preflight("https://evil.example");
      expect(other.status).toBe(405);
      expect(other.headers.get("access-control-allow-origin")).toBeNull();
    },
  );

  test("may read when to send a request again", async () => {
    const app = createActivity();
    const finish = await consent(app, "ada", { origin: ACTIVITY });
    const limit = { status: 429, headers: { "retry-after": "20" }, body: { retry_after: 20 } };
    app.fake.failNext({ path: "/oauth2/token", ...limit });
    const { status, headers } = await post(app, { finish }, { origin: ACTIVITY });
    expect([status, headers.get("retry-after")]).toEqual([503, "20"]);
    expect(headers.get("access-control-expose-headers")).toBe("retry-after");
  });

  test("may read responses, and get nothing of a session in a cookie", async () => {
    const app = createActivity();
    const headers = { origin: ACTIVITY };
    const token = await enter(app, "ada", headers);
    const read = await app.fetch(withToken(token, { headers }, "/session"));
    expect(read.headers.get("access-control-allow-origin")).toBe(ACTIVITY);
    expect(read.headers.get("access-control-allow-credentials")).toBeNull();
    const begin = await app.fetch(new Request(`${SITE}/login`, { headers }));
    expect(begin.headers.get("access-control-allow-origin")).toBeNull();
    const browser = new Browser(app);
    await browser.open(await browser.consent());
    const logout = await browser.open("/logout", { method: "POST", headers });
    expect(logout.status).toBe(403);
    expect(await browser.whoAmI()).not.toBeNull();
  });
});

describe("appPath refuses", () => {
  test.each([
    ["another origin", {}, { origin: "https://evil.example" }, 403],
    ["an origin without a name", {}, { origin: "null" }, 403],
    ["another Activity", {}, { origin: "https://1100000000000000002.discordsays.com" }, 403],
    ["a form", "begin=1", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["plain text, which needs no preflight", { begin: {} }, { "content-type": "text/plain" }, 415],
    ["no content-type", { begin: {} }, { "content-type": "" }, 415],
    ["a long body", { begin: { scope: ["x".repeat(8192)] } }, {}, 413],
    ["text that is not JSON", "{", {}, 400],
    ["null", null, {}, 400],
    ["a list", [], {}, 400],
    ["nothing", {}, {}, 400],
    ["both", { begin: {}, finish: {} }, {}, 400],
    ["an unknown name", { begin: {}, beginn: {} }, {}, 400],
    ["an unknown name in begin", { begin: { prompt: "none" } }, {}, 400],
    ["an unknown name in finish", { finish: { code: "a", pending: "b", token: "c" } }, {}, 400],
    ["a scope that is not a list", { begin: { scope: "identify" } }, {}, 400],
    ["a misspelled scope", { begin: { scope: ["guild"] } }, {}, 400],
    ["a scope without PKCE", { begin: { scope: ["role_connections.write", "openid"] } }, {}, 400],
    ["a missing code", { finish: { pending: "b" } }, {}, 400],
    ["a missing pending login", { finish: { code: "a" } }, {}, 400],
    ["a number as state", { finish: { code: "a", pending: "b", state: 1 } }, {}, 400],
    ["a pending login of its own making", { finish: { code: "a", pending: "b" } }, {}, 400],
  ])("%s, with JSON that says why", async (_, body, headers, status) => {
    const app = createActivity();
    const response = await post(app, body, headers as Record<string, string>);
    expect(response.status).toBe(status);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({
      error: expect.any(String),
      code: expect.any(String),
      message: expect.stringMatching(/\w{3}/),
    });
    expect(app.fake.requests).toEqual([]);
  });

  test("bytes without a content-type", async () => {
    const init = { method: "POST", body: new TextEncoder().encode('{"begin":{}}') };
    const response = await createActivity().fetch(new Request(`${SITE}/app`, init));
    expect(response.status).toBe(415);
  });

  test("a login whose sessions end in onLogin", async () => {
    const app: App = createActivity({
      onLogin: async ({ user: { id } }) => {
        await app.login.endAll(id);
      },
    });
    const response = await post(app, { finish: await consent(app, "ada") });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "other_person" });
  });

  test("a consent that lacks scopes of another one meanwhile, and the next begin asks for all", async () => {
    const app = createActivity();
    const headers = bearer(await enter(app));
    const [first, second] = [
      await consent(app, "ada", headers, { scope: ["email"] }),
      await consent(app, "ada", headers, { scope: ["connections"] }),
    ];
    expect((await post(app, { finish: first }, headers)).status).toBe(200);
    const response = await post(app, { finish: second }, headers);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "login_failed", code: "used" });
    const { authorize } = await (await post(app, { begin: { scope: ["connections"] } }, headers))
      .json();
    expect(authorize.scope).toEqual(expect.arrayContaining(["email", "connections"]));
  });

  test("a GET, without the page that asks about a logout", async () => {
    const response = await createActivity().fetch(new Request(`${SITE}/app`));
    expect(response.status).toBe(405);
    expect(await response.text()).not.toContain("log out");
  });

  test("a login that onLogin refuses, with its status, and with 403 after a redirect", async () => {
    for (const [given, status] of [[401, 401], [302, 403]] as const) {
      const app = createActivity({ onLogin: () => new Response(null, { status: given }) });
      const finish = await consent(app, "ada");
      const response = await post(app, { finish });
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ error: "refused" });
    }
  });

  test("while the store fails, with 500 and the error for onError", async () => {
    const store = new MemoryStore();
    const onError = vi.fn(() => new Response("own page"));
    const app = createActivity({ store, onError });
    const token = await enter(app);
    store.load = () => Promise.reject(new Error("The store is down"));
    const response = await post(app, { begin: {} }, bearer(token));
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: "internal_error" });
    expect(onError).toHaveBeenCalledTimes(1);
  });
});
