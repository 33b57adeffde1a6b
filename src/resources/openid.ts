/**
 * Reads what Discord says with OpenID Connect: the claims of an `id_token`, the data of a user, and the keys that verify signatures.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { looseObject, number, orNull, printable, type Schema, text } from "./schemas.ts";
import { freeze } from "../core/freeze.ts";
import { readPayload, type Report } from "./reading.ts";

/**
 * The claims of an `id_token` (OpenID Connect Core section 2). A field that is missing or can't be read is `null`; `iss`, `sub`,
 * `aud`, `exp` and `iat` are always there. Discord's own tokens identify the user by `sub` alone; the response of `GET
 * /oauth2/userinfo` describes the user.
 *
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#IDToken | OpenID Connect Core section 2}
 */
export interface IdTokenClaims {
  /** The issuer: the name of Discord. */
  readonly iss: string;
  /** The user's id. */
  readonly sub: string;
  /** The audience: the client id, or a list that contains it. */
  readonly aud: string | readonly string[];
  /** The expiration time, in seconds since the epoch. */
  readonly exp: number;
  /** The time of issue, in seconds since the epoch. */
  readonly iat: number;
  /** The authorized party: the client id of the application that requested the token. */
  readonly azp: string | null;
  /** The time when the user logged in, in seconds since the epoch. */
  readonly auth_time: number | null;
  /** The nonce of the authorization URL. */
  readonly nonce: string | null;
  /** The first half of the access token's digest, in base64url. */
  readonly at_hash: string | null;
  /** The user's name. */
  readonly preferred_username: string | null;
  /** The display name. */
  readonly nickname: string | null;
  /** The URL of the avatar. */
  readonly picture: string | null;
  /** The chosen language, for example `en-US`. */
  readonly locale: string | null;
  /** The email address. */
  readonly email: string | null;
  /** True if the email address is verified. */
  readonly email_verified: boolean | null;
}

/** Creates the schema of the claims of an `id_token`. @internal */
export function idTokenClaimsSchema(): Schema<IdTokenClaims> {
  return looseObject({
    iss: v.string(),
    sub: v.string(),
    aud: v.union([v.string(), v.array(v.string())], "a string or an array of strings"),
    exp: number(),
    iat: number(),
    azp: orNull(v.string()),
    auth_time: orNull(number()),
    nonce: orNull(v.string()),
    at_hash: orNull(v.string()),
    preferred_username: orNull(v.string()),
    nickname: orNull(v.string()),
    picture: orNull(v.string()),
    locale: orNull(v.string()),
    email: orNull(v.string()),
    email_verified: orNull(v.boolean()),
  }, "The id_token");
}

/** A public RSA key of Discord, of 2048 bits or more. */
export interface SigningKey {
  /** The key id, which the header of a signed token names. */
  readonly kid: string | null;
  /** The modulus, in base64url. */
  readonly n: string;
  /** The exponent, in base64url. */
  readonly e: string;
}

/** Creates the schema of the list of keys. A key that is not a valid RSA key is left out. */
function signingKeysSchema(): Schema<{ readonly keys: readonly SentKey[] }> {
  return looseObject({ keys: v.array(sentKeySchema()) }, "The list of signing keys");
}

/** A key as Discord sends it (RFC 7517 section 4). */
interface SentKey extends SigningKey {
  readonly kty: string;
  readonly use: string | null;
  readonly alg: string | null;
}

function sentKeySchema(): Schema<SentKey> {
  return looseObject({
    kty: v.literal("RSA", "RSA"),
    // An RS256 modulus has at least 2048 bits (RFC 7518 section 3.3): 342 characters of base64url.
    n: text(/^[\w-]{342,}$/, "a modulus of 2048 bits or more"),
    // Not below 65537 (`AQAB`): no fewer than three bytes, no leading zeros (`AA` to `AP`), and not 65536 (`AQAA`).
    e: text(/^(?!A[A-P]|AQAA$)[\w-]{4,}$/, "an exponent of 65537 or more"),
    kid: orNull(v.string()),
    use: orNull(v.string()),
    alg: orNull(v.string()),
  });
}

/**
 * Reads the response to `GET /oauth2/keys`.
 *
 * @throws {PayloadError} If the list of keys is missing.
 */
export function toSigningKeys(payload: unknown, report: Report): readonly SigningKey[] {
  const { keys } = readPayload(signingKeysSchema, payload, report);
  const usable = keys.filter(({ use, alg }) =>
    (use ?? "sig") === "sig" && (alg ?? "RS256") === "RS256"
  );
  // Other fields are removed, such as a private key that was published by mistake.
  return freeze(usable.map(({ kid, n, e }) => ({ kid, n, e })));
}

/**
 * The user info of OpenID Connect. A field that is missing or can't be read is `null`.
 *
 * Use the user info with an `id_token` only if both have the same `sub` (OpenID Connect Core section 5.3.2), so never if `sub` is
 * `null`.
 *
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#UserInfoResponse | OpenID Connect Core section 5.3.2}
 */
export interface UserInfoObj {
  /** The user's id, as in `UserObj.id` and as `sub` of an `id_token`. Discord has omitted it in the past. */
  readonly sub: string | null;
  /** The email address; needs the `email` scope. */
  readonly email: string | null;
  /** True if the email address is verified; needs the `email` scope. */
  readonly email_verified: boolean | null;
  /** The user's name, as in `UserObj.username`; needs the `identify` scope. */
  readonly preferred_username: string | null;
  /** The display name, as in `UserObj.global_name`; needs the `identify` scope. */
  readonly nickname: string | null;
  /** The URL of the avatar; `null` also for a user without an avatar. Needs the `identify` scope. */
  readonly picture: string | null;
  /** The chosen language, for example `en-US`; needs the `identify` scope. */
  readonly locale: string | null;
}

/** Creates the schema of the user info: the response to `GET /oauth2/userinfo`. @internal */
export function userInfoSchema(): Schema<UserInfoObj> {
  return looseObject({
    sub: orNull(printable()),
    email: orNull(v.string()),
    email_verified: orNull(v.boolean()),
    preferred_username: orNull(v.string()),
    nickname: orNull(v.string()),
    picture: orNull(v.string()),
    locale: orNull(v.string()),
  }, "The user info");
}
