/**
 * The guides of the site: the Markdown documents of the repository.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { metadata } from "../package.ts";

const root = new URL("../../", import.meta.url);

const [, owner, name] = /github\.com\/([^/]+)\/([^/.]+)/.exec(metadata.repository.url) ?? [];

/** The address of the source. */
export const repository = `https://github.com/${owner}/${name}`;

/** The address of the published site, on GitHub Pages. */
export const siteAddress = `https://${owner}.github.io/${name}/`;

/** A document that is a page of the site. */
export interface Guide {
  /** The path in the repository. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
}

/** A guide in the sidebar, with its short name in the list of guides. */
export interface ListedGuide extends Guide {
  readonly name: string;
}

/** A section of the sidebar. */
export interface Section {
  readonly title: string;
  readonly guides: readonly ListedGuide[];
}

/** The documents about the project, which follow the guides. */
const projectPaths = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];

/** The list of all guides. */
export const listPath = "docs/README.md";

/** Reads the sections from the list of guides. The documents about the project follow. */
export function readSections(): Section[] {
  const list = readGuide(listPath).markdown;
  const sections = list.split(/^(?=\*\*)/m).flatMap((text) => {
    const [, title] = /^\*\*(.*)\*\*$/m.exec(text) ?? [];
    const links = text.matchAll(/\[([^\]]+)\]\((\w+\.md)/g);
    const guides = [...links].map(([, name = "", path]) => {
      return { ...readGuide(`docs/${path}`), name: name.replaceAll("`", "") };
    });
    return title ? [{ title, guides }] : [];
  });
  const project = projectPaths.map(readGuide).map((guide) => ({ ...guide, name: guide.title }));
  return [...sections, { title: "The project", guides: project }];
}

/** Reads a document of the repository. */
export function readGuide(path: string): Guide {
  const markdown = readFileSync(new URL(path, root), "utf8");
  const [, title = path] = /^# (.*)$/m.exec(markdown) ?? [];
  return { path, title: title.replaceAll("`", ""), markdown };
}

/** Returns the id that GitHub gives a heading. */
export function headingId(heading: string): string {
  return heading.trim().toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, "").replaceAll(" ", "-");
}

/** Returns the first paragraph of a document, in one line and without links. */
export function summaryOf({ markdown }: Guide): string {
  const [, paragraph = ""] = /^# .*\n\n((?:.+\n)+)/m.exec(markdown) ?? [];
  return paragraph.trim().replace(/\s+/g, " ").replace(/\[(.*?)\]\(.*?\)/g, "$1");
}

/** Returns the first paragraph of a document for VitePress, which does not escape it. */
export function descriptionOf(path: string): string {
  return summaryOf(readGuide(path)).replace(/"(.*?)"/g, "“$1”").replace(/[`"<>&]/g, "");
}
