/**
 * Keeps the secrets of a model out of logs, while code and `JSON.stringify` read it like any other object.
 *
 * @module
 */

/** The name under which Node, Deno, Bun and workerd ask an object how to print it. */
const inspectName = "nodejs.util.inspect.custom";

/** What a log may show of a token. */
const shownOfToken: readonly string[] = [
  "token_type",
  "expires_in",
  "expires_at",
  "scope",
  "scopes",
  "guild",
  "webhook",
];

/** A copy of a token that prints without its secrets. */
export function hideToken<Token extends object>(token: Token): Token {
  return hideSecrets(token, shownOfToken);
}

/**
 * A copy of a model that prints without its secrets.
 *
 * @param shown The fields that may be printed. Every other one counts as a secret, since a new one may be.
 */
export function hideSecrets<Model extends object>(model: Model, shown: readonly string[]): Model {
  const copy = {};
  const printed = {};
  for (const [name, value] of Object.entries(model)) {
    const isSecret = value !== null && !shown.includes(name);
    // A getter, since no runtime calls one to print it: some print an error that was not caught, or what console.dir() is
    // given, without asking the object.
    const property = isSecret ? { get: () => value } : { value };
    Object.defineProperty(copy, name, { ...property, enumerable: true });
    const print = isSecret ? "[hidden]" : value;
    Object.defineProperty(printed, name, { value: print, enumerable: true });
  }
  // Not enumerable, so that no comparison and no copy sees it.
  Object.defineProperty(copy, Symbol.for(inspectName), { value: () => printed });
  return copy as Model;
}
