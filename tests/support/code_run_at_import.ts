/**
 * Finds the code of the library that a module runs when it is imported.
 *
 * @module
 */

import ts from "typescript";

/**
 * Returns the statements and expressions of a module that run code of the library at import. Calls of a package or of the runtime, as in
 * `new Map()`, don't. Calls that are marked as pure are left out too: a bundler drops their values if nothing uses them.
 */
export function codeRunAtImport(code: string): readonly string[] {
  const source = ts.createSourceFile("module.ts", code, ts.ScriptTarget.ESNext, true);
  const own = ownNames(source);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isLater(node) || isPure(node, source)) return;
    if (runsOwnCode(node, own)) found.push(node.getText(source));
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the names that a module declares, or imports from another module of the library. */
function ownNames(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const isOwn = statement.moduleSpecifier.getText(source).startsWith('".');
      const imported = isOwn ? statement.importClause?.namedBindings : undefined;
      if (imported && ts.isNamedImports(imported)) {
        for (const { name } of imported.elements) names.add(name.text);
      }
    } else if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
      if (statement.name) names.add(statement.name.text);
    } else if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) {
        names.add(name.getText(source));
      }
    }
  }
  return names;
}

/** Returns true for code that does not run at import: types, the bodies of functions, and fields of objects of a class. */
function isLater(node: ts.Node): boolean {
  if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return true;
  return ts.isFunctionLike(node) || ts.isInterfaceDeclaration(node) ||
    (ts.isPropertyDeclaration(node) &&
      !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword));
}

/** Returns true for an expression after the mark for bundlers. */
function isPure(node: ts.Node, source: ts.SourceFile): boolean {
  return ts.isExpression(node) &&
    source.text.slice(node.getFullStart(), node.getStart(source)).includes("@__PURE__");
}

function runsOwnCode(node: ts.Node, own: ReadonlySet<string>): boolean {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    return isOwn(node.expression, own);
  }
  if (ts.isTaggedTemplateExpression(node)) return isOwn(node.tag, own);
  return ts.isAwaitExpression(node) || ts.isClassStaticBlockDeclaration(node) ||
    (ts.isStatement(node) && ts.isSourceFile(node.parent) && !isDeclaration(node));
}

/** Returns true for a function or class of the library, or a method of one of its values. */
function isOwn(callee: ts.Expression, own: ReadonlySet<string>): boolean {
  let root = callee;
  while (
    ts.isPropertyAccessExpression(root) || ts.isElementAccessExpression(root) ||
    ts.isParenthesizedExpression(root) || ts.isCallExpression(root)
  ) root = root.expression;
  return ts.isFunctionLike(root) || (ts.isIdentifier(root) && own.has(root.text));
}

function isDeclaration(statement: ts.Statement): boolean {
  return ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement) ||
    ts.isExportAssignment(statement) || ts.isVariableStatement(statement) ||
    ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
}
