/**
 * Bundles an application with the source tree in place of the package.
 *
 * @module
 */

import { build, type Plugin } from "esbuild";
import { fileURLToPath } from "node:url";

/** The runtime of the bundle. */
export type Target = "deno" | "workerd";

const packages = fileURLToPath(new URL("../", import.meta.url));

/** Bundles a module with all its imports, and returns the code. */
export async function bundle(entry: URL, target: Target): Promise<string> {
  const { outputFiles: [output] } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: target === "workerd" ? ["workerd", "worker", "browser"] : [target],
    external: ["node:*"],
    plugins: [modules],
    write: false,
    logLevel: "error",
  });
  if (!output) throw new Error(`${entry} could not be bundled`);
  return output.text;
}

const loginModule = fileURLToPath(new URL("../../../../src/login/mod.ts", import.meta.url));

const modules: Plugin = {
  name: "modules",
  setup({ onResolve, resolve }): void {
    onResolve({ filter: /^@guildpass\/sdk\/login$/ }, () => ({ path: loginModule }));
    // Resolves `npm:ky@^2.1.0` as `ky`, and all packages from the folder of these tests.
    onResolve({ filter: /^(npm:|@?[a-z])/ }, ({ path, kind, pluginData, importer }) => {
      if (pluginData || path.startsWith("node:") || importer.includes("node_modules")) return null;
      const name = path.replace(/^npm:((?:@[^/]+\/)?[^/@]+)(?:@[^/]+)?/, "$1");
      return resolve(name, { resolveDir: packages, kind, pluginData: true });
    });
  },
};
