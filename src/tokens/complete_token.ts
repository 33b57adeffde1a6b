/**
 * Completes a token that has the fields of Discord's response only.
 *
 * @module
 */

import {
  checkSecret,
  throwBadArgument,
  throwBadNumber,
  throwBadObject,
} from "../core/arguments.ts";
import { expiresAtFor, parseLifetime } from "../core/lifetime.ts";
import type { TokenObj } from "../resources/token.ts";
import { isToken } from "./token_record.ts";

/** The smallest time in milliseconds. A smaller number is in seconds: as milliseconds, it would be before 1973. */
const minMilliseconds = 1e11;

/** The largest time of a `Date`. */
const maxMilliseconds = 8.64e15;

/**
 * Returns a token with all fields. Discord's response has no `expires_at` and no `scopes`. A token of this library stays as it is.
 *
 * @throws {TypeError} If there is no access token, or a field can't be read. The message names the field, without its value.
 */
export function completeToken(given: unknown): TokenObj {
  if (isWhole(given)) return given;
  if (typeof given !== "object" || given === null) {
    throwBadObject("token", "a TokenObj or a token response", given);
  }
  const { access_token, refresh_token, expires_in, expires_at, scope, scopes }: Fields = given;
  if (access_token == null) {
    throw new TypeError(
      "token has no access_token: pass a TokenObj, or the JSON of the platform's response",
    );
  }
  checkSecret("token.access_token", access_token);
  const granted = readScopes(scopes ?? scope ?? "");
  const lifetime = readLifetime(expires_in);
  return {
    access_token,
    refresh_token: readRefreshToken(refresh_token),
    token_type: "Bearer",
    scope: granted.join(" "),
    scopes: granted,
    expires_in: lifetime,
    expires_at: readTime(expires_at) ?? (lifetime === null ? null : expiresAtFor(lifetime)),
    guild: null,
    webhook: null,
    id_token: null,
  };
}

/** Returns true for a token of this library. Discord's response has no webhook of its own. */
function isWhole(given: unknown): given is TokenObj {
  return isToken(given) && "webhook" in given;
}

type Fields = Readonly<Partial<Record<keyof TokenObj, unknown>>>;

/** Treats an empty text as missing. */
function readRefreshToken(given: unknown): string | null {
  if (given == null || given === "") return null;
  checkSecret("token.refresh_token", given);
  return given;
}

function readScopes(given: unknown): string[] {
  const scopes: unknown = typeof given === "string" ? given.split(" ").filter(Boolean) : given;
  if (Array.isArray(scopes) && scopes.every((scope) => typeof scope === "string")) return scopes;
  throwBadArgument("token.scope", "scopes separated by spaces", given);
}

function readLifetime(given: unknown): number | null {
  if (given == null) return null;
  return parseLifetime(String(given)) ??
    throwBadNumber("token.expires_in", "a number of seconds", given);
}

function readTime(given: unknown): number | null {
  if (given == null) return null;
  if (typeof given === "number" && given >= minMilliseconds && given <= maxMilliseconds) {
    return given;
  }
  throwBadNumber("token.expires_at", "a time in milliseconds since the epoch", given);
}
