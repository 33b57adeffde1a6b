import { describe, expect, test } from "vitest";
import { type LoginError, StateMismatchError } from "../../../mod.ts";
import {
  noPendingLoginError,
  noSessionError,
  otherLoginError,
  refusedNewTokenError,
} from "../../../src/login/base/login_error.ts";

describe("The error for", () => {
  test.each<[string, () => LoginError | StateMismatchError, string, string, string]>([
    [
      "a new token that is refused",
      refusedNewTokenError,
      "refused_token",
      "The platform responded with 401 to its own new token",
      "For some accounts, every new token is refused. Ask the user to remove the application on the platform under User Settings > " +
      "Authorized Apps, and to log in again. Do not start a new login automatically: refused requests count toward an IP ban",
    ],
    [
      "a request without a session",
      noSessionError,
      "no_session",
      "The request has no session, or it has ended",
      "Ask the user to log in, as when session() returns null",
    ],
    [
      "a callback without a state",
      () => noPendingLoginError(null, true),
      "no_state",
      "The callback does not belong to this login: it has no state",
      "Start a new login. Its link needs a state: without one, an attacker can forge a callback. Every link to a login must point " +
      "to the page that begins it (the loginPath of a Login), including the install link and the Linked Roles Verification URL of " +
      "the application",
    ],
    [
      "a callback of another browser",
      () => noPendingLoginError("st4te", false),
      "no_expected_state",
      "The callback does not belong to a login that this browser began in the last ten minutes",
      "The cookie of the login is missing: the callback was opened in another browser or after the login expired, cookies are " +
      "blocked, or the login began on another host or path (localhost is not 127.0.0.1); start a new login",
    ],
    [
      "a callback with a bot and without a login",
      () => noPendingLoginError("st4te", true),
      "no_expected_state",
      "The callback does not belong to a login that this browser began in the last ten minutes",
      "The bot may still have been added: check with the bot's token. Do not trust the guild_id: any visitor can make up such a URL",
    ],
    [
      "a callback of another Login",
      otherLoginError,
      "other_login",
      "The callback belongs to a Login with another name in this browser",
      "Give each Login its own callbackPath, and a redirectUri with that path if it has one. Register all of them on the platform",
    ],
  ])("%s says what has happened and what to do", (_what, createError, reason, message, hint) => {
    const error = createError();
    expect(error).toMatchObject({
      name: error instanceof StateMismatchError ? "StateMismatchError" : "LoginError",
      reason,
      message,
      hint,
    });
  });
});
