/**
 * Refuses page modules the functions that are newer than ES2022, since the browsers of 2022 lack them. Not in the list:
 * `Uint8Array.fromBase64`, which `core/base64url.ts` uses only if it exists.
 *
 * @module
 */

import { pageSafeParts, parts } from "../scripts/architecture.ts";

const newer: readonly (readonly [object, readonly string[]])[] = [
  [URL, ["canParse", "parse"]],
  [Array.prototype, ["findLast", "findLastIndex", "toReversed", "toSorted", "toSpliced", "with"]],
  [Object, ["groupBy"]],
  [Map, ["groupBy"]],
  [Array, ["fromAsync"]],
  [Promise, ["withResolvers", "try"]],
  [String.prototype, ["isWellFormed", "toWellFormed"]],
  [RegExp, ["escape"]],
  [Set.prototype, [
    "difference",
    "intersection",
    "isDisjointFrom",
    "isSubsetOf",
    "isSupersetOf",
    "symmetricDifference",
    "union",
  ]],
  [AbortSignal, ["any", "timeout"]],
  [crypto, ["randomUUID"]],
];

const pagePaths = pageSafeParts.flatMap((part) => parts[part].paths).map((path) => `/${path}`);

// All test files share one page, so the functions may be wrapped already.
for (const [owner, names] of newer) {
  for (const name of names) {
    const original: unknown = Reflect.get(owner, name);
    if (isFunction(original) && original.name !== "refusal") {
      Object.defineProperty(owner, name, { value: refusing(name, original), configurable: true });
    }
  }
}

function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === "function";
}

/** Wraps a function. It throws if a page module calls it; tests and server modules may call it. */
function refusing(name: string, original: (...args: unknown[]) => unknown) {
  return function refusal(this: unknown, ...args: unknown[]): unknown {
    const [, , caller = ""] = new Error().stack?.split("\n") ?? [];
    if (pagePaths.some((path) => caller.includes(path))) {
      throw new TypeError(`${name} is newer than ES2022`);
    }
    return Reflect.apply(original, this, args);
  };
}
