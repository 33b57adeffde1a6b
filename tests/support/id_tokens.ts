/**
 * Signs right and wrong `id_token`s, and publishes the keys.
 *
 * @module
 */

import {
  exportJWK,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from "jose";
import { discord, type Fetch, type Platform } from "../../mod.ts";
import { fakeFetch, type Responder, respondWith } from "./responders.ts";

export const clientId = "1100000000000000001";

/** A private key, and the public key in its published form. */
export interface KeyPair {
  readonly privateKey: CryptoKey;
  readonly jwk: Readonly<Record<string, unknown>>;
}

/** The key pairs by name. It takes long to make one. */
const keyPairs = new Map<string, Promise<KeyPair>>();

/** Returns the key pair with a name. The first call makes it. */
export function keyPair(kid: string): Promise<KeyPair> {
  const known = keyPairs.get(kid) ?? makeKeyPair(kid);
  keyPairs.set(kid, known);
  return known;
}

async function makeKeyPair(kid: string): Promise<KeyPair> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  return { privateKey, jwk: { ...await exportJWK(publicKey), kid, alg: "RS256", use: "sig" } };
}

/** Returns the claims of an `id_token` issued now. */
export function usualClaims(): JWTPayload {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: "https://discord.com",
    sub: "1000000000000000001",
    aud: [clientId],
    iat: now,
    exp: now + 3600,
  };
}

/** Signs a token with the given claims and header over the usual ones. An `undefined` removes a claim. */
export async function signed(
  { privateKey, jwk }: KeyPair,
  claims: Readonly<Record<string, unknown>> = {},
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> {
  return await new SignJWT({ ...usualClaims(), ...claims })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: String(jwk["kid"]), ...header })
    .sign(privateKey);
}

/** Makes a platform that publishes these keys, and records its requests. */
export function platformWith(...keys: readonly KeyPair[]): {
  readonly platform: Platform;
  readonly fetch: Fetch;
  readonly requests: readonly Request[];
} {
  return platformRespondingWith(respondWith({ keys: keys.map(({ jwk }) => jwk) }));
}

/** Makes a platform that uses these responders in turn for requests for its keys. */
export function platformRespondingWith(...responders: readonly Responder[]): {
  readonly platform: Platform;
  readonly fetch: Fetch;
  readonly requests: readonly Request[];
} {
  const { fetch, requests } = fakeFetch(...responders);
  // Not enumerable: the platform passes as options.
  return Object.defineProperty({ platform: discord, fetch, requests }, "requests", {
    enumerable: false,
  });
}
