/**
 * From a path to its handler.
 *
 * @module
 */

import type { Handler, Routes } from "./http.ts";

export interface Match {
  readonly template: string;
  readonly methods: Readonly<Record<string, Handler>>;
  readonly params: Readonly<Record<string, string>>;
}

/** The first route whose template fits the path. */
export function findRoute(routes: Routes, path: string): Match | null {
  for (const [template, methods] of Object.entries(routes)) {
    const params = fit(template.split("/"), path.split("/"));
    if (params !== null) return { template, methods, params };
  }
  return null;
}

function fit(template: string[], path: string[]): Record<string, string> | null {
  if (template.length !== path.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of template.entries()) {
    const actual = decode(path[at]);
    if (part.startsWith("{")) params[part.slice(1, -1)] = actual;
    else if (part !== actual) return null;
  }
  return params;
}

/** Clients may write `@me` as `%40me`; what cannot be decoded is compared as it is. */
function decode(part = ""): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
