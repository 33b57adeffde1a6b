/**
 * From a path to its handler.
 *
 * @module
 */

import type { Handler, Routes } from "./http/responses.ts";

export interface Match {
  readonly template: string;
  readonly methods: Readonly<Record<string, Handler>>;
  readonly params: Readonly<Record<string, string>>;
}

/** The first route whose template fits the path; a name in braces fits any one segment. */
export function findRoute(routes: Routes, path: string): Match | null {
  const plain = decode(path);
  for (const [template, methods] of Object.entries(routes)) {
    const pattern = template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
    const match = new RegExp(`^${pattern}$`).exec(plain);
    if (match !== null) return { template, methods, params: { ...match.groups } };
  }
  return null;
}

/** Clients may write `@me` as `%40me`; what cannot be decoded is compared as it is. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The own property of a table, for names that come from outside: `constructor` and the like are not found. */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
