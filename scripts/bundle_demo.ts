/**
 * Bundles the demo for the npm package, whose program serves it. The demo's server imports the entry points of the package, so that
 * no other file of the package changes.
 *
 * @module
 */

import { build, stop } from "esbuild";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { builtPath, type EntryPoint } from "./package.ts";
import { bundleScript, minifyStyle } from "./page_bundle.ts";

const root = new URL("../", import.meta.url);

/** The module that the program imports. */
const server = "examples/demo/start.ts";

/** The modules that run in the pages. */
const pageModules = ["examples/demo/guild_filter/main.ts", "examples/invite_builder/main.ts"];

/** Writes the files of the demo into a folder, at the paths that they have in the repository. */
export async function bundleDemo(folder: URL, entryPoints: readonly EntryPoint[]): Promise<void> {
  const write = async (path: string, text: string) => {
    const file = new URL(path, folder);
    await Deno.mkdir(new URL("./", file), { recursive: true });
    await Deno.writeTextFile(file, text);
  };
  await write(server.replace(/\.ts$/, ".js"), await bundleServer(entryPoints));
  for (const path of pageModules) {
    await write(path.replace(/\.ts$/, ".js"), `${await bundleScript(new URL(path, root))}\n`);
  }
  const [page, style] = ["examples/invite_builder/index.html", "examples/invite_builder/style.css"];
  await write(page, await Deno.readTextFile(new URL(page, root)));
  await write(style, `${await minifyStyle(await Deno.readTextFile(new URL(style, root)))}\n`);
  await stop();
}

async function bundleServer(entryPoints: readonly EntryPoint[]): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(root),
    entryPoints: [server],
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "node",
    plugins: [{
      name: "import the entry points of the package",
      setup({ onResolve }): void {
        onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
          const module = relative(fileURLToPath(root), resolve(resolveDir, path));
          if (module.startsWith("examples/")) return undefined;
          if (entryPoints.every((entry) => entry.path !== `./${module}`)) {
            return {
              errors: [{ text: `The demo imports ${module}, which is not an entry point` }],
            };
          }
          return {
            path: `../../${builtPath(`./${module}`, ".js").slice("./esm/".length)}`,
            external: true,
          };
        });
      },
    }],
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}
