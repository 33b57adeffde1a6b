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
  IntrinsicType,
  LiteralType,
  type ParameterReflection,
  PredicateType,
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
    const { helpers } = context;
    context.helpers = {
      ...helpers,
      // The signature shows the objects of other unions.
      hasUsefulTypeDetails: (type) =>
        type instanceof UnionType
          ? type.types.some(hasLiteral)
          : helpers.hasUsefulTypeDetails(type),
    };
    shortenSignatures(context);
    return context;
  }
}

/** The most characters of a signature with its full types. At a page width of 1280 pixels, a line has about 80. */
const longestSignature = 100;

/** Shows signatures in a short form, and folds the full form of a long one below it. */
function shortenSignatures(context: MarkdownThemeContext): void {
  const { partials } = context;
  let isShort = false;
  const inParentheses = new WeakSet<SomeType>();
  const titleOf = (full: () => string, short: (title: string) => string) => {
    const title = full();
    isShort = true;
    const shortTitle = short(title);
    isShort = false;
    const { length } = plainText(title);
    // A fold that only adds a few type arguments tells a reader nothing.
    const addsMuch = length > longestSignature && length > 1.2 * plainText(shortTitle).length;
    return addsMuch ? `${shortTitle}\n\n${folded(title)}` : shortTitle;
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
        const result = type instanceof PredicateType ? new IntrinsicType("boolean") : shown.type;
        const short = partials.signatureTitle(withTypes(shown, result), options);
        if (!typeParameters || isNew) return short;
        // A type parameter that the short form still needs says how the result depends on the arguments.
        const isUsed = typeParameters.some(({ name }) => new RegExp(`\\b${name}\\b`).test(short));
        // The page describes type parameters, and folds only a long signature.
        return isUsed || plainText(title).length <= longestSignature ? title : short;
      });
    },
    declarationTitle: (declaration) => {
      const full = () =>
        callsOf(declaration).map((call) => partials.signatureTitle(call)).join("\n\n") ||
        partials.declarationTitle(declaration);
      return declaration.kindOf(ReflectionKind.Property) ? titleOf(full, full) : full();
    },
    referenceType: (type) => {
      const plain = isShort && plainTypeOf(type);
      return plain
        ? context.partials.someType(plain)
        : partials.referenceType(isShort ? bare(type) : type);
    },
    someType: (type, options) => {
      const text = partials.someType(type, options);
      return type && inParentheses.has(type) ? `(${text})` : text;
    },
    intersectionType: (type) => partials.intersectionType(isShort ? withoutChecks(type) : type),
    unionType: (type) => {
      // The plugin only encloses functions.
      for (const part of type.types) if (part instanceof ConditionalType) inParentheses.add(part);
      return partials.unionType(isShort ? withoutExtras(type) : type);
    },
  };
}

/** Returns the calls of a property whose type is an interface of calls, with the name of the property. */
function callsOf({ name, type }: DeclarationReflection): SignatureReflection[] {
  const { signatures = [] } = pageOf(type) ?? {};
  return signatures.map((signature) => Object.create(signature, { name: { value: name } }));
}

/** Returns the type behind a name that only makes the errors of the compiler plainer, such as `string` for `ClientId`. */
function plainTypeOf({ reflection }: ReferenceType): SomeType | undefined {
  if (!(reflection instanceof DeclarationReflection)) return undefined;
  const { type } = reflection;
  // As in `string extends Name ? Scope : …`.
  if (type instanceof ConditionalType) {
    const { trueType } = type;
    const isName = trueType instanceof ReferenceType && !trueType.typeArguments?.length;
    return isName || isPlain(trueType) ? trueType : undefined;
  }
  if (!(type instanceof UnionType)) return undefined;
  const types = type.types.filter((part) => !(part instanceof IntersectionType));
  return types.length < 3 && types.every(isPlain) ? new UnionType(types) : undefined;
}

/** Returns true for an object of a union that a property tells apart, such as `status: "logged_in"`. */
function hasLiteral(type: SomeType): boolean {
  const members = type instanceof ReflectionType ? type.declaration.children : undefined;
  return members?.some((member) => member.type instanceof LiteralType) ?? false;
}

/** Returns true for types such as `string` and `null`. */
function isPlain(type: SomeType): boolean {
  return type instanceof IntrinsicType || type instanceof LiteralType && type.value === null;
}

/** Leaves out `Unchecked`, which only makes the compiler accept more, and types for special cases, as in `unknown extends User ? …`. */
function withoutExtras(type: UnionType): UnionType {
  const isUnchecked = (part: SomeType) =>
    part instanceof ReferenceType && part.name === "Unchecked";
  return new UnionType(
    type.types.filter((part) => !isUnchecked(part) && !(part instanceof ConditionalType)),
  );
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

/** Leaves out the parts of an intersection that only make the compiler refuse a value, or that name the required fields of an object. */
function withoutChecks(type: IntersectionType): IntersectionType {
  const types = type.types.filter((part) => !isCheck(part));
  const [first, second] = types;
  if (first instanceof ReferenceType && first.name === "Pick" && isPartial(second)) {
    return new IntersectionType(second.typeArguments ?? []);
  }
  return types.length > 0 ? new IntersectionType(types) : type;
}

function isPartial(type: SomeType | undefined): type is ReferenceType {
  return type instanceof ReferenceType && type.name === "Partial";
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

/** Returns links to the fields of options, the required ones first. */
export function fieldsOf(type: SomeType | undefined): Comment["summary"] {
  const { name = "", children = [] } = pageOf(type) ?? {};
  if (!/(?:Options|Params)$/.test(name)) return [];
  const isOptional = ({ flags }: DeclarationReflection) => Number(flags.isOptional);
  const fields = children.toSorted((one, other) => isOptional(one) - isOptional(other));
  return fields.flatMap((target, index) => [
    { kind: "text", text: index > 0 ? ", " : "" },
    { kind: "inline-tag", tag: "@linkcode", text: target.name, target },
  ]);
}

/** Returns the description of a result, and of its members. Does not repeat a sentence that says what the call returns. */
function returned(context: MarkdownThemeContext, signature: SignatureReflection): string {
  const { comment, type } = signature;
  if (signature.kindOf(ReflectionKind.ConstructorSignature)) return "";
  const tag = comment?.getTag("@returns");
  const saysResult = /(?:^|\. )Returns /.test(textOf(context, comment));
  const text = tag
    ? context.helpers.getCommentParts(tag.content)
    : saysResult
    ? ""
    : typeOfResult(context, type);
  return [text, memberLines(context, type, "- `")].filter(Boolean).join("\n\n");
}

/** Returns the name and the description of the type of a result. */
function typeOfResult(context: MarkdownThemeContext, type: SomeType | undefined): string {
  if (type instanceof ReferenceType && type.name === "Promise") {
    return typeOfResult(context, type.typeArguments?.[0]);
  }
  if (type instanceof IntrinsicType && type.name === "this") {
    return "This object, for the next call.";
  }
  const list = type instanceof ArrayType || type instanceof TypeOperatorType ? "A list of " : "";
  const page = pageOf(type);
  const about = page && firstSentence(textOf(context, page.comment));
  if (!about) return "";
  const code = `\`${page.name}\``;
  // The page of the type itself has no link to it.
  const url = context.urlTo(page);
  return `${list}${url ? `[${code}](${url})` : code}: ${about}`;
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
    if (part instanceof ArrayType) return pageOf(part.elementType) ?? [];
    if (part instanceof TypeOperatorType) return pageOf(part.target) ?? [];
    if (!(part instanceof ReferenceType)) return [];
    const { reflection } = part;
    // As `MembersOption`, which is one `MembersOptions` or a list.
    if (part.name.endsWith("Option") && reflection instanceof DeclarationReflection) {
      return pageOf(reflection.type) ?? [];
    }
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
