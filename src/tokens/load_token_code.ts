/**
 * Loads the code that reads and writes token records, at its first use.
 *
 * @module
 */

/** The module, kept in place of its promise: a request of a Worker can't wait for the promise of another request. */
let loaded: typeof import("./kept_token.ts") | undefined;

/** Returns the module with the code. */
export async function loadTokenCode(): Promise<typeof import("./kept_token.ts")> {
  return loaded ??= await import("./kept_token.ts");
}
