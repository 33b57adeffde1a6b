/**
 * Signed identities (OpenID Connect Core, section 2) and the key that proves them.
 *
 * @module
 */

import type { Code, SigningKey, User, World } from "./world.ts";
import { base64url, randomToken } from "./world.ts";

/** What `GET /oauth2/keys` answers. */
export async function signingKeys(
  world: World,
): Promise<{ keys: Readonly<Record<string, unknown>>[] }> {
  const { publicJwk } = await keyOf(world);
  return { keys: [publicJwk] };
}

/** The claims about a user that the scopes allow. */
export function identityClaims(
  world: World,
  user: User,
  scopes: readonly string[],
): Record<string, unknown> {
  const { id, username, global_name, avatar, locale, email, verified } = user.payload;
  return {
    sub: id,
    ...(scopes.includes("identify")
      ? {
        preferred_username: username,
        nickname: global_name,
        picture: avatar === null ? null : `${world.origin}/cdn/avatars/${id}/${avatar}.png`,
        locale,
      }
      : {}),
    ...(scopes.includes("email") ? { email, email_verified: verified } : {}),
  };
}

/** An `id_token` for the login that a code stands for. */
export async function signIdToken(world: World, code: Code): Promise<string> {
  const { key, publicJwk } = await keyOf(world);
  const { application, user, scopes } = code.grant;
  const now = Math.floor(world.now() / 1000);
  const input = [
    { alg: "RS256", typ: "JWT", kid: publicJwk.kid },
    {
      iss: world.origin,
      ...identityClaims(world, user, scopes),
      aud: application.id,
      iat: now,
      exp: now + 3600,
      auth_time: Math.floor(code.issuedAt / 1000),
      ...(code.nonce === null ? {} : { nonce: code.nonce }),
    },
  ].map((part) => base64url(new TextEncoder().encode(JSON.stringify(part)))).join(".");
  const signature = await crypto.subtle.sign(
    ALGORITHM.name,
    key,
    new TextEncoder().encode(input),
  );
  return `${input}.${base64url(new Uint8Array(signature))}`;
}

/** The platform signs with RS256, as its discovery document says. */
const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

/** Made when first asked for: an RSA key takes long, and most tests need none. */
function keyOf(world: World): Promise<SigningKey> {
  world.signingKey ??= createKey();
  return world.signingKey;
}

async function createKey(): Promise<SigningKey> {
  const pair = await crypto.subtle.generateKey(
    { ...ALGORITHM, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ["sign", "verify"],
  );
  const { kty, n, e } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const publicJwk = { kty, n, e, use: "sig", alg: "RS256", kid: randomToken("key") };
  return { key: pair.privateKey, publicJwk };
}
