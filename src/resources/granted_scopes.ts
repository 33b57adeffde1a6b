/**
 * Scopes that the compiler knows.
 *
 * @module
 */

/**
 * Has been granted scopes. A method with this type for its `this` compiles only where the scope is among them.
 *
 * The property is never there at run time. A function that takes the scopes accepts less when it is known to take more, so
 * that a token with more scopes fits wherever one with fewer is wanted, and not the other way round.
 *
 * @typeParam Scope The scopes.
 */
export interface NeedsScope<Scope> {
  /** For the compiler alone. */
  readonly "granted scopes"?: (scope: Scope) => void;
}
