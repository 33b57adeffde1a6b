/**
 * Reads the claims of an `id_token`.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { looseObject, number, orNull, type Schema } from "./schemas.ts";

/**
 * The claims of an `id_token` (OpenID Connect Core section 2). A field that is missing or can't be read is `null`; `iss`, `sub`,
 * `aud`, `exp` and `iat` are always there. The platform's own tokens identify the user by `sub` alone; the response of `GET
 * /oauth2/userinfo` describes the user.
 *
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#IDToken | OpenID Connect Core section 2}
 */
export interface IdTokenClaims {
  /** The issuer: the name of the platform. */
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
  /** The time at which the user logged in, in seconds since the epoch. */
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
  /** The e-mail address. */
  readonly email: string | null;
  /** True if the e-mail address is verified. */
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
