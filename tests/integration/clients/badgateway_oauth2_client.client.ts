import { generateCodeVerifier, OAuth2Client } from "@badgateway/oauth2-client";
import { expect, test } from "vitest";
import { consent, credentials, redirectUri, startPlatform, statusOf } from "./support/platform.ts";

await startPlatform();

test("@badgateway/oauth2-client logs in, refreshes and revokes", async () => {
  // The library has no addresses of its own. These are from the platform's documentation.
  const client = new OAuth2Client({
    server: "https://discord.com",
    clientId: credentials.id,
    clientSecret: credentials.secret,
    authorizationEndpoint: "/oauth2/authorize",
    tokenEndpoint: "/api/oauth2/token",
    revocationEndpoint: "/api/oauth2/token/revoke",
  });
  const codeVerifier = await generateCodeVerifier();
  const callback = await consent(
    await client.authorizationCode.getAuthorizeUri({
      redirectUri,
      state: "s7ate",
      codeVerifier,
      scope: ["identify"],
    }),
  );
  const first = await client.authorizationCode.getTokenFromCodeRedirect(callback, {
    redirectUri,
    state: "s7ate",
    codeVerifier,
  });
  expect(await statusOf(first.accessToken)).toBe(200);

  const second = await client.refreshToken(first);
  expect(second.refreshToken).not.toBe(first.refreshToken);
  expect(await statusOf(second.accessToken)).toBe(200);

  await client.revoke(second);
  expect(await statusOf(second.accessToken)).toBe(401);
});

test("@badgateway/oauth2-client discovers the endpoints", async () => {
  const client = new OAuth2Client({
    server: "https://discord.com",
    clientId: credentials.id,
    clientSecret: credentials.secret,
  });
  expect(await client.getEndpoint("authorizationEndpoint")).toBe(
    "https://discord.com/oauth2/authorize",
  );
  const token = await client.clientCredentials({ scope: ["identify"] });
  expect(await statusOf(token.accessToken)).toBe(200);
});
