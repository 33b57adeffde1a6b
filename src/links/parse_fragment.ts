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

/** Options of {@link parseFragment}. */
export interface ParseFragmentOptions extends ParseCallbackOptions {}

/**
 * Parses the redirect of the implicit grant (`responseType: "token"`), and checks that it belongs to this login. Only a page can do
 * this, since no browser sends the fragment to a server. Remove the fragment from the address bar and the history afterwards.
 *
 * If you have a server, prefer the code grant with PKCE, which keeps the token out of every address.
 *
 * @example
 * ```ts
 * import { AuthUrl, parseFragment } from "@guildpass/sdk/auth-url";
 * import { createFakePlatform, sampleApplication } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform();
 * const redirectUri = "https://app.example/callback";
 * const login = new AuthUrl(sampleApplication.id, ["identify"], redirectUri, null, fake);
 * const link = await login.makeUrl({ state: "s7ate", responseType: "token" });
 *
 * // In the page at redirectUri this is `location`.
 * const token = parseFragment(await fake.authorize(link), { state: "s7ate" });
 * token.scopes; // ["identify"]
 * ```
 *
 * @param input The address of the page as `location`, as a URL or as text, or its fragment alone.
 * @returns A token without a refresh token, since this grant has none. If the platform does not send them, `scope` is empty, which
 * means the scopes of the link, and `expires_in` and `expires_at` are `null`.
 * @throws {StateMismatchError} If the state is missing or different, or no state was expected. With `issuer`, also if the
 * fragment does not name that issuer.
 * @throws {OAuthError} If the platform sent an error, for example `access_denied`. With `invalid_request` if the fragment has no
 * readable token, has no token type, or has a parameter twice (RFC 6749 section 3.1). An attacker can make a link with an error
 * in it, so show `error` and `description` in logs only. They never repeat the token or the state.
 * @throws {TypeError} If the input has another form.
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
