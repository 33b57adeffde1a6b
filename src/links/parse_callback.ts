/**
 * The redirect back from the authorize page.
 *
 * @module
 */

import { throwBadArgument } from "../core/arguments.ts";
import {
  checkAuthorizationResponse,
  checkNotRepeated,
  type ExpectedAnswer,
  invalidAnswerError,
} from "./authorization_response.ts";

/** What {@link parseCallback} compares a callback with. */
export interface ParseCallbackOptions extends ExpectedAnswer {}

/** What a callback carries. */
export interface Callback {
  /** The authorization code: single-use, a secret until `PlatformApi.accessToken` has exchanged it. */
  readonly code: string;
  /** The state, which is the expected one. */
  readonly state: string;
  /** The guild a bot was added to, or `null`. */
  readonly guildId: string | null;
  /** The permissions a bot was given there, as a decimal string for `new Permissions(…)`, or `null`. */
  readonly permissions: `${bigint}` | null;
}

/** A request of any framework, of which only the URL is read; Express and Node give it from the path on. */
export interface RequestWithUrl {
  /** The URL, whole or from its path on. */
  readonly url?: string | undefined;
}

/**
 * Reads the redirect back from the authorize page, and checks that it belongs to this login.
 *
 * @example
 * ```ts
 * import { parseCallback } from "@guildpass/sdk";
 *
 * const { code } = parseCallback("https://app.example/callback?code=c0de&state=s7ate", { state: "s7ate" });
 * code; // "c0de"
 * ```
 *
 * @param input The URL the browser came back with, whole or from its path on, or its query; or the request itself.
 * @throws {StateMismatchError} When the state is missing or is not the expected one, or none was expected; with `issuer`, also
 * when the callback does not name that issuer.
 * @throws {OAuthError} When the platform says so (`error=access_denied` and the like), and with `invalid_request` when
 * there is no code, or a parameter is there twice (RFC 6749 section 3.1). Anybody can make a link with an error in it, so
 * its `error` and `description` are for logs, and not for a page. They never repeat the code or the state.
 * @throws {TypeError} When the input has another form.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2 | RFC 6749 section 4.1.2}
 */
export function parseCallback(
  input: string | URL | URLSearchParams | RequestWithUrl,
  options: ParseCallbackOptions,
): Callback {
  const query = readQuery(input);
  const state = checkAuthorizationResponse(query, options);
  checkNotRepeated(query, ["code", "state", "guild_id", "permissions"]);
  const code = query.get("code");
  // An empty value counts as left out: RFC 6749 section 3.1.
  const guildId = query.get("guild_id") || null;
  const permissions = query.get("permissions") || null;
  if (!code) throw invalidAnswerError("The callback has no code");
  if (guildId !== null && !/^\d{1,20}$/.test(guildId)) {
    throw invalidAnswerError("The callback's guild_id is not a snowflake");
  }
  if (!isDecimal(permissions)) {
    throw invalidAnswerError("The callback's permissions are not a number");
  }
  return Object.freeze({ code, state, guildId, permissions });
}

function readQuery(input: unknown): URLSearchParams {
  if (input instanceof URLSearchParams) return input;
  // By shape, not by `instanceof`: frameworks bring their own Request.
  const { url, href } = Object(input) as { readonly url?: unknown; readonly href?: unknown };
  const text = typeof input === "string" ? input : url ?? href;
  if (typeof text !== "string") throwBadArgument("input", "a URL, a query or a request", input);
  const withoutFragment = text.replace(/#[^]*/, "");
  // What begins with a name and `=` is a query already: a `?` in it belongs to a value.
  const isQuery = /^[\w.-]+=/.test(withoutFragment);
  return new URLSearchParams(isQuery ? withoutFragment : withoutFragment.replace(/^[^?]*\?/, ""));
}

function isDecimal(text: string | null): text is `${bigint}` | null {
  return text === null || /^\d+$/.test(text);
}
