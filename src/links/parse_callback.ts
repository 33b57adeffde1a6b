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
  /** The authorization code. It works once, and is a secret until `PlatformApi.accessToken` has exchanged it. */
  readonly code: string;
  /** The state, which is the expected state. */
  readonly state: string;
  /** The guild a bot was added to, or `null`. */
  readonly guildId: string | null;
  /** The permissions that a bot got there, as a decimal string for `new Permissions(…)`, or `null`. */
  readonly permissions: `${bigint}` | null;
}

/**
 * Parses the redirect from the authorize page, and checks that it belongs to this login.
 *
 * @example
 * ```ts
 * import { parseCallback } from "@guildpass/sdk";
 *
 * const { code } = parseCallback("https://app.example/callback?code=c0de&state=s7ate", { state: "s7ate" });
 * code; // "c0de"
 * ```
 *
 * @param input The whole URL of the redirect, its path and query, its query alone, or the request of any framework. The `url` of a
 * request begins with the path in Express and Node.
 * @throws {StateMismatchError} If the state is missing or different, or no state was expected. With `issuer`, also if the
 * callback does not name that issuer.
 * @throws {OAuthError} If the platform sent an error, for example `access_denied`. With `invalid_request` if the callback has no
 * code, or has a parameter twice (RFC 6749 section 3.1). An attacker can make a link with an error in it, so show `error` and
 * `description` in logs only. They never repeat the code or the state.
 * @throws {TypeError} If the input has another form.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2 | RFC 6749 section 4.1.2}
 */
export function parseCallback(
  input: string | URL | URLSearchParams | { readonly url?: string | undefined },
  options: ParseCallbackOptions,
): Callback {
  const query = readQuery(input);
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
  if (input instanceof URLSearchParams) return input;
  // Frameworks have their own Request, so `instanceof` would not find it.
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
