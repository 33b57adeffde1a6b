/**
 * Builds the guides and the API reference as a static site in `site/`. `deno task --cwd scripts/docs_site build` runs it.
 *
 * ```sh
 * deno run -A main.ts              # for the root of a host
 * deno run -A main.ts --base /sdk/ # for a folder of a host
 * ```
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { run } from "../command.ts";
import { writeApiPages } from "./api_pages.ts";
import { readSections } from "./guides.ts";

const root = new URL("../../", import.meta.url);

/** The folder of the Markdown pages, which VitePress reads. */
const pages = new URL("dist/pages/", import.meta.url);

await Deno.remove(pages, { recursive: true }).catch(() => {});
await Deno.mkdir(new URL("docs/", pages), { recursive: true });

const sections = readSections();
const guides = sections.flatMap(({ guides }) => guides);
for (const path of ["README.md", ...guides.map(({ path }) => path)]) {
  await Deno.copyFile(new URL(path, root), new URL(path.replace("README", "index"), pages));
}
for (const { name } of Deno.readDirSync(new URL("docs/", root))) {
  if (/\.(?:gif|png)$/.test(name)) {
    await Deno.copyFile(new URL(`docs/${name}`, root), new URL(`docs/${name}`, pages));
  }
}
const apiSidebars = await writeApiPages(
  new URL("api/", pages),
  guides.filter(({ path }) => path.startsWith("docs/")),
);
const guideSidebar = [
  { text: "Overview", link: "/" },
  ...sections.map(({ title, guides }) => ({
    text: title,
    items: guides.map(({ path, title }) => ({ text: title, link: `/${path}` })),
  })),
];
await Deno.writeTextFile(
  new URL("sidebar.json", pages),
  JSON.stringify({ ...apiSidebars, "/": guideSidebar }),
);
// It may not use the network.
const permissions = ["read", "write", "env", "sys", "run", "ffi"].map((name) => `--allow-${name}`);
await run(
  [Deno.execPath(), "run", ...permissions, "npm:vitepress", "build", ...Deno.args],
  { cwd: new URL(".", import.meta.url) },
);
console.log(`The site is in ${fileURLToPath(new URL("site/", root))}`);
