/**
 * Parses the redirect of the implicit grant, which has the token in its fragment.
 *
 * @module
 */

import { throwBadArgument } from "../core/arguments.ts";
import { hideToken } from "../core/hide_secrets.ts";
import { expiresAtFor, parseLifetime } from "../core/lifetime.ts";
import type { TokenObj } from "../resources/token.ts";
import {
  checkAuthorizationResponse,
  checkNotRepeated,
  invalidResponseError,
  type ParseCallbackOptions,
} from "./authorization_response.ts";

/** The options of {@link parseFragment}. */
export interface ParseFragmentOptions extends ParseCallbackOptions {}

/**
 * Parses the redirect of the implicit grant (`responseType: "token"`), and checks that it belongs to this login. Only a page can
 * do this, since browsers never send the fragment to a server. Afterwards, remove the fragment from the address bar and the
 * history.
 *
 * If you have a server, prefer the code grant with PKCE, which keeps the token out of URLs.
 *
 * @example
 * ```ts
 * import { AuthUrl, parseFragment } from "@guildpass/sdk/auth-url";
 * import {
 *   createFakePlatform,
 *   sampleApplication,
 * } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform();
 * const redirectUri = "https://app.example/callback";
 * const login = new AuthUrl(
 *   sampleApplication.id,
 *   ["identify"],
 *   redirectUri,
 *   null,
 *   fake,
 * );
 * const link = await login.makeUrl({
 *   state: "s7ate",
 *   responseType: "token",
 * });
 *
 * // In the page at redirectUri this is `location`.
 * const token = parseFragment(await fake.authorize(link), {
 *   state: "s7ate",
 * });
 * token.scopes; // ["identify"]
 * ```
 *
 * @param input The URL of the page as `location`, `URL` or text, or its fragment alone.
 * @param options The expected `state` of the login.
 * @returns The token. The implicit grant never has a refresh token. Without a `scope` in the fragment, `scope` is empty, which
 * means the scopes of the link. Without `expires_in`, `expires_in` and `expires_at` are `null`.
 * @throws {StateMismatchError} If the state does not match, or is missing in the fragment or in the options. With `issuer`, also
 * if the issuer does not match.
 * @throws {OAuthError} If Discord sent an error, for example `access_denied`. With `invalid_request` if the fragment has no
 * readable token, has no token type, or repeats a parameter (RFC 6749 section 3.1). Show `error` and `description` in logs only,
 * since an attacker can make a link with an error. They never contain the token or the state.
 * @throws {TypeError} If the input has a different form.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.2.2 | RFC 6749 section 4.2.2}
 */
export function parseFragment(
  input: string | URLSearchParams | { readonly href: string },
  options: ParseFragmentOptions,
): TokenObj {
  const params = readFragment(input);
  checkAuthorizationResponse(params, options);
  checkNotRepeated(params, [
    "access_token",
    "token_type",
    "expires_in",
    "scope",
    "state",
    "id_token",
  ]);
  const access_token = params.get("access_token") ?? "";
  const token_type = params.get("token_type");
  if (!/^[!-~]+$/.test(access_token)) {
    throw invalidResponseError("The callback has no readable access_token");
  }
  if (!token_type) throw invalidResponseError("The callback has no token_type");
  const expires_in = parseLifetime(params.get("expires_in") ?? "");
  const scope = params.get("scope") ?? "";
  return Object.freeze(hideToken({
    access_token,
    token_type,
    expires_in,
    expires_at: expires_in === null ? null : expiresAtFor(expires_in),
    refresh_token: null,
    scope,
    scopes: Object.freeze(scope.split(" ").filter(Boolean)),
    guild: null,
    webhook: null,
    // An empty value counts as missing (RFC 6749 section 3.1).
    id_token: params.get("id_token") || null,
  }));
}

function readFragment(input: unknown): URLSearchParams {
  if (input instanceof URLSearchParams) return input;
  const text = typeof input === "string" ? input : Object(input).href;
  if (typeof text !== "string") throwBadArgument("input", "a URL, a location or a fragment", input);
  // Text that begins with a name and `=` is a fragment, and a `#` in it belongs to a value.
  const isFragment = /^[\w.-]+=/.test(text);
  return new URLSearchParams(isFragment ? text : text.replace(/^[^#]*#?/, ""));
}
