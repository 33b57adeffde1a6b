/**
 * An editor on TypeScript's language service: its completions and its texts.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import ts from "typescript";

const folder = fileURLToPath(new URL("../", import.meta.url)).replaceAll("\\", "/");
const file = `${folder}program.ts`;

/** Holds the parsed files of the library: each program parses only itself. */
const parsedFiles = ts.createDocumentRegistry();

/** An editor with one program. It imports the library as a test does. */
export interface Editor {
  /** The errors of the compiler. */
  readonly errors: readonly string[];
  /** The code that the errors underline. */
  readonly underlined: readonly string[];
  /** The completions after a piece of the program, sorted. */
  completionsAfter(code: string): readonly string[];
  /** The type and the documentation of the last name in a piece of the program. */
  hover(code: string): { readonly type: string; readonly text: string };
}

/** Opens a program in an editor. */
export function openEditor(program: string, compilerOptions: ts.CompilerOptions = {}): Editor {
  const service = createService(program, compilerOptions);
  const endOf = (code: string): number => {
    const start = program.indexOf(code);
    if (start === -1) throw new Error(`The program does not have ${code}`);
    return start + code.length;
  };
  return {
    underlined: service.getSemanticDiagnostics(file)
      .map(({ start = 0, length = 0 }) => program.slice(start, start + length)),
    errors: service.getSemanticDiagnostics(file)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
    completionsAfter: (code) =>
      (service.getCompletionsAtPosition(file, endOf(code), {
        includeCompletionsWithInsertText: true,
      })?.entries ?? [])
        .filter(({ kind }) => kind !== ts.ScriptElementKind.keyword)
        .map(({ name }) => name)
        .sort(),
    hover(code) {
      const info = service.getQuickInfoAtPosition(file, endOf(code) - 1);
      const examples = (info?.tags ?? []).filter(({ name }) => name === "example")
        .map(({ text }) => ts.displayPartsToString(text));
      return {
        type: ts.displayPartsToString(info?.displayParts),
        text: [ts.displayPartsToString(info?.documentation), ...examples].join("\n"),
      };
    },
  };
}

/** The text that an editor shows over a name. */
export interface Hover {
  /** The name, as in `LoginOptions.secret`. */
  readonly name: string;
  /** The text above the tags. */
  readonly text: string;
  readonly tags: readonly { readonly name: string; readonly text: string }[];
  /** The names of a function's or a method's parameters. Empty without documentation. */
  readonly parameters: readonly string[];
}

/** Returns what an editor shows over each name that modules export, and over the options and methods of these names. */
export function hoversOfExports(modules: readonly string[]): Hover[] {
  const program = modules.map((path) => `export * from "${path}";`).join("\n");
  const service = createService(program, {});
  const checker = service.getProgram()?.getTypeChecker();
  if (!checker) throw new Error("The service has no program");
  const hovers = new Map<ts.Node, Hover>();
  const add = (name: string, symbol: ts.Symbol | undefined): void => {
    for (const declaration of symbol?.declarations ?? []) {
      const node = ts.getNameOfDeclaration(declaration);
      if (!node || !ts.isIdentifier(node) || hovers.has(node)) continue;
      hovers.set(node, hoverAt(service, node, name));
      for (const member of membersOf(declaration)) {
        const own = member.name && checker.getSymbolAtLocation(member.name);
        add(`${name}.${own?.name}`, own);
      }
    }
  };
  for (const path of modules) {
    const file = service.getProgram()?.getSourceFile(`${folder}${path}`);
    const module = file && checker.getSymbolAtLocation(file);
    for (const symbol of module ? checker.getExportsOfModule(module) : []) {
      const isAlias = symbol.flags & ts.SymbolFlags.Alias;
      add(symbol.name, isAlias ? checker.getAliasedSymbol(symbol) : symbol);
    }
  }
  return [...hovers.values()];
}

/**
 * Returns the members of a class or an interface, of the objects in the union of a type, or of the objects that a method has as
 * parameters if it is a property.
 */
function membersOf(declaration: ts.Declaration): readonly (ts.ClassElement | ts.TypeElement)[] {
  if (ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration)) {
    return [...declaration.members];
  }
  if (ts.isPropertyDeclaration(declaration)) {
    const { initializer } = declaration;
    const parameters = initializer && ts.isArrowFunction(initializer) ? initializer.parameters : [];
    return parameters.flatMap(({ type }) =>
      type && ts.isTypeLiteralNode(type) ? [...type.members] : []
    );
  }
  if (!ts.isTypeAliasDeclaration(declaration)) return [];
  const { type } = declaration;
  return (ts.isUnionTypeNode(type) ? [...type.types] : [type])
    .flatMap((part) => ts.isTypeLiteralNode(part) ? [...part.members] : []);
}

function hoverAt(service: ts.LanguageService, node: ts.Node, name: string): Hover {
  const info = service.getQuickInfoAtPosition(node.getSourceFile().fileName, node.getStart());
  return {
    name,
    text: ts.displayPartsToString(info?.documentation),
    parameters: parametersOf(node.parent),
    tags: (info?.tags ?? []).map(({ name, text }) => ({
      name,
      text: ts.displayPartsToString(text),
    })),
  };
}

function parametersOf(declaration: ts.Node): string[] {
  const isFunction = ts.isFunctionDeclaration(declaration) ||
    ts.isMethodDeclaration(declaration) || ts.isMethodSignature(declaration);
  if (!isFunction || ts.getJSDocCommentsAndTags(declaration).length === 0) return [];
  return declaration.parameters.map(({ name }) => name.getText()).filter((name) => name !== "this");
}

function createService(program: string, compilerOptions: ts.CompilerOptions): ts.LanguageService {
  const { config } = ts.readConfigFile(`${folder}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const read = (name: string) => name === file ? program : ts.sys.readFile(name);
  return ts.createLanguageService({
    getCompilationSettings: () => ({ ...options, ...compilerOptions }),
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => name === file ? program : "1",
    getScriptSnapshot(name) {
      const text = read(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: read,
    directoryExists: ts.sys.directoryExists,
  }, parsedFiles);
}
