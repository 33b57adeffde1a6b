/**
 * The built package as its users have it: in Node, and bundled in a Worker.
 *
 * @module
 */

import { build, type BuildOptions, type Plugin } from "esbuild";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import configuration from "../../../../deno.json" with { type: "json" };
import { binaryOf, installTools } from "../../../../tests/integration/runtimes/tools.ts";
import { run } from "../../../command.ts";
import { buildPackage } from "../../../package.ts";
import type { CompareOptions } from "./compare.ts";
import type { Measurements } from "./measurements.ts";

/** The folder of scripts that import the built package. It is below this folder, so that they find the alternatives there. */
export const project: URL = new URL("../../node_modules/.cache/packed/", import.meta.url);

let installing: Promise<void> | undefined;

/** Builds the package and installs it for the scripts, once. */
export function installPackage(): Promise<void> {
  return installing ??= install();
}

async function install(): Promise<void> {
  const sdk = new URL("node_modules/@guildpass/sdk/", project);
  await Deno.remove(project, { recursive: true }).catch(() => {});
  await Deno.mkdir(sdk, { recursive: true });
  const tarball = await buildPackage();
  await run(["tar", "-xzf", tarball, "--strip-components=1", "-C", fileURLToPath(sdk)]);
}

/** Runs code that imports modules of this folder in Node, with the built package in place of the source, and returns the value that it prints. */
export async function runInNode(code: string, flags: readonly string[] = []): Promise<unknown> {
  await Promise.all([installTools(), installPackage()]);
  const script = new URL("script.mjs", project);
  await bundle({ code, outfile: fileURLToPath(script), packages: "external", platform: "node" });
  return JSON.parse(await run([binaryOf("node24"), ...flags, fileURLToPath(script)]));
}

/** Measures the contests that a function of a module returns, in Node. */
export async function compareAllInNode(
  module: string,
  factory: string,
  options: CompareOptions = {},
): Promise<Measurements> {
  const code = `
    import { compareAll } from "./compare.ts";
    import { ${factory} } from "${module}";
    const measured = await compareAll(await ${factory}(), ${JSON.stringify(options)});
    console.log(JSON.stringify(measured));
  `;
  return await runInNode(code) as Measurements;
}

/** Bundles a Worker of this folder into one minified file, with the built package in place of the source, and returns its path. */
export async function bundleWorker(name: string, options: BuildOptions = {}): Promise<string> {
  await installPackage();
  const outfile = fileURLToPath(new URL(`${name}.worker.js`, project));
  const code = `export { default } from "./workers/${name}.ts"`;
  const conditions = ["workerd", "worker", "browser"];
  await bundle({ code, outfile, minify: true, conditions, ...options });
  return outfile;
}

async function bundle({ code, ...options }: BuildOptions & { readonly code: string }) {
  await build({
    stdin: { contents: code, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    bundle: true,
    format: "esm",
    target: "es2022",
    logLevel: "error",
    plugins: [builtPackage],
    ...options,
  });
}

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** The names of the package's entry points, by the paths of their source. */
const entryPoints = new Map(
  Object.entries(configuration.exports).map(([name, path]) => [
    `${root}${path.replace("./", "")}`,
    `@guildpass/sdk${name.slice(1)}`,
  ]),
);

/** Replaces the source with the built package. */
const builtPackage: Plugin = {
  name: "built package",
  setup({ onResolve, resolve, initialOptions: { packages } }): void {
    onResolve({ filter: /^\.\.\// }, async ({ path, resolveDir, kind }) => {
      const source = join(resolveDir, path);
      const name = entryPoints.get(source);
      if (name !== undefined) {
        return packages === "external"
          ? { path: name, external: true }
          : await resolve(name, { resolveDir: fileURLToPath(project), kind });
      }
      const isSource = source.startsWith(`${root}src/`);
      return isSource ? { errors: [{ text: `${source} is no entry point` }] } : null;
    });
  },
};
