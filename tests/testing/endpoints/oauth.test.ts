import { describe, expect, test } from "vitest";
import {
  APP,
  authorizeLink,
  basicAuth,
  bearerToken,
  CHALLENGE,
  exchangeCode,
  get,
  LOOMS,
  obtainCode,
  postForm,
  readJson,
  readOauthError,
  requestToken,
  smallPlatform,
  UNAUTHORIZED,
  USER_AGENT,
  VERIFIER,
} from "../small_platform.ts";

const INVALID_SCOPE = "The requested scope is invalid, unknown, or malformed.";

describe("The token endpoint", () => {
  test("exchanges a code for tokens that begin with fake_", async () => {
    const fake = smallPlatform();
    const response = await exchangeCode(
      fake,
      await obtainCode(fake, { scope: "identify guilds identify" }),
    );
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("pragma")).toBe("no-cache");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await readJson(response)).toEqual({
      access_token: expect.stringMatching(/^fake_access_[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 604800,
      refresh_token: expect.stringMatching(/^fake_refresh_[\w-]{43}$/),
      scope: "identify guilds",
    });
  });

  test("accepts the credentials in the form", async () => {
    const fake = smallPlatform();
    const form = { client_id: APP.id, client_secret: APP.secret };
    const code = await obtainCode(fake);
    const response = await requestToken(
      fake,
      { code, redirect_uri: "https://app.example/cb", ...form },
      {},
    );
    expect(response.status).toBe(200);
  });

  test("accepts the same client id beside Basic credentials", async () => {
    const fake = smallPlatform();
    const code = await obtainCode(fake, { redirect_uri: undefined });
    expect((await requestToken(fake, { code, client_id: APP.id })).status).toBe(200);
  });

  test.each([
    ["a wrong secret", {}, basicAuth(APP.id, "wrong")],
    ["a wrong client", {}, basicAuth("404", APP.secret)],
    ["no credentials", {}, undefined],
    ["no secret", { client_id: APP.id }, undefined],
    ["a wrong secret in the form", { client_id: APP.id, client_secret: "x" }, undefined],
    ["a secret for a public client", { client_id: "200", client_secret: "x" }, undefined],
    ["Basic credentials for a public client", {}, basicAuth("200", "")],
    ["Basic credentials that are not Base64", {}, "Basic %%%"],
    ["Basic credentials that are not form-encoded", {}, `Basic ${btoa("100:%")}`],
    ["Basic credentials without a colon", {}, `Basic ${btoa("100")}`],
    ["another scheme", {}, "Bearer x"],
  ])("responds with 401 invalid_client to %s", async (_, form, authorization) => {
    const fake = smallPlatform();
    const response = await requestToken(
      fake,
      { code: await obtainCode(fake), ...form },
      authorization === undefined ? {} : { authorization },
    );
    expect(response.status).toBe(401);
    expect(await readJson(response)).toEqual({ error: "invalid_client" });
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("reads form-encoded Basic credentials, with plus signs as spaces", async () => {
    const fake = smallPlatform();
    const code = await obtainCode(fake, { redirect_uri: undefined });
    const authorization = `basic ${btoa("100:s3cret%3Awith+colon")}`;
    expect((await requestToken(fake, { code }, { authorization })).status).toBe(200);
  });

  test("responds with invalid_request to two kinds of credentials at once", async () => {
    const fake = smallPlatform();
    const described = "Multiple client credentials in request.";
    expect(await readOauthError(requestToken(fake, { client_secret: APP.secret })))
      .toEqual([400, "invalid_request", described]);
    expect(await readOauthError(requestToken(fake, { client_id: "200" })))
      .toEqual([400, "invalid_request", described]);
  });

  test("responds with invalid_request to a repeated parameter", async () => {
    const fake = smallPlatform();
    const response = await fake.fetch(`${fake.platform.apiUrl}/oauth2/token`, {
      method: "POST",
      headers: { ...USER_AGENT, authorization: basicAuth(APP.id, APP.secret) },
      body: new URLSearchParams([["grant_type", "a"], ["code", "a"], ["code", "b"]]),
    });
    expect(await readOauthError(response)).toEqual([
      400,
      "invalid_request",
      `Repeated "code" in request.`,
    ]);
  });

  test.each([
    ["JSON", "application/json", JSON.stringify({ grant_type: "authorization_code" })],
    ["a form without its type", "text/plain", "grant_type=authorization_code"],
    ["an empty form", "application/x-www-form-urlencoded; charset=utf-8", ""],
  ])("reads %s as a request without a grant type", async (_, type, text) => {
    const fake = smallPlatform();
    const response = await fake.fetch(`${fake.platform.apiUrl}/oauth2/token?grant_type=x`, {
      method: "POST",
      headers: {
        ...USER_AGENT,
        "content-type": type,
        authorization: basicAuth(APP.id, APP.secret),
      },
      body: text,
    });
    expect(await readOauthError(response))
      .toEqual([400, "unsupported_grant_type", "Grant type None is not supported"]);
  });

  test("responds with unsupported_grant_type to any other grant type", async () => {
    const response = requestToken(smallPlatform(), { grant_type: "password" });
    expect(await readOauthError(response))
      .toEqual([400, "unsupported_grant_type", "Grant type password is not supported"]);
  });

  test("exchanges a code once, and ends its tokens at the second attempt", async () => {
    const fake = smallPlatform();
    const code = await obtainCode(fake);
    const { access_token, refresh_token } = await readJson(exchangeCode(fake, code));
    expect((await get(fake, "/users/@me", `Bearer ${access_token}`)).status).toBe(200);
    expect(await readOauthError(exchangeCode(fake, code)))
      .toEqual([400, "invalid_grant", `Invalid "code" in request.`]);
    expect((await get(fake, "/users/@me", `Bearer ${access_token}`)).status).toBe(401);
    const refresh = await requestToken(fake, {
      grant_type: "refresh_token",
      refresh_token: String(refresh_token),
    });
    expect(refresh.status).toBe(400);
  });

  test("exchanges a code once for two simultaneous requests", async () => {
    const fake = smallPlatform();
    const pkce = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
    const code = await obtainCode(fake, pkce);
    const form = { code, redirect_uri: "https://app.example/cb", code_verifier: VERIFIER };
    const responses = await Promise.all([requestToken(fake, form), requestToken(fake, form)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test("accepts a code for 100 seconds", async () => {
    const fake = smallPlatform({ now: () => 1_000_000 });
    const [inTime, late] = [await obtainCode(fake), await obtainCode(fake)];
    fake.advance(99_999);
    expect((await exchangeCode(fake, inTime)).status).toBe(200);
    fake.advance(1);
    expect(await readOauthError(exchangeCode(fake, late)))
      .toEqual([400, "invalid_grant", `Invalid "code" in request.`]);
  });

  test("uses the lifetimes of the options", async () => {
    const fake = smallPlatform({ codeLifetime: 5, tokenLifetime: 60, now: () => 0 });
    const late = await obtainCode(fake);
    fake.advance(5000);
    expect((await exchangeCode(fake, late)).status).toBe(400);
    const { expires_in, access_token } = await readJson(exchangeCode(fake, await obtainCode(fake)));
    expect(expires_in).toBe(60);
    fake.advance(59_999);
    expect((await get(fake, "/users/@me", `Bearer ${access_token}`)).status).toBe(200);
    fake.advance(1);
    const expired = await get(fake, "/users/@me", `Bearer ${access_token}`);
    expect(expired.status).toBe(401);
    expect(await readJson(expired)).toEqual(UNAUTHORIZED);
  });

  test("refuses an unknown code, a missing code, and the code of another client", async () => {
    const fake = smallPlatform();
    const invalid = [400, "invalid_grant", `Invalid "code" in request.`];
    expect(await readOauthError(exchangeCode(fake, "nonsense"))).toEqual(invalid);
    expect(await readOauthError(requestToken(fake, {}))).toEqual(invalid);
    const code = await obtainCode(fake);
    expect(await readOauthError(requestToken(fake, { code, client_id: "200" }, {}))).toEqual(
      invalid,
    );
    expect((await exchangeCode(fake, code)).status).toBe(200);
  });

  test("refuses another redirect URI, and a missing one if the link named one", async () => {
    const fake = smallPlatform();
    const code = await obtainCode(fake);
    const invalid = [400, "invalid_grant", `Invalid "redirect_uri" in request.`];
    expect(await readOauthError(requestToken(fake, { code }))).toEqual(invalid);
    expect(
      await readOauthError(requestToken(fake, { code, redirect_uri: "https://app.example/other" })),
    )
      .toEqual(invalid);
    expect((await exchangeCode(fake, code)).status).toBe(200);
  });

  test("checks the PKCE verifier if the link had a challenge", async () => {
    const fake = smallPlatform();
    const pkce = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
    const code = await obtainCode(fake, pkce);
    const form = { code, redirect_uri: "https://app.example/cb" };
    const invalid = [400, "invalid_grant", `Invalid "code_verifier" in request.`];
    expect(await readOauthError(requestToken(fake, form))).toEqual(invalid);
    for (const wrong of [VERIFIER.toUpperCase(), "short", `${VERIFIER}!`]) {
      expect(await readOauthError(requestToken(fake, { ...form, code_verifier: wrong }))).toEqual(
        invalid,
      );
    }
    expect((await requestToken(fake, { ...form, code_verifier: VERIFIER })).status).toBe(200);
  });

  test("refuses a verifier that is too short, even if it matches the challenge", async () => {
    const fake = smallPlatform();
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("short"));
    const challenge = btoa(String.fromCharCode(...new Uint8Array(digest)))
      .replaceAll("+", "-").replaceAll("/", "_").replace("=", "");
    const code = await obtainCode(fake, {
      code_challenge: challenge,
      code_challenge_method: "S256",
    });
    const form = { code, redirect_uri: "https://app.example/cb", code_verifier: "short" };
    expect((await requestToken(fake, form)).status).toBe(400);
  });

  test("refuses a verifier if the link had no challenge", async () => {
    const fake = smallPlatform();
    const form = { code: await obtainCode(fake), redirect_uri: "https://app.example/cb" };
    expect(await readOauthError(requestToken(fake, { ...form, code_verifier: VERIFIER })))
      .toEqual([400, "invalid_grant", `Invalid "code_verifier" in request.`]);
  });

  test("lets a public client log in with PKCE and refresh, but refuses its client credentials", async () => {
    const fake = smallPlatform();
    const code = await obtainCode(fake, {
      client_id: "200",
      redirect_uri: "https://spa.example/",
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
    });
    const response = await requestToken(fake, {
      code,
      client_id: "200",
      redirect_uri: "https://spa.example/",
      code_verifier: VERIFIER,
    }, {});
    expect(response.status).toBe(200);
    const { refresh_token } = await readJson(response);
    const refreshed = await requestToken(fake, {
      grant_type: "refresh_token",
      client_id: "200",
      refresh_token: String(refresh_token),
    }, {});
    expect(refreshed.status).toBe(200);
    const own = requestToken(fake, { grant_type: "client_credentials", client_id: "200" }, {});
    expect((await readOauthError(own)).slice(0, 2)).toEqual([400, "unauthorized_client"]);
  });

  test.each(["guilds", "guilds email", "nonsense"])(
    "ignores the scope %j of an exchange and of a refresh",
    async (scope) => {
      const fake = smallPlatform();
      const form = { redirect_uri: "https://app.example/cb", scope };
      const code = await obtainCode(fake, { scope: "identify guilds" });
      const token = await readJson(requestToken(fake, { ...form, code }));
      expect(token["scope"]).toBe("identify guilds");
      const refresh_token = String(token["refresh_token"]);
      const refresh = { grant_type: "refresh_token", refresh_token, scope };
      expect((await readJson(requestToken(fake, refresh)))["scope"]).toBe("identify guilds");
    },
  );

  test.each(["myapp://login", "discord-100:/authorize/callback"])(
    "refuses the code for %s without PKCE, to a confidential client too",
    async (redirect_uri) => {
      const fake = smallPlatform({ applications: [{ ...APP, redirectUris: [redirect_uri] }] });
      const code = await obtainCode(fake, { redirect_uri });
      expect(await readOauthError(requestToken(fake, { code, redirect_uri })))
        .toEqual([400, "invalid_grant", `Invalid "redirect_uri" in request.`]);
      const pkce = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
      const proven = await obtainCode(fake, { redirect_uri, ...pkce });
      const form = { code: proven, redirect_uri, code_verifier: VERIFIER };
      expect((await requestToken(fake, form)).status).toBe(200);
    },
  );

  test("exchanges a refresh token once for a new one", async () => {
    const fake = smallPlatform();
    const first = await readJson(
      exchangeCode(fake, await obtainCode(fake, { scope: "identify guilds" })),
    );
    const form = { grant_type: "refresh_token", refresh_token: String(first["refresh_token"]) };
    const response = await requestToken(fake, form);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const second = await readJson(response);
    expect(second["scope"]).toBe("identify guilds");
    expect(second["refresh_token"]).not.toBe(first["refresh_token"]);
    expect((await get(fake, "/users/@me", `Bearer ${second["access_token"]}`)).status).toBe(200);
    expect(await readOauthError(requestToken(fake, form)))
      .toEqual([400, "invalid_grant", `Invalid "refresh_token" in request.`]);
  });

  test("refuses the refresh token of another client, and a missing one", async () => {
    const fake = smallPlatform();
    const invalid = [400, "invalid_grant", `Invalid "refresh_token" in request.`];
    const { refresh_token = "" } = fake.issueToken({ clientId: "200" });
    expect(await readOauthError(requestToken(fake, { grant_type: "refresh_token", refresh_token })))
      .toEqual(invalid);
    expect(await readOauthError(requestToken(fake, { grant_type: "refresh_token" }))).toEqual(
      invalid,
    );
  });

  test("exchanges client credentials for a token of the owner, without a refresh token", async () => {
    const fake = smallPlatform({ applications: [{ ...APP, owner_id: "2" }] });
    const response = await requestToken(fake, {
      grant_type: "client_credentials",
      scope: "identify guilds",
    });
    expect(response.headers.get("cache-control")).toBe("no-store");
    const token = await readJson(response);
    expect(token).toEqual({
      access_token: expect.stringMatching(/^fake_access_/),
      token_type: "Bearer",
      expires_in: 604800,
      scope: "identify guilds",
    });
    const me = await readJson(get(fake, "/users/@me", `Bearer ${token["access_token"]}`));
    expect(me["username"]).toBe("bob");
  });

  test.each(["role_connections.write", "bot", "webhook.incoming"])(
    "gives no application %s with client credentials",
    async (scope) => {
      const form = { grant_type: "client_credentials", scope: `identify ${scope}` };
      expect(await readOauthError(requestToken(smallPlatform(), form)))
        .toEqual([400, "invalid_scope", INVALID_SCOPE]);
    },
  );

  test.each([
    ["identify", true],
    ["applications.commands.update", true],
    ["applications.builds.read applications.builds.upload", true],
    ["applications.store.update applications.entitlements", true],
    ["identify guilds", false],
    ["email", false],
    ["rpc", false],
  ])(
    "gives %s with client credentials to the application of a person, and to a team's: %s",
    async (scope, isGiven) => {
      const form = { grant_type: "client_credentials", scope };
      expect((await requestToken(smallPlatform(), form)).status).toBe(200);
      const team = smallPlatform({ applications: [{ ...APP, ownedByTeam: true }] });
      const response = await requestToken(team, form);
      if (isGiven) expect((await readJson(response))["scope"]).toBe(scope);
      else expect(await readOauthError(response)).toEqual([400, "invalid_scope", INVALID_SCOPE]);
    },
  );

  test("refuses client credentials without scopes and with unknown ones", async () => {
    const fake = smallPlatform();
    const form = { grant_type: "client_credentials" };
    expect((await readOauthError(requestToken(fake, form))).slice(0, 2)).toEqual([
      400,
      "invalid_scope",
    ]);
    expect(
      (await readOauthError(requestToken(fake, { ...form, scope: "identify nonsense" }))).slice(
        0,
        2,
      ),
    )
      .toEqual([400, "invalid_scope"]);
  });

  test("returns the whole guild after a bot was added", async () => {
    const fake = smallPlatform();
    const { guild } = await readJson(
      exchangeCode(fake, await obtainCode(fake, { scope: "bot identify" })),
    );
    expect(guild).toEqual(await readJson(get(fake, "/guilds/70", "Bot bot-token")));
    expect(guild).toMatchObject({ id: "70", name: "Looms", owner_id: "1" });
  });

  test.each([["701", "701"], ["799", "700"]])(
    "returns a webhook in the channel %s of the authorization URL, if the guild has it: %s",
    async (channel_id, expected) => {
      const fake = smallPlatform({
        guilds: [{ ...LOOMS, system_channel_id: "700", rules_channel_id: "701" }],
      });
      const code = await obtainCode(fake, { scope: "webhook.incoming", channel_id });
      expect(await readJson(exchangeCode(fake, code)))
        .toMatchObject({ webhook: { channel_id: expected } });
    },
  );

  test("returns a webhook for webhook.incoming, and no guild", async () => {
    const fake = smallPlatform({ guilds: [{ ...LOOMS, system_channel_id: "700" }] });
    const callback = new URL(
      await fake.authorize(authorizeLink(fake, { scope: "webhook.incoming" })),
    );
    expect(callback.searchParams.has("guild_id")).toBe(false);
    const token = await readJson(exchangeCode(fake, callback.searchParams.get("code") ?? ""));
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
      url: expect.stringMatching(/^https:\/\/platform\.test\/api\/webhooks\/\d+\/fake_webhook_/),
    });
    const again = await readJson(
      exchangeCode(fake, await obtainCode(fake, { scope: "webhook.incoming" })),
    );
    const [first, second] = [webhook, again["webhook"]].map((each) => (each as { id: string }).id);
    expect(first).toMatch(/^\d{18,}$/);
    expect(first).not.toBe(second);
    expect((await get(fake, "/guilds/70", "Bot bot-token")).status).toBe(404);
  });

  test("gives a webhook a channel in a guild without a system channel", async () => {
    const fake = smallPlatform();
    const token = await readJson(
      exchangeCode(fake, await obtainCode(fake, { scope: "webhook.incoming bot" })),
    );
    expect(token["webhook"]).toMatchObject({ channel_id: "70" });
    expect(token).toHaveProperty("guild");
  });

  test("returns neither guild nor webhook after commands were added", async () => {
    const fake = smallPlatform();
    const code = await obtainCode(fake, { scope: "applications.commands", integration_type: "0" });
    const token = await readJson(exchangeCode(fake, code));
    expect(token).not.toHaveProperty("guild");
    expect(token).not.toHaveProperty("webhook");
  });
});

describe("The revocation endpoint", () => {
  test.each(["access_token", "refresh_token"])(
    "ends every login of the person with one %s",
    async (which) => {
      const fake = smallPlatform();
      const tokens = await readJson(exchangeCode(fake, await obtainCode(fake)));
      const other = await readJson(exchangeCode(fake, await obtainCode(fake)));
      const unused = await obtainCode(fake);
      const bob = await readJson(exchangeCode(fake, await obtainCode(fake, {}, "bob")));
      const elsewhere = fake.issueToken({ clientId: "200" }).access_token;
      const response = await postForm(
        fake,
        "/oauth2/token/revoke",
        { token: String(tokens[which]) },
        { authorization: basicAuth(APP.id, APP.secret) },
      );
      expect(response.status).toBe(200);
      expect((await get(fake, "/users/@me", `Bearer ${tokens["access_token"]}`)).status).toBe(401);
      const refresh = {
        grant_type: "refresh_token",
        refresh_token: String(tokens["refresh_token"]),
      };
      expect((await requestToken(fake, refresh)).status).toBe(400);
      expect((await get(fake, "/users/@me", `Bearer ${other["access_token"]}`)).status).toBe(401);
      expect((await exchangeCode(fake, unused)).status).toBe(400);
      expect((await get(fake, "/users/@me", `Bearer ${bob["access_token"]}`)).status).toBe(200);
      expect((await get(fake, "/users/@me", `Bearer ${elsewhere}`)).status).toBe(200);
    },
  );

  test("makes the next login ask for consent again", async () => {
    const fake = smallPlatform();
    const tokens = await readJson(exchangeCode(fake, await obtainCode(fake)));
    const again = authorizeLink(fake, { prompt: "none" });
    expect((await fake.fetch(again)).status).toBe(302);
    const form = { token: String(tokens["access_token"]) };
    await postForm(fake, "/oauth2/token/revoke", form, {
      authorization: basicAuth(APP.id, APP.secret),
    });
    expect((await fake.fetch(again)).status).toBe(200);
  });

  test("ends the consent for a token issued without a login too", async () => {
    const fake = smallPlatform();
    await obtainCode(fake);
    const form = { token: fake.issueToken().access_token };
    await postForm(fake, "/oauth2/token/revoke", form, {
      authorization: basicAuth(APP.id, APP.secret),
    });
    expect((await fake.fetch(authorizeLink(fake, { prompt: "none" }))).status).toBe(200);
  });

  test("keeps the consent if the client's own token is revoked", async () => {
    const fake = smallPlatform();
    await obtainCode(fake);
    const form = { grant_type: "client_credentials", scope: "identify" };
    const { access_token } = await readJson(requestToken(fake, form));
    await postForm(fake, "/oauth2/token/revoke", { token: String(access_token) }, {
      authorization: basicAuth(APP.id, APP.secret),
    });
    expect((await get(fake, "/users/@me", `Bearer ${access_token}`)).status).toBe(401);
    expect((await fake.fetch(authorizeLink(fake, { prompt: "none" }))).status).toBe(302);
  });

  test("responds with 200 to an unknown token and to another client's token, which stays valid", async () => {
    const fake = smallPlatform();
    const authorization = basicAuth(APP.id, APP.secret);
    const token = fake.issueToken({ clientId: "200" }).access_token;
    for (const form of [{ token: "unknown" }, { token }]) {
      expect((await postForm(fake, "/oauth2/token/revoke", form, { authorization })).status).toBe(
        200,
      );
    }
    expect((await get(fake, "/users/@me", `Bearer ${token}`)).status).toBe(200);
  });

  test("forbids to store its response", async () => {
    const authorization = basicAuth(APP.id, APP.secret);
    const form = { token: "x" };
    const response = await postForm(smallPlatform(), "/oauth2/token/revoke", form, {
      authorization,
    });
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  });

  test("refuses a request without a client or without a token", async () => {
    const fake = smallPlatform();
    const authorization = basicAuth(APP.id, APP.secret);
    expect(await readOauthError(postForm(fake, "/oauth2/token/revoke", { token: "x" })))
      .toEqual([401, "invalid_client", undefined]);
    expect(
      await readOauthError(postForm(fake, "/oauth2/token/revoke", {}, { authorization })),
    )
      .toEqual([400, "invalid_request", `Missing "token" in request.`]);
  });

  test("refuses an unknown token type hint", async () => {
    const authorization = basicAuth(APP.id, APP.secret);
    const form = { token: "x", token_type_hint: "id_token" };
    const response = postForm(smallPlatform(), "/oauth2/token/revoke", form, { authorization });
    expect((await readOauthError(response)).slice(0, 2)).toEqual([400, "unsupported_token_type"]);
  });
});

describe("GET /oauth2/@me", () => {
  test("returns the application, the scopes and the expiry", async () => {
    const fake = smallPlatform({ now: () => 0 });
    expect(await readJson(get(fake, "/oauth2/@me", bearerToken(fake, ["identify", "guilds"]))))
      .toMatchObject({
        application: {
          id: "100",
          name: "Fake application",
          icon: null,
          description: "",
          summary: "",
          bot_public: true,
          bot_require_code_grant: false,
          verify_key: expect.stringMatching(/^[\da-f]{64}$/),
          type: null,
          flags: 0,
          flags_new: "0",
        },
        scopes: ["identify", "guilds"],
        expires: "1970-01-08T00:00:00.000000+00:00",
      });
  });

  test("returns a partial user, without email and private fields", async () => {
    const fake = smallPlatform();
    const authorization = bearerToken(fake, ["identify", "email", "identify.premium"]);
    const { user } = await readJson(get(fake, "/oauth2/@me", authorization));
    expect(Object.keys(user as object).sort()).toEqual([
      "avatar",
      "avatar_decoration_data",
      "collectibles",
      "discriminator",
      "flags",
      "global_name",
      "id",
      "primary_guild",
      "public_flags",
      "username",
    ]);
    expect(user).toMatchObject({ id: "1", username: "ada" });
  });

  test("returns no user without identify, and responds with 401 without an access token", async () => {
    const fake = smallPlatform();
    expect(await readJson(get(fake, "/oauth2/@me", bearerToken(fake, ["guilds"])))).not
      .toHaveProperty(
        "user",
      );
    expect((await get(fake, "/oauth2/@me")).status).toBe(401);
    expect((await get(fake, "/oauth2/@me", "Bot bot-token")).status).toBe(401);
  });
});
