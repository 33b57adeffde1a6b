/**
 * Parses the redirect from the authorize page.
 *
 * @module
 */

import { throwBadArgument } from "../core/arguments.ts";
import {
  checkAuthorizationResponse,
  checkNotRepeated,
  invalidResponseError,
  type ParseCallbackOptions,
} from "./authorization_response.ts";

/** The values of a callback. */
export interface Callback {
  /** The authorization code. It works once, and is a secret until its exchange by `PlatformApi.accessToken`. */
  readonly code: string;
  /** The state, equal to the expected state. */
  readonly state: string;
  /** The id of the guild that a bot was added to, or `null`. */
  readonly guildId: string | null;
  /** The granted permissions of the bot in the guild, as a decimal string for `new Permissions(…)`, or `null`. */
  readonly permissions: `${bigint}` | null;
}

/**
 * The form of Discord's codes. It excludes `undefined` and `null`, the texts of unset variables. A visitor can put other text into a
 * callback URL, and the edge may take it for an attack.
 */
export const codeForm = /^(?!undefined$|null$)[\w-]{1,2048}$/;

/**
 * Parses the redirect from the authorize page, and checks that it belongs to this login.
 *
 * @example
 * ```ts
 * import { parseCallback } from "@guildpass/sdk";
 *
 * const { code } = parseCallback(
 *   "https://app.example/callback?code=c0de&state=s7ate",
 *   { state: "s7ate" },
 * );
 * code; // "c0de"
 * ```
 *
 * @param input The URL of the redirect, its path and query, its query alone, or a request. The `url` of the request may begin
 * with the path, as in Express and Node.
 * @param options The expected `state` of the login.
 * @throws {StateMismatchError} If the state does not match, or is missing in the callback or in the options. With `issuer`, also
 * if the issuer does not match.
 * @throws {OAuthError} If Discord sent an error, for example `access_denied`. With `invalid_request` if the callback has no
 * code, or repeats a parameter (RFC 6749 section 3.1). Show `error` and `description` in logs only, since an attacker can make a
 * link with an error. They never contain the code or the state.
 * @throws {TypeError} If the input has a different form.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2 | RFC 6749 section 4.1.2}
 */
export function parseCallback(
  input: string | URL | URLSearchParams | { readonly url?: string | undefined },
  options: ParseCallbackOptions,
): Callback {
  const query = input instanceof URLSearchParams ? input : readQuery(input);
  const state = checkAuthorizationResponse(query, options);
  checkNotRepeated(query, ["code", "state", "guild_id", "permissions"]);
  const code = query.get("code");
  // An empty value counts as missing (RFC 6749 section 3.1).
  const guildId = query.get("guild_id") || null;
  const permissions = query.get("permissions") || null;
  if (!code) throw invalidResponseError("The callback has no code");
  if (guildId !== null && !/^\d{1,20}$/.test(guildId)) {
    throw invalidResponseError("The callback's guild_id is not a snowflake");
  }
  if (!isDecimal(permissions)) {
    throw invalidResponseError("The callback's permissions are not a number");
  }
  return Object.freeze({ code, state, guildId, permissions });
}

function readQuery(input: unknown): URLSearchParams {
  // Frameworks have their own Request classes, so `instanceof` would miss them.
  const { url, href } = Object(input) as { readonly url?: unknown; readonly href?: unknown };
  const text = typeof input === "string" ? input : url ?? href;
  if (typeof text !== "string") throwBadArgument("input", "a URL, a query or a request", input);
  const withoutFragment = text.replace(/#[^]*/, "");
  // Text that begins with a name and `=` is a query, and a `?` in it belongs to a value.
  const isQuery = /^[\w.-]+=/.test(withoutFragment);
  return new URLSearchParams(isQuery ? withoutFragment : withoutFragment.replace(/^[^?]*\?/, ""));
}

function isDecimal(text: string | null): text is `${bigint}` | null {
  return text === null || /^\d+$/.test(text);
}
