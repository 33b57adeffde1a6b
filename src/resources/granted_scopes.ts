/**
 * Lets the compiler compare the granted scopes of a token with the needed scopes of a call.
 *
 * @module
 */

/**
 * The scopes that satisfy a needed scope: the scope itself, and each including scope.
 *
 * @typeParam Needed The scope that is needed.
 */
export type SufficientScope<Needed> =
  | Needed
  | (Needed extends "guilds" ? "sdk.social_layer" : never)
  | (Needed extends "identify" ? "sdk.social_layer" | "sdk.social_layer_presence" : never);

/** For each scope, the scopes that include it, the same as in {@link SufficientScope}: the compiler checks this. */
const scopesThatInclude = {
  guilds: { "sdk.social_layer": true },
  identify: { "sdk.social_layer": true, "sdk.social_layer_presence": true },
} satisfies {
  readonly [Name in "guilds" | "identify"]: Record<Exclude<SufficientScope<Name>, Name>, true>;
};

/** Returns true if the granted scopes contain the needed scope, or a scope that includes it. */
export function includesScope(granted: readonly string[], needed: string): boolean {
  const including: Readonly<Record<string, object>> = scopesThatInclude;
  return granted.some((scope) => scope === needed || Object.hasOwn(including[needed] ?? {}, scope));
}

/** The key of a property in types only. The key is not exported, so editors never suggest the property. */
declare const grantedScopes: unique symbol;

/**
 * A type with granted scopes, such as a token. The compiler accepts a token with additional scopes, and rejects a token with
 * missing scopes: the property has the type of a function that takes the scopes.
 *
 * @typeParam Scope The scopes that were granted.
 */
export interface GrantedScopes<Scope> {
  /**
   * Used only in types. The property does not exist at run time.
   *
   * @ignore
   */
  readonly [grantedScopes]?: ((scope: Scope) => void) | undefined;
}
