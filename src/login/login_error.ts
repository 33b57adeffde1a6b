/**
 * What goes wrong with a login apart from what the platform answers.
 *
 * @module
 */

import { GuildpassError } from "../core/errors.ts";

/**
 * Why a login, or its end, is refused:
 *
 * - `"insecure_site"`: the application's address is neither HTTPS nor on this machine;
 * - `"other_origin"`: the request came to another name of this machine than the redirect URI has;
 * - `"used"`: the callback was opened before, and that did not end in a login;
 * - `"other_person"`: a session was to be renewed without asking, and the platform answered about somebody else; `handle` then
 *   asks, so that only `finish` shows it;
 * - `"cross_site"`: another site sent the request to log out.
 */
export type LoginErrorReason =
  | "insecure_site"
  | "other_origin"
  | "used"
  | "other_person"
  | "cross_site";

/** A login, or its end, is refused; {@link LoginErrorReason} has each `reason`, and `hint` says what to do. */
export class LoginError extends GuildpassError {
  /** `"LoginError"`. */
  override get name(): string {
    return "LoginError";
  }
  /** Why. */
  readonly reason: LoginErrorReason;

  /** Takes the reason, what was found, and what to do about it. */
  constructor(reason: LoginErrorReason, message: string, hint: string) {
    super("login_failed", message, hint);
    this.reason = reason;
  }
}
