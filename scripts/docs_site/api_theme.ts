/**
 * Signatures in the API reference, the long ones in a short form, and parameters and results: one line for each, since the signature above
 * has their types.
 *
 * @module
 */

import {
  ArrayType,
  type Comment,
  ConditionalType,
  DeclarationReflection,
  IntersectionType,
  LiteralType,
  type ParameterReflection,
  ReferenceType,
  type Reflection,
  ReflectionKind,
  ReflectionType,
  type SignatureReflection,
  type SomeType,
  TypeOperatorType,
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
    shortenSignatures(context);
    return context;
  }
}

/** The most characters of a signature with its full types. At a page width of 1280 pixels, a line has about 80. */
const longestSignature = 100;

/** Shows a long signature in a short form, and folds the full one below it. */
function shortenSignatures(context: MarkdownThemeContext): void {
  const { partials } = context;
  let isShort = false;
  const titleOf = (full: () => string, short: (title: string) => string) => {
    const title = full();
    if (plainText(title).length <= longestSignature) return title;
    isShort = true;
    const shortTitle = short(title);
    isShort = false;
    return shortTitle === title ? title : `${shortTitle}\n\n${folded(title)}`;
  };
  context.partials = {
    ...partials,
    signatureTitle: (signature, options) => {
      const { type, typeParameters } = signature;
      // The class lists its type parameters.
      const isNew = signature.kindOf(ReflectionKind.ConstructorSignature);
      const shown = isNew ? withTypes(signature, bare(type)) : signature;
      const full = () => partials.signatureTitle(shown, options);
      return titleOf(full, (title) => {
        const short = partials.signatureTitle(withTypes(shown, shown.type), options);
        // A type parameter that the short form still needs says how the result depends on the arguments.
        const isUsed = (name: string) => new RegExp(`\\b${name}\\b`).test(short);
        return typeParameters?.some(({ name }) => isUsed(name)) && !isNew ? title : short;
      });
    },
    declarationTitle: (declaration) => {
      const full = () => partials.declarationTitle(declaration);
      return declaration.kindOf(ReflectionKind.Property) ? titleOf(full, full) : full();
    },
    referenceType: (type) => partials.referenceType(isShort ? bare(type) : type),
    intersectionType: (type) => partials.intersectionType(isShort ? withoutChecks(type) : type),
  };
}

function folded(signature: string): string {
  return `<details>\n<summary>Full signature</summary>\n\n${signature}\n\n</details>`;
}

/** Returns the text of a signature as a page shows it. */
function plainText(signature: string): string {
  return signature.replace(/\]\([^)]*\)|[`*\\[\]]|^> /g, "");
}

/** Returns a signature with another result, and without type parameters. */
function withTypes(
  signature: SignatureReflection,
  type: SomeType | undefined,
): SignatureReflection {
  const none = { value: undefined };
  return Object.create(signature, { type: { value: type }, typeParameters: none });
}

/** Returns a reference to a type of this library without its type arguments, unless they are literals. */
function bare<Type extends SomeType | undefined>(type: Type): Type {
  if (!(type instanceof ReferenceType) || !type.reflection) return type;
  if (type.typeArguments?.every((argument) => argument instanceof LiteralType)) return type;
  return Object.create(type, { typeArguments: { value: undefined } });
}

/** Leaves out the parts of an intersection that only make the compiler refuse a value. */
function withoutChecks(type: IntersectionType): IntersectionType {
  const types = type.types.filter((part) => !isCheck(part));
  return types.length > 0 ? new IntersectionType(types) : type;
}

/** Returns true for a conditional type, for its name, and for a list of it. */
function isCheck(type: SomeType | undefined): boolean {
  if (type instanceof ArrayType) return isCheck(type.elementType);
  if (type instanceof TypeOperatorType) return isCheck(type.target);
  if (!(type instanceof ReferenceType)) return type instanceof ConditionalType;
  const { reflection } = type;
  return reflection instanceof DeclarationReflection && isCheck(reflection.type);
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
