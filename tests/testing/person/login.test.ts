import { describe, expect, test } from "vitest";
import { generateState, MemoryStore } from "../../../mod.ts";
import { Login } from "../../../src/login/mod.ts";
import { CookieJar, createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";

const fake = createFakePlatform();
const login = new Login({
  clientId: sampleApplication.id,
  clientSecret: sampleApplication.secret,
  scope: ["identify"],
  secret: generateState(),
  platform: fake.platform,
  fetch: fake.fetch,
});
const handler = (request: Request) => login.handle(request);

describe("FakePlatform.authorize()", () => {
  const appLogin = new Login({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    scope: ["identify"],
    secret: generateState(),
    store: new MemoryStore(),
    appPath: "/app",
    appTargets: ["myapp://login"],
    platform: fake.platform,
    fetch: fake.fetch,
  });

  async function post(body: object): Promise<Record<string, string>> {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return await (await appLogin.handle(new Request("https://app.example/app", init)))?.json();
  }

  test("consents to the link of a website's login", async () => {
    const jar = new CookieJar();
    const begun = await login.start(jar.request("https://app.example/shop"));
    jar.store(begun, "https://app.example/");
    const callback = await fake.authorize(begun.headers.get("location") ?? "", { as: "grace" });
    const response = await login.handle(jar.request(callback));
    expect(response?.headers.get("location")).toBe("https://app.example/shop");
  });

  test("consents to the link of an app's login, whose page has the target of the app", async () => {
    const { url = "", state, pending } = await post({ begin: { target: "myapp://login" } });
    const callback = new URL(await fake.authorize(url, { as: "grace" }));
    expect(callback.origin + callback.pathname).toBe("https://app.example/callback");
    expect(callback.searchParams.get("state")).toBe(state);
    const page = await appLogin.handle(new Request(callback));
    expect(await page?.text()).toContain('href="myapp://login?code=');
    const finish = { code: callback.searchParams.get("code"), state, pending };
    const { token } = await post({ finish });
    const headers = { authorization: `Bearer ${token}` };
    const session = await appLogin.session(new Request("https://app.example/", { headers }));
    expect(session?.user.username).toBe("grace");
  });
});

describe("FakePlatform.login()", () => {
  test("returns the browser's cookies and the target of the last redirect", async () => {
    const { jar, url } = await fake.login(handler, { as: "grace", returnTo: "/shop" });
    expect(url).toBe("https://app.example/shop");
    const session = await login.session(jar.request(url));
    expect(session?.user.username).toBe("grace");
  });

  test("logs in the first user and returns to the home page by default", async () => {
    const { jar, url } = await fake.login(handler);
    expect(url).toBe("https://app.example/");
    expect((await login.session(jar.request(url)))?.user.username).toBe("ada");
  });

  test("uses the given cookies and login address", async () => {
    const jar = new CookieJar();
    const loginUrl = "http://localhost:8787/login";
    const result = await fake.login(handler, { jar, loginUrl, as: "ada" });
    expect(result.jar).toBe(jar);
    expect(jar.cookies.map(({ name }) => name)).toEqual(["port-8787-session"]);
    await fake.login(handler, { jar, loginUrl, as: "grace" });
    expect(jar.cookies).toHaveLength(1);
  });

  test("names the address without a redirect", async () => {
    await expect(fake.login(() => null)).rejects.toThrow(
      "the handler returned no response for /login",
    );
    await expect(fake.login(() => new Response("no"))).rejects
      .toThrow(
        new Error("the handler responded to /login with 200 instead of a redirect"),
      );
    fake.failNext({ path: "/oauth2/token", status: 400, body: { error: "invalid_grant" } });
    await expect(fake.login(handler)).rejects
      .toThrow(
        "the handler responded to /callback with 400 instead of a redirect; the option onError of a Login receives the error",
      );
    await expect(fake.login(handler, { as: "unknown" })).rejects.toThrow("as must be the id");
  });

  test("says what to pass if the login does not use the fake platform", async () => {
    const real = new Login({
      clientId: sampleApplication.id,
      clientSecret: sampleApplication.secret,
      scope: ["identify"],
      secret: crypto.randomUUID(),
    });
    await expect(fake.login((request) => real.handle(request)))
      .rejects.toThrow(/: pass \.\.\.fake \(platform and fetch\) to the Login$/);
  });

  test("rejects a login instead of a handler", async () => {
    await expect(fake.login(login as never)).rejects.toThrow(
      new TypeError(
        "handler must be a function, as in (request) => login.handle(request), received an object",
      ),
    );
  });

  test.each<[string, unknown, string]>([
    ["nothing", undefined, "received undefined; is a return missing?"],
    ["a text, which the error does not show", "s3cret", "received a string"],
    ["an object", {}, "received an object"],
  ])("rejects a handler that returns %s", async (_what, returned, received) => {
    const returning = () => returned as Response;
    await expect(fake.login(returning)).rejects.toThrow(
      new TypeError(`the handler must return a Response for /login, ${received}`),
    );
  });

  test("chooses a guild for a bot, and its permissions", async () => {
    const bots = new Login({
      clientId: sampleApplication.id,
      clientSecret: sampleApplication.secret,
      scope: ["identify", "bot"],
      secret: generateState(),
      platform: fake.platform,
      fetch: fake.fetch,
      onLogin: ({ guildId, permissions }) =>
        Response.redirect(`https://app.example/${guildId}/${permissions}`),
    });
    const guildId = "1200000000000000001";
    const { url } = await fake.login((request) => bots.handle(request), {
      guildId,
      permissions: "1024",
    });
    expect(url).toBe(`https://app.example/${guildId}/1024`);
  });
});
