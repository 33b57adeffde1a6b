import * as openid from "openid-client";
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

test("openid-client discovers, logs in, reads, refreshes and revokes", async () => {
  const config = await openid.discovery(
    new URL("https://discord.com"),
    credentials.id,
    credentials.secret,
  );
  openid.enableNonRepudiationChecks(config);
  const [verifier, state, nonce] = [
    openid.randomPKCECodeVerifier(),
    openid.randomState(),
    openid.randomNonce(),
  ];
  const callback = await consent(openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: "openid identify",
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
  }));
  const first = await openid.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  expect(first.claims()?.sub).toBe(ada.id);

  const info = await openid.fetchUserInfo(config, first.access_token, ada.id);
  expect(info.preferred_username).toBe(ada.username);

  const second = await openid.refreshTokenGrant(config, first.refresh_token ?? "");
  expect(await statusOf(second.access_token)).toBe(200);

  // The platform's discovery document does not name the endpoint.
  expect(config.serverMetadata().revocation_endpoint).toBeUndefined();
  const withRevocation = new openid.Configuration(
    {
      issuer: "https://discord.com",
      revocation_endpoint: "https://discord.com/api/oauth2/token/revoke",
    },
    credentials.id,
    credentials.secret,
  );
  await openid.tokenRevocation(withRevocation, second.access_token);
  expect(await statusOf(second.access_token)).toBe(401);
});
