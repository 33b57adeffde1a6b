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
  ["/src/browser/session_client.ts", "../../src/browser/session_client.ts"],
  ["/shared/local_times.ts", "local_times.ts"],
]);

/**
 * Returns the script at a path without its types, or `null` for any other path.
 *
 * @param client The script of the page, for the path `/client.ts`. It may import `../../src/browser/mod.ts` and `../shared/local_times.ts`.
 */
export async function serveScript(pathname: string, client: URL): Promise<Response | null> {
  const module = modules.get(pathname);
  if (module === undefined && pathname !== "/client.ts") return null;
  const file = module === undefined ? client : new URL(module, import.meta.url);
  const source = await readFile(file, "utf8");
  const headers = { "content-type": "text/javascript", "cache-control": "no-store" };
  return new Response(nodeModule.stripTypeScriptTypes(source), { headers });
}
