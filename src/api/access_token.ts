/**
 * Reads the token that a caller passes, as text or as a `TokenObj`.
 *
 * @module
 */

import { checkSecret, throwBadObject } from "../core/arguments.ts";
import { MissingScopeError } from "../core/errors.ts";
import { createRedactor } from "../core/safe_text.ts";
import { includesScope, type TokenObj } from "../resources/token.ts";

/** An access token or bot token, with its scopes and its expiry. */
export interface AccessToken {
  readonly token: string;
  /** The granted scopes, or `null` if they are not known. */
  readonly scopes: readonly string[] | null;
  /** The time when the token expires, in milliseconds since the epoch, or `null` if it is not known. */
  readonly expiresAt: number | null;
}

/**
 * Reads the token of a call.
 *
 * @param tokenType The option `tokenType`, if it was given.
 * @param argument The name of the token in errors.
 * @throws {TypeError} If the value can't be a token of that type. The message has the fix.
 */
export function readAccessToken(
  given: unknown,
  tokenType?: string | null,
  argument = "accessToken",
): AccessToken {
  const isObject = isTokenObj(given);
  const token: unknown = isObject ? given.access_token : given;
  if (typeof token === "object") {
    throwBadObject(argument, "text or an object like { access_token }", token);
  }
  const prefix = /^(Bearer|Bot)\s/i.exec(String(token))?.[1];
  if (prefix) {
    throw new TypeError(`${argument} must be the token alone, without "${prefix}"`);
  }
  checkSecret(argument, token);
  if (isObject && tokenType === "Bot") {
    throw new TypeError(
      'accessToken is a login token, not a bot token: omit tokenType: "Bot"',
    );
  }
  // With an explicit "Bearer", a token is accepted in any form.
  if (!isObject && tokenType == null && isBotToken(token)) {
    throw new TypeError('accessToken looks like a bot token: pass tokenType: "Bot"');
  }
  return {
    token,
    scopes: isObject ? scopesOf(given) : null,
    expiresAt: isObject && typeof given.expires_at === "number" ? given.expires_at : null,
  };
}

/** Returns the scopes of a token, or of Discord's response, which has no `scopes`. Returns `null` if they are not known. */
function scopesOf({ scopes, scope }: Partial<TokenObj>): readonly string[] | null {
  const granted = Array.isArray(scopes) ? scopes : String(scope ?? "").split(" ").filter(Boolean);
  // Discord issues no token without a scope, so an empty list says nothing.
  return granted.length > 0 ? granted : null;
}

/**
 * Rejects an operation if the token is known to lack the needed scope. Discord would respond with a 401 without a cause.
 *
 * @param operation The method that was called, as in `getUserGuilds()`.
 * @throws {MissingScopeError} If the scope is missing.
 */
export function requireScope(
  { scopes, token }: AccessToken,
  operation: string,
  needed: string,
): void {
  if (scopes === null || includesScope(scopes, needed)) return;
  // The list comes from a response, which may repeat the token.
  const redact = createRedactor([token]);
  const granted = scopes.map((scope) => redact(String(scope)));
  throw new MissingScopeError(operation, { needed: [needed], granted });
}

/** Returns true if a token has the form of a bot token: three parts in base64url, beginning with the bot's id. */
export function isBotToken(token: string): boolean {
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return false;
  const [id = ""] = token.split(".");
  // No length of base64 leaves one character over.
  return id.length % 4 !== 1 &&
    /^\d{15,20}$/.test(atob(id.replaceAll("-", "+").replaceAll("_", "/")));
}

/** Returns true if a value is a `TokenObj` and not a text. */
export function isTokenObj(given: unknown): given is TokenObj {
  return typeof given === "object" && given !== null && "access_token" in given;
}
