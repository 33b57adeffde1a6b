/**
 * The modules that run in the demo's pages.
 *
 * The demo serves them one by one, without their types. A bundler would be a larger download than everything else that
 * the demo needs.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import * as nodeModule from "node:module";

const root = new URL("../../", import.meta.url);

/** The folders of the modules, as they are below `/modules/`. */
const served =
  /^\/modules\/((?:examples\/invite_builder|examples\/demo\/guild_filter|src(?:\/core|\/links|\/permissions)?)\/\w+\.ts)$/;

/** Returns the address of a module of the repository. */
export function moduleAddress(path: string): string {
  return `/modules/${path}`;
}

/** Answers with a module, or returns `null` if there is none at the path. */
export async function serveModule(pathname: string): Promise<Response | null> {
  const [, path] = served.exec(pathname) ?? [];
  const source = path && await readRepositoryFile(path).catch(() => null);
  if (!source) return null;
  return new Response(nodeModule.stripTypeScriptTypes(source), {
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
