/**
 * A short suite for every runtime. It uses no test framework, so that it runs everywhere that the library runs. The files
 * in `starters/` load the library and pass it in.
 *
 * @module
 */

import type * as Sdk from "../../../mod.ts";
import type * as LoginModule from "../../../src/login/mod.ts";
import type * as Openid from "../../../src/openid/mod.ts";
import type * as WebhookEvents from "../../../src/webhook_events/mod.ts";
import type * as Testing from "../../../src/testing/mod.ts";

/** The library and the runtime, from a starter. */
export interface Runtime {
  /** The main entry point. */
  readonly sdk: typeof Sdk;
  readonly login: typeof LoginModule;
  readonly openid: typeof Openid;
  readonly webhookEvents: typeof WebhookEvents;
  /** The fake platform. */
  readonly testing: typeof Testing;
  /** The origin of a fake platform over HTTP, for the runtime's own `fetch`. */
  readonly origin: string;
  /** Prints an object as a log of the runtime does, with everything hidden, if the runtime can. */
  readonly inspect?: (value: unknown) => string;
}

/**
 * Runs the checks and returns their names.
 *
 * @throws {Error} If a check fails, with its name.
 */
export async function run(runtime: Runtime): Promise<string[]> {
  for (const [sentence, check] of Object.entries(checks)) {
    try {
      await check(runtime);
    } catch (error) {
      const { name, message, stack } = error as Error;
      throw new Error(`Failed: ${sentence}\n${name}: ${message}\n${stack}`);
    }
  }
  return Object.keys(checks);
}

const clientId = "1024000000000000000";

const checks: Readonly<Record<string, (runtime: Runtime) => void | Promise<void>>> = {
  "An invitation link carries its permissions"({ sdk: { Bot, Permissions } }) {
    const page = "https://discord.com/oauth2/authorize";
    const permissions = new Permissions().stage().add("send_messages");
    equal(
      new Bot(clientId, permissions).href,
      `${page}?client_id=${clientId}&scope=bot&permissions=4294969344`,
    );
  },

  "An authorization link keeps permissions=0 and writes a space as %20"({ sdk: { AuthUrl } }) {
    const scope = ["identify", "bot"];
    const { href } = new AuthUrl(clientId, scope, "https://app.example/callback", 0);
    equal(
      href.split("?")[1],
      `response_type=code&client_id=${clientId}&scope=identify%20bot` +
        "&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&permissions=0",
    );
  },

  async "The error for a wrong argument names the argument"({ sdk: { Bot } }) {
    const error = await thrownBy(() => new Bot(String(undefined)));
    ok(error instanceof TypeError && error.message.startsWith("clientId must be"), error);
  },

  "A permission set adds, removes and lists permissions"({ sdk: { Permissions } }) {
    const permissions = new Permissions(["manage_guild", 8]).remove("administrator");
    equal(permissions.value, 32n);
    equal(JSON.stringify({ permissions }), '{"permissions":"32"}');
    equal([...permissions.add({ kick_members: true })].join(), "kick_members,manage_guild");
    equal(new Permissions().all().toArray().length, Object.keys(Permissions.flags).length);
    equal(new Permissions(1n << 60n).toString(), "1152921504606846976");
  },

  async "Web Crypto derives the PKCE challenge of RFC 7636"({ sdk }) {
    const challenge = await sdk.codeChallenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
    equal(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    const verifier = sdk.generateCodeVerifier();
    ok(/^[\w-]{43}$/.test(verifier), verifier);
    ok(sdk.generateState() !== sdk.generateState(), "two states that are the same");
  },

  async "parseCallback() refuses a callback with another state or with an error"({ sdk }) {
    const { OAuthError, StateMismatchError, parseCallback } = sdk;
    const url = "https://app.example/callback?state=hers";
    const foreign = await thrownBy(() => parseCallback(`${url}&code=1`, { state: "mine" }));
    ok(foreign instanceof StateMismatchError && foreign.name === "StateMismatchError", foreign);
    const request = new Request(`${url}&error=access_denied`);
    const denied = await thrownBy(() => parseCallback(request, { state: "hers" }));
    ok(denied instanceof OAuthError && denied.error === "access_denied", denied);
  },

  "A login against the fake platform in memory reads the user, the guilds and a guild"(runtime) {
    return checkLogin(inMemory(runtime), runtime);
  },

  "A login over HTTP with the runtime's own fetch reads the same"(runtime) {
    return checkLogin(overHttp(runtime), runtime);
  },

  async "A token reads all guilds, and sets and deletes a role connection"(runtime) {
    const { sdk: { AuthUrl, parseCallback, PlatformApi, User } } = runtime;
    const { id, secret, redirectUri } = application(runtime);
    const scope = ["guilds", "role_connections.write"] as const;
    for (const { options, authorize } of [inMemory(runtime), overHttp(runtime)]) {
      const link = await new AuthUrl(id, scope, redirectUri, null, options)
        .makeUrl({ state: "s7ate" });
      const { code } = parseCallback(await authorize(link), { state: "s7ate" });
      const api = new PlatformApi(id, secret, scope, redirectUri, options);
      const user = new User(await api.accessToken(code), options);
      let count = 0;
      for await (const { name } of user.eachUserGuild()) count += name ? 1 : 0;
      equal(count, 4);
      const set = await user.setRoleConnection(id, {
        platform_name: "Webstühle",
        metadata: { verified: true, since: new Date(0) },
      });
      equal(
        JSON.stringify(set.metadata),
        '{"verified":"1","since":"1970-01-01T00:00:00.000Z"}',
      );
      equal((await user.getRoleConnection(id)).platform_name, "Webstühle");
      equal(await user.deleteRoleConnection(id), undefined);
      equal((await user.getRoleConnection(id)).platform_name, null);
    }
  },

  async "Many requests for a token in an encrypted store cause one refresh"(runtime) {
    const { generateState, MemoryStore, PlatformApi, sealed, TokenSource } = runtime.sdk;
    const { id, secret, redirectUri } = application(runtime);
    const fake = runtime.testing.createFakePlatform();
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, fake);
    const token = await api.refresh(fake.issueToken().refresh_token ?? "");
    const source = new TokenSource(api, sealed(new MemoryStore(), generateState()), "ada");
    await source.save({ ...token, expires_at: Date.now() });
    const before = countTokenRequests(fake);
    const tokens = await Promise.all([1, 2, 3].map(() => source.token()));
    equal(countTokenRequests(fake) - before, 1);
    equal(new Set(tokens.map(({ access_token }) => access_token)).size, 1);
  },

  async "Simultaneous reads share requests, and wait for an exhausted rate limit"(runtime) {
    const { sdk: { User }, testing } = runtime;
    const fake = testing.createFakePlatform({ rateLimits: { limit: 1, windowMs: 300 } });
    const { access_token } = fake.issueToken({ scopes: ["guilds"] });
    const user = new User(access_token, { fetch: fake.fetch, platform: fake.platform });
    const limits = [1, 2, 3, 1, 2, 3];
    const lists = await Promise.all(limits.map((limit) => user.getUserGuilds({ limit })));
    equal(lists.map(({ length }) => length).join(), limits.join());
    equal(fake.requests.map(({ status }) => status).join(), "200,200,200");
  },

  async "verifyIdToken() returns the claims of an ID token and refuses a forged one"(runtime) {
    const { sdk, openid: { IdTokenError, verifyIdToken } } = runtime;
    const { id: clientId, secret, redirectUri } = application(runtime);
    for (const { options, authorize } of [inMemory(runtime), overHttp(runtime)]) {
      const login = { state: sdk.generateState(), nonce: sdk.generateState() };
      const page = new sdk.AuthUrl(clientId, ["openid"], redirectUri, null, options);
      const { code } = sdk.parseCallback(await authorize(await page.makeUrl(login)), login);
      const api = new sdk.PlatformApi(clientId, secret, ["openid"], redirectUri, options);
      const { id_token, access_token: accessToken } = await api.accessToken(code);
      const expected = { ...options, clientId, accessToken, nonce: login.nonce };
      equal((await verifyIdToken(id_token, expected)).sub, "1000000000000000001");
      const forged = id_token?.replace(/[^.]{4}$/, "AAAA") ?? null;
      const error = await thrownBy(() => verifyIdToken(forged, expected));
      ok(error instanceof IdTokenError && error.reason === "signature", error);
      const foreign = await thrownBy(() =>
        verifyIdToken(id_token, { ...expected, nonce: "other" })
      );
      ok(foreign instanceof IdTokenError && foreign.claim === "nonce", foreign);
    }
  },

  async "A login succeeds although its callback is opened twice"(runtime) {
    // A page can't send cookies of its own making, so it can't log in.
    if ("document" in globalThis) return;
    const { sdk: { generateState, MemoryStore, User }, login: { Login }, inspect = String } =
      runtime;
    const { createFakePlatform, CookieJar, sampleApplication } = runtime.testing;
    for (const store of [null, new MemoryStore()]) {
      const fake = createFakePlatform();
      const secret = generateState();
      const login = new Login({
        clientId: sampleApplication.id,
        clientSecret: sampleApplication.secret,
        scope: ["identify"],
        secret,
        store,
        platform: fake.platform,
        fetch: fake.fetch,
      });
      const jar = new CookieJar();
      const site = "https://app.example";
      const start = await login.start(jar.request(`${site}/shop`));
      jar.store(start, site);
      const callback = await fake.authorize(start.headers.get("location") ?? "");
      const open = () => login.handle(jar.request(callback));
      const responses = await Promise.all([open(), open()]);
      for (const response of responses) {
        equal(response?.headers.get("location"), `${site}/shop`);
        if (response) jar.store(response, site);
      }
      equal(countTokenRequests(fake), 1);
      // Without a store, the login keeps the token for a callback that is opened again. countChecks() looks for it in this output.
      console.log(login, { login }, [login], "%o", login);
      console.dir(login);
      const { searchParams } = new URL(callback);
      const seen = [inspect(login), ...textsIn(login)].join("\n");
      for (const word of [secret, searchParams.get("state"), "fake_", "eyJ"]) {
        ok(word && !seen.includes(word), `"${word}" in the login: ${seen}`);
      }
      const session = await login.session(jar.request(site));
      equal(session?.user.username, "ada");
      if (store) {
        const { username } = await new User(session?.token ?? "", fake).getCurrentUser();
        equal(username, "ada");
      }
    }
  },

  async "An Activity and an app log in without a cookie, and a preview by the callback of the main deployment"(
    runtime,
  ) {
    if ("document" in globalThis) return;
    const { sdk: { generateState, MemoryStore, User }, login: { Login } } = runtime;
    const { createFakePlatform, CookieJar, sampleApplication: { id, secret } } = runtime.testing;
    const fake = createFakePlatform();
    const relay = {
      url: "https://app.example/callback",
      secret: generateState(),
      origins: ["https://*.preview.example"],
    };
    const createLogin = (origin: string) =>
      new Login({
        clientId: id,
        clientSecret: secret,
        scope: ["identify"],
        secret: generateState(),
        store: new MemoryStore(),
        relay: { ...relay, origin },
        appPath: "/app",
        appTargets: ["myapp://login"],
        sessionPath: "/session",
        ...fake,
      });
    const site = "https://app.example";
    const main = createLogin(site);
    /** Returns what arrives at the target of a login. */
    const arrivalOf = async (link: string): Promise<URL> => {
      const page = await main.handle(new Request(await fake.authorize(link)));
      const [, href = ""] = /<a href="([^"]+)"/.exec(await page?.text() ?? "") ?? [];
      return new URL(href.replace(/&#38;/g, "&"));
    };

    const post = async (body: object) => {
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      return await (await main.handle(new Request(`${site}/app`, init)))?.json();
    };
    const { url, state, pending } = await post({ begin: { target: "myapp://login" } });
    const code = (await arrivalOf(url)).searchParams.get("code");
    const { token } = await post({ finish: { code, state, pending } });
    const headers = { authorization: `Bearer ${token}` };
    equal((await main.session(new Request(site, { headers })))?.user.username, "ada");

    const begun = await post({ begin: {} });
    const consent = await fake.authorizeActivity(begun.authorize, { as: "grace" });
    const entered = await post({ finish: { ...consent, pending: begun.pending } });
    equal(entered.session.user.username, "grace");
    const user = new User(entered.accessToken, fake);
    equal((await user.getCurrentUser()).username, "grace");
    const activity = (path: string, method = "GET") => {
      const headers = { authorization: `Bearer ${entered.token}` };
      return new Request(site + path, { method, headers });
    };
    equal((await main.session(activity("/")))?.user.username, "grace");
    equal((await main.handle(activity("/logout", "POST")))?.status, 204);
    equal(await (await main.handle(activity("/session")))?.json(), null);

    const origin = "https://branch.preview.example";
    const preview = createLogin(origin);
    const jar = new CookieJar();
    const start = await preview.start(jar.request(`${origin}/shop`));
    jar.store(start, origin);
    const callback = await arrivalOf(start.headers.get("location") ?? "");
    const end = await preview.handle(jar.request(callback));
    equal(end?.headers.get("location"), `${origin}/shop`);
    if (end) jar.store(end, origin);
    equal((await preview.session(jar.request(origin)))?.user.username, "ada");
  },

  async "parseWebhookEvent() reads an event and refuses one with a wrong signature"(runtime) {
    // The platform sends events to servers alone, and some browsers lack the algorithm of their signature.
    if ("document" in globalThis) return;
    const { parseWebhookEvent, WebhookSignatureError } = runtime.webhookEvents;
    const fake = runtime.testing.createFakePlatform();
    const publicKey = await fake.webhookPublicKey();
    const receive = async (request: Request): Promise<Response> => {
      const event = await parseWebhookEvent(request, publicKey);
      return new Response(
        event.type === "APPLICATION_DEAUTHORIZED" ? event.data.user.username : "",
      );
    };
    const response = await fake.sendWebhookEvent(receive, "APPLICATION_DEAUTHORIZED", {
      as: "grace",
    });
    equal(await response.text(), "grace");
    const wrong = { signature: "wrong" } as const;
    const error = await thrownBy(() => fake.sendWebhookEvent(receive, "PING", wrong));
    ok(error instanceof WebhookSignatureError && error.reason === "wrong", error);
  },

  "Every failure in memory throws an error of this library"(runtime) {
    return checkFailures(inMemory(runtime), runtime);
  },

  "Every failure over HTTP throws an error of this library"(runtime) {
    return checkFailures(overHttp(runtime), runtime);
  },

  async "A refused connection causes a NetworkError"({ sdk: { NetworkError, User }, origin }) {
    // Nothing listens on port 9, and browsers refuse to connect to it.
    const apiUrl = `${origin.replace(/:\d+$/, "")}:9/api/v10`;
    const platform = { authorizeUrl: apiUrl, apiUrl, cdnUrl: apiUrl };
    const user = new User("t0ken", { platform });
    const error = await thrownBy(() => user.getCurrentUser());
    ok(error instanceof NetworkError && error.code === "network_error", error);
  },

  async "The library does not repeat a token request after the connection broke"(runtime) {
    const { sdk: { NetworkError, PlatformApi } } = runtime;
    const { id, secret, redirectUri } = application(runtime);
    for (const platform of [inMemory(runtime), overHttp(runtime)]) {
      const before = await platform.countTokenRequests();
      await platform.failNext({ path: "/oauth2/token", cut: "before", times: 2 });
      const api = new PlatformApi(id, secret, ["identify"], redirectUri, platform.options);
      const error = await thrownBy(() => api.accessToken("c0de"));
      ok(error instanceof NetworkError, error);
      const count = await platform.countTokenRequests() - before;
      // Chromium and Firefox repeat any request if a connection that they kept open breaks before the response. A page
      // can't prevent it.
      ok(count === 1 || (count === 2 && "document" in globalThis), `${count} requests`);
      // Uses up the failure that is left, before the next check.
      if (count === 1) await thrownBy(() => api.accessToken("c0de"));
    }
  },

  async "An aborted call rejects with the reason of its signal"(runtime) {
    const { User } = runtime.sdk;
    for (const platform of [inMemory(runtime), overHttp(runtime)]) {
      await platform.failNext({ path: "/users/@me", hang: true });
      // A token of its own, since one that was refused is not sent.
      const user = new User("t0ken-of-an-aborted-call", platform.options);
      const controller = new AbortController();
      const reason = new Error("The person left");
      const call = user.getCurrentUser({ signal: controller.signal });
      setTimeout(() => controller.abort(reason), 100);
      equal(await thrownBy(() => call), reason);
    }
  },

  async "A log shows a token without its secrets, and JSON contains all of it"(runtime) {
    const { sdk: { AuthUrl, parseCallback, PlatformApi }, inspect = String } = runtime;
    const { id, secret, redirectUri } = application(runtime);
    const { authorize, options } = inMemory(runtime);
    const scope = ["identify", "openid", "webhook.incoming"];
    const link = await new AuthUrl(id, scope, redirectUri, null, options).makeUrl({ state: "s" });
    const { code } = parseCallback(await authorize(link), { state: "s" });
    const token = await new PlatformApi(id, secret, scope, redirectUri, options).accessToken(code);
    const { access_token, refresh_token, id_token, webhook } = token;
    // countChecks() looks for secrets in this output.
    console.log(token, { token }, [token], "%o", token);
    console.dir(token);
    for (const secret of [access_token, refresh_token, id_token, webhook?.token, webhook?.url]) {
      ok(secret, token);
      ok(!inspect({ token }).includes(secret), inspect(token));
      ok(JSON.stringify(token).includes(secret), token);
      ok(JSON.stringify(structuredClone({ ...token })).includes(secret), token);
    }
  },

  async "No client and no error shows a secret"(runtime) {
    const { sdk: { PlatformApi, User }, inspect = String } = runtime;
    const { id, redirectUri } = application(runtime);
    const secret = "s3cret-of-the-application";
    const verifier = "v3rifier-v3rifier-v3rifier-v3rifier-v3rifier";
    const memory = inMemory(runtime);
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, memory.options);
    const user = new User("t0ken-of-the-user", memory.options);
    const refused = await thrownBy(() => api.accessToken("c0de", { codeVerifier: verifier }));
    const unauthorized = await thrownBy(() => user.getCurrentUser());
    for (const [name, value] of Object.entries({ api, user, refused, unauthorized })) {
      const seen = [inspect(value), ...textsIn(value)].join("\n");
      for (const word of [secret, btoa(`${id}:${secret}`), verifier, "c0de", "t0ken"]) {
        ok(!seen.includes(word), `"${word}" in ${name}: ${seen}`);
      }
    }
  },
};

/**
 * Returns the number of checks in the output of a runtime that ran the suite.
 *
 * @throws {Error} If the output contains a secret of a token, or no printed token at all.
 */
export function countChecks(printed: string): number {
  if (/fake_(access|refresh|webhook)_|eyJ/.test(printed)) {
    throw new Error(`The output contains a secret: ${printed}`);
  }
  // edge-runtime ignores the way that an object wants to be printed, and shows a getter.
  if (!/\[(hidden|Getter)\]/.test(printed)) {
    throw new Error(`The output contains no token: ${printed}`);
  }
  // The tokens that the suite logs may come before or after the names.
  const [names = "[]"] = /^\[".*"\]$/m.exec(printed) ?? [];
  return JSON.parse(names).length;
}

/** A fake platform with the options of a client for it. */
interface Platform {
  readonly options: Sdk.ClientOptions & { readonly platform: Sdk.Platform };
  authorize(link: string): Promise<string>;
  failNext(failure: Testing.Failure): Promise<void>;
  /** Counts the token requests so far. */
  countTokenRequests(): Promise<number>;
}

function inMemory({ testing }: Runtime): Platform {
  const fake = testing.createFakePlatform();
  return {
    options: { fetch: fake.fetch, platform: fake.platform },
    authorize: (link) => fake.authorize(link),
    failNext: (failure) => Promise.resolve(void fake.failNext(failure)),
    countTokenRequests: () => Promise.resolve(countTokenRequests(fake)),
  };
}

/** Uses the platform at `origin`, whose endpoints at `/-/` act for a person and for a test. */
function overHttp({ origin }: Runtime): Platform {
  const post = async (path: string, body: string): Promise<string> => {
    const response = await fetch(origin + path, { method: "POST", body });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}`);
    return await response.text();
  };
  const platform = {
    authorizeUrl: `${origin}/oauth2/authorize`,
    apiUrl: `${origin}/api/v10`,
    cdnUrl: `${origin}/cdn`,
    issuer: origin,
  };
  return {
    options: { platform },
    authorize: (link) => post("/-/authorize", link),
    failNext: async (failure) => void await post("/-/fail", JSON.stringify(failure)),
    countTokenRequests: async () => Number(await post("/-/token-requests", "")),
  };
}

/** Counts the token requests that a fake platform has received. */
export function countTokenRequests({ requests }: Testing.FakePlatform): number {
  return requests.filter(({ path }) => path.endsWith("/oauth2/token")).length;
}

function application({ testing }: Runtime) {
  const { id, secret, botToken, redirectUris: [redirectUri = ""] } = testing.sampleApplication;
  return { id, secret, botToken, redirectUri };
}

async function checkLogin({ options, authorize }: Platform, runtime: Runtime): Promise<void> {
  const { AuthUrl, generateCodeVerifier, generateState, parseCallback, PlatformApi, User } =
    runtime.sdk;
  const { id, secret, botToken, redirectUri } = application(runtime);
  const scope = ["identify", "guilds", "email"];
  const state = generateState();
  const codeVerifier = generateCodeVerifier();

  const page = new AuthUrl(id, scope, redirectUri, null, options);
  const { code } = parseCallback(await authorize(await page.makeUrl({ state, codeVerifier })), {
    state,
  });
  const api = new PlatformApi(id, secret, scope, redirectUri, options);
  const token = await api.accessToken(code, { codeVerifier });
  equal(token.scopes.join(), scope.join());
  ok((token.expires_at ?? 0) > Date.now(), token.expires_at);

  const user = new User(token, options);
  const me = await user.getCurrentUser();
  equal(`${me.username} ${me.global_name} ${me.bot}`, "ada Ada Lovelace false");
  ok(Object.isFrozen(me), "a user that can be changed");
  const guilds = await user.getUserGuilds({ limit: 2, withCounts: true });
  equal(
    guilds.map(({ name, owner }) => `${name} ${owner}`).join(),
    "The Analytical Engine true,Compiler Café false",
  );
  const { icon_url, roles } = await new User(botToken, { ...options, tokenType: "Bot" })
    .getGuild("1200000000000000001", true);
  ok(icon_url?.endsWith(".webp?animated=true"), icon_url);
  ok(Object.isFrozen(roles), "roles that can be changed");

  const replayed = await thrownBy(() => api.accessToken(code, { codeVerifier }));
  ok(replayed instanceof runtime.sdk.OAuthError, replayed);
  equal(`${replayed.error} ${replayed.httpStatus}`, "invalid_grant 400");
}

async function checkFailures(
  { options, failNext }: Platform,
  { sdk, testing }: Runtime,
): Promise<void> {
  const { ApiError, NetworkError, PayloadError, RateLimitError, TimeoutError, User } = sdk;
  const { botToken } = testing.sampleApplication;
  const user = new User("t0ken", options);
  const bot = new User(botToken, { ...options, tokenType: "Bot" });
  const guild = "/guilds/1200000000000000001";
  const getGuild = () => bot.getGuild("1200000000000000001");

  const unauthorized = await thrownBy(() => user.getCurrentUser());
  ok(unauthorized instanceof ApiError && unauthorized.httpStatus === 401, unauthorized);

  const unknown = await thrownBy(() => bot.getGuild("1"));
  ok(unknown instanceof ApiError && unknown.platformCode === 10004, unknown);

  await failNext({ path: guild, status: 429, headers: { "retry-after": "64" } });
  // With a fetch of its own, because clients with the same one send no request for the next 64 seconds.
  const ownFetch: Sdk.Fetch = (input, init) => (options.fetch ?? globalThis.fetch)(input, init);
  const busyBot = new User(botToken, { ...options, fetch: ownFetch, tokenType: "Bot" });
  const limited = await thrownBy(() => busyBot.getGuild("1200000000000000001"));
  ok(limited instanceof RateLimitError, limited);

  await failNext({ path: guild, body: "<!doctype html><title>Edge</title>" });
  const page = await thrownBy(getGuild);
  ok(page instanceof PayloadError && page.message.includes("HTML"), page);

  await failNext({ path: guild, status: 302, headers: { location: "https://elsewhere.example/" } });
  const redirected = await thrownBy(getGuild);
  // A browser hides the status of a redirect from a page.
  ok(redirected instanceof ApiError && [302, 0].includes(redirected.httpStatus), redirected);

  await failNext({ path: guild, cut: "body", times: 3 });
  const cut = await thrownBy(getGuild);
  // WebKit treats a chunked response that was cut as complete.
  const isNoticed = cut instanceof NetworkError;
  ok(isNoticed || cut instanceof PayloadError, cut);
  for (let left = isNoticed ? 0 : 2; left > 0; left--) await thrownBy(getGuild);

  await failNext({ path: guild, status: 503 });
  equal((await getGuild()).name, "The Analytical Engine");

  await failNext({ path: "/users/@me", hang: true });
  const late = await thrownBy(() =>
    new User("another-t0ken", { ...options, timeout: 200 }).getCurrentUser()
  );
  ok(late instanceof TimeoutError && late.name === "TimeoutError", late);
}

/** Collects the texts of an object, of its prototypes and of all values in them. */
function textsIn(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === "function" || seen.has(value)) return [];
  if (Object(value) !== value) return [String(value)];
  seen.add(value);
  const texts = [String(JSON.stringify(value)), String(value)];
  for (let object = value; object !== null; object = Object.getPrototypeOf(object)) {
    for (const key of Reflect.ownKeys(object as object)) {
      // The loop visits the prototype with the object as receiver, which its getters need.
      if (key === "__proto__") continue;
      texts.push(String(key), ...textsIn(Reflect.get(object as object, key, value), seen));
    }
  }
  return texts;
}

async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

function equal(found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`expected ${expected}, found ${found}`);
}

function ok(condition: unknown, found: unknown): asserts condition {
  if (!condition) throw new Error(`found ${found}`);
}
