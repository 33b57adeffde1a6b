/**
 * What OpenID Connect says about a user.
 *
 * @module
 */

import { freeze, readAnswer, type Report } from "./reading.ts";
import { boolean, object, optional, printable, string } from "./shapes.ts";

/**
 * What OpenID Connect says about a user. A field is `null` when the platform did not send it or sent something that can't be read.
 *
 * Use it together with an `id_token` only when `sub` is that of the `id_token` (OpenID Connect Core section 5.3.2), and so never
 * when it is `null`.
 *
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#UserInfoResponse | OpenID Connect Core section 5.3.2}
 */
export interface UserInfoObj {
  /** The user's id: the same as `UserObj.id`, and as `sub` of an `id_token`. This platform has left it out in the past. */
  readonly sub: string | null;
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

/** The shape of the answer. @internal */
export const userInfo = object<UserInfoObj>({
  sub: optional(printable),
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
 * @throws {PayloadError} When it is not an object.
 */
export function toUserInfo(payload: unknown, report: Report): UserInfoObj {
  return freeze(readAnswer("The user info", userInfo, payload, report));
}
