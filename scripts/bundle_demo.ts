/**
 * Adds the files of the demo's pages to the npm package, whose program serves the demo.
 *
 * @module
 */

import { stop } from "esbuild";
import { bundleScript, minifyStyle } from "./page_bundle.ts";

const root = new URL("../", import.meta.url);

/** The modules that run in the pages. Each becomes one file with all that it imports. */
const pageModules = ["examples/demo/guild_filter/main.ts", "examples/invite_builder/main.ts"];

/** Writes the files into a folder, at the paths that they have in the repository. */
export async function bundleDemo(folder: URL): Promise<void> {
  const write = async (path: string, text: string) => {
    const file = new URL(path, folder);
    await Deno.mkdir(new URL("./", file), { recursive: true });
    await Deno.writeTextFile(file, text);
  };
  for (const path of pageModules) {
    await write(path.replace(/\.ts$/, ".js"), `${await bundleScript(new URL(path, root))}\n`);
  }
  const [page, style] = ["examples/invite_builder/index.html", "examples/invite_builder/style.css"];
  await write(page, await Deno.readTextFile(new URL(page, root)));
  await write(style, `${await minifyStyle(await Deno.readTextFile(new URL(style, root)))}\n`);
  await stop();
}
