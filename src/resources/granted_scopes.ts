/**
 * The granted scopes of a token, for the compiler.
 *
 * @module
 */

/** The key of a property that exists in types only. It is not exported, so no editor offers the property. */
declare const grantedScopes: unique symbol;

/**
 * Something that was granted scopes, such as a token. The compiler accepts one with more scopes where fewer are needed, and not
 * the other way round: the type of the property is a function that takes the scopes.
 *
 * @typeParam Scope The scopes.
 */
export interface GrantedScopes<Scope> {
  /** For the compiler alone. The property is never there at run time. */
  readonly [grantedScopes]?: ((scope: Scope) => void) | undefined;
}
