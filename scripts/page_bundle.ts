/**
 * Bundles the scripts and styles of the examples' pages for browsers.
 *
 * @module
 */

import { build, type BuildOptions, type Plugin, transform } from "npm:esbuild@^0.28.2";
import { fileURLToPath } from "node:url";

const target = ["chrome111", "firefox115", "safari16.4"];

export type { Plugin };

/** Bundles a module and all that it imports into one script. */
export async function bundleScript(
  module: URL,
  options: Pick<BuildOptions, "format" | "inject" | "plugins"> = {},
): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(module)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target,
    legalComments: "none",
    logLevel: "error",
    ...options,
  });
  return outputFiles?.[0]?.text.trim() ?? "";
}

/** Resolves `npm:ky@^2.1.0` as `ky`. */
export function npmSpecifiers(): Plugin {
  return {
    name: "npm: specifiers",
    setup({ onResolve, resolve }): void {
      onResolve({ filter: /^npm:/ }, ({ path, resolveDir, importer, kind }) => {
        const name = path.replace(/^npm:((?:@[^/]+\/)?[^/@]+)(?:@[^/]+)?/, "$1");
        return resolve(name, { resolveDir, importer, kind });
      });
    },
  };
}

/** Removes comments and spaces from a style. */
export async function minifyStyle(style: string): Promise<string> {
  const { code } = await transform(style, { loader: "css", minify: true, target });
  return code.trim();
}
