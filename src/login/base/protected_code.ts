/**
 * The protection of a code against theft: PKCE, or the nonce in the `id_token`.
 *
 * @module
 */

/** The scope that the platform refuses together with a `code_challenge`. */
const scopeWithoutPkce = "role_connections.write";

/** Returns true unless the platform refuses a `code_challenge` for these scopes. */
export function usesPkce(scope: readonly string[]): boolean {
  return !scope.includes(scopeWithoutPkce);
}

/**
 * Throws if a thief could use a stolen code of a login with these scopes. Without PKCE, only the nonce in the `id_token` binds the code to
 * the browser of the login.
 *
 * @throws {TypeError} If the scopes allow neither PKCE nor an `id_token`.
 */
export function assertProtectedCode(scope: readonly string[]): void {
  if (usesPkce(scope) || scope.includes("openid")) return;
  throw new TypeError(
    `scope has "${scopeWithoutPkce}", which needs "openid" too: the platform refuses PKCE with it, so that only the id_token ` +
      "protects against a stolen code",
  );
}
