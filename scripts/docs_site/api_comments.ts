/**
 * The comments of the API reference, in another form than TypeDoc gives them: errors, sources and defaults in lines, and names as links.
 *
 * @module
 */

import { type Comment, CommentTag, type DeclarationReflection } from "typedoc";

type Parts = Comment["summary"];

/** The exports, by name. */
export type Names = ReadonlyMap<string, DeclarationReflection>;

/** Writes all errors as one list, a sentence for each source in one line, and the default behind the text, without braces. */
export function formatComment(comment: Comment, names: Names): void {
  const errors = comment.getTags("@throws");
  comment.removeTags("@throws");
  const lines = errors.flatMap((tag) => errorLine(tag, names));
  if (lines.length > 0) comment.blockTags.push(new CommentTag("@throws", lines));
  const sources = comment.getTags("@see").map(({ content }) => inLine(trimmed(content)));
  comment.removeTags("@see");
  if (sources.length > 0) {
    const sentences = sources.flatMap((source, index): Parts => [
      { kind: "text", text: index > 0 ? " See also " : "See " },
      ...source,
      { kind: "text", text: source.at(-1)?.text.endsWith(".") ? "" : "." },
    ]);
    comment.summary.push({ kind: "text", text: "\n\n" }, ...sentences);
  }
  for (const { content } of comment.getTags("@default")) {
    comment.summary.push({ kind: "text", text: "\n\nDefault: " }, ...defaultValue(content, names));
  }
  comment.removeTags("@default");
}

/**
 * Links names of exports, also in code, to their pages.
 *
 * @param owner The export whose page shows the comment. Its own name is not a link.
 */
export function linkNames(
  comment: Comment,
  names: Names,
  owner: DeclarationReflection | undefined,
): void {
  const linked = (parts: Parts): Parts =>
    parts.map((part, index) => {
      if (part.kind === "inline-tag") {
        const target = part.target ?? memberOf(part.text, names);
        return target ? { ...part, target } : part;
      }
      const [, name = ""] = /^`(\w+)`$/.exec(part.text) ?? [];
      const target = names.get(name);
      const isName = part.kind === "code" && target && target !== owner && !isWord(target);
      const before = parts[index - 1];
      if (!isName || before?.kind === "text" && before.text.endsWith("[")) return part;
      return { kind: "inline-tag", tag: "@linkcode", text: name, target };
    });
  comment.summary = linked(comment.summary);
  for (const tag of comment.blockTags) {
    if (tag.tag !== "@example") tag.content = linked(tag.content);
  }
}

/** Returns the parameters that a comment describes, but the declaration below it does not have, as one list. */
export function parametersTag(comment: Comment): CommentTag | undefined {
  const tags = comment.getTags("@param");
  comment.removeTags("@param");
  const content = tags.flatMap(({ name = "", content }): Parts => [
    { kind: "text", text: "\n- " },
    { kind: "code", text: `\`${name}\`` },
    { kind: "text", text: ": " },
    ...content,
  ]);
  return content.length > 0 ? new CommentTag("@parameters", content) : undefined;
}

/** Returns true for a name that is an ordinary word too, such as `discord` and `sealed`. */
function isWord({ name }: DeclarationReflection): boolean {
  return /^[a-z]+$/.test(name);
}

/** Returns the export, or its member, with a name such as `User.getUserGuilds`. */
function memberOf(text: string, names: Names): DeclarationReflection | undefined {
  const [name = "", member] = text.split(".");
  const found = names.get(name);
  return member ? found?.children?.find((child) => child.name === member) : found;
}

/** Returns an item of the list of errors: the names of one or several errors, and when they are thrown. */
function errorLine({ typeAnnotation = "", content }: CommentTag, names: Names): Parts {
  const first = typeAnnotation.replace(/[{}]/g, "");
  const isLink = ({ kind, text }: Parts[number]) => kind === "inline-tag" || !text.trim();
  const end = content.findIndex((part) => !isLink(part));
  const others = content.slice(0, end).filter(({ kind }) => kind === "inline-tag");
  const errors = [first, ...others.map(({ text }) => text)].filter(Boolean).map((name): Parts => {
    const target = names.get(name);
    return [
      target
        ? { kind: "inline-tag", tag: "@link", text: name, target }
        : { kind: "code", text: `\`${name}\`` },
    ];
  });
  const rest = others.length > 0 ? content.slice(end) : content;
  return [
    { kind: "text", text: "\n- " },
    ...listOf(errors),
    { kind: "text", text: errors.length > 0 ? ": " : "" },
    ...trimmed(rest),
  ];
}

/** Separates items with commas. */
function listOf(items: readonly Parts[]): Parts {
  return items.flatMap((item, index) => index > 0 ? [{ kind: "text", text: ", " }, ...item] : item);
}

/** Returns a text without spaces around it. */
function trimmed(parts: Parts): Parts {
  const texts = parts.map((part, index) => {
    const isEnd = index === parts.length - 1;
    if (part.kind !== "text") return part;
    const start = index === 0 ? part.text.trimStart() : part.text;
    return { ...part, text: isEnd ? start.trimEnd() : start };
  });
  return texts.filter(({ text }) => text);
}

/** Returns a text in one line that continues a sentence. */
function inLine(parts: Parts): Parts {
  return parts.map((part) => {
    const text = part.text.replace(/\s+/g, " ");
    if (part.kind === "text") return { ...part, text };
    return part.kind === "inline-tag"
      ? { ...part, text: text.replace(/(^|\| )The /, "$1the ") }
      : part;
  });
}

/** The code in the words of a default: texts, names in camel case or with underscores, numbers and lists. */
const codeInWords =
  /"[^"]*"|\b[a-z]+(?:[A-Z]\w*|_\w+)\b|\b\d+(?:_\d+)+\b|\["[^\]]*\]|\b(?:undefined|null|true|false)\b/g;

/** Returns a default without its braces and fence, in words or as code. */
function defaultValue(content: Parts, names: Names): Parts {
  const [first] = content;
  if (content.length > 1 || first?.kind !== "code") return content.map((part) => inWords(part));
  const text = first.text.replace(/^```ts\n|\n```$/g, "").replace(/^\{(.*)\}$/s, "$1");
  const target = names.get(text);
  if (target) return [{ kind: "inline-tag", tag: "@linkcode", text, target }];
  const isCode = /^(?:"[^"]*"|\[.*\]|[\d_]+|true|false|null|\w+\.\w+)$/.test(text);
  return [isCode ? { kind: "code", text: `\`${text}\`` } : inWords({ kind: "text", text })];
}

/** Marks the code in the words of a default. */
function inWords(part: Parts[number]): Parts[number] {
  if (part.kind !== "text") return part;
  const [, start = "", list] = /^(returns )([\w, ]+)$/.exec(part.text) ?? [];
  const text = list
    ? start + list.replace(/\w+/g, (word) => word === "and" ? word : `\`${word}\``)
    : part.text.replace(codeInWords, "`$&`");
  return { ...part, text };
}
