/**
 * Compiles a file with the types of another runtime than Deno.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import ts from "typescript";

/**
 * Returns the errors in a file.
 *
 * @param file The path of the file below this folder.
 * @param types The package with the types of the runtime.
 */
export function typeErrors(file: string, types: string): readonly string[] {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const program = ts.createProgram([path], {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.esnext.d.ts"],
    types: [types],
    typeRoots: [fileURLToPath(new URL("../node_modules", import.meta.url))],
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
  });
  return program.getSemanticDiagnostics(program.getSourceFile(path))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
