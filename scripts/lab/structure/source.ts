/**
 * Measures source code: lines, functions, and imports that are made late.
 *
 * @module
 */

import ts from "typescript";

/** A function that has a body: also a method, an accessor, a constructor, or an arrow function. */
export type FunctionWithBody = ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody };

/** Parses a file. */
export function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/** Returns the functions of a file, an inner one before the one around it. */
export function functionsOf(file: ts.SourceFile): FunctionWithBody[] {
  return nodesOf(file).filter((node): node is FunctionWithBody =>
    ts.isFunctionLike(node) && "body" in node && node.body !== undefined
  );
}

/** Returns the name of a function, or of what it is assigned to, and its line, such as `startLogin:31`. */
export function nameOf(node: FunctionWithBody, file: ts.SourceFile): string {
  const { name } = node.name ? node : node.parent as ts.NamedDeclaration;
  const text = ts.isConstructorDeclaration(node) ? "constructor" : name?.getText(file) ?? "=>";
  return `${text}:${lineOf(file, node.getStart(file)) + 1}`;
}

/** Returns the number of lines from the first to the last of a function. */
export function lengthOf(node: FunctionWithBody, file: ts.SourceFile): number {
  return lineOf(file, node.end) - lineOf(file, node.getStart(file)) + 1;
}

/** Returns the number of all lines. */
export function lineCount(file: ts.SourceFile): number {
  return lineOf(file, file.text.trimEnd().length) + 1;
}

/** Returns the number of lines that have code: no blank line, and no line with a comment alone. */
export function codeLines(file: ts.SourceFile): number {
  const lines = new Set<number>();
  for (const node of nodesOf(file)) {
    if (node.getChildCount(file) > 0 || node.getWidth(file) === 0) continue;
    const last = lineOf(file, node.end);
    for (let line = lineOf(file, node.getStart(file)); line <= last; line++) lines.add(line);
  }
  const texts = file.text.split("\n");
  return [...lines].filter((line) => texts[line]?.trim()).length;
}

/** Returns the lines with an `import()` that is not a type. */
export function lateImports(file: ts.SourceFile): number[] {
  return nodesOf(file)
    .filter((node) => node.kind === ts.SyntaxKind.ImportKeyword)
    .filter(({ parent }) => ts.isCallExpression(parent))
    .map((node) => lineOf(file, node.end) + 1);
}

/** Returns the nodes of a file without its comments. A node follows the nodes in it. */
function nodesOf(file: ts.SourceFile): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isJSDoc(node)) return;
    node.getChildren(file).forEach(visit);
    nodes.push(node);
  };
  visit(file);
  return nodes;
}

function lineOf(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line;
}
