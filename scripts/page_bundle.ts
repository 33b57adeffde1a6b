/**
 * Bundles the scripts and styles of the examples' pages for browsers.
 *
 * @module
 */

import { build, transform } from "npm:esbuild@^0.28.2";
import { fileURLToPath } from "node:url";

const target = ["chrome111", "firefox115", "safari16.4"];

/** Bundles a module and all that it imports into one script. */
export async function bundleScript(module: URL): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(module)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target,
    legalComments: "none",
    logLevel: "error",
  });
  return outputFiles[0]?.text.trim() ?? "";
}

/** Removes comments and spaces from a style. */
export async function minifyStyle(style: string): Promise<string> {
  const { code } = await transform(style, { loader: "css", minify: true, target });
  return code.trim();
}
