/**
 * Creates the errors for callbacks that do not belong to the login.
 *
 * @module
 */

import { StateMismatchError, type StateMismatchReason } from "../core/errors.ts";

/** Creates the error for a callback that does not belong to the login. */
export function stateMismatchError(reason: StateMismatchReason): StateMismatchError {
  const { found, hint } = causes[reason];
  return new StateMismatchError(`The callback does not belong to this login: ${found}`, {
    reason,
    hint,
  });
}

const causes: Readonly<Record<StateMismatchReason, { found: string; hint: string }>> = {
  no_expected_state: {
    found: "no state was expected",
    hint:
      "The cookie with the state is missing: it has expired, is blocked, or is for another host or path " +
      "(localhost is not 127.0.0.1), or the person came by an old link; start a new login",
  },
  no_state: {
    found: "it has no state",
    hint:
      "Start a new login. Its link needs a state, since without one an attacker can forge a callback. If the platform made the " +
      "link (an install link, the Linked Roles Verification URL), let it lead to the page that begins a login",
  },
  different: {
    found: "its state does not match",
    hint:
      "Start a new login; the person may have used an old link, a second tab or another browser",
  },
  no_issuer: {
    found: "it does not name its issuer",
    hint:
      "A platform that sends iss sends it always (RFC 9207): an attacker may have made this callback. For a platform that " +
      "does not, leave issuer out",
  },
  different_issuer: {
    found: "its issuer does not match",
    hint:
      "Start a new login. If every login ends here, check issuer: it must be exactly the platform's own name",
  },
};
