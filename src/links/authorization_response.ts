/**
 * Checks the authorization response in a redirect: its state, its issuer, and errors.
 *
 * @module
 */

import { throwBadArgument, throwBadObject } from "../core/arguments.ts";
import {
  OAuthError,
  oauthHint,
  StateMismatchError,
  type StateMismatchReason,
} from "../core/errors.ts";
import { createRedactor, startOfVisitorText } from "../core/safe_text.ts";

/** The options of `parseCallback`: the values that Discord's response must have. */
export interface ParseCallbackOptions {
  /** The state of the login that this browser started. `null`, `undefined` and `""` never match. */
  readonly state: string | null | undefined;
  /**
   * The expected issuer (RFC 9207), for example `discord.issuer`. Set it if users can log in at several servers, so that one server
   * can't forge the response of another.
   *
   * @default {not compared}
   */
  readonly issuer?: string | null | undefined;
}

/** The secret parameters: an error never shows their values. */
const secretNames = ["code", "access_token", "refresh_token", "id_token", "state"];

/**
 * Checks that a response belongs to this login and is not an error. Returns the state.
 *
 * @throws {StateMismatchError} If the state or the issuer is missing or does not match.
 * @throws {OAuthError} If the response is an error.
 */
export function checkAuthorizationResponse(
  params: URLSearchParams,
  expected: ParseCallbackOptions,
): string {
  if (typeof expected !== "object" || expected === null) {
    throwBadObject("options", "an object with the expected state", expected);
  }
  const issuer = expected.issuer ?? null;
  if (issuer !== null && (typeof issuer !== "string" || issuer === "")) {
    throwBadArgument("issuer", "the platform's own name as a string", issuer);
  }
  const state = params.get("state");
  const error = params.get("error");
  // Some servers send an error without a state. It is accepted, since a refusal grants nothing.
  if (!error || state !== null) checkState(state, expected.state);
  if (issuer !== null) checkIssuer(params.getAll("iss"), issuer);
  if (error) throw platformError(error, params, expected.state);
  return String(state);
}

/** Creates the error of a response, without its secrets. */
function platformError(error: string, params: URLSearchParams, state: unknown): OAuthError {
  const redact = createRedactor(secretsIn(params, state));
  const description = params.get("error_description");
  const shownError = startOfVisitorText(redact(error));
  return new OAuthError(shownError, {
    description: description === null ? null : startOfVisitorText(redact(description)),
    hint: oauthHint(shownError),
  });
}

/** Checks that a response does not repeat any of these parameters (RFC 6749 section 3.1). */
export function checkNotRepeated(params: URLSearchParams, names: readonly string[]): void {
  for (const name of names) {
    if (params.getAll(name).length > 1) {
      throw invalidResponseError(`The callback has more than one ${name}`);
    }
  }
}

/** Creates the error for a response that breaks the specification. */
export function invalidResponseError(description: string): OAuthError {
  return new OAuthError("invalid_request", { description, hint: oauthHint("invalid_request") });
}

/** Checks that the states match. */
function checkState(received: string | null, expected: unknown): void {
  if (typeof expected !== "string" || expected === "") {
    throw stateMismatchError("no_expected_state");
  }
  if (!received) throw stateMismatchError("no_state");
  if (!isSame(received, expected)) throw stateMismatchError("different");
}

/** Checks that the response has the expected issuer and no other. */
function checkIssuer(received: readonly string[], expected: string): void {
  if (received.length === 0) throw stateMismatchError("no_issuer");
  if (received.some((issuer) => issuer !== expected)) throw stateMismatchError("different_issuer");
}

/** Compares two texts in constant time, so that an attacker can't guess the state character by character. */
function isSame(received: string, expected: string): boolean {
  if (received.length !== expected.length) return false;
  let difference = 0;
  for (let i = 0; i < expected.length; i++) {
    difference |= received.charCodeAt(i) ^ expected.charCodeAt(i);
  }
  return difference === 0;
}

/** Returns every code, token and state of the response, and the expected state. */
function secretsIn(params: URLSearchParams, expected: unknown): string[] {
  const inLink = secretNames.flatMap((name) => params.getAll(name));
  return typeof expected === "string" ? [...inLink, expected] : inLink;
}

/** Creates the error for a callback that does not belong to the login. */
export function stateMismatchError(reason: StateMismatchReason): StateMismatchError {
  const { found, hint } = causes[reason];
  return new StateMismatchError(`The callback does not belong to this login: ${found}`, {
    reason,
    hint,
  });
}

/** The hint for a callback in a browser without the state of its login. */
export const missingCookieHint: string =
  "The cookie of the login is missing: the callback was opened in another browser or after the login expired, cookies are " +
  "blocked, or the login began on another host or path (localhost is not 127.0.0.1); start a new login";

const causes: Readonly<Record<StateMismatchReason, { found: string; hint: string }>> = {
  no_expected_state: {
    found: "no state was expected",
    hint: missingCookieHint,
  },
  no_state: {
    found: "it has no state",
    hint:
      "Start a new login. Its link needs a state: without one, an attacker can forge a callback. Every link to a login must point " +
      "to the page that begins it (the loginPath of a Login), including the install link and the Linked Roles Verification URL of " +
      "the application",
  },
  different: {
    found: "its state does not match",
    hint: "Start a new login; the user may have used an old link, a second tab or another browser",
  },
  no_issuer: {
    found: "it does not name its issuer",
    hint:
      "A platform that sends iss always sends it (RFC 9207): an attacker may have made this callback. For a platform without iss, " +
      "omit issuer",
  },
  different_issuer: {
    found: "its issuer does not match",
    hint:
      "Start a new login. If every login fails like this, check issuer: it must be exactly the platform's own name",
  },
};
