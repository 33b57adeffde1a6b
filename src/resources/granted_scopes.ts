/**
 * The scopes that a token was granted.
 *
 * @module
 */

/**
 * The scopes of which one is enough where a scope is needed: the scope itself, and those that include it.
 *
 * @typeParam Needed The scope that is needed.
 */
export type SufficientScope<Needed> =
  | Needed
  | (Needed extends "guilds" ? "sdk.social_layer" : never)
  | (Needed extends "identify" ? "sdk.social_layer" | "sdk.social_layer_presence" : never);

/** The scopes that include another scope, under the included scope's name: those of {@link SufficientScope}, as the compiler checks. */
const scopesThatInclude = {
  guilds: { "sdk.social_layer": true },
  identify: { "sdk.social_layer": true, "sdk.social_layer_presence": true },
} satisfies {
  readonly [Name in "guilds" | "identify"]: Record<Exclude<SufficientScope<Name>, Name>, true>;
};

/** Returns true if granted scopes have a scope, or another one that includes it. */
export function includesScope(granted: readonly string[], needed: string): boolean {
  const including: Readonly<Record<string, object>> = scopesThatInclude;
  return granted.some((scope) => scope === needed || Object.hasOwn(including[needed] ?? {}, scope));
}

/** The key of a property that exists in types only. It is not exported, so no editor offers the property. */
declare const grantedScopes: unique symbol;

/**
 * Something that was granted scopes, such as a token. The compiler accepts one with more scopes where fewer are needed, and not
 * the other way round: the type of the property is a function that takes the scopes.
 *
 * @typeParam Scope The scopes.
 */
export interface GrantedScopes<Scope> {
  /**
   * Used only in types. The property is never there at run time.
   *
   * @ignore
   */
  readonly [grantedScopes]?: ((scope: Scope) => void) | undefined;
}
