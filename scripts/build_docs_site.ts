/**
 * Builds the guides and the API reference into one static site in `site/`, which loads nothing from elsewhere: open
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
    await Deno.writeTextFile(new URL(addressOf(path), site), renderPage(path, markdown));
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
  await mendReference(new URL("api/", site));
  const narrow = await Deno.readTextFile(new URL("docs_api.css", import.meta.url));
  await Deno.writeTextFile(new URL("api/page.css", site), narrow, { append: true });
  console.log(`Open ${new URL("index.html", site)}`);
}

/**
 * Mends the pages of `deno doc`. It writes `%20` into the names of files, where a browser looks for a space, and links to the
 * source at its place on this machine.
 */
async function mendReference(folder: URL): Promise<void> {
  const inMarkup = (url: string) => url.replaceAll("/", "&#x2F;");
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    // In a URL, the name itself is encoded.
    const file = new URL(encodeURIComponent(name), folder);
    if (isDirectory) await mendReference(new URL(`${file}/`));
    if (!name.endsWith(".html")) continue;
    const page = await Deno.readTextFile(file);
    await Deno.remove(file);
    await Deno.writeTextFile(
      new URL(name, folder),
      page.replaceAll(inMarkup(root.href), inMarkup(repository)),
    );
  }
}

/** A document as a page of the site. */
export function renderPage(path: string, markdown: string): string {
  const up = path.includes("/") ? "../" : "";
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? path;
  const markup = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const content = this.parser.parseInline(tokens);
        return `<h${depth} id="${slugOf(text)}">${content}</h${depth}>\n`;
      },
      table(table) {
        const cells = (row: typeof table.header, tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("");
        const rows = table.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
        // A wide table scrolls by itself, also by keyboard, so that the page does not.
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
      if (token.type === "link") token.href = linkFrom(path, token.href);
    },
  }).parse(markdown, { async: false });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html`${title}`}</title>
<link rel="stylesheet" href="${up}style.css">
<link rel="icon" href="data:,">
<header><nav aria-label="Site"><a href="${up}index.html">@guildpass/sdk</a>
<a href="${up}index.html#guides">Guides</a>
<a href="${up}api/index.html">API</a></nav></header>
<main>
${markup}</main>
</html>
`;
}

/** Where a link of a document leads on the site: to another page of it, or to the file in the repository. */
function linkFrom(path: string, href: string): string {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const target = new URL(href, new URL(path, "https://site.invalid/"));
  const file = target.pathname.slice(1);
  if (!/^(?:README|docs\/\w+)\.md$/.test(file)) return repository + file;
  const up = path.includes("/") ? "../" : "";
  return up + addressOf(file) + target.hash;
}

function addressOf(path: string): string {
  return path.replace(/^README\.md$/, "index.html").replace(/\.md$/, ".html");
}

/** The id that GitHub gives a heading. */
function slugOf(heading: string): string {
  return heading.toLowerCase().replace(/[^\w\- ]/g, "").replaceAll(" ", "-");
}
