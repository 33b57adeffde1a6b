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
];

/** Returns a page without what repeats its signatures, with its members first, and with folded type parameters. */
export function apiMarkdown(markdown: string, part: string): string {
  const plain = withoutRepetition(markdown).replace(
    /^## Modules\n\n\| Module /m,
    `## ${part}s\n\n| ${part} `,
  );
  return withFoldedTypeParameters(withMembersFirst(withoutEmptySections(plain)));
}

/**
 * Returns a page that begins with a short summary, its example, and the links to all its members, by group. The details follow, then
 * all errors and the type parameters, and then the members.
 */
export function withMemberList(markdown: string, groups: readonly MemberGroup[]): string {
  if (groups.length === 0) return markdown;
  const anchors = memberAnchors(markdown);
  const lines = groups.map(([title, names]) => {
    const links = names.map((name) => {
      const anchor = anchors.get(name.replace(/\W/g, "")) ?? headingId(name);
      return `[\`${name}\`](#${anchor})`;
    });
    return `- **${title}**: ${links.join(", ")}`;
  });
  // The type parameters of the page itself are above the heading of its first member.
  const [above = ""] = markdown.split(/^### /m);
  const [fold = ""] = /^<details>\n<summary>Type p[^]*?^<\/details>$/m.exec(above) ?? [];
  const [begin = "", ...sections] = markdown.replace(fold, "").split(/^(?=## )/m);
  const isExample = (section: string) => /^## Examples?\n/.test(section);
  const examples = sections.filter(isExample).map((section) => section.replace(/^.*\n+/, ""));
  const [, space, summary = "", more = ""] = /^(\s*)(.*(?:\n.+)*)([^]*)$/.exec(begin) ?? [];
  const [, example = "", rest = ""] = /^(\s*^```[^]*?^```$)?([^]*)$/m.exec(more) ?? [];
  const [, sources = ""] = /^(See \[.*)$/m.exec(rest) ?? [];
  const [rejections = ""] = /^Every method rejects with\n\n(?:(?:- | {2}).*\n?)+/m.exec(rest) ?? [];
  const details = rest.replace(sources, "").replace(rejections, "").trim();
  const first = sections.filter((section) => !isExample(section));
  const own = first.filter((section) => section.startsWith("## Throws\n"));
  const errors = [own.join("").trim() || (rejections && "## Throws"), rejections.trim()];
  return [
    `${space}${summary}`,
    sources,
    example.trim(),
    ...examples.map((text) => text.trim()),
    `<div class="members">\n\n${lines.join("\n")}\n\n</div>`,
    details && `## Details\n\n${details}`,
    ...errors,
    fold,
    // A page has no link to itself.
    first.filter((section) => !own.includes(section)).join("")
      .replaceAll(`- ${everyMethod}\n`, `- [${everyMethod}](#throws)\n`),
  ].filter(Boolean).join("\n\n");
}

/** The last line in the errors of a method. It links to the errors that the class lists. */
const everyMethod = "The errors of every method";

/** The type of `this` in a signature. */
const neededScope = /`this`: \[`UserWith`\]\(.*?\)\\<`"(.*?)"`\\>(?:, )?(.*)/;

/** The words of a method that a bot can call, after those of its scope or without one. */
const neededBot = /Needs the token of|, or the token of the\s+application's bot/;

/** The `null` in the types of optional options in a signature. */
const nullOfOptions = /^(> .*`(?:options|params)\?`: (?:(?!`: |\): ).)*?) \\\| `null`(?=[,)])/gm;

/** Adds a note below the list of members, or else at the end, if {@link withShortSignatures} leaves `null` out of signatures. */
export function withNoteOnNull(markdown: string): string {
  if (markdown.search(nullOfOptions) < 0) return markdown;
  const note =
    "Optional `options` and `params` also accept `null`. The signatures don't show it.\n";
  const [all = markdown] = /^[^]*?^<div class="members">[^]*?^<\/div>$/m.exec(markdown) ?? [];
  return `${all.trimEnd()}\n\n${note}${markdown.slice(all.length)}`;
}

/** Shows the scope or the token that a method needs below its signature, once, and leaves `null` out of the types of options. */
export function withShortSignatures(markdown: string): string {
  return markdown.split(/^(?=### )/m).map((member) => {
    const [, scope = ""] = neededScope.exec(member) ?? [];
    const bot = neededBot.test(member) ? `<Badge>${scope && "or "}bot token</Badge>` : "";
    const badges = [scope && `<Badge>scope: ${scope}</Badge>`, bot].filter(Boolean).join(" ");
    return member
      .replace(/^(> .*)$/m, badges ? `$1\n\n${badges}` : "$1")
      .replace(neededScope, "$2")
      // In the full signature.
      .replace(neededScope, "$2")
      .replace(new RegExp(`\\sNeeds the \`${scope}\` scope\\.`), "")
      .replace(nullOfOptions, "$1");
  }).join("");
}

/** The words of a signature that are not code. */
const keywords = new Set(
  ("abstract as asserts const extends function get in infer is keyof new null readonly set string typeof unique")
    .split(" "),
);

/**
 * Checks what a mistake of the generator or of a comment shows on a page.
 *
 * @throws If a signature contains prose, a type without a page or a conditional type without parentheses in a union, a tag became a
 * heading, a heading repeats the one above it, a section is empty, or a method of a class has no description of its result, no link to the
 * errors of every method if the class lists them, or no example on the page of a class in {@link classesWithExamples}.
 */
export function checkApiMarkdown(path: string, markdown: string): void {
  const parts = partsOf(markdown.replace(/^```[^]*?^```$/gm, "code"));
  const above: string[] = [];
  const problems = parts.flatMap(({ level, title }, index) => {
    if (level === 0) return [];
    above.length = level;
    above[level] = title;
    return [
      ...(isEmptySection(parts, index) ? [`the section ${title} is empty`] : []),
      ...(/^(?:Param|TypeParam|See|Default)$/i.test(title) ? [`${title} is a tag`] : []),
      ...(above[level - 1]?.replace(/s$/, "") === title.replace(/s$/, "")
        ? [`${title} is below ${above[level - 1]}`]
        : []),
    ];
  });
  for (const [line] of markdown.matchAll(/^>.*/gm)) {
    if (hasProse(line)) problems.push(`a signature has prose: ${line}`);
    if (/\\\| (?:`[^`]*`|\[\S*) \*extends\*/.test(line)) {
      problems.push(`a conditional type in a union has no parentheses: ${line}`);
    }
  }
  problems.push(...membersWithoutDetails(markdown), ...hiddenTypes(markdown));
  for (const [line] of markdown.matchAll(/^- \S*Error\S*: (?:\S*Error\S* ){2}.*/gm)) {
    problems.push(`errors have no commas between them: ${line}`);
  }
  if (problems.length > 0) throw new Error(`${path}: ${problems.join("; ")}`);
}

/** The classes whose pages have an example of each method. */
const classesWithExamples: readonly string[] = [
  ...["AuthUrl", "Bot", "Login", "PlatformApi", "SessionClient", "TokenSource", "User"],
];

/** The methods that every object has. */
const ordinaryMethods = /^(?:new |toString|toJSON|\\\[)/;

/** A section about the result, or a sentence that describes it. */
const saysResult = /^#+ Returns$|(?:^|\. )Returns /m;

/** Returns the methods of a class without a description of their result, a link to the errors of every method, or an example. */
function membersWithoutDetails(markdown: string): string[] {
  if (!markdown.includes("\n> **new ")) return [];
  const hasErrors = markdown.includes("\nEvery method rejects with\n");
  const [, owner = ""] = /^# (.*)$/m.exec(markdown) ?? [];
  const examples = (markdown.match(/^```[^]*?^```$/gm) ?? []).join("\n");
  return markdown.split(/^### /m).slice(1).flatMap((member) => {
    const [, name = ""] = /^(.*)\(\)\n/.exec(member) ?? [];
    if (!name || ordinaryMethods.test(name)) return [];
    const returnsNothing = /^> .*: (?:`Promise`\\<)?`void`(?:\\>)?$/m.test(member);
    const hasExample = examples.includes(`.${name}(`) || examples.includes(`.${name}<`);
    return [
      ...(returnsNothing || saysResult.test(member) ? [] : [`${name} has no Returns`]),
      ...(hasErrors && !member.includes(everyMethod) ? [`${name} does not name all errors`] : []),
      ...(hasExample || !classesWithExamples.includes(owner) ? [] : [`${name} has no example`]),
    ];
  });
}

/** The types of TypeScript and of the platforms that are not values. */
const builtInTypes = new Set(
  ("AsyncIterable Iterator Omit Partial Pick PromiseLike PropertyKey Readonly Record RequestInfo RequestInit")
    .split(" "),
);

/**
 * Returns the types in the signatures of a page that have no page, are not folded, and are not parameters of this page. The definition
 * of a type may have such types.
 */
function hiddenTypes(markdown: string): string[] {
  const [, owner = ""] = /^# (\w*)/m.exec(markdown) ?? [];
  const parameters = [...markdown.matchAll(/^> `(\w+)`/gm)].map(([, name]) => name);
  const open = markdown.replace(/^<details>[^]*?^<\/details>$/gm, "");
  const lines = (open.match(/^> .*/gm) ?? []).filter((line) => !/^> \*\*\w+\*\*.* = /.test(line))
    .join("\n");
  const names = [...lines.matchAll(/(?<!\[)`([A-Z]\w*)`/g)].map(([, name = ""]) => name);
  const isKnown = (name: string) =>
    [owner, ...parameters].includes(name) || builtInTypes.has(name) || name in globalThis;
  return [...new Set(names)].filter((name) => !isKnown(name))
    .map((name) => `the type ${name} has no page`);
}

/** Returns true if a line has words that are neither code, nor names, nor keywords. */
function hasProse(line: string): boolean {
  const text = line.replace(/``.*?``|`[^`]*`|\*\*.*?\*\*|\]\([^)]*\)/g, " ")
    .replace(/\binfer \w+|\[\w+ in \w+/g, " ");
  return text.match(/[A-Za-z]+/g)?.some((word) => !keywords.has(word)) ?? false;
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
 * Removes what a page shows elsewhere: ids of headings, which VitePress makes anyway, the origin of members, and the word `optional`
 * beside a question mark. The heading of a constructor is `new` with the name of its class, and that of a function has parentheses.
 */
function withoutRepetition(markdown: string): string {
  return markdown.replace(/^(#+) (.*) \{#.*\}$/gm, "$1 $2")
    .replace(/^#+ (?:Inherited from|Overrides)\n\n.*\n\n?/gm, "")
    .replace(/^(> .*?)`optional` (?=\*\*)/gm, "$1")
    .replace(/^### Constructor(?=\n\n> \*\*(new \w+)\*\*)/gm, "### $1()")
    .replace(/^> `readonly` (?=\*\*\w+\*\*\()/gm, "> ")
    .replace(/^### (\w+)(?=\n\n> \*\*\1\*\*\()/gm, "### $1()")
    .replace(/^## Union Members$/m, "## Alternatives")
    .replace(
      /^(#+) Call Signature(?=\n\n> (.*))/gm,
      (_heading, marks: string, signature: string) => `${marks} ${titleOfCall(signature)}`,
    )
    // The first line of a list in the row of a table.
    .replace(/^(\| .*): \|$/gm, "$1. |")
    .replace(
      /^(#+) Type Literal\n\n(.*)/gm,
      (_heading, marks: string, type: string) => `${marks} ${titleOfObject(type)}`,
    )
    .replace(/\\`(.*?)\\`/g, (_code, text: string) => `\`${text.replaceAll("\\", "")}\``);
}

/** Returns a call without the types of its parameters, as in `read(id, options?): Promise<Data>`. */
function titleOfCall(signature: string): string {
  const [, name = "", call = ""] = /^\*\*(\w+)\*\*\((.*)$/.exec(plainLinks(signature)) ?? [];
  // From the innermost object, type argument or function to the outermost.
  const nested = /\\\{[^{}]*\}|\\<[^<>]*\\>|\([^()]*\) =>/;
  let flat = call;
  while (nested.test(flat)) flat = flat.replace(nested, "");
  const [parameters = ""] = flat.split("): ");
  const names = [...parameters.matchAll(/`(\w+\??)`: /g)].map(([, parameter]) => parameter);
  const result = call.slice(call.lastIndexOf("): ") + 3).replaceAll("`", "");
  return `${name}(${names.join(", ")}): ${result}`;
}

/** Returns a signature without the addresses of its links. */
function plainLinks(signature: string): string {
  return signature.replace(/\[(`\w+`)\]\([^)]*\)/g, "$1");
}

/** Returns what differs in an object of a union: a property with a literal, as in `status: "logged_in"`. */
function titleOfObject(type: string): string {
  const [literal = ""] = /`\w+`: (?:`"[^"]*"`(?: \\\| )?)+/.exec(type) ?? [];
  return literal.replaceAll("\\|", "or").replaceAll("`", "");
}

/** Removes the headings of parameters and results without a description. */
function withoutEmptySections(markdown: string): string {
  const parts = partsOf(markdown);
  return parts.filter((_part, index) => !isEmptySection(parts, index))
    .map(({ text }) => text).join("");
}

/** Returns true for a heading without a text and without headings below it. */
function isEmptySection(parts: readonly Part[], index: number): boolean {
  const { text = "", level = 0 } = parts[index] ?? {};
  const isBare = level > 0 && !text.trim().includes("\n");
  return isBare && level >= (parts[index + 1]?.level ?? 0);
}

/** Moves the sections about other types, and the type parameters of a function, to the end of a page. */
function withMembersFirst(markdown: string): string {
  const [begin = "", ...sections] = markdown.split(/^(?=## )/m);
  const isTypes = (section: string) => section.startsWith("## Type Parameters\n");
  // A fold below the last member would read as a part of that member. A function has no members, but parameters, which matter more.
  const hasMembers = sections.some((section) => !isTypes(section) && /^### /m.test(section));
  const last = hasMembers ? lastTitles : [...lastTitles, "Type Parameters"];
  const place = (section: string) => last.indexOf(/^## (.*)\n/.exec(section)?.[1] ?? "");
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
