/**
 * Implements OpenID Connect: signs an `id_token`, and serves the signing key and the user info.
 *
 * @module
 */

import { toBase64Url } from "../../core/base64url.ts";
import { requireBearer } from "../http/authentication.ts";
import type { Call, Routes } from "../http/call.ts";
import { json } from "../http/responses.ts";
import { sha256 } from "../world/encoding.ts";
import { includesScope } from "../world/scopes.ts";
import { randomToken } from "../world/tokens.ts";
import type { Consent, IdTokenKey, World } from "../world/world.ts";

export const openIdRoutes: Routes = {
  "/oauth2/keys": { GET: publicKeys },
  "/oauth2/userinfo": { GET: userInfo },
};

async function publicKeys({ world }: Call): Promise<Response> {
  const { publicJwk } = await signingKey(world);
  return json({ keys: [publicJwk] });
}

function userInfo(call: Call): Response {
  const { user, scopes } = requireBearer(call, "openid").grant;
  const { id, username, global_name, avatar, locale, email, verified } = user.payload;
  const { cdnUrl } = call.world;
  return json({
    sub: id,
    ...(includesScope(scopes, "identify")
      ? {
        preferred_username: username,
        nickname: global_name,
        ...(avatar === null ? {} : { picture: `${cdnUrl}/avatars/${id}/${avatar}.png` }),
        locale,
      }
      : {}),
    ...(scopes.includes("email") ? { email, email_verified: verified } : {}),
  });
}

/**
 * Signs an `id_token` (OpenID Connect Core section 2). As on the platform, `sub` is the only claim about the user, and the
 * audience is a list.
 */
export async function signIdToken(
  world: World,
  login: Consent,
  accessToken: string,
): Promise<string> {
  const { key, publicJwk } = await signingKey(world);
  const { application, user } = login.grant;
  const now = Math.floor(world.now() / 1000);
  const input = [
    { alg: "RS256", typ: "JWT", kid: publicJwk.kid },
    {
      iss: world.origin,
      sub: user.payload.id,
      aud: [application.id],
      iat: now,
      exp: now + 3600,
      auth_time: Math.floor(login.issuedAt / 1000),
      at_hash: await accessTokenHash(accessToken),
      ...(login.nonce === null ? {} : { nonce: login.nonce }),
    },
  ].map((part) => toBase64Url(new TextEncoder().encode(JSON.stringify(part)))).join(".");
  const signature = await crypto.subtle.sign(
    signingAlgorithm.name,
    key,
    new TextEncoder().encode(input),
  );
  return `${input}.${toBase64Url(new Uint8Array(signature))}`;
}

/** Returns the left half of the token's SHA-256 digest (OpenID Connect Core section 3.1.3.6). */
async function accessTokenHash(accessToken: string): Promise<string> {
  return toBase64Url((await sha256(accessToken)).subarray(0, 16));
}

/** The algorithm RS256, as in the discovery document. */
const signingAlgorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

/** Returns the platform's signing key. The key is created on first use, since creating an RSA key is slow and few tests need it. */
function signingKey(world: World): Promise<IdTokenKey> {
  world.idTokenKey ??= createSigningKey();
  return world.idTokenKey;
}

async function createSigningKey(): Promise<IdTokenKey> {
  const pair = await crypto.subtle.generateKey(
    { ...signingAlgorithm, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ["sign", "verify"],
  );
  const { kty, n, e } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const publicJwk = { kty, n, e, use: "sig", alg: "RS256", kid: randomToken("key") };
  return { key: pair.privateKey, publicJwk };
}
