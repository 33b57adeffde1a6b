/**
 * What every answer in a redirect has: the state of its login, the server that it comes from, or an error.
 *
 * @module
 */

import { throwBadArgument } from "../core/arguments.ts";
import { OAuthError } from "../core/errors.ts";
import { oauthHint } from "../core/oauth_hint.ts";
import { createRedactor } from "../core/redactor.ts";
import { stateMismatchError } from "./state_mismatch.ts";

/** What the answer in a redirect is compared with. */
export interface ExpectedAnswer {
  /** The state this browser's login started with; `null`, `undefined` and `""` match no answer. */
  readonly state: string | null | undefined;
  /**
   * What the platform calls itself, for example `discord.issuer`: the answer must then say that it comes from there (RFC 9207).
   * Worth it for an application where people can log in at several servers, so that none of them can pass an answer of its own
   * off as another one's.
   *
   * @default {not compared}
   */
  readonly issuer?: string | null | undefined;
}

/** The parameters of an answer that no error may repeat. */
const secretNames = ["code", "access_token", "refresh_token", "id_token", "state"];

/**
 * Checks that an answer belongs to this login and is no error, and gives its state.
 *
 * @throws {StateMismatchError} When it belongs to another login, or comes from another server.
 * @throws {OAuthError} When it is an error.
 */
export function checkAuthorizationResponse(
  params: URLSearchParams,
  expected: ExpectedAnswer,
): string {
  if (typeof expected !== "object" || expected === null) {
    throwBadArgument("options", "an object with the expected state", expected);
  }
  const issuer = expected.issuer ?? null;
  if (issuer !== null && (typeof issuer !== "string" || issuer === "")) {
    throwBadArgument("issuer", "the platform's own name as text", issuer);
  }
  const state = params.get("state");
  const error = params.get("error");
  // An error without a state is accepted: some servers leave it out there, and a refusal grants nothing.
  if (!error || state !== null) checkState(state, expected.state);
  if (issuer !== null) checkIssuer(params.getAll("iss"), issuer);
  if (error) {
    const redact = createRedactor(secretsIn(params, expected.state));
    const description = params.get("error_description");
    const shownError = redact(error);
    throw new OAuthError(shownError, {
      description: description === null ? null : redact(description),
      hint: oauthHint(shownError),
    });
  }
  return String(state);
}

/** Refuses an answer that has one of these parameters twice (RFC 6749 section 3.1). */
export function checkNotRepeated(params: URLSearchParams, names: readonly string[]): void {
  for (const name of names) {
    if (params.getAll(name).length > 1) {
      throw invalidAnswerError(`The callback has more than one ${name}`);
    }
  }
}

/** Creates the error for an answer that breaks the specification. */
export function invalidAnswerError(description: string): OAuthError {
  return new OAuthError("invalid_request", { description, hint: oauthHint("invalid_request") });
}

/** Throws when the states are not the same. */
function checkState(received: string | null, expected: unknown): void {
  if (typeof expected !== "string" || expected === "") {
    throw stateMismatchError("no_expected_state");
  }
  if (!received) throw stateMismatchError("no_state");
  if (!isSame(received, expected)) throw stateMismatchError("different");
}

/** Throws when the answer does not name the issuer, or names another one beside it. */
function checkIssuer(received: readonly string[], expected: string): void {
  if (received.length === 0) throw stateMismatchError("no_issuer");
  if (received.some((issuer) => issuer !== expected)) {
    throw stateMismatchError("different_issuer");
  }
}

/** Compares in constant time, so that nobody can measure how much of a guess was right. */
function isSame(received: string, expected: string): boolean {
  if (received.length !== expected.length) return false;
  let difference = 0;
  for (let i = 0; i < expected.length; i++) {
    difference |= received.charCodeAt(i) ^ expected.charCodeAt(i);
  }
  return difference === 0;
}

/** Every code, token and state, however often the link has them, and the state that was expected. */
function secretsIn(params: URLSearchParams, expected: unknown): string[] {
  const inLink = secretNames.flatMap((name) => params.getAll(name));
  return typeof expected === "string" ? [...inLink, expected] : inLink;
}
