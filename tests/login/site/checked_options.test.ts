import { describe, expect, test } from "vitest";
import { generateState, MemoryStore } from "../../../mod.ts";
import { Login } from "../../../src/login/mod.ts";

const secret = generateState();
const options = { clientId: "1", clientSecret: "s3cret-of-the-app", scope: ["identify"], secret };

describe("new Login()", () => {
  test("needs the application alone, and accepts null for every other option", () => {
    const nothing = {
      redirectUri: null,
      loginPath: null,
      logoutPath: null,
      afterLogin: null,
      sessionPath: null,
      store: null,
      keepToken: null,
      backgroundTokens: null,
      refreshBefore: null,
      idleTimeout: null,
      maxAge: null,
      sessionUser: null,
      sessionLabel: null,
      visitor: null,
      publicUser: null,
      onLogin: null,
      onError: null,
      timeout: null,
      platform: null,
    };
    expect(new Login(options)).toBeInstanceOf(Login);
    expect(new Login({ ...options, ...nothing })).toBeInstanceOf(Login);
    expect(new Login({ ...options, maxAge: 400 * 86_400 })).toBeInstanceOf(Login);
    expect(new Login({ ...options, clientSecret: null, secret: [generateState(), secret] }))
      .toBeInstanceOf(Login);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["the client id", { clientId: 1 }, "clientId must be digits"],
    [
      "an empty client id",
      { clientId: "" },
      "clientId must be digits in a string, received an empty string; is the variable set?",
    ],
    [
      "a placeholder of a client id",
      { clientId: "test-client-id" },
      "clientId must be digits in a string, received a string of length 14",
    ],
    [
      "an empty client secret",
      { clientSecret: "" },
      "clientSecret must be ASCII text without whitespace, received an empty string; is the variable set?",
    ],
    [
      "an empty secret",
      { secret: "" },
      "secret must be random text of at least 32 characters (npx @guildpass/sdk secret prints it), received an empty string; is the " +
      "variable set?",
    ],
    [
      "an empty redirect URI",
      { redirectUri: "" },
      "redirectUri must be an absolute URL without a fragment, received an empty string; is the variable set?",
    ],
    ["the client secret", { clientSecret: undefined }, "clientSecret must be ASCII text"],
    ["a scope", { scope: ["identify", "guild"] }, 'did you mean "guilds"'],
    [
      "a redirect URI over plain HTTP",
      { redirectUri: "http://app.example/callback?x=s3cret" },
      "redirectUri must begin with https:, or with http: on this machine, like http://localhost:3000, received http://app.example",
    ],
    [
      "a redirect URI of an app",
      { redirectUri: new URL("com.example.app:/callback") },
      "received com.example.app://",
    ],
    ["a redirect URI of another scheme", { redirectUri: "ftp://localhost/callback" }, "ftp://"],
    [
      "scopes that say nothing of who it is",
      { scope: ["guilds"] },
      'scope must include "identify"',
    ],
    [
      "no scopes",
      { scope: "identify" },
      'scope must be a list like ["identify"]',
    ],
    [
      "scopes of nothing",
      { scope: undefined },
      'scope must be a list like ["identify"], received undefined',
    ],
    [
      "an empty list of scopes",
      { scope: [] },
      'scope must be a list like ["identify"], received an empty list',
    ],
    [
      "a misspelled short scope",
      { scope: ["identify", "bots"] },
      'scope[1] is not a known scope: did you mean "bot"?',
    ],
    [
      "what it asks for",
      { scope: ["identfy"] },
      'scope[0] is not a known scope: did you mean "identify"',
    ],
    [
      "linked roles of a public client",
      { scope: ["identify", "openid", "role_connections.write"], clientSecret: null },
      'scope has "role_connections.write", which needs a clientSecret: the platform refuses it with PKCE',
    ],
    [
      "linked roles without an id_token",
      { scope: ["identify", "role_connections.write"] },
      'scope has "role_connections.write", which needs "openid" too: the platform refuses PKCE with it, so only the id_token ' +
      "protects against a stolen code",
    ],
    [
      "a scope that no login gets",
      { scope: ["identify", "applications.commands.update"] },
      'scope "applications.commands.update" needs clientCredentials()',
    ],
    [
      "several scopes in one",
      { scope: ["identify guilds"] },
      'scope[0] must be one scope like "identify"',
    ],
    [
      "a missing secret",
      { secret: undefined },
      "or a list of such texts with the newest first, received undefined",
    ],
    ["a short secret", { secret: "sh0rt" }, "secret must be random text of at least 32 characters"],
    ["a short old secret", { secret: [secret, "sh0rt"] }, "secret[1] must be random text"],
    ["a redirect URI", { redirectUri: "/callback" }, "redirectUri must be an absolute URL"],
    ["a path", { loginPath: "login" }, 'loginPath must be a path like "/login"'],
    [
      "a path with a query",
      { loginPath: "/login?a=b" },
      'loginPath must be a path like "/login"',
    ],
    ["a list of paths", { loginPath: ["/login"] }, 'loginPath must be a path like "/login"'],
    ["a number as its name", { name: 7 }, "name must be at most 16 lowercase letters and digits"],
    ["seconds as text", { maxAge: "3600" }, "maxAge must be a number of seconds"],
    ["a path of another site", { logoutPath: "//evil.example" }, "logoutPath must be a path"],
    [
      "paths that are the same",
      { loginPath: "/callback" },
      "loginPath and callbackPath must be different",
    ],
    [
      "the path of the redirect URI",
      { redirectUri: "https://app.example/login" },
      "loginPath and callbackPath must be different; callbackPath defaults to redirectUri's path",
    ],
    [
      "Passport's name",
      { callbackURL: "x" },
      "options.callbackURL is unknown: did you mean redirectUri?",
    ],
    ["another spelling", { clientID: "1" }, "options.clientID is unknown: did you mean clientId?"],
    ["two equal paths", { callbackPath: "/login" }, "loginPath and callbackPath must be different"],
    ["the path of a callback", { callbackPath: "callback" }, "callbackPath must be a path"],
    [
      "a page after a logout that begins a login",
      { afterLogout: "/login" },
      'afterLogout must be a path like "/bye" outside the login itself, received a string of length 6',
    ],
    [
      "such a page at another path",
      { afterLogout: "/auth/in", loginPath: "/auth/in" },
      'afterLogout must be a path like "/bye" outside the login itself, received a string of length 8',
    ],
    [
      "a page after a logout on another site",
      { afterLogout: "//evil.example" },
      'afterLogout must be a path like "/bye"',
    ],
    ["a store", { store: {} }, "store must be a Store with load, save and delete"],
    ...["load", "save", "delete"].map((name): [string, Record<string, unknown>, string] => [
      `a store without ${name}`,
      { store: Object.assign(new MemoryStore(), { [name]: undefined }) },
      "store must be a Store with load, save and delete",
    ]),
    [
      "tokens for jobs without a store",
      { backgroundTokens: true },
      "backgroundTokens needs the option store, since a background job has no cookies",
    ],
    [
      "a text that says true",
      { keepToken: "true" },
      "keepToken must be true or false, received a string of length 4",
    ],
    [
      "a number that says true",
      { store: new MemoryStore(), backgroundTokens: 1 },
      "backgroundTokens must be true or false, received number",
    ],
    ["a name", { name: "Admin" }, "name must be at most 16 lowercase letters and digits"],
    ["a long name", { name: "a".repeat(17) }, "name must be at most 16"],
    ["a time", { maxAge: 0 }, "maxAge must be a number of seconds, at most 400 days"],
    ["the age of responses", { freshFor: -1 }, "freshFor must be a number of seconds"],
    ["the time of a refresh", { refreshBefore: -1 }, "refreshBefore must be a number of seconds"],
    ["a time in milliseconds", { maxAge: 604_800_000 }, "received 604800000"],
    ["an idle time without a store", { idleTimeout: 3600 }, "idleTimeout needs the option store"],
    ["a callback", { onLogin: {} }, "onLogin must be a function"],
    ["a label", { sessionLabel: "phone" }, "sessionLabel must be a function"],
    ["an address", { visitor: "203.0.113.7" }, "visitor must be a function"],
    ["a time limit", { timeout: -1 }, "timeout must be a number of milliseconds"],
  ])("throws an error that says what to do for %s", (_what, wrong, message) => {
    const create = () => new Login({ ...options, ...wrong } as typeof options);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
    expect(create).not.toThrow("sh0rt");
    expect(create).not.toThrow("s3cret");
  });

  test("throws without options", () => {
    for (const wrong of [null, undefined, "options"]) {
      expect(() => new Login(wrong as never)).toThrow("options must be an object");
    }
  });

  test("ignores later changes of its options", async () => {
    const changed = { ...options, store: new MemoryStore(), loginPath: "/in" };
    const login = new Login(changed);
    changed.loginPath = "/elsewhere";
    changed.clientId = "2";
    const response = await login.handle(new Request("https://app.example/in"));
    expect(response?.headers.get("location")).toContain("client_id=1&");
  });
});
