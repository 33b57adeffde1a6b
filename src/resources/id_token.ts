/**
 * What an `id_token` says.
 *
 * @module
 */

import { freeze, readAnswer, type Report } from "./reading.ts";
import * as v from "npm:valibot@^1.5.0";
import { boolean, number, object, optional, required, type Shape, string } from "./shapes.ts";

/**
 * What an `id_token` says (OpenID Connect Core section 2). A field is `null` when the platform did not send it or sent something
 * that can't be read; `iss`, `sub`, `aud`, `exp` and `iat` are always there. The platform's own tokens say who somebody is by
 * `sub` alone; what describes the person is in the answer of `GET /oauth2/userinfo`.
 *
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#IDToken | OpenID Connect Core section 2}
 */
export interface IdTokenClaims {
  /** Who issued it: the platform. */
  readonly iss: string;
  /** The user's id. */
  readonly sub: string;
  /** Which application it is for: the client id, or a list with the client id in it. */
  readonly aud: string | readonly string[];
  /** When it ends, in seconds since the epoch. */
  readonly exp: number;
  /** When it was issued, in seconds since the epoch. */
  readonly iat: number;
  /** Which application asked for it: the client id. */
  readonly azp: string | null;
  /** When the user logged in, in seconds since the epoch. */
  readonly auth_time: number | null;
  /** The nonce of the link. */
  readonly nonce: string | null;
  /** Half of the digest of the access token that came with it, in base64url. */
  readonly at_hash: string | null;
  /** The user's name. */
  readonly preferred_username: string | null;
  /** The name to show. */
  readonly nickname: string | null;
  /** URL of the avatar. */
  readonly picture: string | null;
  /** The chosen language, for example `en-US`. */
  readonly locale: string | null;
  /** The e-mail address. */
  readonly email: string | null;
  /** Whether the e-mail address is verified. */
  readonly email_verified: boolean | null;
}

const audience: Shape<string | readonly string[]> = {
  expected: "a string or an array of strings",
  schema: v.union([v.string(), v.array(v.string())]),
};

/** The shape of the claims of an `id_token`. @internal */
export const idTokenClaims = object<IdTokenClaims>({
  iss: required(string),
  sub: required(string),
  aud: required(audience),
  exp: required(number),
  iat: required(number),
  azp: optional(string),
  auth_time: optional(number),
  nonce: optional(string),
  at_hash: optional(string),
  preferred_username: optional(string),
  nickname: optional(string),
  picture: optional(string),
  locale: optional(string),
  email: optional(string),
  email_verified: optional(boolean),
});

/**
 * Reads what an `id_token` says.
 *
 * @throws {PayloadError} When a claim that is always there can't be read.
 */
export function toIdTokenClaims(payload: unknown, report: Report): IdTokenClaims {
  return freeze(readAnswer("The id_token", idTokenClaims, payload, report));
}
