/**
 * Builds the guides and the API reference as a static site in `site/` that loads nothing from other hosts. Open
 * `site/index.html`.
 *
 * @module
 */

import { Marked } from "npm:marked@^18.2.1";
import { html } from "../examples/shared/html.ts";
import { tokens } from "../examples/shared/tokens.ts";
import { entryPoints } from "./package.ts";

const root = new URL("../", import.meta.url);
const site = new URL("site/", root);
const repository = "https://github.com/guildpass/sdk/blob/main/";

if (import.meta.main) await main();

async function main(): Promise<void> {
  await Deno.remove(site, { recursive: true }).catch(() => {});
  await Deno.mkdir(new URL("docs/", site), { recursive: true });
  const names = [...Deno.readDirSync(new URL("docs/", root))].map(({ name }) => `docs/${name}`);
  const guides = names.filter((name) => name.endsWith(".md")).sort();
  for (const path of ["README.md", ...guides]) {
    const markdown = await Deno.readTextFile(new URL(path, root));
    await Deno.writeTextFile(new URL(pagePath(path), site), renderPage(path, markdown));
  }
  for (const name of names.filter((name) => name.endsWith(".png"))) {
    await Deno.copyFile(new URL(name, root), new URL(name, site));
  }
  const style = await Deno.readTextFile(new URL("docs_site.css", import.meta.url));
  await Deno.writeTextFile(new URL("style.css", site), tokens + style);
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["doc", "--quiet", "--html", "--name=@guildpass/sdk", "--output=site/api"],
      ...entryPoints.map(({ path }) => path),
    ],
    cwd: root,
  }).spawn().status;
  if (!success) Deno.exit(1);
  await correctReference(new URL("api/", site));
  const narrow = await Deno.readTextFile(new URL("docs_api.css", import.meta.url));
  await Deno.writeTextFile(new URL("api/page.css", site), narrow, { append: true });
  console.log(`Open ${new URL("index.html", site)}`);
}

/**
 * Corrects the pages of `deno doc`: renames files with `%20` in their name, for which a browser looks under a name with a
 * space, and links to the source in the repository instead of on this machine.
 */
async function correctReference(folder: URL): Promise<void> {
  const inMarkup = (url: string) => url.replaceAll("/", "&#x2F;");
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    // In the URL of the file, `%` is written as `%25`.
    const file = new URL(encodeURIComponent(name), folder);
    if (isDirectory) await correctReference(new URL(`${file}/`));
    if (!name.endsWith(".html")) continue;
    const page = await Deno.readTextFile(file);
    await Deno.remove(file);
    await Deno.writeTextFile(
      new URL(name, folder),
      page.replaceAll(inMarkup(root.href), inMarkup(repository)),
    );
  }
}

/** Renders a document as a page of the site. */
export function renderPage(path: string, markdown: string): string {
  const toRoot = path.includes("/") ? "../" : "";
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? path;
  const markup = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const content = this.parser.parseInline(tokens);
        return `<h${depth} id="${headingId(text)}">${content}</h${depth}>\n`;
      },
      table(table) {
        const cells = (row: typeof table.header, tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("");
        const rows = table.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
        // A wide table scrolls, also by keyboard, so that the page does not have to.
        return `<div class="table" tabindex="0"><table><thead><tr>${
          cells(table.header, "th")
        }</tr>` +
          `</thead><tbody>${rows}</tbody></table></div>\n`;
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${html`${text}`}</code></pre>\n`;
      },
    },
    walkTokens(token) {
      if (token.type === "link") token.href = translateLink(path, token.href);
    },
  }).parse(markdown, { async: false });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html`${title}`}</title>
<link rel="stylesheet" href="${toRoot}style.css">
<link rel="icon" href="data:,">
<header><nav aria-label="Site"><a href="${toRoot}index.html">@guildpass/sdk</a>
<a href="${toRoot}index.html#guides">Guides</a>
<a href="${toRoot}api/index.html">API</a></nav></header>
<main>
${markup}</main>
</html>
`;
}

/** Translates a link of a document: to a page of the site, or to the file in the repository. */
function translateLink(path: string, href: string): string {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const target = new URL(href, new URL(path, "https://site.invalid/"));
  const file = target.pathname.slice(1);
  if (!/^(?:README|docs\/\w+)\.md$/.test(file)) return repository + file;
  const toRoot = path.includes("/") ? "../" : "";
  return toRoot + pagePath(file) + target.hash;
}

function pagePath(path: string): string {
  return path.replace(/^README\.md$/, "index.html").replace(/\.md$/, ".html");
}

/** Returns the id that GitHub gives a heading. */
function headingId(heading: string): string {
  return heading.toLowerCase().replace(/[^\w\- ]/g, "").replaceAll(" ", "-");
}
