import { afterEach, describe, expect, inject, test, vi } from "vitest";
import {
  AuthUrl,
  generateCodeVerifier,
  generateState,
  OAuthError,
  parseCallback,
  PlatformApi,
  type TokenObj,
  User,
} from "../../mod.ts";
import { verifyIdToken, type VerifyIdTokenOptions } from "../../src/openid/mod.ts";
import { thrownBy } from "../support/responders.ts";
import {
  basicClient,
  formClient,
  paths,
  platformAt,
  publicClient,
  redirectUri,
} from "../support/oauth_clients.ts";

const origin = inject("oauthServer");
const platform = platformAt(origin);
const scope = ["openid", "identify", "guilds"];

/** Follows a link like a user in a browser, to the redirect back or to the text of a page without a form. */
async function browse(link: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = link;
  let form: URLSearchParams | undefined;
  for (let hop = 0; hop < 20; hop++) {
    const headers = { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") };
    const request = form ? { method: "POST", body: form, headers } : { headers };
    const response = await fetch(url, { ...request, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
      cookies.set(name, value);
    }
    const page = await response.text();
    const location = response.headers.get("location");
    if (location?.startsWith(redirectUri)) return location;
    if (location) {
      url = new URL(location, url).href;
      form = undefined;
      continue;
    }
    const action = /<form[^>]+action="([^"]+)"/.exec(page)?.[1];
    if (!action) return page.replace(/<style>[^]*<\/style>|<[^>]+>/g, " ");
    url = new URL(action, url).href;
    form = new URLSearchParams({ login: "ada", password: "any" });
    for (const [, name = "", value = ""] of page.matchAll(/name="(\w+)" value="([^"]*)"/g)) {
      form.set(name, value);
    }
  }
  throw new Error("The login goes in circles");
}

/** Logs in, and returns a new code for a client with its verifier. */
async function freshCode(
  clientId: string,
  withPkce = true,
): Promise<{ code: string; codeVerifier: string }> {
  const state = generateState();
  const codeVerifier = generateCodeVerifier();
  const link = await new AuthUrl(clientId, scope, redirectUri, null, { platform })
    .makeUrl({ state, codeVerifier: withPkce ? codeVerifier : undefined });
  return { code: parseCallback(await browse(link), { state }).code, codeVerifier };
}

const confidential = new PlatformApi(basicClient.id, basicClient.secret, scope, redirectUri, {
  platform,
});
const open = new PlatformApi(publicClient.id, null, scope, redirectUri, { platform });

const granted = {
  access_token: expect.stringMatching(/^\S{20,}$/),
  token_type: "Bearer",
  expires_in: 3600,
  expires_at: expect.any(Number),
  refresh_token: expect.stringMatching(/^\S{20,}$/),
  scope: "openid identify guilds",
  scopes: scope,
  guild: null,
  webhook: null,
  id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
};

describe("A certified OAuth server", () => {
  test("gives a token for Basic credentials with a secret of any characters", async () => {
    const { code, codeVerifier } = await freshCode(basicClient.id);
    expect(await confidential.accessToken(code, { codeVerifier })).toEqual(granted);
  });

  test("gives a token to a login without PKCE", async () => {
    const { code } = await freshCode(basicClient.id, false);
    expect(await confidential.accessToken(code)).toEqual(granted);
  });

  test("gives a token to a public client for its verifier", async () => {
    const { code, codeVerifier } = await freshCode(publicClient.id);
    expect(await open.accessToken(code, { codeVerifier })).toEqual(granted);
  });

  test("accepts codes and verifiers with credentials in the form", async () => {
    const { code, codeVerifier } = await freshCode(formClient.id);
    const response = await fetch(origin + paths.token, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
        client_id: formClient.id,
        client_secret: formClient.secret,
      }),
    });
    expect(await response.json()).toMatchObject({ token_type: "Bearer" });
  });
});

/** Obtains a token of the confidential client. */
async function freshToken(): Promise<TokenObj> {
  const { code, codeVerifier } = await freshCode(basicClient.id);
  return await confidential.accessToken(code, { codeVerifier });
}

describe("The refresh endpoint of a certified OAuth server", () => {
  test("gives a confidential client a new token", async () => {
    const token = await freshToken();
    const next = await confidential.refresh(token);
    expect(next).toEqual(granted);
    expect(next.access_token).not.toBe(token.access_token);
  });

  test("gives a public client a new token and a new refresh token", async () => {
    const { code, codeVerifier } = await freshCode(publicClient.id);
    const token = await open.accessToken(code, { codeVerifier });
    const next = await open.refresh(token.refresh_token ?? "");
    expect(next).toEqual(granted);
    expect(next.refresh_token).not.toBe(token.refresh_token);
    // A used refresh token may be stolen: the server ends all tokens derived from it.
    await refused(open.refresh(token), "invalid_grant", 400);
    await refused(open.refresh(next), "invalid_grant", 400);
  });
});

describe("The revocation endpoint of a certified OAuth server", () => {
  test("ends the refresh token of a TokenObj", async () => {
    const token = await freshToken();
    expect(await confidential.revoke(token)).toBeUndefined();
    await refused(confidential.refresh(token), "invalid_grant", 400);
  });

  test("accepts an access token and an unknown token", async () => {
    const token = await freshToken();
    expect(await confidential.revoke({ ...token, refresh_token: null })).toBeUndefined();
    expect(await confidential.revoke("unkn0wn")).toBeUndefined();
  });
});

describe("The client credentials grant of a certified OAuth server", () => {
  test("gives the application its own token", async () => {
    expect(await confidential.clientCredentials(["identify"])).toMatchObject({
      token_type: "Bearer",
      refresh_token: null,
      scopes: ["identify"],
    });
  });
});

describe("The device grant of a certified OAuth server", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A client with a count of responses: the time advances only during its waits. */
  function countingClient(clientId: string, clientSecret: string | null) {
    const count = { underWay: 0, responses: 0 };
    const api = new PlatformApi(clientId, clientSecret, scope, redirectUri, {
      platform,
      async fetch(input, init) {
        count.underWay++;
        const response = await fetch(input, init);
        const text = await response.text();
        count.underWay--;
        count.responses++;
        return new Response(text, response);
      },
    });
    return { api, count };
  }

  test.each([
    ["a confidential client", basicClient.id, basicClient.secret],
    ["a public client", publicClient.id, null],
  ])("gives %s a token as soon as the person consents", async (_, clientId, clientSecret) => {
    const { api, count } = countingClient(clientId, clientSecret);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const login = await api.startDeviceLogin();
    let token: TokenObj | undefined;
    const outcome = login.token().then((found) => token = found);
    const passUntil = async (isOver: () => boolean) => {
      while (!isOver()) {
        if (count.underWay === 0) await vi.advanceTimersByTimeAsync(100);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    // The two responses are to the start, and to a request before the consent.
    await passUntil(() => count.responses === 2);
    expect(await browse(login.verificationUriComplete ?? "")).toBe("The device is logged in");
    await passUntil(() => token !== undefined);
    expect(await outcome).toEqual(granted);
    expect(count.responses).toBe(3);
  });
});

describe("The userinfo endpoint of a certified OAuth server", () => {
  test("returns the claims about the person", async () => {
    const user = new User(await freshToken(), { platform });
    expect(await user.getUserInfo()).toMatchObject({ sub: "ada", email: null });
  });

  test("refuses an unknown token, and the error names the cause", async () => {
    const user = new User("unkn0wn", { platform });
    await expect(user.getUserInfo()).rejects.toMatchObject({
      name: "ApiError",
      httpStatus: 401,
      hint: expect.stringContaining("the scope openid"),
    });
  });
});

describe("a certified OAuth server refuses", () => {
  test("a wrong secret: invalid_client, 401", async () => {
    const { code, codeVerifier } = await freshCode(basicClient.id);
    const forger = new PlatformApi(basicClient.id, "wr0ng", scope, redirectUri, { platform });
    await refused(forger.accessToken(code, { codeVerifier }), "invalid_client", 401);
  });

  test("a replayed code: invalid_grant, 400", async () => {
    const { code, codeVerifier } = await freshCode(basicClient.id);
    await confidential.accessToken(code, { codeVerifier });
    await refused(confidential.accessToken(code, { codeVerifier }), "invalid_grant", 400);
  });

  test("another verifier: invalid_grant, 400", async () => {
    const { code } = await freshCode(publicClient.id);
    const codeVerifier = generateCodeVerifier();
    await refused(open.accessToken(code, { codeVerifier }), "invalid_grant", 400);
  });

  test("a missing verifier: invalid_grant, 400", async () => {
    const { code } = await freshCode(basicClient.id);
    await refused(confidential.accessToken(code), "invalid_grant", 400);
  });

  test("another redirect URI: invalid_grant, 400", async () => {
    const { code, codeVerifier } = await freshCode(basicClient.id);
    const elsewhere = new PlatformApi(
      basicClient.id,
      basicClient.secret,
      scope,
      `${redirectUri}/elsewhere`,
      { platform },
    );
    await refused(elsewhere.accessToken(code, { codeVerifier }), "invalid_grant", 400);
  });

  test("a code of another client: invalid_grant, 400", async () => {
    const { code, codeVerifier } = await freshCode(publicClient.id);
    await refused(confidential.accessToken(code, { codeVerifier }), "invalid_grant", 400);
  });
});

describe("An id_token of a certified OAuth server", () => {
  async function freshToken(nonce?: string): Promise<TokenObj> {
    const state = generateState();
    const codeVerifier = generateCodeVerifier();
    const link = await new AuthUrl(basicClient.id, scope, redirectUri, null, { platform })
      .makeUrl({ state, codeVerifier, nonce });
    const { code } = parseCallback(await browse(link), { state });
    return await confidential.accessToken(code, { codeVerifier });
  }

  test("identifies the person", async () => {
    const nonce = generateState();
    const { id_token, access_token: accessToken } = await freshToken(nonce);
    expect(
      await verifyIdToken(id_token, { platform, clientId: basicClient.id, nonce, accessToken }),
    )
      .toMatchObject({
        iss: origin,
        sub: "ada",
        aud: basicClient.id,
        nonce,
      });
  });

  test("may have no nonce", async () => {
    const { id_token } = await freshToken();
    expect(await verifyIdToken(id_token, { platform, clientId: basicClient.id }))
      .toMatchObject({ sub: "ada", nonce: null });
  });

  test.each<[string, Partial<VerifyIdTokenOptions>]>([
    ["nonce", { nonce: generateState() }],
    ["nonce", { nonce: null }],
    ["aud", { clientId: publicClient.id }],
    ["iss", { platform: { ...platform, issuer: `${origin}/` } }],
  ])("is refused for another %s", async (claim, other) => {
    const nonce = generateState();
    const { id_token } = await freshToken(nonce);
    const options = { platform, clientId: basicClient.id, nonce, ...other };
    expect(await thrownBy(() => verifyIdToken(id_token, options)))
      .toMatchObject({ name: "IdTokenError", claim });
  });
});

async function refused(call: Promise<unknown>, error: string, status: number): Promise<void> {
  const thrown = await call.then(() => "nothing", (reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(OAuthError);
  expect(thrown).toMatchObject({ error, httpStatus: status, description: expect.any(String) });
}
