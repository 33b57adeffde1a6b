import { build, type Plugin } from "esbuild";
import { fileURLToPath } from "node:url";
import configuration from "../../../../deno.json" with { type: "json" };

/** Bundles a Worker as `wrangler` does, with the source tree in place of the package `@guildpass/sdk`. */
export async function bundleWorker(entry: URL): Promise<string> {
  const { outputFiles: [output] } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:workers", "node:*"],
    plugins: [sourceTree],
    write: false,
    logLevel: "error",
  });
  if (!output) throw new Error(`${entry} could not be bundled`);
  return output.text;
}

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const entryPoints: Readonly<Record<string, string>> = configuration.exports;

const sourceTree: Plugin = {
  name: "source tree",
  setup({ onResolve, resolve }): void {
    onResolve({ filter: /^@guildpass\/sdk(\/|$)/ }, ({ path }) => {
      const module = entryPoints[path.replace("@guildpass/sdk", ".")];
      if (module === undefined) {
        return { errors: [{ text: `${path} is not exported` }] };
      }
      return { path: root + module };
    });
    // Resolves `npm:ky@^2.1.0` as `ky`, and all packages from the folder of these tests.
    onResolve({ filter: /^npm:/ }, ({ path, kind, pluginData }) => {
      if (pluginData === sourceTree) return null;
      const name = path.replace(/^npm:((?:@[^/]+\/)?[^/@]+)(?:@[^/]+)?/, "$1");
      return resolve(name, {
        resolveDir: `${root}tests/integration/examples`,
        kind,
        pluginData: sourceTree,
      });
    });
  },
};
