/**
 * The guides of the site: the Markdown documents of the repository.
 *
 * @module
 */

import { readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);

/** A document that is a page of the site. */
export interface Guide {
  /** The path in the repository. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
}

/** A section of the sidebar. */
export interface Section {
  readonly title: string;
  readonly guides: readonly Guide[];
}

/** The documents about the project, which follow the guides. */
const projectPaths = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];

/** Reads the sections from the list of guides in the README. The documents about the project follow. */
export function readSections(): Section[] {
  const readme = readFileSync(new URL("README.md", root), "utf8");
  const [, list = ""] = /^## Guides\n(.*?)^## /ms.exec(readme) ?? [];
  const sections = list.split(/^(?=\*\*)/m).flatMap((text) => {
    const [, title] = /^\*\*(.*)\*\*$/m.exec(text) ?? [];
    const paths = new Set([...text.matchAll(/\]\((docs\/\w+\.md)/g)].map(([, path = ""]) => path));
    return title ? [{ title, guides: [...paths].map(readGuide) }] : [];
  });
  return [...sections, { title: "The project", guides: projectPaths.map(readGuide) }];
}

function readGuide(path: string): Guide {
  const markdown = readFileSync(new URL(path, root), "utf8");
  const [, title = path] = /^# (.*)$/m.exec(markdown) ?? [];
  return { path, title: title.replaceAll("`", ""), markdown };
}
