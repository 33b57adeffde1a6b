import { createHash } from "node:crypto";
import { OAuth2Scopes } from "discord-api-types/v10";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AuthUrl, type AuthUrlParams } from "../../src/links/auth_url.ts";
import { Bot, type BotUrlParams } from "../../src/links/bot.ts";
import { installUrl } from "../../src/links/install_url.ts";
import { type PermissionInput, Permissions } from "../../src/permissions/permissions.ts";
import type { Platform } from "../../src/links/platform.ts";

const AUTHORIZE = "https://discord.com/oauth2/authorize";
const CLIENT = "1024000000000000000";
const GUILD = "41771983423143937";
const REDIRECT = "https://app.example/callback";
const ENCODED_REDIRECT = "https%3A%2F%2Fapp.example%2Fcallback";

/** RFC 7636 appendix B. */
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const PLATFORM: Platform = {
  authorizeUrl: "http://localhost:8787/oauth2/authorize",
  apiUrl: "http://localhost:8787/api",
  cdnUrl: "http://localhost:8787/cdn",
};

/** A value as long as the platform's secrets, where something else belongs. */
const SECRET = "s3cr3t-w1th-th1rty-tw0-ch4r4ct3r5";

function login(permissions?: PermissionInput | null): AuthUrl {
  return new AuthUrl(CLIENT, ["identify", "guilds"], REDIRECT, permissions);
}

describe("AuthUrl.href", () => {
  test("is the whole link of an application", () => {
    expect(login().href).toBe(
      `${AUTHORIZE}?response_type=code&client_id=${CLIENT}&scope=identify%20guilds` +
        `&redirect_uri=${ENCODED_REDIRECT}`,
    );
  });

  test("has the permissions after the redirect URI", () => {
    expect(login("administrator").href).toBe(`${login().href}&permissions=8`);
  });

  test("is the same as toString() and a template", () => {
    expect(login().toString()).toBe(login().href);
    expect(`${login()}`).toBe(login().href);
  });

  test("refuses an option with an unknown name, which may be a misspelled platform", () => {
    const misspelled: object = { plattform: PLATFORM };
    expect(() => new AuthUrl(CLIENT, ["identify"], REDIRECT, null, misspelled))
      .toThrow(new TypeError("options.plattform is unknown: did you mean platform?"));
  });

  test("leads to the given platform", () => {
    const { href } = new AuthUrl(CLIENT, ["identify"], REDIRECT, null, { platform: PLATFORM });
    expect(href.split("?")[0]).toBe(PLATFORM.authorizeUrl);
    expect(new AuthUrl(CLIENT, ["identify"], REDIRECT, null, {}).href).toContain(AUTHORIZE);
    expect(new AuthUrl(CLIENT, ["identify"], REDIRECT, null, { platform: undefined }).href)
      .toContain(AUTHORIZE);
  });

  test("ignores later changes of the arguments", () => {
    const scope = ["identify"];
    const permissions = new Permissions("connect");
    const link = new AuthUrl(CLIENT, scope, REDIRECT, permissions);
    const before = link.href;
    scope.push("email");
    permissions.all();
    expect(link.href).toBe(before);
    return expect(link.makeUrl()).resolves.toBe(before);
  });
});

describe("AuthUrl.makeUrl()", () => {
  test("returns the href without parameters", async () => {
    expect(await login("connect").makeUrl()).toBe(login("connect").href);
    expect(await login("connect").makeUrl({})).toBe(login("connect").href);
  });

  test("has every parameter once, in the documented order", async () => {
    const url = await login(0).makeUrl({
      nonce: "n0nce",
      channelId: GUILD,
      responseType: "token",
      integrationType: 1,
      disableGuildSelect: true,
      guildId: GUILD,
      prompt: "none",
      codeVerifier: VERIFIER,
      state: "s7ate",
    });
    expect(url).toBe(
      `${AUTHORIZE}?response_type=token&client_id=${CLIENT}&scope=identify%20guilds&state=s7ate` +
        `&redirect_uri=${ENCODED_REDIRECT}&prompt=none&integration_type=1&permissions=0` +
        `&guild_id=${GUILD}&disable_guild_select=true&channel_id=${GUILD}&code_challenge=${CHALLENGE}` +
        `&code_challenge_method=S256&nonce=n0nce`,
    );
  });

  test.each<[AuthUrlParams, string]>([
    [{ state: "s7ate" }, "state=s7ate"],
    [{ prompt: "consent" }, "prompt=consent"],
    [{ prompt: "none" }, "prompt=none"],
    [{ guildId: GUILD }, `guild_id=${GUILD}`],
    [{ disableGuildSelect: true }, "disable_guild_select=true"],
    [{ disableGuildSelect: false }, "disable_guild_select=false"],
    [{ integrationType: 0 }, "integration_type=0"],
    [{ integrationType: 1 }, "integration_type=1"],
    [{ nonce: "n0nce" }, "nonce=n0nce"],
    [
      { codeVerifier: VERIFIER },
      `code_challenge=${CHALLENGE}&code_challenge_method=S256`,
    ],
    [
      { codeChallenge: CHALLENGE },
      `code_challenge=${CHALLENGE}&code_challenge_method=S256`,
    ],
    [
      { codeVerifier: VERIFIER, codeChallenge: "x".repeat(43) },
      `code_challenge=${CHALLENGE}&code_challenge_method=S256`,
    ],
    [{ channelId: GUILD }, `channel_id=${GUILD}`],
  ])("adds %o and nothing else", async (params, expected) => {
    const added = await addedTo(login().href, login().makeUrl(params));
    expect(added).toBe(expected);
  });

  test.each([
    "state",
    "codeVerifier",
    "prompt",
    "guildId",
    "disableGuildSelect",
    "integrationType",
    "responseType",
    "nonce",
    "codeChallenge",
    "channelId",
  ])("treats an undefined %s as missing", async (name) => {
    expect(await login().makeUrl({ [name]: undefined })).toBe(login().href);
  });

  test.each(["code", "token"] as const)("asks for response_type=%s", async (responseType) => {
    const url = new URL(await login().makeUrl({ responseType }));
    expect(url.searchParams.getAll("response_type")).toEqual([responseType]);
  });

  test("writes spaces as %20 and a plus as %2B", async () => {
    const url = await login().makeUrl({ state: "a b+c", nonce: "d e" });
    expect(url).toContain("&state=a%20b%2Bc&");
    expect(url).toContain("&nonce=d%20e");
    expect(url).not.toContain("+");
  });

  test("encodes characters that would end a parameter", async () => {
    const state = "a&code=b#c=d?e%20f";
    const url = new URL(await login().makeUrl({ state }));
    expect(url.searchParams.getAll("state")).toEqual([state]);
    expect(url.searchParams.has("code")).toBe(false);
    expect(url.hash).toBe("");
  });

  test("never shows the verifier", async () => {
    expect(await login().makeUrl({ codeVerifier: VERIFIER })).not.toContain(VERIFIER);
  });

  test("builds independent links", async () => {
    const link = login();
    const [first, second] = await Promise.all([
      link.makeUrl({ state: "first", codeVerifier: VERIFIER }),
      link.makeUrl({ state: "second" }),
    ]);
    expect(first).toContain("state=first");
    expect(second).toContain("state=second");
    expect(second).not.toContain("code_challenge");
  });
});

describe("AuthUrl.makeUrl() with what the platform refuses", () => {
  const link = (...scope: string[]) => new AuthUrl(CLIENT, scope, REDIRECT);
  const rejection = (url: Promise<string>) => url.then(() => "no error", (error) => error);
  const linkedRoles = new TypeError(
    'scope "role_connections.write" needs responseType "code" and a client secret, not PKCE',
  );

  test.each<AuthUrlParams>([
    { codeVerifier: VERIFIER },
    { responseType: "token" },
    { responseType: "token", codeVerifier: VERIFIER },
    { codeChallenge: CHALLENGE },
  ])("rejects role_connections.write with %j", async (params) => {
    expect(await rejection(link("identify", "role_connections.write").makeUrl(params)))
      .toEqual(linkedRoles);
  });

  test("rejects webhook.incoming with the implicit grant", async () => {
    expect(await rejection(link("webhook.incoming").makeUrl({ responseType: "token" }))).toEqual(
      new TypeError(
        'scope "webhook.incoming" needs responseType "code"',
      ),
    );
  });

  test.each([
    "myapp://callback",
    `discord-${CLIENT}:/authorize/callback`,
    "http.app:/",
    "app-https://callback",
  ])(
    "rejects the custom scheme of %s without PKCE",
    async (uri) => {
      const login = new AuthUrl(CLIENT, ["identify"], uri);
      expect(await rejection(login.makeUrl({ state: "s7ate" }))).toEqual(
        new TypeError(
          "redirectUri with a custom scheme needs codeVerifier or codeChallenge",
        ),
      );
      const url = await login.makeUrl({ codeVerifier: VERIFIER });
      expect(new URL(url).searchParams.get("redirect_uri")).toBe(uri);
      expect(await login.makeUrl({ codeChallenge: CHALLENGE })).toBe(url);
      expect(await login.makeUrl({ responseType: "token" })).toContain("response_type=token");
    },
  );

  test.each<[string, AuthUrlParams]>([
    ["role_connections.write", {}],
    ["role_connections.write", { responseType: "code", codeVerifier: null }],
    ["webhook.incoming", { codeVerifier: VERIFIER }],
  ])("builds the link for %s with %j", async (scope, params) => {
    expect(await link(scope).makeUrl(params)).toContain(`response_type=code&client_id=${CLIENT}`);
  });
});

describe("AuthUrl", () => {
  test.each(["0", "7", "18446744073709551615"])("accepts %s as the client id", (id) => {
    expect(new AuthUrl(id, ["identify"], REDIRECT).href).toContain(`client_id=${id}&`);
  });

  test.each<[unknown, string]>([
    [undefined, "digits in a string, received undefined; is the variable set?"],
    ["undefined", "digits in a string, received undefined; is the variable set?"],
    [null, "digits in a string, received null; is the variable set?"],
    ["", "digits in a string, received an empty string; is the variable set?"],
    [1024, "digits in a string, received number: quote it"],
    [1024n, "digits in a string, received bigint"],
    ["12a", "digits in a string, received a string of length 3"],
    ["-1", "digits in a string, received a string of length 2"],
    [" 1", "digits in a string, received a string of length 2"],
    ["1\n", "digits in a string, received a string of length 2"],
    ["123456789012345678901", "digits in a string, received a string of length 21"],
    [["1"], "digits in a string, received a list of 1"],
    [SECRET, "digits in a string, received a string of length 33"],
    [`line\n${SECRET}`, "digits in a string, received a string of length 38"],
  ])("refuses %o as the client id", (id, expectedAndReceived) => {
    const expected = `clientId must be ${expectedAndReceived}`;
    expect(thrownBy(() => new AuthUrl(id as never, ["identify"], REDIRECT))).toBe(expected);
    expect(thrownBy(() => new Bot(id as never))).toBe(expected);
  });

  test("accepts the scopes of discord-api-types but one, and unknown ones", () => {
    const scope = [...Object.values(OAuth2Scopes), "brand.new:scope_2"]
      .filter((name) => name !== OAuth2Scopes.ApplicationsCommandsUpdate);
    const { searchParams } = new URL(new AuthUrl(CLIENT, scope, REDIRECT).href);
    expect(searchParams.get("scope")?.split(" ")).toEqual(scope);
  });

  test("refuses the scope that only client credentials get, as every link does", () => {
    const scope = ["identify", "applications.commands.update"];
    const message = 'scope "applications.commands.update" needs clientCredentials(), not a link';
    expect(thrownBy(() => new AuthUrl(CLIENT, scope, REDIRECT))).toBe(message);
    expect(thrownBy(() => new Bot(CLIENT, 8, { scope }))).toBe(message);
    expect(thrownBy(() => installUrl(CLIENT, { scope: scope as never }))).toBe(message);
  });

  test("asks for each scope once, in the given order", () => {
    const { href } = new AuthUrl(CLIENT, ["guilds", "identify", "guilds"], REDIRECT);
    expect(href).toContain("&scope=guilds%20identify&");
  });

  test.each<[string, unknown, string]>([
    ["no scope", [], "received an empty list"],
    ["a promise", Promise.resolve(["identify"]), "received a Promise: await it"],
    ["one string", "identify", "received a string of length 8"],
    ["undefined", undefined, "received undefined"],
    ["a Set", new Set(["identify"]), "received object"],
  ])("refuses %s as the scope", (_, scope, received) => {
    expect(thrownBy(() => new AuthUrl(CLIENT, scope as never, REDIRECT)))
      .toBe(`scope must be a list like ["identify"], ${received}`);
  });

  test.each<[string, unknown, number, string]>([
    ["an empty scope", [""], 0, "an empty string; is the variable set?"],
    ["an empty scope at the front", ["", "identify"], 0, "an empty string; is the variable set?"],
    ["an empty scope in between", ["a", "", "b"], 1, "an empty string; is the variable set?"],
    ["an empty scope at the end", ["identify", ""], 1, "an empty string; is the variable set?"],
    ["an undefined scope", ["identify", undefined], 1, "undefined; is the variable set?"],
    ["two scopes in one", ["identify guilds"], 0, "a string of length 15"],
    ["a scope with a tab", ["identify\t"], 0, "a string of length 9"],
    ["a scope with a line break", ["a\nb"], 0, "a string of length 3"],
    ["a scope beyond ASCII", ["identité"], 0, "a string of length 8"],
    ["scopes with a comma", ["identify,guilds"], 0, "a string of length 15"],
    ["a list in a list", [["identify"]], 0, "a list of 1"],
    ["a number", [5], 0, "number"],
    ["a hole", [, "identify"], 0, "undefined; is the variable set?"],
    ["something long", ["a", `${SECRET} ${SECRET}`], 1, "a string of length 67"],
  ])("refuses %s in the scope", (_, scope, index, received) => {
    expect(thrownBy(() => new AuthUrl(CLIENT, scope as never, REDIRECT)))
      .toBe(`scope[${index}] must be one scope like "identify", received ${received}`);
  });

  test.each([
    "https://app.example",
    "https://app.example/callback?tenant=1&lang=de",
    "http://localhost:3000/callback",
    "http://127.0.0.1/callback",
    "http://[::1]:8080/callback",
    "https://münchen.example/käse",
    "com.example.app:/callback",
    "com.example.app:/",
    "app+dev-1.0://callback",
    "HTTPS://APP.EXAMPLE/",
  ])("keeps the redirect URI %s unchanged", (uri) => {
    const { searchParams } = new URL(new AuthUrl(CLIENT, ["identify"], uri).href);
    expect(searchParams.get("redirect_uri")).toBe(uri);
  });

  test("sends no redirect URI for null", async () => {
    const link = new AuthUrl(CLIENT, ["identify"], null);
    expect(link.href).toBe(`${AUTHORIZE}?response_type=code&client_id=${CLIENT}&scope=identify`);
    expect(await link.makeUrl({ state: "s7ate" })).toBe(`${link.href}&state=s7ate`);
  });

  test("accepts a URL as the redirect URI", () => {
    expect(new AuthUrl(CLIENT, ["identify", "guilds"], new URL(REDIRECT)).href).toBe(login().href);
  });

  test.each([
    [undefined, "received undefined; is the variable set?"],
    ["/callback", "received a string of length 9"],
    ["//app.example/callback", "received a string of length 22"],
    ["https:", "received a string of length 6"],
    ["https:/", "received a string of length 7"],
    ["https://", "received a string of length 8"],
    ["https://[app]/", "received a string of length 14"],
    ["https://app.example:99999/", "received a string of length 26"],
    ["1https://app.example/", "received a string of length 21"],
    [`app.example/${"callback/".repeat(99)}`, "received a string of length 903"],
    [SECRET, "received a string of length 33"],
  ])("refuses %o as the redirect URI", (uri, received) => {
    expect(thrownBy(() => new AuthUrl(CLIENT, ["identify"], uri as never)))
      .toBe(`redirectUri must be an absolute URL without a fragment, ${received}`);
  });

  test("refuses wrong permissions", () => {
    const expected = 'permissions must be names like "connect" or safe integers, ' +
      'received "conect", did you mean "connect"?';
    expect(thrownBy(() => login("conect" as never))).toBe(expected);
    expect(thrownBy(() => new Bot(CLIENT, "conect" as never))).toBe(expected);
    expect(thrownBy(() => login(Promise.resolve(8) as never))).toContain("permissions must be");
  });

  test.each<[string, AuthUrlParams, string]>([
    [
      "an empty state",
      { state: "" },
      "state must be printable ASCII, received an empty string; is the variable set?",
    ],
    ["a promise of a state", { state: Promise.resolve("s") as never }, "a Promise: await it"],
    ["an empty nonce", { nonce: "" }, "nonce must be printable ASCII"],
    ["a state with a line break", { state: "a\nb" }, "state must be printable ASCII"],
    ["a state beyond ASCII", { state: "ü" }, "state must be printable ASCII"],
    [
      "another prompt",
      { prompt: "login" as never },
      'prompt must be "consent" or "none", received "login"',
    ],
    [
      "an empty prompt",
      { prompt: "" as never },
      'prompt must be "consent" or "none", received an empty string; is the variable set?',
    ],
    [
      "a list with a prompt",
      { prompt: ["none"] as never },
      'prompt must be "consent" or "none", received a list of 1',
    ],
    [
      "a list with a response type",
      { responseType: ["code"] as never },
      'responseType must be "code" or "token", received a list of 1',
    ],
    [
      "two prompts",
      { prompt: "consent none" as never },
      'prompt must be "consent" or "none", received a string of length 12',
    ],
    [
      "another response type",
      { responseType: "id_token" as never },
      'responseType must be "code" or "token", received "id_token"',
    ],
    [
      "a response type with more to it",
      { responseType: "code\ntoken" as never },
      'responseType must be "code" or "token", received a string of length 10',
    ],
  ])("refuses %s", async (_, params, message) => {
    await expect(login().makeUrl(params)).rejects.toThrow(TypeError);
    await expect(login().makeUrl(params)).rejects.toThrow(message);
  });

  test.each<[string, BotUrlParams, string]>([
    [
      "another integration type",
      { integrationType: 2 as never },
      "integrationType must be 0 or 1, received number",
    ],
    [
      "an integration type as text",
      { integrationType: "1" as never },
      "integrationType must be 0 or 1, received a string of length 1",
    ],
    [
      "true as the integration type",
      { integrationType: true as never },
      "integrationType must be 0 or 1, received boolean",
    ],
    [
      "NaN as the integration type",
      { integrationType: NaN as never },
      "integrationType must be 0 or 1, received number",
    ],
    [
      "a fixed guild as text",
      { disableGuildSelect: "false" as never },
      "disableGuildSelect must be true or false, received a string of length 5",
    ],
    [
      "1 for a fixed guild",
      { disableGuildSelect: 1 as never },
      "disableGuildSelect must be true or false, received number",
    ],
    [
      "a guild that is no snowflake",
      { guildId: "my guild" },
      "guildId must be digits in a string, received a string of length 8",
    ],
    [
      "an empty guild",
      { guildId: "" },
      "guildId must be digits in a string, received an empty string; is the variable set?",
    ],
    [
      "a guild as a number",
      { guildId: 5 as never },
      "guildId must be digits in a string, received number: quote it",
    ],
  ])("refuses %s, and so does Bot", async (_, params, message) => {
    for (const url of [login().makeUrl(params), new Bot(CLIENT).url(params)]) {
      await expect(url).rejects.toThrow(new TypeError(message));
    }
  });

  test.each<[unknown, string]>([
    ["", "received an empty string; is the variable set?"],
    ["x".repeat(42), "received a string of length 42"],
    ["x".repeat(129), "received a string of length 129"],
    [`${VERIFIER}=`, "received a string of length 44"],
    [`${VERIFIER}ü`, "received a string of length 44"],
    [43, "received number"],
  ])("refuses %o as a verifier without showing it", async (codeVerifier, received) => {
    await expect(login().makeUrl({ codeVerifier: codeVerifier as never })).rejects.toThrow(
      new TypeError(`codeVerifier must be 43 to 128 unreserved characters, ${received}`),
    );
  });

  test.each<[unknown, string]>([
    ["", "received an empty string; is the variable set?"],
    ["x".repeat(42), "received a string of length 42"],
    [`${CHALLENGE}=`, "received a string of length 44"],
    [43, "received number"],
  ])("refuses %o as a challenge", async (codeChallenge, received) => {
    await expect(login().makeUrl({ codeChallenge: codeChallenge as never })).rejects.toThrow(
      new TypeError(`codeChallenge must be 43 to 128 unreserved characters, ${received}`),
    );
  });

  test("refuses a channel that is not an id", async () => {
    await expect(login().makeUrl({ channelId: "#general" }))
      .rejects.toThrow(
        new TypeError("channelId must be digits in a string, received a string of length 8"),
      );
  });

  test.each([
    ["guild_id", "guildId"],
    ["promt", "prompt"],
    ["code_verifier", "codeVerifier"],
    ["response_type", "responseType"],
    ["disable_guild_select", "disableGuildSelect"],
    ["State", "state"],
    ["channel", "channelId"],
  ])("suggests the name of the parameter %s", async (name, meant) => {
    await expect(login().makeUrl({ [name]: "x" })).rejects.toThrow(
      new TypeError(`params.${name} is unknown: did you mean ${meant}?`),
    );
  });

  test.each(["redirectUri", "toString"])(
    "lists all parameters for %s, which resembles none",
    async (name) => {
      await expect(login().makeUrl({ [name]: "x" })).rejects.toThrow(
        `params.${name} is unknown: did you mean guildId or disableGuildSelect or `,
      );
    },
  );

  test("does not show an unknown name that may be a secret", async () => {
    await expect(login().makeUrl(Object.fromEntries([[SECRET, "x"]]))).rejects.toThrow(
      /^params\.… is unknown: did you mean guildId or [a-zA-Z ]+\?$/,
    );
  });

  test("never shows an argument that may be a secret", async () => {
    for (
      const name of ["state", "codeVerifier", "codeChallenge", "guildId", "prompt", "responseType"]
    ) {
      const error = await login().makeUrl({ [name]: `${SECRET}\n` }).catch((error) => error);
      expect(error, name).toBeInstanceOf(TypeError);
      expect(error.message, name).toContain(name);
      expect(error.stack, name).not.toContain(SECRET.slice(0, 6));
    }
  });
});

describe("The permissions in a link", () => {
  test.each<[string, PermissionInput]>([
    ["a number", 8],
    ["a bigint", 8n],
    ["a decimal string", "8"],
    ["a name", "administrator"],
    ["a list", ["administrator", 8]],
    ["a Set", new Set([8])],
    ["a dictionary", { administrator: true, connect: false }],
    ["a Map", new Map([["administrator", true]] as const)],
    ["a Permissions", new Permissions().advanced()],
  ])("may be %s", (_, input) => {
    expect(login(input).href).toBe(`${login().href}&permissions=8`);
    expect(new Bot(CLIENT, input).href).toBe(`${new Bot(CLIENT).href}&permissions=8`);
  });

  test.each<[string, PermissionInput]>([
    ["the number 0", 0],
    ["the bigint 0", 0n],
    ["the string 0", "0"],
    ["an empty list", []],
    ["an empty dictionary", {}],
    ["an empty Permissions", new Permissions()],
  ])("are 0 for %s", (_, input) => {
    expect(login(input).href).toBe(`${login().href}&permissions=0`);
    expect(new Bot(CLIENT, input).href).toBe(`${new Bot(CLIENT).href}&permissions=0`);
  });

  test.each([null, undefined])("are omitted for %s", (input) => {
    expect(login(input).href).not.toContain("permissions");
    expect(new Bot(CLIENT, input).href).not.toContain("permissions");
  });

  test("keep bits beyond the safe integers", () => {
    expect(new Bot(CLIENT, 1n << 64n).href).toContain("&permissions=18446744073709551616");
  });
});

describe("A link to an authorize page with a query", () => {
  const platform = { authorizeUrl: "https://auth.example/go?tenant=1", apiUrl: "", cdnUrl: "" };

  test("keeps the query (RFC 6749 section 3.1)", () => {
    expect(new AuthUrl(CLIENT, ["identify"], "https://a.example/", null, { platform }).href)
      .toMatch(/^https:\/\/auth\.example\/go\?tenant=1&response_type=code&client_id=/);
    expect(new Bot(CLIENT, 8, { platform }).href)
      .toBe(`https://auth.example/go?tenant=1&client_id=${CLIENT}&scope=bot&permissions=8`);
  });
});

describe("Missing options and parameters", () => {
  test("may be null or undefined", async () => {
    const { href } = login();
    for (const none of [null, undefined]) {
      expect(new AuthUrl(CLIENT, ["identify", "guilds"], REDIRECT, none, none).href).toBe(href);
      expect(login().href).toBe(
        new AuthUrl(CLIENT, ["identify", "guilds"], REDIRECT, none, { platform: none }).href,
      );
      expect(await login().makeUrl(none)).toBe(href);
      const params = { state: none, codeVerifier: none, prompt: none, nonce: none };
      const more = { responseType: none, guildId: none, integrationType: none };
      expect(await login().makeUrl({ ...params, ...more, disableGuildSelect: none })).toBe(href);
    }
  });
});

describe("Parameters that change while the challenge is derived", () => {
  test("are not read again", async () => {
    const params = { state: "first", responseType: "code", codeVerifier: "v".repeat(43) };
    const url = new AuthUrl(CLIENT, ["identify"], "https://a.example/").makeUrl(
      params as AuthUrlParams,
    );
    Object.assign(params, { state: "", responseType: "code&client_id=666" });
    expect(await url).toContain(
      `?response_type=code&client_id=${CLIENT}&scope=identify&state=first&`,
    );
  });
});

describe("Any link", () => {
  const anyId = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
  const anyScope = fc.uniqueArray(fc.stringMatching(/^[\w.:/-]+$/), { minLength: 1 });
  const anyUri = fc.oneof(
    fc.stringMatching(/^https?:\/\/[a-z]([a-z-]*[a-z])?\.[a-z]{2,9}(\/[\w.~!-]*)*(\?[\w=&%]+)?$/)
      .filter((uri) => URL.canParse(uri)),
    fc.stringMatching(/^[a-z][a-z+.-]*:\/[\w/?&=%]+$/).filter((uri) => URL.canParse(uri)),
  );
  const anyState = fc.stringMatching(/^[ -~]+$/);
  const anyPermissions = fc.bigInt({ min: 0n, max: 1n << 80n });
  const given = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  const anyBotParams = fc.record({
    integrationType: given(fc.constantFrom(0 as const, 1 as const)),
    guildId: given(anyId),
    disableGuildSelect: given(fc.boolean()),
  });
  const anyParams = fc.record({
    state: given(anyState),
    prompt: given(fc.constantFrom("consent" as const, "none" as const)),
    responseType: given(fc.constantFrom("code" as const, "token" as const)),
    nonce: given(anyState),
    codeVerifier: given(fc.stringMatching(/^[\w.~-]{43,128}$/)),
  });

  test("has its parameters in order when it is parsed", async () => {
    await fc.assert(fc.asyncProperty(
      anyId,
      anyScope,
      anyUri,
      given(anyPermissions),
      anyParams,
      anyBotParams,
      async (id, scope, uri, permissions, params, botParams) => {
        const { codeVerifier, responseType } = params;
        fc.pre(codeVerifier !== undefined || responseType === "token" || /^https?:/.test(uri));
        const url = await new AuthUrl(id, scope, uri, permissions)
          .makeUrl({ ...params, ...botParams });
        const query = [...new URL(url).searchParams];
        const challenge = codeVerifier &&
          createHash("sha256").update(codeVerifier).digest("base64url");
        expect(query).toEqual(withoutMissing([
          ["response_type", params.responseType ?? "code"],
          ["client_id", id],
          ["scope", scope.join(" ")],
          ["state", params.state],
          ["redirect_uri", uri],
          ["prompt", params.prompt],
          ["integration_type", botParams.integrationType],
          ["permissions", permissions],
          ["guild_id", botParams.guildId],
          ["disable_guild_select", botParams.disableGuildSelect],
          ["code_challenge", challenge],
          ["code_challenge_method", challenge && "S256"],
          ["nonce", params.nonce],
        ]));
        expect(url).toMatch(/^[!-~]+$/);
        expect(url).not.toContain("+");
      },
    ));
  });
});

/** The query parameters that a link has and another one has not. */
async function addedTo(href: string, url: Promise<string>): Promise<string> {
  const before = href.split(/[?&]/);
  return (await url).split(/[?&]/).filter((part) => !before.includes(part)).join("&");
}

/** The message of the TypeError that a call throws. */
function thrownBy(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function withoutMissing(entries: readonly (readonly [string, unknown])[]): [string, string][] {
  return entries.flatMap(([name, value]) => value === undefined ? [] : [[name, String(value)]]);
}
