/**
 * Joins each test file of a folder with the modules that it imports, in place: `node bundle_tests.mjs links`. Stryker runs it in its
 * copy of the repository. Hundreds of modules would be loaded again for each mutant otherwise.
 *
 * @module
 */

import { build } from "esbuild";
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Resolves the imports of the source, such as `npm:ky@^2.1.0`. */
const npmSpecifiers = {
  name: "npm specifiers",
  setup({ onResolve, resolve }) {
    onResolve(
      { filter: /^npm:/ },
      ({ path, resolveDir, kind }) =>
        resolve(path.replace(/^npm:((?:@[^/]+\/)?[^@/]+)@[^/]+/, "$1"), { resolveDir, kind }),
    );
  },
};

const entryPoints = globSync(`tests/${process.argv[2]}/**/*.test.ts`);
const { outputFiles } = await build({
  entryPoints,
  outdir: ".",
  outbase: ".",
  outExtension: { ".js": ".ts" },
  chunkNames: "bundled/[name]-[hash]",
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "esnext",
  external: ["vitest", "typescript"],
  plugins: [npmSpecifiers],
  // Stryker compares the places of tests with those in an earlier run.
  sourcemap: "external",
  sourcesContent: false,
  write: false,
});
const maps = new Map(outputFiles.map(({ path, text }) => [path, text]));
for (const { path, text } of outputFiles) {
  if (path.endsWith(".map")) continue;
  mkdirSync(dirname(path), { recursive: true });
  const map = path.endsWith(".test.ts") ? maps.get(`${path}.map`) : undefined;
  writeFileSync(path, map === undefined ? text : `${text}${sourceMap(map)}`);
}

function sourceMap(map) {
  return `//# sourceMappingURL=data:application/json;base64,${
    Buffer.from(map).toString("base64")
  }\n`;
}
