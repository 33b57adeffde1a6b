/**
 * Explains why the person must log in again.
 *
 * @module
 */

import { LoginRequiredError, type LoginRequiredReason } from "../core/errors.ts";

/** Creates the error for a token that does not work and can't be refreshed. */
export function loginRequiredError(reason: LoginRequiredReason): LoginRequiredError {
  const message = `There is no valid token: ${causes[reason]}`;
  return new LoginRequiredError(reason, message, "Start a new login");
}

const causes: Readonly<Record<LoginRequiredReason, string>> = {
  no_token: "the store has none of this person that can be read",
  no_refresh_token:
    "the last one has expired, or is not accepted any more, and it came without a refresh token",
  refused:
    "the platform refused the refresh token. The person may have removed the application, or " +
    "something else than this store has used the refresh token",
};
