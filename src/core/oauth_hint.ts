/**
 * Finds the hint for an OAuth error code.
 *
 * @module
 */

/** Returns the hint for an OAuth error code, or `undefined` if the cause is not known. */
export function oauthHint(error: string): string | undefined {
  return hints.get(error);
}

const hints: ReadonlyMap<string, string> = new Map([
  ["access_denied", "The person refused: say what access is for, and offer a new login"],
  [
    "invalid_client",
    "Check clientId and clientSecret against the application's page: Developer Portal, OAuth2, Client Secret. It is shown " +
    "only once, and resetting it there ends the old one",
  ],
  [
    "invalid_grant",
    "A code works once, for about 100 seconds, with the redirectUri and codeVerifier of its login; start a new one",
  ],
  ["invalid_request", "Start a new login; if that fails too, check the parameters of the link"],
  [
    "invalid_scope",
    "The platform refuses unknown scopes, scopes for which it has not approved the application (approvalScopes lists them; some " +
    "work for invited testers), and role_connections.write with PKCE or the implicit grant",
  ],
]);
