/**
 * What can be seen of a token without asking the platform.
 *
 * @module
 */

import { checkSecret } from "../core/arguments.ts";
import { MissingScopeError } from "../core/errors.ts";
import { createRedactor } from "../core/redact.ts";
import type { TokenObj } from "../resources/token.ts";

/** A token, and what is known of it. */
export interface KnownToken {
  readonly token: string;
  /** The scopes it was granted, or `null` when they are not known. */
  readonly scopes: readonly string[] | null;
  /** When it expires, in milliseconds since 1970, or `null` when that is not known. */
  readonly expiresAt: number | null;
}

/**
 * Reads the token that a `User` is made with.
 *
 * @param tokenType What the caller said, if anything.
 * @throws {TypeError} When it can't be a token of that type, with what to do.
 */
export function readToken(given: string | TokenObj, tokenType?: string | null): KnownToken {
  const isObject = isTokenObj(given);
  const token: unknown = isObject ? given.access_token : given;
  const word = typeof token === "string" && /^(Bearer|Bot)\s/i.exec(token)?.[1];
  if (word) {
    throw new TypeError(`accessToken must be the token alone: leave out the first word, ${word}`);
  }
  checkSecret("accessToken", token);
  if (isObject && tokenType === "Bot") {
    throw new TypeError(
      'accessToken is the token of a login, not of a bot: leave out tokenType: "Bot"',
    );
  }
  // An explicit "Bearer" is believed, whatever the form of the token.
  if (!isObject && tokenType == null && isBotToken(token)) {
    throw new TypeError('accessToken has the form of a bot token: pass tokenType: "Bot"');
  }
  return {
    token,
    // An empty list can only be a detail of the answer: a token without any scope is not issued.
    scopes: isObject && Array.isArray(given.scopes) && given.scopes.length > 0
      ? given.scopes
      : null,
    expiresAt: isObject && typeof given.expires_at === "number" ? given.expires_at : null,
  };
}

/**
 * Refuses an operation whose scope a token is known not to have: the platform would answer with 401 and not say why.
 *
 * @param operation The method that was called, as in `getUserGuilds()`.
 */
export function requireScope(
  { scopes, token }: KnownToken,
  operation: string,
  scope: string,
): void {
  const sufficient = [scope, ...(impliedBy[scope] ?? [])];
  if (scopes && !scopes.some((granted) => sufficient.includes(granted))) {
    // The list comes from an answer, which may repeat the token.
    const redact = createRedactor([token]);
    const granted = scopes.map((granted) => redact(String(granted)));
    throw new MissingScopeError(operation, { needed: [scope], granted });
  }
}

/** The scopes that grant another one too, without its name being among those of the token. */
const impliedBy: Readonly<Record<string, readonly string[]>> = {
  identify: ["sdk.social_layer", "sdk.social_layer_presence"],
};

/** Whether a token has the form of a bot token: three parts in base64url, of which the first is the bot's id. */
export function isBotToken(token: string): boolean {
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return false;
  const [id = ""] = token.split(".");
  // No length of base64 leaves one character over.
  return id.length % 4 !== 1 &&
    /^\d{15,20}$/.test(atob(id.replaceAll("-", "+").replaceAll("_", "/")));
}

/** What to do when the platform does not accept a token (401). */
export function unauthorizedHint(
  { token, expiresAt }: KnownToken,
  tokenType: "Bearer" | "Bot",
  neededScope: string | null,
): string {
  if (tokenType === "Bot") {
    return isBotToken(token)
      ? "Check the bot token; resetting it in the Developer Portal under Bot ends the old one"
      : 'This does not have the form of a bot token: for the token of a login leave out tokenType: "Bot"';
  }
  if (isBotToken(token)) return 'This has the form of a bot token: pass tokenType: "Bot"';
  // JavaScript has no date before that, and toISOString() would throw.
  if (expiresAt !== null && expiresAt <= Date.now() && expiresAt > -8.64e15) {
    const when = new Date(expiresAt).toISOString();
    return `The token expired at ${when}: start a new login, or get a new token with the refresh token`;
  }
  const andScope = neededScope === null
    ? ""
    : `, and that the login asked for the scope ${neededScope}`;
  return `Check that the token is not expired or revoked${andScope}`;
}

/** A refresh token, and the scopes of the token that it belongs to, or `null` when they are not known. */
export interface KnownRefreshToken {
  readonly refreshToken: string;
  readonly scope: string | null;
}

/**
 * Reads the token that is refreshed.
 *
 * @throws {TypeError} When it is none, or has no refresh token.
 */
export function refreshTokenOf(given: string | TokenObj): KnownRefreshToken {
  if (!isTokenObj(given)) {
    checkSecret("token", given);
    return { refreshToken: given, scope: null };
  }
  const { refresh_token, scope } = given;
  if (refresh_token == null) {
    throw new TypeError(
      "token has no refresh_token, as a token of the implicit grant or of client credentials: start a new login",
    );
  }
  checkSecret("token.refresh_token", refresh_token);
  return { refreshToken: refresh_token, scope: scope || null };
}

/**
 * What is sent to revoke a token: the refresh token if there is one, since it lives longer (RFC 7009 section 2.1).
 *
 * @throws {TypeError} When it is no token.
 */
export function revocationOf(given: string | TokenObj): Record<string, string> {
  if (!isTokenObj(given)) {
    checkSecret("token", given);
    return { token: given };
  }
  const { refresh_token, access_token } = given;
  const token = refresh_token ?? access_token;
  checkSecret("token", token);
  return { token, token_type_hint: token === refresh_token ? "refresh_token" : "access_token" };
}

function isTokenObj(given: unknown): given is TokenObj {
  return typeof given === "object" && given !== null && "access_token" in given;
}
