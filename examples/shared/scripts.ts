/**
 * Serves the scripts of a page one by one, so that the examples need no bundler.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import * as nodeModule from "node:module";

/** The modules that a script may import, at the paths to which its imports lead. */
const modules: ReadonlyMap<string, string> = new Map([
  ["/src/browser/mod.ts", "../../src/browser/mod.ts"],
  ["/src/browser/options.ts", "../../src/browser/options.ts"],
  ["/src/browser/responses.ts", "../../src/browser/responses.ts"],
  ["/src/browser/session_client.ts", "../../src/browser/session_client.ts"],
  ["/shared/local_times.ts", "local_times.ts"],
]);

/**
 * Returns the script at a path without its types, or `null` for any other path.
 *
 * @param scripts The scripts of the page, each for the path with its name, such as `/client.ts`. They may import
 * `../../src/browser/mod.ts`, `../shared/local_times.ts` and each other.
 */
export async function serveScript(
  pathname: string,
  ...scripts: readonly URL[]
): Promise<Response | null> {
  const module = modules.get(pathname);
  const file = module === undefined
    ? scripts.find(({ href }) => href.endsWith(pathname))
    : new URL(module, import.meta.url);
  if (!file || !pathname.endsWith(".ts")) return null;
  const source = await readFile(file, "utf8");
  const headers = { "content-type": "text/javascript", "cache-control": "no-store" };
  return new Response(nodeModule.stripTypeScriptTypes(source), { headers });
}
