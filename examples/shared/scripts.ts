/**
 * Serves the scripts of a page one by one, so that the examples need no bundler.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import * as nodeModule from "node:module";

/** The modules of `SessionClient`, at the paths to which the imports of a script lead. */
const browserModules = ["/src/browser/mod.ts", "/src/browser/session_client.ts"];

/**
 * Returns the script at a path without its types, or `null` for any other path.
 *
 * @param client The script of the page, for the path `/client.ts`. It may import `../../src/browser/mod.ts`.
 */
export async function serveScript(pathname: string, client: URL): Promise<Response | null> {
  const isModule = browserModules.includes(pathname);
  if (!isModule && pathname !== "/client.ts") return null;
  const file = isModule ? new URL(`../..${pathname}`, import.meta.url) : client;
  const source = await readFile(file, "utf8");
  const headers = { "content-type": "text/javascript", "cache-control": "no-store" };
  return new Response(nodeModule.stripTypeScriptTypes(source), { headers });
}
