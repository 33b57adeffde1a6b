/**
 * A session in either kind of storage, from which the application's session is made.
 *
 * @module
 */

import type { User } from "../../api/user.ts";
import { throwBadArgument } from "../../core/arguments.ts";
import { checkOneSpelling } from "../../links/scopes.ts";
import { includesScope, type TokenObj } from "../../resources/token.ts";
import type { TokenSource } from "../../tokens/token_source.ts";
import type { Session, SessionMember } from "../base/session.ts";
import { freeze } from "../../core/freeze.ts";
import { ofThisFormat } from "../../stores/names.ts";
import type { Sealer } from "../../stores/sealed.ts";
import type { ApiClients } from "./api_clients.ts";

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
  /** With the option `members`, the membership of the person. Frozen. */
  readonly member?: SessionMember | null;
  /** Creates the token; `null` for a session without a token. */
  readonly createToken: (() => TokenObj | TokenSource) | null;
}

/**
 * Returns the session as the application sees it, frozen. The session is a plain object, because frameworks send only plain objects from a
 * server to a page.
 */
export function sessionOf(
  { content, member = null, createToken }: OpenSession,
  clients: Pick<ApiClients, "user">,
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
    has: { value: (scope: string) => hasScope(scopes, scope) },
    member: { value: member },
  });
  return Object.freeze(
    session as typeof data & Pick<Session<unknown>, "token" | "api" | "has" | "member">,
  );
}

/** @throws {TypeError} If the scope is not text, or is a misspelled known scope, which no session has. */
function hasScope(scopes: readonly string[], scope: string): boolean {
  if (typeof scope !== "string") throwBadArgument("scope", 'one scope like "guilds"', scope);
  const has = includesScope(scopes, scope);
  if (!has) checkOneSpelling("scope", scope);
  return has;
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

/** The maximum length of all kept texts. An opened session takes about three times as much memory. */
const maxLength = 4_000_000;

/** The maximum length of one kept text, so that a session with much data does not take the place of all others. */
const maxTextLength = maxLength / 16;

/** The contents of sessions. They are frozen, since several requests share them. */
export class OpenedSessions<Content extends object> {
  /** The contents by name and sealed text. */
  readonly #contents = new Map<string, Content>();
  /** The length of the texts. */
  #length = 0;

  /** Returns the content of a sealed session, or `null` if the name does not match, or no secret fits. */
  async open(sealer: Sealer, name: string, sealedText: unknown): Promise<Content | null> {
    // A store may return any value, and its text may be that of a session.
    if (typeof sealedText !== "string") return null;
    const key = `${name} ${sealedText}`;
    const known = this.#contents.get(key);
    if (known) return known;
    const content = ofThisFormat<Content>(await sealer.open(name, sealedText));
    if (content) this.#keep(key, freeze(content));
    return content;
  }

  /** Keeps a content. Begins anew when there are too many, since opening one takes little time. */
  #keep(key: string, content: Content): void {
    // Another request may have opened the same session meanwhile.
    if (key.length > maxTextLength || this.#contents.has(key)) return;
    if (this.#length + key.length > maxLength) {
      this.#contents.clear();
      this.#length = 0;
    }
    this.#contents.set(key, content);
    this.#length += key.length;
  }
}
