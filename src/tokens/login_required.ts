/**
 * Explains why the person must log in again.
 *
 * @module
 */

import { LoginRequiredError, type LoginRequiredReason } from "../core/errors.ts";

/** Creates the error for a token that does not work and can't be refreshed. */
export function loginRequiredError(reason: LoginRequiredReason): LoginRequiredError {
  const message = `There is no valid token: ${causes[reason]}`;
  const hint = reason === "unreadable" ? unreadableHint : "Start a new login";
  return new LoginRequiredError(message, { reason, hint });
}

const unreadableHint =
  "Check the secret: it may differ from the one at the login. A new login replaces the token";

const causes: Readonly<Record<LoginRequiredReason, string>> = {
  no_token: "the store has none",
  unreadable: "the one in the store can't be opened",
  no_refresh_token: "the last one has expired or was rejected, and came without a refresh token",
  refused:
    "the platform refused the refresh token. The person may have removed the application, or something else has used it",
};
