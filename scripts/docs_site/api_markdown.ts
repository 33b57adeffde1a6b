/**
 * The Markdown of a page of the API reference, in another form than the plugin of TypeDoc writes it.
 *
 * @module
 */

import { headingId } from "./guides.ts";

/** The title of a group on a page, and the names of its members. */
export type MemberGroup = readonly [title: string, names: readonly string[]];

/** A part of a page: its heading with the text below it, or a line between two members. */
interface Part {
  readonly text: string;
  /** The level of its heading, or 0 without one. */
  readonly level: number;
  readonly title: string;
}

/** The sections that follow the members, for which most readers open a page. */
const lastTitles: readonly string[] = [
  "Implements",
  "Extends",
  "Extended By",
  "Extended by",
  "Type Parameters",
];

/** Returns a page without what repeats its signatures, with its members first, and with folded type parameters. */
export function apiMarkdown(markdown: string, part: string): string {
  const plain = withoutRepetition(markdown).replace(
    /^## Modules\n\n\| Module /m,
    `## ${part}s\n\n| ${part} `,
  );
  return withFoldedTypeParameters(withMembersFirst(withoutBareEntries(plain)));
}

/** Returns a page with the links to all its members, by group, before the first group. */
export function withMemberList(markdown: string, groups: readonly MemberGroup[]): string {
  const [first] = groups;
  if (!first) return markdown;
  const anchors = memberAnchors(markdown);
  const lines = groups.map(([title, names]) => {
    const links = names.map((name) => `[\`${name}\`](#${anchors.get(name) ?? headingId(name)})`);
    return `- **${title}**: ${links.join(", ")}`;
  });
  return markdown.replace(
    `## ${first[0]}\n`,
    (heading) => `<div class="members">\n\n${lines.join("\n")}\n\n</div>\n\n${heading}`,
  );
}

/** Returns the anchor of each member, which has a number if another heading above it has the same words. */
function memberAnchors(markdown: string): Map<string, string> {
  const used = new Set<string>();
  const anchors = new Map<string, string>();
  for (const [, marks = "", title = ""] of markdown.matchAll(/^(#+) (.*)$/gm)) {
    const id = headingId(title);
    let anchor = id;
    for (let count = 1; used.has(anchor); count++) anchor = `${id}-${count}`;
    used.add(anchor);
    if (marks === "###") anchors.set(title.replace(/\W/g, ""), anchor);
  }
  return anchors;
}

/**
 * Removes what a page shows elsewhere: ids of headings, which VitePress makes anyway, the origin of members, the word `optional` beside
 * a question mark, and the type parameters of constructors.
 */
function withoutRepetition(markdown: string): string {
  return markdown.replace(/^(#+) (.*) \{#.*\}$/gm, "$1 $2")
    .replace(/^#+ (?:Inherited from|Overrides)\n\n.*\n\n?/gm, "")
    .replace(/^(> .*?)`optional` (?=\*\*)/gm, "$1")
    // The name that TypeDoc gives to a destructured parameter.
    .replace(/(?:\\?_){2}namedParameters/g, "options")
    // The type parameters of a class have their own section.
    .replace(/^(> \*\*new (\w+)\*\*)\\<.*?\\>(?=\(`)(.*): `\2`\\<.*$/gm, "$1$3: `$2`")
    .replace(/\\`(.*?)\\`/g, (_code, text: string) => `\`${text.replaceAll("\\", "")}\``);
}

/** Removes the entries of parameters and results without a description, which would repeat the signature. */
function withoutBareEntries(markdown: string): string {
  const above: string[] = [];
  const parts = partsOf(markdown).map((part) => {
    const { text, level, title } = part;
    above[level] = title;
    const isEntry = (level < 6 && title === "Returns") || above[level - 1] === "Parameters";
    // Its heading and its type. Headings of level 6 may be below others of that level.
    const isBare = isEntry && text.trim().split(/\n{2,}/).length === 2;
    const isList = level < 6 && title === "Parameters";
    return { ...part, text: isEntry ? withSignature(text) : text, isBare, isList };
  });
  const described = parts.filter(({ level, isBare }, index) => {
    return !isBare || level < (parts[index + 1]?.level ?? 0);
  });
  const filled = described.filter(({ level, isList }, index) => {
    return !isList || level < (described[index + 1]?.level ?? 0);
  });
  return filled.map(({ text }) => text).join("");
}

/** Moves the sections about other types behind the members of a page. */
function withMembersFirst(markdown: string): string {
  const [begin = "", ...sections] = markdown.split(/^(?=## )/m);
  const place = (section: string) => lastTitles.indexOf(/^## (.*)\n/.exec(section)?.[1] ?? "");
  const ordered = sections.toSorted((one, other) => place(one) - place(other));
  return [begin, ...ordered.map((section) => `${section.trim()}\n\n`)].join("");
}

/** Folds each list of type parameters, and shows its entries without headings, which the outline of the page would list. */
function withFoldedTypeParameters(markdown: string): string {
  let folded = 0;
  const texts = partsOf(markdown).map(({ text, level, title }) => {
    const end = folded > 0 && level <= folded ? "</details>\n\n" : "";
    if (end) folded = 0;
    if (title === "Type Parameters") {
      folded = level;
      return `${end}<details>\n<summary>Type parameters</summary>\n\n`;
    }
    return end + (folded > 0 ? withSignature(text).replace(/^#.*\n\n/, "") : text);
  });
  return texts.join("") + (folded > 0 ? "\n</details>\n" : "");
}

/** Marks the type below a heading as a signature. */
function withSignature(text: string): string {
  return text.replace(/^(#.*\n\n)(?=[^#>\n-])/, "$1> ");
}

/** Splits a page before its headings and the lines between its members. */
function partsOf(markdown: string): Part[] {
  return markdown.split(/^(?=#{2,6} |\*{3}$)/m).map((text) => {
    const [, { length: level } = "", title = ""] = /^(#*) ?(.*)/.exec(text) ?? [];
    return { text, level, title };
  });
}
