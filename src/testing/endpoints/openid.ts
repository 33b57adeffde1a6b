/**
 * Signed identities (OpenID Connect Core section 2) and the key that proves them.
 *
 * @module
 */

import { base64url } from "../world/encoding.ts";
import { randomToken } from "../world/tokens.ts";
import type { User } from "../world/user.ts";
import type { Login, SigningKey, World } from "../world/world.ts";

/** What `GET /oauth2/keys` answers. */
export async function signingKeys(
  world: World,
): Promise<{ keys: Readonly<Record<string, unknown>>[] }> {
  const { publicJwk } = await keyOf(world);
  return { keys: [publicJwk] };
}

/** What `GET /oauth2/userinfo` answers: the claims about a user that the scopes allow. */
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
        ...(avatar === null ? {} : { picture: `${world.cdnUrl}/avatars/${id}/${avatar}.png` }),
        locale,
      }
      : {}),
    ...(scopes.includes("email") ? { email, email_verified: verified } : {}),
  };
}

/**
 * An `id_token` for a login. As on the platform it says who the user is by `sub` alone, and the
 * audience is a list.
 */
export async function signIdToken(
  world: World,
  login: Login,
  accessToken: string,
): Promise<string> {
  const { key, publicJwk } = await keyOf(world);
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
      at_hash: await halfDigest(accessToken),
      ...(login.nonce === null ? {} : { nonce: login.nonce }),
    },
  ].map((part) => base64url(new TextEncoder().encode(JSON.stringify(part)))).join(".");
  const signature = await crypto.subtle.sign(
    signingAlgorithm.name,
    key,
    new TextEncoder().encode(input),
  );
  return `${input}.${base64url(new Uint8Array(signature))}`;
}

/** The left half of the SHA-256 digest (OpenID Connect Core section 3.1.3.6). */
async function halfDigest(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return base64url(new Uint8Array(digest).subarray(0, 16));
}

/** The platform signs with RS256, as its discovery document says. */
const signingAlgorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

/** Made when first asked for: an RSA key takes long, and most tests need none. */
function keyOf(world: World): Promise<SigningKey> {
  world.signingKey ??= createKey();
  return world.signingKey;
}

async function createKey(): Promise<SigningKey> {
  const pair = await crypto.subtle.generateKey(
    { ...signingAlgorithm, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ["sign", "verify"],
  );
  const { kty, n, e } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const publicJwk = { kty, n, e, use: "sig", alg: "RS256", kid: randomToken("key") };
  return { key: pair.privateKey, publicJwk };
}
