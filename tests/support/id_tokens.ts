/**
 * A platform that signs what a test tells it to: the right `id_token`s, and every kind of wrong one.
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
import { type Answer, answering, saying } from "./answers.ts";

export const clientId = "1100000000000000001";

/** A key to sign with, and how a platform publishes it. */
export interface KeyPair {
  readonly privateKey: CryptoKey;
  readonly jwk: Readonly<Record<string, unknown>>;
}

export async function keyPair(kid: string): Promise<KeyPair> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  return { privateKey, jwk: { ...await exportJWK(publicKey), kid, alg: "RS256", use: "sig" } };
}

/** What an `id_token` of the platform says, issued now. */
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

/** A token with other claims or another header than usual; an `undefined` takes one away. */
export async function signed(
  { privateKey, jwk }: KeyPair,
  claims: Readonly<Record<string, unknown>> = {},
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> {
  return await new SignJWT({ ...usualClaims(), ...claims })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: String(jwk["kid"]), ...header })
    .sign(privateKey);
}

/** A platform that has these keys, and the requests that it got. */
export function platformWith(...keys: readonly KeyPair[]): {
  readonly platform: Platform;
  readonly fetch: Fetch;
  readonly requests: readonly Request[];
} {
  return keysAnsweredWith(saying({ keys: keys.map(({ jwk }) => jwk) }));
}

/** A platform that answers the request for its keys in these ways, in turn. */
export function keysAnsweredWith(...answers: readonly Answer[]): {
  readonly platform: Platform;
  readonly fetch: Fetch;
  readonly requests: readonly Request[];
} {
  return { platform: discord, ...answering(...answers) };
}
