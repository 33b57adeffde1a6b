/**
 * What OpenID Connect says about a user.
 *
 * @module
 */

import { freeze, readAnswer, type Report } from "./reading.ts";
import { boolean, object, optional, printable, required, string } from "./shapes.ts";

/**
 * What OpenID Connect says about a user. A field is `null` when the platform did not send it or sent something that can't be read;
 * only `sub` is always there. An answer without it does not say whom it is about, and must not be used (OpenID Connect Core
 * section 5.3.2).
 *
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#UserInfoResponse | OpenID Connect Core section 5.3.2}
 */
export interface UserInfoObj {
  /** The user's id: the same as `UserObj.id`, and as `sub` of an `id_token`. */
  readonly sub: string;
  /** The e-mail address; needs the `email` scope. */
  readonly email: string | null;
  /** Whether the e-mail address is verified; needs the `email` scope. */
  readonly email_verified: boolean | null;
  /** The user's name, as in `UserObj.username`; needs the `identify` scope, as all that follow do. */
  readonly preferred_username: string | null;
  /** The name to show, as in `UserObj.global_name`. */
  readonly nickname: string | null;
  /** URL of the avatar; `null` also for a user without one. */
  readonly picture: string | null;
  /** The chosen language, for example `en-US`. */
  readonly locale: string | null;
}

/** How the answer is read. */
export const userInfo = object<UserInfoObj>({
  sub: required(printable),
  email: optional(string),
  email_verified: optional(boolean),
  preferred_username: optional(string),
  nickname: optional(string),
  picture: optional(string),
  locale: optional(string),
});

/**
 * Reads the answer to `GET /oauth2/userinfo`.
 *
 * @throws {PayloadError} When `sub` is missing or can't be read.
 */
export function toUserInfo(payload: unknown, report: Report): UserInfoObj {
  return freeze(readAnswer("The user info", userInfo, payload, report));
}
