import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { generateState, MemoryStore } from "../../../mod.ts";
import type { LoginEvent } from "../../../src/login/mod.ts";
import { createFakePlatform } from "../../../src/testing/mod.ts";
import { type App, Browser, createApp, exchanges, locationOf, SITE } from "../test_app.ts";

type Options = NonNullable<Parameters<typeof createApp>[0]>;

beforeEach(() => {
  for (const name of ["error", "warn"] as const) {
    const log = vi.spyOn(console, name).mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
  }
});

/** Creates an application with a desktop app. */
function createDesktop(options: Options = {}, fake?: App["fake"]): App {
  return createApp({
    store: new MemoryStore(),
    appPath: "/app",
    appTargets: ["myapp://login", "http://127.0.0.1/callback", "https://app.example/open"],
    ...options,
  }, fake);
}

async function post({ fetch }: App, body: object, headers: Record<string, string> = {}) {
  const init = { method: "POST", body: JSON.stringify(body) };
  const type = { "content-type": "application/json" };
  return await fetch(new Request(`${SITE}/app`, { ...init, headers: { ...type, ...headers } }));
}

interface Begun {
  readonly url: string;
  readonly state: string;
  readonly pending: string;
}

async function begin(app: App, target = "myapp://login", headers = {}): Promise<Begun> {
  return await (await post(app, { begin: { target } }, headers)).json();
}

/** Returns the address behind the button of a page. */
async function targetOf(page: Response): Promise<URL> {
  const text = await page.text();
  const [, href = ""] = /<a href="([^"]+)"/.exec(text) ?? [];
  return new URL(href.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)));
}

/** Begins and consents, and returns what arrives at the target, with the pending login. */
async function consent(app: App, as = "ada", target?: string) {
  const begun = await begin(app, target);
  const callback = await app.fake.authorize(begun.url, { as });
  const { searchParams } = await targetOf(await app.fetch(new Request(callback)));
  const [code = "", state = ""] = ["code", "state"].map((name) => searchParams.get(name) ?? "");
  return { code, state, pending: begun.pending };
}

describe("The login of an app", () => {
  test.each([
    ["myapp://login", "in the app that opens myapp://login"],
    ["http://127.0.0.1:49152/callback", "in an app on this computer"],
    ["https://app.example/open", "at app.example"],
  ])("ends at %s, by a page that names the target and has one link", async (target, name) => {
    const app = createDesktop();
    const { url, state, pending } = await begin(app, target);
    const link = new URL(url);
    expect(link.searchParams.get("prompt")).toBe("consent");
    expect(link.searchParams.get("state")).toBe(state);
    const callback = new URL(await app.fake.authorize(url, { as: "ada" }));
    callback.searchParams.set("evil", "1");
    for (let visit = 0; visit < 2; visit++) {
      const page = await app.fetch(new Request(callback));
      expect(page.status).toBe(200);
      expect(page.headers.get("cache-control")).toBe("no-store");
      expect(page.headers.get("referrer-policy")).toBe("no-referrer");
      expect(page.headers.getSetCookie()).toEqual([]);
      const text = await page.clone().text();
      expect(text).toContain(name);
      expect(text.match(/<a |<button|<form/g)).toHaveLength(1);
      const address = await targetOf(page);
      expect(address.href.split("?")[0]).toBe(target);
      expect([...address.searchParams.keys()].sort()).toEqual(["code", "iss", "state"]);
      expect(address.searchParams.get("code")).toBe(callback.searchParams.get("code"));
    }
    expect(exchanges(app)).toBe(0);
    const code = callback.searchParams.get("code");
    const { token, session, ...rest } =
      await (await post(app, { finish: { code, state, pending } }))
        .json();
    expect(token).toMatch(/^gps_/);
    expect(session.user.username).toBe("ada");
    expect(rest).toEqual({});
  });

  test("tells a refusal to the app too", async () => {
    const app = createDesktop();
    const { url } = await begin(app);
    const page = await app.fetch(new Request(await app.fake.deny(url)));
    expect((await targetOf(page)).searchParams.get("error")).toBe("access_denied");
  });

  test("needs its own state, and a wrong one does not use it up", async () => {
    const app = createDesktop();
    const { code, state, pending } = await consent(app);
    for (const wrong of [undefined, null, "", `${state}a`, (await begin(app)).state]) {
      const response = await post(app, { finish: { code, state: wrong, pending } });
      expect(response.status).toBe(400);
    }
    expect(exchanges(app)).toBe(0);
    expect((await post(app, { finish: { code, state, pending } })).status).toBe(200);
  });

  test.each([
    "myapp://other",
    "myapp://login2",
    "myapp://login?x",
    "https://app.example:444/open",
    "https://evil.example/open",
    1,
  ])("does not begin for %s", async (target) => {
    const app = createDesktop();
    const response = await post(app, { begin: { target } });
    expect(response.status).toBe(400);
    expect((await response.json()).message).toContain("appTargets");
  });
});

describe("The callback of an app's login at another path than the callback's", () => {
  test.each(["/callback/", "/Callback", "/app/callback"])(
    "ends at %s on a page that names both paths, and begins no login of the website",
    async (path) => {
      const events: LoginEvent[] = [];
      const app = createDesktop({ onEvent: (event) => void events.push(event) });
      const { url, state } = await begin(app);
      const { search } = new URL(await app.fake.authorize(url, { as: "ada" }));
      events.length = 0;
      const response = await app.fetch(new Request(`${SITE}${path}${search}`));
      expect(response.status).toBe(500);
      expect(response.headers.getSetCookie()).toEqual([]);
      const text = await response.text();
      expect(text).toContain(
        `The callback arrived at ${path}, but this login is served at /callback.`,
      );
      for (const secret of [state, state.slice(0, 43), "code=", "myapp:"]) {
        expect(text).not.toContain(secret);
      }
      const paths = [path, "/callback"];
      expect(events).toMatchObject([{ kind: "login_failed", reason: "lost_callback", paths }]);
    },
  );

  test("begins a login of the website at a target on this site, which the browser opens without the app", async () => {
    const app = createDesktop();
    const callback = await app.fake.authorize((await begin(app, `${SITE}/open`)).url);
    const page = await app.fetch(new Request(callback));
    const response = await app.fetch(new Request(await targetOf(page)));
    expect(response.status).toBe(302);
    expect(locationOf(response)).toContain("/oauth2/authorize?");
  });

  test("begins a login of the website if no deployment has made the state", async () => {
    const app = createDesktop();
    const { url, state } = await begin(app);
    const callback = new URL(await app.fake.authorize(url, { as: "ada" }));
    for (const changed of [generateState() + state.slice(43), `${state.slice(0, 43)}.x`]) {
      callback.searchParams.set("state", changed);
      const response = await app.fetch(new Request(`${SITE}/callback/${callback.search}`));
      expect(response.status).toBe(302);
    }
  });
});

describe("A callback is for this site and not for an app if its state", () => {
  test.each<[string, (state: string) => string]>([
    // The last character has bits that do not count.
    [
      "has a changed character",
      (state) => state.replace(/.(?=.{8}$)/, (one) => one === "A" ? "B" : "A"),
    ],
    ["has the random part of another", (state) => generateState() + state.slice(43)],
    ["has no target", (state) => state.slice(0, 43)],
    ["has an empty target", (state) => `${state.slice(0, 43)}.`],
  ])("%s", async (_, change) => {
    const app = createDesktop();
    const { url, state } = await begin(app);
    const callback = new URL(await app.fake.authorize(url, { as: "ada" }));
    callback.searchParams.set("state", change(state));
    const response = await app.fetch(new Request(callback));
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain("myapp:");
  });

  test("is older than ten minutes", async () => {
    const app = createDesktop();
    const { url } = await begin(app);
    const callback = await app.fake.authorize(url, { as: "ada" });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 600_001 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await app.fetch(new Request(callback))).status).toBe(400);
  });

  test("names a target that is not listed any more, or is of another deployment", async () => {
    const [secret, fake] = [generateState(), createFakePlatform()];
    const app = createDesktop({ secret }, fake);
    const callback = await fake.authorize((await begin(app)).url, { as: "ada" });
    for (
      const options of [{ secret, appTargets: ["myapp://other"] }, {}, { secret, name: "other" }]
    ) {
      const other = createDesktop(options, fake);
      expect((await other.fetch(new Request(callback))).status).toBe(400);
    }
    expect((await createDesktop({ secret }, fake).fetch(new Request(callback))).status).toBe(200);
  });
});

test("A callback for an app that repeats a parameter, or has neither code nor error, gets a page without a link to the app", async () => {
  const events: LoginEvent[] = [];
  const app = createDesktop({ onEvent: (event) => void events.push(event) });
  const { url } = await begin(app);
  const callback = await app.fake.authorize(url, { as: "ada" });
  for (const more of ["&code=x", "&state=x", "&iss=x", "&guild_id=1&guild_id=2"]) {
    const response = await app.fetch(new Request(callback + more));
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain("myapp:");
  }
  const empty = new URL(callback);
  empty.searchParams.delete("code");
  expect((await app.fetch(new Request(empty))).status).toBe(400);
  expect(events.filter(({ kind }) => kind === "login_failed")).toHaveLength(5);
});

describe("An attacker gets no session by an app:", () => {
  test("a malicious app that claims the scheme can't finish with the code", async () => {
    const app = createDesktop();
    const { code, state } = await consent(app);
    const own = await begin(app);
    for (const given of [state, own.state]) {
      const response = await post(app, { finish: { code, state: given, pending: own.pending } });
      expect(response.status).toBe(400);
      expect((await response.json()).token).toBeUndefined();
    }
  });

  test("a code of a website does not finish as an app's, nor the other way round", async () => {
    const app = createDesktop();
    const browser = new Browser(app);
    const website = new URL(await browser.consent("/", "grace"));
    const { state, pending } = await begin(app);
    const code = website.searchParams.get("code");
    expect((await post(app, { finish: { code, state, pending } })).status).toBe(400);
    const own = await consent(app, "ada");
    const callback = new URL(await browser.consent("/", "grace"));
    callback.searchParams.set("code", own.code);
    expect((await browser.open(callback)).status).toBe(400);
    expect(await browser.whoAmI()).toBeNull();
  });

  test("a pending login of a cookie, of another origin or of another login does not open", async () => {
    const app = createDesktop({ appOrigins: ["tauri://localhost"] });
    const { code, state, pending } = await consent(app);
    const browser = new Browser(app);
    const callback = new URL(await browser.consent("/", "grace"));
    const [cookie] = browser.jar.cookies;
    const planted = {
      code: callback.searchParams.get("code"),
      state: callback.searchParams.get("state"),
      pending: cookie?.value,
    };
    expect((await post(app, { finish: planted })).status).toBe(400);
    const fromPage = await post(app, { finish: { code, state, pending } }, {
      origin: "tauri://localhost",
    });
    expect(fromPage.status).toBe(400);
    // As a cookie, the pending login of an app opens no callback.
    const tossed = new Request(`${SITE}/callback?code=${code}&state=${state.slice(0, 43)}`, {
      headers: { cookie: `__Host-login.${state.slice(0, 12)}=${pending}` },
    });
    expect((await app.fetch(tossed)).status).toBe(400);
    expect(exchanges(app)).toBe(0);
    expect((await post(app, { finish: { code, state, pending } })).status).toBe(200);
  });

  test("another code after a finish gets nothing, and the same code the same token", async () => {
    const app = createDesktop();
    const finish = await consent(app);
    const { token } = await (await post(app, { finish })).json();
    for (const code of ["junk", (await consent(app, "grace")).code]) {
      const response = await post(app, { finish: { ...finish, code } });
      expect(await response.json()).toMatchObject({ code: "used" });
    }
    expect((await post(app, { finish: { ...finish, code: "not a code" } })).status).toBe(400);
    expect((await (await post(app, { finish })).json()).token).toBe(token);
    expect(exchanges(app)).toBe(1);
  });

  test("two finishes at once in two processes send the code once, and get one session", async () => {
    const shared = { secret: generateState(), store: new MemoryStore() };
    const fake = createFakePlatform();
    const processes = [createDesktop(shared, fake), createDesktop(shared, fake)] as const;
    const finish = await consent(processes[0]);
    const tokens = await Promise.all(
      processes.map(async (app) => (await (await post(app, { finish })).json()).token),
    );
    expect(new Set(tokens).size).toBe(1);
    expect(exchanges(processes[0])).toBe(1);
    expect(await processes[1].login.sessionsOf("1000000000000000001")).toHaveLength(1);
  });

  test("a consent that another person finishes changes nothing, and tells the app", async () => {
    const app = createDesktop();
    const { token } = await (await post(app, { finish: await consent(app) })).json();
    const headers = { authorization: `Bearer ${token}` };
    const { url, state, pending } = await begin(app, "myapp://login", headers);
    const callback = new URL(await app.fake.authorize(url, { as: "grace" }));
    const finish = { code: callback.searchParams.get("code"), state, pending };
    const response = await post(app, { finish }, headers);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: "login_failed", code: "other_person" });
    const session = await app.login.session(new Request(SITE, { headers }));
    expect(session?.user).toMatchObject({ username: "ada" });
  });

  test("a session that ended before the finish does not come back", async () => {
    const app = createDesktop();
    const finish = await consent(app);
    const { token } = await (await post(app, { finish })).json();
    await app.login.endAll("1000000000000000001");
    const again = await post(app, { finish });
    expect(again.status).toBe(403);
    expect(
      await app.login.session(
        new Request(SITE, {
          headers: { authorization: `Bearer ${token}` },
        }),
      ),
    ).toBeNull();
  });

  test("the consent of a session does not finish without its token, nor with that of another session", async () => {
    const app = createDesktop();
    const { token } = await (await post(app, { finish: await consent(app) })).json();
    const { token: other } = await (await post(app, { finish: await consent(app, "grace") }))
      .json();
    const bearerOf = (token: string) => ({ authorization: `Bearer ${token}` });
    for (const headers of [{}, bearerOf(other), bearerOf(`gps_${"a".repeat(43)}`)]) {
      const { url, state, pending } = await begin(app, "myapp://login", bearerOf(token));
      const callback = new URL(await app.fake.authorize(url, { as: "ada" }));
      const finish = { code: callback.searchParams.get("code"), state, pending };
      const response = await post(app, { finish }, headers);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: "other_person" });
    }
    expect(await app.login.sessionsOf("1000000000000000001")).toHaveLength(1);
    const session = await app.login.session(new Request(SITE, { headers: bearerOf(other) }));
    expect(session?.user).toMatchObject({ username: "grace" });
  });

  test("a state of a target has no effect elsewhere", async () => {
    const app = createDesktop({ appTargets: ["myapp://login", "otherapp://login"] });
    const browser = new Browser(app);
    const { code, state, pending } = await consent(app);
    const [random, sealed] = [state.slice(0, 43), state.slice(44)];
    const other = await begin(app, "otherapp://login");
    // Neither as a cookie or token, nor with the random part of another state, nor as a pending login.
    for (const name of ["session", `login.${random.slice(0, 12)}`]) {
      for (const value of [state, sealed, pending]) {
        const headers = { cookie: `__Host-${name}=${value}` };
        expect(await app.login.session(new Request(SITE, { headers }))).toBeNull();
        const callback = `${SITE}/callback?code=${code}&state=${encodeURIComponent(random)}`;
        expect((await app.fetch(new Request(callback, { headers }))).status).toBe(400);
      }
    }
    for (const value of [sealed, state, `${other.state.slice(0, 43)}.${sealed}`]) {
      const response = await post(app, { finish: { code, state, pending: value } });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: "no_expected_state" });
    }
    const mixed = `${SITE}/callback?code=${code}&state=${other.state.slice(0, 43)}.${sealed}`;
    expect(await (await browser.open(mixed)).text()).not.toContain("myapp:");
    expect(exchanges(app)).toBe(0);
    expect((await post(app, { finish: { code, state, pending } })).status).toBe(200);
  });

  test("a flood of begins stores nothing", async () => {
    const store = new MemoryStore();
    const app = createDesktop({ store });
    for (let count = 0; count < 50; count++) await begin(app);
    expect(store.size).toBe(0);
  });

  test("no secret stands in an error, a log or an event", async () => {
    const events: LoginEvent[] = [];
    const app = createDesktop({ onEvent: (event) => void events.push(event) });
    const finish = await consent(app);
    const { token } = await (await post(app, { finish })).json();
    const headers = { authorization: `Bearer ${token}` };
    const shown = [
      await (await post(app, { finish: { ...finish, state: "x" } }, headers)).text(),
      await (await post(app, { finish: { ...finish, code: "junk" } }, headers)).text(),
      await (await post(app, { finish: { ...finish, more: 1 } }, headers)).text(),
      JSON.stringify(vi.mocked(console.error).mock.calls),
      JSON.stringify(events),
    ].join();
    for (const secret of [token, finish.code, finish.pending, finish.state]) {
      expect(shown).not.toContain(secret);
    }
  });
});

describe("Previews", () => {
  const MAIN = "https://app.example";
  const relaySecret = generateState();

  function createDeployment(origin: string, fake: App["fake"], options: Options = {}): App {
    const relay = {
      url: `${MAIN}/callback`,
      origin,
      secret: relaySecret,
      origins: ["https://*.preview.example"],
    };
    return createApp({ relay, ...options }, fake);
  }

  /** Opens an address in a deployment, whose host the jar keeps. */
  async function open(app: App, { jar }: Browser, url: string | URL): Promise<Response> {
    const response = await app.fetch(jar.request(url));
    jar.store(response, url);
    return response;
  }

  test("log in twenty times by one registered address", async () => {
    const fake = createFakePlatform();
    const main = createDeployment(MAIN, fake);
    for (let number = 1; number <= 20; number++) {
      const origin = `https://branch-${number}.preview.example`;
      const preview = createDeployment(origin, fake);
      const browser = new Browser(preview);
      const begun = await open(preview, browser, `${origin}/login?returnTo=/shop`);
      const link = new URL(locationOf(begun));
      expect(link.searchParams.get("redirect_uri")).toBe(`${MAIN}/callback`);
      expect(link.searchParams.get("prompt")).toBe("consent");
      const callback = await fake.authorize(link, { as: "ada" });
      const page = await main.fetch(new Request(callback));
      expect(page.headers.getSetCookie()).toEqual([]);
      expect(await page.clone().text()).toContain(`at branch-${number}.preview.example`);
      const address = await targetOf(page);
      expect(address.href.startsWith(`${origin}/callback?`)).toBe(true);
      expect(locationOf(await open(preview, browser, address))).toBe(`${origin}/shop`);
      const session = await preview.login.session(browser.jar.request(origin));
      expect(session?.user).toMatchObject({ username: "ada" });
    }
  });

  test("leave the logins of the main deployment as they are", async () => {
    const app = createDeployment(MAIN, createFakePlatform(), { prompt: "none" });
    const browser = new Browser(app);
    const link = await browser.begin("/shop");
    expect(new URL(link).searchParams.get("state")).toMatch(/^[\w-]{43}$/);
    expect(new URL(link).searchParams.get("prompt")).toBe("none");
    expect(locationOf(await browser.open(await app.fake.authorize(link, { as: "ada" }))))
      .toBe(`${SITE}/shop`);
  });

  test("use their own address, whatever Host a request has", async () => {
    const origin = "https://one.preview.example";
    const app = createDeployment(origin, createFakePlatform());
    const response = await app.fetch(new Request("https://evil.example/login"));
    const callback = await app.fake.authorize(locationOf(response), { as: "ada" });
    const page = await createDeployment(MAIN, app.fake).fetch(new Request(callback));
    expect((await targetOf(page)).origin).toBe(origin);
  });

  test("are not a relay themselves, and another secret, list or login shows no page", async () => {
    const fake = createFakePlatform();
    const origin = "https://one.preview.example";
    const preview = createDeployment(origin, fake);
    const response = await preview.fetch(new Request(`${origin}/login`));
    const callback = await fake.authorize(locationOf(response), { as: "ada" });
    const relay = {
      url: `${MAIN}/callback`,
      origin: MAIN,
      secret: relaySecret,
      origins: ["https://*.preview.example"],
    };
    const others = [
      createDeployment("https://two.preview.example", fake),
      createApp({ relay: { ...relay, secret: generateState() } }, fake),
      createApp({ relay: { ...relay, origins: ["https://two.preview.example"] } }, fake),
      createApp({ relay, name: "other" }, fake),
      createApp({}, fake),
      createDesktop({ secret: relaySecret }, fake),
    ];
    for (const other of others) {
      expect((await other.fetch(new Request(callback))).status).toBe(400);
    }
    expect((await createApp({ relay }, fake).fetch(new Request(callback))).status).toBe(200);
  });

  test("end only in the browser that began, and the code of one preview finishes in no other", async () => {
    const fake = createFakePlatform();
    const main = createDeployment(MAIN, fake);
    const origins = ["https://one.preview.example", "https://two.preview.example"] as const;
    const [one, two] = [createDeployment(origins[0], fake), createDeployment(origins[1], fake)];
    const [attacker, victim] = [new Browser(one), new Browser(two)];
    const begun = await open(one, attacker, `${origins[0]}/login`);
    const callback = await fake.authorize(locationOf(begun), { as: "ada" });
    const address = await targetOf(await main.fetch(new Request(callback)));
    expect((await open(two, victim, origins[1] + address.pathname + address.search)).status).toBe(
      400,
    );
    expect((await open(one, new Browser(one), address)).status).toBe(400);
  });

  test("refuse scopes without PKCE, and don't renew a session without a page", async () => {
    const origin = "https://one.preview.example";
    const app = createDeployment(origin, createFakePlatform(), { prompt: "none" });
    const scope = ["role_connections.write", "openid"] as const;
    await expect(app.login.start(new Request(origin), { scope })).rejects.toThrow("relay");
    const response = await app.login.start(new Request(origin), { prompt: "none" });
    expect(new URL(locationOf(response)).searchParams.get("prompt")).toBe("consent");
  });
});
