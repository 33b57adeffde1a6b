/**
 * Reads the user info of OpenID Connect.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { looseObject, orNull, printable, type Schema } from "./schemas.ts";

/**
 * The user info of OpenID Connect. A field that is missing or can't be read is `null`.
 *
 * Use the user info with an `id_token` only if both have the same `sub` (OpenID Connect Core section 5.3.2), so never if `sub` is
 * `null`.
 *
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#UserInfoResponse | OpenID Connect Core section 5.3.2}
 */
export interface UserInfoObj {
  /** The user's id, as in `UserObj.id` and as `sub` of an `id_token`. The platform has omitted it in the past. */
  readonly sub: string | null;
  /** The e-mail address; needs the `email` scope. */
  readonly email: string | null;
  /** True if the e-mail address is verified; needs the `email` scope. */
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
