/**
 * The redirect back from the authorize page.
 *
 * @module
 */

import { refuse } from "../arguments.ts";
import { OAuthError, StateMismatchError } from "../errors.ts";
import { createRedactor } from "../redact.ts";

/** What a callback is compared with. */
export interface ParseCallbackOptions {
  /** The state this browser's login started with; `null`, `undefined` and `""` match no callback. */
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
 * @throws {StateMismatchError} When the state is missing or is not the expected one, or none was expected.
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
  if (typeof options !== "object" || options === null) {
    refuse("options", "an object with the expected state", options);
  }
  const query = readQuery(input);
  const state = query.get("state");
  const error = query.get("error");
  // An error without a state is accepted: some servers leave it out there, and a refusal grants nothing.
  if (!error || state !== null) checkState(state, options.state);
  if (error) {
    const redact = createRedactor(secretsIn(query, options.state));
    const description = query.get("error_description");
    throw new OAuthError(redact(error), {
      description: description === null ? null : redact(description),
    });
  }
  for (const name of ["code", "state", "guild_id", "permissions"]) {
    if (query.getAll(name).length > 1) throw invalid(`The callback has more than one ${name}`);
  }
  const code = query.get("code");
  // An empty value counts as left out: RFC 6749 section 3.1.
  const guildId = query.get("guild_id") || null;
  const permissions = query.get("permissions") || null;
  if (!code) throw invalid("The callback has no code");
  if (guildId !== null && !/^\d{1,20}$/.test(guildId)) {
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
  if (typeof text !== "string") refuse("input", "a URL, a query or a request", input);
  const withoutFragment = text.replace(/#[^]*/, "");
  // What begins with a name and `=` is a query already: a `?` in it belongs to a value.
  const isQuery = /^[\w.-]+=/.test(withoutFragment);
  return new URLSearchParams(isQuery ? withoutFragment : withoutFragment.replace(/^[^?]*\?/, ""));
}

/** Throws when the states are not the same. */
function checkState(received: string | null, expected: unknown): void {
  if (typeof expected !== "string" || expected === "") {
    throw new StateMismatchError("no_expected_state");
  }
  if (!received) throw new StateMismatchError("no_state");
  if (!isSame(received, expected)) throw new StateMismatchError("different");
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

/** Every code and state, however often the link has them, and the state that was expected. */
function secretsIn(query: URLSearchParams, expected: unknown): string[] {
  const inLink = ["code", "state"].flatMap((name) => query.getAll(name));
  return typeof expected === "string" ? [...inLink, expected] : inLink;
}

function isDecimal(text: string | null): text is `${bigint}` | null {
  return text === null || /^\d+$/.test(text);
}

function invalid(description: string): OAuthError {
  return new OAuthError("invalid_request", { description });
}
