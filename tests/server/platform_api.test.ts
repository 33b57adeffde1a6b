import { describe, expect, test } from "vitest";
import {
  AuthUrl,
  type ClientOptions,
  generateCodeVerifier,
  generateState,
  OAuthError,
  parseCallback,
  PayloadError,
  PlatformApi,
} from "../../mod.ts";
import { createFakePlatform, type FakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { answering, saying, thrownBy } from "../support/answers.ts";

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

  test("refuses a verifier where its options belong, as it would be left out without a word", async () => {
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, createFakePlatform());
    const verifier = generateCodeVerifier();
    const message = "options must be an object, as in { codeVerifier }, received string";
    await expect(api.accessToken("c0de", verifier as never)).rejects.toThrow(
      new TypeError(message),
    );
    expect(() => new PlatformApi(id, secret, ["identify"], redirectUri, "text" as never))
      .toThrow(/^options must be an object, received string$/);
  });

  test("takes null for options that may be left out", async () => {
    const fake = platformWithAll();
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, { ...fake, timeout: null });
    const options = { codeVerifier: null, signal: null };
    expect(await api.accessToken(await codeFor(fake), options)).toMatchObject({
      scope: "identify",
    });
    expect(await api.accessToken(await codeFor(fake), null)).toMatchObject({ scope: "identify" });
    expect(() => new PlatformApi(id, secret, ["identify"], redirectUri, null)).not.toThrow();
  });

  test("asks what a misspelt scope was meant to be", () => {
    expect(() => new PlatformApi(id, secret, ["identity"], redirectUri)).toThrow(
      'scope[0] is no scope of the platform: did you mean "identify"?',
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
      const { fetch, requests } = answering(saying({}));
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
      const { fetch, requests } = answering(saying({}));
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
      const { fetch, requests } = answering(saying({}));
      const api = new PlatformApi(id, secret, ["identify"], redirectUri, { fetch });
      const error = await thrownBy(() => api.accessToken(code as string));
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toMatch(/code must be text without white space, received/);
      expect(requests).toHaveLength(0);
    },
  );

  test("gives the guild a bot was added to", async () => {
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
      icon_url: `${fake.platform.cdnUrl}/icons/${guildId}/a_1c2d3e4f5061728394a5b6c7d8e9f001.gif`,
      vanity_url_code: null,
      perms: null,
    });
    const [everyone] = token.guild?.roles ?? [];
    expect(everyone).toMatchObject({ id: guildId, hoist: false });
    expect(Object.isFrozen(everyone)).toBe(true);
  });

  test("gives the webhook that a person chose a channel for", async () => {
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

  test("gives the id_token of a login with openid", async () => {
    const fake = platformWithAll();
    const scope = ["openid", "identify"];
    const code = await codeFor(fake, { scope });
    const token = await new PlatformApi(id, secret, scope, redirectUri, fake).accessToken(code);
    expect(token.id_token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  const bare = { access_token: "t0ken", token_type: "Bearer", expires_in: 10 };

  test("takes the scopes it asked for, where the platform does not say (RFC 6749 section 5.1)", async () => {
    expect(await exchange(answering(saying(bare)))).toMatchObject({
      scope: "identify email",
      scopes: ["identify", "email"],
      refresh_token: null,
      id_token: null,
      guild: null,
      webhook: null,
    });
    expect(await exchange(answering(saying({ ...bare, scope: null })))).toMatchObject({
      scopes: ["identify", "email"],
    });
  });

  test("believes the platform about the scopes, even that there are none", async () => {
    expect(await exchange(answering(saying({ ...bare, scope: "guilds  email" })))).toMatchObject({
      scope: "guilds  email",
      scopes: ["guilds", "email"],
    });
    expect(await exchange(answering(saying({ ...bare, scope: "" })))).toMatchObject({
      scope: "",
      scopes: [],
    });
  });

  test("gives a token that is deeply frozen, with what else the platform sent", async () => {
    const token = await exchange(
      answering(saying({ ...bare, webhook: { id: "1", a: [{}] }, b: {} })),
    );
    expect(token).toMatchObject({ webhook: { id: "1", token: null, url: null, a: [{}] }, b: {} });
    for (const part of [token, token.scopes, token.webhook, Object(token.webhook).a]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  test("gives a token that has expired already as what it is", async () => {
    const token = await exchange(answering(saying({ ...bare, expires_in: 0 })));
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
    const error = await thrownBy(() => exchange(answering(saying(body))));
    expect(error).toBeInstanceOf(PayloadError);
    expect((error as PayloadError).message)
      .toBe(`The token answer is not what the platform documents: ${issues.join("; ")}`);
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
  ])("rejects with what the platform says about %s", async (_what, error, status, call) => {
    const refusal = await thrownBy(() => call(platformWithAll()));
    expect(refusal).toBeInstanceOf(OAuthError);
    expect(refusal).toMatchObject({ error, httpStatus: status });
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
    ["scope", [id, secret, ["identify email"], redirectUri]],
    ["redirectUri", [id, secret, ["identify"], "/callback"]],
    ["redirectUri", [id, secret, ["identify"], undefined]],
    ["redirectUri", [id, secret, ["identify"], "https://app.example/#here"]],
  ])("throws a TypeError about a wrong %s: %j", (name, [clientId, clientSecret, scope, uri]) => {
    const create = () =>
      new PlatformApi(clientId as string, clientSecret as string, scope as string[], uri as string);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(new RegExp(`^${name} .*must be .*, received`));
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
