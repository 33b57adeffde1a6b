import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { renderPage } from "../../scripts/build_docs_site.ts";

const root = new URL("../../", import.meta.url);
const guides = readdirSync(new URL("docs/", root)).filter((name) => name.endsWith(".md"));
const documents = ["README.md", ...guides.map((name) => `docs/${name}`)];
const pages = new Map(documents.map((path) => [
  `https://site.invalid/${path.replace("README.md", "index.html").replace(".md", ".html")}`,
  renderPage(path, readFileSync(new URL(path, root), "utf8")),
]));

describe("The site of the documentation", () => {
  test("links only to pages and headings that exist", () => {
    const broken: string[] = [];
    let count = 0;
    for (const [address, html] of pages) {
      for (const [, href = ""] of html.matchAll(/<a href="([^"]*)"/g)) {
        const { origin, pathname, hash } = new URL(href, address);
        if (origin !== "https://site.invalid" || pathname.startsWith("/api/")) continue;
        count++;
        const target = pages.get(origin + pathname);
        const isThere = target && (hash === "" || target.includes(`id="${hash.slice(1)}"`));
        if (!isThere) broken.push(`${address}: ${href}`);
      }
    }
    expect(count).toBeGreaterThan(60);
    expect(broken).toEqual([]);
  });

  test("loads nothing from other origins", () => {
    for (const [address, html] of pages) {
      const loaded = [...html.matchAll(/(?:src|<link[^>]* href)="([^"]*)"/g)].map(([, url]) => url);
      expect(loaded.filter((url) => /^(?:https?:)?\/\//.test(url ?? "")), address).toEqual([]);
      expect(html, address).not.toContain("<script>");
    }
  });

  test("escapes code", () => {
    const html = renderPage("README.md", '# A & B\n\n```html\n<script>alert("x")</script>\n```\n');
    expect(html).toContain("<title>A &#38; B</title>");
    expect(html).toContain("&#60;script&#62;alert");
  });
});
