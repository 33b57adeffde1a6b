import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { metadata } from "../../scripts/package.ts";
import { readSections } from "../../scripts/docs_site/guides.ts";

const root = new URL("../../", import.meta.url);
const sections = readSections();
const paths = sections.flatMap(({ guides }) => guides.map(({ path }) => path));

// `browser/docs_site.browser.ts` tests the built site.
describe("The sidebar of the documentation site", () => {
  test("has the sections and the order of the README", () => {
    const readme = readFileSync(new URL("README.md", root), "utf8");
    const places = sections.slice(0, -1).map(({ title }) => readme.indexOf(`**${title}**`));
    expect(places.length).toBeGreaterThan(3);
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(sections[0]?.guides[0]).toMatchObject({
      path: "docs/first_login.md",
      title: "Your first login",
    });
    expect(sections.at(-1)?.title).toBe("The project");
  });

  test("has every guide once", () => {
    const guides = readdirSync(new URL("docs/", root)).filter((name) => name.endsWith(".md"));
    const shown = paths.filter((path) => path.startsWith("docs/"));
    expect(shown.toSorted()).toEqual(guides.map((name) => `docs/${name}`).toSorted());
  });

  test("has no title twice", () => {
    const titles = sections.flatMap(({ guides }) => guides.map(({ title }) => title));
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.join()).not.toContain("`");
  });
});

test("The release builds the documentation site for its folder on GitHub Pages", () => {
  const [, name] = /github\.com\/[^/]+\/([^/.]+)/.exec(metadata.repository.url) ?? [];
  const script = readFileSync(new URL("scripts/check_release.ts", root), "utf8");
  expect(script).toContain(`"build", "--base=/${name}/"`);
});
