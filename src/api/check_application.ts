/**
 * Checks the data of an application, without a client that sends requests.
 *
 * @module
 */

import { checkSecret, checkSetting, checkSnowflake } from "../core/arguments.ts";
import { checkScopeSpelling, joinScopes, type Scope } from "../links/scopes.ts";

/**
 * Checks the application of a client.
 *
 * @param clientSecret `null` for a public client.
 * @returns The scopes, separated by spaces.
 * @throws {TypeError} If an argument is wrong, or a public client can't ask for one of the scopes. The message names the argument.
 */
export function checkApplication(
  clientId: string,
  clientSecret: string | null,
  scope: readonly Scope[],
): string {
  checkSetting("clientId", clientId);
  checkSnowflake("clientId", clientId);
  if (clientSecret !== null) checkSecret("clientSecret", clientSecret);
  const text = checkedScope(scope);
  if (clientSecret === null && scope.includes("role_connections.write")) {
    throw new TypeError(
      'scope has "role_connections.write", which needs a clientSecret: the platform refuses this scope together with PKCE, ' +
        "which a public client needs",
    );
  }
  return text;
}

/** Joins scopes in the platform's spelling. @throws {TypeError} If a scope is wrong. */
export function checkedScope(scope: readonly Scope[]): string {
  const text = joinScopes(scope);
  checkScopeSpelling(scope);
  return text;
}
