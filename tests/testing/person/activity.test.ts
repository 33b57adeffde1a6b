import { describe, expect, test } from "vitest";
import {
  APP,
  CHALLENGE,
  get,
  PUBLIC_APP,
  readJson,
  readOauthError,
  requestToken,
  smallPlatform,
  VERIFIER,
} from "../small_platform.ts";

describe("FakePlatform.authorizeActivity()", () => {
  test("returns a code for an exchange without a redirect URI", async () => {
    const fake = smallPlatform();
    const code = await fake.authorizeActivity({ as: "bob", scopes: ["identify", "guilds"] });
    const [redirectUri = ""] = APP.redirectUris;
    expect(await readOauthError(requestToken(fake, { code, redirect_uri: redirectUri })))
      .toEqual([400, "invalid_grant", 'Invalid "code" in request.']);
    const token = await readJson(requestToken(fake, { code }));
    expect(token).toMatchObject({ scope: "identify guilds" });
    const me = await readJson(get(fake, "/users/@me", `Bearer ${token.access_token}`));
    expect(me).toMatchObject({ username: "bob" });
  });

  test("asks the first user for the scope identify of the first application", async () => {
    const fake = smallPlatform();
    const token = await readJson(requestToken(fake, { code: await fake.authorizeActivity() }));
    const authorization = await readJson(get(fake, "/oauth2/@me", `Bearer ${token.access_token}`));
    expect(authorization).toMatchObject({
      application: { id: APP.id },
      user: { id: "1" },
      scopes: ["identify"],
    });
  });

  test("binds the code to a PKCE challenge", async () => {
    const fake = smallPlatform();
    const challenge = { clientId: PUBLIC_APP.id, codeChallenge: CHALLENGE };
    const code = await fake.authorizeActivity(challenge);
    const form = { code, client_id: PUBLIC_APP.id };
    expect((await requestToken(fake, form, {})).status).toBe(400);
    expect((await requestToken(fake, { ...form, code_verifier: VERIFIER }, {})).status).toBe(200);
    await expect(fake.authorizeActivity({ clientId: PUBLIC_APP.id })).rejects.toThrow(
      "invalid_request: code_challenge required",
    );
  });

  test("takes the argument of the SDK, and returns the code alone", async () => {
    const fake = smallPlatform();
    const request = {
      client_id: PUBLIC_APP.id,
      response_type: "code",
      scope: ["identify"],
      state: "state",
      prompt: "none",
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
    } as const;
    const result = await fake.authorizeActivity(request, { as: "bob" });
    expect(Object.keys(result)).toEqual(["code"]);
    const form = { code: result.code, client_id: PUBLIC_APP.id, code_verifier: VERIFIER };
    const token = await readJson(requestToken(fake, form, {}));
    const me = await readJson(get(fake, "/users/@me", `Bearer ${token.access_token}`));
    expect(me).toMatchObject({ username: "bob" });
    expect(
      await fake.authorizeActivity({ client_id: APP.id, scope: ["identify"], prompt: undefined }),
    )
      .toMatchObject({ code: expect.any(String) });
    const refused: [object, string][] = [
      [{ redirect_uri: "https://app.example" }, "redirect_uri is unknown"],
      [{ code_challenge_method: "plain" }, "code_challenge_method must be S256"],
      [{ code_challenge: "short" }, "code_challenge must be 43 base64url characters"],
      [{ scope: ["identify", "x"] }, "invalid_scope"],
      [{ response_type: "other" }, "unsupported_response_type"],
      [{ client_id: "9" }, "no application has the client_id 9"],
    ];
    for (const [change, message] of refused) {
      await expect(fake.authorizeActivity({ ...request, ...change })).rejects.toThrow(message);
    }
    await expect(fake.authorizeActivity(request, { as: "eve" })).rejects.toThrow('received "eve"');
  });

  test("rejects with the reason of the platform", async () => {
    const fake = smallPlatform({ applications: [APP, { id: "300", secret: "s" }] });
    await expect(fake.authorizeActivity({ scopes: ["identify", "x"] })).rejects.toThrow(
      new TypeError("invalid_scope: The requested scope is invalid, unknown, or malformed."),
    );
    await expect(fake.authorizeActivity({ clientId: "300" })).rejects.toThrow(
      "Missing redirect_uri: the application has no registered one to fall back to",
    );
    await expect(fake.authorizeActivity({ as: "eve" })).rejects.toThrow('received "eve"');
    await expect(fake.authorizeActivity({ clientId: "9" })).rejects.toThrow('received "9"');
  });
});
