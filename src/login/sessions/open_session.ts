/**
 * A session in either kind of storage, from which the application's session is made.
 *
 * @module
 */

import type { User } from "../../api/user.ts";
import { includesScope, type TokenObj } from "../../resources/token.ts";
import type { TokenSource } from "../../tokens/token_source.ts";
import type { Session } from "../base/session.ts";

/** The data of a session in both kinds of storage. */
export interface SessionContent {
  readonly user: unknown;
  readonly userId: string;
  /** The scopes that the person has granted. */
  readonly scopes: readonly string[];
  /** The scopes that the person was asked for. */
  readonly asked: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

/** A session that has not ended. */
export interface OpenSession {
  /** Frozen. */
  readonly content: SessionContent;
  /** Creates the token; `null` for a session without a token. */
  readonly createToken: (() => TokenObj | TokenSource) | null;
}

/** Creates the API client for a token of a person. */
export interface UserClients {
  user(token: TokenObj | TokenSource, userId: string): User;
}

/**
 * Returns the session as the application sees it, frozen. The session is a plain object, because frameworks send only plain objects from a
 * server to a page.
 */
export function sessionOf(
  { content, createToken }: OpenSession,
  clients: UserClients,
): Session<unknown> {
  const { user, userId, scopes, startedAt, endsAt } = content;
  // Both are created at their first use, since most requests do not need them.
  let token: TokenObj | TokenSource | null = null;
  let api: User | null = null;
  const tokenOf = () => token ??= createToken && createToken();
  const apiOf = () => {
    const found = tokenOf();
    return api ??= found && clients.user(found, userId);
  };
  const data = { user, scopes, startedAt, endsAt };
  // Not enumerable, so that JSON and serializers never send the token to a page.
  const session = Object.defineProperties(data, {
    token: { get: tokenOf },
    api: { get: apiOf },
    has: { value: (scope: string) => includesScope(scopes, scope) },
  });
  return Object.freeze(session as typeof data & Pick<Session<unknown>, "token" | "api" | "has">);
}

/**
 * Returns the time at which a session ends, in milliseconds since the epoch. A reduced `maxAge`, in seconds, also applies to sessions
 * that began before the change.
 */
export function endWithin(
  maxAge: number,
  { startedAt, endsAt }: Pick<SessionContent, "startedAt" | "endsAt">,
): number {
  return Math.min(endsAt, startedAt + maxAge * 1000);
}

/** Returns true if the person was asked for every scope that the options have now. */
export function wasAskedFor(scope: readonly string[], { asked }: SessionContent): boolean {
  return scope.every((one) => asked.includes(one));
}
