/**
 * Parameters and results in the API reference: one line for each, since the signature above has their types.
 *
 * @module
 */

import {
  type Comment,
  DeclarationReflection,
  type ParameterReflection,
  ReferenceType,
  type Reflection,
  ReflectionKind,
  ReflectionType,
  type SignatureReflection,
  type SomeType,
  UnionType,
} from "typedoc";
import {
  type MarkdownPageEvent,
  MarkdownTheme,
  MarkdownThemeContext,
} from "typedoc-plugin-markdown";

/** The theme of the API reference. */
export class ApiTheme extends MarkdownTheme {
  override getRenderContext(page: MarkdownPageEvent<Reflection>): MarkdownThemeContext {
    const context = new MarkdownThemeContext(this, page, this.application.options);
    context.partials = {
      ...context.partials,
      parametersList: (parameters) => parameters.map((one) => lineOf(context, one)).join(""),
      signatureReturns: (signature, { headingLevel }) => {
        const text = returned(context, signature);
        return text ? `${"#".repeat(headingLevel)} Returns\n\n${text}` : "";
      },
    };
    return context;
  }
}

/** Returns the line of a parameter. A parameter without a description has the one of its type, or no line if that has no page. */
function lineOf(context: MarkdownThemeContext, parameter: ParameterReflection): string {
  const { name, type, comment, defaultValue, flags } = parameter;
  if (name === "this") return "";
  const target = pageOf(type);
  const own = textOf(context, comment) || firstSentence(textOf(context, target?.comment));
  const fields = context.helpers.getCommentParts(fieldsOf(type));
  // "Options of Bot." says less than their names.
  const isBare = /^(?:The )?options of [\w. [\]`]+\.$/i.test(own.replace(/\(.*?\)/g, ""));
  const text = fields && isBare
    ? fields
    : [own, fields && `Fields: ${fields}.`].filter(Boolean).join(" ");
  if (!text) return memberLines(context, type, `- \`${name}.`);
  const mark = flags.isOptional || defaultValue ? "?" : "";
  const link = target ? ` ([\`${target.name}\`](${context.urlTo(target)}))` : "";
  const value = defaultValue && !/^(?:\{\}|\.\.\.)$/.test(defaultValue)
    ? ` Default: \`${defaultValue}\`.`
    : "";
  const line = `- \`${name}${mark}\`${link}: ${indent(text)}${value}\n`;
  return line + memberLines(context, type, "  - `");
}

/** The most fields that one line lists. */
const mostFields = 8;

/** Returns links to the fields of options, or nothing if they are too many for one line. */
export function fieldsOf(type: SomeType | undefined): Comment["summary"] {
  const { name = "", children = [] } = pageOf(type) ?? {};
  if (!/(?:Options|Params)$/.test(name) || children.length > mostFields) return [];
  return children.flatMap((target, index) => [
    { kind: "text", text: index > 0 ? ", " : "" },
    { kind: "inline-tag", tag: "@linkcode", text: target.name, target },
  ]);
}

/** Returns the description of a result, and of its members. */
function returned(context: MarkdownThemeContext, { comment, type }: SignatureReflection): string {
  const tag = comment?.getTag("@returns");
  const text = tag ? context.helpers.getCommentParts(tag.content) : "";
  return [text, memberLines(context, type, "- `")].filter(Boolean).join("\n\n");
}

/** Returns a line for each member of an object type that has a description. */
function memberLines(
  context: MarkdownThemeContext,
  type: SomeType | undefined,
  start: string,
): string {
  const members = type instanceof ReflectionType ? type.declaration.children ?? [] : [];
  return members.map(({ name, flags, comment }) => {
    const text = textOf(context, comment);
    return text && `${start}${name}${flags.isOptional ? "?" : ""}\`: ${indent(text)}\n`;
  }).join("");
}

/** Returns the interface in the type of a parameter. The type may include `null`. */
function pageOf(type: SomeType | undefined): DeclarationReflection | undefined {
  const types = type instanceof UnionType ? type.types : [type];
  const [found] = types.flatMap((part) => {
    if (!(part instanceof ReferenceType)) return [];
    const [first] = part.typeArguments ?? [];
    return part.reflection ?? (part.name === "Pick" && pageOf(first) || []);
  });
  const isPage = found instanceof DeclarationReflection && found.kindOf(ReflectionKind.Interface);
  return isPage ? found : undefined;
}

function textOf(context: MarkdownThemeContext, comment: Comment | undefined): string {
  return comment ? context.helpers.getCommentParts(comment.summary).trim() : "";
}

function indent(text: string): string {
  return text.replace(/\n(?=.)/g, "\n  ");
}

function firstSentence(text: string): string {
  const [sentence = text] = /^[^]*?\.(?=\s|$)/.exec(text) ?? [];
  return sentence;
}
