/**
 * Turns the values in the comments of a code block into assertions.
 *
 * @module
 */

import ts from "typescript";

/** A code block with its shown values as assertions. */
export interface CheckedCode {
  readonly code: string;
  /** The number of its shown values. */
  readonly assertions: number;
}

/**
 * Turns each comment that shows a value, as in `1 + 1; // 2`, into an assertion. The comment is at the end of a statement or
 * alone on the line after it. The statement is an expression, a `return`, or a declaration of one name.
 *
 * @throws {Error} If a comment begins like a value but can't be checked. It could hide a wrong value.
 */
export function withAssertions(code: string): CheckedCode {
  const source = ts.createSourceFile("block.ts", code, ts.ScriptTarget.ESNext, true);
  const shown = new Map(
    comments(source).flatMap((comment) => {
      const text = code.slice(comment.pos + 2, comment.end).trim();
      return beginsLikeValue.test(text) ? [[comment.pos, text] as const] : [];
    }),
  );

  const edits: { readonly statement: ts.Statement; readonly code: string }[] = [];
  for (const statement of statements(source)) {
    const position = commentAfter(statement, code);
    const value = shown.get(position);
    if (value === undefined) continue;
    shown.delete(position);
    if (!isLiteral(value)) {
      throw new Error(`A comment shows a value that is not a literal: ${value}`);
    }
    edits.push({ statement, code: assertion(statement, value) });
  }
  for (const value of shown.values()) {
    throw new Error(`A comment shows a value that belongs to no statement: ${value}`);
  }

  // From the last to the first: the positions of earlier statements stay right.
  const checked = edits
    .toSorted((a, b) => b.statement.end - a.statement.end)
    .reduce(
      (text, { statement, code }) =>
        text.slice(0, statement.getStart()) + code + text.slice(statement.end),
      code,
    );
  return { code: checked, assertions: edits.length };
}

const beginsLikeValue = /^(?:["'{[\d]|-\d|(?:true|false|null|undefined|NaN)\b)/;

/** Returns the statement with an assertion of its value. */
function assertion(statement: ts.Statement, value: string): string {
  const wait = mayAwait(statement) ? "await " : "";
  const expectIt = (expression: string) => `expect(${wait}(${expression})).toEqual(${value});`;
  if (ts.isExpressionStatement(statement)) return expectIt(statement.expression.getText());
  if (ts.isReturnStatement(statement) && statement.expression) {
    const expression = statement.expression.getText();
    return `{ const shown = ${wait}(${expression}); expect(shown).toEqual(${value}); return shown; }`;
  }
  if (ts.isVariableStatement(statement)) {
    const names = statement.declarationList.declarations.flatMap(({ name }) => namesIn(name));
    if (names.length === 1) return `${statement.getText()} ${expectIt(names.join())}`;
  }
  throw new Error(
    `A comment shows a value of a statement that has none or several: ${statement.getText()}`,
  );
}

function namesIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? namesIn(element.name) : []
  );
}

/** Returns true if a statement may use `await`: at the top level, or directly in an asynchronous function. */
function mayAwait(statement: ts.Statement): boolean {
  const enclosing = ts.findAncestor(statement, ts.isFunctionLike);
  return !enclosing || (ts.getCombinedModifierFlags(enclosing) & ts.ModifierFlags.Async) !== 0;
}

/** Returns the position of the comment after a statement, on the same line or alone on the next one; -1 without one. */
function commentAfter(statement: ts.Statement, code: string): number {
  const between = /^[ \t]*(?:\n[ \t]*)?(?=\/\/)/.exec(code.slice(statement.end));
  return between ? statement.end + between[0].length : -1;
}

function isLiteral(text: string): boolean {
  const source = ts.createSourceFile("value.ts", `(${text});`, ts.ScriptTarget.ESNext, true);
  const { diagnostics = [] } = ts.transpileModule(source.text, { reportDiagnostics: true });
  const [statement, ...others] = source.statements;
  return diagnostics.length === 0 && others.length === 0 && statement !== undefined &&
    ts.isExpressionStatement(statement) &&
    ts.isParenthesizedExpression(statement.expression) &&
    isLiteralNode(statement.expression.expression);
}

function isLiteralNode(node: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isLiteralNode);
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.every((property) =>
      ts.isPropertyAssignment(property) && isLiteralNode(property.initializer)
    );
  }
  if (ts.isPrefixUnaryExpression(node)) return isLiteralNode(node.operand);
  if (ts.isIdentifier(node)) return ["undefined", "NaN"].includes(node.text);
  return ts.isLiteralExpression(node) ||
    [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword]
      .includes(node.kind);
}

/** Lists all statements at any depth, except blocks. */
function statements(node: ts.Node): ts.Statement[] {
  const inner = node.getChildren().flatMap(statements);
  return ts.isStatement(node) && !ts.isBlock(node) ? [node, ...inner] : inner;
}

/** Lists all comments of the form `// …`. */
function comments(source: ts.SourceFile): ts.CommentRange[] {
  const found = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node) => {
    for (
      const comment of [
        ...ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [],
        ...ts.getTrailingCommentRanges(source.text, node.end) ?? [],
      ]
    ) {
      if (comment.kind === ts.SyntaxKind.SingleLineCommentTrivia) found.set(comment.pos, comment);
    }
    node.getChildren().forEach(visit);
  };
  visit(source);
  return [...found.values()];
}
