/**
 * The redirect back from the authorize page.
 *
 * @module
 */

import { OAuthError, StateMismatchError } from "../errors.ts";

/** What a callback is held against. */
export interface ParseCallbackOptions {
  /** The state this browser's login started with; nothing at all never matches. */
  readonly state: string | null | undefined;
}

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
 * @throws {StateMismatchError} When the state is missing or is not the expected one, or none was expected.
 * @throws {OAuthError} When the platform says so (`error=access_denied` and the like), and with `invalid_request` when
 * there is no code, or a parameter stands twice (RFC 6749 section 3.1).
 * @throws {TypeError} When the input is none of those forms.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2 | RFC 6749 section 4.1.2}
 */
export function parseCallback(
  input: string | URL | Request | URLSearchParams,
  options: ParseCallbackOptions,
): Callback {
  if (typeof options !== "object" || !options) {
    throw new TypeError(`options must have the expected state, received ${typeof options}`);
  }
  const expected = options.state;
  const query = readQuery(input);
  const state = query.get("state");
  const error = query.get("error");
  // An error without a state is believed: some servers leave it out there, and a refusal grants nothing.
  if (!(error && state === null) && !sameState(state, expected)) throw new StateMismatchError();
  const code = query.get("code");
  if (error) {
    // A link that repeats the state or the code must not get them into a log.
    const isSecret = (text: string) =>
      [expected, code].some((secret) => secret && text.includes(secret));
    const description = query.get("error_description");
    throw new OAuthError(isSecret(error) ? "[redacted]" : error, {
      description: description && isSecret(description) ? "[redacted]" : description,
    });
  }
  for (const name of ["code", "state", "guild_id", "permissions"]) {
    if (query.getAll(name).length > 1) throw invalid(`The callback has more than one ${name}`);
  }
  // An empty value is one that was left out: RFC 6749 section 3.1.
  const guildId = query.get("guild_id") || null;
  const permissions = query.get("permissions") || null;
  if (!code) throw invalid("The callback has no code");
  if (!isDecimal(guildId) || (guildId?.length ?? 0) > 20) {
    throw invalid("The callback's guild_id is not a snowflake");
  }
  if (!isDecimal(permissions)) throw invalid("The callback's permissions are not a number");
  return Object.freeze({ code, state: String(state), guildId, permissions });
}

function readQuery(input: unknown): URLSearchParams {
  if (input instanceof URLSearchParams) return input;
  // By shape, not by `instanceof`: frameworks bring their own Request.
  const { url, href } = Object(input) as { readonly url?: unknown; readonly href?: unknown };
  const text = typeof input === "string" ? input : url ?? href;
  if (typeof text !== "string") {
    throw new TypeError(`input must be a URL, a query or a Request, received ${typeof input}`);
  }
  const query = text.replace(/#[^]*/, "").replace(/^[^?]*\?/, "");
  return new URLSearchParams(query);
}

/** Compares in constant time, so that nobody can measure how much of a guess was right. */
function sameState(received: string | null, expected: unknown): boolean {
  if (!received || typeof expected !== "string" || received.length !== expected.length) {
    return false;
  }
  let difference = 0;
  for (let i = 0; i < expected.length; i++) {
    difference |= received.charCodeAt(i) ^ expected.charCodeAt(i);
  }
  return difference === 0;
}

function isDecimal(text: string | null): text is `${bigint}` | null {
  return text === null || /^\d+$/.test(text);
}

function invalid(description: string): OAuthError {
  return new OAuthError("invalid_request", { description });
}
