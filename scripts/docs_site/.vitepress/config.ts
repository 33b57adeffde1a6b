import { readFileSync } from "node:fs";
import { defineConfig, type PageData } from "vitepress";
import library from "../../../deno.json" with { type: "json" };
import { changeMarkdown, headingId, repository } from "../markdown.ts";

const sidebar = new URL("../dist/pages/sidebar.json", import.meta.url);

/** Pages with wide tables. They have the full width, and the names of rows and columns stay in sight. */
const widePages: readonly string[] = ["docs/comparison.md"];

/** Changes to components of the theme without which axe-core finds mistakes. */
const themeChanges: Readonly<
  Record<string, readonly (readonly [before: string, after: string])[]>
> = {
  "NotFound.vue": [['<div class="NotFound">', '<div class="NotFound" role="main">']],
  "VPNavBarSearchButton.vue": [
    // The style sheet has the letter, since the name of the button is "Search".
    ['<kbd class="DocSearch-Button-Key">K</kbd>', '<kbd class="DocSearch-Button-Key k"></kbd>'],
  ],
  "VPLocalSearchBox.vue": [
    ['role="button"', 'role="dialog" aria-modal="true"'],
    [":aria-owns=\"results?.length ? 'localsearch-list' : undefined\"", ""],
    ['aria-expanded="true"', ""],
    ['aria-haspopup="listbox"', ""],
    [":role=\"results?.length ? 'listbox' : undefined\"", ""],
    ['role="option"', ""],
    [":aria-selected=\"selectedIndex === index ? 'true' : 'false'\"", ""],
    [":aria-label=\"[...p.titles, p.title].join(' > ')\"", ""],
    ["<kbd :aria-label", '<kbd role="img" :aria-label'],
  ],
};

export default defineConfig({
  title: library.name,
  description: "Log in with Discord, on every runtime that has fetch",
  lang: "en-US",
  srcDir: "dist/pages",
  outDir: "../../site",
  cacheDir: "dist/cache",
  metaChunk: true,
  // Without it, browsers ask for /favicon.ico.
  head: [["link", { rel: "icon", href: "data:," }]],
  ignoreDeadLinks: "localhostLinks",
  transformPageData({ relativePath, frontmatter }) {
    if (widePages.includes(relativePath)) {
      Object.assign(frontmatter, { pageClass: "wide", aside: false });
    }
  },
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify: headingId },
    config: changeMarkdown,
  },
  vite: {
    plugins: [{
      name: "accessible-theme",
      enforce: "pre",
      transform(code, id) {
        const changes = themeChanges[id.replace(/.*\//, "")];
        return changes?.reduce(
          (text, [before, after]) => replaceIn(text, before, after, id),
          code,
        );
      },
    }],
  },
  themeConfig: {
    nav: [
      { text: "Guides", link: "/", activeMatch: "^/(?!api/)" },
      { text: "API", link: "/api/", activeMatch: "^/api/" },
      { text: `v${library.version}`, link: "/CHANGELOG" },
    ],
    sidebar: JSON.parse(readFileSync(sidebar, "utf8")),
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        miniSearch: {
          // These run in the page too, so they can't use names of this module.
          searchOptions: {
            // Guides explain, so they come before pages of the API that have the same words.
            boostDocument: (id: string) => /\/api\/|CHANGELOG/.test(id) ? 0.5 : 1,
            // Short words of a question would find too much.
            fuzzy: (word: string) => word.length > 5 ? 0.2 : false,
            prefix: (word: string) => word.length > 3,
          },
        },
      },
    },
    socialLinks: [{ icon: "github", link: repository }],
    editLink: {
      // It runs in the page too, so it can't use names of this module.
      pattern: ({ filePath, frontmatter }: PageData) =>
        "https://github.com/guildpass/sdk/edit/main/" +
        (frontmatter["source"] ?? filePath.replace("index.md", "README.md")),
    },
    notFound: {
      title: "This page does not exist",
      quote: "The search finds guides, options, errors and names of the API.",
      linkText: "Go to the first page",
      linkLabel: "Go to the first page",
    },
  },
});

/** Replaces a part of a component, which a new version of the theme may not have any more. */
function replaceIn(text: string, before: string, after: string, id: string): string {
  if (!text.includes(before)) throw new Error(`${id} has no ${before}`);
  return text.replaceAll(before, after);
}
