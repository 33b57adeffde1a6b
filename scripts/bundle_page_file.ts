/**
 * Bundles the modules for pages into one minified file of the npm package, for pages without a bundler.
 *
 * A page loads it with one request and without an import map. All modules in one file take fewer bytes than the separate files
 * of a single class, since a name is shortened and the text is compressed as a whole.
 *
 * @module
 */

import { build, stop } from "esbuild";
import { fileURLToPath } from "node:url";
import config from "../deno.json" with { type: "json" };
import { pageEntryPoints } from "./architecture.ts";
import { builtPath } from "./package.ts";

/** The path of the file in the package. */
export const pageFile = "esm/page.min.js";

/** The entry points whose modules the file has: those for pages, and the page's half of a session. */
export const pageFileEntryPoints = [...pageEntryPoints, "./browser"] as const;

/** Writes the file into the folder of the built package. */
export async function bundlePageFile(folder: URL): Promise<void> {
  const modules = pageFileEntryPoints.map((name) => builtPath(config.exports[name], ".js"));
  const { outputFiles: [output] } = await build({
    stdin: {
      contents: modules.map((path) => `export * from ${JSON.stringify(path)};`).join("\n"),
      resolveDir: fileURLToPath(folder),
    },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    banner: { js: `// ${config.name} ${config.version}, ${config.license} license` },
    legalComments: "none",
    logLevel: "error",
  });
  await stop();
  if (!output) throw new Error("The modules for pages could not be bundled");
  await Deno.writeTextFile(new URL(pageFile, folder), output.text);
}
