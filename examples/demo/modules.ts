/**
 * The modules that run in the demo's pages.
 *
 * In a clone, the demo serves them one by one, without their types: a bundler would be a larger download than everything else
 * that the demo needs. The npm package has them built, each as one file with all that it imports.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import * as nodeModule from "node:module";

/** The root of the repository, or the folder of the package with the same folders in it. */
const root = new URL("../../", import.meta.url);

/** True in the npm package, where every module is JavaScript, like this one. */
const isBuilt = import.meta.url.endsWith(".js");

/** The folders of the modules, as they are below `/modules/`. */
const served =
  /^\/modules\/((?:examples\/invite_builder|examples\/demo\/guild_filter|src(?:\/core|\/links|\/permissions)?)\/\w+\.[jt]s)$/;

/** Returns the address of a module of the repository, for its path without the extension. */
export function moduleAddress(path: string): string {
  return `/modules/${path}.${isBuilt ? "js" : "ts"}`;
}

/** Serves a module, or returns `null` if there is none at the path. */
export async function serveModule(pathname: string): Promise<Response | null> {
  const [, path] = served.exec(pathname) ?? [];
  const source = path && await readRepositoryFile(path).catch(() => null);
  if (!source) return null;
  return new Response(isBuilt ? source : nodeModule.stripTypeScriptTypes(source), {
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

/** Reads a file of the repository. */
export function readRepositoryFile(path: string): Promise<string> {
  return readFile(new URL(path, root), "utf8");
}
