import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  AuthUrl,
  type CallOptions,
  type ClientOptions,
  codeChallenge,
  generateCodeVerifier,
  generateState,
  OAuthError,
  parseCallback,
  PayloadError,
  PlatformApi,
  type TokenObj,
  User,
} from "../../mod.ts";
import {
  createFakePlatform,
  type Failure,
  type FakePlatform,
  sampleApplication,
} from "../../src/testing/mod.ts";
import { fakeFetch, neverRespond, respondWith, thrownBy } from "../support/responders.ts";

const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
const spa = { id: "1100000000000000002", secret: null, redirectUris: ["https://spa.example/cb"] };
const odd = { id: "1100000000000000003", secret: "s3:c/r+e%t&=~", redirectUris: [redirectUri] };
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const guildId = "1200000000000000001";

function platformWithAll(): FakePlatform {
  return createFakePlatform({ applications: [sampleApplication, spa, odd] });
}

/** A login up to the code, as the person and the callback do it. */
async function codeFor(
  fake: FakePlatform,
  { clientId = id, uri = redirectUri, scope = ["identify"], codeVerifier }: {
    clientId?: string;
    uri?: string;
    scope?: string[];
    codeVerifier?: string;
  } = {},
): Promise<string> {
  const state = generateState();
  const link = await new AuthUrl(clientId, scope, uri, null, fake).makeUrl({ state, codeVerifier });
  return parseCallback(await fake.authorize(link), { state }).code;
}

describe("PlatformApi.accessToken()", () => {
  test("exchanges the code of a login for a token", async () => {
    const fake = platformWithAll();
    const scope = ["identify", "guilds"];
    const code = await codeFor(fake, { scope });
    const before = Date.now();
    const token = await new PlatformApi(id, secret, scope, redirectUri, fake).accessToken(code);
    const after = Date.now();
    expect(token).toEqual({
      access_token: expect.stringMatching(/^\S+$/),
      token_type: "Bearer",
      expires_in: 604800,
      expires_at: expect.toSatisfy((at) => at >= before + 604800e3 && at <= after + 604800e3),
      refresh_token: expect.stringMatching(/^\S+$/),
      scope: "identify guilds",
      scopes: ["identify", "guilds"],
      guild: null,
      webhook: null,
      id_token: null,
    });
  });

  test("sends Basic credentials and exactly the documented fields", async () => {
    const fake = platformWithAll();
    const code = await codeFor(fake);
    await new PlatformApi(id, secret, ["identify"], new URL(redirectUri), fake).accessToken(code);
    expect(fake.requests).toMatchObject([{
      method: "POST",
      path: "/api/v10/oauth2/token",
      query: {},
      headers: {
        "authorization": `Basic ${btoa(`${id}:${secret}`)}`,
        "content-type": expect.stringMatching(
          /^application\/x-www-form-urlencoded(;charset=utf-8)?$/i,
        ),
        "user-agent": expect.stringMatching(/^DiscordBot \(/),
      },
      status: 200,
    }]);
    expect(fake.requests[0]?.body).toEqual({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
    });
  });

  test("sends no redirect URI for null, as the exchange of an Activity's code must not", async () => {
    const { fetch, requests } = fakeFetch(respondWith({ access_token: "a", token_type: "Bearer" }));
    await new PlatformApi(id, secret, ["identify"], null, { fetch }).accessToken("c0de");
    expect(await requests[0]?.text()).toBe("grant_type=authorization_code&code=c0de");
  });

  test("exchanges the code of an Activity, with PKCE too, and only without a redirect URI", async () => {
    const fake = platformWithAll();
    const without = new PlatformApi(id, secret, ["identify"], null, fake);
    const code = await fake.authorizeActivity({ as: "grace" });
    const user = new User(await without.accessToken(code), fake);
    expect((await user.getCurrentUser()).username).toBe("grace");
    const sealedCode = await fake.authorizeActivity({
      codeChallenge: await codeChallenge(verifier),
    });
    expect((await without.accessToken(sealedCode, { codeVerifier: verifier })).scopes)
      .toEqual(["identify"]);
    const other = await fake.authorizeActivity();
    const error = await thrownBy(() =>
      new PlatformApi(id, secret, ["identify"], redirectUri, fake).accessToken(other)
    );
    expect(error).toMatchObject({ error: "invalid_grant" });
  });

  test("exchanges the code of a link without a redirect URI, and only without one", async () => {
    const fake = platformWithAll();
    const codeWithout = async () => {
      const link = await new AuthUrl(id, ["identify"], null, null, fake).makeUrl({ state: "s7" });
      return parseCallback(await fake.authorize(link), { state: "s7" }).code;
    };
    const without = new PlatformApi(id, secret, ["identify"], null, fake);
    const token = await without.accessToken(await codeWithout());
    expect(token.scopes).toEqual(["identify"]);
    const refreshed = await without.refresh(token);
    await without.revoke(refreshed);
    const error = await thrownBy(async () => without.accessToken(await codeFor(fake)));
    expect(error).toMatchObject({
      error: "invalid_grant",
      hint: expect.stringContaining("it was none"),
    });
  });

  test("form-encodes the secret within the Basic credentials (RFC 6749 section 2.3.1)", async () => {
    const fake = platformWithAll();
    const code = await codeFor(fake, { clientId: odd.id });
    const api = new PlatformApi(odd.id, odd.secret, ["identify"], redirectUri, fake);
    expect(await api.accessToken(code)).toMatchObject({ scopes: ["identify"] });
    expect(fake.requests[0]?.headers["authorization"])
      .toBe(`Basic ${btoa(`${odd.id}:s3%3Ac%2Fr%2Be%25t%26%3D%7E`)}`);
  });

  test("sends the verifier of a login that has one", async () => {
    const fake = platformWithAll();
    const code = await codeFor(fake, { codeVerifier: verifier });
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, fake);
    expect(await api.accessToken(code, { codeVerifier: verifier })).toMatchObject({
      scope: "identify",
    });
    expect(fake.requests[0]?.body).toMatchObject({ code_verifier: verifier });
  });

  test("refuses a verifier in the place of its options", async () => {
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, createFakePlatform());
    const verifier = generateCodeVerifier();
    const message =
      "options must be an object like { codeVerifier, signal }, received a string of length 43";
    await expect(api.accessToken("c0de", verifier as never)).rejects.toThrow(
      new TypeError(message),
    );
    expect(() => new PlatformApi(id, secret, ["identify"], redirectUri, "text" as never))
      .toThrow(/^options must be an object, received a string of length 4$/);
  });

  test("accepts null for options that may be left out", async () => {
    const fake = platformWithAll();
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, { ...fake, timeout: null });
    const options = { codeVerifier: null, signal: null };
    expect(await api.accessToken(await codeFor(fake), options)).toMatchObject({
      scope: "identify",
    });
    expect(await api.accessToken(await codeFor(fake), null)).toMatchObject({ scope: "identify" });
    expect(() => new PlatformApi(id, secret, ["identify"], redirectUri, null)).not.toThrow();
  });

  test("names the scope that a misspelled one probably meant", () => {
    // @ts-expect-error: the compiler finds it too
    expect(() => new PlatformApi(id, secret, ["identity"], redirectUri)).toThrow(
      'scope[0] is not a known scope: did you mean "identify"?',
    );
  });

  test("sends the client id and the verifier of a public client, and no credentials", async () => {
    const fake = platformWithAll();
    const [uri = ""] = spa.redirectUris;
    const code = await codeFor(fake, { clientId: spa.id, uri, codeVerifier: verifier });
    const api = new PlatformApi(spa.id, null, ["identify"], uri, fake);
    expect(await api.accessToken(code, { codeVerifier: verifier })).toMatchObject({
      scope: "identify",
    });
    expect(fake.requests[0]?.headers).not.toHaveProperty("authorization");
    expect(fake.requests[0]?.body).toEqual({
      grant_type: "authorization_code",
      code,
      redirect_uri: uri,
      code_verifier: verifier,
      client_id: spa.id,
    });
  });

  test.each([undefined, null, "", "short", `${verifier} `, "ü".repeat(43), "a".repeat(129)])(
    "demands the verifier of a public client: %j",
    async (codeVerifier) => {
      const { fetch, requests } = fakeFetch(respondWith({}));
      const api = new PlatformApi(spa.id, null, ["identify"], "https://spa.example/", { fetch });
      const error = await thrownBy(() =>
        api.accessToken("c0de", { codeVerifier: codeVerifier as string })
      );
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toMatch(
        /codeVerifier must be 43 to 128 unreserved characters, received/,
      );
      expect(requests).toHaveLength(0);
    },
  );

  test.each(["", "short"])(
    "demands a verifier of the right form, if any: %j",
    async (codeVerifier) => {
      const { fetch, requests } = fakeFetch(respondWith({}));
      const api = new PlatformApi(id, secret, ["identify"], redirectUri, { fetch });
      expect(
        await thrownBy(() => api.accessToken("c0de", { codeVerifier: codeVerifier as string })),
      )
        .toBeInstanceOf(TypeError);
      expect(requests).toHaveLength(0);
    },
  );

  test.each(["", " ", "two words", "undefined", undefined, null, 1])(
    "demands a code: %j",
    async (code) => {
      const { fetch, requests } = fakeFetch(respondWith({}));
      const api = new PlatformApi(id, secret, ["identify"], redirectUri, { fetch });
      const error = await thrownBy(() => api.accessToken(code as string));
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toMatch(
        /code must (be ASCII text without whitespace, received|not contain U)/,
      );
      expect(requests).toHaveLength(0);
    },
  );

  test.each([
    "https://app.example/callback?code=c0de&state=s7ate",
    "/callback?code=c0de&state=s7ate",
    "code=c0de&state=s7ate",
  ])("refuses the whole callback %s, and sends nothing", async (callback) => {
    const { fetch, requests } = fakeFetch(respondWith({}));
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, { fetch });
    await expect(api.accessToken(callback)).rejects.toThrow(
      new TypeError("code must be the code alone, not the callback's URL: use parseCallback()"),
    );
    expect(requests).toEqual([]);
  });

  test("sends a code that has the word code= inside", async () => {
    const { fetch, requests } = fakeFetch(respondWith({}, { status: 400 }));
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, { fetch });
    await expect(api.accessToken("barcode=7")).rejects.toMatchObject({ name: "ApiError" });
    expect(requests).toHaveLength(1);
  });

  test("returns the guild that a bot was added to", async () => {
    const fake = platformWithAll();
    const state = generateState();
    const scope = ["identify", "bot"];
    const link = await new AuthUrl(id, scope, redirectUri, "view_channel", fake)
      .makeUrl({ state, guildId });
    const { code } = parseCallback(await fake.authorize(link), { state });
    const token = await new PlatformApi(id, secret, scope, redirectUri, fake).accessToken(code);
    expect(token.scopes).toEqual(["identify", "bot"]);
    expect(token.guild).toMatchObject({
      id: guildId,
      name: "The Analytical Engine",
      icon_url:
        `${fake.platform.cdnUrl}/icons/${guildId}/a_1c2d3e4f5061728394a5b6c7d8e9f001.webp?animated=true`,
      vanity_url_code: null,
      perms: null,
    });
    const [everyone] = token.guild?.roles ?? [];
    expect(everyone).toMatchObject({ id: guildId, hoist: false });
    expect(Object.isFrozen(everyone)).toBe(true);
  });

  test("returns the webhook whose channel a person chose", async () => {
    const fake = platformWithAll();
    const scope = ["webhook.incoming"];
    const code = await codeFor(fake, { scope });
    const token = await new PlatformApi(id, secret, scope, redirectUri, fake).accessToken(code);
    expect(token.webhook).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      token: expect.any(String),
      url: expect.stringMatching(/^https:/),
    });
  });

  test("returns the id_token of a login with openid", async () => {
    const fake = platformWithAll();
    const scope = ["openid", "identify"];
    const code = await codeFor(fake, { scope });
    const token = await new PlatformApi(id, secret, scope, redirectUri, fake).accessToken(code);
    expect(token.id_token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  const bare = { access_token: "t0ken", token_type: "Bearer", expires_in: 10 };

  test("counts the requested scopes as granted when the platform names none (RFC 6749 section 5.1)", async () => {
    expect(await exchange(fakeFetch(respondWith(bare)))).toMatchObject({
      scope: "identify email",
      scopes: ["identify", "email"],
      refresh_token: null,
      id_token: null,
      guild: null,
      webhook: null,
    });
    expect(await exchange(fakeFetch(respondWith({ ...bare, scope: null })))).toMatchObject({
      scopes: ["identify", "email"],
    });
  });

  test("returns the scopes that the platform names, even an empty list", async () => {
    expect(await exchange(fakeFetch(respondWith({ ...bare, scope: "guilds  email" }))))
      .toMatchObject({
        scope: "guilds  email",
        scopes: ["guilds", "email"],
      });
    expect(await exchange(fakeFetch(respondWith({ ...bare, scope: "" })))).toMatchObject({
      scope: "",
      scopes: [],
    });
  });

  test("returns a deeply frozen token, with undocumented fields", async () => {
    const token = await exchange(
      fakeFetch(respondWith({ ...bare, webhook: { id: "1", a: [{}] }, b: {} })),
    );
    expect(token).toMatchObject({ webhook: { id: "1", token: null, url: null, a: [{}] }, b: {} });
    for (const part of [token, token.scopes, token.webhook, Object(token.webhook).a]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  test("returns a token that has already expired", async () => {
    const token = await exchange(fakeFetch(respondWith({ ...bare, expires_in: 0 })));
    expect(token.expires_at).toBeLessThanOrEqual(Date.now());
  });

  const printable = "expected printable characters, received string";

  test.each<[string, object, string[]]>([
    [
      "nothing",
      {},
      [
        "access_token: expected printable characters, received undefined",
        "token_type: expected a string, received undefined",
      ],
    ],
    ["an empty token", { ...bare, access_token: "" }, [`access_token: ${printable}`]],
    ["a token with a line break", { ...bare, access_token: "a\nb" }, [
      `access_token: ${printable}`,
    ]],
  ])("refuses %s", async (_what, body, issues) => {
    const error = await thrownBy(() => exchange(fakeFetch(respondWith(body))));
    expect(error).toBeInstanceOf(PayloadError);
    expect((error as PayloadError).message)
      .toBe(`The token response is not as documented: ${issues.join("; ")}`);
  });

  test.each<[string, string, number, (fake: FakePlatform) => Promise<unknown>]>([
    [
      "an unknown code",
      "invalid_grant",
      400,
      (fake) => new PlatformApi(id, secret, ["identify"], redirectUri, fake).accessToken("n0ne"),
    ],
    ["a used code", "invalid_grant", 400, async (fake) => {
      const code = await codeFor(fake);
      const api = new PlatformApi(id, secret, ["identify"], redirectUri, fake);
      await api.accessToken(code);
      await api.accessToken(code);
    }],
    ["an old code", "invalid_grant", 400, async (fake) => {
      const code = await codeFor(fake);
      fake.advance(101_000);
      await new PlatformApi(id, secret, ["identify"], redirectUri, fake).accessToken(code);
    }],
    ["another redirect URI", "invalid_grant", 400, async (fake) => {
      const code = await codeFor(fake);
      await new PlatformApi(id, secret, ["identify"], `${redirectUri}2`, fake).accessToken(code);
    }],
    ["another verifier", "invalid_grant", 400, async (fake) => {
      const code = await codeFor(fake, { codeVerifier: verifier });
      const api = new PlatformApi(id, secret, ["identify"], redirectUri, fake);
      await api.accessToken(code, { codeVerifier: generateCodeVerifier() });
    }],
    ["a missing verifier", "invalid_grant", 400, async (fake) => {
      const code = await codeFor(fake, { codeVerifier: verifier });
      await new PlatformApi(id, secret, ["identify"], redirectUri, fake).accessToken(code);
    }],
    ["a wrong secret", "invalid_client", 401, async (fake) => {
      const code = await codeFor(fake);
      await new PlatformApi(id, "wr0ng", ["identify"], redirectUri, fake).accessToken(code);
    }],
    [
      "an unknown client",
      "invalid_client",
      401,
      (fake) => new PlatformApi("1", secret, ["identify"], redirectUri, fake).accessToken("c0de"),
    ],
  ])("rejects with the platform's error about %s", async (_what, error, status, call) => {
    const refusal = await thrownBy(() => call(platformWithAll()));
    expect(refusal).toBeInstanceOf(OAuthError);
    expect(refusal).toMatchObject({ error, httpStatus: status });
  });
});

/** A confidential and a public client, each with a token of its own. */
async function loggedIn(fake: FakePlatform) {
  const confidential = new PlatformApi(id, secret, ["identify", "guilds"], redirectUri, fake);
  const scope = ["identify", "guilds"];
  const token = await confidential.accessToken(await codeFor(fake, { scope }));
  const [uri = ""] = spa.redirectUris;
  const open = new PlatformApi(spa.id, null, scope, uri, fake);
  const code = await codeFor(fake, { clientId: spa.id, uri, scope, codeVerifier: verifier });
  const publicToken = await open.accessToken(code, { codeVerifier: verifier });
  return { confidential, token, open, publicToken };
}

describe("PlatformApi.refresh()", () => {
  test("returns a new token for a whole one, and uses the refresh token up", async () => {
    const fake = platformWithAll();
    const { confidential, token } = await loggedIn(fake);
    const next = await confidential.refresh(token);
    expect(next).toMatchObject({
      token_type: "Bearer",
      expires_in: 604800,
      scopes: ["identify", "guilds"],
      guild: null,
      webhook: null,
    });
    expect(next.access_token).not.toBe(token.access_token);
    expect(next.refresh_token).not.toBe(token.refresh_token);
    expect(await thrownBy(() => confidential.refresh(token))).toMatchObject({
      error: "invalid_grant",
      httpStatus: 400,
    });
    expect(await confidential.refresh(next.refresh_token ?? "")).toMatchObject({
      scope: "identify guilds",
    });
  });

  test("keeps the refresh token if the platform sends an empty one", async () => {
    const payload = { access_token: "a", token_type: "Bearer", refresh_token: "" };
    const api = new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", {
      ...fakeFetch(respondWith(payload)),
    });
    expect(await api.refresh("old")).toMatchObject({ access_token: "a", refresh_token: "old" });
  });

  test("sends exactly the documented fields, once, with the credentials of the client", async () => {
    const fake = platformWithAll();
    const { confidential, token, open, publicToken } = await loggedIn(fake);
    const before = fake.requests.length;
    await confidential.refresh(token);
    await open.refresh(publicToken);
    const [first, second, ...more] = fake.requests.slice(before);
    expect(first).toMatchObject({
      method: "POST",
      path: "/api/v10/oauth2/token",
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    });
    expect(first?.body).toEqual({
      grant_type: "refresh_token",
      refresh_token: token.refresh_token,
    });
    expect(second?.headers).not.toHaveProperty("authorization");
    expect(second?.body).toEqual({
      grant_type: "refresh_token",
      refresh_token: publicToken.refresh_token,
      client_id: spa.id,
    });
    expect(more).toEqual([]);
  });

  const bare = { access_token: "n3w", token_type: "Bearer" };
  const old = {
    access_token: "0ld",
    refresh_token: "r3fresh",
    scope: "guilds",
  } as Partial<TokenObj> as TokenObj;

  test("keeps the refresh token and the scopes when the response has none", async () => {
    const api = new PlatformApi(
      id,
      secret,
      ["identify"],
      redirectUri,
      fakeFetch(respondWith(bare)),
    );
    expect(await api.refresh(old)).toMatchObject({
      access_token: "n3w",
      refresh_token: "r3fresh",
      scopes: ["guilds"],
    });
    expect(await api.refresh("r3fresh")).toMatchObject({
      refresh_token: "r3fresh",
      scopes: ["identify"],
    });
    expect(await api.refresh({ ...old, scope: "" })).toMatchObject({ scopes: ["identify"] });
  });

  test("tells when the platform has issued a token, and has a time limit of its own", async () => {
    const fake = platformWithAll();
    const { confidential, token } = await loggedIn(fake);
    const onIssued = vi.fn();
    const next = await confidential.refresh(token, { onIssued, timeout: 5000 });
    expect(onIssued).toHaveBeenCalledOnce();
    await thrownBy(() => confidential.refresh(token, { onIssued }));
    expect(onIssued).toHaveBeenCalledOnce();
    const hanging = new PlatformApi(id, secret, ["identify"], redirectUri, fakeFetch(neverRespond));
    const error = await thrownBy(() => hanging.refresh(next, { timeout: 5 }));
    expect(error).toMatchObject({ message: expect.stringMatching(/no response within 5 ms$/) });
    expect(await thrownBy(() => confidential.refresh(next, { timeout: 0 }))).toMatchObject({
      message: expect.stringMatching(/^timeout must be a number of milliseconds above 0/),
    });
  });

  test("accepts a token that was stored as JSON", async () => {
    const fake = platformWithAll();
    const { confidential, token } = await loggedIn(fake);
    expect(await confidential.refresh(JSON.parse(JSON.stringify(token)))).toMatchObject({
      scopes: ["identify", "guilds"],
    });
  });

  test.each<[unknown, RegExp]>([
    [undefined, /^token must be ASCII text without whitespace, received undefined/],
    ["", /^token must be ASCII text without whitespace, received an empty string/],
    ["two words", /^token must be .*, received a string of length 9$/],
    [5, /^token must be .*, received number$/],
    [{}, /^token must be .*, received object$/],
    [Promise.resolve("t0ken"), /^token must be .*, received a Promise: await it$/],
    [{ access_token: "0ld", refresh_token: null }, /^token has no refresh_token.*new login$/],
    [{ access_token: "0ld" }, /^token has no refresh_token.*new login$/],
    [{ access_token: "0ld", refresh_token: 5 }, /^token\.refresh_token must be .* number$/],
  ])("refuses %o before a request is sent", async (token, message) => {
    const { fetch, requests } = fakeFetch(respondWith(bare));
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, { fetch });
    const error = await thrownBy(() => api.refresh(token as string));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as TypeError).message).toMatch(message);
    expect(requests).toEqual([]);
  });

  test("says that the refresh token may be used up when the response is lost", async () => {
    const hint = expect.stringMatching(/^The refresh token may be used up/);
    const fake = platformWithAll();
    const { confidential, token } = await loggedIn(fake);
    for (const cut of ["before", "body"] as const) {
      fake.failNext({ path: "/oauth2/token", cut });
      const before = fake.requests.length;
      expect(await thrownBy(() => confidential.refresh(token))).toMatchObject({
        name: "NetworkError",
        hint,
      });
      expect(fake.requests).toHaveLength(before + 1);
    }
    const slow = new PlatformApi(id, secret, ["identify"], redirectUri, { ...fake, timeout: 50 });
    fake.failNext({ path: "/oauth2/token", hang: true });
    expect(await thrownBy(() => slow.refresh(token))).toMatchObject({ name: "TimeoutError", hint });
  });

  test.each<[Failure, { readonly hint?: RegExp; readonly [name: string]: unknown }]>([
    [{ status: 503 }, { name: "ApiError", httpStatus: 503, hint: /platform has a problem/ }],
    [{ status: 429, headers: { "retry-after": "7" } }, {
      name: "RateLimitError",
      retryAfter: 7,
      hint: /^Wait 7 s/,
    }],
    [{ status: 500, body: { error: "server_error" } }, { name: "OAuthError", httpStatus: 500 }],
  ])(
    "tells trouble of the platform, %j, from a refusal",
    async (failure, { hint, ...expected }) => {
      const fake = platformWithAll();
      const { confidential, token } = await loggedIn(fake);
      fake.failNext({ path: "/oauth2/token", ...failure });
      vi.useFakeTimers({ toFake: ["performance"] });
      onTestFinished(() => void vi.useRealTimers());
      const error = await thrownBy(() => confidential.refresh(token));
      expect(error).toMatchObject(expected);
      expect(error).toMatchObject(hint ? { hint: expect.stringMatching(hint) } : {});
      // After a 429, a refresh waits for up to four seconds more.
      vi.advanceTimersByTime(11_000);
      expect(await confidential.refresh(token)).toMatchObject({ token_type: "Bearer" });
    },
  );

  test("names a wrong secret", async () => {
    const fake = platformWithAll();
    const { token } = await loggedIn(fake);
    const api = new PlatformApi(id, "wr0ng", ["identify"], redirectUri, fake);
    expect(await thrownBy(() => api.refresh(token))).toMatchObject({
      error: "invalid_client",
      hint: expect.stringMatching(/Developer Portal under OAuth2/),
    });
  });
});

describe("PlatformApi.revoke()", () => {
  test("ends every token of that person, with the refresh token of a whole token", async () => {
    const fake = platformWithAll();
    const { confidential, token } = await loggedIn(fake);
    const other = await confidential.accessToken(await codeFor(fake, { scope: ["identify"] }));
    expect(await confidential.revoke(token)).toBeUndefined();
    expect(fake.requests.at(-1)).toMatchObject({
      method: "POST",
      path: "/api/v10/oauth2/token/revoke",
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    });
    expect(fake.requests.at(-1)?.body).toEqual({
      token: token.refresh_token,
      token_type_hint: "refresh_token",
    });
    for (const revoked of [token, other]) {
      expect(await thrownBy(() => new User(revoked, fake).getCurrentUser())).toMatchObject({
        httpStatus: 401,
      });
      expect(await thrownBy(() => confidential.refresh(revoked))).toMatchObject({
        error: "invalid_grant",
      });
    }
  });

  test("sends the access token of a token that has no other, and text without a hint", async () => {
    const fake = platformWithAll();
    const { confidential, token, open, publicToken } = await loggedIn(fake);
    await confidential.revoke({ ...token, refresh_token: null });
    expect(fake.requests.at(-1)?.body).toEqual({
      token: token.access_token,
      token_type_hint: "access_token",
    });
    await open.revoke(publicToken.access_token);
    expect(fake.requests.at(-1)?.body).toEqual({
      token: publicToken.access_token,
      client_id: spa.id,
    });
  });

  test("succeeds for an unknown token, and can be repeated", async () => {
    const fake = platformWithAll();
    const { confidential, token } = await loggedIn(fake);
    await confidential.revoke(token);
    expect(await confidential.revoke(token)).toBeUndefined();
    expect(await confidential.revoke("unkn0wn")).toBeUndefined();
  });

  test.each(["", "{}", "null"])("accepts %j as a success", async (body) => {
    const api = new PlatformApi(
      id,
      secret,
      ["identify"],
      redirectUri,
      fakeFetch(respondWith(body)),
    );
    expect(await api.revoke("t0ken")).toBeUndefined();
  });

  test("does not accept a page as a success", async () => {
    const options = fakeFetch(respondWith("<html>Sign in to this network</html>"));
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, options);
    expect(await thrownBy(() => api.revoke("t0ken"))).toBeInstanceOf(PayloadError);
  });

  test("says that the token may be revoked when the response is lost, and sends no second request", async () => {
    const fake = platformWithAll();
    const { confidential, token } = await loggedIn(fake);
    fake.failNext({ path: "/oauth2/token/revoke", cut: "before" });
    const before = fake.requests.length;
    expect(await thrownBy(() => confidential.revoke(token))).toMatchObject({
      name: "NetworkError",
      hint: "The token may not be revoked yet; try again",
    });
    expect(fake.requests).toHaveLength(before + 1);
  });

  test.each([undefined, null, "", "a b", 5, {}, { access_token: 5 }])(
    "refuses %o",
    async (token) => {
      const { fetch, requests } = fakeFetch(respondWith({}));
      const api = new PlatformApi(id, secret, ["identify"], redirectUri, { fetch });
      const error = await thrownBy(() => api.revoke(token as string));
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toMatch(/token must be ASCII text without whitespace/);
      expect(requests).toEqual([]);
    },
  );
});

describe("PlatformApi.clientCredentials()", () => {
  test("returns a token of the application's owner", async () => {
    const fake = platformWithAll();
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, fake);
    const token = await api.clientCredentials(["identify", "connections"]);
    expect(token).toMatchObject({
      token_type: "Bearer",
      refresh_token: null,
      scopes: ["identify", "connections"],
    });
    expect(fake.requests).toHaveLength(1);
    expect(fake.requests[0]?.body).toEqual({
      grant_type: "client_credentials",
      scope: "identify connections",
    });
    expect(await new User(token, fake).getCurrentUser()).toMatchObject({ username: "ada" });
  });

  test("counts the requested scopes as granted when the platform names none", async () => {
    const options = fakeFetch(respondWith({ access_token: "t0ken", token_type: "Bearer" }));
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, options);
    expect(await api.clientCredentials(["guilds"])).toMatchObject({ scopes: ["guilds"] });
  });

  test.each<[unknown, RegExp]>([
    [[], /^scope must be a list like .* received an empty list$/],
    ["identify", /^scope must be a list like/],
    [undefined, /^scope must be a list like/],
    [["identity"], /did you mean "identify"\?$/],
  ])("refuses the scope %j", async (scope, message) => {
    const { fetch, requests } = fakeFetch(respondWith({}));
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, { fetch });
    const error = await thrownBy(() => api.clientCredentials(scope as string[]));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as TypeError).message).toMatch(message);
    expect(requests).toEqual([]);
  });

  test("throws a TypeError for a public client, which has no credentials", async () => {
    const { fetch, requests } = fakeFetch(respondWith({}));
    const api = new PlatformApi(spa.id, null, ["identify"], redirectUri, { fetch });
    expect(await thrownBy(() => api.clientCredentials(["identify"]))).toEqual(
      new TypeError(
        "clientCredentials() needs a clientSecret: a public client has no credentials",
      ),
    );
    expect(requests).toEqual([]);
  });
});

describe("every method of PlatformApi", () => {
  const calls: Record<string, (api: PlatformApi, options: CallOptions) => Promise<unknown>> = {
    accessToken: (api, options) => api.accessToken("c0de", options),
    refresh: (api, options) => api.refresh("r3fresh", options),
    revoke: (api, options) => api.revoke("t0ken", options),
    clientCredentials: (api, options) => api.clientCredentials(["identify"], options),
  };

  test.each(Object.entries(calls))(
    "%s() ends when its signal fires, with the signal's reason",
    async (_name, call) => {
      const { fetch } = fakeFetch(neverRespond);
      const api = new PlatformApi(id, secret, ["identify"], redirectUri, { fetch });
      const controller = new AbortController();
      const reason = new Error("The person left");
      const outcome = thrownBy(() => call(api, { signal: controller.signal }));
      controller.abort(reason);
      expect(await outcome).toBe(reason);
    },
  );

  test.each(Object.entries(calls))(
    "%s() refuses options that are not an object",
    async (_name, call) => {
      const { fetch, requests } = fakeFetch(respondWith({}));
      const api = new PlatformApi(id, secret, ["identify"], redirectUri, { fetch });
      expect(String(await thrownBy(() => call(api, "text" as CallOptions))))
        .toMatch(/^TypeError: options must be an object like .*, received a string of length 4$/);
      expect(requests).toEqual([]);
    },
  );

  test("ends after the time limit of the option, which is readable", () => {
    expect(new PlatformApi(id, secret, ["identify"], redirectUri).timeout).toBe(10_000);
    expect(new PlatformApi(id, secret, ["identify"], redirectUri, { timeout: 5 }).timeout).toBe(5);
  });
});

describe("new PlatformApi()", () => {
  type Arguments = [unknown, unknown, unknown, unknown];

  test.each<[string, Arguments]>([
    ["clientId", [undefined, secret, ["identify"], redirectUri]],
    ["clientId", ["undefined", secret, ["identify"], redirectUri]],
    ["clientId", ["", secret, ["identify"], redirectUri]],
    ["clientId", [1100000000000000, secret, ["identify"], redirectUri]],
    ["clientId", [secret, id, ["identify"], redirectUri]],
    ["clientSecret", [id, undefined, ["identify"], redirectUri]],
    ["clientSecret", [id, "undefined", ["identify"], redirectUri]],
    ["clientSecret", [id, "null", ["identify"], redirectUri]],
    ["clientSecret", [id, "", ["identify"], redirectUri]],
    ["clientSecret", [id, "with\nbreak", ["identify"], redirectUri]],
    ["clientSecret", [id, "passwörd", ["identify"], redirectUri]],
    ["scope", [id, secret, [], redirectUri]],
    ["scope", [id, secret, "identify", redirectUri]],
    ["scope\\[0\\]", [id, secret, ["identify email"], redirectUri]],
    ["redirectUri", [id, secret, ["identify"], "/callback"]],
    ["redirectUri", [id, secret, ["identify"], undefined]],
    ["redirectUri", [id, secret, ["identify"], "https://app.example/#here"]],
  ])("throws a TypeError about a wrong %s: %j", (name, [clientId, clientSecret, scope, uri]) => {
    const create = () =>
      new PlatformApi(clientId as string, clientSecret as string, scope as string[], uri as string);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(new RegExp(`^${name} .*must be .*, received`));
  });

  test("throws a TypeError for linked roles without a client secret", () => {
    const scope = ["identify", "role_connections.write"];
    expect(() => new PlatformApi(id, null, scope, redirectUri)).toThrow(
      new TypeError(
        'scope has "role_connections.write", which needs a clientSecret: the platform refuses it with PKCE, which a public client needs',
      ),
    );
    expect(() => new PlatformApi(id, secret, scope, redirectUri)).not.toThrow();
  });

  test("shows nothing of what it holds", () => {
    const api = new PlatformApi(id, secret, ["identify"], redirectUri);
    expect(JSON.stringify(api)).toBe("{}");
    expect(Reflect.ownKeys(api)).toEqual([]);
  });
});

function exchange(options: ClientOptions): ReturnType<PlatformApi["accessToken"]> {
  return new PlatformApi(id, secret, ["identify", "email"], redirectUri, options)
    .accessToken("c0de");
}

test.each([
  ["a rejection", respondWith({ message: "no" }, { status: 401 })],
  ["a failure", () => Promise.reject(new TypeError("fetch failed"))],
])("The stack of %s has the caller within ten frames", async (_what, respond) => {
  const api = new PlatformApi(id, secret, ["identify"], redirectUri, fakeFetch(respond));
  const calls = {
    accessToken: () => api.accessToken("c0de"),
    refresh: () => api.refresh("r3fresh"),
    revoke: () => api.revoke("t0ken"),
    clientCredentials: () => api.clientCredentials(["identify"]),
    startDeviceLogin: () => api.startDeviceLogin(),
  };
  for (const [name, call] of Object.entries(calls)) {
    const { stack } = await thrownBy(async () => await call()) as Error;
    expect(stack?.split("\n", 11).join("\n"), name).toContain("platform_api.test.ts");
  }
});
