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

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { brand } from "../../examples/shared/page.ts";
import { buildInviteBuilder } from "../build_invite_builder.ts";
import { run } from "../command.ts";
import { writeApiPages } from "./api_pages.ts";
import { listPath, readGuide, readSections } from "./guides.ts";
import { bundleLoginDemo } from "./login_demo.ts";
import { inScheme, pictures } from "./pictures.ts";
import { homePage, llmsFull, llmsIndex, withInstallTabs } from "./home.ts";
import { moved, redirectPage } from "./moved.ts";

const root = new URL("../../", import.meta.url);

/** The folder of the Markdown pages, which VitePress reads. */
const pages = new URL("dist/pages/", import.meta.url);

await Deno.remove(pages, { recursive: true }).catch(() => {});

const readme = readGuide("README.md");
const sections = readSections();
const guides = sections.flatMap(({ guides }) => guides);
await write("index.md", withInstallTabs(homePage(readme)));
for (const { path, markdown } of [readme, readGuide(listPath), ...guides]) {
  await write(path, withInstallTabs(markdown));
  // VitePress copies the folder `public` as it is.
  await write(`public/${path}`, markdown);
}
for (const { name } of Deno.readDirSync(new URL("docs/", root))) {
  if (!/\.(?:md|svg)$/.test(name)) await copy(`docs/${name}`, `docs/${name}`);
}
for (const [path, picture] of Object.entries(pictures())) {
  for (const scheme of ["light", "dark"] as const) {
    await write(path.replace(".svg", `.${scheme}.svg`), inScheme(picture, scheme));
  }
}
for (const [name, target] of Object.entries(moved)) {
  await write(`public/docs/${name}.html`, redirectPage(target));
}
for (const name of ["demo_dark.png", "demo_light.png", "logo.svg", "social.png"]) {
  await copy(`scripts/docs_site/public/${name}`, `public/${name}`);
}
await write("public/llms.txt", llmsIndex(readme, sections));
await write("public/llms-full.txt", llmsFull([readme, ...guides]));
await write(
  "public/invite-builder/index.html",
  await buildInviteBuilder({ brand: brand("../", "invite builder") }),
);
await write("public/login-demo.js", await bundleLoginDemo());
const apiSidebars = await writeApiPages(
  new URL("api/", pages),
  guides.filter(({ path }) => path.startsWith("docs/")),
);
const guideSidebar = [
  { text: "Overview", link: "/README" },
  { text: "All guides", link: "/docs/README" },
  ...sections.map(({ title, guides }) => ({
    text: title,
    items: guides.map(({ path, name }) => ({ text: name, link: `/${path}` })),
  })),
];
await write("sidebar.json", JSON.stringify({ ...apiSidebars, "/": guideSidebar }));
// It may not use the network.
const permissions = ["read", "write", "env", "sys", "run", "ffi"].map((name) => `--allow-${name}`);
await run(
  [Deno.execPath(), "run", ...permissions, "npm:vitepress", "build", ...Deno.args],
  { cwd: new URL(".", import.meta.url) },
);
console.log(`The site is in ${fileURLToPath(new URL("site/", root))}`);

/** Writes a file in the folder of the pages. */
async function write(path: string, text: string): Promise<void> {
  const file = fileURLToPath(new URL(path, pages));
  await Deno.mkdir(dirname(file), { recursive: true });
  await Deno.writeTextFile(file, text);
}

/** Copies a file of the repository to the folder of the pages. */
async function copy(from: string, to: string): Promise<void> {
  const file = fileURLToPath(new URL(to, pages));
  await Deno.mkdir(dirname(file), { recursive: true });
  await Deno.copyFile(new URL(from, root), file);
}
