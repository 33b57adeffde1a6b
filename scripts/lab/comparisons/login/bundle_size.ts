/**
 * Measures the bytes of a bundle.
 *
 * @module
 */

import { build, type Plugin } from "esbuild";
import { builtinModules } from "node:module";
import { resolve as resolvePath } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** Frameworks, which the application has for other reasons. */
const frameworks = ["next", "next/*", "react", "react-dom", "hono", "hono/*"];

/** Returns the bytes that a server loads with some imports, minified and gzipped, without Node's modules and the framework. */
export async function bundleSize(imports: string, folder: URL): Promise<number> {
  const { outputFiles: [bundle] } = await build({
    stdin: { contents: imports, resolveDir: fileURLToPath(folder) },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    external: [...builtinModules, "node:*", ...frameworks],
    plugins: [npmSpecifiers, ownModules],
    write: false,
    logLevel: "error",
  });
  return gzipSync(bundle?.text ?? "", { level: 9 }).length;
}

/** Resolves `npm:jose@^6.0.0` as `jose`. */
const npmSpecifiers: Plugin = {
  name: "npm: specifiers",
  setup({ onResolve, resolve }): void {
    onResolve({ filter: /^npm:/ }, ({ path, resolveDir, importer, kind }) => {
      const name = path.replace(/^npm:((?:@[^/]+\/)?[^/@]+)(?:@[^/]+)?/, "$1");
      return resolve(name, { resolveDir, importer, kind });
    });
  },
};

const ownSource = fileURLToPath(new URL("../../../../src/", import.meta.url));

/** Marks the modules of this library as free of side effects, as its npm package does. */
const ownModules: Plugin = {
  name: "no side effects",
  setup({ onResolve }): void {
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) => {
      const file = resolvePath(resolveDir, path);
      return file.startsWith(ownSource) ? { path: file, sideEffects: false } : null;
    });
  },
};
