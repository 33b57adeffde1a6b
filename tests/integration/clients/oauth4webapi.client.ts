import * as oauth from "oauth4webapi";
import { expect, test } from "vitest";
import {
  ada,
  consent,
  credentials,
  redirectUri,
  startPlatform,
  statusOf,
} from "./support/platform.ts";

await startPlatform();

test("oauth4webapi discovers, logs in, reads, refreshes and revokes", async () => {
  const issuer = new URL("https://discord.com");
  const found = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer));
  const client: oauth.Client = { client_id: credentials.id };
  const auth = oauth.ClientSecretBasic(credentials.secret);
  const [state, nonce, verifier] = [
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
    oauth.generateRandomCodeVerifier(),
  ];
  const link = new URL(found.authorization_endpoint ?? "");
  link.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid identify email",
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();

  const params = oauth.validateAuthResponse(found, client, await consent(link), state);
  const response = await oauth.authorizationCodeGrantRequest(
    found,
    client,
    auth,
    params,
    redirectUri,
    verifier,
  );
  const first = await oauth.processAuthorizationCodeResponse(found, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(found, response);
  expect(oauth.getValidatedIdTokenClaims(first)?.sub).toBe(ada.id);

  const info = await oauth.processUserInfoResponse(
    found,
    client,
    ada.id,
    await oauth.userInfoRequest(found, client, first.access_token),
  );
  expect(info).toMatchObject({ sub: ada.id, email: ada.email, preferred_username: ada.username });

  const second = await oauth.processRefreshTokenResponse(
    found,
    client,
    await oauth.refreshTokenGrantRequest(found, client, auth, first.refresh_token ?? ""),
  );
  expect(await statusOf(second.access_token)).toBe(200);

  // The platform's discovery document does not name the endpoint.
  expect(found.revocation_endpoint).toBeUndefined();
  const withRevocation = {
    ...found,
    revocation_endpoint: "https://discord.com/api/oauth2/token/revoke",
  };
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(withRevocation, client, auth, second.access_token),
  );
  expect(await statusOf(second.access_token)).toBe(401);
});

test("oauth4webapi gets an OAuth error for a used code", async () => {
  const issuer = new URL("https://discord.com");
  const found = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer));
  const client: oauth.Client = { client_id: credentials.id };
  const auth = oauth.ClientSecretPost(credentials.secret);
  const link = `${found.authorization_endpoint}?` + new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "identify",
  });
  const params = oauth.validateAuthResponse(found, client, await consent(link));
  const exchange = async () =>
    await oauth.processAuthorizationCodeResponse(
      found,
      client,
      await oauth.authorizationCodeGrantRequest(
        found,
        client,
        auth,
        params,
        redirectUri,
        oauth.nopkce,
      ),
    );
  expect((await exchange()).scope).toBe("identify");
  await expect(exchange()).rejects.toMatchObject({ error: "invalid_grant" });
});
