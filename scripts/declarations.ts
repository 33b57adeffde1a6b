/**
 * The declarations of the source, as the package has them: without implementations, comments and internal names.
 *
 * @module
 */

import { dirname, join } from "node:path/posix";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import config from "../deno.json" with { type: "json" };

/** Declarations, by the paths of their files. */
export type Declarations = ReadonlyMap<string, string>;

/** The names that users import the package by, and the paths of their declarations. */
export const declaredEntryPoints: ReadonlyMap<string, string> = new Map(
  Object.entries(config.exports).map(([name, path]) => [
    config.name + name.slice(1),
    fileURLToPath(new URL(`../${path}`, import.meta.url)).replaceAll("\\", "/")
      .replace(/ts$/, "d.ts"),
  ]),
);

/** Compiles each module that the entry points reach by itself, without checking types, and returns its declarations. */
export function compileDeclarations(): Declarations {
  const compilerOptions: ts.CompilerOptions = {
    removeComments: true,
    stripInternal: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
  };
  const declarations = new Map<string, string>();
  const paths = new Set(declaredEntryPoints.values());
  for (const path of paths) {
    const fileName = path.replace(/d\.ts$/, "ts");
    const text = ts.sys.readFile(fileName) ?? "";
    const { outputText: emitted } = ts.transpileDeclaration(text, { fileName, compilerOptions });
    // Without checking types, the compiler emits such a method twice: first as a property.
    const outputText = emitted.replace(/^ +\[Symbol\.\w+\]: \(\) => .*\n/gm, "");
    declarations.set(path, outputText);
    for (const { fileName: imported } of ts.preProcessFile(outputText).importedFiles) {
      if (imported.startsWith(".")) {
        paths.add(join(dirname(path), imported).replace(/ts$/, "d.ts"));
      }
    }
  }
  return declarations;
}

/**
 * Creates a program of declarations.
 *
 * @param options The options of the compiler. Without `noLib`, it reads the types of the libraries that they name.
 * @param modules The paths of further modules among the declarations.
 */
export function programOf(
  declarations: Declarations,
  options: ts.CompilerOptions,
  modules: readonly string[] = [],
): ts.Program {
  const allOptions: ts.CompilerOptions = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
    allowImportingTsExtensions: true,
    noEmit: true,
    ...options,
  };
  const host = ts.createCompilerHost(allOptions);
  const { readFile, fileExists } = host;
  // The declarations import "./user.ts", and mean "./user.d.ts".
  host.fileExists = (path) =>
    declarations.has(path) ||
    (!declarations.has(path.replace(/(?<!\.d)\.ts$/, ".d.ts")) && fileExists(path));
  host.readFile = (path) => declarations.get(path) ?? readFile(path);
  host.getSourceFile = (path, version) => {
    const text = host.readFile(path);
    return text === undefined ? undefined : ts.createSourceFile(path, text, version, true);
  };
  return ts.createProgram([...declaredEntryPoints.values(), ...modules], allOptions, host);
}
