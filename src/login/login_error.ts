/**
 * The error of a refused login or logout.
 *
 * @module
 */

import { GuildpassError } from "../core/errors.ts";

/**
 * The reason for which a login or a logout is refused:
 *
 * - `"insecure_site"`: the application's address is neither HTTPS nor on this machine;
 * - `"other_origin"`: the request came to another name of this machine than the redirect URI has;
 * - `"used"`: the callback was opened before, and that did not end in a login;
 * - `"other_person"`: a session was to be renewed without asking, and the platform named another person; `handle` then asks, so
 *   that this comes from `finish` alone;
 * - `"cross_site"`: another site sent the request to log out.
 */
export type LoginErrorReason =
  | "insecure_site"
  | "other_origin"
  | "used"
  | "other_person"
  | "cross_site";

/** A login or a logout was refused. `reason` is one of {@link LoginErrorReason}, and `hint` says what to do. */
export class LoginError extends GuildpassError {
  /** `"LoginError"`. */
  override get name(): string {
    return "LoginError";
  }
  /** The reason. */
  readonly reason: LoginErrorReason;

  /** Creates an error. */
  constructor(reason: LoginErrorReason, message: string, hint: string) {
    super("login_failed", message, hint);
    this.reason = reason;
  }
}
